//! Nodes to instructions.
//!
//! Nodes that go on where they were, and decorators that watch what runs inside them, are in [`super::resume`].

use super::blocks::Plan;
use super::ends::Remember;
use super::resume::{self, Scope};
use super::rules::Places;
use super::{Memory, Refused, operand};
use crate::ast::Role;
use crate::codes;
use crate::ir::{
    self, Cooling, FAILURE, Kind, Module, NodeIndex, OTHER, Outcome, Policy, RUNNING, SUCCESS, Start, Step,
    To,
};
use crate::layout::FrameLayout;
use core::mem::take;
use pleach_image::assemble::{Assembler, Cases, Code, Exits, Head, Label, Labels, Statuses};
use pleach_image::format::{BlockRow, Parts};
use pleach_image::isa::{self, Op, Word};

/// Whether all actions are among the host calls that an operand can tell apart.
fn sites(module: &Module) -> Result<(), Refused> {
    if module.sites.len() <= usize::from(u16::MAX) {
        return Ok(());
    }
    module.nodes.iter().try_for_each(|node| match node.kind {
        Kind::Action { site, .. }
        | Kind::Wrap(site)
        | Kind::Rule(ir::Rule { does: ir::Does::Act(site), .. }) => {
            operand(site as usize, "host calls", node.span).map(drop)
        }
        _ => Ok(()),
    })
}

/// Emits every block of the plan. Tells how deep calls nest.
pub(super) fn emit(
    module: &Module,
    frame: &FrameLayout,
    plan: &Plan,
    conditions: &[u16],
    debug: bool,
    memory: &mut Memory,
) -> Result<u32, Refused> {
    sites(module)?;
    let place = |slot: Option<u16>| slot.map(|slot| frame.place[usize::from(slot)]);
    let mut emitter = Emitter {
        module,
        frame,
        plan,
        conditions,
        set: place(module.running),
        scope: Scope::default(),
        places: Places::new(),
        parking: resume::parking(module),
        asm: take(&mut memory.asm),
        parts: &mut memory.parts,
        debug,
        depths: Vec::with_capacity(plan.units.len()),
        depth: 0,
        tasks: Vec::new(),
        composites: Vec::new(),
        children: Vec::new(),
    };
    emitter.begin();
    for unit in &plan.units {
        let row = emitter.block(unit.root)?;
        emitter.parts.blocks.push(row);
        emitter.depths.push(take(&mut emitter.depth));
    }
    emitter.finish();
    let depth = emitter.depths.iter().copied().max().unwrap_or(0);
    memory.asm = emitter.asm;
    Ok(depth)
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
    /// Put down what a node remembers.
    Remember(Remember),
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
    pub(super) set: Option<u16>,
    /// The position that what is emitted goes by, and the cases of its `switch`.
    pub(super) scope: Scope,
    /// Where the rules of the block begin.
    pub(super) places: Places,
    /// See [`resume::parking`].
    pub(super) parking: Vec<u32>,
    pub(super) asm: Assembler,
    pub(super) parts: &'a mut Parts,
    /// Whether it is written down which nodes end where.
    pub(super) debug: bool,
    /// How deep the calls of each block nest.
    pub(super) depths: Vec<u32>,
    /// How deep those of this block do.
    pub(super) depth: u32,
    pub(super) tasks: Vec<Task>,
    /// Composites around what is being emitted, outermost first.
    composites: Vec<Composite>,
    /// Scratch for the children of one.
    children: Vec<NodeIndex>,
}

impl Emitter<'_> {
    /// Begins all code.
    fn begin(&mut self) {
        let Parts { code, debug_words, debug_edges, tables, cases, debug_ends, .. } = &mut *self.parts;
        let (words, owners, edges) = (take(code), take(debug_words), take(debug_edges));
        let (tables, cases) = (take(tables), take(cases));
        let nodes = self.module.nodes.len();
        if self.debug {
            debug_ends.reserve(nodes * 4);
        }
        self.asm.begin(Code { words, owners, edges, tables, cases }, nodes, self.debug);
    }

    /// Ends all code.
    fn finish(&mut self) {
        self.parts.wrappers.sort_unstable_by_key(|row| row.node);
        let Code { words, owners, edges, tables, cases } = self.asm.finish();
        (self.parts.code, self.parts.debug_words, self.parts.debug_edges) = (words, owners, edges);
        (self.parts.tables, self.parts.cases) = (tables, cases);
    }

    fn block(&mut self, root: NodeIndex) -> Result<BlockRow, Refused> {
        let returns = [isa::FAILURE, isa::SUCCESS, isa::RUNNING, isa::OTHER].map(|_| self.asm.label());
        if self.module.blocks.iter().any(|block| block.root == root && block.role == Role::Main) {
            self.begin_tick();
        }
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
            Task::Then(word) => self.asm.then(word),
            Task::Again(head, spent) => self.asm.again(head, spent),
            Task::Case(cases, node) => self.case(cases, node),
            Task::HaltOutside(node, child) => self.halt_outside(node, child),
            Task::Effect(word, exit) => self.asm.effect(word, exit),
            Task::Jump(exit) => self.asm.jump(exit),
            Task::Branch(word, exit) => self.asm.branch(word, exit),
            Task::Fault => self.asm.fault(),
            Task::Remember(remember) => self.remember(&remember),
        }
        None
    }

    /// Emits a node, unless control cannot get there. A node that has a block of its own is called. What is inside
    /// the node is left to the caller.
    fn node(&mut self, node: NodeIndex, out: Exits) -> Option<Inner> {
        self.arrive(node);
        if !self.asm.reachable() {
            return None;
        }
        let Some(unit) = self.plan.unit_of(node) else { return self.body(node, out) };
        self.here(node, self.module.nodes[node as usize].end);
        let call = self.call(unit);
        self.asm.exits(call, out);
        None
    }

    /// Emits a node in place, but for what is inside.
    fn body(&mut self, node: NodeIndex, out: Exits) -> Option<Inner> {
        self.owner(node);
        match self.module.nodes[node as usize].kind {
            Kind::Action { site, gate, exclusive } => self.action(node, site, gate, exclusive, out),
            Kind::Call(block) => {
                let call = self.call(self.plan.unit_of_block[block as usize]);
                self.leave(node, call, None, out);
            }
            _ => return self.around(node, out),
        }
        None
    }

    /// As [`Self::body`], of a node that is not one instruction with four exits.
    fn around(&mut self, node: NodeIndex, out: Exits) -> Option<Inner> {
        let (inner, remember) = self.wrap(node, out);
        let ir::Node { ref kind, end, .. } = self.module.nodes[node as usize];
        let exits = match *kind {
            Kind::Set(..)
            | Kind::Share(..)
            | Kind::Raise(..)
            | Kind::Start(..)
            | Kind::Note(..)
            | Kind::Log(_) => {
                self.write(node, *kind, inner.at(SUCCESS));
                return self.leaf(remember);
            }
            Kind::Until(expr) => {
                self.until(node, expr, inner);
                return self.leaf(remember);
            }
            Kind::Emit(block) => {
                self.emit(node, block, inner);
                return self.leaf(remember);
            }
            Kind::Priority(first) => {
                self.later(remember);
                return self.priority(node, first, inner);
            }
            Kind::Machine(slot) => {
                self.later(remember);
                return self.machine(node, slot, inner);
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
            Kind::Again { again, times, spent, broken, eager: true } => {
                self.later(remember);
                return self.again_at_once(node, again, times, [spent, broken], inner);
            }
            Kind::Again { again, times, spent, broken, eager: false } => {
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
            Kind::Within(other) => {
                self.later(remember);
                self.within(other, inner);
                inner
            }
            Kind::Wrap(site) => {
                self.later(remember);
                self.around_host(node, site, inner)
            }
            Kind::Admit(gate) => {
                self.later(remember);
                self.admitted(node, gate, inner)
            }
            Kind::Logged(logs) => {
                self.later(remember);
                self.logged(node, logs, inner)
            }
            Kind::Rule(rule) => {
                self.later(remember);
                return self.rule(node, rule, inner.with(OTHER, out.at(OTHER)));
            }
            Kind::Steps => {
                self.later(remember);
                self.steps(node, inner)
            }
            Kind::Tree | Kind::Action { .. } | Kind::Call(_) => {
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
        let mut children = take(&mut self.children);
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
}
