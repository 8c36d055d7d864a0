//! The indexes of a data directory: where they lie, who writes them, how they are kept fresh and
//! cleaned.
//!
//! An [`Index`] belongs to one source. Of all processes that have it open, one at a time is its
//! *keeper* ([`Keeper`]): it holds the lock beside the index as long as it lives, follows the changes
//! of the source, and does what others ask for over a local socket ([`ask`]). Whoever only reads
//! follows the commits. This crate knows no protocol of agents, no ranking and no command line.

mod ask;
mod clean;
mod engine;
mod error;
mod group;
mod index;
mod journaled;
mod keep;
mod listen;
mod place;
mod turn;

pub use clean::{Cleaned, clean};
pub use engine::LazyEngine;
pub use error::IndexError;
pub use index::{Index, PATIENCE, Run};
pub use journaled::{CurrentEngine, Journaled};
pub use keep::Keeper;
pub use place::kind_name;
pub use turn::{Turn, TurnError};
