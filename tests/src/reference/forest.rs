//! Forests as the page of the dialect describes them: operations, statuses, counts.
//!
//! This is the driver of the reference interpreter. It uses the names in the module, keeps a frame
//! for each tree, and does one operation after the other. While a tree is being executed,
//! operations on it are deferred.

use super::{Call, Frame, Host, Position, Reference, Spent};
use pleach::forest::{TreeOperation, TreeSelector};
use pleach::life::{LifeStatus, PlayMode};
use pleach_compile::internals::forest::{Face, Role};
use pleach_compile::internals::ir::{FAILURE, Kind, Module, NodeIndex, Outcome, RUNNING, SUCCESS};
use std::collections::VecDeque;

/// Queued operations, each with its trees.
pub type Orders = VecDeque<(TreeOperation, TreeSelector)>;

/// Receiver of hooks, which answers them.
pub trait Listener {
    /// Receives a hook, written as `Node.OnHook(argument)`. The answer is used if the hook has one.
    /// Orders that are given meanwhile are queued behind the others.
    fn hook(&mut self, tree: Option<usize>, hook: &str, orders: &mut Orders) -> Outcome;
}

/// Tree of a forest.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Life status.
    pub status: LifeStatus,
    /// Quantity that is counted.
    pub mode: PlayMode,
    /// Count at which the tree stops; 0 for never.
    pub target: u32,
    /// Current count.
    pub count: u32,
    frame: Frame,
    forest: usize,
    name: String,
    block: u32,
}

/// All trees of a module's forests.
pub struct Forests<'m> {
    module: &'m Module,
    /// Trees, forest by forest.
    pub trees: Vec<Tree>,
    /// Orders that are not carried out yet.
    pub orders: Orders,
    /// Decorators that did not end, each with its tree.
    pub endless: Vec<(usize, NodeIndex)>,
    running: Option<usize>,
    interrupted: bool,
    later: Vec<TreeOperation>,
}

impl<'m> Forests<'m> {
    /// Creates the forests of a module. No tree is loaded.
    #[must_use]
    pub fn new(module: &'m Module) -> Self {
        let name = |name| module.names.text(name).into_owned();
        let forests = &module.forests;
        let mut trees = Vec::new();
        for (forest, row) in forests.forests.iter().enumerate() {
            for tree in &forests.trees[row.trees.0 as usize..(row.trees.0 + row.trees.1) as usize] {
                trees.push(Tree {
                    status: LifeStatus::Destructed,
                    mode: PlayMode::Executions,
                    target: 0,
                    count: 0,
                    frame: Frame::new(module),
                    forest,
                    name: name(tree.name),
                    block: module.entries[tree.entry as usize],
                });
            }
        }
        Self {
            module,
            trees,
            orders: VecDeque::new(),
            endless: Vec::new(),
            running: None,
            interrupted: false,
            later: Vec::new(),
        }
    }

    /// Carries out the orders, and then executes every playing tree once.
    pub fn update(&mut self, now: i64, listener: &mut dyn Listener) {
        self.endless.clear();
        self.obey(listener);
        for tree in 0..self.trees.len() {
            let it = &mut self.trees[tree];
            if it.status == LifeStatus::Resumed && it.target > 0 && it.count >= it.target {
                it.status = LifeStatus::Stopped;
            }
            if matches!(it.status, LifeStatus::Played | LifeStatus::Resumed | LifeStatus::Executing) {
                it.status = LifeStatus::Executing;
                self.execute(tree, now, listener);
            }
        }
    }

    fn obey(&mut self, listener: &mut dyn Listener) {
        while let Some((what, whom)) = self.orders.pop_front() {
            for tree in 0..self.trees.len() {
                if !self.means(whom, tree) {
                    continue;
                }
                if self.running == Some(tree) {
                    let goes_on = matches!(
                        what,
                        TreeOperation::Load | TreeOperation::Play { .. } | TreeOperation::Resume
                    );
                    self.interrupted |= !goes_on;
                    self.later.push(what);
                } else {
                    self.perform(what, tree, listener);
                }
            }
        }
    }

    fn means(&self, whom: TreeSelector, tree: usize) -> bool {
        let forest = self.trees[tree].forest;
        let first = self.trees.iter().position(|it| it.forest == forest).expect("the tree is there");
        match whom {
            TreeSelector::All => true,
            TreeSelector::Forest(index) => forest == index as usize,
            TreeSelector::Tree(index, number) => forest == index as usize && tree - first == number as usize,
        }
    }

    fn perform(&mut self, what: TreeOperation, tree: usize, listener: &mut dyn Listener) {
        let exists = self.trees[tree].status != LifeStatus::Destructed;
        let forest = self.trees[tree].forest;
        match what {
            TreeOperation::Load => {
                if exists {
                    return;
                }
                let is_first = !self.is_there(forest);
                let frame = Frame::new(self.module);
                let it = &mut self.trees[tree];
                (it.status, it.frame) = (LifeStatus::Reset, frame);
                (it.mode, it.target, it.count) = (PlayMode::Executions, 0, 0);
                if is_first {
                    self.tell_forest(forest, "OnConstruct", listener);
                }
                self.tell_all(tree, "OnConstruct", listener);
            }
            _ if !exists => {}
            TreeOperation::Play { target, mode } => {
                let it = &mut self.trees[tree];
                it.target = target.unwrap_or(it.target);
                it.mode = mode.unwrap_or(it.mode);
                (it.count, it.status) = (0, LifeStatus::Played);
            }
            TreeOperation::Resume => {
                if self.trees[tree].status == LifeStatus::Paused {
                    self.trees[tree].status = LifeStatus::Resumed;
                }
            }
            TreeOperation::Pause { sync } => self.change(tree, LifeStatus::Paused, sync, "OnPause", listener),
            TreeOperation::Stop { sync } => self.change(tree, LifeStatus::Stopped, sync, "OnStop", listener),
            TreeOperation::Reset { sync } => {
                self.trees[tree].frame = Frame::new(self.module);
                self.change(tree, LifeStatus::Reset, sync, "OnReset", listener);
            }
            TreeOperation::Destroy => {
                self.tell_all(tree, "OnDestruct", listener);
                self.trees[tree].status = LifeStatus::Destructed;
                (self.trees[tree].mode, self.trees[tree].target) = (PlayMode::Executions, 0);
                self.trees[tree].count = 0;
                if !self.is_there(forest) {
                    self.tell_forest(forest, "OnDestruct", listener);
                }
            }
        }
    }

    fn is_there(&self, forest: usize) -> bool {
        self.trees.iter().any(|it| it.forest == forest && it.status != LifeStatus::Destructed)
    }

    fn change(
        &mut self,
        tree: usize,
        status: LifeStatus,
        sync: bool,
        hook: &str,
        listener: &mut dyn Listener,
    ) {
        if !sync {
            self.trees[tree].status = status;
        }
        self.tell_all(tree, hook, listener);
        self.trees[tree].status = status;
    }

    /// Depth first from the root, which is the order of nodes.
    fn tell_all(&mut self, tree: usize, hook: &str, listener: &mut dyn Listener) {
        let root = self.root(tree);
        for node in root..self.module.nodes[root as usize].end {
            let Face { role, .. } = self.module.forests.nodes[node as usize];
            if !matches!(role, Role::Selector | Role::Sequence | Role::Parallel) {
                let hook = format!("{}.{hook}", self.name(tree, node));
                listener.hook(Some(tree), &hook, &mut self.orders);
            }
        }
    }

    fn tell_forest(&mut self, forest: usize, hook: &str, listener: &mut dyn Listener) {
        let name = self.module.names.text(self.module.forests.forests[forest].name);
        listener.hook(None, &format!("{name}.{hook}"), &mut self.orders);
    }

    fn tell_root(&mut self, tree: usize, hook: &str, listener: &mut dyn Listener) {
        let hook = format!("{}.{hook}", self.trees[tree].name);
        listener.hook(Some(tree), &hook, &mut self.orders);
        self.obey(listener);
    }

    fn root(&self, tree: usize) -> NodeIndex {
        self.module.blocks[self.trees[tree].block as usize].root
    }

    fn name(&self, tree: usize, node: NodeIndex) -> String {
        let name = self.module.forests.nodes[node as usize].name;
        name.map_or(self.trees[tree].name.clone(), |name| self.module.names.text(name).into_owned())
    }

    fn execute(&mut self, tree: usize, now: i64, listener: &mut dyn Listener) {
        (self.running, self.interrupted) = (Some(tree), false);
        self.count(tree, &[PlayMode::Executions]);
        self.tell_root(tree, "OnExecute", listener);
        let mut frame = self.trees[tree].frame.clone();
        let interrupt = self.module.interrupt.map(|it| usize::from(it.bit));
        if let Some(bit) = interrupt {
            frame.bits[bit] = self.interrupted;
        }
        let (module, block) = (self.module, self.trees[tree].block);
        let mut traversal = Traversal { forests: self, tree, listener, stopped: None };
        let outcome = Reference::new(module).attempt(&mut frame, block, now, &mut traversal);
        let stopped = traversal.stopped;
        if let Some(bit) = interrupt {
            frame.bits[bit] = false;
        }
        let mut suspended = Vec::new();
        find_suspended(module, &frame, module.current.unwrap_or_default(), &mut suspended);
        self.trees[tree].frame = frame;
        match (outcome, stopped) {
            (Err(Spent { node }), _) => {
                self.trees[tree].status = LifeStatus::Stopped;
                self.endless.push((tree, node));
            }
            (Ok(Outcome::Running), None) => {
                self.count(tree, &[PlayMode::Notices, PlayMode::ExecutingNotices]);
                let hook = format!("OnNotify(Executing:{})", self.name(tree, suspended[0]));
                self.tell_root(tree, &hook, listener);
            }
            (Ok(Outcome::Running), Some(node)) => {
                self.count(tree, &[PlayMode::Notices, PlayMode::InterruptNotices]);
                let hook = format!("OnNotify(Interrupt:{})", self.name(tree, node));
                self.tell_root(tree, &hook, listener);
            }
            (Ok(Outcome::Success), _) => {
                self.count(tree, &[PlayMode::Reports, PlayMode::Successes]);
                self.tell_root(tree, "OnReport(Success)", listener);
            }
            (Ok(Outcome::Failure | Outcome::Other(_)), _) => {
                self.count(tree, &[PlayMode::Reports, PlayMode::Failures]);
                self.tell_root(tree, "OnReport(Failure)", listener);
            }
        }
        let it = &mut self.trees[tree];
        if it.status == LifeStatus::Executing && it.target > 0 && it.count >= it.target {
            it.status = LifeStatus::Stopped;
        }
        self.running = None;
        for what in std::mem::take(&mut self.later) {
            self.perform(what, tree, listener);
        }
        self.obey(listener);
    }

    fn count(&mut self, tree: usize, modes: &[PlayMode]) {
        let it = &mut self.trees[tree];
        it.count += u32::from(modes.contains(&it.mode));
    }
}

/// Finds the nodes at which a tree continues, from left to right: the node of each position or, for
/// a parallel whose branches have begun, those of the branches.
fn find_suspended(module: &Module, frame: &Frame, position: u16, found: &mut Vec<NodeIndex>) {
    let Position::At(node) = frame.positions[usize::from(position)] else { return };
    if let Kind::Parallel { columns, .. } = module.nodes[node as usize].kind {
        let columns = columns..columns + module.children(node).count() as u16;
        if columns.clone().any(|column| frame.positions[usize::from(column)] != Position::Nothing) {
            return columns.for_each(|column| find_suspended(module, frame, column, found));
        }
    }
    found.push(node);
}

/// Host of a tree that is being executed.
struct Traversal<'a, 'm> {
    forests: &'a mut Forests<'m>,
    tree: usize,
    listener: &'a mut dyn Listener,
    /// First node at which the tree was interrupted.
    stopped: Option<NodeIndex>,
}

impl Host for Traversal<'_, '_> {
    fn act(&mut self, frame: &mut Frame, call: &Call<'_>, _fresh: bool) -> Outcome {
        let mut hook = String::from_utf8_lossy(call.name).into_owned();
        if let [pleach_compile::internals::ast::Value::Int(status)] = call.args[..] {
            let names = [(FAILURE, "Failure"), (SUCCESS, "Success"), (RUNNING, "Executing")];
            let (_, name) = names.iter().find(|(it, _)| *it == status as usize).expect("one of the three");
            hook = format!("{hook}({name})");
        }
        let answer = self.listener.hook(Some(self.tree), &hook, &mut self.forests.orders);
        self.forests.obey(self.listener);
        if let Some(interrupt) = self.forests.module.interrupt {
            frame.bits[usize::from(interrupt.bit)] = self.forests.interrupted;
        }
        answer
    }

    fn query(&mut self, _: &mut Frame, _: &Call<'_>) -> f64 {
        unreachable!("nodes of these trees ask no questions")
    }

    fn stopped(&mut self, _: u32, node: NodeIndex) {
        self.stopped.get_or_insert(node);
    }
}
