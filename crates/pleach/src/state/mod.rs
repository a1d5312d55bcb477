//! Running agents as bytes: snapshots, saved games, agents that move to another crowd, and new
//! builds of running trees.
//!
//! A state describes the program that it was made with: the keys of nodes and slots, and the names
//! of trees, variables and events. The same build restores it as a copy. Another build restores it
//! agent by agent. All bytes are checked before any of them is used, as those of an image are,
//! because they may come from a player's disk or from the network.
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
//! The price of states that explain themselves is that each has the keys of all nodes in
//! front, 10 bytes a node. An agent's own state has only those of the nodes where it is. The
//! format is in `spec/state.md`.

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
