//! The piece of a passage that shows why it was found.

use std::collections::HashMap;
use std::ops::Range;

use kitfox_core::{Text, Word, fold};

/// Words of a snippet.
pub const SNIPPET_WORDS: usize = 32;

const MARK: &str = "**";
const CUT: char = '…';

/// The window of at most `words` words with the most different hits, then the most hits, with each
/// hit marked `**…**` and each cut `…`. Hits that overlap or follow one another share one mark;
/// white space becomes single spaces, and what is hidden is left out. `is_hit` is given folded words. Without a hit, the beginning.
pub fn snippet(text: &Text, is_hit: impl Fn(&str) -> bool, words: usize) -> String {
    let hits = Hits::find(text, is_hit);
    let window = hits.best_window(words.max(1));
    render(text, &hits, window)
}

/// For each visible word, the number of the hit it is: equal words have equal numbers.
struct Hits(Vec<Option<usize>>);

impl Hits {
    fn find(text: &Text, is_hit: impl Fn(&str) -> bool) -> Hits {
        let mut numbers: HashMap<String, Option<usize>> = HashMap::new();
        let mut next = 0;
        let hits = text.visible_words().map(|word| {
            *numbers.entry(fold(text.word(word))).or_insert_with_key(|folded| {
                is_hit(folded).then(|| {
                    next += 1;
                    next - 1
                })
            })
        });
        Hits(hits.collect())
    }

    /// The best window, moved so that its hits stand in the middle.
    fn best_window(&self, length: usize) -> Range<usize> {
        let total = self.0.len();
        if total <= length {
            return 0..total;
        }
        let start = self.best_start(length);
        let inside = &self.0[start..start + length];
        let Some(first) = inside.iter().position(Option::is_some) else {
            return 0..length;
        };
        let last = inside.iter().rposition(Option::is_some).unwrap_or(first);
        let before = (length - (last - first + 1)) / 2;
        let start = (start + first).saturating_sub(before).min(total - length);
        start..start + length
    }

    /// Slides one window over all words: each word enters and leaves once.
    fn best_start(&self, length: usize) -> usize {
        let mut counts: HashMap<usize, usize> = HashMap::new();
        let (mut hits, mut best, mut best_start) = (0, (0, 0), 0);
        for (end, entering) in self.0.iter().enumerate() {
            if let Some(hit) = entering {
                *counts.entry(*hit).or_insert(0) += 1;
                hits += 1;
            }
            let leaving = end.checked_sub(length).and_then(|leaving| self.0[leaving]);
            if let Some(hit) = leaving {
                hits -= 1;
                if let Some(count) = counts.get_mut(&hit) {
                    *count -= 1;
                    if *count == 0 {
                        counts.remove(&hit);
                    }
                }
            }
            if (counts.len(), hits) > best {
                best = (counts.len(), hits);
                best_start = (end + 1).saturating_sub(length);
            }
        }
        best_start.min(self.0.len() - length)
    }

    /// Byte ranges of the hits in a window, overlapping and adjacent ones merged.
    fn marks(&self, text: &Text, words: &[&Word], window: Range<usize>) -> Vec<Range<usize>> {
        let mut marks: Vec<Range<usize>> = Vec::new();
        let mut before = false;
        for index in window {
            let is_hit = self.0[index].is_some();
            if is_hit {
                let span = text.span(words[index]);
                match marks.last_mut() {
                    // Pairs of an unspaced script overlap even with a pair between them.
                    Some(last) if before || span.start < last.end => last.end = span.end,
                    _ => marks.push(span),
                }
            }
            before = is_hit;
        }
        marks
    }
}

fn render(text: &Text, hits: &Hits, window: Range<usize>) -> String {
    let whole = text.as_str();
    let words: Vec<&Word> = text.visible_words().collect();
    let cut_before = window.start > 0;
    let cut_after = window.end < words.len();
    let start = if cut_before { text.span(words[window.start]).start } else { 0 };
    let end = if cut_after { text.span(words[window.end - 1]).end } else { whole.len() };

    let mut out = Collapsed::default();
    if cut_before {
        out.text.push(CUT);
    }
    let mut at = start;
    for mark in hits.marks(text, &words, window) {
        out.push(text, at..mark.start);
        out.mark();
        out.push(text, mark.clone());
        out.text.push_str(MARK);
        at = mark.end;
    }
    out.push(text, at..end);
    if cut_after {
        out.text.push(CUT);
    }
    out.text
}

/// Text with its white space collapsed: none at the ends, single spaces between.
#[derive(Default)]
struct Collapsed {
    text: String,
    space: bool,
}

impl Collapsed {
    fn push(&mut self, text: &Text, range: Range<usize>) {
        let visible = text.visible(range).map(|visible| &text.as_str()[visible]);
        for c in visible.flat_map(str::chars) {
            if c.is_whitespace() {
                self.space = !self.text.is_empty();
            } else {
                self.flush();
                self.text.push(c);
            }
        }
    }

    fn mark(&mut self) {
        self.flush();
        self.text.push_str(MARK);
    }

    fn flush(&mut self) {
        if std::mem::take(&mut self.space) {
            self.text.push(' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, hits: &[&str], words: usize, expected: &str) {
        let found = snippet(&Text::new(text), |word| hits.contains(&word), words);
        assert_eq!(found, expected, "snippet of {text:?}");
    }

    #[test]
    fn hits_are_marked() {
        check("The BGP  daemon\nruns.", &["bgp"], 32, "The **BGP** daemon runs.");
        check("Use MP-BGP here", &["mp", "bgp"], 32, "Use **MP-BGP** here");
        check("検索する", &["検索", "する"], 32, "**検索****する**");
        check("検索する", &["検索", "索す"], 32, "**検索す**る");
        check("no hit at all", &["x"], 2, "no hit…");
        check("", &["x"], 32, "");
    }

    #[test]
    fn what_is_hidden_is_not_shown() {
        let target = 9..17;
        let text = Text::hiding("The [BGP](bgp.md) daemon", vec![target]);
        assert_eq!(snippet(&text, |word| word == "bgp", 9), "The [**BGP**] daemon");
        assert_eq!(snippet(&text, |word| word != "the", 9), "The [**BGP] daemon**");
    }

    #[test]
    fn the_window_shows_most_different_hits_in_its_middle() {
        check("a a b b b c d e f g", &["a", "c"], 5, "…**a** b b b **c**…");
        check("x a a a x x x x x a b x x", &["a", "b"], 4, "…x **a b** x…");
        check("one two three four five", &["one"], 3, "**one** two three…");
        check("one two three four five", &["five"], 3, "…three four **five**");
    }
}
