//! The outline of one file as it is now.

use kitfox_extract::OutlineItem;
use serde::Serialize;

use super::live;
use crate::limits::{DEFAULT_DEPTH, DEPTH, READ_BYTES};
use crate::{FaceError, Faces};

/// A request for the outline of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileSkeleton {
    /// The project; may be left out where there is one.
    pub project: Option<String>,
    /// The file, relative to the project.
    pub path: String,
    /// How many levels, 1 to 10; 2 where absent.
    pub depth: Option<usize>,
}

/// What a file defines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkeletonAnswer {
    /// The file, relative to the project.
    pub path: String,
    /// Its language or format.
    pub language: String,
    /// How many lines it has.
    pub total_lines: usize,
    /// Its definitions or headings, in its order.
    pub items: Vec<SkeletonItem>,
    /// Present where there is no outline: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Present where items are left out: how to get them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<String>,
}

/// A definition or a heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkeletonItem {
    /// Symbol path or heading breadcrumb.
    pub symbol: String,
    /// `function`, `class`, `section` and so on.
    pub kind: String,
    /// The definition up to its body; empty for headings.
    pub signature: String,
    /// The first line of its documentation; may be empty.
    pub doc: String,
    /// First line, 1-based, comments and attributes before it included.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// How many items it is in.
    pub depth: usize,
}

impl SkeletonItem {
    fn bytes(&self) -> usize {
        // The names of the fields are about this long.
        100 + self.symbol.len() + self.signature.len() + self.doc.len()
    }
}

impl From<OutlineItem> for SkeletonItem {
    fn from(item: OutlineItem) -> SkeletonItem {
        let OutlineItem { symbol, kind, signature, doc, start_line, end_line, depth, .. } = item;
        let kind = kind.to_owned();
        SkeletonItem { symbol, kind, signature, doc, start_line, end_line, depth }
    }
}

impl Faces {
    /// What a file defines, or its headings, as it is now.
    ///
    /// # Errors
    /// An unknown project, a depth outside 1 to 10, or a file that cannot be read.
    pub fn file_skeleton(&self, request: &FileSkeleton) -> Result<SkeletonAnswer, FaceError> {
        let project = self.project(request.project.as_deref())?;
        let depth = request.depth.unwrap_or(DEFAULT_DEPTH);
        check_depth(depth)?;
        let (path, text) = live::text(project, &request.path)?;
        let language = (project.language_of)(&path).to_owned();
        let outline = kitfox_extract::outline(&path, text.as_bytes());
        let message = match &outline {
            None => Some(format!(
                "no outline: the syntax of {language} is not known, or the file is generated; \
                 read_project_artifacts reads it"
            )),
            Some(items) if items.is_empty() => Some("this file defines nothing".to_owned()),
            Some(_) => None,
        };
        let (items, more) = bounded(outline.unwrap_or_default(), depth);
        let total_lines = text.lines().count();
        Ok(SkeletonAnswer { path, language, total_lines, items, message, more })
    }
}

/// Refuses a depth out of bounds.
pub(super) fn check_depth(depth: usize) -> Result<(), FaceError> {
    if (1..=DEPTH).contains(&depth) {
        return Ok(());
    }
    let message = format!("`depth` is {depth}, and may be 1 to {DEPTH}");
    Err(FaceError::new("invalid_depth", message).at("depth"))
}

/// The items down to a depth, as far as an answer may be long, and what is left out.
fn bounded(items: Vec<OutlineItem>, depth: usize) -> (Vec<SkeletonItem>, Option<String>) {
    let all = items.len();
    let shallow = items.into_iter().filter(|item| item.depth < depth).map(SkeletonItem::from);
    let mut shallow: Vec<SkeletonItem> = shallow.collect();
    let deeper = all - shallow.len();
    let mut bytes = 0;
    let fit = |item: &SkeletonItem| {
        bytes += item.bytes();
        bytes <= READ_BYTES
    };
    let shown = shallow.iter().map(fit).take_while(|fits| *fits).count();
    let cut = shallow.len() - shown;
    let from = shallow.get(shown).map_or(0, |item| item.start_line);
    shallow.truncate(shown);
    let more = match (cut, deeper) {
        (0, 0) => None,
        (0, _) => Some(format!("{deeper} deeper items are left out: raise `depth`")),
        _ => Some(format!(
            "{cut} items from line {from} on are cut: lower `depth`, or read from there"
        )),
    };
    (shallow, more)
}
