//! The words and marks of C and its kin, Kotlin among them, without comments and preprocessor directives.

/// A word, a number, a literal or a mark of punctuation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme<'t> {
    pub text: &'t str,
    /// Its first byte.
    pub start: usize,
    /// Whether nothing follows it on its line.
    pub ends_line: bool,
}

impl Lexeme<'_> {
    /// Whether it is an identifier or a keyword.
    pub fn is_word(&self) -> bool {
        self.text.starts_with(begins_word)
    }
}

/// Marks of more than one character that must not be taken for two; others say the same in parts.
const LONG_MARKS: [&str; 4] = ["::", "->", "&&", "||"];

/// The lexemes of a text, whatever it is.
pub(super) fn lexemes(text: &str) -> Vec<Lexeme<'_>> {
    let mut lexemes: Vec<Lexeme<'_>> = Vec::new();
    let mut begins_line = true;
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match first {
            '\n' => {
                begins_line = true;
                if let Some(last) = lexemes.last_mut() {
                    last.ends_line = true;
                }
                at += 1;
                continue;
            }
            _ if first.is_whitespace() => first.len_utf8(),
            '#' if begins_line => directive(rest),
            '/' if rest.starts_with("//") => line(rest),
            '/' if rest.starts_with("/*") => 2 + through(&rest[2..], "*/"),
            _ => {
                let length = lexeme(rest, first);
                let text = &rest[..length];
                lexemes.push(Lexeme { text, start: at, ends_line: false });
                begins_line = false;
                length
            }
        };
        at += length;
    }
    if let Some(last) = lexemes.last_mut() {
        last.ends_line = true;
    }
    lexemes
}

/// The length of the lexeme that a text begins with.
fn lexeme(text: &str, first: char) -> usize {
    match first {
        _ if begins_word(first) => {
            let word = text.find(|c| !is_word(c)).unwrap_or(text.len());
            let is_raw = text[..word].ends_with('R') && text[word..].starts_with('"');
            if is_raw { word + raw_string(&text[word..]) } else { word }
        }
        _ if first.is_ascii_digit() => {
            text.find(|c| !is_word(c) && c != '.' && c != '\'').unwrap_or(text.len())
        }
        '"' if text.starts_with(TRIPLE) => 3 + through(&text[3..], TRIPLE),
        '@' if text[1..].trim_start_matches('$').starts_with('"') => verbatim(text),
        '"' | '\'' => literal(text, first),
        _ => match LONG_MARKS.iter().find(|mark| text.starts_with(**mark)) {
            Some(mark) => mark.len(),
            None => first.len_utf8(),
        },
    }
}

/// The quotes around raw strings of Kotlin and C#.
const TRIPLE: &str = "\"\"\"";

fn begins_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a text up to the end of what ends it.
fn through(text: &str, end: &str) -> usize {
    text.find(end).map_or(text.len(), |at| at + end.len())
}

/// The length of a line without its end.
fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// The length of a preprocessor directive, whose lines may be continued.
fn directive(text: &str) -> usize {
    let mut end = line(text);
    while end < text.len() && text[..end].trim_end_matches('\r').ends_with('\\') {
        end += 1 + line(&text[end + 1..]);
    }
    end
}

/// The length of a string or a character, which ends with its line at the latest.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return at,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a string of C# without escapes, `@"…"`.
fn verbatim(text: &str) -> usize {
    let open = text.find('"').map_or(text.len(), |at| at + 1);
    let mut end = open;
    // A quote in it is doubled.
    while let Some(quotes) = text[end..].find('"').map(|at| end + at) {
        if !text[quotes + 1..].starts_with('"') {
            return quotes + 1;
        }
        end = quotes + 2;
    }
    text.len()
}

/// The length of `"x(…)x"`.
fn raw_string(text: &str) -> usize {
    let Some(open) = text.find('(') else { return text.len() };
    let end = format!("){}\"", &text[1..open]);
    open + through(&text[open..], &end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = lexemes(text).iter().map(|lexeme| lexeme.text).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_and_marks() {
        check(
            "a::b->c(1'000.5f, é_2);",
            &["a", "::", "b", "->", "c", "(", "1'000.5f", ",", "é_2", ")", ";"],
        );
        check("a && b & c", &["a", "&&", "b", "&", "c"]);
    }

    #[test]
    fn literals_are_whole() {
        check(
            r#"f("a \" // b", '\'', u8"c")"#,
            &["f", "(", r#""a \" // b""#, ",", r"'\''", ",", "u8", "\"c\"", ")"],
        );
        check("R\"x(a)\" b)x\" c", &["R\"x(a)\" b)x\"", "c"]);
        check("\"\"\"a \" b\"\"\" c", &["\"\"\"a \" b\"\"\"", "c"]);
        check("@\"a\\\" b @$\"\"\"c\"\"\"", &["@\"a\\\"", "b", "@$\"\"\"c\"\"\""]);
        check("\"never closed\nb", &["\"never closed", "b"]);
        check("R\"never opened", &["R\"never opened"]);
    }

    #[test]
    fn comments_and_directives_are_left_out() {
        check("a // b\nc /* d\n */ e /* f", &["a", "c", "e"]);
        check("#define A \\\n  b\nc # d\n  #if e", &["c", "#", "d"]);
    }

    #[test]
    fn lines_end_after_comments_too() {
        let ends: Vec<bool> =
            lexemes("a // b\nc d").iter().map(|lexeme| lexeme.ends_line).collect();
        assert_eq!(ends, [true, false, true]);
    }
}
