//! One text with its tokens, nodes and declarations, and their extents.
//!
//! The compiler's parser tells which words begin nodes. Braces, parentheses and the extents of
//! declarations come from the tokens. A comment belongs to the token before it if it is on the same
//! line, else to the next node.

mod items;
mod mentions;
mod nodes;
mod places;

pub(crate) use items::second_word;
pub use items::{Declared, Item, ItemKind, Local};
pub use mentions::{Access, Context, Mention, Owner, Space};
pub use nodes::{Node, Shape};
pub use places::{Call, PlaceKind, Site};

use crate::form::errors_of_form;
use crate::tokens::{Token, tokens};
use pleach_compile::diagnostic::Diagnostic;
pub use pleach_compile::internals::language::Range;
use pleach_compile::internals::language::{Lexeme, Op, Parsed, parse};
use std::sync::Arc;

/// Text of the language `pleach` that has been read.
#[derive(Debug)]
pub struct Document {
    text: Arc<str>,
    tokens: Vec<Token>,
    /// For each brace and parenthesis, the token that belongs to it.
    partners: Vec<Option<u32>>,
    nodes: Vec<Node>,
    items: Vec<Item>,
    parsed: Parsed,
}

impl Document {
    /// Reads a text. `name` is its name in findings.
    #[must_use]
    pub fn new(name: &str, text: Arc<str>) -> Self {
        let parsed = parse(name, text.as_bytes());
        let tokens = tokens(&text);
        let partners = partners(&tokens);
        let mut document = Self { text, tokens, partners, nodes: Vec::new(), items: Vec::new(), parsed };
        document.items = items::items(&document);
        document.nodes = nodes::nodes(&document);
        document
    }

    /// Returns a text that has no tokens and nodes.
    pub(crate) fn of_lines(text: Arc<str>) -> Self {
        let (tokens, partners) = (Vec::new(), Vec::new());
        Self { text, tokens, partners, nodes: Vec::new(), items: Vec::new(), parsed: parse("", b"") }
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the bytes of a range.
    #[must_use]
    pub fn slice(&self, range: Range) -> &str {
        self.text.get(range.0 as usize..range.1 as usize).unwrap_or_default()
    }

    /// Returns the tokens and comments, in the order of the text.
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Returns the nodes of all trees and handlers, in pre-order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the declarations, in the order of the text.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns the findings about this text alone that keep it from having a form.
    pub fn errors(&self) -> impl Iterator<Item = Diagnostic> {
        errors_of_form(&self.parsed, self.text.as_bytes())
    }

    /// Returns the text as the compiler's parser read it.
    pub(crate) fn parsed(&self) -> &Parsed {
        &self.parsed
    }

    /// Returns the token that belongs to a brace or parenthesis.
    #[must_use]
    pub fn partner(&self, token: usize) -> Option<usize> {
        self.partners.get(token).copied().flatten().map(|partner| partner as usize)
    }

    /// Returns the index of the first token that ends after a byte; the number of tokens if there
    /// is none.
    #[must_use]
    pub fn token_at(&self, at: u32) -> usize {
        self.tokens.partition_point(|token| token.end <= at)
    }

    /// Returns the innermost node at a byte. A node includes the weight before it.
    #[must_use]
    pub fn node_at(&self, at: u32) -> Option<usize> {
        let before = self.nodes.partition_point(|node| node.start <= at);
        let mut node = before.checked_sub(1)?;
        while self.nodes[node].end < at {
            node = self.nodes[node].parent? as usize;
        }
        Some(node)
    }

    /// Returns the declaration at a byte.
    #[must_use]
    pub fn item_at(&self, at: u32) -> Option<usize> {
        let before = self.items.partition_point(|item| item.start <= at);
        before.checked_sub(1).filter(|item| at <= self.items[*item].end)
    }

    /// Returns the declaration whose name is at a place.
    #[must_use]
    pub fn item_named(&self, name: Range) -> Option<&Item> {
        let item = self.item_at(name.0).map(|item| &self.items[item]);
        item.filter(|item| item.name == Some(name))
    }

    /// Returns the children of a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes[node].last as usize;
        let mut next = node + 1;
        core::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.nodes[child].last as usize;
            Some(child)
        })
    }

    /// Returns the steps of an expression of a node.
    #[must_use]
    pub fn ops(&self, (first, end): Range) -> &[Op] {
        &self.parsed.ops[first as usize..end as usize]
    }

    /// Returns the steps of all expressions of the text.
    pub(crate) fn all_ops(&self) -> &[Op] {
        &self.parsed.ops
    }

    /// Returns the end of the line of a byte, without its line end.
    pub(crate) fn line_end(&self, at: u32) -> u32 {
        let rest = &self.text.as_bytes()[at as usize..];
        at + memchr::memchr(b'\n', rest).unwrap_or(rest.len()) as u32
    }

    /// Returns the beginning of the line of a byte.
    pub(crate) fn line_start(&self, at: u32) -> u32 {
        memchr::memrchr(b'\n', &self.text.as_bytes()[..at as usize]).map_or(0, |end| end as u32 + 1)
    }

    /// Returns true if there is a line end between two bytes.
    fn has_line_end(&self, start: u32, end: u32) -> bool {
        memchr::memchr(b'\n', &self.text.as_bytes()[start as usize..end as usize]).is_some()
    }

    /// Returns a range together with the comments that belong to it: those before it that begin
    /// after the line of the token before, and those behind it on its last line.
    #[must_use]
    pub fn with_comments(&self, (start, end): Range) -> Range {
        let first = self.tokens.partition_point(|token| token.end <= start);
        let comments = self.tokens[..first].iter().rev().take_while(|token| token.is_comment());
        let comments = comments.count();
        let before = (first - comments).checked_sub(1).map(|token| self.tokens[token].end);
        let own = |token: &&Token| before.is_none_or(|end| self.has_line_end(end, token.start));
        let from = self.tokens[first - comments..first].iter().find(own).map_or(start, |token| token.start);
        let next = self.tokens.partition_point(|token| token.start < end);
        let mut to = end;
        for token in &self.tokens[next..] {
            if !token.is_comment() || self.has_line_end(to, token.start) {
                break;
            }
            to = token.end;
        }
        (from, to)
    }
}

/// Returns the partners of braces and of parentheses.
fn partners(tokens: &[Token]) -> Vec<Option<u32>> {
    let mut partners = vec![None; tokens.len()];
    let (mut braces, mut parentheses) = (Vec::new(), Vec::new());
    for (index, token) in tokens.iter().enumerate() {
        let first = match token.lexeme {
            Some(Lexeme::OpenBrace) => {
                braces.push(index);
                continue;
            }
            Some(Lexeme::Open) => {
                parentheses.push(index);
                continue;
            }
            Some(Lexeme::CloseBrace) => braces.pop(),
            Some(Lexeme::Close) => parentheses.pop(),
            _ => continue,
        };
        if let Some(first) = first {
            partners[first] = Some(index as u32);
            partners[index] = Some(first as u32);
        }
    }
    partners
}
