//! What collections there are, and all that is known of one.

use std::collections::HashMap;

use kitfox_core::{Collection, Field, FieldType, Filter, Selection, Stats, field_keys, sys};
use serde_json::{Value as Json, json};

use super::facets::{VALUES, answer, type_of};
use super::render::rfc3339;
use super::resource::Resource;
use super::types::{
    Embedding, FacetAnswer, FieldInfo, RecordSearch, ResourceAnswer, ResourceInfo, ResourcesAnswer,
};
use crate::{FaceError, Faces, IndexStatus, Kind};

/// What can be done with every collection.
const READS: [&str; 3] = ["search", "query", "get_one"];
/// What can be done with a writable one besides.
const WRITES: [&str; 3] = ["create", "update", "delete"];

impl Faces {
    /// Every collection.
    ///
    /// # Errors
    /// An index that cannot be read.
    pub fn discover_resources(&self) -> Result<ResourcesAnswer, FaceError> {
        let mut names: Vec<&str> = self.names(Kind::Records).collect();
        names.sort_unstable();
        let info = |name: &str| {
            let resource = self.collection(name)?;
            let stats = resource.opened.ask(|snapshot| snapshot.stats())?;
            Ok(info(&resource, stats))
        };
        Ok(ResourcesAnswer { resources: names.into_iter().map(info).collect::<Result<_, _>>()? })
    }

    /// All that is known of a collection: its schema, and for each field what can be done with it
    /// and what values it has.
    ///
    /// # Errors
    /// An unknown resource; an index that cannot be read.
    pub fn describe_resource(&self, resource_id: &str) -> Result<ResourceAnswer, FaceError> {
        let resource = self.resource(resource_id)?;
        let stats = resource.opened.ask(|snapshot| snapshot.stats())?;
        let collection = &resource.collection;
        Ok(ResourceAnswer {
            key_field: collection.key.clone(),
            schema: collection.schema.clone().unwrap_or_else(|| json_schema(collection)),
            fields: self.fields(&resource)?,
            embedding: Embedding {
                model: collection.model.clone(),
                embedded: stats.embedded,
                total: stats.documents,
            },
            max_text_chars: collection.max_text_chars,
            resource: info(&resource, stats),
        })
    }

    fn fields(&self, resource: &Resource<'_>) -> Result<Vec<FieldInfo>, FaceError> {
        let collection = &resource.collection;
        let own = collection.fields.iter();
        let of_system = [sys::KEY, sys::CREATED_AT, sys::UPDATED_AT].map(|path| {
            let of_type = type_of(collection, path);
            let field = Field { filterable: true, sortable: true, ..Field::of(of_type) };
            (path.to_owned(), field)
        });
        let of_system = of_system.iter().map(|(path, field)| (path, field));
        let fields: Vec<(&String, &Field)> = own.chain(of_system).collect();
        let counted: Vec<&str> = fields
            .iter()
            .filter(|(_, field)| field.filterable && field.of_type != FieldType::Object)
            .map(|(path, _)| path.as_str())
            .collect();
        let selection = Selection::of(Filter::All);
        let facets =
            resource.opened.ask(|snapshot| snapshot.facets(&selection, &counted, VALUES))?;
        let answers = counted.iter().zip(facets);
        let answers =
            answers.map(|(&path, facet)| (path, answer(type_of(collection, path), facet)));
        let mut facets: HashMap<&str, FacetAnswer> = answers.collect();
        let info = |(path, field): (&String, &Field)| -> Result<FieldInfo, FaceError> {
            let facet = facets.remove(path.as_str());
            let reference = match &field.reference {
                Some(target) => Some(self.collection(target)?.id),
                None => None,
            };
            Ok(field_info(path, field, reference, facet))
        };
        fields.into_iter().map(info).collect()
    }
}

fn info(resource: &Resource<'_>, stats: Stats) -> ResourceInfo {
    let Collection { description, locales, imported_at_ns, .. } = &resource.collection;
    let writes = resource.opened.source.writer.as_ref().map(|_| WRITES);
    let types = RecordSearch::ALL.into_iter();
    let types = types.filter(|(_, each)| *each == RecordSearch::Text || stats.embedded > 0);
    ResourceInfo {
        resource_id: resource.id.clone(),
        name: resource.name().to_owned(),
        description: description.clone(),
        capabilities: READS.into_iter().chain(writes.into_iter().flatten()).collect(),
        record_count: stats.documents,
        locales: locales.clone(),
        placeholders: resource.placeholders.clone(),
        search_types: types.map(|(name, _)| name).collect(),
        updated_at: (*imported_at_ns > 0).then(|| rfc3339((*imported_at_ns).into())),
        index: IndexStatus::of(resource.opened.source),
    }
}

fn field_info(
    path: &str,
    field: &Field,
    reference: Option<String>,
    facet: Option<FacetAnswer>,
) -> FieldInfo {
    let flags = [
        ("filterable", field.filterable),
        ("sortable", field.sortable),
        ("searchable", field.searchable),
        ("vectorized", field.vectorized),
        ("localized", field.localized),
    ];
    let operators = field.of_type.operators().map(|operator| operator.name);
    let (min, max) = facet.as_ref().map_or((None, None), |f| (f.min.clone(), f.max.clone()));
    let is_listed = matches!(field.of_type, FieldType::String | FieldType::Boolean);
    let few = facet.filter(|facet| is_listed && facet.other_values == 0);
    FieldInfo {
        path: path.to_owned(),
        of_type: field.of_type.name(),
        is_array: field.is_array,
        is_optional: field.is_optional,
        flags: flags.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect(),
        operators: if field.filterable { operators.collect() } else { Vec::new() },
        reference,
        description: field.description.clone(),
        values: few.map(|facet| facet.values).unwrap_or_default(),
        min,
        max,
        example: field.example.clone(),
    }
}

/// The JSON Schema of the records, from their fields.
fn json_schema(collection: &Collection) -> Json {
    let mut schema = json!({ "type": "object", "properties": {} });
    for (path, field) in &collection.fields {
        put(&mut schema, path, property(field));
    }
    schema
}

fn property(field: &Field) -> Json {
    let mut schema = match field.of_type {
        FieldType::Boolean => json!({ "type": "boolean" }),
        FieldType::Number => json!({ "type": "number" }),
        FieldType::Date => json!({ "type": "string", "format": "date" }),
        FieldType::Time => json!({ "type": "string", "format": "time" }),
        FieldType::DateTime => json!({ "type": "string", "format": "date-time" }),
        FieldType::Point => json!({
            "type": "object",
            "properties": { "lat": { "type": "number" }, "lon": { "type": "number" } },
            "required": ["lat", "lon"],
        }),
        FieldType::Object => json!({ "type": "object", "properties": {} }),
        _ => json!({ "type": "string" }),
    };
    if field.localized {
        schema = json!({ "type": "object", "additionalProperties": schema });
    }
    if !field.allowed.is_empty() {
        schema["enum"] = json!(field.allowed);
    }
    if field.is_array {
        schema = json!({ "type": "array", "items": schema });
    }
    if !field.description.is_empty() {
        schema["description"] = json!(field.description);
    }
    schema
}

/// Puts a property where its path says. Objects come before their members, as their paths do.
fn put(schema: &mut Json, path: &str, property: Json) {
    let mut at = schema;
    let mut keys = field_keys(path).into_iter().peekable();
    while let Some(key) = keys.next() {
        if at.get("items").is_some() {
            at = &mut at["items"];
        }
        if at.get("properties").is_none() {
            // A localized object or a point: its members are said already.
            return;
        }
        if keys.peek().is_none() {
            at["properties"][key] = property;
            return;
        }
        at = &mut at["properties"][key];
    }
}
