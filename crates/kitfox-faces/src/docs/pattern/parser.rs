//! Tokens to an expression.
//!
//! ```text
//! or      = and (OR and)*
//! and     = not ((AND | nothing, beside a parenthesis) not)*
//! not     = list (NOT list)*
//! list    = leaf+ | in* '(' or ')'
//! leaf    = in* ('^'? phrase | NEAR phrase* within? ')')
//! phrase  = words ('+' words)*
//! ```

use kitfox_core::{Columns, Expression, Near, Phrase};

use super::lexer::Token;
use crate::FaceError;

/// Parentheses in parentheses at most.
const DEEPEST: usize = 64;

/// Words between phrases in NEAR where it does not say.
const WITHIN: u32 = 10;

pub(super) struct Parsed {
    /// None where nothing says what to find.
    pub expression: Option<Expression>,
    /// Whether FTS5 accepts these tokens as they stand.
    pub literal: bool,
}

/// Reads tokens; operators and parentheses without their operands say nothing.
pub(super) fn parse(tokens: &[Token]) -> Result<Parsed, FaceError> {
    let mut parser = Parser { tokens, literal: true, depth: 0, within: None };
    let mut all = Vec::new();
    while !parser.tokens.is_empty() {
        all.extend(parser.or()?);
        // A parenthesis nobody opened ends the expression: go on behind it.
        if parser.accept(&Token::Close) {
            parser.literal = false;
        }
    }
    Ok(Parsed { expression: joined(all, Expression::And), literal: parser.literal })
}

struct Parser<'a> {
    tokens: &'a [Token],
    literal: bool,
    depth: usize,
    /// The columns named outside the parentheses.
    within: Option<Columns>,
}

type Operand = Result<Option<Expression>, FaceError>;

impl Parser<'_> {
    fn accept(&mut self, token: &Token) -> bool {
        let is_next = self.tokens.first() == Some(token);
        if is_next {
            self.tokens = &self.tokens[1..];
        }
        is_next
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
                if self.tokens.first() == Some(&Token::Not) && !operands.is_empty() {
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
        if self.begins_group() {
            return self.group();
        }
        let mut leaves = Vec::new();
        while !self.begins_group() {
            match self.tokens.first() {
                Some(Token::Plus | Token::Within(_)) => {
                    self.tokens = &self.tokens[1..];
                    self.literal = false;
                }
                Some(Token::Phrase(_) | Token::First | Token::In(_) | Token::Near) => {
                    leaves.extend(self.leaf()?);
                }
                _ => break,
            }
        }
        Ok(joined(leaves, Expression::And))
    }

    /// Reads column filters: of several, those columns that all of them name.
    fn columns(&mut self) -> Option<Columns> {
        let mut columns = self.within;
        let mut count = 0;
        while let Some((Token::In(named), rest)) = self.tokens.split_first() {
            columns = Some(columns.unwrap_or(Columns::ALL).and(*named));
            self.tokens = rest;
            count += 1;
        }
        self.literal &= count < 2;
        columns
    }

    fn group(&mut self) -> Operand {
        let outside = self.within;
        self.within = self.columns();
        self.accept(&Token::Open);
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = format!("`pattern` has more than {DEEPEST} parentheses in one another");
            return Err(FaceError::new("invalid_query", message).at("pattern"));
        }
        let inside = self.or()?;
        self.literal &= self.accept(&Token::Close);
        self.depth -= 1;
        self.within = outside;
        Ok(inside)
    }

    fn leaf(&mut self) -> Operand {
        let columns = self.columns().unwrap_or(Columns::BARE);
        let (phrases, within) = match self.accept(&Token::Near) {
            true => self.near()?,
            false => {
                let is_first = self.accept(&Token::First);
                let phrase = self.phrase().map(|phrase| Phrase { is_first, ..phrase });
                (phrase.into_iter().collect(), 0)
            }
        };
        self.literal &= !phrases.is_empty();
        let near = Near { phrases, within, columns };
        Ok((!near.phrases.is_empty()).then_some(Expression::Near(near)))
    }

    /// The phrases of NEAR and how far they may be from one another.
    fn near(&mut self) -> Result<(Vec<Phrase>, u32), FaceError> {
        let (mut phrases, mut within) = (Vec::new(), WITHIN);
        loop {
            if let Some(phrase) = self.phrase() {
                phrases.push(phrase);
                continue;
            }
            let Some((token, rest)) = self.tokens.split_first() else {
                self.literal = false;
                return Ok((phrases, within));
            };
            self.tokens = rest;
            match token {
                Token::Close => return Ok((phrases, within)),
                Token::Within(words) => within = *words,
                Token::Or | Token::Not => return Err(operator_in_near()),
                // `NEAR(a AND b)` plainly means `NEAR(a b)`.
                _ => self.literal = false,
            }
        }
    }

    fn phrase(&mut self) -> Option<Phrase> {
        let mut phrase = self.words()?;
        while self.accept(&Token::Plus) {
            match self.words() {
                Some(more) => phrase.terms.extend(more.terms),
                None => self.literal = false,
            }
        }
        Some(phrase)
    }

    fn words(&mut self) -> Option<Phrase> {
        let (Token::Phrase(phrase), rest) = self.tokens.split_first()? else { return None };
        self.tokens = rest;
        Some(phrase.clone())
    }

    /// Whether a parenthesis is ahead, behind any column filters.
    fn begins_group(&self) -> bool {
        self.tokens.iter().find(|token| !matches!(token, Token::In(_))) == Some(&Token::Open)
    }

    fn begins_operand(&self) -> bool {
        !matches!(
            self.tokens.first(),
            None | Some(Token::And | Token::Or | Token::Not | Token::Close)
        )
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

fn operator_in_near() -> FaceError {
    FaceError::new("invalid_query", "NEAR takes words and phrases, not OR or NOT")
        .at("pattern")
        .hint("Write `NEAR(a b, 5) OR NEAR(a c, 5)`, or quote the operator to find it as a word.")
}
