//! Images, and their nodes.

use crate::compile::Finding;
use crate::errors::ErrorClass;
use pleach::{Image, LoadError};
use pleach_image::format::import_kind;
use pleach_image::listing;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;

/// Compiled program of trees.
#[pyclass(name = "Image", module = "pleach", frozen)]
pub(crate) struct PyImage {
    pub(crate) image: Arc<Image>,
    findings: Vec<Finding>,
}

impl PyImage {
    /// Returns the image that the compiler has written.
    pub(crate) fn compiled(bytes: &[u8], findings: Vec<Finding>) -> PyResult<Self> {
        let image = Image::copy(bytes).map_err(|why| {
            ErrorClass::Pleach
                .because(format!("the compiler has written an invalid image, please report: {why}"))
        })?;
        Ok(Self { image: Arc::new(image), findings })
    }
}

/// Node of an image.
#[pyclass(module = "pleach", frozen, get_all)]
pub(crate) struct Node {
    /// Number of the node, from 1.
    pub(crate) id: u32,
    /// Number of the parent; 0 for the root of a tree.
    parent: u32,
    /// Keyword and subject of the node.
    pub(crate) label: String,
    /// File of the node's source.
    pub(crate) file: String,
    /// Line in the file, from 1; 0 if it is unknown.
    pub(crate) line: u32,
    /// Column in the line in bytes, from 1.
    column: u32,
}

#[pymethods]
impl Node {
    fn __repr__(&self) -> String {
        format!("<Node {}: {} at {}:{}>", self.id, self.label, self.file, self.line)
    }
}

#[pymethods]
impl PyImage {
    /// Verifies the bytes of an image.
    #[new]
    fn new(data: &[u8]) -> PyResult<Self> {
        let image = Image::copy(data).map_err(|error| ErrorClass::Image.because(error))?;
        Ok(Self { image: Arc::new(image), findings: Vec::new() })
    }

    /// Reads and verifies an image file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let image = Image::load(&path).map_err(|error| match error {
            LoadError::Io(error) => PyErr::from(error),
            error => ErrorClass::Image.because(format!("{}: {error}", path.display())),
        })?;
        Ok(Self { image: Arc::new(image), findings: Vec::new() })
    }

    /// Writes the image to a file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        Ok(std::fs::write(path, self.image.bytes())?)
    }

    /// Returns names of the trees that agents can run.
    #[getter]
    fn entries(&self) -> Vec<&str> {
        self.image.entries().iter().map(|row| self.image.name(row.name)).collect()
    }

    /// Returns the dialect that the trees were written in.
    #[getter]
    fn dialect(&self) -> &str {
        self.image.dialect()
    }

    /// Returns the names of the events that agents can be told.
    #[getter]
    fn events(&self) -> Vec<&str> {
        self.image.events().iter().map(|row| self.image.name(row.name)).collect()
    }

    /// Returns the names of the actions that the host must have.
    #[getter]
    fn actions(&self) -> Vec<&str> {
        self.functions(import_kind::ACTION)
    }

    /// Returns the names of the queries that the host must have.
    #[getter]
    fn queries(&self) -> Vec<&str> {
        self.functions(import_kind::QUERY)
    }

    /// Returns the warnings of the compiler.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }

    /// Returns the nodes of all trees, in order.
    #[getter]
    fn nodes(&self) -> Vec<Node> {
        (1..=self.image.meta().nodes).map(|id| self.node(id)).collect()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.image.bytes())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (py.get_type::<Self>(), (self.__bytes__(py),)).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        let entries = self.entries().join(", ");
        format!(
            "<Image of {}: {} nodes, {} bytes>",
            entries,
            self.image.meta().nodes,
            self.image.bytes().len()
        )
    }
}

impl PyImage {
    fn functions(&self, kind: u32) -> Vec<&str> {
        let rows = self.image.imports().iter().filter(|row| import_kind::of(row.kind) == kind);
        rows.map(|row| self.image.name(row.name)).collect()
    }

    pub(crate) fn node(&self, id: u32) -> Node {
        let label = listing::label(&self.image, id);
        let debug = self.image.debug_node(id).copied().unwrap_or_default();
        let file = self.image.debug_text(debug.file).into_owned();
        Node { id, parent: debug.parent, label, file, line: debug.line, column: debug.column }
    }
}
