//! Debuggers and profilers: traces of agents, statistics of crowds, breakpoints, forced answers.
//!
//! Flat code has no nodes to observe, and agents in a sweep take no steps of their own. So a
//! watched agent is ticked separately from the other agents of its chunk: by the scalar engine,
//! word by word of the image. The engine tells a [`Watch`] each step. All agents have the same
//! results as without a watcher. Without watchers, the engines are compiled without this code.
//!
//! * [`Traces`] keep the last ticks of chosen agents, each in a ring of its own: what was asked and
//!   answered, the values that conditions looked at, logs, what the host says of its nodes. Nothing
//!   is allocated in a tick. [`TracedTick::lines`] makes of it a tree in terms of the source.
//! * [`Statistics`] count for each node, over all agents or some of them, how
//!   often it began and how it ended.
//! * Both together are a pair, see [`Watchers`].
//! * [`ForcedAnswers`] replace answers of the host, and [`Breakpoints`] stop an
//!   agent while the crowd goes on.
//!
//! ```no_run
//! # use pleach::{Agent, Bindings, Crowd, Image};
//! # fn play(image: Image, mut crowd: Crowd, agent: Agent, mut host: Bindings<()>) {
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
pub use ring::{FaultCause, FaultTest, Trace, TraceCapacity, TracedTick};
pub use rows::LogSource;
pub use statistics::{NodeStatistics, Statistics};
pub use traces::Traces;
pub use what_if::{Breakpoint, Breakpoints, ForcedAnswers, ForcingHost};
