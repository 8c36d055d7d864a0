//! Writing records: one by one, validated, durable when answered.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use kitfox_core::{Action, Change, Conflict, Flaw, RecordWriter, WriteError, Written, field_keys};
use serde_json::{Map, Value as Json};

use super::render::rfc3339;
use super::resource::Resource;
use super::types::{RecordSys, WriteAnswer, WriteRecord};
use crate::{FaceError, Faces, Kind};

/// The most bytes of a key.
const LONGEST_KEY: usize = 512;

impl Faces {
    /// Whether records of any collection can be written.
    pub fn has_writable(&self) -> bool {
        self.of(Kind::Records).any(|source| source.writer.is_some())
    }

    /// Writes a record that is not there yet.
    ///
    /// # Errors
    /// A collection that cannot be written; data that breaks its rules; a key there is already.
    pub fn create_record(&self, request: &WriteRecord) -> Result<WriteAnswer, FaceError> {
        let target = Target::of(self, request)?;
        let data = target.checked(request)?;
        let key = target.key_of(&data, request.record_id.as_deref(), |_| Ok(new_id()))?;
        target.write(request, key, Action::Create(data))
    }

    /// Puts other data in the place of all a record has.
    ///
    /// # Errors
    /// A collection that cannot be written; data that breaks its rules; a key no record has; another
    /// revision than the one named.
    pub fn update_record(&self, request: &WriteRecord) -> Result<WriteAnswer, FaceError> {
        let target = Target::of(self, request)?;
        let data = target.checked(request)?;
        let missing = |field: Option<&str>| {
            let of_field = field.map_or(String::new(), |field| format!(", or `{field}` of `data`"));
            let message = format!("`record_id`{of_field} must say which record is meant");
            Err(FaceError::new("missing_parameter", message).at("record_id"))
        };
        let key = target.key_of(&data, request.record_id.as_deref(), missing)?;
        target.write(request, key, Action::Replace(data))
    }

    /// Removes a record.
    ///
    /// # Errors
    /// A collection that cannot be written; a key no record has; another revision than the one named.
    pub fn delete_record(&self, request: &WriteRecord) -> Result<WriteAnswer, FaceError> {
        let target = Target::of(self, request)?;
        let key = request.record_id.clone().unwrap_or_default();
        target.write(request, key, Action::Delete)
    }
}

/// A collection that is written.
struct Target<'a> {
    faces: &'a Faces,
    resource: Resource<'a>,
    writer: Arc<dyn RecordWriter>,
}

impl<'a> Target<'a> {
    fn of(faces: &'a Faces, request: &WriteRecord) -> Result<Target<'a>, FaceError> {
        let resource = faces.resource(&request.resource_id)?;
        let Some(writer) = resource.opened.source.writer.clone() else {
            let message = format!("the records of `{}` are read from a source", resource.id);
            let writable = faces.of(Kind::Records).filter(|source| source.writer.is_some());
            return Err(FaceError::new("read_only", message)
                .at("resource_id")
                .allow(writable.map(|source| source.name.as_str()))
                .hint("Change them there; they are read again by themselves."));
        };
        Ok(Target { faces, resource, writer })
    }

    /// The data of a request, with the keys of the records above, where it keeps to all rules.
    fn checked(&self, request: &WriteRecord) -> Result<Map<String, Json>, FaceError> {
        let mut data = request.data.clone();
        self.add_parent(request, &mut data)?;
        let mut flaws = self.writer.flaws(&data).map_err(|error| refused(&error))?;
        if flaws.is_empty() {
            flaws.extend(self.unknown_parent(&data)?);
        }
        if flaws.is_empty() {
            return Ok(data);
        }
        let told: Vec<String> = flaws.iter().map(told).collect();
        let message =
            format!("`data` breaks the rules of `{}`: {}", self.resource.id, told.join("; "));
        let fields = flaws.iter().filter_map(|flaw| flaw.field.as_deref()).next();
        let at = fields.map_or("data".to_owned(), |field| format!("data.{field}"));
        Err(FaceError::new("invalid_record", message)
            .at(at)
            .hint("describe_resource has the JSON Schema of `data`."))
    }

    /// Puts the key that `parents` names into the field that holds it.
    fn add_parent(
        &self,
        request: &WriteRecord,
        data: &mut Map<String, Json>,
    ) -> Result<(), FaceError> {
        let placeholders = self.resource.placeholders.iter().map(|each| each.name.as_str());
        if let Some(unknown) =
            request.parents.keys().find(|name| placeholders.clone().all(|each| each != **name))
        {
            let code = "unknown_placeholder";
            return Err(FaceError::unknown(code, "parents", "placeholder", unknown, placeholders));
        }
        let (Some(parent), Some(placeholder)) =
            (&self.resource.collection.parent, self.resource.placeholders.last())
        else {
            return Ok(());
        };
        let Some(key) = request.parents.get(&placeholder.name) else { return Ok(()) };
        let [field] = &field_keys(&parent.field)[..] else { return Ok(()) };
        let found = data.entry(field.clone()).or_insert_with(|| key.as_str().into());
        if key_text(found).as_ref() != Some(key) {
            let message =
                format!("`data` says that the record belongs to {found}, and `parents` to `{key}`");
            return Err(FaceError::new("invalid_record", message).at("parents"));
        }
        Ok(())
    }

    /// What is wrong where no record has the key of the record above.
    fn unknown_parent(&self, data: &Map<String, Json>) -> Result<Option<Flaw>, FaceError> {
        let Some(parent) = &self.resource.collection.parent else { return Ok(None) };
        let Some(key) = at(data, &parent.field).and_then(key_text) else { return Ok(None) };
        let above = self.faces.collection(&parent.collection)?;
        let is_there = above.opened.ask(|snapshot| snapshot.state(&key))?.is_some();
        Ok((!is_there).then(|| Flaw {
            field: Some(parent.field.clone()),
            reason: format!("`{}` has no record with the key `{key}`", above.id),
        }))
    }

    /// The key of the record: that in its data, the one that is named, or what `otherwise` says.
    fn key_of(
        &self,
        data: &Map<String, Json>,
        named: Option<&str>,
        otherwise: impl FnOnce(Option<&str>) -> Result<String, FaceError>,
    ) -> Result<String, FaceError> {
        let field = self.writer.key_field();
        let own = field.and_then(|field| at(data, field)).and_then(key_text);
        match (own, named) {
            (Some(own), Some(named)) if own != named => {
                let field = field.unwrap_or_default();
                let message = format!("`record_id` is `{named}`, and `{field}` of `data` `{own}`");
                Err(FaceError::new("invalid_record", message)
                    .at("record_id")
                    .hint(format!("The key of a record is its `{field}`, and stays as it is.")))
            }
            (Some(key), _) => Ok(key),
            (None, Some(named)) => Ok(named.to_owned()),
            (None, None) => otherwise(field),
        }
    }

    fn write(
        &self,
        request: &WriteRecord,
        key: String,
        action: Action,
    ) -> Result<WriteAnswer, FaceError> {
        if key.is_empty() || key.len() > LONGEST_KEY {
            let message = format!("a key has 1 to {LONGEST_KEY} bytes, not {}", key.len());
            return Err(FaceError::new("invalid_argument", message).at("record_id"));
        }
        let revision = request.revision.as_deref().map(revision).transpose()?;
        let is_deleted = action == Action::Delete;
        let change = Change { id: new_id(), key: key.clone(), action, revision };
        let outcomes = self.writer.write(vec![change]).map_err(|error| refused(&error))?;
        match outcomes.into_iter().next() {
            Some(Ok(written)) => Ok(self.answer(key, &written, is_deleted)),
            Some(Err(conflict)) => Err(self.conflict(&key, &conflict, request)),
            None => Err(refused(&WriteError::NoAnswer)),
        }
    }

    fn answer(&self, key: String, written: &Written, is_deleted: bool) -> WriteAnswer {
        WriteAnswer {
            sys: RecordSys {
                key: key.clone(),
                folder: self.resource.id.clone(),
                revision: written.revision.to_string(),
                created_at: rfc3339(written.created_at_ns.into()),
                updated_at: rfc3339(written.updated_at_ns.into()),
                ..RecordSys::default()
            },
            id: key,
            changed: written.is_changed,
            deleted: is_deleted,
        }
    }

    fn conflict(&self, key: &str, conflict: &Conflict, request: &WriteRecord) -> FaceError {
        let id = &self.resource.id;
        match conflict {
            Conflict::Exists(revision) => {
                let message =
                    format!("`{id}` has a record `{key}` already, of revision {revision}");
                FaceError::new("record_exists", message)
                    .at("record_id")
                    .hint("update_record puts other data in its place.")
            }
            Conflict::Missing => {
                FaceError::new("unknown_record", format!("`{id}` has no record `{key}`"))
                    .at("record_id")
                    .hint("create_record writes a new one.")
            }
            Conflict::Revision(found) => {
                let named = request.revision.as_deref().unwrap_or_default();
                let message =
                    format!("`{key}` has revision {found}, not {named}: somebody else changed it");
                FaceError::new("revision_conflict", message)
                    .at("revision")
                    .hint("Read it again with get_record, and change what is there now.")
            }
        }
    }
}

fn told(flaw: &Flaw) -> String {
    match &flaw.field {
        Some(field) => format!("`{field}`: {}", flaw.reason),
        None => flaw.reason.clone(),
    }
}

fn refused(error: &WriteError) -> FaceError {
    let hint = "Read the record with get_record to see whether it was changed.";
    FaceError::new("not_written", error.to_string()).hint(hint)
}

fn revision(text: &str) -> Result<u64, FaceError> {
    text.parse().map_err(|_| {
        let message = format!("`revision` must be one that `_sys.revision` told, not `{text}`");
        FaceError::new("invalid_argument", message).at("revision")
    })
}

fn at<'d>(data: &'d Map<String, Json>, path: &str) -> Option<&'d Json> {
    let keys = field_keys(path);
    let (first, rest) = keys.split_first()?;
    rest.iter().try_fold(data.get(first)?, |value, key| value.get(key))
}

/// The key a value is.
fn key_text(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A name nothing else has: those made later come later.
fn new_id() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:012x}{:016x}", since.as_millis(), fastrand::u64(..))
}
