//! Exchange of a crowd with its host, as bits: recorded, and repeated from a recording.

use super::coder::{Coder, mix};
use super::error::RecordingFault;
use crate::crowd::{Crowd, CrowdStep, Watchers};
use crate::host::Host;
use crate::values::{Agent, Event, EventTarget, Group};
use alloc::borrow::ToOwned;
use bytemuck::CheckedBitPattern;

/// Kinds of recorded steps, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, CheckedBitPattern)]
#[repr(u8)]
pub(super) enum RecordKind {
    End,
    Snapshot,
    Change,
    Ticked,
    Ended,
    Raised,
    Despawned,
    Reset,
    Switched,
    TickedAgent,
    TickedEntry,
    Check,
}

impl RecordKind {
    /// Returns the context of what belongs to a step.
    pub(super) fn context(self, which: u64) -> u64 {
        mix(mix(0x57e9, self as u64), which)
    }
}

/// Writes or reads the kind of the next step. Each step takes at least one bit.
pub(super) fn kind<C: Coder>(coder: &mut C, before: RecordKind, kind: RecordKind) -> Option<RecordKind> {
    coder.fair(true);
    let number = coder.byte(before.context(0), kind as u8);
    bytemuck::checked::try_cast(number).ok()
}

/// Writes or reads the time of a step, as how much later it is than that of the step before.
pub(super) fn time<C: Coder>(coder: &mut C, before: &mut i64, now: i64) {
    let context = |which| mix(0x714e, which);
    let later = now.wrapping_sub(*before);
    let back = coder.bit(context(0), later < 0);
    let distance = coder.count(context(1), later.unsigned_abs()) as i64;
    *before = if back { before.wrapping_sub(distance) } else { before.wrapping_add(distance) };
}

/// Writes or reads a step of a kind. Writers pass the step, and `crowd` as the step left it.
pub(super) fn step<C: Coder>(
    coder: &mut C,
    kind: RecordKind,
    last: &mut u32,
    crowd: &Crowd,
    step: Option<&CrowdStep<'_>>,
) -> Result<CrowdStep<'static>, RecordingFault> {
    let context = |which| kind.context(which);
    let (whom, name) = step.map_or((None, None), subject);
    let mut agent = |coder: &mut C| {
        let index = index(coder, kind, last, whom.map_or(0, |agent| agent.index() as u32));
        crowd.agents.at(index).or(whom).ok_or(RecordingFault::Agent)
    };
    let entry = |coder: &mut C| {
        let index = name.and_then(|name| crowd.program().entry(name)).unwrap_or(0);
        let index = coder.number(context(3), 2, index.into()) as usize;
        crowd.program().entries().nth(index).map(|name| name.to_owned().into()).ok_or(RecordingFault::Name)
    };
    Ok(match kind {
        RecordKind::Ticked => {
            let all = 0..crowd.chunks.len();
            let told = if let Some(CrowdStep::Ticked(chunks)) = step { chunks } else { &all };
            if coder.bit(context(1), *told == all) {
                return Ok(CrowdStep::Ticked(all));
            }
            let [first, end] = [(2, told.start), (3, told.end)]
                .map(|(which, chunk)| coder.count(context(which), chunk as u64) as usize);
            RecordingFault::Length.unless(first <= end && end <= all.end)?;
            CrowdStep::Ticked(first..end)
        }
        RecordKind::Ended => CrowdStep::Ended,
        RecordKind::Raised => {
            let told = if let Some(CrowdStep::Raised(event, to)) = step { Some((*event, *to)) } else { None };
            let (event, to) = told.unwrap_or((Event(0), EventTarget::All));
            let event = Event(coder.number(context(1), 2, event.0.into()) as u16);
            let group = if let EventTarget::Group(group) = to { Some(group) } else { None };
            let to = if coder.bit(context(4), matches!(to, EventTarget::Agent(_))) {
                EventTarget::Agent(agent(coder)?)
            } else if coder.bit(context(5), group.is_some()) {
                let Group(group) = group.unwrap_or_default();
                EventTarget::Group(Group(coder.count(context(6), group.into()) as u32))
            } else {
                EventTarget::All
            };
            CrowdStep::Raised(event, to)
        }
        RecordKind::Despawned => CrowdStep::Despawned(agent(coder)?),
        RecordKind::Reset => CrowdStep::Reset(agent(coder)?),
        RecordKind::Switched => CrowdStep::Switched(agent(coder)?, entry(coder)?),
        RecordKind::TickedAgent => CrowdStep::TickedAgent(agent(coder)?),
        RecordKind::TickedEntry => CrowdStep::TickedEntry(agent(coder)?, entry(coder)?),
        RecordKind::End | RecordKind::Snapshot | RecordKind::Change | RecordKind::Check => {
            return Err(RecordingFault::Step);
        }
    })
}

/// Returns the agent and the tree that a step names.
fn subject<'s>(step: &'s CrowdStep<'_>) -> (Option<Agent>, Option<&'s str>) {
    match step {
        CrowdStep::Begin(agent) => (*agent, None),
        CrowdStep::Ticked(_)
        | CrowdStep::Happened(_)
        | CrowdStep::Ended
        | CrowdStep::Raised(_, EventTarget::Group(_) | EventTarget::All) => (None, None),
        CrowdStep::Raised(_, EventTarget::Agent(agent))
        | CrowdStep::Despawned(agent)
        | CrowdStep::Reset(agent)
        | CrowdStep::TickedAgent(agent) => (Some(*agent), None),
        CrowdStep::Switched(agent, name) | CrowdStep::TickedEntry(agent, name) => (Some(*agent), Some(name)),
    }
}

/// Does a step again.
pub(super) fn perform<H: Host, W: Watchers>(
    step: &CrowdStep<'_>,
    crowd: &mut Crowd,
    now: i64,
    host: &mut H,
    watchers: &mut W,
) -> Result<(), RecordingFault> {
    match step {
        CrowdStep::Begin(_) | CrowdStep::Happened(_) => {}
        CrowdStep::Ticked(chunks) => {
            watchers.begin(crowd, now);
            crowd.tick_chunks(chunks.clone(), now, host, watchers);
        }
        CrowdStep::Ended => crowd.end_tick(now, host),
        CrowdStep::Raised(event, to) => {
            return crowd.raise(*event, *to, now, host).map_err(|_| RecordingFault::Name);
        }
        // There may have been no room then, either.
        CrowdStep::Switched(agent, entry) => drop(crowd.switch(*agent, entry, now, host)),
        CrowdStep::Despawned(agent) => agent_is_there(crowd.despawn(*agent, now, host))?,
        CrowdStep::Reset(agent) => agent_is_there(crowd.reset(*agent, now, host))?,
        CrowdStep::TickedAgent(agent) => agent_is_there(crowd.tick_agent(*agent, now, host, &mut ()))?,
        CrowdStep::TickedEntry(agent, entry) => agent_is_there(crowd.tick_entry(*agent, entry, now, host))?,
    }
    Ok(())
}

/// Returns a fault if a step failed, which it does only for an agent that does not exist.
fn agent_is_there<T, E>(done: Result<T, E>) -> Result<(), RecordingFault> {
    RecordingFault::Agent.unless(done.is_ok())
}

/// Writes or reads of which agent something is told, as how far it is from the one before.
fn index<C: Coder>(coder: &mut C, kind: RecordKind, last: &mut u32, index: u32) -> u32 {
    let back = coder.bit(kind.context(7), index < *last);
    let distance = coder.count(kind.context(8 + u64::from(back)), index.abs_diff(*last).into()) as u32;
    *last = if back { last.wrapping_sub(distance) } else { last.wrapping_add(distance) };
    *last
}
