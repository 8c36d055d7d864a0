//! The engine contract.

use crate::{Document, Facet, Lexicon, Place, Result, Row, Scan, Search, Selection};

/// Stores the documents of one source and finds them by words, by meaning, or by both.
///
/// # Contract
///
/// - Documents belong to a *group* (a file, a record), the unit of replacement. Within a group they
///   are numbered densely from 0 in the order given.
/// - A group carries opaque `state` bytes for its keeper, committed together with its documents.
/// - What a [`Writer`] does becomes visible to snapshots taken after [`Writer::commit`] returned,
///   all of it or nothing; a crash at any instant leaves the last commit.
/// - There is one writer at a time over all processes; a second gets [`crate::Error::Busy`].
/// - A snapshot never changes, whatever is written, merged or removed after it was taken.
/// - Filters, facets, order and cosines are exact. BM25 may be computed from statistics that still
///   count what was removed or replaced, until [`Writer::compact`].
/// - Vectors are kept as 8-bit integers scaled to their largest element; cosines are those of what is
///   kept.
/// - Of documents with equal scores, those are candidates whose group name comes first, then number,
///   wherever the engine keeps them.
pub trait Engine: Send + Sync {
    /// The state of the last commit of any process.
    fn snapshot(&self) -> Result<Box<dyn Snapshot>>;

    /// Becomes the writer. The writer's lock is released when it is dropped; what was not committed
    /// is forgotten.
    ///
    /// # Errors
    /// [`crate::Error::Busy`] while another writer is alive, here or in another process.
    fn writer(&self) -> Result<Box<dyn Writer>>;

    /// Reads everything and compares it with its checksums. An empty list means all is well.
    fn check(&self) -> Result<Vec<Damage>>;
}

/// Changes to an engine, invisible until committed.
pub trait Writer: Send + Sync {
    /// Replaces everything in `group` by these documents (possibly none) and this state.
    fn put(&self, group: &str, state: Vec<u8>, documents: Vec<Document>) -> Result<()>;

    /// Sets a group's state and leaves its documents as they are. The group must exist in the last
    /// commit.
    fn touch(&self, group: &str, state: Vec<u8>) -> Result<()>;

    /// Removes a group and everything in it; nothing happens where there is none.
    fn remove(&self, group: &str) -> Result<()>;

    /// Makes all changes since the last commit durable and visible, atomically. After an error the
    /// last commit stands and this writer is of no more use: drop it and open another.
    fn commit(&mut self) -> Result<()>;

    /// Commits, and rewrites what is committed so that nothing dead is kept.
    fn compact(&mut self) -> Result<()>;
}

/// Gives the vector to search by, seeing what a first search found; none to keep the one it had.
pub type Moving<'a> = dyn FnMut(&[Candidate]) -> Result<Option<Vec<f32>>> + 'a;

/// One committed state.
pub trait Snapshot: Send + Sync {
    /// The union of the best `depth` documents of each leg, each with the scores of both legs, in no
    /// promised order of legs: see [`Candidates`].
    ///
    /// # Errors
    /// [`crate::Error::Dimension`] if the query vector's length is not the engine's.
    fn search(&self, search: &Search) -> Result<Candidates>;

    /// The same with a second look: the candidates of a search of depth `first` are shown to `moved`,
    /// and the search is answered with the vector it gives, or with its own where it gives none.
    ///
    /// # Errors
    /// As of [`Snapshot::search`], and whatever error `moved` has.
    fn search_twice(
        &self,
        search: &Search,
        first: usize,
        moved: &mut Moving<'_>,
    ) -> Result<Candidates> {
        let found = self.search(&Search { depth: first, ..search.clone() })?;
        let vector = moved(&found.candidates)?.or_else(|| search.vector.clone());
        self.search(&Search { vector, ..search.clone() })
    }

    /// A page of the documents of a selection, in an exact order.
    fn scan(&self, scan: &Scan) -> Result<Vec<Row>>;

    /// How many documents a selection has.
    fn count(&self, selection: &Selection) -> Result<usize>;

    /// One facet for each path, over the documents of a selection, each with at most `top` values.
    fn facets(&self, selection: &Selection, paths: &[&str], top: usize) -> Result<Vec<Facet>>;

    /// The exact words of a lexicon that a word may be a misspelling of: those of any column from which it differs by
    /// as many letters as [`crate::misspelled_letters`] allows. A letter too many, too few or another,
    /// and two that changed places, are one each. With the number of letters, fewest first, then by
    /// word. May list words of documents that were removed or replaced, until [`Writer::compact`].
    fn spellings(&self, word: &str, lexicon: &Lexicon) -> Result<Vec<(u8, String)>>;

    /// The stored documents at these addresses, in this order. Addresses are those of this
    /// snapshot's candidates and rows.
    fn fetch(&self, addresses: &[Address]) -> Result<Vec<Stored>>;

    /// The vectors of the documents at these addresses, as unit vectors; none where one has no vector.
    fn vectors(&self, addresses: &[Address]) -> Result<Vec<Option<Vec<f32>>>>;

    /// All documents of one group by number; empty where the group is unknown or has none.
    fn group(&self, name: &str) -> Result<Vec<Stored>>;

    /// The state stored with a group, or none where the group is unknown.
    fn state(&self, name: &str) -> Result<Option<Vec<u8>>>;

    /// Every group, ordered by name.
    fn groups(&self) -> Result<Vec<Group>>;

    /// Groups named `path` or below `path/`, ordered by name; the empty path is all.
    fn groups_below(&self, path: &str) -> Result<Vec<Group>>;

    /// Sizes of this state.
    fn stats(&self) -> Result<Stats>;
}

/// Where a document lies within one snapshot. Means nothing to another snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// Which part of the index.
    pub segment: u32,
    /// Which document within it.
    pub document: u32,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidates {
    /// Candidates ordered by group name, then number.
    pub candidates: Vec<Candidate>,
    /// How many documents the word leg matched under the filter, beyond `depth` too.
    pub matched: usize,
    /// How many documents passed the filter.
    pub filtered: usize,
    /// What no BM25 of these words can reach, whatever a document says; 0 where they have no words.
    pub bm25_limit: f32,
}

/// One found document with the scores of both legs.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// For [`Snapshot::fetch`].
    pub address: Address,
    /// The group (file) it belongs to.
    pub group: String,
    /// Its number within the group.
    pub number: u32,
    /// BM25 of the word leg; 0 where it does not match or there is no word leg.
    pub bm25: f32,
    /// Cosine to the query vector; none without a vector on either side.
    pub cosine: Option<f32>,
    /// Whether it meets each of [`Search::marks`].
    pub marks: Vec<bool>,
}

/// A document as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// The group (file) it belongs to.
    pub group: String,
    /// Its number within the group.
    pub number: u32,
    /// The heading as indexed.
    pub heading: String,
    /// The passage.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// What was stored with it.
    pub payload: Vec<u8>,
}

/// A group and what its keeper stored with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name: the path of a file.
    pub name: String,
    /// How many documents it has.
    pub documents: u32,
    /// Opaque to the engine.
    pub state: Vec<u8>,
}

/// Sizes of a committed state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Groups, those without documents included.
    pub groups: usize,
    /// Documents.
    pub documents: usize,
    /// Documents with a vector.
    pub embedded: usize,
    /// Bytes on disk.
    pub bytes: u64,
}

/// Something [`Engine::check`] found wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file, relative to the index.
    pub file: String,
    /// What is wrong with it.
    pub problem: String,
}
