//! Named trees with a queue of operations: played, paused, stopped and counted, as in Bt Engine.
//!
//! A program may name forests and their trees. A [`Forests`] keeps an agent and a [`Life`] for each
//! tree. It performs the operations of its [`OperationQueue`]. With each update it executes every
//! tree that is played once, in the order of the program. Everything else that happens to trees is
//! a [`Hook`] of the host. The rules are in `spec/dialects/btengine.md`.
//!
//! ```no_run
//! # use pleach::forest::{Forests, TreeOperation, TreeSelector};
//! # use pleach::{Bindings, Image, Program, Status, life::PlayMode};
//! # fn game(image: &Image) -> Result<(), Box<dyn std::error::Error>> {
//! let mut host = Bindings::new(());
//! host.action("SeesFoe.OnTest", |(), _| Status::Failure);
//! host.action("LookAround.OnStep", |(), _| Status::Success);
//! host.on_hook(|(), hook| println!("{hook}"));
//! let program = Program::link(image, &host)?;
//! let mut forests = Forests::new(&program)?;
//! let orders = forests.orders();
//! orders.give(TreeOperation::Load, TreeSelector::All)?;
//! let guard = orders.select(Some("Camp"), Some("Guard"))?;
//! orders.give(TreeOperation::Play { target: Some(10), mode: Some(PlayMode::Reports) }, guard)?;
//! for frame in 0.. {
//!     for error in forests.update(frame, &mut host) {
//!         eprintln!("{error:?}");
//!     }
//! }
//! # Ok(()) }
//! ```
//!
//! Beside its agent, a tree takes a few bytes for its life. Trees are executed one by one, because
//! a hook of one tree may give operations for another, so their order matters. Crowds without names
//! can use [`Lives`](crate::life::Lives).

mod board;
mod orders;
mod properties;
mod traverse;

pub use crate::host::hook::{ForestHost, Hook, HookKind};
pub use orders::{OperationQueue, TreeOperation, TreeSelector, UnknownTree};
pub use properties::{
    ForestProperties, ForestsProperties, NodePolicy, NodeProperties, NodeRole, PropertyDepth,
    TreeFileProperties, TreeProperties,
};

use crate::crowd::{Crowd, SpawnError};
use crate::engine::Engine;
use crate::host::{Call, Function, Host};
use crate::layout::{Column, Slot};
use crate::life::Life;
use crate::program::Program;
use crate::values::{Kind, Status, Variable};
use board::Board;

/// Error of one tree in an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeError {
    /// Index of the forest.
    pub forest: u32,
    /// Index of the tree in its forest.
    pub tree: u32,
    /// Kind of the error.
    pub kind: TreeErrorKind,
}

/// Kind of a [`TreeError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeErrorKind {
    /// An operation was ordered for a tree that is not loaded.
    Destroyed {
        /// The operation.
        operation: TreeOperation,
    },
    /// A decorator was executed again too often in one execution. The tree has stopped.
    Endless {
        /// Index of the decorator in its tree.
        node: u32,
    },
    /// The host panicked: in a function of a node, and the tree has stopped, or in a hook, and the
    /// tree goes on.
    Panicked,
    /// The crowd of the forests has no room for another agent.
    Full,
}

/// Forests of a program, with an agent for each loaded tree.
#[derive(Debug)]
pub struct Forests {
    crowd: Crowd,
    board: Board,
    interrupt: Interrupt,
}

/// Means by which trees of a program are interrupted.
#[derive(Clone, Copy, Debug)]
struct Interrupt {
    /// The bit that does it.
    bit: Option<Variable>,
    /// The set for the first node at which it was done.
    first: Option<Column>,
}

impl Forests {
    /// Returns the forests of a program. No tree is loaded.
    ///
    /// # Errors
    /// If the program has no forests.
    pub fn new(program: &Program) -> Result<Self, UnknownTree> {
        let board = Board::new(program)?;
        Ok(Self { crowd: Crowd::new(program), board, interrupt: Interrupt::of(program) })
    }

    /// Chooses the engine. See [`Crowd::with_engine`].
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.crowd = self.crowd.with_engine(engine);
        self
    }

    /// Returns a queue for operations on the trees.
    #[must_use]
    pub fn orders(&self) -> OperationQueue {
        self.board.orders.clone()
    }

    /// Returns the crowd with the trees' agents.
    #[must_use]
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Performs all queued operations, then executes every tree that plays once. Returns the errors
    /// of trees.
    pub fn update<H: ForestHost + ?Sized>(&mut self, now: i64, host: &mut H) -> &[TreeError] {
        self.board.begin();
        self.board.follow(host);
        for tree in 0..self.board.trees.len() {
            self.settle(now);
            traverse::traverse(&mut self.board, &mut self.crowd, self.interrupt, tree, now, host);
        }
        self.settle(now);
        self.crowd.end_tick(now, host);
        &self.board.errors
    }

    /// Returns the life of a tree, by the index of its forest and its own index.
    ///
    /// # Errors
    /// If there is no such tree.
    pub fn life(&self, forest: u32, tree: u32) -> Result<Life, UnknownTree> {
        let trees = self.board.orders.trees(TreeSelector::Tree(forest, tree))?;
        Ok(self.board.trees[trees.start].life)
    }

    /// Updates the agents of trees after operations. No tree is being executed.
    fn settle(&mut self, now: i64) {
        if !core::mem::take(&mut self.board.stale) {
            return;
        }
        for tree in 0..self.board.trees.len() {
            if core::mem::take(&mut self.board.trees[tree].stale)
                && let Err(SpawnError::Full | SpawnError::NoEntry(_)) = self.renew(tree, now)
            {
                self.board.give_up(tree);
            }
        }
    }

    fn renew(&mut self, tree: usize, now: i64) -> Result<(), SpawnError> {
        let there = self.board.trees[tree].life.exists();
        // An agent is missing only if it was never spawned.
        match (self.board.trees[tree].agent, there) {
            (Some(agent), true) => self.crowd.reset(agent, now, &mut NoHost).unwrap_or_default(),
            (Some(agent), false) => {
                self.crowd.despawn(agent, now, &mut NoHost).unwrap_or_default();
                self.board.trees[tree].agent = None;
            }
            (None, true) => {
                let entry = self.board.table().trees[tree].entry;
                self.board.trees[tree].agent = Some(self.crowd.spawn_entry(entry)?);
            }
            (None, false) => {}
        }
        Ok(())
    }
}

impl Interrupt {
    fn of(program: &Program) -> Self {
        let set = |slot: &&Slot| &*slot.name == "interrupted" && slot.column.kind == Kind::Set;
        let first = program.parts.frame.slots.iter().find(set).map(|slot| slot.column);
        Self { bit: program.variable("interrupt"), first }
    }
}

/// Host that ignores halted nodes: nodes of these trees have no hook for that.
struct NoHost;

impl Host for NoHost {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        None
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        Status::Failure
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}
