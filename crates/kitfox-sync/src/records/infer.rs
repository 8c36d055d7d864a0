//! What the fields of records are, seen from all of their values.

use kitfox_core::{FieldType, push_key};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::key::key_of;

/// Fields that often hold the key of a record, likeliest first.
const KEYS: [&str; 5] = ["id", "_id", "key", "uuid", "slug"];

/// Objects whose members are data rather than fields would make a schema of any size: what is at
/// further paths is kept in the records, and not known by itself.
pub(super) const MAX_PATHS: usize = 2_000;

/// The most characters of an example.
const EXAMPLE_CHARACTERS: usize = 80;

/// The most bytes of a date, a time or a datetime that is worth a closer look.
const LONGEST_INSTANT: usize = 40;

/// What was seen in records.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Seen {
    /// How many records.
    pub records: u64,
    /// What was seen at each path.
    pub paths: FxHashMap<String, Values>,
    /// Whether there were more paths than are kept.
    pub is_cut: bool,
    /// How many records have a key in each of [`KEYS`].
    keyed: [u64; KEYS.len()],
    /// The path that comes last, where there are as many as are kept.
    last: Option<String>,
}

/// Where a path comes: the members of a record before those of objects in it.
fn place(path: &str) -> (usize, &str) {
    (path.matches('.').count(), path)
}

/// The values at one path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Values {
    /// How many records have some, null aside.
    pub records: u64,
    /// Whether some are in an array.
    pub is_array: bool,
    /// The characters of the longest text.
    pub longest: usize,
    /// One of them.
    pub example: Option<Json>,
    texts: u64,
    characters: u64,
    kinds: Kinds,
    /// The record met last, counted from 1 among those of one thread.
    last: u64,
}

/// What kind a single value is.
#[derive(Clone, Copy)]
#[repr(u16)]
pub(super) enum Kind {
    Boolean = 1,
    Number = 1 << 1,
    Date = 1 << 2,
    DateTime = 1 << 3,
    Time = 1 << 4,
    Text = 1 << 5,
    Point = 1 << 6,
    Object = 1 << 7,
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kinds(u16);

impl Seen {
    /// Looks at another record.
    pub fn see(&mut self, data: &Json) {
        let Json::Object(members) = data else { return };
        self.records += 1;
        for (key, count) in KEYS.iter().zip(&mut self.keyed) {
            *count += u64::from(members.get(*key).is_some_and(|value| key_of(value).is_ok()));
        }
        Looking { seen: self, path: String::new(), depth: 0, in_array: false }.members(members);
    }

    /// Adds what was seen in later records.
    pub fn merge(mut self, later: Seen) -> Seen {
        self.records += later.records;
        self.is_cut |= later.is_cut;
        for (count, more) in self.keyed.iter_mut().zip(later.keyed) {
            *count += more;
        }
        for (path, values) in later.paths {
            if let Some(known) = self.values_at(&path) {
                known.merge(values);
            }
        }
        self
    }

    /// What was seen at a path; none where it is not kept. Those that are do not depend on the order
    /// in which records are looked at.
    fn values_at(&mut self, path: &str) -> Option<&mut Values> {
        if !self.paths.contains_key(path) {
            if self.paths.len() >= MAX_PATHS && !self.make_place(path) {
                return None;
            }
            self.paths.insert(path.to_owned(), Values::default());
        }
        self.paths.get_mut(path)
    }

    /// Forgets the path that comes last, unless it is this one.
    fn make_place(&mut self, path: &str) -> bool {
        self.is_cut = true;
        let last =
            self.last.take().or_else(|| self.paths.keys().max_by_key(|path| place(path)).cloned());
        let comes_before = last.as_ref().is_some_and(|last| place(path) < place(last));
        match (comes_before, last) {
            (true, Some(last)) => drop(self.paths.remove(&last)),
            (_, last) => self.last = last,
        }
        comes_before
    }

    /// The likeliest field that is a key in every record.
    pub fn key(&self) -> Option<&'static str> {
        let mostly = |(_, count): &(_, u64)| *count * 2 > self.records;
        KEYS.into_iter().zip(self.keyed).find(mostly).map(|(key, _)| key)
    }
}

impl Values {
    /// The type all of them have; where they have several, it is a string.
    pub fn of_type(&self) -> FieldType {
        self.kinds.of_type()
    }

    /// The characters of the texts on average; 0 where there are none.
    pub fn average(&self) -> u64 {
        self.characters.checked_div(self.texts).unwrap_or(0)
    }

    /// Adds what was seen at the same path in later records.
    fn merge(&mut self, later: Values) {
        self.records += later.records;
        self.include(&later);
        self.example = self.example.take().or(later.example);
    }

    /// Adds values of another path, which each record has beside those of this one.
    pub fn include(&mut self, other: &Values) {
        self.is_array |= other.is_array;
        self.longest = self.longest.max(other.longest);
        self.texts += other.texts;
        self.characters += other.characters;
        self.kinds.0 |= other.kinds.0;
    }

    /// Takes what a schema says over what was seen.
    pub fn declare(&mut self, kinds: Kinds, is_array: bool) {
        if kinds.0 != 0 {
            self.kinds = kinds;
        }
        self.is_array |= is_array;
    }

    /// Forgets that there were objects: their members are values.
    pub fn forget_objects(&mut self) {
        self.kinds.0 &= !(Kind::Object as u16);
    }

    fn note(&mut self, value: &Json) {
        match value {
            Json::Bool(_) => self.kinds.insert(Kind::Boolean),
            Json::Number(_) => self.kinds.insert(Kind::Number),
            Json::String(text) => self.note_text(text),
            Json::Object(_) if FieldType::Point.read(value).is_some() => {
                self.kinds.insert(Kind::Point);
            }
            Json::Object(_) => self.kinds.insert(Kind::Object),
            Json::Array(_) | Json::Null => {}
        }
        if self.example.is_none() {
            self.example = example(value);
        }
    }

    fn note_text(&mut self, text: &str) {
        // An empty text says nothing of what others there are.
        if text.is_empty() {
            return;
        }
        let characters = text.chars().count();
        self.longest = self.longest.max(characters);
        self.characters += characters as u64;
        self.texts += 1;
        if !self.kinds.contains(Kind::Text) {
            self.kinds.insert(kind_of(text));
        }
    }
}

fn kind_of(text: &str) -> Kind {
    // Reading an instant takes longer than all else here.
    if text.len() > LONGEST_INSTANT || !text.starts_with(|c: char| c.is_ascii_digit()) {
        return Kind::Text;
    }
    let json = Json::String(text.to_owned());
    if FieldType::DateTime.read(&json).is_some() {
        return if text.len() == "1970-01-01".len() { Kind::Date } else { Kind::DateTime };
    }
    FieldType::Time.read(&json).map_or(Kind::Text, |_| Kind::Time)
}

impl Kinds {
    pub fn insert(&mut self, kind: Kind) {
        self.0 |= kind as u16;
    }

    fn contains(self, kind: Kind) -> bool {
        self.0 & kind as u16 != 0
    }

    /// The type of values that are of these kinds; where they have several, it is a string.
    pub fn of_type(self) -> FieldType {
        let only =
            |kinds: &[Kind]| self.0 & !kinds.iter().fold(0, |all, &kind| all | kind as u16) == 0;
        match () {
            () if self.0 == 0 => FieldType::String,
            () if only(&[Kind::Boolean]) => FieldType::Boolean,
            () if only(&[Kind::Number]) => FieldType::Number,
            () if only(&[Kind::Date]) => FieldType::Date,
            () if only(&[Kind::Date, Kind::DateTime]) => FieldType::DateTime,
            () if only(&[Kind::Time]) => FieldType::Time,
            () if only(&[Kind::Point]) => FieldType::Point,
            () if only(&[Kind::Object, Kind::Point]) => FieldType::Object,
            () => FieldType::String,
        }
    }
}

/// A value as an example: scalars and points, long texts cut.
fn example(value: &Json) -> Option<Json> {
    match value {
        Json::String(text) => match text.char_indices().nth(EXAMPLE_CHARACTERS) {
            Some((end, _)) => Some(format!("{}…", &text[..end]).into()),
            None => (!text.is_empty()).then(|| value.clone()),
        },
        Json::Bool(_) | Json::Number(_) => Some(value.clone()),
        Json::Object(_) => FieldType::Point.read(value).map(|_| value.clone()),
        Json::Array(_) | Json::Null => None,
    }
}

/// A look through one record.
struct Looking<'s> {
    seen: &'s mut Seen,
    path: String,
    depth: usize,
    in_array: bool,
}

impl Looking<'_> {
    fn members(&mut self, members: &Map<String, Json>) {
        for (key, value) in members {
            let length = self.path.len();
            if self.depth > 0 {
                self.path.push('.');
            }
            push_key(&mut self.path, key);
            self.depth += 1;
            self.value(value);
            self.depth -= 1;
            self.path.truncate(length);
        }
    }

    fn value(&mut self, value: &Json) {
        if let Json::Array(elements) = value {
            return self.array(elements);
        }
        self.note(value);
        if let Json::Object(members) = value {
            self.members(members);
        }
    }

    fn array(&mut self, elements: &[Json]) {
        let before = std::mem::replace(&mut self.in_array, true);
        // Nothing in it is something that is there.
        if elements.is_empty() {
            self.note(&Json::Array(Vec::new()));
        }
        elements.iter().for_each(|element| self.value(element));
        self.in_array = before;
    }

    fn note(&mut self, value: &Json) {
        let record = self.seen.records;
        let Some(values) = self.seen.values_at(&self.path) else { return };
        values.is_array |= self.in_array;
        if !value.is_null() && values.last != record {
            values.last = record;
            values.records += 1;
        }
        values.note(value);
    }
}
