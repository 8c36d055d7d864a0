//! What every list of records has in common: limits, pages, and records made ready to be read.

use std::collections::BTreeMap;

use kitfox_core::{Lexicon, RecordState, Selection, Stored};
use serde_json::Value as Json;

use super::facets::facets;
use super::filter::{Restriction, parents_of};
use super::populate::Populate;
use super::render::{data_of, highlights, keep_locales, shorten, sys_of};
use super::resource::Resource;
use super::types::{ExecutionInfo, Page, Record, RecordsAnswer, RecordsRequest, Truncation};
use super::words::Hits;
use crate::{FaceError, Faces, IndexStatus, limits};

/// A list that is asked for.
pub(super) struct Listing<'r, 'a> {
    pub faces: &'a Faces,
    pub resource: Resource<'a>,
    pub request: &'r RecordsRequest,
    pub limit: usize,
    /// What is read otherwise than it was said.
    pub warnings: Vec<String>,
}

impl<'r, 'a> Listing<'r, 'a> {
    /// Checks what all lists have in common.
    pub fn new(faces: &'a Faces, request: &'r RecordsRequest) -> Result<Self, FaceError> {
        let limit = request.limit.unwrap_or(limits::DEFAULT_RECORDS);
        if !(1..=limits::RECORDS).contains(&limit) {
            return Err(FaceError::limit(limit, limits::RECORDS));
        }
        let resource = faces.resource(&request.resource_id)?;
        let mut warnings = unknown_locales(&resource, &request.locales);
        if resource.collection.imported_at_ns == 0 {
            warnings.push(format!(
                "the source of `{}` was not read to its end yet: records may be missing",
                resource.id
            ));
        }
        Ok(Listing { faces, resource, request, limit, warnings })
    }

    /// The filter of the request.
    pub fn filter(&self) -> Result<kitfox_core::Filter, FaceError> {
        let RecordsRequest { filters, locales, parents, .. } = self.request;
        let restriction = Restriction { faces: self.faces, resource: &self.resource, locales };
        restriction.filter(filters, parents)
    }

    /// Whose words are looked for: those of the locales asked for, where some are.
    pub fn lexicons(&self) -> Vec<Lexicon> {
        let collection = &self.resource.collection;
        match self.request.locales.is_empty() {
            true => collection.lexicons(&collection.locales),
            false => collection.lexicons(&self.request.locales),
        }
    }

    /// A record for each key that still is one.
    pub fn records(
        &self,
        ranked: impl IntoIterator<Item = (String, f32)>,
        hits: &Hits,
    ) -> Result<Vec<Record>, FaceError> {
        let mut records = Vec::new();
        for (key, relevance) in ranked {
            let stored = self.resource.opened.ask(|snapshot| snapshot.group(&key))?;
            if let Some(stored) = stored.into_iter().next() {
                records.push(self.record(&stored, Some(relevance), Some(hits))?);
            }
        }
        Ok(records)
    }

    /// A stored record as lists show it.
    pub fn record(
        &self,
        stored: &Stored,
        relevance: Option<f32>,
        hits: Option<&Hits>,
    ) -> Result<Record, FaceError> {
        let Resource { collection, .. } = &self.resource;
        let mut record = read(self.faces, &self.resource, stored, &self.request.locales)?;
        record.sys.relevance = relevance.map(|relevance| f64::from(relevance.clamp(0.0, 1.0)));
        if let Some(hits) = hits {
            record.sys.highlights = highlights(collection, &record.data, hits);
        }
        record.sys.truncated = shorten(collection, &mut record.data, collection.max_text_chars);
        Ok(record)
    }

    /// The answer around a page of records.
    pub fn answer(
        mut self,
        mut items: Vec<Record>,
        page: Page,
        counted: &Selection,
        execution: ExecutionInfo,
    ) -> Result<RecordsAnswer, FaceError> {
        let max_text_chars = self.resource.collection.max_text_chars;
        let populate = Populate {
            faces: self.faces,
            locales: &self.request.locales,
            max_text_chars: Some(max_text_chars),
        };
        let unresolved = populate.run(&self.resource, &self.request.populate, &mut items)?;
        self.warnings.extend(unresolved);
        let facets = facets(&self.resource, counted, &self.request.facets)?;
        let applied = items.iter().any(|record| !record.sys.truncated.is_empty());
        let truncation = Truncation { applied, max_text_chars, note: note(max_text_chars) };
        self.warnings.extend(execution.warnings);
        let execution_info = ExecutionInfo {
            warnings: self.warnings,
            index: IndexStatus::of(self.resource.opened.source),
            ..execution
        };
        Ok(RecordsAnswer { items, page, truncation: Some(truncation), facets, execution_info })
    }
}

fn note(max_text_chars: usize) -> String {
    format!(
        "Texts are cut at {max_text_chars} characters; `_sys.truncated` lists those that were. \
         get_record gives a record in full."
    )
}

/// A stored record in the requested locales, nothing cut.
pub(super) fn read(
    faces: &Faces,
    resource: &Resource<'_>,
    stored: &Stored,
    locales: &[String],
) -> Result<Record, FaceError> {
    let key = &stored.group;
    let state = resource.opened.ask(|snapshot| snapshot.state(key))?;
    let state = state.and_then(|state| RecordState::decode(&state));
    let mut data = data_of(stored);
    let parents = match resource.collection.parent {
        Some(_) => parents_of(faces, resource, &Json::Object(data.clone()))?,
        None => BTreeMap::new(),
    };
    keep_locales(&resource.collection, &mut data, locales);
    let mut sys = sys_of(key, &resource.id, state);
    sys.parents = parents;
    Ok(Record { id: key.clone(), data, sys })
}

/// Says which locales the collection does not use.
pub(super) fn unknown_locales(resource: &Resource<'_>, locales: &[String]) -> Vec<String> {
    let known = &resource.collection.locales;
    let unknown = locales.iter().filter(|locale| !known.contains(locale));
    unknown
        .map(|locale| match known.is_empty() {
            true => format!("`{}` has no localized fields", resource.id),
            false => {
                format!("no record has the locale `{locale}`; there is {}", known.join(", "))
            }
        })
        .collect()
}
