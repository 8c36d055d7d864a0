//! What befalls a folder of documents: after each, the index holds what the folder holds.

use std::fs;

use kitfox_conformance::MemoryEngine;

use crate::testing::{Content, Fixture};
use crate::{RefreshOptions, Selection, SourceKind, SyncError};

const FILES: [(&str, &str); 5] = [
    ("cisco/aci/fabric.md", "# Fabric\n\nspines"),
    ("cisco/aci/l3out.md", "# L3Out\n\nroutes"),
    ("cisco/bgp.md", "# BGP\n\npeers!"),
    ("juniper/bgp.md", "# BGP\n\ngroups"),
    ("intro.md", "# Intro\n\nwelcome"),
];

fn library() -> Fixture {
    let mut fixture = Fixture::new(&FILES);
    fixture.source.kind = SourceKind::Docs;
    fixture.refresh().unwrap();
    fixture
}

/// Does something to a library, and compares what is indexed then: paths, and the last line of each.
#[track_caller]
fn check(what: impl Fn(&Fixture), expected: &[(&str, &str)]) {
    let fixture = library();
    what(&fixture);
    fixture.refresh().unwrap();
    let expected: Vec<(String, String)> =
        expected.iter().map(|&(path, line)| (path.to_owned(), line.to_owned())).collect();
    assert_eq!(indexed(&fixture.engine), expected);
    let report = fixture.refresh().unwrap();
    assert_eq!((report.added, report.changed, report.removed), (0, 0, 0), "nothing is left to do");
}

fn indexed(engine: &MemoryEngine) -> Vec<(String, String)> {
    let last = |name: &str| {
        let documents = engine.documents(name);
        let text = documents.last().map_or("", |document| document.text.as_str());
        text.lines().last().unwrap_or("").to_owned()
    };
    engine.names().into_iter().map(|name| (name.clone(), last(&name))).collect()
}

fn rename(fixture: &Fixture, from: &str, to: &str) {
    fs::rename(fixture.path(from), fixture.path(to)).unwrap();
}

#[test]
fn a_document_is_renamed() {
    check(
        |library| rename(library, "intro.md", "welcome.md"),
        &[
            ("cisco/aci/fabric.md", "spines"),
            ("cisco/aci/l3out.md", "routes"),
            ("cisco/bgp.md", "peers!"),
            ("juniper/bgp.md", "groups"),
            ("welcome.md", "welcome"),
        ],
    );
}

#[test]
fn a_category_is_moved() {
    check(
        |library| rename(library, "cisco/aci", "juniper/aci"),
        &[
            ("cisco/bgp.md", "peers!"),
            ("intro.md", "welcome"),
            ("juniper/aci/fabric.md", "spines"),
            ("juniper/aci/l3out.md", "routes"),
            ("juniper/bgp.md", "groups"),
        ],
    );
}

// Where nothing but its content tells a file from another, only Unix says that it changed.
#[cfg(unix)]
#[test]
fn two_documents_of_one_size_and_time_are_swapped() {
    check(
        |library| {
            let time = fs::metadata(library.path("cisco/bgp.md")).unwrap().modified().unwrap();
            let other = fs::File::options().append(true).open(library.path("juniper/bgp.md"));
            other.unwrap().set_modified(time).unwrap();
            library.refresh().unwrap();
            rename(library, "cisco/bgp.md", "aside");
            rename(library, "juniper/bgp.md", "cisco/bgp.md");
            rename(library, "aside", "juniper/bgp.md");
        },
        &[
            ("cisco/aci/fabric.md", "spines"),
            ("cisco/aci/l3out.md", "routes"),
            ("cisco/bgp.md", "groups"),
            ("intro.md", "welcome"),
            ("juniper/bgp.md", "peers!"),
        ],
    );
}

#[cfg(unix)]
#[test]
fn a_document_is_replaced_by_one_of_the_same_size_and_time() {
    check(
        |library| library.replace_unseen("cisco/bgp.md", "# BGP\n\nPEERS?"),
        &[
            ("cisco/aci/fabric.md", "spines"),
            ("cisco/aci/l3out.md", "routes"),
            ("cisco/bgp.md", "PEERS?"),
            ("intro.md", "welcome"),
            ("juniper/bgp.md", "groups"),
        ],
    );
}

#[test]
fn a_category_is_deleted() {
    check(
        |library| fs::remove_dir_all(library.path("cisco/aci")).unwrap(),
        &[("cisco/bgp.md", "peers!"), ("intro.md", "welcome"), ("juniper/bgp.md", "groups")],
    );
}

#[test]
fn two_libraries_share_a_tree() {
    let mut fixture = library();
    fixture.source.selection = Selection::Documents;
    let part = MemoryEngine::default();
    let mut source = fixture.source.clone();
    source.root = fixture.path("cisco");
    let refresh = |engine: &MemoryEngine| {
        let (one, options) = (&crate::testing::OneVector, RefreshOptions::default());
        crate::refresh(&source, engine, one, &options, &Default::default()).unwrap()
    };
    refresh(&part);
    rename(&fixture, "cisco/bgp.md", "cisco/aci/bgp.md");
    refresh(&part);
    fixture.refresh().unwrap();
    let of_part = ["aci/bgp.md", "aci/fabric.md", "aci/l3out.md"];
    assert_eq!(part.names(), of_part);
    let whole = fixture.engine.names();
    let below: Vec<&str> = whole.iter().filter_map(|name| name.strip_prefix("cisco/")).collect();
    assert_eq!(below, of_part);
    assert_eq!(whole.len(), FILES.len());
}

#[test]
fn an_unmounted_disk_takes_nothing_along() {
    let fixture = library();
    let before = indexed(&fixture.engine);
    for entry in fs::read_dir(fixture.path("")).unwrap() {
        let path = entry.unwrap().path();
        let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        removed.unwrap();
    }
    assert!(matches!(fixture.refresh(), Err(SyncError::MassRemoval { removed: 5, .. })));
    fs::remove_dir(fixture.path("")).unwrap();
    assert!(matches!(fixture.refresh(), Err(SyncError::Gone { .. })));
    assert_eq!(indexed(&fixture.engine), before);
    FILES.iter().for_each(|(path, content)| fixture.write(path, content));
    let report = fixture.refresh().unwrap();
    assert_eq!((report.added, report.changed, report.removed), (0, 0, 0));
}
