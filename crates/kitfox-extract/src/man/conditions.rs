//! Conditional requests of roff: `.if`, `.ie` and `.el`, as nroff decides them.

use super::escapes::plain;

/// Conditions of one line, one within another, that are looked at.
const DEEPEST: usize = 64;

/// The most characters of a numeric expression.
const LONGEST: usize = 200;

/// Which lines are shown, by the conditions before them.
#[derive(Default)]
pub(super) struct Conditions {
    /// Whether each open block is shown.
    blocks: Vec<bool>,
    /// What the `.ie` were whose `.el` may follow.
    waiting: Vec<bool>,
}

impl Conditions {
    /// What is shown of a line; none where nothing is.
    pub fn shown<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        if self.is_hidden() {
            self.skip(line);
            return None;
        }
        let mut rest = line;
        for _ in 0..DEEPEST {
            let Some((name, more)) = request(rest) else { break };
            let (truth, more) = match name {
                "el" => (!self.waiting.pop().unwrap_or(true), more),
                _ => condition(more),
            };
            if name == "ie" {
                self.waiting.push(truth);
            }
            rest = more.trim_start();
            if let Some(block) = rest.strip_prefix("\\{") {
                self.blocks.push(truth);
                rest = block.trim_start().trim_end_matches('\\');
            }
            if !truth {
                self.skip(rest);
                return None;
            }
        }
        // What is left of a line by its conditions is no empty line, which would end a paragraph.
        if rest.is_empty() && !line.is_empty() { None } else { self.close(rest) }
    }

    fn is_hidden(&self) -> bool {
        self.blocks.contains(&false)
    }

    /// Follows the blocks that begin and end on a line that is not shown.
    fn skip(&mut self, line: &str) {
        for (at, _) in line.match_indices('\\') {
            match line.as_bytes().get(at + 1) {
                Some(b'{') => self.blocks.push(false),
                Some(b'}') => drop(self.blocks.pop()),
                Some(b'"') => return,
                _ => {}
            }
        }
    }

    /// Ends the blocks that end on a line that is shown, which is the rest of it.
    fn close<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        let Some(end) = line.find("\\}") else { return Some(line) };
        self.skip(line.get(end..).unwrap_or_default());
        let shown = line[..end].trim_end();
        (!matches!(shown, "" | "." | "'")).then_some(shown)
    }
}

/// A conditional request, and what follows its name.
fn request(line: &str) -> Option<(&'static str, &str)> {
    let call = line.strip_prefix(['.', '\''])?.trim_start();
    ["if", "ie", "el"].into_iter().find_map(|name| {
        let rest = call.strip_prefix(name)?;
        // `.el\{` is often written without a blank; `.else` is something else.
        rest.starts_with([' ', '\t', '\\', '.']).then_some((name, rest))
    })
}

/// Whether the condition at the beginning of a text holds, and what follows it. One that cannot be read
/// does not.
fn condition(text: &str) -> (bool, &str) {
    let text = text.trim_start();
    let positive = text.trim_start_matches(['!', ' ']);
    let negations = text[..text.len() - positive.len()].matches('!').count();
    let (truth, rest) = match positive.chars().next() {
        Some('n' | 'o') => (true, &positive[1..]),
        Some('t' | 'e' | 'v') => (false, &positive[1..]),
        // Whether a name is defined: those of pages' own macros are not.
        Some('d' | 'r' | 'c' | 'm' | 'F' | 'S') => {
            let name = positive[1..].trim_start();
            (false, &name[name.find(char::is_whitespace).unwrap_or(name.len())..])
        }
        Some(quote) if !"\\(0123456789.+-".contains(quote) => compared(positive, quote),
        _ => {
            let end = positive.find("\\{").unwrap_or(positive.len());
            let end = positive[..end].find(char::is_whitespace).unwrap_or(end);
            (Number::of(&positive[..end]).is_some_and(|it| it > 0), &positive[end..])
        }
    };
    (truth != (negations % 2 == 1), rest)
}

/// Two texts between the same marks.
fn compared(text: &str, quote: char) -> (bool, &str) {
    let mut parts = text.splitn(4, quote).skip(1);
    let (left, right) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    (plain(left) == plain(right), parts.next().unwrap_or_default())
}

/// A numeric expression. roff knows no precedence: it goes from left to right.
struct Number<'t> {
    rest: &'t str,
    depth: usize,
}

impl Number<'_> {
    fn of(text: &str) -> Option<i64> {
        if text.len() > LONGEST {
            return None;
        }
        let mut number = Number { rest: text, depth: 0 };
        let value = number.expression()?;
        number.rest.is_empty().then_some(value)
    }

    fn expression(&mut self) -> Option<i64> {
        let mut value = self.operand()?;
        while let Some((operator, rest)) = operator(self.rest) {
            self.rest = rest;
            let other = self.operand()?;
            value = operate(operator, value, other)?;
        }
        Some(value)
    }

    fn operand(&mut self) -> Option<i64> {
        if let Some(rest) = self.rest.strip_prefix('!') {
            self.rest = rest;
            return Some(i64::from(self.operand()? <= 0));
        }
        if let Some(rest) = self.rest.strip_prefix('(') {
            (self.rest, self.depth) = (rest, self.depth + 1);
            let value = if self.depth < DEEPEST { self.expression()? } else { return None };
            self.rest = self.rest.strip_prefix(')')?;
            return Some(value);
        }
        if let Some(rest) = self.rest.strip_prefix("\\n") {
            let (name, rest) = register(rest)?;
            self.rest = rest;
            // groff says by its register `.g` that it is groff; no other is set by what is read here.
            return Some(i64::from(name == ".g"));
        }
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let value = self.rest[..end].parse().ok()?;
        self.rest = self.rest[end..].trim_start_matches(|c: char| c.is_ascii_alphabetic());
        Some(value)
    }
}

/// The name of a number register: one character, two after `(`, any between brackets.
fn register(text: &str) -> Option<(&str, &str)> {
    let (text, length) = match text.strip_prefix('(') {
        Some(rest) => (rest, 2),
        None => match text.strip_prefix('[') {
            Some(rest) => return rest.split_once(']'),
            None => (text, 1),
        },
    };
    text.is_char_boundary(length).then(|| text.split_at_checked(length)).flatten()
}

fn operator(text: &str) -> Option<(&'static str, &str)> {
    let operators = ["==", "<=", ">=", "<>", "=", "<", ">", "&", ":", "+", "-", "*", "/", "%"];
    operators.into_iter().find_map(|operator| Some((operator, text.strip_prefix(operator)?)))
}

fn operate(operator: &str, left: i64, right: i64) -> Option<i64> {
    let truth = |truth: bool| Some(i64::from(truth));
    match operator {
        "==" | "=" => truth(left == right),
        "<=" => truth(left <= right),
        ">=" => truth(left >= right),
        "<>" => truth(left != right),
        "<" => truth(left < right),
        ">" => truth(left > right),
        "&" => truth(left > 0 && right > 0),
        ":" => truth(left > 0 || right > 0),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        _ => left.checked_rem(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(page: &str, expected: &[&str]) {
        let mut conditions = Conditions::default();
        let shown: Vec<&str> = page
            .lines()
            .filter_map(|line| conditions.shown(line))
            .filter(|it| !it.is_empty())
            .collect();
        assert_eq!(shown, expected, "{page}");
    }

    #[test]
    fn lines_are_shown_as_nroff_decides() {
        check(".if n one\n.if t two\n.if !n three\n.if !t four", &["one", "four"]);
        check(".ie n .B yes\n.el .B no", &[".B yes"]);
        check(".ie t .B yes\n.el .B no\nafter", &[".B no", "after"]);
        check(".ie \\n(.g groff\n.el other", &["groff"]);
        check(".if \\n[.g]==0 old\n.if \\nF>0 index\n.if (\\n(rF:(\\n(.g==0)) x", &[]);
        check(".if '\\*[x]'' empty", &["empty"]);
        check(".if 'a'b' no\n.if \"a\"a\" yes", &["yes"]);
        check(".if d FN no\n.if r x no\n.if !d FN yes", &["yes"]);
        check(".if n .if t no\n.if n .if !t yes", &["yes"]);
    }

    #[test]
    fn blocks_are_shown_or_not_as_a_whole() {
        check(".if n \\{\\\nshown\n.\\}\nafter", &["shown", "after"]);
        check(".if t \\{\nhidden\n.if n \\{\nhidden\n.\\}\nhidden\\}\nafter", &["after"]);
        check(".ie t \\{\\\nno\n.\\}\n.el \\{\\\nyes\n.\\}\nafter", &["yes", "after"]);
        check(".ie n \\{yes\\}\n.el\\{no\\}\nafter", &["yes", "after"]);
        check(".if t \\{ .B no \\}\nafter", &["after"]);
        check(".el no\n.if", &[".if"]);
    }

    #[test]
    fn hostile_lines_end() {
        check(&".if n ".repeat(10_000), &[".if n ".repeat(10_000 - DEEPEST).trim_start()]);
        check(&format!(".if {}1", "(".repeat(10_000)), &[]);
        check(".if \\n(é x\n.if \\n[ x\n.if 9999999999999999999 x\n.if 1/0 x", &[]);
    }
}
