//! What each code tool says of files that changed since they were indexed.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use kitfox_conformance::MemoryEngine;
use kitfox_core::Progress;
use kitfox_extract::{Sizes, format_of};
use kitfox_sync::{RefreshOptions, Selection, SourceFiles, SourceKind, refresh};
use tempfile::TempDir;

use crate::fake::{FakeEmbedder, faces};
use crate::*;

const CART: &str = "src/cart.rs";

/// A function that is a passage of its own, of 23 lines.
fn function(name: &str, what: &str) -> String {
    let body: String = (0..20).map(|n| format!("    step({n}, \"{what} in steps\");\n")).collect();
    format!("/// It {what}.\npub fn {name}() {{\n{body}}}\n")
}

/// At lines 1, 25 and 49.
fn cart() -> String {
    let functions = [
        function("charge_card", "charges the customer"),
        function("refund_card", "gives money back"),
        function("ship_order", "sends a parcel"),
    ];
    functions.join("\n")
}

/// A project that was indexed before something happened to it.
struct Project {
    folder: TempDir,
    faces: Faces,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let file = folder.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let source = kitfox_sync::Source {
            name: "shop".to_owned(),
            kind: SourceKind::Code,
            root: folder.path().to_owned(),
            selection: Selection::Everything,
            sizes: Sizes::CODE,
            collection: Arc::default(),
        };
        let engine = MemoryEngine::default();
        let progress = Progress::default();
        let options = RefreshOptions::default();
        refresh(&source, &engine, &FakeEmbedder, &options, &progress).unwrap();
        let shop = Source {
            name: "shop".to_owned(),
            kind: Kind::Code,
            engine: Arc::new(engine),
            files: Arc::new(SourceFiles::new(&source)),
            writer: None,
            progress: Arc::new(progress),
            language_of: |path| format_of(path).map_or("text", |format| format.name),
        };
        Project { folder, faces: faces(vec![shop]) }
    }

    fn hits(&self, query: &str) -> Vec<CodeHit> {
        let request =
            SemanticSearch { query: query.to_owned(), limit: Some(50), ..Default::default() };
        self.faces.semantic_search(&request).unwrap().hits
    }
}

/// What the tools say of `refund_card`, each in a line; empty where they say nothing.
#[derive(Debug, Default, PartialEq)]
struct Said {
    semantic_search: String,
    search_code_skeletons: String,
    get_file_skeleton: String,
    get_project_map: String,
    search_project_artifacts: String,
    read_project_artifacts: String,
    /// Asked about its line now, or where it was.
    find_related: String,
}

impl Said {
    fn of(project: &Project, line: u32) -> Said {
        Said {
            semantic_search: semantic_search(project),
            search_code_skeletons: search_code_skeletons(project),
            get_file_skeleton: get_file_skeleton(project),
            get_project_map: get_project_map(project),
            search_project_artifacts: search_project_artifacts(project),
            read_project_artifacts: read_project_artifacts(project),
            find_related: find_related(project, line),
        }
    }

    /// All tools find it at these lines, and it gives money back.
    fn at(path: &str, lines: (u32, u32), warning: &str) -> Said {
        let (start, end) = lines;
        Said {
            semantic_search: format!("{path}:{start}-{end} /// It gives money back. {warning}"),
            search_code_skeletons: format!("{path}:{start}-{end} It gives money back."),
            get_file_skeleton: format!("{start}-{end} It gives money back."),
            get_project_map: format!("{path}:{start} 1"),
            search_project_artifacts: format!("{path}:{}", start + 1),
            read_project_artifacts: format!("{start}-{end} /// It gives money back."),
            find_related: format!("charge_card ship_order {warning}"),
        }
    }
}

fn first_line(text: Option<&str>) -> &str {
    text.and_then(|text| text.lines().next()).unwrap_or("nothing")
}

fn semantic_search(project: &Project) -> String {
    let hits = project.hits("refund_card gives money back");
    let refund = hits.iter().find(|hit| hit.section == "refund_card");
    refund.map_or(String::new(), |hit| {
        let (start, end) = (hit.start_line, hit.end_line);
        let text = first_line(hit.content.as_deref());
        format!("{}:{start}-{end} {text} {}", hit.path, hit.warning.as_deref().unwrap_or_default())
    })
}

fn search_code_skeletons(project: &Project) -> String {
    // By what it is for: the names match none of these words.
    let request = SearchSkeletons { query: "money back".to_owned(), ..Default::default() };
    let found = project.faces.search_skeletons(&request).unwrap().definitions;
    let best = found.into_iter().next().filter(|best| best.symbol == "refund_card");
    best.map_or(String::new(), |best| {
        format!("{}:{}-{} {}", best.path, best.start_line, best.end_line, best.doc)
    })
}

fn get_file_skeleton(project: &Project) -> String {
    let request = FileSkeleton { path: CART.to_owned(), ..Default::default() };
    match project.faces.file_skeleton(&request) {
        Ok(answer) => {
            let refund = answer.items.iter().find(|item| item.symbol == "refund_card");
            refund.map_or(String::new(), |item| {
                format!("{}-{} {}", item.start_line, item.end_line, item.doc)
            })
        }
        Err(error) => error.to_string(),
    }
}

fn get_project_map(project: &Project) -> String {
    let symbols = project.faces.project_map(&ProjectMap::default()).unwrap().symbols;
    let refund = symbols.iter().find(|symbol| symbol.symbol == "refund_card");
    refund.map_or(String::new(), |s| format!("{}:{} {}", s.path, s.start_line, s.references))
}

fn search_project_artifacts(project: &Project) -> String {
    let request = SearchArtifacts { pattern: "fn refund_card".to_owned(), ..Default::default() };
    let found = project.faces.search_artifacts(&request).unwrap().matches;
    found.iter().map(|found| format!("{}:{}", found.path, found.line)).collect()
}

fn read_project_artifacts(project: &Project) -> String {
    let section = Some("refund_card".to_owned());
    let read = ArtifactRead { path: CART.to_owned(), section, ..Default::default() };
    let request = ReadArtifacts { reads: vec![read], ..Default::default() };
    let found = project.faces.read_artifacts(&request).unwrap().results.remove(0);
    match found {
        Artifact { start_line: Some(start), end_line: Some(end), content, .. } => {
            format!("{start}-{end} {}", first_line(content.as_deref()))
        }
        Artifact { error, .. } => error.unwrap_or_default(),
    }
}

fn find_related(project: &Project, line: u32) -> String {
    let request = FindRelated { path: CART.to_owned(), line, ..Default::default() };
    let answer = project.faces.find_related(&request).unwrap();
    let mut sections: Vec<&str> =
        answer.hits.iter().map(|hit| hit.section.as_str()).filter(|name| *name != "main").collect();
    sections.sort();
    let warnings = answer.warnings.join("; ");
    format!("{} {}", sections.join(" "), warnings.trim_start_matches("`src/cart.rs`: "))
}

/// Indexes, lets something happen to the file at this path, and compares.
#[track_caller]
fn check(what: &str, happens: impl FnOnce(&Path), line: u32, expected: Said) {
    let main = "fn main() {\n    refund_card();\n}\n";
    let project = Project::new(&[(CART, &cart()), ("src/main.rs", main)]);
    happens(&project.folder.path().join(CART));
    assert_eq!(Said::of(&project, line), expected, "{what}");
}

const CHANGED: &str = "changed since indexing";
const GONE: &str = "the file is gone since indexing";

#[test]
fn what_is_still_there_is_found_where_it_is_now() {
    let write = |text: String| move |file: &Path| fs::write(file, text).unwrap();
    check("nothing happened", |_| {}, 30, Said::at(CART, (25, 47), ""));

    let below = "// One more line.\n".repeat(24) + &cart();
    check("lines were put above it", write(below), 50, Said::at(CART, (49, 71), CHANGED));

    let shorter = cart().replace("    step(7, \"gives money back in steps\");\n", "");
    check("it was edited", write(shorter), 30, Said::at(CART, (25, 46), CHANGED));

    let other = cart().replace("sends a parcel", "sends a large parcel");
    check("another one was edited", write(other), 30, Said::at(CART, (25, 47), CHANGED));

    let parts: Vec<String> = cart().split("\n\n").map(str::to_owned).collect();
    let turned = format!("{}\n\n{}\n\n{}\n", parts[2].trim_end(), parts[0], parts[1]);
    check("they changed places", write(turned), 50, Said::at(CART, (49, 71), CHANGED));
}

#[test]
fn what_is_not_there_any_more_is_said() {
    let write = |text: String| move |file: &Path| fs::write(file, text).unwrap();
    let as_indexed = "changed since indexing: this passage is as it was indexed";
    let cut = || Said {
        semantic_search: format!("{CART}:25-47 /// It gives money back. {as_indexed}"),
        read_project_artifacts: "`src/cart.rs` has no section `refund_card`. `get_file_skeleton` \
                                 lists those there are."
            .to_owned(),
        find_related: format!("charge_card ship_order {as_indexed}"),
        ..Said::default()
    };
    let first = function("charge_card", "charges the customer");
    check("the rest was cut off", write(first), 30, cut());
    check("the file was emptied", write(String::new()), 30, cut());
    let half = cart()[..cart().len() / 2].to_owned();
    let still_named = Said { search_project_artifacts: format!("{CART}:26"), ..cut() };
    check("it was cut in the middle", write(half), 30, still_named);

    let lost = |hit: &str, file: &str| Said {
        semantic_search: format!("{CART}:25-47 nothing {hit}"),
        get_file_skeleton: file.to_owned(),
        read_project_artifacts: file.to_owned(),
        find_related: format!("charge_card ship_order {hit}"),
        ..Said::default()
    };
    let near = "there is no file `src/cart.rs`; did you mean `src/main.rs`?";
    check("the file was deleted", |file| fs::remove_file(file).unwrap(), 30, lost(GONE, near));
    let rename = |file: &Path| fs::rename(file, file.with_file_name("pay.rs")).unwrap();
    let renamed = Said { search_project_artifacts: "src/pay.rs:26".to_owned(), ..lost(GONE, near) };
    check("the file was renamed", rename, 30, renamed);
    let folder = |file: &Path| {
        fs::remove_file(file).unwrap();
        fs::create_dir(file).unwrap();
    };
    let is_folder = "`src/cart.rs` is a directory. Name a file below it.";
    check("the file became a folder", folder, 30, lost(GONE, is_folder));
    let binary = |file: &Path| fs::write(file, [0, 1, 2, 0]).unwrap();
    let cannot = "cannot be read: binary";
    let is_binary = lost(&format!("the file {cannot}"), &format!("`src/cart.rs` {cannot}"));
    check("the file became binary", binary, 30, is_binary);
}

#[test]
fn a_passage_is_known_by_its_text_where_its_symbol_is_called_otherwise() {
    let methods = format!("impl Cart {{\n{}\n{}}}\n", cart(), function("take", "takes a coin"));
    let project = Project::new(&[(CART, &methods)]);
    let renamed = "\n".repeat(40) + &methods.replace("impl Cart", "impl Basket");
    fs::write(project.folder.path().join(CART), renamed).unwrap();
    let hits = project.hits("gives money back");
    let seen = (&*hits[0].section, hits[0].start_line, hits[0].warning.as_deref());
    assert_eq!(seen, ("Basket::refund_card", 66, Some(CHANGED)));
}

#[test]
fn passages_that_became_one_are_one_hit() {
    let long = |lines: usize| {
        let body: String = (0..lines).map(|n| format!("    step({n}, \"counts\");\n")).collect();
        format!("pub fn count_all() {{\n{body}}}\n")
    };
    let project = Project::new(&[(CART, &long(200))]);
    assert!(project.hits("counts").len() > 1);
    fs::write(project.folder.path().join(CART), long(9)).unwrap();
    let hits = project.hits("counts");
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].content.as_deref(), Some(long(9).trim_end()));
}
