//! Proofs about saved states: saving, restoring, moving and reloading lose nothing, and an invalid
//! state is refused.
//!
//! `spec/proofs.md` lists each module with its subject.

mod enums;
mod faults;
mod reload;
mod round_trips;
mod texts;
mod tree_variables;
mod tunables;
mod vectors;
mod wide;
