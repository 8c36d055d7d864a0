//! Counting the values of a selection.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;
use kitfox_core::{Facet, Selection, Value};

use crate::search::Corpus;
use crate::segment::Segment;

/// One facet for each path, each with at most `top` values.
pub(crate) fn facets(
    corpus: Corpus<'_>,
    selection: &Selection,
    paths: &[&str],
    top: usize,
) -> tantivy::Result<Vec<Facet>> {
    let selected = corpus.select(selection)?;
    paths.iter().map(|path| facet(corpus, &selected, path, top)).collect()
}

fn facet(
    corpus: Corpus<'_>,
    selected: &[FixedBitSet],
    path: &str,
    top: usize,
) -> tantivy::Result<Facet> {
    let mut counts: Vec<(Value, usize)> = Vec::new();
    for (segment, selected) in corpus.segments.iter().zip(selected) {
        counts.extend(count(segment, selected, path)?);
    }
    // Stable, since that merges what each segment has in order already.
    counts.sort_by(|left, right| left.0.cmp(&right.0));
    counts.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 += next.1;
        }
        is_same
    });
    let of = |value: Option<&(Value, usize)>| value.map(|(value, _)| value.clone());
    let (distinct, least, greatest) = (counts.len(), of(counts.first()), of(counts.last()));
    // Stable: equal counts stay in the order of their values.
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts.truncate(top);
    Ok(Facet { top: counts, distinct, least, greatest })
}

/// The scalars at a path in one segment with the number of selected documents that have them.
fn count(
    segment: &Segment,
    selected: &FixedBitSet,
    path: &str,
) -> tantivy::Result<Vec<(Value, usize)>> {
    let Some(column) = segment.column(path)? else { return Ok(Vec::new()) };
    let scalars = column.scalars()?;
    let counts = column.counts(selected);
    let found: Vec<u64> = scalars.filter(|&ordinal| counts[ordinal as usize] > 0).collect();
    let values = column.values(&found)?;
    Ok(values.into_iter().zip(found.into_iter().map(|ordinal| counts[ordinal as usize])).collect())
}
