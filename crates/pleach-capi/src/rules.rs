//! Rules that agents are at, in dialects with rules.

use crate::abi::{pleach_agent, pleach_crowd, pleach_rule, pleach_status};
use crate::border::border;
use crate::crowd::{Held, read, write};
use crate::kinds::rule as rule_of;
use crate::status::E_NAME;
use core::ffi::{c_char, c_void};
use pleach::Agent;

/// Gets the rule that an agent will run next, or has run last without leaving it. Only trees of
/// dialects with rules have rules.
///
/// Errors: PLEACH_E_NAME if the agent is at no rule, see pleach_crowd_lose.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_current_rule(
    crowd: pleach_crowd,
    agent: pleach_agent,
    rule: *mut pleach_rule,
) -> pleach_status {
    border!(|border| {
        let out = border.out(rule)?;
        let agent = Agent::from_bits(agent);
        read(crowd, |held| out.done(held.crowd.rules().current(agent)?.ok_or(E_NAME)?.number()))
    })
}

/// Gets 1 if an agent's rule has not been run since the agent came to it, else 0.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_is_first_run(
    crowd: pleach_crowd,
    agent: pleach_agent,
    first: *mut u32,
) -> pleach_status {
    border!(|border| {
        let out = border.out(first)?;
        read(crowd, |held| out.done(held.crowd.rules().is_first_run(Agent::from_bits(agent))?.into()))
    })
}

/// Sends an agent to a rule of its tree. The rule runs in the agent's next tick.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_jump(
    crowd: pleach_crowd,
    agent: pleach_agent,
    rule: pleach_rule,
) -> pleach_status {
    border!(|_border| {
        let rule = rule_of(rule)?;
        write(crowd, |held| Ok(held.crowd.rules_mut().jump(Agent::from_bits(agent), rule)?))
    })
}

/// Sends an agent to the rule of its tree with an id. See pleach_crowd_jump.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_jump_to(
    crowd: pleach_crowd,
    agent: pleach_agent,
    id: *const c_char,
    id_length: usize,
) -> pleach_status {
    border!(|border| {
        let id = border.text(id, id_length)?;
        write(crowd, |held| Ok(held.crowd.rules_mut().jump_to(Agent::from_bits(agent), id)?))
    })
}

/// Takes an agent away from all rules. Its tree fails in each tick until the agent is reset or sent
/// to a rule.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_lose(crowd: pleach_crowd, agent: pleach_agent) -> pleach_status {
    border!(|_border| { write(crowd, |held| Ok(held.crowd.rules_mut().lose(Agent::from_bits(agent))?)) })
}

/// Gets the current rule of an agent as bytes that other builds of its tree can read. Variables are
/// not included.
///
/// Errors: PLEACH_E_NAME if the rule has no id.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_save_rule(
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
            state.clear();
            crowd.rules().save(Agent::from_bits(agent), state)?;
            to.give(state)
        })
    })
}

/// Puts an agent at the rule that was saved.
///
/// Errors: PLEACH_E_STATE, PLEACH_E_NAME if the rule no longer exists. In both cases the agent
/// stays at its current rule.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_restore_rule(
    crowd: pleach_crowd,
    agent: pleach_agent,
    bytes: *const c_void,
    length: usize,
) -> pleach_status {
    border!(|border| {
        let saved = border.bytes(bytes, length)?;
        write(crowd, |held| Ok(held.crowd.rules_mut().restore(Agent::from_bits(agent), saved)?))
    })
}
