//! Passages become documents: what is matched, filtered and embedded.

use kitfox_core::{Document, Heading, Passage, Text, Value, paths};
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
    let mut defined = Defined::new(&outline);
    let document = |passage: Passage| {
        let mut document = document(path, &title, format, passage, embedder);
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
    let place = &passage.place;
    let heading = Heading::over_rows(title, &place.section, path, &place.header);
    let text = Text::hiding(passage.text, place.hidden.clone());
    let vector = embedder.embed(&[heading.text(), &text]);
    let values = [(paths::PATH, path), (paths::LANGUAGE, format), (paths::KIND, &place.kind)]
        .map(|(at, value)| (at.to_owned(), Value::from(value)));
    Document {
        heading,
        text,
        values: values.into(),
        place: passage.place,
        vector,
        ..Document::default()
    }
}
