//! Proofs about the runtime: all engines agree with the reference interpreter and with each other,
//! and a tick stays within its bounds.
//!
//! `spec/proofs.md` lists each module with its subject. The allocator counts for `allocation`.

mod allocation;
mod batch;
mod bounds;
mod crowds_of_rules;
mod giving;
mod halts;
mod leaves;
mod lives;
mod nan;
mod paths;
mod priorities;
mod properties;
mod reference;
mod runtime;
mod shrinking;
mod time;
mod turns;
mod vectors;

use pleach_tests::counting::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
