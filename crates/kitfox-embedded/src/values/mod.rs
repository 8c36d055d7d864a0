//! The values documents are filtered, ordered and counted by.
//!
//! Each path is a column of its own in tantivy's columnar storage, whose dictionary holds the values
//! as texts that sort as the values do ([`keys`]). So a range of values is a range of ordinals, and
//! one structure answers filters, orders and facets alike ([`column`]).

mod column;
mod keys;

pub(crate) use column::ValueColumn;
pub(crate) use keys::{column_path, encode};
