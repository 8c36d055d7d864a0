//! The names a file defines, as values of the passages in which their definitions begin.

use kitfox_core::{Value, paths};
use kitfox_extract::{OutlineItem, Sort, named};

/// The names of a file on their way to its passages.
pub(crate) struct Defined<'o> {
    /// By line: the path of the value, and the name.
    names: Vec<(u32, &'static str, &'o str)>,
    given: usize,
}

impl<'o> Defined<'o> {
    /// The names of an outline.
    pub fn new(outline: &'o [OutlineItem]) -> Defined<'o> {
        let named = named(outline).into_iter();
        let mut names: Vec<_> =
            named.map(|named| (named.item.line, path(named.sort), named.name)).collect();
        names.sort_unstable();
        Defined { names, given: 0 }
    }

    /// The values of the passage that ends at this line, where those before it had theirs.
    pub fn up_to(&mut self, end_line: u32) -> Vec<(String, Value)> {
        let rest = &self.names[self.given..];
        let mut here = rest[..rest.partition_point(|(line, ..)| *line <= end_line)].to_vec();
        self.given += here.len();
        here.sort_unstable_by_key(|&(_, path, name)| (path, name));
        here.dedup_by_key(|&mut (_, path, name)| (path, name));
        here.into_iter().map(|(_, path, name)| (path.to_owned(), Value::from(name))).collect()
    }
}

fn path(sort: Sort) -> &'static str {
    match sort {
        Sort::Type => paths::TYPE,
        Sort::Function => paths::FUNCTION,
        Sort::Method => paths::METHOD,
    }
}

#[cfg(test)]
mod tests {
    use kitfox_core::paths::{FUNCTION, METHOD, TYPE};
    use kitfox_core::{Document, Value};
    use kitfox_extract::{Purpose, Sizes, extract};

    use crate::document::documents;
    use crate::testing::OneVector;

    #[track_caller]
    fn check(path: &str, text: &str, target: usize, expected: &[&[(&str, &str)]]) {
        let sizes = Sizes { target, max: target };
        let extracted = extract(path, text.as_bytes(), Purpose::Code, sizes).unwrap();
        let names = |document: Document| -> Vec<(String, Value)> {
            let is_name = |at: &str| [TYPE, FUNCTION, METHOD].contains(&at);
            document.values.into_iter().filter(|(at, _)| is_name(at)).collect()
        };
        let found: Vec<_> = documents(path, extracted, &OneVector).into_iter().map(names).collect();
        let value = |&(at, name): &(&str, &str)| (at.to_owned(), Value::from(name));
        let expected: Vec<Vec<_>> =
            expected.iter().map(|names| names.iter().map(value).collect()).collect();
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn passages_carry_the_names_whose_definitions_begin_in_them() {
        let rust = "mod a {\n    fn b() {}\n}\nstruct C;\nimpl C {\n    fn d() {}\n}\nfn e() {}\n";
        let all: &[_] =
            &[(FUNCTION, "a"), (FUNCTION, "b"), (FUNCTION, "e"), (METHOD, "d"), (TYPE, "C")];
        check("x.rs", rust, 1000, &[all]);
        let python = "class C:\n    def d(self):\n        pass\n\ndef e():\n    def f(): pass\n";
        check("x.py", python, 1000, &[&[(FUNCTION, "e"), (METHOD, "d"), (TYPE, "C")]]);
        check("x.py", python, 40, &[&[(METHOD, "d"), (TYPE, "C")], &[(FUNCTION, "e")]]);
        let java = "class C {\n    C() {}\n    void d() { class E {} }\n}\n";
        check("C.java", java, 1000, &[&[(METHOD, "d"), (TYPE, "C")]]);
        let elixir = "defmodule A.B do\n  @type t :: map\n  def f(x), do: x\nend\n";
        check("b.ex", elixir, 1000, &[&[(FUNCTION, "B"), (FUNCTION, "f")]]);
        let twice = "#ifdef A\nint f() { return 1; }\n#else\nint f() { return 2; }\n#endif\n";
        check("x.c", twice, 1000, &[&[(FUNCTION, "f")]]);
        check("x.md", "# A\n\ntext\n", 1000, &[&[]]);
    }
}
