//! The command line: what can be typed, and its help.

use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use kitfox_faces::limits;

use crate::config;

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  nothing was found, or damage was found
  2  the command line or the configuration is wrong
  3  a source could not be indexed or opened
";

/// Search your code and documentation, for AI agents (MCP) and for yourself.
#[derive(Debug, Parser)]
#[command(name = "kitfox", version, max_term_width = 100)]
pub struct Cli {
    /// The config file; without it, kitfox.toml in the current folder, else the folder itself.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Print one JSON object on stdout instead of text.
    #[arg(long, global = true)]
    pub json: bool,

    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Bring the index of every source up to date.
    #[command(after_help = "Examples:\n  kitfox index\n  kitfox --config team.toml index --prune")]
    Index {
        /// Also drop files from the index where more than half of a source is gone.
        #[arg(long)]
        prune: bool,
    },
    /// Search all sources by words and meaning.
    #[command(after_help = "Examples:\n  kitfox search \"where are retries configured\"\n  \
                            kitfox search parse_header src/http --limit 3\n  \
                            kitfox --json search \"rate limit\" --no-refresh")]
    Search(SearchArguments),
    /// Serve all sources to an agent: MCP on stdin and stdout.
    #[command(after_help = "Examples:\n  kitfox serve\n  \
                            claude mcp add kitfox -- kitfox --config /path/to/kitfox.toml serve")]
    Serve,
    /// Show what is indexed.
    #[command(after_help = "Examples:\n  kitfox status\n  kitfox --json status")]
    Status,
    /// Read every index and compare it with its checksums.
    #[command(after_help = "Examples:\n  kitfox check\n  kitfox check --repair")]
    Check {
        /// Build anew what is damaged.
        #[arg(long)]
        repair: bool,
    },
    /// Remove indexes that nothing uses any more.
    #[command(after_help = "Examples:\n  kitfox clean\n  kitfox clean --all")]
    Clean {
        /// Also those that were used within the last two weeks.
        #[arg(long)]
        all: bool,
    },
    /// Write the records of a file into a writable collection, in place of those of the same keys.
    #[command(after_help = "Examples:\n  kitfox import notes.jsonl --into notes")]
    Import {
        /// JSON Lines, JSON (an array), CSV or TSV.
        file: PathBuf,
        /// The collection.
        #[arg(long, value_name = "COLLECTION")]
        into: String,
    },
    /// Print the records of a writable collection, a line of JSON each, as they are at one moment.
    #[command(after_help = "Examples:\n  kitfox export notes > notes.jsonl")]
    Export {
        /// The collection.
        collection: String,
    },
    /// Copy all that cannot be made again, the records of writable collections, into one file.
    #[command(after_help = "Examples:\n  kitfox backup kitfox.backup")]
    Backup {
        /// The file; one that is there is replaced.
        file: PathBuf,
    },
    /// Put the records of a backup back, with their keys, revisions and times.
    #[command(after_help = "Examples:\n  kitfox restore kitfox.backup\n  \
                            kitfox restore kitfox.backup --force")]
    Restore {
        /// What `kitfox backup` wrote.
        file: PathBuf,
        /// Also where there are records: they are gone then.
        #[arg(long)]
        force: bool,
    },
    /// Show how alike the built-in model finds the first text and each of the others.
    #[command(after_help = "Examples:\n  kitfox similar \"parse json\" \"decode a document\"\n  \
                            kitfox similar retries backoff \"open a window\"")]
    Similar {
        /// The text to compare with.
        first: String,
        /// The texts compared with it.
        #[arg(required = true)]
        others: Vec<String>,
    },
    /// Show the MCP tools an agent would be offered.
    #[command(after_help = "Examples:\n  kitfox tools\n  kitfox --json tools")]
    Tools,
}

/// What to search for, and where.
#[derive(Debug, Args)]
pub struct SearchArguments {
    /// What to find: plain language, or names as they stand in the code.
    pub query: String,
    /// Only below this folder or file; without a config file, the folder to search.
    pub path: Option<PathBuf>,
    /// How many passages to print, 1 to 50.
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u8).range(1..=limits::RESULTS as i64))]
    pub limit: u8,
    /// Show how each passage got its score.
    #[arg(long)]
    pub explain: bool,
    /// Search what is indexed, without looking for changed files first.
    #[arg(long)]
    pub no_refresh: bool,
}

impl Cli {
    /// Reads the command line; on an error or a call for help, prints it and exits.
    pub fn read() -> Cli {
        let command = Cli::command()
            .after_help(EXIT_CODES)
            .after_long_help(format!("{}\n{EXIT_CODES}", config::help()));
        let matches = command.get_matches();
        Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
