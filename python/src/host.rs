//! Functions of a game by name: the class `Host`.

use crate::errors::ErrorClass;
use crate::types;
use pleach::Function;
use pleach::host::Effect;
use pleach::values::Type;
use pleach_sweep::{CallLimits, ScriptedAction};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Function of Python. Clones share the object.
pub(crate) type Callback = Arc<Py<PyAny>>;

/// Source of the answers of a leaf.
#[derive(Clone)]
pub(crate) enum Leaf {
    /// Function for many agents.
    Many(Callback),
    /// Function for one agent.
    Each(Callback),
    /// Random statuses of an action.
    Action(ScriptedAction),
    /// Random answers of a query: true with this chance.
    Query(f64),
    /// Column of the variable with the name of the query.
    Column(Type),
}

/// Leaf with its name.
#[derive(Clone)]
pub(crate) struct BoundLeaf {
    pub(crate) kind: Function,
    pub(crate) name: Arc<str>,
    pub(crate) effect: Effect,
    pub(crate) leaf: Leaf,
    /// Function that hears if a running action does not continue.
    pub(crate) halted: Option<Callback>,
}

impl BoundLeaf {
    /// Returns the function of Python that answers, if there is one.
    fn callback(&self) -> Option<&Callback> {
        match &self.leaf {
            Leaf::Many(callback) | Leaf::Each(callback) => Some(callback),
            Leaf::Action(_) | Leaf::Query(_) | Leaf::Column(_) => None,
        }
    }
}

/// All functions of a host. The number of a leaf is its place, which never changes.
#[derive(Clone, Default)]
pub(crate) struct LeafTable {
    pub(crate) leaves: Vec<BoundLeaf>,
    pub(crate) numbers: HashMap<(Function, Arc<str>), u32>,
    pub(crate) log: Option<Callback>,
    pub(crate) knows: Option<Callback>,
}

impl LeafTable {
    /// Returns the number of a function.
    pub(crate) fn number(&self, kind: Function, name: &str) -> Option<u32> {
        self.numbers.get(&(kind, name.into())).copied()
    }

    /// Returns true if functions of Python for many agents are bound.
    pub(crate) fn asks_many(&self) -> bool {
        self.leaves.iter().any(|bound| matches!(bound.leaf, Leaf::Many(_)))
    }

    /// Returns all functions of Python.
    fn callbacks(&self) -> impl Iterator<Item = &Callback> {
        let leaves = self.leaves.iter().flat_map(|leaf| leaf.callback().into_iter().chain(&leaf.halted));
        leaves.chain(&self.log).chain(&self.knows)
    }
}

/// Functions of a game, by name.
#[pyclass(name = "Host", module = "pleach", frozen)]
#[derive(Default)]
pub(crate) struct PyHost(Mutex<Arc<LeafTable>>);

impl PyHost {
    /// Returns all functions that are bound now.
    pub(crate) fn table(&self) -> Arc<LeafTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the functions. Functions that go are returned by the work and dropped without the
    /// lock, because finalizers of Python may use the host.
    fn change<R>(&self, work: impl FnOnce(&mut LeafTable) -> R) -> R {
        work(Arc::make_mut(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn bind(&self, kind: Function, name: &str, effect: Effect, leaf: Leaf) {
        let name: Arc<str> = name.into();
        let _replaced = self.change(|table| {
            let bound = BoundLeaf { kind, name: name.clone(), effect, leaf, halted: None };
            match table.numbers.get(&(kind, name.clone())) {
                Some(number) => {
                    let place = &mut table.leaves[*number as usize];
                    let bound = BoundLeaf { halted: place.halted.take(), ..bound };
                    Some(std::mem::replace(place, bound))
                }
                None => {
                    table.numbers.insert((kind, name), table.leaves.len() as u32);
                    table.leaves.push(bound);
                    None
                }
            }
        });
    }
}

/// Subject of a decorator.
#[derive(Clone)]
enum BindingKind {
    Leaf { kind: Function, name: String, effect: Effect, each: bool },
    Halted(u32),
    Log,
    Knows,
}

/// Decorator that binds a function to a host.
#[pyclass(module = "pleach", frozen)]
struct Binding {
    host: Py<PyHost>,
    kind: BindingKind,
}

#[pymethods]
impl Binding {
    fn __call__<'py>(&self, function: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if !function.is_callable() {
            return Err(PyTypeError::new_err(format!("expected a function, found {}", function.repr()?)));
        }
        let callback: Callback = Arc::new(function.clone().unbind());
        let host = self.host.get();
        let _replaced = match &self.kind {
            BindingKind::Leaf { kind, name, effect, each } => {
                let leaf = if *each { Leaf::Each(callback) } else { Leaf::Many(callback) };
                host.bind(*kind, name, *effect, leaf);
                None
            }
            BindingKind::Halted(number) => {
                host.change(|table| table.leaves[*number as usize].halted.replace(callback))
            }
            BindingKind::Log => host.change(|table| table.log.replace(callback)),
            BindingKind::Knows => host.change(|table| table.knows.replace(callback)),
        };
        Ok(function)
    }

    /// Visits the host, for the collector of cycles.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.host)
    }
}

/// Returns the effect with a name.
fn effect_of(name: &str) -> PyResult<Effect> {
    match name {
        "pure" => Ok(Effect::Pure),
        "own" => Ok(Effect::Own),
        "world" => Ok(Effect::World),
        _ => Err(PyValueError::new_err(format!("`{name}` is no effect: \"pure\", \"own\" or \"world\""))),
    }
}

fn check_chance(what: &str, chance: f64) -> PyResult<()> {
    if (0.0..=1.0).contains(&chance) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{what} is {chance}, and a chance is from 0 to 1")))
}

fn decorator<'py>(host: &Bound<'py, PyHost>, kind: BindingKind) -> PyResult<Bound<'py, PyAny>> {
    Ok(Bound::new(host.py(), Binding { host: host.clone().unbind(), kind })?.into_any())
}

#[pymethods]
impl PyHost {
    /// Creates a host without functions.
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Binds an action: a function for many agents, or for one with `each=True`.
    #[pyo3(signature = (name, *, each=false, effect="own"))]
    fn action<'py>(
        slf: &Bound<'py, Self>,
        name: String,
        each: bool,
        effect: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let effect = effect_of(effect)?;
        decorator(slf, BindingKind::Leaf { kind: Function::Action, name, effect, each })
    }

    /// Binds a query: a function for many agents, or for one with `each=True`.
    #[pyo3(signature = (name, *, each=false, effect="own"))]
    fn query<'py>(
        slf: &Bound<'py, Self>,
        name: String,
        each: bool,
        effect: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let effect = effect_of(effect)?;
        decorator(slf, BindingKind::Leaf { kind: Function::Query, name, effect, each })
    }

    /// Binds a function that hears if a running action does not continue.
    fn halted<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let number = slf.get().table().number(Function::Action, name);
        let number = number.ok_or_else(|| PyKeyError::new_err(format!("no action `{name}` is bound")))?;
        decorator(slf, BindingKind::Halted(number))
    }

    /// Binds a function that hears the texts that trees write to logs.
    fn log<'py>(slf: &Bound<'py, Self>, function: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        decorator(slf, BindingKind::Log)?.call1((function,))
    }

    /// Binds a function that tells if an agent has a function.
    fn knows<'py>(slf: &Bound<'py, Self>, function: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        decorator(slf, BindingKind::Knows)?.call1((function,))
    }

    /// Binds an action to random statuses, without Python.
    #[pyo3(signature = (name, *, success=0.25, failure=0.25, ticks=(1, None)))]
    fn scripted(&self, name: &str, success: f64, failure: f64, ticks: (u32, Option<u32>)) -> PyResult<()> {
        check_chance("success", success)?;
        check_chance("failure", failure)?;
        check_chance("the sum of success and failure", success + failure)?;
        let (least, most) = ticks;
        if least == 0 || most.is_some_and(|most| most < least) {
            return Err(PyValueError::new_err(
                "`ticks` is (least, most): least is 1 or more, most is not less",
            ));
        }
        let scripted = ScriptedAction { success, failure, limits: CallLimits { least, most } };
        self.bind(Function::Action, name, Effect::Own, Leaf::Action(scripted));
        Ok(())
    }

    /// Binds a query to random answers, without Python: true with this chance.
    #[pyo3(signature = (name, *, chance=0.5))]
    fn scripted_query(&self, name: &str, chance: f64) -> PyResult<()> {
        check_chance("chance", chance)?;
        self.bind(Function::Query, name, Effect::Own, Leaf::Query(chance));
        Ok(())
    }

    /// Binds a query to the variable of its name, without Python.
    #[pyo3(signature = (name, r#type="bool"))]
    fn column(&self, name: &str, r#type: &str) -> PyResult<()> {
        let ty = types::by_name(r#type)
            .ok_or_else(|| PyValueError::new_err(format!("`{type}` is no type of variables")))?;
        self.bind(Function::Query, name, Effect::Own, Leaf::Column(ty));
        Ok(())
    }

    /// Visits the functions, for the collector of cycles. A crowd that has the same functions has
    /// the host, too, so only the host visits them.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Ok(table) = self.0.try_lock() else { return Ok(()) };
        table.callbacks().try_for_each(|callback| visit.call(&**callback))
    }

    fn __clear__(&self) {
        let _functions = self.change(std::mem::take);
    }

    fn __repr__(&self) -> String {
        format!("<Host with {} functions>", self.table().leaves.len())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(ErrorClass::Pleach.because("a host has functions and cannot be pickled"))
    }
}
