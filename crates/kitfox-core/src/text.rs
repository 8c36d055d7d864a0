//! Text cut into words, once, for every use: the index, queries and embeddings all read the same
//! words, so that nothing a query can say is unreadable to the index.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A text together with its words.
///
/// A word is a maximal run of letters, digits and combining marks of one kind of script; anything
/// else separates. Scripts written without spaces (Han, Kana, Thai, Lao, Khmer, Myanmar) become
/// overlapping pairs of characters. This is what SQLite's `unicode61` tokenizer does for spaced
/// scripts, so `MP-BGP`, `v1.2.3` and `std::vector` are sequences of adjacent words. Only the names
/// of a few languages have their signs with them: `C++`, `C#`.
///
/// Parts of it may be hidden, as the targets of links are from the reader of a page. Their words tell
/// what it is about, to ranking and to the embedder; exact matching and snippets know those that are
/// visible alone, and what stands around a hidden part is adjacent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    text: String,
    words: Vec<Word>,
    parts: Vec<Range<u32>>,
    hidden: Vec<Range<u32>>,
}

/// One word of a [`Text`]: byte offsets, and the identifier parts inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    span: Range<u32>,
    parts: Range<u32>,
}

impl Text {
    /// Cuts `text` into words. Text beyond 4 GiB is not supported and is dropped at a character
    /// boundary.
    pub fn new(text: impl Into<String>) -> Text {
        Text::hiding(text, Vec::new())
    }

    /// The same with byte ranges hidden, which are ordered and apart, and end between characters;
    /// others hide nothing.
    pub fn hiding(text: impl Into<String>, mut hidden: Vec<Range<u32>>) -> Text {
        let mut text = text.into();
        if text.len() > u32::MAX as usize {
            text.truncate(text.floor_char_boundary(u32::MAX as usize));
        }
        let mut end = 0;
        hidden.retain(|range| {
            let is_one = end <= range.start && text.get(bytes(range)).is_some();
            end = if is_one { range.end } else { end };
            is_one
        });
        let mut segmenter = Segmenter::default();
        segmenter.run(&text);
        Text { words: segmenter.words, parts: segmenter.parts, hidden, text }
    }

    /// What is not hidden of a byte range, in order.
    pub fn visible(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let Range { mut start, end } = range;
        let first = self.hidden.partition_point(|hidden| hidden.end as usize <= start);
        let hidden = self.hidden[first..].iter().map(bytes);
        let hidden = hidden.take_while(move |hidden| hidden.start < end);
        hidden.chain(std::iter::once(end..end)).filter_map(move |hidden| {
            let visible = start..hidden.start;
            start = hidden.end;
            (!visible.is_empty()).then_some(visible)
        })
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The words in their order.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The words that are not hidden, in order of their positions.
    pub fn visible_words(&self) -> impl Iterator<Item = &Word> {
        self.words.iter().filter(|word| !self.is_hidden(word))
    }

    /// Whether a word is hidden.
    pub fn is_hidden(&self, word: &Word) -> bool {
        let before = self.hidden.partition_point(|hidden| hidden.start <= word.span.start);
        self.hidden[..before].last().is_some_and(|hidden| word.span.start < hidden.end)
    }

    /// The words that lie within a byte range, none of whose ends may cut a word.
    pub fn words_in(&self, range: Range<usize>) -> &[Word] {
        let at = |offset| self.words.partition_point(|word| (word.span.start as usize) < offset);
        &self.words[at(range.start)..at(range.end).max(at(range.start))]
    }

    /// The byte range of a word in [`Text::as_str`].
    pub fn span(&self, word: &Word) -> Range<usize> {
        bytes(&word.span)
    }

    /// A word as written.
    pub fn word(&self, word: &Word) -> &str {
        &self.text[self.span(word)]
    }

    /// The identifier parts of a word as written: `HTTPServer2` has `HTTP`, `Server`, `2`. A word
    /// that is all one part yields itself; of `C++` that is `C`.
    pub fn parts(&self, word: &Word) -> impl Iterator<Item = &str> {
        self.parts[word.parts.start as usize..word.parts.end as usize]
            .iter()
            .map(|part| &self.text[bytes(part)])
    }

    /// The text itself, without its words.
    pub fn into_string(self) -> String {
        self.text
    }
}

fn bytes(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Names that are nothing without the signs behind them, in lower case.
const SIGNED: &[(&str, &str)] =
    &[("c", "++"), ("g", "++"), ("c", "#"), ("f", "#"), ("j", "#"), ("q", "#")];

/// The signs at the start of `rest` that belong to the word before it: `++` of `C++17`, but none of
/// `c++x`, `i++` and `C#minor`.
fn signs<'t>(word: &str, rest: &'t str) -> &'t str {
    if !rest.starts_with(['+', '#']) {
        return "";
    }
    let is_one = |(name, signs): &&(&str, &str)| {
        word.eq_ignore_ascii_case(name)
            && rest.strip_prefix(signs).is_some_and(|after| {
                let next = after.chars().next().map_or(Class::Separator, class);
                let is_version = *signs == "++" && next == Class::Digit;
                (next == Class::Separator || is_version) && !after.starts_with(['+', '#'])
            })
    };
    SIGNED.iter().find(is_one).map_or("", |(_, signs)| &rest[..signs.len()])
}

/// Folds case, accents and compatibility forms: the form in which exact words are compared.
pub fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    word.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

/// English words that carry no meaning of their own.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "has",
    "have", "how", "i", "if", "in", "is", "it", "its", "of", "on", "or", "so", "that", "the",
    "their", "there", "these", "they", "this", "to", "was", "we", "what", "when", "where", "which",
    "who", "why", "will", "with", "you", "your",
];

/// Whether a folded word stands in every sentence and tells nothing of what one is about.
pub fn is_stop_word(folded: &str) -> bool {
    STOP_WORDS.contains(&folded)
}

#[derive(Default)]
struct Segmenter {
    words: Vec<Word>,
    parts: Vec<Range<u32>>,
}

/// What a character is to the segmenter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Separator,
    Lower,
    Upper,
    Digit,
    Mark,
    Unspaced,
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' => Class::Lower,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Digit,
        _ if c.is_ascii() => Class::Separator,
        _ if is_unspaced(c) => Class::Unspaced,
        _ if is_combining_mark(c) => Class::Mark,
        _ if c.is_numeric() => Class::Digit,
        _ if c.is_uppercase() => Class::Upper,
        _ if c.is_alphabetic() => Class::Lower,
        _ => Class::Separator,
    }
}

fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF // Thai, Lao, Myanmar, Khmer
        | 0x3005..=0x3007 | 0x3040..=0x30FF | 0x31F0..=0x31FF // Kana
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF // Han
        | 0xFF66..=0xFF9F | 0x20000..=0x3FFFF)
        && c.is_alphanumeric()
}

impl Segmenter {
    fn run(&mut self, text: &str) {
        let mut characters = text.char_indices().peekable();
        while let Some(&(start, c)) = characters.peek() {
            match class(c) {
                Class::Separator | Class::Mark => {
                    characters.next();
                }
                Class::Unspaced => self.unspaced(text, &mut characters),
                _ => self.spaced(text, start, &mut characters),
            }
        }
    }

    /// Reads a run of an unspaced script and records its overlapping pairs.
    fn unspaced(&mut self, text: &str, characters: &mut Characters<'_>) {
        let mut starts = Vec::new();
        let end = take_while(
            text,
            characters,
            |class| matches!(class, Class::Unspaced | Class::Mark),
            |start, _| starts.push(start),
        );
        starts.push(end);
        if starts.len() == 2 {
            self.push(starts[0]..starts[1], &[]);
        }
        for pair in starts.windows(3) {
            self.push(pair[0]..pair[2], &[]);
        }
    }

    /// Reads a run of a spaced script and records it with its identifier parts.
    fn spaced(&mut self, text: &str, start: usize, characters: &mut Characters<'_>) {
        let mut cuts = Vec::new();
        let mut before = Class::Separator;
        let mut run_start = start;
        let end = take_while(
            text,
            characters,
            |class| !matches!(class, Class::Separator | Class::Unspaced),
            |at, class| {
                match (before, class) {
                    (_, Class::Mark) => return,
                    (Class::Lower, Class::Upper) => cuts.push(at),
                    (Class::Digit, Class::Lower | Class::Upper) => cuts.push(at),
                    (Class::Lower | Class::Upper, Class::Digit) => cuts.push(at),
                    // `HTTPServer`: the last capital of a run begins the next part.
                    (Class::Upper, Class::Lower)
                        if run_start > start && cuts.last() != Some(&run_start) =>
                    {
                        cuts.push(run_start);
                    }
                    _ => {}
                }
                run_start = at;
                before = class;
            },
        );
        let signs = signs(&text[start..end], &text[end..]).len();
        characters.by_ref().take(signs).for_each(drop);
        self.push(start..end, &cuts);
        if let Some(word) = self.words.last_mut() {
            word.span.end += signs as u32;
        }
    }

    /// Records a word with its parts.
    fn push(&mut self, span: Range<usize>, cuts: &[usize]) {
        let first = self.parts.len() as u32;
        let mut start = span.start;
        for &cut in cuts.iter().chain(std::iter::once(&span.end)) {
            if cut > start {
                self.parts.push(start as u32..cut as u32);
                start = cut;
            }
        }
        let span = span.start as u32..span.end as u32;
        self.words.push(Word { span, parts: first..self.parts.len() as u32 });
    }
}

type Characters<'a> = std::iter::Peekable<std::str::CharIndices<'a>>;

/// Consumes characters while `belongs` holds, calling `each` with offset and class; returns the
/// byte offset of the end of the run.
fn take_while(
    text: &str,
    characters: &mut Characters<'_>,
    belongs: impl Fn(Class) -> bool,
    mut each: impl FnMut(usize, Class),
) -> usize {
    while let Some(&(at, c)) = characters.peek() {
        let class = class(c);
        if !belongs(class) {
            return at;
        }
        each(at, class);
        characters.next();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, words: &[&str], parts: &[&str]) {
        let text = Text::new(input);
        let found: Vec<&str> = text.words().iter().map(|word| text.word(word)).collect();
        assert_eq!(found, words, "words of {input:?}");
        let found: Vec<&str> = text.words().iter().flat_map(|word| text.parts(word)).collect();
        assert_eq!(found, parts, "parts of {input:?}");
    }

    #[test]
    fn punctuation_separates() {
        check("MP-BGP v1.2", &["MP", "BGP", "v1", "2"], &["MP", "BGP", "v", "1", "2"]);
        check("std::vector<int>", &["std", "vector", "int"], &["std", "vector", "int"]);
        check("", &[], &[]);
    }

    #[test]
    fn identifiers_have_parts() {
        check("getUserName", &["getUserName"], &["get", "User", "Name"]);
        check("HTTPServer2x", &["HTTPServer2x"], &["HTTP", "Server", "2", "x"]);
        check("snake_case", &["snake", "case"], &["snake", "case"]);
        check("Ångström", &["Ångström"], &["Ångström"]);
        check("IOError AB", &["IOError", "AB"], &["IO", "Error", "AB"]);
    }

    #[test]
    fn names_of_languages_have_their_signs() {
        check("C++, c#/F#", &["C++", "c#", "F#"], &["C", "c", "F"]);
        check("C++17 (G++)", &["C++", "17", "G++"], &["C", "17", "G"]);
        check("Objective-C++", &["Objective", "C++"], &["Objective", "C"]);
        for not_one in ["a++", "c++x", "c+++d", "C#minor", "c#1", "c##", "a.c+b", "c +", "x#"] {
            let text = Text::new(not_one);
            assert!(text.words().iter().all(|word| !text.word(word).contains(['+', '#'])));
        }
    }

    #[test]
    fn unspaced_scripts_become_pairs() {
        check("検索する", &["検索", "索す", "する"], &["検索", "索す", "する"]);
        check("a字b", &["a", "字", "b"], &["a", "字", "b"]);
    }

    #[test]
    fn what_is_hidden_has_no_visible_words() {
        #[track_caller]
        fn check(hidden: &[Range<u32>], words: &[&str], visible: &str) {
            let text = Text::hiding("see [é](a b) now", hidden.to_vec());
            assert_eq!(text.words().len(), 5);
            let found: Vec<&str> = text.visible_words().map(|word| text.word(word)).collect();
            assert_eq!(found, words, "{hidden:?}");
            let found = text.visible(1..17).map(|range| &text.as_str()[range]);
            assert_eq!(found.collect::<String>(), visible, "{hidden:?}");
        }
        let target = 8..13;
        check(&[target], &["see", "é", "now"], "ee [é] now");
        check(&[0..3, 8..13, 14..17], &["é"], " [é] ");
        check(&[8..13, 9..10], &["see", "é", "now"], "ee [é] now");
        check(&[6..9, 3..99], &["see", "é", "a", "b", "now"], "ee [é](a b) now");
    }

    #[test]
    fn folding_drops_case_and_accents() {
        assert_eq!(fold("Ångström"), "angstrom");
        assert_eq!(fold("ﬁne"), "fine");
        assert_eq!(fold("ABC"), "abc");
    }
}
