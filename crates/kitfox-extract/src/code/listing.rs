//! The outline of a parsed file.

use std::rc::Rc;

use super::units::{Unit, Units};
use crate::lines::Source;
use crate::outline::OutlineItem;
use crate::piece::Label;

/// Lists the named units; the clauses of one definition are one item.
pub(super) fn list(source: &Source<'_>, units: &Units<'_>) -> Vec<OutlineItem> {
    let mut items: Vec<OutlineItem> = Vec::with_capacity(units.list.len());
    let mut last: Option<(&Rc<Label>, usize)> = None;
    for unit in units.list.iter().filter(|unit| !unit.label.name.is_empty()) {
        let first = last.filter(|(label, _)| unit.continues && Rc::ptr_eq(label, &unit.label));
        if let Some((_, place)) = first {
            let end = source.trim(unit.lines.clone()).end as u32;
            items[place].end_line = end.max(items[place].end_line);
            continue;
        }
        if !unit.member {
            last = Some((&unit.label, items.len()));
        }
        items.push(item(source, units, unit));
    }
    items
}

fn item(source: &Source<'_>, units: &Units<'_>, unit: &Unit<'_>) -> OutlineItem {
    let lines = source.trim(unit.lines.clone());
    OutlineItem {
        symbol: unit.label.section.clone(),
        name: unit.label.name.clone(),
        kind: unit.label.kind,
        signature: unit.label.signature.clone(),
        doc: units.doc(unit, source),
        start_line: lines.start as u32 + 1,
        end_line: lines.end as u32,
        line: unit.line as u32 + 1,
        depth: unit.depth,
    }
}
