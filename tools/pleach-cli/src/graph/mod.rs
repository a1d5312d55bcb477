//! Trees as pictures: their content, for any form of drawing.
//!
//! A picture has the nodes as they were written. If the source is available, they have conditions
//! and durations; else their words come from the debug information of the image. Calls have their
//! arguments from the image. Helper nodes are left out, and their children belong to the node
//! above. The handler of an event is under `on` and the name of the event.

mod dot;
mod layout;
mod mermaid;
mod svg;

pub(crate) use dot::dot;
pub(crate) use mermaid::mermaid;
pub(crate) use svg::svg;

use crate::calls::{call, calls};
use crate::places;
use crate::texts::Texts;
use pleach::Image;
use pleach_image::format::DebugNode;
use pleach_image::listing;
use pleach_lint::diff::Change;
use std::collections::HashSet;

/// Letters after which a label is cut.
pub(crate) const MAX_LABEL: usize = 48;

/// Node of a picture.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) label: String,
    /// Place in the source: `guard.bt:12`.
    pub(crate) place: String,
    /// Index of the parent, which is smaller than the node's own.
    pub(crate) parent: Option<usize>,
    /// Change of the node, in a picture of differences.
    pub(crate) mark: Option<Change>,
}

/// Returns the nodes of all trees of an image, or of one tree. Each node comes after its parent.
pub(crate) fn nodes(image: &Image, texts: &Texts, entry: Option<&str>) -> Vec<Node> {
    let (handlers, calls) = (image.debug_handlers().collect::<HashSet<_>>(), calls(image));
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
        let is_left_out = if is_root {
            entry.is_some_and(|entry| is_handler || entry != image.debug_text(debug.subject))
        } else {
            parent.is_none()
        };
        let helps = image.debug_text(debug.keyword).starts_with('.');
        if is_left_out || helps && !is_root {
            drawn.push(parent);
            continue;
        }
        drawn.push(Some(nodes.len()));
        let label = match calls.get(&id) {
            _ if is_handler => format!("on {}", image.debug_text(debug.subject)),
            Some(site) => call(image, id, *site),
            None => words(image, texts, id, debug),
        };
        let label = label.chars().take(MAX_LABEL).collect();
        nodes.push(Node { label, place: places::line(image, debug), parent, mark: None });
    }
    nodes
}

/// Returns a node as it was written, if the source is at hand.
fn words(image: &Image, texts: &Texts, node: u32, debug: &DebugNode) -> String {
    let line = texts.whole_line(&image.debug_text(debug.file), debug.line);
    listing::written(image, node, line.as_deref(), MAX_LABEL)
}

#[cfg(test)]
pub(crate) fn sample() -> Vec<Node> {
    let node = |label: &str, parent| Node {
        label: label.to_owned(),
        place: format!("a.bt:{}", label.len()),
        parent,
        mark: None,
    };
    vec![
        node("tree a", None),
        node("selector", Some(0)),
        node("x < \"1\" & y", Some(1)),
        node("roam", Some(1)),
        node("tree b", None),
    ]
}
