//! Records by exact conditions, in an exact order.

use kitfox_core::{Order, Position, Row, Scan, Selection, Start};
use serde_json::json;

use super::cursor::{Cursor, Kept, RequestDigest};
use super::filter::order;
use super::list::Listing;
use super::types::{ExecutionInfo, Page, QueryRecords, RecordsAnswer, Total};
use crate::{FaceError, Faces};

impl Faces {
    /// A page of the records that meet all conditions. Pages continue by value and key: each record
    /// that nobody changed meanwhile comes exactly once.
    ///
    /// # Errors
    /// An unknown resource, field, operator, placeholder or facet; a limit outside 1 to 100; a
    /// cursor of another request; an index that cannot be read.
    pub fn query_records(&self, request: &QueryRecords) -> Result<RecordsAnswer, FaceError> {
        let listing = Listing::new(self, &request.records)?;
        let selection = Selection::of(listing.filter()?);
        let order = order(&listing.resource.collection, &request.sort)?;
        let digest = digest(&listing, request);
        let start = match &request.records.cursor {
            Some(cursor) => start(cursor, &digest, &order)?,
            None => Start::First,
        };
        let (rows, has_more) = rows(&listing, &selection, &order, &start)?;
        let total = listing.resource.opened.ask(|snapshot| snapshot.count(&selection))?;
        let cursor = |make: fn(Kept) -> Cursor, row: &Row| {
            Some(make(Kept::new(&row.position)).encode(&digest))
        };
        let is_first = match (&start, rows.first()) {
            (Start::First, _) => true,
            (Start::Before(_), _) => !has_more,
            (Start::After(_), _) => false,
        };
        // What lies behind a page that was gone back to is where it was come from.
        let has_next = has_more || matches!(start, Start::Before(_));
        let page = Page {
            has_more: has_next,
            returned: rows.len(),
            limit: listing.limit,
            next_cursor: rows.last().filter(|_| has_next).and_then(|r| cursor(Cursor::After, r)),
            previous_cursor: rows
                .first()
                .filter(|_| !is_first)
                .and_then(|row| cursor(Cursor::Before, row)),
            total: Total::Exactly(total),
        };
        let addresses: Vec<_> = rows.iter().map(|row| row.address).collect();
        let stored = listing.resource.opened.ask(|snapshot| snapshot.fetch(&addresses))?;
        let items = stored.iter().map(|stored| listing.record(stored, None, None));
        let items = items.collect::<Result<_, _>>()?;
        listing.answer(items, page, &selection, ExecutionInfo::default())
    }
}

/// The rows of a page, and whether there are more in its direction.
fn rows(
    listing: &Listing<'_, '_>,
    selection: &Selection,
    order: &[Order],
    start: &Start,
) -> Result<(Vec<Row>, bool), FaceError> {
    let limit = listing.limit;
    let scan = Scan {
        selection: selection.clone(),
        order: order.to_vec(),
        start: start.clone(),
        limit: limit + 1,
    };
    let mut rows = listing.resource.opened.ask(|snapshot| snapshot.scan(&scan))?;
    let has_more = rows.len() > limit;
    if has_more && matches!(start, Start::Before(_)) {
        rows.remove(0);
    }
    rows.truncate(limit);
    Ok((rows, has_more))
}

fn start(cursor: &str, digest: &RequestDigest, order: &[Order]) -> Result<Start, FaceError> {
    let position = |kept: &Kept| -> Result<Position, FaceError> {
        // A digest that fits makes this another version's cursor.
        kept.position(order.len()).ok_or_else(super::cursor::expired)
    };
    match Cursor::decode(cursor, digest)? {
        Cursor::After(kept) => Ok(Start::After(position(&kept)?)),
        Cursor::Before(kept) => Ok(Start::Before(position(&kept)?)),
        Cursor::Ranked { .. } => Err(super::cursor::expired()),
    }
}

fn digest(listing: &Listing<'_, '_>, request: &QueryRecords) -> RequestDigest {
    let records = &request.records;
    RequestDigest::of(&json!([
        "query",
        listing.resource.id,
        records.filters,
        records.locales,
        records.parents,
        request.sort,
    ]))
}
