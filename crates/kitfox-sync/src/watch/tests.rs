use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use notify::event::Flag;

use super::{Arming, Message, Pauses, Watch, WatchMode};
use crate::Scope;
use crate::testing::Fixture;

/// A busy machine may take its time.
const PATIENCE: Duration = Duration::from_secs(30);

const SHORT: Pauses = Pauses { root: Duration::from_millis(100), look: Duration::from_millis(200) };

struct Watched {
    fixture: Fixture,
    reports: Receiver<Scope>,
    watch: Watch,
}

impl Watched {
    /// Watches a tree, and is past the first report.
    fn new() -> Watched {
        Watched::over(Fixture::new(&[
            ("a.txt", "a"),
            ("b/c/d.txt", "d"),
            ("b/e.txt", "e"),
            ("ignored/x.txt", "x"),
            (".gitignore", "ignored/\n"),
        ]))
    }

    fn over(fixture: Fixture) -> Watched {
        let (reports, watch) = start(&fixture, Arming::IfPossible);
        let watched = Watched { fixture, reports, watch };
        assert_eq!(watched.next(), Scope::Everything, "the first report");
        assert_eq!(watched.watch.mode(), WatchMode::Events);
        watched
    }

    fn path(&self, path: &str) -> PathBuf {
        self.fixture.path(path)
    }

    fn next(&self) -> Scope {
        self.reports.recv_timeout(PATIENCE).expect("a report")
    }

    /// Waits until the file system is listened to again.
    fn wait_for_events(&self) {
        let deadline = Instant::now() + PATIENCE;
        while self.watch.mode() != WatchMode::Events {
            assert!(Instant::now() < deadline, "{:?}", self.watch.mode());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until there is nothing more to report.
    fn settle(&self) {
        while self.reports.recv_timeout(Duration::from_millis(700)).is_ok() {}
    }

    /// Waits until all of these were reported, each itself or as part of a folder.
    #[track_caller]
    fn check(&self, expected: &[&str]) -> usize {
        let mut missing: BTreeSet<&str> = expected.iter().copied().collect();
        let (mut reports, deadline) = (0, Instant::now() + PATIENCE);
        while !missing.is_empty() {
            assert!(Instant::now() < deadline, "{missing:?} never came");
            match self.next() {
                Scope::Everything => missing.clear(),
                Scope::Paths(paths) => missing.retain(|wanted| {
                    !paths
                        .iter()
                        .any(|path| *wanted == path || wanted.starts_with(&format!("{path}/")))
                }),
            }
            reports += 1;
        }
        reports
    }
}

fn start(fixture: &Fixture, arming: Arming) -> (Receiver<Scope>, Watch) {
    let (sender, reports) = channel();
    let watch = Watch::start_with(&fixture.source, arming, SHORT, move |scope| {
        let _ = sender.send(scope);
    });
    (reports, watch)
}

#[test]
fn files_that_come_change_and_go_are_named() {
    let watched = Watched::new();
    fs::write(watched.path("new.txt"), "new").unwrap();
    watched.check(&["new.txt"]);
    fs::write(watched.path("b/c/d.txt"), "changed").unwrap();
    watched.check(&["b/c/d.txt"]);
    fs::remove_file(watched.path("b/e.txt")).unwrap();
    watched.check(&["b/e.txt"]);
    fs::rename(watched.path("a.txt"), watched.path("b/a2.txt")).unwrap();
    watched.check(&["a.txt", "b/a2.txt"]);
}

#[test]
fn a_file_saved_by_renaming_another_over_it_is_named() {
    let watched = Watched::new();
    fs::write(watched.path("a.txt~"), "saved").unwrap();
    fs::rename(watched.path("a.txt~"), watched.path("a.txt")).unwrap();
    watched.check(&["a.txt"]);
}

#[test]
fn folders_that_move_are_named_and_watched_under_their_new_name() {
    let watched = Watched::new();
    fs::rename(watched.path("b"), watched.path("moved")).unwrap();
    watched.check(&["b", "moved"]);
    fs::write(watched.path("moved/c/d.txt"), "changed").unwrap();
    watched.check(&["moved/c/d.txt"]);
    fs::create_dir(watched.path("b")).unwrap();
    watched.check(&["b"]);
    fs::write(watched.path("b/again.txt"), "again").unwrap();
    watched.check(&["b/again.txt"]);
}

#[test]
fn what_is_in_a_new_folder_is_not_missed() {
    let watched = Watched::new();
    fs::create_dir_all(watched.path("n/e/s/t")).unwrap();
    fs::write(watched.path("n/e/s/t/first.txt"), "first").unwrap();
    watched.check(&["n/e/s/t/first.txt"]);
    fs::write(watched.path("n/e/s/t/second.txt"), "second").unwrap();
    watched.check(&["n/e/s/t/second.txt"]);
}

#[test]
fn a_burst_is_a_few_reports() {
    let watched = Watched::new();
    let names: Vec<String> = (0..1000).map(|number| format!("b/{number}.txt")).collect();
    names.iter().for_each(|name| fs::write(watched.path(name), "burst").unwrap());
    let reports = watched.check(&names.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(reports <= 20, "{reports} reports");
}

#[test]
fn folders_that_are_ignored_no_more_are_watched() {
    let watched = Watched::new();
    fs::write(watched.path("ignored/x.txt"), "unseen").unwrap();
    fs::write(watched.path(".gitignore"), "").unwrap();
    watched.check(&[".gitignore"]);
    fs::write(watched.path("ignored/x.txt"), "seen").unwrap();
    watched.check(&["ignored/x.txt"]);
}

#[test]
fn a_source_of_one_file_is_watched() {
    let mut fixture = Fixture::new(&[("a.txt", "a"), ("b.txt", "b")]);
    fixture.source.root = fixture.path("a.txt");
    let watched = Watched::over(fixture);
    fs::write(watched.path("b.txt"), "another").unwrap();
    fs::write(watched.path("a.txt"), "changed").unwrap();
    assert_eq!(watched.next(), Scope::Paths(["a.txt".to_owned()].into()));
}

#[test]
fn a_root_that_goes_and_comes_back_is_watched_again() {
    let mut fixture = Fixture::new(&[("root/a.txt", "a")]);
    fixture.source.root = fixture.path("root");
    let watched = Watched::over(fixture);
    fs::rename(watched.path("root"), watched.path("away")).unwrap();
    fs::create_dir(watched.path("root")).unwrap();
    while watched.next() != Scope::Everything {}
    fs::write(watched.path("root/b.txt"), "b").unwrap();
    watched.check(&["b.txt"]);
}

#[test]
fn a_root_that_is_moved_away_and_back_is_followed_on() {
    let mut fixture = Fixture::new(&[("root/a/b.txt", "b")]);
    fixture.source.root = fixture.path("root");
    let watched = Watched::over(fixture);
    let [root, away] = ["root", "away"].map(|name| watched.path(name));
    for pause in [Duration::ZERO, SHORT.root * 5] {
        fs::rename(&root, &away).unwrap();
        // Long enough to be noticed, and too short for it.
        std::thread::sleep(pause);
        fs::rename(&away, &root).unwrap();
        while watched.next() != Scope::Everything {}
        watched.wait_for_events();
        while watched.reports.try_recv().is_ok() {}
        fs::write(root.join("a/b.txt"), format!("after {pause:?}")).unwrap();
        watched.check(&["a/b.txt"]);
    }
}

#[test]
fn lost_events_are_everything_and_folders_that_came_with_them_are_watched() {
    let watched = Watched::new();
    let rescan = notify::Event::new(notify::EventKind::Other).set_flag(Flag::Rescan);
    for (folder, lost) in [("one", Ok(rescan)), ("two", Err(notify::Error::generic("lost")))] {
        watched.watch.messages.send(Message::Event(lost)).unwrap();
        fs::create_dir(watched.path(folder)).unwrap();
        while watched.next() != Scope::Everything {}
        watched.settle();
        let file = format!("{folder}/x.txt");
        fs::write(watched.path(&file), "x").unwrap();
        watched.check(&[&file]);
    }
}

#[test]
fn what_changes_nothing_is_not_reported() {
    let watched = Watched::over(Fixture::new(&[
        ("a.txt", "a"),
        ("b/c.txt", "c"),
        (".gitignore", "*.o\n/out\n"),
        (".git/index", "1"),
        (".hidden/x.txt", "x"),
        ("out/x.txt", "x"),
    ]));
    fs::read(watched.path("a.txt")).unwrap();
    fs::read_dir(watched.path("b")).unwrap().count();
    for path in [".git/index", ".hidden/x.txt", "out/x.txt", "b/x.o", "b/.c.txt.swp"] {
        fs::write(watched.path(path), "changed").unwrap();
    }
    fs::write(watched.path("b/c.txt"), "changed").unwrap();
    assert_eq!(watched.next(), Scope::Paths(["b/c.txt".to_owned()].into()));
}

#[test]
fn hidden_files_that_are_wanted_are_named() {
    let watched = Watched::over(Fixture::new(&[
        (".gitignore", "!.github\n"),
        (".github/a.yml", "a"),
        ("b/.github/c.yml", "c"),
    ]));
    fs::write(watched.path(".github/a.yml"), "changed").unwrap();
    fs::write(watched.path("b/.github/c.yml"), "changed").unwrap();
    watched.check(&[".github/a.yml", "b/.github/c.yml"]);
}

#[test]
fn rules_of_repositories_are_followed() {
    let watched = Watched::over(Fixture::new(&[
        ("a.txt", "a"),
        (".git/info/exclude", ""),
        ("inner/.git/info/exclude", ""),
    ]));
    for path in [".git/info/exclude", "inner/.git/info/exclude"] {
        fs::write(watched.path(path), "*.log\n").unwrap();
        watched.check(&[path]);
    }
}

#[test]
fn rules_above_the_root_are_followed() {
    let mut fixture = Fixture::new(&[("root/a.txt", "a"), (".git/info/exclude", "")]);
    fixture.source.root = fixture.path("root");
    let watched = Watched::over(fixture);
    for path in [".gitignore", ".git/info/exclude"] {
        fs::write(watched.path(path), "*.log\n").unwrap();
        while watched.next() != Scope::Everything {}
        watched.settle();
    }
}

#[test]
fn linked_work_trees_are_not_watched() {
    let watched = Watched::over(Fixture::new(&[
        ("a.txt", "a"),
        ("tree/.git", "gitdir: /x/.git/worktrees/tree\n"),
        ("tree/b.txt", "b"),
    ]));
    fs::write(watched.path("tree/b.txt"), "changed").unwrap();
    fs::write(watched.path("a.txt"), "changed").unwrap();
    assert_eq!(watched.next(), Scope::Paths(["a.txt".to_owned()].into()));
}

#[test]
fn without_events_changes_are_looked_for() {
    let mut fixture = Fixture::new(&[("root/a.txt", "a")]);
    fixture.source.root = fixture.path("root");
    let (reports, watch) = start(&fixture, Arming::Never);
    let next = || reports.recv_timeout(PATIENCE);
    assert_eq!(next(), Ok(Scope::Everything), "at first");
    let reason = "a test wants it so".to_owned();
    assert_eq!(watch.mode(), WatchMode::Polling { reason });
    fixture.write("root/b.txt", "b");
    assert_eq!(next(), Ok(Scope::Everything), "a new file");
    fs::rename(fixture.path("root"), fixture.path("away")).unwrap();
    assert_eq!(next(), Ok(Scope::Everything), "the root is gone");
    fs::rename(fixture.path("away"), fixture.path("root")).unwrap();
    assert_eq!(next(), Ok(Scope::Everything), "the root is back");
    drop(watch);
    while next().is_ok() {}
}
