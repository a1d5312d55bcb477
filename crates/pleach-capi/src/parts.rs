//! Ticks on the threads of the game.

use crate::abi::{pleach_crowd, pleach_status, pleach_tally};
use crate::border::border;
use crate::crowd::{Held, tell, write};
use crate::host::{Callbacks, Caller};
use crate::status::{E_BUSY, E_NAME, E_NULL, Error};
use core::ffi::c_void;
use pleach::Tally;
use pleach::crowd::CrowdPart;
use std::sync::{Mutex, TryLockError};

/// Parts of a crowd that is being ticked.
pub(crate) struct Parts<'a> {
    callbacks: &'a Callbacks,
    parts: Vec<Mutex<Turn<'a>>>,
}

struct Turn<'a> {
    part: CrowdPart<'a>,
    /// Result of the part's tick, if it has been ticked.
    tally: Option<Tally>,
}

/// Ticks parts, on any threads: calls pleach_part_tick for each of `count` parts, and returns when
/// all these calls have returned.
pub type pleach_run_fn = Option<unsafe extern "C" fn(data: *mut c_void, parts: *const c_void, count: u32)>;

/// Ticks the crowd in at most `most` parts, on threads of the game. `run` gets `data` and must tick
/// the parts. Parts that it has not ticked are ticked afterwards with `user`, which is also used
/// for the end of the tick. The result equals that of pleach_crowd_tick. A crowd whose agents run
/// one by one has one part. Allocates.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_tick_parts(
    crowd: pleach_crowd,
    now: i64,
    most: u32,
    run: pleach_run_fn,
    data: *mut c_void,
    user: *mut c_void,
    tally: *mut pleach_tally,
) -> pleach_status {
    border!(|border| {
        let out = border.wanted_report(tally)?;
        let run = run.ok_or(E_NULL)?;
        let tally = write(crowd, |held| {
            let Held { crowd, linked, .. } = held;
            let turns = crowd.parts(most as usize).map(|part| Mutex::new(Turn { part, tally: None }));
            let parts = Parts { callbacks: &linked.callbacks, parts: turns.collect() };
            // SAFETY: the game has promised a callback that can be called like this.
            unsafe { run(data, (&raw const parts).cast(), parts.parts.len() as u32) };
            let tally = (0..parts.parts.len()).try_fold(Tally::default(), |sum, index| {
                Ok::<_, Error>(add(sum, parts.tick(index, now, user)?))
            })?;
            drop(parts);
            crowd.end_tick(now, &mut Caller::new(&linked.callbacks, user));
            Ok(tally)
        })?;
        tell(&out, tally)
    })
}

fn add(one: Tally, other: Tally) -> Tally {
    Tally {
        failure: one.failure.saturating_add(other.failure),
        success: one.success.saturating_add(other.success),
        running: one.running.saturating_add(other.running),
        other: one.other.saturating_add(other.other),
        faults: one.faults.saturating_add(other.faults),
    }
}

impl Parts<'_> {
    /// Ticks a part once, and returns its tally.
    pub(crate) fn tick(&self, index: usize, now: i64, user: *mut c_void) -> Result<Tally, Error> {
        let turn = self.parts.get(index).ok_or(E_NAME)?;
        let mut turn = match turn.try_lock() {
            Ok(turn) => turn,
            Err(TryLockError::WouldBlock) => return Err(E_BUSY.into()),
            Err(TryLockError::Poisoned(_)) => return Err(crate::status::E_POISONED.into()),
        };
        let Turn { part, tally } = &mut *turn;
        Ok(*tally.get_or_insert_with(|| part.tick(now, &mut Caller::new(self.callbacks, user))))
    }
}

/// Ticks a part, by its index from 0, with a `user` of its own. Call it inside `run`, on any
/// thread. A part that has been ticked is not ticked again.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_part_tick(
    parts: *const c_void,
    index: u32,
    now: i64,
    user: *mut c_void,
    tally: *mut pleach_tally,
) -> pleach_status {
    border!(|border| {
        let out = border.wanted_report(tally)?;
        let parts = border.look::<Parts<'_>>(parts)?;
        tell(&out, parts.tick(index as usize, now, user)?)
    })
}
