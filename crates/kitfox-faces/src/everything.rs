//! One search across every source, whatever its kind: what a person at a terminal asks for.

use std::collections::BTreeSet;

use kitfox_core::Filter;
use kitfox_core::paths::PATH;
use kitfox_rank::{CodeQuery, PageQuery, Ranked, Reasons};
use serde::Serialize;

use crate::code::normalised;
use crate::search::{Found, Opened, Query, Ranking, page_size, search};
use crate::{FaceError, Faces, Kind};

/// A passage of any source.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnyHit {
    /// Name of the source.
    pub source: String,
    /// Path of the file, relative to the source.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Symbol path or heading breadcrumb; may be empty.
    pub section: String,
    /// The passage as indexed.
    pub content: String,
    /// What it is ordered by, larger is better.
    pub score: f64,
    /// How the score came about.
    #[serde(skip)]
    pub reasons: Reasons,
}

impl Faces {
    /// The best passages of all sources, or of the files at or below `path` in any of them; 5 where
    /// no limit is given.
    ///
    /// # Errors
    /// An empty query, a limit outside 1 to 50, a path that is not inside any source, or an index
    /// that cannot be read.
    pub fn search_all(
        &self,
        text: &str,
        limit: Option<usize>,
        path: Option<&str>,
    ) -> Result<Vec<AnyHit>, FaceError> {
        let limit = page_size(limit, self.settings.max_search_results)?;
        if text.trim().is_empty() {
            return Err(FaceError::empty_query("query"));
        }
        let opened: Vec<Opened<'_>> =
            self.sources.iter().map(Opened::new).collect::<Result<_, _>>()?;
        let path = path.map(|path| known_path(&opened, path)).transpose()?.unwrap_or_default();
        let filter = match path.as_str() {
            // Records have no path.
            "" => Filter::All,
            path => Filter::below(PATH, path),
        };
        let vector = self.embed(text);

        let query = || Query::plain(text, vector.clone(), filter.clone());
        let asked = opened.iter().map(|source| (source, query()));
        let (code, pages) = (CodeQuery::new(text), PageQuery::new(text));
        let ranking = match self.of(Kind::Code).next() {
            Some(_) => Ranking::Code(&code),
            None => Ranking::Pages(&pages),
        };
        let found = search(asked, ranking)?;
        found.spread(limit).into_iter().map(|best| hit(&found, best)).collect()
    }
}

fn hit(found: &Found<'_>, best: Ranked) -> Result<AnyHit, FaceError> {
    let stored = found.fetch(best.index)?;
    Ok(AnyHit {
        source: found.owners[best.index].source.name.clone(),
        path: stored.group,
        start_line: stored.place.start_line,
        end_line: stored.place.end_line,
        section: stored.place.section,
        content: stored.text,
        score: f64::from(best.score),
        reasons: Reasons { further: best.factor, ..found.reasons[best.index] },
    })
}

/// A path inside the sources, normalised; an error where no source has it.
fn known_path(opened: &[Opened<'_>], path: &str) -> Result<String, FaceError> {
    let path = normalised(path, "path")?;
    let mut known = BTreeSet::new();
    for source in opened {
        for group in source.ask(|snapshot| snapshot.groups())? {
            for (end, _) in group.name.match_indices('/') {
                known.insert(group.name[..end].to_owned());
            }
            known.insert(group.name);
        }
    }
    if path.is_empty() || known.contains(&path) {
        return Ok(path);
    }
    let known = known.iter().map(String::as_str);
    Err(FaceError::unknown("unknown_path", "path", "indexed file or folder", &path, known))
}
