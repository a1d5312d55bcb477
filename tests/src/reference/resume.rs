//! Nodes that continue at their running descendants.
//!
//! A *position* holds the running node: a leaf, or a node that waits for its next turn. A node is
//! *active* while the position of its branch holds a node of its subtree. A node that is not active
//! begins.

use super::frame::{Position, stored};
use super::{Halt, Tick, call};
use pleach_compile::internals::ir::{Amount, By, FAILURE, How, Kind, NodeIndex, Outcome, SUCCESS, SlotKind};

impl Tick<'_, '_> {
    pub(super) fn at(&self) -> Position {
        self.frame.positions[usize::from(self.position)]
    }

    pub(super) fn put(&mut self, position: Position) {
        self.frame.positions[usize::from(self.position)] = position;
    }

    /// Returns true if this node itself is running.
    pub(super) fn runs(&self, node: NodeIndex) -> bool {
        self.at() == Position::At(node)
    }

    /// Returns true if something in this subtree runs, in a dialect that resumes.
    pub(super) fn active(&self, node: NodeIndex) -> bool {
        let end = self.module.nodes[node as usize].end;
        self.module.resumes && matches!(self.at(), Position::At(at) if (node..end).contains(&at))
    }

    /// Makes the node the running one, and halts the running node.
    pub(super) fn take_place(&mut self, node: NodeIndex) {
        if let Position::At(before) = self.at()
            && before != node
        {
            // Nodes around both continue.
            let shared = |at: &NodeIndex| {
                *at <= before.min(node) && before.max(node) < self.module.nodes[*at as usize].end
            };
            let common = (0..=before.min(node)).rev().find(shared);
            self.halt(self.position, common.map_or(0, |it| it + 1), Halt::Interrupted);
        }
        self.put(Position::At(node));
    }

    /// Halts everything that runs in a subtree.
    pub(super) fn halt_inside(&mut self, node: NodeIndex) {
        if self.active(node) {
            self.halt(self.position, node, Halt::Interrupted);
        }
    }

    /// Halts the running node of a position, and the nodes around it from the node `low` on,
    /// innermost first.
    pub(super) fn halt(&mut self, position: u16, low: NodeIndex, why: Halt) {
        let at = core::mem::take(&mut self.frame.positions[usize::from(position)]);
        let Position::At(node) = at else { return };
        match self.module.nodes[node as usize].kind {
            Kind::Action { site, .. } | Kind::Select(site) => {
                let call = call(self.module, self.frame, self.agent, node, site);
                self.host.halt(self.frame, &call, why);
            }
            Kind::Parallel { columns, .. } => {
                let branches: Vec<_> = self.module.children(node).collect();
                for (column, branch) in (columns..).zip(branches) {
                    self.halt(column, branch, why);
                }
            }
            _ => {}
        }
        for around in (low..node).rev() {
            let goes_by = super::crowd::position_of(self.module, around) == usize::from(position);
            if goes_by && node < self.module.nodes[around as usize].end {
                self.close(around, why);
            }
        }
    }

    pub(super) fn monitored(&mut self, node: NodeIndex, condition: u32) -> Outcome {
        if self.holds(node, condition) {
            return self.only_child(node);
        }
        self.halt_inside(node);
        Outcome::Failure
    }

    pub(super) fn timeout(&mut self, node: NodeIndex, slot: usize, duration: Amount) -> Outcome {
        if !self.active(node) {
            self.arm(node, slot, duration);
        } else if i128::from(self.now) >= self.frame.times[slot] {
            self.halt_inside(node);
            return Outcome::Failure;
        }
        self.only_child(node)
    }

    pub(super) fn every(&mut self, node: NodeIndex, slot: usize, first: u32, interval: Amount) -> Outcome {
        let is_due = i128::from(self.now) >= self.frame.times[slot];
        let time = if self.active(node) { interval } else { Amount::Computed(first) };
        if !self.active(node) || is_due {
            self.arm(node, slot, time);
            self.run(node + 1);
        }
        let child = self.module.children(node).nth(1);
        child.map_or(Outcome::Failure, |child| self.run(child))
    }

    /// Asks the host beside the leaf that runs.
    pub(super) fn instant(&mut self, node: NodeIndex, site: u32) -> Outcome {
        match self.perform_call(node, site, true) {
            Outcome::Success => Outcome::Success,
            _ => Outcome::Failure,
        }
    }

    pub(super) fn again(
        &mut self,
        node: NodeIndex,
        again: Outcome,
        times: Option<(u16, Amount)>,
        [spent, broken]: [Outcome; 2],
        eager: bool,
    ) -> Outcome {
        let was_running = self.active(node) && !self.runs(node);
        if self.runs(node) {
            self.put(Position::Nothing);
        } else if let Some((slot, times)) = times
            && !self.active(node)
        {
            self.count(node, slot.into(), times);
        }
        let mut outcome = self.only_child(node);
        if outcome != Outcome::Success && outcome != Outcome::Failure {
            return outcome;
        }
        if outcome != again {
            return broken;
        }
        if let Some((slot, _)) = times {
            let left = &mut self.frame.numbers[usize::from(slot)];
            *left = (*left - 1.0).max(0.0);
            if *left == 0.0 {
                return spent;
            }
        }
        if eager && was_running {
            self.rounds += 1;
            outcome = self.only_child(node);
            if outcome != again {
                return if outcome == Outcome::Running { outcome } else { broken };
            }
        }
        self.take_place(node);
        Outcome::Running
    }

    pub(super) fn limited(&mut self, node: NodeIndex, limiter: usize) -> Outcome {
        let limiter = self.module.limiters[limiter];
        if self.active(node) || self.frame.bits[usize::from(limiter.granted)] {
            return self.only_child(node);
        }
        self.frame.bits[usize::from(limiter.wants)] = true;
        Outcome::Failure
    }

    pub(super) fn choose(&mut self, node: NodeIndex, by: By, reactive: bool) -> Outcome {
        let children: Vec<_> = self.module.children(node).collect();
        let active = children.iter().copied().find(|child| self.active(*child));
        let chosen = match (active, reactive) {
            (Some(child), false) => Some(child),
            _ => self.pick(node, by, &children),
        };
        let outcome = chosen.map_or(Outcome::Failure, |child| self.run(child));
        if reactive && outcome != Outcome::Running {
            self.halt_inside(node);
        }
        outcome
    }

    pub(super) fn shuffle(
        &mut self,
        node: NodeIndex,
        goes_on: Outcome,
        [done, left]: [usize; 2],
        scores: u32,
    ) -> Outcome {
        let children: Vec<_> = self.module.children(node).collect();
        if !self.active(node) {
            self.frame.bits[done..][..children.len()].fill(false);
            self.frame.numbers[left] = children.len() as f64;
        }
        loop {
            let active = children.iter().copied().find(|child| self.active(*child));
            let next = active.or_else(|| self.pick(node, By::Highest(scores), &children));
            let Some(child) = next else { return goes_on };
            let outcome = self.run(child);
            if outcome != goes_on {
                return outcome;
            }
            let index = children.iter().position(|it| *it == child).unwrap_or_default();
            self.frame.bits[done + index] = true;
            self.frame.numbers[left] -= 1.0;
            if self.frame.numbers[left] == 0.0 {
                return goes_on;
            }
            self.rounds += 1;
        }
    }

    fn pick(&mut self, node: NodeIndex, by: By, children: &[NodeIndex]) -> Option<NodeIndex> {
        let (last, others) = children.split_last()?;
        match by {
            By::First(first) | By::Value(_, _, first) => {
                if let By::Value(slot, value, _) = by {
                    self.frame.numbers[usize::from(slot)] = stored(SlotKind::I32, self.number(node, value));
                }
                let mut tests = (first..).zip(others);
                let hit = tests.find(|(test, _)| {
                    let expr = self.module.tests[*test as usize];
                    self.holds(node, expr)
                });
                Some(hit.map_or(*last, |(_, child)| *child))
            }
            By::Keeping { first, keep, .. } => {
                let kept = |score: f64| score + score.abs().min(f64::MAX / 1000.0) * f64::from(keep) / 100.0;
                let mut best = (children[0], f64::NAN);
                for (test, child) in (first..).zip(children) {
                    let mut score = self.number(node, self.module.tests[test as usize]);
                    if self.active(*child) {
                        score = kept(score);
                    }
                    if score > best.1 || (best.1.is_nan() && !score.is_nan()) {
                        best = (*child, score);
                    }
                }
                Some(best.0)
            }
            By::Highest(first) => {
                let mut best = (children[0], f64::NAN);
                for (test, child) in (first..).zip(children) {
                    let score = self.number(node, self.module.tests[test as usize]);
                    if score > best.1 || (best.1.is_nan() && !score.is_nan()) {
                        best = (*child, score);
                    }
                }
                Some(best.0)
            }
        }
    }

    pub(super) fn parallel(
        &mut self,
        node: NodeIndex,
        columns: u16,
        (counts, early): ([u16; 2], bool),
    ) -> Outcome {
        let children: Vec<_> = self.module.children(node).collect();
        let branches: Vec<_> = (columns..).zip(&children).collect();
        if !self.runs(node) {
            if self.stopped(node) {
                return Outcome::Running;
            }
            self.take_place(node);
            for (column, _) in &branches {
                self.frame.positions[usize::from(*column)] = Position::Nothing;
            }
        }
        let mut decided = None;
        for (index, (column, child)) in branches.iter().enumerate() {
            let ran = self.branch(*column, **child);
            if index + 1 == branches.len() || early && ran {
                decided = self.decided(columns, branches.len(), counts);
                if decided.is_some() {
                    break;
                }
            }
        }
        let Some(outcome) = decided else { return Outcome::Running };
        branches.iter().for_each(|(column, child)| self.halt(*column, **child, Halt::Interrupted));
        self.put(Position::Nothing);
        outcome
    }

    /// Returns the result of a parallel's branches, if it is decided.
    fn decided(&self, columns: u16, branches: usize, [succeed, fail]: [u16; 2]) -> Option<Outcome> {
        let columns = usize::from(columns)..usize::from(columns) + branches;
        let ended = |how| {
            let positions = self.frame.positions[columns.clone()].iter();
            positions.filter(|position| **position == Position::Ended(how)).count()
        };
        let (succeeded, failed) = (ended(true), ended(false));
        if succeed > 0 && succeeded >= usize::from(succeed) {
            Some(Outcome::Success)
        } else if (fail > 0 && failed >= usize::from(fail)) || succeeded + failed == branches {
            Some(Outcome::Failure)
        } else {
            None
        }
    }

    /// Ticks a branch that has not ended. Returns true if it ends now.
    fn branch(&mut self, column: u16, child: NodeIndex) -> bool {
        if matches!(self.frame.positions[usize::from(column)], Position::Ended(_)) {
            return false;
        }
        let outer = core::mem::replace(&mut self.position, column);
        let outcome = self.run(child);
        self.position = outer;
        if outcome != Outcome::Running {
            self.frame.positions[usize::from(column)] = Position::Ended(outcome == Outcome::Success);
        }
        outcome != Outcome::Running
    }

    pub(super) fn wait(&mut self, node: NodeIndex, timer: usize, length: Amount) -> Outcome {
        if self.runs(node) {
            if !self.is_over(timer) {
                return Outcome::Running;
            }
            self.put(Position::Nothing);
        } else if !matches!(length, Amount::Fixed(..=0)) && !self.active(node) {
            match self.counts_ticks(timer) {
                true => self.count(node, timer, length),
                false => self.arm(node, timer, length),
            }
            if matches!(length, Amount::Fixed(_)) || !self.is_over(timer) {
                self.take_place(node);
                return Outcome::Running;
            }
        }
        self.child(node).unwrap_or(Outcome::Success)
    }

    pub(super) fn once(&mut self, node: NodeIndex, slot: usize) -> Outcome {
        if self.frame.bits[slot] && !self.active(node) {
            return Outcome::Failure;
        }
        let outcome = self.only_child(node);
        self.frame.bits[slot] |= matches!(outcome, Outcome::Success | Outcome::Failure);
        outcome
    }

    /// Sets a counter.
    fn count(&mut self, node: NodeIndex, slot: usize, count: Amount) {
        let count = match count {
            Amount::Fixed(count) => count.into(),
            Amount::Computed(expr) => self.number(node, expr),
        };
        self.frame.numbers[slot] = stored(SlotKind::U16, count);
    }

    fn counts_ticks(&self, timer: usize) -> bool {
        self.module.slots[timer].kind != SlotKind::Time
    }

    /// Returns true if the time of a wait is over. This tick counts.
    fn is_over(&mut self, timer: usize) -> bool {
        if !self.counts_ticks(timer) {
            return i128::from(self.now) >= self.frame.times[timer];
        }
        self.frame.numbers[timer] -= 1.0;
        self.frame.numbers[timer] <= 0.0
    }

    pub(super) fn constant(&mut self, node: NodeIndex, outcome: Outcome) -> Outcome {
        if outcome == Outcome::Running {
            self.take_place(node);
        }
        outcome
    }

    pub(super) fn set(&mut self, node: NodeIndex, slot: usize, expr: u32) -> Outcome {
        let row = self.module.slots[slot];
        if row.kind.is_word() {
            self.frame.words[slot] = self.word(node, expr);
            return Outcome::Success;
        }
        let value = self.number(node, expr);
        match row.kind {
            SlotKind::Bit => {
                let before = core::mem::replace(&mut self.frame.bits[slot], value != 0.0);
                if let (Some(changes), Some(_)) = (self.module.changes, row.name) {
                    self.frame.bits[usize::from(changes.live)] |= before != (value != 0.0);
                }
            }
            kind => self.frame.numbers[slot] = stored(kind, value),
        }
        Outcome::Success
    }

    pub(super) fn share(&mut self, node: NodeIndex, shared: u16, how: How, expr: u32) -> Outcome {
        let value = if self.module.shared[usize::from(shared)].kind.is_word() {
            self.word(node, expr)
        } else {
            self.number(node, expr).to_bits()
        };
        self.world.write(self.agent, self.group, shared.into(), how, value);
        Outcome::Success
    }

    /// Sets a timer to the current time plus a duration.
    pub(super) fn arm(&mut self, node: NodeIndex, slot: usize, duration: Amount) {
        let duration = match duration {
            Amount::Fixed(duration) => duration,
            Amount::Computed(expr) => (self.number(node, expr) as i32).max(0),
        };
        let due = i128::from(self.now) + i128::from(duration);
        self.frame.times[slot] = due.max(self.frame.epoch.into());
    }

    pub(super) fn only_child(&mut self, node: NodeIndex) -> Outcome {
        self.child(node).unwrap_or(Outcome::Failure)
    }
}

/// Returns the outcome that an index of a table stands for.
pub(super) fn ended(exit: u8) -> Outcome {
    match usize::from(exit) {
        FAILURE => Outcome::Failure,
        SUCCESS => Outcome::Success,
        _ => unreachable!("a child is begun again when it has ended"),
    }
}
