//! What the tool `search_records` of FoxNose Knowledge promises, in our words, and where we depart
//! from it on purpose.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::records::{Shelf, field, shelf};
use crate::{
    FaceError, GetRecord, QueryRecords, RecordSearch, RecordsAnswer, RecordsRequest, SearchRecords,
};

const ARTICLES: &str = r#"
{"id": "a1", "title": "Feeding a red fox", "body": "A red fox eats mice, berries and beetles.", "author": "ann", "year": 2019, "tags": ["fox", "food"]}
{"id": "a2", "title": "Foxes in the snow", "body": "The arctic fox grows a white coat in winter.", "author": "bob", "year": 2021, "tags": ["fox", "winter"]}
{"id": "a3", "title": "Owls by night", "body": "An owl hunts mice in the dark without a sound.", "author": "ann", "year": 2020, "tags": ["owl"]}
{"id": "a4", "title": "Sourdough bread", "body": "Flour, water and salt, and a day of patience.", "author": "zoe", "year": 2022, "tags": []}
"#;
const AUTHORS: &str = r#"
{"id": "ann", "name": "Ann Archer", "country": "fr", "bio": "Ann walks through woods at dawn and writes down what she saw there, year after year."}
{"id": "bob", "name": "Bob Baker", "country": "no", "bio": "Bob lives where the winter is long."}
"#;

fn articles() -> Shelf {
    shelf(&[
        ("articles", ARTICLES, |config| {
            config.max_text_chars = 40;
            field(config, "author").reference = Some("authors".into());
        }),
        ("authors", AUTHORS, |config| config.max_text_chars = 40),
    ])
}

fn search(shelf: &Shelf, request: Json) -> Result<RecordsAnswer, FaceError> {
    let text = |name: &str| request[name].as_str().unwrap_or_default().to_owned();
    let search_type = RecordSearch::ALL.into_iter().find(|(name, _)| *name == text("search_type"));
    shelf.faces.search_records(&SearchRecords {
        query: text("query"),
        search_type: search_type.map(|(_, each)| each).unwrap_or_default(),
        records: request_of(&request),
    })
}

pub(super) fn request_of(request: &Json) -> RecordsRequest {
    let texts = |name: &str| serde_json::from_value(request[name].clone()).unwrap_or_default();
    let parents: Option<BTreeMap<String, String>> =
        serde_json::from_value(request["parents"].clone()).ok();
    RecordsRequest {
        resource_id: request["resource_id"].as_str().unwrap_or("articles").to_owned(),
        filters: request["filters"].clone(),
        locales: texts("locales"),
        parents: parents.unwrap_or_default(),
        populate: texts("populate"),
        limit: request["limit"].as_u64().map(|limit| limit as usize),
        cursor: request["cursor"].as_str().map(str::to_owned),
        facets: texts("facets"),
    }
}

fn ids(answer: &RecordsAnswer) -> Vec<&str> {
    answer.items.iter().map(|record| record.id.as_str()).collect()
}

fn sorted(answer: &RecordsAnswer) -> Vec<&str> {
    let mut ids = ids(answer);
    ids.sort_unstable();
    ids
}

#[track_caller]
fn finds(request: Json, expected: &[&str]) {
    let answer = search(&articles(), request.clone()).unwrap();
    assert_eq!(sorted(&answer), expected, "{request}");
}

#[track_caller]
fn refuses(request: Json, code: &str) {
    let error = search(&articles(), request.clone()).unwrap_err();
    assert_eq!(error.code, code, "{request}: {error}");
}

/// A search is hybrid unless it says otherwise, and the answer tells what ran.
#[test]
fn hybrid_is_the_default() {
    let answer = search(&articles(), json!({"query": "fox"})).unwrap();
    assert_eq!(answer.execution_info.search_mode, Some("hybrid"));
    assert_eq!(answer.execution_info.applied_search_type, Some("hybrid"));
}

/// A hybrid search takes what matches by words together with what matches by meaning: any word does.
#[test]
fn hybrid_is_a_union() {
    let answer = search(&articles(), json!({"query": "mice patience"})).unwrap();
    let found = sorted(&answer);
    assert!(["a1", "a3", "a4"].iter().all(|id| found.contains(id)), "{found:?}");
}

/// A text search finds only records that have all of its words.
#[test]
fn text_has_every_word() {
    finds(json!({"query": "fox", "search_type": "text"}), &["a1", "a2"]);
    finds(json!({"query": "foxes eating mice", "search_type": "text"}), &["a1"]);
    finds(json!({"query": "fox owl", "search_type": "text"}), &[]);
    finds(json!({"query": "\"arctic fox\"", "search_type": "text"}), &["a2"]);
    finds(json!({"query": "\"fox arctic\"", "search_type": "text"}), &[]);
    finds(json!({"query": "fox -winter", "search_type": "text"}), &["a1"]);
}

/// A semantic search may find what has no word in common with it.
#[test]
fn semantic_needs_no_word() {
    let answer =
        search(&articles(), json!({"query": "baking loaves", "search_type": "semantic"})).unwrap();
    assert_eq!(ids(&answer).first(), Some(&"a4"));
}

/// Without embeddings a semantic search finds nothing, and what ran is not what was asked for.
#[test]
fn without_embeddings_there_is_no_meaning() {
    let shelf = shelf(&[("articles", ARTICLES, |config| {
        for path in ["title", "body"] {
            field(config, path).vectorized = Some(false);
        }
    })]);
    let answer = search(&shelf, json!({"query": "fox", "search_type": "semantic"})).unwrap();
    assert_eq!(ids(&answer), [""; 0]);
    assert_eq!(answer.execution_info.warnings.len(), 1, "the emptiness is explained");
    let answer = search(&shelf, json!({"query": "fox"})).unwrap();
    assert_eq!(answer.execution_info.applied_search_type, Some("text"));
    assert_eq!(sorted(&answer), ["a1", "a2"]);
}

/// A boosted search has the records of a text search: the nearest few first, the rest with
/// relevance 0.
#[test]
fn vector_boosted_is_the_set_of_text() {
    let rows: String = (0..9)
        .map(|number| {
            format!("{{\"id\": \"r{number}\", \"text\": \"the fox sleeps in the den all day long {}\"}}\n", "den ".repeat(number))
        })
        .collect();
    let shelf = shelf(&[("articles", &rows, |_| {})]);
    let ask =
        |of: &str| search(&shelf, json!({"query": "fox", "search_type": of, "limit": 20})).unwrap();
    let (text, boosted) = (ask("text"), ask("vector_boosted"));
    assert_eq!(sorted(&text), sorted(&boosted));
    let relevance: Vec<f64> = boosted.items.iter().filter_map(|r| r.sys.relevance).collect();
    assert!(relevance[..5].iter().all(|relevance| *relevance > 0.0), "{relevance:?}");
    assert!(relevance[5..].iter().all(|relevance| *relevance == 0.0), "{relevance:?}");
    // A departure: the rest is in the order of `text`, not in that of the collection.
    let rest: Vec<&str> = ids(&boosted).split_off(5);
    let in_text: Vec<&str> = ids(&text).into_iter().filter(|id| rest.contains(id)).collect();
    assert_eq!(rest, in_text);
}

/// 5 records where nothing is said, 100 at most.
#[test]
fn pages_have_five_records_unless_told_otherwise() {
    let rows: String =
        (0..120).map(|number| format!("{{\"id\": {number}, \"text\": \"a fox\"}}\n")).collect();
    let shelf = shelf(&[("articles", &rows, |_| {})]);
    let returned = |limit: Json| {
        let request = json!({"query": "fox", "search_type": "text", "limit": limit});
        search(&shelf, request).map(|answer| (answer.items.len(), answer.page.limit))
    };
    assert_eq!(returned(Json::Null), Ok((5, 5)));
    assert_eq!(returned(json!(100)), Ok((100, 100)));
    assert_eq!(returned(json!(101)).unwrap_err().code, "invalid_limit");
    assert_eq!(returned(json!(0)).unwrap_err().code, "invalid_limit");
}

/// The next cursor leads to the page after; there is none after the last.
#[test]
fn cursors_lead_through_all_pages_and_back() {
    let rows: String =
        (0..12).map(|number| format!("{{\"id\": {number}, \"text\": \"a fox\"}}\n")).collect();
    let shelf = shelf(&[("articles", &rows, |_| {})]);
    let ask = |cursor: &Json| search(&shelf, json!({"query": "fox", "cursor": cursor})).unwrap();
    let (mut cursor, mut pages) = (Json::Null, Vec::new());
    loop {
        let answer = ask(&cursor);
        assert_eq!(answer.page.has_more, answer.page.next_cursor.is_some());
        assert_eq!(answer.page.returned, answer.items.len());
        pages.push(ids(&answer).into_iter().map(str::to_owned).collect::<Vec<_>>());
        let Some(next) = answer.page.next_cursor else {
            let before = ask(&json!(answer.page.previous_cursor));
            assert_eq!(ids(&before), pages[pages.len() - 2]);
            break;
        };
        cursor = json!(next);
    }
    let all: std::collections::BTreeSet<&String> = pages.iter().flatten().collect();
    assert_eq!((pages.len(), all.len()), (3, 12));
    // A departure: a cursor of another request is an error.
    let foreign = search(&shelf, json!({"query": "den", "cursor": cursor})).unwrap_err();
    assert_eq!(foreign.code, "foreign_cursor");
    let altered = search(&shelf, json!({"query": "fox", "cursor": "https://x.y/z"})).unwrap_err();
    assert_eq!(altered.code, "invalid_cursor");
}

/// All conditions hold; the operator is equality where it is left out, and says what the value is.
#[test]
fn filters_restrict() {
    let fox = |filters: Json| json!({"query": "fox", "search_type": "text", "filters": filters});
    finds(fox(json!([{"field": "year", "value": 2021}])), &["a2"]);
    finds(fox(json!([{"field": "year", "op": "in", "value": [2019, 2020]}])), &["a1"]);
    finds(fox(json!([{"field": "year", "op": "not_in", "value": [2019]}])), &["a2"]);
    finds(fox(json!([{"field": "year", "op": "between", "value": [2019, 2020]}])), &["a1"]);
    finds(
        fox(
            json!([{"field": "year", "op": "gt", "value": 2000}, {"field": "author", "value": "bob"}]),
        ),
        &["a2"],
    );
    // Our superset: groups, and conditions through references.
    let either =
        json!([{"any_of": [{"field": "year", "value": 2019}, {"field": "year", "value": 2021}]}]);
    finds(fox(either), &["a1", "a2"]);
    finds(fox(json!([{"field": "author.country", "value": "fr"}])), &["a1"]);
    finds(fox(json!([{"field": "author.country", "op": "ne", "value": "fr"}])), &["a2"]);
    refuses(fox(json!([{"field": "yaer", "value": 1}])), "unknown_field");
    refuses(fox(json!([{"field": "year", "op": "eqq", "value": 1}])), "unknown_operator");
    refuses(fox(json!([{"field": "year", "value": "many"}])), "invalid_filter");
}

/// Without locales all are kept; one that nobody uses is no error and matches nothing.
#[test]
fn locales_are_kept_or_left_out() {
    let rows = r#"{"id": 1, "title": {"en": "a fox", "fr": "un renard"}, "by": "Ann"}"#;
    let shelf = shelf(&[("articles", rows, |config| {
        config.locales = vec!["en".into(), "fr".into()];
        field(config, "title").localized = true;
    })]);
    let title = |locales: Json| {
        let request = json!({"query": "ann", "search_type": "text", "locales": locales});
        let answer = search(&shelf, request).unwrap();
        (answer.items[0].data["title"].clone(), answer.execution_info.warnings.len())
    };
    assert_eq!(title(Json::Null), (json!({"en": "a fox", "fr": "un renard"}), 0));
    assert_eq!(title(json!(["fr"])), (json!({"fr": "un renard"}), 0));
    assert_eq!(title(json!(["de"])), (json!({}), 1));
}

/// Text search covers every locale, or those that are asked for, each with its own forms of words.
#[test]
fn words_are_found_in_the_locales_asked_for() {
    let rows = r#"
{"id": 1, "title": {"en": "Two newspapers", "fr": "Deux journaux"}, "body": {"en": "Read by all"}}
{"id": 2, "title": {"en": "A journal", "fr": "Un carnet"}, "body": {"fr": "Lu par personne"}}"#;
    let shelf = shelf(&[("articles", rows, |config| {
        config.locales = vec!["en".into(), "fr".into()];
        field(config, "title").localized = true;
        field(config, "body").localized = true;
    })]);
    let check = |query: &str, locales: &[&str], expected: &[&str]| {
        let request = json!({"query": query, "search_type": "text", "locales": locales});
        let answer = search(&shelf, request).unwrap();
        assert_eq!(sorted(&answer), expected, "{query} in {locales:?}");
        answer
    };
    // `journaux` is a form of `journal` in French, and no word in English.
    check("journal", &[], &["1", "2"]);
    check("journal", &["fr"], &["1"]);
    check("journal", &["en"], &["2"]);
    check("\"deux journaux\"", &[], &["1"]);
    check("\"deux journaux\"", &["en"], &[]);
    check("newspaper", &["fr"], &[]);
    let corrected = check("newspapres", &["en", "fr"], &["1"]);
    assert_eq!(corrected.execution_info.warnings.len(), 1);
    let hybrid = json!({"query": "journal", "locales": ["fr"]});
    let marked = &search(&shelf, hybrid).unwrap().items[0];
    assert_eq!(marked.sys.highlights[0].text, "Deux **journaux**");
}

/// A phrase is found where its words follow one another in one field.
#[test]
fn phrases_do_not_go_from_field_to_field() {
    let rows = r#"
{"id": 1, "a": "the red", "b": "fox sleeps"}
{"id": 2, "a": "a red fox", "b": "wakes"}
{"id": 3, "a": ["a red", "fox den"]}"#;
    let shelf = shelf(&[("articles", rows, |_| ())]);
    let request = json!({"query": "\"red fox\"", "search_type": "text"});
    assert_eq!(ids(&search(&shelf, request).unwrap()), ["2"]);
    let request = json!({"query": "red fox", "search_type": "text"});
    assert_eq!(sorted(&search(&shelf, request).unwrap()), ["1", "2", "3"]);
}

/// A populated reference is the record in place of its key, under the text limit of the answer;
/// get_record gives it whole.
#[test]
fn populate_grafts_records_in_place_of_keys() {
    let shelf = articles();
    let request = json!({"query": "red fox", "search_type": "text", "populate": ["author"]});
    let answer = search(&shelf, request).unwrap();
    let author = &answer.items[0].data["author"];
    assert_eq!((&author["id"], &author["data"]["name"]), (&json!("ann"), &json!("Ann Archer")));
    let cut = &answer.items[0].sys.truncated;
    let bio = cut.iter().find(|cut| cut.field == "author.bio").unwrap();
    assert!(author["data"]["bio"].as_str().unwrap().chars().count() <= 40);
    assert!(bio.original_length > 40);
    let full = shelf.faces.get_record(&GetRecord {
        resource_id: "authors".into(),
        record_ids: vec!["ann".into()],
        ..GetRecord::default()
    });
    let full = full.unwrap();
    assert!(full.items[0].data["bio"].as_str().unwrap().ends_with("year after year."));
    // Dangling: the key stays, and a warning tells.
    let request = json!({"query": "bread", "search_type": "text", "populate": ["author"]});
    let answer = search(&shelf, request).unwrap();
    assert_eq!(answer.items[0].data["author"], json!("zoe"));
    assert_eq!(answer.execution_info.warnings.len(), 1);
}

/// A record with texts that were cut lists them, one by one, and the answer tells the limit.
#[test]
fn long_texts_are_cut_and_listed() {
    let answer = search(&articles(), json!({"query": "owl", "search_type": "text"})).unwrap();
    let record = &answer.items[0];
    let cut: Vec<(&str, usize)> =
        record.sys.truncated.iter().map(|cut| (cut.field.as_str(), cut.original_length)).collect();
    assert_eq!(cut, [("body", 46)]);
    let truncation = answer.truncation.unwrap();
    assert_eq!((truncation.applied, truncation.max_text_chars), (true, 40));
    assert!(truncation.note.contains("get_record"));
}

/// `id`, `data` and `_sys`; of `_sys`: `key`, `folder`, `revision`, `created_at`, `updated_at` and
/// `relevance`.
#[test]
fn records_have_the_shape_they_are_promised_in() {
    let answer = search(&articles(), json!({"query": "owl", "search_type": "text"})).unwrap();
    let record = serde_json::to_value(&answer.items[0]).unwrap();
    assert_eq!((&record["id"], &record["_sys"]["key"]), (&json!("a3"), &json!("a3")));
    assert_eq!(record["_sys"]["folder"], "articles");
    assert_eq!(record["_sys"]["revision"], "1");
    assert!(record["_sys"]["updated_at"].as_str().unwrap().ends_with('Z'));
    let relevance = record["_sys"]["relevance"].as_f64().unwrap();
    assert!(relevance > 0.0 && relevance <= 1.0);
}

/// query_records only filters: nothing is ranked.
#[test]
fn a_query_without_a_search_has_no_relevance() {
    let records = request_of(&json!({"filters": [{"field": "author", "value": "ann"}]}));
    let request = QueryRecords { sort: vec!["-year".into()], records };
    let answer = articles().faces.query_records(&request).unwrap();
    assert_eq!(ids(&answer), ["a3", "a1"]);
    assert!(answer.items.iter().all(|record| record.sys.relevance.is_none()));
}

/// Departures: a word that no record has is corrected, and a warning says so; the key of a record
/// finds it first.
#[test]
fn misspelt_words_and_keys_are_found() {
    let shelf = articles();
    let answer = search(&shelf, json!({"query": "sourduogh", "search_type": "text"})).unwrap();
    assert_eq!(ids(&answer), ["a4"]);
    assert!(answer.execution_info.warnings[0].contains("`sourdough`"));
    let answer = search(&shelf, json!({"query": "a3"})).unwrap();
    assert_eq!((ids(&answer)[0], answer.items[0].sys.relevance), ("a3", Some(1.0)));
}
