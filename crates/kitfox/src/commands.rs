//! The commands, one module each.

mod check;
mod clean;
mod import;
mod index;
mod search;
mod serve;
mod similar;
mod status;
mod tools;
mod written;

pub use check::check;
pub use clean::clean;
pub use import::import;
pub use index::index;
pub use search::{PathError, Query, search};
pub use serve::serve;
pub use similar::similar;
pub use status::status;
pub use tools::tools;
pub use written::{backup, export, restore};
