//! How records are spread over the values of fields.

use std::collections::BTreeMap;

use kitfox_core::{Collection, Facet, FieldType, Selection, Value, sys};
use serde_json::{Value as Json, json};

use super::filter::check_path;
use super::render::rfc3339;
use super::resource::Resource;
use super::types::{FacetAnswer, FacetValue};
use crate::{FaceError, limits};

/// Values listed of one field.
pub(super) const VALUES: usize = 20;

/// Counts what was asked for; none where nothing was.
///
/// # Errors
/// A path that is no field with values; too many paths; an index that cannot be read.
pub(super) fn facets(
    resource: &Resource<'_>,
    selection: &Selection,
    paths: &[String],
) -> Result<Option<BTreeMap<String, FacetAnswer>>, FaceError> {
    if paths.is_empty() {
        return Ok(None);
    }
    if paths.len() > limits::FACETS {
        let message =
            format!("`facets` may have at most {} paths, not {}", limits::FACETS, paths.len());
        return Err(FaceError::new("invalid_argument", message).at("facets"));
    }
    for path in paths {
        check_path(&resource.collection, path, "facets", |field| field.filterable)?;
    }
    let counted: Vec<&str> = paths.iter().map(String::as_str).collect();
    let counted = resource.opened.ask(|snapshot| snapshot.facets(selection, &counted, VALUES))?;
    let answers = paths
        .iter()
        .zip(counted)
        .map(|(path, facet)| (path.clone(), answer(type_of(&resource.collection, path), facet)));
    Ok(Some(answers.collect()))
}

/// The type of a field or of what the system knows.
pub(super) fn type_of(collection: &Collection, path: &str) -> FieldType {
    match collection.fields.get(path) {
        Some(field) => field.of_type,
        None if path == sys::KEY => FieldType::String,
        None => FieldType::DateTime,
    }
}

/// A facet as answers give it.
pub(super) fn answer(of_type: FieldType, facet: Facet) -> FacetAnswer {
    let is_ordered = matches!(
        of_type,
        FieldType::Number | FieldType::Date | FieldType::Time | FieldType::DateTime
    );
    let bound = |value: Option<Value>| value.filter(|_| is_ordered).map(|v| json_of(of_type, &v));
    let values: Vec<FacetValue> = facet
        .top
        .iter()
        .map(|(value, count)| FacetValue { value: json_of(of_type, value), count: *count })
        .collect();
    FacetAnswer {
        other_values: facet.distinct.saturating_sub(values.len()),
        values,
        min: bound(facet.least),
        max: bound(facet.greatest),
    }
}

/// A value as it stands in records, or close to it: times are in UTC.
fn json_of(of_type: FieldType, value: &Value) -> Json {
    match value {
        Value::Null | Value::Empty | Value::Filled => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Number(number) => match number.integer().map(i64::try_from) {
            Some(Ok(integer)) => json!(integer),
            _ => json!(number.nearest()),
        },
        Value::Time(nanoseconds) => {
            let time = rfc3339(*nanoseconds);
            json!(match of_type {
                FieldType::Date => time.split('T').next().unwrap_or_default().to_owned(),
                FieldType::Time => {
                    time.split('T').next_back().unwrap_or_default().trim_end_matches('Z').to_owned()
                }
                _ => time,
            })
        }
        Value::Point(point) => json!({ "lat": point.latitude(), "lon": point.longitude() }),
        Value::Text(text) => json!(text),
    }
}
