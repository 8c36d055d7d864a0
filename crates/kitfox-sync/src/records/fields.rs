//! What the fields of a collection are: what was seen of them, and what a person says.

use std::collections::BTreeMap;

use kitfox_core::{Collection, Field, FieldType};

use super::infer::{Seen, Values};
use super::schema::{Declared, RecordSchema};
use super::{CollectionConfig, FieldConfig};
use crate::Problem;

/// Texts longer than this are read, not compared.
const LONGEST_COMPARED: usize = 255;

/// Texts longer than this on average say something; shorter ones are names and labels.
const SHORTEST_MEANT: u64 = 40;

/// Fields that often say what a record is called, likeliest first.
const TITLES: [&str; 5] = ["title", "name", "label", "subject", "headline"];

/// The collection that these records make, and what is wrong with what a person says of it.
pub(super) fn collection(
    config: &CollectionConfig,
    schema: Option<&RecordSchema>,
    mut seen: Seen,
    model: &str,
) -> (Collection, Vec<Problem>) {
    let nothing = BTreeMap::new();
    let declared = schema.map_or(&nothing, |schema| &schema.fields);
    for (path, declared) in declared.iter().filter(|(path, _)| !config.is_private(path)) {
        let values = seen.paths.entry(path.clone()).or_default();
        values.declare(declared.kinds, declared.is_array);
    }
    let problems = problems(config, &seen);
    let key = config.key.clone().or_else(|| seen.key().map(str::to_owned));
    let mut fields = fields(config, declared, seen, key.as_deref());
    let title = TITLES.into_iter().find(|title| {
        fields.get(*title).is_some_and(|field| {
            field.of_type == FieldType::String && !field.is_array && key.as_deref() != Some(title)
        })
    });
    if let Some(title) = title {
        set_title(config, &mut fields, title);
    }
    let collection = Collection {
        description: config.description.clone(),
        fields,
        schema: schema.filter(|_| !config.has_private()).map(|schema| schema.document.clone()),
        key,
        title: title.map(str::to_owned),
        parent: config.parent.clone(),
        locales: config.locales.clone(),
        max_text_chars: config.max_text_chars,
        model: model.to_owned(),
        imported_at_ns: 0,
    };
    (collection, problems)
}

/// Whether a path is that of one locale of a localized field, and of which.
pub(super) fn localized<'p>(path: &'p str, fields: &BTreeMap<String, Field>) -> Option<&'p str> {
    let (base, _) = path.rsplit_once('.')?;
    fields.get(base).is_some_and(|field| field.localized).then_some(base)
}

fn problems(config: &CollectionConfig, seen: &Seen) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut problem = |field: Option<&String>, reason: &str| {
        problems.push(Problem { field: field.cloned(), ..Problem::of("", reason) });
    };
    if seen.is_cut {
        problem(
            None,
            "there are more than 2,000 fields; the rest are neither searched nor filtered by",
        );
    }
    for (path, field) in &config.fields {
        if seen.records > 0 && !field.private && !seen.paths.contains_key(path) {
            problem(Some(path), "is configured, but no record has it");
        }
    }
    problems
}

fn fields(
    config: &CollectionConfig,
    declared: &BTreeMap<String, Declared>,
    seen: Seen,
    key: Option<&str>,
) -> BTreeMap<String, Field> {
    let (records, mut paths) = (seen.records, seen.paths);
    let localized = config.fields.iter().filter(|(_, field)| field.localized);
    for (path, _) in localized {
        let members: Vec<String> =
            paths.keys().filter(|member| is_member(member, path)).cloned().collect();
        let Some(mut base) = paths.remove(path) else { continue };
        base.forget_objects();
        members.iter().filter_map(|member| paths.get(member)).for_each(|it| base.include(it));
        paths.insert(path.clone(), base);
    }
    let nothing = FieldConfig::default();
    let mut fields = BTreeMap::new();
    for (path, values) in &paths {
        let said = config.fields.get(path);
        let of_base = || localized_base(path, config);
        let said = said.or_else(of_base).unwrap_or(&nothing);
        let is_key = key == Some(path.as_str());
        let mut field = field(values, records, said, is_key);
        field.localized = config.fields.get(path).is_some_and(|said| said.localized);
        if let Some(declared) = declared.get(path) {
            declare(&mut field, declared);
        }
        fields.insert(path.clone(), field);
    }
    remove_halves_of_points(&mut fields);
    // Where no text is long, the short ones are all there is to say of a record.
    let is_said = config.fields.values().any(|said| said.vectorized.is_some());
    if !is_said && !fields.values().any(|field| field.vectorized) {
        fields.values_mut().for_each(|field| field.vectorized = field.searchable);
    }
    fields
}

fn is_member(member: &str, of: &str) -> bool {
    member.rsplit_once('.').is_some_and(|(base, _)| base == of)
}

/// What is said of the localized field that a path is one locale of.
fn localized_base<'c>(path: &str, config: &'c CollectionConfig) -> Option<&'c FieldConfig> {
    let (base, _) = path.rsplit_once('.')?;
    config.fields.get(base).filter(|field| field.localized)
}

fn field(values: &Values, records: u64, said: &FieldConfig, is_key: bool) -> Field {
    let of_type = said.of_type.unwrap_or(values.of_type());
    let is_text = of_type == FieldType::String;
    let is_compared = !is_text || values.longest <= LONGEST_COMPARED;
    let is_ordered = !matches!(of_type, FieldType::Object | FieldType::Point);
    Field {
        of_type,
        is_array: values.is_array,
        is_optional: values.records < records,
        filterable: said.filterable.unwrap_or(is_compared),
        sortable: said.sortable.unwrap_or(is_compared && is_ordered),
        searchable: said.searchable.unwrap_or(is_text && !is_key),
        vectorized: said.vectorized.unwrap_or(is_text && values.average() > SHORTEST_MEANT),
        localized: false,
        weight: said.weight,
        reference: said.reference.clone(),
        description: said.description.clone(),
        allowed: Vec::new(),
        example: values.example.clone(),
    }
}

/// Adds what only a schema tells.
fn declare(field: &mut Field, declared: &Declared) {
    field.is_optional = !declared.is_required;
    field.allowed.clone_from(&declared.allowed);
    if field.description.is_empty() {
        field.description.clone_from(&declared.description);
    }
}

/// What a record is called is what it is about.
fn set_title(config: &CollectionConfig, fields: &mut BTreeMap<String, Field>, title: &str) {
    if config.fields.get(title).is_some_and(|said| said.vectorized.is_some()) {
        return;
    }
    let is_its = |path: &str| path == title || localized(path, fields) == Some(title);
    let paths: Vec<String> = fields.keys().filter(|path| is_its(path)).cloned().collect();
    for path in paths {
        fields.get_mut(&path).into_iter().for_each(|field| field.vectorized = true);
    }
}

/// Latitude and longitude belong to their point and are no fields of their own.
fn remove_halves_of_points(fields: &mut BTreeMap<String, Field>) {
    let is_point = |field: &Field| field.of_type == FieldType::Point;
    let points: Vec<String> =
        fields.iter().filter(|(_, field)| is_point(field)).map(|(path, _)| path.clone()).collect();
    for point in points {
        for half in ["lat", "lon"] {
            fields.remove(&format!("{point}.{half}"));
        }
    }
}
