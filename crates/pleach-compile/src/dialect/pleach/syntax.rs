//! Output of the parser: the words in their order, without meanings.
//!
//! Everything is in a few flat vectors, for all files of a compilation together. Nodes are in
//! pre-order, as in [`crate::preorder`]. Expressions are in postfix order, one [`Op`] after the
//! other. So one stack suffices to evaluate them from left to right, no matter how deep they nest.

use super::lexer::Cursor;
pub(super) use super::lexer::Operator;
use super::words::{Keyword, Word};
use crate::ast::{Math, Scope, SlotKind};
pub(super) use crate::manifest::Type;
use crate::source::{OriginId, SourceId, Span};
use crate::text::Sym;
use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

/// A step of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) enum Code {
    Int(i32),
    /// The lower half of an integer of 64 bits. The op has the upper half in place of a count.
    Int64(u32),
    Float(f32),
    Truth(bool),
    Text(Sym),
    /// A variable, constant, query or member of an enum.
    Name(Word),
    /// A member of the enum, or a part of the vector, with this name. The op has the word of the
    /// member or part in place of a count.
    Member(Word),
    /// A parameter of the tree, by its index.
    Param(u32),
    /// A part of a parameter of the tree. The op has the word of the part in place of a count.
    PartOf(u32),
    Now,
    Draw,
    /// `none`
    Nobody,
    /// The function applied to as many values as the op counts.
    Call(Word),
    Convert(Type),
    Not,
    Negate,
    Binary(Operator),
    /// `else`, where the value of a case can stand.
    Else,
    /// Something that has been reported.
    Wrong,
}

/// A step of an expression, and where it was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Op {
    pub(super) code: Code,
    /// First byte of its word or sign.
    pub(super) start: u32,
    /// One past the last byte.
    pub(super) end: u32,
    /// Arguments of a call, the word of a member, or half of an integer.
    pub(super) count: u32,
}

/// An expression: a range of [`Program::ops`].
pub(super) type ExprRange = (u32, u32);

/// Unit of a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// The host's unit of time.
    Time,
    Seconds,
    Ticks,
    /// None is written. Only a tunable whose values are durations has one of its own.
    Own,
}

/// Number of branches that decide a parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quota {
    All,
    Any,
    /// The node's next operand says it.
    Count,
}

/// Variant of a node beside its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Plain,
    /// Its word begins no node: reported when all declarations are known.
    /// The node stands for `success`.
    Unknown,
    Reactive,
    /// `reactive`, for a `utility` that keeps to its child by so many percent.
    Keeping(u16),
    /// `random`, before a sequence or selector.
    Shuffled,
    /// `success` or `failure` after the word.
    Status(bool),
    Unit(Unit),
    /// The units of a range from one duration to another.
    Range(Unit, Unit),
    /// A `set` with an operator, or a plain one.
    Write(Option<Math>),
    /// A `set` whose subject is the index of a parameter.
    WriteParam(Option<Math>),
    /// Successes and failures that a parallel waits for.
    Policy(Quota, Quota),
    To(Scope),
    /// The first block of a `cleanup` or an `every`.
    Sets,
}

/// Bytes of the arena that a byte of text usually takes.
const USUAL_ROOM: usize = 6;

/// Stands for "no weight".
pub(super) const NO_WEIGHT: u32 = u32::MAX;

/// A node as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Its word, which begins a node.
    pub(super) kind: Keyword,
    pub(super) mode: Mode,
    /// Subject of the word: an action, a variable, a tree, or an event. For
    /// [`Mode::Unknown`] the word itself.
    pub(super) subject: Word,
    /// Its words: first byte and one past the last.
    pub(super) place: (u32, u32),
    /// First byte of the subject.
    pub(super) subject_at: u32,
    /// Its expressions: a range of [`Program::operands`].
    pub(super) operands: (u32, u32),
    /// The weight or score before it, in [`Program::operands`].
    pub(super) weight: u32,
    /// One past the last node of its subtree.
    pub(super) end: u32,
}

impl Node {
    /// Returns the node that replaces one with a reported error.
    pub(super) fn failed(index: u32) -> Self {
        Self {
            kind: Keyword::Failure,
            mode: Mode::Plain,
            subject: 0,
            place: (0, 0),
            subject_at: 0,
            operands: (0, 0),
            weight: NO_WEIGHT,
            end: index + 1,
        }
    }
}

/// A parameter of a function or tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Param {
    pub(super) name: Sym,
    pub(super) ty: Type,
    /// For functions that a manifest declares.
    pub(super) optional: bool,
    /// True if the action gives a value by it.
    pub(super) out: bool,
}

/// An action or query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function<'p> {
    pub(super) name: Sym,
    /// Place of the declaration. A declaration in a manifest has none.
    pub(super) span: Option<Span>,
    pub(super) params: &'p [Param],
    /// The type of a query's answer.
    pub(super) answers: Type,
}

/// Declared type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Plain(SlotKind),
    /// An entity of a kind, which is a word; of any kind if it is 0.
    Entity(Word),
    /// Index in [`Program::enums`].
    Enum(u32),
    /// A vector: the first of so many variables that hold its floats.
    Vector(u8),
    /// Any other variable that holds a float of a vector.
    Part,
}

impl Kind {
    /// Returns the number of variables that hold a value of the kind.
    pub(super) fn count(self) -> u32 {
        if let Self::Vector(floats) = self { floats.into() } else { 1 }
    }
}

/// An enum, from its first mention on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Enum {
    pub(super) name: Sym,
    /// Its name where it is declared; none before.
    pub(super) span: Option<Span>,
    /// A range of [`Program::members`].
    pub(super) members: (u32, u32),
}

/// A member of an enum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) name: Sym,
    pub(super) span: Span,
    /// Index in [`Program::enums`].
    pub(super) of: u32,
    /// Its number.
    pub(super) value: i32,
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) name: Sym,
    pub(super) span: Span,
    pub(super) scope: Scope,
    pub(super) kind: Kind,
    pub(super) init: Option<ExprRange>,
}

/// An expression with the unit behind it, if there is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    pub(super) expr: ExprRange,
    pub(super) unit: Option<Unit>,
}

/// A constant that games can tune. Its name is that of its variable, which no tree sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tunable {
    /// Index in [`Program::variables`].
    pub(super) variable: u32,
    /// Type that is written.
    pub(super) kind: Option<Kind>,
    pub(super) default: Amount,
    pub(super) range: Option<[Amount; 2]>,
}

/// A variable of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub(super) name: Sym,
    pub(super) span: Span,
    pub(super) kind: Kind,
    /// True if it keeps its value when the tree begins again.
    pub(super) keeps: bool,
    pub(super) init: Option<ExprRange>,
    /// First byte of its declaration.
    pub(super) start: u32,
}

/// A constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constant {
    pub(super) name: Sym,
    pub(super) span: Span,
    pub(super) ty: Option<Type>,
    pub(super) expr: ExprRange,
}

/// A tree, or the `set`s of an `on`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tree<'p> {
    pub(super) name: Sym,
    /// Its name.
    pub(super) span: Span,
    pub(super) params: &'p [Param],
    /// Its variables. Expressions number them behind the parameters.
    pub(super) locals: &'p [Local],
    /// Its nodes: one with its subtree, or the `set`s.
    pub(super) nodes: (u32, u32),
}

/// An event with its handlers, in the order of the text.
#[derive(Clone, Debug)]
pub(super) struct Event<'p> {
    pub(super) name: Sym,
    /// Place of the first use.
    pub(super) span: Span,
    /// Indices in [`Program::handlers`].
    pub(super) handlers: ArenaVec<'p, u32>,
}

/// All that was read.
pub(super) struct Program<'p> {
    /// Memory for all of it.
    pub(super) arena: &'p Bump,
    pub(super) nodes: ArenaVec<'p, Node>,
    pub(super) ops: ArenaVec<'p, Op>,
    pub(super) operands: ArenaVec<'p, ExprRange>,
    /// Trees that use others: the tree, and the node that does.
    pub(super) uses: ArenaVec<'p, (u32, u32)>,
    pub(super) actions: ArenaVec<'p, Function<'p>>,
    pub(super) queries: ArenaVec<'p, Function<'p>>,
    pub(super) variables: ArenaVec<'p, Variable>,
    pub(super) constants: ArenaVec<'p, Constant>,
    /// In the order of their variables.
    pub(super) tunables: ArenaVec<'p, Tunable>,
    pub(super) enums: ArenaVec<'p, Enum>,
    pub(super) members: ArenaVec<'p, Member>,
    /// Enums where they are named as types.
    pub(super) mentions: ArenaVec<'p, (u32, Span)>,
    pub(super) trees: ArenaVec<'p, Tree<'p>>,
    pub(super) handlers: ArenaVec<'p, Tree<'p>>,
    pub(super) events: ArenaVec<'p, Event<'p>>,
    /// True if a file that is included was not found, so that declarations are missing.
    pub(super) is_incomplete: bool,
}

impl<'p> Program<'p> {
    /// A program with nothing read.
    pub(super) fn new(arena: &'p Bump) -> Self {
        Self {
            arena,
            nodes: ArenaVec::new_in(arena),
            ops: ArenaVec::new_in(arena),
            operands: ArenaVec::new_in(arena),
            uses: ArenaVec::new_in(arena),
            actions: ArenaVec::new_in(arena),
            queries: ArenaVec::new_in(arena),
            variables: ArenaVec::new_in(arena),
            constants: ArenaVec::new_in(arena),
            tunables: ArenaVec::new_in(arena),
            enums: ArenaVec::new_in(arena),
            members: ArenaVec::new_in(arena),
            mentions: ArenaVec::new_in(arena),
            trees: ArenaVec::new_in(arena),
            handlers: ArenaVec::new_in(arena),
            events: ArenaVec::new_in(arena),
            is_incomplete: false,
        }
    }

    /// Reserves the memory that a text of this length usually needs. If it needs more, the arena
    /// grows.
    ///
    /// The room is one piece of the arena. An arena that grows begins a piece of twice the size of
    /// the one before, even for a single byte. Its size then depends on where the last piece began,
    /// and is up to three times what is in it.
    pub(super) fn reserve(&mut self, bytes: usize) {
        drop(ArenaVec::<u8>::with_capacity_in(bytes * USUAL_ROOM, self.arena));
        self.nodes.reserve(bytes / 32);
        self.ops.reserve(bytes / 12);
        self.operands.reserve(bytes / 40);
    }

    /// The ops of an expression.
    #[inline]
    pub(super) fn ops(&self, (first, end): ExprRange) -> &[Op] {
        &self.ops[first as usize..end as usize]
    }

    /// The members of an enum.
    pub(super) fn members(&self, index: u32) -> &[Member] {
        let (first, end) = self.enums[index as usize].members;
        &self.members[first as usize..end as usize]
    }

    /// Returns the tunable whose value a variable has.
    pub(super) fn tunable(&self, variable: u32) -> Option<&Tunable> {
        let found = self.tunables.binary_search_by_key(&variable, |it| it.variable);
        found.ok().map(|index| &self.tunables[index])
    }

    /// The expressions of a node.
    #[inline]
    pub(super) fn operands(&self, node: &Node) -> &[ExprRange] {
        &self.operands[node.operands.0 as usize..node.operands.1 as usize]
    }
}

/// The text that some ops cover, without parentheses around all of it.
pub(super) fn cover(ops: &[Op], source: SourceId) -> Span {
    let start = ops.iter().map(|op| op.start).min().unwrap_or_default();
    let end = ops.iter().map(|op| op.end).max().unwrap_or_default();
    Span { source, start, end, origin: OriginId::NONE }
}

/// A file being read, and what waits for the files it includes.
pub(super) struct Reading {
    pub(super) cursor: Cursor,
    pub(super) text: std::sync::Arc<[u8]>,
    /// The folder that its includes begin at: empty, or with a `/` at its end.
    pub(super) folder: String,
}
