//! Records by key, in full.

use serde_json::{Map, Value as Json};

use super::list::{read, unknown_locales};
use super::populate::Populate;
use super::render::path_of;
use super::resource::Resource;
use super::types::{ExecutionInfo, GetRecord, Record, RecordAnswer};
use crate::error::nearest;
use crate::{FaceError, Faces, IndexStatus, limits};

/// Bytes of the records of one answer.
const BYTES: usize = 1 << 20;
/// Keys an error looks through for near ones.
const KEYS: usize = 10_000;

impl Faces {
    /// Records in full, nothing cut.
    ///
    /// # Errors
    /// An unknown resource, field or placeholder; a single key no record has; more than 20 keys;
    /// records of more than 1 MiB; an index that cannot be read.
    pub fn get_record(&self, request: &GetRecord) -> Result<RecordAnswer, FaceError> {
        if request.record_ids.is_empty() || request.record_ids.len() > limits::RECORDS_IN_FULL {
            let found = request.record_ids.len();
            let message =
                format!("`record_ids` may have 1 to {} keys, not {found}", limits::RECORDS_IN_FULL);
            return Err(FaceError::new("invalid_argument", message).at("record_ids"));
        }
        let resource = self.resource(&request.resource_id)?;
        let (mut items, mut missing) = (Vec::new(), Vec::new());
        for key in &request.record_ids {
            let stored = resource.opened.ask(|snapshot| snapshot.group(key))?;
            let record = stored.first().map(|stored| {
                let record = read(self, &resource, stored, &request.locales)?;
                check_parents(&resource, request, &record)?;
                Ok(record)
            });
            match record.transpose()? {
                Some(record) => items.push(record),
                None => missing.push(key.clone()),
            }
        }
        if let ([], [key]) = (&items[..], &missing[..]) {
            return Err(unknown_record(&resource, key)?);
        }
        for record in &mut items {
            project(&resource, record, &request.fields)?;
        }
        let locales = &request.locales;
        let populate = Populate { faces: self, locales, max_text_chars: None };
        let mut warnings = unknown_locales(&resource, locales);
        warnings.extend(populate.run(&resource, &request.populate, &mut items)?);
        bounded(&items)?;
        let index = IndexStatus::of(resource.opened.source);
        let execution_info = ExecutionInfo { warnings, index, ..ExecutionInfo::default() };
        Ok(RecordAnswer { items, missing, execution_info })
    }
}

/// A record below others is only found below those.
fn check_parents(
    resource: &Resource<'_>,
    request: &GetRecord,
    record: &Record,
) -> Result<(), FaceError> {
    for (placeholder, key) in &request.parents {
        let known = resource.placeholders.iter().map(|each| each.name.as_str());
        if known.clone().all(|name| name != placeholder) {
            let code = "unknown_placeholder";
            return Err(FaceError::unknown(code, "parents", "placeholder", placeholder, known));
        }
        let found = record.sys.parents.get(placeholder);
        if found != Some(key) {
            let belongs = found.map_or("none".to_owned(), |found| format!("`{found}`"));
            let message = format!(
                "`{}` does not belong to {placeholder} `{key}` but to {belongs}",
                record.id
            );
            return Err(FaceError::new("unknown_record", message).at("parents"));
        }
    }
    Ok(())
}

fn unknown_record(resource: &Resource<'_>, key: &str) -> Result<FaceError, FaceError> {
    let message = format!("`{}` has no record with the key `{key}`", resource.id);
    let error = FaceError::new("unknown_record", message).at("record_id");
    let count = resource.opened.ask(|snapshot| snapshot.stats())?.groups;
    // Looking through all keys of a large collection would take longer than the answer is worth.
    if count > KEYS {
        return Ok(error.hint("Keys are the `id` of search_records and query_records."));
    }
    let groups = resource.opened.ask(|snapshot| snapshot.groups())?;
    let mut error = error.hint("Keys are the `id` of search_records and query_records.");
    error.near = nearest(key, groups.iter().map(|group| group.name.as_str()));
    Ok(error)
}

/// Keeps only some fields.
fn project(
    resource: &Resource<'_>,
    record: &mut Record,
    fields: &[String],
) -> Result<(), FaceError> {
    if fields.is_empty() {
        return Ok(());
    }
    let known = &resource.collection.fields;
    for field in fields {
        if !known.contains_key(field) {
            let known = known.keys().map(String::as_str);
            return Err(FaceError::unknown("unknown_field", "fields", "field", field, known));
        }
    }
    keep(&mut record.data, "", fields);
    Ok(())
}

fn keep(members: &mut Map<String, Json>, above: &str, fields: &[String]) {
    members.retain(|key, value| {
        let path = path_of(above, key);
        let is_below =
            |field: &String| field.strip_prefix(&path).is_some_and(|rest| rest.starts_with('.'));
        let whole = fields.contains(&path);
        let part = !whole && fields.iter().any(is_below);
        if part {
            keep_below(value, &path, fields);
        }
        whole || part
    });
}

fn keep_below(value: &mut Json, path: &str, fields: &[String]) {
    match value {
        Json::Object(members) => keep(members, path, fields),
        Json::Array(elements) => {
            elements.iter_mut().for_each(|element| keep_below(element, path, fields));
        }
        _ => {}
    }
}

fn bounded(items: &[Record]) -> Result<(), FaceError> {
    let bytes = |record: &Record| serde_json::to_vec(&record.data).map_or(0, |json| json.len());
    let total: usize = items.iter().map(bytes).sum();
    if total <= BYTES {
        return Ok(());
    }
    let message = format!("the answer would have {total} bytes, and may have {BYTES}");
    Err(FaceError::new("record_too_large", message)
        .at("fields")
        .hint("Name the fields you need in `fields`, or ask for fewer records."))
}
