//! Benchmarks: pleach beside hand-written Rust and beside other libraries.
//!
//! Each tree is run by several systems on the same answers; [`lineup`] says by which. Before
//! anything is timed the systems are compared, tick by tick: [`equality`]. Only then does a ratio
//! mean something. There are two kinds of tree.
//!
//! The `bot` (its text is in `trees/`) asks the game, at every leaf:
//!
//! * [`trees`] holds the text, [`crowd`] runs it on pleach;
//! * [`native`] is the same tree written by hand, the yardstick, compiled twice by [`trusted`];
//! * [`peer`] is the same tree on bonsai-bt;
//! * [`world`] answers their leaves, whose odds are in [`leaves`]; [`bot`] and
//!   [`conditions`] are how hand-written code asks it.
//!
//! The others, in [`fields`], read and write variables and ask nobody, so that what is timed is the
//! tree alone. Apart from them stands [`select`], whose agents do something only when they have
//! been told something.
//!
//! Agents that react to changes and events, in modular behavior trees, are in [`reacting`]. Agents
//! that look for enemies, judge distances and act by their mood are in [`squad`].
//!
//! [`scripted`] reads trees of any dialect from files and runs them beside a walker over nodes;
//! `spec/measuring.md` tells how.
//!
//! [`border`] runs some of these trees through the C API, to see what that adds.
//!
//! [`corpus`] and [`corpus_pleach`] make up many trees to compile and load, [`measure`] takes
//! medians, [`chart`] draws.
//!
//! `cargo bench -p pleach-benches` runs the groups `compile`, `load` and `tick`. Times of separate
//! runs on a shared machine say little, so figures to quote are ratios from one process: `cargo run
//! --release -p pleach-benches --bin ratios` interleaves the systems and prints one line for each.

#[expect(unsafe_code, reason = "calls functions as C does")]
pub mod border;
pub mod bot;
pub mod chart;
pub mod conditions;
pub mod corpus;
pub mod corpus_pleach;
pub mod crowd;
mod dice;
pub mod equality;
pub mod fields;
pub mod leaves;
pub mod lineup;
pub mod linking;
pub mod measure;
pub mod native;
pub mod peer;
pub mod reacting;
pub mod scripted;
pub mod select;
pub mod shortcuts;
pub mod squad;
pub mod system;
pub mod timers;
pub mod trees;
pub mod trusted;
pub mod world;
