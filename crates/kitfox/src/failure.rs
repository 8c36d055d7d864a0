//! The one table from an error to what the process returns and prints.

use kitfox_core::Error;
use kitfox_faces::FaceError;
use kitfox_keeper::IndexError;
use serde_json::json;

use crate::commands::PathError;
use crate::config::ConfigError;
use crate::output::{Exit, note, print_json};

/// Tells the user why a command failed, and returns the exit code.
pub fn report(error: &anyhow::Error, json: bool) -> Exit {
    let message = message(error);
    note(&message);
    if json {
        // Where stdout cannot be written, stderr has said it already.
        let _ = print_json(&json!({ "error": message }));
    }
    exit_of(error)
}

fn exit_of(error: &anyhow::Error) -> Exit {
    let usage = error.is::<ConfigError>()
        || error.is::<PathError>()
        || error.downcast_ref::<FaceError>().is_some_and(|error| error.parameter.is_some());
    if usage { Exit::Usage } else { Exit::Source }
}

/// The outermost message, with its cause where it is only context: errors of a type of their own
/// name their cause themselves.
fn message(error: &anyhow::Error) -> String {
    match error.downcast_ref::<IndexError>() {
        Some(cause @ IndexError::Engine(Error::Damaged { .. })) => {
            format!("{error}: {cause}; `kitfox index` builds it anew")
        }
        Some(cause) if cause.to_string() == error.to_string() => error.to_string(),
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}
