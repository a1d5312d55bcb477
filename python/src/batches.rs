//! Calls of one function for agents of several chunks, which Python gets as one call.

use crate::types::kind_of;
use pleach::{Agent, Batch, Call, Value};
use pyo3::prelude::*;

/// Calls of a function at the same place of the tree, in the order of the chunks. There is at least
/// one call.
pub(crate) struct Batches<'a> {
    calls: Vec<&'a mut Batch<'a>>,
    agents: usize,
}

impl<'a> Batches<'a> {
    /// Returns calls that are answered together, of which there is at least one.
    pub(crate) fn new(calls: Vec<&'a mut Batch<'a>>) -> Self {
        let agents = calls.iter().map(|batch| batch.len()).sum();
        Self { calls, agents }
    }

    /// Returns the first call, whose function, node, time and constants are those of all.
    pub(crate) fn first(&self) -> &Batch<'a> {
        self.calls[0]
    }

    /// Returns the first call, for the call of its first agent.
    pub(crate) fn first_mut(&mut self) -> &mut Batch<'a> {
        self.calls[0]
    }

    /// Returns the number of agents that ask.
    pub(crate) fn len(&self) -> usize {
        self.agents
    }

    /// Returns the agents that ask, in order.
    pub(crate) fn agents(&self) -> impl Iterator<Item = Agent> + '_ {
        self.calls.iter().flat_map(|batch| batch.agents())
    }

    /// Returns values of all agents, which a function adds batch by batch.
    pub(crate) fn gathered<T, E>(
        &self,
        mut add: impl FnMut(&Batch<'a>, &mut Vec<T>) -> Result<(), E>,
    ) -> Result<Vec<T>, E> {
        let mut values = Vec::with_capacity(self.len());
        self.calls.iter().try_for_each(|batch| add(batch, &mut values))?;
        Ok(values)
    }

    /// Hands out values of all agents, batch by batch.
    pub(crate) fn scattered<T, E>(
        &mut self,
        mut values: &[T],
        mut take: impl FnMut(&mut Batch<'a>, &[T]) -> Result<(), E>,
    ) -> Result<(), E> {
        for batch in &mut self.calls {
            let (own, others) = values.split_at(batch.len());
            take(batch, own)?;
            values = others;
        }
        Ok(())
    }

    /// Calls a function with the place and the call of each agent, in order.
    pub(crate) fn each(
        &mut self,
        mut work: impl FnMut(usize, &mut Call<'_>) -> PyResult<()>,
    ) -> PyResult<()> {
        let mut first = 0;
        for batch in &mut self.calls {
            for index in 0..batch.len() {
                batch.call(index).map_or(Ok(()), |mut call| work(first + index, &mut call))?;
            }
            first += batch.len();
        }
        Ok(())
    }
}

/// Returns true if two calls of a function at one place of the tree can be joined: their constants
/// are equal, and their variables have the same types. The type of a variable is that of its value
/// for the first agent.
pub(crate) fn have_alike_arguments(one: &mut Batch<'_>, other: &mut Batch<'_>) -> bool {
    let (a, b) = (one.args, other.args);
    let type_of = |batch: &mut Batch<'_>, place| batch.call(0)?.args.get(place).map(kind_of);
    a.len() == b.len()
        && (0..a.len()).all(|place| match (a.is_variable(place), b.is_variable(place)) {
            (true, true) => type_of(one, place) == type_of(other, place),
            (false, false) => a.is_out(place) == b.is_out(place) && are_equal(a.get(place), b.get(place)),
            _ => false,
        })
}

/// Returns true if two constants are one object of Python: 0.0 and -0.0 are not, and a value that
/// is no number is.
fn are_equal(one: Option<Value<'_>>, other: Option<Value<'_>>) -> bool {
    match (one, other) {
        (Some(Value::Float(one)), Some(Value::Float(other))) => one.to_bits() == other.to_bits(),
        (Some(Value::Double(one)), Some(Value::Double(other))) => one.to_bits() == other.to_bits(),
        _ => one == other,
    }
}
