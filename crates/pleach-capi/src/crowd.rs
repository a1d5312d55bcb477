//! Crowds: agents that come, go and are ticked.

use crate::abi::{
    PLEACH_ENGINE_AUTO, PLEACH_ENGINE_BATCH, PLEACH_ENGINE_SCALAR, pleach_agent, pleach_bounds, pleach_crowd,
    pleach_crowd_options, pleach_program, pleach_status, pleach_tally,
};
use crate::border::{Border, Out, ReportTo, Wanted, border};
use crate::guard::Guarded;
use crate::handles;
use crate::host::Caller;
use crate::kinds::{outcome_number, truth};
use crate::program::{self, Linked, bounds};
use crate::status::{E_VALUE, Error};
use core::ffi::{c_char, c_void};
use core::num::NonZeroU16;
use pleach::engine::{Engine, Vectors};
use pleach::state::ReloadReport;
use pleach::{Agent, Crowd, Tally};

/// A crowd, and what goes with it.
pub(crate) struct Held {
    pub(crate) crowd: Crowd,
    pub(crate) linked: Linked,
    /// Room for states.
    pub(crate) state: Vec<u8>,
    /// What the last reload came to.
    pub(crate) report: ReloadReport,
}

/// Works with a crowd.
pub(crate) fn write<R>(
    crowd: pleach_crowd,
    work: impl FnOnce(&mut Held) -> Result<R, Error>,
) -> Result<R, Error> {
    handles::get::<Guarded<Held>>(crowd)?.write(work)?
}

/// Reads a crowd.
pub(crate) fn read<R>(crowd: pleach_crowd, work: impl FnOnce(&Held) -> Result<R, Error>) -> Result<R, Error> {
    handles::get::<Guarded<Held>>(crowd)?.read(work)?
}

/// Works with a crowd in ways in which callbacks may be called.
pub(crate) fn play<R, E: Into<Error>>(
    crowd: pleach_crowd,
    user: *mut c_void,
    work: impl FnOnce(&mut Crowd, &mut Caller<'_>) -> Result<R, E>,
) -> Result<R, Error> {
    write(crowd, |held| {
        let Held { crowd, linked, .. } = held;
        work(crowd, &mut Caller::new(&linked.callbacks, user)).map_err(Into::into)
    })
}

/// The same where nothing can go wrong.
fn run<R>(
    crowd: pleach_crowd,
    user: *mut c_void,
    work: impl FnOnce(&mut Crowd, &mut Caller<'_>) -> R,
) -> Result<R, Error> {
    play(crowd, user, |crowd, host| Ok::<_, Error>(work(crowd, host)))
}

/// Tells how ticks came out, if somebody wants to know.
pub(crate) fn tell(out: &Wanted<ReportTo<'_, pleach_tally>>, tally: Tally) -> Result<(), Error> {
    let Tally { failure, success, running, other, faults } = tally;
    out.done(pleach_tally { struct_size: 0, failure, success, running, other, faults })
}

/// A crowd without agents. Null options are the default ones. The program may be freed afterwards.
///
/// Errors: PLEACH_E_VALUE if an option is none.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_new(
    program: pleach_program,
    options: *const pleach_crowd_options,
    crowd: *mut pleach_crowd,
) -> pleach_status {
    border!(|border| {
        let out = border.out(crowd)?;
        let (linked, options) = (program::get(program)?, border.options(options)?);
        let crowd = like(Crowd::new(&linked.program), options)?;
        let linked = (*linked).clone();
        let held = Held { crowd, linked, state: Vec::new(), report: ReloadReport::default() };
        out.done(handles::add(Guarded::new(held))?)
    })
}

/// The engine of a number.
pub(crate) fn engine(number: u32) -> Result<Engine, Error> {
    match number {
        PLEACH_ENGINE_AUTO => Ok(Engine::Auto),
        PLEACH_ENGINE_SCALAR => Ok(Engine::Scalar),
        PLEACH_ENGINE_BATCH => Ok(Engine::Batch(Vectors::Avx512)),
        _ => Err(E_VALUE.into()),
    }
}

fn like(crowd: Crowd, options: pleach_crowd_options) -> Result<Crowd, Error> {
    let mut crowd = crowd.with_engine(engine(options.engine)?).with_seed(options.seed);
    if truth(options.chance_is_fixed)? {
        if !(0.0..1.0).contains(&options.chance) {
            return Err(E_VALUE.into());
        }
        crowd = crowd.with_fixed_chance(options.chance);
    }
    if options.step_limit != 0 {
        crowd.set_step_limit(step_limit(options.step_limit)?);
    }
    Ok(crowd)
}

fn step_limit(number: u32) -> Result<NonZeroU16, Error> {
    u16::try_from(number).ok().and_then(NonZeroU16::new).ok_or_else(|| E_VALUE.into())
}

/// How many agents there are.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_count(crowd: pleach_crowd, count: *mut usize) -> pleach_status {
    border!(|border| {
        let out = border.out(count)?;
        read(crowd, |held| out.done(held.crowd.len()))
    })
}

/// A new agent that runs the named tree, with variables as they are declared. May allocate.
///
/// Errors: PLEACH_E_NAME if there is no such tree, PLEACH_E_CAPACITY if there is no more room.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_spawn(
    crowd: pleach_crowd,
    entry: *const c_char,
    entry_length: usize,
    agent: *mut pleach_agent,
) -> pleach_status {
    border!(|border| {
        let out = border.out(agent)?;
        let entry = border.text(entry, entry_length)?;
        write(crowd, |held| out.done(held.crowd.spawn(entry)?.to_bits()))
    })
}

/// Ends an agent. Actions of it that do not go on are told to their `halt`.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_despawn(
    crowd: pleach_crowd,
    agent: pleach_agent,
    now: i64,
    user: *mut c_void,
) -> pleach_status {
    border!(|_border| { play(crowd, user, |crowd, host| crowd.despawn(Agent::from_bits(agent), now, host)) })
}

/// Lets an agent begin its tree anew. What is not part of its place in the tree stays: timers and variables.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_reset(
    crowd: pleach_crowd,
    agent: pleach_agent,
    now: i64,
    user: *mut c_void,
) -> pleach_status {
    border!(|_border| { play(crowd, user, |crowd, host| crowd.reset(Agent::from_bits(agent), now, host)) })
}

/// Lets an agent run another tree of the program from its beginning. Timers and variables stay. May allocate.
///
/// Errors: PLEACH_E_NAME if there is no such tree, PLEACH_E_CAPACITY if there is no more room.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_switch(
    crowd: pleach_crowd,
    agent: pleach_agent,
    entry: *const c_char,
    entry_length: usize,
    now: i64,
    user: *mut c_void,
) -> pleach_status {
    border!(|border| {
        let entry = border.text(entry, entry_length)?;
        play(crowd, user, |crowd, host| crowd.switch(Agent::from_bits(agent), entry, now, host))
    })
}

/// Lets an agent sleep (1): ticks leave it out until it is woken (0). Nothing of it changes.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_set_asleep(
    crowd: pleach_crowd,
    agent: pleach_agent,
    asleep: u32,
) -> pleach_status {
    border!(|_border| {
        let (agent, asleep) = (Agent::from_bits(agent), truth(asleep)?);
        write(crowd, |held| Ok(if asleep { held.crowd.sleep(agent) } else { held.crowd.wake(agent) }?))
    })
}

/// What an agent's last tick came to: PLEACH_FAILURE to PLEACH_NEVER. `other`, if it is wanted, has the number of PLEACH_OTHER.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_outcome(
    crowd: pleach_crowd,
    agent: pleach_agent,
    outcome: *mut u32,
    other: *mut i32,
) -> pleach_status {
    border!(|border| {
        let out = Came::of(border, outcome, other)?;
        read(crowd, |held| out.done(held.crowd.outcome(Agent::from_bits(agent))?))
    })
}

/// Where an outcome goes.
pub(crate) struct Came<'b> {
    outcome: Out<'b, u32>,
    other: Wanted<Out<'b, i32>>,
}

impl<'b> Came<'b> {
    pub(crate) fn of(border: &'b Border, outcome: *mut u32, other: *mut i32) -> Result<Self, Error> {
        Ok(Self { outcome: border.out(outcome)?, other: border.wanted(other)? })
    }

    pub(crate) fn done(self, outcome: Option<pleach::Outcome>) -> Result<(), Error> {
        let (number, status) = outcome_number(outcome);
        self.other.put(status);
        self.outcome.done(number)
    }
}

/// Ticks every agent once that is awake. `now` is the time, in the unit that the trees and the game use; `user` is what callbacks
/// get. Allocates nothing. `tally`, if it is wanted, tells how the ticks came out.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_tick(
    crowd: pleach_crowd,
    now: i64,
    user: *mut c_void,
    tally: *mut pleach_tally,
) -> pleach_status {
    border!(|border| {
        let out = border.wanted_report(tally)?;
        tell(&out, run(crowd, user, |crowd, host| crowd.tick(now, host))?)
    })
}

/// Ticks as many agents as a budget of instructions has room for, chunk by chunk, and at least one chunk; the next such tick goes on
/// where this one ended. Each agent counts as much as its tree can take at most. `ended` is 1 if all have had their turn: then
/// the tick is ended, and the next one begins anew.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_tick_within(
    crowd: pleach_crowd,
    now: i64,
    budget: u64,
    user: *mut c_void,
    tally: *mut pleach_tally,
    ended: *mut u32,
) -> pleach_status {
    border!(|border| {
        let (out, ended) = (border.wanted_report(tally)?, border.out(ended)?);
        let round = run(crowd, user, |crowd, host| crowd.tick_within(now, host, budget))?;
        ended.put(round.ended.into());
        tell(&out, round.tally)
    })
}

/// Ticks one agent. When all agents of a round have been ticked, pleach_crowd_end_tick ends it.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_tick_agent(
    crowd: pleach_crowd,
    agent: pleach_agent,
    now: i64,
    user: *mut c_void,
    outcome: *mut u32,
    other: *mut i32,
) -> pleach_status {
    border!(|border| {
        let out = Came::of(border, outcome, other)?;
        let agent = Agent::from_bits(agent);
        let came = play(crowd, user, |crowd, host| crowd.tick_agent(agent, now, host, &mut ()))?;
        out.done(Some(came))
    })
}

/// Runs another tree of the program once for an agent; the agent's own tree stays what it is.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_tick_entry(
    crowd: pleach_crowd,
    agent: pleach_agent,
    entry: *const c_char,
    entry_length: usize,
    now: i64,
    user: *mut c_void,
    outcome: *mut u32,
    other: *mut i32,
) -> pleach_status {
    border!(|border| {
        let out = Came::of(border, outcome, other)?;
        let (agent, entry) = (Agent::from_bits(agent), border.text(entry, entry_length)?);
        let came = play(crowd, user, |crowd, host| crowd.tick_entry(agent, entry, now, host))?;
        out.done(Some(came))
    })
}

/// Ends a tick: puts together what agents wrote to shared variables, lets the events happen that they raised, grants places of limited
/// nodes. pleach_crowd_tick does this itself; after a round of pleach_crowd_tick_agent the game does.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_end_tick(
    crowd: pleach_crowd,
    now: i64,
    user: *mut c_void,
) -> pleach_status {
    border!(|_border| { run(crowd, user, |crowd, host| crowd.end_tick(now, host)) })
}

/// The nodes that an agent remembers as running, by id, in dialects that have such a memory.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_running_set(
    crowd: pleach_crowd,
    agent: pleach_agent,
    nodes: *mut u16,
    room: usize,
    count: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(nodes, room, count)?;
        read(crowd, |held| to.give(held.crowd.inspect().running_set(Agent::from_bits(agent))?))
    })
}

/// The most that one tick of one agent can cost with the crowd's step limit.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_bounds(crowd: pleach_crowd, most: *mut pleach_bounds) -> pleach_status {
    border!(|border| {
        let out = border.report(most)?;
        read(crowd, |held| out.done(bounds(held.crowd.bounds())))
    })
}

/// Lets so many rules run in an agent's tick, from now on: 1 to 65535. May allocate.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_set_step_limit(crowd: pleach_crowd, limit: u32) -> pleach_status {
    border!(|_border| {
        let limit = step_limit(limit)?;
        write(crowd, |held| {
            held.crowd.set_step_limit(limit);
            Ok(())
        })
    })
}
