//! Titles, and pages that are hostile.

use crate::{Purpose, Sizes, extract};

fn read(page: &str) -> crate::Extracted {
    let sizes = Sizes { target: 1, max: 150 };
    extract("a/page.html", page.as_bytes(), Purpose::Docs, sizes).expect("it is not refused")
}

#[test]
fn titles() {
    #[track_caller]
    fn check(page: &str, expected: &str) {
        assert_eq!(read(page).title, expected);
    }
    check("<title>Tea — Drinks 3</title><h1>Tea</h1>", "Tea");
    check("<title>Tea in drinks - Rust</title><h1>Struct Tea</h1>", "Tea in drinks - Rust");
    check("<h1>A <b>cup</b><a class=headerlink href=#a>¶</a></h1>", "A cup");
    check("<p>text", "page");
    check("", "page");
}

#[test]
fn hostile_pages_are_read_in_time() {
    let many = 50_000;
    for part in ["<div>", "<ul><li>a", "<blockquote>a\n", "<table><tr><td>a", "<header>", "<p><a>"]
    {
        let page = part.repeat(many);
        let characters: usize = read(&page).passages.iter().map(|p| p.text.len()).sum();
        assert!(characters < page.len() * 8, "{part}: {characters}");
        read(&(page + &"</b>".repeat(many)));
    }
    read("<pre>&#10;&#10;&#10;\r\r\ra</pre><p>a&#10;&#10;&#10;b\r\rc");
    read("<pre><ul><li><pre>a</pre></li></ul></pre></li><td><tr>");
}
