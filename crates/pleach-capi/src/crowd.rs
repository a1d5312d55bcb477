//! Crowds: functions that create agents, remove them and tick them.

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

/// Crowd with its program, and memory for its functions.
pub(crate) struct Held {
    pub(crate) crowd: Crowd,
    pub(crate) linked: Linked,
    /// Memory for states.
    pub(crate) state: Vec<u8>,
    /// Report of the last reload.
    pub(crate) report: ReloadReport,
}

/// Runs `work` with a crowd.
pub(crate) fn write<R>(
    crowd: pleach_crowd,
    work: impl FnOnce(&mut Held) -> Result<R, Error>,
) -> Result<R, Error> {
    handles::get::<Guarded<Held>>(crowd)?.write(work)?
}

/// Runs `work` with a crowd that is only read.
pub(crate) fn read<R>(crowd: pleach_crowd, work: impl FnOnce(&Held) -> Result<R, Error>) -> Result<R, Error> {
    handles::get::<Guarded<Held>>(crowd)?.read(work)?
}

/// Runs `work` with a crowd and a host, for functions that may call callbacks.
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

/// Runs `work` that cannot fail with a crowd and a host.
fn run<R>(
    crowd: pleach_crowd,
    user: *mut c_void,
    work: impl FnOnce(&mut Crowd, &mut Caller<'_>) -> R,
) -> Result<R, Error> {
    play(crowd, user, |crowd, host| Ok::<_, Error>(work(crowd, host)))
}

/// Writes a tally if the caller wants it.
pub(crate) fn tell(out: &Wanted<ReportTo<'_, pleach_tally>>, tally: Tally) -> Result<(), Error> {
    let Tally { failure, success, running, other, faults } = tally;
    out.done(pleach_tally { struct_size: 0, failure, success, running, other, faults })
}

/// Creates a crowd without agents. Null options stand for the defaults. The program may be freed
/// afterwards.
///
/// Errors: PLEACH_E_VALUE if an option has a value without meaning.
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

/// Returns the engine with a number of the header.
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

/// Gets the number of agents.
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

/// Creates an agent that runs the named tree. Its variables have their declared initial values. May
/// allocate.
///
/// Errors: PLEACH_E_NAME if there is no such tree, PLEACH_E_CAPACITY if the crowd is full.
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

/// Removes an agent. Its running actions are halted, and their `halt` is called.
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

/// Resets an agent to the beginning of its tree. Its running actions are halted. Timers and
/// variables keep their values.
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

/// Switches an agent to the beginning of another tree of the program. Timers and variables keep
/// their values. May allocate.
///
/// Errors: PLEACH_E_NAME if there is no such tree, PLEACH_E_CAPACITY if the crowd is full.
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

/// Puts an agent to sleep (1) or wakes it (0). Ticks skip a sleeping agent, and nothing of it
/// changes.
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

/// Gets the outcome of an agent's last tick: PLEACH_FAILURE to PLEACH_NEVER. `other` may be null.
/// It receives the number of a PLEACH_OTHER.
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

/// Places for an outcome and its status number.
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

/// Ticks every agent that is awake once. `now` is the time, in the unit that the trees and the game
/// use. `user` is passed to callbacks. Allocates nothing. `tally` may be null. It receives the
/// number of agents by outcome.
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

/// Ticks chunk after chunk as long as a budget of instructions lasts, but at least one chunk. Each
/// agent counts with the upper bound of its tree's cost. The next call continues where this one
/// stopped. `ended` is 1 if all agents have been ticked. In that case the tick is ended, and the
/// next call begins a new one.
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

/// Ticks one agent, for games that choose the agents of a tick themselves. When these have been
/// ticked, the game must call pleach_crowd_end_tick: only then shared variables are written, events
/// are handled and limited places are granted.
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

/// Runs another tree of the program once for an agent. The agent's own tree does not change.
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

/// Ends a tick: combines the values that agents wrote to shared variables, delivers the events that
/// they raised, and grants places in limited nodes. pleach_crowd_tick does this itself. After a
/// round of pleach_crowd_tick_agent the game must call it.
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

/// Gets the ids of the nodes in an agent's running set, in dialects that have one.
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

/// Gets upper bounds of the cost of one tick of one agent, with the crowd's step limit.
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

/// Sets the step limit, the maximum number of rules that run in an agent's tick: 1 to 65535. May
/// allocate.
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
