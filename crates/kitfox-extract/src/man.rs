//! Manual pages, man(7) and mdoc(7), as Markdown.
//!
//! Of the language of roff only what pages use is read: macros of the two packages ([`macros`]),
//! conditions ([`conditions`]),
//! the arguments of macros ([`words`]), escapes of characters and fonts ([`escapes`]). What is not
//! known is text.

mod conditions;
mod escapes;
mod macros;
mod words;

use crate::converted::Converted;
use crate::lines::Source;

/// Whether a text is a manual page: its first lines of roff say so.
pub(crate) fn is_page(bytes: &[u8]) -> bool {
    let probe = String::from_utf8_lossy(&bytes[..bytes.len().min(PROBE)]);
    let mut lines = probe.trim_start_matches('\u{FEFF}').lines();
    lines.any(|line| [".TH ", ".Dd", ".Dt ", ".so "].iter().any(|it| line.starts_with(it)))
}

/// Among so many first bytes a page names itself, behind a licence maybe.
const PROBE: usize = 16 << 10;

/// The page as Markdown, the title being `name(section)`.
pub(crate) fn convert(source: &Source<'_>) -> Converted {
    macros::convert(source)
}

#[cfg(test)]
mod tests;
