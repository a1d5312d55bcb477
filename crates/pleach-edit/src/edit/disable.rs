//! Nodes that are switched off and on: `disable` and `enable`.
//!
//! A disabled node stays in the text, in an `if false`, which fails. Where a failure would end the
//! block around, `force success` makes a success of it.

use super::wraps::comments_of;
use super::{Place, Refusal, refused};
use crate::change::Replacement;
use crate::document::{Document, Node};
use pleach_compile::internals::language::Keyword;

const OFF: &str = "if false";
const PASSED: &str = "force success";

pub(super) fn disable(place: Place<'_>, index: usize) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(index)?;
    place.takes_any_node(node)?;
    if disabled_by(place.document, index).is_some() {
        return refused("the node is disabled already");
    }
    let around = place.parent(node);
    let ends_at_failure = around.is_some_and(|it| matches!(it.kind, Keyword::Sequence | Keyword::Parallel));
    // A `force success` of the program would be taken for a part of what disables the node.
    let needs_passed = ends_at_failure || around.is_some_and(|it| words(place.document, it) == PASSED);
    let (before, after) =
        if needs_passed { (format!("{PASSED} {{ {OFF} {{ "), " } }") } else { (format!("{OFF} {{ "), " }") };
    Ok(vec![Replacement::insert(node.word, before), Replacement::insert(node.end, after)])
}

pub(super) fn enable(place: Place<'_>, index: usize) -> Result<Vec<Replacement>, Refusal> {
    place.node(index)?;
    let Some((outer, inner)) = disabled_by(place.document, index) else {
        return refused("the node is not disabled");
    };
    let [outer, inner] = [outer, inner].map(|node| &place.document.nodes()[node]);
    let mut end = comments_of(place, (inner.end, outer.end));
    if !end.text.is_empty() {
        end.text.insert(0, ' ');
    }
    Ok(vec![comments_of(place, (outer.word, inner.word)), end])
}

/// Returns the outermost node by which a node is disabled, and the node that is disabled. Each of
/// the nodes around it, up to the outermost one, stands for it.
fn disabled_by(document: &Document, index: usize) -> Option<(usize, usize)> {
    let nodes = document.nodes();
    let is = |at: usize, text: &str| words(document, &nodes[at]) == text;
    let parent = |at: usize| nodes[at].parent.map(|parent| parent as usize);
    let off = if is(index, OFF) {
        index
    } else if is(index, PASSED) {
        only_child(document, index).filter(|child| is(*child, OFF))?
    } else {
        parent(index).filter(|parent| is(*parent, OFF))?
    };
    let inner = only_child(document, off)?;
    let outer = parent(off).filter(|parent| is(*parent, PASSED)).unwrap_or(off);
    Some((outer, inner))
}

impl Document {
    /// Returns the outermost node by which a node is disabled; `None` if the node is not disabled.
    #[must_use]
    pub fn disabled_by(&self, node: usize) -> Option<usize> {
        self.nodes().get(node)?;
        disabled_by(self, node).map(|(outer, _)| outer)
    }
}

fn only_child(document: &Document, node: usize) -> Option<usize> {
    let mut children = document.children(node);
    children.next().filter(|_| children.next().is_none())
}

/// Returns the words of a node, without its block.
fn words<'d>(document: &'d Document, node: &Node) -> &'d str {
    document.slice((node.word, node.header_end)).trim_end()
}
