//! Searching definitions, and passages like one another.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use kitfox_conformance::MemoryEngine;
use kitfox_core::Live;

use crate::fake::{FakeFiles, faces, kinds, source};
use crate::*;

fn web() -> Source {
    let files: crate::fake::Files<'_> = &[
        ("auth/login.rs", &[("login", "check the password of a user")]),
        ("auth/token.rs", &[("issue", "check a user and login then")]),
        ("tests/login.rs", &[("login_works", "login of a user")]),
        ("z.rs", &[("other", "bread and butter")]),
    ];
    let mut web = source("web", Kind::Code, files);
    web.engine = Arc::new(MemoryEngine::of(kinds(files, "function")));
    web.files = Arc::new(FakeFiles {
        texts: BTreeMap::from([
            ("auth/login.rs", "/// Lets in.\nfn login(user: &str) {}\nstruct User;\n"),
            ("auth/token.rs", "fn issue() {}\n"),
            ("tests/login.rs", "fn login_works() {}\n"),
            ("z.rs", "fn other() {}\n"),
        ]),
        ..FakeFiles::default()
    });
    web
}

#[test]
fn names_come_first_and_tests_only_when_asked_for() {
    #[track_caller]
    fn check(request: SearchSkeletons, first: &str, expected: &[&str]) {
        let request = SearchSkeletons { query: "login".into(), ..request };
        let found = faces(vec![web()]).search_skeletons(&request).unwrap().definitions;
        let mut symbols: Vec<&str> = found.iter().map(|one| one.symbol.as_str()).collect();
        assert_eq!(symbols.first().copied().unwrap_or_default(), first, "{request:?}");
        symbols.sort();
        assert_eq!(symbols, expected, "{request:?}");
    }
    check(SearchSkeletons::default(), "login", &["User", "issue", "login", "other"]);
    let limited = SearchSkeletons { limit: Some(1), ..Default::default() };
    check(limited, "login", &["login"]);
    let structs = SearchSkeletons { kind: Some("Struct".into()), ..Default::default() };
    check(structs, "User", &["User"]);
    let scoped = SearchSkeletons { scopes: vec!["tests".into()], ..Default::default() };
    check(scoped.clone(), "", &[]);
    check(SearchSkeletons { tests: Tests::Included, ..scoped }, "login_works", &["login_works"]);
}

#[test]
fn definitions_have_signatures_and_places() {
    let request = SearchSkeletons { query: "login".into(), ..Default::default() };
    let found = faces(vec![web()]).search_skeletons(&request).unwrap().definitions.remove(0);
    let expected = Definition {
        symbol: "login".into(),
        kind: "function".into(),
        signature: "fn login(user: &str)".into(),
        doc: "Lets in.".into(),
        path: "auth/login.rs".into(),
        start_line: 1,
        end_line: 2,
    };
    assert_eq!(found, expected);
    let wrong = SearchSkeletons { kind: Some("funktion".into()), ..request };
    let error = faces(vec![web()]).search_skeletons(&wrong).unwrap_err();
    assert_eq!((error.code, &error.near[..]), ("unknown_kind", &["function".to_owned()][..]));
}

#[test]
fn related_passages_leave_out_the_one_asked_about() {
    let ask = |path: &str, line, limit| {
        let request = FindRelated { path: path.into(), line, limit, ..Default::default() };
        faces(vec![web()]).find_related(&request)
    };
    let answer = ask("auth/login.rs", 3, None).unwrap();
    let paths: Vec<&str> = answer.hits.iter().map(|hit| hit.path.as_str()).collect();
    assert_eq!(paths.len(), 3);
    assert!(!paths.contains(&"auth/login.rs"), "{paths:?}");
    assert_eq!(paths[2], "z.rs");
    assert_eq!(ask("auth/login.rs", 3, Some(1)).unwrap().hits.len(), 1);
    // A line beyond the last passage is near it.
    assert_eq!(ask("auth/login.rs", 300, None).unwrap().hits, answer.hits);
    assert_eq!(ask("auth/logn.rs", 1, None).unwrap_err().near[0], "auth/login.rs");
}

#[test]
fn a_changed_origin_is_said() {
    let mut web = web();
    let looks = HashMap::from([("auth/login.rs", Live::Gone)]);
    web.files = Arc::new(FakeFiles { looks, ..FakeFiles::default() });
    let path = "auth/login.rs".to_owned();
    let request = FindRelated { path, line: 1, ..Default::default() };
    let warnings = faces(vec![web]).find_related(&request).unwrap().warnings;
    assert_eq!(warnings, ["`auth/login.rs`: the file is gone since indexing"]);
}
