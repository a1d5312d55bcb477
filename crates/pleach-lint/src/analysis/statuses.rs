//! Statuses that each node can return, and nodes that can never begin.
//!
//! A node's set of statuses depends on its kind and on the sets of its children. Children stand
//! behind their parent and blocks call only earlier blocks, so one pass over the blocks, each from
//! its last node to its first, computes all sets. A set may be too large, but never too small: if a
//! status is missing, no answer of the game makes the node return it. A second pass, from parents
//! to children, finds the nodes that can never begin.

use super::facts::Facts;
use super::range::Range;
use super::values::Values;
use pleach_compile::internals::ast::Role;
use pleach_compile::internals::ir::{
    Amount, By, EXITS, FAILURE, Kind, Module, NodeIndex, OTHER, Policy, RUNNING, SUCCESS, Start, Step,
};

/// Set of statuses: failure, success, running, and all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Set(u8);

impl Set {
    /// No status.
    pub const NONE: Self = Self(0);
    /// Failure.
    pub const FAILURE: Self = Self(1 << FAILURE);
    /// Success.
    pub const SUCCESS: Self = Self(1 << SUCCESS);
    /// Running.
    pub const RUNNING: Self = Self(1 << RUNNING);
    /// Statuses outside of the three, which only the host returns.
    pub const OTHER: Self = Self(1 << OTHER);
    /// All statuses.
    pub const ALL: Self = Self(15);
    /// Statuses that end a node.
    pub const ENDS: Self = Self(1 << FAILURE | 1 << SUCCESS | 1 << OTHER);

    /// Returns the set of one status, by its index in tables.
    #[must_use]
    pub fn of(exit: usize) -> Self {
        Self(1 << exit)
    }

    /// Returns the statuses that are in one of the sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the statuses that are in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the statuses that are not in the other set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns true if the sets share a status.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the set if the condition holds, otherwise no status.
    #[must_use]
    fn only_if(self, condition: bool) -> Self {
        if condition { self } else { Self::NONE }
    }

    /// Returns the statuses, by their indices in tables.
    fn exits(self) -> impl Iterator<Item = usize> {
        (0..EXITS).filter(move |exit| self.has(Self::of(*exit)))
    }
}

/// Statuses of all nodes of a program.
#[derive(Debug)]
pub struct Statuses {
    sets: Vec<Set>,
    begins: Vec<bool>,
}

impl Statuses {
    /// Returns the statuses that a node can return when it is entered.
    #[must_use]
    pub fn of(&self, node: NodeIndex) -> Set {
        self.sets[node as usize]
    }

    /// Returns true if a node can begin.
    #[must_use]
    pub fn begins(&self, node: NodeIndex) -> bool {
        self.begins[node as usize]
    }

    pub(super) fn new(
        module: &Module,
        values: &Values,
        facts: &Facts,
        is_opaque: &dyn Fn(NodeIndex) -> bool,
    ) -> Self {
        let count = module.nodes.len();
        let sets = vec![Set::NONE; count];
        let mut pass = Pass { module, values, facts, is_opaque, sets };
        for block in &module.blocks {
            for node in (block.root..module.nodes[block.root as usize].end).rev() {
                pass.sets[node as usize] = pass.set(node);
            }
        }
        let begins = pass.begins();
        Self { sets: pass.sets, begins }
    }
}

struct Pass<'a> {
    module: &'a Module,
    values: &'a Values,
    facts: &'a Facts,
    is_opaque: &'a dyn Fn(NodeIndex) -> bool,
    sets: Vec<Set>,
}

impl Pass<'_> {
    fn set(&self, node: NodeIndex) -> Set {
        let module = self.module;
        let child = self.only_child(node, Set::FAILURE);
        // In a dialect with interruption, nodes may run without having begun.
        let stopped = Set::RUNNING.only_if(module.interrupt.is_some());
        match module.nodes[node as usize].kind {
            Kind::Tree | Kind::Logged(_) => child,
            Kind::Composite(policy, start) => self.composite(node, policy, start).0.or(stopped),
            Kind::Map(table) => child
                .exits()
                .fold(Set::NONE, |all, exit| all.or(Set::of(module.maps[table as usize][exit].exit(exit)))),
            Kind::Guard(_) | Kind::While(_) => self.guarded(node),
            Kind::Cooldown { .. } | Kind::Once(..) | Kind::Limit(_) | Kind::Admit(_) => {
                child.or(Set::FAILURE)
            }
            Kind::Timeout { .. } => child.or(Set::FAILURE.only_if(child.has(Set::RUNNING.or(Set::OTHER)))),
            Kind::Again { again, times, spent, broken, eager } => {
                let [again, spent, broken] = [again, spent, broken].map(|exit| Set::of(exit.into()));
                let repeats = child.has(again);
                let breaks = child.without(again).has(Set::FAILURE.or(Set::SUCCESS));
                let breaks = breaks || eager && repeats && child.has(Set::OTHER);
                child
                    .and(Set::RUNNING.or(Set::OTHER))
                    .or(Set::RUNNING.or(spent.only_if(times.is_some())).only_if(repeats))
                    .or(broken.only_if(breaks))
            }
            Kind::Choose { .. } | Kind::Priority(_) | Kind::Machine(_) | Kind::Chain(_) => self.choices(node),
            Kind::Parallel { succeed, fail, .. } => self.parallel(node, succeed, fail).or(stopped),
            Kind::Perform { outcome, .. } => Set::of(outcome.into()).or(stopped),
            Kind::Filter { .. } => Set::ALL.without(Set::OTHER),
            Kind::Wait { length, .. } => {
                let after = self.only_child(node, Set::SUCCESS);
                after.or(Set::RUNNING.only_if(!matches!(length, Amount::Fixed(..=0))))
            }
            Kind::Constant(outcome) => Set::of(outcome.exit()),
            Kind::Until(_) => match self.facts.truth(node) {
                Some(true) => Set::SUCCESS,
                Some(false) => Set::RUNNING,
                None => Set::SUCCESS.or(Set::RUNNING),
            },
            Kind::Within(_) => self.only_child(node, Set::SUCCESS).or(Set::FAILURE),
            Kind::Wrap(_) => child.or(Set::ENDS),
            Kind::Shuffle { goes_on, .. } => self.shuffled(node, Set::of(goes_on.into())),
            Kind::Instant(_) => Set::FAILURE.or(Set::SUCCESS),
            Kind::Cleanup | Kind::Every { .. } => {
                module.children(node).nth(1).map_or(Set::FAILURE, |child| self.of(child))
            }
            Kind::Selection(_) => Set::FAILURE.or(Set::RUNNING).or(self.only_child(node, Set::SUCCESS)),
            Kind::Select(_) => Set::RUNNING,
            Kind::Call(block) => self.of(module.blocks[block as usize].root),
            Kind::Action { .. } | Kind::Steps | Kind::Rule(_) | Kind::Routine(_) => Set::ALL,
            Kind::Set(..) | Kind::Share(..) | Kind::Emit(_) | Kind::Start(..) | Kind::Note(..) => {
                Set::SUCCESS
            }
            Kind::Take { .. } | Kind::Tell(_) | Kind::Log(_) | Kind::Raise(..) => Set::SUCCESS,
        }
    }

    fn of(&self, node: NodeIndex) -> Set {
        self.sets[node as usize]
    }

    /// Returns the set of the first child, or another one if there is no child.
    fn only_child(&self, node: NodeIndex, otherwise: Set) -> Set {
        self.module.children(node).next().map_or(otherwise, |child| self.of(child))
    }

    /// Returns the statuses of a composite, and for each child if it can begin.
    fn composite(&self, node: NodeIndex, policy: Policy, start: Start) -> (Set, Vec<bool>) {
        let (mut set, mut begins) = (Set::NONE, Vec::new());
        // Possible at the next child: that no child is noted as running, and that some is.
        let (mut plain, mut noted) = (true, false);
        for child in self.module.children(node) {
            let statuses = self.of(child);
            plain |= start == Start::HighestMember;
            begins.push(plain || noted);
            // A child that runs is where the composite continues.
            let resumes = start == Start::Resume && (plain || noted) && statuses.has(Set::RUNNING);
            plain |= resumes;
            let (mut next_plain, mut next_noted) = (false, false);
            for exit in statuses.exits().filter(|_| plain || noted) {
                match policy.on[exit] {
                    Step::Next => {
                        next_plain |= plain;
                        next_noted |= noted;
                    }
                    Step::NextRunning => next_noted = true,
                    Step::End => set = set.or(Set::of(exit)),
                }
            }
            (plain, noted) = (next_plain, next_noted);
        }
        let last = Set::of(policy.last.into());
        (set.or(last.only_if(plain)).or(Set::RUNNING.only_if(noted)), begins)
    }

    fn guarded(&self, node: NodeIndex) -> Set {
        let is_guard = matches!(self.module.nodes[node as usize].kind, Kind::Guard(_));
        let inside = self.only_child(node, if is_guard { Set::SUCCESS } else { Set::FAILURE });
        match self.facts.truth(node) {
            Some(true) => inside,
            Some(false) => Set::FAILURE,
            None => inside.or(Set::FAILURE),
        }
    }

    fn choices(&self, node: NodeIndex) -> Set {
        let picked = self.picked(node);
        let children = self.module.children(node).zip(&picked).filter(|(_, picked)| **picked);
        let all = children.fold(Set::NONE, |all, (child, _)| all.or(self.of(child)));
        let fails = matches!(self.module.nodes[node as usize].kind, Kind::Priority(_)) || picked.is_empty();
        all.or(Set::FAILURE.only_if(fails))
    }

    /// Returns for each child of a choice if it can be chosen.
    fn picked(&self, node: NodeIndex) -> Vec<bool> {
        let count = self.module.children(node).count();
        match self.module.nodes[node as usize].kind {
            _ if (self.is_opaque)(node) => vec![true; count],
            Kind::Choose { by: By::First(first), .. } => picked_first(self.module, self.values, first, count),
            Kind::Choose { by: By::Value(_, value, first), .. } => {
                picked_by_value(self.module, self.values, value, first, count)
            }
            Kind::Choose { by: By::Highest(first) | By::Keeping { first, .. }, .. } => {
                picked_highest(&self.module.tests[first as usize..][..count], self.values)
            }
            _ => vec![true; count],
        }
    }

    fn parallel(&self, node: NodeIndex, succeed: u16, fail: u16) -> Set {
        let sets: Vec<_> = self.module.children(node).map(|child| self.of(child)).collect();
        let count = |fits: &dyn Fn(&Set) -> bool| sets.iter().filter(|set| fits(set)).count();
        let fails = Set::FAILURE.or(Set::OTHER);
        let (succeed, fail) = (usize::from(succeed), usize::from(fail));
        let can_succeed = succeed > 0 && count(&|set| set.has(Set::SUCCESS)) >= succeed;
        let all_end = !sets.is_empty() && count(&|set| set.has(Set::ENDS)) == sets.len();
        // If all end and too few have succeeded, the parallel fails.
        let sure = count(&|set| set.has(Set::SUCCESS) && !set.has(fails));
        let can_fail = fail > 0 && count(&|set| set.has(fails)) >= fail;
        let can_fail = can_fail || all_end && (succeed == 0 || sure < succeed);
        let can_run = sets.is_empty() || count(&|set| set.has(Set::RUNNING)) > 0;
        Set::SUCCESS.only_if(can_succeed).or(Set::FAILURE.only_if(can_fail)).or(Set::RUNNING.only_if(can_run))
    }

    fn shuffled(&self, node: NodeIndex, goes_on: Set) -> Set {
        let sets = || self.module.children(node).map(|child| self.of(child));
        let ends = sets().fold(Set::NONE, |all, set| all.or(set.without(goes_on)));
        ends.or(goes_on.only_if(sets().all(|set| set.has(goes_on))))
    }

    /// Returns for each node if it can begin.
    fn begins(&self) -> Vec<bool> {
        let module = self.module;
        let mut begins = vec![false; module.nodes.len()];
        let mut started = vec![false; module.blocks.len()];
        for (block, row) in module.blocks.iter().enumerate() {
            started[block] = row.role != Role::Main;
        }
        module.entries.iter().for_each(|entry| started[*entry as usize] = true);
        for block in (0..module.blocks.len()).rev() {
            let root = module.blocks[block].root;
            begins[root as usize] = started[block];
            for node in root..module.nodes[root as usize].end {
                if !begins[node as usize] {
                    continue;
                }
                if let Kind::Call(called) | Kind::Emit(called) = module.nodes[node as usize].kind {
                    started[called as usize] = true;
                }
                let children = self.children_that_begin(node);
                for (child, can_begin) in module.children(node).zip(children) {
                    begins[child as usize] = can_begin;
                }
            }
        }
        begins
    }

    fn children_that_begin(&self, node: NodeIndex) -> Vec<bool> {
        let count = self.module.children(node).count();
        match self.module.nodes[node as usize].kind {
            Kind::Composite(policy, start) => self.composite(node, policy, start).1,
            Kind::Guard(_) | Kind::While(_) => vec![self.facts.truth(node) != Some(false); count],
            Kind::Choose { .. } => self.picked(node),
            _ => vec![true; count],
        }
    }
}

/// Returns for each child of a choice by conditions if it can be chosen. Conditions that compare
/// one draw with ascending numbers are weights: a child between two equal numbers is never drawn.
fn picked_first(module: &Module, values: &Values, first: u32, count: usize) -> Vec<bool> {
    use pleach_compile::internals::ir::{Binary, Expr};
    let (mut picked, mut is_open, mut drawn) = (Vec::with_capacity(count), true, 0.0);
    for test in &module.tests[first as usize..][..count.saturating_sub(1)] {
        let truth = values.truth(*test).filter(|_| !values.constant[*test as usize]);
        let below = match module.exprs[*test as usize] {
            Expr::Binary(Binary::Less, left, right) => {
                match (module.exprs[left as usize], module.exprs[right as usize]) {
                    (Expr::Draw(_), Expr::Number(below)) => Some(below),
                    _ => None,
                }
            }
            _ => None,
        };
        let is_empty = below.is_some_and(|below| below <= drawn);
        drawn = below.unwrap_or(drawn);
        picked.push(is_open && truth != Some(false) && !is_empty);
        is_open &= truth != Some(true);
    }
    if count > 0 {
        picked.push(is_open);
    }
    picked
}

/// Returns for each child of a choice by value if the value can be that of its case.
fn picked_by_value(module: &Module, values: &Values, value: u32, first: u32, count: usize) -> Vec<bool> {
    use pleach_compile::internals::ir::Expr;
    let range = values.ranges[value as usize].to_int();
    let case = |test: &u32| match module.exprs[*test as usize] {
        Expr::Binary(_, _, case) => match module.exprs[case as usize] {
            Expr::Number(case) => range.contains(case),
            _ => true,
        },
        _ => true,
    };
    let tests = &module.tests[first as usize..][..count.saturating_sub(1)];
    let mut picked: Vec<_> = tests.iter().map(case).collect();
    if count > 0 {
        picked.push(true);
    }
    picked
}

/// Returns for each child of a choice by scores if its score can be the highest. Of equal scores
/// the first counts, and NaN counts lowest.
fn picked_highest(scores: &[u32], values: &Values) -> Vec<bool> {
    let ranges: Vec<Range> = scores.iter().map(|score| values.ranges[*score as usize]).collect();
    // The best of the least scores before and behind each child. A score that can be NaN is none.
    let floor = |range: &Range| if range.nan { f64::NEG_INFINITY } else { range.low };
    let mut before = Vec::with_capacity(ranges.len());
    let mut best = (f64::NEG_INFINITY, false);
    for range in &ranges {
        before.push(best);
        if !range.nan && (floor(range) > best.0 || !best.1) {
            best = (floor(range).max(best.0), true);
        }
    }
    let mut behind = f64::NEG_INFINITY;
    let mut picked = vec![true; ranges.len()];
    for (index, range) in ranges.iter().enumerate().rev() {
        let (earlier, is_known) = before[index];
        picked[index] = !(is_known && earlier >= range.high || behind > range.high);
        behind = behind.max(floor(range));
    }
    picked
}
