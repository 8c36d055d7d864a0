//! One segment of a commit with its columns.

use kitfox_core::Result;
use tantivy::columnar::{Column, StrColumn};
use tantivy::{DocId, SegmentReader, TantivyError};

use crate::engine::storage;
use crate::schema::VALUES;
use crate::values::ValueColumn;
use crate::vectors::SegmentVectors;

/// A segment and what is opened of it.
pub(crate) struct Segment {
    pub reader: SegmentReader,
    pub vectors: SegmentVectors,
    groups: Option<StrColumn>,
    numbers: Column<u64>,
}

impl Segment {
    /// Opens the columns every search needs.
    pub fn open(reader: &SegmentReader, dimension: usize) -> Result<Segment> {
        let open = || {
            Ok(Segment {
                reader: reader.clone(),
                vectors: SegmentVectors::open(reader, dimension)?,
                groups: reader.fast_fields().str("group")?,
                numbers: reader.fast_fields().u64("number")?,
            })
        };
        open().map_err(|error| storage("opening a segment", error))
    }

    /// The values at a path; none where no document has any.
    pub fn column(&self, path: &str) -> tantivy::Result<Option<ValueColumn>> {
        ValueColumn::open(&self.reader, VALUES, path)
    }

    /// The name of a document's group.
    pub fn group(&self, document: DocId) -> tantivy::Result<String> {
        let mut name = String::new();
        if let (Some(column), (ordinal, _)) = (&self.groups, self.rank(document)) {
            column.ord_to_str(ordinal, &mut name)?;
        }
        Ok(name)
    }

    /// The names of the groups of documents that are ordered by [`Segment::rank`]. Each name is read
    /// once: names lie in blocks, and a block is read from its beginning.
    pub fn groups_of(&self, documents: &[DocId]) -> tantivy::Result<Vec<String>> {
        let Some(column) = &self.groups else { return Ok(vec![String::new(); documents.len()]) };
        let ordinals: Vec<u64> = documents.iter().map(|&document| self.rank(document).0).collect();
        let mut distinct = ordinals.clone();
        distinct.dedup();
        let mut names: Vec<String> = Vec::with_capacity(distinct.len());
        column.dictionary().sorted_ords_to_term_cb(&distinct, |name| {
            names.extend(std::str::from_utf8(name).map(str::to_owned));
        })?;
        if names.len() != distinct.len() {
            return Err(TantivyError::InternalError("a group has no name".to_owned()));
        }
        let of_group = ordinals.chunk_by(|a, b| a == b).map(<[u64]>::len).zip(names);
        Ok(of_group.flat_map(|(count, name)| std::iter::repeat_n(name, count)).collect())
    }

    /// A document's number within its group.
    pub fn number(&self, document: DocId) -> u32 {
        self.numbers.first(document).unwrap_or_default() as u32
    }

    /// Orders the documents of this segment by group name, then number.
    pub fn rank(&self, document: DocId) -> (u64, u32) {
        let group = self.groups.as_ref().and_then(|column| column.term_ords(document).next());
        (group.unwrap_or_default(), self.number(document))
    }

    /// The rank of the first group whose name is not less than this one, and whether it is its name.
    pub fn group_position(&self, name: &str) -> tantivy::Result<(u64, bool)> {
        let Some(column) = &self.groups else { return Ok((0, false)) };
        let bound = std::ops::Bound::Included(name.as_bytes());
        let (bound, _) =
            column.dictionary().term_bounds_to_ord(bound, std::ops::Bound::Unbounded)?;
        let std::ops::Bound::Included(ordinal) = bound else { return Ok((0, false)) };
        let ordinal = ordinal.min(column.num_terms() as u64);
        let mut found = String::new();
        let is_there = ordinal < column.num_terms() as u64
            && column.ord_to_str(ordinal, &mut found)?
            && found == name;
        Ok((ordinal, is_there))
    }
}
