//! Trees, logs and the live monitor, for programs of several dialects.
//!
//! Tests that compare with captures of the library read the folder that `PLEACH_GROOT2` names:
//! `tree.xml`, `sample.btlog`, `frames.txt`. Without it they print `skipped`.

mod captures;
mod hostile;
mod live;
mod logs;
mod peer;
mod session;
mod support;
mod trees;
