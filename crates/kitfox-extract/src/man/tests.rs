//! Pages of each package lie in `pages`; what is read of them is in the snapshots there, each
//! passage behind its lines.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::{Purpose, Refusal, Sizes, extract};

fn tell(name: &str, page: &[u8]) -> String {
    let sizes = Sizes { target: 1, max: 200 };
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
fn pages_are_read_as_markdown() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/man/pages");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&pages);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for name in ["man.1", "mdoc.8"] {
        let page = fs::read(pages.join(name)).expect("there is a page of this package");
        settings.bind(|| insta::assert_snapshot!(name, tell(name, &page)));
    }
}

#[test]
fn broken_pages_are_read() {
    for page in
        [".TH", ".TH X 1\n.SH", ".Dt X 1\n.It\n.El\n.Ed", ".TH \"X 1\n.nf\n\\", ".TH X\n.de"]
    {
        let page = format!("{page}\n.TH X 1\n");
        assert!(tell("a.1", page.as_bytes()).starts_with('X') || page.contains('"'), "{page}");
    }
    tell("a.1", (".TH X 1\n".to_owned() + &".Bl -tag\n.It Fl Op Op\n".repeat(10_000)).as_bytes());
}

#[test]
fn what_is_no_page_is_refused() {
    let read = |text: &str| extract("server.log.1", text.as_bytes(), Purpose::Docs, Sizes::DOCS);
    assert_eq!(read("started\n"), Err(Refusal::NoManualPage));
}
