//! Variables of agents: those of one agent, or a column of a chunk.

use crate::abi::{
    PLEACH_BOOL, PLEACH_LANES, pleach_agent, pleach_column, pleach_crowd, pleach_status, pleach_variable,
};
use crate::border::border;
use crate::crowd::{read, write};
use crate::kinds::{type_of, variable as by_number, with_number};
use crate::status::{E_NAME, Error};
use core::ffi::c_void;
use pleach::values::NumberValue;
use pleach::{Agent, Crowd};

/// Gets a variable of an agent as a number. A boolean is 1 or 0. An int64_t or an entity may be
/// rounded; pleach_crowd_read gets it exactly.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_get(
    crowd: pleach_crowd,
    agent: pleach_agent,
    variable: pleach_variable,
    value: *mut f64,
) -> pleach_status {
    border!(|border| {
        let out = border.out(value)?;
        let (agent, variable) = (Agent::from_bits(agent), by_number(variable)?);
        read(crowd, |held| out.done(held.crowd.number(agent, variable)?))
    })
}

/// Sets a variable of an agent to the nearest value that the variable can hold.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_set(
    crowd: pleach_crowd,
    agent: pleach_agent,
    variable: pleach_variable,
    value: f64,
) -> pleach_status {
    border!(|_border| {
        let (agent, variable) = (Agent::from_bits(agent), by_number(variable)?);
        write(crowd, |held| Ok(held.crowd.set_number(agent, variable, value)?))
    })
}

/// Gets the exact value of a variable of an agent. `type` must be the type of the variable,
/// PLEACH_I8 to PLEACH_ENTITY; `value` leads to a value of this type.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_read(
    crowd: pleach_crowd,
    agent: pleach_agent,
    variable: pleach_variable,
    r#type: u32,
    value: *mut c_void,
) -> pleach_status {
    border!(|border| {
        let (agent, variable) = (Agent::from_bits(agent), by_number(variable)?);
        with_number!(r#type, T => {
            let out = border.out(value.cast::<T>())?;
            read(crowd, |held| out.done(held.crowd.get(agent, variable)?))
        })
    })
}

/// Sets a variable of an agent. `type` must be the type of the variable, PLEACH_I8 to
/// PLEACH_ENTITY; `value` leads to a value of this type.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_write(
    crowd: pleach_crowd,
    agent: pleach_agent,
    variable: pleach_variable,
    r#type: u32,
    value: *const c_void,
) -> pleach_status {
    border!(|border| {
        let (agent, variable) = (Agent::from_bits(agent), by_number(variable)?);
        with_number!(r#type, T => {
            let value = border.one::<T>(value)?;
            write(crowd, |held| Ok(held.crowd.set(agent, variable, value)?))
        })
    })
}

/// Gets the number of chunks. A chunk has room for PLEACH_LANES agents of one tree.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_chunk_count(crowd: pleach_crowd, count: *mut u32) -> pleach_status {
    border!(|border| {
        let out = border.out(count)?;
        read(crowd, |held| out.done(held.crowd.columns().chunks() as u32))
    })
}

/// Gets the chunk and the lane of an agent, where its values are in columns. They do not change
/// until the agent is switched to another tree or the crowd is restored or reloaded.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_place(
    crowd: pleach_crowd,
    agent: pleach_agent,
    chunk: *mut u32,
    lane: *mut u32,
) -> pleach_status {
    border!(|border| {
        let (chunk, lane) = (border.out(chunk)?, border.out(lane)?);
        let place = read(crowd, |held| Ok(held.crowd.place(Agent::from_bits(agent))?))?;
        chunk.put(place.0 as u32);
        lane.done(place.1 as u32)
    })
}

/// Gets the agents of a chunk by lane: PLEACH_LANES handles, 0 for a lane without agent.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_chunk_agents(
    crowd: pleach_crowd,
    chunk: u32,
    agents: *mut pleach_agent,
) -> pleach_status {
    border!(|border| {
        let room = border.room(agents, PLEACH_LANES as usize)?;
        let mut all = [0; PLEACH_LANES as usize];
        room.fill(&all);
        read(crowd, |held| {
            if chunk as usize >= held.crowd.columns().chunks() {
                return Err(E_NAME.into());
            }
            for (lane, agent) in held.crowd.columns().agents_of(chunk as usize) {
                if let Some(place) = all.get_mut(lane) {
                    *place = agent.to_bits();
                }
            }
            room.fill(&all);
            Ok(())
        })
    })
}

/// Returns the description of a column.
pub(crate) fn column<T>(r#type: u32, values: *mut T) -> pleach_column {
    let (values, stride) = (values.cast(), if r#type == PLEACH_BOOL { 0 } else { size_of::<T>() });
    pleach_column { struct_size: 0, r#type, values, stride, lanes: PLEACH_LANES, reserved: 0 }
}

/// Gets the values of a variable for all lanes of a chunk, to be read. `type` must be the type of
/// the variable.
///
/// The pointer is valid until the next call of a function with this crowd, except for functions
/// that only read the crowd or return columns. Ask again in each frame; the call is cheap.
///
/// Errors: PLEACH_E_NAME if there is no such chunk or variable, PLEACH_E_TYPE.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_column(
    crowd: pleach_crowd,
    chunk: u32,
    variable: pleach_variable,
    r#type: u32,
    values: *mut pleach_column,
) -> pleach_status {
    border!(|border| {
        let out = border.report(values)?;
        let variable = by_number(variable)?;
        read(crowd, |held| {
            let (crowd, chunk) = (&held.crowd, chunk as usize);
            if r#type == PLEACH_BOOL {
                return out.done(column(r#type, crowd.columns().bits(chunk, variable)?.as_ptr().cast_mut()));
            }
            with_number!(r#type, T => {
                out.done(column(r#type, crowd.columns().column::<T>(chunk, variable)?.as_ptr().cast_mut()))
            })
        })
    })
}

/// Gets the values of a variable for all lanes of a chunk, to be changed. Values written to lanes
/// without an agent have no effect. In programs whose trees observe changes of variables, asking
/// for a column of booleans counts as a change for all agents of the chunk.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_column_mut(
    crowd: pleach_crowd,
    chunk: u32,
    variable: pleach_variable,
    r#type: u32,
    values: *mut pleach_column,
) -> pleach_status {
    border!(|border| {
        let out = border.report(values)?;
        let variable = by_number(variable)?;
        write(crowd, |held| {
            let (crowd, chunk) = (&mut held.crowd, chunk as usize);
            if r#type == PLEACH_BOOL {
                return out.done(column(r#type, crowd.columns_mut().bits(chunk, variable)?.as_mut_ptr()));
            }
            with_number!(r#type, T => {
                out.done(column(r#type, crowd.columns_mut().column::<T>(chunk, variable)?.as_mut_ptr()))
            })
        })
    })
}

/// Exchanges the values of a number variable with those of an array of the game. If this is done
/// before a tick and again after it, the tick works on the game's values. Element n belongs to lane
/// n. A shorter array is exchanged as far as it goes.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_exchange(
    crowd: pleach_crowd,
    chunk: u32,
    variable: pleach_variable,
    r#type: u32,
    values: *mut c_void,
    count: usize,
) -> pleach_status {
    fn exchange<T: NumberValue>(
        crowd: &mut Crowd,
        chunk: u32,
        variable: pleach::Variable,
        values: &mut [T],
    ) -> Result<(), Error> {
        Ok(crowd.columns_mut().exchange(chunk as usize, variable, values)?)
    }
    border!(|border| {
        let (variable, _) = (by_number(variable)?, type_of(r#type)?);
        let count = count.min(PLEACH_LANES as usize);
        write(crowd, |held| {
            with_number!(r#type, T => {
                border.change(values.cast::<T>(), count, |values| {
                    exchange(&mut held.crowd, chunk, variable, values)
                })
            })
        })
    })
}
