//! Searching the documentation, page by page.

use kitfox_core::{Expression, Filter, Place, Text, WordPattern, WordQuery};
use kitfox_rank::{HYBRID_DEPTH, PageQuery, SNIPPET_WORDS, TURN, snippet};

use super::library::{Document, Library, Wanted};
use super::pattern::{self, Hits, Pattern};
use super::types::{DocHit, DocsAnswer, SearchDoc, SearchType};
use crate::search::{Found, Query, Ranking, page_size, search};
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
        let wanted = Wanted::new(
            request.category.as_deref(),
            request.subcategory.as_deref(),
            request.file_name.as_deref(),
        );
        // Listing all documents is the dearest part of a search, and an unrestricted one needs none.
        let library = match wanted.is_everything() {
            true => Library::unlisted(self)?,
            false => Library::open(self)?,
        };
        let documents = library.find(&wanted)?;
        let scope = Scope { library: &library, wanted: &wanted, documents: &documents };
        let (found, reading) = scope.search_or_relax(reading, &request.pattern)?;
        let order = turns(&found, wanted.names_file());
        let page = order.iter().skip(request.offset).take(limit);
        let next = request.offset.saturating_add(limit);
        Ok(DocsAnswer {
            results: page
                .map(|&index| result(&found, index, &reading.hits))
                .collect::<Result<_, _>>()?,
            next_offset: (next < order.len()).then_some(next),
            total: if reading.counted() { found.matched } else { found.candidates.len() },
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
    /// The pattern as plain language, where it was read so.
    plain: Option<PageQuery>,
}

impl Reading {
    fn literal(pattern: Pattern) -> Reading {
        let Pattern { expression, interpreted_as, operators } = pattern;
        Reading {
            hits: Hits::of(&expression),
            relaxable: !operators,
            words: Some(WordQuery::matching(expression)),
            vector: None,
            depth: DEEPEST,
            interpreted_as,
            plain: None,
        }
    }

    fn relaxed(pattern: &str) -> Reading {
        Reading {
            words: Some(WordQuery::any(pattern.to_owned())),
            vector: None,
            depth: DEEPEST,
            hits: Hits::plain(pattern),
            interpreted_as: None,
            relaxable: false,
            plain: Some(PageQuery::new(pattern)),
        }
    }

    fn hybrid(text: &str, vector: Option<Vec<f32>>) -> Reading {
        let only_words = "words only: the embedding model can read none of them".to_owned();
        Reading {
            words: Some(WordQuery::any(text.to_owned())),
            interpreted_as: vector.is_none().then_some(only_words),
            vector,
            depth: HYBRID_DEPTH,
            hits: Hits::plain(text),
            relaxable: false,
            plain: Some(PageQuery::new(text)),
        }
    }

    fn semantic(text: &str, vector: Vec<f32>) -> Reading {
        Reading { words: None, ..Reading::hybrid(text, Some(vector)) }
    }

    /// Whether every match counts, not only those that can be paged through.
    fn counted(&self) -> bool {
        self.depth == DEEPEST
    }

    /// The first words of an exact reading, as any-word alternatives.
    fn shown_words(&self) -> String {
        const SHOWN: usize = 20;
        let words = match self.words.as_ref().map(|words| &words.pattern) {
            Some(WordPattern::Match(expression)) => words_of(expression),
            _ => Vec::new(),
        };
        let cut = if words.len() > SHOWN { " …" } else { "" };
        format!("{}{cut}", words[..words.len().min(SHOWN)].join(" OR "))
    }

    fn query(&self, filter: Filter) -> Query {
        let (words, vector) = (self.words.clone(), self.vector.clone());
        Query { filter, words, vector, depth: self.depth }
    }
}

/// The words of an expression in the order they are written.
fn words_of(expression: &Expression) -> Vec<String> {
    match expression {
        Expression::Near(near) => {
            let terms = near.phrases.iter().flat_map(|phrase| &phrase.terms);
            terms.map(|term| term.word.clone()).collect()
        }
        Expression::Stem(word) => vec![word.clone()],
        Expression::And(left, right)
        | Expression::Or(left, right)
        | Expression::Not(left, right) => [words_of(left), words_of(right)].concat(),
    }
}

/// What a request is about.
struct Scope<'a> {
    library: &'a Library<'a>,
    wanted: &'a Wanted,
    documents: &'a [&'a Document],
}

impl<'a> Scope<'a> {
    /// Searches; where nothing matches and any of the words may do, searches for those.
    fn search_or_relax(
        &self,
        reading: Reading,
        pattern: &str,
    ) -> Result<(Found<'a>, Reading), FaceError> {
        let found = self.search(&reading)?;
        if !found.candidates.is_empty() || !reading.relaxable {
            return Ok((found, reading));
        }
        let words = reading.shown_words();
        let relaxed = Reading::relaxed(pattern);
        let found = self.search(&relaxed)?;
        let interpreted_as = Some(match found.candidates.is_empty() {
            true => format!("nothing has all of it, nor any of: {words}"),
            false => format!("nothing has all of it; ranked by any of: {words}"),
        });
        Ok((found, Reading { interpreted_as, ..relaxed }))
    }

    fn search(&self, reading: &Reading) -> Result<Found<'a>, FaceError> {
        let asked = self.library.shelves.iter().enumerate().map(|(shelf, opened)| {
            (opened, reading.query(self.library.filter(shelf, self.wanted, self.documents)))
        });
        search(asked, reading.plain.as_ref().map_or(Ranking::Legs, Ranking::Pages))
    }
}

/// The order of all pages. Documents take turns, unless only one is asked for.
fn turns(found: &Found<'_>, one_document: bool) -> Vec<usize> {
    if one_document {
        return found.order.clone();
    }
    kitfox_rank::take_turns(&found.order, |index| found.file(index), TURN)
}

fn result(found: &Found<'_>, index: usize, hits: &Hits) -> Result<DocHit, FaceError> {
    let stored = found.fetch(index)?;
    let document = Document::new(0, &found.owners[index].source.name, stored.group, 0);
    let place = stored.place;
    let shown = shown(stored.text, &place);
    Ok(DocHit {
        category: document.category().to_owned(),
        subcategory: document.subcategory(),
        file_name: document.stem().to_owned(),
        chunk_number: stored.number,
        page_start: None,
        page_end: None,
        section: place.section,
        score: f64::from(found.scores[index]),
        snippet: snippet(&shown, |word| hits.contains(word), SNIPPET_WORDS),
        path: document.path,
        lines: (place.start_line > 0).then(|| format!("{}-{}", place.start_line, place.end_line)),
    })
}

/// What a snippet is taken from: what the words of the text were looked for in.
fn shown(text: String, place: &Place) -> Text {
    let above = match place.header.as_str() {
        "" => String::new(),
        header => format!("{header}\n"),
    };
    let shift = above.len() as u32;
    let hidden = place.hidden.iter().map(|range| range.start + shift..range.end + shift);
    Text::hiding(above + &text, hidden.collect())
}
