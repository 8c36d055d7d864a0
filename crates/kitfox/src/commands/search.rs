//! `kitfox search`: refreshes, then prints the best passages of all sources.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kitfox_faces::AnyHit;
use kitfox_keeper::{Index, Run};
use serde_json::{Value, json};

use crate::output::{Exit, note, print, print_json};
use crate::progress::with_bar;
use crate::render;
use crate::workspace::Workspace;

/// How long a search waits for another process to finish writing before it takes what is there.
const PATIENCE: Duration = Duration::from_millis(300);

/// A search as asked for.
pub struct Query {
    /// What to find.
    pub text: String,
    /// How many passages.
    pub limit: usize,
    /// Only below this folder or file.
    pub path: Option<PathBuf>,
    /// Whether to tell how each passage got its score.
    pub explain: bool,
    /// Whether to look for changed files first.
    pub refresh: bool,
}

/// A path that restricts a search and cannot.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// It is not there.
    #[error("cannot search below {}: {source}", path.display())]
    Missing {
        /// As typed.
        path: PathBuf,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// No source has it.
    #[error("{} lies in no source; the sources are {sources}", path.display())]
    Foreign {
        /// As typed.
        path: PathBuf,
        /// All sources.
        sources: String,
    },
}

/// Runs the command.
pub fn search(workspace: &Workspace, query: &Query, json: bool) -> anyhow::Result<Exit> {
    let parts = parts(workspace, query.path.as_deref())?;
    let failures = match query.refresh {
        true => refresh(parts.iter().flat_map(|part| &part.indexes).copied()),
        false => {
            workspace.open()?;
            Vec::new()
        }
    };
    let hits = find(workspace, &parts, query)?;
    if json {
        let hits: Vec<Value> = hits.iter().map(|hit| as_json(hit, query.explain)).collect();
        print_json(&json!({ "hits": hits, "problems": failures }))?;
    } else if hits.is_empty() {
        note("nothing was found");
    } else {
        print(&render::hits(query, &hits))?;
    }
    Ok(match (hits.is_empty(), failures.is_empty()) {
        (false, _) => Exit::Done,
        (true, true) => Exit::Nothing,
        (true, false) => Exit::Source,
    })
}

fn as_json(hit: &AnyHit, explain: bool) -> Value {
    let mut value = json!(hit);
    if explain {
        value["explanation"] = hit.reasons.to_string().into();
    }
    value
}

/// Brings sources up to date; what fails is searched as it was, and said.
fn refresh<'a>(indexes: impl Iterator<Item = &'a Arc<Index>>) -> Vec<Value> {
    let mut failures = Vec::new();
    for index in indexes {
        let name = &index.source.name;
        match with_bar(name, &index.progress, || index.refresh(&Run::default(), PATIENCE)) {
            Ok(_) => {}
            Err(error) if error.is_busy() => {
                note(&format!("{name}: {error}; searching what is indexed so far"));
            }
            Err(error) => {
                note(&format!("{name}: {error}"));
                failures.push(json!({ "source": name, "error": error.to_string() }));
            }
        }
    }
    failures
}

fn find(workspace: &Workspace, parts: &[Part<'_>], query: &Query) -> anyhow::Result<Vec<AnyHit>> {
    let mut hits = Vec::new();
    let mut unknown = None;
    for part in parts {
        let faces = workspace.faces_of(&part.indexes);
        match faces.search_all(&query.text, Some(query.limit), part.path.as_deref()) {
            Ok(found) => hits.extend(found),
            // Sources around each other: what one does not take may be known to the next.
            Err(error) if error.parameter.as_deref() == Some("path") => unknown = Some(error),
            Err(error) => return Err(error.into()),
        }
    }
    if hits.is_empty()
        && let Some(error) = unknown
    {
        return Err(error.into());
    }
    if parts.len() > 1 {
        hits.sort_by(|left, right| right.score.total_cmp(&left.score));
        hits.truncate(query.limit);
    }
    Ok(hits)
}

/// Sources that are searched together: in all of them below the same relative path.
struct Part<'a> {
    path: Option<String>,
    indexes: Vec<&'a Arc<Index>>,
}

fn parts<'a>(workspace: &'a Workspace, path: Option<&Path>) -> Result<Vec<Part<'a>>, PathError> {
    let Some(typed) = path else {
        return Ok(vec![Part { path: None, indexes: workspace.indexes.iter().collect() }]);
    };
    let path = typed
        .canonicalize()
        .map_err(|source| PathError::Missing { path: typed.to_owned(), source })?;
    let mut parts: Vec<Part<'a>> = Vec::new();
    for index in &workspace.indexes {
        let Some(path) = inside(&index.source.root, &path) else { continue };
        match parts.iter_mut().find(|part| part.path == path) {
            Some(part) => part.indexes.push(index),
            None => parts.push(Part { path, indexes: vec![index] }),
        }
    }
    match parts.is_empty() {
        true => Err(PathError::Foreign { path: typed.to_owned(), sources: listed(workspace) }),
        false => Ok(parts),
    }
}

/// Where `path` lies in a source, `/`-separated; none inside where all of the source lies below
/// it, none at all where they have nothing in common.
fn inside(root: &Path, path: &Path) -> Option<Option<String>> {
    let root = root.canonicalize().ok()?;
    if root.starts_with(path) {
        return Some(None);
    }
    let inside = path.strip_prefix(&root).ok()?;
    let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
    Some(Some(names.join("/")))
}

fn listed(workspace: &Workspace) -> String {
    let listed: Vec<String> = workspace
        .indexes
        .iter()
        .map(|index| format!("{} ({})", index.source.name, index.source.root.display()))
        .collect();
    listed.join(", ")
}
