use std::fs;
use std::time::Duration;

use kitfox_core::paths;

use crate::testing::{Content, Fixture};
use crate::{Effort, FileState, RefreshOptions, Selection, SourceKind, SyncError};

/// Runs and compares (added, changed, removed, unchanged).
#[track_caller]
fn check(fixture: &Fixture, expected: (usize, usize, usize, usize)) {
    let report = fixture.refresh().unwrap();
    let found = (report.added, report.changed, report.removed, report.unchanged);
    assert_eq!(found, expected, "{report:?}");
}

/// Runs once and compares what is indexed.
#[track_caller]
fn check_indexed(fixture: &Fixture, expected: &[&str]) {
    fixture.refresh().unwrap();
    assert_eq!(fixture.engine.names(), expected);
}

fn numbered(count: usize) -> Fixture {
    let fixture = Fixture::new(&[]);
    for number in 0..count {
        fixture.write(&format!("{number:02}.txt"), format!("text {number}"));
    }
    fixture
}

#[test]
fn a_first_run_indexes_everything() {
    let fixture = Fixture::new(&[("src/a.rs", "fn a() {}\n"), ("b.txt", "beta")]);
    check(&fixture, (2, 0, 0, 0));
    let documents = fixture.engine.documents("b.txt");
    assert_eq!(documents[0].text.as_str(), "beta");
    assert!(documents[0].values.contains(&(paths::PATH.into(), "b.txt".into())));
    assert!(documents[0].heading.as_str().contains("b.txt"));
    assert!(documents[0].vector.is_some());
}

#[test]
fn nothing_changed_opens_no_writer() {
    let fixture = Fixture::new(&[("a.txt", "alpha"), ("b.txt", "\0\u{1}\0\u{2}")]);
    check(&fixture, (1, 0, 0, 0));
    check(&fixture, (0, 0, 0, 1));
    assert_eq!(fixture.writers(), 1);
}

#[test]
fn just_written_files_are_read_again_until_certain() {
    let fixture = Fixture::new(&[("a.txt", "alpha")]);
    fixture.age("a.txt", Duration::ZERO);
    check(&fixture, (1, 0, 0, 0));
    check(&fixture, (0, 0, 0, 1));
    assert_eq!(fixture.writers(), 1);
    // Changed within the tick of the clock: same size, same time.
    fixture.replace_unseen("a.txt", "ALPHA");
    check(&fixture, (0, 1, 0, 0));
}

#[test]
fn edits_touches_renames_and_deletions_are_seen() {
    let fixture = Fixture::new(&[("a.txt", "alpha"), ("b.txt", "beta"), ("c.txt", "gamma")]);
    check(&fixture, (3, 0, 0, 0));
    fixture.write("a.txt", "alpha and more");
    check(&fixture, (0, 1, 0, 2));
    assert_eq!(fixture.engine.documents("a.txt")[0].text.as_str(), "alpha and more");
    fixture.age("b.txt", Duration::from_secs(60));
    check(&fixture, (0, 0, 0, 3));
    assert_eq!(fixture.writers(), 3);
    check(&fixture, (0, 0, 0, 3));
    assert_eq!(fixture.writers(), 3);
    fs::rename(fixture.path("b.txt"), fixture.path("d.txt")).unwrap();
    check(&fixture, (1, 0, 1, 2));
    fs::remove_file(fixture.path("c.txt")).unwrap();
    check(&fixture, (0, 0, 1, 2));
    assert_eq!(fixture.engine.names(), ["a.txt", "d.txt"]);
}

#[test]
fn other_sizes_cut_again() {
    let mut fixture = Fixture::new(&[("a.txt", "alpha")]);
    check(&fixture, (1, 0, 0, 0));
    fixture.source.sizes.target += 1;
    check(&fixture, (0, 1, 0, 0));
}

#[test]
fn damaged_states_are_indexed_again() {
    let fixture = Fixture::new(&[("a.txt", "alpha")]);
    fixture.refresh().unwrap();
    fixture.engine.damage("a.txt");
    check(&fixture, (0, 1, 0, 0));
}

#[test]
fn ignored_hidden_and_secret_files_are_not_indexed() {
    let fixture = Fixture::new(&[
        (".gitignore", "*.log\n/out\n"),
        (".kitfoxignore", "private/\n"),
        (".hidden/a.txt", "a"),
        ("a.log", "a"),
        ("a.txt", "a"),
        ("id_rsa", "-----BEGIN OPENSSH PRIVATE KEY-----"),
        ("nested/.gitignore", "b.txt\n"),
        ("nested/b.txt", "b"),
        ("nested/c.txt", "c"),
        ("out/a.txt", "a"),
        ("private/a.txt", "a"),
        ("tree/.git", "gitdir: /x/.git/worktrees/tree\n"),
        ("tree/a.txt", "a"),
    ]);
    check_indexed(&fixture, &["a.txt", "nested/c.txt"]);
}

#[test]
fn ignore_files_above_count_within_a_work_tree_only() {
    let mut fixture =
        Fixture::new(&[(".gitignore", "b.txt\n"), ("inner/a.txt", "a"), ("inner/b.txt", "b")]);
    fixture.source.root = fixture.path("inner");
    check_indexed(&fixture, &["a.txt", "b.txt"]);
    fs::create_dir(fixture.path(".git")).unwrap();
    check_indexed(&fixture, &["a.txt"]);
}

#[test]
fn skipped_files_are_counted_every_time() {
    let fixture = Fixture::new(&[("a.txt", "a"), (".env", "A=1"), ("id_rsa", "x")]);
    fixture.write("b.txt", [0, 1, 2, 0, 255]);
    let first = fixture.refresh().unwrap();
    assert_eq!(first.skipped.values().sum::<usize>(), 2, "{:?}", first.skipped);
    assert_eq!(fixture.refresh().unwrap().skipped, first.skipped);
    let state = FileState::decode(&fixture.engine.state("b.txt")).unwrap();
    assert!(state.refused() && state.problem.is_some());
}

#[test]
fn selections_divide_a_folder() {
    let mut fixture = Fixture::new(&[("a.rs", "fn a() {}"), ("a.md", "# A\n\ntext")]);
    fixture.source.selection = Selection::NotDocuments;
    check_indexed(&fixture, &["a.rs"]);
    fixture.source.kind = SourceKind::Docs;
    fixture.source.selection = Selection::Everything;
    check_indexed(&fixture, &["a.md"]);
}

#[test]
fn a_source_can_be_one_file() {
    let mut fixture = Fixture::new(&[("a.txt", "a"), ("b.txt", "b")]);
    fixture.source.root = fixture.path("b.txt");
    check_indexed(&fixture, &["b.txt"]);
}

#[test]
fn losing_most_files_at_once_needs_prune() {
    let fixture = numbered(20);
    check(&fixture, (20, 0, 0, 0));
    (0..11).for_each(|number| fs::remove_file(fixture.path(&format!("{number:02}.txt"))).unwrap());
    let error = fixture.refresh().unwrap_err();
    assert!(matches!(error, SyncError::MassRemoval { removed: 11, total: 20, .. }), "{error}");
    assert!(error.to_string().contains("--prune"));
    assert_eq!(fixture.engine.names().len(), 20);
    let report =
        fixture.refresh_with(&RefreshOptions { prune: true, ..RefreshOptions::default() }).unwrap();
    assert_eq!((report.removed, report.unchanged), (11, 9));
}

#[test]
fn an_empty_folder_needs_prune() {
    let fixture = numbered(2);
    fixture.refresh().unwrap();
    (0..2).for_each(|number| fs::remove_file(fixture.path(&format!("{number:02}.txt"))).unwrap());
    assert!(matches!(fixture.refresh(), Err(SyncError::MassRemoval { removed: 2, .. })));
}

#[test]
fn files_that_moved_or_are_ignored_now_are_not_lost() {
    let fixture = numbered(20);
    fixture.refresh().unwrap();
    fs::create_dir(fixture.path("moved")).unwrap();
    for number in 0..20 {
        let name = format!("{number:02}.txt");
        fs::rename(fixture.path(&name), fixture.path("moved").join(&name)).unwrap();
    }
    check(&fixture, (20, 0, 20, 0));
    fixture.write(".kitfoxignore", "1*.txt\n0*.txt\n");
    check(&fixture, (0, 0, 20, 0));
}

#[test]
fn a_missing_root_keeps_the_index() {
    let mut fixture = numbered(1);
    fixture.refresh().unwrap();
    fixture.source.root = fixture.path("nowhere");
    assert!(matches!(fixture.refresh(), Err(SyncError::Gone { .. })));
    assert_eq!(fixture.engine.names(), ["00.txt"]);
}

/// Runs over some paths and compares (added, changed, removed, unchanged).
#[track_caller]
fn check_paths(fixture: &Fixture, paths: &[&str], expected: (usize, usize, usize, usize)) {
    let report = fixture.refresh_paths(paths).unwrap();
    let found = (report.added, report.changed, report.removed, report.unchanged);
    assert_eq!(found, expected, "{paths:?}: {report:?}");
}

#[test]
fn a_run_over_paths_looks_at_nothing_else() {
    let fixture = Fixture::new(&[("a/x.txt", "x"), ("a/y.txt", "y"), ("b/z.txt", "z")]);
    check(&fixture, (3, 0, 0, 0));
    for path in ["a/x.txt", "a/y.txt", "b/z.txt"] {
        fixture.write(path, "changed");
    }
    fixture.write("a/new.txt", "new");
    check_paths(&fixture, &["a/x.txt"], (0, 1, 0, 0));
    check_paths(&fixture, &["a"], (1, 1, 0, 1));
    check_paths(&fixture, &["../b", "nowhere/z.txt"], (0, 0, 0, 0));
    check_paths(&fixture, &[""], (0, 1, 0, 3));
}

#[test]
fn a_named_path_is_read_even_with_the_stamp_that_was_indexed() {
    let fixture = Fixture::new(&[("a/x.txt", "one"), ("a/y.txt", "two")]);
    check(&fixture, (2, 0, 0, 0));
    fixture.replace_unseen("a/x.txt", "ONE");
    fixture.replace_unseen("a/y.txt", "TWO");
    check(&fixture, (0, 0, 0, 2));
    check_paths(&fixture, &["a/x.txt"], (0, 1, 0, 0));
    check_paths(&fixture, &["a"], (0, 1, 0, 1));
    let writers = fixture.writers();
    check_paths(&fixture, &["a"], (0, 0, 0, 2));
    assert_eq!(fixture.writers(), writers, "the same content needs no writer");
}

#[test]
fn a_file_in_the_place_of_a_folder_and_a_folder_in_the_place_of_a_file() {
    let fixture = Fixture::new(&[("a/x.txt", "x"), ("a/y.txt", "y"), ("b", "b")]);
    check(&fixture, (3, 0, 0, 0));
    fs::remove_dir_all(fixture.path("a")).unwrap();
    fixture.write("a", "a file now");
    fs::remove_file(fixture.path("b")).unwrap();
    fixture.write("b/z.txt", "z");
    check_paths(&fixture, &["a/x.txt", "b/z.txt"], (2, 0, 3, 0));
    assert_eq!(fixture.engine.names(), ["a", "b/z.txt"]);
}

#[test]
fn a_folder_that_is_gone_takes_all_its_files_along() {
    let fixture = Fixture::new(&[("a/b/x.txt", "x"), ("a/c/y.txt", "y"), ("z.txt", "z")]);
    check(&fixture, (3, 0, 0, 0));
    fs::rename(fixture.path("a"), fixture.path("d")).unwrap();
    check_paths(&fixture, &["a/b/x.txt", "d"], (2, 0, 2, 0));
    assert_eq!(fixture.engine.names(), ["d/b/x.txt", "d/c/y.txt", "z.txt"]);
}

#[test]
fn an_edited_ignore_file_stands_for_its_folder() {
    let fixture = Fixture::new(&[("a/x.txt", "x"), ("a/y.log", "y"), ("b/z.log", "z")]);
    check(&fixture, (3, 0, 0, 0));
    fixture.write("a/.gitignore", "*.log\n");
    check_paths(&fixture, &["a/.gitignore"], (0, 0, 1, 1));
    fixture.write(".git/info/exclude", "*.txt\n");
    check_paths(&fixture, &[".git/info/exclude"], (0, 0, 1, 1));
    fs::remove_file(fixture.path(".git/info/exclude")).unwrap();
    fs::remove_file(fixture.path("a/.gitignore")).unwrap();
    check_paths(&fixture, &[".git/info/exclude", "a/.gitignore"], (2, 0, 0, 1));
}

#[test]
fn a_run_over_paths_refuses_a_mass_removal_of_the_source() {
    let fixture = Fixture::new(&[]);
    for number in 0..40 {
        fixture.write(&format!("{}/{number}.txt", number % 4), format!("text {number}"));
    }
    check(&fixture, (40, 0, 0, 0));
    fs::remove_dir_all(fixture.path("0")).unwrap();
    check_paths(&fixture, &["0"], (0, 0, 10, 0));
    fs::remove_dir_all(fixture.path("1")).unwrap();
    fs::remove_dir_all(fixture.path("2")).unwrap();
    let refused = fixture.refresh_paths(&["1", "2"]);
    assert!(matches!(refused, Err(SyncError::MassRemoval { removed: 20, total: 30, .. })));
    assert_eq!(fixture.engine.names().len(), 30);
}

#[test]
fn the_only_files_may_not_vanish_unasked() {
    let fixture = Fixture::new(&[("a/x.txt", "x"), ("a/y.txt", "y"), ("b/z.txt", "z")]);
    check(&fixture, (3, 0, 0, 0));
    fs::remove_dir_all(fixture.path("a")).unwrap();
    check_paths(&fixture, &["a"], (0, 0, 2, 0));
    fs::remove_dir_all(fixture.path("b")).unwrap();
    assert!(matches!(fixture.refresh_paths(&["b"]), Err(SyncError::MassRemoval { .. })));
}

#[test]
fn background_runs_do_the_same() {
    let fixture = Fixture::new(&[("a.txt", "alpha")]);
    let options = RefreshOptions { effort: Effort::Background, ..RefreshOptions::default() };
    assert_eq!(fixture.refresh_with(&options).unwrap().added, 1);
}
