//! Nodes that come, go and move: `delete`, `duplicate`, `insert` and `move`.

use super::wraps::inner;
use super::{Place, Refusal, refused};
use crate::ItemKind;
use crate::change::Replacement;
use crate::document::{Node, Range, Shape};
use crate::tokens::ends_with_line_comment;

pub(super) fn delete(place: Place<'_>, index: usize) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(index)?;
    can_leave(place, node)?;
    Ok(vec![Replacement::remove(whole_lines(place, whole(place, node)))])
}

/// Makes sure that the block of a node may be without it.
fn can_leave(place: Place<'_>, node: &Node) -> Result<(), Refusal> {
    if !node.shape.takes_any_node() {
        return refused("the block belongs to the node around it");
    }
    let Some(parent) = node.parent else {
        let is_tree = place.document.items()[node.item as usize].kind == ItemKind::Tree;
        return if is_tree { refused("a tree has a node") } else { Ok(()) };
    };
    let shape = place.document.nodes()[parent as usize].shape;
    if !shape.can_be_empty() && inner(place, parent as usize).count() < 2 {
        return refused("the node around it must have a child");
    }
    Ok(())
}

/// Returns the bytes of a node with its weight and comments.
fn whole(place: Place<'_>, node: &Node) -> Range {
    place.document.with_comments((node.start, node.end))
}

/// Returns a range with the lines that it fills, or with the blanks before it.
pub(super) fn whole_lines(place: Place<'_>, (start, end): Range) -> Range {
    let text = place.document.text();
    let (line, last) = (place.document.line_start(start), place.document.line_end(end));
    let is_first = text[line as usize..start as usize].trim().is_empty();
    let is_last = text[end as usize..last as usize].trim().is_empty();
    let blanks = |text: &str| text.len() - text.trim_end_matches([' ', '\t']).len();
    match (is_first, is_last) {
        (true, true) => (line, (last + 1).min(text.len() as u32)),
        (true, false) => {
            let rest = &text[end as usize..];
            (start, end + (rest.len() - rest.trim_start_matches([' ', '\t']).len()) as u32)
        }
        (false, _) => (start - blanks(&text[..start as usize]) as u32, end),
    }
}

pub(super) fn duplicate(place: Place<'_>, index: usize) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(index)?;
    let text = place.slice((node.start, node.end));
    let is_in_handler = place.document.items()[node.item as usize].kind == ItemKind::Handler;
    if !place.parent(node).map_or(is_in_handler, |parent| parent.shape.takes_many()) {
        return refused("there can be only one node in this block");
    }
    let (_, end) = whole(place, node);
    Ok(vec![Replacement::insert(end, separated(place, node.start, end, text))])
}

pub(super) fn replace(place: Place<'_>, index: usize, text: &str) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(index)?;
    place.takes_any_node(node)?;
    let text = text.trim();
    if text.is_empty() {
        return refused("the new node has no words");
    }
    Ok(vec![Replacement::new((node.word, node.end), text)])
}

/// Returns a text to be inserted behind bytes that begin a line or do not: on a line of its own if
/// they do, or if they end with a comment.
pub(super) fn separated(place: Place<'_>, start: u32, end: u32, text: &str) -> String {
    let all = place.document.text();
    let line = place.document.line_start(start);
    let indent = &all[line as usize..start as usize];
    let ends_line = all[..end as usize].rsplit('\n').next().unwrap_or_default().contains("//");
    if indent.trim().is_empty() {
        format!("\n{indent}{text}")
    } else if ends_line {
        format!("\n{text}")
    } else {
        format!(" {text}")
    }
}

pub(super) fn insert(
    place: Place<'_>,
    parent: usize,
    index: usize,
    text: &str,
) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(parent)?;
    Ok(vec![put(place, parent, node, index, text.trim())?])
}

/// Returns the insertion of a text among the children of a node.
fn put(
    place: Place<'_>,
    parent: usize,
    node: &Node,
    index: usize,
    text: &str,
) -> Result<Replacement, Refusal> {
    let Some((open, close)) = node.block else { return refused("the node has no block") };
    let nodes = place.document.nodes();
    let children: Vec<usize> = inner(place, parent).collect();
    if index > children.len() {
        return refused(format!("the node has {} children", children.len()));
    }
    if node.shape == Shape::One && !children.is_empty() {
        return refused("there can be only one node in this block");
    }
    let (_, open) = place.document.with_comments((
        place.document.tokens()[open as usize].start,
        place.document.tokens()[open as usize].end,
    ));
    let close = place.document.tokens()[close as usize].start;
    let is_one_line = !place.slice((open, close)).contains('\n');
    if let Some(before) = index.checked_sub(1).map(|index| &nodes[children[index]]) {
        let (_, end) = whole(place, before);
        return Ok(Replacement::insert(end, separated(place, before.start, end, text)));
    }
    if let Some(next) = children.first().map(|child| &nodes[*child]) {
        let (start, _) = whole(place, next);
        let line = place.document.line_start(start);
        let indent = place.slice((line, start));
        let gap = if indent.trim().is_empty() { format!("\n{indent}") } else { ending(text).to_owned() };
        return Ok(Replacement::insert(start, format!("{text}{gap}")));
    }
    let is_blank = place.slice((open, close)).trim().is_empty();
    let range = if is_blank { (open, close) } else { (close, close) };
    let gap = if is_one_line && !place.slice((open - 1, open)).contains('\n') { ending(text) } else { "\n" };
    let first = if is_one_line { " " } else { "\n" };
    Ok(Replacement::new(range, format!("{first}{text}{gap}")))
}

/// Returns the text that separates a text from the next one: a line end, if the text ends with a
/// comment.
pub(super) fn ending(text: &str) -> &'static str {
    if ends_with_line_comment(text) { "\n" } else { " " }
}

pub(super) fn relocate(
    place: Place<'_>,
    index: usize,
    parent: usize,
    position: usize,
) -> Result<Vec<Replacement>, Refusal> {
    let (node, target) = (place.node(index)?, place.node(parent)?);
    if (index..node.last as usize).contains(&parent) {
        return refused("a node cannot move into itself");
    }
    let siblings: Vec<usize> = inner(place, parent).collect();
    let own = siblings.iter().position(|child| *child == index);
    if own.is_some_and(|own| position == own || position == own + 1) {
        return refused("the node is there already");
    }
    if own.is_none() {
        can_leave(place, node)?;
    }
    let range = whole(place, node);
    let mut text = place.slice(range).to_owned();
    if !target.shape.takes_values() && node.weight.is_some() {
        let comments = super::wraps::comments_of(place, (node.start, node.word)).text;
        let (before, after) = ((range.0, node.start), (node.word, range.1));
        text = format!("{}{comments}{}", place.slice(before), place.slice(after));
    }
    let inserted = put(place, parent, target, position, &text)?;
    let removed = Replacement::remove(whole_lines(place, range));
    let overlaps = removed.range.0 < inserted.range.1 && inserted.range.0 < removed.range.1;
    if overlaps { refused("the node is there already") } else { Ok(vec![inserted, removed]) }
}
