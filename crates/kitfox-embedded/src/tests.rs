//! What the engine promises, on a real index in a temporary folder.

use std::path::Path;

use kitfox_conformance::Subject;
use kitfox_core::paths::PATH;
use kitfox_core::{
    Candidates, Document, Engine, Error, Expression, Filter, Heading, Phrase, Place, Search, Text,
    WordQuery,
};
use tempfile::TempDir;

use crate::EmbeddedEngine;

const DIMENSION: usize = 4;

fn document(path: &str, heading: &str, text: &str, vector: Option<[f32; 4]>) -> Document {
    Document {
        heading: Heading::new("", heading, ""),
        text: Text::new(text),
        values: vec![(PATH.to_owned(), path.into())],
        place: Place { section: heading.to_owned(), ..Place::default() },
        vector: vector.map(Vec::from),
        ..Document::default()
    }
}

fn open(directory: &Path) -> EmbeddedEngine {
    EmbeddedEngine::open(directory, DIMENSION).unwrap()
}

/// An index of four one-passage files.
fn library() -> (TempDir, EmbeddedEngine) {
    let directory = tempfile::tempdir().unwrap();
    let engine = open(directory.path());
    let mut writer = engine.writer().unwrap();
    for (path, heading, text, vector) in [
        ("auth/login.rs", "login", "fn getUserName checks the quick password", [1., 0., 0., 0.]),
        ("auth2/token.rs", "token", "tokens are signed with MP-BGP keys", [0., 1., 0., 0.]),
        ("docs/intro.md", "Intro", "quick brown fox, brown quick bear", [0.6, 0.8, 0., 0.]),
    ] {
        writer.put(path, vec![1], vec![document(path, heading, text, Some(vector))]).unwrap();
    }
    let blind = document("docs/cjk.md", "cjk", "検索する", None);
    writer.put("docs/cjk.md", vec![2], vec![blind]).unwrap();
    writer.commit().unwrap();
    (directory, engine)
}

fn search(engine: &EmbeddedEngine, search: Search) -> Candidates {
    engine.snapshot().unwrap().search(&search).unwrap()
}

fn words(filter: Filter, words: WordQuery) -> Search {
    Search { filter, words: Some(words), depth: 10, ..Search::default() }
}

fn groups(candidates: &Candidates) -> Vec<&str> {
    candidates.candidates.iter().map(|candidate| candidate.group.as_str()).collect()
}

fn phrase(words: &str) -> Expression {
    Expression::phrase(Phrase::of(words.trim_end_matches('*'), words.ends_with('*')))
}

struct Embedded;

impl Subject for Embedded {
    fn open(&self, folder: &Path) -> Box<dyn Engine> {
        Box::new(EmbeddedEngine::open(folder, kitfox_conformance::DIMENSION).unwrap())
    }
}

#[test]
fn it_keeps_the_contract() {
    kitfox_conformance::check_cases(&Embedded);
}

/// `KITFOX_HISTORIES` asks for more than the few of an ordinary run.
#[test]
fn it_answers_as_the_engine_in_memory_does() {
    let asked = std::env::var("KITFOX_HISTORIES").ok().and_then(|count| count.parse().ok());
    let begun = std::time::Instant::now();
    let compared = kitfox_conformance::compare_histories(&Embedded, 7, asked.unwrap_or(6));
    println!("{compared:?} in {:.0} s", begun.elapsed().as_secs_f64());
}

#[test]
fn words_are_matched_exactly_as_phrases_and_prefixes() {
    let (_directory, engine) = library();
    let and = |a: &str, b: &str| Expression::And(Box::new(phrase(a)), Box::new(phrase(b)));
    let or = |a: &str, b: &str| Expression::Or(Box::new(phrase(a)), Box::new(phrase(b)));
    let not = |a: &str, b: &str| Expression::Not(Box::new(phrase(a)), Box::new(phrase(b)));
    for (expression, expected) in [
        (phrase("QUICK"), vec!["auth/login.rs", "docs/intro.md"]),
        (phrase("quick brown"), vec!["docs/intro.md"]),
        (phrase("brown fox brown"), vec!["docs/intro.md"]),
        (phrase("fox quick"), vec![]),
        (phrase("token"), vec!["auth2/token.rs"]),
        (phrase("sign"), vec![]),
        (phrase("sign*"), vec!["auth2/token.rs"]),
        (phrase("mp-b*"), vec!["auth2/token.rs"]),
        (phrase("MP-BGP"), vec!["auth2/token.rs"]),
        (phrase("検索"), vec!["docs/cjk.md"]),
        (phrase(""), vec![]),
        (and("quick", "fox"), vec!["docs/intro.md"]),
        (or("fox", "signed"), vec!["auth2/token.rs", "docs/intro.md"]),
        (not("quick", "fox"), vec!["auth/login.rs"]),
    ] {
        let found = search(&engine, words(Filter::All, WordQuery::matching(expression.clone())));
        assert_eq!(groups(&found), expected, "{expression:?}");
        assert_eq!(found.matched, expected.len(), "{expression:?}");
    }
}

#[test]
fn plain_language_finds_stems_and_identifier_parts() {
    let (_directory, engine) = library();
    for (query, expected) in [
        ("what signs the keys", vec!["auth2/token.rs"]),
        ("user names", vec!["auth/login.rs"]),
        ("getusername", vec!["auth/login.rs"]),
        ("nothing of this", vec![]),
    ] {
        let found = search(&engine, words(Filter::All, WordQuery::any(query.to_owned())));
        assert_eq!(groups(&found), expected, "{query:?}");
    }
}

#[test]
fn filters_restrict_both_legs() {
    let (_directory, engine) = library();
    let all = ["auth/login.rs", "auth2/token.rs", "docs/cjk.md", "docs/intro.md"];
    let below = |path: &str| Filter::below(PATH, path);
    let is = |path: &str| Filter::is(PATH, path);
    for (filter, expected) in [
        (Filter::All, all.to_vec()),
        (below(""), all.to_vec()),
        (below("auth"), vec!["auth/login.rs"]),
        (below("docs/intro.md"), vec!["docs/intro.md"]),
        (Filter::starts_with(PATH, "auth"), vec!["auth/login.rs", "auth2/token.rs"]),
        (Filter::one_of(PATH, []), vec![]),
        (Filter::Or(vec![is("docs/intro.md"), below("auth")]), vec![all[0], all[3]]),
        (Filter::And(vec![below("docs"), Filter::Not(Box::new(is("docs/cjk.md")))]), vec![all[3]]),
        (Filter::And(vec![]), all.to_vec()),
        (Filter::Or(vec![]), vec![]),
    ] {
        let vector = Some(vec![1., 0., 0., 0.]);
        let query = WordQuery::matching(phrase("検索"));
        let request = Search {
            filter: filter.clone(),
            words: Some(query),
            vector,
            depth: 10,
            ..Search::default()
        };
        let found = search(&engine, request);
        assert_eq!(groups(&found), expected, "{filter:?}");
        assert_eq!(found.filtered, expected.len(), "{filter:?}");
    }
}

#[test]
fn many_short_runs_leave_few_segments() {
    let directory = tempfile::tempdir().unwrap();
    let engine = open(directory.path());
    for run in 0..40 {
        let mut writer = engine.writer().unwrap();
        let path = format!("{run}.md");
        writer.put(&path, vec![], vec![document(&path, "", "text", None)]).unwrap();
        writer.commit().unwrap();
    }
    let files = std::fs::read_dir(directory.path()).unwrap().map(|file| file.unwrap().path());
    let segments = files.filter(|file| file.extension().is_some_and(|end| end == "store")).count();
    assert!(segments < 20, "{segments} segments");
}

#[test]
fn candidates_carry_the_scores_of_both_legs() {
    let (_directory, engine) = library();
    let request = Search {
        filter: Filter::All,
        words: Some(WordQuery::any("fox")),
        vector: Some(vec![1., 0., 0., 0.]),
        depth: 1,
        ..Search::default()
    };
    let found = search(&engine, request);
    assert_eq!(groups(&found), ["auth/login.rs", "docs/intro.md"], "the best of each leg");
    let [login, intro] = &found.candidates[..] else { unreachable!() };
    assert_eq!(login.bm25, 0.0);
    assert!(intro.bm25 > 0.0);
    assert!((login.cosine.unwrap() - 1.0).abs() < 0.01);
    assert!((intro.cosine.unwrap() - 0.6).abs() < 0.01);
    let stored = engine.snapshot().unwrap().fetch(&[intro.address]).unwrap();
    assert_eq!(stored[0].text, "quick brown fox, brown quick bear");
    assert_eq!(stored[0].place.section, "Intro");
}

#[test]
fn a_vector_of_another_length_is_an_error() {
    let (_directory, engine) = library();
    let short = Search { vector: Some(vec![1.0]), depth: 1, ..Search::default() };
    let error = engine.snapshot().unwrap().search(&short).unwrap_err();
    assert!(matches!(error, Error::Dimension { expected: 4, found: 1 }), "{error}");
}

#[test]
fn a_group_is_replaced_touched_and_removed_as_one() {
    let (directory, engine) = library();
    let before = engine.snapshot().unwrap();
    let mut writer = engine.writer().unwrap();
    let two = ["first", "second"].map(|text| document("docs/intro.md", "Intro", text, None));
    writer.put("docs/intro.md", vec![9], two.to_vec()).unwrap();
    writer.touch("auth/login.rs", vec![8]).unwrap();
    writer.remove("auth2/token.rs").unwrap();
    writer.put("empty.bin", vec![7], vec![]).unwrap();
    assert_eq!(engine.snapshot().unwrap().groups().unwrap().len(), 4, "not committed yet");
    writer.commit().unwrap();
    drop(writer);

    assert_eq!(before.groups().unwrap().len(), 4, "a snapshot never changes");
    assert_eq!(before.group("docs/intro.md").unwrap().len(), 1);
    for engine in [&engine, &open(directory.path())] {
        let after = engine.snapshot().unwrap();
        let texts: Vec<String> =
            after.group("docs/intro.md").unwrap().into_iter().map(|found| found.text).collect();
        assert_eq!(texts, ["first", "second"]);
        assert_eq!(after.state("auth/login.rs").unwrap(), Some(vec![8]));
        assert_eq!(after.state("auth2/token.rs").unwrap(), None);
        assert_eq!(after.group("auth/login.rs").unwrap().len(), 1);
        let stats = after.stats().unwrap();
        assert_eq!((stats.groups, stats.documents, stats.embedded), (4, 4, 1));
        assert_eq!(engine.check().unwrap(), []);
    }
}

#[test]
fn groups_below_a_path_are_those_of_its_folder_and_its_own() {
    let (_directory, engine) = library();
    let snapshot = engine.snapshot().unwrap();
    for (path, expected) in [
        ("", &["auth/login.rs", "auth2/token.rs", "docs/cjk.md", "docs/intro.md"] as &[&str]),
        ("auth", &["auth/login.rs"]),
        ("docs", &["docs/cjk.md", "docs/intro.md"]),
        ("docs/cjk.md", &["docs/cjk.md"]),
        ("doc", &[]),
    ] {
        let found = snapshot.groups_below(path).unwrap();
        let names: Vec<&str> = found.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, expected, "below {path:?}");
    }
}

#[test]
fn there_is_one_writer_and_what_it_did_not_commit_is_forgotten() {
    let (directory, engine) = library();
    let writer = engine.writer().unwrap();
    assert!(matches!(open(directory.path()).writer().map(drop), Err(Error::Busy)));
    writer.put("new.md", vec![], vec![document("new.md", "New", "new", None)]).unwrap();
    drop(writer);
    let mut writer = engine.writer().unwrap();
    writer.commit().unwrap();
    assert_eq!(engine.snapshot().unwrap().groups().unwrap().len(), 4);
}

#[test]
fn another_process_sees_a_commit_at_its_next_snapshot() {
    let (directory, engine) = library();
    let other = open(directory.path());
    assert_eq!(other.snapshot().unwrap().groups().unwrap().len(), 4);
    let mut writer = engine.writer().unwrap();
    writer.remove("docs/cjk.md").unwrap();
    writer.commit().unwrap();
    assert_eq!(other.snapshot().unwrap().groups().unwrap().len(), 3);
}

#[test]
fn damage_is_found() {
    for kind in [".idx", ".store", ".vec", "groups-", "meta.json"] {
        let (directory, engine) = library();
        let damaged = std::fs::read_dir(directory.path())
            .unwrap()
            .map(|file| file.unwrap().path())
            .find(|path| path.to_str().unwrap().contains(kind))
            .unwrap();
        let mut bytes = std::fs::read(&damaged).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        std::fs::write(&damaged, bytes).unwrap();
        drop(engine);
        let found = match EmbeddedEngine::open(directory.path(), DIMENSION) {
            Ok(engine) => !engine.check().unwrap().is_empty(),
            Err(error) => matches!(error, Error::Damaged { .. }),
        };
        assert!(found, "a flipped byte in {kind}");
    }
}
