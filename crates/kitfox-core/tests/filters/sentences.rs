//! What is said of filters, sentence by sentence: each case is judged by the crate and by plain
//! evaluation.

use serde_json::{Value as Json, json};

use crate::pairs::{evaluate, schema};
use crate::plain::{self, Kind};

const FIELDS: &[(&str, Kind)] = &[
    ("at", Kind::Time),
    ("author", Kind::Object),
    ("author.name", Kind::String),
    ("day", Kind::Date),
    ("flag", Kind::Boolean),
    ("items.price", Kind::Number),
    ("items.size", Kind::Number),
    ("n", Kind::Number),
    ("place", Kind::Point),
    ("t", Kind::String),
    ("when", Kind::DateTime),
    (r"a\.b", Kind::Number),
];

/// A condition `[field, op, value]` on a record.
#[track_caller]
fn check(condition: Json, record: Json, expected: bool) {
    let (field, operator, value) = (&condition[0], &condition[1], &condition[2]);
    check_list(json!([{"field": field, "op": operator, "value": value}]), record, expected);
}

#[track_caller]
fn check_list(filters: Json, record: Json, expected: bool) {
    let found = evaluate(&schema(FIELDS), &filters, &record);
    assert_eq!(found, Ok(expected), "{filters} on {record}");
    let plain = plain::passes(FIELDS, &filters, &record);
    assert_eq!(plain, Ok(expected), "plain evaluation of {filters} on {record}");
}

#[test]
fn numbers_are_equal_numerically() {
    check(json!(["n", "eq", 5]), json!({"n": 5.0}), true);
    check(json!(["n", "eq", 0]), json!({"n": -0.0}), true);
    check(
        json!(["n", "eq", 9_007_199_254_740_993u64]),
        json!({"n": 9_007_199_254_740_992u64}),
        false,
    );
    check(
        json!(["n", "gt", 9_007_199_254_740_992.0]),
        json!({"n": 9_007_199_254_740_993u64}),
        true,
    );
    check(json!(["n", "eq", 18_446_744_073_709_551_615u64]), json!({"n": u64::MAX}), true);
    check(json!(["n", "lt", 18_446_744_073_709_551_616.0]), json!({"n": u64::MAX}), true);
    check(json!(["n", "eq", 5]), json!({"n": "5"}), false);
    check(json!(["n", "ne", 5]), json!({"n": "5"}), true);
}

#[test]
fn texts_are_equal_with_case_and_folded_without() {
    check(json!(["t", "eq", "a"]), json!({"t": "A"}), false);
    check(json!(["t", "ieq", "a"]), json!({"t": "A"}), true);
    check(json!(["t", "ieq", "STRASSE"]), json!({"t": "Straße"}), true);
    check(json!(["t", "ieq", "ΣΑΣ"]), json!({"t": "σας"}), true);
    check(json!(["t", "ieq", "ﬁne"]), json!({"t": "FINE"}), true);
    check(json!(["t", "ieq", "i"]), json!({"t": "ı"}), false);
    check(json!(["t", "ieq", "é"]), json!({"t": "e\u{301}"}), false);
    check(json!(["t", "iin", ["x", "SS"]]), json!({"t": "ß"}), true);
    check(json!(["t", "iin", ["x", "y"]]), json!({"t": "ß"}), false);
}

#[test]
fn order_is_typed() {
    check(json!(["n", "gt", 9]), json!({"n": 10}), true);
    check(json!(["t", "gt", "9"]), json!({"t": "10"}), false);
    check(json!(["n", "gt", 5]), json!({"n": 5}), false);
    check(json!(["n", "gte", 5]), json!({"n": 5}), true);
    check(json!(["n", "lt", 5]), json!({"n": 5}), false);
    check(json!(["n", "lte", 5]), json!({"n": 5}), true);
    check(json!(["n", "gt", 5]), json!({"n": "6"}), false);
    check(json!(["at", "lt", "10:00"]), json!({"at": "09:59:59.9"}), true);
    check(json!(["at", "eq", "10:00"]), json!({"at": "12:00:00+02:00"}), true);
    check(json!(["at", "gt", "00:15"]), json!({"at": "23:30-01:00"}), true);
}

#[test]
fn texts_are_ordered_by_code_point() {
    check(json!(["t", "gt", "Z"]), json!({"t": "a"}), true);
    check(json!(["t", "gt", "\u{ffff}"]), json!({"t": "\u{10000}"}), true);
    check(json!(["t", "gt", "a"]), json!({"t": "aa"}), true);
    check(json!(["t", "gte", ""]), json!({"t": ""}), true);
}

#[test]
fn a_bare_date_is_its_midnight_in_utc() {
    check(json!(["when", "eq", "2024-06-01"]), json!({"when": "2024-06-01T00:00:00Z"}), true);
    check(json!(["when", "gt", "2024-06-01"]), json!({"when": "2024-06-01T00:00:01Z"}), true);
    check(json!(["when", "eq", "2024-06-01"]), json!({"when": "2024-06-01T02:00:00+02:00"}), true);
    check(json!(["when", "lt", "2024-06-01"]), json!({"when": "2024-06-01T01:00:00+02:00"}), true);
    check(json!(["when", "eq", "2024-06-01T00:00:00Z"]), json!({"when": "2024-06-01"}), true);
    check(json!(["day", "lt", "2024-06-01T12:00:00Z"]), json!({"day": "2024-06-01"}), true);
    check(json!(["day", "eq", "2024-06-01"]), json!({"day": "2024-06-01T12:00:00Z"}), false);
    check(json!(["when", "eq", "2024-06-01T10:00:00Z"]), json!({"when": "2024-06-01 10:00"}), true);
    check(json!(["when", "gt", "2024-06-01"]), json!({"when": "tomorrow"}), false);
    check(json!(["when", "exists", true]), json!({"when": "tomorrow"}), true);
    check(
        json!(["when", "gt", "2024-06-01T00:00:00.123456788Z"]),
        json!({"when": "2024-06-01T00:00:00.123456789Z"}),
        true,
    );
}

#[test]
fn between_includes_both() {
    for (n, expected) in [(1, false), (2, true), (3, true), (4, true), (5, false)] {
        check(json!(["n", "between", [2, 4]]), json!({"n": n}), expected);
    }
    check(json!(["n", "between", [2, 2.0]]), json!({"n": 2}), true);
    check(
        json!(["day", "between", ["2024-01-01", "2024-12-31"]]),
        json!({"day": "2024-12-31"}),
        true,
    );
    check(json!(["t", "between", ["a", "b"]]), json!({"t": "aa"}), true);
}

#[test]
fn in_is_equal_to_one_and_not_in_to_none() {
    check(json!(["n", "in", [1, 2]]), json!({"n": 2.0}), true);
    check(json!(["n", "in", [1, 2]]), json!({"n": 3}), false);
    check(json!(["n", "not_in", [1, 2]]), json!({"n": 3}), true);
    check(json!(["n", "not_in", [1, 2]]), json!({"n": [3, 1]}), false);
    check(json!(["flag", "in", [true]]), json!({"flag": true}), true);
}

#[test]
fn texts_contain_begin_and_end() {
    check(json!(["t", "contains", "b"]), json!({"t": "abc"}), true);
    check(json!(["t", "contains", "B"]), json!({"t": "abc"}), false);
    check(json!(["t", "icontains", "B"]), json!({"t": "abc"}), true);
    check(json!(["t", "startswith", "a"]), json!({"t": "abc"}), true);
    check(json!(["t", "startswith", "b"]), json!({"t": "abc"}), false);
    check(json!(["t", "istartswith", "AB"]), json!({"t": "abc"}), true);
    check(json!(["t", "endswith", "c"]), json!({"t": "abc"}), true);
    check(json!(["t", "endswith", "b"]), json!({"t": "abc"}), false);
    check(json!(["t", "iendswith", "BC"]), json!({"t": "abc"}), true);
    check(json!(["t", "contains", ""]), json!({"t": "abc"}), true);
    check(json!(["t", "contains", ""]), json!({}), false);
    check(json!(["t", "contains", "5"]), json!({"t": 5}), false);
    check(json!(["t", "contains", "*"]), json!({"t": "abc"}), false);
}

#[test]
fn arrays_include_their_elements() {
    check(json!(["t", "includes", "b"]), json!({"t": ["a", "b"]}), true);
    check(json!(["t", "includes", "c"]), json!({"t": ["a", "b"]}), false);
    check(json!(["t", "not_includes", "c"]), json!({"t": ["a", "b"]}), true);
    check(json!(["t", "not_includes", "a"]), json!({"t": ["a", "b"]}), false);
    check(json!(["t", "includes_any", ["c", "b"]]), json!({"t": ["a", "b"]}), true);
    check(json!(["t", "includes_any", ["c", "d"]]), json!({"t": ["a", "b"]}), false);
    check(json!(["t", "includes_all", ["a", "b"]]), json!({"t": ["b", "x", "a"]}), true);
    check(json!(["t", "includes_all", ["a", "b"]]), json!({"t": ["a"]}), false);
    check(json!(["t", "includes", "b"]), json!({"t": ["a", ["b"]]}), true);
    check(json!(["t", "includes", "b"]), json!({"t": "b"}), true);
}

#[test]
fn exists_is_present_and_not_null() {
    for (record, exists, is_empty) in [
        (json!({}), false, true),
        (json!({"t": null}), false, true),
        (json!({"t": ""}), true, true),
        (json!({"t": []}), true, true),
        (json!({"t": {}}), true, true),
        (json!({"t": "a"}), true, false),
        (json!({"t": 0}), true, false),
        (json!({"t": false}), true, false),
        (json!({"t": [null]}), true, false),
        (json!({"t": [""]}), true, false),
        (json!({"t": [[]]}), true, false),
        (json!({"t": [{}]}), true, false),
        (json!({"t": {"x": null}}), true, false),
    ] {
        check(json!(["t", "exists", true]), record.clone(), exists);
        check(json!(["t", "exists", false]), record.clone(), !exists);
        check(json!(["t", "eq", null]), record.clone(), !exists);
        check(json!(["t", "ne", null]), record.clone(), exists);
        check(json!(["t", "is_empty", true]), record.clone(), is_empty);
        check(json!(["t", "is_empty", false]), record, !is_empty);
    }
    check(json!(["author", "exists", true]), json!({"author": {"name": null}}), true);
    check(json!(["author.name", "exists", true]), json!({"author": {"name": null}}), false);
    check(
        json!(["author.name", "exists", true]),
        json!({"author": [{"name": null}, {"name": ""}]}),
        true,
    );
}

#[test]
fn missing_and_null_satisfy_only_negations() {
    for record in [json!({}), json!({"n": null, "t": null, "place": null})] {
        for condition in [
            json!(["n", "eq", 0]),
            json!(["n", "gt", -1]),
            json!(["n", "gte", -1]),
            json!(["n", "lt", 1]),
            json!(["n", "lte", 1]),
            json!(["n", "between", [-1, 1]]),
            json!(["n", "in", [0]]),
            json!(["n", "includes", 0]),
            json!(["n", "includes_any", [0]]),
            json!(["n", "includes_all", [0]]),
            json!(["t", "eq", ""]),
            json!(["t", "ieq", ""]),
            json!(["t", "iin", [""]]),
            json!(["t", "contains", ""]),
            json!(["t", "icontains", ""]),
            json!(["t", "startswith", ""]),
            json!(["t", "istartswith", ""]),
            json!(["t", "endswith", ""]),
            json!(["t", "iendswith", ""]),
            json!(["place", "within_radius", {"lat": 0, "lon": 0, "km": 20_100}]),
            json!(["place", "within_box", {"south": -90, "west": -180, "north": 90, "east": 180}]),
        ] {
            check(condition, record.clone(), false);
        }
        check(json!(["n", "ne", 0]), record.clone(), true);
        check(json!(["n", "not_in", [0]]), record.clone(), true);
        check(json!(["n", "not_includes", 0]), record.clone(), true);
        check(json!(["n", "in", [0, null]]), record.clone(), true);
        check(json!(["n", "in", [null]]), record.clone(), true);
        check(json!(["n", "not_in", [0, null]]), record.clone(), false);
    }
    check(json!(["n", "in", [0, null]]), json!({"n": 1}), false);
    check(json!(["n", "not_in", [0, null]]), json!({"n": 1}), true);
}

#[test]
fn a_scalar_operator_means_some_element_and_a_negation_none() {
    check(json!(["n", "eq", 2]), json!({"n": [1, [2]]}), true);
    check(json!(["n", "ne", 2]), json!({"n": [1, [2]]}), false);
    check(json!(["n", "ne", 3]), json!({"n": [1, [2]]}), true);
    check(json!(["n", "gt", 2]), json!({"n": [1, 3]}), true);
    check(json!(["n", "between", [2, 2.5]]), json!({"n": [1, 3]}), false);
    check(json!(["t", "startswith", "b"]), json!({"t": ["a", "b"]}), true);
    check(json!(["n", "eq", 0]), json!({"n": []}), false);
    check(json!(["n", "ne", 0]), json!({"n": []}), true);
}

#[test]
fn conditions_through_an_array_of_objects_are_independent() {
    let record = json!({"items": [{"price": 1, "size": 2}, {"price": 3, "size": 4}]});
    let both = |price: i32, size: i32| json!([{"field": "items.price", "value": price}, {"field": "items.size", "value": size}]);
    check_list(both(1, 4), record.clone(), true);
    check_list(both(1, 3), record.clone(), false);
    check(json!(["items.price", "ne", 3]), record, false);
}

#[test]
fn a_dot_in_a_key_is_escaped() {
    check(json!([r"a\.b", "eq", 1]), json!({"a.b": 1}), true);
    check(json!([r"a\.b", "eq", 1]), json!({"a": {"b": 1}}), false);
}

#[test]
fn places_lie_within_a_radius_or_a_box() {
    let paris = json!({"place": {"lat": 48.8566, "lon": 2.3522}});
    let radius =
        |km: i32| json!(["place", "within_radius", {"lat": 51.5074, "lon": -0.1278, "km": km}]);
    check(radius(340), paris.clone(), false);
    check(radius(345), paris.clone(), true);
    check(json!(["place", "eq", {"lat": 48.8566, "lon": 2.3522}]), paris.clone(), true);
    let corners = |west: f64, east: f64| json!(["place", "within_box", {"south": 48.8566, "west": west, "north": 50, "east": east}]);
    check(corners(2.3522, 3.0), paris.clone(), true);
    check(corners(2.4, 3.0), paris.clone(), false);
    check(corners(2.4, -179.0), paris.clone(), false);
    check(corners(170.0, 3.0), paris.clone(), true);
    let fiji = json!({"place": [{"lat": -17.7, "lon": 178.0}, {"lat": -17.7, "lon": -179.0}]});
    let box_of = |west: i32, east: i32| json!(["place", "within_box", {"south": -20, "west": west, "north": -15, "east": east}]);
    check(box_of(179, -178), fiji.clone(), true);
    check(box_of(-178, 177), fiji, false);
    check(json!(["place", "exists", true]), json!({"place": {"lat": 91, "lon": 0}}), true);
}

#[test]
fn all_filters_hold_and_groups_combine_them() {
    let record = json!({"n": 1, "t": "a"});
    let (yes, no) = (json!({"field": "n", "value": 1}), json!({"field": "t", "value": "b"}));
    check_list(json!([]), record.clone(), true);
    check_list(json!([yes]), record.clone(), true);
    check_list(json!([yes, no]), record.clone(), false);
    check_list(json!([{"any_of": [no, yes]}]), record.clone(), true);
    check_list(json!([{"any_of": [no]}]), record.clone(), false);
    check_list(json!([{"all_of": [yes, yes]}]), record.clone(), true);
    check_list(json!([{"all_of": [yes, no]}]), record.clone(), false);
    check_list(json!([{"not": no}]), record.clone(), true);
    check_list(json!([{"not": {"not": no}}]), record.clone(), false);
    check_list(json!([{"not": {"any_of": [no, {"all_of": [no, yes]}]}}]), record.clone(), true);
    check_list(json!([yes, {"any_of": [no, {"not": no}]}]), record, true);
}
