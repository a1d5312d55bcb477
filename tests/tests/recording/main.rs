//! Proofs about recordings, traces and statistics.
//!
//! `spec/proofs.md` lists each module with its subject.

mod recordings;
mod watching;
