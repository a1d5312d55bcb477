//! Runs whole crowds of game agents on compiled behavior trees.
//!
//! An [`Image`] is linked to a [`Host`], which makes a [`Program`]: names have become numbers, and a tick cannot fail
//! any more. A [`Crowd`] holds the agents of one program, in chunks of 256, column by column. A tick walks each agent's
//! tree once, asks the host to act and answers its conditions, and allocates nothing.
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
//! The same image, the same times and the same answers give the same ticks on every machine: time comes in as an
//! integer, nothing reads a clock, and what one agent does depends on no other.
//!
//! # Features
//!
//! * `std`, on by default: panics of the host are caught and are the fault of the agents that asked; the processor is asked
//!   what vectors it has; [`Orders`] go between threads; [`Image::load`]. Without it, `core` and `alloc` are enough: a panic is
//!   the game's panic handler's affair, vectors are those that the program is compiled for, and images come from bytes, by
//!   [`Image::copy`] or [`Image::new`].
//! * `mmap`, on by default: `Image::map`, which needs `std`.

#![no_std]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod agents;
mod args;
mod around;
mod bindings;
mod cell;
mod chunk;
mod crowd;
mod engine;
mod forest;
mod frame;
mod graft;
mod host;
mod life;
mod lines;
mod lookup;
mod numbers;
mod panics;
mod program;
pub mod ready;
mod recent;
mod record;
mod rules;
mod state;
mod status;
mod watch;
mod world;

pub use agents::{Agent, Stale};
pub use args::{Args, Parameter, Value};
pub use around::Around;
pub use bindings::Bindings;
pub use cell::{AccessError, Cell, Number, Type};
pub use crowd::{Crowd, Part, Round, SpawnError, SwitchError, Tally, To};
pub use engine::Engine;
pub use engine::batch::Vectors;
pub use forest::{
    Depth, ForestProperties, Forests, ForestsProperties, Hook, Hooks, Moment, NodePolicy, NodeProperties,
    NodeRole, Operation, Orders, Problem, SharedText, TreeProperties, Trouble, Unknown, Whom,
};
pub use frame::Variable;
pub use graft::{AlreadyGrafted, Graftable, Grafts};
pub use host::{Batch, Call, Effect, Function, Halt, Host, LogKind};
pub use life::{Counted, Life, LifeStatus, Lives, PlayMode};
pub use lookup::{Lookup, MissingName, NamesError};
#[cfg(feature = "std")]
pub use pleach_image::LoadError;
pub use pleach_image::bounds::Bounds;
pub use pleach_image::{Image, ImageError};
pub use program::{LinkError, Missing, Order, Program};
pub use recent::{History, Recent};
#[doc(hidden)]
pub use record::Step;
pub use record::{
    Comparison, Difference, Diverged, Recorder, Recording, RecordingError, RecordingFault, Replay,
};
pub use rules::{JumpError, RestoreError, Rule, RunAway, SaveError};
pub use state::{Keep, Report, StateError, StateFault, Why};
pub use status::{Fault, Outcome, Status};
pub use watch::{
    At, Both, Break, Breakpoints, Forced, Forcing, Lanes, Line, NodeStatistics, Room, Said, Sight,
    Statistics, Trace, Traced, TracedTick, Traces, Watch, Watchers,
};
pub use world::{Event, Group, SharedVariable};

/// The README's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The guide's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../spec/embedding.md")]
struct Guide;
