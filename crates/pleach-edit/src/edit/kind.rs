//! Other words for a node: `change kind`.

use super::moves::ending;
use super::wraps::{comments_of, inner};
use super::{Place, Refusal, refused};
use crate::change::Replacement;
use crate::document::Shape;

pub(super) fn change(place: Place<'_>, index: usize, header: &str) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(index)?;
    place.takes_any_node(node)?;
    let header = header.trim();
    if header.is_empty() {
        return refused("the node has no words");
    }
    let comments = comments_of(place, (node.word, node.header_end));
    let separator = if comments.text.is_empty() { "" } else { ending(header) };
    let new = format!("{header}{separator}{}", comments.text.trim_end_matches(' '));
    let mut list = vec![Replacement::new((node.word, node.header_end), new)];
    let (old, new) = (node.shape, shape(header));
    for (number, child) in inner(place, index).enumerate() {
        let child = &place.document.nodes()[child];
        let value = match new {
            Shape::Scored => "1.0: ".to_owned(),
            Shape::Cases => format!("{number}: "),
            _ => String::new(),
        };
        let has_none = child.weight.is_none();
        let is_needed = has_none && matches!(new, Shape::Scored | Shape::Cases);
        let is_in_the_way = !has_none && (!new.takes_values() || old == Shape::Cases && new != old);
        if is_needed || is_in_the_way {
            let comments = comments_of(place, (child.start, child.word)).text;
            list.push(Replacement::new((child.start, child.word), format!("{comments}{value}")));
        }
    }
    Ok(list)
}

/// Returns the content that the block of a node with these words has, as far as values before its
/// children are concerned.
fn shape(header: &str) -> Shape {
    let words: Vec<&str> = header.split_whitespace().take(2).collect();
    match words[..] {
        ["utility", ..] | ["reactive", "utility"] => Shape::Scored,
        ["match", ..] | ["reactive", "match"] => Shape::Cases,
        ["random"] => Shape::Weighted,
        _ => Shape::Many,
    }
}
