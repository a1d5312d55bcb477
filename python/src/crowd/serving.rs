//! The live page of a crowd: the class `View`.

use super::PyCrowd;
use crate::errors::ErrorClass;
use pleach::state::ReloadReport;
use pleach::{Crowd, Image, Program};
use pleach_view::{Options, Scene, View};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// Title of pages.
const TITLE: &str = "crowd";

/// View that a crowd and an object of Python share. It is empty when the view has been closed.
pub(crate) type SharedView = Mutex<Option<Served>>;

/// Page that is served.
pub(crate) struct Served {
    pub(super) page: View,
    /// Texts of the trees by the names of their files.
    sources: HashMap<String, String>,
}

/// Returns the scene of a crowd with the texts of its trees.
fn scene(image: &Image, program: &Program, sources: &HashMap<String, String>) -> Scene {
    Scene::new(TITLE, image, program, |file| sources.get(file).map(|text| text.clone().into_bytes()))
}

/// Live page of a crowd. It is served until it is closed, or until the object is dropped.
#[pyclass(name = "View", module = "pleach", frozen)]
pub(crate) struct PyView {
    view: Arc<SharedView>,
    url: String,
}

impl PyView {
    fn locked(&self) -> PyResult<MutexGuard<'_, Option<Served>>> {
        self.view.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => ErrorClass::Busy.because("the crowd of the view is being ticked"),
            TryLockError::Poisoned(_) => {
                ErrorClass::Pleach.because("a defect of the library has damaged the view")
            }
        })
    }
}

/// Tells the pages of a view that its crowd continues with another build of the trees. Files
/// without a new text keep their texts.
pub(super) fn reloaded(
    view: &SharedView,
    changed: HashMap<String, String>,
    image: &Image,
    crowd: &Crowd,
    report: &ReloadReport,
) {
    if let Ok(mut view) = view.lock()
        && let Some(Served { page, sources }) = view.as_mut()
    {
        sources.extend(changed);
        page.reloaded(scene(image, crowd.program(), sources), report, crowd);
    }
}

#[pymethods]
impl PyView {
    /// Returns the address of the page. It contains the token, so keep it secret.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// Returns true if a page is connected.
    #[getter]
    fn is_watched(&self) -> PyResult<bool> {
        Ok(self.locked()?.as_ref().is_some_and(|view| view.page.is_watched()))
    }

    /// Ends the view and all its connections.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let view = self.locked()?.take();
        // The end of the threads is waited for.
        py.detach(|| drop(view));
        Ok(())
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: Vec<Py<PyAny>>) -> PyResult<()> {
        self.close(py)
    }

    /// Shows the page in a notebook.
    fn _repr_html_(&self) -> String {
        format!(r#"<iframe src="{}" width="100%" height="600"></iframe>"#, self.url)
    }

    fn __repr__(&self) -> &'static str {
        "<View of a crowd>"
    }
}

#[pymethods]
impl PyCrowd {
    /// Serves a live page of the crowd. `sources` has the texts of the trees by the names of their
    /// files.
    #[pyo3(signature = (address="127.0.0.1", port=0, *, sources=HashMap::new()))]
    fn view(
        &self,
        py: Python<'_>,
        address: &str,
        port: u16,
        sources: HashMap<String, String>,
    ) -> PyResult<PyView> {
        self.read(|state| {
            if state.view.upgrade().is_some_and(|view| view.try_lock().map_or(true, |it| it.is_some())) {
                return Err(ErrorClass::Busy.because("the crowd has a view already: close it first"));
            }
            let scene = scene(&state.image.get().image, state.crowd.program(), &sources);
            let options = Options { framed: true, ..Options::default() };
            let page = py.detach(|| View::serve((address, port), scene, options));
            let page = page.map_err(|why| {
                PyOSError::new_err(format!("cannot serve a page at {address}, port {port}: {why}"))
            })?;
            let url = page.address();
            let view = Arc::new(Mutex::new(Some(Served { page, sources })));
            state.view = Arc::downgrade(&view);
            Ok(PyView { view, url })
        })
    }
}
