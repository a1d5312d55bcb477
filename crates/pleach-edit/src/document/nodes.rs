//! Nodes of a text, with their extents.

use super::{Document, Range};
use pleach_compile::internals::language::{Keyword, Lexeme, OpKind};

/// Content that the block of a node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// No block.
    Leaf,
    /// Any number of nodes.
    Many,
    /// One node.
    One,
    /// One node or more, with or without a weight.
    Weighted,
    /// One node or more, each with a score.
    Scored,
    /// One node or more, each with the value of a case.
    Cases,
    /// `set`s.
    Sets,
    /// Leaves that end at once: the first block of an `every`.
    Service,
}

impl Shape {
    /// Returns true if an expression can stand before a child of such a node.
    #[must_use]
    pub fn takes_values(self) -> bool {
        matches!(self, Self::Weighted | Self::Scored | Self::Cases)
    }

    /// Returns true if a node of this shape can have several children.
    #[must_use]
    pub fn takes_many(self) -> bool {
        !matches!(self, Self::Leaf | Self::One)
    }

    /// Returns true if a node of this shape can be without children.
    #[must_use]
    pub fn can_be_empty(self) -> bool {
        matches!(self, Self::Many | Self::Sets | Self::Service)
    }

    /// Returns true if any node can stand in the block. Else the block belongs to its node, which
    /// has another one.
    #[must_use]
    pub fn takes_any_node(self) -> bool {
        !matches!(self, Self::Sets | Self::Service)
    }
}

/// Node of a text.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its word. That of `reactive sequence` is `sequence`.
    pub kind: Keyword,
    /// Content of its block.
    pub shape: Shape,
    /// First byte, that of the weight if it has one.
    pub start: u32,
    /// First byte of its first word.
    pub word: u32,
    /// One past the last byte of its words: before its block, if it has one.
    pub header_end: u32,
    /// The braces of its block, as tokens.
    pub block: Option<Range>,
    /// One past its last byte.
    pub end: u32,
    /// Index in [`Document::nodes`], one past the last node of its subtree.
    pub last: u32,
    /// The node around it.
    pub parent: Option<u32>,
    /// The declaration that it is in: index in [`Document::items`].
    pub item: u32,
    /// Name that follows its word, if it has one.
    pub subject: Option<Range>,
    /// Its expressions: ranges of steps, for [`Document::ops`].
    pub operands: Vec<Range>,
    /// The weight, score or case before it.
    pub weight: Option<Range>,
}

/// Returns the nodes of all declarations.
pub(super) fn nodes(document: &Document) -> Vec<Node> {
    let parsed = &document.parsed;
    let mut nodes: Vec<Node> = parsed.nodes.iter().map(|node| Node::nothing(node.start)).collect();
    for (index, item) in document.items.iter().enumerate() {
        let mut open: Vec<usize> = Vec::new();
        for node in item.nodes.0 as usize..item.nodes.1 as usize {
            while open.last().is_some_and(|open| parsed.nodes[*open].end as usize <= node) {
                open.pop();
            }
            nodes[node] = placed(document, node, item.nodes.1 as usize, index, open.last().copied());
            open.push(node);
        }
        for node in (item.nodes.0 as usize..item.nodes.1 as usize).rev() {
            close(document, &mut nodes, node);
        }
    }
    nodes
}

impl Node {
    /// Returns a node of no declaration, which stands for text with errors.
    fn nothing(start: u32) -> Self {
        Self {
            kind: Keyword::Failure,
            shape: Shape::Leaf,
            start,
            word: start,
            header_end: start,
            block: None,
            end: start,
            last: 0,
            parent: None,
            item: 0,
            subject: None,
            operands: Vec::new(),
            weight: None,
        }
    }
}

/// Returns a node with its words.
fn placed(document: &Document, index: usize, end: usize, item: usize, parent: Option<usize>) -> Node {
    let parsed = &document.parsed;
    let node = &parsed.nodes[index];
    let (first, last) = node.operands;
    let weight = node.weight.map(|weight| parsed.operands[weight as usize]);
    let start = weight.map_or(node.start, |weight| value_start(document, weight).min(node.start));
    let word = document.token_at(node.start);
    let next = (index + 1 < end).then(|| parsed.nodes[index + 1]);
    let next = next.map_or(u32::MAX, |next| {
        let weight = next.weight.map(|weight| parsed.operands[weight as usize]);
        weight.map_or(next.start, |weight| value_start(document, weight).min(next.start))
    });
    let mut header_end = node.start;
    let mut open = None;
    for (at, token) in document.tokens.iter().enumerate().skip(word) {
        let opens = token.is(Lexeme::OpenBrace);
        let is_over = token.start >= next && !opens || token.is(Lexeme::CloseBrace);
        if opens {
            open = Some(at);
        }
        if opens || is_over {
            break;
        }
        if !token.is_comment() {
            header_end = token.end;
        }
    }
    let shape = shape(document, index);
    let open = open.filter(|_| shape != Shape::Leaf);
    let block = open.map(|open| (open as u32, document.partner(open).unwrap_or(open) as u32));
    Node {
        kind: node.kind,
        shape,
        start,
        word: node.start,
        header_end,
        block,
        end: header_end,
        last: node.end,
        parent: parent.map(|parent| parent as u32),
        item: item as u32,
        subject: node.subject,
        operands: parsed.operands[first as usize..last as usize].to_vec(),
        weight,
    }
}

/// Sets the end of a node, after the ends of its children are known.
fn close(document: &Document, nodes: &mut [Node], index: usize) {
    let has_two_blocks = matches!(nodes[index].kind, Keyword::Cleanup | Keyword::Every);
    if has_two_blocks && nodes[index].shape == Shape::One {
        // Its first block is a node of its own.
        let sets = nodes[index].block;
        let after = sets.map(|(_, close)| close as usize + 1);
        let open = after.and_then(|at| {
            let rest = document.tokens[at..].iter().position(|token| !token.is_comment())?;
            Some(at + rest).filter(|open| document.tokens[*open].is(Lexeme::OpenBrace))
        });
        if let Some((_, close)) = sets {
            nodes[index].header_end = document.tokens[close as usize].end;
        }
        nodes[index].block = open.map(|open| (open as u32, document.partner(open).unwrap_or(open) as u32));
    }
    nodes[index].end = match nodes[index].block {
        Some((_, close)) => document.tokens[close as usize].end,
        None => nodes[index].header_end,
    };
}

impl Document {
    /// Returns the first byte of an expression, with the parentheses around it.
    pub(crate) fn value_start(&self, range: Range) -> u32 {
        value_start(self, range)
    }
}

fn value_start(document: &Document, (first, end): Range) -> u32 {
    let ops = &document.parsed.ops[first as usize..end as usize];
    let is_wrong = ops.iter().any(|op| op.kind == OpKind::Wrong);
    let Some(start) = ops.iter().map(|op| op.place.0).min().filter(|_| !is_wrong) else { return u32::MAX };
    let before = document.tokens[..document.token_at(start)].iter().rev();
    let near = before.take_while(|token| token.is_comment() || token.is(Lexeme::Open));
    near.filter(|token| token.is(Lexeme::Open)).last().map_or(start, |token| token.start)
}

/// Returns the content that the block of a node has.
fn shape(document: &Document, index: usize) -> Shape {
    use Keyword::{
        Action, Condition, Failure, Match, Parallel, Raise, Random, Running, Selector, Sequence, Set,
        Success, Use, Utility, Wait,
    };
    let node = &document.parsed.nodes[index];
    match node.kind {
        Keyword::Every if node.is_sets => Shape::Service,
        _ if node.is_sets => Shape::Sets,
        _ if node.is_unknown => Shape::Many,
        Sequence | Selector | Parallel => Shape::Many,
        Random => Shape::Weighted,
        Utility => Shape::Scored,
        Match => Shape::Cases,
        Action | Condition | Failure | Raise | Running | Set | Success | Use | Wait => Shape::Leaf,
        _ => Shape::One,
    }
}
