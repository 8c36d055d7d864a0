//! A pattern cut into tokens.

use kitfox_core::{Column, Columns, Phrase};

use crate::FaceError;

/// A token, with what FTS5 would not accept already read as words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A string, of which only the last word may be a prefix; it has at least one word.
    Phrase(Phrase),
    And,
    Or,
    Not,
    Open,
    Close,
    /// `+`: the phrases on both sides are one.
    Plus,
    /// `^`: the phrase behind it is the first of a column.
    First,
    /// `section:`: where to look for what is behind it.
    In(Columns),
    /// `NEAR(`, up to the next [`Token::Close`].
    Near,
    /// `, 5` at the end of NEAR.
    Within(u32),
}

impl Token {
    /// Whether it is more than words one after the other.
    pub(super) fn is_operator(&self) -> bool {
        match self {
            Token::Phrase(phrase) => phrase.terms.last().is_some_and(|term| term.is_prefix),
            Token::Plus => false,
            _ => true,
        }
    }
}

pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    /// Whether every token is one FTS5 accepts.
    pub literal: bool,
}

/// Cuts a pattern into tokens.
pub(super) fn lex(pattern: &str) -> Result<Lexed, FaceError> {
    let mut lexer = Lexer { rest: pattern, tokens: Vec::new(), literal: true, is_near: false };
    while let Some(c) = lexer.rest.chars().next() {
        match c {
            _ if c.is_whitespace() => lexer.skip(c),
            _ if !lexer.is_near && lexer.column_filter()? => {}
            '"' => lexer.quoted(),
            '(' => lexer.take(c, Token::Open),
            ')' => {
                lexer.is_near = false;
                lexer.take(c, Token::Close);
            }
            ',' if lexer.is_near => lexer.comma(),
            '*' => lexer.star(),
            '+' if lexer.joins() => lexer.take(c, Token::Plus),
            '^' if begins_phrase(&lexer.rest[1..]) => lexer.take(c, Token::First),
            _ => lexer.bareword(),
        }
    }
    Ok(Lexed { tokens: lexer.tokens, literal: lexer.literal })
}

struct Lexer<'a> {
    rest: &'a str,
    tokens: Vec<Token>,
    literal: bool,
    /// Within the parentheses of NEAR.
    is_near: bool,
}

impl Lexer<'_> {
    fn skip(&mut self, c: char) {
        self.rest = &self.rest[c.len_utf8()..];
    }

    fn take(&mut self, c: char, token: Token) {
        self.skip(c);
        self.tokens.push(token);
    }

    /// Adds the words of a piece of text as one phrase; a piece without words says nothing.
    fn phrase(&mut self, piece: &str, is_prefix: bool) {
        let phrase = Phrase::of(piece, is_prefix);
        if phrase.terms.is_empty() {
            self.literal = false;
        } else {
            self.tokens.push(Token::Phrase(phrase));
        }
    }

    /// `section:`, `"section":`, `{section title}:`, or any of these behind a `-`.
    fn column_filter(&mut self) -> Result<bool, FaceError> {
        let (is_inverted, rest) = match self.rest.strip_prefix('-') {
            Some(rest) => (true, rest.trim_start()),
            None => (false, self.rest),
        };
        let Some((names, after)) = column_names(rest) else { return Ok(false) };
        let Some(after) = filter_colon(after) else { return Ok(false) };
        let columns = match rest.starts_with('{') {
            true => columns_of(names)?,
            false => match Column::named(names) {
                Some(column) => Columns::from_iter([column]),
                None => return Ok(false),
            },
        };
        self.tokens.push(Token::In(if is_inverted { columns.others() } else { columns }));
        self.rest = after;
        Ok(true)
    }

    /// `"…"` with `""` for a quote inside; an unclosed one goes to the end.
    fn quoted(&mut self) {
        let (piece, rest) = quoted(self.rest).unwrap_or_else(|| {
            self.literal = false;
            (&self.rest[1..], "")
        });
        self.rest = rest;
        self.phrase(piece, false);
    }

    /// A `*` after a phrase makes it a prefix; elsewhere it says nothing.
    fn star(&mut self) {
        self.skip('*');
        let last = match self.tokens.last_mut() {
            Some(Token::Phrase(phrase)) => phrase.terms.last_mut(),
            _ => None,
        };
        match last {
            Some(term) if !term.is_prefix => term.is_prefix = true,
            _ => self.literal = false,
        }
    }

    /// A comma in NEAR begins how far its phrases may be from one another; elsewhere it says nothing.
    fn comma(&mut self) {
        self.skip(',');
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        let after = after.trim_start();
        if digits.is_empty() || !(after.is_empty() || after.starts_with(')')) {
            self.literal = false;
            return;
        }
        self.tokens.push(Token::Within(digits.parse().unwrap_or(u32::MAX)));
        self.rest = after;
    }

    /// Whether the `+` ahead joins phrases instead of belonging to a word as in `+x`.
    fn joins(&self) -> bool {
        matches!(self.tokens.last(), Some(Token::Phrase(_))) && begins_phrase(&self.rest[1..])
    }

    /// A run of characters up to white space, a quote or a parenthesis that belongs to a group.
    fn bareword(&mut self) {
        let end = bareword_end(self.rest, self.is_near);
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "AND" => self.tokens.push(Token::And),
            "OR" => self.tokens.push(Token::Or),
            "NOT" => self.tokens.push(Token::Not),
            "NEAR" if !self.is_near && rest.trim_start().starts_with('(') => {
                self.rest = &rest.trim_start()[1..];
                self.is_near = true;
                self.tokens.push(Token::Near);
            }
            _ if word.chars().all(|c| is_plain(c) || c == '*') && word.starts_with(is_plain) => {
                self.plain(word);
            }
            _ => self.punctuated(word),
        }
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

fn begins_phrase(text: &str) -> bool {
    text.trim_start().starts_with(|c: char| c == '"' || is_plain(c))
}

/// What stands between the quotes at the start of `text`, and what is behind them; none where there
/// is no second quote.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('"')?;
    let mut from = 0;
    loop {
        let at = from + inside[from..].find('"')?;
        if !inside[at + 1..].starts_with('"') {
            return Some((&inside[..at], &inside[at + 1..]));
        }
        from = at + 2;
    }
}

/// What may be the name of a column at the start of `text`, or several in braces, and the rest.
fn column_names(text: &str) -> Option<(&str, &str)> {
    match text.chars().next()? {
        '{' => text[1..].split_once('}').filter(|(names, _)| !names.trim().is_empty()),
        '"' => quoted(text),
        _ => Some(text.split_at(text.find(|c| !is_plain(c)).unwrap_or(text.len()))),
    }
}

fn columns_of(names: &str) -> Result<Columns, FaceError> {
    let column = |name: &str| {
        Column::named(name.trim_matches('"')).ok_or_else(|| {
            let known = Column::ALL.map(|column| format!("`{}`", column.name())).join(", ");
            FaceError::new("invalid_query", format!("`{name}` is no column"))
                .at("pattern")
                .hint(format!("The columns are {known}; quote the pattern to find it as words."))
        })
    };
    names.split_whitespace().map(column).collect()
}

/// What is behind the colon of a column filter: something to find, unlike behind `::` and `://`.
fn filter_colon(text: &str) -> Option<&str> {
    let after = text.trim_start().strip_prefix(':')?;
    let is_word = after.starts_with(':') || after.starts_with("//");
    let piece = after.trim_start();
    let end = piece.find(char::is_whitespace).unwrap_or(piece.len());
    let says_something =
        piece.starts_with(['"', '(', '^']) || piece[..end].contains(char::is_alphanumeric);
    (!is_word && says_something).then_some(after)
}

/// Where a bareword ends. A parenthesis right behind a word belongs to it, as in `route(x)`, unless
/// the word is an operator.
fn bareword_end(text: &str, is_near: bool) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        let before = &text[..at];
        match c {
            '"' => return at,
            ',' if is_near && depth == 0 => return at,
            _ if c.is_whitespace() => return at,
            // `a+b` and `a+ "b"` are phrases, `C++` is not.
            '+' if at > 0
                && before.chars().all(|c| is_plain(c) || c == '*')
                && begins_phrase(&text[at + 1..]) =>
            {
                return at;
            }
            '(' if matches!(before, "AND" | "OR" | "NOT" | "NEAR") => return at,
            '(' => depth += 1,
            ')' if depth == 0 => return at,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}
