//! What is refused, and what is said about it.

use kitfox_core::{FieldType, MAX_FILTER_VALUES, OPERATORS, Takes};
use serde_json::{Value as Json, json};

use crate::pairs::schema;
use crate::plain::{self, Kind};

const FIELDS: &[(&str, Kind)] = &[
    ("address", Kind::Object),
    ("created", Kind::DateTime),
    ("in_stock", Kind::Boolean),
    ("opens", Kind::Time),
    ("place", Kind::Point),
    ("price", Kind::Number),
    ("title", Kind::String),
];

/// A list of filters is refused with this text.
#[track_caller]
fn check(filters: Json, expected: &str) {
    let error = schema(FIELDS).filter(&filters).expect_err("a filter that is refused");
    assert_eq!(error.to_string(), expected);
    assert!(
        plain::passes(FIELDS, &filters, &json!({})).is_err(),
        "{filters} is not refused plainly"
    );
}

/// A condition `[field, op, value]` is refused with this text.
#[track_caller]
fn check_condition(condition: Json, expected: &str) {
    let (field, operator, value) = (&condition[0], &condition[1], &condition[2]);
    check(json!([{"field": field, "op": operator, "value": value}]), expected);
}

#[test]
fn unknown_names_are_answered_with_near_ones() {
    check_condition(
        json!(["prise", "eq", 1]),
        "filters[0].field: there is no field `prise`; did you mean `price`?",
    );
    check_condition(json!(["zzz", "eq", 1]), "filters[0].field: there is no field `zzz`");
    check_condition(
        json!(["title", "starts_with", "a"]),
        "filters[0].op: there is no operator `starts_with`; did you mean `startswith` or \
         `istartswith`?",
    );
    check_condition(
        json!(["in_stock", "=", true]),
        "filters[0].op: there is no operator `=`; the boolean field `in_stock` has `eq`, `ne`, `in`, \
         `not_in`, `includes`, `not_includes`, `includes_any`, `includes_all`, `exists` and `is_empty`",
    );
    check(
        json!([{"field": "price", "vale": 1}]),
        "filters[0]: there is no `vale` here; did you mean `value`?",
    );
    check(
        json!([{"and": []}]),
        "filters[0]: there is no `and` here; there may be `field`, `op`, `value`, `any_of`, `all_of` \
         and `not`",
    );
    check_condition(
        json!(["place", "within_radius", {"lat": 0, "lng": 0, "km": 1}]),
        "filters[0].value: there is no `lng` here; there may be `lat`, `lon` and `km`",
    );
}

#[test]
fn a_type_names_its_operators() {
    check_condition(
        json!(["address", "eq", "x"]),
        "filters[0].op: the object field `address` has no operator `eq`; it has `exists` and `is_empty`",
    );
    check_condition(
        json!(["place", "gt", 1]),
        "filters[0].op: the point field `place` has no operator `gt`; it has `eq`, `ne`, `in`, \
         `not_in`, `includes`, `not_includes`, `includes_any`, `includes_all`, `exists`, `is_empty`, \
         `within_radius` and `within_box`",
    );
}

#[test]
fn an_operand_of_the_wrong_type_is_named() {
    check_condition(
        json!(["price", "gt", "5"]),
        "filters[0].value: `gt` on the number field `price` takes a number, not \"5\"",
    );
    check_condition(
        json!(["price", "eq", "5"]),
        "filters[0].value: `eq` on the number field `price` takes a number, or null, not \"5\"",
    );
    check_condition(
        json!(["title", "in", ["a", null, 5]]),
        "filters[0].value[2]: `in` on the string field `title` takes a string, or null, not 5",
    );
    check_condition(
        json!(["title", "in", null]),
        "filters[0].value: `in` on the string field `title` takes a list of 1 to 1000 strings or \
         nulls, not null",
    );
    check_condition(
        json!(["title", "iin", [null]]),
        "filters[0].value[0]: `iin` on the string field `title` takes a string, not null",
    );
    check_condition(
        json!(["title", "includes_any", []]),
        "filters[0].value: `includes_any` takes a list of 1 to 1000 values, not of 0",
    );
    check_condition(
        json!(["price", "in", vec![1; 1001]]),
        "filters[0].value: `in` takes a list of 1 to 1000 values, not of 1001",
    );
    check_condition(
        json!(["created", "gt", "2024-02-30"]),
        "filters[0].value: `gt` on the datetime field `created` takes a date like \"2024-06-01\" or \
         datetime like \"2024-06-01T12:00:00Z\", not \"2024-02-30\"",
    );
    check_condition(
        json!(["opens", "lt", "2024-06-01"]),
        "filters[0].value: `lt` on the time field `opens` takes a time like \"12:00\" or \
         \"12:00:00+02:00\", not \"2024-06-01\"",
    );
    check_condition(
        json!(["price", "between", [1, 2, 3]]),
        "filters[0].value: `between` on the number field `price` takes a list of two numbers, the \
         lower first, not a list of 3",
    );
    check_condition(
        json!(["price", "between", [1, null]]),
        "filters[0].value[1]: `between` on the number field `price` takes a number, not null",
    );
    check_condition(
        json!(["price", "between", [5, 3]]),
        "filters[0].value: `between` on `price` takes the lower value first: 5 lies above 3",
    );
    check_condition(
        json!(["price", "exists", "true"]),
        "filters[0].value: `exists` on the number field `price` takes true or false, not \"true\"",
    );
    check_condition(
        json!(["title", "contains", {"a": 1}]),
        "filters[0].value: `contains` on the string field `title` takes a string, not an object",
    );
    let long = "x".repeat(100);
    check_condition(
        json!(["price", "eq", long]),
        &format!(
            "filters[0].value: `eq` on the number field `price` takes a number, or null, not \"{}\"…",
            &long[..60]
        ),
    );
}

#[test]
fn places_are_checked() {
    check_condition(
        json!(["place", "within_radius", {"lat": 0, "lon": 0}]),
        "filters[0].value: `km` is missing",
    );
    check_condition(
        json!(["place", "within_radius", {"lat": 0, "lon": 0, "km": 0}]),
        "filters[0].value.km: `within_radius` on the point field `place` takes a number above 0, not 0",
    );
    check_condition(
        json!(["place", "within_radius", {"lat": 91, "lon": 0, "km": 1}]),
        "filters[0].value.lat: `within_radius` on the point field `place` takes a number from -90 to \
         90, not 91",
    );
    check_condition(
        json!(["place", "within_box", [1, 2, 3, 4]]),
        "filters[0].value: `within_box` on the point field `place` takes an object {south, west, \
         north, east}, in degrees, not a list of 4",
    );
    check_condition(
        json!(["place", "within_box", {"south": 50, "west": 0, "north": 40.5, "east": 1}]),
        "filters[0].value: `within_box` on `place` takes the lower value first: 50 lies above 40.5",
    );
    check_condition(
        json!(["place", "in", [{"lat": 1, "lon": "x"}]]),
        "filters[0].value[0]: `in` on the point field `place` takes an object {lat, lon}, in degrees, \
         or null, not an object",
    );
}

#[test]
fn the_shape_of_a_list_is_checked() {
    let fine = json!({"field": "price", "value": 1});
    check(json!(null), "filters: this must be a list of conditions, not null");
    check(fine.clone(), "filters: this must be a list of conditions, not an object");
    check(json!([fine, 5]), "filters[1]: this must be an object with a condition, not 5");
    check(json!([{"op": "eq", "value": 1}]), "filters[0]: `field` is missing");
    check(json!([{}]), "filters[0]: `field` is missing");
    check(json!([{"field": "price"}]), "filters[0]: `value` is missing");
    check(
        json!([{"field": null, "value": 1}]),
        "filters[0].field: this must be the path of a field, not null",
    );
    check(
        json!([{"field": "price", "op": null, "value": 1}]),
        "filters[0].op: this must be the name of an operator, not null",
    );
    check(
        json!([{"any_of": null}]),
        "filters[0].any_of: this must be a list of conditions, not null",
    );
    check(
        json!([{"not": [fine]}]),
        "filters[0].not: this must be an object with a condition, not a list of 1",
    );
    check(json!([{"all_of": []}]), "filters[0].all_of: `all_of` needs at least one condition");
    check(
        json!([{"field": "price", "value": 1, "any_of": [fine]}]),
        "filters[0]: a condition has either `field`, `op` and `value` or one of `any_of`, `all_of` \
         and `not`, not `field`, `value` and `any_of` together",
    );
    check(
        json!([fine, {"any_of": [fine, {"not": {"field": "price", "op": "in", "value": [1, "x"]}}]}]),
        "filters[1].any_of[1].not.value[1]: `in` on the number field `price` takes a number, or null, \
         not \"x\"",
    );
}

#[test]
fn depth_and_number_are_bounded() {
    let condition = json!({"field": "price", "value": 1});
    let nested = |depth| (0..depth).fold(condition.clone(), |inner, _| json!({"any_of": [inner]}));
    assert!(schema(FIELDS).filter(&json!([nested(8)])).is_ok());
    let place = "any_of[0].".repeat(8);
    check(
        json!([nested(9)]),
        &format!("filters[0].{place}any_of: groups are nested at most 8 deep"),
    );
    let many = |count: usize| json!([{"all_of": vec![condition.clone(); count - 1]}, condition]);
    assert!(schema(FIELDS).filter(&many(256)).is_ok());
    check(many(257), "filters[1]: there may be at most 256 conditions, those in groups included");
}

#[test]
fn long_names_are_cut() {
    let error = schema(FIELDS).condition(&"x".repeat(100_000), "eq", &json!(1)).unwrap_err();
    assert!(error.to_string().len() < 300);
    let error = schema(FIELDS).condition("price", &"x".repeat(100_000), &json!(1)).unwrap_err();
    assert_eq!(error.at, "op");
    assert!(error.to_string().len() < 500);
}

#[test]
fn the_table_describes_itself() {
    for operator in OPERATORS {
        assert!(operator.description.ends_with('.'), "{}", operator.name);
    }
    assert_eq!(
        Takes::List.describe(FieldType::Date),
        format!("a list of 1 to {MAX_FILTER_VALUES} dates or datetimes")
    );
}
