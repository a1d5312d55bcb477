//! The live monitor: one agent of a crowd, served to Groot2.
//!
//! Threads of the server answer requests from the state that the host's thread has left in
//! [`Shared`](state::Shared). The host's thread writes changes of statuses there while it ticks,
//! and copies blackboards between ticks. It waits only at breakpoints.

mod blackboard;
mod hooked;
mod hooks;
mod monitor;
mod notices;
mod requests;
mod server;
mod state;
mod zmtp;

pub use hooked::HookedHost;
pub use monitor::{LiveChanges, Monitor};
