//! Compiler as a whole: its limits, its table of diagnostics, its reuse, and manifests.

mod diagnostics;
mod limits;
mod manifests;
mod reuse;
