//! Expressions of nodes: `set argument` and `set weight`.

use super::wraps::comments_of;
use super::{Place, Refusal, refused};
use crate::change::Replacement;
use crate::document::{Document, Node, Range};
use pleach_compile::internals::language::{Keyword, Lexeme};

pub(super) fn set(
    place: Place<'_>,
    index: usize,
    argument: usize,
    text: &str,
) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(index)?;
    let text = text.trim();
    let places = places(place.document, node);
    if let Some(range) = places.get(argument) {
        return Ok(vec![Replacement::new(*range, text)]);
    }
    let is_call = matches!(node.kind, Keyword::Action | Keyword::Use);
    if !is_call || argument > places.len() {
        return refused(format!("the node has {} expressions", places.len()));
    }
    match (parentheses(place.document, node), places.last()) {
        (_, Some((_, end))) => Ok(vec![Replacement::insert(*end, format!(", {text}"))]),
        (Some((_, close)), None) => Ok(vec![Replacement::insert(place.document.tokens()[close].start, text)]),
        (None, None) => Ok(vec![Replacement::insert(node.header_end, format!("({text})"))]),
    }
}

/// Returns the parentheses of a call, as tokens.
pub(super) fn parentheses(document: &Document, node: &Node) -> Option<(usize, usize)> {
    let (_, end) = node.subject?;
    let rest = document.token_at(end);
    let open = rest + document.tokens()[rest..].iter().position(|token| !token.is_comment())?;
    let is_own = document.tokens()[open].is(Lexeme::Open) && document.tokens()[open].end <= node.header_end;
    Some((open, document.partner(open).filter(|_| is_own)?))
}

/// Returns the places of the expressions of a node: of the arguments of a call, else those in its
/// words.
#[must_use]
pub fn places(document: &Document, node: &Node) -> Vec<Range> {
    let is_call = matches!(node.kind, Keyword::Action | Keyword::Use);
    if is_call {
        return arguments(document, node);
    }
    let expressions = node.operands.iter().filter(|(first, end)| first < end);
    expressions.map(|operand| expression(document, *operand)).collect()
}

/// Returns the places of the arguments of a call.
fn arguments(document: &Document, node: &Node) -> Vec<Range> {
    let Some((open, close)) = parentheses(document, node) else { return Vec::new() };
    let (mut list, mut current, mut depth) = (Vec::new(), None::<Range>, 0_usize);
    for token in document.tokens()[open + 1..close].iter().filter(|token| !token.is_comment()) {
        match token.lexeme {
            Some(Lexeme::Open) => depth += 1,
            Some(Lexeme::Close) => depth = depth.saturating_sub(1),
            Some(Lexeme::Comma) if depth == 0 => {
                list.extend(current.take());
                continue;
            }
            _ => {}
        }
        current = Some((current.map_or(token.start, |(start, _)| start), token.end));
    }
    list.extend(current);
    list
}

/// Returns the place of an expression, with all of its parentheses.
pub(crate) fn expression(document: &Document, operand: Range) -> Range {
    let ops = document.ops(operand);
    let start = document.value_start(operand);
    let end = ops.iter().map(|op| op.place.1).max().unwrap_or(start);
    let (mut depth, mut last) = (0_i32, end);
    let tokens = document.tokens()[document.token_at(start.min(end))..].iter();
    let mut tokens = tokens.filter(|token| !token.is_comment()).peekable();
    while let Some(token) = tokens.next() {
        match token.lexeme {
            Some(Lexeme::Open) => depth += 1,
            Some(Lexeme::Close) => depth -= 1,
            _ => {}
        }
        last = token.end;
        let goes_on = tokens.peek().is_some_and(|next| next.is(Lexeme::Open));
        if depth <= 0 && token.end >= end && !goes_on {
            break;
        }
    }
    (start.min(end), last)
}

pub(super) fn set_weight(place: Place<'_>, index: usize, text: &str) -> Result<Vec<Replacement>, Refusal> {
    let node = place.node(index)?;
    if !place.parent(node).is_some_and(|parent| parent.shape.takes_values()) {
        return refused("only a child of `random`, `utility` and `match` has a value before it");
    }
    let text = text.trim();
    match node.weight {
        Some(_) if text.is_empty() => Ok(vec![comments_of(place, (node.start, node.word))]),
        Some(weight) => Ok(vec![Replacement::new(expression(place.document, weight), text)]),
        None => Ok(vec![Replacement::insert(node.word, format!("{text}: "))]),
    }
}
