//! From tokens to nodes.
//!
//! The parser keeps its own stack of open blocks, so that a tree may be as deep as
//! memory allows. It can pause: a `behavior` node needs another tree, which the loader
//! reads before this one continues.
//!
//! After a finding, the parser continues at the next word that can begin a node. It keeps braces
//! paired even after words that it does not know. A structural error (a missing brace, a file that
//! ends early) is reported once per file, because all later ones may only be consequences. All
//! unknown names and wrong arguments are reported.

mod arguments;
mod expression;
mod node;
mod noted;

use super::token::{Lexeme, Punct, Token};
use super::words::{DECORATORS, Keyword, Word, Words};
use super::{MAX_CHILDREN, quoted, spelling};
use crate::ast::{self, Role, Value};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::manifest::{Kind, Type};
use crate::session::Session;
use crate::source::{OriginId, SourceId, Span};
use crate::text::Sym;
use arguments::Taker;
use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;
use noted::DECLARE;

use expression::Stack;

/// Reason why the parser stopped.
pub(super) enum Pause {
    /// A node includes the tree of this name, which is written here;
    /// answer with [`Parser::include`].
    Include(Sym, Span),
    /// The file is read.
    Done,
}

/// The stacks of all parsers: files that include others have their parts below those of the others.
pub(super) struct Room<'s> {
    /// The tokens of files that are open; the innermost last.
    pub(super) tokens: ArenaVec<'s, Token>,
    frames: ArenaVec<'s, Frame>,
    /// The nodes read so far; their ends are indices here.
    nodes: ArenaVec<'s, ast::Node>,
    /// The expression being read; empty between expressions.
    expression: Stack<'s>,
}

impl<'s> Room<'s> {
    /// Stacks with nothing on them.
    pub(super) fn new(arena: &'s Bump) -> Self {
        Self {
            tokens: ArenaVec::new_in(arena),
            frames: ArenaVec::new_in(arena),
            nodes: ArenaVec::new_in(arena),
            expression: Stack::new(arena),
        }
    }

    /// Returns the beginning of a file whose tokens were added from `first` on, and may be cut.
    pub(super) fn begin(&self, first: usize, cut: Option<Span>, source: SourceId) -> Parsing {
        let start = Span { source, start: 0, end: 0, origin: OriginId::NONE };
        let bases = [first, self.frames.len(), self.nodes.len()];
        let (failed, disordered) = (false, false);
        Parsing { bases, at: first, class: None, closing: None, start, cut, failed, disordered }
    }

    /// Takes a file off the stacks. Hands over its trees: the class tree, if there is one, and the
    /// main tree; none if anything was wrong.
    pub(super) fn end(&mut self, state: &Parsing, mut tree: impl FnMut(Role, &[ast::Node])) {
        let [tokens, frames, nodes] = state.bases;
        if !state.failed {
            let class = state.class.map(|end| tree(Role::Class, &self.nodes[nodes..end]));
            tree(Role::Main, &self.nodes[class.and(state.class).unwrap_or(nodes)..]);
        }
        self.tokens.truncate(tokens);
        self.frames.truncate(frames);
        self.nodes.truncate(nodes);
    }

    /// Returns the words of the node that was read last: where an include pauses, the include.
    pub(super) fn last_span(&self) -> Option<Span> {
        self.nodes.last().map(|node| node.span)
    }
}

/// Kind of an open block, which says how many children it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    /// Up to twenty children.
    List,
    /// One child.
    Single,
    /// One child, the root of the class tree.
    Class,
    /// One child, the root of the main tree; ends with the file.
    File,
    /// Whatever comes: something was wrong already.
    Any,
}

/// An open block.
#[derive(Clone, Copy, Debug)]
struct Frame {
    block: Block,
    /// The node it belongs to, if it belongs to one.
    node: Option<ast::NodeIndex>,
    children: u32,
    /// The words before it.
    head: Span,
}

/// State of a file that is being parsed.
pub(super) struct Parsing {
    /// Indices of the file's first token, frame and node in the [`Room`].
    pub(super) bases: [usize; 3],
    /// Index of the next token in the [`Room`].
    at: usize,
    /// Index one past the last node of the class tree, if there is one.
    class: Option<usize>,
    /// For each token, the index of the parenthesis that closes it, from the first
    /// token on; made when first needed.
    closing: Option<Vec<u32>>,
    /// Place of the file's first byte.
    pub(super) start: Span,
    cut: Option<Span>,
    /// True if an error was found in the file.
    pub(super) failed: bool,
    disordered: bool,
}

/// The parser at work on a file.
pub(super) struct Parser<'p, 'a, 's> {
    pub(super) session: &'p mut Session<'a>,
    pub(super) words: &'p mut Words<'s>,
    pub(super) room: &'p mut Room<'s>,
    /// Takes arguments and expressions; the nodes of the file are added when it is done.
    pub(super) file: &'p mut ast::File,
    pub(super) state: &'p mut Parsing,
}

impl Parser<'_, '_, '_> {
    /// Reads on, to the end of the file or to a node that includes another tree.
    pub(super) fn run(&mut self) -> Pause {
        let [first, frames, _] = self.state.bases;
        if self.state.at == first && self.open_frames() == 0 {
            self.begin();
        }
        while let Some(frame) = self.room.frames[frames..].last().copied() {
            if self.state.at >= self.room.tokens.len() {
                self.end_of_file(frame);
                return Pause::Done;
            }
            if let Some(name) = self.step(frame) {
                return Pause::Include(self.tree_name(name), name.span);
            }
        }
        Pause::Done
    }

    /// Returns the number of open blocks of the file.
    fn open_frames(&self) -> usize {
        self.room.frames.len() - self.state.bases[1]
    }

    /// Returns the name of a tree: any token spells one.
    fn tree_name(&mut self, token: Token) -> Sym {
        if let Lexeme::Name(name) | Lexeme::Text(name) = token.lexeme {
            return name;
        }
        let text = spelling(self.session, &token);
        self.session.names.intern(&text)
    }

    /// Opens the file, and its class block if the file begins with one.
    fn begin(&mut self) {
        let Some(first) = self.peek() else {
            let finding =
                Diagnostic::new(codes::EMPTY_FILE, self.state.start, "there is no tree in this file");
            return self.disorder(finding);
        };
        self.push(Block::File, None, first.span);
        if self.word(&first).keyword == Some(Keyword::SelectClass) {
            self.state.at += 1;
            self.open(Block::Class, None, first.span);
        }
    }

    /// One step in an open block: a child, or the block's end. Gives the
    /// name of a tree that is needed.
    fn step(&mut self, frame: Frame) -> Option<Token> {
        if self.stands(Punct::CloseBrace) {
            self.close_brace(frame);
            return None;
        }
        if !self.has_room(frame) {
            return None;
        }
        if let Some(frame) = self.room.frames.last_mut() {
            frame.children += 1;
        }
        self.node()
    }

    /// Returns true if the open block may take a child here. If not, reports that.
    #[inline]
    fn has_room(&mut self, frame: Frame) -> bool {
        match frame.block {
            Block::List => frame.children < MAX_CHILDREN || self.too_much(frame),
            Block::Single | Block::Class | Block::File => frame.children < 1 || self.too_much(frame),
            Block::Any => true,
        }
    }

    /// Reports a node that an open block cannot take. Returns true if it is added nevertheless.
    #[cold]
    fn too_much(&mut self, frame: Frame) -> bool {
        let Some(token) = self.peek() else { return false };
        match frame.block {
            Block::List if frame.children == MAX_CHILDREN => {
                let message = format!("a list has at most {MAX_CHILDREN} children");
                let finding = Diagnostic::new(codes::TOO_MANY_CHILDREN, token.span, message)
                    .help("put some of them into a list of their own")
                    .related(frame.head, "the list begins here");
                self.error(finding);
                return true;
            }
            Block::List | Block::Any => return true,
            Block::File => {
                let message = format!("the tree ends before {}", quoted(self.session, &token));
                let finding = Diagnostic::new(codes::AFTER_TREE, token.span, message);
                self.disorder(finding.help("a file holds one tree; put several nodes into a list"));
            }
            Block::Single | Block::Class => {
                let message = format!("`}}` is missing before {}", quoted(self.session, &token));
                let finding = Diagnostic::new(codes::ONE_CHILD, token.span, message)
                    .help("only one child is allowed here; put several into a list")
                    .related(frame.head, "the block begins here");
                self.disorder(finding);
            }
        }
        self.relax();
        false
    }

    /// Lets the innermost block take anything from now on, beginning with the next node.
    fn relax(&mut self) {
        if let Some(frame) = self.room.frames.last_mut() {
            frame.block = Block::Any;
        }
        self.recover();
    }

    fn close_brace(&mut self, frame: Frame) {
        let span = self.span(self.state.at);
        self.state.at += 1;
        if self.open_frames() == 1 {
            let finding = Diagnostic::new(codes::STRAY_BRACE, span, "this `}` closes nothing");
            return self.disorder(finding);
        }
        if matches!(frame.block, Block::Single | Block::Class) && frame.children == 0 {
            let finding = Diagnostic::new(codes::MISSING_CHILD, span, "a child is missing in this block")
                .related(frame.head, "the block begins here");
            self.error(finding);
        }
        self.close(frame);
    }

    fn close(&mut self, frame: Frame) {
        self.room.frames.pop();
        let end = self.room.nodes.len() as u32;
        if let Some(node) = frame.node {
            self.room.nodes[node as usize].end = end;
        }
        if frame.block == Block::Class {
            self.state.class = Some(self.room.nodes.len());
        }
    }

    /// The tokens are used up. Only the file's own block may be open, and it must have its child.
    fn end_of_file(&mut self, frame: Frame) {
        if frame.block == Block::File && frame.children == 1 {
            return self.close(frame);
        }
        if frame.block == Block::File {
            let message = "there is no tree after the `selectClass` block";
            let finding = Diagnostic::new(codes::ONLY_CLASS, frame.head, message);
            self.disorder(finding);
        } else if frame.block != Block::Any || self.open_frames() > 1 {
            self.unexpected_end(frame.head, "the file ends before the `}` of this block");
        }
        self.room.frames.truncate(self.state.bases[1]);
    }

    /// Reports that the file ends too early.
    fn unexpected_end(&mut self, at: Span, message: &str) {
        self.disorder(Diagnostic::new(codes::UNEXPECTED_END, at, message));
    }

    /// Reports something wrong.
    fn error(&mut self, finding: Diagnostic) {
        self.state.failed = true;
        self.session.diagnostics.push(finding);
    }

    /// Reports something wrong with the order of tokens, unless such a thing was reported before.
    fn disorder(&mut self, mut finding: Diagnostic) {
        if core::mem::replace(&mut self.state.disordered, true) {
            return;
        }
        if self.state.at >= self.room.tokens.len() {
            finding = self.with_cut(finding);
        }
        self.error(finding);
    }

    /// Adds a note to a finding that may be a consequence of the cut-off rest of the file.
    fn with_cut(&self, finding: Diagnostic) -> Diagnostic {
        match self.state.cut {
            Some(cut) => finding.related(cut, "reading stopped here"),
            None => finding,
        }
    }

    /// Returns the next token.
    fn peek(&self) -> Option<Token> {
        self.room.tokens.get(self.state.at).copied()
    }

    fn push(&mut self, block: Block, node: Option<ast::NodeIndex>, head: Span) {
        self.room.frames.push(Frame { block, node, children: 0, head });
    }

    /// Opens a block; its brace must come next. Without one, the node has no children.
    fn open(&mut self, block: Block, node: Option<ast::NodeIndex>, head: Span) {
        if self.stands(Punct::OpenBrace) {
            self.state.at += 1;
            return self.push(block, node, head);
        }
        match self.peek() {
            Some(token) => {
                let message = format!("`{{` is missing before {}", quoted(self.session, &token));
                let finding = Diagnostic::new(codes::EXPECTED, token.span, message);
                self.disorder(finding.related(head, "the block belongs to this"));
                self.recover();
            }
            None => self.unexpected_end(head, "the file ends where a block should begin"),
        }
    }

    /// Returns the place of the token at an index; at the end, that of the file.
    #[inline]
    fn span(&self, index: usize) -> Span {
        self.room.tokens.get(index).map_or(self.state.start, |token| token.span)
    }

    /// Returns true if the text of the next token is that of a bracket.
    #[inline]
    fn stands(&self, bracket: Punct) -> bool {
        self.room.tokens.get(self.state.at).is_some_and(|token| self.spells(token, bracket))
    }

    /// Returns true if the text of a token is that of a bracket. A string has
    /// the text between its quotes.
    #[inline]
    fn spells(&self, token: &Token, bracket: Punct) -> bool {
        match token.lexeme {
            Lexeme::Punct(punct) => punct == bracket,
            Lexeme::Text(sym) => self.session.names.bytes(sym) == bracket.spelling().as_bytes(),
            _ => false,
        }
    }

    /// Returns the meanings of a token as a word. A string has the text between its quotes.
    #[inline]
    fn word(&mut self, token: &Token) -> Word {
        match token.lexeme {
            Lexeme::Name(sym) | Lexeme::Text(sym) => self.words.get(sym, &self.session.names),
            _ => Word::default(),
        }
    }

    /// Returns the parenthesis that a token's text begins with.
    #[inline]
    fn parenthesis(&self, token: &Token) -> Option<Punct> {
        match token.lexeme {
            Lexeme::Punct(punct @ (Punct::Open | Punct::Close)) => Some(punct),
            Lexeme::Text(sym) => match self.session.names.bytes(sym).first() {
                Some(b'(') => Some(Punct::Open),
                Some(b')') => Some(Punct::Close),
                _ => None,
            },
            _ => None,
        }
    }

    /// Goes on to the next token that can begin or end a node. An opening
    /// brace on the way is entered.
    fn recover(&mut self) {
        while let Some(token) = self.peek() {
            let keyword = self.word(&token).keyword;
            if keyword.is_some_and(Keyword::begins_node) || self.spells(&token, Punct::CloseBrace) {
                return;
            }
            self.state.at += 1;
            if self.spells(&token, Punct::OpenBrace) {
                return self.push(Block::Any, None, token.span);
            }
        }
    }

    /// Adds a node without children.
    fn add(&mut self, keyword: Sym, subject: Option<Sym>, args: (u32, u32), span: Span) -> ast::NodeIndex {
        let index = self.room.nodes.len() as u32;
        self.room.nodes.push(ast::Node { keyword, subject, args, condition: None, end: index + 1, span });
        index
    }
}

/// Advice for a word that is not known, if one like it is.
fn did_you_mean<'n>(
    session: &Session<'_>,
    word: &Token,
    known: impl Iterator<Item = &'n str>,
) -> Option<String> {
    let text = spelling(session, word);
    session.near(core::str::from_utf8(&text).ok()?, known)
}
