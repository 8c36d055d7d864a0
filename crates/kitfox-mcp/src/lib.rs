//! The faces over MCP: which tools there are, how their arguments are read, and the transport.
//!
//! A tool is a row of a table ([`tools`]): name, description, parameters, output and the face method
//! it calls. Everything a client sees of a tool and everything that checks a call is derived from
//! that row, so that the two cannot differ. What an answer contains is decided by `kitfox-faces`
//! alone; this crate knows no engine, no file and no ranking.
//!
//! Standard output belongs to the protocol: nothing here prints.

mod server;

mod arguments;
mod schema;
mod tools;

pub use server::{ServeError, Server, serve_stdio};
pub use tools::definitions;
