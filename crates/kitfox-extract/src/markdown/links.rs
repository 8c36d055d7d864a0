//! The targets of links and images: a reader of the page sees what stands for them.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, RefDefs, Tag, TagEnd};

/// Finds targets, event by event.
#[derive(Default)]
pub(super) struct Links {
    /// The links being read, and where what was read of each ends.
    open: Vec<(Range<usize>, usize)>,
    targets: Vec<Range<usize>>,
}

impl Links {
    pub fn read(&mut self, text: &str, event: &Event<'_>, bytes: &Range<usize>) {
        match event {
            Event::Start(Tag::Link { link_type: LinkType::Inline, .. }) => {
                self.open.push((bytes.clone(), bytes.start + "[".len()));
            }
            Event::Start(Tag::Image { link_type: LinkType::Inline, .. }) => {
                self.open.push((bytes.clone(), bytes.start + "![".len()));
            }
            Event::End(TagEnd::Link | TagEnd::Image)
                if self.open.last().is_some_and(|(link, _)| link == bytes) =>
            {
                let read = self.open.pop().map_or(bytes.end, |(_, read)| read);
                if text.get(read..bytes.end).is_some_and(|rest| rest.starts_with("](")) {
                    self.targets.push(read + "]".len()..bytes.end);
                }
                self.has_read(bytes);
            }
            _ => self.has_read(bytes),
        }
    }

    fn has_read(&mut self, bytes: &Range<usize>) {
        if let Some((link, read)) = self.open.last_mut()
            && bytes.end < link.end
        {
            *read = bytes.end.max(*read);
        }
    }

    /// All of them with those of definitions (`[label]: target`), in order.
    pub fn targets(self, text: &str, definitions: &RefDefs<'_>) -> Vec<Range<usize>> {
        let mut targets = self.targets;
        targets.extend(definitions.iter().filter_map(|(_, definition)| {
            let (span, written) = (&definition.span, text.get(definition.span.clone())?);
            let target = span.start + written.find("]:")? + "]:".len();
            Some(target..span.start + written.trim_end().len())
        }));
        targets.retain(|target| !target.is_empty());
        targets.sort_unstable_by_key(|target| target.start);
        targets
    }
}
