//! One condition: a field, an operator and what it compares with, as a filter.

use std::ops::Bound::Included;

use serde_json::Value as Json;

use super::error::{near, short};
use super::operand::Operand;
use super::{FilterError, FilterFault, Meaning, Operator};
use crate::{At, Case, FieldType, Filter, Pattern, Schema, Test};

impl Schema {
    /// The filter that a condition on one field means.
    ///
    /// # Errors
    /// Where there is no such field, the field's type has no such operator, or the operand is not what
    /// the operator takes. [`FilterError::at`] says which: `field`, `op`, or what of `value`.
    pub fn condition(
        &self,
        path: &str,
        operator: &str,
        operand: &Json,
    ) -> Result<Filter, FilterError> {
        let of_type = self.field_type(path).ok_or_else(|| self.unknown_field(path))?;
        let operator = applicable(operator, path, of_type)?;
        let operand = Operand { field: path, of_type, operator, json: operand };
        let filter = filter(path, operator.meaning, &operand)?;
        Ok(if operator.negated { not(filter) } else { filter })
    }

    fn unknown_field(&self, path: &str) -> FilterError {
        let near = near(path, self.fields().map(|(path, _)| path));
        FilterError::new("field", FilterFault::UnknownField { field: short(path), near })
    }
}

fn applicable(
    name: &str,
    path: &str,
    of_type: FieldType,
) -> Result<&'static Operator, FilterError> {
    let allowed = || of_type.operators().map(|operator| operator.name).collect::<Vec<_>>();
    let field = path.to_owned();
    let fault = match Operator::named(name) {
        Some(operator) if operator.applies_to(of_type) => return Ok(operator),
        Some(Operator { name: operator, .. }) => {
            FilterFault::Inapplicable { operator, field, of_type, allowed: allowed() }
        }
        None => {
            let (near, allowed) = (near(name, allowed()), allowed());
            FilterFault::UnknownOperator { operator: short(name), near, field, of_type, allowed }
        }
    };
    Err(FilterError::new("op", fault))
}

fn filter(path: &str, meaning: Meaning, operand: &Operand<'_>) -> Result<Filter, FilterError> {
    let any = |test| Filter::Any(path.to_owned(), test);
    Ok(match meaning {
        Meaning::OneOf => {
            let (values, nulls) = operand.values()?;
            let is_one = (!values.is_empty()).then(|| any(Test::In(values)));
            let is_missing = (nulls > 0).then(|| not(any(Test::Present)));
            one_of(is_one.into_iter().chain(is_missing))
        }
        Meaning::AllOf => {
            let (values, _) = operand.values()?;
            all_of(values.into_iter().map(|value| any(Test::In(vec![value]))))
        }
        Meaning::Like(at, case) => {
            one_of(operand.texts()?.into_iter().map(|text| any(like(at, text, case))))
        }
        Meaning::Compares(test) => {
            let (values, _) = operand.values()?;
            one_of(values.into_iter().map(|value| any(test(value))))
        }
        Meaning::Between => {
            let (low, high) = operand.pair()?;
            any(Test::Between(Included(low), Included(high)))
        }
        Meaning::Exists => match operand.flag()? {
            true => any(Test::Present),
            false => not(any(Test::Present)),
        },
        Meaning::IsEmpty => match operand.flag()? {
            true => not(any(Test::Something)),
            false => any(Test::Something),
        },
        Meaning::Within => {
            let (center, kilometres) = operand.circle()?;
            any(Test::Within { center, kilometres })
        }
        Meaning::Inside => {
            let (south_west, north_east) = operand.corners()?;
            any(Test::Inside { south_west, north_east })
        }
    })
}

fn like(at: At, text: String, case: Case) -> Test {
    Test::Like(Pattern { at, text, case })
}

pub(super) fn not(filter: Filter) -> Filter {
    match filter {
        Filter::Not(inner) => *inner,
        filter => Filter::Not(Box::new(filter)),
    }
}

pub(super) fn one_of(filters: impl IntoIterator<Item = Filter>) -> Filter {
    single(filters.into_iter().collect()).unwrap_or_else(Filter::Or)
}

pub(super) fn all_of(filters: impl IntoIterator<Item = Filter>) -> Filter {
    single(filters.into_iter().collect()).unwrap_or_else(Filter::And)
}

/// The only one of these, or all of them again.
fn single(mut filters: Vec<Filter>) -> Result<Filter, Vec<Filter>> {
    match filters.pop() {
        Some(filter) if filters.is_empty() => Ok(filter),
        last => {
            filters.extend(last);
            Err(filters)
        }
    }
}
