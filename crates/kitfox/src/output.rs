//! Printing: plain or coloured text, or one JSON object, on stdout; notes on stderr.

use std::io::{self, Write};

use serde::Serialize;

/// What the process returns to its shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Nothing was found, or damage was found.
    Nothing = 1,
    /// The command line or the configuration is wrong.
    Usage = 2,
    /// A source could not be indexed or opened.
    Source = 3,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        (exit as u8).into()
    }
}

/// Prints text on stdout; colours are dropped where it is not a terminal or NO_COLOR is set.
pub fn print(text: &str) -> io::Result<()> {
    let mut stdout = anstream::stdout().lock();
    unless_closed(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
}

/// Prints one JSON object on stdout.
pub fn print_json(value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_string(value)?;
    line.push('\n');
    let mut stdout = io::stdout().lock();
    unless_closed(stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush()))
}

/// Says something on stderr that is not part of the result.
pub fn note(text: &str) {
    // Nobody is left to be told that stderr is closed.
    let _ = writeln!(io::stderr().lock(), "kitfox: {text}");
}

/// A reader that has seen enough (`| head`) is no error.
fn unless_closed(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// A text from a file made safe for a terminal: control characters cannot move the cursor or change
/// colours.
pub fn printable(text: &str) -> String {
    let safe = |c: char| match c {
        '\t' => c,
        c if c.is_control() => '\u{FFFD}',
        c => c,
    };
    text.chars().map(safe).collect()
}
