//! Random programs, and a world with pseudorandom answers.
//!
//! Conformance cases show that the engines meet the demands of the dialects. They use few of the
//! combinations that the IR allows. Here a seed becomes a whole
//! [`ir::Module`](pleach_compile::internals::ir::Module): every kind of node, every policy, shared
//! blocks, conditions with NaN in them ([`program`]). A scripted [`world`] answers by a hash of the
//! agent, the question and the tick, so all engines get the same answers. A [`duel`] runs the
//! program on the reference interpreter and on an engine side by side, with a [`witness`], and
//! reports the first difference. [`trial`] makes weaker demands on more inputs: any bytes, as image
//! or as source, are refused or run safely. [`mutate`](mod@mutate) makes such bytes.
//!
//! All random choices come from quickcheck's generator. [`check`] lets quickcheck run many
//! [`Case`]s. A failing case is shrunk by the tree of its choices, see [`draws`]. Nothing here
//! differs from run to run: a seed stands for one program forever, so a failure is reproduced by
//! its seed alone.
//!
//! ```
//! use pleach_tests::random::{Case, duel, witness::Census};
//! assert_eq!(duel::fight(&Case::new(7), &mut Census::default()), Ok(()));
//! ```

pub mod bst;
pub mod btcpp;
mod case;
pub mod check;
mod condition;
pub mod convert;
pub mod crowds;
pub mod draws;
pub mod duel;
pub mod edits;
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
