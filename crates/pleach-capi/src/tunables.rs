//! Tunables: constants of trees that games change within ranges.

use crate::abi::{pleach_agent, pleach_crowd, pleach_program, pleach_status, pleach_tunable};
use crate::border::border;
use crate::crowd::{read, write};
use crate::kinds::number_of;
use crate::program::get;
use crate::status::E_NAME;
use core::ffi::c_char;
use pleach::Agent;
use pleach::values::{Tunable, TunableScope};

/// Scope of a tunable: all agents of a crowd share the value.
pub const PLEACH_TUNABLE_CROWD: u32 = 0;
/// Scope of a tunable: each agent has a value of its own.
pub const PLEACH_TUNABLE_AGENT: u32 = 1;

/// Gets the number of tunables.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_tunable_count(
    program: pleach_program,
    count: *mut u32,
) -> pleach_status {
    border!(|border| {
        let out = border.out(count)?;
        out.done(get(program)?.program.tunables().len() as u32)
    })
}

/// Gets the name of a tunable by its index from 0, and its type, scope, range and default.
/// `tunable` may be null.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_tunable(
    program: pleach_program,
    index: u32,
    buffer: *mut c_char,
    room: usize,
    length: *mut usize,
    tunable: *mut pleach_tunable,
) -> pleach_status {
    border!(|border| {
        let report = border.wanted_report(tunable)?;
        let to = border.buffer(buffer.cast(), room, length)?;
        let linked = get(program)?;
        let found = linked.program.tunables().get(index as usize).ok_or(E_NAME)?;
        report.done(described(found))?;
        to.give(found.name.as_bytes())
    })
}

fn described(tunable: &Tunable) -> pleach_tunable {
    pleach_tunable {
        struct_size: 0,
        r#type: number_of(tunable.ty),
        scope: match tunable.scope {
            TunableScope::Crowd => PLEACH_TUNABLE_CROWD,
            TunableScope::Agent => PLEACH_TUNABLE_AGENT,
        },
        is_duration: tunable.is_duration.into(),
        low: tunable.range.0,
        high: tunable.range.1,
        declared: tunable.default,
    }
}

/// Changes a tunable that all agents of a crowd share. The next tick sees the value.
///
/// Errors: PLEACH_E_NAME if there is no such tunable, or each agent has a value of its own;
/// PLEACH_E_RANGE.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_tune(
    crowd: pleach_crowd,
    name: *const c_char,
    name_length: usize,
    value: f64,
) -> pleach_status {
    border!(|border| {
        let name = border.text(name, name_length)?;
        write(crowd, |held| Ok(held.crowd.tune(name, value)?))
    })
}

/// Gets the value of a tunable that all agents of a crowd share.
///
/// Errors: PLEACH_E_NAME if there is no such tunable, or each agent has a value of its own.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_tuned(
    crowd: pleach_crowd,
    name: *const c_char,
    name_length: usize,
    value: *mut f64,
) -> pleach_status {
    border!(|border| {
        let out = border.out(value)?;
        let name = border.text(name, name_length)?;
        read(crowd, |held| out.done(held.crowd.tuned(name)?))
    })
}

/// Changes a tunable of which each agent has a value of its own.
///
/// Errors: PLEACH_E_NAME if there is no such tunable, or all agents share the value;
/// PLEACH_E_RANGE.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_tune_agent(
    crowd: pleach_crowd,
    agent: pleach_agent,
    name: *const c_char,
    name_length: usize,
    value: f64,
) -> pleach_status {
    border!(|border| {
        let (agent, name) = (Agent::from_bits(agent), border.text(name, name_length)?);
        write(crowd, |held| Ok(held.crowd.tune_agent(agent, name, value)?))
    })
}

/// Gets the value that an agent has of a tunable.
///
/// Errors: PLEACH_E_NAME if there is no such tunable, or all agents share the value.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_tuned_agent(
    crowd: pleach_crowd,
    agent: pleach_agent,
    name: *const c_char,
    name_length: usize,
    value: *mut f64,
) -> pleach_status {
    border!(|border| {
        let out = border.out(value)?;
        let (agent, name) = (Agent::from_bits(agent), border.text(name, name_length)?);
        read(crowd, |held| out.done(held.crowd.tuned_agent(agent, name)?))
    })
}
