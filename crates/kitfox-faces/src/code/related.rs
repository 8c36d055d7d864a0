//! The passages most like one passage.

use kitfox_core::{Filter, Place, Stored, Text};
use kitfox_rank::HYBRID_DEPTH;

use super::drift::Files;
use super::normalised;
use super::types::CodeAnswer;
use crate::error::quote;
use crate::limits::DEFAULT_HITS;
use crate::search::{Opened, Query, Ranking, page_size, search};
use crate::{FaceError, Faces, IndexStatus};

/// A request for passages like the one at a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindRelated {
    /// The project; may be left out where there is one.
    pub project: Option<String>,
    /// The file, relative to the project.
    pub path: String,
    /// A line of the passage, 1-based.
    pub line: u32,
    /// How many hits, 1 to 50; 5 where absent.
    pub limit: Option<usize>,
}

impl Faces {
    /// The passages nearest in meaning to the one at a line, that one left out.
    ///
    /// # Errors
    /// An unknown project, a file that is not indexed, a limit outside 1 to 50, or an index that
    /// cannot be read.
    pub fn find_related(&self, request: &FindRelated) -> Result<CodeAnswer, FaceError> {
        let project = self.project(request.project.as_deref())?;
        let limit = page_size(request.limit, DEFAULT_HITS)?;
        let opened = Opened::new(project)?;
        let mut files = Files::new(&opened);
        let origin = passage(&opened, request, &mut files)?;
        let index = IndexStatus::of(project);
        let mut answer =
            CodeAnswer { hits: Vec::new(), message: None, warnings: Vec::new(), index };
        // As it was embedded when it was indexed.
        let texts = [Text::new(origin.heading.as_str()), Text::new(origin.text.as_str())];
        let vector = self.embedder.embed(&[&texts[0], &texts[1]]);
        if vector.is_none() {
            let warning = "this passage has no words the embedding model can read";
            answer.warnings.push(warning.to_owned());
            return Ok(answer);
        }
        let query = Query { filter: Filter::All, words: None, vector, depth: HYBRID_DEPTH };
        let mut found = search([(&opened, query)], Ranking::Legs)?;
        let candidates = &found.candidates;
        let is_origin = |at: usize| {
            (&candidates[at].group, candidates[at].number) == (&origin.group, origin.number)
        };
        found.order.retain(|&at| !is_origin(at));
        answer.hits = super::hits::hits(&found, limit, &mut files)?;
        if let Some(warning) = files.now(origin)?.warning {
            answer.warnings.push(format!("{}: {warning}", quote(&request.path)));
        }
        Ok(answer)
    }
}

/// The passage at a line of the file as it is now, or the nearest one.
fn passage(
    opened: &Opened<'_>,
    request: &FindRelated,
    files: &mut Files<'_>,
) -> Result<Stored, FaceError> {
    let path = normalised(&request.path, "path")?;
    let mut nearest: Option<(u32, Stored)> = None;
    for stored in opened.ask(|snapshot| snapshot.group(&path))? {
        let now = files.place(&stored)?;
        let Place { start_line, end_line, .. } = now.as_ref().unwrap_or(&stored.place);
        let before = start_line.saturating_sub(request.line);
        let away = before.max(request.line.saturating_sub(*end_line));
        if nearest.as_ref().is_none_or(|(least, _)| away < *least) {
            nearest = Some((away, stored));
        }
    }
    if let Some((_, stored)) = nearest {
        return Ok(stored);
    }
    let groups = opened.ask(|snapshot| snapshot.groups())?;
    let known = groups.iter().filter(|group| group.documents > 0).map(|group| group.name.as_str());
    Err(FaceError::unknown("unknown_path", "path", "indexed file", &path, known))
}
