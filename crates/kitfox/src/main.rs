//! kitfox: one nose for everything your people know. This is the binary: it reads the command line
//! and the configuration, and wires sources, indexes, faces and MCP together. It knows nothing of how
//! any of them works.

mod cli;
mod commands;
mod config;
mod failure;
mod highlight;
mod output;
mod progress;
mod render;
mod workspace;

use std::path::Path;
use std::process::ExitCode;

use cli::{Cli, Command, SearchArguments};
use commands::Query;
use config::{ConfigError, Settings};
use kitfox_keeper::{PATIENCE, Run};
use output::Exit;
use workspace::{Damaged, Workspace};

fn main() -> ExitCode {
    let cli = Cli::read();
    let json = cli.json;
    run(cli).unwrap_or_else(|error| failure::report(&error, json)).into()
}

fn run(cli: Cli) -> anyhow::Result<Exit> {
    let settings = settle(&cli)?;
    let json = cli.json;
    match cli.command {
        Command::Index { prune, verify } => {
            let run = Run { prune, verify, patience: PATIENCE };
            commands::index(&open(settings, "kitfox index", Damaged::Replace)?, run, json)
        }
        Command::Search(search) => {
            let is_root = settings.served_folder.is_some();
            let query = Query {
                text: search.query,
                limit: search.limit.into(),
                path: search.path.filter(|_| !is_root),
                refresh: !search.no_refresh,
            };
            let damaged = if query.refresh { Damaged::Replace } else { Damaged::Refuse };
            commands::search(&open(settings, "kitfox search", damaged)?, &query, json)
        }
        Command::Serve => commands::serve(open(settings, "kitfox serve", Damaged::Replace)?),
        Command::Status => {
            commands::status(&open(settings, "kitfox status", Damaged::Refuse)?, json)
        }
        Command::Check => commands::check(&settings, json),
        Command::Tools => commands::tools(&settings, json),
    }
}

/// The settings of the config file, or those of the folder that is served without one.
fn settle(cli: &Cli) -> Result<Settings, ConfigError> {
    let here = Path::new(".");
    match (&cli.config, &cli.command) {
        (Some(file), _) => Settings::read(file),
        (None, _) if config::is_in(here) => Settings::found_in(here),
        (None, Command::Search(SearchArguments { path: Some(path), .. })) => {
            Settings::of_folder(path)
        }
        (None, _) => Settings::of_folder(here),
    }
}

fn open(settings: Settings, signature: &str, damaged: Damaged) -> anyhow::Result<Workspace> {
    settings.refuse_unlikely_folder()?;
    Workspace::open(settings, signature, damaged)
}
