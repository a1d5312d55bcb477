//! Text of a file of the language `pleach`, for rules about names and for changes of the text.

use core::ops::Range;
use hashbrown::HashSet;
use pleach_compile::internals::language::{Keyword, Lexeme, OpKind};
use pleach_compile::source::Source;
use pleach_edit::{Document, Item, ItemKind, Node, Token};
use std::str;

/// Text of a file.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) document: Document,
    /// By declaration, the names of the parameters of a tree.
    params: Vec<HashSet<Box<str>>>,
}

impl Text {
    /// Reads a file. Returns none if its text is not UTF-8.
    pub(crate) fn read(source: &Source) -> Option<Self> {
        let text = str::from_utf8(&source.text).ok()?;
        let document = Document::new(&source.name, text.into());
        let names = |item: &Item| {
            let parts = item.parts.iter().filter(|_| item.kind == ItemKind::Tree);
            parts.map(|part| document.slice(part.name).into()).collect()
        };
        let params = document.items().iter().map(names).collect();
        Some(Self { document, params })
    }

    /// Returns the text of a token.
    pub(crate) fn word(&self, token: &Token) -> &str {
        self.document.slice((token.start, token.end))
    }

    /// Returns the node whose first word begins at a byte.
    fn node(&self, byte: u32) -> Option<usize> {
        self.document.nodes().binary_search_by_key(&byte, |node| node.word).ok()
    }

    /// Returns true if the node whose words begin at a byte names a parameter of its tree, before
    /// its block or in a weight, score or value of a child. The byte may also be that of a variable
    /// of a tree.
    pub(crate) fn mentions_parameter(&self, byte: u32) -> bool {
        let item = self.document.item_at(byte).and_then(|item| self.params.get(item));
        let Some(params) = item.filter(|params| !params.is_empty()) else { return false };
        let mut words = self.document.tokens()[self.header(byte)].iter();
        let node = self.node(byte).into_iter();
        let weights = node.flat_map(|node| self.document.children(node));
        let mut weights = weights.filter_map(|child| self.document.nodes()[child].weight);
        words.any(|token| params.contains(self.word(token)))
            || weights.any(|weight| self.names(weight).any(|name| params.contains(name)))
    }

    /// Returns the names in an expression.
    pub(crate) fn names(&self, expression: pleach_edit::Range) -> impl Iterator<Item = &str> {
        let names = self.document.ops(expression).iter().filter(|op| op.kind == OpKind::Name);
        names.map(|op| self.document.slice(op.place))
    }

    /// Returns the tokens of a node before its block. Returns those of a variable up to the next
    /// variable, node or brace.
    fn header(&self, byte: u32) -> Range<usize> {
        let tokens = self.document.tokens();
        let first = self.document.token_at(byte);
        if let Some(node) = self.node(byte) {
            let end = self.document.nodes()[node].header_end;
            return first..tokens.partition_point(|token| token.end <= end);
        }
        let is_brace = |token: &Token| token.is(Lexeme::OpenBrace) || token.is(Lexeme::CloseBrace);
        let begins = |token: &Token| {
            token.keyword == Some(Keyword::Var) || self.node(token.start).is_some() || is_brace(token)
        };
        // The variable may begin with two keywords.
        let behind = (first + 2).min(tokens.len());
        let count = tokens[behind..].iter().take_while(|token| !begins(token)).count();
        first.min(behind)..behind + count
    }

    /// Returns two pieces of the text around what a node's block holds: from the node's first word
    /// to the opening brace, and the closing brace.
    pub(crate) fn block(&self, byte: u32) -> Option<[(u32, u32); 2]> {
        let node = &self.document.nodes()[self.node(byte)?];
        let (open, close) = node.block?;
        let [open, close] = [open, close].map(|token| self.document.tokens()[token as usize]);
        Some([(node.word, open.end), (close.start, close.end)])
    }

    /// Returns the piece of the text that a leaf takes.
    pub(crate) fn leaf(&self, byte: u32) -> Option<(u32, u32)> {
        let node = &self.document.nodes()[self.node(byte)?];
        node.block.is_none().then_some((node.word, node.header_end))
    }

    /// Returns the only node of a declaration.
    pub(crate) fn single_node(&self, item: &Item) -> Option<&Node> {
        let nodes = self.document.nodes().get(item.nodes.0 as usize..item.nodes.1 as usize)?;
        if let [node] = nodes { Some(node) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_compile::source::Sources;

    #[test]
    fn nodes_that_name_parameters_are_found() {
        let text = "\u{feff}tree a { wait 1.5 s } // tree b\n\
            tree c(x: int, y: int) { var at: int = x keep var to: int var z: int sequence { \
            if z > 2 && x == 1 /* \"}\" */ { wait y s } random { 3: wait 2 s y: wait 3 s } wait 4 s } }";
        let mut sources = Sources::default();
        let id = sources.add("a".to_owned(), text.as_bytes().into());
        let read = Text::read(sources.get(id)).expect("text");
        let at = |word: &str| text.find(word).expect("the word is there") as u32;
        let with = ["if z", "wait y", "random", "var at"];
        assert!(with.iter().all(|word| read.mentions_parameter(at(word))));
        let without = ["wait 1.5", "sequence", "wait 2", "wait 3", "wait 4", "keep var", "var z"];
        assert!(without.iter().all(|word| !read.mentions_parameter(at(word))));
        assert_eq!(read.leaf(at("wait 1.5")), Some((at("wait 1.5"), at(" } //"))));
        assert_eq!(read.leaf(at("wait 2")), Some((at("wait 2"), at(" y: wait 3"))));
        assert_eq!(read.block(at("if z")).map(|[head, _]| head), Some((at("if z"), at(" wait y"))));
    }
}
