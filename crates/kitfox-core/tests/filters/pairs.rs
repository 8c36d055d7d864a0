//! Random pairs of a record and a filter, judged by the crate and by plain evaluation.

use std::collections::BTreeMap;

use fastrand::Rng;
use kitfox_core::{FieldType, OPERATORS, Schema};
use serde_json::Value as Json;

use crate::plain::{self, Kind, Refused};
use crate::random;

/// Set to check more pairs than a usual run does.
const PAIRS: &str = "KITFOX_FILTER_PAIRS";
const USUAL: u64 = 300_000;
/// Filters on each record.
const FILTERS: u64 = 10;

/// How often a single condition with an operator passed, failed and was refused.
#[derive(Debug, Default)]
struct Seen {
    passed: u64,
    failed: u64,
    refused: u64,
}

#[test]
fn the_crate_and_plain_evaluation_agree() {
    let pairs =
        std::env::var(PAIRS).map_or(USUAL, |pairs| pairs.parse().expect("a number of pairs"));
    let schema = schema(random::FIELDS);
    let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
    for number in 0..pairs / FILTERS {
        let mut rng = Rng::with_seed(number);
        let record = random::record(&mut rng);
        let values = schema.values(&record);
        for _ in 0..FILTERS {
            let filters = random::filters(&mut rng, &record);
            let found = schema.filter(&filters).map(|filter| filter.passes(&values));
            let found = found.map_err(|_| Refused);
            let expected = plain::passes(random::FIELDS, &filters, &record);
            assert_eq!(found, expected, "record {number}: {record}\nfilters {filters}");
            count(&mut seen, &filters, &found);
        }
    }
    println!("{pairs} pairs: {seen:#?}");
    for operator in OPERATORS {
        let seen = seen.get(operator.name).expect("every operator is drawn");
        let least = pairs / 1_500;
        let is_enough = seen.passed > least && seen.failed > least && seen.refused > least;
        assert!(is_enough, "`{}` on {pairs} pairs: {seen:?}", operator.name);
    }
}

#[test]
fn the_table_has_every_operator_once() {
    let names: Vec<&str> = OPERATORS.iter().map(|operator| operator.name).collect();
    assert_eq!(names, random::OPERATORS);
}

/// A single condition counts for its operator.
fn count(seen: &mut BTreeMap<String, Seen>, filters: &Json, outcome: &Result<bool, Refused>) {
    let [condition] = filters.as_array().map_or(&[][..], Vec::as_slice) else { return };
    let Some(operator) = condition["op"].as_str() else { return };
    let seen = seen.entry(operator.to_owned()).or_default();
    match outcome {
        Ok(true) => seen.passed += 1,
        Ok(false) => seen.failed += 1,
        Err(Refused) => seen.refused += 1,
    }
}

/// Whether a record passes by the crate's own word.
pub fn evaluate(schema: &Schema, filters: &Json, record: &Json) -> Result<bool, Refused> {
    let filter = schema.filter(filters).map_err(|_| Refused)?;
    Ok(filter.passes(&schema.values(record)))
}

/// The same fields as the crate knows them.
pub fn schema(fields: &[(&str, Kind)]) -> Schema {
    let of_type = |kind| match kind {
        Kind::Boolean => FieldType::Boolean,
        Kind::Number => FieldType::Number,
        Kind::String => FieldType::String,
        Kind::Date => FieldType::Date,
        Kind::Time => FieldType::Time,
        Kind::DateTime => FieldType::DateTime,
        Kind::Point => FieldType::Point,
        Kind::Object => FieldType::Object,
    };
    fields.iter().map(|(path, kind)| (*path, of_type(*kind))).collect()
}
