//! Pleach for Python: the extension module of the package `pleach`.
//!
//! The package compiles trees to images, links images to functions of Python, and ticks crowds of
//! agents whose variables are arrays of NumPy. `spec/python.md` describes the rules; the names for
//! Python programs are in `pleach/__init__.py`.
//!
//! A crowd is behind a lock that is never waited for ([`crowd`]). A call of the runtime is lent to
//! an object of Python while a function runs ([`lent`]). Parts of a crowd are suspended until a
//! function of Python is called for all of them ([`together`]). Views of memory keep the crowd from
//! changing ([`crowd`]). All other code here is safe.

mod answers;
mod asker;
mod batches;
mod call;
mod columns;
mod compile;
mod crowd;
mod errors;
mod failures;
mod finding;
mod host;
mod image;
mod lent;
mod program;
mod record;
mod scripted;
mod sweep;
mod tally;
mod together;
mod types;

use pyo3::prelude::*;

/// Extension module of the package.
#[pymodule]
mod _pleach {
    #[pymodule_export]
    use crate::answers::Other;
    #[pymodule_export]
    use crate::call::{PyBatch, PyCall};
    #[pymodule_export]
    use crate::compile::compile;
    #[pymodule_export]
    use crate::crowd::{PyCrowd, PyGroup, PyTable, PyView, Snapshot, TracedTick};
    #[pymodule_export]
    use crate::finding::Finding;
    #[pymodule_export]
    use crate::host::PyHost;
    #[pymodule_export]
    use crate::image::{Node, PyImage};
    #[pymodule_export]
    use crate::program::{PyProgram, PyTunable, PyVariable};
    #[pymodule_export]
    use crate::record::{PyRecorder, PyReplay};
    #[pymodule_export]
    use crate::sweep::PySweep;
    #[pymodule_export]
    use crate::tally::PyTally;
}
