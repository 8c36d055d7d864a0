//! Macros of C and its kin that stand where the grammar knows no macro.
//!
//! `iterator begin() LIFETIME_BOUND {` breaks off the function and often all that follows. What
//! such a macro stands for says nothing about units, so a parse sees spaces in its place: bytes and
//! lines stay where they are, and names and signatures are read from the text as it is.
//!
//! A macro is told by its place where only one reading is left, and else by what it is called, too:
//! capitals with an underscore.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::lexemes::{Lexeme, lexemes};

/// What a parse sees of a text.
pub(super) struct Parsed<'t> {
    /// As many bytes and lines as the text has.
    pub text: Cow<'t, str>,
    /// Where macros that only decorate stand in the text, in order.
    pub macros: Vec<Range<usize>>,
}

impl<'t> Parsed<'t> {
    /// All of a text.
    pub fn whole(text: &'t str) -> Self {
        Parsed { text: Cow::Borrowed(text), macros: Vec::new() }
    }

    /// A text with spaces in the places of macros that only decorate.
    pub fn without_macros(text: &'t str) -> Self {
        let macros = decorations(text);
        if macros.is_empty() {
            return Parsed::whole(text);
        }
        let mut bytes = text.as_bytes().to_vec();
        for macro_ in &macros {
            let blank = |byte: &mut u8| *byte = if *byte == b'\n' { b'\n' } else { b' ' };
            bytes[macro_.clone()].iter_mut().for_each(blank);
        }
        let text = String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned);
        Parsed { text, macros }
    }
}

fn decorations(text: &str) -> Vec<Range<usize>> {
    let lexemes = lexemes(text);
    let mut decorations = Vec::new();
    let mut kept: Vec<Lexeme<'_>> = Vec::with_capacity(lexemes.len());
    let mut after = lexemes.as_slice();
    while let [first, ..] = after {
        let (decoration, rest) = after.split_at(decoration(&kept, after));
        after = rest;
        match decoration.last() {
            Some(last) => decorations.push(first.start..last.start + last.text.len()),
            None => {
                kept.push(*first);
                after = &after[1..];
            }
        }
    }
    decorations
}

/// How many of the lexemes that come next are a macro that only decorates; 0 if it is none.
fn decoration(before: &[Lexeme<'_>], after: &[Lexeme<'_>]) -> usize {
    let (last, name) = (last(before), text(after, 0));
    if last == "*" {
        return usize::from(qualifies_pointer(after));
    }
    let is_capitals = is_capitals(name);
    let may_name_type = last == "class" || last == "struct" && is_capitals;
    if !is_capitals && !may_name_type || !is_name(name) {
        return 0;
    }
    let (macro_, next) = after.split_at(1 + arguments(&after[1..]));
    if is_capitals && text(next, 0) == ":" && matches!(last, "" | ";" | "{" | "}") {
        // It stands for `private` or the like.
        return macro_.len() + 1;
    }
    let is_macro = is_called_like_macro(name);
    let decorates = may_name_type && stands_before_type(next)
        || is_macro
            && (begins_declaration(before, macro_, next)
                || ends_declarator(before, next)
                || ends_name(before, macro_, next))
        || is_capitals && last == "(" && stands_before_pointer(next);
    if decorates { macro_.len() } else { 0 }
}

/// `T* nonnull name`, where only a macro can stand before the name.
fn qualifies_pointer(after: &[Lexeme<'_>]) -> bool {
    let next = text(after, 1);
    let names = is_name(next) && !is_called_like_macro(next) && !next.starts_with("__");
    is_name(text(after, 0)) && (names || matches!(next, "const" | "operator"))
}

/// `class EXPORT Name {`.
fn stands_before_type(next: &[Lexeme<'_>]) -> bool {
    is_name(text(next, 0)) && matches!(text(next, 1), "{" | ":" | "final" | "<")
}

/// `int (CALLBACK *name)(int);`.
fn stands_before_pointer(next: &[Lexeme<'_>]) -> bool {
    text(next, 0) == "*" && is_name(text(next, 1)) && text(next, 2) == ")" && text(next, 3) == "("
}

/// `NAMESPACE_BEGIN` on a line of its own, `MUST_USE int f();`.
fn begins_declaration(before: &[Lexeme<'_>], macro_: &[Lexeme<'_>], next: &[Lexeme<'_>]) -> bool {
    let last = last(before);
    let begins = matches!(last, "" | ";" | "{" | "}" | ":" | ">" | "]")
        || declares(last)
        || last.starts_with('"');
    if !begins {
        return false;
    }
    let first = text(next, 0);
    let is_alone = macro_.last().is_some_and(|last| last.ends_line)
        && (next.first().is_none_or(Lexeme::is_word) || matches!(first, "}" | "["))
        && !(last == "{" && first == "}");
    // `SIZE_T` on the line before `f(int)`.
    let may_be_type = macro_.len() == 1 && is_name(first) && text(next, 1) == "(";
    let declared = text(next, type_(next));
    let precedes_type = is_name(first) && is_name(declared) && !is_capitals(declared);
    let precedes_conversion = first == "operator" && next.get(1).is_some_and(Lexeme::is_word);
    let begins_one = declares(first) || first == "~" || is_constructor(next);
    begins_one || precedes_type || precedes_conversion || is_alone && !may_be_type
}

/// `A(int a) : a(a) {}`.
fn is_constructor(lexemes: &[Lexeme<'_>]) -> bool {
    let parameters = arguments(lexemes.get(1..).unwrap_or_default());
    is_name(text(lexemes, 0)) && parameters > 0 && text(lexemes, 1 + parameters) == ":"
}

/// `int f() const PURE_FUNCTION {`.
fn ends_declarator(before: &[Lexeme<'_>], next: &[Lexeme<'_>]) -> bool {
    let next = text(next, 0);
    let ends = matches!(next, "{" | ";" | ":" | "->" | "=") || qualifies(next);
    (ends || is_called_like_macro(next)) && follows_parameters(before)
}

/// `f(T& x LIFETIME_BOUND)`, `int x GUARDED_BY(lock);`.
fn ends_name(before: &[Lexeme<'_>], macro_: &[Lexeme<'_>], next: &[Lexeme<'_>]) -> bool {
    let [.., type_, name] = before else { return false };
    let is_typed = is_name(type_.text) || matches!(type_.text, "*" | "&" | "&&" | ">");
    // The arguments are parameters in `int f ARGUMENTS((int));`, which is old C.
    let ends_field =
        macro_.len() > 1 && text(macro_, 2) != "(" && matches!(text(next, 0), ";" | "=");
    let ends_parameter = matches!(text(next, 0), "," | ")");
    is_name(name.text) && is_typed && (ends_field || ends_parameter)
}

/// Whether a list of parameters lies right before, with qualifiers or not.
fn follows_parameters(mut before: &[Lexeme<'_>]) -> bool {
    while let [rest @ .., last] = before
        && (qualifies(last.text) || matches!(last.text, "&" | "&&"))
    {
        before = rest;
    }
    let Some(open) = opening(before) else { return false };
    let before = &before[..open];
    let is_operator = before.iter().rev().take(4).any(|lexeme| lexeme.text == "operator");
    match last(before) {
        "noexcept" => follows_parameters(&before[..open - 1]),
        // Of a lambda, and of what has arguments for its template.
        "]" | ">" => true,
        name => is_operator || is_name(name) && !is_called_like_macro(name),
    }
}

/// The place of the parenthesis that the last one closes.
fn opening(lexemes: &[Lexeme<'_>]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, lexeme) in lexemes.iter().enumerate().rev().take(MOST_ENCLOSED) {
        match lexeme.text {
            ")" => depth += 1,
            "(" if depth == 1 => return Some(at),
            "(" => depth -= 1,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// How many lexemes the arguments in parentheses are that come next; 0 if there are none.
fn arguments(lexemes: &[Lexeme<'_>]) -> usize {
    enclosed(lexemes, "(", ")")
}

/// How many lexemes the type is that comes next, as far as that can be told.
fn type_(lexemes: &[Lexeme<'_>]) -> usize {
    let mut at = 1;
    while text(lexemes, at) == "::" {
        at += 2;
    }
    at += enclosed(lexemes.get(at..).unwrap_or_default(), "<", ">");
    while matches!(text(lexemes, at), "*" | "&" | "&&" | "const") {
        at += 1;
    }
    at
}

/// How many lexemes come next with what encloses them; 0 if nothing opens or closes.
fn enclosed(lexemes: &[Lexeme<'_>], open: &str, close: &str) -> usize {
    let mut depth = 0_usize;
    for (at, lexeme) in lexemes.iter().enumerate().take(MOST_ENCLOSED) {
        if lexeme.text == open {
            depth += 1;
        } else if depth == 0 {
            return 0;
        } else if lexeme.text == close {
            depth -= 1;
        }
        if depth == 0 {
            return at + 1;
        }
    }
    0
}

/// Lexemes of arguments and parameters, beyond which they are not followed.
const MOST_ENCLOSED: usize = 512;

fn text<'t>(lexemes: &[Lexeme<'t>], at: usize) -> &'t str {
    lexemes.get(at).map_or("", |lexeme| lexeme.text)
}

fn last<'t>(lexemes: &[Lexeme<'t>]) -> &'t str {
    lexemes.last().map_or("", |lexeme| lexeme.text)
}

/// Whether a lexeme is an identifier and no keyword.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && !KEYWORDS.contains_key(text)
}

/// Whether a macro may be called like that. Those of tests are left out, since they begin units.
fn is_called_like_macro(name: &str) -> bool {
    is_capitals(name) && name.contains('_') && !name.contains("TEST")
}

fn is_capitals(name: &str) -> bool {
    let is_part = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    name.bytes().filter(u8::is_ascii_uppercase).count() > 1 && name.bytes().all(is_part)
}

fn declares(word: &str) -> bool {
    KEYWORDS.get(word) == Some(&Keyword::Declares)
}

fn qualifies(word: &str) -> bool {
    KEYWORDS.get(word) == Some(&Keyword::Qualifies)
}

#[derive(PartialEq, Eq)]
enum Keyword {
    Declares,
    Qualifies,
    Other,
}

static KEYWORDS: LazyLock<FxHashMap<&str, Keyword>> = LazyLock::new(|| {
    let declares = DECLARES.split_whitespace().map(|word| (word, Keyword::Declares));
    let qualifies = QUALIFIERS.split_whitespace().map(|word| (word, Keyword::Qualifies));
    let others = OTHERS.split_whitespace().map(|word| (word, Keyword::Other));
    declares.chain(qualifies).chain(others).collect()
});

/// What begins a declaration, or belongs to its beginning.
const DECLARES: &str = "auto bool char class concept consteval constexpr constinit double enum \
    explicit extern float friend inline int long mutable namespace private protected public short \
    signed static struct template thread_local typedef typename union unsigned using virtual void";

/// What may stand between the parameters of a function and its body.
const QUALIFIERS: &str = "const final noexcept override volatile";

/// Other keywords.
const OTHERS: &str = "__attribute__ and asm bitand bitor break case catch co_await co_return \
    co_yield continue decltype default delete do else false for goto if new not not_eq nullptr \
    operator or requires restrict return sizeof switch this throw true try while xor";

#[cfg(test)]
mod tests {
    use super::*;

    /// A text and what a parse sees of it, white space aside.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let blanked = Parsed::without_macros(text).text;
        assert_eq!(blanked.len(), text.len());
        assert_eq!(blanked.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{text}");
    }

    #[track_caller]
    fn check_same(text: &str) {
        check(text, &text.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    #[test]
    fn after_parameters() {
        check("T* f() const LIFE_BOUND {", "T* f() const {");
        check(
            "void f(int a) LOCKS(a) NO_CHECK(b, (c))\n  : a(a) {",
            "void f(int a) LOCKS(a) : a(a) {",
        );
        check("void f() A_LOCKED(a) NO_CHECK(b, (c)) override;", "void f() override;");
        check("bool operator==(T a) noexcept(x) PURE_F;", "bool operator==(T a) noexcept(x) ;");
        check("auto f = [&](int a) NO_CHECK {", "auto f = [&](int a) {");
        check_same("x = (int) MAX_SIZE;");
        check_same("if (a) RETURN_NOW(b);");
        check_same("return (a) FOO_BAR;");
        check("DECLARE_IT(a)\nDEFINE_IT(b) {", "DEFINE_IT(b) {");
        check_same("MY_TEST(a) MY_TEST(b) {");
    }

    #[test]
    fn before_declarations() {
        check("MUST_USE int f();", "int f();");
        check("static ALWAYS_IN std::vector<int>* f();", "static std::vector<int>* f();");
        check("template <class T>\nNO_DISCARD auto f() {", "template <class T> auto f() {");
        check("MUST_USE\nT* f();", "T* f();");
        check("DEPRECATED_BY(\"g\")\nf(int);", "f(int);");
        check("class A { NO_INLINE ~A(); };", "class A { ~A(); };");
        check("class A { EX_PLICIT operator T() const; };", "class A { operator T() const; };");
        check("constexpr NO_INLINE A(int a) : a(a) {}", "constexpr A(int a) : a(a) {}");
        check_same("class A { SELF_T operator+(A); };");
        check("extern \"C\" MY_API void f();", "extern \"C\" void f();");
        check_same("SIZE_T f();");
        check_same("SIZE_T\nf(int a) {");
        check_same("ERR_T a GUARD;");
        check_same("DEFINE_F(a) {}");
    }

    #[test]
    fn alone_on_a_line() {
        check("A_BEGIN\nnamespace a {\nA_END // end", "namespace a { // end");
        check("class A {\n  Q_OBJECT\n public:", "class A { public:");
        check("class A {\n  PRIVATE_IN_TESTS:\n  int a;", "class A { int a;");
        check_same("enum { A_B };");
        check_same("enum {\n  A_B\n};");
        check_same("enum {\n  A_B,\n  C_D\n};");
        check_same("#define A_B \\\n  C_D\n");
    }

    #[test]
    fn before_names_of_types() {
        check("class EXPORT A : B {", "class A : B {");
        check("class MY_ALIGN(8) A final {", "class A final {");
        check("struct EXPORT A {", "struct A {");
        check("class my_export A {", "class A {");
        check_same("class A final {");
        check_same("struct stat a{};");
        check_same("struct MY_T a;");
        check_same("template <class A, class B> class C {");
    }

    #[test]
    fn around_names() {
        check("T* nonnull f(U* _Nullable a);", "T* f(U* a);");
        check("f(T& a LIFE_BOUND, U b IN_OUT(c))", "f(T& a , U b )");
        check("int (CALLBACK *a)(int b);", "int ( *a)(int b);");
        check_same("(WIDTH * a) + b");
        check("int64 a GUARDED_BY(b) = 1;", "int64 a = 1;");
        check_same("T *a __attribute__((b));");
        check_same("T *a __unused;");
        check_same("a * b and c");
        check_same("f(int MAX_SIZE)");
        check_same("int64 f ARGUMENTS((int));");
    }
}
