//! `kitfox clean`: removes indexes that nothing uses any more.

use kitfox_keeper::Cleaned;
use serde_json::json;

use crate::config::Settings;
use crate::output::{Exit, print, print_json};

/// Runs the command.
pub fn clean(settings: &Settings, all: bool, json: bool) -> anyhow::Result<Exit> {
    let embedder = kitfox_embed::built_in();
    let cleaned =
        kitfox_keeper::clean(&settings.data_dir, &settings.sources, embedder.as_ref(), all)?;
    let Cleaned { removed, bytes } = &cleaned;
    if json {
        print_json(&json!({ "removed": removed, "bytes": bytes }))?;
    } else if removed.is_empty() {
        print("nothing to remove\n")?;
    } else {
        let mut text = removed.iter().map(|name| format!("{name}\n")).collect::<String>();
        text.push_str(&format!("{:.1} MB freed\n", *bytes as f64 / 1e6));
        print(&text)?;
    }
    Ok(Exit::Done)
}
