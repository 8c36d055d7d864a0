//! Hits as their files are now.

use std::collections::HashMap;

use kitfox_core::{Live, Passage, Place, Stored};

use crate::FaceError;
use crate::search::Opened;

const CHANGED: &str = "changed since indexing";

/// Looks at each file of an answer once.
pub(super) struct Files<'a> {
    opened: &'a Opened<'a>,
    looked: HashMap<String, Live>,
}

/// A hit as it is now.
pub(super) struct Now {
    pub place: Place,
    /// None where the file cannot be read.
    pub text: Option<String>,
    pub warning: Option<String>,
}

impl<'a> Files<'a> {
    pub(super) fn new(opened: &'a Opened<'a>) -> Files<'a> {
        Files { opened, looked: HashMap::new() }
    }

    /// Where a stored passage is now; none where it is not there any more.
    pub(super) fn place(&mut self, stored: &Stored) -> Result<Option<Place>, FaceError> {
        Ok(match self.look(&stored.group)? {
            Live::Unchanged => Some(stored.place.clone()),
            Live::Changed(passages) => successor(passages, stored).map(|now| now.place.clone()),
            Live::Gone | Live::Unreadable(_) => None,
        })
    }

    /// The passage that a stored one has become.
    pub(super) fn now(&mut self, stored: Stored) -> Result<Now, FaceError> {
        Ok(match self.look(&stored.group)? {
            Live::Unchanged => Now { place: stored.place, text: Some(stored.text), warning: None },
            Live::Changed(passages) => match successor(passages, &stored) {
                Some(passage) => Now {
                    place: passage.place.clone(),
                    text: Some(passage.text.clone()),
                    warning: Some(CHANGED.to_owned()),
                },
                None => Now {
                    place: stored.place,
                    text: Some(stored.text),
                    warning: Some(format!("{CHANGED}: this passage is as it was indexed")),
                },
            },
            Live::Gone => unreadable(stored.place, "the file is gone since indexing".to_owned()),
            Live::Unreadable(reason) => {
                let warning = format!("the file cannot be read: {reason}");
                unreadable(stored.place, warning)
            }
        })
    }

    fn look(&mut self, path: &str) -> Result<&Live, FaceError> {
        if !self.looked.contains_key(path) {
            let state = self.opened.ask(|snapshot| snapshot.state(path))?.unwrap_or_default();
            self.looked.insert(path.to_owned(), self.opened.source.files.look(path, &state));
        }
        Ok(&self.looked[path])
    }
}

fn unreadable(place: Place, warning: String) -> Now {
    Now { place, text: None, warning: Some(warning) }
}

/// The passage of the same text, else the nearest of the same symbol or heading.
fn successor<'p>(passages: &'p [Passage], stored: &Stored) -> Option<&'p Passage> {
    let differs = |passage: &Passage| {
        let other_section = passage.place.section != stored.place.section;
        let moved = passage.place.start_line.abs_diff(stored.place.start_line);
        (passage.text != stored.text, other_section, moved)
    };
    let is_it = |passage: &&Passage| matches!(differs(passage), (false, ..) | (_, false, _));
    passages.iter().filter(is_it).min_by_key(|passage| differs(passage))
}
