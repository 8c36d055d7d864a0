//! The names most files of a project refer to.

use std::cmp::Reverse;

use kitfox_core::paths::{FUNCTION, LANGUAGE, METHOD, TYPE};
use kitfox_core::{Facet, Filter, Rules, Scan, Selection, Start, Test, Value};
use kitfox_extract::{Named, OutlineItem, Sort, named};
use kitfox_rank::is_test_file;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::File;
use super::mentions::{Mention, mentions};
use crate::FaceError;
use crate::code::skeletons::is_test_symbol;
use crate::search::Opened;

/// Symbols of one map.
const MOST: usize = 20;
/// How often so many names are looked up before there are enough symbols.
const ROUNDS: usize = 10;
/// Files whose text is looked through, and bytes of it.
const FILES: usize = 1_000;
const BYTES: usize = 32 << 20;
/// Files looked through side by side.
const SIDE_BY_SIDE: usize = 128;
/// Shorter names say too little.
const SHORTEST: usize = 3;
/// A name that more passages define is no name of one thing.
const DEFINITIONS: usize = 4;

/// A type or function of a project that many of its files refer to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MapSymbol {
    /// Symbol path.
    pub symbol: String,
    /// `class`, `function` and so on.
    pub kind: String,
    /// The file that defines it, relative to the project.
    pub path: String,
    /// First line of the definition, 1-based, its comments included.
    pub start_line: u32,
    /// How many files name it, those that define it and tests aside.
    pub references: usize,
}

/// The types and functions that most files below a scope refer to, most first, and what of it is
/// not all there is.
///
/// Words of the index are folded, and `Context` would be referred to wherever a comment says
/// context; so the files themselves are looked through, a sample of them where they are many.
pub(super) fn list(
    opened: &Opened<'_>,
    files: &[File<'_>],
    scope: &Filter,
) -> Result<(Vec<MapSymbol>, Vec<String>), FaceError> {
    let mut more = Vec::new();
    let names = Names::defined(opened, scope)?;
    let is_code = |file: &&File<'_>| names.languages.contains(file.language);
    let is_counted = |file: &&File<'_>| is_code(file) && !is_test_file(file.path);
    let code: Vec<&str> = files.par_iter().filter(is_counted).map(|file| file.path).collect();
    let Referred { counts, sample } = names.referred(opened, &code, &owners(files));
    if sample.len() < code.len() {
        more.push(format!("`references` counts in {} of {} files", sample.len(), code.len()));
    }
    let mut definitions = Definitions { opened, scope, sample, outlines: FxHashMap::default() };
    let mut named = names.most_named(&counts).into_iter().peekable();
    let mut symbols: Vec<MapSymbol> = Vec::new();
    // Some names turn out to be none of one thing, so there may be more than one round.
    for _ in 0..ROUNDS {
        if symbols.len() < MOST {
            symbols.extend(definitions.symbols(&named.by_ref().take(MOST).collect::<Vec<_>>())?);
        }
    }
    symbols.sort_by_key(|symbol| Reverse(symbol.references));
    if symbols.len() > MOST || named.peek().is_some() {
        symbols.truncate(MOST);
        more.push(format!("only the {MOST} most referenced symbols are shown"));
    }
    Ok((symbols, more))
}

/// What modules and packages of a project may be called: the parts of its paths.
fn owners<'a>(files: &[File<'a>]) -> FxHashSet<&'a str> {
    let mut owners = FxHashSet::default();
    for files in files.chunk_by(|a, b| a.directory() == b.directory()) {
        owners.extend(files[0].directory().split('/'));
        let name = |file: &File<'a>| &file.path[file.directory().len()..];
        let stem = |file| name(file).trim_start_matches('/').split('.').next().unwrap_or_default();
        owners.extend(files.iter().map(stem));
    }
    owners
}

/// The names that few passages define.
struct Names {
    /// Each with its number.
    numbers: FxHashMap<String, usize>,
    /// In which they are defined.
    languages: FxHashSet<String>,
}

/// Which names are referred to.
struct Referred<'f> {
    /// How many files name each name, by its number.
    counts: Vec<usize>,
    /// The files looked through, by path.
    sample: Vec<&'f str>,
}

impl Names {
    fn defined(opened: &Opened<'_>, scope: &Filter) -> Result<Names, FaceError> {
        let is_there = |path: &str| Filter::Any(path.to_owned(), Test::Present);
        let defines = Filter::Or([TYPE, FUNCTION].map(is_there).into());
        let selection = Selection::of(Filter::And(vec![scope.clone(), defines]));
        let paths = [TYPE, FUNCTION, LANGUAGE];
        let facets = opened.ask(|snapshot| snapshot.facets(&selection, &paths, usize::MAX))?;
        let [types, functions, languages] = <[Facet; 3]>::try_from(facets).unwrap_or_default();
        let few = |(_, definitions): &(String, usize)| *definitions <= DEFINITIONS;
        let types = texts(types).filter(|(name, _)| is_long(name));
        let functions = texts(functions).filter(|(name, _)| is_no_plain_word(name));
        let mut names = Names {
            numbers: FxHashMap::default(),
            languages: texts(languages).map(|(language, _)| language).collect(),
        };
        for (name, _) in types.chain(functions).filter(few) {
            let number = names.numbers.len();
            names.numbers.entry(name).or_insert(number);
        }
        Ok(names)
    }

    /// Looks through some files for the names.
    fn referred<'f>(
        &self,
        opened: &Opened<'_>,
        files: &[&'f str],
        owners: &FxHashSet<&str>,
    ) -> Referred<'f> {
        let mut referred = Referred { counts: vec![0; self.numbers.len()], sample: Vec::new() };
        let mut bytes = 0;
        let spread: Vec<&str> =
            files.iter().step_by(files.len().div_ceil(FILES).max(1)).copied().collect();
        let read = |path: &&'f str| {
            let text = opened.source.files.read(path, Rules::Indexed).ok()?;
            Some((*path, text.len(), self.in_text(&text, owners)))
        };
        for files in spread.chunks(SIDE_BY_SIDE) {
            let texts: Vec<_> = files.par_iter().filter_map(read).collect();
            for (path, length, numbers) in texts {
                numbers.into_iter().for_each(|number| referred.counts[number] += 1);
                referred.sample.push(path);
                bytes += length;
            }
            if bytes > BYTES {
                break;
            }
        }
        referred
    }

    /// The numbers of the names that a text mentions.
    fn in_text(&self, text: &str, owners: &FxHashSet<&str>) -> FxHashSet<usize> {
        // `errors.New` is not our `New`, unless something of ours is called `errors`.
        let is_ours = |of: &str| owners.contains(of) || self.numbers.contains_key(of);
        mentions(text)
            .filter_map(|Mention { name, of }| Some((*self.numbers.get(name)?, of)))
            .filter(|(_, of)| of.is_none_or(is_ours))
            .map(|(number, _)| number)
            .collect()
    }

    /// The names with the files that name them, most first.
    fn most_named(&self, counts: &[usize]) -> Vec<(&str, usize)> {
        let named = self.numbers.iter().map(|(name, number)| (name.as_str(), counts[*number]));
        let mut named: Vec<(&str, usize)> = named.filter(|(_, files)| *files > 1).collect();
        named.sort_unstable_by_key(|&(name, files)| (Reverse(files), name));
        named
    }
}

fn texts(facet: Facet) -> impl Iterator<Item = (String, usize)> {
    facet.top.into_iter().filter_map(|(value, count)| match value {
        Value::Text(text) => Some((text, count)),
        _ => None,
    })
}

fn is_long(name: &str) -> bool {
    name.len() >= SHORTEST
}

/// A function called `run` or `items` cannot be told from the word.
fn is_no_plain_word(name: &str) -> bool {
    is_long(name) && name.contains(|c: char| c == '_' || c.is_uppercase())
}

/// Where names are defined, as the files are now.
struct Definitions<'a> {
    opened: &'a Opened<'a>,
    scope: &'a Filter,
    /// The files in which references are counted, by path.
    sample: Vec<&'a str>,
    outlines: FxHashMap<String, Vec<OutlineItem>>,
}

impl Definitions<'_> {
    /// What some names stand for, each with the files that name it.
    fn symbols(&mut self, named: &[(&str, usize)]) -> Result<Vec<MapSymbol>, FaceError> {
        let mut referred = Vec::new();
        for (name, files) in named {
            let paths = self.defining(name)?;
            let is_counted = |path: &&String| self.sample.binary_search(&path.as_str()).is_ok();
            let references = files.saturating_sub(paths.iter().filter(is_counted).count());
            if references > 0 {
                referred.push((*name, references, paths));
            }
        }
        self.read(referred.iter().flat_map(|(.., paths)| paths).cloned().collect());
        let symbol = |(name, references, paths): (&str, usize, Vec<String>)| {
            let (path, item) = self.definition(name, &paths)?;
            Some(symbol(path, item, references))
        };
        Ok(referred.into_iter().filter_map(symbol).collect())
    }

    /// What a name stands for: the longest of its definitions, since others only declare it or
    /// stand in for it. None where only tests define it.
    fn definition<'p>(
        &self,
        name: &str,
        paths: &'p [String],
    ) -> Option<(&'p String, &OutlineItem)> {
        let is_it = |named: &Named<'_>| {
            let is_test = || is_test_symbol(&named.item.symbol);
            named.name == name && named.sort != Sort::Method && !is_test()
        };
        let definitions = paths.iter().flat_map(|path| {
            let outline = self.outlines.get(path).map_or(&[][..], Vec::as_slice);
            named(outline).into_iter().filter(is_it).map(move |named| (path, named.item))
        });
        let length = |item: &OutlineItem| item.end_line - item.start_line;
        definitions.max_by_key(|(_, item)| length(item))
    }

    /// The files that define a name, tests aside; none where many things have it.
    fn defining(&self, name: &str) -> Result<Vec<String>, FaceError> {
        let is_it = |path: &str| Filter::is(path, name);
        let defines = Filter::Or([TYPE, FUNCTION, METHOD].map(is_it).into());
        let selection = Selection::of(Filter::And(vec![self.scope.clone(), defines]));
        let scan =
            Scan { selection, order: Vec::new(), start: Start::First, limit: DEFINITIONS + 1 };
        let rows = self.opened.ask(|snapshot| snapshot.scan(&scan))?;
        if rows.len() > DEFINITIONS {
            return Ok(Vec::new());
        }
        let paths = rows.into_iter().map(|row| row.position.group);
        let mut paths: Vec<String> = paths.filter(|path| !is_test_file(path)).collect();
        paths.dedup();
        Ok(paths)
    }

    /// Reads the outlines of files that are not read yet.
    fn read(&mut self, mut paths: FxHashSet<String>) {
        paths.retain(|path| !self.outlines.contains_key(path));
        let files = &self.opened.source.files;
        let read = |path: String| {
            let text = files.read(&path, Rules::Indexed).ok();
            let outline = text.and_then(|text| kitfox_extract::outline(&path, text.as_bytes()));
            (path, outline.unwrap_or_default())
        };
        self.outlines.extend(paths.into_par_iter().map(read).collect::<Vec<_>>());
    }
}

fn symbol(path: &str, item: &OutlineItem, references: usize) -> MapSymbol {
    MapSymbol {
        symbol: item.symbol.clone(),
        kind: item.kind.to_owned(),
        path: path.to_owned(),
        start_line: item.start_line,
        references,
    }
}
