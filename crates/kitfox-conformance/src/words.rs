//! The word leg: exact words in order, and BM25 over scoring terms.

use std::collections::BTreeMap;
use std::ops::Range;

use kitfox_core::{
    Analyser, Column, Document, Expression, Lexicon, Near, Part, Phrase, Term, Text, Word,
    WordPattern, WordQuery, exact_word, misspelled_letters,
};

/// BM25's saturation of term frequency, and its share of length normalisation.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// Statistics of the living documents.
pub(crate) struct Corpus {
    documents: f32,
    average_length: f32,
    frequencies: BTreeMap<String, f32>,
}

impl Corpus {
    pub fn new<'a>(documents: impl Iterator<Item = &'a Document>) -> Corpus {
        let (mut count, mut length) = (0.0, 0.0);
        let mut frequencies: BTreeMap<String, f32> = BTreeMap::new();
        for document in documents {
            let mut terms = terms(document);
            count += 1.0;
            length += terms.len() as f32;
            terms.sort();
            terms.dedup();
            terms.into_iter().for_each(|term| *frequencies.entry(term).or_default() += 1.0);
        }
        Corpus { documents: count, average_length: length / f32::max(count, 1.0), frequencies }
    }

    /// BM25 of a document for a query in plain language; for an expression, n / (n + 1)
    /// where it is found n times. 0 where it does not match.
    ///
    /// Lengths are exact here; an engine that rounds long ones gives another number for them.
    pub fn score(&self, query: &WordQuery, document: &Document) -> f32 {
        match &query.pattern {
            WordPattern::Match(expression) => {
                let found = Words::of(document, query).found(expression) as f32;
                found / (found + 1.0)
            }
            WordPattern::Any(text) => {
                let terms = terms(document);
                query.terms_of(text).iter().map(|term| self.bm25(term, &terms)).sum()
            }
        }
    }

    /// What no score reaches.
    pub fn limit(&self, query: &WordQuery) -> f32 {
        match &query.pattern {
            WordPattern::Any(text) => {
                query.terms_of(text).len() as f32 * (K1 + 1.0) * (1.0 + self.documents).ln()
            }
            WordPattern::Match(_) => 1.0,
        }
    }

    fn bm25(&self, term: &str, terms: &[String]) -> f32 {
        let frequency = terms.iter().filter(|found| *found == term).count() as f32;
        let with = self.frequencies.get(term).copied().unwrap_or(0.0);
        let idf = (1.0 + (self.documents - with + 0.5) / (with + 0.5)).ln();
        let length = 1.0 - B + B * terms.len() as f32 / self.average_length;
        if frequency > 0.0 { idf * frequency * (K1 + 1.0) / (frequency + K1 * length) } else { 0.0 }
    }
}

fn terms(document: &Document) -> Vec<String> {
    let mut terms = Vec::new();
    let mut add = |text: &Text, words: &[Word], part: &Part| {
        let analyser = Analyser::of(&part.lexicon);
        for word in words {
            let exact = exact_word(text.word(word));
            analyser.terms(text, word, &exact, |term| {
                terms.extend(std::iter::repeat_n(term.to_owned(), part.weight.into()));
            });
        }
    };
    let (heading, parts) = (document.heading.text(), &document.parts);
    add(heading, heading.words(), &parts.heading);
    parts.of(&document.text).for_each(|(words, part)| add(&document.text, words, part));
    terms
}

/// The words of the documents that a word may be a misspelling of.
pub(crate) fn spellings<'a>(
    documents: impl Iterator<Item = &'a Document>,
    word: &str,
    lexicon: &Lexicon,
) -> Vec<(u8, String)> {
    let word = exact_word(word);
    let analyser = Analyser::of(lexicon);
    let all = documents.flat_map(|document| Column::ALL.map(|c| document.exact_terms(c)));
    let mut near: Vec<(u8, String)> = all
        .flatten()
        .filter_map(|(_, term)| analyser.word(&term).map(str::to_owned))
        .map(|found| (u8::try_from(strsim::osa_distance(&word, &found)).unwrap_or(u8::MAX), found))
        .filter(|(edits, _)| (1..=misspelled_letters(&word)).contains(edits))
        .collect();
    near.sort();
    near.dedup();
    near
}

/// What expressions are looked for in.
struct Words<'w> {
    /// Exact terms by position, in the order of [`Column::ALL`]: phrases lie in one of them, the parts
    /// of a condition in any.
    columns: [BTreeMap<usize, String>; Column::ALL.len()],
    terms: Vec<String>,
    query: &'w WordQuery,
}

impl<'w> Words<'w> {
    fn of(document: &Document, query: &'w WordQuery) -> Words<'w> {
        let columns = Column::ALL.map(|column| document.exact_terms(column).into_iter().collect());
        Words { columns, terms: terms(document), query }
    }

    /// How often something is found.
    fn found(&self, expression: &Expression) -> usize {
        match expression {
            Expression::Near(near) => {
                let columns = near.columns.iter().map(|column| &self.columns[column as usize]);
                let each = |column| {
                    let analysers = self.query.lexicons.iter().map(Analyser::of);
                    analysers.map(|analyser| near_found(column, near, &analyser)).sum::<usize>()
                };
                columns.map(each).sum()
            }
            Expression::Stem(word) => {
                let stems = self.query.stems_of(word);
                self.terms.iter().filter(|term| stems.contains(*term)).count()
            }
            Expression::And(left, right) => match (self.found(left), self.found(right)) {
                (0, _) | (_, 0) => 0,
                (left, right) => left + right,
            },
            Expression::Or(left, right) => self.found(left) + self.found(right),
            Expression::Not(left, right) => match self.found(right) {
                0 => self.found(left),
                _ => 0,
            },
        }
    }
}

/// In how many ways the phrases stand near one another in a column.
fn near_found(column: &BTreeMap<usize, String>, near: &Near, analyser: &Analyser) -> usize {
    let starts: Vec<Vec<usize>> =
        near.phrases.iter().map(|phrase| starts(column, phrase, analyser)).collect();
    let mut ways: Vec<Vec<Range<usize>>> = vec![Vec::new()];
    for (phrase, starts) in near.phrases.iter().zip(starts) {
        let spans = starts.iter().map(|&start| start..start + phrase.terms.len());
        let with = |way: &Vec<Range<usize>>, span| [way.as_slice(), &[span]].concat();
        ways = spans.flat_map(|span| ways.iter().map(move |way| with(way, span.clone()))).collect();
    }
    let is_near = |way: &&Vec<Range<usize>>| {
        let last = way.iter().map(|span| span.start).max();
        last.is_some_and(|last| {
            way.iter().all(|span| last.saturating_sub(span.end) <= near.within as usize)
        })
    };
    ways.iter().filter(is_near).count()
}

/// Where a phrase begins in a column.
fn starts(column: &BTreeMap<usize, String>, phrase: &Phrase, analyser: &Analyser) -> Vec<usize> {
    let is_word = |at: usize, term: &Term| {
        let wanted = exact_word(&term.word);
        let found = column.get(&at).and_then(|found| analyser.word(found));
        found.is_some_and(|found| match term.is_prefix {
            true => found.starts_with(&wanted),
            false => found == wanted,
        })
    };
    let is_phrase = |start: &usize| {
        (*start == 0 || !phrase.is_first)
            && (*start..).zip(&phrase.terms).all(|(at, term)| is_word(at, term))
    };
    match phrase.terms.is_empty() {
        true => Vec::new(),
        false => column.keys().copied().filter(is_phrase).collect(),
    }
}
