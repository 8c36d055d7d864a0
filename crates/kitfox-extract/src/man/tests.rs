//! Pages that are broken, or none.

use crate::{Purpose, Refusal, Sizes, extract};

fn read(name: &str, text: &str) -> Result<crate::Extracted, Refusal> {
    extract(name, text.as_bytes(), Purpose::Docs, Sizes::DOCS)
}

#[test]
fn broken_pages_are_read() {
    #[track_caller]
    fn check(page: &str, title: &str) {
        let found = read("a.1", page).map(|extracted| extracted.title);
        assert_eq!(found.as_deref(), Ok(title), "{page}");
    }
    check(".TH\n.TH X 1\n", "X(1)");
    check(".TH X 1\n.SH", "X(1)");
    check(".Dt X 1\n.It\n.El\n.Ed", "X(1)");
    check(".TH \"X 1\n.nf\n\\", "X 1");
    check(".TH X\n.de", "X");
    check(&(".TH X 1\n".to_owned() + &".Bl -tag\n.It Fl Op Op\n".repeat(10_000)), "X(1)");
}

#[test]
fn what_is_no_page_is_refused() {
    assert_eq!(read("server.log.1", "started\n"), Err(Refusal::NoManualPage));
}
