//! Nodes to instructions.
//!
//! Nodes that go on where they were, and decorators that watch what runs inside them, are in [`super::resume`].

use super::blocks::Plan;
use super::resume::{self, Scope};
use super::{Refused, operand, scope_number};
use crate::codes;
use crate::ir::{
    self, Cooling, FAILURE, How, Kind, Memory, Module, NodeIndex, OTHER, Outcome, Policy, RUNNING, SUCCESS,
    SlotKind, Start, Step, To,
};
use crate::layout::FrameLayout;
use pleach_image::assemble::{Assembler, Exits, Label, Labels, Statuses};
use pleach_image::format::{BlockRow, CaseRow, DebugEdge, DebugEnd, ParallelRow, TableRow, how};
use pleach_image::isa::{self, Op, Word};

/// The code of a module.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) blocks: Vec<BlockRow>,
    /// For each block, the blocks it calls.
    pub(super) calls: Vec<Vec<u32>>,
    pub(super) words: Vec<Word>,
    pub(super) tables: Vec<TableRow>,
    pub(super) cases: Vec<CaseRow>,
    pub(super) parallels: Vec<ParallelRow>,
    pub(super) halts: Vec<u16>,
    pub(super) owners: Vec<u16>,
    pub(super) edges: Vec<DebugEdge>,
    pub(super) ends: Vec<DebugEnd>,
}

/// Whether all actions are among the host calls that an operand can tell apart.
fn sites(module: &Module) -> Result<(), Refused> {
    if module.sites.len() <= usize::from(u16::MAX) {
        return Ok(());
    }
    module.nodes.iter().try_for_each(|node| match node.kind {
        Kind::Action { site, .. } => operand(site as usize, "host calls", node.span).map(drop),
        _ => Ok(()),
    })
}

/// Emits every block of the plan.
pub(super) fn emit(
    module: &Module,
    frame: &FrameLayout,
    plan: &Plan,
    conditions: &[u16],
    debug: bool,
) -> Result<Code, Refused> {
    sites(module)?;
    let place = |slot: Option<u16>| slot.map(|slot| frame.place[usize::from(slot)]);
    let mut emitter = Emitter {
        module,
        frame,
        plan,
        conditions,
        set: place(module.running),
        scope: Scope::default(),
        parking: resume::parking(module),
        parallels: Vec::new(),
        halts: Vec::new(),
        asm: Assembler::for_nodes(module.nodes.len(), debug),
        ends: Vec::with_capacity(if debug { module.nodes.len() * 4 } else { 0 }),
        debug,
        calls: Vec::new(),
        tasks: Vec::new(),
        composites: Vec::new(),
        children: Vec::new(),
    };
    let mut code = Code::default();
    for unit in &plan.units {
        code.blocks.push(emitter.block(unit.root)?);
        code.calls.push(core::mem::take(&mut emitter.calls));
    }
    let done = emitter.asm.finish();
    code.words = done.words;
    (code.tables, code.cases) = (done.tables, done.cases);
    (code.parallels, code.halts) = (emitter.parallels, emitter.halts);
    (code.owners, code.edges, code.ends) = (done.owners, done.edges, emitter.ends);
    Ok(code)
}

/// A node to emit, and its exits.
pub(super) type Inner = (NodeIndex, Exits);

/// What is still to do, last first.
pub(super) enum Task {
    /// Emit the next child of the innermost composite.
    Child,
    /// Emit a node.
    Node(Inner),
    /// What follows is of this scope.
    Scope(Scope),
    /// A `switch` for what is inside a node.
    Open(NodeIndex),
    /// An instruction with four exits.
    Exits(Word, Exits),
    /// The label is here.
    Bind(Label),
    /// What follows belongs to this node.
    Owner(NodeIndex),
    /// An instruction that goes on at the next word.
    Next(Word),
    /// An instruction that does something and goes on there.
    Effect(Word, Label),
    /// Go on there.
    Jump(Label),
    /// A branch.
    Branch(Word, Label),
    /// Put down what a node remembers.
    Remember(Remember),
}

/// What a node remembers when it ends.
pub(super) struct Remember {
    node: NodeIndex,
    /// The exits from inside on running and on success.
    labels: Labels,
    /// Where these lead.
    out: Exits,
}

/// A composite of which some children are not emitted yet.
struct Composite {
    node: NodeIndex,
    flag: Option<u16>,
    /// The exits for a child, but for those that lead on.
    inner: Exits,
    /// The statuses of a child that lead on to the next one.
    next: Statuses,
    /// Those that also note that a child is running.
    note: Statuses,
    /// Where to go on after the last child.
    last: Label,
    /// The next child.
    child: NodeIndex,
    /// Where it begins.
    entry: Label,
    /// Where each child begins, if that had to be settled before.
    entries: Option<Labels>,
    /// How many children are emitted.
    done: usize,
}

pub(super) struct Emitter<'a> {
    pub(super) module: &'a Module,
    pub(super) frame: &'a FrameLayout,
    pub(super) plan: &'a Plan,
    pub(super) conditions: &'a [u16],
    set: Option<u16>,
    /// The position that what is emitted goes by, and the cases of its `switch`.
    pub(super) scope: Scope,
    /// See [`resume::parking`].
    pub(super) parking: Vec<u32>,
    pub(super) parallels: Vec<ParallelRow>,
    pub(super) halts: Vec<u16>,
    pub(super) asm: Assembler,
    /// Whether it is written down which nodes end where.
    debug: bool,
    ends: Vec<DebugEnd>,
    calls: Vec<u32>,
    pub(super) tasks: Vec<Task>,
    /// Composites around what is being emitted, outermost first.
    composites: Vec<Composite>,
    /// Scratch for the children of one.
    children: Vec<NodeIndex>,
}

impl Emitter<'_> {
    fn block(&mut self, root: NodeIndex) -> Result<BlockRow, Refused> {
        let returns = [isa::FAILURE, isa::SUCCESS, isa::RUNNING, isa::OTHER].map(|_| self.asm.label());
        self.enter(root);
        let mut inner = self.body(root, Exits::new(returns));
        loop {
            inner = match inner {
                Some((node, out)) => self.node(node, out),
                None => match self.tasks.pop() {
                    Some(task) => self.step(task),
                    None => break,
                },
            };
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

    fn step(&mut self, task: Task) -> Option<Inner> {
        match task {
            Task::Child => return self.child(),
            Task::Node((node, out)) => return self.node(node, out),
            Task::Scope(scope) => self.scope = scope,
            Task::Open(node) => self.open(node),
            Task::Exits(word, exits) => self.asm.exits(word, exits),
            Task::Bind(label) => self.asm.bind(label),
            Task::Owner(node) => self.owner(node),
            Task::Next(word) => self.asm.next(word),
            Task::Effect(word, exit) => self.asm.effect(word, exit),
            Task::Jump(exit) => self.asm.jump(exit),
            Task::Branch(word, exit) => self.asm.branch(word, exit),
            Task::Remember(remember) => self.remember(&remember),
        }
        None
    }

    /// Emits a node, unless control cannot get there. A node that has a block of its own is called. What is inside
    /// the node is left to the caller.
    fn node(&mut self, node: NodeIndex, out: Exits) -> Option<Inner> {
        if !self.asm.reachable() {
            return None;
        }
        let Some(unit) = self.plan.unit_of(node) else { return self.body(node, out) };
        self.here(node, self.module.nodes[node as usize].end);
        self.call(unit, out);
        None
    }

    /// Emits a node in place, but for what is inside.
    fn body(&mut self, node: NodeIndex, out: Exits) -> Option<Inner> {
        self.owner(node);
        let (inner, remember) = self.wrap(node, out);
        let ir::Node { kind, end, .. } = self.module.nodes[node as usize];
        let exits = match kind {
            Kind::Action { site, gate, exclusive } => {
                self.action(node, site, gate, exclusive, inner);
                return self.leaf(remember);
            }
            Kind::Call(block) => {
                self.call(self.plan.unit_of_block[block as usize], inner);
                return self.leaf(remember);
            }
            Kind::Set(..) | Kind::Share(..) | Kind::Raise(..) => {
                self.write(kind, inner.at(SUCCESS));
                return self.leaf(remember);
            }
            Kind::Wait { timer, length } if node + 1 == end => {
                self.wait(node, timer, length, inner, inner.at(SUCCESS));
                return self.leaf(remember);
            }
            Kind::Wait { timer, length } => {
                self.later(remember);
                let begin = self.asm.label();
                self.wait(node, timer, length, inner, begin);
                self.asm.bind(begin);
                inner
            }
            Kind::Constant(outcome) => {
                self.constant(node, outcome, inner);
                return self.leaf(remember);
            }
            Kind::Composite(policy, Start::Reactive) => {
                self.later(remember);
                return self.reactive(node, policy, inner);
            }
            Kind::Composite(policy, start) => {
                self.later(remember);
                return self.composite(node, policy, start, inner);
            }
            Kind::Choose { by, reactive } => {
                self.later(remember);
                return self.choose(node, by, reactive, inner);
            }
            Kind::Parallel { columns, succeed, fail } => {
                self.later(remember);
                return self.parallel(node, columns, [succeed, fail], inner);
            }
            Kind::While(expr) => {
                self.later(remember);
                return self.guarded(node, expr, inner);
            }
            Kind::Timeout { slot, duration } => {
                self.later(remember);
                self.timeout(node, slot, duration, inner)
            }
            Kind::Again { again, times, spent, broken } => {
                self.later(remember);
                self.again(node, again, times, [spent, broken], inner)
            }
            Kind::Limit(limiter) => {
                self.later(remember);
                self.asm.branch(Word::new(Op::Ask).with_a(limiter), inner.at(FAILURE));
                inner
            }
            Kind::Map(table) => {
                self.later(remember);
                self.map(node, table, inner)
            }
            Kind::Cooldown { slot, duration, rule } => {
                self.later(remember);
                self.cooldown(node, slot, duration, rule, inner)
            }
            Kind::Guard(expr) => {
                self.later(remember);
                let condition = Word::new(Op::Cond).with_a(self.conditions[expr as usize]);
                self.asm.branch(condition, inner.at(FAILURE));
                inner
            }
            Kind::Tree => {
                self.later(remember);
                inner
            }
        };
        if node + 1 == end {
            self.asm.jump(inner.at(SUCCESS));
            return None;
        }
        Some((node + 1, exits))
    }

    /// Behind a node with nothing inside.
    fn leaf(&mut self, remember: Option<Remember>) -> Option<Inner> {
        if let Some(remember) = remember {
            self.remember(&remember);
        }
        None
    }

    /// Puts off what a node remembers until what is inside is emitted.
    fn later(&mut self, remember: Option<Remember>) {
        self.tasks.extend(remember.map(Task::Remember));
    }

    /// The exits for what is inside a node: they end the node, and pass by what it remembers.
    fn wrap(&mut self, node: NodeIndex, out: Exits) -> (Exits, Option<Remember>) {
        let remembers = self.module.nodes[node as usize].memory != Memory::None && self.set.is_some();
        let mut inner = out;
        if self.debug {
            for status in [FAILURE, SUCCESS, RUNNING, OTHER] {
                if !(remembers && matches!(status, SUCCESS | RUNNING)) {
                    inner = inner.with(status, self.end(node, status, out.at(status)));
                }
            }
        }
        if !remembers {
            return (inner, None);
        }
        let labels = self.asm.labels(2);
        let inner = inner.with(RUNNING, labels.at(0)).with(SUCCESS, labels.at(1));
        (inner, Some(Remember { node, labels, out }))
    }

    /// Running first, so that success, the more frequent way to what follows, falls through.
    fn remember(&mut self, remember: &Remember) {
        let Remember { node, labels, out } = *remember;
        self.owner(node);
        let wipes = self.module.nodes[node as usize].memory == Memory::Exclusive;
        let (set, id) = (self.set.unwrap_or_default(), self.id(node));
        let mark = Word::new(Op::Mark).with_x(wipes.into()).with_a(set).with_b(id);
        let wipe = Word::new(Op::WipeIf).with_a(set).with_b(id);
        self.stub(node, RUNNING, labels.at(0), mark, out);
        self.stub(node, SUCCESS, labels.at(1), wipe, out);
    }

    /// What a node does when it ends with a status, on the way out.
    #[inline(always)]
    fn stub(&mut self, node: NodeIndex, status: usize, label: Label, word: Word, out: Exits) {
        self.asm.bind(label);
        if self.asm.reachable() {
            let to = self.end(node, status, out.at(status));
            self.asm.effect(word, to);
        }
    }

    fn composite(&mut self, node: NodeIndex, policy: Policy, start: Start, inner: Exits) -> Option<Inner> {
        let flag = self.flag(node, policy);
        if let Some(flag) = flag {
            let begin = self.asm.label();
            self.asm.effect(Word::new(Op::Flag).with_a(flag), begin);
            self.asm.bind(begin);
        }
        let entries = match (start, self.set) {
            (Start::HighestMember, Some(set)) => Some(self.members(node, set)),
            _ => None,
        };
        let last = self.last(flag, policy, inner);
        let child = node + 1;
        if child == self.module.nodes[node as usize].end {
            self.asm.jump(last);
            return None;
        }
        let entry = entries.map_or_else(|| self.asm.label(), |entries| entries.at(0));
        let next = Statuses::that(|status| policy.on[status] == Step::Next);
        let note = Statuses::that(|status| policy.on[status] == Step::NextRunning);
        let done = 0;
        self.composites.push(Composite { node, flag, inner, next, note, last, child, entry, entries, done });
        self.child()
    }

    /// Goes on at the highest child after the first that is in the running set. Gives where the children begin.
    fn members(&mut self, node: NodeIndex, set: u16) -> Labels {
        let mut children = core::mem::take(&mut self.children);
        children.clear();
        children.extend(self.module.children(node));
        let entries = self.asm.labels(children.len());
        for (index, child) in children.iter().enumerate().skip(1).rev() {
            let test = Word::new(Op::IfMember).with_a(set).with_b(self.id(*child));
            self.asm.branch(test, entries.at(index));
        }
        self.children = children;
        entries
    }

    /// Where to go on when the last child has been left. With a flag, that depends on it.
    fn last(&mut self, flag: Option<u16>, policy: Policy, inner: Exits) -> Label {
        let Some(flag) = flag else { return inner.at(policy.last) };
        let label = self.asm.label();
        self.tasks.push(Task::Jump(inner.at(policy.last)));
        self.tasks.push(Task::Branch(Word::new(Op::JumpFlag).with_a(flag), inner.at(RUNNING)));
        self.tasks.push(Task::Bind(label));
        label
    }

    /// The next child of the innermost composite. When it is left, control goes on at the child after it, or out.
    fn child(&mut self) -> Option<Inner> {
        let composite = self.composites.last_mut()?;
        let Composite { node, flag, inner, next, note, last, child, entry, entries, done } = *composite;
        let end = self.module.nodes[child as usize].end;
        let after = if end < self.module.nodes[node as usize].end {
            let entry = entries.map_or_else(|| self.asm.label(), |entries| entries.at(done + 1));
            (composite.child, composite.entry, composite.done) = (end, entry, done + 1);
            self.tasks.push(Task::Child);
            entry
        } else {
            self.composites.pop();
            last
        };
        self.asm.bind(entry);
        let exits = inner.with_all(next, after);
        let exits = flag.map_or(exits, |flag| exits.with_all(note, self.note(node, flag, after)));
        Some((child, exits))
    }

    /// Puts off the note that a child is running, which then goes on at `next`.
    fn note(&mut self, node: NodeIndex, flag: u16, next: Label) -> Label {
        let note = self.asm.label();
        self.tasks.push(Task::Effect(Word::new(Op::Flag).with_a(flag).with_x(1), next));
        self.tasks.push(Task::Bind(note));
        self.tasks.push(Task::Owner(node));
        note
    }

    fn flag(&self, node: NodeIndex, policy: Policy) -> Option<u16> {
        policy.notes_running().then(|| self.plan.flags.of_node[node as usize])
    }

    fn map(&mut self, node: NodeIndex, table: [To; 4], inner: Exits) -> Exits {
        let mut exits = inner;
        for (status, to) in table.into_iter().enumerate() {
            let label = match to {
                To::Same => continue,
                To::Status(Outcome::Failure) => inner.at(FAILURE),
                To::Status(Outcome::Success) => inner.at(SUCCESS),
                To::Status(Outcome::Running) => inner.at(RUNNING),
                To::Status(Outcome::Other(number)) => {
                    let label = self.asm.label();
                    self.tasks.push(Task::Effect(Word::new(Op::Other).with_ab(number), inner.at(OTHER)));
                    self.tasks.push(Task::Bind(label));
                    label
                }
            };
            exits = exits.with(status, label);
        }
        self.tasks.push(Task::Owner(node));
        exits
    }

    fn cooldown(&mut self, node: NodeIndex, slot: u16, duration: i32, rule: Cooling, inner: Exits) -> Exits {
        let slot = self.place(slot);
        let due = Word::new(Op::Due).with_x(rule.reached.into()).with_a(slot);
        self.asm.branch(due, inner.at(FAILURE));
        let mut exits = inner;
        for status in (0..ir::EXITS).filter(|status| rule.arms[*status]) {
            let ended = self.asm.label();
            self.tasks.push(Task::Jump(inner.at(status)));
            self.tasks.push(Task::Next(Word::new(Op::Arm).with_a(slot).with_bt(duration)));
            self.tasks.push(Task::Bind(ended));
            exits = exits.with(status, ended);
        }
        self.tasks.push(Task::Owner(node));
        exits
    }

    fn action(&mut self, node: NodeIndex, site: u32, gate: Option<u16>, exclusive: bool, inner: Exits) {
        let op = if exclusive { Op::ActExclusive } else { Op::Act };
        let act = Word::new(op).with_x(self.scope.column).with_a(site as u16).with_b(self.id(node));
        let Some(gate) = gate else {
            self.here(node, node + 1);
            return self.asm.exits(act, inner);
        };
        let shut = self.asm.label();
        let gate = self.place(gate);
        self.asm.branch(Word::new(Op::JumpBit).with_a(gate).with_x(1), shut);
        self.asm.exits(act, inner);
        self.asm.bind(shut);
        let leave = Word::new(Op::Leave).with_x(self.scope.column).with_b(self.id(node));
        self.asm.effect(leave, inner.at(FAILURE));
    }

    /// A leaf that writes something.
    fn write(&mut self, kind: Kind, out: Label) {
        let bit = |kind| kind == SlotKind::Bit;
        let word = match kind {
            Kind::Set(slot, expr) => {
                let is_bit = bit(self.module.slots[usize::from(slot)].kind);
                let word = Word::new(if is_bit { Op::SetBit } else { Op::Set });
                word.with_a(self.conditions[expr as usize]).with_b(self.place(slot))
            }
            Kind::Share(shared, way, expr) => {
                let is_bit = bit(self.module.shared[usize::from(shared)].kind);
                let word =
                    if is_bit { Word::new(Op::ShareBit) } else { Word::new(Op::Share).with_x(number(way)) };
                word.with_a(self.conditions[expr as usize]).with_b(shared)
            }
            Kind::Raise(event, scope) => Word::new(Op::Raise).with_x(scope_number(scope) as u8).with_a(event),
            _ => return,
        };
        self.asm.effect(word, out);
    }

    /// A call. There are not more blocks than nodes, so a block always fits.
    fn call(&mut self, unit: u32, exits: Exits) {
        self.calls.push(unit);
        self.asm.exits(Word::new(Op::Call).with_a(unit as u16), exits);
    }

    /// What follows belongs to this node.
    pub(super) fn owner(&mut self, node: NodeIndex) {
        self.asm.owner(node as u16 + 1);
    }

    /// The id that a node is known by: of itself, or of the tree that it includes.
    pub(super) fn id(&self, node: NodeIndex) -> u16 {
        self.module.identity(node) as u16 + 1
    }

    /// Where a slot of the module stands in the frame.
    pub(super) fn place(&self, slot: u16) -> u16 {
        self.frame.place[usize::from(slot)]
    }

    /// The label as a way on which a node ends; the label itself without debug information.
    fn end(&mut self, node: NodeIndex, status: usize, out: Label) -> Label {
        if !self.debug {
            return out;
        }
        let next = self.asm.ends(out);
        self.ends.push(DebugEnd { node: node as u16 + 1, status: status as u16, next });
        self.asm.through(out, self.ends.len() as u32)
    }
}

/// The number of a way to write shared variables.
fn number(way: How) -> u8 {
    match way {
        How::Assign => how::ASSIGN,
        How::Add => how::ADD,
        How::Min => how::MIN,
        How::Max => how::MAX,
    }
}
