//! Bodies of functions that a grammar cannot read.
//!
//! Syntax that is newer than a grammar, in one body, may break off the type around it and often
//! all that follows. So where much of a file is broken, a parse sees spaces in the bodies at fault:
//! what they are the bodies of is told by the rest.

use std::ops::Range;

use super::lexemes::{Lexeme, lexemes};

/// The text with spaces inside the bodies that `is_readable` denies; none if there is no such body.
pub(super) fn without_unreadable(text: &str, is_readable: impl Fn(&str) -> bool) -> Option<String> {
    let mut unreadable = bodies(text);
    unreadable.retain(|body| !is_readable(&text[body.clone()]));
    let mut bytes = text.as_bytes().to_vec();
    for body in &unreadable {
        let inside = &mut bytes[body.start + 1..body.end - 1];
        inside.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    if unreadable.is_empty() { None } else { String::from_utf8(bytes).ok() }
}

/// The bodies of functions and the like, braces included; what is in a body is not listed.
fn bodies(text: &str) -> Vec<Range<usize>> {
    let lexemes = lexemes(text);
    let mut bodies = Vec::new();
    let mut open: Vec<Brace> = Vec::new();
    let mut head = 0;
    for (at, lexeme) in lexemes.iter().enumerate() {
        match lexeme.text {
            "{" => {
                let in_body = open.last().is_some_and(|brace| brace.in_body || brace.is_body);
                let is_body = !is_head_of_type(&lexemes[head..at]);
                open.push(Brace { start: lexeme.start, is_body, in_body });
            }
            "}" => {
                let body = open.pop().filter(|brace| brace.is_body && !brace.in_body);
                bodies.extend(body.map(|brace| brace.start..lexeme.start + 1));
            }
            ";" => {}
            _ => continue,
        }
        head = at + 1;
    }
    bodies
}

/// An open brace.
struct Brace {
    start: usize,
    is_body: bool,
    in_body: bool,
}

/// Whether what comes before a brace says that it holds members.
fn is_head_of_type(head: &[Lexeme<'_>]) -> bool {
    head.iter().enumerate().any(|(at, lexeme)| match lexeme.text {
        "class" | "enum" | "extern" | "interface" | "namespace" | "record" | "struct" | "union" => {
            true
        }
        // Of Kotlin: `object A : B {`. In C# it is a type: `object A() {`.
        "object" => {
            let rest = &head[at + 1..];
            let named = rest.first().is_some_and(Lexeme::is_word);
            rest.get(usize::from(named)).is_none_or(|next| next.text == ":")
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = bodies(text).into_iter().map(|body| &text[body]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn bodies_of_functions_are_found() {
        check("int f() { if (a) { b; } } int g();", &["{ if (a) { b; } }"]);
        check("class A { int f() { a; } int b { get { c; } } }", &["{ a; }", "{ get { c; } }"]);
        check("object A : B(c) { fun f() = when (x) { 1 -> 2 } }", &["{ 1 -> 2 }"]);
        check("companion object { val a = object : B { fun f() { c } } }", &["{ c }"]);
        check("object F(int a) { return a; }", &["{ return a; }"]);
        check("namespace a { enum class B { C } }", &[]);
        check("f() { \"}\" /* } */ '}' } } } {", &["{ \"}\" /* } */ '}' }"]);
    }

    #[test]
    fn unreadable_bodies_are_blanked() {
        let blanked = |text| without_unreadable(text, |body| !body.contains('?'));
        assert_eq!(blanked("f() { a } g() {\n ?é }"), Some("f() { a } g() {\n     }".to_owned()));
        assert_eq!(blanked("f() { a }"), None);
        assert_eq!(blanked("f() {}?"), None);
    }
}
