//! The tools that read, outline and search files as they are now.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fake::{FakeFiles, faces, source};
use crate::*;

const LOGIN: &str = "/// Lets a user in.\npub fn login(user: &str) -> bool {\n    check(user)\n}\n\n\
    struct Session;\n\nimpl Session {\n    fn close(&self) {}\n}\n";

/// Passages stand at lines 1-10, 11-20 and so on.
fn web() -> Faces {
    let mut web = source(
        "web",
        Kind::Code,
        &[
            ("auth/login.rs", &[("login", "fn login lets a user in")]),
            ("auth/token.rs", &[("token", "fn token of a user")]),
            ("tests/login.rs", &[("login_works", "fn login_works of a user")]),
            ("docs/guide.md", &[("Guide", "how a user logs in")]),
        ],
    );
    web.files = Arc::new(FakeFiles {
        texts: BTreeMap::from([
            ("auth/login.rs", LOGIN),
            ("auth/token.rs", "fn token() {}\nfn Token() {}\n"),
            ("docs/guide.md", "# Guide\n\nlog in\n\n## Token\n\ntoken (x)\n"),
            ("empty.rs", ""),
            ("tests/login.rs", "fn login_works() {}\n"),
        ]),
        ..FakeFiles::default()
    });
    faces(vec![web])
}

fn read(path: &str) -> ArtifactRead {
    ArtifactRead { path: path.into(), ..Default::default() }
}

#[test]
fn files_lines_and_sections_are_read() {
    #[track_caller]
    fn check(read: ArtifactRead, lines: (usize, usize), content: &str) {
        let request = ReadArtifacts { reads: vec![read], ..Default::default() };
        let found = web().read_artifacts(&request).unwrap().results.remove(0);
        assert_eq!(found.error, None);
        assert_eq!((found.start_line.unwrap(), found.end_line.unwrap()), lines);
        assert_eq!(found.content.as_deref(), Some(content));
        assert_eq!(found.more, None);
    }
    let section =
        |path: &str, section: &str| ArtifactRead { section: Some(section.into()), ..read(path) };
    check(read("./auth//login.rs"), (1, 10), LOGIN);
    let range = ArtifactRead { start_line: Some(2), end_line: Some(2), ..read("auth/token.rs") };
    check(range, (2, 2), "fn Token() {}\n");
    let beyond = ArtifactRead { start_line: Some(2), end_line: Some(9), ..read("auth/token.rs") };
    check(beyond, (2, 2), "fn Token() {}\n");
    check(section("auth/login.rs", "Session::close"), (9, 9), "    fn close(&self) {}\n");
    check(section("auth/login.rs", "close"), (9, 9), "    fn close(&self) {}\n");
    check(section("docs/guide.md", "Guide > Token"), (5, 7), "## Token\n\ntoken (x)\n");
}

#[test]
fn what_cannot_be_read_fails_alone() {
    #[track_caller]
    fn check(read: ArtifactRead, part: &str) {
        let reads = vec![read, ArtifactRead { path: "empty.rs".into(), ..Default::default() }];
        let request = ReadArtifacts { reads, ..Default::default() };
        let results = web().read_artifacts(&request).unwrap().results;
        let error = results[0].error.as_deref().unwrap_or_default();
        assert!(error.contains(part), "{error}");
        assert_eq!((&results[1].content, &results[1].error), (&Some(String::new()), &None));
    }
    check(read("auth/logn.rs"), "did you mean `auth/login.rs`");
    check(read("../secret"), "leads out of the root");
    check(read("/etc/passwd"), "is absolute");
    check(read("."), "is a directory");
    check(ArtifactRead { start_line: Some(11), ..read("auth/login.rs") }, "has 10 lines");
    let reversed = ArtifactRead { start_line: Some(3), end_line: Some(2), ..read("auth/login.rs") };
    check(reversed, "lies before");
    let section = ArtifactRead { section: Some("Sesion".into()), ..read("auth/login.rs") };
    check(section, "did you mean `Session`");
    check(ArtifactRead { start_line: Some(2), ..read("empty.rs") }, "has 0 lines");
    check(ArtifactRead { section: Some("x".into()), ..read("empty.rs") }, "has no section `x`");
    let none = web().read_artifacts(&ReadArtifacts::default()).unwrap_err();
    assert_eq!((none.code, none.parameter.as_deref()), ("invalid_reads", Some("reads")));
}

#[test]
fn long_texts_are_cut_and_say_how_to_go_on() {
    let long: &'static str = "0123456789\n".repeat(10_000).leak();
    let mut web = source("web", Kind::Code, &[]);
    let texts = BTreeMap::from([("a.txt", long), ("b.txt", "short")]);
    web.files = Arc::new(FakeFiles { texts, ..FakeFiles::default() });
    let reads = vec![read("a.txt"), read("b.txt")];
    let request = ReadArtifacts { reads, ..Default::default() };
    let results = faces(vec![web]).read_artifacts(&request).unwrap().results;
    let cut = &results[0];
    assert!(cut.content.as_ref().unwrap().len() <= limits::READ_BYTES);
    let more = format!("cut: read `start_line` {} to `end_line` 10000", cut.end_line.unwrap() + 1);
    assert_eq!(cut.more, Some(more));
    assert_eq!(results[1].content.as_deref(), Some("short"));
}

fn pattern(pattern: &str) -> SearchArtifacts {
    SearchArtifacts { pattern: pattern.into(), ..Default::default() }
}

#[test]
fn lines_are_found_literally_and_by_expressions() {
    #[track_caller]
    fn check(request: SearchArtifacts, expected: &[&str]) {
        let answer = web().search_artifacts(&request).unwrap();
        let found: Vec<String> =
            answer.matches.iter().map(|m| format!("{}:{}:{}", m.path, m.line, m.column)).collect();
        assert_eq!(found, expected, "{request:?}");
        assert_eq!(answer.next_cursor, None);
    }
    let tokens =
        ["auth/token.rs:1:4", "auth/token.rs:2:4", "docs/guide.md:5:4", "docs/guide.md:7:1"];
    check(pattern("token"), &tokens);
    check(pattern("Token"), &[tokens[1], tokens[2]]);
    check(pattern("(x)"), &["docs/guide.md:7:7"]);
    let regex = SearchArtifacts { syntax: Syntax::Regex, ..pattern(r"^fn \w+\(\)") };
    check(regex, &["auth/token.rs:1:1", "auth/token.rs:2:1", "tests/login.rs:1:1"]);
    check(SearchArtifacts { scopes: vec!["docs".into()], ..pattern("token") }, &tokens[2..]);
    check(SearchArtifacts { globs: vec!["*.rs".into()], ..pattern("token") }, &tokens[..2]);
    check(pattern("nowhere"), &[]);
}

#[test]
fn matches_come_with_their_neighbours_page_by_page() {
    let mut request = SearchArtifacts { limit: Some(1), ..pattern("token") };
    let mut seen = Vec::new();
    loop {
        let answer = web().search_artifacts(&request).unwrap();
        seen.extend(answer.matches);
        request.cursor = answer.next_cursor;
        if request.cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 4);
    assert_eq!(
        (&*seen[3].text, &seen[3].before[..]),
        ("token (x)", &["## Token".into(), String::new()][..])
    );
    assert_eq!(seen[2].after, ["", "token (x)"]);
}

#[test]
fn wrong_text_searches_are_explained() {
    #[track_caller]
    fn check(request: SearchArtifacts, code: &str, parameter: &str) {
        let error = web().search_artifacts(&request).unwrap_err();
        assert_eq!((error.code, error.parameter.as_deref()), (code, Some(parameter)));
    }
    let regex = |text: &str| SearchArtifacts { syntax: Syntax::Regex, ..pattern(text) };
    check(pattern(""), "empty_query", "pattern");
    check(pattern("a\nb"), "invalid_pattern", "pattern");
    check(regex("(a"), "invalid_pattern", "pattern");
    check(regex(r"(\w{500}){500}"), "invalid_pattern", "pattern");
    check(SearchArtifacts { cursor: Some("x".into()), ..pattern("a") }, "invalid_cursor", "cursor");
    check(SearchArtifacts { scopes: vec!["/x".into()], ..pattern("a") }, "invalid_scope", "scopes");
    let outside = SearchArtifacts { scopes: vec!["auht".into()], ..pattern("a") };
    assert!(web().search_artifacts(&outside).unwrap().message.unwrap().contains("`auth`"));
}

#[test]
fn a_file_is_outlined_level_by_level() {
    let ask = |path: &str, depth| {
        let request = FileSkeleton { path: path.into(), depth, ..Default::default() };
        web().file_skeleton(&request)
    };
    let answer = ask("auth/login.rs", None).unwrap();
    let symbols: Vec<&str> = answer.items.iter().map(|item| item.symbol.as_str()).collect();
    assert!(symbols.contains(&"login") && symbols.contains(&"Session::close"), "{symbols:?}");
    let login = &answer.items[0];
    assert_eq!(login.signature, "pub fn login(user: &str) -> bool");
    assert_eq!((&*login.doc, login.start_line, login.end_line), ("Lets a user in.", 1, 4));
    let shallow = ask("auth/login.rs", Some(1)).unwrap();
    assert!(shallow.items.iter().all(|item| item.depth == 0));
    assert_eq!(shallow.more.as_deref(), Some("1 deeper items are left out: raise `depth`"));
    assert!(ask("empty.rs", None).unwrap().message.is_some());
    assert_eq!(ask("auth/login.rs", Some(0)).unwrap_err().code, "invalid_depth");
    assert_eq!(ask("auth/logn.rs", None).unwrap_err().near[0], "auth/login.rs");
}
