//! Calls of functions of the host, as objects of Python.

use crate::batches::Batches;
use crate::columns::variable;
use crate::errors::{ErrorClass, OrRaise};
use crate::lent::{Lent, ManyCall, OneCall};
use crate::types::{self, ValueKind, elements, kind_of, with_type};
use numpy::{Element, PyArray1};
use pleach::{AccessError, Agent, Batch, Call, EntityId, Program, Value};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

/// Call for many agents.
#[pyclass(name = "Batch", module = "pleach", frozen)]
pub(crate) struct PyBatch {
    pub(crate) lent: Lent<ManyCall>,
    program: Program,
}

/// Call for one agent.
#[pyclass(name = "Call", module = "pleach", frozen)]
pub(crate) struct PyCall {
    pub(crate) lent: Lent<OneCall>,
    program: Program,
}

impl PyBatch {
    pub(crate) fn new(program: &Program) -> Self {
        Self { lent: Lent::empty(), program: program.clone() }
    }
}

#[pymethods]
impl PyBatch {
    /// Returns the ids of the agents that ask.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.array(py, |batch, all| all.extend(batch.agents().map(Agent::to_bits)))
    }

    /// Returns the indices of the agents that ask, for arrays of the game.
    #[getter]
    fn indices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.array(py, |batch, all| all.extend(batch.agents().map(|agent| agent.index() as i64)))
    }

    /// Returns true where the action begins with this call.
    #[getter]
    fn fresh<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.array(py, |batch, all| all.extend((0..batch.len()).map(|index| batch.fresh(index))))
    }

    /// Returns the time of the tick.
    #[getter]
    fn now(&self) -> PyResult<i64> {
        self.lent.with(|batches| Ok(batches.first().now))
    }

    /// Returns the number of the node that asks; 0 for queries.
    #[getter]
    fn node(&self) -> PyResult<u32> {
        self.lent.with(|batches| Ok(batches.first().node))
    }

    fn __len__(&self) -> PyResult<usize> {
        self.lent.with(|batches| Ok(batches.len()))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (variable, ty) = variable(&self.program, name)?;
        Ok(with_type!(ty, T, E => {
            let values = self.lent.with(|batches| {
                let values = batches.gathered(|batch, all| {
                    let column = batch.column::<T>(variable)?;
                    let of_lane = |lane: &u8| types::element::<T, E>(column[usize::from(*lane)]);
                    all.extend(batch.lanes().iter().map(of_lane));
                    Ok::<_, AccessError>(())
                });
                values.or_raise()
            })?;
            PyArray1::<E>::from_vec(py, values).into_any()
        }, bool => {
            let values = self.lent.with(|batches| {
                let values = batches.gathered(|batch, all| {
                    let bits = batch.bits(variable)?;
                    all.extend(batch.lanes().iter().map(|lane| is_set(bits, *lane)));
                    Ok::<_, AccessError>(())
                });
                values.or_raise()
            })?;
            PyArray1::<bool>::from_vec(py, values).into_any()
        }))
    }

    fn __setitem__(&self, name: &str, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let (variable, ty) = variable(&self.program, name)?;
        let count = self.__len__()?;
        with_type!(ty, T, E => {
            let values = elements::<E>(values, count)?;
            self.lent.with(|batches| batches.scattered(&values, |batch, own| {
                let lanes = batch.lanes();
                let column = batch.column_mut::<T>(variable)?;
                for (lane, value) in lanes.iter().zip(own) {
                    column[usize::from(*lane)] = bytemuck::cast(*value);
                }
                Ok::<_, AccessError>(())
            }).or_raise())
        }, bool => {
            let values = elements::<bool>(values, count)?;
            self.lent.with(|batches| batches.scattered(&values, |batch, own| {
                let lanes = batch.lanes();
                let bits = batch.bits_mut(variable)?;
                for (lane, value) in lanes.iter().zip(own) {
                    let (word, bit) = (usize::from(*lane) / 64, 1 << (lane % 64));
                    bits[word] = if *value { bits[word] | bit } else { bits[word] & !bit };
                }
                Ok::<_, AccessError>(())
            }).or_raise())
        })
    }
}

impl PyBatch {
    /// Returns an array with a value for each agent, which a function adds batch by batch.
    fn array<'py, T: Element>(
        &self,
        py: Python<'py>,
        add: impl Fn(&Batch<'_>, &mut Vec<T>),
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let values = self.lent.with(|batches| {
            batches.gathered(|batch, all| {
                add(batch, all);
                Ok(())
            })
        })?;
        Ok(PyArray1::from_vec(py, values))
    }
}

fn is_set(bits: &[u64], lane: u8) -> bool {
    bits[usize::from(lane) / 64] >> (lane % 64) & 1 != 0
}

impl PyCall {
    pub(crate) fn new(program: &Program) -> Self {
        Self { lent: Lent::empty(), program: program.clone() }
    }
}

#[pymethods]
impl PyCall {
    /// Returns the id of the agent that asks.
    #[getter]
    fn id(&self) -> PyResult<u64> {
        self.lent.with(|call| Ok(call.agent.to_bits()))
    }

    /// Returns the index of the agent that asks.
    #[getter]
    fn index(&self) -> PyResult<usize> {
        self.lent.with(|call| Ok(call.agent.index()))
    }

    /// Returns true where the action begins with this call.
    #[getter]
    fn fresh(&self) -> PyResult<bool> {
        self.lent.with(|call| Ok(call.fresh))
    }

    /// Returns the time of the tick.
    #[getter]
    fn now(&self) -> PyResult<i64> {
        self.lent.with(|call| Ok(call.now))
    }

    /// Returns the number of the node that asks; 0 for queries.
    #[getter]
    fn node(&self) -> PyResult<u32> {
        self.lent.with(|call| Ok(call.node))
    }

    /// Returns the names of the types of all arguments, also of out arguments.
    #[getter]
    fn types(&self) -> PyResult<Vec<&'static str>> {
        self.lent.with(|call| {
            let of = |place| match call.args.is_out(place) {
                true => "out",
                false => call.args.get(place).map_or("", |value| kind_of(value).name()),
            };
            Ok((0..call.args.len()).map(of).collect())
        })
    }

    /// Sends the agent to a rule by the rule's id.
    fn jump(&self, rule: &str) -> PyResult<()> {
        self.lent.with(|call| call.jump_to(rule).map_err(|error| ErrorClass::Pleach.because(error)))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (variable, ty) = variable(&self.program, name)?;
        with_type!(ty, T, E => {
            let value = self.lent.with(|call| call.get::<T>(variable).or_raise())?;
            types::element::<T, E>(value).into_bound_py_any(py)
        }, bool => {
            self.lent.with(|call| call.get::<bool>(variable).or_raise())?.into_bound_py_any(py)
        })
    }

    fn __setitem__(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (variable, ty) = variable(&self.program, name)?;
        with_type!(ty, T, E => {
            let value: T = bytemuck::cast(elements::<E>(value, 1)?[0]);
            self.lent.with(|call| call.set(variable, value).or_raise())
        }, bool => {
            let value = elements::<bool>(value, 1)?[0];
            self.lent.with(|call| call.set(variable, value).or_raise())
        })
    }
}

/// Returns the arguments of a call, without out arguments.
pub(crate) fn arguments<'py>(py: Python<'py>, call: &Call<'_>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let places = (0..call.args.len()).filter(|place| !call.args.is_out(*place));
    places.map(|place| one(py, call.args.get(place).unwrap_or(Value::Int(0)))).collect()
}

/// Returns the arguments of batches, without out arguments. Variables become arrays.
pub(crate) fn batch_arguments<'py>(
    py: Python<'py>,
    batches: &mut Batches<'_>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let args = batches.first().args;
    let mut objects = Vec::with_capacity(args.len());
    for place in (0..args.len()).filter(|place| !args.is_out(*place)) {
        objects.push(match args.is_variable(place) {
            true => of_agents(py, batches, place)?,
            false => one(py, args.get(place).unwrap_or(Value::Int(0)))?,
        });
    }
    Ok(objects)
}

/// Returns a value as an object.
fn one<'py>(py: Python<'py>, value: Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Int(int) => int.into_bound_py_any(py),
        Value::Float(float) => float.into_bound_py_any(py),
        Value::Int64(int) => int.into_bound_py_any(py),
        Value::Double(double) => double.into_bound_py_any(py),
        Value::Entity(entity) => entity.0.into_bound_py_any(py),
        Value::Text(text) => text_object(py, text),
    }
}

/// Returns the values that an argument has for the agents of batches.
fn of_agents<'py>(py: Python<'py>, batches: &mut Batches<'_>, place: usize) -> PyResult<Bound<'py, PyAny>> {
    let first = batches.first_mut().call(0).and_then(|call| call.args.get(place).map(kind_of));
    Ok(match first.unwrap_or(ValueKind::Int) {
        ValueKind::Int => PyArray1::from_vec(py, all(batches, place, |it| it.int())?).into_any(),
        ValueKind::Float => PyArray1::from_vec(py, all(batches, place, |it| it.float())?).into_any(),
        ValueKind::Int64 => PyArray1::from_vec(py, all(batches, place, |it| it.int64())?).into_any(),
        ValueKind::Double => PyArray1::from_vec(py, all(batches, place, |it| it.number())?).into_any(),
        ValueKind::Entity => PyArray1::from_vec(py, all(batches, place, |it| it.entity().0)?).into_any(),
        ValueKind::Text => {
            let texts =
                all(
                    batches,
                    place,
                    |it| if let Value::Text(text) = it { text.to_vec() } else { Vec::new() },
                )?;
            let texts: PyResult<Vec<_>> = texts.iter().map(|text| text_object(py, text)).collect();
            PyList::new(py, texts?)?.into_any()
        }
    })
}

/// Returns the values of an argument, agent by agent.
fn all<T>(batches: &mut Batches<'_>, place: usize, of: impl Fn(Value<'_>) -> T) -> PyResult<Vec<T>> {
    let mut values = Vec::with_capacity(batches.len());
    batches.each(|_, call| {
        values.push(of(call.args.get(place).unwrap_or(Value::Int(0))));
        Ok(())
    })?;
    Ok(values)
}

/// Returns bytes as a `str`. Bytes that are not UTF-8 become the surrogates of Python.
pub(crate) fn text_object<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    match str::from_utf8(text) {
        Ok(text) => Ok(PyString::new(py, text).into_any()),
        Err(_) => PyBytes::new(py, text).call_method1("decode", ("utf-8", "surrogateescape")),
    }
}

/// Gives a number by an out argument of any type.
pub(crate) fn give(call: &mut Call<'_>, place: usize, number: Number) -> Result<(), pleach::AccessError> {
    match number {
        Number::Float(number) => call.give_number(place, number),
        Number::Int(number) => call
            .give::<i64>(place, number)
            .or_else(|_| call.give::<EntityId>(place, EntityId(number as u64)))
            .or_else(|_| call.give_number(place, number as f64)),
        Number::Uint(number) => call
            .give::<EntityId>(place, EntityId(number))
            .or_else(|_| call.give::<i64>(place, number as i64))
            .or_else(|_| call.give_number(place, number as f64)),
    }
}

/// Number of Python, exact.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Float(f64),
    Int(i64),
    Uint(u64),
}

impl Number {
    pub(crate) fn float(self) -> f64 {
        match self {
            Self::Float(number) => number,
            Self::Int(number) => number as f64,
            Self::Uint(number) => number as f64,
        }
    }
}
