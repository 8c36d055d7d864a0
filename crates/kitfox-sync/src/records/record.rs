//! From a row to a record, or to why it is none.

use std::collections::BTreeSet;

use kitfox_core::{Collection, FieldType, Value, field_keys, field_path, push_key, sys};
use serde_json::{Map, Value as Json};

use super::CollectionConfig;
use super::format::{Content, Row};
use super::key::{key_of, key_of_content};
use super::schema::RecordSchema;

/// A record as its row has it.
#[derive(Debug)]
pub(super) struct Record {
    pub key: String,
    /// Without what is private.
    pub data: Json,
    /// The data as bytes: what is stored, and what tells whether it has changed.
    pub content: Vec<u8>,
    /// The value of the field with the key of its parent, where that is private.
    pub parent: Option<String>,
    /// Nanoseconds since 1970, where a field tells them.
    pub created_at: Option<i64>,
    pub updated_at: Option<i64>,
    /// Whether something in the row was no UTF-8, and is replaced.
    pub is_lossy: bool,
}

/// Why a row is no record.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The path of the field; none where it is about the whole row.
    pub field: Option<String>,
    pub reason: String,
}

/// Reads rows of a collection.
pub(super) struct Reader<'c> {
    config: &'c CollectionConfig,
    schema: Option<&'c RecordSchema>,
    header: Vec<String>,
    /// What a schema says of the cells of each column.
    declared: Vec<Option<FieldType>>,
    private: BTreeSet<&'c str>,
}

/// Where in a record the things are that a collection needs to know of it.
pub(super) struct Places {
    key: Option<Vec<String>>,
    parent: Option<Vec<String>>,
    created_at: Option<Vec<String>>,
    updated_at: Option<Vec<String>>,
    /// What the cells of each column are read as.
    columns: Vec<Option<FieldType>>,
}

impl<'c> Reader<'c> {
    pub fn new(
        config: &'c CollectionConfig,
        schema: Option<&'c RecordSchema>,
        header: &[String],
    ) -> Reader<'c> {
        let declared = |name: &String| schema?.type_of(&field_path([name.as_str()]));
        let declared = header.iter().map(declared).collect();
        let private = config.fields.iter().filter(|(_, field)| field.private);
        let private = private.map(|(path, _)| path.as_str()).collect();
        Reader { config, schema, header: header.to_owned(), declared, private }
    }

    /// Where things are in the records of a collection.
    pub fn places(&self, collection: &Collection) -> Places {
        let keys = |path: &Option<String>| path.as_deref().map(field_keys);
        let column = |name: &String| {
            let field = collection.fields.get(&field_path([name.as_str()]));
            Some(field.map_or(FieldType::String, |field| field.of_type))
        };
        Places {
            key: keys(&collection.key),
            parent: collection.parent.as_ref().map(|parent| field_keys(&parent.field)),
            created_at: keys(&self.config.created_at),
            updated_at: keys(&self.config.updated_at),
            columns: self.header.iter().map(column).collect(),
        }
    }

    /// What is seen of a row before it is known what the fields are.
    pub fn look(&self, row: &Row) -> Result<Json, Refusal> {
        let mut data = self.data(row, &self.declared)?;
        self.drop_private(&mut data);
        Ok(data)
    }

    /// The record a row is.
    pub fn record(&self, row: &Row, places: &Places) -> Result<Record, Refusal> {
        let data = self.data(row, &places.columns)?;
        let key = places.key.as_deref().map(|path| required(&data, path)).transpose()?;
        let parent = places.parent.as_deref().map(|path| required(&data, path)).transpose()?;
        let mut record = self.made(key, data, places)?;
        record.parent = parent.filter(|_| self.is_parent_private());
        record.is_lossy = row.is_lossy();
        Ok(record)
    }

    /// The record that was written with a key.
    pub fn written(&self, key: &str, data: Json, places: &Places) -> Result<Record, Refusal> {
        let parent = places.parent.as_deref().and_then(|path| required(&data, path).ok());
        let mut record = self.made(Some(key.to_owned()), data, places)?;
        record.parent = parent.filter(|_| self.is_parent_private());
        Ok(record)
    }

    /// The data of a row with all that is private, where it is an object and fits the schema, if there
    /// is one.
    pub fn whole(&self, row: &Row) -> Result<Json, Refusal> {
        self.data(row, &self.declared)
    }

    /// The data of a record that was written, as it is seen before it is known what the fields are.
    pub fn look_at_written(&self, mut data: Json) -> Json {
        self.drop_private(&mut data);
        data
    }

    fn made(
        &self,
        key: Option<String>,
        mut data: Json,
        places: &Places,
    ) -> Result<Record, Refusal> {
        let (created_at, updated_at) =
            (instant(&data, &places.created_at), instant(&data, &places.updated_at));
        self.drop_private(&mut data);
        let refused = |error: serde_json::Error| Refusal::of(error.to_string());
        let content = serde_json::to_vec(&data).map_err(refused)?;
        let key = key.unwrap_or_else(|| key_of_content(&content));
        let (parent, is_lossy) = (None, false);
        Ok(Record { key, data, content, parent, created_at, updated_at, is_lossy })
    }

    fn is_parent_private(&self) -> bool {
        let parent = self.config.parent.as_ref();
        parent.is_some_and(|parent| self.config.is_private(&parent.field))
    }

    fn data(&self, row: &Row, columns: &[Option<FieldType>]) -> Result<Json, Refusal> {
        let data = match &row.content {
            Content::Json(bytes) => json(bytes)?,
            Content::Cells(cells) => self.cells(cells, columns)?,
            Content::TooLong => return Err(Refusal::of("it is longer than 16 MiB")),
        };
        match &data {
            Json::Object(members) if members.contains_key(sys::OBJECT) => {
                return Err(Refusal::about(sys::OBJECT.to_owned(), "is a name of kitfox's own"));
            }
            Json::Object(_) => {}
            _ => return Err(Refusal::of("it is not an object")),
        }
        self.schema.map_or(Ok(()), |schema| schema.check(&data))?;
        Ok(data)
    }

    /// A row of cells; empty ones are absent.
    fn cells(
        &self,
        cells: &csv::ByteRecord,
        columns: &[Option<FieldType>],
    ) -> Result<Json, Refusal> {
        if cells.len() > self.header.len() {
            let (cells, columns) = (cells.len(), self.header.len());
            return Err(Refusal::of(format!("it has {cells} cells, the header {columns}")));
        }
        let mut members = Map::new();
        for (at, (name, cell)) in self.header.iter().zip(cells).enumerate() {
            if !cell.is_empty() {
                let of_type = columns.get(at).copied().flatten();
                members.insert(name.clone(), value_of(cell, of_type));
            }
        }
        Ok(Json::Object(members))
    }

    fn is_private(&self, path: &str) -> bool {
        self.private.contains(path)
    }

    fn drop_private(&self, data: &mut Json) {
        if !self.private.is_empty() {
            self.drop_below(data, &mut String::new(), 0);
        }
    }

    fn drop_below(&self, data: &mut Json, path: &mut String, depth: usize) {
        match data {
            Json::Array(elements) => {
                elements.iter_mut().for_each(|element| self.drop_below(element, path, depth));
            }
            Json::Object(members) => members.retain(|key, member| {
                let length = path.len();
                if depth > 0 {
                    path.push('.');
                }
                push_key(path, key);
                let is_kept = !self.is_private(path);
                if is_kept {
                    self.drop_below(member, path, depth + 1);
                }
                path.truncate(length);
                is_kept
            }),
            _ => {}
        }
    }
}

impl Refusal {
    fn of(reason: impl Into<String>) -> Refusal {
        Refusal { field: None, reason: reason.into() }
    }

    fn about(field: String, reason: impl Into<String>) -> Refusal {
        Refusal { field: Some(field), reason: reason.into() }
    }
}

/// Bytes that are no UTF-8 are replaced.
fn json(bytes: &[u8]) -> Result<Json, Refusal> {
    let refused = |error: serde_json::Error| Refusal::of(reason(&error));
    match std::str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(text).map_err(refused),
        Err(_) => serde_json::from_str(&String::from_utf8_lossy(bytes)).map_err(refused),
    }
}

/// What is wrong with JSON, and at which of its characters; the line is that of the row.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or_default();
    match (error.line(), error.column()) {
        (0, _) => format!("it is not JSON: {what}"),
        (1, column) => format!("it is not JSON: {what} at column {column}"),
        (line, column) => format!("it is not JSON: {what} at its line {line}, column {column}"),
    }
}

/// The value of a cell: what it looks like where nothing is known of its column, and else what all
/// cells of the column are.
fn value_of(cell: &[u8], of_type: Option<FieldType>) -> Json {
    let text = String::from_utf8_lossy(cell);
    match (of_type, text.as_ref()) {
        (None | Some(FieldType::Boolean), word) if word.eq_ignore_ascii_case("true") => true.into(),
        (None | Some(FieldType::Boolean), word) if word.eq_ignore_ascii_case("false") => {
            false.into()
        }
        (None | Some(FieldType::Number), number) => {
            number_of(number).unwrap_or_else(|| text.into_owned().into())
        }
        _ => text.into_owned().into(),
    }
}

/// A cell that is a number as JSON writes them, and loses no digits as one.
fn number_of(cell: &str) -> Option<Json> {
    let number: serde_json::Number = cell.parse().ok()?;
    let is_whole = !cell.contains(['.', 'e', 'E']);
    (!is_whole || !number.is_f64()).then_some(Json::Number(number))
}

/// The key that must stand at a path.
fn required(data: &Json, path: &[String]) -> Result<String, Refusal> {
    let value = at(data, path).unwrap_or(&Json::Null);
    let field = || field_path(path.iter().map(String::as_str));
    key_of(value).map_err(|reason| Refusal::about(field(), reason))
}

fn instant(data: &Json, path: &Option<Vec<String>>) -> Option<i64> {
    match FieldType::DateTime.read(at(data, path.as_deref()?)?)? {
        Value::Time(nanoseconds) => i64::try_from(nanoseconds).ok(),
        _ => None,
    }
}

fn at<'d>(data: &'d Json, path: &[String]) -> Option<&'d Json> {
    path.iter().try_fold(data, |data, key| data.get(key))
}
