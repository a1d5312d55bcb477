//! Proofs about the repository: sources and specification keep the rules of the design.
//!
//! `spec/proofs.md` lists each module with its subject.

mod comments;
mod floors;
mod names;
mod rules;
mod spec;
