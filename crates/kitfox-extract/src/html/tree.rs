//! A page as a list of nodes in the order of the text, each element with where it ends.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use crate::lines::Source;

/// The nodes of a page. The first is the whole.
pub(super) struct Page {
    pub nodes: Vec<Node>,
}

/// An element or a text.
pub(super) enum Node {
    Element(Element),
    Text {
        text: String,
        /// The line of its first character, counted from 0.
        line: usize,
    },
}

/// An element with what is told by its attributes.
#[derive(Default)]
pub(super) struct Element {
    pub tag: Tag,
    pub class: String,
    pub id: String,
    pub role: String,
    /// The target of a link, the source of an image, the start of a list.
    pub value: String,
    /// The alternative text of an image.
    pub alt: String,
    pub hidden: bool,
    /// Holds what a row or an item of Markdown cannot.
    pub holds_blocks: bool,
    /// The node after its last.
    pub end: usize,
    pub line: usize,
}

/// What an element is to a reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tag {
    /// Never shown.
    Dropped,
    Title,
    Header,
    Nav,
    Main,
    Article,
    Body,
    Heading(u8),
    Paragraph,
    Pre,
    Code,
    Link,
    Image,
    Break,
    Rule,
    List {
        ordered: bool,
    },
    Item,
    Term,
    Description,
    Quote,
    Table,
    Row,
    Cell {
        header: bool,
    },
    /// Begins and ends a paragraph.
    Block,
    #[default]
    Inline,
}

impl Tag {
    fn of(name: &[u8]) -> Tag {
        match name {
            b"script" | b"style" | b"noscript" | b"template" | b"svg" | b"iframe" | b"object"
            | b"canvas" | b"button" | b"select" | b"textarea" | b"footer" | b"dialog" | b"rp"
            | b"rt" => Tag::Dropped,
            b"title" => Tag::Title,
            b"header" => Tag::Header,
            b"nav" => Tag::Nav,
            b"main" => Tag::Main,
            b"article" => Tag::Article,
            b"body" => Tag::Body,
            [b'h', level @ b'1'..=b'6'] => Tag::Heading(level - b'0'),
            b"p" => Tag::Paragraph,
            b"pre" | b"listing" | b"xmp" => Tag::Pre,
            b"code" | b"tt" | b"kbd" | b"samp" => Tag::Code,
            b"a" => Tag::Link,
            b"img" => Tag::Image,
            b"br" => Tag::Break,
            b"hr" => Tag::Rule,
            b"ul" | b"menu" | b"dir" => Tag::List { ordered: false },
            b"ol" => Tag::List { ordered: true },
            b"li" => Tag::Item,
            b"dt" => Tag::Term,
            b"dd" => Tag::Description,
            b"blockquote" => Tag::Quote,
            b"table" => Tag::Table,
            b"tr" => Tag::Row,
            b"td" => Tag::Cell { header: false },
            b"th" => Tag::Cell { header: true },
            b"html" | b"head" | b"div" | b"section" | b"aside" | b"figure" | b"figcaption"
            | b"details" | b"summary" | b"address" | b"dl" | b"center" | b"caption" | b"thead"
            | b"tbody" | b"tfoot" | b"form" | b"fieldset" | b"hgroup" | b"option" => Tag::Block,
            _ => Tag::Inline,
        }
    }

    /// Whether an open element of this kind ends where one of kind `next` begins.
    fn ends_before(self, next: Tag) -> bool {
        match self {
            Tag::Paragraph => !matches!(
                next,
                Tag::Inline | Tag::Code | Tag::Link | Tag::Image | Tag::Break | Tag::Dropped
            ),
            Tag::Item => next == Tag::Item,
            Tag::Term | Tag::Description => matches!(next, Tag::Term | Tag::Description),
            Tag::Cell { .. } => matches!(next, Tag::Cell { .. } | Tag::Row),
            Tag::Row => next == Tag::Row,
            _ => false,
        }
    }
}

const VOID: &[&[u8]] = &[
    b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta", b"param",
    b"source", b"track", b"wbr",
];

/// Around so many elements a block is looked for that holds another.
const NEAR: usize = 32;
/// An end tag closes one of so many open elements, or nothing.
const FAR: usize = 128;

impl Page {
    /// Reads a page as browsers do, roughly: what is not closed ends with what surrounds it.
    pub fn parse(source: &Source<'_>) -> Page {
        let mut emitter = DefaultEmitter::<usize>::new_with_span();
        emitter.naively_switch_states(true);
        let root = Element { tag: Tag::Block, ..Element::default() };
        let mut builder = Builder { nodes: vec![Node::Element(root)], open: Vec::new() };
        for token in Tokenizer::new_with_emitter(source.text, emitter) {
            let Ok(token) = token;
            match token {
                Token::StartTag(tag) => {
                    let line = source.line_of(tag.span.start);
                    builder.start(&tag, line);
                }
                Token::EndTag(tag) => builder.end(&tag.name),
                Token::String(text) => {
                    let line = source.line_of(text.span.start);
                    let text = String::from_utf8_lossy(&text.value).into_owned();
                    builder.nodes.push(Node::Text { text, line });
                }
                _ => {}
            }
        }
        builder.close_to(0);
        Page { nodes: builder.finish() }
    }

    /// The element of a node.
    pub fn element(&self, node: usize) -> Option<&Element> {
        match self.nodes.get(node)? {
            Node::Element(element) => Some(element),
            Node::Text { .. } => None,
        }
    }

    /// The node after the last of an element, or after a text.
    pub fn end(&self, node: usize) -> usize {
        self.element(node).map_or(node + 1, |element| element.end)
    }

    /// The first element of a kind in another.
    pub fn first(&self, within: usize, tag: Tag) -> Option<usize> {
        (within..self.end(within)).find(|&node| self.element(node).is_some_and(|e| e.tag == tag))
    }

    /// The words in an element that are shown.
    pub fn text(&self, within: usize) -> String {
        let mut text = String::new();
        let mut node = within;
        while node < self.end(within) {
            match &self.nodes[node] {
                Node::Element(element) if node != within && super::content::is_dropped(element) => {
                    node = element.end;
                    continue;
                }
                Node::Element(_) => {}
                Node::Text { text: part, .. } => text.push_str(part),
            }
            node += 1;
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

struct Builder {
    nodes: Vec<Node>,
    open: Vec<Open>,
}

struct Open {
    node: usize,
    tag: Tag,
    name: Vec<u8>,
}

impl Builder {
    fn finish(mut self) -> Vec<Node> {
        let end = self.nodes.len();
        if let Some(Node::Element(root)) = self.nodes.first_mut() {
            root.end = end;
        }
        self.nodes
    }

    fn start(&mut self, start: &StartTag<usize>, line: usize) {
        let name: &[u8] = &start.name;
        let tag = Tag::of(name);
        if let Some(at) = self.ended_by(tag) {
            self.close_to(at);
        }
        self.note_blocks(tag);
        let node = self.nodes.len();
        self.nodes.push(Node::Element(element(start, tag, node + 1, line)));
        if !VOID.contains(&name) && !start.self_closing {
            self.open.push(Open { node, tag, name: name.to_vec() });
        }
    }

    /// The innermost open element that an element of this kind ends, unless a list or a table
    /// begins between them.
    fn ended_by(&self, next: Tag) -> Option<usize> {
        let mut found = None;
        for (at, open) in self.open.iter().enumerate().rev().take(NEAR) {
            if open.tag.ends_before(next) {
                found = Some(at);
            } else if matches!(open.tag, Tag::List { .. } | Tag::Table | Tag::Quote)
                || found.is_some()
                || matches!(open.tag, Tag::Block | Tag::Main | Tag::Article | Tag::Body)
            {
                break;
            }
        }
        found
    }

    /// Tells the items and tables around that they hold a block no line can hold.
    fn note_blocks(&mut self, tag: Tag) {
        let in_items = matches!(tag, Tag::Heading(_));
        let in_tables = in_items || matches!(tag, Tag::Pre | Tag::Table);
        if !in_tables {
            return;
        }
        for open in self.open.iter().rev().take(NEAR) {
            let note = in_items && open.tag == Tag::Item || open.tag == Tag::Table;
            if let (true, Node::Element(element)) = (note, &mut self.nodes[open.node]) {
                element.holds_blocks = true;
            }
        }
    }

    fn end(&mut self, name: &[u8]) {
        let near = self.open.iter().enumerate().rev().take(FAR);
        if let Some((at, _)) = near.into_iter().find(|(_, open)| open.name == name) {
            self.close_to(at);
        }
    }

    fn close_to(&mut self, depth: usize) {
        let end = self.nodes.len();
        for open in self.open.drain(depth..) {
            if let Node::Element(element) = &mut self.nodes[open.node] {
                element.end = end;
            }
        }
    }
}

fn element(start: &StartTag<usize>, tag: Tag, end: usize, line: usize) -> Element {
    let has = |name: &str| start.attributes.contains_key(name.as_bytes());
    let value = |name: &str| match start.attributes.get(name.as_bytes()) {
        Some(value) => String::from_utf8_lossy(&value.value).into_owned(),
        None => String::new(),
    };
    Element {
        tag,
        class: value("class"),
        id: value("id"),
        role: value("role"),
        value: match tag {
            Tag::Link => value("href"),
            Tag::Image => value("src"),
            Tag::List { .. } => value("start"),
            _ => String::new(),
        },
        alt: value("alt"),
        hidden: has("hidden") && value("role") != "tabpanel" || value("aria-hidden") == "true",
        holds_blocks: false,
        end,
        line,
    }
}
