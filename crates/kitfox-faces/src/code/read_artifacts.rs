//! Reading files, ranges of lines and sections, several at once.

use std::ops::RangeInclusive;

use serde::Serialize;

use super::live;
use crate::error::quote;
use crate::limits::{READ_BYTES, READS};
use crate::source::Source;
use crate::{FaceError, Faces};

/// A request for the text of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadArtifacts {
    /// The project; may be left out where there is one.
    pub project: Option<String>,
    /// What to read, 1 to 20 of them.
    pub reads: Vec<ArtifactRead>,
}

/// One thing to read: a whole file, some lines of it, or a section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArtifactRead {
    /// The file, relative to the project.
    pub path: String,
    /// First line, 1-based; the first of the file where absent.
    pub start_line: Option<u32>,
    /// Last line, inclusive; the last of the file where absent.
    pub end_line: Option<u32>,
    /// A symbol path or heading breadcrumb, or its last part; instead of lines.
    pub section: Option<String>,
}

/// The texts asked for, in the order asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArtifactsAnswer {
    /// One for each read.
    pub results: Vec<Artifact>,
}

/// One read file, or why it is not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Artifact {
    /// The file, relative to the project.
    pub path: String,
    /// First line of `content`, 1-based; none where nothing is read.
    pub start_line: Option<usize>,
    /// Last line of `content`, inclusive.
    pub end_line: Option<usize>,
    /// Lines of the whole file.
    pub total_lines: Option<usize>,
    /// The text as it is now.
    pub content: Option<String>,
    /// How to read what was cut, where something was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<String>,
    /// Why this one is not read; the others are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Faces {
    /// The text of files, ranges of lines and sections as they are now. What fails is an error of
    /// its own item; all texts together are bounded and what is cut says how to go on.
    ///
    /// # Errors
    /// An unknown project, no reads, or more than 20.
    pub fn read_artifacts(&self, request: &ReadArtifacts) -> Result<ArtifactsAnswer, FaceError> {
        let project = self.project(request.project.as_deref())?;
        let reads = &request.reads;
        if reads.is_empty() || reads.len() > READS {
            let message = format!("{} reads are given, and 1 to {READS} may be", reads.len());
            return Err(FaceError::new("invalid_reads", message).at("reads"));
        }
        let mut left = READ_BYTES;
        let mut results = Vec::with_capacity(reads.len());
        for (number, read) in reads.iter().enumerate() {
            // What a short file leaves of its share is for those after it.
            let share = left / (reads.len() - number);
            let artifact = artifact(project, read, share).unwrap_or_else(|error| Artifact {
                path: read.path.clone(),
                error: Some(error.to_string()),
                ..Artifact::default()
            });
            left -= artifact.content.as_ref().map_or(0, String::len).min(left);
            results.push(artifact);
        }
        Ok(ArtifactsAnswer { results })
    }
}

fn artifact(project: &Source, read: &ArtifactRead, share: usize) -> Result<Artifact, FaceError> {
    let (path, text) = live::text(project, &read.path)?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let total_lines = Some(lines.len());
    let is_whole = read.section.is_none() && read.start_line.is_none_or(|start| start <= 1);
    if lines.is_empty() && is_whole {
        let content = Some(String::new());
        return Ok(Artifact { path, total_lines, content, ..Artifact::default() });
    }
    let wanted = match &read.section {
        Some(section) => section_lines(&path, &text, section, read)?,
        None => wanted_lines(&path, read, lines.len())?,
    };
    // Both kinds of range lie within the file.
    let wanted_text = &lines[wanted.start() - 1..*wanted.end()];
    let (content, taken) = cut(wanted_text, share);
    let end = wanted.start() + taken - 1;
    let more = (content.len() < wanted_text.iter().map(|line| line.len()).sum()).then(|| {
        let cut = lines[end - 1].len() > share && taken == 1;
        let next = if cut { end } else { end + 1 };
        match cut {
            true => format!("line {end} alone is too long and is cut; search it instead"),
            false => format!("cut: read `start_line` {next} to `end_line` {}", wanted.end()),
        }
    });
    Ok(Artifact {
        path,
        start_line: Some(*wanted.start()),
        end_line: Some(end),
        total_lines,
        content: Some(content),
        more,
        error: None,
    })
}

/// The lines asked for, as far as the file has them.
fn wanted_lines(
    path: &str,
    read: &ArtifactRead,
    total: usize,
) -> Result<RangeInclusive<usize>, FaceError> {
    let start = read.start_line.unwrap_or(1).max(1) as usize;
    let end = read.end_line.map_or(total, |end| end as usize);
    let invalid = |parameter: &'static str, message: String| {
        Err(FaceError::new("invalid_range", message).at(parameter))
    };
    if start > total {
        let message = format!("{} has {total} lines, and `start_line` is {start}", quote(path));
        return invalid("start_line", message);
    }
    if end < start {
        return invalid("end_line", format!("`end_line` {end} lies before `start_line` {start}"));
    }
    Ok(start..=end.min(total))
}

/// The lines of a section: the symbol or heading of this whole path, else of this name.
fn section_lines(
    path: &str,
    text: &str,
    section: &str,
    read: &ArtifactRead,
) -> Result<RangeInclusive<usize>, FaceError> {
    if read.start_line.is_some() || read.end_line.is_some() {
        let message = "`section` and lines exclude each other";
        return Err(FaceError::new("conflicting_arguments", message).at("section"));
    }
    let items = kitfox_extract::outline(path, text.as_bytes()).unwrap_or_default();
    let section = section.trim();
    let by_path: Vec<_> = items.iter().filter(|item| item.symbol == section).collect();
    let by_name = || items.iter().filter(|item| item.name == section).collect();
    let found: Vec<_> = if by_path.is_empty() { by_name() } else { by_path };
    // The parts of one thing share its path; different things of one name do not.
    match found.first() {
        Some(first) if found.iter().all(|item| item.symbol == first.symbol) => {
            Ok(first.start_line as usize..=first.end_line as usize)
        }
        Some(_) => {
            let message = format!("{} names several sections of {}", quote(section), quote(path));
            let symbols = found.iter().map(|item| item.symbol.as_str());
            Err(FaceError::new("ambiguous_section", message).at("section").allow(symbols))
        }
        None => {
            let message = format!("{} has no section {}", quote(path), quote(section));
            let symbols = items.iter().map(|item| item.symbol.as_str());
            let error = FaceError::new("unknown_section", message).at("section");
            Err(error
                .nearest_to(section, symbols)
                .hint("`get_file_skeleton` lists those there are."))
        }
    }
}

/// As many of some lines as fit, the first one cut where even that does not; and how many they are.
fn cut(lines: &[&str], most: usize) -> (String, usize) {
    let mut content = String::new();
    let mut taken = 0;
    for line in lines {
        if content.len() + line.len() > most {
            break;
        }
        content.push_str(line);
        taken += 1;
    }
    if let (0, Some(first)) = (taken, lines.first()) {
        return (first[..first.floor_char_boundary(most)].to_owned(), 1);
    }
    (content, taken)
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn texts_are_cut_at_lines() {
        assert_eq!(cut(&["ab\n", "cd\n"], 100), ("ab\ncd\n".to_owned(), 2));
        assert_eq!(cut(&["ab\n", "cd\n"], 5), ("ab\n".to_owned(), 1));
        assert_eq!(cut(&["éé\n", "cd\n"], 3), ("é".to_owned(), 1));
    }
}
