//! Trees that are odd: each file that belongs to the source is indexed once, and the rest is said.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use kitfox_core::{LiveFiles, Rules, Unread};

use super::is_linked_worktree;
use crate::testing::{Content, Fixture};
use crate::{Report, SourceFiles};

/// Runs, compares what is indexed and walked with what should be, and gives the report.
#[track_caller]
fn check(fixture: &Fixture, expected: &[&str]) -> Report {
    let report = fixture.refresh().unwrap();
    assert_eq!(fixture.engine.names(), expected);
    let mut walked = walked(fixture, &[], "", usize::MAX);
    assert!(walked.is_sorted_by_key(|path| path.split('/').map(str::to_owned).collect::<Vec<_>>()));
    walked.sort();
    assert_eq!(walked, expected);
    report
}

/// The first files of a walk in order.
fn walked(fixture: &Fixture, directories: &[&str], from: &str, most: usize) -> Vec<String> {
    let directories: Vec<String> = directories.iter().map(|path| (*path).to_owned()).collect();
    let mut found = Vec::new();
    let visit = &mut |path| {
        found.push(path);
        if found.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    SourceFiles::new(&fixture.source).walk(&directories, from, visit).unwrap();
    found
}

#[test]
fn a_walk_in_order_goes_from_a_path_as_far_as_it_is_wanted() {
    let files = ["a/x.txt", "a/y/z.txt", "a-b/x.txt", "b.txt", "c/x.txt", "c/y.txt"];
    let mut fixture = Fixture::new(&files.map(|path| (path, path)));
    fixture.write(".gitignore", "ignored.txt");
    fixture.write("c/ignored.txt", "ignored");
    fixture.write("c/node_modules/x.txt", "vendored");
    let check = |fixture: &Fixture, directories: &[&str], from: &str, expected: &[&str]| {
        let all = walked(fixture, directories, from, usize::MAX);
        assert_eq!(all, expected, "{directories:?} from {from:?}");
        assert_eq!(walked(fixture, directories, from, 1), expected[..expected.len().min(1)]);
    };
    check(&fixture, &[], "", &files);
    check(&fixture, &[""], "", &files);
    check(&fixture, &["a"], "", &files[..2]);
    check(&fixture, &["c", "a/y", "nowhere"], "", &["a/y/z.txt", "c/x.txt", "c/y.txt"]);
    check(&fixture, &["b.txt"], "", &[]);
    check(&fixture, &[".git"], "", &[]);
    check(&fixture, &[], "a/y/z.txt", &files[1..]);
    check(&fixture, &[], "a/y/zz", &files[2..]);
    check(&fixture, &["a"], "a/y", &files[1..2]);
    check(&fixture, &[], "c/y.txt", &files[5..]);
    check(&fixture, &[], "d", &[]);
    fixture.source.root = fixture.path("b.txt");
    check(&fixture, &[], "", &["b.txt"]);
    check(&fixture, &["a"], "", &[]);
}

#[test]
fn a_walked_file_is_read_unless_it_is_a_link_now() {
    let mut fixture = Fixture::new(&[("a.txt", "a"), (".env", "KEY=1")]);
    let read =
        |fixture: &Fixture, path| SourceFiles::new(&fixture.source).read(path, Rules::Walked);
    assert_eq!(read(&fixture, "a.txt").as_deref(), Ok("a"));
    assert_eq!(read(&fixture, "gone.txt"), Err(Unread::Gone));
    assert!(matches!(read(&fixture, ".env"), Err(Unread::Refused(_))));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(fixture.path("a.txt"), fixture.path("l.txt")).unwrap();
        assert!(matches!(read(&fixture, "l.txt"), Err(Unread::Refused(_))));
    }
    fixture.source.root = fixture.path("a.txt");
    assert_eq!(read(&fixture, "a.txt").as_deref(), Ok("a"));
}

#[track_caller]
fn check_read(fixture: &Fixture, path: &str, expected: Result<&str, Unread>) {
    let found = SourceFiles::new(&fixture.source).read(path, Rules::Indexed);
    assert_eq!(found, expected.map(str::to_owned), "{path}");
}

#[test]
fn linked_work_trees_are_told_from_submodules() {
    #[track_caller]
    fn check(pointer: &str, repository: &[&str], expected: bool) {
        let root = tempfile::tempdir().unwrap();
        let tree = root.path().join("tree");
        fs::create_dir(&tree).unwrap();
        let root = root.path().to_str().unwrap();
        fs::write(tree.join(".git"), pointer.replace("ROOT", root)).unwrap();
        for file in repository {
            let file = Path::new(root).join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "x").unwrap();
        }
        assert_eq!(is_linked_worktree(&tree), expected, "{pointer:?} with {repository:?}");
    }
    // Those of a repository, of a submodule, and of a repository that is elsewhere.
    check("gitdir: ROOT/.git/worktrees/tree\n", &[".git/worktrees/tree/commondir"], true);
    check("gitdir: ../.git/worktrees/tree\r\n", &[".git/worktrees/tree/commondir"], true);
    check("gitdir: ../.git/modules/s/worktrees/t", &[".git/modules/s/worktrees/t/commondir"], true);
    check("gitdir: /gone/.git/worktrees/tree\n", &[], true);
    // Submodules: plain, in a linked work tree, and with a misleading name.
    check("gitdir: ../.git/modules/tree\n", &[".git/modules/tree/HEAD"], false);
    check("gitdir: /gone/.git/worktrees/w/modules/tree\n", &[], false);
    let inner = ".git/worktrees/w/modules/tree/HEAD";
    check("gitdir: ../.git/worktrees/w/modules/tree\n", &[inner], false);
    check("gitdir: ../.git/modules/worktrees/tree\n", &[".git/modules/worktrees/tree/HEAD"], false);
    check("no pointer", &[], false);
    check("", &[], false);
}

#[test]
fn work_trees_and_submodules_are_not_indexed_twice() {
    let fixture = Fixture::new(&[
        (".git/HEAD", "ref: refs/heads/main"),
        (".git/modules/sub/HEAD", "ref: refs/heads/main"),
        (".git/worktrees/tree/commondir", "../.."),
        ("a.txt", "a"),
        ("sub/.git", "gitdir: ../.git/modules/sub"),
        ("sub/.gitignore", "ignored.txt"),
        ("sub/ignored.txt", "ignored"),
        ("sub/s.txt", "s"),
        ("tree/.git", "gitdir: ../.git/worktrees/tree"),
        ("tree/a.txt", "a"),
        ("tree/sub/s.txt", "s"),
    ]);
    let report = check(&fixture, &["a.txt", "sub/s.txt"]);
    assert_eq!(report.skipped.get("linked git worktree"), Some(&1), "{:?}", report.skipped);
    // One that a person names is a source like any other.
    let mut fixture = fixture;
    fixture.source.root = fixture.path("tree");
    fixture.source.name = "tree".to_owned();
    fixture.engine = Default::default();
    check(&fixture, &["a.txt", "sub/s.txt"]);
}

#[cfg(unix)]
#[test]
fn links_neither_turn_in_circles_nor_lead_out() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("x.txt"), "outside").unwrap();
    let fixture = Fixture::new(&[("a/x.txt", "a"), ("b/x.txt", "b"), ("a/deep/y.txt", "y")]);
    let link = |target: &Path, name: &str| symlink(target, fixture.path(name)).unwrap();
    link(Path::new("."), "self");
    link(Path::new("loop"), "loop");
    link(Path::new("../../a"), "a/deep/up");
    link(Path::new("../b"), "a/other");
    link(Path::new("../a"), "b/other");
    link(Path::new("nowhere"), "dangling.txt");
    fixture.write(".git/config", "token");
    link(Path::new(".git"), "harmless");
    link(outside.path(), "outside");
    link(&outside.path().join("x.txt"), "outside.txt");
    let report = check(&fixture, &["a/deep/y.txt", "a/x.txt", "b/x.txt"]);
    assert_eq!(report.skipped.get("symbolic link"), Some(&9), "{:?}", report.skipped);
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    let refused = || Err(Unread::Refused("it lies behind a symbolic link".to_owned()));
    for path in
        ["a/other/x.txt", "outside/x.txt", "outside.txt", "dangling.txt", "loop", "harmless/config"]
    {
        check_read(&fixture, path, refused());
    }
    // A root may well be one itself.
    let mut fixture = fixture;
    let root = outside.path().join("project");
    symlink(&fixture.source.root, &root).unwrap();
    fixture.source.root = root;
    check(&fixture, &["a/deep/y.txt", "a/x.txt", "b/x.txt"]);
    check_read(&fixture, "a/x.txt", Ok("a"));
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_are_not_waited_for() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let fixture = Fixture::new(&[("a.txt", "a"), ("tree/b.txt", "b")]);
    for name in ["pipe.txt", "tree/.git"] {
        mknodat(CWD, fixture.path(name), FileType::Fifo, Mode::RWXU, 0).unwrap();
    }
    let report = check(&fixture, &["a.txt", "tree/b.txt"]);
    assert_eq!(report.skipped.get("not a regular file"), Some(&1), "{:?}", report.skipped);
    check_read(&fixture, "pipe.txt", Err(Unread::Refused("not a regular file".to_owned())));
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_are_told_and_left_out() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::new(&[("a.txt", "a"), ("b/c.txt", "c")]);
    let odd = |bytes: &[u8]| fixture.path("b").join(std::ffi::OsStr::from_bytes(bytes));
    fs::create_dir(odd(b"\xff")).unwrap();
    fs::write(odd(b"\xff/in.txt"), "in").unwrap();
    fs::write(odd(b"\xfe.txt"), "odd").unwrap();
    let report = check(&fixture, &["a.txt", "b/c.txt"]);
    let mut problems: Vec<&str> = report.problems.iter().map(|p| p.path.as_str()).collect();
    problems.sort();
    assert_eq!(problems, ["b/\u{fffd}", "b/\u{fffd}.txt"]);
    // What only looks like them is another file.
    check_read(&fixture, "b/\u{fffd}.txt", Err(Unread::Gone));
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_differ_by_case_only_are_different() {
    let names = ["A.txt", "Src/x.txt", "a.txt", "src/X.txt", "src/x.txt"];
    let fixture = Fixture::new(&names.map(|name| (name, name)));
    check(&fixture, &names);
    for name in names {
        check_read(&fixture, name, Ok(name));
    }
    check_read(&fixture, "SRC/x.txt", Err(Unread::Gone));
    fixture.write("a.txt", "another");
    fs::remove_file(fixture.path("src/X.txt")).unwrap();
    let report = check(&fixture, &["A.txt", "Src/x.txt", "a.txt", "src/x.txt"]);
    assert_eq!((report.changed, report.removed, report.unchanged), (1, 1, 3));
    assert_eq!(fixture.engine.documents("A.txt")[0].text.as_str(), "A.txt");
}

#[test]
fn deep_trees_are_indexed_to_the_ground() {
    let deep = "d/".repeat(1000) + "x.txt";
    let fixture = Fixture::new(&[("a.txt", "a"), (&deep, "deep"), ("d/d/y.txt", "y")]);
    check(&fixture, &["a.txt", &deep, "d/d/y.txt"]);
    check_read(&fixture, &deep, Ok("deep"));
    fixture.write(&deep, "deep, and changed");
    let report = fixture.refresh_paths(&[&deep]).unwrap();
    assert_eq!((report.changed, report.unchanged), (1, 0));
    fs::remove_dir_all(fixture.path("d/d/d")).unwrap();
    fixture.refresh_paths(&[&deep]).unwrap();
    assert_eq!(fixture.engine.names(), ["a.txt", "d/d/y.txt"]);
}

#[cfg(target_os = "linux")]
#[test]
fn paths_that_are_too_long_are_told_and_left_out() {
    let level = "a-rather-long-name/";
    let (above, below) = (level.repeat(150), level.repeat(150));
    let fixture = Fixture::new(&[("a.txt", "a")]);
    fixture.write(&format!("{above}near.txt"), "near");
    fixture.write(&format!("below/{below}far.txt"), "far");
    fs::rename(fixture.path("below"), fixture.path(&format!("{above}below"))).unwrap();
    let report = check(&fixture, &[&format!("{above}near.txt"), "a.txt"]);
    let [problem] = &report.problems[..] else { panic!("{:?}", report.problems) };
    assert!(problem.path.starts_with(&above), "{problem:?}");
    assert!(problem.reason.contains("too long"), "{problem:?}");
}
