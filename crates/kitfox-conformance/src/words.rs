//! The word leg: exact words in order, and BM25 over scoring terms.

use std::collections::BTreeMap;

use kitfox_core::{Analyser, Document, Expression, Text, WordQuery, exact_word, query_terms};

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

    /// BM25 of a document for a query in plain language; for an expression, how often it is found.
    /// 0 where it does not match.
    ///
    /// Lengths are exact here; an engine that rounds long ones gives another number for them.
    pub fn score(&self, query: &WordQuery, document: &Document) -> f32 {
        match query {
            WordQuery::Match(expression) => {
                [&document.text, &document.heading].map(exact_words).found(expression) as f32
            }
            WordQuery::Any(text) => {
                let terms = terms(document);
                query_terms(text).iter().map(|term| self.bm25(term, &terms)).sum()
            }
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
    for text in [&document.heading, &document.text] {
        for word in text.words() {
            let exact = exact_word(text.word(word));
            analyser.terms(text, word, &exact, |term| terms.push(term.to_owned()));
        }
    }
    terms
}

fn exact_words(text: &Text) -> Vec<String> {
    text.words().iter().map(|word| exact_word(text.word(word))).collect()
}

/// How often something is found.
trait Found {
    fn found(&self, expression: &Expression) -> usize;
}

/// Each field by itself: a phrase lies in one of them, the parts of a condition in any.
impl Found for [Vec<String>; 2] {
    fn found(&self, expression: &Expression) -> usize {
        match expression {
            Expression::Phrase { words, prefix } => {
                let wanted: Vec<String> = words.iter().map(|word| exact_word(word)).collect();
                self.iter().map(|field| phrases(field, &wanted, *prefix)).sum()
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

fn phrases(field: &[String], wanted: &[String], prefix: bool) -> usize {
    let Some((last, first)) = wanted.split_last() else { return 0 };
    let is_phrase = |window: &&[String]| {
        let (found, start) = (&window[first.len()], &window[..first.len()]);
        start == first && if prefix { found.starts_with(last) } else { found == last }
    };
    field.windows(wanted.len()).filter(is_phrase).count()
}
