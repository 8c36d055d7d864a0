//! The embedded engine: one tantivy index a source, words and vectors under one commit point.
//!
//! It is an implementation of [`kitfox_core::Engine`] and knows neither files nor protocols. Words,
//! stored passages and values are tantivy's; vectors are a component of tantivy's segments
//! ([`vectors`]), so that they are committed, merged and collected with them; the groups and their
//! states are immutable parts that the commit's payload names ([`ledger`]). All of it is written
//! through one [`disk`].

mod analysis;
mod check;
mod damage;
mod disk;
mod engine;
mod facets;
mod filter;
mod guarded;
mod ledger;
mod near;
mod query;
mod scan;
mod schema;
mod search;
mod segment;
mod snapshot;
mod spellings;
mod values;
mod vectors;
mod writer;

#[cfg(test)]
mod faults;
#[cfg(test)]
mod tests;

pub use engine::{EmbeddedEngine, FORMAT};
