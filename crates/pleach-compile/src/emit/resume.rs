//! Nodes that continue where they were.
//!
//! A tree whose nodes have memory begins with a `switch` on its position: an agent whose leaf runs
//! continues directly there. Each node at which an agent can continue adds a *case*: an interval
//! of node ids, and the place in the code. Such a node is a leaf, a decorator that begins its
//! child again, or a parallel.
//!
//! Some nodes must act before the running node inside them continues: a reactive selector tests its
//! earlier children, a timeout looks at the time. Such a node adds one case for all of its subtree,
//! and opens a *scope* with a `switch` of its own after its head:
//!
//! ```text
//!   while hungry { sequence { action seek  action eat } }      #1 while, #3 seek, #4 eat
//!
//!          switch  {1..4: head}
//!   head:  cond    hungry, else stop
//!          switch  {3: seek, 4: eat}
//!   seek:  actx    ...
//!   eat:   actx    ...
//!   stop:  halt    1..4 -> failure
//! ```
//!
//! A child of a parallel is a scope with a position of its own.

use super::emitter::Scope;
use super::{
    Amount, By, Emitter, Exits, FAILURE, Kind, Label, NodeIndex, OTHER, Op, Outcome, RUNNING, SUCCESS,
    SlotKind, Task, Times, Word,
};
use core::cmp::Reverse;
use pleach_image::format::ParallelRow;

impl Emitter<'_> {
    /// A condition that is asked each tick.
    pub(super) fn guarded(&mut self, node: NodeIndex, expr: u32, inner: Exits) {
        self.head(node);
        let stop = self.detour(node, self.halt(node), inner.at(FAILURE));
        self.asm.branch(self.cond(expr), stop);
        self.open(node + 1);
    }

    /// Returns the task that sets a timer.
    pub(super) fn armed(&self, slot: u16, duration: Amount) -> Task {
        match duration {
            Amount::Fixed(duration) => Task::Next(Word::new(Op::Arm).with_a(slot).with_bt(duration)),
            Amount::Computed(expr) => {
                Task::Then(Word::new(Op::Timer).with_a(self.conditions[expr as usize]).with_b(slot))
            }
        }
    }

    /// Returns the instruction that sets a counter.
    pub(super) fn counted(&self, slot: u16, count: Amount) -> Word {
        match count {
            Amount::Fixed(count) => Word::new(Op::Ticks).with_a(slot).with_b(count as u16),
            Amount::Computed(expr) => Word::new(Op::Set).with_a(self.conditions[expr as usize]).with_b(slot),
        }
    }

    pub(super) fn timeout(&mut self, node: NodeIndex, slot: u16, duration: Amount, inner: Exits) {
        let (slot, begin, alive) = (self.place(slot), self.asm.label(), self.asm.label());
        self.step(self.armed(slot, duration));
        self.asm.jump(begin);
        self.head(node);
        self.asm.branch(Word::new(Op::Due).with_x(1).with_a(slot), alive);
        self.asm.effect(self.halt(node), inner.at(FAILURE));
        self.asm.bind(alive);
        self.open(node + 1);
        self.asm.bind(begin);
    }

    /// Does the first child when the node begins and when the time has come, and then goes on in
    /// the second one.
    pub(super) fn every(&mut self, node: NodeIndex, slot: u16, times: [Amount; 2], inner: Exits) {
        let children = self.children_of(node);
        let (slot, service, go_on) = (self.place(slot), self.asm.label(), self.asm.label());
        let [first, interval] = times.map(|time| self.armed(slot, time));
        self.step(first);
        self.asm.jump(service);
        self.head(node);
        self.asm.branch(Word::new(Op::Due).with_x(1).with_a(slot), go_on);
        self.step(interval);
        self.asm.bind(service);
        if let [service, child] = *children {
            self.tasks.extend([Task::Node(child, inner), Task::Open(child), Task::Owner(node)]);
            self.tasks.extend([Task::Bind(go_on), Task::Node(service, Exits::new([go_on; 4]))]);
        }
    }

    /// Emits the begin of a child that is begun again. Returns where it is begun again: `spent` is
    /// behind the last time, `running` ends the tick.
    pub(super) fn again(&mut self, node: NodeIndex, times: Times, [spent, running]: [Label; 2]) -> Label {
        let begin = self.asm.label();
        let mut more = self.detour(node, self.park(node), running);
        if let Some((slot, times)) = times {
            let slot = self.place(slot);
            self.asm.then(self.counted(slot, times));
            let down = Task::Branch(Word::new(Op::Down).with_a(slot), more);
            more = self.put_off(node, [down, Task::Jump(spent)]);
        }
        self.asm.jump(begin);
        self.here(node, node + 1);
        self.asm.then(self.position(Op::Clear));
        self.asm.bind(begin);
        more
    }

    pub(super) fn choose(&mut self, node: NodeIndex, by: By, reactive: bool, inner: Exits) {
        let children = self.children_of(node);
        let mut exits = inner;
        if reactive {
            self.head(node);
            exits = self.leaving(node, self.halt(node), inner);
        }
        if children.is_empty() {
            self.asm.jump(inner.at(FAILURE));
        }
        match by {
            By::First(_) => {}
            By::Keeping { first, score, .. } => self.rate_kept(first, score, children),
            By::Value(slot, value, _) => {
                let kept = Word::new(Op::Set).with_a(self.conditions[value as usize]);
                self.asm.then(kept.with_b(self.place(slot)));
            }
            By::Highest(first) => self.rate(first, children.len()),
        }
        let mut next = None;
        for (index, child) in children.iter().enumerate().rev() {
            self.tasks.push(Task::Node(*child, exits));
            if reactive {
                self.tasks.push(Task::Open(*child));
            }
            if let Some(next) = next {
                let pick = match by {
                    By::First(first) | By::Value(_, _, first) => self.cond(self.test(first, index)),
                    By::Highest(_) | By::Keeping { .. } => Word::new(Op::Pick).with_b(index as u16),
                };
                self.tasks.push(Task::Branch(pick, next));
            }
            let entry = self.asm.label();
            self.tasks.extend([Task::Owner(node), Task::Bind(entry)]);
            next = Some(entry);
        }
    }

    /// Chooses among children by their scores.
    pub(super) fn rate(&mut self, first: u32, children: usize) {
        for index in 0..children {
            let rate = Word::new(Op::Rate).with_x(u8::from(index == 0));
            let score = self.conditions[self.test(first, index) as usize];
            self.asm.then(rate.with_a(score).with_b(index as u16));
        }
    }

    /// Chooses among children by their scores, each of which is first stored in a slot. That of the
    /// child that runs counts for more.
    fn rate_kept(&mut self, first: u32, slot: u16, children: &[NodeIndex]) {
        let condition = |emitter: &Self, index| emitter.conditions[emitter.test(first, index) as usize];
        for (index, child) in children.iter().enumerate() {
            let rate = Word::new(Op::Rate).with_x(u8::from(index == 0)).with_b(index as u16);
            let [other, running] = [0, 1].map(|which| condition(self, children.len() + which));
            let (plain, rated) = (self.asm.label(), self.asm.label());
            self.asm.then(Word::new(Op::Set).with_a(condition(self, index)).with_b(self.place(slot)));
            self.asm.branch(self.within_nodes(Op::Inside, *child, self.end_of(*child)), plain);
            self.asm.effect(rate.with_a(running), rated);
            self.asm.bind(plain);
            self.asm.then(rate.with_a(other));
            self.asm.bind(rated);
        }
    }

    /// The expression that is the condition or score of a child.
    pub(super) fn test(&self, first: u32, index: usize) -> u32 {
        self.module.tests[first as usize + index]
    }

    pub(super) fn parallel(
        &mut self,
        node: NodeIndex,
        columns: u16,
        counts: [u16; 2],
        early: bool,
        inner: Exits,
    ) {
        let children = self.children_of(node);
        let (row, first) = (self.parts.parallels.len() as u16, self.place(columns));
        self.row(node, first, children.len() as u16, counts);
        self.stop(node, inner.at(RUNNING));
        self.asm.then(self.park(node));
        self.asm.then(Word::new(Op::Fork).with_a(row));
        self.here(node, node + 1);
        let exits = self.decided(node, inner);
        let join = Word::new(Op::Join).with_a(row);
        let mut next = self.put_off(node, [Task::Scope(self.scope), Task::Exits(join, exits)]);
        for (index, child) in children.iter().enumerate().rev() {
            // Behind the last branch it is decided in any case.
            let decide = match early && index + 1 < children.len() {
                true => self.put_off(node, [Task::Exits(join, exits.with(RUNNING, next))]),
                false => next,
            };
            next = self.branch(node, first as u8 + index as u8, *child, [next, decide]);
        }
    }

    /// Returns the exits on which a decided parallel leaves its position.
    fn decided(&mut self, node: NodeIndex, inner: Exits) -> Exits {
        let clear = self.position(Op::Clear);
        let failed = self.detour(node, clear, inner.at(FAILURE));
        let succeeded = self.detour(node, clear, inner.at(SUCCESS));
        Exits::new([failed, succeeded, inner.at(RUNNING), failed])
    }

    /// Puts off a branch of a parallel, which leads to the next one, or to another place when it
    /// has ended. Gives where it begins.
    fn branch(&mut self, node: NodeIndex, column: u8, child: NodeIndex, [next, end]: [Label; 2]) -> Label {
        let position = |op| Word::new(op).with_x(column);
        let failed = self.detour(node, position(Op::Finish), end);
        let succeeded = self.detour(node, position(Op::Finish).with_a(1), end);
        let exits = Exits::new([failed, succeeded, next, failed]);
        let scope = Task::Scope(Scope { column, cases: None });
        let ended = Task::Branch(position(Op::Ended), next);
        self.put_off(node, [scope, ended, Task::Open(child), Task::Node(child, exits)])
    }

    /// The row of a parallel, with its positions in the order in which they are halted: branch by
    /// branch, each behind those inside it, so that what stands around a parallel in a branch ends
    /// after it.
    fn row(&mut self, node: NodeIndex, first: u16, branches: u16, [succeed, fail]: [u16; 2]) {
        let halts = self.parts.halts.len();
        let mut positions = Vec::new();
        for inside in node..self.end_of(node) {
            if let Kind::Parallel { columns, .. } = self.module.nodes[inside as usize].kind {
                let branches = self.module.children(inside).zip(self.place(columns)..);
                positions.extend(branches.map(|(node, place)| (self.end_of(node), Reverse(node), place)));
            }
        }
        positions.sort_unstable();
        self.parts.halts.extend(positions.into_iter().map(|(.., position)| position));
        self.parts.parallels.push(ParallelRow {
            node: node as u16 + 1,
            first,
            branches,
            succeed,
            fail,
            positions: (self.parts.halts.len() - halts) as u16,
            halts: halts as u32,
        });
    }

    /// Waits, and then goes on inside, if there is anything.
    pub(super) fn wait(
        &mut self,
        node: NodeIndex,
        timer: u16,
        length: Amount,
        inner: Exits,
    ) -> Option<Exits> {
        if node + 1 == self.end_of(node) {
            self.delay(node, timer, length, inner, inner.at(SUCCESS));
            return None;
        }
        let begin = self.asm.label();
        self.delay(node, timer, length, inner, begin);
        self.asm.bind(begin);
        Some(inner)
    }

    /// Goes on at the label when the time is over.
    fn delay(&mut self, node: NodeIndex, timer: u16, length: Amount, inner: Exits, then: Label) {
        if matches!(length, Amount::Fixed(..=0)) {
            return self.asm.jump(then);
        }
        let ticks = self.module.slots[usize::from(timer)].kind != SlotKind::Time;
        let timer = self.place(timer);
        let test = if ticks {
            self.asm.then(self.counted(timer, length));
            Word::new(Op::Down).with_a(timer)
        } else {
            self.step(self.armed(timer, length));
            Word::new(Op::Due).with_x(1).with_a(timer)
        };
        if matches!(length, Amount::Computed(_)) {
            // It may be over at once.
            return self.awaited(node, test, inner, then);
        }
        self.asm.effect(self.park(node), inner.at(RUNNING));
        self.here(node, node + 1);
        self.asm.branch(test, inner.at(RUNNING));
        self.asm.effect(self.position(Op::Clear), then);
    }

    /// Goes on at the label if the test holds, now or in a later tick.
    pub(super) fn awaited(&mut self, node: NodeIndex, test: Word, inner: Exits, then: Label) {
        let wait = self.asm.label();
        self.here(node, node + 1);
        self.asm.branch(test, wait);
        self.asm.effect(self.position(Op::Leave).with_b(self.id(node)), then);
        self.asm.bind(wait);
        self.asm.effect(self.park(node), inner.at(RUNNING));
    }

    /// Around a child that is run until it has ended once.
    pub(super) fn once(&mut self, node: NodeIndex, slot: u16, done: u32, inner: Exits) -> Exits {
        let slot = self.place(slot);
        self.asm.branch(Word::new(Op::JumpBit).with_x(1).with_a(slot), inner.at(FAILURE));
        let set = Word::new(Op::SetBit).with_a(self.conditions[done as usize]).with_b(slot);
        [FAILURE, SUCCESS].into_iter().fold(inner, |exits, status| {
            let ended = self.detour(node, set, inner.at(status));
            exits.with(status, ended)
        })
    }

    pub(super) fn constant(&mut self, node: NodeIndex, outcome: Outcome, inner: Exits) {
        match outcome {
            Outcome::Failure => self.asm.jump(inner.at(FAILURE)),
            Outcome::Success => self.asm.jump(inner.at(SUCCESS)),
            Outcome::Running => {
                self.asm.then(self.park(node));
                self.here(node, node + 1);
                self.asm.jump(inner.at(RUNNING));
            }
            Outcome::Other(number) => self.asm.effect(Word::new(Op::Other).with_ab(number), inner.at(OTHER)),
        }
    }
}
