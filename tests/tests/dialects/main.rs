//! Proofs about languages: the behavior of sources agrees with recorded cases, the reference
//! interpreter and the examples of the specification.
//!
//! `spec/proofs.md` lists each module with its subject.

mod bst;
mod bst_examples;
mod btcpp;
mod cases;
mod conformance;
mod converting;
mod dragengine;
mod editing;
mod forests;
mod format;
mod goldens;
mod language;
mod mbt;
mod mbt_examples;
mod mbt_grafts;
mod versions;
mod walkers;
