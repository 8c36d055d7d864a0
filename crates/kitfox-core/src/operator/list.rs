//! A list of conditions and groups of them, as a filter.

use serde_json::{Map, Value as Json};

use super::condition::{all_of, not, one_of};
use super::error::{near, short, shown};
use super::{FilterError, FilterFault};
use crate::{Filter, Schema};

/// How deep groups are nested at most.
pub const MAX_FILTER_DEPTH: usize = 8;
/// Conditions a list has at most, those in groups included.
pub const MAX_FILTER_CONDITIONS: usize = 256;

const CONDITION: &[&str] = &["field", "op", "value"];
const GROUPS: &[&str] = &["any_of", "all_of", "not"];
const MEMBERS: &[&str] = &["field", "op", "value", "any_of", "all_of", "not"];

type Result<T> = std::result::Result<T, FilterError>;

impl Schema {
    /// The filter that a list of conditions means: all hold, and an empty list matches everything.
    ///
    /// Each is an object, either `{field, op, value}` (`op` is `eq` where it is left out) or a group:
    /// `{any_of: […]}`, `{all_of: […]}` or `{not: {…}}`.
    ///
    /// # Errors
    /// For what [`Schema::condition`] refuses, for anything else in the list, and above
    /// [`MAX_FILTER_DEPTH`] and [`MAX_FILTER_CONDITIONS`].
    pub fn filter(&self, list: &Json) -> Result<Filter> {
        read_filter(list, &mut |field, operator, value| self.condition(field, operator, value))
    }
}

/// The same, where single conditions are read by `condition`, given a field, an operator and what it
/// compares with.
///
/// # Errors
/// Those of `condition`, and those of [`Schema::filter`] for the list around them.
pub fn read_filter(list: &Json, condition: Condition<'_>) -> Result<Filter> {
    let mut reader = Reader { condition, conditions: 0, depth: 0 };
    match reader.list(list).map_err(|error| error.within("filters"))? {
        filters if filters.is_empty() => Ok(Filter::All),
        filters => Ok(all_of(filters)),
    }
}

type Condition<'a> = &'a mut dyn FnMut(&str, &str, &Json) -> Result<Filter>;

struct Reader<'a> {
    condition: Condition<'a>,
    conditions: usize,
    /// In how many groups.
    depth: usize,
}

impl Reader<'_> {
    fn list(&mut self, list: &Json) -> Result<Vec<Filter>> {
        let list = list.as_array().ok_or_else(|| shape("a list of conditions", list))?;
        let mut filters = Vec::new();
        for (number, json) in list.iter().enumerate() {
            filters.push(self.any(json).map_err(|error| error.within(&format!("[{number}]")))?);
        }
        Ok(filters)
    }

    /// A condition or a group.
    fn any(&mut self, json: &Json) -> Result<Filter> {
        let members = json.as_object().ok_or_else(|| shape("an object with a condition", json))?;
        if let Some(unknown) = members.keys().find(|key| !MEMBERS.contains(&key.as_str())) {
            return Err(unknown_member(unknown));
        }
        let present = |names: &[&'static str]| -> Vec<&'static str> {
            names.iter().copied().filter(|name| members.contains_key(*name)).collect()
        };
        match (present(CONDITION).is_empty(), present(GROUPS).as_slice()) {
            (_, []) => self.condition(members),
            (true, [group]) => {
                let inner = members.get(*group).unwrap_or(&Json::Null);
                self.group(group, inner).map_err(|error| error.within(group))
            }
            _ => Err(fault("", FilterFault::Ambiguous { found: present(MEMBERS) })),
        }
    }

    fn condition(&mut self, members: &Map<String, Json>) -> Result<Filter> {
        self.conditions += 1;
        if self.conditions > MAX_FILTER_CONDITIONS {
            return Err(fault("", FilterFault::TooMany { most: MAX_FILTER_CONDITIONS }));
        }
        let field = name(members, "field", "the path of a field")?;
        let operator = match members.contains_key("op") {
            true => name(members, "op", "the name of an operator")?,
            false => "eq",
        };
        (self.condition)(field, operator, member(members, "value")?)
    }

    fn group(&mut self, group: &'static str, inner: &Json) -> Result<Filter> {
        if self.depth == MAX_FILTER_DEPTH {
            return Err(fault("", FilterFault::TooDeep { most: MAX_FILTER_DEPTH }));
        }
        self.depth += 1;
        let filter = match group {
            "not" => not(self.any(inner)?),
            _ => {
                let filters = self.list(inner)?;
                match (filters.is_empty(), group) {
                    (true, _) => return Err(fault("", FilterFault::EmptyGroup { group })),
                    (false, "any_of") => one_of(filters),
                    (false, _) => all_of(filters),
                }
            }
        };
        self.depth -= 1;
        Ok(filter)
    }
}

fn name<'m>(
    members: &'m Map<String, Json>,
    member_name: &'static str,
    expected: &'static str,
) -> Result<&'m str> {
    let json = member(members, member_name)?;
    json.as_str().ok_or_else(|| shape(expected, json).within(member_name))
}

fn member<'m>(members: &'m Map<String, Json>, member: &'static str) -> Result<&'m Json> {
    members.get(member).ok_or_else(|| fault("", FilterFault::MissingMember { member }))
}

fn unknown_member(name: &str) -> FilterError {
    let near = near(name, MEMBERS.iter().copied());
    let fault = FilterFault::UnknownMember { member: short(name), near, allowed: MEMBERS };
    FilterError::new("", fault)
}

fn shape(expected: &'static str, found: &Json) -> FilterError {
    fault("", FilterFault::Shape { expected, found: shown(found) })
}

fn fault(at: &str, fault: FilterFault) -> FilterError {
    FilterError::new(at, fault)
}
