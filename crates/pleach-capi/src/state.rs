//! What is running, as bytes: snapshots, agents that move, new builds of running trees.

use crate::abi::{pleach_agent, pleach_crowd, pleach_group, pleach_program, pleach_status};
use crate::border::{Versioned, border};
use crate::crowd::{Held, read, write};
use crate::host::Caller;
use crate::kinds::group as group_of;
use crate::program;
use crate::status::{E_NAME, E_VALUE, Error};
use bytemuck::Zeroable;
use core::ffi::{c_char, c_void};
use pleach::Agent;
use pleach::state::{ReloadPolicy, ResetReason};

/// What agents keep when their trees are reloaded: their places, too, where those are still there. The default.
pub const PLEACH_RELOAD_PLACES: u32 = 0;
/// What agents keep when their trees are reloaded: variables and timers. All begin their trees anew.
pub const PLEACH_RELOAD_VARIABLES: u32 = 1;

/// Why an agent was reset by a reload: the node where it was is gone.
pub const PLEACH_RESET_GONE: u32 = 0;
/// Why an agent was reset by a reload: its tree cannot go on at the node where it was.
pub const PLEACH_RESET_MOVED: u32 = 1;
/// Why an agent was reset by a reload: the game wanted it.
pub const PLEACH_RESET_ASKED: u32 = 2;

/// What a reload came to.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_reload_report {
    /// `sizeof(pleach_reload_report)`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// How many agents go on where they were.
    pub kept: u64,
    /// How many begin their trees anew. pleach_crowd_reset_agent tells which.
    pub reset: u64,
    /// How many variables are not there any more, or are of another type.
    pub lost: u64,
}

impl Versioned for pleach_reload_report {
    const FIRST: usize = core::mem::offset_of!(Self, lost) + size_of::<u64>();

    fn size(&self) -> u32 {
        self.struct_size
    }
}

/// The state of a crowd as bytes: agents with their handles, places, variables, timers, groups, what agents share, chance. Not what the
/// game has chosen: engine, step limit, a fixed chance. The first call may ask for the length alone, with no room; bytes that are given
/// are of the same moment as the length.
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

/// Lets a crowd be what it was when it was saved: handles name again whom they named then. A state of another build of the trees is
/// restored if all that was running is still there. No callback is called.
///
/// Errors: PLEACH_E_STATE, with the code of what is wrong in pleach_last_error. Nothing has changed then; any bytes may be tried.
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

/// The state of one agent as bytes, to be taken to another crowd or process.
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

/// A new agent, which goes on where another was when it was saved, as a member of a group of this crowd.
///
/// Errors: PLEACH_E_STATE. Nothing has changed then.
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

/// Goes on with another program, as a rule the same trees built anew. Handles and groups stay. Agents go on where they are, by the stable
/// keys of nodes; those that cannot are reset, and callbacks of the old program hear what does not go on. Variables, events and
/// rules are to be looked up again in the new program. `keep` is one of PLEACH_RELOAD_....
///
/// Errors: PLEACH_E_STATE if an agent runs a tree that the new program does not have. Nothing has changed then.
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
            let (kept, reset, lost) = (report.kept, report.reset.len(), report.lost.len());
            let told = pleach_reload_report {
                kept: kept as u64,
                reset: reset as u64,
                lost: lost as u64,
                ..Zeroable::zeroed()
            };
            out.done(told)
        })
    })
}

/// What the last reload came to, in words: how many agents were kept and reset, why, and which variables were lost.
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

/// An agent that the last reload has reset, by its number from 0, and why: one of PLEACH_RESET_....
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
