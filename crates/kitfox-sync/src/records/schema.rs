//! A JSON Schema that the records of a collection are held to, and what it says of their fields.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use jsonschema::paths::LocationSegment;
use jsonschema::{ValidationError, Validator, error::ValidationErrorKind};
use kitfox_core::{FieldType, field_path, push_key};
use serde_json::Value as Json;

use super::infer::{Kind, Kinds, MAX_PATHS};
use super::record::Refusal;

#[cfg(test)]
mod tests;

/// How many references, branches and members deep a schema is looked into for fields.
const DEEPEST: usize = 24;

/// How many schemas within a schema are looked at for fields.
const MAX_VISITS: usize = 20_000;

/// A schema and what it says.
#[derive(Debug)]
pub(super) struct RecordSchema {
    /// As its file has it.
    pub document: Json,
    /// What it says of fields, by path.
    pub fields: BTreeMap<String, Declared>,
    /// The paths of objects that may have members nothing is said of.
    open: BTreeSet<String>,
    validator: Validator,
}

/// What a schema says of a field.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// What its values may be, null aside; empty where nothing is said.
    pub kinds: Kinds,
    pub is_array: bool,
    /// Whether no record may lack it.
    pub is_required: bool,
    /// The only values it may have; empty where nothing is said.
    pub allowed: Vec<Json>,
    /// May be empty.
    pub description: String,
}

impl RecordSchema {
    /// Reads the schema in a file, or says why it is none. References to other files are not
    /// followed.
    pub fn read(path: &Path) -> Result<RecordSchema, String> {
        let text = std::fs::read(path).map_err(|error| format!("cannot read it: {error}"))?;
        let document: Json =
            serde_json::from_slice(&text).map_err(|error| format!("it is not JSON: {error}"))?;
        if !document.is_object() {
            return Err("it is not a JSON object".to_owned());
        }
        let options = jsonschema::options().should_validate_formats(true);
        let validator = options.build(&document).map_err(|error| wrong(&error))?;
        let mut walk =
            Walk { root: &document, fields: BTreeMap::new(), open: BTreeSet::new(), visits: 0 };
        walk.visit(&document, At { path: String::new(), is_required: true, depth: 0 });
        Ok(RecordSchema { fields: walk.fields, open: walk.open, validator, document })
    }

    /// The type of a field; none where nothing is said of it.
    pub fn type_of(&self, path: &str) -> Option<FieldType> {
        let kinds = self.fields.get(path)?.kinds;
        (kinds != Kinds::default()).then(|| kinds.of_type())
    }

    /// Refuses a record that is not as the schema says.
    pub fn check(&self, data: &Json) -> Result<(), Refusal> {
        match self.validator.validate(data) {
            Ok(()) => Ok(()),
            // Values stay out of the reason: they may be long, and private.
            Err(error) => {
                let reason = error.masked_with("it").to_string();
                Err(Refusal { field: field_of(&error), reason })
            }
        }
    }
}

impl RecordSchema {
    /// All that is wrong with the data of a record, the first `at_most`.
    pub fn flaws(&self, data: &Json, at_most: usize) -> Vec<Refusal> {
        let errors = self.validator.iter_errors(data).map(|error| Refusal {
            field: field_of(&error),
            reason: error.masked_with("it").to_string(),
        });
        let mut flaws: Vec<Refusal> = errors.take(at_most).collect();
        self.unknown(data, "", &mut flaws);
        flaws.truncate(at_most);
        flaws
    }

    /// Refuses fields nothing is said of, where nothing says that there may be some.
    fn unknown(&self, value: &Json, path: &str, flaws: &mut Vec<Refusal>) {
        match value {
            Json::Array(elements) => {
                elements.iter().for_each(|element| self.unknown(element, path, flaws));
            }
            Json::Object(members) if !self.is_open(path) => {
                for (key, member) in members {
                    let mut path = path.to_owned();
                    if !path.is_empty() {
                        path.push('.');
                    }
                    push_key(&mut path, key);
                    match self.fields.contains_key(&path) {
                        true => self.unknown(member, &path, flaws),
                        false => flaws.push(self.unknown_field(path)),
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether an object may have members nothing is said of: where that is said, and where nothing is
    /// said of any.
    fn is_open(&self, path: &str) -> bool {
        let is_below = |field: &String| {
            path.is_empty() || field.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'))
        };
        self.open.contains(path) || !self.fields.keys().any(is_below)
    }

    fn unknown_field(&self, path: String) -> Refusal {
        let near = kitfox_core::nearest(&path, self.fields.keys().map(String::as_str), 1);
        let hint = near.first().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Refusal { reason: format!("there is no such field{hint}"), field: Some(path) }
    }
}

/// Whether an object is said to take members beside those that are named.
fn takes_others(schema: &Json) -> bool {
    let others = schema.get("additionalProperties").or_else(|| schema.get("patternProperties"));
    others.is_some_and(|others| others != &Json::Bool(false))
}

/// What is wrong with a schema, and where.
fn wrong(error: &ValidationError<'_>) -> String {
    match error.instance_path().as_str() {
        "" => error.to_string(),
        at => format!("{error} at {at}"),
    }
}

/// The path of the field a record is refused for; none where it is about all of it.
fn field_of(error: &ValidationError<'_>) -> Option<String> {
    let location = error.instance_path();
    let keys = location.segments().filter_map(|segment| match segment {
        LocationSegment::Property(key) => Some(key.into_owned()),
        LocationSegment::Index(_) => None,
    });
    let lacking = match error.kind() {
        ValidationErrorKind::Required { property } => property.as_str().map(str::to_owned),
        _ => None,
    };
    let keys: Vec<String> = keys.chain(lacking).collect();
    (!keys.is_empty()).then(|| field_path(keys.iter().map(String::as_str)))
}

/// A look through a schema for fields.
struct Walk<'s> {
    root: &'s Json,
    fields: BTreeMap<String, Declared>,
    open: BTreeSet<String>,
    visits: usize,
}

/// Where in records a schema within a schema holds.
#[derive(Clone)]
struct At {
    /// Empty for the record as a whole.
    path: String,
    is_required: bool,
    depth: usize,
}

impl At {
    fn deeper(&self) -> At {
        At { depth: self.depth + 1, ..self.clone() }
    }
}

impl<'s> Walk<'s> {
    fn visit(&mut self, schema: &'s Json, at: At) {
        self.visits += 1;
        if at.depth > DEEPEST || self.visits > MAX_VISITS {
            return;
        }
        self.note(schema, &at);
        let reference = schema.get("$ref").and_then(Json::as_str);
        if let Some(target) = reference.and_then(|reference| self.target(reference)) {
            self.visit(target, at.deeper());
        }
        for part in elements(schema, "allOf") {
            self.visit(part, at.deeper());
        }
        for branch in elements(schema, "anyOf").chain(elements(schema, "oneOf")) {
            self.visit(branch, At { is_required: false, ..at.deeper() });
        }
        if takes_others(schema) {
            self.open.insert(at.path.clone());
        }
        self.members(schema, &at);
        self.array(schema, &at);
    }

    /// A schema in the same file.
    fn target(&self, reference: &str) -> Option<&'s Json> {
        self.root.pointer(reference.strip_prefix('#')?)
    }

    fn members(&mut self, schema: &'s Json, at: &At) {
        let Some(members) = schema.get("properties").and_then(Json::as_object) else { return };
        let required: HashSet<&str> =
            elements(schema, "required").filter_map(Json::as_str).collect();
        for (key, member) in members {
            let mut path = at.path.clone();
            if !path.is_empty() {
                path.push('.');
            }
            push_key(&mut path, key);
            let is_required = at.is_required && required.contains(key.as_str());
            self.visit(member, At { path, is_required, depth: at.depth + 1 });
        }
    }

    /// Elements stand at the path of their array.
    fn array(&mut self, schema: &'s Json, at: &At) {
        let items = schema.get("items").into_iter().chain(elements(schema, "prefixItems"));
        let items: Vec<&Json> = items.filter(|items| items.is_object()).collect();
        if items.is_empty() && !names(schema, "type").any(|name| name == "array") {
            return;
        }
        if let Some(declared) = self.declared(at) {
            declared.is_array = true;
        }
        items.into_iter().for_each(|items| self.visit(items, at.deeper()));
    }

    fn note(&mut self, schema: &Json, at: &At) {
        let Some(declared) = self.declared(at) else { return };
        declared.is_required |= at.is_required;
        kinds(schema).for_each(|kind| declared.kinds.insert(kind));
        if let Some(description) = schema.get("description").and_then(Json::as_str)
            && declared.description.is_empty()
        {
            description.clone_into(&mut declared.description);
        }
        let allowed = elements(schema, "enum").chain(schema.get("const"));
        declared.allowed.extend(allowed.filter(|value| !value.is_null()).cloned());
    }

    /// What is declared of the field at a place; none for the record as a whole, and for more fields
    /// than a collection has.
    fn declared(&mut self, at: &At) -> Option<&mut Declared> {
        let is_known = self.fields.contains_key(&at.path);
        let is_one = !at.path.is_empty() && (is_known || self.fields.len() < MAX_PATHS);
        is_one.then(|| self.fields.entry(at.path.clone()).or_default())
    }
}

/// The elements of an array in a schema.
fn elements<'s>(schema: &'s Json, key: &str) -> impl Iterator<Item = &'s Json> {
    schema.get(key).and_then(Json::as_array).into_iter().flatten()
}

/// One name, or several.
fn names<'s>(schema: &'s Json, key: &str) -> impl Iterator<Item = &'s str> {
    let one = schema.get(key).filter(|value| value.is_string());
    one.into_iter().chain(elements(schema, key)).filter_map(Json::as_str)
}

/// What values may be by `type` and `format`, else by those that are named.
fn kinds(schema: &Json) -> impl Iterator<Item = Kind> {
    let by_name: Vec<Kind> = names(schema, "type").filter_map(|name| kind(name, schema)).collect();
    let by_value = elements(schema, "enum").chain(schema.get("const")).filter_map(kind_of);
    let by_value: Vec<Kind> = if by_name.is_empty() { by_value.collect() } else { Vec::new() };
    by_name.into_iter().chain(by_value)
}

fn kind(type_name: &str, schema: &Json) -> Option<Kind> {
    match (type_name, schema.get("format").and_then(Json::as_str)) {
        ("boolean", _) => Some(Kind::Boolean),
        ("integer" | "number", _) => Some(Kind::Number),
        ("string", Some("date")) => Some(Kind::Date),
        ("string", Some("date-time")) => Some(Kind::DateTime),
        ("string", Some("time")) => Some(Kind::Time),
        ("string", _) => Some(Kind::Text),
        ("object", _) if is_point(schema) => Some(Kind::Point),
        ("object", _) => Some(Kind::Object),
        _ => None,
    }
}

fn kind_of(value: &Json) -> Option<Kind> {
    match value {
        Json::Bool(_) => Some(Kind::Boolean),
        Json::Number(_) => Some(Kind::Number),
        Json::String(_) => Some(Kind::Text),
        Json::Object(_) | Json::Array(_) | Json::Null => None,
    }
}

/// Whether all that is said to be in an object is where on earth it is.
fn is_point(schema: &Json) -> bool {
    let members = schema.get("properties").and_then(Json::as_object);
    members.is_some_and(|members| {
        members.len() == 2 && ["lat", "lon"].iter().all(|half| members.contains_key(*half))
    })
}
