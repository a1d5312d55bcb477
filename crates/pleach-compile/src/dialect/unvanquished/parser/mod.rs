//! From tokens to nodes.
//!
//! The parser keeps its own stack of open blocks, so that a tree may be as deep as memory allows, and it can pause:
//! a `behavior` node needs another tree, which the loader reads before this one goes on.
//!
//! After a finding it goes on at the next word that can begin a node, and keeps braces paired even under words it does
//! not know. What is structural (a brace that is missing, a file that ends early) is reported once per file, for all that
//! comes after may only be a consequence; unknown names and wrong arguments are reported all.

mod arguments;
mod expression;
mod node;
mod noted;

use super::preprocess::Tokens;
use super::token::{Lexeme, Punct, Token};
use super::words::{DECORATORS, Keyword, Word, Words};
use super::{MAX_CHILDREN, quoted, spelling};
use crate::ast::{self, Role};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::source::{SourceId, Span};
use crate::text::Sym;

use expression::Stack;

/// What the parser reads and writes beside its own tree.
pub(super) struct Context<'c, 'a> {
    pub(super) session: &'c mut Session<'a>,
    pub(super) words: &'c mut Words,
    pub(super) file: &'c mut ast::File,
}

/// Why the parser came back.
pub(super) enum Pause {
    /// A node includes the tree of this name, which is written here; answer with [`Parser::include`].
    Include(Sym, Span),
    /// The file is read.
    Done,
}

/// The root of a file, with all below it.
#[derive(Debug)]
pub(super) struct Root<'p> {
    /// Main or class tree.
    pub(super) role: Role,
    /// The nodes; their ends count from the first of them.
    pub(super) nodes: &'p [ast::Node],
}

/// Memory that one parser leaves to the next.
#[derive(Default)]
pub(super) struct Room {
    nodes: Vec<ast::Node>,
    expression: Stack,
}

/// What an open block takes.
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

/// The parser of one file.
pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    frames: Vec<Frame>,
    nodes: Vec<ast::Node>,
    class: Option<Vec<ast::Node>>,
    /// The expression being read; empty between expressions.
    expression: Stack,
    /// For each token, the index of the parenthesis that closes it; made when first needed.
    closing: Option<Vec<u32>>,
    start: Span,
    cut: Option<Span>,
    failed: bool,
    disordered: bool,
}

impl Parser {
    /// A parser at the beginning of a file's tokens, with the room of one that is done.
    pub(super) fn new(tokens: Tokens, source: SourceId, mut room: Room) -> Self {
        let origin = crate::source::OriginId::NONE;
        room.nodes.clear();
        Self {
            tokens: tokens.list,
            at: 0,
            frames: Vec::new(),
            nodes: room.nodes,
            class: None,
            expression: room.expression,
            closing: None,
            start: Span { source, start: 0, end: 0, origin },
            cut: tokens.cut,
            failed: false,
            disordered: false,
        }
    }

    /// Where the file begins.
    pub(super) fn start(&self) -> Span {
        self.start
    }

    /// The words of the node that was read last: where an include pauses, the include.
    pub(super) fn last_span(&self) -> Option<Span> {
        self.nodes.last().map(|node| node.span)
    }

    /// The trees of the file: the class tree, if there is one, and the main tree. None if anything was wrong.
    pub(super) fn roots(&self) -> impl Iterator<Item = Root<'_>> {
        let class = self.class.iter().map(|nodes| Root { role: Role::Class, nodes });
        class.chain([Root { role: Role::Main, nodes: &self.nodes }]).filter(|_| !self.failed)
    }

    /// Whether anything was wrong.
    pub(super) fn failed(&self) -> bool {
        self.failed
    }

    /// The list of tokens and all other room, for reuse.
    pub(super) fn into_room(self) -> (Vec<Token>, Room) {
        (self.tokens, Room { nodes: self.nodes, expression: self.expression })
    }

    /// Reads on, to the end of the file or to a node that includes another tree.
    pub(super) fn run(&mut self, context: &mut Context<'_, '_>) -> Pause {
        if self.at == 0 && self.frames.is_empty() {
            self.begin(context);
        }
        while let Some(frame) = self.frames.last().copied() {
            if self.at >= self.tokens.len() {
                self.end_of_file(frame, context);
                return Pause::Done;
            }
            if let Some(name) = self.step(frame, context) {
                return Pause::Include(Self::tree_name(name, context), name.span);
            }
        }
        Pause::Done
    }

    /// The name of a tree: any token spells one.
    fn tree_name(token: Token, context: &mut Context<'_, '_>) -> Sym {
        let text = spelling(context.session, &token);
        context.session.names.intern(&text)
    }

    /// Opens the file, and its class block if that is what it begins with.
    fn begin(&mut self, context: &mut Context<'_, '_>) {
        let Some(first) = self.peek() else {
            let finding =
                Diagnostic::new(codes::EMPTY_FILE, Some(self.start), "there is no tree in this file");
            return self.disorder(finding, context);
        };
        self.push(Block::File, None, first.span);
        if self.word(&first, context).keyword == Some(Keyword::SelectClass) {
            self.at += 1;
            self.open(Block::Class, None, first.span, context);
        }
    }

    /// One step in an open block: a child, or the block's end. Gives the name of a tree that is needed.
    fn step(&mut self, frame: Frame, context: &mut Context<'_, '_>) -> Option<Token> {
        if self.stands(Punct::CloseBrace, context) {
            self.close_brace(frame, context);
            return None;
        }
        if !self.has_room(frame, context) {
            return None;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.children += 1;
        }
        self.node(context)
    }

    /// Whether the open block may take what stands here. If not, that is reported.
    #[inline]
    fn has_room(&mut self, frame: Frame, context: &mut Context<'_, '_>) -> bool {
        match frame.block {
            Block::List => frame.children < MAX_CHILDREN || self.too_much(frame, context),
            Block::Single | Block::Class | Block::File => frame.children < 1 || self.too_much(frame, context),
            Block::Any => true,
        }
    }

    /// Reports what an open block cannot take. Whether it is taken all the same.
    #[cold]
    fn too_much(&mut self, frame: Frame, context: &mut Context<'_, '_>) -> bool {
        let Some(token) = self.peek() else { return false };
        match frame.block {
            Block::List if frame.children == MAX_CHILDREN => {
                let message = format!("a list has at most {MAX_CHILDREN} children");
                let finding = Diagnostic::new(codes::TOO_MANY_CHILDREN, Some(token.span), message)
                    .help("put some of them into a list of their own")
                    .related(frame.head, "the list begins here");
                self.error(finding, context);
                return true;
            }
            Block::List | Block::Any => return true,
            Block::File => {
                let message = format!("the tree ends before {}", quoted(context.session, &token));
                let finding = Diagnostic::new(codes::AFTER_TREE, Some(token.span), message);
                self.disorder(finding.help("a file holds one tree; put several nodes into a list"), context);
            }
            Block::Single | Block::Class => {
                let message = format!("`}}` is missing before {}", quoted(context.session, &token));
                let finding = Diagnostic::new(codes::ONE_CHILD, Some(token.span), message)
                    .help("only one child is allowed here; put several into a list")
                    .related(frame.head, "the block begins here");
                self.disorder(finding, context);
            }
        }
        self.relax(context);
        false
    }

    /// Lets the innermost block take anything from now on, beginning with the next node.
    fn relax(&mut self, context: &mut Context<'_, '_>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.block = Block::Any;
        }
        self.recover(context);
    }

    fn close_brace(&mut self, frame: Frame, context: &mut Context<'_, '_>) {
        let span = self.span(self.at);
        self.at += 1;
        if self.frames.len() == 1 {
            let finding = Diagnostic::new(codes::STRAY_BRACE, Some(span), "this `}` closes nothing");
            return self.disorder(finding, context);
        }
        if matches!(frame.block, Block::Single | Block::Class) && frame.children == 0 {
            let finding =
                Diagnostic::new(codes::MISSING_CHILD, Some(span), "a child is missing in this block")
                    .related(frame.head, "the block begins here");
            self.error(finding, context);
        }
        self.close(frame);
    }

    fn close(&mut self, frame: Frame) {
        self.frames.pop();
        let end = self.nodes.len() as u32;
        if let Some(node) = frame.node {
            self.nodes[node as usize].end = end;
        }
        if frame.block == Block::Class {
            self.class = Some(core::mem::take(&mut self.nodes));
        }
    }

    /// The tokens are used up. Only the file's own block may be open, and it must have its child.
    fn end_of_file(&mut self, frame: Frame, context: &mut Context<'_, '_>) {
        if frame.block == Block::File && frame.children == 1 {
            return self.close(frame);
        }
        if frame.block == Block::File {
            let message = "there is no tree after the `selectClass` block";
            let finding = Diagnostic::new(codes::ONLY_CLASS, Some(frame.head), message);
            self.disorder(finding, context);
        } else if frame.block != Block::Any || self.frames.len() > 1 {
            self.unexpected_end(frame.head, "the file ends before the `}` of this block", context);
        }
        self.frames.clear();
    }

    /// Reports that the file ends too early.
    fn unexpected_end(&mut self, at: Span, message: &str, context: &mut Context<'_, '_>) {
        self.disorder(Diagnostic::new(codes::UNEXPECTED_END, Some(at), message), context);
    }

    /// Reports something wrong.
    fn error(&mut self, finding: Diagnostic, context: &mut Context<'_, '_>) {
        self.failed = true;
        context.session.diagnostics.push(finding);
    }

    /// Reports something wrong with the order of tokens, unless such a thing was reported before.
    fn disorder(&mut self, mut finding: Diagnostic, context: &mut Context<'_, '_>) {
        if core::mem::replace(&mut self.disordered, true) {
            return;
        }
        if self.at >= self.tokens.len() {
            finding = self.with_cut(finding);
        }
        self.error(finding, context);
    }

    /// A finding that may be due to what was cut off the file.
    fn with_cut(&self, finding: Diagnostic) -> Diagnostic {
        match self.cut {
            Some(cut) => finding.related(cut, "reading stopped here"),
            None => finding,
        }
    }

    /// The next token.
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn push(&mut self, block: Block, node: Option<ast::NodeIndex>, head: Span) {
        self.frames.push(Frame { block, node, children: 0, head });
    }

    /// Opens a block; its brace must come next. Without one, the node has no children.
    fn open(
        &mut self,
        block: Block,
        node: Option<ast::NodeIndex>,
        head: Span,
        context: &mut Context<'_, '_>,
    ) {
        if self.stands(Punct::OpenBrace, context) {
            self.at += 1;
            return self.push(block, node, head);
        }
        match self.peek() {
            Some(token) => {
                let message = format!("`{{` is missing before {}", quoted(context.session, &token));
                let finding = Diagnostic::new(codes::EXPECTED, Some(token.span), message);
                self.disorder(finding.related(head, "the block belongs to this"), context);
                self.recover(context);
            }
            None => self.unexpected_end(head, "the file ends where a block should begin", context),
        }
    }

    /// Where the token at an index stands.
    #[inline]
    fn span(&self, index: usize) -> Span {
        self.tokens.get(index).map_or(self.start, |token| token.span)
    }

    /// Whether the next token's text is that of a bracket.
    #[inline]
    fn stands(&self, bracket: Punct, context: &Context<'_, '_>) -> bool {
        self.tokens.get(self.at).is_some_and(|token| self.spells(token, bracket, context))
    }

    /// Whether a token's text is that of a bracket; a string counts as what is in it.
    #[inline]
    fn spells(&self, token: &Token, bracket: Punct, context: &Context<'_, '_>) -> bool {
        match token.lexeme {
            Lexeme::Punct(punct) => punct == bracket,
            Lexeme::Text(sym) => context.session.names.bytes(sym) == bracket.spelling().as_bytes(),
            _ => false,
        }
    }

    /// What a token means as a word; a string counts as what is in it.
    #[inline]
    fn word(&self, token: &Token, context: &mut Context<'_, '_>) -> Word {
        match token.lexeme {
            Lexeme::Name(sym) | Lexeme::Text(sym) => context.words.get(sym, &context.session.names),
            _ => Word::default(),
        }
    }

    /// The parenthesis that a token's text begins with.
    #[inline]
    fn parenthesis(&self, token: &Token, context: &Context<'_, '_>) -> Option<Punct> {
        match token.lexeme {
            Lexeme::Punct(punct @ (Punct::Open | Punct::Close)) => Some(punct),
            Lexeme::Text(sym) => match context.session.names.bytes(sym).first() {
                Some(b'(') => Some(Punct::Open),
                Some(b')') => Some(Punct::Close),
                _ => None,
            },
            _ => None,
        }
    }

    /// Goes on to the next token that can begin or end a node. An opening brace on the way is entered.
    fn recover(&mut self, context: &mut Context<'_, '_>) {
        while let Some(token) = self.peek() {
            let keyword = self.word(&token, context).keyword;
            if keyword.is_some_and(Keyword::begins_node) || self.spells(&token, Punct::CloseBrace, context) {
                return;
            }
            self.at += 1;
            if self.spells(&token, Punct::OpenBrace, context) {
                return self.push(Block::Any, None, token.span);
            }
        }
    }

    /// Adds a node without children.
    fn add(&mut self, keyword: Sym, subject: Option<Sym>, args: (u32, u32), span: Span) -> ast::NodeIndex {
        let index = self.nodes.len() as u32;
        self.nodes.push(ast::Node { keyword, subject, args, condition: None, end: index + 1, span });
        index
    }
}

/// Advice for a word that is not known, if one like it is.
fn did_you_mean<'n>(
    context: &Context<'_, '_>,
    word: &Token,
    known: impl Iterator<Item = &'n str>,
) -> Option<String> {
    let text = spelling(context.session, word);
    let near = context.session.suggestions.closest(core::str::from_utf8(&text).ok()?, known)?;
    Some(format!("did you mean `{near}`?"))
}

/// The finding, with advice if there is any.
fn advised(finding: Diagnostic, advice: Option<String>) -> Diagnostic {
    match advice {
        Some(advice) => finding.help(advice),
        None => finding,
    }
}
