//! One committed state and what can be asked of it.

use std::sync::{Arc, Mutex, PoisonError};

use kitfox_core::{
    Address, Candidates, Error, Facet, Group, Place, Result, Row, Scan, Search, Selection,
    Snapshot, Stats, Stored,
};
use tantivy::schema::Value;
use tantivy::{DocAddress, DocSet, Searcher, TERMINATED, TantivyDocument, TantivyError, Term};

use crate::engine::storage;
use crate::ledger::{Log, Table};
use crate::schema::Fields;
use crate::search::Corpus;
use crate::segment::Segment;
use crate::{facets, scan};

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

    fn corpus(&self) -> Corpus<'_> {
        let State { searcher, fields, segments, .. } = self;
        Corpus { searcher, fields, segments }
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
            .collect::<Result<_>>()?;
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
        self.0.corpus().search(search).map_err(|error| storage("searching", error))
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

    fn groups_below(&self, path: &str) -> Result<Vec<Group>> {
        if path.is_empty() {
            return self.groups();
        }
        let table = self.0.table()?;
        let inside = format!("{path}/");
        let below = table.range(inside.clone()..).take_while(|(name, _)| name.starts_with(&inside));
        let groups = table.get_key_value(path).into_iter().chain(below).map(|(name, entry)| {
            Group { name: name.clone(), documents: entry.documents, state: entry.state.clone() }
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
