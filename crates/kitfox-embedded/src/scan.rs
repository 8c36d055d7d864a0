//! Walking documents in an exact order, page by page.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

use fixedbitset::FixedBitSet;
use kitfox_core::{Address, Direction, Order, Position, Row, Scan, Start, Value};
use tantivy::DocId;

use crate::search::Corpus;
use crate::segment::Segment;
use crate::values::ValueColumn;

/// The page of a scan.
pub(crate) fn scan(corpus: Corpus<'_>, scan: &Scan) -> tantivy::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (ordinal, selected) in corpus.select(&scan.selection)?.iter().enumerate() {
        let ordered = Ordered::open(&corpus.segments[ordinal], scan)?;
        for key in ordered.nearest(selected, scan.limit) {
            rows.push(ordered.row(ordinal as u32, &key)?);
        }
    }
    rows.sort_unstable_by(|a, b| compare(&a.position, &b.position, &scan.order));
    if let Start::Before(_) = scan.start {
        rows.drain(..rows.len().saturating_sub(scan.limit));
    }
    rows.truncate(scan.limit);
    Ok(rows)
}

fn compare(left: &Position, right: &Position, order: &[Order]) -> Ordering {
    let by_value = order.iter().zip(left.values.iter().zip(&right.values));
    by_value
        .map(|(order, (left, right))| match (left, right) {
            (Some(left), Some(right)) if order.direction == Direction::Descending => {
                right.cmp(left)
            }
            (Some(left), Some(right)) => left.cmp(right),
            (left, right) => right.is_some().cmp(&left.is_some()),
        })
        .find(|ordering| ordering.is_ne())
        .unwrap_or_else(|| (&left.group, left.number).cmp(&(&right.group, right.number)))
}

/// Where a document stands among those of its segment: a place for each path of the order, then the
/// places of its group and its number. Places are twice an ordinal and one, so that what is not in
/// the segment has a place between two that are.
#[derive(PartialEq, Eq)]
struct Key {
    places: Box<[u64]>,
    document: DocId,
    /// Whether what comes last is the nearest.
    is_backward: bool,
}

/// The nearest is the least.
impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        let places = self.places.cmp(&other.places).then(self.document.cmp(&other.document));
        if self.is_backward { places.reverse() } else { places }
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The place of a document without a value.
const LAST: u64 = u64::MAX;

/// One segment in the order of a scan.
struct Ordered<'a> {
    segment: &'a Segment,
    columns: Vec<OrderedColumn>,
    bound: Bound,
}

/// Which rows are wanted, by their places in a segment.
enum Bound {
    None,
    After(Box<[u64]>),
    Before(Box<[u64]>),
}

impl Bound {
    fn admits(&self, places: &[u64]) -> bool {
        match self {
            Bound::None => true,
            Bound::After(bound) => places > &**bound,
            Bound::Before(bound) => places < &**bound,
        }
    }

    fn is_backward(&self) -> bool {
        matches!(self, Bound::Before(_))
    }
}

/// A path of the order, where the segment has values at it.
struct OrderedColumn {
    column: Option<(ValueColumn, Range<u64>)>,
    direction: Direction,
}

impl<'a> Ordered<'a> {
    fn open(segment: &'a Segment, scan: &Scan) -> tantivy::Result<Ordered<'a>> {
        let columns = scan
            .order
            .iter()
            .map(|order| OrderedColumn::open(segment, order))
            .collect::<tantivy::Result<Vec<_>>>()?;
        let mut ordered = Ordered { segment, columns, bound: Bound::None };
        ordered.bound = match &scan.start {
            Start::First => Bound::None,
            Start::After(position) => Bound::After(ordered.places_of(position)?),
            Start::Before(position) => Bound::Before(ordered.places_of(position)?),
        };
        Ok(ordered)
    }

    /// Those `limit` of the selected documents that are nearest to where the page starts.
    fn nearest(&self, selected: &FixedBitSet, limit: usize) -> Vec<Key> {
        let is_backward = self.bound.is_backward();
        let is_nearer = |places: &[u64], worst: &Key| match is_backward {
            true => places > &*worst.places,
            false => places < &*worst.places,
        };
        let is_farther = |place, worst| if is_backward { place < worst } else { place > worst };
        let mut best: BinaryHeap<Key> = BinaryHeap::new();
        let mut places = vec![0; self.columns.len() + 2];
        let mut visit = |document: usize| {
            let document = document as DocId;
            // Most are told by their first place, and the others are dear.
            if best.len() == limit
                && let (Some(column), Some(worst)) = (self.columns.first(), best.peek())
                && is_farther(column.place(document), worst.places[0])
            {
                return;
            }
            self.places(document, &mut places);
            let is_better =
                best.len() < limit || best.peek().is_some_and(|worst| is_nearer(&places, worst));
            if is_better && self.bound.admits(&places) {
                best.push(Key { places: places.as_slice().into(), document, is_backward });
                if best.len() > limit {
                    best.pop();
                }
            }
        };
        // What was added last often has the greatest values: the nearest are met first.
        let is_descending = self.columns.first().is_some_and(|column| column.is_descending());
        match is_descending != is_backward {
            true => selected.ones().rev().for_each(&mut visit),
            false => selected.ones().for_each(&mut visit),
        }
        best.into_sorted_vec()
    }

    fn places(&self, document: DocId, places: &mut [u64]) {
        for (place, column) in places.iter_mut().zip(&self.columns) {
            *place = column.place(document);
        }
        let (group, number) = self.segment.rank(document);
        let end = self.columns.len();
        places[end] = place_of(group, true);
        places[end + 1] = u64::from(number);
    }

    /// The places a position has in this segment.
    fn places_of(&self, position: &Position) -> tantivy::Result<Box<[u64]>> {
        let mut places = Vec::with_capacity(self.columns.len() + 2);
        for (at, column) in self.columns.iter().enumerate() {
            places.push(column.place_of(position.values.get(at).and_then(Option::as_ref))?);
        }
        let (group, is_there) = self.segment.group_position(&position.group)?;
        places.push(place_of(group, is_there));
        places.push(u64::from(position.number));
        Ok(places.into())
    }

    fn row(&self, segment: u32, key: &Key) -> tantivy::Result<Row> {
        let values = self
            .columns
            .iter()
            .zip(&key.places)
            .map(|(column, place)| column.value(*place))
            .collect::<tantivy::Result<_>>()?;
        let (group, number) =
            (self.segment.group(key.document)?, self.segment.number(key.document));
        Ok(Row {
            address: Address { segment, document: key.document },
            position: Position { values, group, number },
        })
    }
}

impl OrderedColumn {
    fn open(segment: &Segment, order: &Order) -> tantivy::Result<OrderedColumn> {
        let column = match segment.column(&order.path)? {
            Some(column) => {
                let scalars = column.scalars()?;
                Some((column, scalars))
            }
            None => None,
        };
        Ok(OrderedColumn { column, direction: order.direction })
    }

    fn is_descending(&self) -> bool {
        self.direction == Direction::Descending
    }

    fn place(&self, document: DocId) -> u64 {
        let Some((column, scalars)) = &self.column else { return LAST };
        let ordinals = column.ordinals(document).filter(|ordinal| scalars.contains(ordinal));
        let ordinal = match self.direction {
            Direction::Ascending => ordinals.min(),
            Direction::Descending => ordinals.max(),
        };
        ordinal.map_or(LAST, |ordinal| self.directed(place_of(ordinal, true)))
    }

    fn place_of(&self, value: Option<&Value>) -> tantivy::Result<u64> {
        Ok(match (value, &self.column) {
            (None, _) => LAST,
            (Some(_), None) => self.directed(0),
            (Some(value), Some((column, _))) => {
                let (ordinal, is_there) = column.position(value)?;
                self.directed(place_of(ordinal, is_there))
            }
        })
    }

    /// The value at a place that a document has.
    fn value(&self, place: u64) -> tantivy::Result<Option<Value>> {
        match &self.column {
            Some((column, _)) if place != LAST => column.value(self.directed(place) / 2).map(Some),
            _ => Ok(None),
        }
    }

    /// Turns the order of places round where the greatest come first; done twice, it is undone.
    fn directed(&self, place: u64) -> u64 {
        match self.direction {
            Direction::Ascending => place,
            Direction::Descending => LAST - 1 - place,
        }
    }
}

/// The place of an ordinal, or the one just before it.
fn place_of(ordinal: u64, is_there: bool) -> u64 {
    2 * ordinal + u64::from(is_there)
}
