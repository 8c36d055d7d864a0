//! How files are cut, told as `first-last kind section` a passage.

use super::*;

/// Sizes at which a few lines already have to be cut.
const SMALL: Sizes = Sizes { target: 100, max: 200 };

#[track_caller]
fn check(path: &str, text: &str, expected: &[&str]) {
    let extracted = extract(path, text.as_bytes(), Purpose::Code, SMALL).expect("not refused");
    let told: Vec<String> = extracted.passages.iter().map(tell).collect();
    assert_eq!(told, expected, "{path}");
    check_whole(text, &extracted.passages);
}

fn tell(passage: &Passage) -> String {
    let place = &passage.place;
    let told = format!("{}-{} {} {}", place.start_line, place.end_line, place.kind, place.section);
    told.trim_end().to_owned()
}

/// Every non-blank line is in the passages once, in order, and their places are those of the text.
#[track_caller]
pub(super) fn check_whole(text: &str, passages: &[Passage]) {
    let all: Vec<&str> = passages.iter().flat_map(|passage| passage.text.lines()).collect();
    let filled = |lines: Vec<&str>| -> Vec<String> {
        lines.into_iter().filter(|l| !l.trim().is_empty()).map(str::to_owned).collect()
    };
    assert_eq!(filled(all), filled(text.lines().collect()));
    for passage in passages {
        let place = &passage.place;
        assert_eq!(text[place.start_byte as usize..place.end_byte as usize], passage.text);
        let before = text[..place.start_byte as usize].matches('\n').count();
        assert_eq!(place.start_line as usize, before + 1);
        assert_eq!(place.end_line as usize, before + passage.text.matches('\n').count() + 1);
    }
}

#[test]
fn rust() {
    check(
        "src/router.rs",
        r#"//! Routes.

use std::collections::HashMap;

/// Finds handlers by path, however many of them there are.
pub struct Router {
    routes: HashMap<String, Handler>,
}

impl<S> Router<S> {
    /// Adds a route to this router.
    pub fn route(mut self, path: &str) -> Self {
        self.routes.insert(path.to_owned());
        self
    }

    fn large(&self) -> usize {
        let first = self.routes.len() + 1000;
        let second = self.routes.len() + 2000;
        first + second
    }
}

#[tokio::test]
async fn routes_are_found_by_their_path() {
    assert!(Router::default().find("/").is_some());
}
"#,
        &[
            "1-3 window",
            "5-8 struct Router",
            "10-10 impl Router",
            "11-15 method Router::route",
            "17-22 method Router::large",
            "24-27 test routes_are_found_by_their_path",
        ],
    );
}

#[test]
fn python() {
    check(
        "app.py",
        r#"import os

LIMIT = 10


class App(Base):
    """An application that answers requests."""

    @property
    def name(self) -> str:
        """The name of the application."""
        return self._name

    def run(self, host: str, port: int = 8000):
        server = make_server(host, port, self.dispatch)
        server.serve_forever()


def test_that_an_app_has_its_name():
    assert App("a").name == "a", "the name is that given"
"#,
        &[
            "1-3 constant LIMIT",
            "6-7 class App",
            "9-12 method App.name",
            "14-16 method App.run",
            "19-20 test test_that_an_app_has_its_name",
        ],
    );
}

#[test]
fn javascript() {
    check(
        "lib/app.js",
        r#"'use strict';

const http = require('http');

/**
 * Adds a handler to the application.
 */
app.use = function use(fn) {
  this.stack.push(fn);
};

export const listen = async (port, host = 'localhost') => {
  return http.createServer(this).listen(port, host);
};

describe('app', function () {
  it('listens where it is told to', function () {
    assert.equal(app.listen(80).port, 80);
  });
  it('adds handlers in their order', function () {
    assert.equal(app.use(f).stack[0], f);
  });
});
"#,
        &[
            "1-3 constant http",
            "5-10 function app.use",
            "12-14 function listen",
            "16-16 test app",
            "17-19 test app > listens where it is told to",
            "20-23 test app > adds handlers in their order",
        ],
    );
}

#[test]
fn typescript() {
    check(
        "src/store.ts",
        r#"import { Id } from './id'

export interface Store<T> {
  get(id: Id): Promise<T | undefined>
  put(id: Id, value: T): Promise<void>
}

export type Listener<T> = (value: T) => void

export default class MemoryStore<T> implements Store<T> {
  private values = new Map<Id, T>()

  async get(id: Id): Promise<T | undefined> {
    return this.values.get(id)
  }

  notify = (listener: Listener<T>) => {
    for (const value of this.values.values()) listener(value)
  }
}
"#,
        &[
            "1-1 window",
            "3-6 interface Store",
            "8-8 type Listener",
            "10-10 class MemoryStore",
            "11-11 class MemoryStore",
            "13-15 method MemoryStore.get",
            "17-20 method MemoryStore.notify",
        ],
    );
}

#[test]
fn go() {
    check(
        "server.go",
        r#"package server

import "net/http"

const DefaultPort = 8080

// Server answers requests until it is told to stop.
type Server struct {
	mux  *http.ServeMux
	port int
}

// Serve blocks until the server is stopped by Close.
func (s *Server) Serve() error {
	return http.ListenAndServe(s.addr(), s.mux)
}

func TestServerStops(t *testing.T) {
	server := New(DefaultPort)
	server.Close()
}
"#,
        &[
            "1-5 constant DefaultPort",
            "7-11 struct Server",
            "13-16 method Server.Serve",
            "18-21 test TestServerStops",
        ],
    );
}

#[test]
fn markdown() {
    check(
        "guide.md",
        r#"---
title: The guide
---

Before all.

# Guide

## C#

Some words on the language that fill more than a third of a passage.

```cs
# not a heading
var a = 1;

var b = 2; // a fence stays whole although it is longer than a passage may be, whatever it holds
```

### Setup

Short.

### Use

Short as well.

Setext `code`
-------------

| a | b |
|---|---|
| 1 | 2 |
"#,
        &[
            "1-5 section",
            "7-7 section Guide",
            "9-11 section Guide > C#",
            "13-18 section Guide > C#",
            "20-26 section Guide > C# > Setup",
            "28-33 section Guide > Setext code",
        ],
    );
}

#[test]
fn plain_text_and_unknown_files() {
    let notes = "Title\n=====\n\nWords.\n\nPart\n----\n\nMore words.\n";
    check("notes.rst", notes, &["1-4 section Title", "6-9 section Title > Part"]);
    check("LICENSE", "Permission is granted\n\nto all.\n", &["1-3 window"]);
    check("empty.rs", "", &[]);
    check("blank.md", "\n \n", &[]);
}

#[test]
fn restructured_text() {
    check(
        "guide.rst",
        "\
.. _guide:

=====
Guide
=====

Some code::

    Not a title
    -----------

    a line that makes the block longer than a passage may be, whatever else it may hold, and on
    and on it goes, until it is long enough

====  ====
 a     b
====  ====
 1     2
====  ====

.. _label:

Part
----

.. note:: A note.

+---+---+
| a | b |
+---+---+
| 1 | 2 |
+---+---+

Deeper
~~~~~~

.. code-block:: python

   x = 1

The end.
",
        &[
            "1-7 section Guide",
            "9-13 section Guide",
            "15-19 section Guide",
            "21-32 section Guide > Part",
            "34-41 section Guide > Part > Deeper",
        ],
    );
}

#[test]
fn asciidoc() {
    check(
        "guide.adoc",
        "\
= Guide
An Author
:toc:

Preamble.

[[install]]
== Install

.Commands
[source,sh]
----
== not a title

a line that makes the block longer than a passage may be, whatever else it may hold, and on it goes
and on it goes and on
----

Old title
~~~~~~~~~

|===
| a | b

| 1 | 2
|===

----
== A title, as nothing ends the block above
",
        &[
            "1-5 section Guide",
            "7-17 section Guide > Install",
            "19-28 section Guide > Install > Old title",
            "29-29 section Guide > A title, as nothing ends the block above",
        ],
    );
}

#[test]
fn what_goes_on_with_a_table_has_its_header() {
    #[track_caller]
    fn check(path: &str, above: &str, row: &str, below: &str, expected: &str) {
        let text = format!("{above}\n{}{below}", format!("{row}\n").repeat(9));
        let sizes = Sizes { target: 120, max: 120 };
        let read = extract(path, text.as_bytes(), Purpose::Docs, sizes).expect("not refused");
        let headers = read.passages.iter().map(|passage| passage.place.header.as_str());
        let headers: Vec<&str> = headers.collect();
        let (first, rest) = headers.split_first().expect("there are passages");
        assert!(first.is_empty() && rest.len() > 1, "{path}: {:#?}", read.passages);
        assert!(rest.iter().all(|header| *header == expected), "{path}: {headers:?}");
        assert!(read.passages.iter().all(|passage| passage.text.len() < 200));
        check_whole(&text, &read.passages);
    }
    let row = "| some words | and some more |";
    check("a.md", "| a | b |\n|---|---|", row, "", "| a | b |\n|---|---|");
    check("a.md", "| | |\n|-|-|", row, "", "");
    check("a.md", &format!("| {} | b |\n|---|---|", "a".repeat(99)), row, "", "");
    check("a.adoc", "|===\n| a | b\n", "| some words | more words", "|===", "|===\n| a | b");
    check(
        "a.adoc",
        "[%header]\n|===\n| a\n| b",
        "\n| words of a row\n| more words",
        "|===",
        "|===\n| a\n| b",
    );
    check("a.adoc", "|===", "\n| words of a row\n| more words", "|===", "");
    let simple = "===  ===\n a    b\n===  ===";
    check("a.rst", simple, "words  and more\n       words", "===  ===\n", simple);
    let grid = "+---+---+\n| a | b |\n+===+===+";
    check("a.rst", grid, "| words | more |\n|       | words |\n+---+---+", "", grid);
    check("a.rst", "+---+---+", "| words | more |\n|       | words |\n+---+---+", "", "");
}

#[test]
fn targets_of_links_are_hidden() {
    #[track_caller]
    fn check(path: &str, text: &str, visible: &str) {
        let read = extract(path, text.as_bytes(), Purpose::Docs, Sizes::DOCS).expect("not refused");
        let passage = read.passages[0].clone();
        let text = kitfox_core::Text::hiding(passage.text, passage.place.hidden);
        let parts = text.visible(0..text.as_str().len()).map(|range| &text.as_str()[range]);
        assert_eq!(parts.collect::<String>(), visible, "{path}");
    }
    check(
        "a.md",
        "See [the *guide*](c-api/x.md \"T\"), [`b`](<b c.md>).",
        "See [the *guide*], [`b`].",
    );
    check("a.md", "[![Alt](a.png)](b.md) ![](c.png) [](d.md)", "[![Alt]] ![] []");
    check(
        "a.md",
        "[a](b) `[c](d)` <http://e> [f]\n\n[f]: g 'h'\n",
        "[a] `[c](d)` <http://e> [f]\n\n[f]:",
    );
    check("a.md", "```\n[a](b)\n```\n\n[[Page]] \\[a](b)", "```\n[a](b)\n```\n\n[[Page]] \\[a](b)");
    check("a.html", "<p>See <a href=c-api/x.html>this</a>.", "See [this].");
    check(
        "a.rst",
        "See `the guide <c/x>`_, :doc:`x <y>` `<z>`_.\n\n.. _a: b",
        "See `the guide `_, :doc:`x ` `<z>`_.\n\n.. _a: ",
    );
    check("a.rst", "x::\n\n  `a <b>`_", "x::\n\n  `a <b>`_");
    check(
        "a.adoc",
        "See link:c/x.html[this], (https://a.b[c]) <<id,d>> http://e[].",
        "See [this], ([c]) d>> http://e[].",
    );
    check("a.adoc", "a[1], b, xref:c[d] x[y]", "a[1], b, [d] x[y]");
}

#[test]
fn signatures_end_before_the_body() {
    #[track_caller]
    fn check(path: &str, text: &str, expected: &str) {
        let extracted =
            extract(path, text.as_bytes(), Purpose::Code, Sizes::CODE).expect("not refused");
        assert_eq!(extracted.passages[0].place.signature, expected);
    }
    check(
        "a.rs",
        "/// Doc.\n#[inline]\npub fn a(\n    b: u8,\n) -> u8 {\n b }",
        "pub fn a( b: u8, ) -> u8",
    );
    check("a.py", "@cache\ndef a(b):\n    return b", "def a(b)");
    check(
        "a.ts",
        "export const a = (b: number) => { return b }",
        "export const a = (b: number) =>",
    );
    check("a.go", "type A struct {\n\tb int\n}", "type A struct");
}

#[test]
fn titles_come_from_the_document() {
    let title = |path: &str, text: &str| {
        extract(path, text.as_bytes(), Purpose::Code, Sizes::DOCS).expect("not refused").title
    };
    assert_eq!(title("a/b.md", "---\ntitle: \"T\"\n---\n# H\n"), "T");
    assert_eq!(title("a/b.md", "text\n\n## no\n\n# `useState` {/*x*/}\n"), "useState");
    assert_eq!(title("a/b.md", "text"), "b");
}

#[test]
fn front_matter_and_notes_are_text_too() {
    let note = "---\ndescription: On tea\ntags: [drinks]\n---\n\n## The [[Tea Pot|pot]] #hot\n\nSee [[Cup]].\n";
    let read = extract("a.md", note.as_bytes(), Purpose::Docs, Sizes::DOCS).expect("not refused");
    let text: String = read.passages.iter().map(|passage| passage.text.as_str()).collect();
    for words in ["description: On tea", "tags: [drinks]", "[[Cup]]", "Tea Pot|pot"] {
        assert!(text.contains(words), "{words}");
    }
    assert_eq!(read.outline[0].name, "The pot #hot");
}

#[test]
fn encodings() {
    let read =
        |bytes: &[u8]| extract("a.txt", bytes, Purpose::Code, Sizes::DOCS).expect("not refused");
    let marked = read(b"\xEF\xBB\xBFone\n");
    assert_eq!((marked.passages[0].text.as_str(), marked.passages[0].place.start_byte), ("one", 3));

    let wide = read(b"\xFF\xFEa\0\r\0\n\0b\0\n\0");
    assert_eq!(wide.passages[0].text, "a\r\nb");
    assert_eq!((wide.passages[0].place.start_byte, wide.passages[0].place.end_byte), (2, 10));

    let broken = read(b"caf\xC3\xA9 th\xC3\xA9\nb\xFF");
    assert_eq!(broken.passages[0].text, "café thé\nb\u{FFFD}");
    assert_eq!(broken.passages[0].place.end_byte, 13);
    assert_eq!(broken.problems, ["1 bytes that are not valid UTF-8 were replaced"]);
}

#[test]
fn encodings_are_detected() {
    #[track_caller]
    fn check(name: &str, bytes: &[u8], expected: &str, encoding: &str) {
        let read = extract(name, bytes, Purpose::Docs, Sizes::DOCS).expect("not refused");
        assert_eq!(read.passages[0].text, expected);
        assert_eq!(read.problems, [format!("not UTF-8: read as {encoding}")]);
        assert_eq!(read.passages[0].place.end_byte as usize, bytes.len());
    }
    check("a.txt", b"Le caf\xE9 est pr\xEAt.", "Le café est prêt.", "windows-1252");
    let russian = "Привет, мир! Это простой текст.";
    let (bytes, ..) = encoding_rs::WINDOWS_1251.encode(russian);
    check("a.txt", &bytes, russian, "windows-1251");
    let japanese = "これは日本語の文章です。";
    let (bytes, ..) = encoding_rs::SHIFT_JIS.encode(japanese);
    check("a.txt", &bytes, japanese, "Shift_JIS");
    let page = b"<meta http-equiv=x content='text/html; charset=iso-8859-2'><p>\xE8e\xB9tina";
    check("a.html", page, "čeština", "ISO-8859-2");
}

#[test]
fn a_body_that_cannot_be_parsed_costs_only_itself() {
    let text = "\
open class Shape(val side: Int) {
    fun area(): Int = when (side) {
        is Small if side > 1 -> side
        else -> side * side
    }

    override fun hashCode(): Int {
        return side
    }
}

object Shapes {
    fun all(): List<Shape> = listOf()
}
";
    let symbols = |text: &str| -> Vec<String> {
        let items = outline("a.kt", text.as_bytes()).expect("its syntax is known");
        items.into_iter().map(|item| item.symbol).collect()
    };
    let expected = ["Shape", "Shape.side", "Shape.area", "Shape.hashCode", "Shapes", "Shapes.all"];
    assert_eq!(symbols(text), expected);
    assert_eq!(symbols(&text.replace(" if side > 1", "")), expected);
}

#[test]
fn hostile_input_is_cut_all_the_same() {
    let nested = "[\n".repeat(10_000);
    let samples = [("a.js", nested.as_str()), ("a.py", "def (:\n  class\n"), ("a.rs", "}}}\nfn")];
    for (path, text) in samples {
        let extracted =
            extract(path, text.as_bytes(), Purpose::Code, Sizes::CODE).expect("not refused");
        check_whole(text, &extracted.passages);
    }
    let line = "word. ".repeat(5_000);
    let extracted =
        extract("a.md", line.as_bytes(), Purpose::Code, Sizes::DOCS).expect("not refused");
    assert!(extracted.passages.iter().all(|p| p.text.chars().count() <= Sizes::DOCS.max));
    let joined: Vec<&str> = extracted.passages.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(joined.join(" "), line.trim_end());
}
