//! Statuses of all trees, and the effects of operations on a tree.
//!
//! An operation may be given from a hook, so it may come while a tree is being executed. For other
//! trees it takes effect at once: their status changes, and their hooks are called. Only the
//! changes to their agents wait until no tree is being executed, because the crowd is in use until
//! then. The tree that is being executed is interrupted, if the operation interrupts trees. The
//! operation takes effect on it when its execution has ended.

use super::orders::{OperationQueue, TreeOperation, TreeSelector, UnknownTree};
use super::{TreeError, TreeErrorKind};
use crate::engine::parts::Parts;
use crate::host::panics::caught;
use crate::host::{ForestHost, Hook, HookKind};
use crate::layout::forests::ForestTable;
use crate::life::Life;
use crate::program::Program;
use crate::values::Agent;
use alloc::sync::Arc;
use alloc::{vec, vec::Vec};
use pleach_image::format::face;

/// Maximum number of operations on trees in one update. Further ones wait for the next update.
/// Without this limit, hooks that give an operation for each operation could go on for ever.
const MOST: usize = 1 << 16;

/// A tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForestTree {
    pub(super) life: Life,
    pub(super) agent: Option<Agent>,
    /// True if operations on the tree have not reached its agent yet.
    pub(super) stale: bool,
}

/// The tree that is being executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunningTree {
    pub(super) tree: usize,
    /// True if an operation interrupts the tree.
    pub(super) interrupted: bool,
}

/// All trees.
#[derive(Debug)]
pub(super) struct Board {
    parts: Arc<Parts>,
    pub(super) orders: OperationQueue,
    pub(super) trees: Vec<ForestTree>,
    /// Number of loaded trees of each forest.
    there: Vec<u32>,
    pub(super) running: Option<RunningTree>,
    /// Operations that wait for the end of the execution under way.
    later: Vec<TreeOperation>,
    /// True if operations on some tree have not reached its agent yet.
    pub(super) stale: bool,
    /// Number of operations that may still be performed in this update.
    left: usize,
    pub(super) errors: Vec<TreeError>,
    /// Scratch for finding out where a tree goes on.
    pub(super) columns: Vec<u32>,
}

impl Board {
    pub(super) fn new(program: &Program) -> Result<Self, UnknownTree> {
        let table = &program.parts.forests;
        if table.forests.is_empty() {
            return Err(UnknownTree::Forests);
        }
        let tree = ForestTree { life: Life::destructed(), agent: None, stale: false };
        Ok(Self {
            orders: OperationQueue::new(program),
            trees: vec![tree; table.trees.len()],
            there: vec![0; table.forests.len()],
            parts: program.parts.clone(),
            running: None,
            later: Vec::new(),
            stale: false,
            left: 0,
            errors: Vec::new(),
            columns: Vec::new(),
        })
    }

    pub(super) fn table(&self) -> &ForestTable {
        &self.parts.forests
    }

    /// Begins an update.
    pub(super) fn begin(&mut self) {
        self.left = MOST;
        self.errors.clear();
    }

    /// Follows the orders that wait. Those for the tree that is being executed are put off.
    pub(super) fn follow<H: ForestHost + ?Sized>(&mut self, host: &mut H) {
        while self.left > 0
            && let Some((what, whom)) = self.orders.next()
        {
            // The operation was accepted, so the trees exist.
            let trees = self.orders.trees(whom).unwrap_or_default();
            let alone = matches!(whom, TreeSelector::Tree(..));
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

    /// Ends the execution of a tree, and performs the operations that were deferred.
    pub(super) fn catch_up<H: ForestHost + ?Sized>(&mut self, host: &mut H) {
        let Some(RunningTree { tree, .. }) = self.running.take() else { return };
        let mut later = core::mem::take(&mut self.later);
        for what in later.drain(..) {
            self.perform(what, tree, true, host);
        }
        self.later = later;
        self.follow(host);
    }

    /// Performs an operation on a tree that is not being executed.
    fn perform<H: ForestHost + ?Sized>(
        &mut self,
        what: TreeOperation,
        tree: usize,
        alone: bool,
        host: &mut H,
    ) {
        let exists = self.trees[tree].life.exists();
        match what {
            TreeOperation::Load if !exists => self.load(tree, host),
            TreeOperation::Load => {}
            // An operation on a whole forest, or on all forests, ignores trees that are not loaded.
            _ if !exists => self.fail(tree, alone, TreeErrorKind::Destroyed { operation: what }),
            TreeOperation::Play { target, mode } => self.trees[tree].life.play(target, mode),
            TreeOperation::Resume => self.trees[tree].life.resume(),
            TreeOperation::Pause { sync } => self.change(tree, Life::pause, sync, HookKind::Pause, host),
            TreeOperation::Stop { sync } => self.change(tree, Life::stop, sync, HookKind::Stop, host),
            TreeOperation::Reset { sync } => {
                self.renew(tree);
                self.change(tree, Life::reset, sync, HookKind::Reset, host);
            }
            TreeOperation::Destroy => self.destroy(tree, host),
        }
    }

    fn load<H: ForestHost + ?Sized>(&mut self, tree: usize, host: &mut H) {
        self.trees[tree].life = Life::default();
        self.renew(tree);
        let forest = self.table().forest_of(tree);
        self.there[forest] += 1;
        if self.there[forest] == 1 {
            self.tell(host, forest, None, HookKind::Construct);
        }
        self.tell_all(host, tree, HookKind::Construct);
    }

    fn destroy<H: ForestHost + ?Sized>(&mut self, tree: usize, host: &mut H) {
        self.tell_all(host, tree, HookKind::Destruct);
        self.trees[tree].life = Life::destructed();
        self.renew(tree);
        let forest = self.table().forest_of(tree);
        self.there[forest] -= 1;
        if self.there[forest] == 0 {
            self.tell(host, forest, None, HookKind::Destruct);
        }
    }

    fn change<H: ForestHost + ?Sized>(
        &mut self,
        tree: usize,
        to: fn(&mut Life),
        sync: bool,
        kind: HookKind,
        host: &mut H,
    ) {
        if !sync {
            to(&mut self.trees[tree].life);
        }
        self.tell_all(host, tree, kind);
        if sync {
            to(&mut self.trees[tree].life);
        }
    }

    /// There can be no agent for a tree.
    pub(super) fn give_up(&mut self, tree: usize) {
        self.trees[tree].life = Life::destructed();
        let forest = self.table().forest_of(tree);
        self.there[forest] -= 1;
        self.fail(tree, true, TreeErrorKind::Full);
    }

    /// Notes that the agent of a tree must begin anew, be spawned or be despawned.
    fn renew(&mut self, tree: usize) {
        self.trees[tree].stale = true;
        self.stale = true;
    }

    pub(super) fn fail(&mut self, tree: usize, told: bool, kind: TreeErrorKind) {
        if told {
            let forest = self.table().forest_of(tree);
            let index = (tree - self.table().trees_of(forest).start) as u32;
            self.errors.push(TreeError { forest: forest as u32, tree: index, kind });
        }
    }

    /// Calls a hook of all nodes of a tree that have it, from the root down.
    fn tell_all<H: ForestHost + ?Sized>(&mut self, host: &mut H, tree: usize, kind: HookKind) {
        let parts = self.parts.clone();
        let forest = parts.forests.forest_of(tree);
        for (index, node) in (0..).zip(parts.forests.nodes(tree)) {
            if matches!(node.role, face::ROOT | face::DECORATOR | face::CONDITION | face::ACTION) {
                self.tell(host, forest, Some((tree, index)), kind);
            }
        }
    }

    /// Calls the hook of the host. If the host panics, that is an error of the tree.
    pub(super) fn tell<H: ForestHost + ?Sized>(
        &mut self,
        host: &mut H,
        forest: usize,
        node: Option<(usize, u32)>,
        kind: HookKind,
    ) {
        let hook = Hook { table: &self.parts.forests, forest, node, kind };
        if caught(|| host.hook(&hook)).is_err() {
            let tree = node.map_or(self.table().trees_of(forest).start, |(tree, _)| tree);
            self.fail(tree, true, TreeErrorKind::Panicked);
        }
    }
}
