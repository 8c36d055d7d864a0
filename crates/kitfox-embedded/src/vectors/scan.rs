//! The vectors of one segment: reading them by document, and finding the nearest by looking at all.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use tantivy::error::DataCorruption;
use tantivy::{DocId, SegmentReader, TantivyError};

use super::component::open_file;
use super::file::VectorFile;
use super::kernel::{Query, as_signed};

/// Rows multiplied at a time: their results stay in the first-level cache.
const BLOCK: usize = 256;

/// The vectors of one segment, mapped into memory.
///
/// Deletions are no concern of it: deleted documents keep their vectors until their segment merges,
/// and whoever scans accepts only living ones.
pub struct SegmentVectors(VectorFile);

impl SegmentVectors {
    /// Opens the vectors of a segment.
    ///
    /// # Errors
    /// [`TantivyError::DataCorruption`] if the file is damaged, of another version or another
    /// dimension, or not of this segment.
    pub fn open(reader: &SegmentReader, dimension: usize) -> tantivy::Result<SegmentVectors> {
        let bytes = open_file(reader)?.read_bytes()?;
        let file = VectorFile::read(bytes).map_err(|problem| damaged(reader, &problem))?;
        if file.dimension() != dimension {
            let problem = format!("it has {} dimensions, not {dimension}", file.dimension());
            return Err(damaged(reader, &problem));
        }
        if file.total() != reader.max_doc() {
            let problem = format!("it is of {} documents, not {}", file.total(), reader.max_doc());
            return Err(damaged(reader, &problem));
        }
        Ok(SegmentVectors(file))
    }

    /// The vector of a document, as it was added.
    pub fn row(&self, document: DocId) -> Option<&[i8]> {
        self.bytes(document).map(as_signed)
    }

    /// The same as a unit vector.
    pub fn unit(&self, document: DocId) -> Option<Vec<f32>> {
        let slot = self.0.slot(document)?;
        let inverse_norm = self.0.inverse_norm(slot);
        let row = as_signed(self.0.row(slot)).iter();
        Some(row.map(|&element| f32::from(element) * inverse_norm).collect())
    }

    pub(super) fn bytes(&self, document: DocId) -> Option<&[u8]> {
        self.0.slot(document).map(|slot| self.0.row(slot))
    }

    /// The cosine of a document's vector to the query's; none without a vector or for a query of
    /// another dimension. Null vectors have cosine 0 to everything.
    pub fn cosine(&self, document: DocId, query: &Query) -> Option<f32> {
        let slot = self.0.slot(document).filter(|_| query.dimension() == self.0.dimension())?;
        let dot = query.dot(as_signed(self.0.row(slot)));
        Some(query.cosine(dot, self.0.inverse_norm(slot)))
    }

    /// The `depth` accepted documents nearest to the query, with their cosines, best first and equal
    /// ones by `rank`. Exact: every accepted vector is looked at. A query of another dimension finds
    /// nothing.
    pub fn scan<R: Ord>(
        &self,
        query: &Query,
        depth: usize,
        accepted: &FixedBitSet,
        rank: impl Fn(DocId) -> R,
    ) -> Vec<(DocId, f32)> {
        let mut best = Best::new(depth, rank);
        if depth == 0 || query.dimension() != self.0.dimension() {
            return best.into_sorted();
        }
        let mut selected = Vec::with_capacity(BLOCK);
        self.each_slot(accepted, |slot| {
            selected.push(slot);
            if selected.len() == BLOCK {
                self.scan_block(query, &selected, &mut best);
                selected.clear();
            }
        });
        self.scan_block(query, &selected, &mut best);
        best.into_sorted()
    }

    /// The slots of the accepted documents, in order.
    fn each_slot(&self, accepted: &FixedBitSet, mut take: impl FnMut(u32)) {
        if self.0.is_dense() {
            let documents = accepted.ones().take_while(|&slot| slot < self.0.count() as usize);
            return documents.for_each(|slot| take(slot as u32));
        }
        let slots = 0..self.0.count();
        slots.filter(|&slot| accepted.contains(self.0.document(slot) as usize)).for_each(take);
    }

    fn scan_block<R: Ord>(
        &self,
        query: &Query,
        selected: &[u32],
        best: &mut Best<R, impl Fn(DocId) -> R>,
    ) {
        let mut dots = [0; BLOCK];
        query.dots(self.0.rows(), selected, &mut dots);
        for (&slot, dot) in selected.iter().zip(dots) {
            let cosine = query.cosine(dot, self.0.inverse_norm(slot));
            best.offer(cosine, || self.0.document(slot));
        }
    }
}

fn damaged(reader: &SegmentReader, problem: &str) -> TantivyError {
    let segment = reader.segment_id().uuid_string();
    let comment = format!("the vector file of segment {segment} is unusable: {problem}");
    DataCorruption::comment_only(comment).into()
}

/// The best documents so far.
struct Best<R, F> {
    depth: usize,
    rank: F,
    /// The worst of them on top.
    heap: BinaryHeap<Reverse<Found<R>>>,
}

impl<R: Ord, F: Fn(DocId) -> R> Best<R, F> {
    fn new(depth: usize, rank: F) -> Best<R, F> {
        Best { depth, rank, heap: BinaryHeap::new() }
    }

    fn offer(&mut self, cosine: f32, document: impl FnOnce() -> DocId) {
        let worst = self.heap.peek().map_or(f32::NEG_INFINITY, |worst| worst.0.cosine);
        let is_full = self.heap.len() >= self.depth;
        if is_full && cosine < worst {
            return;
        }
        let document = document();
        let found = Reverse(Found { cosine, rank: (self.rank)(document), document });
        if !is_full {
            self.heap.push(found);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && found < *worst
        {
            *worst = found;
        }
    }

    fn into_sorted(self) -> Vec<(DocId, f32)> {
        let found = self.heap.into_sorted_vec().into_iter();
        found.map(|Reverse(found)| (found.document, found.cosine)).collect()
    }
}

/// A document and its cosine. The greater is the better: nearer, or as near with a lower rank.
struct Found<R> {
    cosine: f32,
    rank: R,
    document: DocId,
}

impl<R: Ord> Ord for Found<R> {
    fn cmp(&self, other: &Found<R>) -> Ordering {
        let nearness = self.cosine.total_cmp(&other.cosine);
        nearness.then_with(|| other.rank.cmp(&self.rank))
    }
}

impl<R: Ord> PartialOrd for Found<R> {
    fn partial_cmp(&self, other: &Found<R>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<R: Ord> PartialEq for Found<R> {
    fn eq(&self, other: &Found<R>) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<R: Ord> Eq for Found<R> {}
