//! The word leg: exact words in order, and BM25 over scoring terms.

use std::collections::BTreeMap;
use std::ops::Range;

use kitfox_core::{
    Analyser, Column, Document, Expression, Near, Phrase, Term, Text, WordQuery, exact_word,
    misspelled_letters, query_terms, stem_of,
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
        match query {
            WordQuery::Match(expression) => {
                let found = Words::of(document).found(expression) as f32;
                found / (found + 1.0)
            }
            WordQuery::Any(text) => {
                let terms = terms(document);
                query_terms(text).iter().map(|term| self.bm25(term, &terms)).sum()
            }
        }
    }

    /// What no score reaches.
    pub fn limit(&self, query: &WordQuery) -> f32 {
        match query {
            WordQuery::Any(text) => {
                query_terms(text).len() as f32 * (K1 + 1.0) * (1.0 + self.documents).ln()
            }
            WordQuery::Match(_) => 1.0,
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
    let analyser = Analyser::default();
    let mut terms = Vec::new();
    let mut add = |text: &Text, weight: &dyn Fn(usize) -> u8| {
        for word in text.words() {
            let exact = exact_word(text.word(word));
            let weight = weight(text.span(word).start).into();
            analyser.terms(text, word, &exact, |term| {
                terms.extend(std::iter::repeat_n(term.to_owned(), weight));
            });
        }
    };
    add(document.heading.text(), &|_| document.weights.heading);
    add(&document.text, &|byte| document.weights.at(byte));
    terms
}

fn exact_words(document: &Document, column: Column) -> Vec<String> {
    document.words(column).map(exact_word).collect()
}

/// The words of the documents that a word may be a misspelling of.
pub(crate) fn spellings<'a>(
    documents: impl Iterator<Item = &'a Document>,
    word: &str,
) -> Vec<(u8, String)> {
    let word = exact_word(word);
    let all = documents.flat_map(|document| Column::ALL.map(|c| exact_words(document, c)));
    let mut near: Vec<(u8, String)> = all
        .flatten()
        .map(|found| (u8::try_from(strsim::osa_distance(&word, &found)).unwrap_or(u8::MAX), found))
        .filter(|(edits, _)| (1..=misspelled_letters(&word)).contains(edits))
        .collect();
    near.sort();
    near.dedup();
    near
}

/// What expressions are looked for in.
struct Words {
    /// Exact words, in the order of [`Column::ALL`]: phrases lie in one of them, the parts of a
    /// condition in any.
    columns: [Vec<String>; Column::ALL.len()],
    terms: Vec<String>,
}

impl Words {
    fn of(document: &Document) -> Words {
        let columns = Column::ALL.map(|column| exact_words(document, column));
        Words { columns, terms: terms(document) }
    }

    /// How often something is found.
    fn found(&self, expression: &Expression) -> usize {
        match expression {
            Expression::Near(near) => {
                let columns = near.columns.iter().map(|column| &self.columns[column as usize]);
                columns.map(|column| near_found(column, near)).sum()
            }
            Expression::Stem(word) => {
                let stem = stem_of(word);
                self.terms.iter().filter(|term| Some(*term) == stem.as_ref()).count()
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
fn near_found(column: &[String], near: &Near) -> usize {
    let starts: Vec<Vec<usize>> =
        near.phrases.iter().map(|phrase| starts(column, phrase)).collect();
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
fn starts(column: &[String], phrase: &Phrase) -> Vec<usize> {
    let is_word = |(found, term): (&String, &Term)| {
        let wanted = exact_word(&term.word);
        if term.is_prefix { found.starts_with(&wanted) } else { *found == wanted }
    };
    let is_phrase = |start: &usize| {
        let found = &column[*start..start + phrase.terms.len()];
        (*start == 0 || !phrase.is_first) && found.iter().zip(&phrase.terms).all(is_word)
    };
    let ends = (column.len() + 1).saturating_sub(phrase.terms.len());
    match phrase.terms.is_empty() {
        true => Vec::new(),
        false => (0..ends).filter(is_phrase).collect(),
    }
}
