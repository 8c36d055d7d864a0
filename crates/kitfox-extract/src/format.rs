//! Which format a file has, by its name alone.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::converted::Converted;
use crate::lines::Source;
use crate::sections::Outline;
use crate::{asciidoc, html, man, markdown, rst, text};

/// What files are read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// As a project: an HTML page is code.
    Code,
    /// As documentation: an HTML page is what it says.
    Docs,
}

/// A format of files.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its name, as filters and answers show it.
    pub name: &'static str,
    pub(crate) reading: Reading,
}

/// How files of a format are read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reading {
    /// By syntax, or by windows of lines.
    Code,
    /// As it stands, by its headings and paragraphs.
    Prose(fn(&Source<'_>) -> Outline),
    /// In documentation as the Markdown it amounts to; elsewhere its markup is of interest.
    Page {
        convert: fn(&Source<'_>) -> Converted,
        /// Whether a file is what its name says.
        is_one: fn(&[u8]) -> bool,
    },
}

impl Format {
    /// Whether files of it are documents, cut by headings and paragraphs.
    pub fn is_document(&self, purpose: Purpose) -> bool {
        match self.reading {
            Reading::Code => false,
            Reading::Prose(_) => true,
            Reading::Page { .. } => purpose == Purpose::Docs,
        }
    }

    fn is_one(&self, bytes: &[u8]) -> bool {
        if let Reading::Page { is_one, .. } = self.reading { is_one(bytes) } else { true }
    }
}

/// What files of no known format count as.
pub(crate) static UNKNOWN: Format = Format { name: "text", reading: Reading::Code };

/// The format of a file by its name, or none where the name tells nothing.
///
/// A file without a format is read as text and cut by windows of lines.
pub fn format_of(path: &str) -> Option<&'static Format> {
    let name = file_name(path).to_ascii_lowercase();
    let named = || whole_names(&name).find_map(|name| TABLE.names.get(name));
    let extension = || TABLE.extensions.get(name.rsplit_once('.')?.1);
    named().or_else(extension).copied()
}

/// The format of a file, by its first line where its name tells nothing: scripts have no extension.
pub(crate) fn format_of_file(path: &str, bytes: &[u8]) -> Option<&'static Format> {
    let named = format_of(path).filter(|format| format.is_one(bytes));
    named.or_else(|| {
        let name = interpreter(bytes)?;
        let (_, format) = INTERPRETERS.iter().find(|(known, _)| *known == name)?;
        ROWS.iter().map(|row| &row.format).find(|row| row.name == *format)
    })
}

/// The program that a script asks for, without its version: `python` of `#!/usr/bin/env python3`.
fn interpreter(bytes: &[u8]) -> Option<&str> {
    let line = bytes.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split_whitespace();
    let mut name = file_name(words.next()?);
    if name == "env" {
        name = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    Some(name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// Interpreters and the formats of their scripts.
const INTERPRETERS: &[(&str, &str)] = &[
    ("bash", "bash"),
    ("bats", "bash"),
    ("dash", "bash"),
    ("ksh", "bash"),
    ("sh", "bash"),
    ("zsh", "bash"),
    ("fish", "fish"),
    ("python", "python"),
    ("node", "javascript"),
    ("deno", "typescript"),
    ("ruby", "ruby"),
    ("perl", "perl"),
    ("php", "php"),
    ("lua", "lua"),
    ("luajit", "lua"),
    ("elixir", "elixir"),
    ("runghc", "haskell"),
    ("runhaskell", "haskell"),
    ("Rscript", "r"),
    ("pwsh", "powershell"),
];

/// What may be the whole name of a format's files: `Dockerfile` names `Dockerfile.dev` too.
fn whole_names(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |name| Some(name.rsplit_once('.')?.0))
}

/// The rows by what they are found by; where several claim a name, the first has it.
struct Table {
    names: HashMap<&'static str, &'static Format>,
    extensions: HashMap<&'static str, &'static Format>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { names: HashMap::new(), extensions: HashMap::new() };
    for row in ROWS {
        for name in row.names {
            table.names.entry(name).or_insert(&row.format);
        }
        for extension in row.extensions {
            table.extensions.entry(extension).or_insert(&row.format);
        }
    }
    table
});

/// The last component of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The last component of a path without its extension; a name that begins with a dot stays whole.
pub(crate) fn stem(path: &str) -> &str {
    let name = file_name(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

struct Row {
    format: Format,
    extensions: &'static [&'static str],
    /// Whole file names, in lower case.
    names: &'static [&'static str],
}

const fn prose(
    name: &'static str,
    outline: fn(&Source<'_>) -> Outline,
    extensions: &'static [&'static str],
) -> Row {
    Row { format: Format { name, reading: Reading::Prose(outline) }, extensions, names: &[] }
}

const fn page(
    name: &'static str,
    convert: fn(&Source<'_>) -> Converted,
    is_one: fn(&[u8]) -> bool,
    extensions: &'static [&'static str],
) -> Row {
    let reading = Reading::Page { convert, is_one };
    Row { format: Format { name, reading }, extensions, names: &[] }
}

const fn code(name: &'static str, extensions: &'static [&'static str]) -> Row {
    named(name, extensions, &[])
}

const fn named(
    name: &'static str,
    extensions: &'static [&'static str],
    names: &'static [&'static str],
) -> Row {
    Row { format: Format { name, reading: Reading::Code }, extensions, names }
}

const MAN_SECTIONS: &[&str] = &[
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "1m", "1p", "1ssl", "3p", "3pm", "3ssl", "7ssl",
    "8p", "man", "mdoc",
];

static ROWS: &[Row] = &[
    prose("markdown", markdown::outline, &["md", "mdx", "markdown", "mdown", "mkd"]),
    prose("rst", rst::outline, &["rst"]),
    prose("asciidoc", asciidoc::outline, &["adoc", "asciidoc"]),
    prose("text", text::outline, &["txt", "text"]),
    page("html", html::convert, |_| true, &["html", "htm", "xhtml"]),
    page("man", man::convert, man::is_page, MAN_SECTIONS),
    code("rust", &["rs"]),
    code("python", &["py", "pyi", "pyw"]),
    code("javascript", &["js", "mjs", "cjs", "jsx"]),
    code("typescript", &["ts", "mts", "cts"]),
    code("tsx", &["tsx"]),
    code("go", &["go"]),
    code("java", &["java"]),
    code("kotlin", &["kt", "kts"]),
    code("scala", &["scala", "sc", "sbt"]),
    named("groovy", &["groovy", "gradle"], &["jenkinsfile"]),
    code("clojure", &["clj", "cljs", "cljc", "edn"]),
    code("c", &["c"]),
    code("cpp", &["cpp", "cc", "cxx", "hpp", "hh", "hxx", "h", "ipp", "inl", "cu", "cuh"]),
    code("csharp", &["cs", "csx"]),
    code("fsharp", &["fs", "fsi", "fsx"]),
    code("objective-c", &["m", "mm"]),
    code("swift", &["swift"]),
    named("ruby", &["rb", "rake", "gemspec"], &["rakefile", "gemfile", "podfile", "vagrantfile"]),
    code("php", &["php", "phtml"]),
    code("perl", &["pl", "pm"]),
    code("lua", &["lua"]),
    code("elixir", &["ex", "exs"]),
    code("erlang", &["erl", "hrl"]),
    code("haskell", &["hs", "lhs"]),
    code("ocaml", &["ml", "mli"]),
    code("zig", &["zig"]),
    code("nim", &["nim"]),
    code("dart", &["dart"]),
    code("julia", &["jl"]),
    code("r", &["r"]),
    code("fortran", &["f90", "f95", "f03"]),
    code("assembly", &["asm", "s"]),
    code("solidity", &["sol"]),
    named("bash", &["sh", "bash", "zsh", "bats"], &["gradlew", ".bashrc", ".zshrc", ".profile"]),
    code("fish", &["fish"]),
    code("powershell", &["ps1", "psm1"]),
    code("batch", &["bat", "cmd"]),
    code("sql", &["sql"]),
    code("graphql", &["graphql", "gql"]),
    code("proto", &["proto"]),
    code("thrift", &["thrift"]),
    code("vue", &["vue"]),
    code("svelte", &["svelte"]),
    code("astro", &["astro"]),
    code("css", &["css"]),
    code("scss", &["scss"]),
    code("sass", &["sass"]),
    code("less", &["less"]),
    code("toml", &["toml"]),
    code("yaml", &["yaml", "yml"]),
    code("json", &["json", "jsonc", "json5", "webmanifest"]),
    code("jsonl", &["jsonl", "ndjson"]),
    code("xml", &["xml", "xsd", "xsl", "xslt", "plist", "csproj"]),
    code("csv", &["csv", "tsv"]),
    named("ini", &["ini", "cfg", "conf", "properties"], &[".editorconfig", ".gitconfig"]),
    code("hcl", &["tf", "tfvars", "hcl"]),
    code("nix", &["nix"]),
    code("tex", &["tex", "sty", "bib"]),
    code("vim", &["vim"]),
    code("lisp", &["el", "lisp", "scm", "rkt"]),
    code("diff", &["diff", "patch"]),
    named("dockerfile", &["dockerfile"], &["dockerfile", "containerfile"]),
    named("makefile", &["mk", "mak"], &["makefile", "gnumakefile"]),
    named("cmake", &["cmake"], &["cmakelists.txt"]),
    named("just", &["just"], &["justfile", ".justfile"]),
    named("bazel", &["bzl", "bazel"], &["build.bazel", "workspace.bazel"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_formats() {
        let name =
            |path| format_of(path).map(|format| (format.name, format.is_document(Purpose::Code)));
        assert_eq!(name("src/lib.rs"), Some(("rust", false)));
        assert_eq!(name("a/README.MD"), Some(("markdown", true)));
        assert_eq!(name("notes.txt"), Some(("text", true)));
        assert_eq!(name("CMakeLists.txt"), Some(("cmake", false)));
        assert_eq!(name("docker/Dockerfile.dev"), Some(("dockerfile", false)));
        assert_eq!(name("dockerfile.md"), Some(("dockerfile", false)));
        assert_eq!(name("a.dockerfile.md"), Some(("markdown", true)));
        assert_eq!(name(".bashrc.local"), Some(("bash", false)));
        assert_eq!(name("component.d.ts"), Some(("typescript", false)));
        assert_eq!(name("LICENSE"), None);
        assert_eq!(name("index.html"), Some(("html", false)));
        assert!(format_of("index.html").is_some_and(|html| html.is_document(Purpose::Docs)));
    }

    #[test]
    fn first_lines_tell_formats() {
        let name = |path, text: &str| format_of_file(path, text.as_bytes()).map(|f| f.name);
        assert_eq!(name("bin/setup", "#!/bin/sh\n"), Some("bash"));
        assert_eq!(name("setup", "#!/usr/bin/env -S FOO=1 python3.12 -u\r\n"), Some("python"));
        assert_eq!(name("setup.rb", "#!/bin/sh\n"), Some("ruby"));
        assert_eq!(name("setup", "#!/usr/bin/env"), None);
        assert_eq!(name("tool.1", ".\\\" A licence\n.TH TOOL 1\n"), Some("man"));
        assert_eq!(name("log.1", "started\n"), None);
        assert_eq!(name("setup", "#!/usr/bin/awk -f\n"), None);
        assert_eq!(name("setup", "# !/bin/sh\n"), None);
    }

    #[test]
    fn interpreters_are_of_known_formats() {
        for (interpreter, format) in INTERPRETERS {
            assert!(ROWS.iter().any(|row| row.format.name == *format), "{interpreter}");
        }
    }

    #[test]
    fn stems_keep_dot_files() {
        assert_eq!(stem("a/b/guide.en.md"), "guide.en");
        assert_eq!(stem(".bashrc"), ".bashrc");
    }
}
