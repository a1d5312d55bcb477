//! Nodes to instructions.

use super::blocks::Plan;
use super::{Refused, operand};
use crate::codes;
use crate::ir::{
    FAILURE, Kind, Memory, Module, NodeIndex, OTHER, Outcome, Policy, RUNNING, SUCCESS, Start, Step, To,
};
use crate::layout::FrameLayout;
use pleach_image::assemble::{Assembler, Exit, Label};
use pleach_image::format::{BlockRow, DebugEdge, DebugEnd};
use pleach_image::isa::{self, Op, Word};

/// The code of a module.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) blocks: Vec<BlockRow>,
    /// For each block, the blocks it calls.
    pub(super) calls: Vec<Vec<u32>>,
    pub(super) words: Vec<Word>,
    pub(super) owners: Vec<u16>,
    pub(super) edges: Vec<DebugEdge>,
    pub(super) ends: Vec<DebugEnd>,
}

/// Emits every block of the plan.
pub(super) fn emit(
    module: &Module,
    frame: &FrameLayout,
    plan: &Plan,
    conditions: &[u16],
    debug: bool,
) -> Result<Code, Refused> {
    let place = |slot: Option<u16>| slot.map(|slot| frame.place[usize::from(slot)]);
    let mut emitter = Emitter {
        module,
        frame,
        plan,
        conditions,
        set: place(module.running),
        current: place(module.current).unwrap_or_default() as u8,
        asm: Assembler::for_nodes(module.nodes.len(), debug),
        ends: Vec::with_capacity(if debug { module.nodes.len() * 4 } else { 0 }),
        debug,
        calls: Vec::new(),
        tasks: Vec::new(),
        children: Vec::new(),
    };
    let mut code = Code::default();
    for unit in &plan.units {
        code.blocks.push(emitter.block(unit.root)?);
        code.calls.push(core::mem::take(&mut emitter.calls));
    }
    let done = emitter.asm.finish();
    Ok(Code { words: done.words, owners: done.owners, edges: done.edges, ends: emitter.ends, ..code })
}

/// By status: where to go on, and which nodes end on the way.
type Exits = [Exit; 4];

/// What is still to do, last first.
enum Task {
    /// Emit a node.
    Node(NodeIndex, Exits),
    /// The label is here.
    Bind(Label),
    /// What follows belongs to this node.
    Owner(NodeIndex),
    /// An instruction that goes on at the next word.
    Next(Word),
    /// An instruction that does something and goes on there.
    Effect(Word, Exit),
    /// Go on there.
    Jump(Exit),
    /// A branch.
    Branch(Word, Exit),
    /// What a node remembers when it ends: the labels of its running and success exits, and where they lead.
    Remember { node: NodeIndex, running: Label, success: Label, out: Exits },
}

/// A composite whose children are emitted.
struct Parent {
    node: NodeIndex,
    policy: Policy,
    flag: Option<u16>,
    inner: Exits,
}

struct Emitter<'a> {
    module: &'a Module,
    frame: &'a FrameLayout,
    plan: &'a Plan,
    conditions: &'a [u16],
    set: Option<u16>,
    current: u8,
    asm: Assembler,
    /// Whether it is written down which nodes end where.
    debug: bool,
    ends: Vec<DebugEnd>,
    calls: Vec<u32>,
    tasks: Vec<Task>,
    children: Vec<NodeIndex>,
}

impl Emitter<'_> {
    fn block(&mut self, root: NodeIndex) -> Result<BlockRow, Refused> {
        let returns = [isa::FAILURE, isa::SUCCESS, isa::RUNNING, isa::OTHER].map(|_| self.asm.label());
        self.body(root, returns.map(Exit::to))?;
        while let Some(task) = self.tasks.pop() {
            self.step(task)?;
        }
        self.asm.owner(0);
        for (status, label) in returns.into_iter().enumerate() {
            self.asm.bind(label);
            self.asm.end(status as u8);
        }
        let span = self.module.nodes[root as usize].span;
        let message = || "the tree compiles to more code than a block holds".to_owned();
        self.asm.finish_block().map_err(|_| (codes::TOO_LARGE, span, message()))
    }

    fn step(&mut self, task: Task) -> Result<(), Refused> {
        match task {
            Task::Node(node, out) => self.node(node, out)?,
            Task::Bind(label) => self.asm.bind(label),
            Task::Owner(node) => self.owner(node),
            Task::Next(word) => self.asm.next(word),
            Task::Effect(word, exit) => self.asm.effect(word, exit),
            Task::Jump(exit) => self.asm.jump(exit),
            Task::Branch(word, exit) => self.asm.branch(word, exit),
            Task::Remember { node, running, success, out } => self.remember(node, running, success, out),
        }
        Ok(())
    }

    /// Emits a node, unless control cannot get there. A node that has a block of its own is called.
    fn node(&mut self, node: NodeIndex, out: Exits) -> Result<(), Refused> {
        if !self.asm.reachable() {
            return Ok(());
        }
        match self.plan.unit_of(node) {
            Some(unit) => self.call(unit, out),
            None => self.body(node, out),
        }
    }

    /// Emits a node in place.
    fn body(&mut self, node: NodeIndex, out: Exits) -> Result<(), Refused> {
        self.owner(node);
        let inner = self.wrap(node, out);
        let child = node + 1;
        let has_child = child < self.module.nodes[node as usize].end;
        match self.module.nodes[node as usize].kind {
            Kind::Tree => self.tasks.push(Task::Node(child, inner)),
            Kind::Composite(policy, start) => self.composite(node, policy, start, inner),
            Kind::Map(table) => self.map(node, table, inner),
            Kind::Guard(expr) => {
                let condition = Word::new(Op::Cond).with_a(self.conditions[expr as usize]);
                self.asm.branch(condition, inner[FAILURE]);
                self.tasks.push(if has_child {
                    Task::Node(child, inner)
                } else {
                    Task::Jump(inner[SUCCESS])
                });
            }
            Kind::Cooldown { slot, duration } => self.cooldown(node, slot, duration, inner),
            Kind::Action { site, gate } => self.action(node, site, gate, inner)?,
            Kind::Call(block) => self.call(self.plan.unit_of_block[block as usize], inner)?,
        }
        Ok(())
    }

    /// The exits for what is inside a node: they end the node, and pass by what it remembers.
    fn wrap(&mut self, node: NodeIndex, out: Exits) -> Exits {
        let mut inner = out;
        let remembers = self.module.nodes[node as usize].memory != Memory::None && self.set.is_some();
        for status in [FAILURE, SUCCESS, RUNNING, OTHER] {
            if !(remembers && matches!(status, SUCCESS | RUNNING)) {
                inner[status].ends = self.end(node, status, out[status].ends);
            }
        }
        if remembers {
            let (running, success) = (self.asm.label(), self.asm.label());
            inner[RUNNING] = Exit::to(running);
            inner[SUCCESS] = Exit::to(success);
            self.tasks.push(Task::Remember { node, running, success, out });
        }
        inner
    }

    /// Running first, so that success, the more frequent way to what follows, falls through.
    fn remember(&mut self, node: NodeIndex, running: Label, success: Label, out: Exits) {
        let set = self.set.unwrap_or_default();
        let wipes = self.module.nodes[node as usize].memory == Memory::Exclusive;
        let mark = Word::new(Op::Mark).with_x(wipes.into());
        self.owner(node);
        for (status, label, word) in [(RUNNING, running, mark), (SUCCESS, success, Word::new(Op::WipeIf))] {
            self.asm.bind(label);
            if self.asm.reachable() {
                let ends = self.end(node, status, out[status].ends);
                let word = word.with_a(set).with_b(self.id(node));
                self.asm.effect(word, Exit { label: out[status].label, ends });
            }
        }
    }

    fn composite(&mut self, node: NodeIndex, policy: Policy, start: Start, inner: Exits) {
        let mut children = core::mem::take(&mut self.children);
        children.clear();
        children.extend(self.module.children(node));
        let flag = self.flag(node, policy);
        if let Some(flag) = flag {
            let begin = self.asm.label();
            self.asm.effect(Word::new(Op::Flag).with_a(flag), Exit::to(begin));
            self.asm.bind(begin);
        }
        let entries = self.asm.labels(children.len());
        if let (Start::HighestMember, Some(set)) = (start, self.set) {
            for (index, child) in children.iter().enumerate().skip(1).rev() {
                let test = Word::new(Op::IfMember).with_a(set).with_b(self.id(*child));
                self.asm.branch(test, Exit::to(entries.at(index)));
            }
        }
        let mut next = self.last(flag, policy, inner);
        if children.is_empty() {
            self.tasks.push(Task::Jump(next));
        }
        let parent = Parent { node, policy, flag, inner };
        for (index, child) in children.iter().enumerate().rev() {
            let entry = entries.at(index);
            self.child(&parent, *child, entry, next);
            next = Exit::to(entry);
        }
        self.children = children;
    }

    /// Where to go on when the last child has been left. With a flag, that depends on it.
    fn last(&mut self, flag: Option<u16>, policy: Policy, inner: Exits) -> Exit {
        let Some(flag) = flag else { return inner[policy.last] };
        let label = self.asm.label();
        self.tasks.push(Task::Jump(inner[policy.last]));
        self.tasks.push(Task::Branch(Word::new(Op::JumpFlag).with_a(flag), inner[RUNNING]));
        self.tasks.push(Task::Bind(label));
        Exit::to(label)
    }

    /// Puts off a child of a composite; when it is left, control goes on at `next` or out.
    fn child(&mut self, parent: &Parent, child: NodeIndex, entry: Label, next: Exit) {
        let note = parent.flag.map_or(next.label, |_| self.asm.label());
        let exits = [FAILURE, SUCCESS, RUNNING, OTHER].map(|status| match parent.policy.on[status] {
            Step::Next => next,
            Step::NextRunning => Exit::to(note),
            Step::End => parent.inner[status],
        });
        if let Some(flag) = parent.flag {
            self.tasks.push(Task::Effect(Word::new(Op::Flag).with_a(flag).with_x(1), next));
            self.tasks.push(Task::Bind(note));
            self.tasks.push(Task::Owner(parent.node));
        }
        self.tasks.push(Task::Node(child, exits));
        self.tasks.push(Task::Bind(entry));
    }

    fn flag(&self, node: NodeIndex, policy: Policy) -> Option<u16> {
        policy.notes_running().then(|| self.plan.flags[node as usize] - 1)
    }

    fn map(&mut self, node: NodeIndex, table: [To; 4], inner: Exits) {
        let mut exits = inner;
        for (status, to) in table.into_iter().enumerate() {
            exits[status] = match to {
                To::Same => inner[status],
                To::Status(Outcome::Failure) => inner[FAILURE],
                To::Status(Outcome::Success) => inner[SUCCESS],
                To::Status(Outcome::Running) => inner[RUNNING],
                To::Status(Outcome::Other(number)) => {
                    let label = self.asm.label();
                    self.tasks.push(Task::Effect(Word::new(Op::Other).with_ab(number), inner[OTHER]));
                    self.tasks.push(Task::Bind(label));
                    Exit::to(label)
                }
            };
        }
        self.tasks.push(Task::Owner(node));
        self.tasks.push(Task::Node(node + 1, exits));
    }

    fn cooldown(&mut self, node: NodeIndex, slot: u16, duration: i32, inner: Exits) {
        let slot = self.frame.place[usize::from(slot)];
        self.asm.branch(Word::new(Op::Due).with_a(slot), inner[FAILURE]);
        let failed = self.asm.label();
        let mut exits = inner;
        exits[FAILURE] = Exit::to(failed);
        self.tasks.push(Task::Jump(inner[FAILURE]));
        self.tasks.push(Task::Next(Word::new(Op::Arm).with_a(slot).with_bt(duration)));
        self.tasks.push(Task::Bind(failed));
        self.tasks.push(Task::Owner(node));
        self.tasks.push(Task::Node(node + 1, exits));
    }

    fn action(&mut self, node: NodeIndex, site: u32, gate: Option<u16>, inner: Exits) -> Result<(), Refused> {
        let span = self.module.nodes[node as usize].span;
        let site = operand(site as usize, "host calls", span)?;
        let act = Word::new(Op::Act).with_x(self.current).with_a(site).with_b(self.id(node));
        let Some(gate) = gate else {
            self.asm.exits(act, inner);
            return Ok(());
        };
        let shut = self.asm.label();
        let gate = self.frame.place[usize::from(gate)];
        self.asm.branch(Word::new(Op::JumpBit).with_a(gate).with_x(1), Exit::to(shut));
        self.asm.exits(act, inner);
        self.asm.bind(shut);
        self.asm.effect(Word::new(Op::Leave).with_x(self.current).with_b(self.id(node)), inner[FAILURE]);
        Ok(())
    }

    fn call(&mut self, unit: u32, exits: Exits) -> Result<(), Refused> {
        let block = operand(unit as usize, "blocks", None)?;
        self.calls.push(unit);
        self.asm.exits(Word::new(Op::Call).with_a(block), exits);
        Ok(())
    }

    /// What follows belongs to this node.
    fn owner(&mut self, node: NodeIndex) {
        self.asm.owner(node as u16 + 1);
    }

    /// The id that a node is known by: of itself, or of the tree that it includes.
    fn id(&self, node: NodeIndex) -> u16 {
        self.module.identity(node) as u16 + 1
    }

    /// The chain of ends that begins with this node; 0 without debug information.
    fn end(&mut self, node: NodeIndex, status: usize, next: u32) -> u32 {
        if !self.debug {
            return 0;
        }
        self.ends.push(DebugEnd { node: node as u16 + 1, status: status as u16, next });
        self.ends.len() as u32
    }
}
