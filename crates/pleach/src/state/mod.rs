//! Saved games, agents that move between crowds, and new builds of running trees.
//!
//! A saved state describes the program that it was made with: the keys of nodes and slots, and the
//! names of trees, variables and events. The same build restores it as a copy. Another build
//! restores it agent by agent. The bytes may come from a player's disk or from the network, so they
//! are checked, as those of an image are, before anything is changed.
//!
//! A reload is a snapshot that a crowd of the new program restores.
//!
//! ```
//! # use pleach::{Crowd, Host, Program, state::{ReloadPolicy, StateError}};
//! # fn example(
//! #     crowd: &mut Crowd, rebuilt: &Program, now: i64, host: &mut impl Host,
//! # ) -> Result<(), StateError> {
//! let mut past = Vec::new();
//! crowd.snapshot(&mut past);
//! for tick in now..now + 8 {
//!     crowd.tick(tick, host);
//! }
//! crowd.restore(&past)?; // The eight ticks have not been.
//!
//! let report = crowd.reload(rebuilt, ReloadPolicy::Places, now, host)?;
//! println!("{report}"); // 412 kept, 3 reset, because the node where they were is gone (3)
//! # Ok(())
//! # }
//! ```
//!
//! States describe themselves at a price: each begins with the keys of all nodes, 10 bytes a node.
//! The state of one agent has only the keys of the nodes where the agent is. The format is in
//! `spec/state.md`.

mod check;
mod load;
mod map;
mod members;
mod reload;
mod report;
mod save;

pub use crate::saved::error::{StateError, StateFault};
pub use map::ResetReason;
pub use reload::ReloadPolicy;
pub use report::ReloadReport;
