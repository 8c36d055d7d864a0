//! Asking the keeper of an index, or of a journal, over its local socket.
//!
//! One line of JSON is sent, lines of JSON come back:
//!
//! ```text
//! {"version":1,"ask":"state"}                                → {"state":STATE}
//! {"version":1,"ask":{"refresh":{"prune":false,"repair":false}}}
//!                          → {"state":STATE}*, then {"report":REPORT} or {"refused":"why"}
//! {"version":1,"ask":{"write":[CHANGE]}}
//!                          → {"outcomes":[OUTCOME]} or {"refused":"why"}
//! {"version":1,"ask":{"restore":{"force":false}}}
//!                          → {"outcomes":[]} or {"refused":"why"}
//! ```

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::time::Duration;

use kitfox_core::{Change, IndexState, Outcome, Phase};
use kitfox_sync::Report;
use serde::{Deserialize, Serialize};

/// Two versions do not understand each other: the asker then waits for its turn.
const VERSION: u32 = 1;

/// Longer lines are no message.
const MAX_LINE: u64 = 64 << 20;

/// A keeper answers within this time, be it only with its state.
const SILENCE: Duration = Duration::from_secs(5);

/// What a keeper can be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ask {
    /// How far it is.
    State,
    /// To look at everything.
    Refresh {
        /// Drop files even where most are gone.
        prune: bool,
        /// Compare with checksums first.
        repair: bool,
    },
    /// To make changes to records durable; of whoever keeps a journal.
    Write(Vec<Change>),
    /// To put the journal that was prepared beside it in its place; of whoever keeps it.
    Restore {
        /// Also where there are records.
        force: bool,
    },
}

/// A message to a keeper.
#[derive(Debug, Serialize, Deserialize)]
struct Message {
    version: u32,
    ask: Ask,
}

/// A line of an answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reply {
    /// How far it is; for [`Ask::Refresh`], more follows.
    State(State),
    /// What was done; the last line.
    Report(Report),
    /// What came of changes; the last line.
    Outcomes(Vec<Outcome>),
    /// Why it was not; the last line.
    Refused(String),
}

/// An [`IndexState`] as it is sent.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct State {
    phase: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    done: u64,
    total: u64,
}

/// Why there is no report.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum AskError {
    /// Nobody listens, or not as this version speaks.
    NoAnswer,
    /// The run failed, for this reason.
    Refused(String),
}

/// How far the keeper is; none where nobody answers.
pub(crate) fn state(socket: &Path) -> Option<IndexState> {
    match Answer::to(socket, &Ask::State).ok()?.next()? {
        Reply::State(state) => Some(state.into()),
        _ => None,
    }
}

/// Has the keeper refresh the index; `progress` is told how far it is, and whether to wait on.
pub(crate) fn refresh(
    socket: &Path,
    ask: &Ask,
    progress: impl Fn(IndexState) -> bool,
) -> Result<Report, AskError> {
    let answer = Answer::to(socket, ask).map_err(|_| AskError::NoAnswer)?;
    for reply in answer {
        match reply {
            Reply::State(state) => {
                if !progress(state.into()) {
                    break;
                }
            }
            Reply::Report(report) => return Ok(report),
            Reply::Refused(reason) => return Err(AskError::Refused(reason)),
            Reply::Outcomes(_) => break,
        }
    }
    Err(AskError::NoAnswer)
}

/// Has whoever keeps a journal do something.
pub(crate) fn journal(socket: &Path, ask: &Ask) -> Result<Vec<Outcome>, AskError> {
    let answer = Answer::to(socket, ask).map_err(|_| AskError::NoAnswer)?.next();
    match answer {
        Some(Reply::Outcomes(outcomes)) => Ok(outcomes),
        Some(Reply::Refused(reason)) => Err(AskError::Refused(reason)),
        _ => Err(AskError::NoAnswer),
    }
}

/// The question of whoever has connected; none where it is none.
pub(crate) fn read(stream: impl Read) -> Option<Ask> {
    let Message { version, ask } = read_line(&mut BufReader::new(stream)).ok()?;
    (version == VERSION).then_some(ask)
}

/// Sends one line of an answer.
pub(crate) fn reply(mut stream: impl Write, reply: &Reply) -> io::Result<()> {
    let mut line = serde_json::to_vec(reply)?;
    line.push(b'\n');
    stream.write_all(&line)
}

/// The lines of an answer, until its end or anything that is none.
struct Answer(BufReader<std::os::unix::net::UnixStream>);

impl Answer {
    fn to(socket: &Path, ask: &Ask) -> io::Result<Answer> {
        let mut stream = std::os::unix::net::UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(SILENCE))?;
        stream.set_write_timeout(Some(SILENCE))?;
        let mut line = serde_json::to_vec(&Message { version: VERSION, ask: ask.clone() })?;
        line.push(b'\n');
        stream.write_all(&line)?;
        Ok(Answer(BufReader::new(stream)))
    }
}

impl Iterator for Answer {
    type Item = Reply;

    fn next(&mut self) -> Option<Reply> {
        read_line(&mut self.0).ok()
    }
}

fn read_line<T: serde::de::DeserializeOwned>(stream: &mut impl BufRead) -> io::Result<T> {
    let mut line = Vec::new();
    stream.take(MAX_LINE).read_until(b'\n', &mut line)?;
    Ok(serde_json::from_slice(&line)?)
}

impl From<IndexState> for State {
    fn from(IndexState { phase, done, total }: IndexState) -> State {
        let (phase, failure) = match phase {
            Phase::Idle => ("idle", None),
            Phase::Indexing => ("indexing", None),
            Phase::Ready => ("ready", None),
            Phase::Failed(reason) => ("failed", Some(reason)),
        };
        State { phase: phase.to_owned(), failure, done, total }
    }
}

impl From<State> for IndexState {
    fn from(State { phase, failure, done, total }: State) -> IndexState {
        let phase = match (phase.as_str(), failure) {
            (_, Some(reason)) => Phase::Failed(reason),
            ("indexing", _) => Phase::Indexing,
            ("ready", _) => Phase::Ready,
            _ => Phase::Idle,
        };
        IndexState { phase, done, total }
    }
}
