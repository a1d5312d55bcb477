//! Values of all agents as a table for other packages: the class `Table`.

use super::{CrowdState, PyCrowd};
use crate::columns;
use crate::errors::ErrorClass;
use arrow_array::ffi::{FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, StructArray, UInt64Array};
use pleach::Agent;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// Values of agents at one time, as a table in the memory format Apache Arrow.
#[pyclass(name = "Table", module = "pleach", frozen)]
pub(crate) struct PyTable(RecordBatch);

fn failed(why: impl std::fmt::Display) -> PyErr {
    ErrorClass::Pleach.because(why)
}

#[pymethods]
impl PyTable {
    /// Returns the names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// Returns the types of the columns, as other packages read them.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.0.schema().as_ref()).map_err(failed)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Returns the types and the table, as other packages read them. A requested schema changes
    /// nothing.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let (array, schema) = to_ffi(&StructArray::from(self.0.clone()).to_data()).map_err(failed)?;
        let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
        Ok((schema, PyCapsule::new_with_value(py, array, c"arrow_array")?))
    }

    /// Returns the table as a stream of one batch, as other packages read it. A requested schema
    /// changes nothing.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        format!("<Table of {} agents: {}>", self.0.num_rows(), self.columns().join(", "))
    }
}

#[pymethods]
impl PyCrowd {
    /// Returns a table of the ids of all agents and of some variables, by default of all.
    #[pyo3(signature = (*names))]
    fn table(&self, names: Vec<String>) -> PyResult<PyTable> {
        self.read(|state| {
            state.runs()?;
            let CrowdState { crowd, runs, ids, image, .. } = state;
            let names = if names.is_empty() { columns::names(crowd, &image.get().image) } else { names };
            let bits: Vec<u64> = ids.iter().copied().map(Agent::to_bits).collect();
            let mut table: Vec<(String, ArrayRef)> =
                vec![("id".to_owned(), Arc::new(UInt64Array::from(bits)))];
            for name in names {
                if table.iter().any(|(other, _)| *other == name) {
                    return Err(failed(format!("two columns are named `{name}`")));
                }
                let array = columns::arrow(crowd, runs.as_deref().unwrap_or_default(), ids.len(), &name)?;
                table.push((name, array));
            }
            RecordBatch::try_from_iter(table).map(PyTable).map_err(failed)
        })
    }
}
