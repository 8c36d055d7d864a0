//! Word queries to tantivy queries.

use std::collections::BTreeSet;

use kitfox_core::{Analyser, Expression, Near, Phrase, WordPattern, WordQuery, exact_word};
use tantivy::query::{
    Bm25Weight, BooleanQuery, Occur, PhrasePrefixQuery, PhraseQuery, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, Term};

use crate::near::NearQuery;
use crate::schema::Fields;

/// Translates a word query.
pub(crate) fn translate(
    query: &WordQuery,
    fields: &Fields,
    searcher: &Searcher,
) -> tantivy::Result<Box<dyn Query>> {
    match &query.pattern {
        WordPattern::Any(text) => {
            let terms = query.terms_of(text).into_iter();
            let terms = terms.map(|term| (Occur::Should, term_query(fields.terms, &term)));
            Ok(Box::new(BooleanQuery::new(terms.collect())))
        }
        WordPattern::Match(expression) => {
            Matching { fields, searcher, words: query }.query(expression)
        }
    }
}

/// What the BM25 of no document can reach: the sum of what the parts of a query can.
pub(crate) fn limit(
    query: &WordQuery,
    fields: &Fields,
    searcher: &Searcher,
) -> tantivy::Result<f32> {
    let of_terms = |terms: Vec<Term>| match terms.is_empty() {
        true => Ok(0.0),
        false => Bm25Weight::for_terms(searcher, &terms).map(|weight| weight.max_score()),
    };
    let mut limit = 0.0;
    let mut rest = Vec::new();
    if searcher.num_docs() == 0 {
        return Ok(limit);
    }
    let stems = |stems: BTreeSet<String>| -> Vec<Term> {
        stems.iter().map(|stem| Term::from_field_text(fields.terms, stem)).collect()
    };
    match &query.pattern {
        WordPattern::Any(text) => limit += of_terms(stems(query.terms_of(text)))?,
        WordPattern::Match(expression) => rest.push(expression),
    }
    while let Some(expression) = rest.pop() {
        match expression {
            Expression::And(left, right) | Expression::Or(left, right) => {
                rest.extend([left.as_ref(), right]);
            }
            Expression::Not(left, _) => rest.push(left),
            Expression::Stem(word) => limit += of_terms(stems(query.stems_of(word)))?,
            Expression::Near(near) => {
                for analyser in query.lexicons.iter().map(Analyser::of) {
                    for column in near.columns.iter().map(|column| fields.column(column)) {
                        let words = near.phrases.iter().flat_map(|phrase| &phrase.terms);
                        let exact = |word: &str| exact_term(&analyser, word);
                        let term = |word: &str| Term::from_field_text(column, &exact(word));
                        limit += of_terms(words.map(|word| term(&word.word)).collect())?;
                    }
                }
            }
        }
    }
    Ok(limit)
}

/// A part of a boolean query of tantivy.
type Clause = (Occur, Box<dyn Query>);

/// Translates boolean expressions.
struct Matching<'a> {
    fields: &'a Fields,
    searcher: &'a Searcher,
    words: &'a WordQuery,
}

impl Matching<'_> {
    fn query(&self, expression: &Expression) -> tantivy::Result<Box<dyn Query>> {
        let mut clauses = Vec::new();
        match expression {
            Expression::And(..) => self.all(expression, &mut clauses)?,
            Expression::Not(left, right) => {
                self.all(left, &mut clauses)?;
                clauses.push((Occur::MustNot, self.query(right)?));
            }
            _ => self.any(expression, &mut clauses)?,
        }
        Ok(Box::new(BooleanQuery::new(clauses)))
    }

    /// Adds the sides of a chain of ANDs: tantivy goes through many lists at once faster than
    /// through the results of going through two.
    fn all(&self, expression: &Expression, clauses: &mut Vec<Clause>) -> tantivy::Result<()> {
        if let Expression::And(left, right) = expression {
            self.all(left, clauses)?;
            return self.all(right, clauses);
        }
        clauses.push((Occur::Must, self.query(expression)?));
        Ok(())
    }

    /// Adds the sides of a chain of ORs, phrases in each column by itself.
    fn any(&self, expression: &Expression, clauses: &mut Vec<Clause>) -> tantivy::Result<()> {
        match expression {
            Expression::Or(left, right) => {
                self.any(left, clauses)?;
                self.any(right, clauses)?;
            }
            Expression::Near(near) => self.near(near, clauses)?,
            Expression::Stem(word) => {
                let stems = self.words.stems_of(word).into_iter();
                let stems = stems.map(|stem| term_query(self.fields.terms, &stem));
                clauses.extend(stems.map(|stem| (Occur::Should, stem)));
            }
            Expression::And(..) | Expression::Not(..) => {
                clauses.push((Occur::Should, self.query(expression)?));
            }
        }
        Ok(())
    }

    /// Adds phrases in each column, each of words of one lexicon.
    fn near(&self, near: &Near, clauses: &mut Vec<Clause>) -> tantivy::Result<()> {
        let mut analysers = self.words.lexicons.iter().map(Analyser::of);
        analysers.try_for_each(|analyser| self.near_of(near, &analyser, clauses))
    }

    fn near_of(
        &self,
        near: &Near,
        analyser: &Analyser,
        clauses: &mut Vec<Clause>,
    ) -> tantivy::Result<()> {
        let phrases: Vec<Phrase> =
            near.phrases.iter().map(|phrase| indexed(phrase, analyser)).collect();
        if phrases.is_empty() || phrases.iter().any(|phrase| phrase.terms.is_empty()) {
            return Ok(());
        }
        for column in near.columns.iter() {
            let field = self.fields.column(column);
            let query = match &phrases[..] {
                [phrase] if is_plain(phrase) => self.phrase(field, &phrase.terms)?,
                _ => Box::new(NearQuery::new(field, phrases.clone(), near.within)),
            };
            clauses.push((Occur::Should, query));
        }
        Ok(())
    }

    /// A phrase that is a prefix at most at its end, anywhere in a field.
    fn phrase(&self, field: Field, words: &[kitfox_core::Term]) -> tantivy::Result<Box<dyn Query>> {
        let terms = || words.iter().map(|term| Term::from_field_text(field, &term.word)).collect();
        Ok(match words {
            [.., last] if last.is_prefix => {
                let mut query = PhrasePrefixQuery::new(terms());
                query.set_max_expansions(self.expansions(field, &last.word)?);
                Box::new(query)
            }
            [term] => term_query(field, &term.word),
            _ => Box::new(PhraseQuery::new(terms())),
        })
    }

    /// The most words that begin like this in any segment. tantivy stops at a limit, which would
    /// lose matches, and reserves memory for as many as the limit says, so it must be this.
    fn expansions(&self, field: Field, prefix: &str) -> tantivy::Result<u32> {
        let mut most = 0;
        for segment in self.searcher.segment_readers() {
            let inverted = segment.inverted_index(field)?;
            let mut words = inverted.terms().range().ge(prefix.as_bytes()).into_stream()?;
            let mut count = 0;
            while words.advance() && words.key().starts_with(prefix.as_bytes()) {
                count += 1;
            }
            most = most.max(count);
        }
        Ok(most)
    }
}

/// A phrase in the form in which its words are indexed.
fn indexed(phrase: &Phrase, analyser: &Analyser) -> Phrase {
    let mut phrase = phrase.clone();
    phrase.terms.iter_mut().for_each(|term| term.word = exact_term(analyser, &term.word));
    phrase
}

fn exact_term(analyser: &Analyser, word: &str) -> String {
    analyser.exact(&exact_word(word)).into_owned()
}

/// Whether tantivy can look for a phrase.
fn is_plain(phrase: &Phrase) -> bool {
    let before_last = phrase.terms.len().saturating_sub(1);
    !phrase.is_first && phrase.terms[..before_last].iter().all(|term| !term.is_prefix)
}

fn term_query(field: Field, word: &str) -> Box<dyn Query> {
    let term = Term::from_field_text(field, word);
    Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
}
