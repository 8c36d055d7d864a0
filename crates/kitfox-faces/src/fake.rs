//! An index in memory, an embedder and live files, so that faces are tested without storage.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use kitfox_conformance::{Groups, MemoryEngine};
use kitfox_core::paths::{KIND, LANGUAGE, PATH};
use kitfox_core::{Document, Heading, Live, LiveFiles, Place, Progress, Rules, Text, Unread, fold};
use kitfox_embed::Embedder;

use crate::{Faces, Kind, Settings, Source};

/// Chunks by path: each a section and a text.
pub(crate) type Files<'a> = &'a [(&'a str, &'a [(&'a str, &'a str)])];

/// A source of these files.
pub(crate) fn source(name: &str, kind: Kind, files: Files<'_>) -> Source {
    Source {
        name: name.into(),
        kind,
        engine: Arc::new(MemoryEngine::of(index(files))),
        files: Arc::new(FakeFiles::default()),
        writer: None,
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

/// Files as they are now.
#[derive(Default)]
pub(crate) struct FakeFiles {
    /// Those that are not as indexed.
    pub looks: HashMap<&'static str, Live>,
    /// The texts there are.
    pub texts: BTreeMap<&'static str, &'static str>,
}

impl LiveFiles for FakeFiles {
    fn look(&self, path: &str, state: &[u8]) -> Live {
        assert_eq!(state, path.as_bytes(), "the state indexed with the file");
        self.looks.get(path).cloned().unwrap_or(Live::Unchanged)
    }

    fn walk(
        &self,
        directories: &[String],
        from: &str,
        visit: &mut dyn FnMut(String) -> ControlFlow<()>,
    ) -> Result<(), Unread> {
        let is_below = |path: &str| {
            let below =
                |folder: &String| folder.is_empty() || path.starts_with(&format!("{folder}/"));
            directories.is_empty() || directories.iter().any(below)
        };
        let paths = self.texts.keys().filter(|path| is_below(path) && **path >= from);
        let _ = paths.map(|path| (*path).to_owned()).try_for_each(visit);
        Ok(())
    }

    fn read(&self, path: &str, _: Rules) -> Result<String, Unread> {
        self.texts.get(path).map(|text| (*text).to_owned()).ok_or(Unread::Gone)
    }
}

/// Counts folded words by a hash of them.
pub(crate) struct FakeEmbedder;

impl Embedder for FakeEmbedder {
    fn dimension(&self) -> usize {
        251
    }

    fn fingerprint(&self) -> &str {
        "fake"
    }

    fn floor(&self) -> f32 {
        0.1
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

/// An index of these files whose passages are all of one kind.
pub(crate) fn kinds(files: Files<'_>, kind: &str) -> Groups {
    let mut groups = index(files);
    for document in groups.values_mut().flat_map(|(_, documents)| documents) {
        document.place.kind = kind.to_owned();
        document.values.push((KIND.to_owned(), kind.into()));
    }
    groups
}

/// An index of these files whose passages all go on with a table.
pub(crate) fn rows(files: Files<'_>, header: &str) -> Groups {
    let mut groups = index(files);
    for (path, (_, documents)) in &mut groups {
        for document in documents {
            let section = &document.place.section;
            document.heading = Heading::over_rows("", section, path, header);
            document.place.header = header.to_owned();
        }
    }
    groups
}

fn index(files: Files<'_>) -> Groups {
    let group = |(path, chunks): &(&str, &[(&str, &str)])| {
        let documents = chunks.iter().enumerate();
        let documents = documents.map(|(number, chunk)| document(path, number as u32, chunk));
        ((*path).to_owned(), (path.as_bytes().to_vec(), documents.collect()))
    };
    files.iter().map(group).collect()
}

fn document(path: &str, number: u32, (section, text): &(&str, &str)) -> Document {
    let line = number * 10 + 1;
    let place = Place {
        start_line: line,
        end_line: line + 9,
        section: (*section).to_owned(),
        name: section.rsplit(" > ").next().unwrap_or("").to_owned(),
        kind: "section".into(),
        ..Place::default()
    };
    let text = Text::new(*text);
    Document {
        vector: FakeEmbedder.embed(&[&text]),
        heading: Heading::new("", section, path),
        text,
        values: vec![(PATH.to_owned(), path.into()), (LANGUAGE.to_owned(), language(path).into())],
        place,
        ..Document::default()
    }
}
