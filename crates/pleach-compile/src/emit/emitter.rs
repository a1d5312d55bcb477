//! Code under construction, and operations that all kinds of nodes use.
//!
//! The emitter has a list of tasks instead of recursion: the last is done first. The code of a node
//! after its children becomes a task.

use super::{Amount, Bump, Cases, Exits, FrameLayout, Label, Module, NodeIndex, Op, Parts, Plan, Word};
use bumpalo::collections::Vec as ArenaVec;
use pleach_image::assemble::{Assembler, Head, Labels};

/// Work that is left, last first.
pub(super) enum Task {
    /// Emit a node with these exits.
    Node(NodeIndex, Exits),
    /// Set the scope of the code that follows.
    Scope(Scope),
    /// Emit a `switch` for the nodes inside a node.
    Open(NodeIndex),
    /// An instruction with four exits.
    Exits(Word, Exits),
    /// The label is here.
    Bind(Label),
    /// Set the node that the code which follows belongs to.
    Owner(NodeIndex),
    /// An instruction that goes on at the next word.
    Next(Word),
    /// An instruction that does something and goes on at the next word.
    Then(Word),
    /// Begin the loop again, or go on there.
    Again(Head, Label),
    /// Agents for which something runs in the node go on here.
    Case(Cases, NodeIndex),
    /// Halt what runs in a node, but not in its child.
    HaltOutside(NodeIndex, NodeIndex),
    /// An instruction that does something and goes on there.
    Effect(Word, Label),
    /// Go on there.
    Jump(Label),
    /// A branch.
    Branch(Word, Label),
    /// End the tick with a fault.
    Fault,
    /// Emit the operations of a routine from an index on.
    Operations(Place),
    /// Emit the stubs of a node for running and success, with where they begin and lead.
    Remember(NodeIndex, [Label; 2], [Label; 2]),
}

/// Place in the operations of a routine.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) node: NodeIndex,
    pub(super) halts: bool,
    pub(super) at: usize,
    /// Labels of the operations, and one for the end.
    pub(super) labels: Labels,
    /// Exits of the node. A halt ends with success.
    pub(super) out: Exits,
    pub(super) head: Option<Head>,
}

/// Slot that counts how often a child is begun, and the count; none if there is no limit.
pub(super) type Times = Option<(u16, Amount)>;

/// The rules of the present block and the rules that it calls, with the labels of their code.
pub(super) type Places = Vec<(NodeIndex, Label)>;

/// The position that code is about, and where its cases go.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scope {
    /// Place of the position's slot.
    pub(super) column: u8,
    pub(super) cases: Option<Cases>,
}

/// Code under construction: the floor that all kinds of nodes stand on.
pub(super) struct Emitter<'a> {
    pub(super) module: &'a Module,
    pub(super) frame: &'a FrameLayout<'a>,
    pub(super) plan: &'a Plan<'a>,
    pub(super) conditions: &'a [u16],
    pub(super) set: Option<u16>,
    /// The position that the emitted code uses, and the cases of its `switch`.
    pub(super) scope: Scope,
    /// Labels of the rules of the block.
    pub(super) places: Places,
    /// For each node, and behind the last, how many before it can hold a position.
    pub(super) parking: ArenaVec<'a, u32>,
    pub(super) asm: Assembler,
    pub(super) parts: &'a mut Parts,
    /// True if debug information about the ends of nodes is recorded.
    pub(super) debug: bool,
    /// Depth to which the calls of each finished block nest.
    pub(super) depths: ArenaVec<'a, u32>,
    /// Depth to which the calls of the current block nest so far.
    pub(super) depth: u32,
    pub(super) tasks: ArenaVec<'a, Task>,
    /// Memory for what lives as long as the emission.
    pub(super) arena: &'a Bump,
}

impl<'a> Emitter<'a> {
    /// Set the node that the code which follows belongs to.
    pub(super) fn owner(&mut self, node: NodeIndex) {
        self.asm.owner(node as u16 + 1);
    }

    /// The id that a node is known by: of itself, or of the tree that it includes.
    pub(super) fn id(&self, node: NodeIndex) -> u16 {
        self.module.identity(node) as u16 + 1
    }

    /// Returns the place of a slot of the module in the frame.
    pub(super) fn place(&self, slot: u16) -> u16 {
        self.frame.at(slot)
    }

    /// The children of a node.
    pub(super) fn children_of(&self, node: NodeIndex) -> &'a [NodeIndex] {
        ArenaVec::from_iter_in(self.module.children(node), self.arena).into_bump_slice()
    }

    /// Emits a `switch` for the nodes inside this node, if anything can run there.
    pub(super) fn open(&mut self, node: NodeIndex) {
        if self.parks(node, self.end_of(node)) {
            self.scope.cases = self.asm.switch(self.scope.column);
        }
    }

    /// Returns true if a position can hold a node in `node..end`.
    pub(super) fn parks(&self, node: NodeIndex, end: NodeIndex) -> bool {
        self.module.resumes && self.parking[node as usize] != self.parking[end as usize]
    }

    /// Agents with a position in `node..end` go on here.
    pub(super) fn here(&mut self, node: NodeIndex, end: NodeIndex) {
        self.case_here(self.scope.cases.filter(|_| self.parks(node, end)), node, end);
    }

    pub(super) fn end_of(&self, node: NodeIndex) -> NodeIndex {
        self.module.nodes[node as usize].end
    }

    /// Emits the head of a node that acts before its running child continues. A
    /// task closes its scope later.
    pub(super) fn head(&mut self, node: NodeIndex) {
        self.here(node, self.end_of(node));
        self.tasks.push(Task::Scope(self.scope));
    }

    /// An instruction about the scope's position.
    pub(super) fn position(&self, op: Op) -> Word {
        Word::new(op).with_x(self.scope.column)
    }

    /// An instruction about the scope's position, if it is in `node..end`.
    pub(super) fn within_nodes(&self, op: Op, node: NodeIndex, end: NodeIndex) -> Word {
        self.position(op).with_a(node as u16 + 1).with_b(end as u16)
    }

    pub(super) fn halt(&self, node: NodeIndex) -> Word {
        self.within_nodes(Op::Halt, node, self.end_of(node))
    }

    /// A branch that is taken if a condition does not hold.
    pub(super) fn cond(&self, expr: u32) -> Word {
        Word::new(Op::Cond).with_a(self.conditions[expr as usize])
    }

    /// Adds a case to a `switch`, if there is one: for agents with a position in `node..end`
    /// control goes on here.
    pub(super) fn case_here(&mut self, cases: Option<Cases>, node: NodeIndex, end: NodeIndex) {
        if let Some(cases) = cases {
            self.asm.case_here(cases, node as u16 + 1, end as u16);
        }
    }

    pub(super) fn park(&self, node: NodeIndex) -> Word {
        self.position(Op::Park).with_b(self.id(node))
    }

    /// Puts off code that begins at a new label, which is returned.
    pub(super) fn put_off<const N: usize>(&mut self, node: NodeIndex, code: [Task; N]) -> Label {
        let label = self.asm.label();
        self.tasks.extend(code.into_iter().rev());
        self.tasks.extend([Task::Bind(label), Task::Owner(node)]);
        label
    }

    /// Puts off an instruction on the way to a label; gives where it begins.
    pub(super) fn detour(&mut self, node: NodeIndex, word: Word, to: Label) -> Label {
        self.put_off(node, [Task::Effect(word, to)])
    }
}
