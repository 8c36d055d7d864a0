//! Names of definitions as they stand in the text.

use tree_sitter::Node;

use super::captures::Found;

/// A longer name or scope is no name: an expression that happens to stand there.
const LONGEST_NAME: usize = 200;
/// Declarators within declarators that are followed to the name.
const MOST_DECLARATORS: usize = 16;

/// A name, what its path begins with where the surroundings do not tell, and where it stands.
#[derive(Default)]
pub(super) struct Name {
    pub name: String,
    pub scope: Option<String>,
    /// The first byte of the name.
    pub at: Option<usize>,
}

/// Reads the captured nodes of a unit's name and scope.
pub(super) fn read(unit: &Found<'_>, text: &str) -> Name {
    let scope = unit.scope.and_then(|scope| scope_text(text.get(scope.byte_range())?));
    let Some(node) = unit.name else { return Name { scope, ..Name::default() } };
    let (leaf, qualifier) = innermost(node, text);
    let at = Some(leaf.start_byte());
    let scope = scope.or_else(|| scope_text(qualifier));
    let mut name = name_text(leaf, text).unwrap_or_default();
    if matches!(unit.node.kind(), "operator_declaration" | "conversion_operator_declaration") {
        // Of C#, where the sign or the type is captured.
        name.insert_str(0, "operator ");
    }
    Name { name, scope, at }
}

/// Follows the declarators of C and its kin down to the name, and tells what qualifies it.
fn innermost<'tree, 't>(mut node: Node<'tree>, text: &'t str) -> (Node<'tree>, &'t str) {
    let mut qualified_from = None;
    for _ in 0..MOST_DECLARATORS {
        let next = match node.kind() {
            "operator_cast" => None,
            "reference_declarator" | "parenthesized_declarator" | "attributed_declarator" => {
                node.named_child(0)
            }
            "qualified_identifier" => {
                qualified_from = qualified_from.or(Some(node.start_byte()));
                node.child_by_field_name("name")
            }
            "template_function" | "template_type" | "template_method" => {
                node.child_by_field_name("name")
            }
            // Of Rust and Scala: what the type is called.
            "reference_type" | "generic_type" => node.child_by_field_name("type"),
            "scoped_type_identifier" => node.child_by_field_name("name"),
            // Of Haskell: a pattern with its arguments.
            "apply" => node.child_by_field_name("function"),
            _ => declarator(node),
        };
        let Some(next) = next else { break };
        node = next;
    }
    let qualifier = qualified_from.and_then(|from| text.get(from..node.start_byte()));
    (node, qualifier.unwrap_or_default())
}

fn declarator(node: Node<'_>) -> Option<Node<'_>> {
    let is_parenthesized = |node: &Node<'_>| node.kind() == "pointer_declarator";
    node.child_by_field_name("declarator").or_else(|| {
        // In parentheses the declarator has no field name.
        let child = node.kind().ends_with("_declarator").then(|| node.named_child(0)).flatten();
        child.filter(is_parenthesized)
    })
}

/// `A::B` of `A<T>::B::`.
fn scope_text(text: &str) -> Option<String> {
    let mut depth = 0_usize;
    let mut scope = String::new();
    for c in text.trim().chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => scope.push(c),
            _ => {}
        }
    }
    let scope = scope.trim_matches(':');
    let fits = !scope.is_empty() && scope.len() <= LONGEST_NAME && !scope.contains('\n');
    fits.then(|| scope.to_owned())
}

fn name_text(node: Node<'_>, text: &str) -> Option<String> {
    let text = match node.kind() {
        // `operator bool` of `operator bool() const`.
        "operator_cast" => {
            let text = text.get(node.byte_range())?;
            text.split_once('(').map_or(text, |(name, _)| name).to_owned()
        }
        // Of HTML, whose names are what is read.
        "element" => without_tags(text.get(node.byte_range())?),
        _ => text.get(node.byte_range())?.to_owned(),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let name = words.join(" ");
    let name = match node.kind() {
        "simple_symbol" | "hash_key_symbol" => name.trim_start_matches(':'),
        // Of an alias in a shell: `name=value`.
        "word" => name.split_once('=').map_or(name.as_str(), |(name, _)| name),
        _ => without_quotes(&name),
    };
    let fits = !name.is_empty() && name != "_" && name.len() <= LONGEST_NAME;
    fits.then(|| name.to_owned())
}

/// A name without the quotes around it. One that only ends with such a mark keeps it: `go'` of Haskell.
fn without_quotes(name: &str) -> &str {
    let inner = |quote| name.strip_prefix(quote)?.strip_suffix(quote);
    let quoted = ["\"\"\"", "\"", "'", "`"].into_iter().find_map(inner);
    quoted.unwrap_or(name)
}

/// A text without what stands in angle brackets.
pub(super) fn without_tags(text: &str) -> String {
    let mut depth = 0_usize;
    let outside = text.chars().filter(|&c| {
        depth = match c {
            '<' => depth + 1,
            '>' => depth.saturating_sub(1),
            _ => depth,
        };
        depth == 0 && c != '>'
    });
    outside.collect()
}
