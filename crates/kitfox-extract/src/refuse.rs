//! Which files are not indexed, and why.

use crate::format::{Purpose, file_name, format_of, format_of_file};

/// Largest code, configuration or unknown file, in bytes.
const LARGEST_CODE: u64 = 2 * MIB;
/// Largest document, in bytes.
const LARGEST_DOCUMENT: u64 = 64 * MIB;
const MIB: u64 = 1 << 20;

/// A NUL among so many first bytes makes a file binary.
const BINARY_PROBE: usize = 8 << 10;
/// Only files beyond this many bytes count as minified.
const MINIFIED_BYTES: usize = 20 << 10;
/// Average bytes of a line beyond which a file counts as minified.
const MINIFIED_LINE: usize = 300;
/// So many first lines may hold a mark that the file is generated.
const HEADER_LINES: usize = 20;

/// Why a file is not indexed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Not text.
    #[error("binary")]
    Binary,
    /// May hold passwords or keys.
    #[error("may hold secrets")]
    Secret,
    /// Written by a program: a lock file, minified or marked as generated.
    #[error("generated: {reason}")]
    Generated {
        /// What tells so.
        reason: &'static str,
    },
    /// Named like a document, but none.
    #[error("not a manual page, though named like one")]
    NoManualPage,
    /// Beyond the limit of its kind.
    #[error("too large: {} MB, the limit is {} MB", .size.div_ceil(MIB), .limit / MIB)]
    TooLarge {
        /// Bytes of the file.
        size: u64,
        /// Most bytes a file of this kind may have.
        limit: u64,
    },
}

/// Refuses what the name alone tells, so that the file need not be read.
pub fn refuse_name(path: &str) -> Option<Refusal> {
    let name = file_name(path).to_ascii_lowercase();
    if is_secret(&name) {
        return Some(Refusal::Secret);
    }
    if is_lock(&name) {
        return Some(Refusal::Generated { reason: "a lock file" });
    }
    if name.ends_with(".designer.cs") {
        return Some(Refusal::Generated { reason: "by a designer" });
    }
    if MINIFIED_ENDINGS.iter().any(|ending| name.ends_with(ending)) {
        return Some(Refusal::Generated { reason: "minified or a source map" });
    }
    let (_, extension) = name.rsplit_once('.')?;
    BINARY_EXTENSIONS.contains(&extension).then_some(Refusal::Binary)
}

/// Refuses what the size in bytes tells, so that the file need not be read.
pub fn refuse_size(path: &str, purpose: Purpose, size: u64) -> Option<Refusal> {
    let limit = if is_document(path, purpose) { LARGEST_DOCUMENT } else { LARGEST_CODE };
    (size > limit).then_some(Refusal::TooLarge { size, limit })
}

/// Refuses what only the bytes tell.
pub fn refuse_content(path: &str, purpose: Purpose, bytes: &[u8]) -> Option<Refusal> {
    let probe = &bytes[..bytes.len().min(BINARY_PROBE)];
    let utf_16 = probe.starts_with(&[0xFF, 0xFE]) || probe.starts_with(&[0xFE, 0xFF]);
    if !utf_16 && probe.contains(&0) {
        return Some(Refusal::Binary);
    }
    if bytes.starts_with(b"-----BEGIN")
        && probe.windows(PRIVATE_KEY.len()).any(|window| window == PRIVATE_KEY)
    {
        return Some(Refusal::Secret);
    }
    if is_document(path, purpose) {
        let is_other = format_of_file(path, bytes).is_none();
        return is_other.then_some(Refusal::NoManualPage);
    }
    if has_generated_header(bytes) {
        return Some(Refusal::Generated { reason: "its header says so" });
    }
    is_minified(bytes).then_some(Refusal::Generated { reason: "minified: very long lines" })
}

fn is_document(path: &str, purpose: Purpose) -> bool {
    format_of(path).is_some_and(|format| format.is_document(purpose))
}

const PRIVATE_KEY: &[u8] = b"PRIVATE KEY-----";

fn is_secret(name: &str) -> bool {
    if let Some(rest) = name.strip_prefix(".env") {
        let sample = [".example", ".sample", ".template", ".dist", ".defaults"];
        return rest.is_empty()
            || (rest.starts_with('.') && !sample.iter().any(|ending| rest.ends_with(ending)));
    }
    SECRET_NAMES.contains(&name)
        || name.rsplit_once('.').is_some_and(|(_, e)| SECRET_EXTENSIONS.contains(&e))
}

fn is_lock(name: &str) -> bool {
    LOCK_NAMES.contains(&name)
}

fn has_generated_header(bytes: &[u8]) -> bool {
    let probe = &bytes[..bytes.len().min(4096)];
    let mut ends = (0..probe.len()).filter(|&at| probe[at] == b'\n');
    let end = ends.nth(HEADER_LINES - 1).unwrap_or(probe.len());
    let probe = String::from_utf8_lossy(&probe[..end]);
    probe.lines().take(HEADER_LINES).any(|line| {
        let line = line.trim_start_matches('\u{FEFF}').trim_start();
        let comment = ["//", "#", "/*", "*", "--", ";", "<!--", "%"];
        comment.iter().any(|mark| line.starts_with(mark)) && says_generated(line)
    })
}

/// Whether a comment says that its file is generated, not merely speaks of such files.
fn says_generated(comment: &str) -> bool {
    let is_mark = |word: &str| word.trim_end_matches(['.', ',', '*', '/']) == "@generated";
    let comment = comment.to_ascii_lowercase();
    let text = comment.trim_start_matches(|c: char| !c.is_ascii_alphanumeric() && c != '<');
    let forbids = ["do not edit", "do not modify", "don't edit"];
    comment.split_whitespace().any(is_mark)
        || GENERATED_OPENINGS.iter().any(|opening| text.starts_with(opening))
        || text.contains("generated") && forbids.iter().any(|words| text.contains(words))
}

/// What a comment begins with that says that its file is generated.
const GENERATED_OPENINGS: &[&str] = &[
    "<auto-generated",
    "this file is auto-generated",
    "this file is autogenerated",
    "this file is automatically generated",
    "this file is generated by",
    "this file was auto-generated",
    "this file was autogenerated",
    "this file was automatically generated",
    "this file was generated by",
];

fn is_minified(bytes: &[u8]) -> bool {
    let lines = || bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
    bytes.len() > MINIFIED_BYTES && bytes.len() / lines() > MINIFIED_LINE
}

const SECRET_NAMES: &[&str] = &[
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "credentials",
    "credentials.json",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    ".git-credentials",
    ".dockercfg",
    ".my.cnf",
    "secrets.json",
    "secrets.yaml",
    "secrets.yml",
    "secrets.toml",
];

const SECRET_EXTENSIONS: &[&str] =
    &["pem", "key", "p12", "pfx", "keystore", "jks", "kdbx", "ppk", "asc", "gpg", "p8"];

const LOCK_NAMES: &[&str] = &[
    "cargo.lock",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
    "deno.lock",
    "poetry.lock",
    "pdm.lock",
    "uv.lock",
    "pipfile.lock",
    "gemfile.lock",
    "composer.lock",
    "mix.lock",
    "go.sum",
    "go.work.sum",
    "flake.lock",
    "podfile.lock",
    "packages.lock.json",
    "pubspec.lock",
    "gradle.lockfile",
];

const MINIFIED_ENDINGS: &[&str] =
    &[".min.js", ".min.mjs", ".min.cjs", ".min.css", ".map", ".bundle.js", ".chunk.js"];

const BINARY_EXTENSIONS: &[&str] = &[
    "7z",
    "a",
    "aac",
    "avi",
    "avif",
    "bin",
    "bmp",
    "bz2",
    "class",
    "dat",
    "db",
    "deb",
    "dll",
    "dmg",
    "doc",
    "docx",
    "dylib",
    "eot",
    "epub",
    "exe",
    "flac",
    "gif",
    "gz",
    "heic",
    "ico",
    "icns",
    "iso",
    "jar",
    "jpeg",
    "jpg",
    "lib",
    "lz4",
    "mkv",
    "mov",
    "mp3",
    "mp4",
    "mpeg",
    "msi",
    "node",
    "npy",
    "npz",
    "o",
    "obj",
    "odp",
    "ods",
    "odt",
    "ogg",
    "onnx",
    "otf",
    "parquet",
    "pdf",
    "png",
    "ppt",
    "pptx",
    "psd",
    "pt",
    "pyc",
    "pyd",
    "pyo",
    "rar",
    "rlib",
    "rmeta",
    "rpm",
    "safetensors",
    "so",
    "sqlite",
    "sqlite3",
    "swf",
    "tar",
    "tgz",
    "tif",
    "tiff",
    "ttf",
    "war",
    "wasm",
    "wav",
    "webm",
    "webp",
    "whl",
    "woff",
    "woff2",
    "xls",
    "xlsx",
    "xz",
    "zip",
    "zst",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, bytes: &[u8], reason: &str) {
        let found = refuse_name(path).or_else(|| refuse_content(path, Purpose::Code, bytes));
        assert_eq!(found.map(|r| r.to_string()).unwrap_or_default(), reason, "{path}");
    }

    #[test]
    fn what_is_refused_by_name() {
        check("a/.env", b"", "may hold secrets");
        check(".env.production", b"", "may hold secrets");
        check(".env.example", b"", "");
        check(".environment", b"", "");
        check("deploy/ID_RSA", b"", "may hold secrets");
        check("tls/server.key", b"", "may hold secrets");
        check("Cargo.lock", b"", "generated: a lock file");
        check("Form.Designer.cs", b"", "generated: by a designer");
        check("app.min.js", b"", "generated: minified or a source map");
        check("logo.PNG", b"", "binary");
        check("src/lib.rs", b"", "");
    }

    #[test]
    fn what_is_refused_by_content() {
        check("a.txt", b"a\0b", "binary");
        check("a.txt", b"\xFF\xFEa\0", "");
        check("a.go", b"// Code generated by x. DO NOT EDIT.\npackage a", GENERATED);
        check("a.rs", b"// @generated\n", GENERATED);
        check("a.rs", b"// looks for \"@generated\" marks\n", "");
        check("a.py", b"#!/usr/bin/python\n# Generated by protoc. DO NOT EDIT!\n", GENERATED);
        check("a.cs", b"\xEF\xBB\xBF// <auto-generated/>\n", GENERATED);
        check("a.rb", b"# This file is auto-generated from the database.\n", GENERATED);
        check("a.dart", b"// GENERATED CODE - DO NOT MODIFY BY HAND\n", GENERATED);
        check("a.c", b"// Tells whether a file is generated.\n", "");
        check("a.c", b"const char* mark = \"generated, do not edit\";\n", "");
        check("a.js", "a".repeat(30_000).as_bytes(), "generated: minified: very long lines");
        check("a.md", "a".repeat(30_000).as_bytes(), "");
    }

    const GENERATED: &str = "generated: its header says so";

    #[test]
    fn what_is_too_large() {
        let said =
            |path, size| refuse_size(path, Purpose::Code, size).map(|refusal| refusal.to_string());
        assert_eq!(said("a.txt", 200 * MIB).as_deref(), Some(LARGE));
        assert_eq!(said("a.txt", 64 * MIB), None);
        assert!(said("a.rs", 3 * MIB).is_some());
    }

    const LARGE: &str = "too large: 200 MB, the limit is 64 MB";
}
