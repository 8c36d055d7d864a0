//! The engine in memory keeps the contract it is the measure of, and the suite notices who does not.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use kitfox_conformance::{MemoryEngine, Subject, check_cases, compare_histories};
use kitfox_core::{
    Address, Candidates, Damage, Document, Engine, Facet, Group, Lexicon, Result, Row, Scan,
    Search, Selection, Snapshot, Stats, Stored, Writer,
};

/// Engines in memory by folder, broken in one way or none.
struct Memories(Mutex<BTreeMap<PathBuf, MemoryEngine>>, Fault);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    RemovesNothing,
    CountsOneMore,
    RepeatsTheLastRow,
    ForgetsTheFilter,
    LosesTheLastDocument,
}

impl Subject for Memories {
    fn open(&self, folder: &Path) -> Box<dyn Engine> {
        let mut engines = self.0.lock().unwrap();
        let engine = engines.entry(folder.to_owned()).or_default().clone();
        Box::new(Broken(engine, self.1))
    }
}

fn memories(fault: Fault) -> Memories {
    Memories(Mutex::default(), fault)
}

#[test]
fn the_engine_in_memory_keeps_the_contract() {
    check_cases(&memories(Fault::None));
    let compared = compare_histories(&memories(Fault::None), 1, 20);
    assert!(compared.comparisons > 10_000, "{compared:?}");
}

#[test]
fn broken_engines_are_noticed() {
    for fault in [
        Fault::RemovesNothing,
        Fault::CountsOneMore,
        Fault::RepeatsTheLastRow,
        Fault::ForgetsTheFilter,
        Fault::LosesTheLastDocument,
    ] {
        let histories = || compare_histories(&memories(fault), 1, 20);
        assert!(catch_unwind(AssertUnwindSafe(histories)).is_err(), "{fault:?}");
    }
}

struct Broken<T>(T, Fault);

impl Engine for Broken<MemoryEngine> {
    fn snapshot(&self) -> Result<Box<dyn Snapshot>> {
        Ok(Box::new(Broken(self.0.snapshot()?, self.1)))
    }

    fn writer(&self) -> Result<Box<dyn Writer>> {
        Ok(Box::new(Broken(self.0.writer()?, self.1)))
    }

    fn check(&self) -> Result<Vec<Damage>> {
        self.0.check()
    }
}

impl Writer for Broken<Box<dyn Writer>> {
    fn put(&self, group: &str, state: Vec<u8>, mut documents: Vec<Document>) -> Result<()> {
        if self.1 == Fault::LosesTheLastDocument {
            documents.pop();
        }
        self.0.put(group, state, documents)
    }

    fn touch(&self, group: &str, state: Vec<u8>) -> Result<()> {
        self.0.touch(group, state)
    }

    fn remove(&self, group: &str) -> Result<()> {
        if self.1 == Fault::RemovesNothing { Ok(()) } else { self.0.remove(group) }
    }

    fn commit(&mut self) -> Result<()> {
        self.0.commit()
    }

    fn compact(&mut self) -> Result<()> {
        self.0.compact()
    }
}

impl Snapshot for Broken<Box<dyn Snapshot>> {
    fn search(&self, search: &Search) -> Result<Candidates> {
        let mut search = search.clone();
        if self.1 == Fault::ForgetsTheFilter {
            search.filter = kitfox_core::Filter::All;
        }
        self.0.search(&search)
    }

    fn scan(&self, scan: &Scan) -> Result<Vec<Row>> {
        let mut rows = self.0.scan(scan)?;
        if self.1 == Fault::RepeatsTheLastRow && rows.len() == scan.limit {
            rows.extend(rows.last().cloned());
        }
        Ok(rows)
    }

    fn count(&self, selection: &Selection) -> Result<usize> {
        Ok(self.0.count(selection)? + usize::from(self.1 == Fault::CountsOneMore))
    }

    fn facets(&self, selection: &Selection, paths: &[&str], top: usize) -> Result<Vec<Facet>> {
        self.0.facets(selection, paths, top)
    }

    fn spellings(&self, word: &str, lexicon: &Lexicon) -> Result<Vec<(u8, String)>> {
        self.0.spellings(word, lexicon)
    }

    fn fetch(&self, addresses: &[Address]) -> Result<Vec<Stored>> {
        self.0.fetch(addresses)
    }

    fn vectors(&self, addresses: &[Address]) -> Result<Vec<Option<Vec<f32>>>> {
        self.0.vectors(addresses)
    }

    fn group(&self, name: &str) -> Result<Vec<Stored>> {
        self.0.group(name)
    }

    fn state(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.0.state(name)
    }

    fn groups(&self) -> Result<Vec<Group>> {
        self.0.groups()
    }

    fn groups_below(&self, path: &str) -> Result<Vec<Group>> {
        self.0.groups_below(path)
    }

    fn stats(&self) -> Result<Stats> {
        self.0.stats()
    }
}
