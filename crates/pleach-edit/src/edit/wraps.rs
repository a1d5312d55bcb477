//! Nodes around nodes: `wrap` and `unwrap`.

use super::moves::ending;
use super::{Place, Refusal, refused};
use crate::change::Replacement;
use crate::document::{Node, Range};

pub(super) fn wrap(place: Place<'_>, node: usize, header: &str) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(node)?;
    place.takes_any_node(node)?;
    let header = header.trim();
    if header.is_empty() {
        return refused("the new node has no words");
    }
    let before = format!("{header}{}{{ ", ending(header));
    Ok(vec![Replacement::insert(node.word, before), Replacement::insert(node.end, " }")])
}

pub(super) fn unwrap(place: Place<'_>, index: usize) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(index)?;
    let Some((_, close)) = node.block.filter(|_| node.shape.takes_any_node()) else {
        return refused("the node has no block");
    };
    let children: Vec<&Node> = inner(place, index).map(|child| &place.document.nodes()[child]).collect();
    let (Some(first), Some(last)) = (children.first(), children.last()) else {
        return refused("the node has no children");
    };
    let parent = place.parent(node);
    let takes_many = parent.is_some_and(|parent| parent.shape.takes_many());
    if children.len() > 1 && (!takes_many || node.weight.is_some()) {
        return refused("there can be only one node in its place");
    }
    let keeps_weights = parent.is_some_and(|parent| parent.shape == node.shape) && node.weight.is_none();
    let begin = |child: &Node| if keeps_weights { child.start } else { child.word };
    let mut list = vec![comments_of(place, (node.word, begin(first)))];
    for child in children[1..].iter().filter(|_| !keeps_weights) {
        list.push(comments_of(place, (child.start, child.word)));
    }
    let close = place.document.tokens()[close as usize];
    let between = place.slice((last.end, close.start));
    let is_blank = between.trim().is_empty();
    list.push(Replacement::remove((if is_blank { last.end } else { close.start }, close.end)));
    Ok(list)
}

/// Returns the children of a node, without the first block of a `cleanup` or an `every`.
pub(super) fn inner(place: Place<'_>, node: usize) -> impl Iterator<Item = usize> {
    let nodes = place.document.nodes();
    place.document.children(node).filter(move |child| nodes[*child].shape.takes_any_node())
}

/// Returns the replacement of a range by the comments in it.
pub(super) fn comments_of(place: Place<'_>, range: Range) -> Replacement {
    let tokens = &place.document.tokens()[place.document.token_at(range.0)..];
    let within = tokens.iter().take_while(|token| token.end <= range.1).filter(|token| token.is_comment());
    let text = within.map(|token| {
        let comment = place.slice((token.start, token.end));
        format!("{}{}", comment.trim_end(), if comment.starts_with("//") { "\n" } else { " " })
    });
    Replacement::new(range, text.collect::<String>())
}
