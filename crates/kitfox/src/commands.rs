//! The commands, one module each.

mod check;
mod clean;
mod index;
mod search;
mod serve;
mod similar;
mod status;
mod tools;

pub use check::check;
pub use clean::clean;
pub use index::index;
pub use search::{PathError, Query, search};
pub use serve::serve;
pub use similar::similar;
pub use status::status;
pub use tools::tools;
