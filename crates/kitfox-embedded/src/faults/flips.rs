//! Files that changed after they were written: a flipped bit, a lost end, a lost file.

use std::fs;
use std::path::Path;

use kitfox_core::{
    Damage, Document, Engine, Error, Heading, Place, Result, Search, Text, WordQuery,
};

use super::random::Random;
use crate::EmbeddedEngine;

const DIMENSION: usize = 8;
const GROUPS: usize = 60;
/// Changes of each file.
const CHANGES: usize = 12;

fn document(random: &mut Random, group: usize) -> Document {
    let words: Vec<String> = (0..8).map(|_| format!("word{}", random.below(40))).collect();
    Document {
        heading: Heading::new("", &format!("page {group}"), ""),
        text: Text::new(words.join(" ")),
        values: vec![("path".to_owned(), format!("group{group}").as_str().into())],
        place: Place { section: format!("page {group}"), ..Place::default() },
        vector: Some((0..DIMENSION).map(|_| random.below(100) as f32 + 1.).collect()),
        ..Document::default()
    }
}

/// An index with several segments, removals in them and two parts of the ledger.
fn fill(folder: &Path) {
    let engine = EmbeddedEngine::open(folder, DIMENSION).unwrap();
    let mut random = Random(1);
    for part in [0..GROUPS, 10..20] {
        let mut writer = engine.writer().unwrap();
        for group in part {
            let documents = vec![document(&mut random, group), document(&mut random, group)];
            writer.put(&format!("group{group}"), vec![group as u8], documents).unwrap();
        }
        writer.commit().unwrap();
    }
    // Beginning to write removes what the last commit does not need.
    drop(EmbeddedEngine::open(folder, DIMENSION).unwrap().writer().unwrap());
}

/// All an index can be asked.
fn answers(folder: &Path) -> Result<String> {
    let snapshot = EmbeddedEngine::open(folder, DIMENSION)?.snapshot()?;
    let mut answers = format!("{} documents\n", snapshot.stats()?.documents);
    for group in snapshot.groups()? {
        answers += &format!("{group:?} {:?} ", snapshot.state(&group.name)?);
        answers += &format!("{:?}\n", snapshot.group(&group.name)?);
    }
    for number in 0..10 {
        let search = Search {
            words: Some(WordQuery::any(format!("word{number}"))),
            vector: Some(vec![1.; DIMENSION]),
            depth: 5,
            ..Search::default()
        };
        answers += &format!("{:?}\n", snapshot.search(&search)?);
    }
    Ok(answers)
}

fn damage(folder: &Path) -> Result<Vec<Damage>> {
    EmbeddedEngine::open(folder, DIMENSION)?.check()
}

fn change(file: &Path, random: &mut Random, number: usize) -> String {
    let mut bytes = fs::read(file).unwrap();
    match number {
        0 => {
            fs::remove_file(file).unwrap();
            return "removed".to_owned();
        }
        1 => bytes.clear(),
        2..=4 if !bytes.is_empty() => bytes.truncate(random.below(bytes.len())),
        _ if bytes.is_empty() => bytes.push(1),
        _ => {
            let place = random.below(bytes.len());
            bytes[place] ^= 1 << random.below(8);
            fs::write(file, &bytes).unwrap();
            return format!("byte {place} of {}", bytes.len());
        }
    }
    fs::write(file, &bytes).unwrap();
    format!("cut to {}", bytes.len())
}

#[test]
fn all_damage_is_found_and_none_is_a_panic() {
    let pristine = tempfile::tempdir().unwrap();
    fill(pristine.path());
    let right = answers(pristine.path()).unwrap();
    assert_eq!(damage(pristine.path()).unwrap(), []);
    let names = fs::read_dir(pristine.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut random = Random(2);
    for name in names.map(|name| name.into_string().unwrap()) {
        for number in 0..CHANGES {
            let folder = tempfile::tempdir().unwrap();
            for entry in fs::read_dir(pristine.path()).unwrap() {
                let entry = entry.unwrap();
                fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
            }
            let what = change(&folder.path().join(&name), &mut random, number);
            check(folder.path(), &name, &what, &right);
        }
    }
}

/// A check names the file, or all answers are right: it is a lock, or what is not read of a footer.
/// Questions are answered or refused for that reason: verifying all that an answer is read from would
/// cost more than the answer.
fn check(folder: &Path, name: &str, what: &str, right: &str) {
    // Without its commit a folder is that of an index nothing was written to yet.
    let is_new = name == "meta.json" && what == "removed";
    let answers = answers(folder);
    match damage(folder) {
        Ok(damage) if damage.is_empty() => {
            let is_right = answers.as_ref().is_ok_and(|answers| answers == right);
            assert!(is_new || is_right, "{name}, {what}: {answers:?}");
        }
        Ok(damage) => assert!(damage[0].file == name, "{name}, {what}: {damage:?}"),
        Err(Error::Damaged { detail }) => {
            assert!(detail.contains(name), "{name}, {what}: {detail}")
        }
        Err(error) => panic!("{name}, {what}: {error}"),
    }
    if let Err(error) = answers {
        assert!(matches!(error, Error::Damaged { .. }), "{name}, {what}: {error}");
    }
}
