//! Intermediate representation: the meaning of trees, the same for all dialects.
//!
//! The IR has few kinds of node, and each says by data what dialects say by words. Selector,
//! sequence, fallback and concurrent are one kind, [`Kind::Composite`], with a [`Policy`] that
//! tells for each status of a child whether to go on or to end; invert, return and mapStatus are
//! one kind, [`Kind::Map`], with a table from status to status. So a new dialect mostly brings
//! rows, and the compiler, the reference interpreter and the virtual machine stay as they are.
//!
//! Nodes stand in pre-order with the index where their subtree ends, block by block; a block calls
//! only blocks that stand before it.

mod choice;
mod expr;
mod frame;
mod status;

pub use crate::ast::{
    Arithmetic, Binary, Bits, Enum, Event, Function, How, Id, Math, Scope, SlotKind, Spelling,
};
pub use crate::routine::{Operation, Routine, Target};
pub use choice::{Amount, By};
pub use expr::{Expr, asking};
pub use frame::{Changes, Cursor, Enums, Gate, Interrupt, Limiter, Shared, Slot, Tunable, Typed};
pub use status::{
    Cooling, EXITS, FAILURE, Memory, OTHER, Outcome, Policy, RUNNING, SUCCESS, Start, Step, To,
};

use crate::ast::{Role, Value};
use crate::forest::Forests;
use crate::preorder;
use crate::source::Span;
use crate::text::{Interner, Sym};
use pleach_image::format::import_kind;

/// Index of a node in [`Module::nodes`].
pub type NodeIndex = u32;

/// Kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The tree itself, as a node that others may include: always and only the first of a block,
    /// one child, whose status is its own.
    Tree,
    /// Evaluates children one after the other.
    Composite(Policy, Start),
    /// One child; its status through a table: index in [`Module::maps`].
    Map(u32),
    /// Fails if the condition is false; else the status of the child, or success without one.
    Guard(u32),
    /// Guard whose condition is evaluated in each tick. If it is false, everything that runs inside
    /// is halted.
    While(u32),
    /// One child. Fails without it unless the time is past the slot; some ends of the child set the
    /// slot to `now + duration`.
    Cooldown {
        /// Index in [`Module::slots`], of kind [`SlotKind::Time`].
        slot: u16,
        /// In the unit of time of the dialect; negative is allowed if it is fixed.
        duration: Amount,
        /// Rule by which the cooldown lets through and is armed.
        rule: Cooling,
    },
    /// Two children: a composite of leaves that end at once, and one whose status it is. The first
    /// is run when the node begins, and then each time that enough time has passed.
    Every {
        /// Index in [`Module::slots`], of kind [`SlotKind::Time`].
        slot: u16,
        /// The time before the second run, an expression.
        first: u32,
        /// The time before each later run, in the unit of time of the dialect.
        interval: Amount,
    },
    /// One child. When `duration` has passed since it began, what runs inside is halted, and it
    /// fails.
    Timeout {
        /// Index in [`Module::slots`], of kind [`SlotKind::Time`].
        slot: u16,
        /// In the unit of time of the dialect.
        duration: Amount,
    },
    /// One child, begun again in the next tick each time it ends with `again`.
    Again {
        /// The status of the child that begins it again: `FAILURE` or `SUCCESS`.
        again: u8,
        /// Limit of repetitions: a slot of kind [`SlotKind::U16`] and the number of times. `None`
        /// is for ever.
        times: Option<(u16, Amount)>,
        /// The status after the last time.
        spent: u8,
        /// The status when the child ends the other way.
        broken: u8,
        /// If true, a child that was running when the tick came to it is begun again at once. That
        /// happens once in a tick, and the second status does not count.
        eager: bool,
    },
    /// One child. Fails without it if the slot, of kind [`SlotKind::Bit`], is set. When the child
    /// succeeds or fails, the slot becomes the condition, which is always true.
    Once(u16, u32),
    /// One child, in which not more agents are at a time than the limiter allows: index in
    /// [`Module::limiters`].
    Limit(u16),
    /// Runs one of its children.
    Choose {
        /// Way in which the child is picked.
        by: By,
        /// If true, the child is picked anew in each tick.
        reactive: bool,
    },
    /// Runs its children side by side, each with a position of its own.
    Parallel {
        /// Index in [`Module::slots`] of the first child's position, of kind [`SlotKind::Node`];
        /// the others follow.
        columns: u16,
        /// Number of successful children with which the parallel succeeds.
        succeed: u16,
        /// Number of failed children with which the parallel fails. If both
        /// numbers are 0, it never ends.
        fail: u16,
        /// If true, the node can end behind each child, so that the next does not begin; else only
        /// behind the last child.
        early: bool,
    },
    /// Asks the host to act: index in [`Module::sites`]. If `gate` is a bit slot that is set, it
    /// fails without a call.
    Action {
        /// Index in [`Module::sites`].
        site: u32,
        /// Index in [`Module::slots`], of kind [`SlotKind::Bit`].
        gate: Option<u16>,
        /// If true, the action replaces the leaf that runs, see [`Module::resumes`]. Else
        /// [`Module::current`] only notes it.
        exclusive: bool,
    },
    /// Asks the host to act, beside the leaf that runs: index in [`Module::sites`]. Fails unless
    /// the answer is success.
    Instant(u32),
    /// Asks the host to act, and ends with a status of its own, whatever the answer is.
    Perform {
        /// Index in [`Module::sites`].
        site: u32,
        /// `FAILURE` or `SUCCESS`.
        outcome: u8,
    },
    /// One child, which the host lets through and judges. First the host is asked by `enter`:
    /// success runs the child; running leaves it at that, and it is asked again the next tick;
    /// failure and all else makes it judge running. Then, and when the child has ended, the host is
    /// asked by `leave`: failure and success are the status; with running it begins anew at once.
    Filter {
        /// Index in [`Module::sites`].
        enter: u32,
        /// Indices in [`Module::sites`], for the status that is judged:
        /// failure, success and running.
        leave: [u32; 3],
        /// Largest number of new beginnings in a tick. One more ends the agent's tick with a fault.
        times: u16,
    },
    /// Writes a variable of the agent: index in [`Module::slots`], and an expression of its type.
    /// Succeeds.
    Set(u16, u32),
    /// If a bit is set, writes a variable of the agent, as [`Kind::Set`] does. Succeeds.
    Take {
        /// The bit: index in [`Module::slots`].
        given: u16,
        /// The variable: index in [`Module::slots`].
        to: u16,
        /// An expression of its type.
        value: u32,
    },
    /// Writes a variable of a group or the world: index in [`Module::shared`], and an expression.
    /// Succeeds.
    Share(u16, How, u32),
    /// Runs for some time; then the status of the child, or success without one.
    Wait {
        /// Index in [`Module::slots`]: of kind [`SlotKind::U16`] to count ticks, else
        /// [`SlotKind::Time`].
        timer: u16,
        /// Ticks, or one more than the ticks if it is computed; or time in the unit of the dialect.
        length: Amount,
    },
    /// Ends at once with this status; running is a leaf that runs until it is halted.
    Constant(Outcome),
    /// Runs until the condition is true, which is asked at once and each tick; then succeeds.
    Until(u32),
    /// Runs the first child whose condition is true, and fails if there is none. The choice is made
    /// again when variables have changed, see [`Module::changes`]. If it is another child, the
    /// running one is halted first.
    Priority(u32),
    /// Runs the first child, until the slot, of kind [`SlotKind::U16`], says which is to begin
    /// instead: two more than its index. What runs is then halted, and the slot is 0 again.
    Machine(u16),
    /// Runs a block of writes, in the position of this node; then succeeds.
    Emit(u32),
    /// In such a block: fails unless something runs in that node of another block; else the status
    /// of the child.
    Within(NodeIndex),
    /// The slot, of kind [`SlotKind::Moment`], holds the moment that comes after so much time, an
    /// expression. Succeeds.
    Start(u16, u32),
    /// The slot, of kind [`SlotKind::Moment`], holds the moment that is now, or no longer the one
    /// that it held. Succeeds.
    Note(u16, bool),
    /// One child. The host is asked first, by the site: running lets the child begin, another
    /// status is this node's. It is told when the child has ended or is halted.
    Wrap(u32),
    /// One child, in which not more agents are at a time than the gate allows, each let in at once
    /// or not at all: index in [`Module::gates`].
    Admit(u16),
    /// In a block of writes: lets the host know, by the site. Succeeds.
    Tell(u32),
    /// Runs its children one after the other, in a random order, until one does not end
    /// with `goes_on`. The next child is the one with the highest score among those
    /// that have not had their turn.
    Shuffle {
        /// The status of a child that leads on to another one, and with which the node ends after
        /// the last: `FAILURE` or `SUCCESS`.
        goes_on: u8,
        /// Index in [`Module::slots`] of the first of the slots that say of each child that it has
        /// had its turn, of kind [`SlotKind::Bit`].
        done: u16,
        /// Number of children that are left: index in [`Module::slots`], of kind [`SlotKind::U16`].
        left: u16,
        /// First score of the children: index in [`Module::tests`]. A score is lower for a child
        /// that has had its turn.
        scores: u32,
        /// A condition that is never true. The next one always is.
        never: u32,
    },
    /// Two children: a composite of writes, and one whose status it is. When the second has ended
    /// or is halted, the first is run.
    Cleanup,
    /// Writes a text to the agent's log. Succeeds.
    Log(Sym),
    /// One child. Texts for the agent's log when it begins, succeeds and fails: index in
    /// [`Module::logs`].
    Logged(u32),
    /// Raises an event: index in [`Module::events`]. Succeeds.
    Raise(u16, Scope),
    /// One child, a rule at which an agent begins. Goes from rule to rule, beginning with the
    /// agent's current rule, until a rule runs or the child has ended. See [`Module::cursor`].
    Steps,
    /// A rule: the node is a place where an agent can be. Its children are rules.
    Rule(u32),
    /// One child, which selects a leaf. It is run when variables have changed, see
    /// [`Module::changes`], or when nothing is selected, and only while the condition is true.
    /// Otherwise the selected leaf runs on, and the changes stay noted. Guards inside are tested
    /// whenever the child is run. When the child has ended, the selected leaf is halted.
    Selection(u32),
    /// Takes the place of what runs, unless it is that itself; the host is then asked to act, once,
    /// by the site. Whatever it answers, the node runs.
    Select(u32),
    /// Follows transitions from state to state, one for each child, and has the status of the last
    /// state's child: index in [`Module::chains`].
    Chain(u32),
    /// Keeps a status of its own between ticks, and runs the operations of a routine: index in
    /// [`Module::routines`].
    Routine(u32),
    /// Runs another block. It *is* that block's tree node: wherever a tree is included, it is the
    /// same node.
    Call(u32),
}

/// States and transitions of a [`Kind::Chain`].
///
/// If something runs inside the node, the chain begins at the state that the slot holds, and
/// otherwise at the first state. It then follows the first transition whose condition is true,
/// again and again. It ends if there is none, or if it comes to a state for the second time. The
/// state that the slot held at first, or else the first state, counts as visited from the
/// beginning. The slot then holds the last state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    /// Index in [`Module::slots`], of kind [`SlotKind::Node`]: holds a child, or nothing for the
    /// first.
    pub slot: u16,
    /// The transitions of each child, in order.
    pub states: Vec<Vec<Transition>>,
}

impl Chain {
    /// The transitions of all states, in order.
    pub fn transitions(&self) -> impl Iterator<Item = Transition> + '_ {
        self.states.iter().flatten().copied()
    }
}

/// A way from a state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Index in [`Module::exprs`].
    pub condition: u32,
    /// Index of the child.
    pub to: u16,
}

/// Rule, at which agents can be. After it has run, the agent is at the same rule, which has then
/// ended, or at another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Effect of the rule.
    pub does: Does,
    /// Index in [`Module::exprs`]: without it the rule fails.
    pub condition: Option<u32>,
    /// The status that it ends with when it fails: `FAILURE` or `SUCCESS`.
    pub bad: u8,
}

/// Effect of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Asks the host to act: index in [`Module::sites`]. Fails without looking at the condition if
    /// the host lacks the action.
    Act(u32),
    /// Ends at once, with success or running.
    End(Outcome),
    /// Fails without looking at the condition.
    Fail,
    /// Ends with running the first time, and succeeds the next time.
    Yield,
    /// Sends the agent to its children, one after the other, while they succeed.
    All {
        /// If true, the first child comes after the last.
        looping: bool,
    },
    /// Sends the agent to its children, one after the other, while they fail.
    Any {
        /// If true, the first child comes after a child that has succeeded.
        looping: bool,
    },
}

/// A node.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Kind of the node.
    pub kind: Kind,
    /// Effect of the node on the running set.
    pub memory: Memory,
    /// One past the last node of its subtree.
    pub end: NodeIndex,
    /// Its keyword and subject, for people.
    pub label: (Sym, Option<Sym>),
    /// Place in the source.
    pub span: Option<Span>,
}

/// A piece of code that can be run and called: nodes `root..nodes[root].end`, where `root` is a
/// [`Kind::Tree`].
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Its tree node.
    pub root: NodeIndex,
    /// The name it was written under.
    pub name: Sym,
    /// Purpose of the block.
    pub role: Role,
}

/// Kind of a host function, by its number in images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum ImportKind {
    /// Returns a status.
    Action = import_kind::ACTION,
    /// Returns a number.
    Query = import_kind::QUERY,
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
    /// If true, a host may lack the function. Trees can then ask if an action is missing, and a
    /// missing query answers 0.
    pub optional: bool,
}

/// A host function with arguments. Places that call it with the same ones share a site.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Index in [`Module::imports`].
    pub import: u32,
    /// First index in [`Module::args`], and one past the last.
    pub args: (u32, u32),
}

/// A whole program, before layout.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Blocks; each calls only earlier ones.
    pub blocks: Vec<Block>,
    /// Nodes in pre-order, block by block.
    pub nodes: Vec<Node>,
    /// Tables of decorators, from the status of the child to their own. Tables are larger than
    /// nodes, and few nodes have one.
    pub maps: Vec<[To; EXITS]>,
    /// Rules. They are larger than nodes, and only one dialect has them.
    pub rules: Vec<Rule>,
    /// State machines. They are larger than nodes, and only one dialect has them.
    pub chains: Vec<Chain>,
    /// Code of nodes that keep a status of their own. It is larger than nodes, and only one dialect
    /// has it.
    pub routines: Vec<Routine>,
    /// The first node that keeps a status, and the slot of its status, of kind [`SlotKind::U8`]:
    /// index in `slots`. The statuses of the following nodes come after it, in order.
    pub statuses: Option<(NodeIndex, u16)>,
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
    /// The position, if there are actions or anything else that runs: index in `slots`. It holds
    /// the action or leaf that runs, or a node that has parked itself there.
    pub current: Option<u16>,
    /// If true, trees resume at the leaf that runs: a node is active while its position holds a
    /// node of its subtree.
    pub resumes: bool,
    /// Slots by which agents are interrupted within a tick, in dialects that have interruption.
    pub interrupt: Option<Interrupt>,
    /// If agents are at a rule: `current` says which, nothing stands for the first one, and the
    /// tree's own node for none.
    pub cursor: Option<Cursor>,
    /// Names by which hosts reach nodes, in the order of these.
    pub ids: Vec<Id>,
    /// Conditions and scores of choices: indices in `exprs`.
    pub tests: Vec<u32>,
    /// Number of places at which random numbers are drawn.
    pub draws: u32,
    /// Variables of groups and the world.
    pub shared: Vec<Shared>,
    /// Texts that variables and expressions hold by their indices. The first one is empty.
    pub texts: Vec<Sym>,
    /// Curves of expressions: at least two points each, from left to right.
    pub curves: Vec<Box<[(f32, f32)]>>,
    /// Declarations of variables: name and place.
    pub declared: Vec<(Sym, Span)>,
    /// Types whose values have names.
    pub enums: Enums,
    /// Variables that games change within a range.
    pub tunables: Vec<Tunable>,
    /// Events. Each tree of a file has a block, so the index of a handler is that of its block.
    pub events: Vec<Event>,
    /// Limiters.
    pub limiters: Vec<Limiter>,
    /// Gates.
    pub gates: Vec<Gate>,
    /// Nodes of the host with data of their own: the node, and its slot of kind [`SlotKind::Data`].
    pub data: Vec<(NodeIndex, u16)>,
    /// Texts of nodes that write to logs: when they begin, succeed, fail.
    pub logs: Vec<[Option<Sym>; 3]>,
    /// Slots that note changes of variables, if any node asks for changes.
    pub changes: Option<Changes>,
    /// The blocks that can be started, in the order asked for.
    pub entries: Vec<u32>,
    /// The forests, with a face for each node.
    pub forests: Forests,
    /// Names and strings that the symbols above stand for.
    pub names: Interner,
}

impl Module {
    /// Forgets everything but keeps the memory of the lists.
    pub(crate) fn clear(&mut self) {
        clear!(self => blocks nodes maps rules chains routines exprs imports sites args slots ids tests shared declared
            enums tunables events limiters gates data logs texts curves entries forests names;
            running current resumes interrupt cursor draws changes statuses);
    }

    /// The children of a node, in order.
    pub fn children(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        preorder::children(node, |node| self.nodes[node as usize].end)
    }

    /// The node that a node is: itself, but for a call the tree node of the block that it calls.
    pub fn identity(&self, node: NodeIndex) -> NodeIndex {
        match self.nodes[node as usize].kind {
            Kind::Call(block) => self.blocks[block as usize].root,
            _ => node,
        }
    }
}
