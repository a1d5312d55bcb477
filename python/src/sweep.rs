//! Sweeps: the class `Sweep` of the extension, which `pleach/sweep.py` wraps.
//!
//! Rows and files are those of the crate `pleach-sweep`, so they have the same bytes as those of
//! the command. A game of Python is a host that a function makes for each row.

use crate::crowd::PyCrowd;
use crate::errors::ErrorClass;
use crate::host::PyHost;
use crate::image::PyImage;
use crate::program::PyProgram;
use pleach::watch::Statistics;
use pleach::{Crowd, Tally};
use pleach_sweep::{
    Cell, Comparison, Plan, Results, ScriptedGame, Setting, ShardPart, Summary, Sweep, SweepGame, compare,
    row_error, run, sample,
};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyDict, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Plan with its program.
#[pyclass(name = "Sweep", module = "pleach._pleach", frozen)]
pub(crate) struct PySweep {
    sweep: Sweep,
    /// Image of the program.
    image: Py<PyImage>,
    /// Function that makes the host of a row; `None` for the scripted host of the plan.
    host: Option<Py<PyAny>>,
    /// Text of the plan, name of the game and bytes of the file of settings.
    source: (String, String, Option<Vec<u8>>),
}

/// Game of a row.
enum Game {
    Scripted(Box<ScriptedGame>),
    /// Crowd of Python, and a function that is called before each tick, if there is one.
    Python(Py<PyCrowd>, Option<Py<PyAny>>),
}

impl SweepGame for Game {
    fn with_crowd<R>(&mut self, work: impl FnOnce(&mut Crowd) -> R) -> Result<R, String> {
        match self {
            Self::Scripted(game) => game.with_crowd(work),
            Self::Python(crowd, _) => crowd.get().with_crowd(work).map_err(|error| error.to_string()),
        }
    }

    fn tick(&mut self, tick: u32, now: i64, statistics: Option<&mut Statistics>) -> Result<Tally, String> {
        let (crowd, before) = match self {
            Self::Scripted(game) => return game.tick(tick, now, statistics),
            Self::Python(crowd, before) => (crowd, before),
        };
        let ticked = Python::attach(|py| {
            if let Some(before) = before {
                before.bind(py).call1((crowd.clone_ref(py), tick))?;
            }
            crowd.get().tick_counted(py, now, statistics)
        });
        ticked.map_err(|error| error.to_string())
    }
}

fn object(py: Python<'_>, cell: &Cell) -> PyResult<Py<PyAny>> {
    Ok(match cell {
        Cell::Null => py.None(),
        Cell::Bool(flag) => flag.into_pyobject(py)?.to_owned().into_any().unbind(),
        Cell::Integer(number) => number.into_pyobject(py)?.into_any().unbind(),
        Cell::Number(number) => number.into_pyobject(py)?.into_any().unbind(),
        Cell::Text(text) => text.into_pyobject(py)?.into_any().unbind(),
    })
}

/// Returns a part of all shards.
fn part((index, of): (u32, u32)) -> PyResult<ShardPart> {
    format!("{index}/{of}").parse().map_err(PyValueError::new_err)
}

impl PySweep {
    /// Returns the game of a row.
    fn game(&self, setting: &Setting) -> Result<Game, String> {
        let Some(make) = &self.host else { return Ok(Game::Scripted(self.sweep.scripted(setting)?.into())) };
        let made = Python::attach(|py| {
            let values = PyDict::new(py);
            for (name, value) in &setting.values {
                values.set_item(name, object(py, value)?)?;
            }
            let made = make.bind(py).call1((values, setting.seed))?;
            let (host, before): (Py<PyHost>, Option<Py<PyAny>>) = match made.extract() {
                Ok((host, before)) => (host, Some(before)),
                Err(_) => (made.extract::<Py<PyHost>>()?, None),
            };
            let program = PyProgram::new(py, self.image.clone_ref(py), host)?;
            Ok(Game::Python(Py::new(py, PyCrowd::new(py, &program, setting.seed, None))?, before))
        });
        made.map_err(|error: PyErr| error.to_string())
    }

    fn results(&self, out: &Path) -> PyResult<Results<'_>> {
        Results::open(&self.sweep, out).map_err(|why| ErrorClass::Pleach.because(why))
    }
}

/// Returns a summary as a `dict`.
fn summary<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let object = PyDict::new(py);
    object.set_item("shards", summary.shards)?;
    object.set_item("found", summary.found)?;
    object.set_item("done", summary.done)?;
    object.set_item("rows", summary.rows)?;
    object.set_item("failed_rows", summary.failed_rows)?;
    object.set_item("first_error", summary.first_error.as_deref())?;
    object.set_item("lost", summary.lost.clone())?;
    Ok(object)
}

/// Program of a plan, its dialect, leniency, folders and manifests, and its file of settings.
type PlanSource = (String, Option<String>, bool, Vec<String>, Vec<String>, Option<String>);

#[pymethods]
impl PySweep {
    /// Resolves the names of a plan in an image. `host` makes the host of a row, and `game` is its
    /// name in the run id. `settings` has the bytes of the file of settings, if the plan names one.
    #[new]
    fn new(
        text: &str,
        image: Py<PyImage>,
        host: Option<Py<PyAny>>,
        game: &str,
        settings: Option<Vec<u8>>,
    ) -> PyResult<Self> {
        let plan = Plan::parse(text);
        let plan = plan.and_then(|plan| plan.with_settings(settings.as_deref().unwrap_or_default()));
        let sweep = plan.and_then(|plan| Sweep::new(plan, text, &image.get().image, game));
        let sweep = sweep.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { sweep, image, host, source: (text.to_owned(), game.to_owned(), settings) })
    }

    /// Returns the arguments that make the same sweep in another process.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (text, game, settings) = &self.source;
        let settings = settings.as_ref().map(|settings| PyBytes::new(py, settings));
        (text, &self.image, self.host.as_ref(), game, settings).into_pyobject(py)
    }

    /// Returns the files of a plan: its program, dialect, leniency, folders and manifests, and its
    /// file of settings.
    #[staticmethod]
    fn files(text: &str) -> PyResult<PlanSource> {
        let plan = Plan::parse(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let settings = plan.settings_file().map(str::to_owned);
        Ok((plan.program, plan.dialect, plan.lenient, plan.folders, plan.manifests, settings))
    }

    /// Returns the run id.
    #[getter]
    fn run_id(&self) -> &str {
        self.sweep.run_id()
    }

    /// Returns the names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.sweep.columns().iter().map(|column| column.name.as_str()).collect()
    }

    /// Returns the shards of a part that are not done, and the number of those that are.
    fn shards(&self, py: Python<'_>, out: PathBuf, of: (u32, u32)) -> PyResult<(Vec<u32>, usize)> {
        let (results, part) = (self.results(&out)?, part(of)?);
        let own: Vec<u32> = (0..self.sweep.plan().shards()).filter(|shard| part.has(*shard)).collect();
        let all = own.len();
        let pending: Vec<u32> =
            py.detach(|| own.into_iter().filter(|shard| !results.is_done(*shard)).collect());
        let found = all - pending.len();
        Ok((pending, found))
    }

    /// Runs the shards of a part that are not done. `progress` is called with a summary often.
    fn run<'py>(
        &self,
        py: Python<'py>,
        out: PathBuf,
        of: (u32, u32),
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (results, part) = (self.results(&out)?, part(of)?);
        let (stopped, mut error) = (AtomicBool::new(false), None);
        let mut tell = |sofar: &Summary| {
            let told = Python::attach(|py| {
                py.check_signals()?;
                let Some(progress) = &progress else { return Ok(()) };
                progress.bind(py).call1((summary(py, sofar)?,)).map(drop)
            });
            if let Err(raised) = told {
                stopped.store(true, Ordering::Relaxed);
                error.get_or_insert(raised);
            }
        };
        let stop = || stopped.load(Ordering::Relaxed);
        let make = |setting: &Setting| self.game(setting);
        let done = py.detach(|| run(&self.sweep, &results, part, threads, &make, &stop, &mut tell));
        match error {
            Some(error) => Err(error),
            None => summary(py, &done.map_err(PyOSError::new_err)?),
        }
    }

    /// Runs a shard. Returns the bytes of its file, the number of its rows, and the errors of rows.
    fn encode<'py>(
        &self,
        py: Python<'py>,
        shard: u32,
    ) -> PyResult<(Bound<'py, PyBytes>, usize, Vec<String>)> {
        let make = |setting: &Setting| self.game(setting);
        // Nobody stops it, so it does not end before its end.
        let rows = py.detach(|| self.sweep.shard(shard, &make, &|| false)).unwrap_or_default();
        let bytes = self.sweep.encode(shard, &rows).map_err(PyOSError::new_err)?;
        let errors = rows.iter().filter_map(|row| row_error(row)).map(str::to_owned).collect();
        Ok((PyBytes::new(py, &bytes), rows.len(), errors))
    }

    /// Writes the file of a shard with the bytes of `encode`. `shards` must have opened the folder.
    fn write(&self, py: Python<'_>, out: PathBuf, shard: u32, bytes: &[u8]) -> PyResult<()> {
        let results = Results::at(&self.sweep, &out);
        py.detach(|| results.write(shard, bytes)).map_err(PyOSError::new_err)
    }

    /// Runs a part of the shards that are done again. Returns the number of these shards and the
    /// numbers of those whose files have other bytes.
    fn check(&self, py: Python<'_>, out: PathBuf, share: f64) -> PyResult<(usize, Vec<u32>)> {
        let results = self.results(&out)?;
        let chosen = py.detach(|| sample(&self.sweep, &results, ShardPart::ALL, share));
        let mut different = Vec::new();
        for shard in &chosen {
            let (bytes, ..) = self.encode(py, *shard)?;
            if bytes.as_bytes() != results.read(*shard).map_err(PyOSError::new_err)? {
                different.push(*shard);
            }
            py.check_signals()?;
        }
        Ok((chosen.len(), different))
    }

    /// Returns the cells of all shards that are done, by column.
    fn table<'py>(&self, py: Python<'py>, out: PathBuf) -> PyResult<Bound<'py, PyDict>> {
        let results = self.results(&out)?;
        let mut columns: Vec<Vec<Py<PyAny>>> = self.sweep.columns().iter().map(|_| Vec::new()).collect();
        for shard in (0..self.sweep.plan().shards()).filter(|shard| results.is_done(*shard)) {
            let mut rows = Vec::new();
            results.rows(shard, |row| rows.push(row)).map_err(PyOSError::new_err)?;
            for row in rows {
                for (column, cell) in columns.iter_mut().zip(&row) {
                    column.push(object(py, cell)?);
                }
            }
        }
        let table = PyDict::new(py);
        for (name, column) in self.columns().into_iter().zip(columns) {
            table.set_item(name, column)?;
        }
        Ok(table)
    }

    /// Compares the results with those of another program, by column.
    fn compare<'py>(
        &self,
        py: Python<'py>,
        out: PathBuf,
        against: &Self,
        against_out: PathBuf,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (results, other) = (self.results(&out)?, against.results(&against_out)?);
        let list = py.detach(|| compare(&results, &other)).map_err(|why| ErrorClass::Pleach.because(why))?;
        let mut columns = Comparison::COLUMNS.map(|name| (name, Vec::with_capacity(list.len())));
        for it in &list {
            for ((_, column), cell) in columns.iter_mut().zip(it.cells()) {
                column.push(object(py, &cell)?);
            }
        }
        columns.into_py_dict(py)
    }
}
