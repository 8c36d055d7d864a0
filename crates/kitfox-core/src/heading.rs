//! What stands above a passage, as one text that is ranked and embedded, and as columns.

use std::ops::Range;

use crate::{Column, Text};

/// Title, breadcrumb or symbol path, and path of a passage, and the header of a table that it
/// continues.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    text: Text,
    title: Range<usize>,
    section: Range<usize>,
    path: Range<usize>,
    header: Range<usize>,
}

impl Heading {
    /// Joins the parts that are not empty. A title that only repeats the name of the file is not
    /// said again: its words would count twice.
    pub fn new(title: &str, section: &str, path: &str) -> Heading {
        Heading::over_rows(title, section, path, "")
    }

    /// The same above rows of a table whose header stands elsewhere.
    pub fn over_rows(title: &str, section: &str, path: &str, header: &str) -> Heading {
        let stem = stem(path);
        let repeats = title == &path[stem.clone()];
        let mut text = String::new();
        let mut push = |part: &str| {
            if !text.is_empty() && !part.is_empty() {
                text.push(' ');
            }
            text.push_str(part);
            text.len() - part.len()..text.len()
        };
        let mut title = push(if repeats { "" } else { title });
        let section = push(section);
        let path = push(path);
        let header = push(header);
        if repeats {
            title = path.start + stem.start..path.start + stem.end;
        }
        Heading { text: Text::new(text), title, section, path, header }
    }

    /// All of it.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The words of one of its columns, as written. Those of [`Column::Text`] are the words of the
    /// header of a table: they stand before the rows as in the document.
    pub fn words(&self, column: Column) -> impl Iterator<Item = &str> {
        let range = match column {
            Column::Text => &self.header,
            Column::Section => &self.section,
            Column::Title => &self.title,
            Column::Path => &self.path,
        };
        self.text.words_in(range.clone()).iter().map(|word| self.text.word(word))
    }
}

/// Where the name of a file without its extension stands in its path.
fn stem(path: &str) -> Range<usize> {
    let start = path.rfind('/').map_or(0, |at| at + 1);
    start..path[start..].rfind('.').map_or(path.len(), |at| start + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(parts: [&str; 3], text: &str, columns: [&str; 3]) {
        let [title, section, path] = parts;
        let heading = Heading::new(title, section, path);
        assert_eq!(heading.text().as_str(), text, "{parts:?}");
        let words = [Column::Title, Column::Section, Column::Path]
            .map(|column| heading.words(column).collect::<Vec<_>>().join(" "));
        assert_eq!(words, columns, "{parts:?}");
    }

    #[test]
    fn parts_are_joined_and_kept_apart() {
        check(
            ["Guide", "Install", "a/b.md"],
            "Guide Install a/b.md",
            ["Guide", "Install", "a b md"],
        );
        check(["", "", "a/b.md"], "a/b.md", ["", "", "a b md"]);
        check(["", "", ""], "", ["", "", ""]);
    }

    #[test]
    fn a_title_that_repeats_the_name_is_said_once() {
        check(["b.tar", "x", "a/b.tar.gz"], "x a/b.tar.gz", ["b tar", "x", "a b tar gz"]);
        check(["Makefile", "", "Makefile"], "Makefile", ["Makefile", "", "Makefile"]);
        check(["c", "", "a.b/c"], "a.b/c", ["c", "", "a b c"]);
    }
}
