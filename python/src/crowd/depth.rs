//! Limit of crowds that work inside each other.
//!
//! A leaf may make and tick another crowd, whose leaf may do it again. Each level takes stack of
//! the library and of Python, and Python does not know the part of the library. So the levels of a
//! thread are counted, and too many are an error of Python instead of the end of the process.

use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;
use std::cell::Cell;

/// Maximum number of crowds of a thread that work inside each other.
const MAX_LEVELS: u32 = 16;

thread_local! {
    static LEVELS: Cell<u32> = const { Cell::new(0) };
}

/// Work of a crowd, which counts as a level of its thread until it is dropped.
pub(super) struct Level(());

impl Level {
    /// Begins a level. Fails if the thread has [`MAX_LEVELS`] already.
    pub(super) fn enter() -> PyResult<Self> {
        LEVELS.with(|levels| {
            if levels.get() == MAX_LEVELS {
                return Err(PyRecursionError::new_err(format!(
                    "{MAX_LEVELS} crowds of this thread work inside each other: a leaf uses a crowd, whose leaf uses another, and so on"
                )));
            }
            levels.set(levels.get() + 1);
            Ok(Self(()))
        })
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        LEVELS.with(|levels| levels.set(levels.get() - 1));
    }
}
