//! Collections as they are addressed: by name, and nested ones below their parents.

use kitfox_core::Collection;

use super::types::Placeholder;
use crate::search::Opened;
use crate::{FaceError, Faces, Kind};

/// Collections above one another: deeper ones would be circles.
const DEEPEST: usize = 8;

/// A collection, opened for one answer.
pub(super) struct Resource<'a> {
    pub opened: Opened<'a>,
    /// What it is; empty where it was never imported.
    pub collection: Collection,
    /// `projects/{projects_id}/tasks`.
    pub id: String,
    /// From the outermost: each a name of `parents`, with the collection it stands for.
    pub placeholders: Vec<Placeholder>,
}

impl<'a> Resource<'a> {
    /// Its name.
    pub fn name(&self) -> &'a str {
        &self.opened.source.name
    }
}

impl Faces {
    /// The collection a request names, by its resource id or by its name alone.
    pub(super) fn resource(&self, resource_id: &str) -> Result<Resource<'_>, FaceError> {
        let wanted = resource_id.trim().trim_matches('/');
        let name = wanted.rsplit('/').next().unwrap_or_default();
        let found = self.of(Kind::Records).find(|source| source.name == name);
        if let Some(source) = found {
            let resource = self.opened(&source.name)?;
            if wanted == name || wanted == resource.id {
                return Ok(resource);
            }
        }
        let ids = self.resource_ids()?;
        let known = ids.iter().map(String::as_str);
        Err(FaceError::unknown("unknown_resource", "resource_id", "resource", resource_id, known)
            .hint("discover_resources lists them."))
    }

    /// The collection of a name that was configured.
    pub(super) fn collection(&self, name: &str) -> Result<Resource<'_>, FaceError> {
        match self.of(Kind::Records).any(|source| source.name == name) {
            true => self.opened(name),
            false => Err(FaceError::new(
                "unknown_resource",
                format!("the collection `{name}` that is referred to is not configured"),
            )),
        }
    }

    /// The ids of all collections, by name.
    pub(super) fn resource_ids(&self) -> Result<Vec<String>, FaceError> {
        let mut names: Vec<&str> = self.names(Kind::Records).collect();
        names.sort_unstable();
        names.into_iter().map(|name| Ok(self.opened(name)?.id)).collect()
    }

    fn opened(&self, name: &str) -> Result<Resource<'_>, FaceError> {
        let (opened, collection) = self.open_collection(name)?;
        let mut chain = vec![name.to_owned()];
        let mut above = collection.parent.clone();
        while let Some(parent) = above.take().filter(|_| chain.len() < DEEPEST) {
            above = self.open_collection(&parent.collection)?.1.parent;
            chain.push(parent.collection);
        }
        let mut id = String::new();
        let mut placeholders = Vec::new();
        for name in chain.iter().skip(1).rev() {
            id.push_str(name);
            let placeholder = placeholder_of(name);
            let above = id.clone();
            id.push_str(&format!("/{{{placeholder}}}/"));
            placeholders.push(Placeholder { name: placeholder, resource_id: above });
        }
        id.push_str(name);
        Ok(Resource { opened, collection, id, placeholders })
    }

    fn open_collection(&self, name: &str) -> Result<(Opened<'_>, Collection), FaceError> {
        let source = self.of(Kind::Records).find(|source| source.name == name);
        let source = source.ok_or_else(|| {
            FaceError::new("unknown_resource", format!("there is no collection `{name}`"))
        })?;
        let opened = Opened::new(source)?;
        let state = opened.ask(|snapshot| snapshot.state(Collection::GROUP))?;
        let collection = state.and_then(|state| Collection::decode(&state));
        Ok((opened, collection.unwrap_or_default()))
    }
}

/// What the key of a record of a collection is called in the ids of those below.
pub(super) fn placeholder_of(collection: &str) -> String {
    format!("{collection}_id")
}
