//! Searching the documentation, page by page.

use kitfox_core::{Candidate, Expression, Filter, Stored, Text, WordQuery};
use kitfox_rank::{HYBRID_DEPTH, SNIPPET_WORDS, TURN, snippet};

use super::library::{Document, Library, Wanted};
use super::pattern::{self, Hits, Pattern};
use super::types::{DocHit, DocsAnswer, SearchDoc, SearchType};
use crate::search::{Query, page_size};
use crate::{FaceError, Faces};

/// Matches that can be paged through.
const DEEPEST: usize = 10_000;

impl Faces {
    /// A page of the chunks that match a pattern, in one total order: pages never overlap.
    ///
    /// # Errors
    /// A pattern without a reading, an unknown category, subcategory or document, a limit outside 1
    /// to 50, a semantic search of words the embedding model cannot read, or an index that cannot
    /// be read.
    pub fn search_doc(&self, request: &SearchDoc) -> Result<DocsAnswer, FaceError> {
        let limit = page_size(request.limit, self.settings.max_search_results)?;
        let reading = self.read_pattern(request)?;
        let library = Library::open(self)?;
        let wanted = Wanted::new(
            request.category.as_deref(),
            request.subcategory.as_deref(),
            request.file_name.as_deref(),
        );
        let found = library.find(&wanted)?;
        let scope = Scope { library: &library, wanted: &wanted, found: &found };
        let (pool, reading) = scope.search_or_relax(reading, &request.pattern)?;
        let order = pool.order(wanted.names_file());
        let page: Vec<usize> = order.iter().copied().skip(request.offset).take(limit).collect();
        let next = request.offset.saturating_add(limit);
        Ok(DocsAnswer {
            results: scope.results(&pool, &page, &reading.hits)?,
            next_offset: (next < order.len()).then_some(next),
            total: pool.total,
            interpreted_as: reading.interpreted_as,
            index: library.index.clone(),
        })
    }

    fn read_pattern(&self, request: &SearchDoc) -> Result<Reading, FaceError> {
        let text = request.pattern.trim();
        if request.search_type == SearchType::Text {
            return pattern::read(text).map(Reading::literal);
        }
        if text.is_empty() {
            return Err(FaceError::empty_query("pattern"));
        }
        let vector = self.embed(text);
        if request.search_type == SearchType::Hybrid {
            return Ok(Reading::hybrid(text, vector));
        }
        vector.map(|vector| Reading::semantic(text, vector)).ok_or_else(|| {
            FaceError::new(
                "unreadable_query",
                "`pattern` has no words the embedding model can read",
            )
            .at("pattern")
            .hint("Search it with `search_type` `text` or `hybrid`.")
        })
    }
}

/// How a pattern was read, ready to be asked.
struct Reading {
    words: Option<WordQuery>,
    vector: Option<Vec<f32>>,
    depth: usize,
    hits: Hits,
    interpreted_as: Option<String>,
    /// Whether any of the words may do where not all of them do.
    relaxable: bool,
}

impl Reading {
    fn literal(pattern: Pattern) -> Reading {
        let Pattern { expression, interpreted_as, operators } = pattern;
        Reading {
            hits: Hits::of(&expression),
            relaxable: !operators,
            words: Some(WordQuery::Match(expression)),
            vector: None,
            depth: DEEPEST,
            interpreted_as,
        }
    }

    fn relaxed(pattern: &str, read: Option<WordQuery>) -> Reading {
        let words = match read {
            Some(WordQuery::Match(expression)) => words_of(&expression),
            _ => Vec::new(),
        };
        let shown: Vec<&str> = words.iter().take(20).map(String::as_str).collect();
        let cut = if words.len() > shown.len() { " …" } else { "" };
        Reading {
            words: Some(WordQuery::Any(pattern.to_owned())),
            vector: None,
            depth: DEEPEST,
            hits: Hits::plain(pattern),
            interpreted_as: Some(format!(
                "nothing has all of it; ranked by any of: {}{cut}",
                shown.join(" OR ")
            )),
            relaxable: false,
        }
    }

    fn hybrid(text: &str, vector: Option<Vec<f32>>) -> Reading {
        let only_words = "words only: the embedding model can read none of them".to_owned();
        Reading {
            words: Some(WordQuery::Any(text.to_owned())),
            interpreted_as: vector.is_none().then_some(only_words),
            vector,
            depth: HYBRID_DEPTH,
            hits: Hits::plain(text),
            relaxable: false,
        }
    }

    fn semantic(text: &str, vector: Vec<f32>) -> Reading {
        Reading { words: None, ..Reading::hybrid(text, Some(vector)) }
    }

    fn query(&self, filter: Filter) -> Query {
        let (words, vector) = (self.words.clone(), self.vector.clone());
        Query { filter, words, vector, depth: self.depth }
    }
}

/// The words of an expression in the order they are written.
fn words_of(expression: &Expression) -> Vec<String> {
    match expression {
        Expression::Phrase { words, .. } => words.clone(),
        Expression::And(left, right)
        | Expression::Or(left, right)
        | Expression::Not(left, right) => [words_of(left), words_of(right)].concat(),
    }
}

/// Candidates of all shelves, best first.
#[derive(Default)]
struct Pool {
    candidates: Vec<Pooled>,
    total: usize,
}

struct Pooled {
    shelf: usize,
    candidate: Candidate,
    score: f32,
}

impl Pool {
    /// The order of all pages. Documents take turns, unless only one is asked for.
    fn order(&self, one_document: bool) -> Vec<usize> {
        let order: Vec<usize> = (0..self.candidates.len()).collect();
        if one_document {
            return order;
        }
        let document = |index: usize| {
            let pooled = &self.candidates[index];
            (pooled.shelf, pooled.candidate.group.as_str())
        };
        kitfox_rank::take_turns(&order, document, TURN)
    }
}

/// What a request is about.
struct Scope<'a> {
    library: &'a Library<'a>,
    wanted: &'a Wanted,
    found: &'a [&'a Document],
}

impl Scope<'_> {
    /// Searches; where nothing matches and any of the words may do, searches for those.
    fn search_or_relax(
        &self,
        reading: Reading,
        pattern: &str,
    ) -> Result<(Pool, Reading), FaceError> {
        let pool = self.search(&reading)?;
        if !pool.candidates.is_empty() || !reading.relaxable {
            return Ok((pool, reading));
        }
        let relaxed = Reading::relaxed(pattern, reading.words);
        Ok((self.search(&relaxed)?, relaxed))
    }

    fn search(&self, reading: &Reading) -> Result<Pool, FaceError> {
        let mut pool = Pool::default();
        for (shelf, opened) in self.library.shelves.iter().enumerate() {
            let filter = self.library.filter(shelf, self.wanted, self.found);
            let found = opened.search(reading.query(filter))?;
            let counted = reading.depth == DEEPEST;
            pool.total += if counted { found.matched } else { found.candidates.len() };
            let scored = found.candidates.into_iter().zip(found.scores);
            let mut scored: Vec<Option<(Candidate, f32)>> = scored.map(Some).collect();
            let best = found.order.iter().filter_map(|&index| scored[index].take());
            pool.candidates.extend(best.map(|(candidate, score)| Pooled {
                shelf,
                candidate,
                score,
            }));
        }
        pool.candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        Ok(pool)
    }

    fn results(&self, pool: &Pool, page: &[usize], hits: &Hits) -> Result<Vec<DocHit>, FaceError> {
        let mut results = Vec::with_capacity(page.len());
        for pooled in page.iter().map(|&index| &pool.candidates[index]) {
            let stored = self.library.shelves[pooled.shelf].fetch([&pooled.candidate])?;
            let source = &self.library.shelves[pooled.shelf].source.name;
            results.extend(stored.into_iter().map(|stored| result(pooled, source, stored, hits)));
        }
        Ok(results)
    }
}

fn result(pooled: &Pooled, source: &str, stored: Stored, hits: &Hits) -> DocHit {
    let document = Document::new(pooled.shelf, source, stored.group, 0);
    let place = stored.place;
    DocHit {
        category: document.category().to_owned(),
        subcategory: document.subcategory(),
        file_name: document.stem().to_owned(),
        chunk_number: stored.number,
        page_start: None,
        page_end: None,
        section: place.section,
        score: f64::from(pooled.score),
        snippet: snippet(&Text::new(stored.text), |word| hits.contains(word), SNIPPET_WORDS),
        path: document.path,
        lines: (place.start_line > 0).then(|| format!("{}-{}", place.start_line, place.end_line)),
    }
}
