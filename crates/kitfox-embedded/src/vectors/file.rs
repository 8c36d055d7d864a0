//! The format of a segment's vector file. Numbers are little-endian.
//!
//! ```text
//! file      = header documents padding rows norms
//! header    = "KFVEC\0\0\0" version dimension total count zero{40}   ; 64 bytes
//! version   = u32            ; 1
//! dimension = u32            ; int8 values a row
//! total     = u32            ; documents in the segment, deleted ones included
//! count     = u32            ; documents with a vector
//! documents = u32{count}     ; their doc ids, ascending; absent if count = total
//! padding   = zero{0..63}    ; up to a multiple of 64 bytes from the start of the file
//! rows      = (i8{dimension}){count}    ; in the order of doc ids
//! norms     = f32{count}     ; the inverse of each row's Euclidean norm, 0 for a null row
//! ```
//!
//! tantivy's own footer with a checksum follows and is taken off before the file is read. Old
//! versions are not read: an index of another version is built anew.

use std::io::{self, Write};
use std::ops::Range;

use tantivy::DocId;
use tantivy::directory::OwnedBytes;

use super::kernel::{MAX_DIMENSION, as_signed, inverse_norm};

const MAGIC: [u8; 8] = *b"KFVEC\0\0\0";
const VERSION: u32 = 1;
const HEADER: usize = 64;
const ALIGNMENT: usize = 64;

/// Writes a vector file: `documents` are the ascending doc ids of those of `total` documents that
/// have a vector, `rows` their vectors of `dimension` values in the same order.
pub(super) fn write<'a>(
    out: &mut impl Write,
    dimension: usize,
    total: u32,
    documents: &[DocId],
    rows: impl Iterator<Item = &'a [u8]>,
) -> io::Result<()> {
    let shape = Shape { dimension: dimension as u32, total, count: documents.len() as u32 };
    out.write_all(&head(shape, documents))?;
    let mut norms = Vec::with_capacity(documents.len() * 4);
    for row in rows {
        out.write_all(row)?;
        norms.extend_from_slice(&inverse_norm(as_signed(row)).to_le_bytes());
    }
    debug_assert_eq!(norms.len(), documents.len() * 4, "a row for every document");
    out.write_all(&norms)
}

/// All that comes before the rows.
fn head(shape: Shape, documents: &[DocId]) -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    for number in [VERSION, shape.dimension, shape.total, shape.count] {
        head.extend_from_slice(&number.to_le_bytes());
    }
    head.resize(HEADER, 0);
    if !shape.is_dense() {
        head.extend(documents.iter().flat_map(|document| document.to_le_bytes()));
    }
    head.resize(head.len().next_multiple_of(ALIGNMENT), 0);
    head
}

/// The numbers of a header, from which the place of everything follows.
#[derive(Clone, Copy)]
struct Shape {
    dimension: u32,
    total: u32,
    count: u32,
}

impl Shape {
    /// Reads the header at the start of a file, or says what is wrong with it.
    fn read(bytes: &[u8]) -> Result<Shape, String> {
        let Some((header, _)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(format!("{} bytes are too few", bytes.len()));
        };
        if !header.starts_with(&MAGIC) {
            return Err("it is no vector file".to_owned());
        }
        let number = |index: usize| number_at(&header[MAGIC.len()..], index);
        let (version, dimension, total, count) = (number(0), number(1), number(2), number(3));
        if version != VERSION {
            return Err(format!("it has version {version}, not {VERSION}"));
        }
        if dimension == 0 || dimension as usize > MAX_DIMENSION || count > total {
            return Err(format!("it claims {count} of {total} vectors of {dimension} dimensions"));
        }
        Ok(Shape { dimension, total, count })
    }

    fn is_dense(self) -> bool {
        self.count == self.total
    }

    fn documents(self) -> Range<u64> {
        let count = if self.is_dense() { 0 } else { u64::from(self.count) };
        HEADER as u64..HEADER as u64 + count * 4
    }

    fn rows(self) -> Range<u64> {
        let start = self.documents().end.next_multiple_of(ALIGNMENT as u64);
        start..start + u64::from(self.count) * u64::from(self.dimension)
    }

    fn norms(self) -> Range<u64> {
        let start = self.rows().end;
        start..start + u64::from(self.count) * 4
    }
}

/// The `index`th little-endian number, 0 beyond the end.
fn number_at(bytes: &[u8], index: usize) -> u32 {
    bytes.as_chunks::<4>().0.get(index).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// A vector file in memory or mapped, its structure verified.
///
/// Vectors are addressed by *slot*, their number in the file.
pub(super) struct VectorFile {
    shape: Shape,
    /// Doc ids by slot: strictly ascending and below the total; empty in a dense file.
    documents: OwnedBytes,
    /// Exactly `count` times `dimension` bytes.
    rows: OwnedBytes,
    /// Exactly `count` times 4 bytes.
    norms: OwnedBytes,
}

impl VectorFile {
    /// Takes a file apart, or says what is wrong with it.
    pub(super) fn read(bytes: OwnedBytes) -> Result<VectorFile, String> {
        let shape = Shape::read(&bytes)?;
        if shape.norms().end != bytes.len() as u64 {
            return Err(format!("it has {} bytes, not {}", bytes.len(), shape.norms().end));
        }
        // No range ends beyond the file, whose length is a `usize`.
        let part = |range: Range<u64>| bytes.slice(range.start as usize..range.end as usize);
        let file = VectorFile {
            shape,
            documents: part(shape.documents()),
            rows: part(shape.rows()),
            norms: part(shape.norms()),
        };
        if !file.documents_ascend() {
            return Err("its doc ids are not in order".to_owned());
        }
        Ok(file)
    }

    fn documents_ascend(&self) -> bool {
        let (documents, _) = self.documents.as_chunks::<4>();
        let last = documents.last().map(|bytes| u32::from_le_bytes(*bytes));
        documents.is_sorted_by(|&left, &right| u32::from_le_bytes(left) < u32::from_le_bytes(right))
            && last.is_none_or(|last| last < self.shape.total)
    }

    pub(super) fn dimension(&self) -> usize {
        self.shape.dimension as usize
    }

    /// Documents in the segment, with a vector or without.
    pub(super) fn total(&self) -> u32 {
        self.shape.total
    }

    /// How many vectors there are.
    pub(super) fn count(&self) -> u32 {
        self.shape.count
    }

    /// Whether every document has a vector: its slot is the document.
    pub(super) fn is_dense(&self) -> bool {
        self.shape.is_dense()
    }

    /// The document of a slot below [`VectorFile::count`].
    pub(super) fn document(&self, slot: u32) -> DocId {
        if self.shape.is_dense() { slot } else { number_at(&self.documents, slot as usize) }
    }

    /// The slot of a document's vector, if it has one.
    pub(super) fn slot(&self, document: DocId) -> Option<u32> {
        if self.shape.is_dense() {
            return (document < self.shape.count).then_some(document);
        }
        let (documents, _) = self.documents.as_chunks::<4>();
        let slot = documents.binary_search_by_key(&document, |bytes| u32::from_le_bytes(*bytes));
        slot.ok().map(|slot| slot as u32)
    }

    /// All rows, one after the other.
    pub(super) fn rows(&self) -> &[i8] {
        as_signed(&self.rows)
    }

    /// The row of a slot below [`VectorFile::count`].
    pub(super) fn row(&self, slot: u32) -> &[u8] {
        let start = slot as usize * self.dimension();
        &self.rows[start..start + self.dimension()]
    }

    /// The inverse norm of a slot's row.
    pub(super) fn inverse_norm(&self, slot: u32) -> f32 {
        f32::from_bits(number_at(&self.norms, slot as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(dimension: usize, total: u32, documents: &[DocId]) -> Vec<u8> {
        let rows: Vec<u8> = (0..dimension * documents.len()).map(|at| at as u8).collect();
        let mut bytes = Vec::new();
        write(&mut bytes, dimension, total, documents, rows.chunks_exact(dimension)).unwrap();
        bytes
    }

    #[track_caller]
    fn check(total: u32, documents: &[DocId]) {
        let bytes = file(5, total, documents);
        let file =
            VectorFile::read(OwnedBytes::new(bytes)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((file.dimension(), file.total()), (5, total));
        let found: Vec<DocId> = (0..file.count()).map(|slot| file.document(slot)).collect();
        assert_eq!(found, documents);
        for document in 0..total + 2 {
            let slot = documents.iter().position(|&other| other == document);
            assert_eq!(file.slot(document), slot.map(|slot| slot as u32), "document {document}");
        }
        for slot in 0..file.count() {
            assert_eq!(usize::from(file.row(slot)[0]), slot as usize * 5);
            assert_eq!(file.inverse_norm(slot), inverse_norm(as_signed(file.row(slot))));
        }
    }

    #[test]
    fn what_is_written_is_read() {
        check(0, &[]);
        check(4, &[]);
        check(4, &[0, 1, 2, 3]);
        check(4, &[3]);
        check(40, &(0..40).step_by(2).collect::<Vec<_>>());
    }

    #[test]
    fn rows_begin_at_a_multiple_of_64_bytes() {
        for shape in [(3, 3), (100, 17), (100, 16), (2, 0)] {
            let shape = Shape { dimension: 256, total: shape.0, count: shape.1 };
            assert_eq!(shape.rows().start % 64, 0);
        }
    }

    #[test]
    fn damage_is_an_error() {
        let whole = file(5, 9, &[1, 2, 8]);
        let refused = |bytes: &[u8]| VectorFile::read(OwnedBytes::new(bytes.to_vec())).is_err();
        assert!(!refused(&whole));
        for length in 0..whole.len() {
            assert!(refused(&whole[..length]), "cut to {length} bytes");
        }
        // All but the total, 9 at byte 16, which only the segment itself can contradict if too large.
        for at in (0..16).chain(20..24).chain(64..76) {
            let mut bytes = whole.clone();
            bytes[at] = 0xff;
            assert!(refused(&bytes), "byte {at}");
        }
    }
}
