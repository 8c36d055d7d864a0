//! An expression written as a pattern that reads the same.

use kitfox_core::{Column, Columns, Expression, Near, Phrase, Term};

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
        Expression::Near(_) | Expression::Stem(_) => 4,
    }
}

fn write(expression: &Expression, least: u8, out: &mut String) {
    let grouped = strength(expression) < least;
    if grouped {
        out.push('(');
    }
    match expression {
        Expression::Near(near) => columns_and_near(near, out),
        Expression::Stem(word) => out.push_str(word),
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

fn columns_and_near(near: &Near, out: &mut String) {
    columns(near.columns, out);
    match &near.phrases[..] {
        [single] => phrase(single, out),
        several => {
            out.push_str("NEAR(");
            for one in several {
                phrase(one, out);
                out.push(' ');
            }
            out.pop();
            out.push_str(&format!(", {})", near.within));
        }
    }
}

/// Says where to look, unless it is where bare words are looked for.
fn columns(columns: Columns, out: &mut String) {
    let names = |columns: Columns| columns.iter().map(Column::name).collect::<Vec<_>>();
    match (&names(columns)[..], &names(columns.others())[..]) {
        _ if columns == Columns::BARE => {}
        ([one], _) => out.push_str(&format!("{one}: ")),
        (_, [one]) => out.push_str(&format!("-{one}: ")),
        (several, _) => out.push_str(&format!("{{{}}}: ", several.join(" "))),
    }
}

fn phrase(phrase: &Phrase, out: &mut String) {
    if phrase.is_first {
        out.push('^');
    }
    // A prefix ends a string: what follows it is joined with `+`.
    let strings = phrase.terms.split_inclusive(|term| term.is_prefix);
    let strings: Vec<String> = strings.map(string).collect();
    out.push_str(&strings.join(" + "));
}

fn string(terms: &[Term]) -> String {
    let star = if terms.last().is_some_and(|term| term.is_prefix) { "*" } else { "" };
    match terms {
        [term] if !matches!(term.word.as_str(), "AND" | "OR" | "NOT" | "NEAR") => {
            format!("{}{star}", term.word)
        }
        _ => {
            let words: Vec<&str> = terms.iter().map(|term| term.word.as_str()).collect();
            format!("\"{}\"{star}", words.join(" "))
        }
    }
}
