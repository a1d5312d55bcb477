//! Programs that nobody would write, and a world that answers without reason.
//!
//! Conformance cases show that the engines do what the dialects ask for; they use few of the ways in which the IR can
//! be put together. Here a seed grows into a whole [`ir::Module`](pleach_compile::ir::Module): every kind of node, every
//! policy, shared blocks, conditions with NaN in them ([`program`]). A scripted [`world`] answers by a hash of who asks
//! what and when, so all engines hear the same. A [`duel`] lets the reference interpreter and an engine run the program
//! side by side, with a [`witness`], and tells the first thing in which they differ. [`trial`] asks less of more: that bytes from anywhere,
//! as image or as source, are refused or run safely; [`mutate`](mod@mutate) makes such bytes.
//!
//! All chance comes from quickcheck's generator. [`check`] lets quickcheck try many [`Case`]s; one that goes wrong is made
//! smaller by the tree of its choices, see [`draws`]. Nothing here is random from run to run: a seed stands for a program
//! forever, so a failure is reported with its seed, and that is all it takes to see it again.
//!
//! ```
//! use pleach_tests::random::{Case, duel, witness::Census};
//! assert_eq!(duel::fight(&Case::new(7), &mut Census::default()), Ok(()));
//! ```

pub mod bst;
mod case;
pub mod check;
mod condition;
pub mod crowds;
pub mod draws;
pub mod duel;
pub mod forest;
pub mod forge;
pub mod fragile;
pub mod golden;
pub mod language;
pub mod linking;
pub mod mbt;
pub mod mutate;
pub mod program;
pub mod rebuilt;
pub mod recordings;
pub mod rules;
mod sides;
pub mod states;
pub mod steady;
pub mod trial;
pub mod witness;
pub mod world;

pub use case::Case;
