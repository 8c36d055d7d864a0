//! Filters to bitmaps: for each segment, the documents that are alive and pass.

use kitfox_core::{Field as FilterField, Filter};
use tantivy::postings::Postings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{BitSet, SegmentReader, TERMINATED, Term};

use crate::schema::Fields;

/// The documents of a segment that are alive and pass `filter`.
pub(crate) fn accepted(
    filter: &Filter,
    segment: &SegmentReader,
    fields: &Fields,
) -> tantivy::Result<BitSet> {
    let mut accepted = passing(filter, segment, fields)?;
    if let Some(alive) = segment.alive_bitset() {
        accepted.intersect_update(alive.bitset());
    }
    Ok(accepted)
}

fn passing(filter: &Filter, segment: &SegmentReader, fields: &Fields) -> tantivy::Result<BitSet> {
    let all = || BitSet::with_max_value_and_full(segment.max_doc());
    let none = || BitSet::with_max_value(segment.max_doc());
    match filter {
        Filter::All => Ok(all()),
        Filter::In(field, values) => {
            let mut found = none();
            for value in values {
                add_equal(fields.filter(*field), value, segment, &mut found)?;
            }
            Ok(found)
        }
        Filter::Prefix(field, prefix) => {
            let mut found = none();
            add_prefixed(fields.filter(*field), prefix, segment, &mut found)?;
            Ok(found)
        }
        Filter::Below(_, path) if path.is_empty() => Ok(all()),
        Filter::Below(field, path) => below(*field, path, segment, fields),
        Filter::And(filters) => combine(filters, all(), segment, fields, |a, b| a & b),
        Filter::Or(filters) => combine(filters, none(), segment, fields, |a, b| a | b),
        Filter::Not(inner) => {
            let inner = passing(inner, segment, fields)?;
            Ok(zip(&all(), &inner, segment.max_doc(), |a, b| a & !b))
        }
    }
}

fn below(
    field: FilterField,
    path: &str,
    segment: &SegmentReader,
    fields: &Fields,
) -> tantivy::Result<BitSet> {
    let mut found = BitSet::with_max_value(segment.max_doc());
    add_equal(fields.filter(field), path, segment, &mut found)?;
    add_prefixed(fields.filter(field), &format!("{path}/"), segment, &mut found)?;
    Ok(found)
}

fn combine(
    filters: &[Filter],
    start: BitSet,
    segment: &SegmentReader,
    fields: &Fields,
    operation: fn(bool, bool) -> bool,
) -> tantivy::Result<BitSet> {
    filters.iter().try_fold(start, |found, filter| {
        let next = passing(filter, segment, fields)?;
        Ok(zip(&found, &next, segment.max_doc(), operation))
    })
}

fn zip(left: &BitSet, right: &BitSet, documents: u32, operation: fn(bool, bool) -> bool) -> BitSet {
    let mut result = BitSet::with_max_value(documents);
    for document in 0..documents {
        if operation(left.contains(document), right.contains(document)) {
            result.insert(document);
        }
    }
    result
}

fn add_equal(
    field: Field,
    value: &str,
    segment: &SegmentReader,
    found: &mut BitSet,
) -> tantivy::Result<()> {
    let inverted = segment.inverted_index(field)?;
    let term = Term::from_field_text(field, value);
    if let Some(postings) = inverted.read_postings(&term, IndexRecordOption::Basic)? {
        insert_all(postings, found);
    }
    Ok(())
}

fn add_prefixed(
    field: Field,
    prefix: &str,
    segment: &SegmentReader,
    found: &mut BitSet,
) -> tantivy::Result<()> {
    let inverted = segment.inverted_index(field)?;
    let mut terms = inverted.terms().range().ge(prefix.as_bytes()).into_stream()?;
    while terms.advance() && terms.key().starts_with(prefix.as_bytes()) {
        let postings =
            inverted.read_postings_from_terminfo(terms.value(), IndexRecordOption::Basic)?;
        insert_all(postings, found);
    }
    Ok(())
}

fn insert_all(mut postings: impl Postings, found: &mut BitSet) {
    let mut document = postings.doc();
    while document != TERMINATED {
        found.insert(document);
        document = postings.advance();
    }
}
