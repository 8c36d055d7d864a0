//! One committed state and what can be asked of it.

use std::sync::Arc;

use kitfox_core::{
    Address, Candidates, Error, Facet, Group, Lexicon, Moving, Place, Result, Row, Scan, Search,
    Selection, Snapshot, Stats, Stored,
};
use tantivy::schema::Value;
use tantivy::{
    DocAddress, DocSet, Index, Searcher, TERMINATED, TantivyDocument, TantivyError, Term,
};

use crate::disk::{Disk, failed};
use crate::engine::storage;
use crate::ledger::Table;
use crate::schema::Fields;
use crate::search::{Corpus, Matching};
use crate::segment::Segment;
use crate::{facets, scan, spellings, vectors};

/// A commit with everything opened.
pub(crate) struct State {
    disk: Arc<dyn Disk>,
    searcher: Searcher,
    fields: Fields,
    segments: Vec<Segment>,
    table: Table,
    dimension: usize,
}

impl State {
    fn corpus(&self) -> Corpus<'_> {
        let State { searcher, fields, segments, .. } = self;
        Corpus { searcher, fields, segments }
    }

    /// A vector to search by.
    fn query(&self, vector: Option<&[f32]>) -> Result<Option<vectors::Query>> {
        if let Some(vector) = vector
            && vector.len() != self.dimension
        {
            return Err(Error::Dimension { expected: self.dimension, found: vector.len() });
        }
        Ok(vector.map(vectors::Query::new))
    }

    fn matching(&self, search: &Search) -> Result<Vec<Matching>> {
        self.corpus().matching(search).map_err(|error| storage("searching", error))
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
        let bytes = |field| document.get_first(field).and_then(|value| value.as_bytes());
        let place: Place = bytes(self.fields.place)
            .and_then(|bytes| serde_json::from_slice(bytes).ok())
            .ok_or_else(|| corrupt("place"))?;
        Ok(Stored {
            group: segment.group(address.document)?,
            number: segment.number(address.document),
            heading: text(self.fields.heading).ok_or_else(|| corrupt("heading"))?.to_owned(),
            text: text(self.fields.body).ok_or_else(|| corrupt("text"))?.to_owned(),
            place,
            payload: bytes(self.fields.payload).unwrap_or_default().to_vec(),
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
        let embedded = |segment: &Segment| {
            let alive = segment.reader.doc_ids_alive();
            alive.filter(|&document| segment.vectors.row(document).is_some()).count()
        };
        self.segments.iter().map(embedded).sum()
    }
}

/// A state as handed out: cheap to clone, and all clones are of one commit.
#[derive(Clone)]
pub(crate) struct View(Arc<State>);

impl View {
    /// Opens the columns and vectors of a commit's segments.
    pub fn open(
        disk: Arc<dyn Disk>,
        searcher: Searcher,
        fields: Fields,
        table: Table,
        dimension: usize,
    ) -> Result<View> {
        let segments = searcher
            .segment_readers()
            .iter()
            .map(|reader| Segment::open(reader, dimension))
            .collect::<Result<_>>()?;
        Ok(View(Arc::new(State { disk, searcher, fields, segments, table, dimension })))
    }

    /// The groups of the commit.
    pub fn table(&self) -> &Table {
        &self.0.table
    }

    /// The index the commit was read from.
    pub fn index(&self) -> &Index {
        self.0.searcher.index()
    }

    /// Reads where a group's documents are, as removing it will. tantivy does that on a thread where
    /// a panic over a damaged file would end the process.
    pub fn rehearse_removal(&self, name: &str) -> Result<()> {
        let addresses = self.0.addresses(name);
        let addresses = addresses.map_err(|error| storage("looking up a group", error))?;
        let exists = |address: &Address| {
            let segment = self.0.segments.get(address.segment as usize);
            segment.is_some_and(|segment| address.document < segment.reader.max_doc())
        };
        if addresses.iter().all(exists) {
            return Ok(());
        }
        Err(Error::Damaged { detail: format!("the documents of `{name}` cannot be found") })
    }
}

impl Snapshot for View {
    fn search(&self, search: &Search) -> Result<Candidates> {
        let vector = self.0.query(search.vector.as_deref())?;
        let corpus = self.0.corpus();
        let matching = self.0.matching(search)?;
        corpus
            .candidates(search, &matching, vector.as_ref(), search.depth)
            .map_err(|error| storage("searching", error))
    }

    fn search_twice(
        &self,
        search: &Search,
        first: usize,
        moved: &mut Moving<'_>,
    ) -> Result<Candidates> {
        let mut vector = self.0.query(search.vector.as_deref())?;
        let matching = self.0.matching(search)?;
        let look = |vector: Option<&vectors::Query>, depth| {
            let found = self.0.corpus().candidates(search, &matching, vector, depth);
            found.map_err(|error| storage("searching", error))
        };
        let found = look(vector.as_ref(), first)?;
        if let Some(moved) = moved(&found.candidates)? {
            vector = self.0.query(Some(&moved))?;
        }
        look(vector.as_ref(), search.depth)
    }

    fn scan(&self, scan: &Scan) -> Result<Vec<Row>> {
        scan::scan(self.0.corpus(), scan).map_err(|error| storage("scanning", error))
    }

    fn count(&self, selection: &Selection) -> Result<usize> {
        let selected = self.0.corpus().select(selection);
        let selected = selected.map_err(|error| storage("counting", error))?;
        Ok(selected.iter().map(|documents| documents.count_ones(..)).sum())
    }

    fn facets(&self, selection: &Selection, paths: &[&str], top: usize) -> Result<Vec<Facet>> {
        facets::facets(self.0.corpus(), selection, paths, top)
            .map_err(|error| storage("counting values", error))
    }

    fn spellings(&self, word: &str, lexicon: &Lexicon) -> Result<Vec<(u8, String)>> {
        spellings::spellings(self.0.corpus(), word, lexicon)
            .map_err(|error| storage("looking up words", error))
    }

    fn fetch(&self, addresses: &[Address]) -> Result<Vec<Stored>> {
        addresses
            .iter()
            .map(|&address| self.0.stored(address))
            .collect::<tantivy::Result<_>>()
            .map_err(|error| storage("reading documents", error))
    }

    fn vectors(&self, addresses: &[Address]) -> Result<Vec<Option<Vec<f32>>>> {
        let vector = |address: &Address| {
            let segment = self.0.segments.get(address.segment as usize)?;
            segment.vectors.unit(address.document)
        };
        Ok(addresses.iter().map(vector).collect())
    }

    fn group(&self, name: &str) -> Result<Vec<Stored>> {
        let addresses =
            self.0.addresses(name).map_err(|error| storage("looking up a group", error))?;
        let mut documents = self.fetch(&addresses)?;
        documents.sort_by_key(|document| document.number);
        Ok(documents)
    }

    fn state(&self, name: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.0.table.get(name)?.map(|present| present.state.to_vec()))
    }

    fn groups(&self) -> Result<Vec<Group>> {
        self.0.table.groups()
    }

    fn groups_below(&self, path: &str) -> Result<Vec<Group>> {
        self.0.table.below(path)
    }

    fn stats(&self) -> Result<Stats> {
        // Not the sum over the commit's files: tantivy would open them again, and they may be gone.
        let files = self.0.disk.files();
        let files = files.map_err(|error| failed("measuring the index", &error))?;
        Ok(Stats {
            groups: self.0.table.len(),
            documents: self.0.searcher.num_docs() as usize,
            embedded: self.0.embedded(),
            bytes: files.values().sum(),
        })
    }
}
