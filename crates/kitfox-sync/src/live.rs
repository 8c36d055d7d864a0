//! Files as they are now, for answers that must not show what is no longer there.

use std::fs::{self, Metadata};
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Component, Path, PathBuf};

use kitfox_core::{Live, LiveFiles, Rules, Unread};
use kitfox_extract::{Refusal, extract, refuse_content, refuse_name, refuse_size};

use crate::Stamp;
use crate::walk::in_order;
use crate::{FileState, Source};

/// The live files of one source. Never leaves its root: neither by `..` nor by a symbolic link.
#[derive(Clone, Debug)]
pub struct SourceFiles {
    source: Source,
}

impl SourceFiles {
    /// The files of `source`; nothing is opened yet.
    pub fn new(source: &Source) -> SourceFiles {
        SourceFiles { source: source.clone() }
    }
}

impl LiveFiles for SourceFiles {
    fn look(&self, path: &str, state: &[u8]) -> Live {
        match self.open(path) {
            Ok((file, metadata)) => self.compare(path, state, &file, &metadata),
            Err(live) => live,
        }
    }

    fn walk(
        &self,
        directories: &[String],
        from: &str,
        visit: &mut dyn FnMut(String) -> ControlFlow<()>,
    ) -> Result<(), Unread> {
        let walked = in_order(&self.source, directories, from, visit);
        walked.map_err(|_| Unread::Refused("the source is not there".to_owned()))
    }

    fn read(&self, path: &str, rules: Rules) -> Result<String, Unread> {
        let refused = |refusal: Option<Refusal>| match refusal {
            Some(Refusal::Generated { .. }) if rules == Rules::Named => Ok(()),
            Some(refusal) => Err(Unread::Refused(refusal.to_string())),
            None => Ok(()),
        };
        if path.split('/').any(|part| part.eq_ignore_ascii_case(".git")) {
            return Err(Unread::Refused(Refusal::Secret.to_string()));
        }
        let purpose = self.source.kind.purpose();
        refused(refuse_name(path))?;
        let opened = if rules == Rules::Walked { self.walked(path) } else { self.open(path) };
        let (file, metadata) = opened.map_err(|live| self.why_unread(path, live))?;
        refused(refuse_size(path, purpose, metadata.len()))?;
        let bytes = fs::read(file).map_err(|error| self.why_unread(path, missing(error)))?;
        refused(refuse_content(path, purpose, &bytes))?;
        Ok(kitfox_extract::text(&bytes).into_owned())
    }
}

impl SourceFiles {
    /// Where a file lies, or what to say instead.
    fn open(&self, path: &str) -> Result<(PathBuf, Metadata), Live> {
        let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside || path.is_empty() {
            return Err(Live::Unreadable("the path leaves its source".to_owned()));
        }
        let root = &self.source.root;
        match behind_no_link(root, path) {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory && is_named(root, path) => {
                Ok((root.clone(), fs::metadata(root).map_err(missing)?))
            }
            // What is indexed lies behind no link, so what lies behind one now is another file; and
            // a link within the source may lead to secrets by a harmless name.
            Ok((file, metadata)) if metadata.is_file() => Ok((file, metadata)),
            Ok(_) => Err(Live::Gone),
            Err(error) => Err(missing(error)),
        }
    }

    /// Where a file lies that a walk has just met.
    fn walked(&self, path: &str) -> Result<(PathBuf, Metadata), Live> {
        let file = self.source.root.join(path);
        match fs::symlink_metadata(&file) {
            Ok(metadata) if metadata.is_file() => Ok((file, metadata)),
            _ => self.open(path),
        }
    }

    /// Tells a folder and a link from what is not there.
    fn why_unread(&self, path: &str, live: Live) -> Unread {
        if let Live::Unreadable(reason) = live {
            return Unread::Refused(reason);
        }
        match fs::symlink_metadata(self.source.root.join(path)) {
            Ok(metadata) if metadata.is_dir() => Unread::Folder,
            Ok(metadata) if metadata.is_file() || metadata.is_symlink() => {
                Unread::Refused("it lies behind a symbolic link".to_owned())
            }
            Ok(_) => Unread::Refused("not a regular file".to_owned()),
            Err(_) => Unread::Gone,
        }
    }

    fn compare(&self, path: &str, state: &[u8], file: &Path, metadata: &Metadata) -> Live {
        let size = metadata.len();
        let indexed = FileState::decode(state);
        if indexed.is_some_and(|indexed| indexed.stamp == Stamp::of(metadata)) {
            return Live::Unchanged;
        }
        let too_large = || refuse_size(path, self.source.kind.purpose(), size);
        if let Some(refusal) = refuse_name(path).or_else(too_large) {
            return Live::Unreadable(refusal.to_string());
        }
        match fs::read(file) {
            Ok(bytes) => self.cut(path, &bytes),
            Err(error) => missing(error),
        }
    }

    fn cut(&self, path: &str, bytes: &[u8]) -> Live {
        let Source { kind, sizes, .. } = self.source;
        match catch_unwind(AssertUnwindSafe(|| extract(path, bytes, kind.purpose(), sizes))) {
            Ok(Ok(extracted)) => Live::Changed(extracted.passages),
            Ok(Err(refusal)) => Live::Unreadable(refusal.to_string()),
            Err(_) => Live::Unreadable("its reader failed".to_owned()),
        }
    }
}

/// Where a path below a root leads, up to the first link on the way.
fn behind_no_link(root: &Path, path: &str) -> io::Result<(PathBuf, Metadata)> {
    let mut at = root.to_owned();
    let mut parts = path.split('/').peekable();
    loop {
        at.extend(parts.next());
        let metadata = fs::symlink_metadata(&at)?;
        if metadata.is_symlink() || parts.peek().is_none() {
            return Ok((at, metadata));
        }
    }
}

/// Whether a root that is a single file is called like this.
fn is_named(root: &Path, path: &str) -> bool {
    root.file_name().is_some_and(|name| name == path)
}

fn missing(error: io::Error) -> Live {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Live::Gone,
        _ => Live::Unreadable(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;

    use kitfox_core::{Live, LiveFiles, Rules, Unread};

    use super::SourceFiles;
    use crate::testing::{Content, Fixture};

    #[test]
    fn files_are_compared_with_what_was_indexed() {
        let fixture = Fixture::new(&[("a.txt", "alpha"), ("b.txt", "beta"), ("c.txt", "gamma")]);
        fixture.refresh().unwrap();
        fixture.write("b.txt", "another beta");
        fs::remove_file(fixture.path("c.txt")).unwrap();
        let files = SourceFiles::new(&fixture.source);
        let look = |path| files.look(path, &fixture.engine.state(path));
        assert_eq!(look("a.txt"), Live::Unchanged);
        assert_eq!(look("c.txt"), Live::Gone);
        assert_eq!(files.look("a.txt/x", b""), Live::Gone);
        let Live::Changed(passages) = look("b.txt") else { panic!("b.txt has changed") };
        assert_eq!(passages[0].text, "another beta");
    }

    #[test]
    fn paths_out_of_the_source_are_refused() {
        let fixture = Fixture::new(&[("a.txt", "alpha")]);
        let files = SourceFiles::new(&fixture.source);
        for path in ["../a.txt", "/etc/hostname", "", "x/../../a.txt"] {
            assert!(matches!(files.look(path, b""), Live::Unreadable(_)), "{path:?}");
        }
    }

    #[test]
    fn texts_are_read_by_the_rules() {
        let refused = |reason: &str| Err(Unread::Refused(reason.to_owned()));
        let fixture = Fixture::new(&[
            ("src/a.txt", "alpha"),
            ("src/made.rs", "// @generated\n"),
            ("Cargo.lock", "version = 3"),
            (".env", "KEY=1"),
            (".git/config", "token"),
            ("binary.txt", "a\0b"),
            (".gitignore", "ignored.txt"),
            ("ignored.txt", "ignored"),
        ]);
        let files = SourceFiles::new(&fixture.source);
        let mut listed = Vec::new();
        let mut visit = |path| {
            listed.push(path);
            ControlFlow::Continue(())
        };
        files.walk(&[], "", &mut visit).unwrap();
        assert_eq!(listed, ["binary.txt", "src/a.txt", "src/made.rs"]);
        let check = |path, rules, expected: Result<&str, Unread>| {
            assert_eq!(files.read(path, rules), expected.map(str::to_owned), "{path}");
        };
        check("src/a.txt", Rules::Indexed, Ok("alpha"));
        check("src/made.rs", Rules::Indexed, refused("generated: its header says so"));
        check("src/made.rs", Rules::Named, Ok("// @generated\n"));
        check("Cargo.lock", Rules::Named, Ok("version = 3"));
        check(".env", Rules::Named, refused("may hold secrets"));
        check(".git/config", Rules::Named, refused("may hold secrets"));
        check("binary.txt", Rules::Named, refused("binary"));
        check("src", Rules::Named, Err(Unread::Folder));
        check("src/b.txt", Rules::Named, Err(Unread::Gone));
        check("../a.txt", Rules::Named, refused("the path leaves its source"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let fixture = Fixture::new(&[("a.txt", "alpha")]);
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("x.txt"), "secret").unwrap();
        let link = |target: &std::path::Path, name| {
            std::os::unix::fs::symlink(target, fixture.path(name)).unwrap();
        };
        link(&outside.path().join("x.txt"), "x.txt");
        link(outside.path(), "folder");
        let files = SourceFiles::new(&fixture.source);
        for path in ["x.txt", "folder/x.txt"] {
            assert_eq!(files.look(path, b""), Live::Gone, "{path}");
            let refused = Unread::Refused("it lies behind a symbolic link".into());
            assert_eq!(files.read(path, Rules::Named), Err(refused), "{path}");
        }
    }
}
