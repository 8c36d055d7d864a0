//! The documentation face: categories, searching and reading.

mod library;
mod links;
mod list;
mod pattern;
mod read;
mod search;
mod types;

pub use types::{
    CategoriesAnswer, Category, Chunk, DocFile, DocHit, DocsAnswer, Link, ReadAnswer, ReadDoc,
    SearchDoc, SearchType,
};
