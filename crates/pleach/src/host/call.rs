//! Calls of functions of the host, for one agent and for many.

use crate::host::arguments::ArgumentRoom;
use crate::layout::{BIT_WORDS, Column, Frame};
use crate::store::columns::{column_of, expect_type};
use crate::store::{Chunk, RuleError, columns};
use crate::values::{
    AccessError, Agent, Args, Argument, Kind, NumberValue, Rule, Variable, VariableValue, loaded, stored,
};

/// Call of a host function for one agent.
#[derive(Debug)]
pub struct Call<'a> {
    /// Agent that asks.
    pub agent: Agent,
    /// Number that [`Host::resolve`](crate::Host::resolve) returned for the function's name.
    pub function: u32,
    /// Arguments of the call.
    pub args: Args<'a>,
    /// Id of the node that asks; 0 for queries.
    pub node: u32,
    /// For actions: true if the action begins with this call, false if it continues from an earlier
    /// tick.
    pub fresh: bool,
    /// Time of the tick, in the unit of the host.
    pub now: i64,
    pub(crate) frame: &'a Frame,
    pub(crate) chunk: &'a mut Chunk,
    pub(crate) lane: u8,
}

impl Call<'_> {
    /// Returns the value of a variable of the agent that asks.
    ///
    /// # Errors
    /// If the program has no such variable, or it has another type.
    pub fn get<T: VariableValue>(&self, variable: Variable) -> Result<T, AccessError> {
        let column = column_of::<T>(self.frame, variable)?;
        Ok(T::of(self.chunk.read(column, self.lane)))
    }

    /// Returns the bytes that the node keeps for the agent, as its manifest declares. They are zero
    /// when the node begins, and stay until it ends. Empty if the manifest declares none.
    pub fn data(&mut self) -> &mut [u8] {
        let rows = &self.frame.data;
        let row = rows.binary_search_by_key(&self.node, |(node, _)| u32::from(*node));
        row.map_or(&mut [], |row| self.chunk.data_mut(rows[row].1, self.lane))
    }

    /// Sets a variable of the agent that asks. The next instruction of the tree reads the new
    /// value.
    ///
    /// # Errors
    /// As [`Call::get`].
    pub fn set<T: VariableValue>(&mut self, variable: Variable, value: T) -> Result<(), AccessError> {
        let column = column_of::<T>(self.frame, variable)?;
        self.chunk.note_variable(self.frame, column, &[self.lane]);
        self.chunk.assign(self.frame, column, self.lane, value.bits());
        Ok(())
    }

    /// Gives a value to the caller by the out argument at this place among the arguments. The tree
    /// stores the value when the action succeeds. An answer of a query that is no `f64` is given at
    /// the place behind all arguments. If the answer is a vector, its parts are given at the two or
    /// three places there.
    ///
    /// # Errors
    /// If there is no out argument at this place, or it has another type.
    pub fn give<T: VariableValue>(&mut self, place: usize, value: T) -> Result<(), AccessError> {
        let (Column { first, .. }, given) = out::<T>(self.args, place)?;
        // The kind is a constant here, so the value is one store.
        self.put(Column { kind: T::KIND, first, stride: 1 }, given, value.bits());
        Ok(())
    }

    #[inline(always)]
    fn put(&mut self, column: Column, given: Option<Column>, bits: u64) {
        self.chunk.note_variable(self.frame, column, &[self.lane]);
        self.chunk.write(column, self.lane, bits);
        if let Some(given) = given {
            self.chunk.note_variable(self.frame, given, &[self.lane]);
            self.chunk.set_bit(given.first, self.lane, true);
        }
    }

    /// Gives the value nearest to a number by an out argument of any type. See [`Call::give`]. A
    /// boolean is given as true unless the number is 0.
    ///
    /// # Errors
    /// If there is no out argument at this place.
    pub fn give_number(&mut self, place: usize, value: f64) -> Result<(), AccessError> {
        let (column, given) = out_of_any_type(self.args, place)?;
        self.put(column, given, stored(column.kind, value));
        Ok(())
    }

    /// Gives the answer of a query that is declared as an int64 or an entity, which no `f64` holds.
    /// Returns 0, which the query returns then.
    ///
    /// # Errors
    /// If the query is declared with another type.
    pub fn answer<T: VariableValue>(&mut self, value: T) -> Result<f64, AccessError> {
        self.give(self.args.len().wrapping_sub(1), value).map(|()| 0.0)
    }

    /// Returns the value of a variable of any type of the agent that asks, as a
    /// number. A boolean is 1 or 0.
    ///
    /// # Errors
    /// If the program has no such variable.
    pub fn number(&self, variable: Variable) -> Result<f64, AccessError> {
        let column = columns::column(self.frame, variable)?;
        Ok(loaded(column.kind, self.chunk.read(column, self.lane)))
    }

    /// Sets a variable of the agent that asks to the nearest value that it can hold. See
    /// [`Call::set`].
    ///
    /// # Errors
    /// As [`Call::number`].
    pub fn set_number(&mut self, variable: Variable, value: f64) -> Result<(), AccessError> {
        let column = columns::column(self.frame, variable)?;
        self.chunk.assign(self.frame, column, self.lane, stored(column.kind, value));
        Ok(())
    }

    /// Returns the rule that the agent is at; `None` if it is at none.
    #[must_use]
    pub fn rule(&self) -> Option<Rule> {
        self.frame.rules.as_ref()?.current(self.chunk, self.lane)
    }

    /// Sends the agent that asks to a rule. The agent continues there after the call: in the same
    /// tick, or in the next tick if the call is that of an action that runs. Other statuses of the
    /// action have no effect.
    ///
    /// # Errors
    /// If the agent's tree does not have the rule. The agent stays where it is.
    pub fn jump(&mut self, rule: Rule) -> Result<(), RuleError> {
        let rules = self.frame.rules.as_ref().ok_or(RuleError::NoRules)?;
        rules.jump(self.chunk, self.lane, rule)?;
        self.chunk.note_jump(self.lane, rule.0);
        Ok(())
    }

    /// Sends the agent that asks to the rule with this id, as [`Call::jump`] does.
    ///
    /// # Errors
    /// As [`Call::jump`].
    pub fn jump_to(&mut self, id: &str) -> Result<(), RuleError> {
        let rules = self.frame.rules.as_ref().ok_or(RuleError::NoRules)?;
        rules.jump_to(self.chunk, self.lane, id)?;
        self.chunk.note_jump(self.lane, self.chunk.half(rules.position, self.lane));
        Ok(())
    }

    /// Makes a batch of this call, with one agent. For hosts whose functions serve batches.
    pub fn alone<T>(&mut self, call: impl FnOnce(&mut Batch<'_>) -> T) -> T {
        let Self { function, args, node, now, frame, lane, .. } = *self;
        let mut fresh = [0; BIT_WORDS];
        fresh[usize::from(lane) / 64] = u64::from(self.fresh) << (lane % 64);
        let (lanes, chunk, begins) = (&[lane][..], &mut *self.chunk, self.fresh.into());
        call(&mut Batch {
            function,
            args,
            node,
            place: 0,
            now,
            frame,
            chunk,
            lanes,
            fresh,
            begins,
            room: None,
        })
    }
}

/// Call of a host function for many agents of a chunk, at the same node of the tree.
///
/// If what a function needs and writes is kept in variables, the function is a loop over columns,
/// in which no agent is looked up. A column has a value for each lane of the chunk.
///
/// ```
/// use pleach::{Batch, Status, Variable};
/// /// Heals agents a little in each tick, until they are whole.
/// fn heal(batch: &mut Batch<'_>, health: Variable, out: &mut [Status]) {
///     let lanes = batch.lanes();
///     let Ok(health) = batch.column_mut::<f32>(health) else { return };
///     for (lane, out) in lanes.iter().zip(out) {
///         let health = &mut health[usize::from(*lane)];
///         *health = (*health + 1.5).min(100.0);
///         *out = if *health == 100.0 { Status::Success } else { Status::Running };
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Batch<'a> {
    /// See [`Call::function`].
    pub function: u32,
    /// Arguments of the call, the same for all agents. [`Batch::call`] has the values of variables
    /// for an agent. Here, a variable counts as the integer 0, or has its value if the batch was
    /// made of the call of one agent.
    pub args: Args<'a>,
    /// See [`Call::node`].
    pub node: u32,
    /// Place of the call in the code that agents of a chunk run together; 0 if it is for one agent.
    /// In a tick, a chunk comes from lower to higher places, except for loops and for subtrees that
    /// are called. So of chunks that ask at the same time, those with the lowest place are behind.
    pub place: u32,
    /// See [`Call::now`].
    pub now: i64,
    pub(crate) frame: &'a Frame,
    pub(crate) chunk: &'a mut Chunk,
    pub(crate) lanes: &'a [u8],
    /// Lanes of the agents that begin now, as bits.
    pub(crate) fresh: [u64; BIT_WORDS],
    pub(crate) begins: u32,
    /// Room for one agent's arguments, if variables are among them.
    pub(crate) room: Option<ArgumentRoom<'a>>,
}

impl<'a> Batch<'a> {
    /// Returns the number of agents that ask.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lanes.len()
    }

    /// Returns true if no agent asks, which does not happen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// Returns the agent at `index`; `None` behind the last.
    #[must_use]
    pub fn agent(&self, index: usize) -> Option<Agent> {
        self.lanes.get(index).map(|lane| self.chunk.agent(*lane))
    }

    /// Returns the agents that ask, in order.
    #[inline]
    pub fn agents(&self) -> impl Iterator<Item = Agent> + '_ {
        // The array itself: to find it anew for each agent would take as
        // long as most hosts take for one.
        let agents = self.chunk.by_lane();
        self.lanes.iter().map(|lane| agents[usize::from(*lane)])
    }

    /// For actions: returns true if the action begins with this call for the agent at `index`. See
    /// [`Call::fresh`].
    #[must_use]
    pub fn fresh(&self, index: usize) -> bool {
        let lane = self.lanes.get(index).copied().map(usize::from);
        lane.is_some_and(|lane| self.fresh[lane / 64] >> (lane % 64) & 1 != 0)
    }

    /// For actions: returns the number of agents for which the action begins with this call.
    #[must_use]
    pub fn begins(&self) -> usize {
        self.begins as usize
    }

    /// For actions: returns the lanes of the agents for which the action begins with this call, as
    /// bits like those of [`Batch::bits`].
    #[must_use]
    pub fn fresh_lanes(&self) -> &[u64] {
        &self.fresh
    }

    /// Returns the agents of all 256 lanes of the chunk, also those that do not ask. A lane without
    /// an agent has the handle of an agent that is gone.
    #[must_use]
    pub fn by_lane(&self) -> &[Agent] {
        self.chunk.by_lane()
    }

    /// Returns the lanes of the agents that ask, in order: their places in columns. They outlive
    /// the borrow of the batch, so that columns can be changed beside them.
    #[must_use]
    pub fn lanes(&self) -> &'a [u8] {
        self.lanes
    }

    /// Returns the values of a number variable for all 256 lanes of the chunk.
    ///
    /// # Errors
    /// If the program has no such variable, or it has another type.
    pub fn column<T: NumberValue>(&self, variable: Variable) -> Result<&[T], AccessError> {
        columns::lanes(self.chunk, self.frame, variable)
    }

    /// Returns the values of a number variable for all 256 lanes of the chunk, to be changed for
    /// agents that ask and for no others.
    ///
    /// # Errors
    /// As [`Batch::column`].
    pub fn column_mut<T: NumberValue>(&mut self, variable: Variable) -> Result<&mut [T], AccessError> {
        self.chunk.note_variable(self.frame, column_of::<T>(self.frame, variable)?, self.lanes);
        columns::lanes_mut(self.chunk, self.frame, variable)
    }

    /// Returns a column by which an out argument of numbers is given for all agents that ask, see
    /// [`Call::give`]. At first it holds the values that were given before.
    ///
    /// # Errors
    /// If there is no out argument at this place, or it has another type.
    pub fn give<T: NumberValue>(&mut self, place: usize) -> Result<&mut [T], AccessError> {
        let (column, given) = out::<T>(self.args, place)?;
        self.chunk.note_variable(self.frame, column, self.lanes);
        if let Some(given) = given {
            self.chunk.note_variable(self.frame, given, self.lanes);
            self.lanes.iter().for_each(|lane| self.chunk.set_bit(given.first, *lane, true));
        }
        Ok(columns::elements_mut(self.chunk, column))
    }

    /// Returns the values of a `bool` variable for all 256 lanes of the chunk. Lane `n` is bit `n %
    /// 64` of word `n / 64`.
    ///
    /// # Errors
    /// As [`Batch::column`].
    pub fn bits(&self, variable: Variable) -> Result<&[u64], AccessError> {
        Ok(&self.chunk.bits[columns::bits(self.frame, variable)?])
    }

    /// Returns the values of a `bool` variable for all 256 lanes of the chunk, to be changed for
    /// agents that ask and for no others. If trees test whether variables have changed, the
    /// variable counts as changed for all agents that ask.
    ///
    /// # Errors
    /// As [`Batch::column`].
    pub fn bits_mut(&mut self, variable: Variable) -> Result<&mut [u64], AccessError> {
        let lanes = columns::bits(self.frame, variable)?;
        self.chunk.note_variable(self.frame, column_of::<bool>(self.frame, variable)?, self.lanes);
        if let Some(changes) = self.frame.changes {
            self.lanes.iter().for_each(|lane| self.chunk.set_bit(changes, *lane, true));
        }
        Ok(&mut self.chunk.bits[lanes])
    }

    /// Returns the same batch with a shorter lifetime, for hosts that hand it on by value.
    #[inline]
    pub fn reborrow(&mut self) -> Batch<'_> {
        let Self { function, args, node, place, now, frame, lanes, fresh, begins, .. } = *self;
        let room = self.room.as_mut().map(ArgumentRoom::reborrow);
        Batch { function, args, node, place, now, frame, chunk: self.chunk, lanes, fresh, begins, room }
    }

    /// Calls a function for each agent in order, and puts the answers into `out`, which has a place
    /// for each agent.
    #[inline]
    pub fn each<T>(&mut self, out: &mut [T], mut ask: impl FnMut(&mut Call<'_>) -> T) {
        for (index, out) in out.iter_mut().enumerate() {
            if let Some(mut call) = self.call(index) {
                *out = ask(&mut call);
            }
        }
    }

    /// Returns the call of the agent at `index`; `None` behind the last. The call can send the
    /// agent to a rule.
    #[inline]
    pub fn call(&mut self, index: usize) -> Option<Call<'_>> {
        let lane = *self.lanes.get(index)?;
        let (agent, fresh) = (self.chunk.agent(lane), self.fresh(index));
        let Self { function, node, now, frame, .. } = *self;
        let Args { mut values, written, texts } = self.args;
        if let Some(room) = &mut self.room {
            values = room.reborrow().fill(texts, self.chunk, lane);
        }
        let args = Args { values, written, texts };
        Some(Call { agent, function, args, node, fresh, now, frame, chunk: self.chunk, lane })
    }
}

/// Returns the column of an out argument of a type, and that of the bits that say if it has been
/// given.
#[inline]
fn out<T: VariableValue>(args: Args<'_>, place: usize) -> Result<(Column, Option<Column>), AccessError> {
    let out = out_of_any_type(args, place)?;
    expect_type::<T>(out.0.kind).map(|()| out)
}

#[inline]
fn out_of_any_type(args: Args<'_>, place: usize) -> Result<(Column, Option<Column>), AccessError> {
    let Some(Argument::Out { kind, first, given }) = args.values.get(place).copied() else {
        return Err(AccessError::NoVariable);
    };
    let column = |kind, first| Column { kind, first, stride: 1 };
    Ok((column(kind, first), given.map(|first| column(Kind::Bit, first))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{Function, Host};
    use crate::store::agents::{Agents, Place};
    use crate::values::{Status, TextTable};

    /// Host that returns its own input: fresh agents succeed, even indices answer 1.
    struct Echo;

    impl Host for Echo {
        fn resolve(&self, _: Function, _: &str) -> Option<u32> {
            Some(0)
        }

        fn act(&mut self, call: &mut Call<'_>) -> Status {
            if call.fresh { Status::Success } else { Status::Other(call.now as i32) }
        }

        fn query(&mut self, call: &mut Call<'_>) -> f64 {
            f64::from(call.agent.index().is_multiple_of(2))
        }
    }

    #[test]
    fn many_agents_are_asked_one_by_one() {
        let frame = Frame::default();
        let mut chunk = Chunk::new(&frame, 0, None).expect("there is memory");
        let mut table = Agents::default();
        for lane in 0..3 {
            let agent = table.add(Place { chunk: 0, lane }).expect("there is room");
            chunk.occupy(&frame, lane, agent);
        }
        let mut batch = Batch {
            function: 0,
            args: Args { values: &[], written: &[], texts: &TextTable::EMPTY },
            node: 1,
            place: 0,
            now: 7,
            frame: &frame,
            chunk: &mut chunk,
            lanes: &[0, 1, 2],
            fresh: [0b101, 0, 0, 0],
            begins: 2,
            room: None,
        };
        assert_eq!((batch.begins(), batch.fresh(1), batch.fresh(2)), (2, false, true));
        let mut statuses = [Status::Failure; 3];
        Echo.act_all(&mut batch, &mut statuses);
        assert_eq!(statuses, [Status::Success, Status::Other(7), Status::Success]);
        let mut answers = [0.5; 4];
        Echo.query_all(&mut batch, &mut answers);
        assert_eq!(answers, [1.0, 0.0, 1.0, 0.5]);
        assert!(batch.call(3).is_none());
    }
}
