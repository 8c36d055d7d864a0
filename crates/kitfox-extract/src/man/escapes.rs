//! Escapes of roff: characters, fonts, spaces.

/// The text of a line, fonts left out.
pub(super) fn plain(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = escape(&rest[at + 1..], &mut text);
    }
    text.push_str(rest);
    text
}

/// Reads what follows a backslash and returns the rest.
fn escape<'l>(line: &'l str, text: &mut String) -> &'l str {
    let mut characters = line.chars();
    let Some(kind) = characters.next() else { return "" };
    let rest = characters.as_str();
    match kind {
        // A comment.
        '"' | '#' => return "",
        '-' | '.' | '\'' | '`' | '_' => text.push(kind),
        'e' | '\\' | 'E' => text.push('\\'),
        ' ' | '~' | '0' | 't' => text.push(' '),
        '(' => {
            let (name, rest) = split_at(rest, 2);
            text.push_str(character(name));
            return rest;
        }
        '[' => {
            let (name, rest) = rest.split_once(']').unwrap_or((rest, ""));
            text.push_str(character(name));
            return rest;
        }
        '*' => {
            let (name, rest) = name(rest);
            text.push_str(string(name));
            return rest;
        }
        'f' | 'F' | 'g' | 'k' | 'n' | 'm' | 'M' | 'V' | 'Y' => return name(rest).1,
        's' => return size(rest),
        'h' | 'v' | 'w' | 'z' | 'N' | 'o' | 'b' | 'D' | 'l' | 'L' | 'S' | 'H' | 'X' | 'R' | 'A'
        | 'B' | 'C' | 'Z'
            if rest.starts_with('\'') =>
        {
            return rest[1..].split_once('\'').map_or("", |(_, rest)| rest);
        }
        // Marks without width, and what asks for nothing to be shown.
        _ => {}
    }
    rest
}

/// A name of one letter, of two behind `(`, or of any number in brackets.
fn name(text: &str) -> (&str, &str) {
    if let Some(rest) = text.strip_prefix('(') {
        split_at(rest, 2)
    } else if let Some(rest) = text.strip_prefix('[') {
        rest.split_once(']').unwrap_or((rest, ""))
    } else {
        split_at(text, 1)
    }
}

/// Leaves out a size of type such as `-2`, `+1`, `10`, `(12`, `[12]`.
fn size(text: &str) -> &str {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned.starts_with(['(', '[']) { name(unsigned).1 } else { split_at(unsigned, 1).1 }
}

fn split_at(text: &str, characters: usize) -> (&str, &str) {
    let at = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    text.split_at(at)
}

/// The predefined strings that pages use.
fn string(name: &str) -> &'static str {
    match name {
        "Aq" => "'",
        "lq" | "Lq" => "“",
        "rq" | "Rq" => "”",
        "R" => "®",
        "Tm" => "™",
        _ => "",
    }
}

fn character(name: &str) -> &str {
    let known = CHARACTERS.iter().find(|(known, _)| *known == name);
    known.map_or_else(|| if name.is_ascii() { "" } else { name }, |(_, text)| text)
}

const CHARACTERS: &[(&str, &str)] = &[
    ("aq", "'"),
    ("dq", "\""),
    ("lq", "“"),
    ("rq", "”"),
    ("oq", "‘"),
    ("cq", "’"),
    ("em", "—"),
    ("en", "–"),
    ("hy", "-"),
    ("mi", "-"),
    ("bu", "•"),
    ("co", "©"),
    ("rg", "®"),
    ("tm", "™"),
    ("rs", "\\"),
    ("ha", "^"),
    ("ti", "~"),
    ("ga", "`"),
    ("at", "@"),
    ("sh", "#"),
    ("ba", "|"),
    ("or", "|"),
    ("br", "|"),
    ("lB", "["),
    ("rB", "]"),
    ("lC", "{"),
    ("rC", "}"),
    ("la", "⟨"),
    ("ra", "⟩"),
    ("Fo", "«"),
    ("Fc", "»"),
    ("->", "→"),
    ("<-", "←"),
    ("<=", "≤"),
    (">=", "≥"),
    ("!=", "≠"),
    ("==", "≡"),
    ("+-", "±"),
    ("mu", "×"),
    ("de", "°"),
    ("sc", "§"),
    ("dg", "†"),
    ("Do", "$"),
    ("Eu", "€"),
    ("ss", "ß"),
    (":a", "ä"),
    (":o", "ö"),
    (":u", "ü"),
    ("'e", "é"),
    ("`e", "è"),
    ("'a", "á"),
    ("'o", "ó"),
    ("'i", "í"),
    ("~n", "ñ"),
    (",c", "ç"),
    ("/o", "ø"),
    ("oA", "Å"),
    ("oa", "å"),
];

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn escapes_are_read() {
        for (line, expected) in [
            (r"\fBbold\fR and \f(CWcode\f[R]", "bold and code"),
            (r"a\-b \(em c\&. \[bu] \e", "a-b — c. • \\"),
            (r"it\*(Aqs \s-1SMALL\s0 \s+(12x", "it's SMALL x"),
            (r#"text \" a comment"#, "text "),
            (r"\h'4'wide\c", "wide"),
            (r"\", ""),
            (r"\(", ""),
            (r"\[é", "é"),
            (r"\f", ""),
        ] {
            assert_eq!(plain(line), expected, "{line}");
        }
    }
}
