//! One committed state and what can be asked of it.

use std::sync::{Arc, Mutex, PoisonError};

use kitfox_core::{
    Address, Candidate, Candidates, Error, Group, Place, Result, Search, Snapshot, Stats, Stored,
    WordQuery,
};
use tantivy::columnar::{Column, StrColumn};
use tantivy::query::{EnableScoring, Weight};
use tantivy::schema::Value;
use tantivy::{
    BitSet, DocAddress, DocId, DocSet, Score, Searcher, SegmentReader, TERMINATED, TantivyDocument,
    TantivyError, Term,
};

use crate::engine::storage;
use crate::ledger::{Log, Table};
use crate::schema::Fields;
use crate::vectors::{self, SegmentVectors};
use crate::{filter, query};

/// A commit with everything opened.
pub(crate) struct State {
    searcher: Searcher,
    fields: Fields,
    segments: Vec<Segment>,
    log: Log,
    log_bytes: u64,
    dimension: usize,
    table: Mutex<Option<Arc<Table>>>,
}

/// The columns of one segment.
struct Segment {
    vectors: SegmentVectors,
    groups: Option<StrColumn>,
    numbers: Column<u64>,
}

impl State {
    /// The groups, read when first asked for: most searches need none, or few.
    fn table(&self) -> Result<Arc<Table>> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = table.as_ref() {
            return Ok(Arc::clone(table));
        }
        let read = Arc::new(self.log.read()?);
        *table = Some(Arc::clone(&read));
        Ok(read)
    }

    fn search(&self, search: &Search) -> tantivy::Result<Candidates> {
        let vector = search.vector.as_deref().map(vectors::Query::new);
        let words = search.words.as_ref().map(|words| self.weight(words)).transpose()?;
        let found = self
            .segments
            .iter()
            .zip(self.searcher.segment_readers())
            .map(|(segment, reader)| {
                let accepted = filter::accepted(&search.filter, reader, &self.fields)?;
                let words = match &words {
                    Some(weight) => matches(weight.as_ref(), reader, &accepted)?,
                    None => Vec::new(),
                };
                let near = vector
                    .as_ref()
                    .map(|vector| {
                        segment.vectors.scan(vector, search.depth, |doc| accepted.contains(doc))
                    })
                    .unwrap_or_default();
                Ok(Legs { words, near, filtered: accepted.len() })
            })
            .collect::<tantivy::Result<Vec<Legs>>>()?;
        let mut candidates = Vec::new();
        for (ordinal, document) in best_of_both(&found, search.depth) {
            candidates.push(self.candidate(ordinal, document, &found[ordinal], vector.as_ref())?);
        }
        candidates.sort_by(|a, b| (&a.group, a.number).cmp(&(&b.group, b.number)));
        Ok(Candidates {
            candidates,
            matched: found.iter().map(|legs| legs.words.len()).sum(),
            filtered: found.iter().map(|legs| legs.filtered).sum(),
        })
    }

    /// A word query with the statistics of the whole index, for all segments.
    fn weight(&self, words: &WordQuery) -> tantivy::Result<Box<dyn Weight>> {
        let query = query::translate(words, &self.fields, &self.searcher)?;
        query.weight(EnableScoring::enabled_from_searcher(&self.searcher))
    }

    fn candidate(
        &self,
        ordinal: usize,
        document: DocId,
        legs: &Legs,
        vector: Option<&vectors::Query>,
    ) -> tantivy::Result<Candidate> {
        let segment = &self.segments[ordinal];
        let bm25 = legs
            .words
            .binary_search_by_key(&document, |(document, _)| *document)
            .map_or(0.0, |at| legs.words[at].1);
        Ok(Candidate {
            address: Address { segment: ordinal as u32, document },
            group: segment.group(document)?,
            number: segment.number(document),
            bm25,
            cosine: vector.and_then(|vector| segment.vectors.cosine(document, vector)),
        })
    }

    fn stored(&self, address: Address) -> tantivy::Result<Stored> {
        let corrupt =
            |what| TantivyError::InternalError(format!("a stored document has no {what}"));
        let segment = self
            .segments
            .get(address.segment as usize)
            .ok_or_else(|| TantivyError::InvalidArgument("an address of another index".into()))?;
        let document: TantivyDocument =
            self.searcher.doc(DocAddress::new(address.segment, address.document))?;
        let text = |field| document.get_first(field).and_then(|value| value.as_str());
        let place: Place = document
            .get_first(self.fields.place)
            .and_then(|value| value.as_bytes())
            .and_then(|bytes| serde_json::from_slice(bytes).ok())
            .ok_or_else(|| corrupt("place"))?;
        Ok(Stored {
            group: segment.group(address.document)?,
            number: segment.number(address.document),
            heading: text(self.fields.title).ok_or_else(|| corrupt("heading"))?.to_owned(),
            text: text(self.fields.body).ok_or_else(|| corrupt("text"))?.to_owned(),
            place,
        })
    }

    /// The addresses of a group's documents.
    fn addresses(&self, name: &str) -> tantivy::Result<Vec<Address>> {
        let term = Term::from_field_text(self.fields.group, name);
        let option = tantivy::schema::IndexRecordOption::Basic;
        let mut addresses = Vec::new();
        for (ordinal, reader) in self.searcher.segment_readers().iter().enumerate() {
            let inverted = reader.inverted_index(self.fields.group)?;
            let Some(mut postings) = inverted.read_postings(&term, option)? else { continue };
            let mut document = postings.doc();
            while document != TERMINATED {
                if !reader.is_deleted(document) {
                    addresses.push(Address { segment: ordinal as u32, document });
                }
                document = postings.advance();
            }
        }
        Ok(addresses)
    }

    fn embedded(&self) -> usize {
        self.segments
            .iter()
            .zip(self.searcher.segment_readers())
            .map(|(segment, reader)| {
                reader.doc_ids_alive().filter(|&doc| segment.vectors.row(doc).is_some()).count()
            })
            .sum()
    }
}

impl Segment {
    fn open(reader: &SegmentReader, dimension: usize) -> tantivy::Result<Segment> {
        Ok(Segment {
            vectors: SegmentVectors::open(reader, dimension)?,
            groups: reader.fast_fields().str("group")?,
            numbers: reader.fast_fields().u64("number")?,
        })
    }

    fn group(&self, document: DocId) -> tantivy::Result<String> {
        let mut name = String::new();
        if let Some(column) = &self.groups
            && let Some(ordinal) = column.term_ords(document).next()
        {
            column.ord_to_str(ordinal, &mut name)?;
        }
        Ok(name)
    }

    fn number(&self, document: DocId) -> u32 {
        self.numbers.first(document).unwrap_or_default() as u32
    }
}

/// Every accepted document of a segment the words match, with its score, in document order.
fn matches(
    weight: &dyn Weight,
    reader: &SegmentReader,
    accepted: &BitSet,
) -> tantivy::Result<Vec<(DocId, Score)>> {
    let mut scorer = weight.scorer(reader, 1.0)?;
    let mut matches = Vec::new();
    let mut document = scorer.doc();
    while document != TERMINATED {
        if accepted.contains(document) {
            matches.push((document, scorer.score()));
        }
        document = scorer.advance();
    }
    Ok(matches)
}

/// What both legs found in one segment.
struct Legs {
    words: Vec<(DocId, Score)>,
    near: Vec<(f32, DocId)>,
    filtered: usize,
}

/// The union of the best `depth` of each leg over all segments, as (segment, document).
fn best_of_both(found: &[Legs], depth: usize) -> Vec<(usize, DocId)> {
    let leg = |scores: fn(&Legs) -> Vec<(f32, DocId)>| {
        let mut all: Vec<(f32, usize, DocId)> = found
            .iter()
            .enumerate()
            .flat_map(|(ordinal, legs)| {
                scores(legs).into_iter().map(move |(score, document)| (score, ordinal, document))
            })
            .collect();
        let best_first = |a: &(f32, usize, DocId), b: &(f32, usize, DocId)| {
            b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2)))
        };
        if all.len() > depth {
            all.select_nth_unstable_by(depth, best_first);
            all.truncate(depth);
        }
        all
    };
    let words = leg(|legs| legs.words.iter().map(|&(document, score)| (score, document)).collect());
    let near = leg(|legs| legs.near.clone());
    let mut union: Vec<(usize, DocId)> =
        words.into_iter().chain(near).map(|(_, ordinal, document)| (ordinal, document)).collect();
    union.sort_unstable();
    union.dedup();
    union
}

/// A state as handed out: cheap to clone, and all clones are of one commit.
#[derive(Clone)]
pub(crate) struct View(Arc<State>);

impl View {
    /// Opens the columns and vectors of a commit's segments.
    pub fn open(
        searcher: Searcher,
        fields: Fields,
        log: Log,
        log_bytes: u64,
        dimension: usize,
    ) -> Result<View> {
        let segments = searcher
            .segment_readers()
            .iter()
            .map(|reader| Segment::open(reader, dimension))
            .collect::<tantivy::Result<_>>()
            .map_err(|error| storage("opening a segment", error))?;
        let table = Mutex::default();
        Ok(View(Arc::new(State { searcher, fields, segments, log, log_bytes, dimension, table })))
    }
}

impl Snapshot for View {
    fn search(&self, search: &Search) -> Result<Candidates> {
        if let Some(vector) = &search.vector
            && vector.len() != self.0.dimension
        {
            return Err(Error::Dimension { expected: self.0.dimension, found: vector.len() });
        }
        self.0.search(search).map_err(|error| storage("searching", error))
    }

    fn fetch(&self, addresses: &[Address]) -> Result<Vec<Stored>> {
        addresses
            .iter()
            .map(|&address| self.0.stored(address))
            .collect::<tantivy::Result<_>>()
            .map_err(|error| storage("reading documents", error))
    }

    fn group(&self, name: &str) -> Result<Vec<Stored>> {
        let addresses =
            self.0.addresses(name).map_err(|error| storage("looking up a group", error))?;
        let mut documents = self.fetch(&addresses)?;
        documents.sort_by_key(|document| document.number);
        Ok(documents)
    }

    fn state(&self, name: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.0.table()?.get(name).map(|entry| entry.state.clone()))
    }

    fn groups(&self) -> Result<Vec<Group>> {
        let table = self.0.table()?;
        let groups = table.iter().map(|(name, entry)| Group {
            name: name.clone(),
            documents: entry.documents,
            state: entry.state.clone(),
        });
        Ok(groups.collect())
    }

    fn stats(&self) -> Result<Stats> {
        let space = self
            .0
            .searcher
            .space_usage()
            .map_err(|source| Error::Io { action: "measuring the index".to_owned(), source })?;
        Ok(Stats {
            groups: self.0.table()?.len(),
            documents: self.0.searcher.num_docs() as usize,
            embedded: self.0.embedded(),
            bytes: space.total().get_bytes() + self.0.log_bytes,
        })
    }
}
