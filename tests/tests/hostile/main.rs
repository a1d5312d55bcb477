//! Proofs about hostile input: images, sources, files, hosts and a lack of memory lead to an error,
//! never to a panic, a hang or growth.
//!
//! `spec/proofs.md` lists each module with its subject. The allocator counts, and fails when a test
//! tells it to.

mod bad_hosts;
mod bombs;
mod campaigns;
mod documents;
mod edits;
mod images;
mod ledger;
mod load;
mod memory;
mod planted;
mod proportion;
mod small_stack;
mod verifier;

use pleach_tests::counting::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
