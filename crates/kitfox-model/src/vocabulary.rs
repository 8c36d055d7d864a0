//! Greedy WordPiece: words to token numbers.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// The number of a token: its line in the vocabulary, from 0.
pub type Token = u32;

/// Longer words are not cut into pieces, in bytes: they are encoded data, not language.
const LONGEST_WORD: usize = 100;

/// The first byte in UTF-8 of the block after Latin, Greek, Cyrillic and Armenian.
const HEBREW: u8 = 0xD6;

/// The tokens of a model. Words stay where they were read from; only their offsets are kept.
#[derive(Debug)]
pub struct Vocabulary {
    words: &'static [u8],
    /// Where each token begins and ends in `words`, without its `##`.
    spans: Vec<(u32, u32)>,
    /// Tokens that begin a word.
    first: HashTable<Token>,
    /// Tokens that continue a word.
    rest: HashTable<Token>,
    longest: usize,
    unknown: Token,
}

impl Vocabulary {
    /// Reads one token a line, `##` before those that continue a word. None without an `[UNK]`.
    pub fn parse(words: &'static str) -> Option<Vocabulary> {
        let count = words.lines().count();
        let continuing = words.lines().filter(|line| line.starts_with("##")).count();
        let mut vocabulary = Vocabulary {
            words: words.as_bytes(),
            spans: Vec::with_capacity(count),
            first: HashTable::with_capacity(count - continuing),
            rest: HashTable::with_capacity(continuing),
            longest: 0,
            unknown: words.lines().position(|line| line == "[UNK]")? as Token,
        };
        for line in words.lines() {
            vocabulary.push(line);
        }
        Some(vocabulary)
    }

    fn push(&mut self, line: &'static str) {
        let word = line.strip_prefix("##").unwrap_or(line);
        let start = word.as_ptr() as usize - self.words.as_ptr() as usize;
        let token = self.spans.len() as Token;
        self.spans.push((start as u32, (start + word.len()) as u32));
        self.longest = self.longest.max(word.len());
        let (words, spans) = (self.words, &self.spans);
        let table = if word.len() < line.len() { &mut self.rest } else { &mut self.first };
        table.insert_unique(hash(word.as_bytes()), token, |&other| {
            hash(word_of(words, spans, other))
        });
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are no tokens; never so, since `[UNK]` is one.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The token of what the vocabulary cannot spell.
    pub fn unknown(&self) -> Token {
        self.unknown
    }

    /// Whether the model learned what a token means: it is spelled, and in a script that stands
    /// before Hebrew in Unicode (Latin, Greek). The vocabulary also has letters of scripts the
    /// training text held in passing (Arabic, kana), which say nothing by themselves.
    pub fn is_readable(&self, token: Token) -> bool {
        let first = word_of(self.words, &self.spans, token).first();
        token != self.unknown && first.is_some_and(|&byte| byte < HEBREW)
    }

    /// Appends the tokens of a lower-case word: the longest known beginning, then the longest
    /// known continuation, and so on; [`Vocabulary::unknown`] alone if that leaves a rest.
    pub fn tokenize(&self, word: &[u8], tokens: &mut Vec<Token>) {
        let before = tokens.len();
        if self.cut(word, tokens).is_none() {
            tokens.truncate(before);
            tokens.push(self.unknown);
        }
    }

    fn cut(&self, word: &[u8], tokens: &mut Vec<Token>) -> Option<()> {
        if word.len() > LONGEST_WORD {
            return None;
        }
        let mut table = &self.first;
        let mut rest = word;
        while !rest.is_empty() {
            let token = self.longest_prefix(table, rest)?;
            tokens.push(token);
            rest = &rest[word_of(self.words, &self.spans, token).len()..];
            table = &self.rest;
        }
        Some(())
    }

    fn longest_prefix(&self, table: &HashTable<Token>, word: &[u8]) -> Option<Token> {
        (1..=word.len().min(self.longest)).rev().find_map(|end| self.find(table, &word[..end]))
    }

    #[inline]
    fn find(&self, table: &HashTable<Token>, word: &[u8]) -> Option<Token> {
        table.find(hash(word), |&token| word_of(self.words, &self.spans, token) == word).copied()
    }
}

/// A token without its `##`.
#[inline]
fn word_of<'a>(words: &'a [u8], spans: &[(u32, u32)], token: Token) -> &'a [u8] {
    let (start, end) = spans[token as usize];
    &words[start as usize..end as usize]
}

#[inline]
fn hash(word: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(word);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, pieces: &[&str]) {
        static WORDS: &str = "[UNK]\nun\nunder\nstand\n##stand\n##s\n##der\né\n##a\na\n";
        let vocabulary = Vocabulary::parse(WORDS).expect("has [UNK]");
        let mut tokens = Vec::new();
        vocabulary.tokenize(word.as_bytes(), &mut tokens);
        let lines: Vec<&str> = WORDS.lines().collect();
        let found: Vec<&str> = tokens.iter().map(|&token| lines[token as usize]).collect();
        assert_eq!(found, pieces, "pieces of {word:?}");
    }

    #[test]
    fn the_longest_piece_wins() {
        check("understands", &["under", "##stand", "##s"]);
        check("unders", &["under", "##s"]);
        check("éa", &["é", "##a"]);
        check("", &[]);
    }

    #[test]
    fn what_leaves_a_rest_is_unknown() {
        check("underx", &["[UNK]"]);
        check("sunder", &["[UNK]"]);
        check(&"a".repeat(101), &["[UNK]"]);
    }

    #[test]
    fn letters_met_in_passing_are_not_readable() {
        let vocabulary = Vocabulary::parse("[UNK]\nword\né\n##2\nる\n##م\n").expect("has [UNK]");
        let readable: Vec<bool> = (0..6).map(|token| vocabulary.is_readable(token)).collect();
        assert_eq!(readable, [false, true, true, true, false, false]);
    }

    #[test]
    fn a_vocabulary_needs_a_word_for_the_unknown() {
        assert!(Vocabulary::parse("a\nb\n").is_none());
    }
}
