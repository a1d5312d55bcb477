//! A text as the parser read it, for tools that show and change texts.
//!
//! The data is about one text alone: included files are not read, and names are not looked up. It
//! is flat, as in [`super::syntax`], and holds only places in the text. So it needs no memory of
//! the compiler, and a tool can keep it for as long as it keeps the text.

use super::lexer::Operator;
use super::parser::Parser;
use super::syntax::{self, Code, Mode, NO_WEIGHT, Program};
use super::words::Keyword;
use crate::diagnostic::Diagnostics;
use crate::manifest::{Manifest, Type};
use crate::session::Session;
use crate::source::{Found, Library, Sources};
use bumpalo::Bump;
use core::mem::take;

/// Bytes of a text: the first one, and one past the last one.
pub type Range = (u32, u32);

/// Kind of a step of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpKind {
    /// An int, or an int64.
    Int,
    /// A float.
    Float,
    /// `true` or `false`.
    Truth,
    /// `none`
    Nobody,
    /// A text.
    Text,
    /// A name: of a variable, constant, query or parameter, or of a member alone.
    Name,
    /// The name of an enum and of its member, with a dot between them.
    Member,
    /// `now`
    Now,
    /// `random()`
    Draw,
    /// The name of a function that takes the values before it.
    Call,
    /// A conversion to a type.
    Convert(Type),
    /// `!`
    Not,
    /// A sign.
    Negate,
    /// An operator between two values.
    Binary(Operator),
    /// `else`, in the place of a value of a case.
    Else,
    /// Text that is no expression, and has been reported.
    Wrong,
}

/// Step of an expression, in postfix order.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// Kind of the step.
    pub kind: OpKind,
    /// Its word or sign.
    pub place: Range,
    /// Number of arguments of a call.
    pub count: u32,
}

/// Node as written.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its word. That of `reactive sequence` is `sequence`.
    pub kind: Keyword,
    /// First byte of its first word.
    pub start: u32,
    /// Name that follows its word, if it has one.
    pub subject: Option<Range>,
    /// Its expressions: a range of [`Parsed::operands`].
    pub operands: Range,
    /// Index in [`Parsed::operands`] of the weight, score or case before it.
    pub weight: Option<u32>,
    /// Index in [`Parsed::nodes`], one past the last node of its subtree.
    pub end: u32,
    /// True for the block of `set`s of a `cleanup`, which begins at its `{`.
    pub is_sets: bool,
    /// True if its word begins no node.
    pub is_unknown: bool,
}

/// Tree, or handler of an event.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Its name.
    pub name: Range,
    /// Its nodes: a range of [`Parsed::nodes`].
    pub nodes: Range,
}

/// Text as it was read.
#[derive(Debug)]
pub struct Parsed {
    /// Nodes of all trees and handlers, in pre-order.
    pub nodes: Vec<Node>,
    /// Steps of all expressions, in the order of the text.
    pub ops: Vec<Op>,
    /// Expressions of nodes: ranges of [`Parsed::ops`].
    pub operands: Vec<Range>,
    /// Trees, in the order of the text.
    pub trees: Vec<Body>,
    /// Handlers of events, in the order of the text.
    pub handlers: Vec<Body>,
    /// First bytes of the variables of trees.
    pub locals: Vec<u32>,
    /// Names of members, where enums declare them.
    pub members: Vec<Range>,
    /// Names of enums, where they stand as types.
    pub types: Vec<Range>,
    /// Findings of the parser.
    pub diagnostics: Diagnostics,
    /// The text.
    pub sources: Sources,
}

/// Nothing to include: an empty file will do.
struct Alone;

impl Library for Alone {
    fn tree(&self, _: &str) -> Option<Found> {
        None
    }

    fn include(&self, path: &str) -> Option<Found> {
        Some(Found { name: format!("include {path}"), text: [].into() })
    }
}

/// Reads one text. `name` is its name in findings.
#[must_use]
pub fn parse(name: &str, text: &[u8]) -> Parsed {
    let manifest = Manifest::default();
    let mut session = Session::new(&Alone, &manifest);
    let arena = Bump::new();
    let mut parser = Parser::new(&mut session, &arena);
    parser.read(Found { name: name.to_owned(), text: text.into() });
    let Parser { session, program, .. } = parser;
    let (diagnostics, sources) = (take(&mut session.diagnostics), take(&mut session.sources));
    taken(&program, diagnostics, sources)
}

fn taken(program: &Program<'_>, diagnostics: Diagnostics, sources: Sources) -> Parsed {
    let body = |tree: &syntax::Tree<'_>| Body { name: (tree.span.start, tree.span.end), nodes: tree.nodes };
    let locals = program.trees.iter().flat_map(|tree| tree.locals);
    Parsed {
        nodes: program.nodes.iter().map(node).collect(),
        ops: program.ops.iter().map(op).collect(),
        operands: program.operands.to_vec(),
        trees: program.trees.iter().map(body).collect(),
        handlers: program.handlers.iter().map(body).collect(),
        locals: locals.map(|local| local.start).collect(),
        members: program.members.iter().map(|member| (member.span.start, member.span.end)).collect(),
        types: program.mentions.iter().map(|(_, span)| (span.start, span.end)).collect(),
        diagnostics,
        sources,
    }
}

fn node(node: &syntax::Node) -> Node {
    let has_subject = matches!(node.kind, Keyword::Action | Keyword::Use | Keyword::Set | Keyword::Raise);
    Node {
        kind: node.kind,
        start: node.place.0,
        subject: has_subject.then_some((node.subject_at, node.place.1)),
        operands: node.operands,
        weight: (node.weight != NO_WEIGHT).then_some(node.weight),
        end: node.end,
        is_sets: node.mode == Mode::Sets,
        is_unknown: node.mode == Mode::Unknown,
    }
}

fn op(op: &syntax::Op) -> Op {
    let kind = match op.code {
        Code::Int(_) | Code::Int64(_) => OpKind::Int,
        Code::Float(_) => OpKind::Float,
        Code::Truth(_) => OpKind::Truth,
        Code::Nobody => OpKind::Nobody,
        Code::Text(_) => OpKind::Text,
        Code::Name(_) | Code::Param(_) => OpKind::Name,
        Code::Member(_) | Code::PartOf(_) => OpKind::Member,
        Code::Now => OpKind::Now,
        Code::Draw => OpKind::Draw,
        Code::Call(_) => OpKind::Call,
        Code::Convert(to) => OpKind::Convert(to),
        Code::Not => OpKind::Not,
        Code::Negate => OpKind::Negate,
        Code::Binary(operator) => OpKind::Binary(operator),
        Code::Else => OpKind::Else,
        Code::Wrong => OpKind::Wrong,
    };
    let count = if kind == OpKind::Call { op.count } else { 0 };
    Op { kind, place: (op.start, op.end), count }
}
