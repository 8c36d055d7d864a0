//! The values at one path in one segment.

use std::ops::{Bound, Range};

use fixedbitset::FixedBitSet;
use kitfox_core::{At, Case, Pattern, Test, Value};
use tantivy::columnar::{Cardinality, StrColumn};
use tantivy::{DocId, SegmentReader, TantivyError};

use super::keys::{self, column_path, kind};

/// More ranges of ordinals than this are looked for in one pass over all documents.
const MAX_RANGES: usize = 4;

/// More values than this are looked for in one pass over all that the segment has.
const MAX_LOOKUPS: usize = 100;

/// Rows read at a time.
const BLOCK: usize = 1024;

/// The values at one path in one segment. A value is known by its *ordinal*, its place among the
/// distinct values of the segment in their order.
pub(crate) struct ValueColumn(StrColumn);

impl ValueColumn {
    /// Opens the values of a path; none where no document of the segment has any.
    pub fn open(
        segment: &SegmentReader,
        field: &str,
        path: &str,
    ) -> tantivy::Result<Option<ValueColumn>> {
        let name = format!("{field}.{}", column_path(path));
        Ok(segment.fast_fields().str(&name)?.map(ValueColumn))
    }

    /// How many distinct values there are.
    pub fn len(&self) -> usize {
        self.0.num_terms()
    }

    /// The ordinals of a document's values.
    pub fn ordinals(&self, document: DocId) -> impl Iterator<Item = u64> + '_ {
        self.0.term_ords(document)
    }

    /// For each ordinal, how many of these documents have its value.
    pub fn counts(&self, documents: &FixedBitSet) -> Vec<usize> {
        let mut counts = vec![0; self.len()];
        let mut count = |ordinal: u64| {
            // A damaged file may say anything.
            counts.get_mut(ordinal as usize).into_iter().for_each(|count| *count += 1);
        };
        let ordinals = self.0.ords();
        let is_all = documents.count_ones(..) == documents.len();
        if !is_all && ordinals.get_cardinality() != Cardinality::Full {
            for document in documents.ones() {
                self.ordinals(document as DocId).for_each(&mut count);
            }
            return counts;
        }
        // Rows are values; where each document has one, its row is its own number.
        let rows = ordinals.values.num_vals();
        let mut block = [0; BLOCK];
        for start in (0..rows).step_by(BLOCK) {
            let block = &mut block[..BLOCK.min((rows - start) as usize)];
            ordinals.values.get_range(start.into(), block);
            for (ordinal, row) in block.iter().zip(start as usize..) {
                if is_all || documents.contains(row) {
                    count(*ordinal);
                }
            }
        }
        counts
    }

    /// The value of an ordinal.
    pub fn value(&self, ordinal: u64) -> tantivy::Result<Value> {
        let mut key = String::new();
        match self.0.ord_to_str(ordinal, &mut key)? {
            true => keys::decode(&key).ok_or_else(no_key),
            false => Err(no_key()),
        }
    }

    /// The values of these ordinals, which ascend, in their order.
    pub fn values(&self, ordinals: &[u64]) -> tantivy::Result<Vec<Value>> {
        let mut values = Vec::with_capacity(ordinals.len());
        self.0.dictionary().sorted_ords_to_term_cb(ordinals, |key| {
            values.extend(std::str::from_utf8(key).ok().and_then(keys::decode));
        })?;
        if values.len() == ordinals.len() { Ok(values) } else { Err(no_key()) }
    }

    /// The ordinal of the first value that is not less than this one, and whether it equals it.
    pub fn position(&self, value: &Value) -> tantivy::Result<(u64, bool)> {
        let key = keys::encode(value);
        let ordinal = self.first_from(key.as_bytes())?;
        let mut found = Vec::new();
        let is_there = ordinal < self.len() as u64
            && self.0.dictionary().ord_to_term(ordinal, &mut found)?
            && found == key.as_bytes();
        Ok((ordinal, is_there))
    }

    /// The ordinals of scalars, which come after all marks.
    pub fn scalars(&self) -> tantivy::Result<Range<u64>> {
        Ok(self.first_from(&[kind::BOOL])?..self.len() as u64)
    }

    /// Adds the documents some value of which passes.
    pub fn add_passing(&self, test: &Test, found: &mut FixedBitSet) -> tantivy::Result<()> {
        let mut ranges = self.passing(test)?;
        ranges.retain(|range| !range.is_empty());
        if ranges.len() > MAX_RANGES {
            self.add_all(&ranges, found);
        } else {
            ranges.into_iter().for_each(|range| self.add_range(range, found));
        }
        Ok(())
    }

    /// The ordinals of the values that pass, as ranges.
    fn passing(&self, test: &Test) -> tantivy::Result<Vec<Range<u64>>> {
        Ok(match test {
            Test::Present => vec![self.between(&[kind::EMPTY], None)?],
            Test::Something => {
                let empty = keys::encode(&Value::Text(String::new()));
                let after = self.after(empty.as_bytes())?;
                vec![self.between(&[kind::FILLED], Some(empty.as_bytes()))?, after]
            }
            Test::In(values) if values.len() > MAX_LOOKUPS => self.equal_to_any(values)?,
            Test::In(values) => {
                values.iter().map(|value| self.equal(value)).collect::<Result<_, _>>()?
            }
            Test::Between(low, high) => self.bounded(low, high)?.into_iter().collect(),
            Test::Below(folder) if folder.is_empty() => vec![self.starting_with("")?],
            Test::Below(folder) => vec![
                self.equal(&Value::Text(folder.clone()))?,
                self.starting_with(&format!("{folder}/"))?,
            ],
            Test::Like(Pattern { at: At::Whole, text, case: Case::Sensitive }) => {
                vec![self.equal(&Value::Text(text.clone()))?]
            }
            Test::Like(Pattern { at: At::Start, text, case: Case::Sensitive }) => {
                vec![self.starting_with(text)?]
            }
            Test::Like(_) => self.looked_at(test, kind::TEXT)?,
            Test::Within { .. } | Test::Inside { .. } => self.looked_at(test, kind::POINT)?,
        })
    }

    /// The ordinals of those of many values that the segment has, in one pass over both.
    fn equal_to_any(&self, values: &[Value]) -> tantivy::Result<Vec<Range<u64>>> {
        let mut wanted: Vec<String> = values.iter().map(keys::encode).collect();
        wanted.sort_unstable();
        let (Some(first), Some(last)) = (wanted.first(), wanted.last()) else {
            return Ok(Vec::new());
        };
        let mut ordinal = self.first_from(first.as_bytes())?;
        let mut ranges = Vec::new();
        let mut keys = self.0.dictionary().range().ge(first).le(last).into_stream()?;
        let mut wanted = wanted.iter().map(String::as_bytes).peekable();
        while keys.advance() {
            while wanted.next_if(|key| *key < keys.key()).is_some() {}
            if wanted.peek() == Some(&keys.key()) {
                add(&mut ranges, ordinal);
            }
            ordinal += 1;
        }
        Ok(ranges)
    }

    fn equal(&self, value: &Value) -> tantivy::Result<Range<u64>> {
        let (ordinal, is_there) = self.position(value)?;
        Ok(ordinal..ordinal + u64::from(is_there))
    }

    fn starting_with(&self, text: &str) -> tantivy::Result<Range<u64>> {
        let key = [&[kind::TEXT], text.as_bytes()].concat();
        self.between(&key, Some(&successor(&key)))
    }

    /// The ordinals between two bounds of one kind; none where they are of two, or there are none.
    fn bounded(
        &self,
        low: &Bound<Value>,
        high: &Bound<Value>,
    ) -> tantivy::Result<Option<Range<u64>>> {
        let kinds = [low, high].map(|bound| match bound {
            Bound::Included(value) | Bound::Excluded(value) => Some(keys::kind_of(value)),
            Bound::Unbounded => None,
        });
        let kind = match kinds {
            [Some(low), Some(high)] if low != high => return Ok(None),
            [Some(kind), _] | [None, Some(kind)] => kind,
            [None, None] => return Ok(None),
        };
        let start = match low {
            Bound::Included(value) => self.position(value)?.0,
            Bound::Excluded(value) => self.equal(value)?.end,
            Bound::Unbounded => self.first_from(&[kind])?,
        };
        let end = match high {
            Bound::Included(value) => self.equal(value)?.end,
            Bound::Excluded(value) => self.position(value)?.0,
            Bound::Unbounded => self.first_from(&[kind + 1])?,
        };
        Ok(Some(start..end))
    }

    /// Tests every distinct value of a kind by itself.
    fn looked_at(&self, test: &Test, kind: u8) -> tantivy::Result<Vec<Range<u64>>> {
        let ordinals = self.between(&[kind], Some(&[kind + 1]))?;
        let mut ordinal = ordinals.start;
        let mut ranges: Vec<Range<u64>> = Vec::new();
        let dictionary = self.0.dictionary();
        let mut keys = dictionary.range().ge([kind]).lt([kind + 1]).into_stream()?;
        while keys.advance() {
            let value = std::str::from_utf8(keys.key()).ok().and_then(keys::decode);
            if value.is_some_and(|value| test.passes(&value)) {
                add(&mut ranges, ordinal);
            }
            ordinal += 1;
        }
        Ok(ranges)
    }

    fn between(&self, from: &[u8], to: Option<&[u8]>) -> tantivy::Result<Range<u64>> {
        let end = to.map_or(Ok(self.len() as u64), |to| self.first_from(to))?;
        Ok(self.first_from(from)?..end)
    }

    fn after(&self, key: &[u8]) -> tantivy::Result<Range<u64>> {
        self.between(&[key, &[0]].concat(), None)
    }

    /// The ordinal of the first key that is not less than this one.
    fn first_from(&self, key: &[u8]) -> tantivy::Result<u64> {
        let (bound, _) =
            self.0.dictionary().term_bounds_to_ord(Bound::Included(key), Bound::Unbounded)?;
        let length = self.len() as u64;
        Ok(match bound {
            Bound::Included(ordinal) => ordinal.min(length),
            Bound::Excluded(ordinal) => (ordinal + 1).min(length),
            Bound::Unbounded => 0,
        })
    }

    fn add_range(&self, range: Range<u64>, found: &mut FixedBitSet) {
        let mut documents = Vec::new();
        let all = 0..found.len() as DocId;
        let range = range.start..=range.end - 1;
        self.0.ords().get_docids_for_value_range(range, all, &mut documents);
        documents.into_iter().for_each(|document| found.insert(document as usize));
    }

    fn add_all(&self, ranges: &[Range<u64>], found: &mut FixedBitSet) {
        let mut wanted = FixedBitSet::with_capacity(self.len());
        for range in ranges {
            wanted.insert_range(range.start as usize..range.end as usize);
        }
        for document in 0..found.len() {
            let mut ordinals = self.ordinals(document as DocId);
            if ordinals.any(|ordinal| wanted.contains(ordinal as usize)) {
                found.insert(document);
            }
        }
    }
}

/// Adds the next of ascending ordinals.
fn add(ranges: &mut Vec<Range<u64>>, ordinal: u64) {
    match ranges.last_mut() {
        Some(last) if last.end == ordinal => last.end += 1,
        _ => ranges.push(ordinal..ordinal + 1),
    }
}

/// The least key greater than all that begin with this one. Keys begin with a digit, so there is one.
fn successor(key: &[u8]) -> Vec<u8> {
    let mut next = key.to_vec();
    while let Some(last) = next.pop() {
        if last < u8::MAX {
            next.push(last + 1);
            break;
        }
    }
    next
}

fn no_key() -> TantivyError {
    TantivyError::InternalError("a column of values holds what is none".to_owned())
}
