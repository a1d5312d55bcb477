//! Trees as pictures: their content, and three forms of drawing.
//!
//! A picture has the nodes as they were written. If the source is available, they have conditions
//! and durations; else their words come from the debug information of the image. Calls have their
//! arguments from the image. Helper nodes are left out, and their children belong to the node
//! above. The handler of an event is under `on` and the name of the event.

mod calls;
mod dot;
mod escape;
mod layout;
mod mermaid;
mod svg;

pub use calls::call;
pub use dot::dot;
pub use escape::escape_xml;
pub use mermaid::mermaid;
pub use svg::svg;

use pleach_image::format::DebugNode;
use pleach_image::{Image, listing};
use std::collections::HashSet;

/// Letters after which a label is cut.
pub const MAX_LABEL: usize = 48;

/// Node of a picture.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Words of the node.
    pub label: String,
    /// Source file, by the name that the image has for it.
    pub file: String,
    /// Line of the source, from 1; 0 if unknown.
    pub line: u32,
    /// Column of the source in bytes, from 1; 0 if unknown.
    pub column: u32,
    /// Index of the parent, which is smaller than the node's own.
    pub parent: Option<usize>,
    /// Change of the node in a picture of differences: the class of its group in SVG.
    pub mark: Option<&'static str>,
}

impl Node {
    /// Returns the place in the source: `guard.bt:12`; empty if the place is unknown.
    fn place(&self) -> String {
        if self.line == 0 { String::new() } else { format!("{}:{}", self.file, self.line) }
    }
}

/// Returns the nodes of those trees of an image that are wanted. Each node comes after its parent.
/// `wants` gets the root of a tree, and true if the root is that of a handler of an event.
#[must_use]
pub fn nodes(
    image: &Image,
    lines: &listing::Lines<'_>,
    wants: impl Fn(&DebugNode, bool) -> bool,
) -> Vec<Node> {
    let handlers: HashSet<u32> = image.debug_handlers().collect();
    let calls = listing::calls(image);
    let mut nodes: Vec<Node> = Vec::new();
    // By id, the index of the node that is drawn for it; none if its tree is not drawn.
    let mut drawn: Vec<Option<usize>> = vec![None];
    for id in 1..=image.meta().nodes {
        let Some(debug) = image.debug_node(id) else {
            drawn.push(None);
            continue;
        };
        let is_root = debug.parent == 0;
        let parent = drawn.get(debug.parent as usize).copied().flatten();
        let is_handler = handlers.contains(&id);
        let is_left_out = if is_root { !wants(debug, is_handler) } else { parent.is_none() };
        let helps = image.debug_text(debug.keyword).starts_with('.');
        if is_left_out || helps && !is_root {
            drawn.push(parent);
            continue;
        }
        drawn.push(Some(nodes.len()));
        let label = match calls.get(&id) {
            _ if is_handler => format!("on {}", image.debug_text(debug.subject)),
            Some(site) => call(image, id, *site),
            None => words(image, lines, id, debug),
        };
        let label = label.chars().take(MAX_LABEL).collect();
        let file = image.debug_text(debug.file).into_owned();
        nodes.push(Node { label, file, line: debug.line, column: debug.column, parent, mark: None });
    }
    nodes
}

/// Returns a node as it was written, if the source is at hand.
fn words(image: &Image, lines: &listing::Lines<'_>, node: u32, debug: &DebugNode) -> String {
    let line = lines(&image.debug_text(debug.file), debug.line);
    listing::written(image, node, line.as_deref(), MAX_LABEL)
}

#[cfg(test)]
pub(crate) fn sample() -> Vec<Node> {
    let node = |label: &str, parent| Node {
        label: label.to_owned(),
        file: "a.bt".to_owned(),
        line: label.len() as u32,
        parent,
        ..Node::default()
    };
    vec![
        node("tree a", None),
        node("selector", Some(0)),
        node("x < \"1\" & y", Some(1)),
        node("roam", Some(1)),
        node("tree b", None),
    ]
}
