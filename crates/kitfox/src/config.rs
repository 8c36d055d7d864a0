//! The config file `kitfox.toml`, in two stages: what was typed, checked key by key ([`raw`]), and
//! the validated [`Settings`] the rest of the program works with.

mod error;
mod keys;
mod raw;
mod records;
mod settings;

pub use error::ConfigError;
pub use keys::help;
pub use settings::{Settings, is_in};

/// The config file looked for in the current folder.
pub const FILE_NAME: &str = "kitfox.toml";
