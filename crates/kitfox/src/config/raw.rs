//! The first stage: a config file as typed, every key and value checked on its own.

use std::path::Path;

use kitfox_sync::SourceKind;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{At, ConfigError};
use super::keys::{self, Key, ValueType};
use super::records::RawCollection;

/// A config file as typed.
#[derive(Debug, Default)]
pub struct RawConfig {
    pub data_dir: Option<Typed<String>>,
    pub max_search_results: Option<usize>,
    pub max_chunks_per_read: Option<usize>,
    pub chunk_size: Option<usize>,
    pub sources: Vec<RawSource>,
}

/// A `[[code]]`, `[[docs]]` or `[[records]]` table as typed.
#[derive(Debug)]
pub struct RawSource {
    pub kind: SourceKind,
    pub at: At,
    pub name: Option<Typed<String>>,
    /// Of records, the key is `source`.
    pub path: Option<Typed<String>>,
    /// Only of records.
    pub collection: RawCollection,
}

/// A value and where it was typed.
#[derive(Debug)]
pub struct Typed<T> {
    pub value: T,
    pub at: At,
}

impl RawConfig {
    /// Reads the text of a config file; `file` is for errors only.
    pub fn parse(file: &Path, text: &str) -> Result<RawConfig, ConfigError> {
        let reader = Reader { file, text };
        let table = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
            at: reader.at(error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        })?;
        reader.top(table.get_ref())
    }
}

/// Reads values by the tables of keys.
pub(super) struct Reader<'a> {
    file: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn top(&self, table: &DeTable<'_>) -> Result<RawConfig, ConfigError> {
        let mut config = RawConfig::default();
        for (name, value) in table {
            let key = self.key(keys::TOP, name.get_ref(), name.span().start)?;
            match key.name {
                "data_dir" => config.data_dir = Some(self.string(key, value)?),
                "max_search_results" => config.max_search_results = Some(self.number(key, value)?),
                "max_chunks_per_read" => {
                    config.max_chunks_per_read = Some(self.number(key, value)?);
                }
                "chunk_size" => config.chunk_size = Some(self.number(key, value)?),
                "code" => config.sources.extend(self.sources(SourceKind::Code, key, value)?),
                "docs" => config.sources.extend(self.sources(SourceKind::Docs, key, value)?),
                _ => config.sources.extend(self.sources(SourceKind::Records, key, value)?),
            }
        }
        Ok(config)
    }

    fn sources(
        &self,
        kind: SourceKind,
        key: &Key,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<RawSource>, ConfigError> {
        let items = value.get_ref().as_array().ok_or_else(|| self.wrong(key, value))?;
        items.iter().map(|item| self.source(kind, key, item)).collect()
    }

    fn source(
        &self,
        kind: SourceKind,
        key: &Key,
        item: &Spanned<DeValue<'_>>,
    ) -> Result<RawSource, ConfigError> {
        let table = item.get_ref().as_table().ok_or_else(|| self.wrong(key, item))?;
        let at = self.at(item.span().start);
        let keys = if kind == SourceKind::Records { keys::RECORDS } else { keys::SOURCE };
        let collection = RawCollection::default();
        let mut source = RawSource { kind, at, name: None, path: None, collection };
        for (name, value) in table {
            let key = self.key(keys, name.get_ref(), name.span().start)?;
            match key.name {
                "name" => source.name = Some(self.string(key, value)?),
                "path" | "source" => source.path = Some(self.string(key, value)?),
                _ => source.collection.read(self, key, value)?,
            }
        }
        source.collection.settle(&source.at)?;
        Ok(source)
    }

    pub fn key<'k>(
        &self,
        table: &'k [Key],
        name: &str,
        offset: usize,
    ) -> Result<&'k Key, ConfigError> {
        keys::find(table, name).ok_or_else(|| ConfigError::UnknownKey {
            at: self.at(offset),
            key: name.to_owned(),
            hint: hint(table, name),
        })
    }

    pub fn string(
        &self,
        key: &Key,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Typed<String>, ConfigError> {
        match value.get_ref().as_str() {
            Some(text) if !text.trim().is_empty() => {
                Ok(Typed { value: text.to_owned(), at: self.at(value.span().start) })
            }
            _ => Err(self.wrong(key, value)),
        }
    }

    pub fn flag(&self, key: &Key, value: &Spanned<DeValue<'_>>) -> Result<bool, ConfigError> {
        value.get_ref().as_bool().ok_or_else(|| self.wrong(key, value))
    }

    /// One of the strings a key may have.
    pub fn choice(&self, key: &Key, value: &Spanned<DeValue<'_>>) -> Result<String, ConfigError> {
        let ValueType::Choice(names) = &key.value else { return Err(self.wrong(key, value)) };
        let named = value.get_ref().as_str().filter(|typed| names().contains(typed));
        named.map(str::to_owned).ok_or_else(|| self.wrong(key, value))
    }

    pub fn strings(
        &self,
        key: &Key,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<String>, ConfigError> {
        let items = value.get_ref().as_array().ok_or_else(|| self.wrong(key, value))?;
        items.iter().map(|item| Ok(self.string(key, item)?.value)).collect()
    }

    pub fn number(&self, key: &Key, value: &Spanned<DeValue<'_>>) -> Result<usize, ConfigError> {
        let ValueType::Number(range) = &key.value else { return Err(self.wrong(key, value)) };
        value
            .get_ref()
            .as_integer()
            .and_then(|typed| usize::from_str_radix(typed.as_str(), typed.radix()).ok())
            .filter(|number| range.contains(number))
            .ok_or_else(|| self.wrong(key, value))
    }

    pub fn wrong(&self, key: &Key, value: &Spanned<DeValue<'_>>) -> ConfigError {
        ConfigError::Value {
            at: self.at(value.span().start),
            key: key.name,
            expected: key.value.expected(),
            found: self.found(value),
        }
    }

    /// A value as typed, or its type where that is long.
    fn found(&self, value: &Spanned<DeValue<'_>>) -> String {
        match self.text.get(value.span()) {
            Some(typed) if typed.len() <= 40 && !typed.contains('\n') => format!("`{typed}`"),
            _ => format!("this {}", value.get_ref().type_str()),
        }
    }

    fn at(&self, offset: usize) -> At {
        let before = self.text.as_bytes().get(..offset).unwrap_or_default();
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        At { file: self.file.to_owned(), line }
    }
}

/// What to type in place of an unknown key.
fn hint(table: &[Key], name: &str) -> String {
    let names: Vec<&str> = table.iter().map(|key| key.name).collect();
    match kitfox_core::nearest(name, names.iter().copied(), 1).first() {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("the keys here are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let error = RawConfig::parse(Path::new("kitfox.toml"), text).expect_err("an error");
        assert_eq!(error.to_string(), expected, "error of {text:?}");
    }

    #[test]
    fn errors_say_where_and_what_is_allowed() {
        check(
            "\ndata_dri = 'x'",
            "kitfox.toml:2: unknown key `data_dri`; did you mean `data_dir`?",
        );
        check(
            "[[code]]\nroute = 'x'",
            "kitfox.toml:2: unknown key `route`; the keys here are name, path",
        );
        check(
            "chunk_size = 10",
            "kitfox.toml:1: `chunk_size` must be a whole number from 200 to 20000, not `10`",
        );
        check(
            "max_search_results = 'many'",
            "kitfox.toml:1: `max_search_results` must be a whole number from 1 to 50, not `'many'`",
        );
        check(
            "code = 'src'",
            "kitfox.toml:1: `code` must be one or more `[[tables]]` with `name` and `path`, not `'src'`",
        );
        check(
            "[[records]]\nfields.x.weight = 'most'",
            "kitfox.toml:2: `weight` must be one of low, normal, high, not `'most'`",
        );
        check(
            "[[records]]\nfields.x.filtrable = true",
            "kitfox.toml:2: unknown key `filtrable`; did you mean `filterable`?",
        );
        check(
            "[[docs]]\nname = ''",
            "kitfox.toml:2: `name` must be a string that is not empty, not `''`",
        );
    }

    #[test]
    fn numbers_are_read_in_every_notation() {
        let config = RawConfig::parse(Path::new("kitfox.toml"), "chunk_size = 1_000").unwrap();
        assert_eq!(config.chunk_size, Some(1000));
        let config = RawConfig::parse(Path::new("kitfox.toml"), "chunk_size = 0x400").unwrap();
        assert_eq!(config.chunk_size, Some(1024));
    }
}
