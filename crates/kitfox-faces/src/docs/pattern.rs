//! Patterns: the query language of SQLite's FTS5, read generously.
//!
//! What FTS5 accepts means what it means there, over the columns `text`, `section`, `title` and
//! `path`; words without a column filter are looked for in `text` and `section`. What FTS5 rejects is
//! read as the words a person plainly means, and [`Pattern::interpreted_as`] shows the reading.
//!
//! Where the meaning differs on purpose:
//!
//! | pattern | FTS5 | here |
//! |---|---|---|
//! | `x^2` | `x AND ^2` | the phrase `"x 2"`: `^` stands before a word |
//! | `full-text: x` | `full AND -text: x` | `"full text" AND x`: a filter begins at white space or a parenthesis |
//! | `a AND ""` | nothing | `a`: what has no word says nothing |
//! | `text: "value"` | column filter | the same; but `text::x` and `path://x` are words |
//! | `ﬁle`, `ｆile` | as written | `file`: compatibility forms are the same word |
//! | `C++`, `"C#"` | `C`, `"C"` | the words `C++` and `C#`, which `C` does not find |
//! | `b` for `[a](b)` | a word | nothing: targets of links are hidden |
//! | `検索する` | one word | the pairs `検索`, `索す`, `する`, one after the other |

mod lexer;
mod parser;
mod render;

use std::collections::HashSet;

use kitfox_core::{Column, Expression, Text, fold, is_stop_word};

use crate::FaceError;

/// Bytes of a pattern at most.
const LONGEST: usize = 4096;

const HOW: &str = "Write words (`bgp ospf`), a phrase (`\"route reflector\"`), a prefix \
                   (`config*`), a column (`section: bgp`), `NEAR(bgp ospf, 5)` or `^first`, or join \
                   them with AND, OR, NOT and parentheses; quote an operator to find it as a \
                   word (`\"AND\"`).";

/// A pattern as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub expression: Expression,
    /// The reading, where the pattern is not literally FTS5.
    pub interpreted_as: Option<String>,
    /// Whether anything but words and phrases was used: then nothing may be relaxed.
    pub operators: bool,
}

/// Reads a pattern.
///
/// # Errors
/// `empty_query` without any word to find, `invalid_query` for a NOT with nothing before it, an
/// operator in NEAR, a column in braces that there is not, and what is too long or too deep.
pub(super) fn read(pattern: &str) -> Result<Pattern, FaceError> {
    if pattern.len() > LONGEST {
        let message = format!("`pattern` has {} bytes, and may have {LONGEST}", pattern.len());
        return Err(FaceError::new("query_too_long", message).at("pattern"));
    }
    let lexer::Lexed { tokens, literal } = lexer::lex(pattern)?;
    let operators = tokens.iter().any(lexer::Token::is_operator);
    let parser::Parsed { expression, literal: parsed_literally } = parser::parse(&tokens)?;
    let Some(expression) = expression else {
        return Err(FaceError::new("empty_query", "`pattern` has no word to find")
            .at("pattern")
            .hint(HOW));
    };
    let interpreted_as = (!(literal && parsed_literally)).then(|| render::render(&expression));
    // FTS5 rejects `C++`, which says what it is read as.
    let interpreted_as = interpreted_as.filter(|reading| reading != pattern);
    Ok(Pattern { expression, interpreted_as, operators })
}

/// The words a snippet marks.
#[derive(Default)]
pub(super) struct Hits {
    words: HashSet<String>,
    prefixes: Vec<String>,
}

impl Hits {
    /// The words of an expression that a match contains.
    pub(super) fn of(expression: &Expression) -> Hits {
        let mut hits = Hits::default();
        hits.collect(expression);
        hits
    }

    /// The words of plain language, without those every sentence has.
    pub(super) fn plain(text: &str) -> Hits {
        let text = Text::new(text);
        let all: HashSet<String> = text.words().iter().map(|word| fold(text.word(word))).collect();
        let telling: HashSet<String> =
            all.iter().filter(|word| !is_stop_word(word)).cloned().collect();
        let words = if telling.is_empty() { all } else { telling };
        Hits { words, prefixes: Vec::new() }
    }

    /// Whether a folded word is to be marked.
    pub(super) fn contains(&self, word: &str) -> bool {
        self.words.contains(word) || self.prefixes.iter().any(|prefix| word.starts_with(prefix))
    }

    fn collect(&mut self, expression: &Expression) {
        match expression {
            // Elsewhere than in the text there is nothing to mark.
            Expression::Stem(_) => {}
            Expression::Near(near) if !near.columns.contains(Column::Text) => {}
            Expression::Near(near) => {
                for term in near.phrases.iter().flat_map(|phrase| &phrase.terms) {
                    let word = fold(&term.word);
                    match term.is_prefix {
                        true => self.prefixes.push(word),
                        false => _ = self.words.insert(word),
                    }
                }
            }
            Expression::And(left, right) | Expression::Or(left, right) => {
                self.collect(left);
                self.collect(right);
            }
            Expression::Not(left, _) => self.collect(left),
        }
    }
}

#[cfg(test)]
mod against_fts5;
#[cfg(test)]
mod tests;
