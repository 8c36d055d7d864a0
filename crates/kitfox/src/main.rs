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
use kitfox_keeper::Run;
use output::Exit;
use workspace::Workspace;

fn main() -> ExitCode {
    let cli = Cli::read();
    let json = cli.json;
    run(cli).unwrap_or_else(|error| failure::report(&error, json)).into()
}

fn run(cli: Cli) -> anyhow::Result<Exit> {
    let settings = settle(&cli)?;
    let json = cli.json;
    match cli.command {
        Command::Index { prune } => {
            let run = Run { prune, ..Run::default() };
            commands::index(&workspace(settings, "kitfox index")?, &run, json)
        }
        Command::Search(search) => {
            let is_root = settings.served_folder.is_some();
            let query = Query {
                text: search.query,
                limit: search.limit.into(),
                path: search.path.filter(|_| !is_root),
                explain: search.explain,
                refresh: !search.no_refresh,
            };
            commands::search(&workspace(settings, "kitfox search")?, &query, json)
        }
        Command::Serve => {
            let first = workspace(settings, "kitfox serve")?;
            commands::serve(first, move || Ok(settle(&cli)?))
        }
        Command::Status => commands::status(&workspace(settings, "kitfox status")?, json),
        Command::Check { repair } => {
            commands::check(&workspace(settings, "kitfox check")?, repair, json)
        }
        Command::Clean { all } => commands::clean(&settings, all, json),
        Command::Import { file, into } => {
            commands::import(&workspace(settings, "kitfox import")?, &file, &into, json)
        }
        Command::Export { collection } => {
            commands::export(&workspace(settings, "kitfox export")?, &collection)
        }
        Command::Backup { file } => {
            commands::backup(&workspace(settings, "kitfox backup")?, &file, json)
        }
        Command::Restore { file, force } => {
            commands::restore(&workspace(settings, "kitfox restore")?, &file, force, json)
        }
        Command::Similar { first, others } => commands::similar(&first, &others, json),
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

fn workspace(settings: Settings, signature: &str) -> anyhow::Result<Workspace> {
    settings.refuse_unlikely_folder()?;
    Ok(Workspace::new(settings, signature)?)
}
