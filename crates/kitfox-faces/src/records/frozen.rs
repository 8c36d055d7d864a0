//! Ranked lists, kept for as long as somebody may page through them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use kitfox_core::WordQuery;

use super::types::{RecordSearch, Total};
use super::words::Hits;

/// Lists that are kept; the oldest goes first.
const LISTS: usize = 100;

/// Records of a ranked list at most.
pub(super) const LONGEST: usize = 1_000;

/// A list as it was ranked once: later pages show the same order, whatever is written meanwhile.
#[derive(Debug)]
pub(super) struct RankedList {
    /// Keys with their relevance, best first.
    pub records: Vec<(String, f32)>,
    /// How many records match, those beyond the list included.
    pub total: Total,
    /// What the matching records were found by; none where the list is all there is.
    pub words: Option<WordQuery>,
    /// The search type that ran.
    pub applied: RecordSearch,
    /// What of the texts is a hit.
    pub hits: Hits,
    /// What was read otherwise than it was said.
    pub warnings: Vec<String>,
}

impl RankedList {
    /// A list of nothing.
    pub fn nothing(applied: RecordSearch) -> RankedList {
        RankedList {
            records: Vec::new(),
            total: Total::Exactly(0),
            words: None,
            applied,
            hits: Hits::default(),
            warnings: Vec::new(),
        }
    }
}

/// The lists of one process.
#[derive(Debug)]
pub(crate) struct Frozen(Mutex<Lists>);

#[derive(Debug)]
struct Lists {
    next: u64,
    kept: VecDeque<(u64, Arc<RankedList>)>,
}

impl Default for Frozen {
    fn default() -> Frozen {
        // Numbers of another process must not be taken for those of this one.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let next = now.as_nanos() as u64;
        Frozen(Mutex::new(Lists { next, kept: VecDeque::new() }))
    }
}

impl Frozen {
    /// Keeps a list and gives it a number.
    pub(super) fn keep(&self, list: Arc<RankedList>) -> u64 {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = lists.next;
        lists.next += 1;
        lists.kept.push_back((number, list));
        if lists.kept.len() > LISTS {
            lists.kept.pop_front();
        }
        number
    }

    /// The list of a number, if it is still kept.
    pub(super) fn get(&self, number: u64) -> Option<Arc<RankedList>> {
        let lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = lists.kept.iter().find(|(each, _)| *each == number);
        kept.map(|(_, list)| Arc::clone(list))
    }
}
