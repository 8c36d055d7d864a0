//! Tables of parameters and answer fields, and the JSON Schemas they stand for.
//!
//! Input schemas stay within what every client understands: one type a property, no unions, no
//! references.

use serde_json::{Value, json};

/// One parameter of a tool.
pub(crate) struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub shape: Shape,
    /// Whether a call without it is refused.
    pub required: bool,
    /// What it means, and how it interacts with others.
    pub description: &'static str,
}

/// What a parameter may be. Defaults are those of the faces, stated for the reader.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// Any string.
    Text,
    /// One of these strings.
    Choice { values: &'static [&'static str], default: &'static str },
    /// A whole number, bounds included; `u32::MAX` is no bound.
    Integer { minimum: u32, maximum: u32, default: Option<u32> },
    /// A list of strings.
    Texts { at_most: Option<usize> },
    /// A list of whole numbers from 0.
    Integers,
    /// Yes or no; no where it is left out.
    Flag,
    /// An object whose members are all strings.
    Map,
    /// An object with any members.
    Object,
    /// A list of conditions on fields, and of groups of them.
    Conditions,
    /// A list of objects with these fields.
    Objects { fields: &'static [Parameter], at_most: usize },
}

/// The input schema of a tool with these parameters.
pub(crate) fn input(parameters: &[Parameter]) -> Value {
    let properties: Value = parameters
        .iter()
        .map(|parameter| (parameter.name.to_string(), property(parameter)))
        .collect();
    let required: Vec<&str> =
        parameters.iter().filter(|each| each.required).map(|each| each.name).collect();
    let mut schema =
        json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn property(parameter: &Parameter) -> Value {
    let mut schema = match parameter.shape {
        Shape::Text => json!({"type": "string"}),
        Shape::Choice { values, default } => {
            json!({"type": "string", "enum": values, "default": default})
        }
        Shape::Integer { minimum, maximum, default } => integer(minimum, maximum, default),
        Shape::Texts { at_most: None } => json!({"type": "array", "items": {"type": "string"}}),
        Shape::Texts { at_most: Some(count) } => {
            json!({"type": "array", "items": {"type": "string"}, "maxItems": count})
        }
        Shape::Integers => json!({"type": "array", "items": {"type": "integer", "minimum": 0}}),
        Shape::Flag => json!({"type": "boolean", "default": false}),
        Shape::Map => json!({"type": "object", "additionalProperties": {"type": "string"}}),
        Shape::Object => json!({"type": "object"}),
        Shape::Conditions => conditions(),
        Shape::Objects { fields, at_most } => {
            json!({"type": "array", "items": input(fields), "minItems": 1, "maxItems": at_most})
        }
    };
    schema["description"] = json!(parameter.description);
    schema
}

/// Conditions, with groups one level deep: some clients refuse schemas that contain themselves.
fn conditions() -> Value {
    let operators: Vec<&str> = kitfox_faces::OPERATORS.iter().map(|each| each.name).collect();
    let leaf = json!({
        "field": {"type": "string", "description": "A field path of describe_resource."},
        "op": {"type": "string", "enum": operators, "default": "eq"},
        "value": {
            "description": "What the operator takes: a list for `in` and its like, two values for \
                `between`, true or false for `exists` and `is_empty`, else one value of the field's \
                type.",
        },
    });
    let condition = json!({"type": "object", "properties": leaf, "additionalProperties": false});
    let list = |description: &str| json!({"type": "array", "items": condition, "description": description});
    let mut item = condition.clone();
    item["properties"]["any_of"] =
        list("In place of `field`: conditions of which one at least holds.");
    item["properties"]["all_of"] = list("In place of `field`: conditions that all hold.");
    item["properties"]["not"] = condition.clone();
    item["properties"]["not"]["description"] =
        json!("In place of `field`: a condition that does not hold.");
    json!({"type": "array", "items": item, "maxItems": kitfox_faces::MAX_FILTER_CONDITIONS})
}

fn integer(minimum: u32, maximum: u32, default: Option<u32>) -> Value {
    let mut schema = json!({"type": "integer", "minimum": minimum});
    if maximum != u32::MAX {
        schema["maximum"] = json!(maximum);
    }
    if let Some(default) = default {
        schema["default"] = json!(default);
    }
    schema
}

/// A field of an object in an answer: name, type, meaning.
pub(crate) type Field = (&'static str, Type, &'static str);

/// The fields of an object in an answer.
pub(crate) type Fields = &'static [Field];

/// The type of a field of an answer.
#[derive(Clone, Copy)]
pub(crate) enum Type {
    /// A string.
    Text,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A whole number from 0.
    Integer,
    /// A number.
    Number,
    /// This JSON type, or null.
    OrNull(&'static str),
    /// Left out where there is nothing to say.
    Optional(&'static Type),
    /// A list.
    List(&'static Type),
    /// An object.
    Object(Fields),
    /// An object whose members are not known beforehand, and are all of this type.
    Map(&'static Type),
    /// Any JSON.
    Any,
    /// Yes or no.
    Flag,
    /// What lies at this JSON pointer of the schema, for types that contain themselves.
    Reference(&'static str),
}

/// The schema of an object with these fields.
pub(crate) fn object(fields: Fields) -> Value {
    let properties: Value = fields
        .iter()
        .map(|(name, kind, description)| {
            let mut schema = output(kind);
            schema["description"] = json!(description);
            (name.to_string(), schema)
        })
        .collect();
    let required: Vec<&str> = fields
        .iter()
        .filter(|(_, kind, _)| !matches!(kind, Type::Optional(_)))
        .map(|(name, ..)| *name)
        .collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn output(kind: &Type) -> Value {
    match kind {
        Type::Text => json!({"type": "string"}),
        Type::OneOf(values) => json!({"type": "string", "enum": values}),
        Type::Integer => json!({"type": "integer", "minimum": 0}),
        Type::Number => json!({"type": "number"}),
        Type::OrNull(name) => json!({"type": [name, "null"]}),
        Type::Optional(inner) => output(inner),
        Type::List(item) => json!({"type": "array", "items": output(item)}),
        Type::Object(fields) => object(fields),
        Type::Map(item) => json!({"type": "object", "additionalProperties": output(item)}),
        Type::Any => json!({}),
        Type::Flag => json!({"type": "boolean"}),
        Type::Reference(pointer) => json!({"$ref": pointer}),
    }
}
