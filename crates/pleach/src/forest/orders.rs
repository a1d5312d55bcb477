//! What trees are told to do, and by whom: orders, and the queue in which they wait.

use crate::engine::parts::Parts;
use crate::layout::forests::ForestTable;
use crate::life::PlayMode;
use crate::program::Program;
use alloc::borrow::ToOwned;
use alloc::collections::VecDeque;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;
use core::ops::DerefMut;

/// Operation on trees of forests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeOperation {
    /// To come into being, unless they are there.
    Load,
    /// To begin to count, and to be executed in each update until the target is reached. What is not given stays as it was.
    Play {
        /// Count at which the tree stops; 0 is never.
        target: Option<u32>,
        /// Play mode: the events that count.
        mode: Option<PlayMode>,
    },
    /// To pause.
    Pause {
        /// Whether their status changes only when all hooks have returned.
        sync: bool,
    },
    /// To go on, if they are paused.
    Resume,
    /// To stop. They stay where they are.
    Stop {
        /// As for a pause.
        sync: bool,
    },
    /// To begin anew when they are played.
    Reset {
        /// As for a pause.
        sync: bool,
    },
    /// To be gone.
    Destroy,
}

impl TreeOperation {
    /// To play with all that was said the last time.
    pub const PLAY: Self = Self::Play { target: None, mode: None };
    /// To pause, with the status changed at once.
    pub const PAUSE: Self = Self::Pause { sync: false };
    /// To stop, with the status changed at once.
    pub const STOP: Self = Self::Stop { sync: false };
    /// To be reset, with the status changed at once.
    pub const RESET: Self = Self::Reset { sync: false };

    /// Whether it interrupts a tree that is being executed.
    pub(super) fn interrupts(self) -> bool {
        matches!(self, Self::Pause { .. } | Self::Stop { .. } | Self::Reset { .. } | Self::Destroy)
    }
}

/// Selector of the trees of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeSelector {
    /// All of all forests.
    All,
    /// All of a forest, by its index.
    Forest(u32),
    /// One: the index of its forest, and its own index in the forest.
    Tree(u32, u32),
}

/// Error: the program has no such forest, or the forest has no such tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownTree {
    /// The program has no forests.
    Forests,
    /// By its name or index.
    Forest(String),
    /// By the names or indices of both.
    Tree(String, String),
}

impl fmt::Display for UnknownTree {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forests => out.write_str("the program has no forests"),
            Self::Forest(forest) => write!(out, "there is no forest `{forest}`"),
            Self::Tree(forest, tree) => write!(out, "there is no tree `{tree}` in the forest `{forest}`"),
        }
    }
}

impl core::error::Error for UnknownTree {}

/// Orders that wait, in the order in which they were given.
type Waiting = VecDeque<(TreeOperation, TreeSelector)>;

#[cfg(feature = "std")]
type Queue = Arc<std::sync::Mutex<Waiting>>;
/// Without the standard library there is no lock.
#[cfg(not(feature = "std"))]
type Queue = alloc::rc::Rc<core::cell::RefCell<Waiting>>;

/// Queue of operations on the trees of a [`crate::forest::Forests`], from anywhere: from outside,
/// from hooks, and, with the feature `std`, from other threads. Operations are followed in the
/// order in which they were given.
#[derive(Clone, Debug)]
pub struct OperationQueue {
    parts: Arc<Parts>,
    queue: Queue,
}

impl OperationQueue {
    pub(super) fn new(program: &Program) -> Self {
        Self { parts: program.parts.clone(), queue: Queue::default() }
    }

    /// Gives an order. That it could be given says nothing about what becomes of it.
    ///
    /// # Errors
    /// If there are no such trees.
    pub fn give(&self, what: TreeOperation, whom: TreeSelector) -> Result<(), UnknownTree> {
        self.trees(whom)?;
        self.queue().push_back((what, whom));
        Ok(())
    }

    /// Returns the selector for names: all trees without names, else the trees of a forest or one
    /// tree.
    ///
    /// # Errors
    /// If there are none of these names.
    pub fn select(&self, forest: Option<&str>, tree: Option<&str>) -> Result<TreeSelector, UnknownTree> {
        let Some(name) = forest else { return Ok(TreeSelector::All) };
        let table = self.table();
        let forest = table.forest(name).ok_or_else(|| UnknownTree::Forest(name.to_owned()))?;
        let Some(tree) = tree else { return Ok(TreeSelector::Forest(forest as u32)) };
        let unknown = || UnknownTree::Tree(name.to_owned(), tree.to_owned());
        let found = table.tree(forest, tree).ok_or_else(unknown)?;
        Ok(TreeSelector::Tree(forest as u32, (found - table.trees_of(forest).start) as u32))
    }

    /// The trees that are meant, in order.
    pub(super) fn trees(&self, whom: TreeSelector) -> Result<core::ops::Range<usize>, UnknownTree> {
        let table = self.table();
        let (forest, tree) = match whom {
            TreeSelector::All => return Ok(0..table.trees.len()),
            TreeSelector::Forest(forest) => (forest, None),
            TreeSelector::Tree(forest, tree) => (forest, Some(tree)),
        };
        if forest as usize >= table.forests.len() {
            return Err(UnknownTree::Forest(forest.to_string()));
        }
        let trees = table.trees_of(forest as usize);
        let Some(tree) = tree else { return Ok(trees) };
        match trees.clone().nth(tree as usize) {
            Some(tree) => Ok(tree..tree + 1),
            None => Err(UnknownTree::Tree(forest.to_string(), tree.to_string())),
        }
    }

    /// The order that has waited longest.
    pub(super) fn next(&self) -> Option<(TreeOperation, TreeSelector)> {
        self.queue().pop_front()
    }

    #[cfg(feature = "std")]
    fn queue(&self) -> impl DerefMut<Target = Waiting> {
        // A queue is whole between any two calls of it.
        self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    #[cfg(not(feature = "std"))]
    fn queue(&self) -> impl DerefMut<Target = Waiting> {
        self.queue.borrow_mut()
    }

    fn table(&self) -> &ForestTable {
        &self.parts.forests
    }
}
