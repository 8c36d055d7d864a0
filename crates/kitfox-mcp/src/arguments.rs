//! Reading the arguments of a call against the table of its parameters.
//!
//! Clients fill parameters they do not mean with `null`, `""` or `"null"`, and write numbers as
//! strings. Both are understood; everything else that is not what the table says is refused with
//! the name of the parameter, what was given, and what is allowed.

use std::collections::BTreeMap;

use kitfox_faces::FaceError;
use serde_json::{Map, Value};

use crate::schema::{Parameter, Shape};

/// Longest part of a wrong value that an error repeats, in characters.
const QUOTED: usize = 80;

/// Checked arguments: what is here has the shape its parameter declares, and every required
/// parameter is here.
#[derive(Debug, Default)]
pub(crate) struct Arguments(BTreeMap<&'static str, Argument>);

#[derive(Debug)]
enum Argument {
    Text(String),
    Integer(u32),
    Texts(Vec<String>),
    Integers(Vec<u32>),
    Flag(bool),
    Map(BTreeMap<String, String>),
    Json(Value),
    Objects(Vec<Arguments>),
}

impl Arguments {
    /// Checks what a client gave for the parameters of `tool`.
    pub(crate) fn read(
        tool: &str,
        parameters: &'static [Parameter],
        given: Map<String, Value>,
    ) -> Result<Arguments, Box<FaceError>> {
        Arguments::checked(&format!("`{tool}`"), parameters, given)
    }

    /// Checks what was given to `whom`, as errors call it.
    fn checked(
        whom: &str,
        parameters: &'static [Parameter],
        mut given: Map<String, Value>,
    ) -> Result<Arguments, Box<FaceError>> {
        if let Some(name) = given.keys().find(|name| parameters.iter().all(|p| p.name != **name)) {
            return Err(unknown(whom, parameters, name).into());
        }
        let mut arguments = BTreeMap::new();
        for parameter in parameters {
            let value = given.remove(parameter.name).unwrap_or_default();
            if means_nothing(parameter, &value) {
                continue;
            }
            let argument = argument(parameter.shape, &value)
                .map_err(|wrong| refused(whom, parameter, &value, wrong))?;
            arguments.insert(parameter.name, argument);
        }
        match parameters.iter().find(|p| p.required && !arguments.contains_key(p.name)) {
            Some(parameter) => Err(missing(whom, parameter).into()),
            None => Ok(Arguments(arguments)),
        }
    }

    /// The string given for a parameter, if any.
    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        match self.0.remove(name) {
            Some(Argument::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The string given for a required parameter.
    pub(crate) fn required_text(&mut self, name: &str) -> String {
        debug_assert!(self.0.contains_key(name), "`{name}` is not declared as required");
        self.text(name).unwrap_or_default()
    }

    /// The number given for a parameter, if any.
    pub(crate) fn integer(&mut self, name: &str) -> Option<u32> {
        match self.0.remove(name) {
            Some(Argument::Integer(number)) => Some(number),
            _ => None,
        }
    }

    /// The strings given for a parameter; empty where none are.
    pub(crate) fn texts(&mut self, name: &str) -> Vec<String> {
        match self.0.remove(name) {
            Some(Argument::Texts(texts)) => texts,
            _ => Vec::new(),
        }
    }

    /// The numbers given for a parameter; empty where none are.
    pub(crate) fn integers(&mut self, name: &str) -> Vec<u32> {
        match self.0.remove(name) {
            Some(Argument::Integers(numbers)) => numbers,
            _ => Vec::new(),
        }
    }

    /// The members given for a parameter; none where it is not.
    pub(crate) fn map(&mut self, name: &str) -> BTreeMap<String, String> {
        match self.0.remove(name) {
            Some(Argument::Map(members)) => members,
            _ => BTreeMap::new(),
        }
    }

    /// The conditions given for a parameter; null where there are none. The face reads them.
    pub(crate) fn conditions(&mut self, name: &str) -> Value {
        match self.0.remove(name) {
            Some(Argument::Json(value)) => value,
            _ => Value::Null,
        }
    }

    /// The object given for a parameter; empty where none is.
    pub(crate) fn object(&mut self, name: &str) -> Map<String, Value> {
        match self.0.remove(name) {
            Some(Argument::Json(Value::Object(members))) => members,
            _ => Map::new(),
        }
    }

    /// Whether a flag is set.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        matches!(self.0.remove(name), Some(Argument::Flag(true)))
    }

    /// The objects given for a parameter; empty where none are.
    pub(crate) fn objects(&mut self, name: &str) -> Vec<Arguments> {
        match self.0.remove(name) {
            Some(Argument::Objects(objects)) => objects,
            _ => Vec::new(),
        }
    }
}

/// Whether a value says that its parameter is not given. A required text may well be `null`: that
/// is a word somebody searches for.
fn means_nothing(parameter: &Parameter, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => !parameter.required && (text.is_empty() || text == "null"),
        _ => false,
    }
}

/// Why a value is not what its parameter takes.
enum Wrong {
    Type,
    Range,
    Length(usize),
    Item(usize, Box<FaceError>),
}

fn argument(shape: Shape, value: &Value) -> Result<Argument, Wrong> {
    match shape {
        Shape::Text => text(value).map(Argument::Text),
        Shape::Choice { values, .. } => {
            let text = text(value)?;
            if values.contains(&text.as_str()) {
                Ok(Argument::Text(text))
            } else {
                Err(Wrong::Range)
            }
        }
        Shape::Integer { minimum, maximum, .. } => {
            integer(value, minimum, maximum).map(Argument::Integer)
        }
        Shape::Texts { at_most } => {
            let items = list(value)?;
            if at_most.is_some_and(|most| items.len() > most) {
                return Err(Wrong::Length(items.len()));
            }
            items.iter().map(text).collect::<Result<_, _>>().map(Argument::Texts)
        }
        Shape::Integers => {
            let numbers = list(value)?.iter().map(|item| integer(item, 0, u32::MAX));
            numbers.collect::<Result<_, _>>().map(Argument::Integers)
        }
        Shape::Flag => match value {
            Value::Bool(flag) => Ok(Argument::Flag(*flag)),
            Value::String(word) if word == "true" => Ok(Argument::Flag(true)),
            Value::String(word) if word == "false" => Ok(Argument::Flag(false)),
            _ => Err(Wrong::Type),
        },
        Shape::Map => map(value).map(Argument::Map),
        Shape::Object => object(value).map(Argument::Json),
        Shape::Conditions => list(value).map(|_| Argument::Json(value.clone())),
        Shape::Objects { fields, at_most } => objects(value, fields, at_most),
    }
}

fn objects(value: &Value, fields: &'static [Parameter], at_most: usize) -> Result<Argument, Wrong> {
    let items = list(value)?;
    if items.is_empty() || items.len() > at_most {
        return Err(Wrong::Length(items.len()));
    }
    let object = |(number, item): (usize, &Value)| {
        let given = item.as_object().cloned().ok_or(Wrong::Type)?;
        Arguments::checked("it", fields, given).map_err(|error| Wrong::Item(number, error))
    };
    items.iter().enumerate().map(object).collect::<Result<_, _>>().map(Argument::Objects)
}

fn map(value: &Value) -> Result<BTreeMap<String, String>, Wrong> {
    let members = value.as_object().ok_or(Wrong::Type)?;
    let member = |(name, value): (&String, &Value)| {
        let value = match value {
            Value::Number(number) => number.to_string(),
            value => text(value)?,
        };
        Ok((name.clone(), value))
    };
    members.iter().map(member).collect()
}

/// An object, also where a client wrote it as a string of JSON.
fn object(value: &Value) -> Result<Value, Wrong> {
    let value = match value {
        Value::String(text) => serde_json::from_str(text).map_err(|_| Wrong::Type)?,
        value => value.clone(),
    };
    if value.is_object() { Ok(value) } else { Err(Wrong::Type) }
}

fn text(value: &Value) -> Result<String, Wrong> {
    value.as_str().map(str::to_string).ok_or(Wrong::Type)
}

fn list(value: &Value) -> Result<&Vec<Value>, Wrong> {
    value.as_array().ok_or(Wrong::Type)
}

/// A whole number, written as one (`5`, `5.0`) or as a string of digits (`"5"`).
fn integer(value: &Value, minimum: u32, maximum: u32) -> Result<u32, Wrong> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) if is_integer(text) => text.parse().ok(),
        _ => None,
    };
    let number = number.filter(|number| number.fract() == 0.0).ok_or(Wrong::Type)?;
    if number < f64::from(minimum) || number > f64::from(maximum) {
        return Err(Wrong::Range);
    }
    // Exact: whole, and within the range of u32.
    Ok(number as u32)
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn unknown(whom: &str, parameters: &[Parameter], name: &str) -> FaceError {
    let known = || parameters.iter().map(|parameter| parameter.name);
    let message = format!("{whom} has no parameter `{}`", shortened(name));
    let error = FaceError::new("unknown_parameter", message)
        .at(name.to_string())
        .allow(known())
        .nearest_to(name, known());
    if parameters.is_empty() { error.hint("It takes none.") } else { error }
}

fn missing(whom: &str, parameter: &Parameter) -> FaceError {
    let message = format!("{whom} needs `{}`: {}", parameter.name, expected(parameter.shape));
    FaceError::new("missing_parameter", message).at(parameter.name)
}

fn refused(whom: &str, parameter: &Parameter, value: &Value, wrong: Wrong) -> FaceError {
    let given = match wrong {
        Wrong::Item(number, error) => return in_item(whom, parameter, number, *error),
        Wrong::Length(items) => format!("a list of {items}"),
        _ => shortened(&value.to_string()),
    };
    let name = parameter.name;
    let refuse = |message| FaceError::new("invalid_argument", message).at(name);
    match parameter.shape {
        Shape::Choice { values, .. } => refuse(format!("`{name}` cannot be {given}"))
            .allow(values.iter().copied())
            .nearest_to(value.as_str().unwrap_or_default(), values.iter().copied()),
        shape => refuse(format!("`{name}` must be {}, and {given} was given", expected(shape))),
    }
}

/// An error of an item of a list, under the name of its place there.
fn in_item(whom: &str, parameter: &Parameter, number: usize, mut error: FaceError) -> FaceError {
    let place = format!("{}[{number}]", parameter.name);
    let inner = error.parameter.as_deref().unwrap_or_default();
    error.message = format!("{whom}, {place}: {}", error.message);
    let parameter = format!("{place}.{inner}");
    error.at(parameter)
}

/// What a parameter of this shape may be, as the end of "must be …".
fn expected(shape: Shape) -> String {
    match shape {
        Shape::Text => "a string".to_string(),
        Shape::Choice { values, .. } => format!("one of {}", values.join(", ")),
        Shape::Integer { minimum, maximum, .. } => {
            format!("a whole number from {minimum} to {maximum}")
        }
        Shape::Texts { at_most: None } => "a list of strings".to_string(),
        Shape::Texts { at_most: Some(most) } => format!("a list of at most {most} strings"),
        Shape::Integers => "a list of whole numbers from 0".to_string(),
        Shape::Flag => "true or false".to_string(),
        Shape::Map => "an object whose members are strings".to_string(),
        Shape::Object => "an object".to_string(),
        Shape::Conditions => "a list of conditions `{field, op, value}`".to_string(),
        Shape::Objects { fields, at_most } => {
            let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
            format!("a list of 1 to {at_most} objects with {}", names.join(", "))
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PARAMETERS: &[Parameter] = &[
        parameter("query", Shape::Text, true),
        parameter("project", Shape::Text, false),
        parameter("limit", Shape::Integer { minimum: 1, maximum: 50, default: Some(5) }, false),
        parameter("offset", Shape::Integer { minimum: 0, maximum: u32::MAX, default: None }, false),
        parameter("scopes", Shape::Texts { at_most: Some(2) }, false),
        parameter("chunks", Shape::Integers, false),
        parameter("mode", Shape::Choice { values: &["text", "hybrid"], default: "text" }, false),
        parameter("regex", Shape::Flag, false),
        parameter("reads", Shape::Objects { fields: READ, at_most: 2 }, false),
    ];

    const READ: &[Parameter] = &[
        parameter("path", Shape::Text, true),
        parameter("line", Shape::Integer { minimum: 1, maximum: 9, default: None }, false),
    ];

    const fn parameter(name: &'static str, shape: Shape, required: bool) -> Parameter {
        Parameter { name, shape, required, description: "" }
    }

    fn read(given: Value) -> Result<Arguments, Box<FaceError>> {
        let mut given = given.as_object().cloned().unwrap_or_default();
        given.entry("query").or_insert(json!("q"));
        Arguments::read("search", PARAMETERS, given)
    }

    #[track_caller]
    fn refuse(given: Value, code: &str, text: &str) {
        let failure = read(given.clone()).expect_err("should be refused");
        assert_eq!((failure.code, failure.to_string().as_str()), (code, text), "for {given}");
    }

    #[test]
    fn absent_null_empty_and_the_word_null_are_alike() {
        for nothing in [json!(null), json!(""), json!("null")] {
            for name in ["project", "limit", "scopes", "chunks", "mode"] {
                let arguments = read(json!({name: nothing})).unwrap();
                assert_eq!(arguments.0.len(), 1, "{name}: {nothing} is not given");
            }
        }
        let mut arguments = read(json!({"query": "null"})).unwrap();
        assert_eq!(arguments.required_text("query"), "null", "a word like any other");
    }

    #[test]
    fn numbers_may_be_written_as_digits() {
        for five in [json!(5), json!(5.0), json!("5"), json!("005")] {
            assert_eq!(read(json!({"limit": five})).unwrap().integer("limit"), Some(5));
        }
        let mut arguments = read(json!({"chunks": [0, "2"], "offset": 4000000000u32})).unwrap();
        assert_eq!(arguments.integers("chunks"), [0, 2]);
        assert_eq!(arguments.integer("offset"), Some(4_000_000_000));
    }

    #[test]
    fn refusals_name_the_parameter_what_was_given_and_what_is_allowed() {
        let code = "unknown_parameter";
        refuse(json!({"limt": 5}), code, "`search` has no parameter `limt`; did you mean `limit`?");
        refuse(
            json!({"zzz": 5}),
            code,
            "`search` has no parameter `zzz`. Allowed: `query`, `project`, `limit`, `offset`, \
             `scopes`, `chunks`, `mode`, `regex`, `reads`.",
        );
        refuse(json!({"query": null}), "missing_parameter", "`search` needs `query`: a string");

        let code = "invalid_argument";
        let range = "`limit` must be a whole number from 1 to 50, and";
        refuse(json!({"limit": 0}), code, &format!("{range} 0 was given"));
        refuse(json!({"limit": 51}), code, &format!("{range} 51 was given"));
        refuse(json!({"limit": "-3"}), code, &format!("{range} \"-3\" was given"));
        refuse(json!({"limit": 2.5}), code, &format!("{range} 2.5 was given"));
        refuse(json!({"limit": "many"}), code, &format!("{range} \"many\" was given"));
        let range = "`offset` must be a whole number from 0 to 4294967295, and";
        refuse(json!({"offset": -1}), code, &format!("{range} -1 was given"));
        refuse(json!({"offset": 1e30}), code, &format!("{range} 1e+30 was given"));
        refuse(json!({"query": 7}), code, "`query` must be a string, and 7 was given");
        let list = "`scopes` must be a list of at most 2 strings, and";
        refuse(json!({"scopes": "src"}), code, &format!("{list} \"src\" was given"));
        refuse(json!({"scopes": [1]}), code, &format!("{list} [1] was given"));
        refuse(json!({"scopes": ["a", "b", "c"]}), code, &format!("{list} a list of 3 was given"));
        refuse(
            json!({"mode": "hybird"}),
            code,
            "`mode` cannot be \"hybird\"; did you mean `hybrid`?",
        );
        refuse(json!({"mode": 7}), code, "`mode` cannot be 7. Allowed: `text`, `hybrid`.");
    }

    #[test]
    fn flags_and_objects_are_read() {
        for yes in [json!(true), json!("true")] {
            assert!(read(json!({"regex": yes})).unwrap().flag("regex"));
        }
        assert!(!read(json!({"regex": false})).unwrap().flag("regex"));
        let mut arguments = read(json!({"reads": [{"path": "a", "line": "2"}]})).unwrap();
        let mut reads = arguments.objects("reads");
        assert_eq!(
            (reads[0].required_text("path"), reads[0].integer("line")),
            ("a".into(), Some(2))
        );

        let code = "invalid_argument";
        refuse(json!({"regex": 1}), code, "`regex` must be true or false, and 1 was given");
        let objects = "`reads` must be a list of 1 to 2 objects with path, line, and";
        refuse(json!({"reads": ["a"]}), code, &format!("{objects} [\"a\"] was given"));
        refuse(json!({"reads": []}), code, &format!("{objects} a list of 0 was given"));
        refuse(
            json!({"reads": [{"path": "a"}, {"line": 1}]}),
            "missing_parameter",
            "`search`, reads[1]: it needs `path`: a string",
        );
        let failure = read(json!({"reads": [{"path": "a", "line": 0}]})).unwrap_err();
        assert_eq!(failure.parameter.as_deref(), Some("reads[0].line"));
    }

    #[test]
    fn long_values_are_not_repeated_whole() {
        let failure = read(json!({"limit": "é".repeat(1000)})).unwrap_err();
        assert!(failure.message.chars().count() < 200);
    }
}
