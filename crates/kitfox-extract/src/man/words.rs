//! The words of a line: what a macro shows of its arguments.

use super::escapes::plain;

/// What a macro shows of its arguments: fonts that alternate put no space between them, macros of
/// mdoc(7) within a line wrap what follows.
pub(super) fn words(name: &str, rest: &str) -> String {
    let arguments = arguments(rest);
    if matches!(name, "BR" | "RB" | "BI" | "IB" | "IR" | "RI" | "SB") {
        return plain(&arguments.concat());
    }
    let is_mdoc = name.len() == 2 && name.as_bytes()[1].is_ascii_lowercase();
    if name == "MR" && arguments.len() > 1 {
        return plain(&format!("{}({}){}", arguments[0], arguments[1], arguments[2..].concat()));
    }
    if !is_mdoc {
        return plain(&arguments.join(" "));
    }
    let mut words = Words::default();
    words.call(name);
    // Marks at the end of a line stand behind the brackets that it closes.
    let inner = arguments.iter().rposition(|argument| !is_mark(argument)).map_or(0, |at| at + 1);
    let (arguments, marks) = arguments.split_at(inner);
    for argument in arguments {
        match CALLABLE.contains(&argument.as_str()) {
            true => words.call(argument),
            false => words.word(&plain(argument)),
        }
    }
    words.finish() + &marks.concat()
}

/// Whether a word is a mark that no space stands before.
fn is_mark(word: &str) -> bool {
    word.len() == 1 && ".,;:?!)]".contains(word)
}

/// Macros that are called within a line.
const CALLABLE: &[&str] = &[
    "Ad", "An", "Ao", "Ac", "Ap", "Aq", "Ar", "Bo", "Bc", "Bq", "Bro", "Brc", "Brq", "Cd", "Cm",
    "Do", "Dc", "Dq", "Dv", "Em", "Er", "Ev", "Fa", "Fl", "Fn", "Ft", "Ic", "Li", "Lk", "Ms", "Mt",
    "Nm", "No", "Ns", "Op", "Oo", "Oc", "Pa", "Pf", "Po", "Pc", "Pq", "Qo", "Qc", "Ql", "Qq", "So",
    "Sc", "Sq", "Sx", "Sy", "Tn", "Va", "Vt", "Xo", "Xc", "Xr",
];

/// The words of a line of mdoc(7).
#[derive(Default)]
struct Words {
    text: String,
    /// Brackets to close at the end of the line.
    closing: Vec<&'static str>,
    /// Whether the next word follows without a space.
    joined: bool,
    /// The macro whose arguments are being read.
    current: String,
    /// How many of them were.
    count: usize,
}

impl Words {
    fn call(&mut self, name: &str) {
        self.end_call();
        let (opening, closing) = brackets(name);
        if !opening.is_empty() {
            self.put(opening);
            self.joined = true;
            if name.ends_with('q') || name == "Op" || name == "Ql" {
                self.closing.push(closing);
            }
        } else if !closing.is_empty() {
            self.joined = true;
            self.put(closing);
        }
        match name {
            "Fl" => {
                self.put("-");
                self.joined = true;
            }
            "Ns" => self.joined = true,
            "Ap" => {
                self.joined = true;
                self.put("'");
                self.joined = true;
            }
            _ => {}
        }
        name.clone_into(&mut self.current);
        self.count = 0;
    }

    fn word(&mut self, word: &str) {
        match self.current.as_str() {
            _ if is_mark(word) => self.joined = true,
            "Xr" if self.count == 1 && word.chars().all(char::is_alphanumeric) => {
                self.joined = true;
                self.put(&format!("({word})"));
                self.count += 1;
                return;
            }
            "Fn" if self.count == 1 => {
                self.joined = true;
                self.put("(");
                self.joined = true;
            }
            "Fn" if self.count > 1 => {
                self.joined = true;
                self.put(",");
            }
            "Fl" if self.count > 0 => {
                self.put("-");
                self.joined = true;
            }
            _ => {}
        }
        self.put(word);
        self.joined = word == "(" || word == "[" || self.current == "Pf" && self.count == 0;
        self.count += 1;
    }

    fn end_call(&mut self) {
        if self.current == "Fn" && self.count > 0 {
            self.joined = true;
            self.put(if self.count == 1 { "()" } else { ")" });
        }
        if self.current == "Ar" && self.count == 0 {
            self.put("file ...");
        }
        self.current.clear();
    }

    fn put(&mut self, text: &str) {
        if !self.joined && !self.text.is_empty() {
            self.text.push(' ');
        }
        self.joined = false;
        self.text.push_str(text);
    }

    fn finish(mut self) -> String {
        self.end_call();
        while let Some(closing) = self.closing.pop() {
            self.joined = true;
            self.put(closing);
        }
        self.text
    }
}

/// What a macro opens or closes with.
fn brackets(name: &str) -> (&'static str, &'static str) {
    match name {
        "Op" | "Bq" => ("[", "]"),
        "Oo" | "Bo" => ("[", ""),
        "Oc" | "Bc" => ("", "]"),
        "Pq" => ("(", ")"),
        "Po" => ("(", ""),
        "Pc" => ("", ")"),
        "Aq" => ("<", ">"),
        "Ao" => ("<", ""),
        "Ac" => ("", ">"),
        "Brq" => ("{", "}"),
        "Bro" => ("{", ""),
        "Brc" => ("", "}"),
        "Dq" | "Qq" => ("\"", "\""),
        "Do" | "Qo" => ("\"", ""),
        "Dc" | "Qc" => ("", "\""),
        "Sq" => ("'", "'"),
        "Ql" => ("`", "`"),
        "So" => ("'", ""),
        "Sc" => ("", "'"),
        _ => ("", ""),
    }
}

/// The arguments of a macro: words, or what stands in quotes, a doubled quote being one.
pub(super) fn arguments(rest: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = rest.trim_start();
    while !rest.is_empty() && !rest.starts_with("\\\"") {
        let mut argument = String::new();
        if let Some(mut quoted) = rest.strip_prefix('"') {
            loop {
                let (part, after) = quoted.split_once('"').unwrap_or((quoted, ""));
                argument.push_str(part);
                quoted = after;
                match after.strip_prefix('"') {
                    Some(more) => {
                        argument.push('"');
                        quoted = more;
                    }
                    None => break,
                }
            }
            rest = quoted;
        } else {
            let mut escaped = false;
            let end = rest.find(|c: char| {
                let ends = c.is_whitespace() && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            argument.push_str(word);
            rest = after;
        }
        found.push(argument);
        rest = rest.trim_start();
    }
    found
}
