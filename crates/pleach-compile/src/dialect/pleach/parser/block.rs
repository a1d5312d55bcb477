//! Blocks: which nodes stand in them, and where they end.
//!
//! An open block waits on a stack, so blocks may nest without limit.

use super::super::syntax::NO_WEIGHT;
use super::{Diagnostic, Keyword, Lexeme, Node, Parser, braces, codes};

/// Content that a block may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Any number of nodes.
    Many,
    /// One node.
    One,
    /// The one node of a tree.
    Root,
    /// Nodes, with or without a weight.
    Weighted,
    /// Nodes with a score.
    Scored,
    /// Nodes with the value of a case, or `else`.
    Cases,
    /// Nothing but `set`s.
    Sets,
    /// Leaves that end at once: `set`, `raise` and `action`.
    Service,
}

impl Shape {
    /// Returns true if an expression can stand before a node.
    pub(super) fn takes_values(self) -> bool {
        matches!(self, Self::Weighted | Self::Scored | Self::Cases)
    }
}

/// A block that is not closed yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Node that the block belongs to; `None` for the block of a tree or an event.
    pub(super) node: Option<u32>,
    pub(super) shape: Shape,
    /// Its `{`.
    pub(super) open: u32,
    /// The child before the one that is read, and how many there were.
    pub(super) children: u32,
}

impl Parser<'_, '_> {
    /// Reads `{ … }` with all that is in it: the range of its nodes.
    pub(super) fn body(&mut self, sets: bool) -> (u32, u32) {
        let first = self.program.nodes.len() as u32;
        let shape = if sets { Shape::Sets } else { Shape::Root };
        let help = if sets {
            "an event has a block: `on hit { set health -= 1.0 }`"
        } else {
            "a tree has a block: `tree guard { action roam }`"
        };
        if self.open_block(None, shape, help) {
            if !sets {
                self.locals();
            }
            while let Some(block) = self.blocks.last().copied() {
                self.step(block);
            }
            self.report_misplaced();
        }
        (first, self.program.nodes.len() as u32)
    }

    /// Opens a block, if a brace stands here or must have been forgotten.
    pub(super) fn open_block(&mut self, node: Option<u32>, shape: Shape, help: &str) -> bool {
        let open = self.token.start;
        if !self.expect(Lexeme::OpenBrace, "`{`", help) && !self.keyword().is_some_and(Keyword::begins_node) {
            return false;
        }
        self.blocks.push(Block { node, shape, open, children: 0 });
        true
    }

    /// Reads the next thing in the innermost block: a child or the end.
    fn step(&mut self, block: Block) {
        match self.token.lexeme {
            Lexeme::CloseBrace => {
                self.advance();
                self.close_block(block);
            }
            Lexeme::End => self.unclosed(block),
            Lexeme::Word => match self.keyword() {
                Some(Keyword::Random) if self.weight_stands(block) => self.weighted(block),
                Some(Keyword::Else) if block.shape == Shape::Cases => self.weighted(block),
                Some(keyword) if keyword.begins_node() => self.child(block, NO_WEIGHT),
                _ if self.begins_local() => self.misplaced_variable(),
                Some(keyword) if keyword.begins_item_only() => self.unclosed(block),
                _ if self.weight_stands(block) => self.weighted(block),
                _ => self.child(block, NO_WEIGHT),
            },
            Lexeme::Int | Lexeme::Float | Lexeme::Open | Lexeme::SUBTRACT | Lexeme::Not => {
                self.weighted(block)
            }
            _ => self.stray(),
        }
    }

    /// Returns true if the word here begins a weight or score rather than a node.
    fn weight_stands(&self, block: Block) -> bool {
        let next = self.peek();
        if !block.shape.takes_values() {
            return next == Lexeme::Colon;
        }
        let node_like = matches!(next, Lexeme::OpenBrace | Lexeme::CloseBrace | Lexeme::Word | Lexeme::End);
        !node_like && self.begins_expression()
    }

    /// Takes away what can begin no child.
    #[cold]
    fn stray(&mut self) {
        let message = format!("{} begins no node", self.shown());
        let help = match self.token.lexeme {
            Lexeme::OpenBrace => "a block belongs to a node, such as `sequence { }`",
            Lexeme::Comma => "nodes stand one after the other, with nothing between them",
            _ => "take it away",
        };
        self.error(codes::EXPECTED, self.here(), message, help);
        if self.stands(Lexeme::OpenBrace) {
            let open = self.token.start;
            self.advance();
            if let Some(block) = self.blocks.last_mut() {
                block.children += 1;
            }
            self.blocks.push(Block { node: None, shape: Shape::Many, open, children: 0 });
            return;
        }
        self.skip_to_node();
    }

    /// Goes on where a node or block can begin or end, one token further at least.
    pub(super) fn skip_to_node(&mut self) {
        loop {
            self.advance();
            let known = |keyword: Keyword| keyword.begins_node() || keyword.begins_item_only();
            let brace = matches!(self.token.lexeme, Lexeme::OpenBrace | Lexeme::CloseBrace | Lexeme::End);
            if brace || self.keyword().is_some_and(known) {
                return;
            }
        }
    }

    /// A weight or score with its node.
    fn weighted(&mut self, block: Block) {
        let at = self.here();
        let weight = self.program.operands.len() as u32;
        let before = self.session.diagnostics.errors();
        if self.keyword() == Some(Keyword::Else) {
            self.push_else();
        } else {
            self.push_expression();
        }
        let fits = block.shape.takes_values();
        if !fits && self.session.diagnostics.errors() == before {
            let message = "a value begins no node";
            let help = "values before a node are weights in `random { }`, scores in `utility { }` and cases in `match`";
            self.error(codes::EXPECTED, at, message, help);
        }
        if !self.take(Lexeme::Colon) && fits && self.session.diagnostics.errors() == before {
            self.missing("`:`", "a weight, score or case stands before its node: `3: action roam`");
        }
        let is_case = self.keyword() == Some(Keyword::Else) && block.shape == Shape::Cases;
        let is_node =
            self.stands(Lexeme::Word) && !is_case && !self.keyword().is_some_and(Keyword::begins_item_only);
        if is_node {
            self.child(block, weight);
        } else if self.session.diagnostics.errors() == before {
            self.missing("a node", "a weight, score or case stands before its node: `3: action roam`");
        }
    }

    /// Reads a child's line, and opens its block.
    fn child(&mut self, block: Block, weight: u32) {
        let index = self.program.nodes.len() as u32;
        self.check_place(block, weight);
        if let Some(block) = self.blocks.last_mut() {
            block.children += 1;
        }
        let first = self.program.operands.len() as u32;
        let start = self.token.start;
        self.program.nodes.push(Node {
            subject: self.token.value,
            place: (start, self.token.end),
            subject_at: start,
            operands: (first, first),
            weight,
            ..Node::failed(index)
        });
        let depth = self.blocks.len();
        self.line(index);
        let end = self.program.operands.len() as u32;
        self.program.nodes[index as usize].operands.1 = end;
        debug_assert!(self.blocks.len() <= depth + 1);
    }

    /// Reports a child that is wrong in this place.
    #[inline]
    fn check_place(&mut self, block: Block, weight: u32) {
        match block.shape {
            // An unknown word is reported itself. Most of them, such as
            // `else`, go with the node before.
            Shape::One | Shape::Root
                if block.children == 1 && self.keyword().is_some_and(Keyword::begins_node) =>
            {
                self.second_child(block);
            }
            Shape::Scored if weight == NO_WEIGHT => {
                let help = "say how good the child is: `SCORE: NODE`; the highest score wins";
                self.error(codes::EXPECTED, self.here(), "a child of a `utility` needs a score", help);
            }
            Shape::Cases if weight == NO_WEIGHT => {
                let help = "say for which value it is: `VALUE: NODE`, or `else: NODE` for all others";
                self.error(codes::EXPECTED, self.here(), "a child of a `match` needs a value", help);
            }
            Shape::Sets if self.keyword() != Some(Keyword::Set) => {
                let (message, help) = match block.node {
                    None => ("an event only sets variables;", "`on NAME { set VARIABLE = VALUE }`"),
                    Some(_) => (
                        "a `cleanup` begins with a block that only sets variables;",
                        "`cleanup { set VARIABLE = VALUE } { NODE }`: the node stands in the second block",
                    ),
                };
                let message = format!("{message} {} is something else", self.shown());
                self.error(codes::EXPECTED, self.here(), message, help);
            }
            Shape::Service
                if !matches!(self.keyword(), Some(Keyword::Set | Keyword::Raise | Keyword::Action)) =>
            {
                let message = format!(
                    "an `every` begins with a block of `set`, `raise` and `action`; {} is something else",
                    self.shown()
                );
                let help = "`every 1 s { action look } { NODE }`: the node stands in the second block";
                self.error(codes::EXPECTED, self.here(), message, help);
            }
            _ => {}
        }
    }

    #[cold]
    fn second_child(&mut self, block: Block) {
        let (message, help) = match block.shape {
            Shape::Root => ("a tree has one node", "put its nodes into a `sequence { }` or a `selector { }`"),
            _ => (
                "only one node can stand in this block",
                "put them into a `sequence { }` or a `selector { }`",
            ),
        };
        let finding = Diagnostic::new(codes::ONE_CHILD, Some(self.here()), message).help(help);
        let open = self.span(block.open, block.open + 1);
        self.report(finding.related(open, "the block begins here"));
    }

    fn close_block(&mut self, block: Block) {
        self.blocks.pop();
        let end = self.program.nodes.len() as u32;
        if let Some(node) = block.node {
            self.node(node).end = end;
            if matches!(block.shape, Shape::Sets | Shape::Service) {
                self.node(node - 1).end = end;
                return self.list(node - 1, Shape::One);
            }
        }
        if block.children > 0
            || !(matches!(block.shape, Shape::One | Shape::Root) || block.shape.takes_values())
        {
            return;
        }
        let (message, help) = match (block.shape, block.node.map(|node| self.node(node).kind)) {
            (Shape::Root, _) => ("a tree without a node", "`{ success }` does nothing, and succeeds"),
            (_, Some(Keyword::If)) => {
                ("a block without a node", "leave the block out: `condition EXPR` alone succeeds or fails")
            }
            (Shape::One, _) => ("a block without a node", "put the node into it that this one is about"),
            _ => ("there is nothing to choose from", "put at least one node into the block"),
        };
        let at = self.span(block.open, block.open + 1);
        self.error(codes::MISSING_CHILD, at, message, help);
    }

    /// The end of the file, or a declaration, where a block is still open.
    #[cold]
    fn unclosed(&mut self, block: Block) {
        let first = self.blocks.first().map_or(block.open, |block| block.open) as usize;
        let to = self.token.start as usize;
        let found = braces::suspect(&self.reading.text, first, to);
        let open = found.map_or(block.open, |at| at as u32);
        self.misplaced = None;
        let finding = self.is_missing("`}`").related(self.span(open, open + 1), "this block has no end");
        self.report(finding.help("every `{` needs its `}`"));
        let end = self.program.nodes.len() as u32;
        while let Some(block) = self.blocks.pop() {
            if let Some(node) = block.node {
                self.node(node).end = end;
            }
        }
    }
}
