//! The hits of an answer: from ranked candidates to passages as they are now.

use kitfox_core::{Candidate, Stored};
use kitfox_rank::Ranked;

use super::CodeHit;
use super::drift;
use crate::FaceError;
use crate::error::quote;
use crate::search::Found;

/// Neighbours are joined up to this many bytes: no hit should fill an answer by itself.
const JOINED: usize = 2_400;

/// The best hits of a search, spread over files. Neighbours of one symbol become one hit in the place
/// of the better.
pub(super) fn hits(
    found: &Found<'_>,
    limit: usize,
    files: &mut drift::Files<'_>,
) -> Result<Vec<CodeHit>, FaceError> {
    let mut hits: Vec<CodeHit> = Vec::new();
    for best in found.spread(usize::MAX) {
        let hit = hit(best, &found.candidates[best.index], found.fetch(best.index)?, files)?;
        // Two passages of a file that changed may have become one.
        let is_known = hits.iter().any(|other| is_same(other, &hit));
        if is_known || hits.iter_mut().any(|other| join(other, &hit)) {
            continue;
        }
        if hits.len() == limit {
            break;
        }
        hits.push(hit);
    }
    Ok(hits)
}

fn is_same(one: &CodeHit, other: &CodeHit) -> bool {
    (&one.path, one.start_line, &one.content) == (&other.path, other.start_line, &other.content)
}

/// Takes a neighbour into a hit, if both are unchanged parts of one symbol and not too long.
fn join(hit: &mut CodeHit, other: &CodeHit) -> bool {
    let is_one = (&hit.path, &hit.section) == (&other.path, &other.section)
        && !hit.section.is_empty()
        && hit.warning.is_none()
        && other.warning.is_none();
    let (Some(own), Some(text)) = (&hit.content, &other.content) else { return false };
    if !is_one || own.len() + text.len() > JOINED {
        return false;
    }
    if hit.end_line + 1 == other.start_line {
        hit.content = Some(lines(own, text));
        hit.end_line = other.end_line;
    } else if other.end_line + 1 == hit.start_line {
        hit.content = Some(lines(text, own));
        hit.start_line = other.start_line;
    } else {
        return false;
    }
    true
}

/// Lines and the lines after them.
fn lines(first: &str, second: &str) -> String {
    let end = if first.ends_with('\n') { "" } else { "\n" };
    [first, end, second].concat()
}

fn hit(
    ranked: Ranked,
    candidate: &Candidate,
    stored: Stored,
    files: &mut drift::Files<'_>,
) -> Result<CodeHit, FaceError> {
    let path = stored.group.clone();
    let drift::Now { place, text, warning } = files.now(stored)?;
    Ok(CodeHit {
        content: text.map(|text| bounded(text, &path, place.end_line)),
        path,
        section: place.section,
        start_line: place.start_line,
        end_line: place.end_line,
        distance: candidate.cosine.map(distance),
        warning,
        symbol: Some(place.name).filter(|name| !name.is_empty()),
        kind: place.kind,
        score: f64::from(ranked.score),
    })
}

/// Cosine distance to 4 decimals.
fn distance(cosine: f32) -> f64 {
    ((1.0 - f64::from(cosine)) * 10_000.0).round().max(0.0) / 10_000.0
}

/// Cuts a passage that would fill an answer by itself, and says where the rest is.
fn bounded(mut text: String, path: &str, end_line: u32) -> String {
    const MOST: usize = 20_000;
    if text.len() > MOST {
        let end = text.floor_char_boundary(MOST);
        let left = text.len() - end;
        text.truncate(end);
        text.push_str(&format!(
            "\n… [cut: {left} more bytes; read {} to line {end_line} for the rest]",
            quote(path),
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(section: &str, start_line: u32, text: &str) -> CodeHit {
        CodeHit {
            path: "a.rs".into(),
            section: section.into(),
            start_line,
            end_line: start_line + text.lines().count() as u32 - 1,
            distance: None,
            content: Some(text.into()),
            warning: None,
            symbol: None,
            kind: "function".into(),
            score: 1.0,
        }
    }

    #[track_caller]
    fn check(one: &CodeHit, other: &CodeHit, expected: Option<(u32, u32, &str)>) {
        let mut hit = one.clone();
        let joined = join(&mut hit, other).then_some(&hit);
        let found = joined
            .map(|hit| (hit.start_line, hit.end_line, hit.content.as_deref().unwrap_or_default()));
        assert_eq!(found, expected);
    }

    #[test]
    fn neighbours_of_one_symbol_are_joined() {
        let (first, second) = (part("f", 3, "a\nb"), part("f", 5, "c\n"));
        check(&first, &second, Some((3, 5, "a\nb\nc\n")));
        check(&second, &first, Some((3, 5, "a\nb\nc\n")));
        check(&first, &part("g", 5, "c"), None);
        check(&first, &part("f", 6, "c"), None);
        check(&part("", 3, "a"), &part("", 4, "b"), None);
        check(&first, &part("f", 5, &"long ".repeat(500)), None);
        let changed = CodeHit { warning: Some("changed".into()), ..second.clone() };
        check(&first, &changed, None);
        check(&first, &CodeHit { path: "b.rs".into(), ..second.clone() }, None);
        check(&first, &CodeHit { content: None, ..second }, None);
    }
}
