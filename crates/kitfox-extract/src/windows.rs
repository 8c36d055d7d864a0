//! Windows of lines: how text without a known structure is cut.

use std::ops::Range;
use std::rc::Rc;

use crate::Sizes;
use crate::lines::Source;
use crate::piece::{Label, Piece};

/// The kind of passages that are no unit.
pub(crate) const KIND: &str = "window";

/// Cuts a whole text by windows.
pub(crate) fn cut(source: &Source<'_>, sizes: Sizes) -> Vec<Piece> {
    let label = Rc::new(Label { kind: KIND, ..Label::default() });
    windows(source, 0..source.len(), sizes)
        .into_iter()
        .map(|lines| Piece::plain(lines, &label))
        .collect()
}

/// Cuts lines into windows near the target size, after blank lines where there are some in the
/// second half of a window. A line longer than the target is a window of its own.
pub(crate) fn windows(source: &Source<'_>, lines: Range<usize>, sizes: Sizes) -> Vec<Range<usize>> {
    let mut windows: Vec<Range<usize>> = Vec::new();
    let mut start = lines.start;
    while start < lines.end {
        let full = (start + 1..=lines.end)
            .take_while(|&end| source.characters(&(start..end)) <= sizes.target)
            .last()
            .unwrap_or(start + 1);
        let end = if full == lines.end { full } else { after_blank(source, start..full, sizes) };
        windows.push(start..end);
        start = end;
    }
    join_short_tail(source, &mut windows, sizes);
    windows
}

/// The end of the last blank line of a full window's second half, else the window's end.
fn after_blank(source: &Source<'_>, window: Range<usize>, sizes: Sizes) -> usize {
    (window.start + 1..=window.end)
        .rev()
        .take_while(|&end| source.characters(&(window.start..end)) * 2 > sizes.target)
        .find(|&end| source.is_blank(end - 1))
        .unwrap_or(window.end)
}

fn join_short_tail(source: &Source<'_>, windows: &mut Vec<Range<usize>>, sizes: Sizes) {
    let [.., before, last] = windows.as_slice() else { return };
    let joined = before.start..last.end;
    if source.characters(last) * 4 < sizes.target && source.characters(&joined) <= sizes.max {
        windows.truncate(windows.len() - 2);
        windows.push(joined);
    }
}
