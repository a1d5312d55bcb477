//! Proofs about saved states: nothing is lost by saving, restoring, moving and reloading, and a
//! state that is wrong is refused.
//!
//! `spec/proofs.md` lists each module with its subject.

mod faults;
mod reload;
mod round_trips;
