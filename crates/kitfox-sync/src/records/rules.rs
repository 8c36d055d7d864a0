//! What the records of a writable collection must be.

use std::sync::Arc;

use kitfox_core::{Flaw, WriteError, field_keys, sys};
use serde_json::{Map, Value as Json};

use super::CollectionConfig;
use super::key::key_of;
use super::record::Refusal;
use super::schema::RecordSchema;

/// The most flaws of one record that are told.
const MAX_FLAWS: usize = 20;

/// The most bytes of a record, as JSON: as many as a row of a file may have.
const MAX_BYTES: usize = 16 << 20;

/// The rules of a collection: its schema, which is read anew each time, and what is configured.
pub struct RecordRules {
    config: Arc<CollectionConfig>,
}

impl RecordRules {
    /// The rules of a collection.
    pub fn of(config: &Arc<CollectionConfig>) -> RecordRules {
        RecordRules { config: Arc::clone(config) }
    }

    /// The path of the field with the key of a record; none where keys are apart from the data.
    pub fn key_field(&self) -> Option<&str> {
        self.config.key.as_deref()
    }

    /// All that is wrong with data as that of a record, the first of it.
    ///
    /// # Errors
    /// [`WriteError::Refused`] where the schema cannot be read.
    pub fn flaws(&self, data: &Map<String, Json>) -> Result<Vec<Flaw>, WriteError> {
        Ok(self.read()?.flaws(data))
    }

    /// The rules as they are now.
    pub(super) fn read(&self) -> Result<Checks<'_>, WriteError> {
        let schema = self.config.schema.as_deref().map(RecordSchema::read).transpose();
        let schema = schema.map_err(|reason| {
            WriteError::Refused(format!("the schema of the collection cannot be used: {reason}"))
        })?;
        Ok(Checks { config: &self.config, schema })
    }
}

/// Rules that were read.
pub(super) struct Checks<'r> {
    pub config: &'r CollectionConfig,
    pub schema: Option<RecordSchema>,
}

impl Checks<'_> {
    /// All that is wrong with data as that of a record, the first of it.
    pub fn flaws(&self, data: &Map<String, Json>) -> Vec<Flaw> {
        let data = Json::Object(data.clone());
        let mut flaws: Vec<Flaw> = self.own_flaws(&data).collect();
        let of_schema =
            self.schema.as_ref().map_or(Vec::new(), |schema| schema.flaws(&data, MAX_FLAWS));
        flaws.extend(of_schema.into_iter().map(|Refusal { field, reason }| Flaw { field, reason }));
        flaws.truncate(MAX_FLAWS);
        flaws
    }

    fn own_flaws(&self, data: &Json) -> impl Iterator<Item = Flaw> {
        let bytes = serde_json::to_vec(data).map_or(0, |json| json.len());
        let too_long = (bytes > MAX_BYTES).then(|| Flaw {
            field: None,
            reason: format!("it has {bytes} bytes, and may have 16 MiB"),
        });
        let reserved = data.get(sys::OBJECT).map(|_| Flaw {
            field: Some(sys::OBJECT.to_owned()),
            reason: "is a name of kitfox's own".to_owned(),
        });
        let parent = self.config.parent.as_ref().map(|parent| &parent.field);
        let keys = self.config.key.as_ref().into_iter().chain(parent);
        let keys: Vec<Flaw> = keys.filter_map(|path| key_flaw(data, path)).collect();
        too_long.into_iter().chain(reserved).chain(keys)
    }
}

fn key_flaw(data: &Json, path: &str) -> Option<Flaw> {
    let value = field_keys(path).iter().try_fold(data, |data, key| data.get(key));
    let reason = key_of(value.unwrap_or(&Json::Null)).err()?;
    Some(Flaw { field: Some(path.to_owned()), reason: reason.to_owned() })
}
