//! Reading the chunks of one document.

use std::collections::BTreeSet;

use kitfox_core::{Stored, fold};

use super::library::{Library, Wanted};
use super::links;
use super::types::{Chunk, ReadAnswer, ReadDoc};
use crate::error::quote;
use crate::{FaceError, Faces};

/// Chunks chosen of a document.
#[derive(Debug, Default, PartialEq, Eq)]
struct Choice {
    numbers: BTreeSet<u32>,
    /// How to go on, where not all that was meant is chosen.
    more: Option<String>,
}

impl Faces {
    /// Chunks of one document; its first ones where none are named.
    ///
    /// # Errors
    /// An unknown or ambiguous document, an unknown section, a malformed range, more chunks than
    /// one call may read, or an index that cannot be read.
    pub fn read_doc(&self, request: &ReadDoc) -> Result<ReadAnswer, FaceError> {
        let library = Library::open(self)?;
        let wanted = Wanted::new(
            request.category.as_deref(),
            request.subcategory.as_deref(),
            Some(&request.file_name),
        );
        let document = library.find_one(&wanted)?;
        let shelf = &library.shelves[document.shelf];
        let stored = shelf.ask(|snapshot| snapshot.group(&document.path))?;
        let choice = choose(request, &stored, self.settings.max_chunks_per_read.max(1))?;
        let total_chunks = stored.len() as u32;
        let missing = choice.numbers.iter().copied().filter(|n| *n >= total_chunks).collect();
        let chosen = stored.into_iter().filter(|chunk| choice.numbers.contains(&chunk.number));
        let chunks: Vec<Chunk> = chosen.map(chunk).collect();
        Ok(ReadAnswer {
            links: links::links(&library, document, &chunks),
            path: document.path.clone(),
            chunks,
            total_chunks,
            missing,
            more: choice.more,
            index: library.index.clone(),
        })
    }
}

fn chunk(stored: Stored) -> Chunk {
    Chunk {
        chunk_number: stored.number,
        page_start: None,
        page_end: None,
        section: stored.place.section,
        header: Some(stored.place.header).filter(|header| !header.is_empty()),
        text: stored.text,
    }
}

/// The chunks a request names.
fn choose(request: &ReadDoc, stored: &[Stored], most: usize) -> Result<Choice, FaceError> {
    let mut numbers: BTreeSet<u32> = request.chunk_numbers.iter().copied().collect();
    within(numbers.len(), most, "chunk_numbers")?;
    if let Some(range) = &request.range {
        numbers.extend(read_range(range, most)?);
    }
    if let Some(middle) = request.around {
        numbers.extend(neighbours(middle, stored.len() as u32, most));
    }
    within(numbers.len(), most, "chunk_numbers")?;
    if let Some(section) = &request.section {
        let of_section = section_chunks(section, stored)?;
        return Ok(first(numbers.into_iter().chain(of_section), most));
    }
    let nothing_named = request.chunk_numbers.is_empty() && request.range.is_none();
    if nothing_named && request.around.is_none() {
        return Ok(first(0..stored.len() as u32, most));
    }
    Ok(Choice { numbers, more: None })
}

/// As many of these chunks as one call may read.
fn first(numbers: impl Iterator<Item = u32>, most: usize) -> Choice {
    let all: BTreeSet<u32> = numbers.collect();
    let left = all.len().saturating_sub(most);
    let more = all.iter().nth(most).map(|next| {
        format!("{left} more chunks, from number {next}: read them with `chunk_numbers` or `range`")
    });
    Choice { numbers: all.into_iter().take(most).collect(), more }
}

fn within(count: usize, most: usize, parameter: &'static str) -> Result<(), FaceError> {
    if count <= most {
        return Ok(());
    }
    let message = format!("{count} chunks are asked for, and one call may read {most}");
    Err(FaceError::new("too_many_chunks", message)
        .at(parameter)
        .hint("Read them in several calls (`max_chunks_per_read` in the configuration)."))
}

fn read_range(range: &str, most: usize) -> Result<std::ops::RangeInclusive<u32>, FaceError> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    match (first.trim().parse::<u32>(), last.trim().parse::<u32>()) {
        (Ok(first), Ok(last)) if first <= last => {
            within(((last - first) as usize).saturating_add(1), most, "range")?;
            Ok(first..=last)
        }
        _ => Err(FaceError::new("invalid_range", format!("{} is no range", quote(range)))
            .at("range")
            .hint("Write `first-last`, as `3-7`.")),
    }
}

/// A chunk and those beside it, as many as exist and may be read.
fn neighbours(middle: u32, total: u32, most: usize) -> impl Iterator<Item = u32> {
    let beside = [middle.checked_sub(1), middle.checked_add(1)].into_iter().flatten();
    let beside = beside.filter(move |number| *number < total);
    std::iter::once(middle).chain(beside).take(most)
}

/// The chunks of a section: the breadcrumb, its last heading, or any breadcrumb below it.
fn section_chunks(wanted: &str, stored: &[Stored]) -> Result<Vec<u32>, FaceError> {
    let folded = fold(wanted.trim());
    let below = format!("{folded} > ");
    let is_wanted = |chunk: &&Stored| {
        let section = fold(&chunk.place.section);
        fold(&chunk.place.name) == folded || section == folded || section.starts_with(&below)
    };
    let numbers: Vec<u32> = stored.iter().filter(is_wanted).map(|chunk| chunk.number).collect();
    if !numbers.is_empty() {
        return Ok(numbers);
    }
    let sections: BTreeSet<&str> =
        stored.iter().map(|chunk| chunk.place.section.as_str()).collect();
    let known = sections.into_iter().filter(|section| !section.is_empty());
    Err(FaceError::unknown("unknown_section", "section", "section", wanted, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(sections: &[&str]) -> Vec<Stored> {
        let chunk = |(number, section): (usize, &&str)| {
            let name = section.rsplit(" > ").next().unwrap_or("").to_owned();
            let place =
                kitfox_core::Place { section: section.to_string(), name, ..Default::default() };
            let (group, heading, text) = ("a.md".into(), String::new(), String::new());
            Stored { group, number: number as u32, heading, text, place, payload: Vec::new() }
        };
        sections.iter().enumerate().map(chunk).collect()
    }

    #[track_caller]
    fn check(request: ReadDoc, expected: Result<&[u32], &str>) {
        let stored = stored(&["", "Install", "Install > Linux", "Install > Mac", "Use", "Use"]);
        let found = choose(&request, &stored, 3)
            .map(|choice| choice.numbers.into_iter().collect::<Vec<_>>())
            .map_err(|error| error.code);
        assert_eq!(found, expected.map(<[u32]>::to_vec), "{request:?}");
    }

    #[test]
    fn chunks_are_named_in_many_ways() {
        let numbers =
            |numbers: &[u32]| ReadDoc { chunk_numbers: numbers.to_vec(), ..ReadDoc::default() };
        let range = |range: &str| ReadDoc { range: Some(range.into()), ..ReadDoc::default() };
        let around = |around| ReadDoc { around: Some(around), ..ReadDoc::default() };
        let section = |name: &str| ReadDoc { section: Some(name.into()), ..ReadDoc::default() };
        check(ReadDoc::default(), Ok(&[0, 1, 2]));
        check(numbers(&[4, 1, 4, 9]), Ok(&[1, 4, 9]));
        check(numbers(&[0, 1, 2, 3]), Err("too_many_chunks"));
        check(range("2-4"), Ok(&[2, 3, 4]));
        check(range("5"), Ok(&[5]));
        check(range("0-4294967295"), Err("too_many_chunks"));
        check(range("4-2"), Err("invalid_range"));
        check(around(0), Ok(&[0, 1]));
        check(around(3), Ok(&[2, 3, 4]));
        check(section("install"), Ok(&[1, 2, 3]));
        check(section("Linux"), Ok(&[2]));
        check(section("Instal"), Err("unknown_section"));
    }
}
