//! Searching records: by every word, by meaning, by both.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use kitfox_core::{
    Address, Candidate, Candidates, Expression, Filter, Lexicon, Scan, Search, Selection, Snapshot,
    Start, Test, Value, WordQuery, sys,
};
use kitfox_rank::{FEEDBACK_RECORDS, MEANING_WEIGHT};
use serde_json::json;

use super::cursor::{Cursor, RequestDigest, expired};
use super::frozen::{LONGEST, RankedList};
use super::list::Listing;
use super::types::{ExecutionInfo, Page, RecordSearch, RecordsAnswer, SearchRecords, Total};
use super::words::{Corrections, Hits, Words};
use crate::{FaceError, Faces};

/// How many of the best of each leg a hybrid search ranks: both together make no longer list.
const LEG: usize = LONGEST / 2;
/// Records that `vector_boosted` lifts to the top.
const LIFTED: usize = 5;
/// Records that may be called exactly what the query says, and come first.
const EXACT: usize = 20;
/// How many of the best of each leg a query is moved by, of which few count.
const FEEDBACK_DEPTH: usize = 50;
/// Characters of a query that may be a key or the value of a field.
const LONGEST_IDENTIFIER: usize = 200;

impl Faces {
    /// A page of the records that match a query, best first. The order of all pages is that of the
    /// first.
    ///
    /// # Errors
    /// A query that says nothing; an unknown resource, field, operator, placeholder or facet; a limit
    /// outside 1 to 100; a cursor of another request or one whose list is gone; an index that cannot
    /// be read.
    pub fn search_records(&self, request: &SearchRecords) -> Result<RecordsAnswer, FaceError> {
        if request.query.trim().is_empty() {
            return Err(FaceError::empty_query("query")
                .hint("Say what to find, or list records by conditions with query_records."));
        }
        let listing = Listing::new(self, &request.records)?;
        let filter = listing.filter()?;
        let digest = digest(&listing, request);
        let (list, number, offset) = match &request.records.cursor {
            Some(cursor) => {
                let Cursor::Ranked { list, offset } = Cursor::decode(cursor, &digest)? else {
                    return Err(expired());
                };
                (self.frozen.get(list).ok_or_else(expired)?, Some(list), offset)
            }
            None => {
                let lexicons = listing.lexicons();
                let ranker =
                    Ranker { faces: self, listing: &listing, request, filter: &filter, lexicons };
                let list = Arc::new(ranker.rank()?);
                let is_longer = list.records.len() > listing.limit;
                (list.clone(), is_longer.then(|| self.frozen.keep(list)), 0)
            }
        };
        let shown = list.records.iter().skip(offset).take(listing.limit);
        let items = listing.records(shown.cloned(), &list.hits)?;
        let page = page(&list, number, offset, listing.limit, items.len(), &digest);
        let execution = ExecutionInfo {
            search_mode: Some(request.search_type.name()),
            applied_search_type: Some(list.applied.name()),
            warnings: list.warnings.clone(),
            ..ExecutionInfo::default()
        };
        listing.answer(items, page, &counted(&list, filter), execution)
    }
}

fn digest(listing: &Listing<'_, '_>, request: &SearchRecords) -> RequestDigest {
    let records = &request.records;
    RequestDigest::of(&json!([
        "search",
        listing.resource.id,
        request.query,
        request.search_type.name(),
        records.filters,
        records.locales,
        records.parents,
    ]))
}

fn page(
    list: &RankedList,
    number: Option<u64>,
    offset: usize,
    limit: usize,
    returned: usize,
    digest: &RequestDigest,
) -> Page {
    let end = offset.saturating_add(limit);
    let has_more = end < list.records.len();
    let cursor = |offset| number.map(|list| Cursor::Ranked { list, offset }.encode(digest));
    Page {
        has_more,
        returned,
        limit,
        next_cursor: if has_more { cursor(end) } else { None },
        previous_cursor: if offset > 0 { cursor(offset.saturating_sub(limit)) } else { None },
        total: list.total,
    }
}

/// What the total of a list counts.
fn counted(list: &RankedList, filter: Filter) -> Selection {
    match &list.words {
        Some(words) => Selection { filter, words: Some(words.clone()) },
        None => {
            let keys = list.records.iter().map(|(key, _)| Value::from(key.as_str()));
            Selection::of(Filter::Any(sys::KEY.to_owned(), Test::In(keys.collect())))
        }
    }
}

/// Ranks the records of one search.
struct Ranker<'r, 'a> {
    faces: &'a Faces,
    listing: &'r Listing<'r, 'a>,
    request: &'r SearchRecords,
    filter: &'r Filter,
    lexicons: Vec<Lexicon>,
}

impl Ranker<'_, '_> {
    fn rank(&self) -> Result<RankedList, FaceError> {
        match self.request.search_type {
            RecordSearch::Text => self.by_words(RecordSearch::Text),
            RecordSearch::VectorBoosted => self.by_words(RecordSearch::VectorBoosted),
            RecordSearch::Semantic => self.by_meaning(None),
            RecordSearch::Hybrid => {
                self.by_meaning(Some(self.words(WordQuery::any(&*self.request.query))))
            }
        }
    }

    /// Every word; with the nearest few first where they are to be lifted.
    fn by_words(&self, asked: RecordSearch) -> Result<RankedList, FaceError> {
        let words = Words::read(&self.request.query);
        if words.is_empty() {
            return Err(FaceError::new("empty_query", "`query` has no word to find")
                .at("query")
                .hint("Add a word that is not excluded by `-`."));
        }
        let mut corrections = Corrections::new();
        let mut warnings = Vec::new();
        let vector = match asked {
            RecordSearch::VectorBoosted => self.faces.embed(&self.request.query),
            _ => None,
        };
        let mut found = self.matching(&words, &corrections, vector.clone())?;
        if found.matched == 0 {
            corrections = self.corrections(&words)?;
            if !corrections.is_empty() {
                warnings.extend(corrections.iter().map(corrected));
                found = self.matching(&words, &corrections, vector.clone())?;
            }
        }
        let mut records = by_bm25(&found);
        if asked == RecordSearch::VectorBoosted {
            lift(&mut records, &found.candidates);
        }
        let exact = self.exact()?;
        let more = exact.iter().filter(|key| records.iter().all(|(found, _)| found != *key));
        let matched = found.matched + more.count();
        Ok(RankedList {
            records: first(exact, records),
            total: Total::Exactly(matched),
            words: words.expression(&corrections).map(|it| self.words(WordQuery::matching(it))),
            applied: asked,
            hits: words.hits(&corrections, &self.lexicons),
            warnings,
        })
    }

    fn matching(
        &self,
        words: &Words,
        corrections: &Corrections,
        vector: Option<Vec<f32>>,
    ) -> Result<Candidates, FaceError> {
        let words = words.expression(corrections);
        let words = words.map(|it| self.words(WordQuery::matching(it)));
        let search = self.query(words, vector, LONGEST);
        self.listing.resource.opened.ask(|snapshot| snapshot.search(&search))
    }

    fn query(&self, words: Option<WordQuery>, vector: Option<Vec<f32>>, depth: usize) -> Search {
        Search { filter: self.filter.clone(), words, vector, depth, marks: Vec::new() }
    }

    /// What to read instead of words that no record has.
    fn corrections(&self, words: &Words) -> Result<Corrections, FaceError> {
        let mut corrections = Corrections::new();
        for word in words.correctable() {
            if self.count(word)? > 0 {
                continue;
            }
            let mut instead: Vec<(u8, String)> = Vec::new();
            for (edits, near) in self.spellings(word)? {
                let is_worse = instead.first().is_some_and(|(best, _)| *best < edits);
                if !is_worse && self.count(&near)? > 0 {
                    instead.push((edits, near));
                }
            }
            if !instead.is_empty() {
                let instead = instead.into_iter().map(|(_, word)| word).collect();
                corrections.insert(word.to_owned(), instead);
            }
        }
        Ok(corrections)
    }

    /// The words one may be a misspelling of, in any of the locales, fewest wrong letters first.
    fn spellings(&self, word: &str) -> Result<BTreeSet<(u8, String)>, FaceError> {
        let mut found = BTreeSet::new();
        for lexicon in &self.lexicons {
            let near = |snapshot: &dyn Snapshot| snapshot.spellings(word, lexicon);
            found.extend(self.listing.resource.opened.ask(near)?);
        }
        Ok(found)
    }

    /// A query for words of the locales that are looked into.
    fn words(&self, query: WordQuery) -> WordQuery {
        query.among(&self.lexicons)
    }

    /// How many records have a word in some form.
    fn count(&self, word: &str) -> Result<usize, FaceError> {
        let words = self.words(WordQuery::matching(Expression::Stem(word.to_owned())));
        let selection = Selection { filter: self.filter.clone(), words: Some(words) };
        self.listing.resource.opened.ask(|snapshot| snapshot.count(&selection))
    }

    /// By meaning and, for a hybrid search, by any of the words.
    fn by_meaning(&self, words: Option<WordQuery>) -> Result<RankedList, FaceError> {
        let is_hybrid = words.is_some();
        let Some(vector) = self.faces.embed(&self.request.query) else {
            return self
                .without_meaning(is_hybrid, "the embedding model can read no word of the query");
        };
        let depth = if is_hybrid { LEG } else { LONGEST };
        let mut found = self.nearest(words, vector, depth)?;
        let has_cosine = found.candidates.iter().any(|candidate| candidate.cosine.is_some());
        if !has_cosine && self.embedded()? == 0 {
            return self.without_meaning(is_hybrid, "no record has an embedding");
        }
        let floor = self.faces.embedder.floor();
        let is_near = |c: &Candidate| c.cosine.is_some_and(|cosine| cosine >= floor);
        let near = found.candidates.iter().filter(|candidate| is_near(candidate)).count();
        found.candidates.retain(|candidate| candidate.bm25 > 0.0 || is_near(candidate));
        let mut records = ranked(&found.candidates, is_hybrid);
        if is_hybrid {
            records = first(self.exact()?, records);
        }
        let is_whole = found.matched <= depth && near < depth;
        let total = match records.len() {
            length if is_whole => Total::Exactly(length),
            at_least => Total::AtLeast { at_least },
        };
        records.truncate(LONGEST);
        Ok(RankedList {
            records,
            total,
            words: None,
            applied: self.request.search_type,
            hits: Hits::of(&self.request.query, &self.lexicons),
            warnings: Vec::new(),
        })
    }

    /// The records nearest to a vector; with words, those that have any of them too, and the vector
    /// is moved towards the best by both.
    fn nearest(
        &self,
        words: Option<WordQuery>,
        vector: Vec<f32>,
        depth: usize,
    ) -> Result<Candidates, FaceError> {
        let is_moved = words.is_some();
        let search = self.query(words, Some(vector.clone()), depth);
        self.listing.resource.opened.ask(|snapshot| {
            if !is_moved {
                return snapshot.search(&search);
            }
            let mut moved = |best: &[Candidate]| moved(snapshot, best, &vector);
            snapshot.search_twice(&search, FEEDBACK_DEPTH, &mut moved)
        })
    }

    fn embedded(&self) -> Result<usize, FaceError> {
        Ok(self.listing.resource.opened.ask(|snapshot| snapshot.stats())?.embedded)
    }

    /// Where there is no meaning to go by, a hybrid search is one by every word, and a semantic one
    /// finds nothing.
    fn without_meaning(&self, is_hybrid: bool, why: &str) -> Result<RankedList, FaceError> {
        let mut list = match is_hybrid {
            true => self.by_words(RecordSearch::Text)?,
            false => RankedList::nothing(RecordSearch::Semantic),
        };
        list.warnings.push(format!("nothing was searched by meaning: {why}"));
        Ok(list)
    }

    /// The records whose key, or whose field, is what the query says.
    fn exact(&self) -> Result<Vec<String>, FaceError> {
        let query = self.request.query.trim().trim_matches('"');
        let is_identifier =
            !query.contains(char::is_whitespace) && query.len() <= LONGEST_IDENTIFIER;
        if !is_identifier {
            return Ok(Vec::new());
        }
        let is_it = Filter::Any(sys::KEY.to_owned(), Test::In(vec![Value::from(query)]));
        let filter = Filter::And(vec![self.filter.clone(), is_it]);
        let selection = Selection::of(filter);
        let scan = Scan { selection, order: Vec::new(), start: Start::First, limit: EXACT };
        let rows = self.listing.resource.opened.ask(|snapshot| snapshot.scan(&scan))?;
        Ok(rows.into_iter().map(|row| row.position.group).collect())
    }
}

/// The query's vector, moved towards what the best records by words and meaning are about; none
/// where they have no vectors.
fn moved(
    snapshot: &dyn Snapshot,
    candidates: &[Candidate],
    vector: &[f32],
) -> kitfox_core::Result<Option<Vec<f32>>> {
    let legs = kitfox_rank::fuse(candidates, MEANING_WEIGHT);
    let scores: Vec<f32> = legs.iter().map(|legs| legs.total()).collect();
    let best = kitfox_rank::order(&scores).into_iter().take(FEEDBACK_RECORDS);
    let addresses: Vec<Address> = best.map(|at| candidates[at].address).collect();
    let vectors: Vec<Vec<f32>> = snapshot.vectors(&addresses)?.into_iter().flatten().collect();
    Ok(kitfox_rank::moved_towards(vector, &vectors))
}

/// All that match, by their words, scaled by what no record can reach.
fn by_bm25(found: &Candidates) -> Vec<(String, f32)> {
    let matching: Vec<&Candidate> = found.candidates.iter().filter(|c| c.bm25 > 0.0).collect();
    let scores: Vec<f32> = matching.iter().map(|c| c.bm25 / found.bm25_limit).collect();
    let order = kitfox_rank::order(&scores).into_iter();
    order.take(LONGEST).map(|at| (matching[at].group.clone(), scores[at])).collect()
}

/// By both legs where both were asked, else by meaning alone.
fn ranked(candidates: &[Candidate], is_hybrid: bool) -> Vec<(String, f32)> {
    let scores: Vec<f32> = match is_hybrid {
        true => kitfox_rank::fuse(candidates, MEANING_WEIGHT).iter().map(|it| it.total()).collect(),
        false => candidates.iter().map(|it| it.cosine.unwrap_or_default()).collect(),
    };
    let order = kitfox_rank::order(&scores).into_iter();
    order.map(|at| (candidates[at].group.clone(), scores[at])).collect()
}

/// Moves the nearest few to the top, with their cosine; the others keep their order, and have none.
fn lift(records: &mut Vec<(String, f32)>, candidates: &[Candidate]) {
    let cosine = |key: &str| {
        let at = candidates.binary_search_by(|candidate| candidate.group.as_str().cmp(key)).ok();
        at.and_then(|at| candidates[at].cosine)
    };
    let mut near: Vec<(String, f32)> =
        records.iter().filter_map(|(key, _)| Some((key.clone(), cosine(key)?))).collect();
    near.sort_by(|a, b| b.1.total_cmp(&a.1));
    near.truncate(LIFTED);
    let rest = std::mem::take(records).into_iter().map(|(key, _)| (key, 0.0));
    *records = near;
    let lifted: HashSet<String> = records.iter().map(|(key, _)| key.clone()).collect();
    records.extend(rest.filter(|(key, _)| !lifted.contains(key)));
}

/// Puts some records before all others.
fn first(exact: Vec<String>, records: Vec<(String, f32)>) -> Vec<(String, f32)> {
    let rest = records.into_iter().filter(|(key, _)| !exact.contains(key)).collect::<Vec<_>>();
    exact.iter().map(|key| (key.clone(), 1.0)).chain(rest).collect()
}

fn corrected((word, instead): (&String, &Vec<String>)) -> String {
    let instead: Vec<String> = instead.iter().map(|word| format!("`{word}`")).collect();
    format!("no record has `{word}`; it was read as {}", instead.join(" or "))
}
