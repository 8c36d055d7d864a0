//! Random documents, filters and questions, from small vocabularies so that things collide.

use std::ops::Bound;

use kitfox_core::{
    At, Case, Column, Columns, Direction, Document, Expression, Filter, Heading, Lexicon, Near,
    Number, Order, Part, Parts, Pattern, Phrase, Place, Point, Scan, Search, Selection, Start,
    Test, Text, Value, WordQuery,
};

use crate::DIMENSION;

/// A small generator of random numbers (xorshift64*).
pub(crate) struct Random(u64);

const WORDS: &[&str] = &[
    "route",
    "routes",
    "getUserName",
    "user",
    "name",
    "MP-BGP",
    "naïve",
    "検索する",
    "the",
    "retry",
    "HTTPServer2",
    "xy",
    "don't",
    "v1.2.3",
];
pub(crate) const PATHS: &[&str] =
    &["path", "price", "a.b", "a\\.b", "tags", "", "\u{1}x\u{0}", "üb"];
const TEXTS: &[&str] = &[
    "",
    "a",
    "a/b",
    "a/b/c",
    "ab",
    "Straße",
    "STRASSE",
    "z",
    "\u{10FFFF}",
    "a\u{0}b",
    "7",
    "2024-06-01",
];
const GROUPS: &[&str] =
    &["a", "a/b", "a/b/c.rs", "a.b", "a0", "b/x.md", "b/y.md", "ü/ß", "c", "d", "e", "f", "g", "h"];

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }

    pub fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    pub fn group(&mut self) -> &'static str {
        self.pick(GROUPS)
    }

    pub fn path(&mut self) -> &'static str {
        self.pick(PATHS)
    }

    pub fn documents(&mut self) -> Vec<Document> {
        (0..self.below(5)).map(|_| self.document()).collect()
    }

    fn document(&mut self) -> Document {
        let text = self.partly_hidden();
        Document {
            parts: self.parts(&text),
            text,
            // At most 40 terms together: longer ones are rounded by tantivy's BM25.
            heading: Heading::over_rows(&self.text(1), &self.text(1), &self.text(1), &self.text(1)),
            values: (0..self.below(8)).map(|_| (self.path().to_owned(), self.value())).collect(),
            place: Place { start_line: self.below(1000) as u32, ..Place::default() },
            vector: (!self.one_in(5)).then(|| self.vector()),
            payload: self.text(2).into_bytes(),
        }
    }

    /// Parts of a text that is shorter than some of them reach.
    fn parts(&mut self, text: &Text) -> Parts {
        let mut at = 0;
        let mut parts = Vec::new();
        for _ in 0..self.below(4) {
            let words = &text.words()[at..];
            let (skipped, length) = (self.below(2), self.below(3));
            let words = words.get(skipped..).unwrap_or_default();
            let words = words.get(..length).unwrap_or(words);
            let (Some(first), Some(last)) = (words.first(), words.last()) else { continue };
            parts.push((text.span(first).start..text.span(last).end, self.part()));
            at += skipped + words.len();
        }
        Parts { heading: self.part(), text: parts }
    }

    fn part(&mut self) -> Part {
        Part { weight: 1 + self.below(2) as u8, lexicon: self.lexicon() }
    }

    pub fn lexicon(&mut self) -> Lexicon {
        Lexicon::of(self.pick(&["", "", "en", "fr"]))
    }

    fn partly_hidden(&mut self) -> Text {
        let text = self.text(3);
        let hidden = (0..self.below(2)).map(|_| {
            let start = self.below(text.len() + 1) as u32;
            start..start + self.below(text.len() + 1) as u32
        });
        let hidden = hidden.collect();
        Text::hiding(text, hidden)
    }

    fn text(&mut self, longest: usize) -> String {
        let words: Vec<&str> = (0..self.below(longest + 1)).map(|_| self.pick(WORDS)).collect();
        words.join(" ")
    }

    /// Few different ones, so that distances are often equal.
    fn vector(&mut self) -> Vec<f32> {
        let mut vector: Vec<f32> = (0..DIMENSION).map(|_| self.below(3) as f32 - 1.0).collect();
        vector[self.below(DIMENSION)] += 1.0;
        let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6);
        vector.iter().map(|x| x / norm).collect()
    }

    fn value(&mut self) -> Value {
        match self.below(12) {
            0 => Value::Null,
            1 => Value::Empty,
            2 => Value::Filled,
            3 => Value::Bool(self.one_in(2)),
            4..=6 => Value::Number(self.number()),
            7 => Value::Time((self.below(5) as i128 - 2) * 1_000_000_007),
            8 => Value::Point(self.point()),
            _ => Value::from(self.pick(TEXTS)),
        }
    }

    fn number(&mut self) -> Number {
        let integers = [0, -1, 3, i64::MAX, i64::MIN, 1 << 53, (1 << 53) + 1];
        match self.below(3) {
            0 => Number::from(u64::MAX - self.below(2) as u64),
            1 => Number::from_f64(self.below(7) as f64 / 2.0 - 1.0).unwrap_or(Number::from(0i64)),
            _ => Number::from(integers[self.below(integers.len())]),
        }
    }

    fn point(&mut self) -> Point {
        let (latitude, longitude) = (self.below(19) as f64 * 10.0 - 90.0, self.below(37) as f64);
        Point::new(latitude, longitude * 10.0 - 180.0).unwrap_or_else(|| unreachable!("in range"))
    }

    pub fn filter(&mut self, depth: usize) -> Filter {
        let inner = |random: &mut Random| {
            (0..random.below(4)).map(|_| random.filter(depth.saturating_sub(1))).collect()
        };
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0 => Filter::All,
            6 => Filter::And(inner(self)),
            7 => Filter::Or(inner(self)),
            8 | 9 => Filter::Not(Box::new(self.filter(depth - 1))),
            _ => Filter::Any(self.path().to_owned(), self.test()),
        }
    }

    fn test(&mut self) -> Test {
        match self.below(9) {
            0 => Test::Present,
            1 => Test::Something,
            2 => {
                // Engines may look for many in another way than for few.
                let most = [9, 9, 400][self.below(3)];
                Test::In((0..self.below(most)).map(|_| self.value()).collect())
            }
            3 | 4 => Test::Between(self.bound(), self.bound()),
            5 => Test::Like(self.pattern()),
            6 => Test::Below(self.pick(TEXTS).to_owned()),
            7 => Test::Within { center: self.point(), kilometres: self.below(9) as f64 * 1500.0 },
            _ => Test::Inside { south_west: self.point(), north_east: self.point() },
        }
    }

    fn bound(&mut self) -> Bound<Value> {
        match self.below(3) {
            0 => Bound::Unbounded,
            1 => Bound::Included(self.value()),
            _ => Bound::Excluded(self.value()),
        }
    }

    fn pattern(&mut self) -> Pattern {
        let at = [At::Whole, At::Start, At::End, At::Anywhere][self.below(4)];
        let case = [Case::Sensitive, Case::Folded][self.below(2)];
        Pattern { at, text: self.pick(TEXTS).to_owned(), case }
    }

    /// A word with up to three letters that are wrong.
    pub fn misspelling(&mut self) -> String {
        let mut letters: Vec<char> = self.pick(WORDS).chars().collect();
        for _ in 0..self.below(4) {
            let at = self.below(letters.len() - 1);
            match self.below(4) {
                0 => letters.swap(at, at + 1),
                1 => letters[at] = 'e',
                2 => letters.insert(at, 'r'),
                _ if letters.len() > 3 => drop(letters.remove(at)),
                _ => {}
            }
        }
        letters.into_iter().collect()
    }

    pub fn words(&mut self) -> WordQuery {
        let query = match self.one_in(2) {
            true => WordQuery::any(self.text(4)),
            false => WordQuery::matching(self.expression(2)),
        };
        let lexicons: Vec<Lexicon> = (0..self.below(3)).map(|_| self.lexicon()).collect();
        if lexicons.is_empty() { query } else { query.among(&lexicons) }
    }

    fn expression(&mut self, depth: usize) -> Expression {
        let side = |random: &mut Random| Box::new(random.expression(depth.saturating_sub(1)));
        match self.below(if depth == 0 { 2 } else { 5 }) {
            1 => Expression::Stem(self.text(2)),
            2 => Expression::And(side(self), side(self)),
            3 => Expression::Or(side(self), side(self)),
            4 => Expression::Not(side(self), side(self)),
            _ => Expression::Near(self.near()),
        }
    }

    fn near(&mut self) -> Near {
        let phrases = 1 + if self.one_in(2) { self.below(3) } else { 0 };
        Near {
            phrases: (0..phrases).map(|_| self.phrase()).collect(),
            within: self.below(4) as u32,
            columns: match self.one_in(2) {
                true => Columns::BARE,
                false => Column::ALL.into_iter().filter(|_| self.one_in(2)).collect(),
            },
        }
    }

    fn phrase(&mut self) -> Phrase {
        let mut phrase = Phrase::of(&self.text(2), false);
        phrase.is_first = self.one_in(4);
        for term in &mut phrase.terms {
            if self.one_in(4) {
                let cut = term.word.floor_char_boundary(term.word.len().div_ceil(2));
                let cut = if cut == 0 { term.word.len() } else { cut };
                term.word.truncate(cut);
                term.is_prefix = true;
            }
        }
        phrase
    }

    pub fn selection(&mut self) -> Selection {
        let words = self.one_in(2).then(|| self.words());
        Selection { filter: self.filter(2), words }
    }

    pub fn search(&mut self) -> Search {
        let words = (!self.one_in(3)).then(|| self.words());
        let vector = (!self.one_in(3)).then(|| self.vector());
        let marks = (0..self.below(3)).map(|_| self.filter(1)).collect();
        Search { filter: self.filter(2), words, vector, depth: self.below(12), marks }
    }

    pub fn scan(&mut self) -> Scan {
        let order = (0..self.below(3))
            .map(|_| Order {
                path: self.path().to_owned(),
                direction: [Direction::Ascending, Direction::Descending][self.below(2)],
            })
            .collect();
        Scan { selection: self.selection(), order, start: Start::First, limit: 1 + self.below(7) }
    }
}
