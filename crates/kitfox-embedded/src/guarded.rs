//! A snapshot whose readers get errors where damaged files make the storage library fail or panic.

use kitfox_core::{
    Address, Candidates, Facet, Group, Lexicon, Moving, Result, Row, Scan, Search, Selection,
    Snapshot, Stats, Stored,
};

use crate::damage::reading;
use crate::snapshot::View;

pub(crate) struct Guarded(pub View);

impl Guarded {
    fn ask<T>(&self, action: &'static str, ask: impl FnOnce(&View) -> Result<T>) -> Result<T> {
        reading(action, self.0.index(), || ask(&self.0))
    }
}

impl Snapshot for Guarded {
    fn search(&self, search: &Search) -> Result<Candidates> {
        self.ask("searching", |view| view.search(search))
    }

    fn search_twice(
        &self,
        search: &Search,
        first: usize,
        moved: &mut Moving<'_>,
    ) -> Result<Candidates> {
        self.ask("searching", |view| view.search_twice(search, first, moved))
    }

    fn scan(&self, scan: &Scan) -> Result<Vec<Row>> {
        self.ask("scanning", |view| view.scan(scan))
    }

    fn count(&self, selection: &Selection) -> Result<usize> {
        self.ask("counting", |view| view.count(selection))
    }

    fn facets(&self, selection: &Selection, paths: &[&str], top: usize) -> Result<Vec<Facet>> {
        self.ask("counting values", |view| view.facets(selection, paths, top))
    }

    fn spellings(&self, word: &str, lexicon: &Lexicon) -> Result<Vec<(u8, String)>> {
        self.ask("looking up words", |view| view.spellings(word, lexicon))
    }

    fn fetch(&self, addresses: &[Address]) -> Result<Vec<Stored>> {
        self.ask("reading documents", |view| view.fetch(addresses))
    }

    fn vectors(&self, addresses: &[Address]) -> Result<Vec<Option<Vec<f32>>>> {
        self.ask("reading vectors", |view| view.vectors(addresses))
    }

    fn group(&self, name: &str) -> Result<Vec<Stored>> {
        self.ask("looking up a group", |view| view.group(name))
    }

    fn state(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.ask("looking up a group", |view| view.state(name))
    }

    fn groups(&self) -> Result<Vec<Group>> {
        self.ask("listing groups", |view| view.groups())
    }

    fn groups_below(&self, path: &str) -> Result<Vec<Group>> {
        self.ask("listing groups", |view| view.groups_below(path))
    }

    fn stats(&self) -> Result<Stats> {
        self.ask("measuring the index", |view| view.stats())
    }
}
