//! The map of a project.

use std::collections::BTreeMap;
use std::sync::Arc;

use kitfox_conformance::MemoryEngine;
use kitfox_core::Value;
use kitfox_core::paths::{FUNCTION, METHOD, TYPE};

use crate::fake::{FakeFiles, faces, kinds, source};
use crate::*;

const FILES: crate::fake::Files<'_> = &[
    ("app/src/deep/one.rs", &[("Router", "struct Router")]),
    ("app/src/deep/two.rs", &[("use_router", "fn use_router")]),
    ("app/src/main.rs", &[("main", "fn main")]),
    ("guide/intro.md", &[("Intro", "routers")]),
    ("tests/router.rs", &[("Fake", "struct Fake")]),
    ("tool.py", &[("run", "def run")]),
];

const TEXTS: [(&str, &str); 6] = [
    (
        "app/src/deep/one.rs",
        "/// Routes.\npub struct Router;\nstruct Hidden;\nfn run() {}\nstruct Many;\nfn f() {\n    \
         struct Router;\n}\n",
    ),
    ("app/src/deep/two.rs", "fn use_router(router: one::Router, _: Hidden, _: Many) { run() }\n"),
    (
        "app/src/main.rs",
        "// Hidden\nfn main() { use_router(Router::new(), gone::Hidden); run(Fake, Many) }\n",
    ),
    ("guide/intro.md", "A Router routes, use_router too.\n"),
    ("tests/router.rs", "struct Fake;\nfn t() { use_router(); use_router(Hidden) }\n"),
    ("tool.py", "def run(): Fake(x.use_router())\n"),
];

/// What each of them defines.
const NAMES: &[(&str, &str, &str)] = &[
    ("app/src/deep/one.rs", TYPE, "Router"),
    ("app/src/deep/one.rs", TYPE, "Hidden"),
    ("app/src/deep/one.rs", TYPE, "Many"),
    ("app/src/deep/one.rs", METHOD, "Many"),
    ("app/src/deep/one.rs", FUNCTION, "run"),
    ("app/src/deep/two.rs", FUNCTION, "use_router"),
    ("app/src/deep/two.rs", METHOD, "Many"),
    ("app/src/main.rs", FUNCTION, "main"),
    ("app/src/main.rs", METHOD, "Many"),
    ("tests/router.rs", TYPE, "Fake"),
    ("tests/router.rs", METHOD, "Many"),
    ("tool.py", FUNCTION, "run"),
    ("tool.py", METHOD, "Many"),
];

fn web() -> Source {
    let mut web = source("web", Kind::Code, FILES);
    let mut groups = kinds(FILES, "struct");
    for (path, at, name) in NAMES {
        let document = &mut groups.get_mut(*path).unwrap().1[0];
        document.values.push(((*at).to_owned(), Value::from(*name)));
    }
    web.engine = Arc::new(MemoryEngine::of(groups));
    web.files = Arc::new(FakeFiles { texts: BTreeMap::from(TEXTS), ..FakeFiles::default() });
    web
}

fn map(scope: &str, depth: usize) -> Result<MapAnswer, FaceError> {
    let request =
        ProjectMap { scope: Some(scope.to_owned()), depth: Some(depth), ..Default::default() };
    faces(vec![web()]).project_map(&request)
}

#[test]
fn directories_are_counted_level_by_level() {
    #[track_caller]
    fn check(scope: &str, depth: usize, files: usize, expected: &[(&str, usize, &str)]) {
        let answer = map(scope, depth).unwrap();
        let found: Vec<(&str, usize, String)> = answer
            .directories
            .iter()
            .map(|directory| (&*directory.path, directory.files, directory.languages.join(" ")))
            .collect();
        let expected: Vec<(&str, usize, String)> = expected
            .iter()
            .map(|&(path, files, languages)| (path, files, languages.to_owned()))
            .collect();
        assert_eq!((answer.files, found), (files, expected), "{scope} to {depth}");
    }
    // `app` holds nothing but `app/src`.
    let (src, deep) = (("app/src", 3, "rust"), ("app/src/deep", 2, "rust"));
    let (guide, tests) = (("guide", 1, "markdown"), ("tests", 1, "rust"));
    check(".", 1, 6, &[src, guide, tests]);
    check("", 2, 6, &[src, deep, guide, tests]);
    check("./app/", 1, 3, &[src]);
    check("app/src", 1, 3, &[deep]);
    check("tests", 1, 1, &[]);
    check("app2", 1, 0, &[]);
}

#[test]
fn symbols_are_those_most_files_name() {
    let answer = map(".", 3).unwrap();
    let found: Vec<(&str, &str, u32, usize)> =
        answer.symbols.iter().map(|s| (&*s.symbol, &*s.path, s.start_line, s.references)).collect();
    // Neither plain words nor names of many things, nor what only tests define, nor what is named
    // in tests, documents and comments or as a part of something foreign.
    let expected = [
        ("Router", "app/src/deep/one.rs", 1, 2),
        ("Hidden", "app/src/deep/one.rs", 3, 1),
        ("use_router", "app/src/deep/two.rs", 1, 1),
    ];
    assert_eq!(found, expected);
    assert_eq!((answer.message, answer.more), (None, Vec::new()));
    let scoped = map("app/src/deep", 3).unwrap();
    let found: Vec<&str> = scoped.symbols.iter().map(|symbol| &*symbol.symbol).collect();
    assert_eq!(found, ["Hidden", "Router"]);
}

#[test]
fn maps_say_what_is_left_out_or_wrong() {
    assert!(map(".", 1).unwrap().more[0].contains("`depth` 2"));
    assert!(map("ap", 1).unwrap().message.unwrap().contains("`app`"));
    let refused = |scope, depth| {
        let error = map(scope, depth).unwrap_err();
        (error.code, error.parameter.unwrap())
    };
    assert_eq!(refused("../x", 1), ("invalid_scope", "scope".into()));
    assert_eq!(refused(".", 11), ("invalid_depth", "depth".into()));
}

#[test]
fn large_maps_are_cut_at_the_smallest_directories() {
    let files: Vec<String> = (0..100).map(|at| format!("many/{:02}/{at}.rs", at % 70)).collect();
    let passages: &[(&str, &str)] = &[("x", "x")];
    let files: Vec<(&str, &[(&str, &str)])> =
        files.iter().map(|path| (path.as_str(), passages)).collect();
    let request = ProjectMap::default();
    let answer = faces(vec![source("web", Kind::Code, &files)]).project_map(&request).unwrap();
    assert_eq!(answer.directories.len(), 60);
    assert_eq!(answer.directories[0].path, "many");
    assert!(answer.directories[1..31].iter().all(|directory| directory.files == 2));
    assert!(answer.more[0].starts_with("11 smaller directories"), "{:?}", answer.more);
}
