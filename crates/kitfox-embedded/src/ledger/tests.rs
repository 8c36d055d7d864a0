use std::collections::BTreeMap;
use std::sync::Arc;

use kitfox_core::{Error, Group};
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::disk::FolderDisk;

fn directory(folder: &TempDir) -> WritingDirectory {
    WritingDirectory::new(Arc::new(FolderDisk::open(folder.path()).unwrap()))
}

fn read(folder: &TempDir, mark: &Mark) -> Result<Table> {
    Table::open(&FolderDisk::open(folder.path()).unwrap(), mark, &Table::default())
}

fn ledger(folder: &TempDir, mark: &Mark) -> Ledger {
    Ledger::open(directory(folder), read(folder, mark).unwrap()).unwrap()
}

fn names(table: &Table) -> Vec<String> {
    table.groups().unwrap().into_iter().map(|group| group.name).collect()
}

fn parts(folder: &TempDir) -> usize {
    let names = std::fs::read_dir(folder.path()).unwrap();
    names.filter(|entry| is_part(entry.as_ref().unwrap().file_name().to_str().unwrap())).count()
}

#[test]
fn what_was_flushed_is_read_back_and_what_was_not_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let mut writing = ledger(&folder, &Mark::default());
    writing.put("a", 1, vec![7]);
    writing.put("b", 2, vec![8]);
    let first = writing.flush().unwrap();
    writing.remove("a");
    let second = writing.flush().unwrap();
    drop(writing);
    assert_eq!(names(&read(&folder, &first).unwrap()), ["a", "b"]);
    assert_eq!(names(&read(&folder, &second).unwrap()), ["b"]);

    let mut writing = ledger(&folder, &first);
    writing.put("c", 3, vec![9]);
    let third = writing.flush().unwrap();
    assert_eq!(names(&read(&folder, &third).unwrap()), ["a", "b", "c"]);
    writing.remove_old().unwrap();
    assert_eq!(parts(&folder), third.parts.len());
}

#[test]
fn a_table_that_becomes_empty_has_no_parts() {
    let folder = tempfile::tempdir().unwrap();
    let mut writing = ledger(&folder, &Mark::default());
    writing.put("a", 1, vec![7]);
    writing.flush().unwrap();
    writing.remove("a");
    assert_eq!(writing.flush().unwrap(), Mark::default());
}

/// A commit of one group writes little, however many there are, and few parts are kept.
#[test]
fn a_small_commit_writes_little() {
    let folder = tempfile::tempdir().unwrap();
    let mut writing = ledger(&folder, &Mark::default());
    for number in 0..20_000 {
        writing.put(&format!("{number:05}"), 1, vec![7; 40]);
    }
    let mut known: Vec<_> = writing.flush().unwrap().parts;
    let (all, mut written, mut most) = (known[0].length, 0, 0);
    for number in 0..1000 {
        writing.put(&format!("{:05}", number * 17), 2, vec![8; 40]);
        let parts = writing.flush().unwrap().parts;
        let new = parts.iter().filter(|part| !known.contains(part));
        written += new.map(|part| part.length).sum::<u64>();
        most = most.max(parts.len());
        known = parts;
    }
    assert!(written < all, "{written} bytes for 1,000 groups, {all} for 20,000");
    assert!(most <= 12, "{most} parts");
    let table = read(&folder, &writing.rewrite().unwrap()).unwrap();
    assert_eq!((table.parts.len(), table.len()), (1, 20_000));
    assert_eq!(table.parts[0].mark.length, all);
    table.verify().unwrap();
}

#[test]
fn any_flipped_bit_and_any_other_length_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut writing = ledger(&folder, &Mark::default());
    writing.put("a", 1, vec![7; 3]);
    writing.put("b", 1, vec![]);
    let mark = writing.flush().unwrap();
    let path = folder.path().join(&mark.parts[0].name);
    let whole = std::fs::read(&path).unwrap();
    let check = |bytes: &[u8], what: &str| {
        std::fs::write(&path, bytes).unwrap();
        let found = read(&folder, &mark).and_then(|table| table.groups().map(drop));
        let Err(Error::Damaged { detail }) = found else { panic!("{what} is not found") };
        assert!(detail.contains(&mark.parts[0].name), "{what}: {detail}");
    };
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        check(&bytes, &format!("a bit of byte {at}"));
        check(&whole[..at], &format!("a length of {at}"));
    }
    check(&[&whole[..], &[0]].concat(), "a byte more");
}

#[test]
fn a_payload_of_another_format_is_damage() {
    for payload in ["", "{}", "[]", r#"{"log":0,"length":12}"#, r#"{"groups":0,"parts":["a"]}"#] {
        assert!(matches!(Mark::read(Some(payload)), Err(Error::Damaged { .. })), "{payload}");
    }
    let outside = r#"{"groups":1,"parts":[{"name":"../groups","length":1}]}"#;
    assert!(matches!(Mark::read(Some(outside)), Err(Error::Damaged { .. })));
    assert_eq!(Mark::read(None).unwrap(), Mark::default());
}

type Model = BTreeMap<String, (u32, Vec<u8>)>;

/// Changes a group: to so many documents, or none at all.
type Change = (u8, Option<u8>);

fn apply(change: &Change, writing: &mut Ledger, model: &mut Model) {
    // Names that are folders of each other, and characters on both sides of `/`.
    let names = ["a", "a/b", "a/b/c", "a-", "a0", "a/", "ab", "", "b", "b/a", "é", "é/x"];
    let name = names[usize::from(change.0) % names.len()];
    match change.1 {
        Some(documents) => {
            writing.put(name, documents.into(), vec![documents; usize::from(documents)]);
            let state = vec![documents; usize::from(documents)];
            model.insert(name.to_owned(), (documents.into(), state));
        }
        None => {
            writing.remove(name);
            model.remove(name);
        }
    }
}

fn assert_equal(table: &Table, model: &Model) {
    let expected = |path: &str| -> Vec<Group> {
        let is_below = |name: &str| {
            let rest = name.strip_prefix(path);
            path.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let group = |(name, (documents, state)): (&String, &(u32, Vec<u8>))| Group {
            name: name.clone(),
            documents: *documents,
            state: state.clone(),
        };
        model.iter().filter(|(name, _)| is_below(name)).map(group).collect()
    };
    for path in ["", "a", "a/b", "a/", "b", "é", "none"] {
        assert_eq!(table.below(path).unwrap(), expected(path), "below {path:?}");
    }
    for name in ["a", "a/b", "", "none"] {
        let found = table.get(name).unwrap();
        let found = found.map(|present| (present.documents, present.state.to_vec()));
        assert_eq!(found, model.get(name).cloned(), "{name:?}");
    }
    assert_eq!(table.len(), model.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_table_is_what_its_changes_make_it(
        commits in proptest::collection::vec(
            (proptest::collection::vec(any::<Change>(), 0..6), any::<bool>()),
            0..12,
        ),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut writing = ledger(&folder, &Mark::default());
        let (mut model, mut known) = (Model::new(), Table::default());
        for (changes, is_reopened) in commits {
            for change in &changes {
                apply(change, &mut writing, &mut model);
            }
            let mark = writing.flush().unwrap();
            let disk = FolderDisk::open(folder.path()).unwrap();
            known = Table::open(&disk, &mark, &known).unwrap();
            assert_equal(&known, &model);
            writing.remove_old().unwrap();
            assert_equal(&read(&folder, &mark).unwrap(), &model);
            if is_reopened {
                writing = ledger(&folder, &mark);
            }
        }
        let rewritten = writing.rewrite().unwrap();
        assert!(rewritten.parts.len() <= 1);
        assert_equal(&read(&folder, &rewritten).unwrap(), &model);
    }
}
