//! The indexes of a data directory: where they lie, who writes them, how they are kept fresh.
//!
//! This crate knows no protocol, no ranking and no command line.

mod index;
mod turn;

pub use index::{Index, IndexError, PATIENCE, Run, kind_name};
pub use turn::{Turn, TurnError};
