//! Random edits: runs over what was reported changed come to the same as one look at all.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant, SystemTime};

use fastrand::Rng;
use kitfox_conformance::MemoryEngine;
use kitfox_core::{Document, Progress};

use crate::testing::{Fixture, OneVector};
use crate::{FileState, RefreshOptions, Scope, Watch, refresh};

const HISTORIES: u64 = 10;
const BATCHES: usize = 30;
const WATCHED_BATCHES: usize = 25;

/// A busy machine may take its time.
const PATIENCE: Duration = Duration::from_secs(30);

/// Names that are now a file, now a folder, sort around `/`, or are hidden.
const NAMES: &[&str] = &["a", "b", "a.txt", "a-b.md", "c.log", "d.rs", ".h"];
/// Of one length, so that only their bytes tell them apart.
const CONTENTS: &[&str] = &["one one", "two two", "six six", "\0\u{1}\0\u{2}abc"];
const PATTERNS: &[&str] =
    &["*.log\n", "/b\n", "a/\n", "*.txt\n!a.txt\n", "!.h\n", "a/b\n", "# nothing\n", "a\n!a/a\n"];
const RULES: &[&str] = &[".gitignore", ".kitfoxignore", ".git/info/exclude"];

/// A tree that is edited at random, and what a watch would report of it.
struct Tree {
    fixture: Fixture,
    random: Rng,
    touched: BTreeSet<String>,
    /// Folders that were removed, each with something that was in it.
    removed: Vec<(String, String)>,
}

impl Tree {
    fn new(seed: u64) -> Tree {
        Tree {
            fixture: Fixture::new(&[]),
            random: Rng::with_seed(seed),
            touched: BTreeSet::new(),
            removed: Vec::new(),
        }
    }

    fn pick<'n>(&mut self, from: &[&'n str]) -> &'n str {
        from[self.random.usize(..from.len())]
    }

    /// A path of one to three names.
    fn path(&mut self) -> String {
        let names: Vec<&str> = (0..self.random.usize(1..=3)).map(|_| self.pick(NAMES)).collect();
        names.join("/")
    }

    /// Some file or folder that is there; the root where there is none.
    fn existing(&mut self) -> String {
        let mut all = Vec::new();
        entries(&self.fixture.path(""), "", &mut all);
        if all.is_empty() { String::new() } else { all.swap_remove(self.random.usize(..all.len())) }
    }

    fn touch(&mut self, path: &str) {
        self.touched.insert(path.to_owned());
    }

    fn edit(&mut self) {
        match self.random.u8(..12) {
            0..=3 => {
                let (path, content) = (self.path(), self.pick(CONTENTS));
                self.write(&path, content);
            }
            4 => {
                let path = self.existing();
                self.remove(&path);
            }
            5 | 6 => {
                let (from, to) = (self.existing(), self.path());
                self.rename(&from, &to);
            }
            7 | 8 => {
                let (one, other) = (self.existing(), self.existing());
                self.swap(&one, &other);
            }
            9 | 10 => self.edit_rules(),
            _ => self.edit_worktree(),
        }
    }

    /// Removes what is in the way of a folder for `path`, and `path` itself, which is to be touched.
    fn make_way(&mut self, path: &str) {
        for (end, _) in path.match_indices('/') {
            // That it is a folder now follows from what is in it.
            if self.fixture.path(&path[..end]).is_file() {
                fs::remove_file(self.fixture.path(&path[..end])).unwrap();
            }
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        fs::create_dir_all(self.fixture.path(folder)).unwrap();
        self.remove(path);
    }

    fn write(&mut self, path: &str, content: &str) {
        let real = self.fixture.path(path);
        if !real.is_file() {
            self.make_way(path);
        }
        fs::write(&real, content).unwrap();
        // Few times, so that another content often comes with the stamp of the one before.
        let age = Duration::from_secs(1_600_000_000 + self.random.u64(..2));
        let file = fs::File::options().append(true).open(&real).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + age).unwrap();
        self.touch(path);
    }

    fn remove(&mut self, path: &str) {
        let real = self.fixture.path(path);
        if path.is_empty() || fs::symlink_metadata(&real).is_err() {
            return;
        }
        if real.is_file() {
            fs::remove_file(real).unwrap();
            return self.touch(path);
        }
        let mut inside = Vec::new();
        entries(&real, path, &mut inside);
        fs::remove_dir_all(real).unwrap();
        match inside.into_iter().next() {
            Some(lost) if self.random.bool() => self.removed.push((path.to_owned(), lost)),
            _ => self.touch(path),
        }
    }

    fn rename(&mut self, from: &str, to: &str) {
        let nested = to.starts_with(&format!("{from}/")) || from.starts_with(&format!("{to}/"));
        if from.is_empty() || from == to || nested {
            return;
        }
        self.make_way(to);
        // Making way may have taken it along.
        let _ = fs::rename(self.fixture.path(from), self.fixture.path(to));
        self.touch(from);
        self.touch(to);
    }

    fn swap(&mut self, one: &str, other: &str) {
        let nested = one.starts_with(other) || other.starts_with(one);
        if one.is_empty() || other.is_empty() || nested {
            return;
        }
        let [one_real, other_real, aside] = [one, other, ".aside"].map(|p| self.fixture.path(p));
        fs::rename(&one_real, &aside).unwrap();
        fs::rename(&other_real, &one_real).unwrap();
        fs::rename(&aside, &other_real).unwrap();
        self.touch(one);
        self.touch(other);
    }

    fn edit_rules(&mut self) {
        let (folder, rules, pattern) = (self.existing(), self.pick(RULES), self.pick(PATTERNS));
        let path = format!("{folder}/{rules}");
        let path = path.trim_start_matches('/');
        let folder = self.fixture.path(&folder);
        if !folder.is_dir() || folder.join(".git").is_file() {
            return;
        }
        let rules = folder.join(rules);
        if rules.is_dir() {
            return;
        }
        if rules.exists() && self.random.bool() {
            fs::remove_file(rules).unwrap();
        } else {
            fs::create_dir_all(rules.parent().unwrap()).unwrap();
            fs::write(rules, pattern).unwrap();
        }
        self.touch(path);
    }

    /// Makes a folder a linked work tree, or no longer one.
    fn edit_worktree(&mut self) {
        let folder = self.existing();
        let mark = self.fixture.path(&folder).join(".git");
        if folder.is_empty() || !mark.parent().unwrap().is_dir() || mark.is_dir() {
            return;
        }
        if mark.is_file() {
            fs::remove_file(mark).unwrap();
        } else {
            fs::write(mark, "gitdir: /x/.git/worktrees/y\n").unwrap();
        }
        self.touch(&format!("{folder}/.git"));
    }

    fn edit_some(&mut self) {
        for _ in 0..self.random.usize(1..=6) {
            self.edit();
        }
    }

    /// What a watch would report.
    fn take_touched(&mut self) -> Scope {
        for (folder, lost) in std::mem::take(&mut self.removed) {
            // One of the lost is as good as a folder that stays away.
            let is_back = self.fixture.path(&folder).exists();
            self.touch(if is_back { &folder } else { &lost });
        }
        Scope::Paths(std::mem::take(&mut self.touched))
    }

    fn refresh(&self, scope: Scope) {
        let options = RefreshOptions { prune: true, scope, ..RefreshOptions::default() };
        self.fixture.refresh_with(&options).unwrap();
    }

    /// What is indexed, and what an index of all that is there has.
    fn contents(&self) -> (Content, Content) {
        let fresh = MemoryEngine::default();
        let all = RefreshOptions::default();
        refresh(&self.fixture.source, &fresh, &OneVector, &all, &Progress::default()).unwrap();
        (content(&self.fixture.engine), content(&fresh))
    }
}

/// All files and folders below a folder but those of git, by their path.
fn entries(folder: &Path, path: &str, all: &mut Vec<String>) {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != ".git")
        .collect();
    // Folders list their entries in no order; histories must be those of their seed.
    names.sort_unstable();
    for name in names {
        let inner = format!("{path}/{name}").trim_start_matches('/').to_owned();
        all.push(inner.clone());
        if folder.join(&name).is_dir() {
            entries(&folder.join(&name), &inner, all);
        }
    }
}

type Content = BTreeMap<String, (FileState, Vec<Document>)>;

/// All that is indexed but when.
fn content(engine: &MemoryEngine) -> Content {
    let group = |(name, (state, documents)): (&String, &(Vec<u8>, Vec<Document>))| {
        let state = FileState { indexed_at_ns: 0, ..FileState::decode(state).unwrap() };
        (name.clone(), (state, documents.clone()))
    };
    engine.groups().iter().map(group).collect()
}

#[test]
fn parts_add_up_to_the_whole() {
    for seed in 0..HISTORIES {
        let mut tree = Tree::new(seed);
        for batch in 0..BATCHES {
            tree.edit_some();
            let scope = tree.take_touched();
            tree.refresh(scope.clone());
            let (found, expected) = tree.contents();
            assert!(
                found == expected,
                "batch {batch} of history {seed}, over {scope:?}: {:?} instead of {:?}",
                found.keys(),
                expected.keys()
            );
        }
    }
}

#[test]
fn what_a_watch_reports_adds_up_to_the_whole() {
    let mut tree = Tree::new(HISTORIES);
    let (sender, reports) = channel();
    let _watch = Watch::start(&tree.fixture.source, move |scope| {
        let _ = sender.send(scope);
    });
    tree.refresh(reports.recv_timeout(PATIENCE).unwrap());
    for batch in 0..WATCHED_BATCHES {
        tree.edit_some();
        let (mut scopes, deadline) = (Vec::new(), Instant::now() + PATIENCE);
        loop {
            let (found, expected) = tree.contents();
            if found == expected {
                break;
            }
            let wait = deadline.saturating_duration_since(Instant::now());
            let Ok(scope) = reports.recv_timeout(wait) else {
                let (found, expected) = (found.keys(), expected.keys());
                panic!("batch {batch}, over {scopes:?}: {found:?} instead of {expected:?}");
            };
            tree.refresh(scope.clone());
            scopes.push(scope);
        }
    }
}
