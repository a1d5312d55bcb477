//! Values of variables of many agents: read into arrays, and written from arrays.

use crate::errors::{OrRaise, gone, unknown};
use crate::types::{self, elements, with_type};
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{ArrayRef, BooleanArray, PrimitiveArray};
use bytemuck::Pod;
use numpy::PyArray1;
use pleach::values::{NumberValue, Type};
use pleach::{AccessError, Agent, Crowd, Image, Program, Variable};
use pyo3::prelude::*;
use std::sync::Arc;

/// Agents in neighboring lanes of a chunk, which are neighbors in an array, too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    chunk: usize,
    lane: usize,
    len: usize,
}

/// Returns where agents are, in their order.
pub(crate) fn runs(crowd: &Crowd, agents: &[Agent]) -> PyResult<Vec<Run>> {
    let mut runs: Vec<Run> = Vec::new();
    for agent in agents {
        let (chunk, lane) = crowd.place(*agent).map_err(|_| gone(*agent))?;
        match runs.last_mut() {
            Some(run) if run.chunk == chunk && run.lane + run.len == lane => run.len += 1,
            _ => runs.push(Run { chunk, lane, len: 1 }),
        }
    }
    Ok(runs)
}

/// Returns the variable with a name, and its type.
pub(crate) fn variable(program: &Program, name: &str) -> PyResult<(Variable, Type)> {
    let found = program.variable(name).and_then(|it| Some((it, program.type_of(it)?)));
    found.filter(|(_, ty)| !types::names(*ty).0.is_empty()).ok_or_else(|| unknown("variable", name))
}

fn gather<T: NumberValue, E: Pod>(
    crowd: &Crowd,
    runs: &[Run],
    count: usize,
    variable: Variable,
) -> Result<Vec<E>, AccessError> {
    let mut values = Vec::with_capacity(count);
    for Run { chunk, lane, len } in runs {
        let column = crowd.columns().column::<T>(*chunk, variable)?;
        values.extend(column[*lane..][..*len].iter().map(|value| types::element::<T, E>(*value)));
    }
    Ok(values)
}

fn gather_bits(
    crowd: &Crowd,
    runs: &[Run],
    count: usize,
    variable: Variable,
) -> Result<Vec<bool>, AccessError> {
    let mut values = Vec::with_capacity(count);
    for Run { chunk, lane, len } in runs {
        let bits = crowd.columns().bits(*chunk, variable)?;
        values.extend((*lane..*lane + *len).map(|lane| bits[lane / 64] >> (lane % 64) & 1 != 0));
    }
    Ok(values)
}

/// Returns the values of a variable as an array.
pub(crate) fn read<'py>(
    py: Python<'py>,
    crowd: &Crowd,
    runs: &[Run],
    count: usize,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (variable, ty) = variable(crowd.program(), name)?;
    Ok(with_type!(ty, T, E => {
        PyArray1::from_vec(py, gather::<T, E>(crowd, runs, count, variable).or_raise()?).into_any()
    }, bool => {
        PyArray1::from_vec(py, gather_bits(crowd, runs, count, variable).or_raise()?).into_any()
    }))
}

/// Type of elements that arrays of Arrow have.
trait ArrowElement: Sized {
    fn array(values: Vec<Self>) -> ArrayRef;
}

macro_rules! arrow_elements {
    ($($element:ty => $arrow:ty),*) => {
        $(impl ArrowElement for $element {
            fn array(values: Vec<Self>) -> ArrayRef {
                Arc::new(PrimitiveArray::<$arrow>::new(values.into(), None))
            }
        })*
    };
}

arrow_elements!(i8 => Int8Type, u8 => UInt8Type, i16 => Int16Type, u16 => UInt16Type, i32 => Int32Type,
    u32 => UInt32Type, i64 => Int64Type, u64 => UInt64Type, f32 => Float32Type, f64 => Float64Type);

/// Returns the values of a variable as an array of Arrow.
pub(crate) fn arrow(crowd: &Crowd, runs: &[Run], count: usize, name: &str) -> PyResult<ArrayRef> {
    let (variable, ty) = variable(crowd.program(), name)?;
    Ok(with_type!(ty, T, E => {
        E::array(gather::<T, E>(crowd, runs, count, variable).or_raise()?)
    }, bool => Arc::new(BooleanArray::from(gather_bits(crowd, runs, count, variable).or_raise()?))))
}

/// Returns the names of the variables of agents, in the order of the image.
pub(crate) fn names(crowd: &Crowd, image: &Image) -> Vec<String> {
    let names = image.slots().iter().map(|row| image.name(row.name).to_owned());
    let program = crowd.program();
    let is_tunable = |name: &str| program.tunables().iter().any(|it| *it.name == *name);
    names.filter(|name| !is_tunable(name) && variable(program, name).is_ok()).collect()
}

fn scatter<T: NumberValue, E: Pod>(
    crowd: &mut Crowd,
    runs: &[Run],
    variable: Variable,
    values: &[E],
) -> Result<(), AccessError> {
    let mut rest = values;
    for Run { chunk, lane, len } in runs {
        let column = crowd.columns_mut().column::<T>(*chunk, variable)?;
        let (own, others) = rest.split_at(*len);
        column[*lane..][..*len].iter_mut().zip(own).for_each(|(to, value)| *to = bytemuck::cast(*value));
        rest = others;
    }
    Ok(())
}

/// Writes the values of a variable of some agents.
pub(crate) fn write(
    crowd: &mut Crowd,
    agents: &[Agent],
    runs: &[Run],
    name: &str,
    values: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (variable, ty) = variable(crowd.program(), name)?;
    with_type!(ty, T, E => {
        let values = elements::<E>(values, agents.len())?;
        scatter::<T, E>(crowd, runs, variable, &values).or_raise()
    }, bool => {
        let values = elements::<bool>(values, agents.len())?;
        // One by one: so only those whose value changes count as changed.
        agents.iter().zip(values).try_for_each(|(agent, value)| crowd.set(*agent, variable, value)).or_raise()
    })
}
