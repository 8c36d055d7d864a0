//! Pages of each kind lie beside their reader: what is read of them is in the snapshots there, each
//! passage behind the lines of the page it comes from.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::{Purpose, Sizes, extract};

/// Reads all pages in a folder of this crate, and compares what is read of them.
#[track_caller]
fn check(folder: &str, longest: usize, names: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for name in names {
        let page = fs::read(folder.join(name)).expect("there is a page of this name");
        settings.bind(|| insta::assert_snapshot!(*name, tell(name, &page, longest)));
    }
}

fn tell(name: &str, page: &[u8], longest: usize) -> String {
    let sizes = Sizes { target: 1, max: longest };
    let extracted = extract(name, page, Purpose::Docs, sizes).expect("it is not refused");
    let mut told = extracted.title;
    for passage in extracted.passages {
        let place = passage.place;
        let (first, last) = (place.start_line, place.end_line);
        let _ = write!(told, "\n\n{first}-{last} {}\n{}", place.section, passage.text);
    }
    told
}

#[test]
fn html() {
    let names = [
        "sphinx.html",
        "mkdocs.html",
        "docusaurus.html",
        "rustdoc.html",
        "javadoc.html",
        "plain.html",
    ];
    check("src/html/pages", 150, &names);
}

#[test]
fn manual_pages() {
    check("src/man/pages", 200, &["man.1", "mdoc.8"]);
}
