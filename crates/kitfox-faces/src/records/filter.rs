//! Which records a request is about: its filters, over references and locales, and its parents.

use std::collections::BTreeMap;

use kitfox_core::{
    Collection, Field, Filter, FilterError, FilterFault, Number, Operator, Scan, Schema, Selection,
    Start, Test, Value, read_filter, sys,
};
use serde_json::Value as Json;

use super::resource::{Resource, placeholder_of};
use crate::{FaceError, Faces};

/// Records of another collection a condition through a reference may hold for.
const REFERRED: usize = 100_000;

/// Reads what restricts the records of one collection.
pub(super) struct Restriction<'r, 'a> {
    pub faces: &'a Faces,
    pub resource: &'r Resource<'a>,
    /// The locales to look into; all where there are none.
    pub locales: &'r [String],
}

type Read<T> = Result<T, FilterError>;

impl Restriction<'_, '_> {
    /// The filter of a request.
    ///
    /// # Errors
    /// What is wrong with a filter, by its place in the list; an unknown placeholder; an index that
    /// cannot be read.
    pub fn filter(
        &self,
        filters: &Json,
        parents: &BTreeMap<String, String>,
    ) -> Result<Filter, FaceError> {
        let mut all = Vec::new();
        if !filters.is_null() {
            all.push(self.conditions(filters)?);
        }
        for (placeholder, key) in parents {
            all.push(self.below(placeholder, key)?);
        }
        all.retain(|filter| *filter != Filter::All);
        Ok(match all.len() {
            0 => Filter::All,
            1 => all.swap_remove(0),
            _ => Filter::And(all),
        })
    }

    fn conditions(&self, filters: &Json) -> Result<Filter, FaceError> {
        let schema = self.resource.collection.schema();
        // The index of another collection may fail in the middle of a list.
        let mut failure = None;
        let read = read_filter(filters, &mut |field, operator, value| {
            self.condition(&schema, field, operator, value).unwrap_or_else(|error| {
                failure.get_or_insert(error);
                Ok(Filter::All)
            })
        });
        match failure {
            Some(error) => Err(error),
            None => read.map_err(|error| refused(&error)),
        }
    }

    fn condition(
        &self,
        schema: &Schema,
        field: &str,
        operator: &str,
        value: &Json,
    ) -> Result<Read<Filter>, FaceError> {
        let collection = &self.resource.collection;
        if schema.field_type(field).is_none() {
            if let Some((reference, target, rest)) = through(collection, field) {
                return self.joined(reference, target, rest, (operator, value));
            }
            if let Some(of_field) = collection.fields.get(field) {
                return Ok(Err(unfilterable(field, of_field)));
            }
        }
        let in_locales = self.locales_of(field);
        if in_locales.is_empty() {
            return Ok(schema.condition(field, operator, value));
        }
        let each = in_locales.iter().map(|path| schema.condition(path, operator, value));
        let each = each.collect::<Read<Vec<Filter>>>();
        // What is denied is denied in every locale.
        let is_negated = Operator::named(operator).is_some_and(Operator::is_negated);
        Ok(each.map(|each| if is_negated { Filter::And(each) } else { Filter::Or(each) }))
    }

    /// The paths a localized field stands for where only some locales are looked into.
    fn locales_of(&self, field: &str) -> Vec<String> {
        let fields = &self.resource.collection.fields;
        let is_localized = fields.get(field).is_some_and(|field| field.localized);
        let paths = self.locales.iter().map(|locale| format!("{field}.{locale}"));
        paths.filter(|path| is_localized && fields.contains_key(path)).collect()
    }

    /// A condition on a field of the records that a reference leads to.
    fn joined(
        &self,
        reference: &str,
        target: &str,
        rest: &str,
        (operator, value): (&str, &Json),
    ) -> Result<Read<Filter>, FaceError> {
        let target = self.faces.collection(target)?;
        let filter = match target.collection.schema().condition(rest, operator, value) {
            Ok(filter) => filter,
            Err(error) => return Ok(Err(error)),
        };
        // What holds for every record is what does not hold for any: also for one without a
        // reference.
        let is_negated = Operator::named(operator).is_some_and(Operator::is_negated);
        let positive = match filter {
            Filter::Not(inner) if is_negated => *inner,
            filter if is_negated => Filter::Not(filter.into()),
            filter => filter,
        };
        let keys = keys(&target, positive)?;
        let refers = Filter::Any(reference.to_owned(), Test::In(key_values(&keys)));
        Ok(Ok(if is_negated { Filter::Not(refers.into()) } else { refers }))
    }

    /// The records below one of a collection above.
    fn below(&self, placeholder: &str, key: &str) -> Result<Filter, FaceError> {
        let known = &self.resource.placeholders;
        let Some(at) = known.iter().position(|each| each.name == placeholder) else {
            return Err(self.unknown_placeholder(placeholder));
        };
        // The keys of the records that may be parents, from there down.
        let mut keys = vec![key.to_owned()];
        let mut above = at;
        while above + 1 < known.len() {
            above += 1;
            let between = self.faces.resource(&known[above].resource_id)?;
            keys = self::keys(&between, below_any(&between.collection, &keys))?;
        }
        Ok(below_any(&self.resource.collection, &keys))
    }

    fn unknown_placeholder(&self, name: &str) -> FaceError {
        let known = self.resource.placeholders.iter().map(|each| each.name.as_str());
        let error =
            FaceError::unknown("unknown_placeholder", "parents", "placeholder", name, known);
        match self.resource.placeholders.is_empty() {
            true => {
                error.hint(format!("`{}` has no parents: leave `parents` out.", self.resource.id))
            }
            false => error,
        }
    }
}

/// The records of a collection whose parent has one of these keys.
fn below_any(collection: &Collection, keys: &[String]) -> Filter {
    match &collection.parent {
        Some(parent) => Filter::Any(parent.field.clone(), Test::In(key_values(keys))),
        None => Filter::All,
    }
}

/// The keys of the records that pass.
fn keys(resource: &Resource<'_>, filter: Filter) -> Result<Vec<String>, FaceError> {
    let selection = Selection::of(filter);
    let scan = Scan { selection, order: Vec::new(), start: Start::First, limit: REFERRED + 1 };
    let rows = resource.opened.ask(|snapshot| snapshot.scan(&scan))?;
    if rows.len() > REFERRED {
        let message = format!(
            "a condition through a reference holds for more than {REFERRED} records of `{}`",
            resource.name()
        );
        return Err(FaceError::new("filter_too_wide", message)
            .at("filters")
            .hint("Narrow it down by another condition on that collection."));
    }
    Ok(rows.into_iter().map(|row| row.position.group).collect())
}

/// Keys as the values of fields that hold them: as texts, and as the numbers they may be.
fn key_values(keys: &[String]) -> Vec<Value> {
    let number = |key: &String| key.parse::<i64>().ok().map(|key| Value::Number(Number::from(key)));
    let mut values: Vec<Value> = keys.iter().filter_map(number).collect();
    values.extend(keys.iter().map(|key| Value::from(key.as_str())));
    values.sort_unstable();
    values
}

/// The reference a path leads through, the collection it refers to, and the path there.
fn through<'p>(collection: &'p Collection, path: &'p str) -> Option<(&'p str, &'p str, &'p str)> {
    path.match_indices('.').find_map(|(at, _)| {
        let reference = &path[..at];
        let target = collection.fields.get(reference)?.reference.as_deref()?;
        Some((reference, target, &path[at + 1..]))
    })
}

fn unfilterable(path: &str, field: &Field) -> FilterError {
    let reason = match field.searchable {
        true => "it is long text: find its words with search_records",
        false => "its collection is configured so",
    };
    let fault = FilterFault::Unfilterable { field: path.to_owned(), reason: reason.to_owned() };
    FilterError::new("field", fault)
}

/// A refused filter as the error of a request.
fn refused(error: &FilterError) -> FaceError {
    let code = match &*error.fault {
        FilterFault::UnknownField { .. } => "unknown_field",
        FilterFault::UnknownOperator { .. } => "unknown_operator",
        _ => "invalid_filter",
    };
    let message = error.fault.to_string();
    FaceError::new(code, format!("{}: {message}", error.at)).at(error.at.clone())
}

/// The order of `sort`.
///
/// # Errors
/// A path that is no field, or one that records cannot be ordered by.
pub(super) fn order(
    collection: &Collection,
    sort: &[String],
) -> Result<Vec<kitfox_core::Order>, FaceError> {
    use kitfox_core::{Direction, Order};
    if sort.is_empty() {
        let path = sys::UPDATED_AT.to_owned();
        return Ok(vec![Order { path, direction: Direction::Descending }]);
    }
    let order = |typed: &String| {
        let (path, direction) = match typed.strip_prefix('-') {
            Some(path) => (path, Direction::Descending),
            None => (typed.as_str(), Direction::Ascending),
        };
        check_path(collection, path, "sort", |field| field.sortable)?;
        Ok(Order { path: path.to_owned(), direction })
    };
    sort.iter().map(order).collect()
}

/// Checks that a path is a field that may be used so, or one of the system's.
///
/// # Errors
/// Where it is not, with the near ones that are.
pub(super) fn check_path(
    collection: &Collection,
    path: &str,
    parameter: &'static str,
    is_usable: impl Fn(&Field) -> bool,
) -> Result<(), FaceError> {
    const SYSTEM: [&str; 3] = [sys::KEY, sys::CREATED_AT, sys::UPDATED_AT];
    let found = collection.fields.get(path);
    if SYSTEM.contains(&path) || found.is_some_and(&is_usable) {
        return Ok(());
    }
    let usable = collection.fields.iter().filter(|(_, field)| is_usable(field));
    let usable: Vec<&str> = usable.map(|(path, _)| path.as_str()).chain(SYSTEM).collect();
    if found.is_some() {
        let message = format!("`{path}` cannot be used in `{parameter}`");
        return Err(FaceError::new("invalid_field", message).at(parameter).allow(usable));
    }
    Err(FaceError::unknown("unknown_field", parameter, "field", path, usable))
}

/// What the parents of a record are called, from its own data upwards.
pub(super) fn parents_of(
    faces: &Faces,
    resource: &Resource<'_>,
    data: &Json,
) -> Result<BTreeMap<String, String>, FaceError> {
    let mut parents = BTreeMap::new();
    let mut parent = resource.collection.parent.clone();
    let mut data = data.clone();
    while let Some(above) = parent.take() {
        let Some(key) = at(&data, &above.field).and_then(key_of) else { break };
        parents.insert(placeholder_of(&above.collection), key.clone());
        if parents.len() == resource.placeholders.len() {
            break;
        }
        let collection = faces.collection(&above.collection)?;
        let stored = collection.opened.ask(|snapshot| snapshot.group(&key))?;
        let Some(stored) = stored.first() else { break };
        data = serde_json::from_slice(&stored.payload).unwrap_or_default();
        parent = collection.collection.parent;
    }
    Ok(parents)
}

/// The value at a plain path.
fn at<'d>(data: &'d Json, path: &str) -> Option<&'d Json> {
    path.split('.').try_fold(data, |data, key| data.get(key))
}

/// The key a value stands for.
pub(super) fn key_of(value: &Json) -> Option<String> {
    match value {
        Json::String(key) => Some(key.clone()),
        Json::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}
