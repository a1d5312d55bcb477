//! The fused program: the same meaning in fewer and faster steps.
//!
//! Control only goes forward, so the instructions of a block are a graph without cycles. It is
//! built from the last word to the first, so that whatever an instruction leads to is there
//! already, in its final form, when the instruction is looked at. On the way
//!
//! * jumps vanish: what leads to one leads where it leads;
//! * conditions become tests in place ([`super::branch`]);
//! * common sequences become one step ([`Graph::fused`]), such as all that a
//!   leaf does to run for some ticks.
//!
//! Then the graph is laid out anew. A step and the one that follows it stand side by side; of the
//! two ways out of a test, the one that leads to a further test comes next, so that a selector
//! whose children all fail walks straight on.
//!
//! The fused program has at most a few steps for each word: a condition that several instructions
//! share is repeated only so often ([`Repetitions`]).

use super::branch::{Goal, Leaf, Repetitions, branches};
use super::calc::{Expressions, Range};
use super::class::{Branch, Control, Write};
use super::known::{Fact, Stores};
use super::ladder::{Ladder, MOST, fits};
use super::put::Put;
use super::shortcuts::{Shortcut, Shortcuts};
use super::step::{Span, Step};
use super::steps::Code;
use super::table::{Case, NONE, Table};
use alloc::{vec, vec::Vec};
use pleach_image::isa::{FAILURE, OTHER, RUNNING, SUCCESS};

/// Most cases of a `switch` that becomes tests.
const FEW: usize = 2;

/// Number of steps that are looked at for what is known at the first of them. Chains of tests can
/// be long, and each test begins one.
const FARTHEST: usize = 16;

/// Tests that the four cases of a byte take together if one step does their work.
const WORTH: u32 = 6;

/// Makes the fused program from the plain one.
pub(crate) fn fuse(plain: &Code, expressions: &Expressions, shortcuts: Shortcuts) -> Code {
    let mut graph = Graph {
        plain,
        expressions,
        nodes: Vec::with_capacity(plain.steps.len()),
        of_word: vec![NONE; plain.steps.len()],
        repetitions: Repetitions::new(plain.steps.len(), expressions),
        ladders: Vec::new(),
        room: plain.steps.len() * 4,
        cases: Vec::new(),
    };
    for exit in [FAILURE, SUCCESS, RUNNING, OTHER] {
        graph.nodes.push(FuseNode { step: Step::Return { exit }, next: NONE });
    }
    for at in (0..plain.steps.len()).rev() {
        graph.of_word[at] = graph.word(at);
    }
    if shortcuts.has(Shortcut::IntervalSearch) {
        graph.chains();
    }
    (0..graph.nodes.len() as u32).rev().for_each(|node| graph.byte(node));
    graph.lay_out()
}

/// A step whose ways out are nodes.
#[derive(Clone, Copy)]
struct FuseNode {
    step: Step,
    /// Node where control continues if it does not go to the target; [`NONE`] if it always does.
    next: u32,
}

struct Graph<'a> {
    plain: &'a Code,
    expressions: &'a Expressions,
    nodes: Vec<FuseNode>,
    /// For each word, its node.
    of_word: Vec<u32>,
    repetitions: Repetitions,
    /// Chains of tests; their targets are nodes.
    ladders: Vec<Ladder>,
    /// Number of stores that may still be repeated.
    room: usize,
    /// Targets of steps that test a byte, as nodes.
    cases: Vec<[u32; 4]>,
}

impl Graph<'_> {
    /// Returns the node of a word. All words after it must have their nodes already.
    fn word(&mut self, at: usize) -> u32 {
        let next = self.of_word.get(at + 1).copied().unwrap_or(NONE);
        let mut step = self.plain.steps[at];
        if let Some(target) = step.target_mut() {
            *target = self.of_word[*target as usize];
        }
        match step {
            Step::Jump { target } => target,
            // The first nodes are those of the exits.
            Step::Return { exit } => exit.into(),
            Step::Control(Control::Cond { condition, target }) => {
                let range = self.expressions.ranges[usize::from(condition)];
                if self.repetitions.put(condition, range) {
                    self.condition(range, next, target)
                } else {
                    self.add(step, next)
                }
            }
            Step::Switch { column, table } => self.switch(at, column, table, next),
            Step::Branch { branch: Branch::Inside { column, low, high }, target } if low <= high => {
                // Nodes are ids from 1, so an interval of them is never all numbers.
                let span = Span { low, span: high - low }.complement();
                self.add(Step::Half { column: column.get(), span, target }, next)
            }
            _ => {
                let next = if step.falls() { next } else { NONE };
                self.add(step, next)
            }
        }
    }

    /// Returns the node of a `switch`. A `switch` with few cases becomes tests, but not at the
    /// beginning of a block: there its table identifies agents that only wait.
    fn switch(&mut self, at: usize, column: u32, table: u32, next: u32) -> u32 {
        let Table::Sparse(cases) = &self.plain.tables[table as usize] else { return next };
        let node = |case: &&Case| self.of_word[case.target as usize];
        let cases: Vec<_> = cases.iter().filter(|case| node(case) != next).copied().collect();
        let begins = self.plain.blocks.binary_search(&(at as u32)).is_ok();
        if !cases.is_empty() && (begins || cases.len() > FEW) {
            return self.add(Step::Switch { column, table }, next);
        }
        cases.iter().rev().fold(next, |next, case| {
            let span = Span { low: case.low, span: case.high - case.low };
            let target = self.of_word[case.target as usize];
            self.add(Step::Half { column, span, target }, next)
        })
    }

    /// Returns the first node of a condition that leads to `yes` or `no`.
    fn condition(&mut self, range: Range, yes: u32, no: u32) -> u32 {
        let branches = branches(&self.expressions.code, range);
        let mut nodes = vec![NONE; branches.len()];
        for (index, branch) in branches.iter().enumerate().rev() {
            let node = |goal: Goal| match goal {
                Goal::Branch(later) => nodes[later as usize],
                Goal::Value(true) => yes,
                Goal::Value(false) => no,
            };
            let (yes, no) = (node(branch.yes), node(branch.no));
            nodes[index] = match branch.leaf {
                Leaf::Always(true) => yes,
                Leaf::Always(false) => no,
                Leaf::Test(mut step) => {
                    if let Some(target) = step.target_mut() {
                        *target = yes;
                    }
                    self.add(step, no)
                }
            };
        }
        nodes.first().copied().unwrap_or(yes)
    }

    fn add(&mut self, step: Step, next: u32) -> u32 {
        let (mut step, mut next) = self.fused(step, next);
        let facts = [true, false].map(|holds| Fact::of_test(step, holds));
        let asks = matches!(step, Step::Query { .. } | Step::Value { .. });
        let is_test = step.negated().is_some() && !asks;
        if let (Some(target), [Some(on), Some(off)]) = (step.target_mut(), facts) {
            *target = self.behind(Some(on), *target);
            next = self.behind(Some(off), next);
        }
        if is_test && step.target_mut().is_some_and(|target| *target == next) {
            return next;
        }
        let node = self.push(step, next);
        if next == NONE { self.behind(None, node) } else { node }
    }

    fn push(&mut self, step: Step, next: u32) -> u32 {
        self.nodes.push(FuseNode { step, next });
        self.nodes.len() as u32 - 1
    }

    /// Returns the node that does the work of a node where something is known. Tests that are
    /// decided there are left out, and stores that make no difference; the stores between them are
    /// repeated.
    fn behind(&mut self, known: Option<Fact>, node: u32) -> u32 {
        let (mut stores, mut at, mut shortest) = (Stores::new(known), node, None);
        for _ in 0..FARTHEST {
            let FuseNode { mut step, next } = self.nodes[at as usize];
            let result = stores.decide(step);
            let Some(target) = step.target_mut().map(|target| *target) else { break };
            let shortens = match result {
                Some(_) => true,
                None if Stores::takes(step) => stores.push(step),
                None => break,
            };
            at = if result == Some(false) { next } else { target };
            if shortens {
                shortest = Some((at, stores.steps.len()));
            }
        }
        let Some((at, count)) = shortest.filter(|(_, count)| *count <= self.room) else { return node };
        self.room -= count;
        stores.steps[..count].iter().rev().fold(at, |at, step| {
            let mut step = *step;
            if let Some(target) = step.target_mut() {
                *target = at;
            }
            let (step, next) = self.fused(step, NONE);
            self.push(step, next)
        })
    }

    fn at(&self, node: u32) -> Option<FuseNode> {
        self.nodes.get(node as usize).copied()
    }

    /// Returns a step that does the work of this step and of those after it.
    fn fused(&self, step: Step, next: u32) -> (Step, u32) {
        let runs = |target: u32| target == u32::from(RUNNING);
        let cleared = match self.at(next).map(|node| node.step) {
            Some(Step::PutHalf { column, value: 0, target }) => Some((column, target)),
            _ => None,
        };
        let rest = |target: u32| match self.at(target).map(|node| node.step) {
            Some(Step::Rest { column, node }) => Some((column, node)),
            _ => None,
        };
        let step = match (step, cleared) {
            (Step::Park { column, node, target }, _) if runs(target) => Step::Rest { column, node },
            (Step::Branch { branch: Branch::Down { column: timer }, target }, Some((column, after)))
                if runs(target) =>
            {
                return (Step::Tick { timer: timer.get(), column, target: after }, NONE);
            }
            (Step::Due { column: timer, reached: true, target }, Some((column, after))) if runs(target) => {
                return (Step::Until { timer, column, target: after }, NONE);
            }
            (Step::PutHalf { column: timer, value: count, target }, _) => match rest(target) {
                // The node is stored over the number.
                Some((column, node)) if column == timer => Step::Rest { column, node },
                Some((column, node)) => Step::RestTicks { timer, count, column, node },
                None => step,
            },
            (Step::Arm { column: timer, duration, target }, _) => match rest(target) {
                Some((column, node)) => Step::RestTime { timer, duration, column, node },
                None => step,
            },
            (Step::Write { write, target }, _) => self.put(write, target).unwrap_or(step),
            _ => step,
        };
        (step, next)
    }

    /// Returns the step that puts the value of an expression into a
    /// column, if the value is a constant.
    fn put(&self, write: Write, target: u32) -> Option<Step> {
        let (kind, expression, column) = write.stored()?;
        Some(Put::of(kind, column, self.expressions.constant(expression)?)?.step(target))
    }

    /// Makes one step of several tests of a byte, if that is worth it. The tests behind the first
    /// one stay, because other steps may lead to them.
    fn byte(&mut self, first: u32) {
        let Step::U8 { column, .. } = self.nodes[first as usize].step else { return };
        let mut tests = 0;
        let cases = [0, 1, 2, 3].map(|number| {
            let (fact, mut at) = (Fact::of_case(column, number), first);
            for _ in 0..FARTHEST {
                let FuseNode { mut step, next } = self.nodes[at as usize];
                let (Some(holds), Some(target)) = (fact.decides(step), step.target_mut()) else { break };
                at = if holds { *target } else { next };
                tests += 1;
            }
            at
        });
        if tests >= WORTH && !cases.contains(&first) {
            let exits = (self.plain.exits.len() + self.cases.len()) as u32;
            self.nodes[first as usize] = FuseNode { step: Step::Cases { column, exits }, next: NONE };
            self.cases.push(cases);
        }
    }

    /// Turns long chains of tests into ladders. Tests within a chain stay, because
    /// other steps may lead to them.
    fn chains(&mut self) {
        // The targets of a node come before it. So when a test is reached, its longest chain is
        // known: the number of tests, and whether the chain continues at the target.
        let mut chains = vec![(0_u32, false); self.nodes.len()];
        for (node, FuseNode { step, next }) in self.nodes.iter().enumerate() {
            let mut step = *step;
            if let (true, Some(target)) = (fits(step), step.target_mut()) {
                let [on, off] =
                    [*target, *next].map(|node| chains.get(node as usize).map_or(0, |chain| chain.0));
                chains[node] = (on.max(off) + 1, on > off);
            }
        }
        let mut inside = vec![false; self.nodes.len()];
        for node in (0..self.nodes.len()).rev() {
            if chains[node].0 > 0 && !inside[node] {
                self.chain(node as u32, &chains, &mut inside);
            }
        }
    }

    /// Turns the chain that begins at a node into a ladder, if it is worth it.
    fn chain(&mut self, first: u32, chains: &[(u32, bool)], inside: &mut [bool]) {
        let (mut tests, mut targets, mut node) = (Vec::new(), Vec::new(), first);
        while tests.len() < MOST && chains.get(node as usize).is_some_and(|chain| chain.0 > 0) {
            inside[node as usize] = true;
            let FuseNode { mut step, next } = self.nodes[node as usize];
            let Some(target) = step.target_mut().map(|target| *target) else { break };
            let goes_on = chains[node as usize].1;
            // A chain goes on where its tests do not hold.
            tests.push(if goes_on { step.negated().unwrap_or(step) } else { step });
            (node, _) = if goes_on { (target, targets.push(next)) } else { (next, targets.push(target)) };
        }
        targets.push(node);
        if let Some(ladder) = Ladder::of(&tests, &targets) {
            let step = Step::Ladder { ladder: self.ladders.len() as u32 };
            self.nodes[first as usize] = FuseNode { step, next: NONE };
            self.ladders.push(ladder);
        }
    }

    /// Puts nodes into an order in which each that goes on at the next step has it there.
    fn lay_out(mut self) -> Code {
        let mut layout = Layout { steps: Vec::new(), at: vec![NONE; self.nodes.len()], open: Vec::new() };
        for block in &self.plain.blocks {
            layout.open.push(self.of_word[*block as usize]);
            while let Some(node) = layout.open.pop() {
                self.place(&mut layout, node);
            }
        }
        let Layout { mut steps, at, .. } = layout;
        for target in steps.iter_mut().filter_map(Step::target_mut) {
            *target = at[*target as usize];
        }
        let step = |word: u32| at[self.of_word[word as usize] as usize];
        let case = |case: &Case| Case { target: step(case.target), ..*case };
        let table = |table: &Table| match table {
            Table::Sparse(cases) => Table::of(&cases.iter().map(case).collect::<Vec<_>>()),
            Table::Dense { .. } => table.clone(),
        };
        let mut ladders = core::mem::take(&mut self.ladders);
        for target in ladders.iter_mut().flat_map(|ladder| &mut ladder.targets) {
            *target = at[*target as usize];
        }
        let cases = self.cases.iter().map(|cases| cases.map(|node| at[node as usize]));
        Code {
            ladders,
            exits: self.plain.exits.iter().map(|exits| exits.map(step)).chain(cases).collect(),
            tables: self.plain.tables.iter().map(table).collect(),
            blocks: self.plain.blocks.iter().map(|block| step(*block)).collect(),
            heads: self.plain.heads.iter().map(|head| step(*head)).collect(),
            steps,
        }
    }

    /// Places a node and all that follow it side by side; where else they lead is left open.
    fn place(&mut self, layout: &mut Layout, first: u32) {
        let mut node = first;
        while node != NONE && layout.at[node as usize] == NONE {
            self.choose(layout, node);
            let FuseNode { mut step, next } = self.nodes[node as usize];
            layout.at[node as usize] = layout.steps.len() as u32;
            layout.steps.push(step);
            self.leads(layout, step);
            let target = step.target_mut().map(|target| *target);
            if next == NONE {
                node = target.unwrap_or(NONE);
                continue;
            }
            layout.open.extend(target);
            if layout.at[next as usize] != NONE {
                layout.steps.push(Step::Jump { target: next });
            }
            node = next;
        }
    }

    /// Turns a test round if it is better that control goes on at its target.
    fn choose(&mut self, layout: &Layout, node: u32) {
        let FuseNode { mut step, next } = self.nodes[node as usize];
        let (Some(mut negated), Some(target)) = (step.negated(), step.target_mut()) else { return };
        if next == NONE {
            return;
        }
        let placed = |node: u32| layout.at[node as usize] != NONE;
        let tests = |node: u32| self.nodes[node as usize].step.negated().is_some();
        let turn = match (placed(*target), placed(next)) {
            (false, true) => true,
            (true, _) => false,
            (false, false) => tests(*target) || !tests(next),
        };
        if turn {
            let target = *target;
            if let Some(other) = negated.target_mut() {
                *other = next;
            }
            self.nodes[node as usize] = FuseNode { step: negated, next: target };
        }
    }

    /// Leaves open where a step with more than two ways out leads.
    fn leads(&self, layout: &mut Layout, step: Step) {
        let node = |word: &u32| self.of_word[*word as usize];
        match step {
            Step::Ask { exits, .. } | Step::Control(Control::Call { exits, .. }) => {
                layout.open.extend(self.plain.exits[exits as usize].iter().rev().map(node));
            }
            // A loop may begin behind its first step if what that does is known.
            Step::Control(Control::Again { head, .. }) => {
                layout.open.push(node(&self.plain.heads[head as usize]));
            }
            Step::Ladder { ladder } => layout.open.extend(&self.ladders[ladder as usize].targets),
            Step::Cases { exits, .. } => {
                layout.open.extend(self.cases[exits as usize - self.plain.exits.len()].iter().rev());
            }
            Step::Switch { table, .. } => {
                if let Table::Sparse(cases) = &self.plain.tables[table as usize] {
                    layout.open.extend(cases.iter().rev().map(|case| node(&case.target)));
                }
            }
            // All others lead to their target alone.
            _ => {}
        }
    }
}

/// Steps in their order.
struct Layout {
    /// Their targets are still nodes.
    steps: Vec<Step>,
    /// For each node, its step.
    at: Vec<u32>,
    /// Nodes to be placed.
    open: Vec<u32>,
}

#[cfg(test)]
mod tests;
