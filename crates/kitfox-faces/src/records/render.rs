//! Records as answers show them: some locales, texts of a bounded length, the places of hits.

use kitfox_core::{Collection, RecordState, Stored, Text};
use kitfox_rank::{SNIPPET_WORDS, snippet};
use serde_json::{Map, Value as Json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::types::{Highlight, RecordSys, Truncated};
use super::words::Hits;

/// Highlights of one record.
const HIGHLIGHTS: usize = 3;
/// How far before the limit a text may be cut, so that it ends with a word; in characters.
const BACK: usize = 40;

/// A time, in nanoseconds since 1970 UTC, as answers give it: RFC 3339; empty beyond the year 9999.
pub fn rfc3339(nanoseconds: i128) -> String {
    let time = OffsetDateTime::from_unix_timestamp_nanos(nanoseconds);
    time.ok().and_then(|time| time.format(&Rfc3339).ok()).unwrap_or_default()
}

/// The data of a stored record.
pub(super) fn data_of(stored: &Stored) -> Map<String, Json> {
    match serde_json::from_slice(&stored.payload) {
        Ok(Json::Object(data)) => data,
        _ => Map::new(),
    }
}

/// What the system knows of a record.
pub(super) fn sys_of(key: &str, folder: &str, state: Option<RecordState>) -> RecordSys {
    let state = state.unwrap_or_default();
    RecordSys {
        key: key.to_owned(),
        folder: folder.to_owned(),
        revision: state.revision.to_string(),
        created_at: rfc3339(state.created_at_ns.into()),
        updated_at: rfc3339(state.updated_at_ns.into()),
        ..RecordSys::default()
    }
}

/// Goes through the texts of a record, with the path and locale of each.
struct Texts<'c, F> {
    collection: &'c Collection,
    each: F,
}

impl<F: FnMut(&str, Option<&str>, &mut String)> Texts<'_, F> {
    fn object(&mut self, members: &mut Map<String, Json>, above: &str) {
        for (key, value) in members.iter_mut() {
            let path = path_of(above, key);
            let is_localized =
                self.collection.fields.get(&path).is_some_and(|field| field.localized);
            match value {
                Json::Object(locales) if is_localized => {
                    for (locale, value) in locales.iter_mut() {
                        self.value(value, &path, Some(locale));
                    }
                }
                value => self.value(value, &path, None),
            }
        }
    }

    fn value(&mut self, value: &mut Json, path: &str, locale: Option<&str>) {
        match value {
            Json::String(text) => (self.each)(path, locale, text),
            Json::Array(elements) => {
                elements.iter_mut().for_each(|element| self.value(element, path, locale));
            }
            Json::Object(members) => self.object(members, path),
            _ => {}
        }
    }
}

/// The path of a member.
pub(super) fn path_of(above: &str, key: &str) -> String {
    let key = kitfox_core::field_path([key]);
    if above.is_empty() { key } else { format!("{above}.{key}") }
}

/// Keeps only some locales of the localized fields of a record.
pub(super) fn keep_locales(
    collection: &Collection,
    data: &mut Map<String, Json>,
    locales: &[String],
) {
    if !locales.is_empty() {
        prune(collection, data, "", locales);
    }
}

fn prune(collection: &Collection, members: &mut Map<String, Json>, above: &str, kept: &[String]) {
    for (key, value) in members.iter_mut() {
        let path = path_of(above, key);
        let is_localized = collection.fields.get(&path).is_some_and(|field| field.localized);
        match value {
            Json::Object(locales) if is_localized => {
                locales.retain(|locale, _| kept.contains(locale));
            }
            Json::Object(members) => prune(collection, members, &path, kept),
            Json::Array(elements) => {
                for element in elements.iter_mut().filter_map(Json::as_object_mut) {
                    prune(collection, element, &path, kept);
                }
            }
            _ => {}
        }
    }
}

/// Cuts the texts of a record that are longer than `most` characters, and tells which.
pub(super) fn shorten(
    collection: &Collection,
    data: &mut Map<String, Json>,
    most: usize,
) -> Vec<Truncated> {
    let mut cut = Vec::new();
    let each = |path: &str, locale: Option<&str>, text: &mut String| {
        if let Some((end, original_length)) = cut_at(text, most) {
            text.truncate(end);
            let locale = locale.map(str::to_owned);
            cut.push(Truncated { field: path.to_owned(), locale, original_length });
        }
    };
    Texts { collection, each }.object(data, "");
    cut
}

/// Where a text of more than `most` characters is cut, in bytes, and how many characters it has.
fn cut_at(text: &str, most: usize) -> Option<(usize, usize)> {
    // Most texts are short.
    if text.len() <= most {
        return None;
    }
    let length = text.chars().count();
    let (end, _) = text.char_indices().nth(most)?;
    let back = text[..end].char_indices().rev().take(BACK);
    let word = back.filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at).next();
    let is_inside_word = !text[end..].starts_with(char::is_whitespace);
    Some((word.filter(|_| is_inside_word).unwrap_or_else(|| whole(text, end)), length))
}

/// The last place up to `end` where no character that belongs to the one before is cut off.
fn whole(text: &str, end: usize) -> usize {
    const ZERO_WIDTH_JOINER: char = '\u{200d}';
    let joins = |c: char| {
        unicode_normalization::char::is_combining_mark(c)
            || c == ZERO_WIDTH_JOINER
            || matches!(u32::from(c), 0xFE00..=0xFE0F | 0x1F3FB..=0x1F3FF | 0xE0020..=0xE007F)
    };
    let cuts = |at: &usize| {
        let before = text[..*at].chars().next_back();
        let after = text[*at..].chars().next();
        !after.is_some_and(joins) && before != Some(ZERO_WIDTH_JOINER)
    };
    let places = text[..end].char_indices().rev().take(BACK).map(|(at, _)| at);
    std::iter::once(end).chain(places).find(cuts).unwrap_or(end)
}

/// The passages of a record's searchable texts with the most hits.
pub(super) fn highlights(
    collection: &Collection,
    data: &Map<String, Json>,
    hits: &Hits,
) -> Vec<Highlight> {
    let mut found: Vec<(usize, Highlight)> = Vec::new();
    let each = |path: &str, locale: Option<&str>, text: &mut String| {
        if collection.fields.get(path).is_some_and(|field| field.searchable) {
            let passage =
                snippet(&Text::new(text.as_str()), |word| hits.contains(word), SNIPPET_WORDS);
            let marks = passage.matches("**").count() / 2;
            let field = match locale {
                Some(locale) => path_of(path, locale),
                None => path.to_owned(),
            };
            found.push((marks, Highlight { field, text: passage }));
        }
    };
    Texts { collection, each }.object(&mut data.clone(), "");
    found.retain(|(marks, _)| *marks > 0);
    // The best first, equals as they stand.
    found.sort_by_key(|(marks, _)| std::cmp::Reverse(*marks));
    found.into_iter().take(HIGHLIGHTS).map(|(_, highlight)| highlight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_words_and_whole_characters() {
        let check = |text: &str, most, expected: Option<(&str, usize)>| {
            let cut = cut_at(text, most).map(|(end, length)| (&text[..end], length));
            assert_eq!(cut, expected, "{text:?} at {most}");
        };
        check("one two three", 13, None);
        check("one two three", 9, Some(("one two", 13)));
        check("one two three", 7, Some(("one two", 13)));
        check("onetwothree", 5, Some(("onetw", 11)));
        check("äöü", 3, None);
        check("äöüß", 3, Some(("äöü", 4)));
        check("xe\u{301}y", 2, Some(("x", 4)));
        check("x👩\u{200d}🚀y", 3, Some(("x", 5)));
    }

    #[test]
    fn times_are_rfc_3339() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(1_500_000_000), "1970-01-01T00:00:01.5Z");
    }
}
