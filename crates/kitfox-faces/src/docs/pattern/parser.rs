//! Tokens to an expression.
//!
//! ```text
//! or      = and (OR and)*
//! and     = not ((AND | nothing, beside a parenthesis) not)*
//! not     = list (NOT list)*
//! list    = phrase+ | '(' or ')'
//! phrase  = words ('+' words)*
//! ```

use kitfox_core::{Expression, Phrase};

use super::lexer::Token;
use crate::FaceError;

/// Parentheses in parentheses at most.
const DEEPEST: usize = 64;

pub(super) struct Parsed {
    /// None where nothing says what to find.
    pub expression: Option<Expression>,
    /// Whether FTS5 accepts these tokens as they stand.
    pub literal: bool,
}

/// Reads tokens; operators and parentheses without their operands say nothing.
pub(super) fn parse(tokens: Vec<Token>) -> Result<Parsed, FaceError> {
    let mut parser = Parser { tokens: tokens.into_iter().peekable(), literal: true, depth: 0 };
    let mut all = Vec::new();
    while parser.tokens.peek().is_some() {
        all.extend(parser.or()?);
        // A parenthesis nobody opened ends the expression: go on behind it.
        if parser.accept(&Token::Close) {
            parser.literal = false;
        }
    }
    Ok(Parsed { expression: joined(all, Expression::And), literal: parser.literal })
}

struct Parser {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    literal: bool,
    depth: usize,
}

type Operand = Result<Option<Expression>, FaceError>;

impl Parser {
    fn accept(&mut self, token: &Token) -> bool {
        self.tokens.next_if_eq(token).is_some()
    }

    fn or(&mut self) -> Operand {
        let mut operands = Vec::new();
        loop {
            let operand = self.and()?;
            self.literal &= operand.is_some();
            operands.extend(operand);
            if !self.accept(&Token::Or) {
                return Ok(joined(operands, Expression::Or));
            }
        }
    }

    fn and(&mut self) -> Operand {
        let mut operands = Vec::new();
        loop {
            let operand = self.not()?;
            self.literal &= operand.is_some();
            operands.extend(operand);
            if self.accept(&Token::And) {
                // `a AND NOT b` plainly means `a NOT b`.
                if self.tokens.peek() == Some(&Token::Not) && !operands.is_empty() {
                    self.literal = false;
                    let left = joined(std::mem::take(&mut operands), Expression::And);
                    operands.extend(self.without(left)?);
                    if !self.accept(&Token::And) && !self.begins_operand() {
                        return Ok(joined(operands, Expression::And));
                    }
                }
            } else if self.begins_operand() {
                // FTS5 has no implicit AND beside a parenthesis.
                self.literal = false;
            } else {
                return Ok(joined(operands, Expression::And));
            }
        }
    }

    fn not(&mut self) -> Operand {
        let left = self.list()?;
        self.without(left)
    }

    /// Reads `NOT list` as often as it comes: `a NOT b NOT c` is `a NOT (b OR c)`.
    fn without(&mut self, left: Option<Expression>) -> Operand {
        let mut excluded = Vec::new();
        while self.accept(&Token::Not) {
            if left.is_none() {
                return Err(nothing_before_not());
            }
            let right = self.list()?;
            self.literal &= right.is_some();
            excluded.extend(right);
        }
        Ok(match (left, joined(excluded, Expression::Or)) {
            (Some(left), Some(right)) => Some(Expression::Not(Box::new(left), Box::new(right))),
            (left, _) => left,
        })
    }

    fn list(&mut self) -> Operand {
        if self.accept(&Token::Open) {
            return self.group();
        }
        let mut phrases = Vec::new();
        loop {
            if self.accept(&Token::Plus) {
                self.literal = false;
            } else if let Some(phrase) = self.phrase() {
                phrases.push(phrase);
            } else {
                return Ok(joined(phrases, Expression::And));
            }
        }
    }

    fn group(&mut self) -> Operand {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = format!("`pattern` has more than {DEEPEST} parentheses in one another");
            return Err(FaceError::new("invalid_query", message).at("pattern"));
        }
        let inside = self.or()?;
        self.literal &= self.accept(&Token::Close);
        self.depth -= 1;
        Ok(inside)
    }

    fn phrase(&mut self) -> Option<Expression> {
        let (mut words, mut prefix) = self.words()?;
        while !prefix && self.accept(&Token::Plus) {
            let Some((more, last)) = self.words() else {
                self.literal = false;
                break;
            };
            words.extend(more);
            prefix = last;
        }
        Some(Expression::phrase(Phrase::of(&words.join(" "), prefix)))
    }

    fn words(&mut self) -> Option<(Vec<String>, bool)> {
        match self.tokens.next_if(|token| matches!(token, Token::Phrase { .. }))? {
            Token::Phrase { words, prefix } => Some((words, prefix)),
            _ => None,
        }
    }

    fn begins_operand(&mut self) -> bool {
        matches!(self.tokens.peek(), Some(Token::Phrase { .. } | Token::Open | Token::Plus))
    }
}

/// One expression from several, as a tree of little depth; none from none.
fn joined(
    mut operands: Vec<Expression>,
    join: fn(Box<Expression>, Box<Expression>) -> Expression,
) -> Option<Expression> {
    if operands.len() < 2 {
        return operands.pop();
    }
    let right = operands.split_off(operands.len().div_ceil(2));
    match (joined(operands, join), joined(right, join)) {
        (Some(left), Some(right)) => Some(join(Box::new(left), Box::new(right))),
        (left, right) => left.or(right),
    }
}

fn nothing_before_not() -> FaceError {
    FaceError::new("invalid_query", "NOT has nothing before it to take from")
        .at("pattern")
        .hint("Write `wanted NOT unwanted`, or quote it to find it as a word: `\"NOT\" found`.")
}
