//! Running state as bytes: snapshots, agents that move to another crowd, new builds of running
//! trees.

use crate::abi::{pleach_agent, pleach_crowd, pleach_group, pleach_program, pleach_status};
use crate::border::{Versioned, border};
use crate::crowd::{Held, read, write};
use crate::host::Caller;
use crate::kinds::group as group_of;
use crate::program;
use crate::status::{E_NAME, E_NULL, E_VALUE, Error};
use bytemuck::Zeroable;
use core::ffi::{c_char, c_void};
use pleach::state::{ReloadPolicy, ResetReason};
use pleach::{Agent, EntityId};

/// Reload policy: agents keep their places in trees where those still exist, and their variables
/// and timers. The default.
pub const PLEACH_RELOAD_PLACES: u32 = 0;
/// Reload policy: agents keep variables and timers. All agents begin their trees anew.
pub const PLEACH_RELOAD_VARIABLES: u32 = 1;

/// Reason why a reload reset an agent: its node no longer exists.
pub const PLEACH_RESET_GONE: u32 = 0;
/// Reason why a reload reset an agent: its tree cannot continue at its node.
pub const PLEACH_RESET_MOVED: u32 = 1;
/// Reason why a reload reset an agent: the reload policy of the game.
pub const PLEACH_RESET_ASKED: u32 = 2;

/// Result of a reload.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_reload_report {
    /// `sizeof(pleach_reload_report)`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Number of agents that continue at their places.
    pub kept: u64,
    /// Number of agents that begin their trees anew. pleach_crowd_reset_agent lists them.
    pub reset: u64,
    /// Number of variables that no longer exist, or have another type.
    pub lost: u64,
    /// Number of tunables that had values outside of their ranges, and have the nearest ones now.
    pub mended: u64,
}

impl Versioned for pleach_reload_report {
    const FIRST: usize = core::mem::offset_of!(Self, lost) + size_of::<u64>();

    fn size(&self) -> u32 {
        self.struct_size
    }
}

/// Gets the state of a crowd as bytes: agents with their handles, places, variables, timers and
/// groups, shared data, and the state of random draws. Settings of the game are not included:
/// engine, step limit, a fixed chance. The first call may ask for the length alone, with no room.
/// Length and bytes of one call belong to one moment.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_snapshot(
    crowd: pleach_crowd,
    bytes: *mut c_void,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(bytes.cast(), room, length)?;
        write(crowd, |held| {
            let Held { crowd, state, .. } = held;
            crowd.snapshot(state);
            to.give(state)
        })
    })
}

/// Restores a crowd to a saved state. Handles refer again to the agents that they referred to then.
/// A state of another build of the trees is restored if everything that was running still exists.
/// No callback is called.
///
/// Errors: PLEACH_E_STATE, with the code of the problem in pleach_last_error. In that case nothing
/// has changed. Any bytes may be tried.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_restore(
    crowd: pleach_crowd,
    bytes: *const c_void,
    length: usize,
) -> pleach_status {
    border!(|border| {
        let state = border.bytes(bytes, length)?;
        write(crowd, |held| Ok(held.crowd.restore(state)?))
    })
}

/// Gets the state of one agent as bytes, to be taken to another crowd or process.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_save_agent(
    crowd: pleach_crowd,
    agent: pleach_agent,
    bytes: *mut c_void,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(bytes.cast(), room, length)?;
        write(crowd, |held| {
            let Held { crowd, state, .. } = held;
            crowd.save_agent(Agent::from_bits(agent), state)?;
            to.give(state)
        })
    })
}

/// Creates an agent that continues from a saved state, as a member of a group of this crowd.
///
/// Errors: PLEACH_E_STATE. In that case nothing has changed.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_load_agent(
    crowd: pleach_crowd,
    bytes: *const c_void,
    length: usize,
    group: pleach_group,
    agent: *mut pleach_agent,
) -> pleach_status {
    border!(|border| {
        let out = border.out(agent)?;
        let (state, group) = (border.bytes(bytes, length)?, group_of(group)?);
        write(crowd, |held| out.done(held.crowd.load_agent(state, group)?.to_bits()))
    })
}

/// Continues with another program, usually a new build of the trees. Handles and groups stay.
/// Agents continue at their nodes, which are found by stable keys. An agent that cannot continue is
/// reset, and callbacks of the old program are told which actions are halted. Variables, events and
/// rules must be looked up again in the new program. `keep` is one of PLEACH_RELOAD_....
///
/// Errors: PLEACH_E_STATE if an agent runs a tree that the new program does not have. In that case
/// nothing has changed.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_reload(
    crowd: pleach_crowd,
    program: pleach_program,
    keep: u32,
    now: i64,
    user: *mut c_void,
    report: *mut pleach_reload_report,
) -> pleach_status {
    border!(|border| {
        let out = border.wanted_report(report)?;
        let next = program::get(program)?;
        let keep = match keep {
            PLEACH_RELOAD_PLACES => ReloadPolicy::Places,
            PLEACH_RELOAD_VARIABLES => ReloadPolicy::Variables,
            _ => return Err(E_VALUE.into()),
        };
        write(crowd, |held| {
            let Held { crowd, linked, report, .. } = held;
            let mut host = Caller::new(&linked.callbacks, user);
            *report = crowd.reload(&next.program, keep, now, &mut host)?;
            *linked = (*next).clone();
            let told = pleach_reload_report {
                kept: report.kept as u64,
                reset: report.reset.len() as u64,
                lost: report.lost.len() as u64,
                mended: report.mended.len() as u64,
                ..Zeroable::zeroed()
            };
            out.done(told)
        })
    })
}

/// Gets the report of the last reload as text: the number of agents that were kept and reset, the
/// reasons, the lost variables, and the tunables with other values.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_reload_report(
    crowd: pleach_crowd,
    buffer: *mut c_char,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(buffer.cast(), room, length)?;
        read(crowd, |held| to.give(held.report.to_string().as_bytes()))
    })
}

/// Gets an agent that the last reload has reset, by its number from 0, and the reason: one of
/// PLEACH_RESET_....
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_reset_agent(
    crowd: pleach_crowd,
    number: u64,
    agent: *mut pleach_agent,
    why: *mut u32,
) -> pleach_status {
    border!(|border| {
        let (agent, why) = (border.out(agent)?, border.out(why)?);
        read(crowd, |held| {
            let reset = usize::try_from(number).ok().and_then(|number| held.report.reset.get(number));
            let (who, reason) = reset.ok_or_else(|| Error::from(E_NAME))?;
            agent.put(who.to_bits());
            why.done(match reason {
                ResetReason::Gone => PLEACH_RESET_GONE,
                ResetReason::Moved => PLEACH_RESET_MOVED,
                ResetReason::Asked => PLEACH_RESET_ASKED,
            })
        })
    })
}

/// Tells the number that an entity has now. It is not called for 0, which is no entity.
pub type pleach_entity_fn = Option<unsafe extern "C" fn(data: *mut c_void, entity: u64) -> u64>;

/// Replaces every entity that the crowd holds, in variables, parameters and values that go to
/// shared variables at the end of the tick. For a game whose entities have other numbers after a
/// restore. `map` gets `data`.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_map_entities(
    crowd: pleach_crowd,
    map: pleach_entity_fn,
    data: *mut c_void,
) -> pleach_status {
    border!(|_border| {
        let map = map.ok_or(E_NULL)?;
        write(crowd, |held| {
            // SAFETY: the game has promised a callback that can be called like this.
            held.crowd.map_entities(|entity| EntityId(unsafe { map(data, entity.0) }));
            Ok(())
        })
    })
}

/// Replaces every entity that an agent holds, as pleach_crowd_map_entities does for all agents.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_map_entities_of(
    crowd: pleach_crowd,
    agent: pleach_agent,
    map: pleach_entity_fn,
    data: *mut c_void,
) -> pleach_status {
    border!(|_border| {
        let map = map.ok_or(E_NULL)?;
        write(crowd, |held| {
            // SAFETY: the game has promised a callback that can be called like this.
            let mapped = |entity: EntityId| EntityId(unsafe { map(data, entity.0) });
            Ok(held.crowd.map_entities_of(Agent::from_bits(agent), mapped)?)
        })
    })
}
