//! Proof of the analyses and rules: on the examples of the page, and on random programs that the
//! reference interpreter runs.
//!
//! `statuses` proves what the analyses say, `rules` and `edits` the findings, and `diff` the
//! differences between programs.

mod diff;
mod edits;
mod game;
mod rules;
mod statuses;
