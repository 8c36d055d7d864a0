//! Passages become documents: what is matched, filtered and embedded.

use kitfox_core::{Document, Passage, Text, Value, paths};
use kitfox_embed::Embedder;
use kitfox_extract::Extracted;

use crate::defined::Defined;

/// The documents of one file.
pub(crate) fn documents(
    path: &str,
    extracted: Extracted,
    embedder: &dyn Embedder,
) -> Vec<Document> {
    let Extracted { title, format, passages, outline, .. } = extracted;
    // A title that only repeats the file name would count its words twice.
    let title = if title == stem(path) { "" } else { title.as_str() };
    let mut defined = Defined::new(&outline);
    let document = |passage: Passage| {
        let mut document = document(path, title, format, passage, embedder);
        document.values.extend(defined.up_to(document.place.end_line));
        document
    };
    passages.into_iter().map(document).collect()
}

fn document(
    path: &str,
    title: &str,
    format: &str,
    passage: Passage,
    embedder: &dyn Embedder,
) -> Document {
    let heading = Text::new(heading(title, &passage.place.section, path));
    let text = Text::new(passage.text);
    let vector = embedder.embed(&[&heading, &text]);
    let values =
        [(paths::PATH, path), (paths::LANGUAGE, format), (paths::KIND, &passage.place.kind)]
            .map(|(at, value)| (at.to_owned(), Value::from(value)));
    Document { heading, text, values: values.into(), place: passage.place, vector }
}

fn heading(title: &str, section: &str, path: &str) -> String {
    let parts: Vec<&str> =
        [title, section, path].into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::{heading, stem};

    #[test]
    fn headings_leave_out_what_is_empty() {
        assert_eq!(heading("Guide", "Install", "a/b.md"), "Guide Install a/b.md");
        assert_eq!(heading("", "", "a/b.md"), "a/b.md");
    }

    #[test]
    fn stems() {
        for (path, expected) in [("a/b.tar.gz", "b.tar"), ("Makefile", "Makefile"), ("a.b/c", "c")]
        {
            assert_eq!(stem(path), expected);
        }
    }
}
