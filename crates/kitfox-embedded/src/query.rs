//! Word queries to tantivy queries.

use kitfox_core::{Expression, Near, Phrase, WordQuery, exact_word, query_terms, stem_of};
use tantivy::query::{
    Bm25Weight, BooleanQuery, EmptyQuery, Occur, PhrasePrefixQuery, PhraseQuery, Query, TermQuery,
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
    match query {
        WordQuery::Any(text) => Ok(any_of(
            query_terms(text)
                .iter()
                .map(|term| term_query(fields.terms, term, IndexRecordOption::WithFreqs))
                .collect(),
        )),
        WordQuery::Match(expression) => Matching { fields, searcher }.query(expression),
    }
}

/// What the BM25 of no document can reach: the sum of what the parts of a query can.
pub(crate) fn limit(
    query: &WordQuery,
    fields: &Fields,
    searcher: &Searcher,
) -> tantivy::Result<f32> {
    let of_terms = |terms: &[Term]| match terms.is_empty() {
        true => Ok(0.0),
        false => Bm25Weight::for_terms(searcher, terms).map(|weight| weight.max_score()),
    };
    let mut limit = 0.0;
    let mut rest = Vec::new();
    if searcher.num_docs() == 0 {
        return Ok(limit);
    }
    match query {
        WordQuery::Any(text) => {
            for term in query_terms(text) {
                limit += of_terms(&[Term::from_field_text(fields.terms, &term)])?;
            }
        }
        WordQuery::Match(expression) => rest.push(expression),
    }
    while let Some(expression) = rest.pop() {
        match expression {
            Expression::And(left, right) | Expression::Or(left, right) => {
                rest.extend([left.as_ref(), right]);
            }
            Expression::Not(left, _) => rest.push(left),
            Expression::Stem(word) => {
                let term = stem_of(word).map(|stem| Term::from_field_text(fields.terms, &stem));
                limit += of_terms(term.as_slice())?;
            }
            Expression::Near(near) => {
                for column in near.columns.iter().map(|column| fields.column(column)) {
                    let words = near.phrases.iter().flat_map(|phrase| &phrase.terms);
                    let term = |word: &str| Term::from_field_text(column, &exact_word(word));
                    let terms: Vec<Term> = words.map(|word| term(&word.word)).collect();
                    limit += of_terms(&terms)?;
                }
            }
        }
    }
    Ok(limit)
}

/// Translates boolean expressions.
struct Matching<'a> {
    fields: &'a Fields,
    searcher: &'a Searcher,
}

impl Matching<'_> {
    fn query(&self, expression: &Expression) -> tantivy::Result<Box<dyn Query>> {
        match expression {
            Expression::Near(near) => self.near(near),
            Expression::Stem(word) => Ok(self.stem(word)),
            Expression::And(left, right) => self.both(left, Occur::Must, right),
            Expression::Not(left, right) => self.both(left, Occur::MustNot, right),
            Expression::Or(left, right) => Ok(any_of(vec![self.query(left)?, self.query(right)?])),
        }
    }

    fn both(
        &self,
        left: &Expression,
        occur: Occur,
        right: &Expression,
    ) -> tantivy::Result<Box<dyn Query>> {
        let clauses = vec![(Occur::Must, self.query(left)?), (occur, self.query(right)?)];
        Ok(Box::new(BooleanQuery::new(clauses)))
    }

    fn stem(&self, word: &str) -> Box<dyn Query> {
        match stem_of(word) {
            Some(stem) => term_query(self.fields.terms, &stem, IndexRecordOption::WithFreqs),
            None => Box::new(EmptyQuery),
        }
    }

    /// Each column by itself.
    fn near(&self, near: &Near) -> tantivy::Result<Box<dyn Query>> {
        let phrases: Vec<Phrase> = near.phrases.iter().map(folded).collect();
        if phrases.iter().any(|phrase| phrase.terms.is_empty()) {
            return Ok(Box::new(EmptyQuery));
        }
        let in_column = |column| -> tantivy::Result<Box<dyn Query>> {
            let field = self.fields.column(column);
            match &phrases[..] {
                [phrase] if is_plain(phrase) => self.phrase(field, &phrase.terms),
                [] => Ok(Box::new(EmptyQuery)),
                _ => Ok(Box::new(NearQuery::new(field, phrases.clone(), near.within))),
            }
        };
        Ok(any_of(near.columns.iter().map(in_column).collect::<tantivy::Result<_>>()?))
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
            [term] => term_query(field, &term.word, IndexRecordOption::WithFreqs),
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
fn folded(phrase: &Phrase) -> Phrase {
    let mut phrase = phrase.clone();
    phrase.terms.iter_mut().for_each(|term| term.word = exact_word(&term.word));
    phrase
}

/// Whether tantivy can look for a phrase.
fn is_plain(phrase: &Phrase) -> bool {
    let before_last = phrase.terms.len().saturating_sub(1);
    !phrase.is_first && phrase.terms[..before_last].iter().all(|term| !term.is_prefix)
}

fn any_of(queries: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    Box::new(BooleanQuery::new(queries.into_iter().map(|query| (Occur::Should, query)).collect()))
}

fn term_query(field: Field, word: &str, option: IndexRecordOption) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, word), option))
}
