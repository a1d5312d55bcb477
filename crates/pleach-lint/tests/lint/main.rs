//! Proof of the analyses and rules: on the examples of the page, and on random programs that the
//! reference interpreter runs.
//!
//! `operands` looks at expressions as they are lowered. `statuses` proves what the analyses say,
//! `rules` and `edits` the findings, and `diff` the differences between programs.

mod diff;
mod edits;
mod game;
mod operands;
mod rules;
mod statuses;
