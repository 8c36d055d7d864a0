//! The engine contract as a suite, and a plain engine in memory to compare others with.
//!
//! [`check_cases`] states each sentence of [`kitfox_core::Engine`] by example;
//! [`compare_histories`] lets an engine and a [`MemoryEngine`] live through the same random
//! histories and compares all they answer. For tests only: no part of the program uses it.

mod cases;
mod compare;
mod histories;
mod memory;
mod random;
mod snapshot;
mod vectors;
mod words;

pub use cases::check_cases;
pub use histories::{Compared, compare_histories};
pub use memory::{Groups, MemoryEngine};

use std::path::Path;

use kitfox_core::Engine;

/// The dimension of the suite's vectors.
pub const DIMENSION: usize = 8;

/// A kind of engine.
pub trait Subject {
    /// Opens the engine kept in a folder, or creates one there. Its vectors have [`DIMENSION`]
    /// elements.
    fn open(&self, folder: &Path) -> Box<dyn Engine>;
}
