//! Sessions of the server in memory: one test for each feature.

mod client;
mod completion;
mod edits;
mod files;
mod names;
mod pictures;
mod shown;
