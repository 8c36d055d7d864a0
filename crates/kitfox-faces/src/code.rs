//! The code face: projects, and searching them.

mod drift;
mod hits;
mod live;
mod project_map;
mod read_artifacts;
mod related;
mod restrict;
mod scopes;
mod search_artifacts;
mod skeleton;
mod skeletons;
mod types;

use kitfox_core::Filter;
use kitfox_rank::CodeQuery;

use crate::limits::DEFAULT_HITS;
use crate::search::{Opened, Query, Ranking, page_size, search};
use crate::source::Source;
use crate::{FaceError, Faces, IndexStatus, Kind};

pub use project_map::{MapAnswer, MapDirectory, MapSymbol, ProjectMap};
pub use read_artifacts::{Artifact, ArtifactRead, ArtifactsAnswer, ReadArtifacts};
pub use related::FindRelated;
pub(crate) use scopes::normalised;
pub use search_artifacts::{Match, MatchesAnswer, SearchArtifacts, Syntax};
pub use skeleton::{FileSkeleton, SkeletonAnswer, SkeletonItem};
pub use skeletons::{Definition, DefinitionsAnswer, SearchSkeletons, Tests};
pub use types::{CodeAnswer, CodeHit, LanguageCount, Project, ProjectsAnswer, SemanticSearch};

impl Faces {
    /// Every code project with its size, languages and index state.
    ///
    /// # Errors
    /// An index that cannot be read.
    pub fn list_projects(&self) -> Result<ProjectsAnswer, FaceError> {
        let projects = self.of(Kind::Code).map(describe).collect::<Result<_, _>>()?;
        Ok(ProjectsAnswer { projects })
    }

    /// The passages of a project that best answer a query, as they are now.
    ///
    /// # Errors
    /// An unknown project, an empty query, a limit outside 1 to 50, a scope that is absolute or
    /// leaves the project, more than 20 scopes or globs, a malformed glob, an unknown language, or
    /// an index that cannot be read.
    pub fn semantic_search(&self, request: &SemanticSearch) -> Result<CodeAnswer, FaceError> {
        let project = self.project(request.project.as_deref())?;
        let limit = page_size(request.limit, DEFAULT_HITS)?;
        if request.query.trim().is_empty() {
            return Err(FaceError::empty_query("query"));
        }
        let opened = Opened::new(project)?;
        let restrict::Restriction { filter, message, mut warnings } =
            restrict::restrict(&opened, &within(request))?;
        let mut hits = Vec::new();
        if message.is_none() {
            let vector = self.embed(&request.query);
            if vector.is_none() {
                warnings.push(ONLY_WORDS.to_owned());
            }
            let query = Query::plain(&request.query, vector, filter);
            let ranking = CodeQuery::new(&request.query);
            hits = best_hits(&opened, query, Ranking::Code(&ranking), limit, &mut warnings)?;
        }
        Ok(CodeAnswer { hits, message, warnings, index: IndexStatus::of(project) })
    }

    fn project(&self, name: Option<&str>) -> Result<&Source, FaceError> {
        let names = || self.of(Kind::Code).map(|source| source.name.as_str());
        let found = match name {
            Some(name) => self.of(Kind::Code).find(|source| source.name == name),
            None if names().nth(1).is_none() => self.of(Kind::Code).next(),
            None => {
                return Err(FaceError::new("missing_project", "there are several projects")
                    .at("project")
                    .allow(names())
                    .hint("Name one; `list_projects` describes them."));
            }
        };
        found.ok_or_else(|| match name {
            Some(name) => {
                FaceError::unknown("unknown_project", "project", "project", name, names())
            }
            None => FaceError::new("no_project", "no code project is configured"),
        })
    }
}

const ONLY_WORDS: &str =
    "the query has no words the embedding model can read: searched by words only";

fn within(request: &SemanticSearch) -> restrict::Within<'_> {
    let SemanticSearch { scopes, globs, languages, .. } = request;
    restrict::Within { scopes, globs, languages }
}

fn describe(source: &Source) -> Result<Project, FaceError> {
    let groups = Opened::new(source)?.ask(|snapshot| snapshot.groups())?;
    let indexed = || groups.iter().filter(|group| group.documents > 0);
    let languages = indexed().map(|group| (source.language_of)(&group.name));
    Ok(Project {
        name: source.name.clone(),
        files: indexed().count(),
        passages: indexed().map(|group| group.documents as usize).sum(),
        languages: project_map::languages(languages),
        index: IndexStatus::of(source),
    })
}

/// Searches, spreads over files, and looks at each file once.
fn best_hits<'a>(
    opened: &'a Opened<'a>,
    query: Query,
    ranking: Ranking<'_>,
    limit: usize,
    warnings: &mut Vec<String>,
) -> Result<Vec<CodeHit>, FaceError> {
    let unrestricted = query.filter == Filter::All;
    let found = search([(opened, query)], ranking)?;
    if unrestricted && found.filtered == 0 {
        warnings.push("nothing of this project is indexed yet".to_owned());
    }
    hits::hits(&found, limit, &mut drift::Files::new(opened))
}
