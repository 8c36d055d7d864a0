//! Patterns asked of SQLite's FTS5 and of an index, over the same chunks.

use std::collections::BTreeSet;
use std::fmt::Write;

use fastrand::Rng;
use kitfox_core::{Column, Document, Engine, Filter, Heading, Search, Snapshot, Text, WordQuery};
use kitfox_embedded::EmbeddedEngine;
use rusqlite::Connection;
use tempfile::TempDir;

use super::{Pattern, read};

const QUERIES: usize = 10_000;
const CHUNKS: usize = 240;
const WORDS: &[&str] = &[
    "route",
    "router",
    "routes",
    "bgp",
    "ospf",
    "naïve",
    "Ünïcode",
    "straße",
    "snake_case",
    "v1",
    "2",
    "andy",
    "x",
    "near",
    "Config",
    "configure",
];

/// What stands in the columns of a chunk, in the order of [`Column::ALL`].
type Chunk = [String; Column::ALL.len()];

/// The same chunks in both.
struct Both {
    sqlite: Connection,
    index: Box<dyn Snapshot>,
    _folder: TempDir,
}

impl Both {
    /// Chunks are numbered from 0; each of several commits holds some.
    fn new(chunks: &[Chunk]) -> Both {
        let sqlite = Connection::open_in_memory().unwrap();
        sqlite
            .execute_batch(
                "CREATE VIRTUAL TABLE chunks USING fts5(text, section, title, path, \
                 tokenize = 'unicode61 remove_diacritics 2')",
            )
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let engine = EmbeddedEngine::open(folder.path(), 4).unwrap();
        let mut writer = engine.writer().unwrap();
        for (chunk, number) in chunks.iter().zip(0_usize..) {
            let [text, section, title, path] = chunk;
            let row = (number as i64, text, section, title, path);
            sqlite
                .execute(
                    "INSERT INTO chunks(rowid, text, section, title, path) VALUES(?, ?, ?, ?, ?)",
                    row,
                )
                .unwrap();
            let heading = Heading::new(title, section, path);
            let document = Document { heading, text: Text::new(text), ..Document::default() };
            writer.put(&number.to_string(), Vec::new(), vec![document]).unwrap();
            if number % 100 == 99 {
                writer.commit().unwrap();
            }
        }
        writer.commit().unwrap();
        drop(writer);
        Both { sqlite, index: engine.snapshot().unwrap(), _folder: folder }
    }

    fn found_by_fts5(&self, pattern: &str) -> BTreeSet<i64> {
        let query = "SELECT rowid FROM chunks WHERE chunks MATCH ?";
        let mut statement = self.sqlite.prepare(query).unwrap();
        let rows = statement.query_map([pattern], |row| row.get(0)).unwrap();
        rows.map(|row| row.unwrap_or_else(|error| panic!("{pattern}: {error}"))).collect()
    }

    fn found(&self, pattern: &Pattern) -> BTreeSet<i64> {
        let words = Some(WordQuery::matching(pattern.expression.clone()));
        let search = Search { filter: Filter::All, words, depth: CHUNKS, ..Search::default() };
        let found = self.index.search(&search).unwrap();
        found.candidates.iter().map(|candidate| candidate.group.parse().unwrap()).collect()
    }
}

/// A random pattern as it is written here and as it is for FTS5, where words that name no column are
/// looked for in all.
#[derive(Default)]
struct Written {
    here: String,
    fts5: String,
    random: Rng,
}

impl Written {
    fn push(&mut self, text: &str) {
        self.here.push_str(text);
        self.fts5.push_str(text);
    }

    fn push_one_of(&mut self, texts: &[&str]) {
        let at = self.random.usize(..texts.len());
        self.push(texts[at]);
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.random.usize(..many) == 0
    }

    /// White space that may as well be left out.
    fn gap(&mut self) {
        if self.one_in(3) {
            self.push_one_of(&[" ", "  ", "\t", "\n"]);
        }
    }

    fn expression(&mut self, depth: usize, is_filtered: bool) {
        match self.random.usize(..if depth == 0 { 2 } else { 9 }) {
            0..3 => self.list(is_filtered),
            3..7 => {
                self.expression(depth - 1, is_filtered);
                self.push_one_of(&[" AND ", " OR ", " NOT ", "\nNOT\t"]);
                self.expression(depth - 1, is_filtered);
            }
            7 => self.parenthesised(depth - 1, is_filtered),
            _ => {
                self.columns();
                self.parenthesised(depth - 1, true);
            }
        }
    }

    fn parenthesised(&mut self, depth: usize, is_filtered: bool) {
        self.push("(");
        self.gap();
        self.expression(depth, is_filtered);
        self.gap();
        self.push(")");
    }

    fn list(&mut self, is_filtered: bool) {
        for at in 0..1 + self.random.usize(..4) / 2 {
            if at > 0 {
                self.push(" ");
            }
            if self.one_in(3) {
                self.columns();
            } else if !is_filtered {
                self.fts5.push_str("{text section} : ");
            }
            self.near();
        }
    }

    fn columns(&mut self) {
        if self.one_in(4) {
            self.push("-");
            self.gap();
        }
        let name = |random: &mut Rng| {
            let name = Column::ALL[random.usize(..4)].name();
            [name.to_owned(), name.to_uppercase(), format!("\"{name}\"")][random.usize(..3)].clone()
        };
        if self.one_in(2) {
            let name = name(&mut self.random);
            self.push(&name);
        } else {
            let names: Vec<String> =
                (0..1 + self.random.usize(..3)).map(|_| name(&mut self.random)).collect();
            self.push(&format!("{{{}}}", names.join(" ")));
        }
        self.gap();
        self.push(":");
        self.gap();
    }

    fn near(&mut self) {
        if !self.one_in(3) {
            if self.one_in(4) {
                self.push("^");
                self.gap();
            }
            return self.phrase();
        }
        self.push("NEAR");
        self.gap();
        self.push("(");
        for at in 0..1 + self.random.usize(..3) {
            if at > 0 {
                self.push(" ");
            }
            self.phrase();
        }
        if self.one_in(2) {
            self.gap();
            self.push(",");
            self.gap();
            let within = self.random.usize(..5).to_string();
            self.push(&within);
        }
        self.gap();
        self.push(")");
    }

    fn phrase(&mut self) {
        self.string();
        while self.one_in(4) {
            self.gap();
            self.push("+");
            self.gap();
            self.string();
        }
    }

    fn string(&mut self) {
        let mut word = WORDS[self.random.usize(..WORDS.len())].to_owned();
        if self.one_in(4) {
            let between = [" ", "-", ". ", "::"][self.random.usize(..4)];
            let _ = write!(word, "{between}{}", WORDS[self.random.usize(..WORDS.len())]);
            word = format!("\"{word}\"");
        } else if self.one_in(4) {
            let cut = word.ceil_char_boundary(1 + self.random.usize(..4));
            word.truncate(cut);
            if self.one_in(3) {
                word = format!("\"{word}\"");
            }
            word.push_str([" *", "*"][self.random.usize(..2)]);
        }
        self.push(&word);
    }
}

fn chunk(random: &mut Rng) -> Chunk {
    [12, 4, 3, 4].map(|longest| {
        let words = (0..random.usize(..=longest)).map(|_| WORDS[random.usize(..WORDS.len())]);
        words.collect::<Vec<_>>().join([" ", "/"][random.usize(..2)])
    })
}

#[test]
fn what_fts5_accepts_finds_what_it_finds() {
    let mut random = Rng::with_seed(5);
    let both = Both::new(&(0..CHUNKS).map(|_| chunk(&mut random)).collect::<Vec<_>>());
    let mut telling = 0;
    for seed in 0..QUERIES {
        let mut written = Written { random: Rng::with_seed(seed as u64), ..Written::default() };
        written.expression(3, false);
        let Written { here, fts5, .. } = written;
        let pattern = read(&here).unwrap_or_else(|error| panic!("{here}: {error:?}"));
        assert_eq!(pattern.interpreted_as, None, "{here}");
        let expected = both.found_by_fts5(&fts5);
        assert_eq!(both.found(&pattern), expected, "{here}\n{pattern:?}");
        telling += usize::from(!expected.is_empty() && expected.len() < CHUNKS);
    }
    println!("{QUERIES} patterns, {telling} of which find some and not all");
    assert!(telling > QUERIES / 3, "{telling}");
}

#[test]
fn what_is_wanted_otherwise() {
    for (column, content, pattern, in_fts5, here) in [
        (Column::Text, "x 2", "x^2", false, true),
        (Column::Text, "full text x", "full-text: x", false, true),
        (Column::Text, "a", "a AND \"\"", false, true),
        (Column::Text, "a \u{FB01}le", "file", false, true),
        (Column::Text, "a \u{FF46}\u{FF49}le", "file", false, true),
        (Column::Text, "検索する", "検索", false, true),
        (Column::Text, "in C++17", "\"C++\"", true, true),
        (Column::Text, "a C compiler", "\"C++\"", true, false),
        (Column::Text, "a C compiler", "\"C#\"", true, false),
        (Column::Text, "C# and C++", "C", true, false),
        (Column::Text, "C#minor c++x", "C", true, true),
        (Column::Text, "an F# program", "\"f#\" program", true, true),
        (Column::Title, "a", "a", true, false),
        (Column::Path, "a", "a", true, false),
    ] {
        let mut chunk = Chunk::default();
        chunk[column as usize] = content.to_owned();
        let both = Both::new(&[chunk]);
        let found = !both.found(&read(pattern).unwrap()).is_empty();
        let found_by_fts5 = !both.found_by_fts5(pattern).is_empty();
        assert_eq!((found_by_fts5, found), (in_fts5, here), "{pattern:?} in {content:?}");
    }
}
