//! Marks the words of a query in a line of text.

use std::collections::HashSet;
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use kitfox_core::{Text, fold, is_stop_word};

const MARK: Style = AnsiColor::Yellow.on_default().bold();

/// The words of a query, ready to be marked.
pub struct Highlighter {
    words: HashSet<String>,
}

impl Highlighter {
    /// Marks the words of `query` and the parts of its identifiers; stop words only where there are
    /// no others.
    pub fn new(query: &str) -> Highlighter {
        let text = Text::new(query);
        let whole = text.words().iter().map(|word| fold(text.word(word)));
        let parts = text.words().iter().flat_map(|word| text.parts(word)).map(fold);
        let mut words: HashSet<String> = whole.chain(parts).collect();
        if !words.iter().all(|word| is_stop_word(word)) {
            words.retain(|word| !is_stop_word(word));
        }
        Highlighter { words }
    }

    /// The line with its matching words styled.
    pub fn mark(&self, line: &str) -> String {
        let mut marked = String::with_capacity(line.len());
        let mut end = 0;
        for span in self.spans(line) {
            // Pairs of unspaced scripts overlap: each byte is written once.
            let start = span.start.max(end);
            if span.end <= start {
                continue;
            }
            marked.push_str(&line[end..start]);
            marked.push_str(&format!("{MARK}{}{MARK:#}", &line[start..span.end]));
            end = span.end;
        }
        marked.push_str(&line[end..]);
        marked
    }

    /// Byte ranges to mark, ordered by their start.
    fn spans(&self, line: &str) -> Vec<Range<usize>> {
        let text = Text::new(line);
        let mut spans = Vec::new();
        for word in text.words() {
            let span = text.span(word);
            if self.words.contains(&fold(&line[span.clone()])) {
                spans.push(span);
                continue;
            }
            let mut start = span.start;
            for part in text.parts(word) {
                let end = start + part.len();
                if self.words.contains(&fold(part)) {
                    spans.push(start..end);
                }
                start = end;
            }
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::Highlighter;

    #[track_caller]
    fn check(query: &str, line: &str, expected: &str) {
        let marked = Highlighter::new(query).mark(line);
        let plain = marked.replace("\u{1b}[1m\u{1b}[33m", "[").replace("\u{1b}[0m", "]");
        assert_eq!(plain, expected, "{query:?} in {line:?}");
    }

    #[test]
    fn words_and_identifier_parts_are_marked() {
        check("user name of", "the user of getUserName", "the [user] of get[User][Name]");
        check("parseHeader", "fn parse_header()", "fn [parse]_[header]()");
        check("io", "io and IO", "[io] and [IO]");
        check("検索する", "検索する", "[検索][す][る]");
        check("x", "", "");
    }
}
