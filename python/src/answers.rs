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
    let count = places(out);
    let put_valid = |numbers: &[i64]| {
        let is_valid = numbers.iter().all(|number| (0..=2).contains(number));
        if is_valid {
            put(out, numbers, |number| status(*number as u8));
        }
        is_valid
    };
    if exact(answer, count, put_valid)? == Some(true) {
        return Ok(());
    }
    if exact(answer, count, |truths: &[bool]| put(out, truths, |truth| status((*truth).into())))?.is_some() {
        return Ok(());
    }
    let convert = answer.py().import("pleach._arrays")?.getattr("statuses")?;
    let numbers = convert.call1((answer, count))?;
    put(out, numbers.cast::<PyArray1<u8>>()?.try_readonly()?.as_slice()?, |number| status(*number));
    Ok(())
}

/// Returns the number of places for answers.
fn places<T>(out: &[&mut [T]]) -> usize {
    out.iter().map(|out| out.len()).sum()
}

/// Writes values to as many places, batch by batch.
fn put<T, U>(out: &mut [&mut [T]], mut values: &[U], of: impl Fn(&U) -> T) {
    for out in out {
        let (own, others) = values.split_at(out.len());
        out.iter_mut().zip(own).for_each(|(out, own)| *out = of(own));
        values = others;
    }
}

/// Writes the answers of a query to the places of all agents, batch by batch.
pub(crate) fn answers(answer: &Bound<'_, PyAny>, out: &mut [&mut [f64]]) -> PyResult<()> {
    let count = places(out);
    if exact(answer, count, |floats: &[f64]| put(out, floats, |float| *float))?.is_none() {
        spread(out, &numbers(answer, count)?);
    }
    Ok(())
}

/// Writes numbers to the places of all agents, batch by batch.
pub(crate) fn spread(out: &mut [&mut [f64]], numbers: &Numbers) {
    let out = out.iter_mut().flat_map(|out| out.iter_mut());
    out.enumerate().for_each(|(index, out)| *out = numbers.at(index).float());
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
    if let Some(floats) = exact(answer, count, <[f64]>::to_vec)? {
        return Ok(Numbers::Floats(floats));
    }
    let float = |truth: &bool| f64::from(u8::from(*truth));
    if let Some(floats) = exact(answer, count, |truths| truths.iter().map(float).collect())? {
        return Ok(Numbers::Floats(floats));
    }
    let convert = answer.py().import("pleach._arrays")?.getattr("numbers")?;
    let array = convert.call1((answer, count))?;
    if let Some(floats) = exact(&array, count, <[f64]>::to_vec)? {
        return Ok(Numbers::Floats(floats));
    }
    if let Some(ints) = exact(&array, count, <[i64]>::to_vec)? {
        return Ok(Numbers::Ints(ints));
    }
    Ok(Numbers::Uints(exact(&array, count, <[u64]>::to_vec)?.unwrap_or_default()))
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
