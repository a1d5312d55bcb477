//! Runs whole crowds of game agents on compiled behavior trees.
//!
//! Trees are written as text. The crate `pleach-compile`, or the command `pleach build`, compiles
//! them to an image; a shipped game needs only this crate and the images. Here the tree is
//! `tree guard { sequence { condition hurt() action heal() } }`.
//!
//! An [`Image`] is linked to a [`Host`], the game, which makes a [`Program`]. Linking finds every
//! function that the game lacks, so a tick returns no error. A [`Crowd`] holds the agents of one
//! program. A tick walks each agent's tree once, asks the host to perform actions and to answer
//! queries, and allocates nothing.
//!
//! ```no_run
//! use pleach::{Bindings, Crowd, Image, Program, Status};
//!
//! struct Game { healed: u32 }
//! let mut host = Bindings::new(Game { healed: 0 });
//! host.action("heal", |game, _call| {
//!     game.healed += 1;
//!     Status::Running
//! });
//! host.query("hurt", |_game, call| call.agent.index() % 2 == 0);
//!
//! let image = Image::load("guard.plc").unwrap();
//! let program = Program::link(&image, &host).unwrap();
//! let mut crowd = Crowd::new(&program);
//! for _ in 0..1000 {
//!     crowd.spawn("guard").unwrap();
//! }
//! let tally = crowd.tick(0, &mut host);
//! assert_eq!((tally.running, tally.failure), (500, 500));
//! assert_eq!(host.world().healed, 500);
//! ```
//!
//! The same image, the same times and the same answers give the same ticks on every machine: time
//! comes in as an integer, nothing reads a clock, and what one agent does depends on no other,
//! unless trees share variables or functions declare [`Effect::World`](host::Effect::World).
//!
//! The root has what nearly every game uses. Each module below serves one purpose.
//!
//! # Words
//!
//! * *action*: function of the host that does something and answers with a [`Status`].
//! * *query*: function of the host that answers with a number or a boolean.
//! * *host*: the game, as trees see it.
//! * *entry*: a tree that agents can run. Other trees are parts of these.
//! * *agent*: one that runs a tree. The crowd knows it by a handle, and the host by the handle's
//!   index.
//! * *variable*: a value that trees and the host read and write: an agent's own, a group's, or the
//!   world's, which is one for all.
//! * *chunk*, *column*, *lane*: a crowd keeps up to 256 agents of one entry in a chunk. Each
//!   variable is a column of the chunk with 256 values. An agent's place in it is its lane.
//! * *frame*: what an agent has in its columns: variables, timers, and where it is in its tree.
//! * *engine*: what ticks a chunk: the scalar engine goes agent by agent, the batch engine ticks
//!   all agents of a chunk together. Results are the same.
//! * *rule*: in trees of Drag\[en\]gine, a node at which an agent can be.
//! * *node of the host*: a decorator that the host implements, around one child.
//! * *site*: a place in a tree that calls a function with certain arguments.
//!
//! # Features
//!
//! * `std`, on by default: panics of the host are caught and are the fault of the agents that
//!   asked; the processor is asked what vectors it has; a [`forest::OperationQueue`] goes between
//!   threads; there is [`Image::load`]. Without it, `core` and `alloc` are enough: a panic is the
//!   game's panic handler's affair, vectors are those that the program is compiled for, and images
//!   come from bytes, by [`Image::copy`] or [`Image::new`].
//! * `mmap`, on by default: `Image::map`, which needs `std`.

#![no_std]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod code;
pub mod crowd;
pub mod engine;
pub mod forest;
pub mod graft;
pub mod host;
mod layout;
pub mod life;
#[cfg(pleach_planted)]
pub mod planted;
#[cfg(not(pleach_planted))]
mod planted;
pub mod program;
pub mod record;
mod saved;
pub mod state;
mod store;
pub mod values;
pub mod watch;

#[doc(hidden)]
pub use code::shortcuts::{Shortcut, Shortcuts};
#[doc(inline)]
pub use crowd::{Crowd, SpawnError, Tally};
#[doc(inline)]
pub use host::ready;
#[doc(inline)]
pub use host::{Batch, Bindings, Call, Function, Halt, Host};
#[cfg(feature = "std")]
pub use pleach_image::LoadError;
pub use pleach_image::{Image, ImageError};
#[doc(inline)]
pub use program::{LinkError, Program};
#[doc(inline)]
pub use values::{
    AccessError, Agent, Args, EntityId, Event, EventTarget, Fault, Group, Outcome, SharedVariable,
    StaleAgent, Status, TextId, Value, Variable,
};

/// The README's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The guide's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../spec/embedding.md")]
struct Guide;
