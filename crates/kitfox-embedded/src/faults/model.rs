//! What an index should hold, and whether it does.

use std::collections::BTreeMap;

use kitfox_core::{
    Document, Engine, Expression, Group, Heading, Phrase, Place, Result, Search, Snapshot, Text,
    Value, WordQuery, Writer, paths,
};

use super::random::Random;
use crate::EmbeddedEngine;

pub const DIMENSION: usize = 4;

/// How many groups a history knows.
const NAMES: usize = 24;

/// A word of every passage.
const COMMON: &str = "common";

/// The groups of one commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model(BTreeMap<String, Held>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Held {
    state: Vec<u8>,
    /// What its passages say; each names what is in it.
    texts: Vec<String>,
}

impl Model {
    /// Does something to the index and here.
    pub fn change(&mut self, writer: &dyn Writer, random: &mut Random) -> Result<()> {
        let name = format!("folder{}/file{}", random.below(4), random.below(NAMES / 4));
        let state = vec![random.below(256) as u8; random.below(40)];
        match random.below(8) {
            0 => {
                writer.touch(&name, state.clone())?;
                if let Some(held) = self.0.get_mut(&name) {
                    held.state = state;
                }
            }
            1 => {
                writer.remove(&name)?;
                self.0.remove(&name);
            }
            _ => {
                let count = random.below(4);
                let passage =
                    |_| format!("{COMMON} passage w{:x} w{}", random.next(), random.below(30));
                let texts: Vec<String> = (0..count).map(passage).collect();
                let documents = texts.iter().map(|text| document(&name, text)).collect();
                writer.put(&name, state.clone(), documents)?;
                self.0.insert(name, Held { state, texts });
            }
        }
        Ok(())
    }

    /// Whether an index holds exactly this; says what differs.
    pub fn compare(&self, engine: &EmbeddedEngine) -> Result<std::result::Result<(), String>> {
        let snapshot = engine.snapshot()?;
        let found = [
            ("groups", self.groups(snapshot.as_ref())?),
            ("passages", self.passages(snapshot.as_ref())?),
            ("vectors", self.vectors(snapshot.as_ref())?),
            ("words", self.words(snapshot.as_ref())?),
        ];
        let wrong = found.into_iter().find(|(_, is_equal)| !is_equal);
        Ok(wrong.map_or(Ok(()), |(what, _)| Err(format!("other {what} than expected"))))
    }

    fn groups(&self, snapshot: &dyn Snapshot) -> Result<bool> {
        let group = |(name, held): (&String, &Held)| Group {
            name: name.clone(),
            documents: held.texts.len() as u32,
            state: held.state.clone(),
        };
        let expected: Vec<Group> = self.0.iter().map(group).collect();
        let below: Vec<Group> =
            expected.iter().filter(|group| group.name.starts_with("folder1/")).cloned().collect();
        let stats = snapshot.stats()?;
        Ok(snapshot.groups()? == expected
            && snapshot.groups_below("folder1")? == below
            && (stats.groups, stats.documents) == (expected.len(), self.texts().count()))
    }

    fn passages(&self, snapshot: &dyn Snapshot) -> Result<bool> {
        for (name, held) in &self.0 {
            let found = snapshot.group(name)?;
            let texts: Vec<&str> = found.iter().map(|stored| stored.text.as_str()).collect();
            let is_whole = found.iter().zip(0..).all(|(stored, number)| {
                stored.number == number && stored.heading == *name && stored.place.section == *name
            });
            if texts != held.texts || !is_whole || snapshot.state(name)? != Some(held.state.clone())
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn vectors(&self, snapshot: &dyn Snapshot) -> Result<bool> {
        let query = [0.5, -0.5, 0.5, 0.5];
        let found = snapshot.search(&search(None, Some(query.to_vec())))?;
        let mut found: Vec<(String, u32, f32)> = found
            .candidates
            .into_iter()
            .map(|found| (found.group, found.number, found.cosine.unwrap_or(f32::NAN)))
            .collect();
        found.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        let expected: Vec<(&String, u32, f32)> = self
            .texts()
            .filter_map(|(name, number, text)| {
                let vector = vector(text)?;
                let cosine = vector.iter().zip(query).map(|(a, b)| a * b).sum();
                Some((name, number, cosine))
            })
            .collect();
        let is_same = |((name, number, cosine), found): (&(&String, u32, f32), &(_, _, f32))| {
            (*name, *number) == (&found.0, found.1) && (cosine - found.2).abs() < 0.02
        };
        Ok(found.len() == expected.len() && expected.iter().zip(&found).all(is_same))
    }

    fn words(&self, snapshot: &dyn Snapshot) -> Result<bool> {
        let matched =
            |word: &str| Ok(snapshot.search(&search(Some(phrase(word)), None))?.candidates);
        let mut is_right = matched(COMMON)?.len() == self.texts().count();
        for (name, number, text) in self.texts().step_by(5) {
            let own = text.split(' ').nth(2).unwrap_or_default();
            let found = matched(own)?;
            is_right &= found.len() == 1 && (&found[0].group, found[0].number) == (name, number);
        }
        Ok(is_right)
    }

    fn texts(&self) -> impl Iterator<Item = (&String, u32, &String)> {
        self.0.iter().flat_map(|(name, held)| {
            held.texts.iter().zip(0..).map(move |(text, number)| (name, number, text))
        })
    }
}

fn search(words: Option<WordQuery>, vector: Option<Vec<f32>>) -> Search {
    Search { words, vector, depth: 1000, ..Search::default() }
}

fn phrase(word: &str) -> WordQuery {
    WordQuery::matching(Expression::phrase(Phrase::of(word, false)))
}

pub fn document(name: &str, text: &str) -> Document {
    Document {
        heading: Heading::new("", name, ""),
        text: Text::new(text),
        place: Place { section: name.to_owned(), ..Place::default() },
        vector: vector(text).map(Vec::from),
        values: vec![(paths::PATH.to_owned(), Value::Text(name.to_owned()))],
        ..Document::default()
    }
}

/// A unit vector a text decides; some have none.
fn vector(text: &str) -> Option<[f32; DIMENSION]> {
    let hash = blake3::hash(text.as_bytes());
    let bytes = hash.as_bytes();
    let mut vector = [0, 1, 2, 3].map(|at| f32::from(bytes[at] as i8) + 0.5);
    let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|value| *value /= norm);
    (bytes[4] > 60).then_some(vector)
}
