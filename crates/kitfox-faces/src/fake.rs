//! A small engine in memory, an embedder and live files, so that faces are tested without storage.

use std::collections::HashMap;
use std::sync::Arc;

use kitfox_core::{
    Address, Candidate, Candidates, Damage, Document, Engine, Expression, Field, Filter, Group,
    Live, LiveFiles, Place, Progress, Result, Search, Snapshot, Stats, Stored, Text, WordQuery,
    Writer, fold,
};
use kitfox_embed::Embedder;

use crate::{Faces, Kind, Settings, Source};

/// Chunks by path: each a section and a text.
pub(crate) type Files<'a> = &'a [(&'a str, &'a [(&'a str, &'a str)])];

/// A source of these files.
pub(crate) fn source(name: &str, kind: Kind, files: Files<'_>) -> Source {
    Source {
        name: name.into(),
        kind,
        engine: Arc::new(FakeEngine(index(files))),
        files: Arc::new(FakeFiles::default()),
        progress: Arc::new(Progress::default()),
        language_of: language,
    }
}

/// Faces over these sources.
pub(crate) fn faces(sources: Vec<Source>) -> Faces {
    Faces::new(sources, Arc::new(FakeEmbedder), Settings::default())
}

fn language(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("rs") => "rust",
        Some("py") => "python",
        _ => "markdown",
    }
}

/// Files as they are now, where they are not as indexed.
#[derive(Default)]
pub(crate) struct FakeFiles(pub HashMap<&'static str, Live>);

impl LiveFiles for FakeFiles {
    fn look(&self, path: &str, state: &[u8]) -> Live {
        assert_eq!(state, path.as_bytes(), "the state indexed with the file");
        self.0.get(path).cloned().unwrap_or(Live::Unchanged)
    }
}

/// Counts folded words by a hash of them.
struct FakeEmbedder;

impl Embedder for FakeEmbedder {
    fn dimension(&self) -> usize {
        251
    }

    fn fingerprint(&self) -> &str {
        "fake"
    }

    fn embed(&self, pieces: &[&Text]) -> Option<Vec<f32>> {
        let mut vector = vec![0.0; 251];
        for word in pieces.iter().flat_map(|text| words(text)).filter(|word| word.is_ascii()) {
            vector[word.bytes().fold(7, |hash, byte| hash % 65_521 * 31 + usize::from(byte))
                % 251] += 1.0;
        }
        let norm = vector.iter().map(|x: &f32| x * x).sum::<f32>().sqrt();
        (norm > 0.0).then(|| vector.into_iter().map(|x| x / norm).collect())
    }
}

fn words(text: &Text) -> Vec<String> {
    text.words().iter().map(|word| fold(text.word(word))).collect()
}

#[derive(Clone, Default)]
struct Index {
    documents: Vec<(String, u32, Document)>,
    groups: Vec<Group>,
}

fn index(files: Files<'_>) -> Index {
    let mut index = Index::default();
    let mut files = files.to_vec();
    files.sort();
    for (path, chunks) in files {
        for (number, (section, text)) in chunks.iter().enumerate() {
            let line = number as u32 * 10 + 1;
            let place = Place {
                start_line: line,
                end_line: line + 9,
                section: section.to_string(),
                name: section.rsplit(" > ").next().unwrap_or("").to_owned(),
                kind: "section".into(),
                ..Place::default()
            };
            let text = Text::new(*text);
            let document = Document {
                vector: FakeEmbedder.embed(&[&text]),
                text,
                fields: vec![
                    (Field::Path, path.to_owned()),
                    (Field::Language, language(path).to_owned()),
                ],
                place,
                ..Document::default()
            };
            index.documents.push((path.to_owned(), number as u32, document));
        }
        let (name, state) = (path.to_owned(), path.as_bytes().to_vec());
        index.groups.push(Group { name, documents: chunks.len() as u32, state });
    }
    index
}

struct FakeEngine(Index);

impl Engine for FakeEngine {
    fn snapshot(&self) -> Result<Box<dyn Snapshot>> {
        Ok(Box::new(self.0.clone()))
    }

    fn writer(&self) -> Result<Box<dyn Writer>> {
        Err(kitfox_core::Error::Busy)
    }

    fn check(&self) -> Result<Vec<Damage>> {
        Ok(Vec::new())
    }
}

impl Index {
    fn stored(&self, (group, number, document): &(String, u32, Document)) -> Stored {
        Stored {
            group: group.clone(),
            number: *number,
            heading: String::new(),
            text: document.text.as_str().to_owned(),
            place: document.place.clone(),
        }
    }
}

impl Snapshot for Index {
    fn search(&self, search: &Search) -> Result<Candidates> {
        let mut found = Candidates::default();
        for (at, (group, number, document)) in self.documents.iter().enumerate() {
            if !passes(&search.filter, document) {
                continue;
            }
            found.filtered += 1;
            let bm25 = search.words.as_ref().map_or(0, |query| score(query, document)) as f32;
            found.matched += usize::from(bm25 > 0.0);
            let vectors = search.vector.as_ref().zip(document.vector.as_ref());
            let cosine = vectors.map(|(a, b)| a.iter().zip(b).map(|(x, y)| x * y).sum());
            if bm25 > 0.0 || cosine.is_some() {
                let address = Address { segment: 0, document: at as u32 };
                let (group, number) = (group.clone(), *number);
                found.candidates.push(Candidate { address, group, number, bm25, cosine });
            }
        }
        Ok(found)
    }

    fn fetch(&self, addresses: &[Address]) -> Result<Vec<Stored>> {
        let documents = addresses.iter().map(|at| &self.documents[at.document as usize]);
        Ok(documents.map(|document| self.stored(document)).collect())
    }

    fn group(&self, name: &str) -> Result<Vec<Stored>> {
        let documents = self.documents.iter().filter(|(group, ..)| group == name);
        Ok(documents.map(|document| self.stored(document)).collect())
    }

    fn state(&self, name: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.groups.iter().find(|group| group.name == name).map(|group| group.state.clone()))
    }

    fn groups(&self) -> Result<Vec<Group>> {
        Ok(self.groups.clone())
    }

    fn stats(&self) -> Result<Stats> {
        Ok(Stats::default())
    }
}

fn passes(filter: &Filter, document: &Document) -> bool {
    let value = |field: &Field| {
        let found = document.fields.iter().find(|(name, _)| name == field);
        found.map_or("", |(_, value)| value.as_str())
    };
    match filter {
        Filter::All => true,
        Filter::In(field, values) => values.iter().any(|wanted| wanted == value(field)),
        Filter::Prefix(field, prefix) => value(field).starts_with(prefix.as_str()),
        Filter::Below(field, path) => {
            let rest = value(field).strip_prefix(path.as_str());
            path.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        Filter::And(filters) => filters.iter().all(|filter| passes(filter, document)),
        Filter::Or(filters) => filters.iter().any(|filter| passes(filter, document)),
        Filter::Not(filter) => !passes(filter, document),
    }
}

fn score(query: &WordQuery, document: &Document) -> usize {
    let found = words(&document.text);
    match query {
        WordQuery::Match(expression) => matches(expression, &found),
        WordQuery::Any(text) => {
            let wanted = words(&Text::new(text.as_str()));
            found.iter().filter(|word| wanted.contains(word)).count()
        }
    }
}

/// How often an expression is found; 0 where it does not match.
fn matches(expression: &Expression, found: &[String]) -> usize {
    match expression {
        Expression::Phrase { words, prefix } => {
            let wanted: Vec<String> = words.iter().map(|word| fold(word)).collect();
            let is_match = |window: &&[String]| {
                window.iter().zip(&wanted).enumerate().all(|(at, (word, wanted))| {
                    let begins = *prefix && at + 1 == words.len() && word.starts_with(wanted);
                    word == wanted || begins
                })
            };
            found.windows(wanted.len()).filter(is_match).count()
        }
        Expression::And(left, right) => match (matches(left, found), matches(right, found)) {
            (0, _) | (_, 0) => 0,
            (left, right) => left + right,
        },
        Expression::Or(left, right) => matches(left, found) + matches(right, found),
        Expression::Not(left, right) => match matches(right, found) {
            0 => matches(left, found),
            _ => 0,
        },
    }
}
