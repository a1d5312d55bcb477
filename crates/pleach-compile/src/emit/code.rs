//! Nodes to instructions.
//!
//! Nodes that go on where they were, and decorators that watch what runs inside them, are in
//! [`super::resume`].

use super::blocks::Unit;
use super::emitter::{Places, Scope};
use super::parking::parking;
use super::rules::is_rule;
use super::{
    Amount, Bump, Emitter, Exits, FAILURE, FrameLayout, Kind, Label, Memory, Module, NodeIndex, OTHER, Op,
    Outcome, Parts, Plan, RUNNING, Refused, SUCCESS, Task, Word, codes, limits, take,
};
use crate::ir::{self, Cooling, Policy, Start, Step, To};
use bumpalo::collections::Vec as ArenaVec;
use pleach_image::assemble::Code;
use pleach_image::format::BlockRow;
use pleach_image::isa;

/// Refuses calls of actions that do not fit into an image. `fitting` is the number of sites that
/// need no check.
pub(super) fn sites(module: &Module, fitting: u32) -> Result<(), Refused> {
    if fitting as usize == module.sites.len() {
        return Ok(());
    }
    module.nodes.iter().try_for_each(|node| {
        let check = |site: &u32| limits::site(module, *site, node.span).map(drop);
        match &node.kind {
            Kind::Action { site, .. }
            | Kind::Wrap(site)
            | Kind::Tell(site)
            | Kind::Select(site)
            | Kind::Instant(site)
            | Kind::Perform { site, .. } => check(site),
            Kind::Filter { enter, leave, .. } => leave.iter().chain([enter]).try_for_each(check),
            Kind::Rule(rule) => match &module.rules[*rule as usize].does {
                ir::Does::Act(site) => check(site),
                _ => Ok(()),
            },
            Kind::Routine(routine) => module.routines[*routine as usize].sites().try_for_each(check),
            _ => Ok(()),
        }
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
    arena: &Bump,
) -> Result<u32, Refused> {
    let place = |slot: Option<u16>| slot.map(|slot| frame.place[usize::from(slot)]);
    let mut emitter = Emitter {
        module,
        frame,
        plan,
        conditions,
        set: place(module.running),
        scope: Scope::default(),
        places: Places::new(),
        parking: parking(module, arena),
        asm: take(&mut memory.asm),
        parts: &mut memory.parts,
        debug,
        depths: ArenaVec::with_capacity_in(plan.units.len(), arena),
        depth: 0,
        tasks: ArenaVec::with_capacity_in(USUAL_DEPTH * 4, arena),
        arena,
    };
    emitter.begin();
    for unit in &plan.units {
        let row = emitter.block(*unit)?;
        emitter.parts.blocks.push(row);
        emitter.depths.push(take(&mut emitter.depth));
    }
    emitter.finish();
    let depth = emitter.depths.iter().copied().max().unwrap_or(0);
    memory.asm = emitter.asm;
    Ok(depth)
}

/// Few trees are deeper.
const USUAL_DEPTH: usize = 16;

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

    fn block(&mut self, Unit { node: root, halts }: Unit) -> Result<BlockRow, Refused> {
        let returns = [isa::FAILURE, isa::SUCCESS, isa::RUNNING, isa::OTHER].map(|_| self.asm.label());
        self.begin_tick(root);
        self.enter(root);
        if halts {
            self.halt_code(root, returns[SUCCESS]);
        } else {
            self.body(root, Exits::new(returns));
        }
        while let Some(task) = self.tasks.pop() {
            self.step(task);
        }
        self.asm.owner(0);
        for (status, label) in returns.into_iter().enumerate() {
            self.asm.bind(label);
            self.asm.end(status as u8);
        }
        let span = self.module.nodes[root as usize].span;
        let message = || {
            "a node of this tree has so many children that its code is larger than a jump can cross"
                .to_owned()
        };
        self.asm.finish_block().map_err(|_| (codes::TOO_LARGE, span, message()))
    }

    /// Begins a block.
    fn enter(&mut self, root: NodeIndex) {
        let column = self.plan.column(self.frame, root);
        self.scope = Scope { column, cases: None };
        self.places.clear();
        if is_rule(self.module, root) {
            self.places(root, None);
            self.arrive(root);
        }
        self.open(root);
    }

    pub(super) fn step(&mut self, task: Task) {
        match task {
            Task::Node(node, out) => self.node(node, out),
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
            Task::Operations(place) => self.operations(place),
            Task::Remember(node, labels, out) => self.remember(node, labels, out),
        }
    }

    /// Emits a node.
    fn node(&mut self, node: NodeIndex, out: Exits) {
        if self.stays(node, out) {
            self.body(node, out);
        }
    }

    /// Returns true if a node must be emitted in place. Emits a call of a node that has a block of
    /// its own. Code that control cannot reach is not emitted.
    #[inline(always)]
    fn stays(&mut self, node: NodeIndex, out: Exits) -> bool {
        if !self.places.is_empty() {
            self.arrive(node);
        }
        let reachable = self.asm.reachable();
        let Some(unit) = self.plan.unit_of(node).filter(|_| reachable) else { return reachable };
        self.here(node, self.end_of(node));
        let call = self.call(unit);
        self.asm.exits(call, out);
        false
    }

    /// Emits a node in place, and with it the first node inside, and so
    /// on. Later code becomes tasks.
    fn body(&mut self, mut node: NodeIndex, mut out: Exits) {
        while let Some(inner) = self.open_node(node, out) {
            (node, out) = (node + 1, inner);
            if !self.stays(node, out) {
                break;
            }
        }
    }

    /// Emits the code of a node before its children. If the first child is next, returns its exits.
    #[inline(always)]
    fn open_node(&mut self, node: NodeIndex, out: Exits) -> Option<Exits> {
        self.owner(node);
        let ir::Node { ref kind, end, .. } = self.module.nodes[node as usize];
        let inner = match *kind {
            Kind::Action { site, gate, exclusive } => {
                self.action(node, site, gate, exclusive, out);
                return None;
            }
            Kind::Call(block) => {
                let call = self.call(self.plan.unit_of_block[block as usize]);
                self.leave(node, call, None, out);
                return None;
            }
            Kind::Guard(expr) => {
                let inner = self.wrap(node, out);
                let condition = self.cond(expr);
                self.asm.branch(condition, inner.at(FAILURE));
                inner
            }
            Kind::Composite(policy, start) => {
                let inner = self.wrap(node, out);
                self.composite(node, policy, start, inner);
                return None;
            }
            Kind::Tree => self.wrap(node, out),
            _ => self.other(node, out)?,
        };
        if node + 1 < end {
            return Some(inner);
        }
        self.asm.jump(inner.at(SUCCESS));
        None
    }

    /// Does the work of [`Self::open_node`] for the less frequent nodes.
    fn other(&mut self, node: NodeIndex, out: Exits) -> Option<Exits> {
        let inner = self.wrap(node, out);
        match self.module.nodes[node as usize].kind {
            Kind::Timeout { slot, duration } => self.timeout(node, slot, duration, inner),
            Kind::Within(other) => self.within(other, inner),
            Kind::While(expr) => self.guarded(node, expr, inner),
            Kind::Limit(limiter) => {
                self.asm.branch(Word::new(Op::Ask).with_a(limiter), inner.at(FAILURE));
            }
            Kind::Map(table) => return Some(self.map(node, self.module.maps[table as usize], inner)),
            Kind::Cooldown { slot, duration, rule } => {
                return Some(self.cooldown(node, slot, duration, rule, inner));
            }
            Kind::Again { again, times, spent, broken, eager } => {
                let repeat = if eager { Self::again_at_once } else { Self::again };
                let more = repeat(self, node, times, [inner.at(spent.into()), inner.at(RUNNING)]);
                let (again, other) = (usize::from(again), FAILURE + SUCCESS - usize::from(again));
                return Some(inner.with(again, more).with(other, inner.at(broken.into())));
            }
            Kind::Wait { timer, length } => return self.wait(node, timer, length, inner),
            Kind::Once(slot, done) => return Some(self.once(node, slot, done, inner)),
            Kind::Wrap(site) => return Some(self.around_host(node, site, inner)),
            Kind::Admit(gate) => return Some(self.admitted(node, gate, inner)),
            Kind::Logged(logs) => return Some(self.logged(node, logs, inner)),
            Kind::Steps => return Some(self.steps(node, inner)),
            Kind::Filter { enter, leave, times } => {
                return Some(self.filter(node, enter, leave, times, inner));
            }
            Kind::Selection(expr) => return Some(self.selection(node, expr, inner)),
            _ => return self.apart(node, inner),
        }
        Some(inner)
    }

    /// Does the work of [`Self::other`] for leaves, and for nodes that put off each child by
    /// itself.
    fn apart(&mut self, node: NodeIndex, inner: Exits) -> Option<Exits> {
        match self.module.nodes[node as usize].kind {
            Kind::Constant(outcome) => self.constant(node, outcome, inner),
            Kind::Until(expr) => self.until(node, expr, inner),
            Kind::Tell(site) => self.tell(node, site, inner),
            Kind::Emit(block) => self.emit(node, block, inner),
            Kind::Choose { by, reactive } => self.choose(node, by, reactive, inner),
            Kind::Cleanup => self.cleanup(node, inner),
            Kind::Every { slot, first, interval } => {
                self.every(node, slot, [Amount::Computed(first), interval], inner)
            }
            Kind::Instant(site) => self.instant(node, site, inner),
            kind @ Kind::Shuffle { .. } => self.shuffle(node, kind, inner),
            Kind::Parallel { columns, succeed, fail, early } => {
                self.parallel(node, columns, [succeed, fail], early, inner);
            }
            Kind::Perform { site, outcome } => self.perform(node, site, inner, inner.at(outcome.into())),
            Kind::Priority(first) => self.priority(node, first, inner),
            Kind::Machine(slot) => self.machine(node, slot, inner),
            Kind::Select(site) => self.select(node, site, inner),
            Kind::Chain(chain) => self.chain(node, &self.module.chains[chain as usize], inner),
            Kind::Routine(routine) => self.routine(node, routine, inner),
            Kind::Rule(rule) => self.rule(node, self.module.rules[rule as usize], inner),
            _ => self.write(node, inner.at(SUCCESS)),
        }
        None
    }

    /// Emits a composite. Its children are put off; the exits of each lead to the next child or out
    /// of the composite.
    fn composite(&mut self, node: NodeIndex, policy: Policy, start: Start, inner: Exits) {
        let reactive = start == Start::Reactive;
        self.begin_or_stop(node, inner);
        let flag = (policy.notes_running() && !reactive).then(|| self.plan.flags.of_node[node as usize]);
        if let Some(flag) = flag {
            self.asm.then(Word::new(Op::Flag).with_a(flag));
        }
        let children = self.children_of(node);
        let entries = self.asm.labels(children.len());
        if let (Start::HighestMember, Some(set)) = (start, self.set) {
            for (index, child) in children.iter().enumerate().skip(1).rev() {
                let test = Word::new(Op::IfMember).with_a(set).with_b(self.id(*child));
                self.asm.branch(test, entries.at(index));
            }
        }
        let mut ends = inner;
        let mut stop = inner;
        if reactive {
            self.head(node);
            stop = self.leaving(node, self.halt(node), inner);
        }
        let mut next = self.last(flag, policy, inner);
        if children.is_empty() {
            self.asm.jump(next);
        }
        for (index, child) in children.iter().enumerate().rev() {
            let note =
                flag.map_or(next, |flag| self.detour(node, Word::new(Op::Flag).with_a(flag).with_x(1), next));
            let exits = [FAILURE, SUCCESS, RUNNING, OTHER].map(|status| match policy.on[status] {
                Step::End => ends.at(status),
                Step::Next => next,
                Step::NextRunning => note,
            });
            self.tasks.push(Task::Node(*child, Exits::new(exits)));
            if reactive {
                self.tasks.extend([Task::Open(*child), Task::Owner(node)]);
            }
            // When the last child ends, nothing else runs. When an earlier child ends, a later one
            // may.
            (next, ends) = (entries.at(index), stop);
            self.tasks.push(Task::Bind(next));
        }
    }

    /// Returns the label for control after the last child. With a flag, the flag decides between
    /// running and the final status.
    fn last(&mut self, flag: Option<u16>, policy: Policy, inner: Exits) -> Label {
        let last = inner.at(policy.last.into());
        let Some(flag) = flag else { return last };
        let label = self.asm.label();
        let running = Task::Branch(Word::new(Op::JumpFlag).with_a(flag), inner.at(RUNNING));
        self.tasks.extend([Task::Jump(last), running, Task::Bind(label)]);
        label
    }

    fn map(&mut self, node: NodeIndex, table: [To; 4], inner: Exits) -> Exits {
        let mut exits = inner;
        for (status, to) in table.into_iter().enumerate() {
            let label = match to {
                To::Status(Outcome::Other(number)) => {
                    self.detour(node, Word::new(Op::Other).with_ab(number), inner.at(OTHER))
                }
                to => inner.at(to.exit(status)),
            };
            exits = exits.with(status, label);
        }
        self.tasks.push(Task::Owner(node));
        exits
    }

    fn cooldown(
        &mut self,
        node: NodeIndex,
        slot: u16,
        duration: Amount,
        rule: Cooling,
        inner: Exits,
    ) -> Exits {
        let slot = self.place(slot);
        let due = Word::new(Op::Due).with_x(rule.reached.into()).with_a(slot);
        self.asm.branch(due, inner.at(FAILURE));
        let mut exits = inner;
        for status in (0..ir::EXITS).filter(|status| rule.arms[*status]) {
            let armed = self.armed(slot, duration);
            let ended = self.put_off(node, [armed, Task::Jump(inner.at(status))]);
            exits = exits.with(status, ended);
        }
        exits
    }
}
