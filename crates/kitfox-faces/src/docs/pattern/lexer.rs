//! A pattern cut into tokens.

use kitfox_core::Text;

use crate::FaceError;

/// A token, with what FTS5 would not accept already read as words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Phrase {
        words: Vec<String>,
        prefix: bool,
    },
    And,
    Or,
    Not,
    Open,
    Close,
    /// `+`: the phrases on both sides are one.
    Plus,
}

impl Token {
    /// Whether it is more than words one after the other.
    pub(super) fn is_operator(&self) -> bool {
        !matches!(self, Token::Phrase { prefix: false, .. } | Token::Plus)
    }
}

pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    /// Whether every token is one FTS5 accepts.
    pub literal: bool,
}

/// Cuts a pattern into tokens.
pub(super) fn lex(pattern: &str) -> Result<Lexed, FaceError> {
    let mut lexer = Lexer { rest: pattern, tokens: Vec::new(), literal: true };
    while let Some(c) = lexer.peek() {
        match c {
            _ if c.is_whitespace() => lexer.skip(c),
            '"' => lexer.quoted(),
            '(' => lexer.take(c, Token::Open),
            ')' => lexer.take(c, Token::Close),
            '*' => lexer.star(),
            '+' if lexer.stands_alone() => lexer.take(c, Token::Plus),
            '^' if lexer.anchors() => return Err(unsupported("^", "`^first`")),
            '{' | '-' if lexer.names_columns() => {
                return Err(unsupported("column", "a column filter"));
            }
            _ => lexer.bareword()?,
        }
    }
    Ok(Lexed { tokens: lexer.tokens, literal: lexer.literal })
}

/// The columns FTS5 filters would name.
const COLUMNS: [&str; 4] = ["text", "section", "title", "path"];

fn unsupported(what: &str, shown: &str) -> FaceError {
    let instead = match what {
        "NEAR" => "Write `a AND b`, or `\"a b\"` where they follow one another.",
        "^" => "Write the word without `^`; headings are searched together with the text.",
        _ => {
            "Write the words alone: headings, titles and paths are searched with the text. Quote \
              the pattern if the colon is part of what to find."
        }
    };
    FaceError::new("unsupported_query", format!("{shown} is not available yet"))
        .at("pattern")
        .hint(format!("NEAR, ^ and column filters are to come. {instead}"))
}

struct Lexer<'a> {
    rest: &'a str,
    tokens: Vec<Token>,
    literal: bool,
}

impl Lexer<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn skip(&mut self, c: char) {
        self.rest = &self.rest[c.len_utf8()..];
    }

    fn take(&mut self, c: char, token: Token) {
        self.skip(c);
        self.tokens.push(token);
    }

    /// Adds the words of a piece of text as one phrase; a piece without words says nothing.
    fn phrase(&mut self, piece: &str, prefix: bool) {
        let text = Text::new(piece);
        let words: Vec<String> =
            text.words().iter().map(|word| text.word(word).to_owned()).collect();
        if words.is_empty() {
            self.literal = false;
        } else {
            self.tokens.push(Token::Phrase { words, prefix });
        }
    }

    /// `"…"` with `""` for a quote inside; an unclosed one goes to the end.
    fn quoted(&mut self) {
        let inside = &self.rest[1..];
        let mut from = 0;
        let end = loop {
            match inside[from..].find('"').map(|at| from + at) {
                Some(at) if inside[at + 1..].starts_with('"') => from = at + 2,
                Some(at) => break Some(at),
                None => break None,
            }
        };
        self.literal &= end.is_some();
        let (piece, rest) = match end {
            Some(end) => (&inside[..end], &inside[end + 1..]),
            None => (inside, ""),
        };
        self.rest = rest;
        self.phrase(piece, false);
    }

    /// A `*` after a phrase makes it a prefix; elsewhere it says nothing.
    fn star(&mut self) {
        self.skip('*');
        match self.tokens.last_mut() {
            Some(Token::Phrase { prefix, .. }) if !*prefix => *prefix = true,
            _ => self.literal = false,
        }
    }

    /// Whether the `+` ahead joins phrases instead of belonging to a word as in `+x`.
    fn stands_alone(&self) -> bool {
        let after = self.rest[1..].trim_start();
        matches!(self.tokens.last(), Some(Token::Phrase { .. }))
            && after.starts_with(|c: char| c == '"' || is_plain(c))
    }

    /// Whether the `^` ahead stands before a phrase.
    fn anchors(&self) -> bool {
        self.rest[1..].trim_start().starts_with(|c: char| c == '"' || is_plain(c))
    }

    /// Whether a column filter `{a b} :`, `-a :` or `-{a b} :` lies ahead.
    fn names_columns(&self) -> bool {
        let rest = self.rest.strip_prefix('-').unwrap_or(self.rest).trim_start();
        let (names, after) = match rest.strip_prefix('{') {
            Some(rest) => match rest.split_once('}') {
                Some(split) => split,
                None => return false,
            },
            None => {
                let end = rest.find(|c| !is_plain(c)).unwrap_or(rest.len());
                rest.split_at(end)
            }
        };
        names.split_whitespace().any(is_column) && is_filter_colon(after)
    }

    /// A run of characters up to white space, a quote or a parenthesis that belongs to a group.
    fn bareword(&mut self) -> Result<(), FaceError> {
        if filters_column(self.rest) {
            return Err(unsupported("column", "a column filter"));
        }
        let end = bareword_end(self.rest);
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "AND" => self.tokens.push(Token::And),
            "OR" => self.tokens.push(Token::Or),
            "NOT" => self.tokens.push(Token::Not),
            "NEAR" if rest.trim_start().starts_with('(') => {
                return Err(unsupported("NEAR", "`NEAR(…)`"));
            }
            _ if word.chars().all(|c| is_plain(c) || c == '*') && word.starts_with(is_plain) => {
                self.plain(word);
            }
            _ => self.punctuated(word),
        }
        Ok(())
    }

    /// What FTS5 accepts: `word`, `word*`, and `word*other`, which is two terms.
    fn plain(&mut self, word: &str) {
        let mut rest = word;
        while let Some(at) = rest.find('*') {
            self.phrase(&rest[..at], true);
            let after = rest[at..].trim_start_matches('*');
            self.literal &= rest.len() - at - after.len() == 1;
            rest = after;
        }
        if !rest.is_empty() {
            self.phrase(rest, false);
        }
    }

    /// What FTS5 rejects: its words as a phrase.
    fn punctuated(&mut self, word: &str) {
        self.literal = false;
        let piece = word.trim_end_matches([',', ';', '.', ')']);
        self.phrase(piece, piece.ends_with('*'));
    }
}

/// Whether FTS5 takes the character in a bareword.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}

fn is_column(name: &str) -> bool {
    COLUMNS.iter().any(|column| column.eq_ignore_ascii_case(name))
}

/// A single colon with something to find after it, unlike `::` and `://`.
fn is_filter_colon(text: &str) -> bool {
    text.trim_start().strip_prefix(':').is_some_and(|after| {
        after.trim_start().starts_with(|c: char| is_plain(c) || matches!(c, '"' | '(' | '^'))
    })
}

/// Whether the word at the start of `text` is a column with its filter: `section: bgp`.
fn filters_column(text: &str) -> bool {
    let end = text.find(|c| !is_plain(c)).unwrap_or(text.len());
    is_column(&text[..end]) && is_filter_colon(&text[end..])
}

/// Where a bareword ends. A parenthesis right behind a word belongs to it, as in `route(x)`, unless
/// the word is an operator.
fn bareword_end(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '"' => return at,
            _ if c.is_whitespace() => return at,
            '(' if matches!(&text[..at], "AND" | "OR" | "NOT" | "NEAR") => return at,
            '(' => depth += 1,
            ')' if depth == 0 => return at,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}
