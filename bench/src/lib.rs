//! What the benchmarks share: records that are made up, and times.
//!
//! Everything random is seeded: every run makes the same and asks the same.

pub mod catalogue;
pub mod memory;
pub mod times;
