//! Following references: the records that keys stand for are put in their place.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use kitfox_core::{Collection, RecordState, Stored};
use serde_json::{Map, Value as Json, json};

use super::filter::key_of;
use super::render::{data_of, keep_locales, shorten, sys_of};
use super::resource::Resource;
use super::types::{Record, Truncated};
use crate::{FaceError, Faces};

/// References one path follows at most.
const DEPTH: usize = 3;
/// Records one answer takes in at most.
const RECORDS: usize = 1_000;

/// The references to follow from one collection, and from there.
#[derive(Debug, Default)]
struct Plan {
    references: BTreeMap<String, (String, Plan)>,
}

/// What following references is to do beside.
pub(super) struct Populate<'a> {
    pub faces: &'a Faces,
    /// The locales to keep; all where there are none.
    pub locales: &'a [String],
    /// Characters a text may have; none where texts are not cut.
    pub max_text_chars: Option<usize>,
}

/// One answer's following of references.
struct Run<'p, 'a> {
    populate: &'p Populate<'a>,
    left: usize,
    dangling: BTreeMap<String, usize>,
}

impl Populate<'_> {
    /// Follows `paths` from each record; tells what could not be followed.
    ///
    /// # Errors
    /// A path that leads through no reference, or through too many; an index that cannot be read.
    pub fn run(
        &self,
        resource: &Resource<'_>,
        paths: &[String],
        records: &mut [Record],
    ) -> Result<Vec<String>, FaceError> {
        let mut plan = Plan::default();
        for path in paths {
            self.plan(&mut plan, &resource.collection, path, path, 1)?;
        }
        let mut run = Run { populate: self, left: RECORDS, dangling: BTreeMap::new() };
        let mut level: Vec<Populated<'_>> = records
            .iter_mut()
            .map(|Record { data, sys, .. }| Populated { data, cut: &mut sys.truncated })
            .collect();
        run.follow(&plan, &mut level, "")?;
        Ok(run.warnings())
    }

    fn plan(
        &self,
        plan: &mut Plan,
        collection: &Collection,
        path: &str,
        whole: &str,
        depth: usize,
    ) -> Result<(), FaceError> {
        let starts = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
        let target = |at: usize| collection.fields.get(&path[..at])?.reference.clone();
        let Some((at, target)) = starts.into_iter().find_map(|at| Some((at, target(at)?))) else {
            let references = collection.fields.iter().filter(|(_, f)| f.reference.is_some());
            let known = references.map(|(path, _)| path.as_str());
            return Err(FaceError::unknown("unknown_field", "populate", "reference", path, known));
        };
        if depth > DEPTH {
            let message = format!("`{whole}` follows more than {DEPTH} references");
            return Err(FaceError::new("invalid_argument", message).at("populate"));
        }
        let entry = plan.references.entry(path[..at].to_owned());
        let (_, below) = entry.or_insert_with(|| (target.clone(), Plan::default()));
        match path.get(at + 1..) {
            Some(rest) => {
                let target = self.faces.collection(&target)?;
                self.plan(below, &target.collection, rest, whole, depth + 1)
            }
            None => Ok(()),
        }
    }
}

/// A record whose references are followed.
struct Populated<'r> {
    data: &'r mut Map<String, Json>,
    cut: &'r mut Vec<Truncated>,
}

impl Run<'_, '_> {
    /// One level: every record that the references of all records lead to is read once.
    fn follow(
        &mut self,
        plan: &Plan,
        records: &mut [Populated<'_>],
        above: &str,
    ) -> Result<(), FaceError> {
        for (path, (target, below)) in &plan.references {
            let keys: Vec<&str> = path.split('.').collect();
            let mut places: Vec<(usize, &mut Json)> = Vec::new();
            let mut cuts = Vec::new();
            for (number, record) in records.iter_mut().enumerate() {
                cuts.push(&mut *record.cut);
                if let Some(value) = record.data.get_mut(keys[0]) {
                    places_at(value, &keys[1..], &mut |place| places.push((number, place)));
                }
            }
            let full = match above {
                "" => path.clone(),
                above => format!("{above}.{path}"),
            };
            let target = self.populate.faces.collection(target)?;
            self.graft(&target, below, (&full, path), places, &mut cuts)?;
        }
        Ok(())
    }

    fn graft(
        &mut self,
        target: &Resource<'_>,
        below: &Plan,
        (full, path): (&str, &str),
        mut places: Vec<(usize, &mut Json)>,
        cuts: &mut [&mut Vec<Truncated>],
    ) -> Result<(), FaceError> {
        let mut read: HashMap<String, Option<Grafted>> = HashMap::new();
        for (_, place) in &places {
            let Some(key) = key_of(place) else { continue };
            if let Entry::Vacant(entry) = read.entry(key) {
                let grafted = self.read(target, entry.key())?;
                entry.insert(grafted);
            }
        }
        let mut found: Vec<&mut Grafted> = read.values_mut().flatten().collect();
        let mut level: Vec<Populated<'_>> = found
            .iter_mut()
            .map(|grafted| Populated { data: &mut grafted.data, cut: &mut grafted.cut })
            .collect();
        self.follow(below, &mut level, full)?;
        for (number, place) in &mut places {
            let Some(key) = key_of(place) else { continue };
            match read.get(&key) {
                Some(Some(grafted)) => {
                    cuts[*number].extend(grafted.cut.iter().map(|inner| Truncated {
                        field: format!("{path}.{}", inner.field),
                        ..inner.clone()
                    }));
                    **place = json!({ "id": key, "data": grafted.data, "_sys": grafted.sys });
                }
                _ => *self.dangling.entry(full.to_owned()).or_default() += 1,
            }
        }
        Ok(())
    }

    fn read(&mut self, target: &Resource<'_>, key: &str) -> Result<Option<Grafted>, FaceError> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let stored = target.opened.ask(|snapshot| snapshot.group(key))?;
        let state = target.opened.ask(|snapshot| snapshot.state(key))?;
        let state = state.and_then(|state| RecordState::decode(&state));
        Ok(stored.first().map(|stored| self.grafted(target, key, stored, state)))
    }

    fn grafted(
        &self,
        target: &Resource<'_>,
        key: &str,
        stored: &Stored,
        state: Option<RecordState>,
    ) -> Grafted {
        let mut data = data_of(stored);
        keep_locales(&target.collection, &mut data, self.populate.locales);
        let cut = match self.populate.max_text_chars {
            Some(most) => shorten(&target.collection, &mut data, most),
            None => Vec::new(),
        };
        let sys = serde_json::to_value(sys_of(key, &target.id, state)).unwrap_or_default();
        Grafted { data, cut, sys }
    }

    fn warnings(&self) -> Vec<String> {
        let dangling = self.dangling.iter().map(|(path, count)| match self.left {
            0 => format!(
                "`{path}`: {count} references were left as keys: an answer follows at most \
                 {RECORDS}"
            ),
            _ => format!("`{path}`: {count} references lead to no record and were left as keys"),
        });
        dangling.collect()
    }
}

/// A record that a reference leads to.
struct Grafted {
    data: Map<String, Json>,
    cut: Vec<Truncated>,
    sys: Json,
}

/// The scalars at a path, through arrays.
fn places_at<'d>(value: &'d mut Json, keys: &[&str], each: &mut impl FnMut(&'d mut Json)) {
    match (value, keys) {
        (Json::Array(elements), keys) => {
            elements.iter_mut().for_each(|element| places_at(element, keys, each));
        }
        (Json::Object(members), [first, rest @ ..]) => {
            if let Some(member) = members.get_mut(*first) {
                places_at(member, rest, each);
            }
        }
        (value, []) => each(value),
        _ => {}
    }
}
