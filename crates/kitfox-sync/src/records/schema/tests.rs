//! Collections with a JSON Schema.

use kitfox_core::FieldType;
use serde_json::{Value as Json, json};

use crate::SyncError;
use crate::records::tests::{check_problems, check_run, configured, imported, records};
use crate::records::{CollectionConfig, FieldConfig};
use crate::testing::Fixture;

const SCHEMA: &str = "rows.schema.json";

/// A collection in a file of this name and content, held to a schema.
fn held(name: &str, content: &str, schema: &Json, config: CollectionConfig) -> Fixture {
    let mut fixture = configured(name, content, CollectionConfig::default());
    fixture.write(SCHEMA, schema.to_string());
    let schema = Some(fixture.path(SCHEMA));
    fixture.source.collection = CollectionConfig { schema, ..config }.into();
    fixture
}

fn product() -> Json {
    json!({
        "type": "object",
        "required": ["id", "name"],
        "additionalProperties": false,
        "properties": {
            "id": { "type": "string" },
            "name": { "type": "string", "description": "What it is called" },
            "price": { "type": ["number", "null"], "minimum": 0 },
            "status": { "enum": ["new", "sold"] },
            "since": { "type": "string", "format": "date" },
            "code": { "type": "string", "pattern": "^[0-9]{3}$" },
            "tags": { "type": "array", "items": { "type": "string" } },
            "maker": { "$ref": "#/$defs/maker" },
        },
        "$defs": {
            "maker": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": { "type": "string" },
                    "part_of": { "anyOf": [{ "$ref": "#/$defs/maker" }, { "type": "null" }] },
                },
            },
        },
    })
}

#[test]
fn rows_that_do_not_fit_are_refused_with_field_and_reason() {
    let rows = [
        json!({"id": "a", "name": "A", "price": 1, "status": "new", "since": "2024-06-01"}),
        json!({"id": "b"}),
        json!({"id": "c", "name": "C", "price": "dear"}),
        json!({"id": "d", "name": "D", "price": -1}),
        json!({"id": "e", "name": "E", "status": "lost"}),
        json!({"id": "f", "name": "F", "since": "yesterday"}),
        json!({"id": "g", "name": "G", "colour": "red"}),
        json!({"id": "h", "name": "H", "tags": ["x", 1]}),
        json!({"id": "i", "name": "I", "maker": {}}),
        json!({"id": "j", "name": "J", "maker": {"name": "M", "part_of": null}}),
    ];
    let rows = rows.map(|row| row.to_string()).join("\n");
    let fixture = held("rows.jsonl", &rows, &product(), CollectionConfig::default());
    check_problems(
        &fixture,
        &[
            ("line 2", "name", "\"name\" is a required property"),
            ("line 3", "price", "it is not of types \"null\", \"number\""),
            ("line 4", "price", "it is less than the minimum of 0"),
            ("line 5", "status", "it is not one of \"new\" or \"sold\""),
            ("line 6", "since", "it is not a \"date\""),
            ("line 7", "", "Additional properties are not allowed ('colour' was unexpected)"),
            ("line 8", "tags", "it is not of type \"string\""),
            ("line 9", "maker.name", "\"name\" is a required property"),
        ],
    );
    assert_eq!(records(&fixture).keys().collect::<Vec<_>>(), ["a", "j"]);
    // What was refused says nothing of what fields there are.
    assert!(!imported(&fixture).collection.fields.contains_key("colour"));
}

#[test]
fn fields_are_what_the_schema_says_whether_records_have_them_or_not() {
    let row = r#"{"id": "a", "name": "2024-06-01"}"#;
    let fixture = held("rows.jsonl", row, &product(), CollectionConfig::default());
    check_problems(&fixture, &[]);
    let collection = imported(&fixture).collection;
    let shown = |path: &str| {
        let field = &collection.fields[path];
        let array = if field.is_array { "[]" } else { "" };
        let optional = if field.is_optional { "?" } else { "" };
        format!("{}{array}{optional}", field.of_type)
    };
    for (path, expected) in [
        ("id", "string"),
        ("name", "string"),
        ("price", "number?"),
        ("status", "string?"),
        ("since", "date?"),
        ("tags", "string[]?"),
        ("maker", "object?"),
        ("maker.name", "string?"),
        ("maker.part_of.part_of.name", "string?"),
    ] {
        assert_eq!(shown(path), expected, "{path}");
    }
    assert_eq!(collection.fields["status"].allowed, [json!("new"), json!("sold")]);
    assert_eq!(collection.fields["name"].description, "What it is called");
    assert_eq!(collection.schema, Some(product()));
}

#[test]
fn cells_are_read_as_the_schema_says() {
    let csv = "id,name,price,code\n1,A,2.50,007\n2,true,x,123\n";
    let fixture = held("rows.csv", csv, &product(), CollectionConfig::default());
    check_problems(&fixture, &[("line 3", "price", "it is not of types \"null\", \"number\"")]);
    let expected = json!({"1": {"id": "1", "name": "A", "price": 2.5, "code": "007"}});
    assert_eq!(json!(records(&fixture)), expected);
}

#[test]
fn what_is_configured_of_a_field_goes_before_the_schema() {
    let name = FieldConfig {
        of_type: Some(FieldType::Date),
        description: "The day".to_owned(),
        ..FieldConfig::default()
    };
    let private = FieldConfig { private: true, ..FieldConfig::default() };
    let fields = [("name".to_owned(), name), ("maker".to_owned(), private)].into();
    let config = CollectionConfig { fields, ..CollectionConfig::default() };
    let row = r#"{"id": "a", "name": "2024-06-01", "maker": {"name": "M"}}"#;
    let fixture = held("rows.jsonl", row, &product(), config);
    check_problems(&fixture, &[]);
    let collection = imported(&fixture).collection;
    assert_eq!(collection.fields["name"].of_type, FieldType::Date);
    assert_eq!(collection.fields["name"].description, "The day");
    // Nothing tells that there is a maker.
    assert!(collection.fields.keys().all(|path| !path.starts_with("maker")));
    assert_eq!(collection.schema, None);
}

#[test]
fn a_schema_may_name_the_locales_of_a_field() {
    let schema = json!({"properties": {"title": {"type": "object", "properties": {
        "en": {"type": "string"}, "fr": {"type": "string"},
    }}}});
    let localized = FieldConfig { localized: true, ..FieldConfig::default() };
    let config = CollectionConfig {
        fields: [("title".to_owned(), localized)].into(),
        locales: vec!["en".to_owned(), "fr".to_owned()],
        ..CollectionConfig::default()
    };
    let fixture = held("rows.jsonl", r#"{"title": {"en": "Tea"}}"#, &schema, config);
    check_problems(&fixture, &[]);
    let fields = imported(&fixture).collection.fields;
    assert_eq!(fields["title"].of_type, FieldType::String);
    assert_eq!(fields["title.fr"].of_type, FieldType::String);
}

#[test]
fn another_schema_is_another_import() {
    let rows = "{\"id\": 1, \"n\": 1}\n{\"id\": 2, \"n\": 2}\n{\"id\": 3, \"n\": 3}\n";
    let at_most = |most| json!({"properties": {"n": {"maximum": most}}});
    let fixture = held("rows.jsonl", rows, &at_most(3), CollectionConfig::default());
    fixture.age("rows.jsonl", std::time::Duration::from_secs(90));
    check_run(&fixture, [3, 0, 0, 0, 0]);
    fixture.write(SCHEMA, at_most(2).to_string());
    check_run(&fixture, [0, 0, 1, 2, 1]);
    // What would lose most records is not done without being asked.
    fixture.write(SCHEMA, at_most(0).to_string());
    assert!(matches!(fixture.refresh(), Err(SyncError::MassRemoval { .. })));
}

#[track_caller]
fn check_unusable(schema: &str, expected: &str) {
    let fixture = held("rows.jsonl", "{\"id\": 1}", &json!({}), CollectionConfig::default());
    check_run(&fixture, [1, 0, 0, 0, 0]);
    fixture.write(SCHEMA, schema);
    let error = fixture.refresh().unwrap_err().to_string();
    assert!(error.starts_with("cannot use the schema of `project`: "), "{error}");
    assert!(error.contains(expected), "{error}");
    assert_eq!(records(&fixture).len(), 1);
}

#[test]
fn what_is_no_schema_is_told_and_changes_nothing() {
    check_unusable("{", "it is not JSON");
    check_unusable("[]", "it is not a JSON object");
    check_unusable(r#"{"type": "strin"}"#, "at /type");
    check_unusable(r#"{"properties": {"x": {"pattern": "("}}}"#, "at /properties/x/pattern");
    check_unusable(r#"{"$ref": "https://example.com/a.json"}"#, "example.com");
    check_unusable(r#"{"$ref": "other.json"}"#, "other.json");
}

#[test]
fn a_schema_that_refers_to_itself_is_read_to_an_end() {
    let schema = json!({
        "$defs": {
            "a": {"allOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/b"}]},
            "b": {"properties": {"x": {"$ref": "#/$defs/a"}, "y": {"$ref": "#/$defs/a"}}},
        },
        "$ref": "#/$defs/a",
    });
    let fixture = held("rows.jsonl", "{\"id\": 1}", &schema, CollectionConfig::default());
    check_run(&fixture, [1, 0, 0, 0, 0]);
}
