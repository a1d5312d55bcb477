//! Arrays that are the memory of a crowd.

#![expect(unsafe_code, reason = "an array of NumPy has no lifetime, so its owner keeps the memory")]

use crate::crowd::ViewOwner;
use numpy::{Element, PyArray1, ndarray};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns a read-only array of the memory of a column. `owner` must be an owner of views of the
/// crowd that has the column, made while the caller had the crowd to itself.
pub(crate) fn view<'py, E: Element>(
    column: &[E],
    owner: Bound<'py, ViewOwner>,
) -> PyResult<Bound<'py, PyAny>> {
    let elements = ndarray::ArrayView1::from(column);
    // SAFETY: the owner becomes the base of the array, so the owner lives as long as the array and
    // all arrays made from the array. As long as an owner lives, the cell keeps the crowd, and each
    // method that changes or replaces the crowd is refused. So the memory stays, and the library
    // does not write it. NumPy does not write it either: the flag is taken away below, and NumPy
    // does not set the flag again, because the owner offers no writable memory.
    let array = unsafe { PyArray1::borrow_from_array(&elements, owner.into_any()) };
    let flags = PyDict::new(array.py());
    flags.set_item("write", false)?;
    array.call_method("setflags", (), Some(&flags))?;
    Ok(array.into_any())
}
