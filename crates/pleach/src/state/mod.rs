//! Saved games, agents that move between crowds, and new builds of running trees.
//!
//! A saved state names what it was made with: the keys of nodes and slots, the names of trees,
//! variables and events. So the same build can restore it, which is a copy, and another build can,
//! agent by agent. The bytes may come from a player's disk or from the network: they are checked,
//! as those of an image are, before anything is changed.
//!
//! A reload is a snapshot that a crowd of the new program restores.
//!
//! ```
//! # use pleach::{Crowd, Host, Program, state::{ReloadPolicy, StateError}};
//! # fn example(crowd: &mut Crowd, rebuilt: &Program, now: i64, host: &mut impl Host) -> Result<(), StateError> {
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
//! The price of states that explain themselves is that each has the keys of all nodes in front, 10 bytes a node. An agent's own
//! state has only those of the nodes where it is. The format is in `spec/state.md`.

mod check;
mod load;
mod map;
mod reload;
mod report;
mod save;

pub use crate::saved::error::{StateError, StateFault};
pub use map::ResetReason;
pub use reload::ReloadPolicy;
pub use report::ReloadReport;
