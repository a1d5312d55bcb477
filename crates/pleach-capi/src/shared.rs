//! Data that agents share: groups, variables of groups and of the world, events, tick intervals.

use crate::abi::{pleach_agent, pleach_crowd, pleach_event, pleach_group, pleach_shared, pleach_status};
use crate::border::border;
use crate::crowd::{play, read, write};
use crate::kinds::{event as event_of, group as group_of, shared as shared_of, with_number};
use crate::status::{E_VALUE, Error};
use core::ffi::{c_char, c_void};
use core::num::NonZeroU16;
use pleach::{Agent, EventTarget, TextId};

/// Target: one agent.
pub const PLEACH_TARGET_AGENT: u32 = 0;
/// Target: the agents of a group.
pub const PLEACH_TARGET_GROUP: u32 = 1;
/// Target: all agents.
pub const PLEACH_TARGET_ALL: u32 = 2;

/// Returns the target with a number of the header.
fn meant(to: u32, whom: u64) -> Result<EventTarget, Error> {
    match to {
        PLEACH_TARGET_AGENT => Ok(EventTarget::Agent(Agent::from_bits(whom))),
        PLEACH_TARGET_GROUP => Ok(EventTarget::Group(group_of(u32::try_from(whom).map_err(|_| E_VALUE)?)?)),
        PLEACH_TARGET_ALL => Ok(EventTarget::All),
        _ => Err(E_VALUE.into()),
    }
}

/// Gets the number of a text, by which variables hold it. A text that the crowd does not have yet
/// gets a number, which stays as long as the crowd lives. A query that answers a text returns this
/// number. May allocate.
///
/// Errors: PLEACH_E_LENGTH if the text has more than 1,024 bytes, PLEACH_E_CAPACITY if 65,536 texts
/// were interned.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_intern(
    crowd: pleach_crowd,
    text: *const c_char,
    length: usize,
    number: *mut u32,
) -> pleach_status {
    border!(|border| {
        let out = border.out(number)?;
        let text = border.bytes(text.cast(), length)?;
        write(crowd, |held| out.done(held.crowd.intern(text)?.0))
    })
}

/// Copies the bytes of a text to a buffer, by its number. A number of no text has no bytes.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_text(
    crowd: pleach_crowd,
    number: u32,
    buffer: *mut c_char,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(buffer.cast::<u8>(), room, length)?;
        read(crowd, |held| to.give(held.crowd.text(TextId(number))))
    })
}

/// Creates a group. Its variables have their declared initial values.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_add_group(
    crowd: pleach_crowd,
    group: *mut pleach_group,
) -> pleach_status {
    border!(|border| {
        let out = border.out(group)?;
        write(crowd, |held| out.done(held.crowd.add_group()?.number()))
    })
}

/// Puts an agent into a group. May allocate.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_join(
    crowd: pleach_crowd,
    agent: pleach_agent,
    group: pleach_group,
) -> pleach_status {
    border!(|_border| {
        let (agent, group) = (Agent::from_bits(agent), group_of(group)?);
        write(crowd, |held| Ok(held.crowd.join(agent, group)?))
    })
}

/// Gets a variable of a group or of the world as a number. For a variable of the world, the group
/// makes no difference.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_get_shared(
    crowd: pleach_crowd,
    shared: pleach_shared,
    group: pleach_group,
    value: *mut f64,
) -> pleach_status {
    border!(|border| {
        let out = border.out(value)?;
        let (shared, group) = (shared_of(shared)?, group_of(group)?);
        read(crowd, |held| out.done(held.crowd.shared(shared, group)?))
    })
}

/// Sets a variable of a group or of the world to the nearest value that the variable can hold.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_set_shared(
    crowd: pleach_crowd,
    shared: pleach_shared,
    group: pleach_group,
    value: f64,
) -> pleach_status {
    border!(|_border| {
        let (shared, group) = (shared_of(shared)?, group_of(group)?);
        write(crowd, |held| Ok(held.crowd.set_shared(shared, group, value)?))
    })
}

/// Gets the exact value of a variable of a group or of the world. `type` must be the type of the
/// variable, PLEACH_I8 to PLEACH_ENTITY; `value` leads to a value of this type.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_read_shared(
    crowd: pleach_crowd,
    shared: pleach_shared,
    group: pleach_group,
    r#type: u32,
    value: *mut c_void,
) -> pleach_status {
    border!(|border| {
        let (shared, group) = (shared_of(shared)?, group_of(group)?);
        with_number!(r#type, T => {
            let out = border.out(value.cast::<T>())?;
            read(crowd, |held| out.done(held.crowd.shared_value(shared, group)?))
        })
    })
}

/// Sets a variable of a group or of the world. `type` must be the type of the variable, PLEACH_I8
/// to PLEACH_ENTITY; `value` leads to a value of this type.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_write_shared(
    crowd: pleach_crowd,
    shared: pleach_shared,
    group: pleach_group,
    r#type: u32,
    value: *const c_void,
) -> pleach_status {
    border!(|border| {
        let (shared, group) = (shared_of(shared)?, group_of(group)?);
        with_number!(r#type, T => {
            let value = border.one::<T>(value)?;
            write(crowd, |held| Ok(held.crowd.set_shared_value(shared, group, value)?))
        })
    })
}

/// Delivers an event now, between ticks. It goes to one agent (`to` is PLEACH_TARGET_AGENT, `whom`
/// its handle), to a group (PLEACH_TARGET_GROUP, `whom` its number), or to all agents
/// (PLEACH_TARGET_ALL, `whom` is ignored).
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_raise(
    crowd: pleach_crowd,
    event: pleach_event,
    to: u32,
    whom: u64,
    now: i64,
    user: *mut c_void,
) -> pleach_status {
    border!(|_border| {
        let (event, to) = (event_of(event)?, meant(to, whom)?);
        play(crowd, user, |crowd, host| crowd.raise(event, to, now, host))
    })
}

/// Sets the tick interval of agents: they are ticked in every n-th tick only, 1 to 65535. `to` and
/// `whom` are those of pleach_crowd_raise. May allocate.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_set_pace(
    crowd: pleach_crowd,
    to: u32,
    whom: u64,
    every: u32,
) -> pleach_status {
    border!(|_border| {
        let to = meant(to, whom)?;
        let every = u16::try_from(every).ok().and_then(NonZeroU16::new).ok_or(E_VALUE)?;
        write(crowd, |held| Ok(held.crowd.set_pace(to, every)?))
    })
}
