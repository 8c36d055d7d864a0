//! One search across every source, whatever its kind: what a person at a terminal asks for.

use std::collections::BTreeSet;

use kitfox_core::{Candidate, Field, Filter};
use kitfox_rank::{FURTHER_PASSAGE, MEANING_WEIGHT};
use serde::Serialize;

use crate::code::normalised;
use crate::search::{Opened, Query, page_size};
use crate::{FaceError, Faces};

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
    /// Fused score, larger is better.
    pub score: f64,
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
        query: &str,
        limit: Option<usize>,
        path: Option<&str>,
    ) -> Result<Vec<AnyHit>, FaceError> {
        let limit = page_size(limit, self.settings.max_search_results)?;
        if query.trim().is_empty() {
            return Err(FaceError::empty_query("query"));
        }
        let opened: Vec<Opened<'_>> =
            self.sources.iter().map(Opened::new).collect::<Result<_, _>>()?;
        let path = path.map(|path| known_path(&opened, path)).transpose()?.unwrap_or_default();
        let filter = Filter::Below(Field::Path, path);
        let vector = self.embed(query);

        let mut found = Vec::new();
        for source in &opened {
            let query = Query::plain(query, vector.clone(), filter.clone());
            let candidates = source.search(query)?.candidates;
            found.extend(candidates.into_iter().map(|candidate| (source, candidate)));
        }
        best_of(found, limit)
            .map(|(source, candidate, score)| hit(source, &candidate, score))
            .collect()
    }
}

type Owned<'a> = (&'a Opened<'a>, Candidate);

/// The best of all candidates, spread over files. They are fused together: scores scaled source by
/// source would make the best of each source equal, however far it is from the query.
fn best_of<'a>(
    found: Vec<Owned<'a>>,
    limit: usize,
) -> impl Iterator<Item = (&'a Opened<'a>, Candidate, f32)> {
    let (owners, candidates): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let scores = kitfox_rank::fuse(&candidates, MEANING_WEIGHT);
    let order = kitfox_rank::order(&scores);
    let file = |index: usize| (&owners[index].source.name, &candidates[index].group);
    let ranked = kitfox_rank::diversify(&order, &scores, file, FURTHER_PASSAGE);
    ranked
        .into_iter()
        .take(limit)
        .map(move |best| (owners[best.index], candidates[best.index].clone(), best.score))
}

fn hit(source: &Opened<'_>, candidate: &Candidate, score: f32) -> Result<AnyHit, FaceError> {
    let stored = source.fetch([candidate])?.into_iter().next();
    let stored = stored.ok_or_else(|| {
        FaceError::new("index_damaged", format!("the index of `{}` lost a hit", source.source.name))
    })?;
    Ok(AnyHit {
        source: source.source.name.clone(),
        path: stored.group,
        start_line: stored.place.start_line,
        end_line: stored.place.end_line,
        section: stored.place.section,
        content: stored.text,
        score: f64::from(score),
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
