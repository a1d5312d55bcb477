//! What all trees have come to, and what an operation does to a tree.
//!
//! Operations may be given from hooks, so one may come while a tree is being executed. Others it reaches at once: their
//! status changes and their hooks are called. What it would change of their agents waits until no tree is being executed,
//! for the crowd is in use till then. The tree that is being executed is interrupted, if the operation does that, and
//! follows it when its execution has ended.

use super::hook::{Hook, Hooks, Moment};
use super::orders::{Operation, Orders, Unknown, Whom};
use super::{Problem, Trouble};
use crate::agents::Agent;
use crate::life::Life;
use crate::panics::caught;
use crate::program::forests::Table;
use crate::program::{Parts, Program};
use alloc::sync::Arc;
use alloc::{vec, vec::Vec};
use pleach_image::format::face;

/// Most operations on trees in one update: more wait for the next. Hooks that give orders for each order could go on for ever.
const MOST: usize = 1 << 16;

/// A tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tree {
    pub(super) life: Life,
    pub(super) agent: Option<Agent>,
    /// Whether its agent is not what the operations have made of it.
    pub(super) stale: bool,
}

/// The tree that is being executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub(super) tree: usize,
    /// Whether it has been told to do what interrupts it.
    pub(super) interrupted: bool,
}

/// All trees.
#[derive(Debug)]
pub(super) struct Board {
    parts: Arc<Parts>,
    pub(super) orders: Orders,
    pub(super) trees: Vec<Tree>,
    /// How many trees of each forest are there.
    there: Vec<u32>,
    pub(super) running: Option<Running>,
    /// What the tree that is being executed will follow.
    later: Vec<Operation>,
    /// Whether some agent is not what the operations have made of it.
    pub(super) stale: bool,
    /// How many operations may still be followed in this update.
    left: usize,
    pub(super) problems: Vec<Problem>,
    /// Scratch for finding out where a tree goes on.
    pub(super) columns: Vec<u32>,
}

impl Board {
    pub(super) fn new(program: &Program) -> Result<Self, Unknown> {
        let table = &program.parts.forests;
        if table.forests.is_empty() {
            return Err(Unknown::Forests);
        }
        let tree = Tree { life: Life::destructed(), agent: None, stale: false };
        Ok(Self {
            orders: Orders::new(program),
            trees: vec![tree; table.trees.len()],
            there: vec![0; table.forests.len()],
            parts: program.parts.clone(),
            running: None,
            later: Vec::new(),
            stale: false,
            left: 0,
            problems: Vec::new(),
            columns: Vec::new(),
        })
    }

    pub(super) fn table(&self) -> &Table {
        &self.parts.forests
    }

    /// An update begins.
    pub(super) fn begin(&mut self) {
        self.left = MOST;
        self.problems.clear();
    }

    /// Follows the orders that wait. Those for the tree that is being executed are put off.
    pub(super) fn follow<H: Hooks + ?Sized>(&mut self, host: &mut H) {
        while self.left > 0
            && let Some((what, whom)) = self.orders.next()
        {
            // It could be given, so the trees are there.
            let trees = self.orders.trees(whom).unwrap_or_default();
            let alone = matches!(whom, Whom::Tree(..));
            for tree in trees {
                self.left = self.left.saturating_sub(1);
                match &mut self.running {
                    Some(running) if running.tree == tree => {
                        running.interrupted |= what.interrupts();
                        self.later.push(what);
                    }
                    _ => self.perform(what, tree, alone, host),
                }
            }
        }
    }

    /// The execution of a tree has ended: it follows what was put off.
    pub(super) fn catch_up<H: Hooks + ?Sized>(&mut self, host: &mut H) {
        let Some(Running { tree, .. }) = self.running.take() else { return };
        let mut later = core::mem::take(&mut self.later);
        for what in later.drain(..) {
            self.perform(what, tree, true, host);
        }
        self.later = later;
        self.follow(host);
    }

    /// What an operation does to a tree that is not being executed.
    fn perform<H: Hooks + ?Sized>(&mut self, what: Operation, tree: usize, alone: bool, host: &mut H) {
        let exists = self.trees[tree].life.exists();
        match what {
            Operation::Load if !exists => self.load(tree, host),
            Operation::Load => {}
            // An operation on a whole forest, or on all, is about the trees that are there.
            _ if !exists => self.trouble(tree, alone, Trouble::Destroyed { operation: what }),
            Operation::Play { target, mode } => self.trees[tree].life.play(target, mode),
            Operation::Resume => self.trees[tree].life.resume(),
            Operation::Pause { sync } => self.change(tree, Life::pause, sync, Moment::Pause, host),
            Operation::Stop { sync } => self.change(tree, Life::stop, sync, Moment::Stop, host),
            Operation::Reset { sync } => {
                self.renew(tree);
                self.change(tree, Life::reset, sync, Moment::Reset, host);
            }
            Operation::Destroy => self.destroy(tree, host),
        }
    }

    fn load<H: Hooks + ?Sized>(&mut self, tree: usize, host: &mut H) {
        self.trees[tree].life = Life::default();
        self.renew(tree);
        let forest = self.table().forest_of(tree);
        self.there[forest] += 1;
        if self.there[forest] == 1 {
            self.tell(host, forest, None, Moment::Construct);
        }
        self.tell_all(host, tree, Moment::Construct);
    }

    fn destroy<H: Hooks + ?Sized>(&mut self, tree: usize, host: &mut H) {
        self.tell_all(host, tree, Moment::Destruct);
        self.trees[tree].life = Life::destructed();
        self.renew(tree);
        let forest = self.table().forest_of(tree);
        self.there[forest] -= 1;
        if self.there[forest] == 0 {
            self.tell(host, forest, None, Moment::Destruct);
        }
    }

    fn change<H: Hooks + ?Sized>(
        &mut self,
        tree: usize,
        to: fn(&mut Life),
        sync: bool,
        moment: Moment,
        host: &mut H,
    ) {
        if !sync {
            to(&mut self.trees[tree].life);
        }
        self.tell_all(host, tree, moment);
        if sync {
            to(&mut self.trees[tree].life);
        }
    }

    /// There can be no agent for a tree.
    pub(super) fn give_up(&mut self, tree: usize) {
        self.trees[tree].life = Life::destructed();
        let forest = self.table().forest_of(tree);
        self.there[forest] -= 1;
        self.trouble(tree, true, Trouble::Full);
    }

    /// The agent of a tree is to begin anew, or to come or go.
    fn renew(&mut self, tree: usize) {
        self.trees[tree].stale = true;
        self.stale = true;
    }

    pub(super) fn trouble(&mut self, tree: usize, told: bool, trouble: Trouble) {
        if told {
            let forest = self.table().forest_of(tree);
            let index = (tree - self.table().trees_of(forest).start) as u32;
            self.problems.push(Problem { forest: forest as u32, tree: index, trouble });
        }
    }

    /// Tells all nodes of a tree that hear of it, from the root down.
    fn tell_all<H: Hooks + ?Sized>(&mut self, host: &mut H, tree: usize, moment: Moment) {
        let parts = self.parts.clone();
        let forest = parts.forests.forest_of(tree);
        for (index, node) in (0..).zip(parts.forests.nodes(tree)) {
            if matches!(node.role, face::ROOT | face::DECORATOR | face::CONDITION | face::ACTION) {
                self.tell(host, forest, Some((tree, index)), moment);
            }
        }
    }

    /// Tells the host of a moment. If it panics, that is the trouble of the tree.
    pub(super) fn tell<H: Hooks + ?Sized>(
        &mut self,
        host: &mut H,
        forest: usize,
        node: Option<(usize, u32)>,
        moment: Moment,
    ) {
        let hook = Hook { table: &self.parts.forests, forest, node, moment };
        if caught(|| host.hook(&hook)).is_err() {
            let tree = node.map_or(self.table().trees_of(forest).start, |(tree, _)| tree);
            self.trouble(tree, true, Trouble::Panicked);
        }
    }
}
