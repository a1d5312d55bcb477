//! Debuggers and profilers: traces of agents, statistics of crowds, breakpoints, forced answers.
//!
//! Flat code has no nodes that could be looked at, and agents in a sweep take no steps of their own. So who is watched is
//! ticked apart from the others of its chunk: by the scalar engine, word by word as the image has them, which tells a
//! [`Watch`] what it does. All agents come to the same as if nobody watched, and where nobody watches, the engines are
//! compiled without any of this.
//!
//! * [`Traces`] keep the last ticks of chosen agents, each in a ring of its own: what was asked and answered, the values that
//!   conditions looked at, logs, what the host says of its nodes. Nothing is allocated in a tick. [`TracedTick::lines`] makes
//!   of it a tree in terms of the source.
//! * [`Statistics`] count for each node, over all agents or some of them, how often it began and how it ended.
//! * Both together are a pair, see [`Watchers`].
//! * [`ForcedAnswers`] replace answers of the host, and [`Breakpoints`] stop an agent while the crowd goes on.
//!
//! ```no_run
//! # fn play(image: pleach::Image, mut crowd: pleach::Crowd, agent: pleach::Agent, mut host: pleach::Bindings<()>) {
//! let mut traces = pleach::watch::Traces::new(&image);
//! traces.watch(agent, pleach::watch::TraceCapacity::default());
//! for now in 0..100 {
//!     crowd.tick_watched(now, &mut host, &mut traces);
//! }
//! for tick in traces.of(agent).into_iter().flat_map(|trace| trace.ticks()) {
//!     println!("{}: {:?}", tick.now, tick.outcome);
//!     for line in tick.lines(&image) {
//!         println!("{}{:?}", "  ".repeat(line.depth), line.event);
//!     }
//! }
//! # }
//! ```

mod journal;
mod recent;
mod ring;
mod rows;
mod statistics;
mod traces;
mod what_if;

pub use crate::crowd::observer::{CrowdObserver, CrowdStep, ObservedHost, WithObserver};
pub use crate::crowd::watchers::{LaneId, LaneMask, ObserverPair, Watchers};
pub use crate::engine::watch::{Watch, WatchContext};
pub use journal::{TraceEvent, TraceLine};
pub use recent::{LogHistory, RecentNodes};
pub use ring::{Trace, TraceCapacity, TracedTick};
pub use rows::LogSource;
pub use statistics::{NodeStatistics, Statistics};
pub use traces::Traces;
pub use what_if::{Breakpoint, Breakpoints, ForcedAnswers, ForcingHost};
