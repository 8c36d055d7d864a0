//! An expression written as a pattern that reads the same.

use kitfox_core::Expression;

/// Characters of a reading at most.
const LONGEST: usize = 500;

/// Writes an expression as a pattern.
pub(super) fn render(expression: &Expression) -> String {
    let mut out = String::new();
    write(expression, 0, &mut out);
    if let Some((end, _)) = out.char_indices().nth(LONGEST) {
        out.truncate(end);
        out.push('…');
    }
    out
}

/// How tightly an expression holds together.
fn strength(expression: &Expression) -> u8 {
    match expression {
        Expression::Or(..) => 1,
        Expression::And(..) => 2,
        Expression::Not(..) => 3,
        Expression::Phrase { .. } => 4,
    }
}

fn write(expression: &Expression, least: u8, out: &mut String) {
    let grouped = strength(expression) < least;
    if grouped {
        out.push('(');
    }
    match expression {
        Expression::Phrase { words, prefix } => phrase(words, *prefix, out),
        Expression::And(left, right) => join(left, " AND ", right, (2, 2), out),
        Expression::Or(left, right) => join(left, " OR ", right, (1, 1), out),
        Expression::Not(left, right) => join(left, " NOT ", right, (3, 4), out),
    }
    if grouped {
        out.push(')');
    }
}

fn join(
    left: &Expression,
    operator: &str,
    right: &Expression,
    (least_left, least_right): (u8, u8),
    out: &mut String,
) {
    write(left, least_left, out);
    out.push_str(operator);
    write(right, least_right, out);
}

fn phrase(words: &[String], prefix: bool, out: &mut String) {
    let bare = matches!(words, [word] if !matches!(word.as_str(), "AND" | "OR" | "NOT" | "NEAR"));
    if !bare {
        out.push('"');
    }
    out.push_str(&words.join(" "));
    if !bare {
        out.push('"');
    }
    if prefix {
        out.push('*');
    }
}
