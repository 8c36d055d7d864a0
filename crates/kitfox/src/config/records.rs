//! `[[records]]` tables: what a person says of a collection and its fields.

use kitfox_core::{FieldType, Parent, Weight};
use kitfox_sync::{CollectionConfig, FieldConfig, Format};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{At, ConfigError};
use super::keys::{self, Key};
use super::raw::{Reader, Typed};

/// A `[[records]]` table as typed, beside its name and source.
#[derive(Debug, Default)]
pub struct RawCollection {
    /// What it says of the collection.
    pub config: CollectionConfig,
    /// The collection its records belong to.
    pub parent: Option<Typed<String>>,
    parent_field: Option<String>,
    /// The file with its JSON Schema.
    pub schema: Option<Typed<String>>,
    /// The collections its fields refer to.
    pub references: Vec<Typed<String>>,
}

impl RawCollection {
    /// Takes what is said by one key.
    pub fn read(
        &mut self,
        reader: &Reader<'_>,
        key: &'static Key,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), ConfigError> {
        let config = &mut self.config;
        match key.name {
            "schema" => self.schema = Some(reader.string(key, value)?),
            "writable" => config.writable = reader.flag(key, value)?,
            "description" => config.description = reader.string(key, value)?.value,
            "key" => config.key = Some(reader.string(key, value)?.value),
            "format" => config.format = Format::named(&reader.choice(key, value)?),
            "locales" => config.locales = reader.strings(key, value)?,
            "max_text_chars" => config.max_text_chars = reader.number(key, value)?,
            "created_at" => config.created_at = Some(reader.string(key, value)?.value),
            "updated_at" => config.updated_at = Some(reader.string(key, value)?.value),
            "parent" => self.parent = Some(reader.string(key, value)?),
            "parent_field" => self.parent_field = Some(reader.string(key, value)?.value),
            _ => self.fields(reader, key, value)?,
        }
        Ok(())
    }

    /// Completes what depends on several keys.
    pub fn settle(&mut self, at: &At) -> Result<(), ConfigError> {
        let config = &mut self.config;
        config.parent = self.parent.as_ref().map(|parent| Parent {
            field: self.parent_field.take().unwrap_or_else(|| format!("{}_id", parent.value)),
            collection: parent.value.clone(),
        });
        let localized = config.fields.iter().find(|(_, field)| field.localized);
        match localized {
            Some((path, _)) if config.locales.is_empty() => {
                Err(ConfigError::NoLocales { at: at.clone(), field: path.clone() })
            }
            _ => Ok(()),
        }
    }

    fn fields(
        &mut self,
        reader: &Reader<'_>,
        key: &'static Key,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), ConfigError> {
        let table = value.get_ref().as_table().ok_or_else(|| reader.wrong(key, value))?;
        for (path, value) in table {
            let field = value.get_ref().as_table().ok_or_else(|| reader.wrong(key, value))?;
            let field = self.field(reader, field)?;
            self.config.fields.insert(path.get_ref().to_string(), field);
        }
        Ok(())
    }

    fn field(
        &mut self,
        reader: &Reader<'_>,
        table: &DeTable<'_>,
    ) -> Result<FieldConfig, ConfigError> {
        let mut field = FieldConfig::default();
        for (name, value) in table {
            let key = reader.key(keys::FIELD, name.get_ref(), name.span().start)?;
            match key.name {
                "type" => field.of_type = field_type(&reader.choice(key, value)?),
                "filterable" => field.filterable = Some(reader.flag(key, value)?),
                "sortable" => field.sortable = Some(reader.flag(key, value)?),
                "searchable" => field.searchable = Some(reader.flag(key, value)?),
                "vectorized" => field.vectorized = Some(reader.flag(key, value)?),
                "localized" => field.localized = reader.flag(key, value)?,
                "private" => field.private = reader.flag(key, value)?,
                "weight" => field.weight = weight(&reader.choice(key, value)?),
                "reference" => {
                    let target = reader.string(key, value)?;
                    field.reference = Some(target.value.clone());
                    self.references.push(target);
                }
                _ => field.description = reader.string(key, value)?.value,
            }
        }
        Ok(field)
    }
}

fn field_type(name: &str) -> Option<FieldType> {
    FieldType::ALL.iter().copied().find(|each| each.name() == name)
}

fn weight(name: &str) -> Weight {
    let found = Weight::ALL.into_iter().find(|(each, _)| *each == name);
    found.map(|(_, weight)| weight).unwrap_or_default()
}
