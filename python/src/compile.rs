//! The compiler, and its findings as exceptions and objects.

use crate::errors::ErrorClass;
use crate::image::PyImage;
use pleach_build::files::{self, Files, add_manifests};
use pleach_build::findings::Findings;
use pleach_compile::dialect::{DIALECTS, Dialect, by_name, of_file};
use pleach_compile::manifest::Manifests;
use pleach_compile::source::{Found, Library};
use pleach_compile::texts::Texts;
use pleach_compile::{Compiler, Request};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::{Path, PathBuf};

/// Error or warning about trees.
#[pyclass(module = "pleach", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Finding {
    /// `error` or `warning`.
    severity: &'static str,
    /// Permanent code of the diagnostic; `None` for problems of manifests and files.
    code: Option<String>,
    /// Message that states the problem.
    message: String,
    /// Advice, if there is any.
    help: Option<String>,
    /// File of the text that the finding is about.
    file: Option<String>,
    /// Line in the file, from 1.
    line: Option<u32>,
    /// Column in the line in bytes, from 1.
    column: Option<u32>,
    /// The finding as one line.
    brief: String,
}

#[pymethods]
impl Finding {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the parts of a finding, for pickle")]
    fn new(
        severity: &str,
        code: Option<String>,
        message: String,
        help: Option<String>,
        file: Option<String>,
        line: Option<u32>,
        column: Option<u32>,
        brief: String,
    ) -> Self {
        let severity = if severity == "error" { "error" } else { "warning" };
        Self { severity, code, message, help, file, line, column, brief }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let it = self.clone();
        let parts = (it.severity, it.code, it.message, it.help, it.file, it.line, it.column, it.brief);
        (py.get_type::<Self>(), parts).into_pyobject(py)
    }

    fn __str__(&self) -> &str {
        &self.brief
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}: {}>", self.severity, self.brief)
    }
}

impl Finding {
    fn of(finding: &pleach_build::findings::Finding) -> Self {
        let place = finding.place.as_ref();
        Self {
            severity: if finding.is_error { "error" } else { "warning" },
            code: finding.code.map(str::to_owned),
            message: finding.message.clone(),
            help: finding.help.clone(),
            file: place.map(|place| place.file.clone()),
            line: place.map(|place| place.start.line),
            column: place.map(|place| place.start.column),
            brief: finding.brief(),
        }
    }
}

/// Files in memory. A dialect that reads all files of a folder reads them in the order of names.
struct ListedTexts {
    texts: Texts,
    names: Vec<String>,
}

impl Library for ListedTexts {
    fn tree(&self, name: &str) -> Option<Found> {
        self.texts.tree(name)
    }

    fn include(&self, path: &str) -> Option<Found> {
        self.texts.include(path)
    }

    fn files(&self) -> Vec<Found> {
        self.names.iter().filter_map(|name| self.texts.include(name)).collect()
    }
}

/// Trees to be compiled, wherever they are.
struct Job {
    dialect: &'static dyn Dialect,
    /// Files of folders; of trees in memory, no files.
    files: Files,
    memory: Option<ListedTexts>,
    entries: Vec<String>,
}

/// Options of `compile`, beside the trees.
struct Options {
    entries: Vec<String>,
    folders: Vec<PathBuf>,
    manifests: Vec<PathBuf>,
    manifest: Option<String>,
    lenient: bool,
    debug: bool,
}

/// Name of a tree, or names of several.
#[derive(FromPyObject)]
pub(crate) enum Entries {
    One(String),
    Many(Vec<String>),
}

impl Options {
    /// Returns the names of the trees that agents can run: the given ones, or that of the first
    /// file. Files that hold several trees are named by the first, and tell themselves which trees
    /// can run.
    fn entries_or(&self, dialect: &dyn Dialect, first: String) -> Vec<String> {
        let is_first = dialect.files_hold_trees() || self.entries.is_empty();
        if is_first { vec![first] } else { self.entries.clone() }
    }
}

fn failed(error: pleach_build::Error) -> PyErr {
    PyOSError::new_err(error.to_string())
}

/// Returns the dialect with a name.
fn named(name: &str) -> PyResult<&'static dyn Dialect> {
    by_name(name).ok_or_else(|| {
        let known: Vec<_> = DIALECTS.iter().map(|dialect| dialect.name()).collect();
        PyValueError::new_err(format!("there is no dialect `{name}`; there are {}", known.join(", ")))
    })
}

impl Job {
    fn of_path(path: &Path, dialect: Option<&str>, options: &Options) -> PyResult<Self> {
        let said = dialect.map(named).transpose()?;
        if path.is_dir() {
            return Self::of_folder(path, said, options);
        }
        let text = files::read(path).map_err(|error| PyErr::from(cannot_read(path, error)))?;
        let dialect = said.or_else(|| files::dialect(path, &text)).ok_or_else(|| {
            let path = path.display();
            PyValueError::new_err(format!("neither name nor content of {path} tells a dialect: name one"))
        })?;
        let mut files = Files::new(dialect, &options.folders).map_err(failed)?;
        let entry = files.add(path, text).map_err(failed)?;
        let entries = options.entries_or(dialect, entry);
        Ok(Self { dialect, files, memory: None, entries })
    }

    fn of_folder(path: &Path, said: Option<&'static dyn Dialect>, options: &Options) -> PyResult<Self> {
        let dialect = files::folder_dialect(said).ok_or_else(|| {
            PyValueError::new_err(format!("{} is a folder: name the file in it", path.display()))
        })?;
        let mut files = Files::new(dialect, &options.folders).map_err(failed)?;
        files.add_folder(path).map_err(failed)?;
        Ok(Self { dialect, files, memory: None, entries: options.entries.clone() })
    }

    fn of_memory(listed: &[(String, Vec<u8>)], dialect: Option<&str>, options: &Options) -> PyResult<Self> {
        let Some((first, text)) = listed.first() else {
            return Err(PyValueError::new_err("`files` has no file"));
        };
        let (stem, extension) = first.rsplit_once('.').unwrap_or((first, ""));
        let dialect = match dialect {
            Some(name) => named(name)?,
            None => of_file(extension, text).map_or_else(|| named("pleach"), Ok)?,
        };
        let files = Files::new(dialect, &options.folders).map_err(failed)?;
        let entries = options.entries_or(dialect, stem.to_owned());
        let mut texts = Texts::new(dialect.extensions().first().copied().unwrap_or_default());
        listed.iter().for_each(|(name, text)| texts.add(name, text));
        let names = listed.iter().map(|(name, _)| name.clone()).collect();
        Ok(Self { dialect, files, memory: Some(ListedTexts { texts, names }), entries })
    }

    /// Compiles. Returns the bytes of the image if there are no errors.
    fn compile(&self, options: &Options) -> PyResult<(Option<Vec<u8>>, Findings)> {
        let mut manifests = add_manifests(Manifests::of(self.dialect), &options.manifests).map_err(failed)?;
        if let Some(text) = &options.manifest {
            manifests.add("manifest", text);
        }
        let mut findings = Findings::default();
        findings.add_manifests(&manifests);
        if findings.failed() {
            return Ok((None, findings));
        }
        let manifest = manifests.manifest();
        let request =
            Request { dialect: self.dialect, manifest, entries: &self.entries, debug: options.debug };
        let library: &dyn Library = self.memory.as_ref().map_or(&self.files, |memory| memory);
        let done = Compiler::default().lenient(options.lenient).compile(library, request);
        findings.add(&done, &self.files);
        Ok((done.image, findings))
    }
}

fn cannot_read(path: &Path, error: std::io::Error) -> std::io::Error {
    std::io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Returns the files of a `dict` from names to texts or bytes, in its order.
fn listed(files: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Vec<u8>)>> {
    let mut listed = Vec::with_capacity(files.len());
    for (name, text) in files {
        let bytes = match text.extract::<&str>() {
            Ok(text) => text.as_bytes().to_vec(),
            Err(_) => text.extract::<&[u8]>()?.to_vec(),
        };
        listed.push((name.extract()?, bytes));
    }
    Ok(listed)
}

/// Compiles trees to an image.
#[pyfunction]
#[pyo3(signature = (
    path=None, *, text=None, files=None, dialect=None, entry=None, folders=Vec::new(), manifests=Vec::new(),
    manifest=None, lenient=false, debug=true
))]
#[expect(clippy::too_many_arguments, reason = "arguments of Python have names")]
pub(crate) fn compile(
    py: Python<'_>,
    path: Option<PathBuf>,
    text: Option<String>,
    files: Option<Bound<'_, PyDict>>,
    dialect: Option<&str>,
    entry: Option<Entries>,
    folders: Vec<PathBuf>,
    manifests: Vec<PathBuf>,
    manifest: Option<String>,
    lenient: bool,
    debug: bool,
) -> PyResult<PyImage> {
    let entries = match entry {
        None => Vec::new(),
        Some(Entries::One(entry)) => vec![entry],
        Some(Entries::Many(entries)) => entries,
    };
    let options = Options { entries, folders, manifests, manifest, lenient, debug };
    let job = match (path, text, files) {
        (Some(path), None, None) => Job::of_path(&path, dialect, &options)?,
        (None, Some(text), None) => {
            let dialect = dialect.unwrap_or("pleach");
            let extension = named(dialect)?.extensions().first().copied().unwrap_or_default();
            let listed = [(format!("text.{extension}"), text.into_bytes())];
            Job::of_memory(&listed, Some(dialect), &options)?
        }
        (None, None, Some(files)) => Job::of_memory(&listed(&files)?, dialect, &options)?,
        _ => return Err(PyTypeError::new_err("expected exactly one of a path, `text` and `files`")),
    };
    let (image, findings) = py.detach(move || job.compile(&options))?;
    let list: Vec<_> = findings.list().iter().map(Finding::of).collect();
    match image.filter(|_| !findings.failed()) {
        Some(bytes) => PyImage::compiled(&bytes, list),
        None => Err(ErrorClass::Compile.with(py, (findings.render(false), list))),
    }
}
