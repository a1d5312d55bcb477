//! Trees, logs and the live monitor, for programs of several dialects.
//!
//! Three tests compare with captures: files that were made by running BehaviorTree.CPP 4.10.0. They
//! read the folder that `PLEACH_GROOT2` names, and print `skipped` without it:
//!
//! ```console
//! $ PLEACH_GROOT2=/path/to/captures cargo test -p pleach-groot2 --test groot2 -- captures session
//! ```
//!
//! The folder has three files about one tree, `Main`, with a subtree of the name `sub`:
//!
//! * `tree.xml`: the tree, written by `WriteTreeToXML` with metadata and builtin models.
//! * `sample.btlog`: a log of a run of the tree, written by `FileLogger2`. The test has the start
//!   and the number of changes of this very log.
//! * `frames.txt`: the bytes of requests to `Groot2Publisher` and of its replies, in the order of
//!   one session. Each exchange is a section: `## TITLE`, then `request HEX | TEXT` and
//!   `reply | [LENGTH] HEX | [LENGTH] HEX`, with one part for each frame. A long frame is cut and
//!   ends with `...`.

mod captures;
mod hostile;
mod live;
mod logs;
mod peer;
mod session;
mod support;
mod trees;
