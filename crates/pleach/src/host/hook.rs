//! Events of forests, trees and nodes that are reported to the host, beside ticks.

use crate::host::Host;
use crate::layout::forests::ForestTable;
use crate::values::Status;
use core::fmt;

/// Kind of an event in the life of a forest, a tree or a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookKind {
    /// The tree or node is loaded.
    Construct,
    /// The tree or node is destroyed.
    Destruct,
    /// The tree is paused.
    Pause,
    /// The tree is stopped.
    Stop,
    /// The tree is reset.
    Reset,
    /// The tree begins an execution. This is the first event of an execution.
    Execute,
    /// The execution has ended with success or failure.
    Report(Status),
    /// The execution has ended while this node runs.
    NotifyExecuting(u32),
    /// The execution was interrupted before this node.
    NotifyInterrupt(u32),
}

impl HookKind {
    /// Returns the name of the hook.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Construct => "OnConstruct",
            Self::Destruct => "OnDestruct",
            Self::Pause => "OnPause",
            Self::Stop => "OnStop",
            Self::Reset => "OnReset",
            Self::Execute => "OnExecute",
            Self::Report(_) => "OnReport",
            Self::NotifyExecuting(_) | Self::NotifyInterrupt(_) => "OnNotify",
        }
    }
}

/// Event in the life of a forest, or of a node of a tree, that the host hears of.
/// Displays as `Node.OnHook(argument)`.
#[derive(Clone, Copy, Debug)]
pub struct Hook<'a> {
    pub(crate) table: &'a ForestTable,
    pub(crate) forest: usize,
    /// The tree by its index among all, and the index of its node.
    pub(crate) node: Option<(usize, u32)>,
    /// Kind of the event.
    pub kind: HookKind,
}

impl<'a> Hook<'a> {
    /// Returns the index of the forest.
    #[must_use]
    pub fn forest(&self) -> u32 {
        self.forest as u32
    }

    /// Returns the index of the tree in its forest; `None` if the event is about the forest itself.
    #[must_use]
    pub fn tree(&self) -> Option<u32> {
        self.node.map(|(tree, _)| (tree - self.table.trees_of(self.forest).start) as u32)
    }

    /// Returns the number of the tree among all trees of the program; `None` if the event is about
    /// the forest itself.
    #[must_use]
    pub fn tree_number(&self) -> Option<usize> {
        self.node.map(|(tree, _)| tree)
    }

    /// Returns the index of the node in its tree, 0 for the root; `None` if the event is about the
    /// forest itself.
    #[must_use]
    pub fn node(&self) -> Option<u32> {
        self.node.map(|(_, node)| node)
    }

    /// Returns the name of the forest.
    #[must_use]
    pub fn forest_name(&self) -> &'a str {
        self.table.name(self.table.forests[self.forest].name)
    }

    /// Returns the name of the tree; `None` if the event is about the forest itself.
    #[must_use]
    pub fn tree_name(&self) -> Option<&'a str> {
        self.node.map(|(tree, _)| self.table.name(self.table.trees[tree].name))
    }

    /// Returns the name of the node, of the tree if the node is a root, or of the forest.
    #[must_use]
    pub fn name(&self) -> &'a str {
        match self.node {
            Some((_, 0)) | None => self.tree_name().unwrap_or(self.forest_name()),
            Some((tree, node)) => self.table.node_name(tree, node).unwrap_or_default(),
        }
    }
}

impl fmt::Display for Hook<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.name(), self.kind.name())?;
        let node = |index| {
            let tree = self.node.map(|(tree, _)| tree);
            tree.and_then(|tree| self.table.node_name(tree, index)).unwrap_or_default()
        };
        match self.kind {
            HookKind::Report(status) => write!(out, "({status:?})"),
            HookKind::NotifyExecuting(index) => write!(out, "(Executing:{})", node(index)),
            HookKind::NotifyInterrupt(index) => write!(out, "(Interrupt:{})", node(index)),
            _ => Ok(()),
        }
    }
}

/// Host of forests. Acts for trees as any host does, and hears of events in the lives of forests,
/// trees and nodes.
///
/// What nodes ask for are actions: `NAME.OnTest` of conditions, `NAME.OnStep` of actions, and of
/// decorators `NAME.OnExecute` and `NAME.OnReport`, the latter with the status as a number (0
/// failure, 1 success, 2 executing). Running is what Bt Engine calls executing.
pub trait ForestHost: Host {
    /// Hears of an event. Operations may be given here.
    fn hook(&mut self, _hook: &Hook<'_>) {}
}
