//! What a user of the faces sees, over an engine in memory.

use std::collections::HashMap;
use std::sync::Arc;

use kitfox_conformance::MemoryEngine;
use kitfox_core::{Live, Passage, Phase, Place};

use crate::fake::{FakeFiles, faces, rows, source};
use crate::*;

mod definitions;
mod drift;
mod live_tools;
mod map;
mod records;
mod seed;
mod writing;

fn project() -> Source {
    source(
        "web",
        Kind::Code,
        &[
            (
                "auth/login.rs",
                &[("login", "check the password of a user"), ("logout", "user leaves")],
            ),
            ("auth2/token.rs", &[("token", "a token of a user")]),
            ("tools/run.py", &[("run", "run a tool")]),
        ],
    )
}

fn library() -> Source {
    source(
        "manual",
        Kind::Docs,
        &[
            ("intro.md", &[("Intro", "read [bgp](net/cisco/bgp.md#x) first")]),
            ("net/cisco/bgp.md", &[("BGP", "MP-BGP peers"), ("BGP > Use", "bgp bgp bgp bgp")]),
            ("net/cisco/aci/bgp.md", &[("ACI", "bgp in the fabric")]),
            ("net/report.md", &[("Report", "five pages")]),
            ("net/report.pdf", &[("Report", "five printed pages")]),
            ("net/many.md", &[("1", "ospf"), ("2", "ospf"), ("3", "ospf"), ("4", "ospf")]),
            ("sys/ospf.md", &[("O", "ospf"), ("P", "ospf and bgp")]),
        ],
    )
}

fn paths(hits: &[CodeHit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.path.as_str()).collect()
}

#[test]
fn a_project_is_searched_within_scopes_globs_and_languages() {
    #[track_caller]
    fn check(request: SemanticSearch, expected: &[&str]) {
        let request = SemanticSearch { query: "user tool".into(), ..request };
        let answer = faces(vec![project()]).semantic_search(&request).unwrap();
        let mut found = paths(&answer.hits);
        found.sort();
        assert_eq!(found, expected, "{request:?}");
    }
    let strings = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let all = ["auth/login.rs", "auth/login.rs", "auth2/token.rs", "tools/run.py"];
    check(SemanticSearch::default(), &all);
    check(SemanticSearch { scopes: strings(&["."]), ..Default::default() }, &all);
    check(SemanticSearch { scopes: strings(&["auth2", "x"]), ..Default::default() }, &all[2..3]);
    check(SemanticSearch { scopes: strings(&["auth"]), ..Default::default() }, &all[..2]);
    check(SemanticSearch { scopes: strings(&["auth/login.rs"]), ..Default::default() }, &[]);
    check(SemanticSearch { globs: strings(&["*.py"]), ..Default::default() }, &all[3..]);
    check(SemanticSearch { languages: strings(&["Rust"]), ..Default::default() }, &all[..3]);
    check(
        SemanticSearch { limit: Some(1), globs: strings(&["auth/**"]), ..Default::default() },
        &all[..1],
    );
}

#[test]
fn a_message_says_that_no_passage_is_in_scope() {
    let faces = faces(vec![project()]);
    let search = |scopes: &[&str]| {
        let scopes = scopes.iter().map(|scope| scope.to_string()).collect();
        faces.semantic_search(&SemanticSearch {
            query: "user".into(),
            scopes,
            ..Default::default()
        })
    };
    let answer = search(&["auht"]).unwrap();
    assert!(answer.hits.is_empty() && answer.message.unwrap().contains("`auht`"));
    let answer = search(&["auth", "auht"]).unwrap();
    assert!(answer.message.is_none() && answer.warnings[0].contains("`auht`"));
    assert_eq!(search(&["/etc"]).unwrap_err().parameter.as_deref(), Some("scopes"));
}

#[test]
fn hits_are_as_their_files_are_now() {
    let moved = Passage {
        text: "check the pass phrase".into(),
        place: Place { start_line: 5, end_line: 7, section: "login".into(), ..Place::default() },
    };
    let mut web = project();
    web.files = Arc::new(FakeFiles {
        looks: HashMap::from([
            ("auth/login.rs", Live::Changed(vec![moved])),
            ("auth2/token.rs", Live::Gone),
            ("tools/run.py", Live::Unreadable("permission denied".into())),
        ]),
        ..FakeFiles::default()
    });
    let request = SemanticSearch { query: "user tool".into(), ..Default::default() };
    let mut hits = faces(vec![web]).semantic_search(&request).unwrap().hits;
    hits.sort_by(|a, b| (&a.path, &a.section).cmp(&(&b.path, &b.section)));
    let seen: Vec<_> = hits
        .iter()
        .map(|hit| (hit.start_line, hit.content.as_deref(), hit.warning.as_deref()))
        .collect();
    assert_eq!(
        seen,
        [
            (5, Some("check the pass phrase"), Some("changed since indexing")),
            (
                11,
                Some("user leaves"),
                Some("changed since indexing: this passage is as it was indexed")
            ),
            (1, None, Some("the file is gone since indexing")),
            (1, None, Some("the file cannot be read: permission denied")),
        ]
    );
}

#[test]
fn projects_are_described() {
    let web = project();
    web.progress.begin(4);
    let faces = faces(vec![web, library()]);
    let projects = faces.list_projects().unwrap().projects;
    assert_eq!((projects.len(), projects[0].files, projects[0].passages), (1, 3, 4));
    let languages: Vec<_> = projects[0].languages.iter().map(|l| (&*l.name, l.files)).collect();
    assert_eq!(languages, [("rust", 2), ("python", 1)]);
    assert_eq!(projects[0].index, IndexStatus { state: "indexing", done: 0, total: 4 });
}

#[test]
fn code_errors_name_what_is_near() {
    #[track_caller]
    fn check(request: SemanticSearch, code: &str, near: &[&str]) {
        let error = faces(vec![project()]).semantic_search(&request).unwrap_err();
        assert_eq!(
            (error.code, &error.near[..]),
            (code, &near.iter().map(|n| n.to_string()).collect::<Vec<_>>()[..])
        );
    }
    let asked = || SemanticSearch { query: "x".into(), ..Default::default() };
    check(SemanticSearch::default(), "empty_query", &[]);
    check(SemanticSearch { project: Some("wbe".into()), ..asked() }, "unknown_project", &["web"]);
    check(
        SemanticSearch { languages: vec!["pyton".into()], ..asked() },
        "unknown_language",
        &["python"],
    );
    check(SemanticSearch { limit: Some(51), ..asked() }, "invalid_limit", &[]);
    check(SemanticSearch { globs: vec!["{".into()], ..asked() }, "invalid_glob", &[]);
}

fn search(request: SearchDoc) -> Result<DocsAnswer, FaceError> {
    faces(vec![library()]).search_doc(&request)
}

fn pattern(pattern: &str) -> SearchDoc {
    SearchDoc { pattern: pattern.into(), limit: Some(50), ..Default::default() }
}

#[test]
fn docs_are_searched_within_categories_and_documents() {
    #[track_caller]
    fn check(request: SearchDoc, expected: &[&str]) {
        let answer = search(request.clone()).unwrap();
        let mut found: Vec<String> =
            answer.results.iter().map(|hit| format!("{}#{}", hit.path, hit.chunk_number)).collect();
        found.sort();
        assert_eq!(found, expected, "{request:?}");
        assert_eq!(answer.total, expected.len());
    }
    let cisco = ["net/cisco/aci/bgp.md#0", "net/cisco/bgp.md#0", "net/cisco/bgp.md#1"];
    let within = |category: &str, subcategory: &str, file_name: &str| SearchDoc {
        category: Some(category.into()),
        subcategory: Some(subcategory.into()),
        file_name: Some(file_name.into()),
        ..pattern("bgp")
    };
    check(within("net/", "", ""), &cisco);
    check(within("", "cisco", ""), &cisco);
    check(within("net", "cisco/aci/", ""), &cisco[..1]);
    check(within("net/cisco", "aci", ""), &cisco[..1]);
    check(within("manual", "", ""), &["intro.md#0"]);
    check(within("", "", "net/cisco/bgp.md"), &cisco[1..]);
    check(within("", "", "bgp"), &cisco);
    check(
        SearchDoc { category: Some("sys".into()), ..pattern("ospf NOT bgp") },
        &["sys/ospf.md#0"],
    );
}

#[test]
fn results_say_where_they_are_and_why() {
    let answer = search(pattern("MP-BGP")).unwrap();
    assert_eq!(answer.interpreted_as.as_deref(), Some("\"MP BGP\""));
    let hit = &answer.results[0];
    assert_eq!((&*hit.category, hit.subcategory.as_deref()), ("net", Some("cisco")));
    assert_eq!((&*hit.file_name, &*hit.snippet), ("bgp", "**MP-BGP** peers"));
    assert_eq!(hit.lines.as_deref(), Some("1-10"));
    let answer = search(pattern("first")).unwrap();
    assert_eq!((&*answer.results[0].category, answer.interpreted_as), ("manual", None));
}

#[test]
fn a_search_without_hits_is_relaxed_unless_it_used_operators() {
    let answer = search(pattern("fabric peers")).unwrap();
    assert_eq!(answer.results.len(), 2);
    assert!(answer.interpreted_as.unwrap().ends_with("any of: fabric OR peers"));
    assert!(search(pattern("fabric AND peers")).unwrap().results.is_empty());
}

#[test]
fn pages_are_one_total_order_in_which_documents_take_turns() {
    let mut found = Vec::new();
    let mut offset = Some(0);
    while let Some(at) = offset {
        let request = SearchDoc { offset: at, limit: Some(2), ..pattern("ospf") };
        let answer = search(request).unwrap();
        assert_eq!(answer.total, 6);
        found.extend(answer.results.into_iter().map(|hit| (hit.file_name, hit.chunk_number)));
        offset = answer.next_offset;
    }
    let found: Vec<(&str, u32)> = found.iter().map(|(name, number)| (&**name, *number)).collect();
    let (many, ospf) = ("many", "ospf");
    assert_eq!(found, [(many, 0), (many, 1), (many, 2), (ospf, 0), (ospf, 1), (many, 3)]);
    assert!(search(SearchDoc { offset: 6, ..pattern("ospf") }).unwrap().results.is_empty());
}

#[test]
fn plain_language_finds_by_meaning() {
    for search_type in [SearchType::Hybrid, SearchType::Semantic] {
        let answer = search(SearchDoc { search_type, ..pattern("what is a fabric (NOT") }).unwrap();
        assert_eq!(answer.results[0].path, "net/cisco/aci/bgp.md");
        assert!(answer.results[0].snippet.contains("**fabric**"));
    }
    let unreadable = SearchDoc { search_type: SearchType::Semantic, ..pattern("検索") };
    assert_eq!(search(unreadable).unwrap_err().code, "unreadable_query");
    let hybrid = SearchDoc { search_type: SearchType::Hybrid, ..pattern("検索") };
    assert!(search(hybrid).unwrap().interpreted_as.unwrap().starts_with("words only"));
}

#[test]
fn docs_errors_name_what_is_near() {
    #[track_caller]
    fn check(category: &str, subcategory: &str, file_name: &str, code: &str, near: &str) {
        let request = SearchDoc {
            category: Some(category.into()),
            subcategory: Some(subcategory.into()),
            file_name: Some(file_name.into()),
            ..pattern("x")
        };
        let error = search(request).unwrap_err();
        assert_eq!((error.code, error.near[0].as_str()), (code, near));
    }
    check("nte", "", "", "unknown_category", "net");
    check("cisco-aci", "", "", "unknown_category", "net/cisco/aci");
    check("net", "cisco/acii", "", "unknown_subcategory", "cisco/aci");
    check("", "csico", "", "unknown_subcategory", "cisco");
    check("net", "", "raport", "unknown_file", "report");
}

#[test]
fn documents_are_listed_as_a_tree() {
    let faces = faces(vec![library()]);
    let names = |categories: &[Category]| -> Vec<String> {
        categories.iter().map(|category| category.name.clone()).collect()
    };
    let tree = faces.list_categories().unwrap().categories;
    assert_eq!(names(&tree), ["manual", "net", "sys"]);
    assert!(tree.iter().all(|category| category.files.is_empty()));
    assert_eq!(names(&tree[1].subcategories[0].subcategories), ["aci"]);

    let net = &faces.list_doc(Some("net")).unwrap().categories;
    assert_eq!(names(net), ["net"]);
    let files: Vec<_> = net[0].files.iter().map(|file| (&*file.name, file.chunks_num)).collect();
    assert_eq!(files, [("many", 4), ("report.md", 1), ("report.pdf", 1)]);
    assert_eq!(faces.list_doc(Some("nett")).unwrap_err().near, ["net"]);
}

#[test]
fn chunks_are_read_with_their_links() {
    let faces = faces(vec![library()]);
    let read = |file_name: &str, category: Option<&str>, subcategory: Option<&str>| {
        let (category, subcategory) = (category.map(str::to_owned), subcategory.map(str::to_owned));
        let chunk_numbers = vec![0, 7];
        let file_name = file_name.to_owned();
        faces.read_doc(&ReadDoc {
            file_name,
            category,
            subcategory,
            chunk_numbers,
            ..Default::default()
        })
    };
    let answer = read("intro", None, None).unwrap();
    assert_eq!((answer.chunks.len(), answer.total_chunks, &answer.missing[..]), (1, 1, &[7][..]));
    assert_eq!(answer.links[0].file_name, "net/cisco/bgp.md");
    assert_eq!(read("bgp", Some("net"), Some("cisco")).unwrap().path, "net/cisco/bgp.md");
    assert_eq!(read("net/report.pdf", None, None).unwrap().chunks[0].text, "five printed pages");
    let error = read("report", None, None).unwrap_err();
    assert_eq!((error.code, error.allowed.len()), ("ambiguous_file", 2));
    assert_eq!(read("", None, None).unwrap_err().code, "missing_file_name");
}

#[test]
fn rows_are_found_and_shown_with_the_header_of_their_table() {
    let files: fake::Files<'_> = &[("ports.md", &[("Ports", "| 443 | HTTPS |\n| 179 | BGP |")])];
    let mut manual = source("manual", Kind::Docs, &[]);
    manual.engine = Arc::new(MemoryEngine::of(rows(files, "| Port | Protocol |\n|---|---|")));
    let faces = faces(vec![manual]);
    let found = faces.search_doc(&pattern("port BGP")).unwrap().results;
    assert_eq!(
        found[0].snippet,
        "| **Port** | Protocol | |---|---| | 443 | HTTPS | | 179 | **BGP** |"
    );
    let read = ReadDoc { file_name: "ports".into(), ..ReadDoc::default() };
    let chunk = faces.read_doc(&read).unwrap().chunks.remove(0);
    assert_eq!(chunk.header.as_deref(), Some("| Port | Protocol |\n|---|---|"));
    assert_eq!(chunk.text, "| 443 | HTTPS |\n| 179 | BGP |");
}

#[test]
fn everything_is_searched_at_once() {
    let faces = faces(vec![project(), library()]);
    let hits = faces.search_all("password fabric", Some(2), None).unwrap();
    let mut found: Vec<&str> = hits.iter().map(|hit| hit.source.as_str()).collect();
    found.sort();
    assert_eq!(found, ["manual", "web"]);
    let hits = faces.search_all("bgp", None, Some("net/cisco/")).unwrap();
    assert!(hits.iter().all(|hit| hit.path.starts_with("net/cisco/")));
    assert_eq!(faces.search_all("bgp", None, Some("nett")).unwrap_err().near, ["net"]);
}

#[test]
fn sources_are_ranked_against_each_other() {
    // The best of an unrelated library must not stand beside the best of the right one.
    let bread =
        source("bread", Kind::Docs, &[("loaf.md", &[("Loaf", "knead the dough and wait")])]);
    let bikes =
        source("bikes", Kind::Docs, &[("wheel.md", &[("Wheel", "true the wheel and wait")])]);
    let faces = faces(vec![bread, bikes]);
    for search_type in [SearchType::Hybrid, SearchType::Semantic] {
        let pattern = "true wheel".to_owned();
        let request = SearchDoc { pattern, search_type, ..Default::default() };
        let results = faces.search_doc(&request).unwrap().results;
        assert_eq!(results[0].path, "wheel.md", "{search_type:?}");
        let other = results.iter().find(|result| result.path == "loaf.md");
        assert!(other.is_none_or(|other| other.score < results[0].score), "{search_type:?}");
    }
    assert_eq!(faces.search_all("true wheel", Some(1), None).unwrap()[0].path, "wheel.md");
}

#[test]
fn the_least_finished_source_is_the_state_of_an_answer() {
    let (one, two) = (library(), library());
    one.progress.enter(Phase::Ready);
    two.progress.begin(7);
    let index = faces(vec![one, two]).list_categories().unwrap().index;
    assert_eq!(index, IndexStatus { state: "indexing", done: 0, total: 7 });
}
