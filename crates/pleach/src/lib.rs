//! Runs whole crowds of game agents on compiled behavior trees.
//!
//! An [`Image`] is linked to a [`Host`], which makes a [`Program`]: names have become numbers, and
//! a tick cannot fail any more. A [`Crowd`] holds the agents of one program, in chunks of 256,
//! column by column. A tick walks each agent's tree once, asks the host to act and answers its
//! conditions, and allocates nothing.
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
//! comes in as an integer, nothing reads a clock, and what one agent does depends on no other.
//!
//! # Modules
//!
//! The root has what nearly every game uses. Each module beside it serves one purpose:
//!
//! | module | for |
//! |---|---|
//! | [`host`] | games that implement [`Host`] or put a layer around one |
//! | [`ready`] | games that take ready-made actions and conditions |
//! | [`values`] | types of variables and arguments |
//! | [`program`] | names of a program looked up together, and bounds of its ticks |
//! | [`crowd`] | ticks in parts or within a budget, columns, and agents at rules |
//! | [`state`] | saved games, agents that move between crowds, reloaded trees |
//! | [`life`] | agents that are played, paused, stopped and counted |
//! | [`forest`] | named trees with a queue of operations, as in Bt Engine |
//! | [`graft`] | trees that are brought to agents at run time |
//! | [`watch`] | debuggers and profilers: traces, statistics, breakpoints, forced answers |
//! | [`record`] | recordings of runs, their replay, and comparison of two builds |
//! | [`engine`] | tests and measurements that choose an engine |
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
    AccessError, Agent, Args, Event, EventTarget, Fault, Group, Outcome, SharedVariable, StaleAgent, Status,
    Value, Variable,
};

/// The README's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The guide's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../spec/embedding.md")]
struct Guide;
