//! Filters to sets: for each segment, the documents that are alive and pass.

use fixedbitset::FixedBitSet;
use kitfox_core::Filter;

use crate::segment::Segment;

/// The documents of a segment that are alive and pass `filter`.
pub(crate) fn accepted(filter: &Filter, segment: &Segment) -> tantivy::Result<FixedBitSet> {
    let mut accepted = passing(filter, segment)?;
    if let Some(alive) = segment.reader.alive_bitset() {
        for document in 0..segment.reader.max_doc() {
            if !alive.is_alive(document) {
                accepted.remove(document as usize);
            }
        }
    }
    Ok(accepted)
}

/// The documents of a segment that pass `filter`, dead ones too.
pub(crate) fn passing(filter: &Filter, segment: &Segment) -> tantivy::Result<FixedBitSet> {
    let mut found = FixedBitSet::with_capacity(segment.reader.max_doc() as usize);
    match filter {
        Filter::All => found.insert_range(..),
        Filter::Any(path, test) => {
            if let Some(column) = segment.column(path)? {
                column.add_passing(test, &mut found)?;
            }
        }
        Filter::And(filters) => {
            found.insert_range(..);
            for filter in filters {
                found.intersect_with(&passing(filter, segment)?);
            }
        }
        Filter::Or(filters) => {
            for filter in filters {
                found.union_with(&passing(filter, segment)?);
            }
        }
        Filter::Not(inner) => {
            found = passing(inner, segment)?;
            found.toggle_range(..);
        }
    }
    Ok(found)
}
