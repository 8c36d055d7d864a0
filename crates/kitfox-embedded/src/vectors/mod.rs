//! One int8 vector a document, as a component of tantivy segments.
//!
//! tantivy writes, merges, checksums and collects the vector files like its own: the doc id is the
//! address of a vector and the alive bitset says whether it still counts. Searching is an exact
//! scan: 256 bytes a vector read about as fast as memory delivers them.
//!
//! - `kernel`: quantised queries and the dot products, the only `unsafe` code.
//! - `file`: the file format.
//! - `component`: writing and merging within the life of a segment.
//! - `scan`: reading and searching one segment.
//!
//! A schema declares the field as [`VectorPlugin`] says, an index registers the plugin both when it
//! is created and when it is opened, and a document gets its value from [`quantise`].

mod component;
mod file;
mod kernel;
mod scan;
#[cfg(test)]
mod tests;

pub use component::VectorPlugin;
pub use kernel::{Query, quantise};
pub use scan::SegmentVectors;
