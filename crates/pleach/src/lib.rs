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

mod code;
mod crowd;
mod engine;
mod forest;
mod graft;
mod host;
mod layout;
mod life;
mod program;
mod record;
mod saved;
mod state;
mod store;
mod values;
mod watch;

#[doc(hidden)]
pub use code::shortcuts::{Shortcut, Shortcuts};
pub use crowd::{
    At, Both, Crowd, CrowdStep, Lanes, Observed, ObservedHost, Observer, Part, Round, SpawnError,
    SwitchError, Tally, Watchers,
};
pub use engine::batch::Vectors;
pub use engine::{Engine, Order, Sight, Watch};
pub use forest::{
    Depth, ForestProperties, Forests, ForestsProperties, NodePolicy, NodeProperties, NodeRole, Operation,
    Orders, Problem, TreeProperties, Trouble, Unknown, Whom,
};
pub use graft::{AlreadyGrafted, Graftable, Grafts};
pub use host::ready;
pub use host::{Around, Batch, Bindings, Call, Effect, Function, Halt, Hook, Hooks, Host, LogKind, Moment};
pub use life::{Counted, Life, LifeStatus, Lives, PlayMode};
#[cfg(feature = "std")]
pub use pleach_image::LoadError;
pub use pleach_image::bounds::Bounds;
pub use pleach_image::{Image, ImageError};
pub use program::{LinkError, Lookup, Missing, MissingName, NamesError, Program};
pub use record::{
    Comparison, Difference, Diverged, Recorded, Recorder, Recording, RecordingError, RecordingFault, Replay,
};
pub use saved::error::{StateError, StateFault};
pub use state::{Keep, Report, Why};
pub use store::{JumpError, RestoreError, RunAway, SaveError};
pub use values::{
    AccessError, Agent, Args, Cell, Event, Fault, Group, Number, Outcome, Parameter, Rule, SharedText,
    SharedVariable, Stale, Status, To, Type, Value, Variable,
};
pub use watch::{
    Break, Breakpoints, Forced, Forcing, History, Line, NodeStatistics, Recent, Room, Said, Statistics,
    Trace, Traced, TracedTick, Traces,
};

/// The README's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The guide's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../spec/embedding.md")]
struct Guide;
