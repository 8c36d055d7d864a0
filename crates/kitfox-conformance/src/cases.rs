//! The contract sentence by sentence.

use std::path::Path;

use kitfox_core::{
    Column, Columns, Direction, Document, Engine, Error, Expression, Filter, Heading, Near, Order,
    Phrase, Scan, Search, Selection, Start, Text, Value, WordQuery,
};

use crate::{DIMENSION, Subject};

/// Checks each sentence of the contract by an example.
///
/// # Panics
/// Where the engine breaks it.
pub fn check_cases(subject: &dyn Subject) {
    for case in [
        an_empty_engine_answers,
        a_batch_is_seen_whole_or_not_at_all,
        there_is_one_writer,
        what_is_not_committed_is_forgotten,
        a_snapshot_never_changes,
        touching_keeps_documents,
        phrases_are_near_one_another_in_one_column,
        ties_go_to_the_first_group,
        candidates_tell_which_marks_they_meet,
        a_vector_of_another_length_is_an_error,
        documents_without_a_value_come_last_either_way,
        pages_lose_and_repeat_nothing_while_others_change,
        long_and_strange_values_are_kept_apart,
    ] {
        let folder = tempfile::tempdir().unwrap();
        case(&|| subject.open(folder.path()), folder.path());
    }
}

type Open<'a> = &'a dyn Fn() -> Box<dyn Engine>;

fn document(text: &str, values: &[(&str, Value)]) -> Document {
    Document {
        text: Text::new(text),
        values: values.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect(),
        ..Document::default()
    }
}

fn put(engine: &dyn Engine, groups: &[(&str, Vec<Document>)]) {
    let mut writer = engine.writer().unwrap();
    for (group, documents) in groups {
        writer.put(group, group.as_bytes().to_vec(), documents.clone()).unwrap();
    }
    writer.commit().unwrap();
}

fn names(engine: &dyn Engine) -> Vec<String> {
    let groups = engine.snapshot().unwrap().groups().unwrap();
    groups.into_iter().map(|group| group.name).collect()
}

fn all() -> Selection {
    Selection::of(Filter::All)
}

fn by(path: &str, direction: Direction) -> Vec<Order> {
    vec![Order { path: path.to_owned(), direction }]
}

fn an_empty_engine_answers(open: Open<'_>, _: &Path) {
    let engine = open();
    let snapshot = engine.snapshot().unwrap();
    assert!(snapshot.groups().unwrap().is_empty());
    assert!(snapshot.group("nothing").unwrap().is_empty());
    assert_eq!(snapshot.state("nothing").unwrap(), None);
    assert_eq!(snapshot.count(&all()).unwrap(), 0);
    assert_eq!(snapshot.facets(&all(), &["x"], 3).unwrap(), [Default::default()]);
    let words = Some(WordQuery::any("nothing"));
    let vector = Some(vec![1.0; DIMENSION]);
    let search = Search { words, vector, depth: 10, ..Search::default() };
    assert_eq!(snapshot.search(&search).unwrap(), Default::default());
    assert_eq!(engine.check().unwrap(), []);
}

fn a_batch_is_seen_whole_or_not_at_all(open: Open<'_>, _: &Path) {
    let (engine, other) = (open(), open());
    let mut writer = engine.writer().unwrap();
    writer.put("a", vec![1], vec![document("one", &[]), document("two", &[])]).unwrap();
    writer.put("b", vec![2], vec![]).unwrap();
    assert!(names(&*engine).is_empty());
    writer.commit().unwrap();
    for engine in [&engine, &other] {
        assert_eq!(names(&**engine), ["a", "b"]);
        let stored = engine.snapshot().unwrap().group("a").unwrap();
        let numbered: Vec<_> = stored.iter().map(|s| (s.number, s.text.as_str())).collect();
        assert_eq!(numbered, [(0, "one"), (1, "two")]);
    }
}

fn there_is_one_writer(open: Open<'_>, _: &Path) {
    let (engine, other) = (open(), open());
    let writer = engine.writer().unwrap();
    for engine in [&engine, &other] {
        assert!(matches!(engine.writer().map(drop), Err(Error::Busy)));
    }
    drop(writer);
    drop(other.writer().unwrap());
}

fn what_is_not_committed_is_forgotten(open: Open<'_>, _: &Path) {
    let engine = open();
    put(&*engine, &[("a", vec![document("kept", &[])])]);
    let writer = engine.writer().unwrap();
    writer.put("b", vec![], vec![document("forgotten", &[])]).unwrap();
    writer.remove("a").unwrap();
    drop(writer);
    engine.writer().unwrap().commit().unwrap();
    assert_eq!(names(&*engine), ["a"]);
    assert_eq!(names(&*open()), ["a"]);
}

fn a_snapshot_never_changes(open: Open<'_>, _: &Path) {
    let engine = open();
    put(&*engine, &[("a", vec![document("old", &[])]), ("b", vec![document("old", &[])])]);
    let before = engine.snapshot().unwrap();
    put(&*engine, &[("a", vec![document("new", &[])])]);
    let mut writer = engine.writer().unwrap();
    writer.remove("b").unwrap();
    writer.compact().unwrap();
    assert_eq!(before.groups().unwrap().len(), 2);
    assert_eq!(before.group("a").unwrap()[0].text, "old");
    assert_eq!(before.count(&all()).unwrap(), 2);
    assert_eq!(engine.snapshot().unwrap().count(&all()).unwrap(), 1);
}

fn touching_keeps_documents(open: Open<'_>, _: &Path) {
    let engine = open();
    put(&*engine, &[("a", vec![document("kept", &[])])]);
    let mut writer = engine.writer().unwrap();
    writer.touch("a", vec![9]).unwrap();
    writer.touch("unknown", vec![9]).unwrap();
    writer.commit().unwrap();
    let snapshot = engine.snapshot().unwrap();
    assert_eq!(snapshot.state("a").unwrap(), Some(vec![9]));
    assert_eq!(snapshot.state("unknown").unwrap(), None);
    assert_eq!(snapshot.group("a").unwrap()[0].text, "kept");
}

fn phrases_are_near_one_another_in_one_column(open: Open<'_>, _: &Path) {
    let engine = open();
    let heading = Heading::over_rows("Guide to routes", "Setup > Linux", "net/ospf.md", "| Zero |");
    let text = Text::new("one two three four five six two");
    put(&*engine, &[("a", vec![Document { heading, text, ..Document::default() }])]);
    let snapshot = engine.snapshot().unwrap();
    for (phrases, within, columns, expected) in [
        (&["one", "four"][..], 2, Columns::BARE, true),
        (&["four", "one"], 2, Columns::BARE, true),
        (&["four", "one"], 1, Columns::BARE, false),
        (&["one two", "five six"], 2, Columns::BARE, true),
        (&["one two", "five six"], 1, Columns::BARE, false),
        (&["one", "three", "five"], 2, Columns::BARE, false),
        (&["one", "three", "five"], 3, Columns::BARE, true),
        (&["one two three", "two"], 0, Columns::BARE, true),
        (&["two", "two"], 0, Columns::BARE, true),
        (&["t*", "six"], 0, Columns::BARE, true),
        (&["one", "linux"], 9, Columns::BARE, false),
        (&["setup", "linux"], 0, Columns::BARE, true),
        (&["guide", "routes"], 1, Columns::BARE, false),
        (&["guide", "routes"], 1, Columns::ALL, true),
        (&["^zero one", "three"], 1, Columns::BARE, true),
        (&["^zero"], 0, [Column::Text].into_iter().collect::<Columns>().others(), false),
        (&["^two", "three"], 1, Columns::BARE, false),
        (&["^linux"], 0, Columns::ALL, false),
        (&["^setup li*"], 0, Columns::BARE, true),
        (&["ospf md"], 0, [Column::Path].into_iter().collect(), true),
        (&["ospf md"], 0, [Column::Path].into_iter().collect::<Columns>().others(), false),
        (&["one"], 0, Columns::ALL.others(), false),
        (&["one", ""], 0, Columns::ALL, false),
        (&[], 0, Columns::ALL, false),
    ] {
        let phrases = phrases.iter().map(|phrase| Phrase {
            is_first: phrase.starts_with('^'),
            ..Phrase::of(phrase, phrase.ends_with('*'))
        });
        let near = Near { phrases: phrases.collect(), within, columns };
        let words = Some(WordQuery::matching(Expression::Near(near)));
        let selection = Selection { filter: Filter::All, words };
        let found = snapshot.count(&selection).unwrap();
        assert_eq!(found, usize::from(expected), "{selection:?}");
    }
}

fn ties_go_to_the_first_group(open: Open<'_>, _: &Path) {
    let engine = open();
    let same = || Document { vector: Some(vec![1.0; DIMENSION]), ..document("same", &[]) };
    for group in ["c", "b", "d", "a"] {
        put(&*engine, &[(group, vec![same(), same()])]);
    }
    for (words, vector) in
        [(Some(WordQuery::any("same")), None), (None, Some(vec![1.0; DIMENSION]))]
    {
        let search = Search { words, vector, depth: 3, ..Search::default() };
        let found = engine.snapshot().unwrap().search(&search).unwrap();
        let found: Vec<_> = found.candidates.iter().map(|c| (c.group.as_str(), c.number)).collect();
        assert_eq!(found, [("a", 0), ("a", 1), ("b", 0)]);
    }
}

fn candidates_tell_which_marks_they_meet(open: Open<'_>, _: &Path) {
    let engine = open();
    let of = |value: &str| document("same", &[("x", value.into())]);
    put(&*engine, &[("a", vec![of("one"), of("two")]), ("b", vec![document("same", &[])])]);
    let words = Some(WordQuery::any("same"));
    let marks = vec![Filter::is("x", "two"), Filter::All, Filter::is("y", "two")];
    let search = Search { words, depth: 10, marks, ..Search::default() };
    let found = engine.snapshot().unwrap().search(&search).unwrap();
    let marks: Vec<_> = found.candidates.iter().map(|c| c.marks.as_slice()).collect();
    assert_eq!(marks, [[false, true, false], [true, true, false], [false, true, false]]);
}

fn a_vector_of_another_length_is_an_error(open: Open<'_>, _: &Path) {
    let engine = open();
    let full = Document { vector: Some(vec![1.0; DIMENSION]), ..document("x", &[]) };
    put(&*engine, &[("a", vec![full])]);
    let search = Search { vector: Some(vec![1.0]), depth: 1, ..Search::default() };
    let found = engine.snapshot().unwrap().search(&search);
    assert!(matches!(found, Err(Error::Dimension { expected: DIMENSION, found: 1 })));
}

fn documents_without_a_value_come_last_either_way(open: Open<'_>, _: &Path) {
    let engine = open();
    let of = |value: Value| vec![document("", &[("x", value)])];
    put(
        &*engine,
        &[
            ("none", vec![document("", &[])]),
            ("null", of(Value::Null)),
            ("two", vec![document("", &[("x", "b".into()), ("x", "d".into())])]),
            ("one", of("c".into())),
            ("yes", of(Value::Bool(true))),
        ],
    );
    for (direction, expected) in [
        (Direction::Ascending, ["yes", "two", "one", "none", "null"]),
        (Direction::Descending, ["two", "one", "yes", "none", "null"]),
    ] {
        let scan =
            Scan { selection: all(), order: by("x", direction), start: Start::First, limit: 9 };
        let rows = engine.snapshot().unwrap().scan(&scan).unwrap();
        let groups: Vec<&str> = rows.iter().map(|row| row.position.group.as_str()).collect();
        assert_eq!(groups, expected, "{direction:?}");
    }
}

fn pages_lose_and_repeat_nothing_while_others_change(open: Open<'_>, _: &Path) {
    let engine = open();
    let of = |value: &str| vec![document("", &[("x", value.into())])];
    let steady = ["b", "d", "f", "h"];
    for value in steady {
        put(&*engine, &[(value, of(value)), ("passing", of("c"))]);
    }
    let mut seen: Vec<String> = Vec::new();
    let mut start = Start::First;
    for change in ["a", "e", "z", "d2", ""] {
        let order = by("x", Direction::Ascending);
        let scan = Scan { selection: all(), order, start: start.clone(), limit: 2 };
        let rows = engine.snapshot().unwrap().scan(&scan).unwrap();
        seen.extend(rows.iter().map(|row| row.position.group.clone()));
        if let Some(last) = rows.last() {
            start = Start::After(last.position.clone());
        }
        let mut writer = engine.writer().unwrap();
        writer.put("passing", vec![], of(change)).unwrap();
        writer.commit().unwrap();
    }
    seen.retain(|group| group != "passing");
    assert_eq!(seen, steady);
}

fn long_and_strange_values_are_kept_apart(open: Open<'_>, _: &Path) {
    let engine = open();
    let long = "x".repeat(Value::MAX_TEXT_BYTES - 1);
    let values = [long.clone(), format!("{long}y"), "a\u{0}b".into(), "a.b".into(), "\\".into()];
    let groups: Vec<(String, Vec<Document>)> = values
        .iter()
        .enumerate()
        .map(|(at, value)| {
            (at.to_string(), vec![document("", &[("a\\.b", value.as_str().into())])])
        })
        .collect();
    let groups: Vec<(&str, Vec<Document>)> =
        groups.iter().map(|(name, documents)| (name.as_str(), documents.clone())).collect();
    put(&*engine, &groups);
    let snapshot = engine.snapshot().unwrap();
    for value in &values {
        let count = |path: &str| snapshot.count(&Selection::of(Filter::is(path, value))).unwrap();
        assert_eq!((count("a\\.b"), count("a.b")), (1, 0), "{:.9}", value);
    }
    let facet = &snapshot.facets(&all(), &["a\\.b"], 9).unwrap()[0];
    assert_eq!(facet.distinct, values.len());
    let longer = Filter::is("a\\.b", &format!("{long}yz"));
    assert_eq!(snapshot.count(&Selection::of(longer)).unwrap(), 1, "what is kept is equal");
}
