//! Bytes of one file to passages: what is embedded, matched and returned.
//!
//! A file is refused with a reason ([`Refusal`]) or cut ([`extract`]): documents by their headings,
//! code by its syntax, everything else by windows of lines. Together the passages of a file hold
//! every non-blank line exactly once, in order, verbatim; in documentation, pages of HTML and manual
//! pages are cut as the Markdown they amount to, with the places of what that was made from. Whatever
//! is odd about a file that could still be read is reported in [`Extracted::problems`].
//!
//! This crate opens no file and knows no index.

mod asciidoc;
mod code;
mod converted;
mod decode;
mod format;
mod html;
mod lines;
mod man;
mod markdown;
mod outline;
mod piece;
mod refuse;
mod rst;
mod sections;
mod text;
mod windows;

use std::borrow::Cow;

use kitfox_core::Passage;

pub use code::KINDS;
pub use format::{Format, Purpose, format_of};
pub use outline::{Named, OutlineItem, Sort, named};
pub use refuse::{Refusal, refuse_content, refuse_name, refuse_size};

use format::Reading;
use lines::Source;

/// The version of the cutting: raised whenever the same bytes give other passages, or other names
/// in them, than before.
pub const VERSION: u32 = 7;

/// How long passages should be, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Small neighbours are merged and large pieces are cut towards this length.
    pub target: usize,
    /// A unit, or a section of a document, stays whole up to this length.
    pub max: usize,
}

impl Sizes {
    /// For code, configuration and other text cut by windows.
    pub const CODE: Sizes = Sizes { target: 750, max: 1500 };
    /// For documents.
    pub const DOCS: Sizes = Sizes { target: 2000, max: 2000 };
}

/// What came out of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// The title of a document, else the name of the file without its extension.
    pub title: String,
    /// The name of the format; see [`Format::name`].
    pub format: &'static str,
    /// The passages in the order of the file.
    pub passages: Vec<Passage>,
    /// What the file defines, or the headings of a document, in its order; see [`outline`].
    pub outline: Vec<OutlineItem>,
    /// What is wrong with the file, in plain words, although it could be read.
    pub problems: Vec<String>,
}

/// Cuts a file into passages and outlines it. `path` only serves to tell the title and the format,
/// which the first line of a script tells too, and `purpose` whether some formats are documents; an
/// empty file has no passages.
///
/// # Errors
/// A [`Refusal`] if the file should not be indexed at all.
pub fn extract(
    path: &str,
    bytes: &[u8],
    purpose: Purpose,
    sizes: Sizes,
) -> Result<Extracted, Refusal> {
    if let Some(refusal) = refuse(path, purpose, bytes) {
        return Err(refusal);
    }
    let sizes = Sizes { target: sizes.target.max(1), max: sizes.max.max(sizes.target).max(1) };
    let decoded = decode::decode(bytes);
    let source = Source::new(&decoded.text, &decoded.raw);
    let format = format::format_of_file(path, bytes).unwrap_or(&format::UNKNOWN);

    let mut extracted =
        Extracted { format: format.name, problems: decoded.problems, ..Extracted::default() };
    match format.reading {
        Reading::Prose(outline) => extracted.cut(&source, &outline(&source), sizes),
        Reading::Page { convert, .. } if purpose == Purpose::Docs => {
            let converted = convert(&source);
            let raw = converted.raw(&source);
            let markdown = Source::new(&converted.text, &raw);
            extracted.title = converted.title.unwrap_or_default();
            extracted.cut(&markdown, &markdown::outline(&markdown), sizes);
        }
        Reading::Page { .. } | Reading::Code => {
            let code = code::read(&source, format.name, sizes, &mut extracted.problems);
            extracted.passages = piece::passages(&source, &code.pieces, sizes.max * 4);
            extracted.outline = code.outline;
        }
    }
    if extracted.title.is_empty() {
        format::stem(path).clone_into(&mut extracted.title);
    }
    Ok(extracted)
}

impl Extracted {
    fn cut(&mut self, source: &Source<'_>, sections: &sections::Outline, sizes: Sizes) {
        if self.title.is_empty() {
            self.title = sections.title().unwrap_or_default();
        }
        self.passages = sections::cut(source, sections, sizes);
        self.outline = outline::headings(source, sections);
    }
}

/// Outlines a file of a project without cutting it: what it defines, or the headings of a document,
/// in the order of the file, each with the number of items it is in. The same as
/// [`Extracted::outline`].
///
/// None if the file is refused, if its syntax is not known or if parsing takes too long.
pub fn outline(path: &str, bytes: &[u8]) -> Option<Vec<OutlineItem>> {
    if refuse(path, Purpose::Code, bytes).is_some() {
        return None;
    }
    let decoded = decode::decode(bytes);
    let source = Source::new(&decoded.text, &decoded.raw);
    let format = format::format_of_file(path, bytes)?;
    match format.reading {
        Reading::Prose(outline) => Some(outline::headings(&source, &outline(&source))),
        _ => code::outline(&source, format.name),
    }
}

/// The text of a file, as passages are cut from it: without a byte order mark, and with what is
/// invalid replaced.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    decode::decode(bytes).text
}

fn refuse(path: &str, purpose: Purpose, bytes: &[u8]) -> Option<Refusal> {
    refuse_name(path)
        .or_else(|| refuse_size(path, purpose, bytes.len() as u64))
        .or_else(|| refuse_content(path, purpose, bytes))
}

#[cfg(test)]
mod pages;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
