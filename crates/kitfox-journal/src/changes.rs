//! What becomes of a change: a pure function of the record as it is.

use kitfox_core::{Action, Change, Conflict, Outcome, Written};
use serde_json::{Map, Value as Json};

use crate::Entry;

/// What a change makes of a record, of which `before` is the last entry: its outcome, and the entry to
/// write where anything changes.
pub(crate) fn decide(
    change: &Change,
    before: Option<&Entry>,
    number: u64,
    now_ns: i64,
) -> (Outcome, Option<Entry>) {
    let living = before.filter(|before| before.data.is_some());
    if let Some(conflict) = conflict(change, living) {
        return (Err(conflict), None);
    }
    let data = data(&change.action);
    if let Some(living) = living
        && living.data.as_ref() == data
    {
        return (Ok(Written { is_changed: false, ..written(living) }), None);
    }
    // A clock that goes back does not put changes before those they follow.
    let now_ns = before.map_or(now_ns, |before| before.updated_at_ns.max(now_ns));
    let entry = Entry {
        number,
        id: change.id.clone(),
        key: change.key.clone(),
        revision: before.map_or(0, |before| before.revision) + 1,
        created_at_ns: living.map_or(now_ns, |living| living.created_at_ns),
        updated_at_ns: now_ns,
        data: data.cloned(),
    };
    (Ok(written(&entry)), Some(entry))
}

fn conflict(change: &Change, living: Option<&Entry>) -> Option<Conflict> {
    match (&change.action, living, change.revision) {
        (Action::Create(_), Some(living), _) => Some(Conflict::Exists(living.revision)),
        (Action::Replace(_) | Action::Delete, None, _) => Some(Conflict::Missing),
        (_, None, Some(_)) => Some(Conflict::Missing),
        (_, Some(living), Some(wanted)) if living.revision != wanted => {
            Some(Conflict::Revision(living.revision))
        }
        _ => None,
    }
}

fn data(action: &Action) -> Option<&Map<String, Json>> {
    match action {
        Action::Create(data) | Action::Replace(data) | Action::Put(data) => Some(data),
        Action::Delete => None,
    }
}

fn written(entry: &Entry) -> Written {
    Written {
        revision: entry.revision,
        created_at_ns: entry.created_at_ns,
        updated_at_ns: entry.updated_at_ns,
        is_changed: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(text: &str) -> Map<String, Json> {
        Map::from_iter([("text".to_owned(), text.into())])
    }

    fn change(action: Action, revision: Option<u64>) -> Change {
        Change { id: "c".to_owned(), key: "k".to_owned(), action, revision }
    }

    fn entry(revision: u64, text: Option<&str>) -> Entry {
        Entry {
            number: 9,
            id: "b".to_owned(),
            key: "k".to_owned(),
            revision,
            created_at_ns: 10,
            updated_at_ns: 20,
            data: text.map(data),
        }
    }

    /// `expected`: revision, created, updated and whether it changed.
    #[track_caller]
    fn check(
        change: &Change,
        before: Option<&Entry>,
        expected: Result<(u64, i64, i64, bool), Conflict>,
    ) {
        let (outcome, written) = decide(change, before, 10, 15);
        let told = outcome.map(|w| (w.revision, w.created_at_ns, w.updated_at_ns, w.is_changed));
        assert_eq!(told, expected, "{change:?} of {before:?}");
        assert_eq!(written.is_some(), told.is_ok_and(|told| told.3));
    }

    #[test]
    fn what_a_change_makes_of_a_record() {
        use Conflict::{Exists, Missing, Revision};
        let (there, gone) = (entry(3, Some("a")), entry(4, None));
        let (there, gone) = (Some(&there), Some(&gone));
        let create = |revision| change(Action::Create(data("b")), revision);
        let replace = |revision| change(Action::Replace(data("b")), revision);
        let put = |revision| change(Action::Put(data("b")), revision);
        let delete = |revision| change(Action::Delete, revision);
        check(&create(None), None, Ok((1, 15, 15, true)));
        check(&create(None), there, Err(Exists(3)));
        check(&create(None), gone, Ok((5, 20, 20, true)));
        check(&replace(None), there, Ok((4, 10, 20, true)));
        check(&replace(Some(3)), there, Ok((4, 10, 20, true)));
        check(&replace(Some(2)), there, Err(Revision(3)));
        check(&replace(None), None, Err(Missing));
        check(&replace(Some(4)), gone, Err(Missing));
        check(&put(None), None, Ok((1, 15, 15, true)));
        check(&put(None), there, Ok((4, 10, 20, true)));
        check(&delete(None), there, Ok((4, 10, 20, true)));
        check(&delete(Some(1)), there, Err(Revision(3)));
        check(&delete(None), gone, Err(Missing));
        check(&change(Action::Put(data("a")), None), there, Ok((3, 10, 20, false)));
        check(&change(Action::Replace(data("a")), Some(2)), there, Err(Revision(3)));
    }
}
