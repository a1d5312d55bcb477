//! Operations on trees, selectors of trees, and the queue in which operations wait.

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
    /// Loads trees that are not loaded.
    Load,
    /// Plays trees: counts begin at 0, and each update executes them until the target is reached. A
    /// target or mode that is `None` stays as it was.
    Play {
        /// Count at which the tree stops; 0 is never.
        target: Option<u32>,
        /// Play mode: the events that count.
        mode: Option<PlayMode>,
    },
    /// Pauses trees.
    Pause {
        /// True if the status changes only after all hooks have returned, false if it changes at
        /// once.
        sync: bool,
    },
    /// Resumes paused trees.
    Resume,
    /// Stops trees. Their active nodes stay.
    Stop {
        /// True if the status changes only after all hooks have returned, false if it changes at
        /// once.
        sync: bool,
    },
    /// Resets trees to their beginning.
    Reset {
        /// True if the status changes only after all hooks have returned, false if it changes at
        /// once.
        sync: bool,
    },
    /// Destroys trees.
    Destroy,
}

impl TreeOperation {
    /// Plays trees with the target and the mode of before.
    pub const PLAY: Self = Self::Play { target: None, mode: None };
    /// Pauses trees and changes their status at once.
    pub const PAUSE: Self = Self::Pause { sync: false };
    /// Stops trees and changes their status at once.
    pub const STOP: Self = Self::Stop { sync: false };
    /// Resets trees and changes their status at once.
    pub const RESET: Self = Self::Reset { sync: false };

    /// Returns true if the operation interrupts a tree that is being executed.
    pub(super) fn interrupts(self) -> bool {
        matches!(self, Self::Pause { .. } | Self::Stop { .. } | Self::Reset { .. } | Self::Destroy)
    }
}

/// Selector of the trees of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeSelector {
    /// All trees of all forests.
    All,
    /// All trees of a forest, by its index.
    Forest(u32),
    /// One tree: the index of its forest, and its own index in the forest.
    Tree(u32, u32),
}

/// Error: the program has no such forest, or the forest has no such tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownTree {
    /// The program has no forests.
    Forests,
    /// The program has no forest with this name or index.
    Forest(String),
    /// The forest with the first name or index has no tree with the second.
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

/// Queue of operations on the trees of a [`Forests`](crate::forest::Forests), from anywhere: from
/// outside, from hooks, and, with the feature `std`, from other threads. Operations are followed in
/// the order in which they were given.
#[derive(Clone, Debug)]
pub struct OperationQueue {
    parts: Arc<Parts>,
    queue: Queue,
}

impl OperationQueue {
    pub(super) fn new(program: &Program) -> Self {
        Self { parts: program.parts.clone(), queue: Queue::default() }
    }

    /// Queues an operation. An error of the operation itself is reported by the update that
    /// performs it.
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

    /// Returns the trees that are meant, in order.
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

    /// Returns the order that has waited longest.
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
