//! The words of a query file.

/// A word of a query file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Open,
    Close,
    OpenChoice,
    CloseChoice,
    /// `.`
    Anchor,
    /// `?`
    Optional,
    /// `*`
    Repeated,
    /// A kind of node, or `_`.
    Word(&'static str),
    /// `field:`
    Field(&'static str),
    /// `!field`
    Without(&'static str),
    /// `@capture`
    Capture(&'static str),
    /// `#predicate?`
    Predicate(&'static str),
    /// `"text"`, without the quotes and escapes.
    Text(String),
    /// What begins no word.
    Unknown(char),
}

/// Reads the words of a text one by one.
#[derive(Clone)]
pub(super) struct Tokens {
    text: &'static str,
    at: usize,
}

impl Tokens {
    pub fn new(text: &'static str) -> Tokens {
        Tokens { text, at: 0 }
    }

    /// The line of the next word, counted from 1.
    pub fn line(&mut self) -> usize {
        self.skip_blank();
        self.text[..self.at].matches('\n').count() + 1
    }

    /// The next word, which stays the next one.
    pub fn peek(&mut self) -> Option<Token> {
        let at = self.at;
        let token = self.next();
        self.at = at;
        token
    }

    /// Takes the next word if it is this one.
    pub fn eat(&mut self, token: &Token) -> bool {
        let at = self.at;
        let is_next = self.next().as_ref() == Some(token);
        if !is_next {
            self.at = at;
        }
        is_next
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start().len();
            let comment = self.text[self.at..].strip_prefix(';');
            let Some(comment) = comment else { return };
            self.at += 1 + comment.find('\n').unwrap_or(comment.len());
        }
    }

    /// Takes the letters of a name, and what else belongs to one.
    fn name(&mut self, others: &[char]) -> &'static str {
        let rest = &self.text[self.at..];
        let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || others.contains(&c));
        let name = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += name.len();
        name
    }

    /// Takes a string whose opening quote is taken; none if it does not end.
    fn string(&mut self) -> Option<String> {
        let mut string = String::new();
        let mut characters = self.text[self.at..].char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Some(string);
                }
                '\\' => string.push(characters.next()?.1),
                _ => string.push(c),
            }
        }
        None
    }
}

impl Iterator for Tokens {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blank();
        let first = self.text[self.at..].chars().next()?;
        if first.is_ascii_alphanumeric() || first == '_' {
            let name = self.name(&[]);
            let is_field = self.text[self.at..].starts_with(':');
            self.at += usize::from(is_field);
            return Some(if is_field { Token::Field(name) } else { Token::Word(name) });
        }
        self.at += first.len_utf8();
        Some(match first {
            '(' => Token::Open,
            ')' => Token::Close,
            '[' => Token::OpenChoice,
            ']' => Token::CloseChoice,
            '.' => Token::Anchor,
            '?' => Token::Optional,
            '*' => Token::Repeated,
            '!' => Token::Without(self.name(&[])),
            '@' => Token::Capture(self.name(&['.'])),
            '#' => Token::Predicate(self.name(&['-', '?'])),
            '"' => self.string().map_or(Token::Unknown('"'), Token::Text),
            other => Token::Unknown(other),
        })
    }
}
