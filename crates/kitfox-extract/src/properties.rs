//! What holds of every document: each character that is no white space lies in one passage, in its
//! order, where the place of that passage says.

use proptest::prelude::*;

use crate::{Purpose, Sizes, extract};

/// Lines that formats give a meaning to, and some that break it.
const LINES: &[&str] = &[
    "",
    "",
    "",
    "words of a sentence. And another one.",
    "# Title",
    "## Part",
    "### Deeper #",
    "=====",
    "-----",
    "~~~~",
    "```",
    "````rs",
    "~~~",
    "    indented",
    "- item",
    "  - deeper",
    "> quote",
    "| a | b |",
    "|---|---|",
    "|===",
    "====  ====",
    "+---+---+",
    "| 1 | 2 |",
    "---",
    "title: x",
    "+++",
    "== Title",
    "=== Part",
    "[source]",
    "[[anchor]]",
    ".Caption",
    "----",
    "....",
    "Code::",
    ".. code-block:: rust",
    ".. _label:",
    "   .. note:: x",
    "Ünïcödé 漢字 🦊\u{200d}\u{2028}",
    "\u{feff}mark",
    "<div>",
    "<!--",
    "-->",
    "[[Page|label]] #tag",
    "\tx\r",
    "***",
    "a long line with many words that has to be cut within since it is longer than a passage may be",
];

fn document() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        8 => prop::sample::select(LINES).prop_map(str::to_owned),
        1 => "\\PC{0,40}",
    ];
    let lines = prop::collection::vec(line, 0..40);
    (lines, prop::sample::select(&["\n", "\r\n"][..]), any::<bool>()).prop_map(
        |(lines, end, marked)| (if marked { "\u{feff}" } else { "" }).to_owned() + &lines.join(end),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_character_is_in_one_passage(text in document(), max in 20usize..200) {
        for name in ["a.md", "a.rst", "a.adoc", "a.txt"] {
            let sizes = Sizes { target: max, max };
            let read = extract(name, text.as_bytes(), Purpose::Docs, sizes).expect("not refused");
            let filled = |text: &str| text.split_whitespace().collect::<String>();
            let shown = text.strip_prefix('\u{feff}').unwrap_or(&text);
            let all: String = read.passages.iter().map(|passage| filled(&passage.text)).collect();
            prop_assert_eq!(all, filled(shown), "{}", name);
            let mut end = 0;
            for passage in &read.passages {
                let (first, last) = (passage.place.start_byte, passage.place.end_byte);
                prop_assert!(end <= first, "{} {:?}", name, passage.place);
                prop_assert_eq!(&text[first as usize..last as usize], &passage.text);
                end = last;
            }
        }
    }

    #[test]
    fn pages_of_any_kind_are_read(parts in prop::collection::vec(prop::sample::select(PARTS), 0..60)) {
        let page = parts.concat();
        for name in ["a.html", "a.1"] {
            let text = if name == "a.1" { format!(".TH X 1\n{page}") } else { page.clone() };
            let read = extract(name, text.as_bytes(), Purpose::Docs, Sizes::DOCS).expect("not refused");
            let lines = text.split_inclusive('\n').count() as u32;
            for passage in read.passages {
                let place = passage.place;
                prop_assert!(place.start_line <= place.end_line && place.end_line <= lines, "{:?}", place);
                prop_assert!(place.end_byte <= text.len() as u64, "{:?}", place);
            }
        }
    }
}

/// Parts of pages of HTML and of manual pages.
const PARTS: &[&str] = &[
    "<p>",
    "</p>",
    "<h1>",
    "</h1>",
    "<h3>",
    "<ul>",
    "<li>",
    "</ul>",
    "</li>",
    "<pre>",
    "</pre>",
    "<br>",
    "<table>",
    "<tr>",
    "<td>",
    "</td>",
    "</tr>",
    "</table>",
    "<a href=x>",
    "</a>",
    "<code>",
    "</code>",
    "<main>",
    "<article>",
    "<dl><dt>",
    "<dd>",
    "<blockquote>",
    "</blockquote>",
    "<script>",
    "</script>",
    "<nav>",
    "</div>",
    "text",
    " ",
    "\n",
    "\r",
    "&#10;",
    "é",
    "```",
    "\n.SH A\n",
    "\n.nf\n",
    "\n.fi\n",
    "\n.TP\n",
    "\n.It Fl a\n",
    "\n.Bl -enum\n",
    "\n.El\n",
    "\n.TS\n",
    "\n.IP \\(bu\n",
    "\\fB",
    "\\",
];
