//! Answers of functions of Python: statuses, numbers, values of out arguments.

use crate::call::Number;
use crate::types::exact;
use numpy::{PyArray1, PyArrayMethods};
use pleach::Status;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyTuple};

/// Status outside failure, success and running, by its number.
#[pyclass(module = "pleach", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Other {
    /// Number of the status.
    #[pyo3(get)]
    number: i32,
}

#[pymethods]
impl Other {
    /// Creates a status with a number.
    #[new]
    fn new(number: i32) -> Self {
        Self { number }
    }

    fn __repr__(&self) -> String {
        format!("Other({})", self.number)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (py.get_type::<Self>(), (self.number,)).into_pyobject(py)
    }
}

fn status(number: u8) -> Status {
    match number {
        0 => Status::Failure,
        1 => Status::Success,
        _ => Status::Running,
    }
}

/// Returns the status that an object is; `None` for an array.
fn one_status(answer: &Bound<'_, PyAny>) -> PyResult<Option<Status>> {
    if let Ok(other) = answer.cast::<Other>() {
        return Ok(Some(Status::Other(other.get().number)));
    }
    if !answer.is_instance_of::<PyInt>() {
        return Ok(None);
    }
    match answer.extract::<i64>() {
        Ok(number @ 0..=2) => Ok(Some(status(number as u8))),
        _ => Err(PyValueError::new_err(format!(
            "{} is no status: FAILURE is 0, SUCCESS 1, RUNNING 2; others are pleach.Other(number)",
            answer.repr()?
        ))),
    }
}

/// Writes the statuses of an answer to the places of all agents, batch by batch. Returns the values
/// of out arguments.
pub(crate) fn statuses<'py>(
    answer: &Bound<'py, PyAny>,
    out: &mut [&mut [Status]],
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if let Ok(tuple) = answer.cast::<PyTuple>() {
        if tuple.is_empty() {
            return Err(PyTypeError::new_err("expected a status, found an empty tuple"));
        }
        plain_statuses(&tuple.get_item(0)?, out)?;
        return Ok(tuple.iter().skip(1).collect());
    }
    plain_statuses(answer, out).map(|()| Vec::new())
}

fn plain_statuses(answer: &Bound<'_, PyAny>, out: &mut [&mut [Status]]) -> PyResult<()> {
    if let Some(status) = one_status(answer)? {
        out.iter_mut().for_each(|out| out.fill(status));
        return Ok(());
    }
    let count: usize = out.iter().map(|out| out.len()).sum();
    if let Ok(array) = answer.cast::<PyArray1<i64>>() {
        let view = array.try_readonly()?;
        if let Some(numbers) = view.as_slice().ok().filter(|numbers| numbers.len() == count)
            && numbers.iter().all(|number| (0..=2).contains(number))
        {
            put(out, numbers, |number| *number as u8);
            return Ok(());
        }
    }
    if let Ok(array) = answer.cast::<PyArray1<bool>>() {
        let view = array.try_readonly()?;
        if let Some(truths) = view.as_slice().ok().filter(|truths| truths.len() == count) {
            put(out, truths, |truth| (*truth).into());
            return Ok(());
        }
    }
    let convert = answer.py().import("pleach._arrays")?.getattr("statuses")?;
    let numbers = convert.call1((answer, count))?;
    put(out, numbers.cast::<PyArray1<u8>>()?.try_readonly()?.as_slice()?, |number| *number);
    Ok(())
}

/// Writes as many statuses as there are places, which are numbers after a conversion.
fn put<T>(out: &mut [&mut [Status]], mut statuses: &[T], number: impl Fn(&T) -> u8) {
    for out in out {
        let (own, others) = statuses.split_at(out.len());
        out.iter_mut().zip(own).for_each(|(out, own)| *out = status(number(own)));
        statuses = others;
    }
}

/// Exact numbers, one for each agent or one for all.
pub(crate) enum Numbers {
    One(Number),
    Floats(Vec<f64>),
    Ints(Vec<i64>),
    Uints(Vec<u64>),
}

impl Numbers {
    /// Returns the number for the agent at `index`.
    pub(crate) fn at(&self, index: usize) -> Number {
        match self {
            Self::One(number) => *number,
            Self::Floats(numbers) => Number::Float(numbers[index]),
            Self::Ints(numbers) => Number::Int(numbers[index]),
            Self::Uints(numbers) => Number::Uint(numbers[index]),
        }
    }
}

/// Returns an answer as numbers.
pub(crate) fn numbers(answer: &Bound<'_, PyAny>, count: usize) -> PyResult<Numbers> {
    if let Some(number) = one_number(answer)? {
        return Ok(Numbers::One(number));
    }
    if let Some(floats) = exact::<f64>(answer, count)? {
        return Ok(Numbers::Floats(floats));
    }
    if let Some(truths) = exact::<bool>(answer, count)? {
        return Ok(Numbers::Floats(truths.into_iter().map(|truth| f64::from(u8::from(truth))).collect()));
    }
    let convert = answer.py().import("pleach._arrays")?.getattr("numbers")?;
    let array = convert.call1((answer, count))?;
    if let Some(floats) = exact::<f64>(&array, count)? {
        return Ok(Numbers::Floats(floats));
    }
    if let Some(ints) = exact::<i64>(&array, count)? {
        return Ok(Numbers::Ints(ints));
    }
    Ok(Numbers::Uints(exact::<u64>(&array, count)?.unwrap_or_default()))
}

fn one_number(answer: &Bound<'_, PyAny>) -> PyResult<Option<Number>> {
    if let Ok(truth) = answer.cast::<PyBool>() {
        return Ok(Some(Number::Float(f64::from(u8::from(truth.is_true())))));
    }
    if let Ok(float) = answer.cast::<PyFloat>() {
        return Ok(Some(Number::Float(float.value())));
    }
    if !answer.is_instance_of::<PyInt>() {
        return Ok(None);
    }
    match answer.extract::<i64>() {
        Ok(int) => Ok(Some(Number::Int(int))),
        Err(_) => answer.extract::<u64>().map(|uint| Some(Number::Uint(uint))),
    }
}
