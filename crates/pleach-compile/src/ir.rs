//! What is meant: the tree after its dialect has been forgotten.
//!
//! The IR has few kinds of node, and each says by data what dialects say by words. Selector, sequence, fallback and
//! concurrent are one kind, [`Kind::Composite`], with a [`Policy`] that tells for each status of a child whether to
//! go on or to end; invert, return and mapStatus are one kind, [`Kind::Map`], with a table from status to status. So a
//! new dialect mostly brings rows, and the compiler, the reference interpreter and the virtual machine stay as they
//! are.
//!
//! Nodes stand in pre-order with the index where their subtree ends, block by block; a block calls only blocks that
//! stand before it.

use crate::ast::{Binary, Role, Value};
use crate::preorder;
use crate::source::Span;
use crate::text::{Interner, Sym};

/// Index of a node in [`Module::nodes`].
pub type NodeIndex = u32;

/// A result as the lowering speaks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Failure.
    Failure,
    /// Success.
    Success,
    /// Running.
    Running,
    /// A status outside the three, with its number.
    Other(i32),
}

/// The four ways out of a node, as indices of the tables below: failure, success, running, any other status.
pub const EXITS: usize = 4;
/// Index of failure.
pub const FAILURE: usize = 0;
/// Index of success.
pub const SUCCESS: usize = 1;
/// Index of running.
pub const RUNNING: usize = 2;
/// Index of all statuses outside the three.
pub const OTHER: usize = 3;

/// What a composite does when a child has ended with some status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Evaluate the next child; after the last one, end with the composite's final status.
    Next,
    /// As `Next`, but remember that a child is running: the final status is then running.
    NextRunning,
    /// End with the child's status.
    End,
}

/// How a composite treats its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// By the child's status.
    pub on: [Step; EXITS],
    /// The status when the last child has been left by `Next`, or there is no child: `FAILURE` or `SUCCESS`.
    pub last: usize,
}

impl Policy {
    /// Whether some status of a child is remembered as running.
    #[must_use]
    pub fn notes_running(&self) -> bool {
        self.on.contains(&Step::NextRunning)
    }
}

/// At which child a composite begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Always the first.
    First,
    /// The highest child after the first that is in the running set; else the first.
    HighestMember,
}

/// What a decorator makes of one status of its child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// The same status.
    Same,
    /// Another one.
    Status(Outcome),
}

/// What a node does to the agent's running set when it ends.
///
/// The running set is the memory of dialects whose nodes hold none: a bounded, ordered set of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Nothing.
    None,
    /// On success, the set is emptied if the node is in it. On running, the node is added if the set has room.
    Member,
    /// As `Member`, but on running the set is emptied first.
    Exclusive,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The tree itself, as a node that others may include: always and only the first of a block, one child, whose
    /// status is its own.
    Tree,
    /// Evaluates children one after the other.
    Composite(Policy, Start),
    /// One child; its status through a table, indexed by exit.
    Map([To; EXITS]),
    /// Fails if the condition is false; else the status of the child, or success without one.
    Guard(u32),
    /// One child. Fails without it unless `now > slot`; a failure of the child sets the slot to `now + duration`.
    Cooldown {
        /// Index in [`Module::slots`], of kind [`SlotKind::Time`].
        slot: u16,
        /// In the unit of time of the dialect; negative is allowed.
        duration: i32,
    },
    /// Asks the host to act: index in [`Module::sites`]. If `gate` is a bit slot that is set, it fails without a
    /// call. The slot [`Module::current`] holds the action that is running.
    Action {
        /// Index in [`Module::sites`].
        site: u32,
        /// Index in [`Module::slots`], of kind [`SlotKind::Bit`].
        gate: Option<u16>,
    },
    /// Runs another block. It *is* that block's tree node: wherever a tree is included, it is the same node.
    Call(u32),
}

/// A node.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// What it remembers.
    pub memory: Memory,
    /// One past the last node of its subtree.
    pub end: NodeIndex,
    /// Its keyword and subject, for people.
    pub label: (Sym, Option<Sym>),
    /// Where it was written.
    pub span: Option<Span>,
}

/// A piece of code that can be run and called: nodes `root..nodes[root].end`, where `root` is a [`Kind::Tree`].
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Its tree node.
    pub root: NodeIndex,
    /// The name it was written under.
    pub name: Sym,
    /// What it is for.
    pub role: Role,
}

/// What a host function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportKind {
    /// Returns a status.
    Action,
    /// Returns a number.
    Query,
}

/// An expression; operands have smaller indices than the operator.
///
/// Numbers are doubles. A comparison or logical operator used as a number counts 1 or 0; a number used as a truth is
/// true unless it equals zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Number(f64),
    /// What the host answers: index in [`Module::sites`].
    Query(u32),
    /// Logical negation.
    Not(u32),
    /// An operator; the operands are evaluated from left to right.
    Binary(Binary, u32, u32),
}

/// A host function that the module needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import {
    /// Action or query.
    pub kind: ImportKind,
    /// The name to link by.
    pub name: Sym,
    /// Smallest and largest number of arguments by its declaration.
    pub arity: (u16, u16),
}

/// A host function with the arguments of one place in the source.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Index in [`Module::imports`].
    pub import: u32,
    /// Range of [`Module::args`].
    pub args: (u32, u32),
}

/// What a slot of an agent's frame holds. All slots are zero when an agent is spawned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// A flag.
    Bit,
    /// A node, or none.
    Node,
    /// A point in time.
    Time,
    /// A bounded, ordered set of nodes; the number is its capacity.
    NodeSet(u16),
}

/// A slot of an agent's frame.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// What it holds.
    pub kind: SlotKind,
    /// The name by which hosts reach it; none for the machine's own.
    pub name: Option<Sym>,
    /// Whether a reset of the agent's behavior clears it.
    pub reset: bool,
    /// The node it belongs to, for slots of a node.
    pub node: Option<NodeIndex>,
}

/// A whole program, before layout.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Blocks; each calls only earlier ones.
    pub blocks: Vec<Block>,
    /// Nodes in pre-order, block by block.
    pub nodes: Vec<Node>,
    /// Expressions of conditions.
    pub exprs: Vec<Expr>,
    /// Host functions.
    pub imports: Vec<Import>,
    /// Host functions with arguments.
    pub sites: Vec<Site>,
    /// Arguments of sites.
    pub args: Vec<Value>,
    /// The agent's frame.
    pub slots: Vec<Slot>,
    /// The running set, if any node remembers: index in `slots`.
    pub running: Option<u16>,
    /// The running action, if there are actions: index in `slots`.
    pub current: Option<u16>,
    /// The blocks that can be started, in the order asked for.
    pub entries: Vec<u32>,
    /// Names and strings that the symbols above stand for.
    pub names: Interner,
}

impl Module {
    /// The children of a node, in order.
    pub fn children(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        preorder::children(node, |node| self.nodes[node as usize].end)
    }

    /// The node that a node is: itself, but for a call the tree node of the block that it calls.
    #[must_use]
    pub fn identity(&self, node: NodeIndex) -> NodeIndex {
        match self.nodes[node as usize].kind {
            Kind::Call(block) => self.blocks[block as usize].root,
            _ => node,
        }
    }
}
