//! The names most files of a project refer to.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use kitfox_core::paths::{FUNCTION, LANGUAGE, METHOD, TYPE};
use kitfox_core::{Facet, Filter, Group, Rules, Scan, Selection, Test, Value};
use kitfox_extract::{Named, OutlineItem, Sort, named};
use kitfox_rank::is_test_file;
use serde::Serialize;

use super::mentions::{Mention, mentions};
use crate::FaceError;
use crate::code::skeletons::is_test_symbol;
use crate::search::Opened;

/// Symbols of one map.
const MOST: usize = 20;
/// Files whose text is looked through, and bytes of it.
const FILES: usize = 1_000;
const BYTES: usize = 32 << 20;
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

/// The types and functions that most files below a scope refer to, most first.
///
/// Words of the index are folded, and `Context` would be referred to wherever a comment says
/// context; so the files themselves are looked through, a sample of them where they are many.
pub(super) fn list(
    opened: &Opened<'_>,
    files: &[&Group],
    scope: &Filter,
    more: &mut Vec<String>,
) -> Result<Vec<MapSymbol>, FaceError> {
    let mut names = Names::defined(opened, scope)?;
    let files: Vec<&str> = files.iter().map(|group| group.name.as_str()).collect();
    let sample = names.refer(opened, &files, more);
    let mut definitions = Definitions { opened, scope, sample, outlines: HashMap::new() };
    let mut symbols = Vec::new();
    for (name, files) in names.most_named() {
        if symbols.len() == MOST {
            more.push(format!("only the {MOST} most referenced symbols are shown"));
            break;
        }
        symbols.extend(definitions.symbol(&name, files)?);
    }
    symbols.sort_by_key(|symbol: &MapSymbol| Reverse(symbol.references));
    Ok(symbols)
}

/// The names that few passages define.
struct Names {
    /// With the files that name them, and the number of the last such file.
    files: HashMap<String, (usize, usize)>,
    /// In which they are defined.
    languages: HashSet<String>,
}

impl Names {
    fn defined(opened: &Opened<'_>, scope: &Filter) -> Result<Names, FaceError> {
        let is_there = |path: &str| Filter::Any(path.to_owned(), Test::Present);
        let defines = Filter::Or([TYPE, FUNCTION, METHOD].map(is_there).into());
        let selection = Selection::of(Filter::And(vec![scope.clone(), defines]));
        let paths = [TYPE, FUNCTION, METHOD, LANGUAGE];
        let facets = opened.ask(|snapshot| snapshot.facets(&selection, &paths, usize::MAX))?;
        let [types, functions, methods, languages] =
            <[Facet; 4]>::try_from(facets).unwrap_or_default();
        let telling = texts(types).filter(|(name, _)| is_long(name));
        let telling = telling.chain(texts(functions).filter(|(name, _)| is_no_plain_word(name)));
        let mut names: HashMap<String, usize> = HashMap::new();
        telling.for_each(|(name, definitions)| *names.entry(name).or_default() += definitions);
        for (name, definitions) in texts(methods) {
            names.entry(name).and_modify(|all| *all += definitions);
        }
        names.retain(|_, definitions| *definitions <= DEFINITIONS);
        Ok(Names {
            files: names.into_keys().map(|name| (name, (0, 0))).collect(),
            languages: texts(languages).map(|(language, _)| language).collect(),
        })
    }

    /// Counts the files that name each name; returns those looked through, by path.
    fn refer<'f>(
        &mut self,
        opened: &Opened<'_>,
        files: &[&'f str],
        more: &mut Vec<String>,
    ) -> Vec<&'f str> {
        let owners: HashSet<&str> = files.iter().flat_map(|path| parts(path)).collect();
        let is_code = |path: &&str| self.languages.contains((opened.source.language_of)(path));
        let code: Vec<&str> =
            files.iter().copied().filter(is_code).filter(|path| !is_test_file(path)).collect();
        let (mut sample, mut bytes) = (Vec::new(), 0);
        for path in code.iter().step_by(code.len().div_ceil(FILES).max(1)) {
            let Ok(text) = opened.source.files.read(path, Rules::Indexed) else { continue };
            sample.push(*path);
            bytes += text.len();
            self.refer_in(&text, sample.len(), &owners);
            if bytes > BYTES {
                break;
            }
        }
        if sample.len() < code.len() {
            more.push(format!("`references` counts in {} of {} files", sample.len(), code.len()));
        }
        sample
    }

    /// Counts a file that is looked through, by its number.
    fn refer_in(&mut self, text: &str, number: usize, owners: &HashSet<&str>) {
        for Mention { name, of } in mentions(text) {
            // `errors.New` is not our `New`, unless something of ours is called `errors`.
            let is_ours = |of: &str| owners.contains(of) || self.files.contains_key(of);
            if of.is_none_or(is_ours)
                && let Some((files, last)) = self.files.get_mut(name)
                && *last != number
            {
                (*files, *last) = (*files + 1, number);
            }
        }
    }

    /// The names with the files that name them, most first.
    fn most_named(self) -> Vec<(String, usize)> {
        let named = self.files.into_iter().map(|(name, (files, _))| (name, files));
        let mut named: Vec<(String, usize)> = named.filter(|(_, files)| *files > 1).collect();
        named.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
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

/// What a module or package of a file may be called: its directories, and itself.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    folders.split('/').chain(name.split('.').next())
}

/// Where names are defined, as the files are now.
struct Definitions<'a> {
    opened: &'a Opened<'a>,
    scope: &'a Filter,
    /// The files in which references are counted, by path.
    sample: Vec<&'a str>,
    outlines: HashMap<String, Vec<OutlineItem>>,
}

impl Definitions<'_> {
    /// What a name stands for: the longest of its definitions. None where only tests define it, or
    /// nobody else names it.
    fn symbol(&mut self, name: &str, files: usize) -> Result<Option<MapSymbol>, FaceError> {
        let paths = self.defining(name)?;
        let is_counted = |path: &&String| self.sample.binary_search(&path.as_str()).is_ok();
        let references = files.saturating_sub(paths.iter().filter(is_counted).count());
        let mut found: Vec<MapSymbol> = Vec::new();
        let mut longest = 0;
        for path in paths.iter().filter(|_| references > 0) {
            let is_it = |named: &Named<'_>| named.name == name && named.sort != Sort::Method;
            for Named { item, .. } in named(self.outline(path)).into_iter().filter(is_it) {
                let length = item.end_line - item.start_line + 1;
                if length > longest && !is_test_symbol(&item.symbol) {
                    longest = length;
                    found = vec![symbol(path, item, references)];
                }
            }
        }
        Ok(found.pop())
    }

    /// The files that define a name, tests aside.
    fn defining(&self, name: &str) -> Result<Vec<String>, FaceError> {
        let defines = Filter::Or(vec![Filter::is(TYPE, name), Filter::is(FUNCTION, name)]);
        let selection = Selection::of(Filter::And(vec![self.scope.clone(), defines]));
        let scan = Scan { selection, order: Vec::new(), after: None, limit: 2 * DEFINITIONS };
        let rows = self.opened.ask(|snapshot| snapshot.scan(&scan))?;
        let paths = rows.into_iter().map(|row| row.position.group);
        let mut paths: Vec<String> = paths.filter(|path| !is_test_file(path)).collect();
        paths.dedup();
        Ok(paths)
    }

    fn outline(&mut self, path: &str) -> &[OutlineItem] {
        self.outlines.entry(path.to_owned()).or_insert_with(|| {
            let text = self.opened.source.files.read(path, Rules::Indexed);
            let outline = |text: String| kitfox_extract::outline(path, text.as_bytes());
            text.ok().and_then(outline).unwrap_or_default()
        })
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
