//! Words that another may be a misspelling of.

use std::collections::BTreeMap;

use kitfox_core::{Analyser, Column, Lexicon, exact_word, misspelled_letters};
use tantivy::Term;
use tantivy::query::FuzzyTermQuery;

use crate::search::Corpus;

/// The exact words of all columns within reach of a word, fewest wrong letters first.
pub(crate) fn spellings(
    corpus: Corpus<'_>,
    word: &str,
    lexicon: &Lexicon,
) -> tantivy::Result<Vec<(u8, String)>> {
    let word = exact_word(word);
    let analyser = Analyser::of(lexicon);
    let mut found: BTreeMap<String, u8> = BTreeMap::new();
    for edits in 1..=misspelled_letters(&word) {
        for column in Column::ALL.map(|column| corpus.fields.column(column)) {
            let term = Term::from_field_text(column, &analyser.exact(&word));
            let automaton = FuzzyTermQuery::new(term, edits, true).automaton()?;
            for segment in corpus.segments {
                let words = segment.reader.inverted_index(column)?;
                let mut near = words.terms().search(&automaton).into_stream()?;
                while near.advance() {
                    let near = std::str::from_utf8(near.key()).ok();
                    if let Some(near) = near.and_then(|near| analyser.word(near)) {
                        found.entry(near.to_owned()).or_insert(edits);
                    }
                }
            }
        }
    }
    found.remove(&word);
    let mut found: Vec<(u8, String)> =
        found.into_iter().map(|(word, edits)| (edits, word)).collect();
    found.sort_unstable();
    Ok(found)
}
