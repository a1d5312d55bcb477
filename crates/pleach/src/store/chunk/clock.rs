//! Time as agents of a chunk keep it.
//!
//! Times have 64 bits, columns of timers 32: a timer is an offset from an epoch, which follows the
//! time. So a timer takes 4 bytes, and a vector compares as many timers as integers. The page
//! `spec/instructions.md` has the rule.

use super::Chunk;
use crate::layout::{Frame, LANES};
use crate::planted::{self, Bug};
use crate::values::Kind;

/// Distance of epochs. A time is less than two of them after its epoch, and at least one unless the
/// epoch is 0.
const STEP: i64 = 1 << 30;

/// The time of the tick, as a chunk counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock {
    /// Time from which the chunk counts.
    epoch: i64,
    /// The time of the tick less the epoch.
    offset: u32,
}

impl Clock {
    /// Clock at a time.
    #[inline(always)]
    pub(crate) fn at(now: i64) -> Self {
        let epoch = epoch_of(now);
        Self { epoch, offset: now.wrapping_sub(epoch) as u32 }
    }

    /// Clock of a chunk that counts from an epoch.
    pub(crate) fn from(epoch: i64) -> Self {
        Self { epoch, offset: 0 }
    }

    /// Time from which timers count.
    pub(crate) fn epoch(self) -> i64 {
        self.epoch
    }

    /// Returns the time of the tick less the epoch.
    #[inline(always)]
    pub(crate) fn offset(self) -> u32 {
        self.offset
    }

    /// Returns true if the time is before that of a timer, or at it unless `reached`.
    #[inline(always)]
    pub(crate) fn is_before(self, timer: u32, reached: bool) -> bool {
        self.offset < timer || self.offset == timer && !reached
    }

    /// Timer that is due after a duration.
    #[inline(always)]
    pub(crate) fn after(self, duration: i32) -> u32 {
        self.offset.saturating_add_signed(duration).saturating_add(planted::is(Bug::LateTimer).into())
    }
}

/// Epoch of a time.
#[inline(always)]
fn epoch_of(now: i64) -> i64 {
    if (0..2 * STEP).contains(&now) { 0 } else { (now & !(STEP - 1)).saturating_sub(STEP) }
}

/// Returns true if some time has this epoch.
pub(crate) fn is_epoch(epoch: i64) -> bool {
    epoch_of(epoch.saturating_add(STEP)) == epoch
}

/// Returns a timer that counts from another epoch. A timer that is over stays over.
pub(crate) fn counted_from(timer: u32, from: i64, to: i64) -> u32 {
    let due = i64::from(timer).saturating_sub(to.saturating_sub(from));
    if timer == 0 { 0 } else { due.clamp(0, u32::MAX.into()) as u32 }
}

/// Time at which a timer is due, as a number for people and hashes; 0 if it is over at its epoch.
pub(crate) fn due(timer: u32, epoch: i64) -> i64 {
    if timer == 0 { 0 } else { epoch.wrapping_add(timer.into()) }
}

/// Returns the first elements of the columns of timers among the words.
fn timers(frame: &Frame) -> impl Iterator<Item = usize> + '_ {
    let timers = frame.slots.iter().filter(|slot| slot.column.kind == Kind::Time);
    timers.map(|slot| slot.column.first as usize)
}

/// Counts a tick down. Returns true if some are left.
#[inline]
pub(crate) fn down(counter: &mut u16) -> bool {
    *counter = counter.saturating_sub(1);
    *counter > u16::from(planted::is(Bug::ShortCount))
}

impl Chunk {
    /// Begins a tick at this time. All timers move if the time has another epoch.
    #[inline(always)]
    pub(crate) fn set_time(&mut self, frame: &Frame, now: i64) {
        let clock = Clock::at(now);
        if clock.epoch != self.clock.epoch {
            self.set_epoch(frame, clock.epoch);
        }
        self.clock = clock;
    }

    /// Lets timers count from another epoch.
    #[cold]
    #[inline(never)]
    fn set_epoch(&mut self, frame: &Frame, epoch: i64) {
        let before = core::mem::replace(&mut self.clock, Clock::from(epoch)).epoch;
        for column in timers(frame) {
            let timers = &mut self.words[column..][..LANES];
            timers.iter_mut().for_each(|timer| *timer = counted_from(*timer, before, epoch));
        }
    }

    /// Prepares for an agent whose timers count from another epoch: a chunk without timers comes to
    /// that epoch. A chunk with timers keeps its own, so that an agent cannot end timers of others.
    pub(crate) fn meet(&mut self, frame: &Frame, epoch: i64) {
        let is_over = |column: usize| self.words[column..][..LANES].iter().all(|timer| *timer == 0);
        if timers(frame).all(is_over) {
            self.set_epoch(frame, epoch);
        }
    }

    /// Sets the timer of a lane.
    #[inline(always)]
    pub(crate) fn arm(&mut self, column: u32, lane: u8, duration: i32) {
        *self.word_mut(column, lane) = self.clock.after(duration);
    }

    /// Returns true if the time is before that of a lane's timer, or at it unless `reached`.
    #[inline(always)]
    pub(crate) fn is_before(&self, column: u32, lane: u8, reached: bool) -> bool {
        self.clock.is_before(self.word(column, lane), reached)
    }

    /// Returns the time since a moment that is noted; a NaN if none is.
    pub(crate) fn since(&self, first: u32, lane: u8, now: i64) -> f64 {
        match self.moment(first, lane) {
            0 | 1 => f64::NAN,
            // A moment out of a saved state may be any number.
            moment => now.max(0).saturating_sub(moment.saturating_sub(2)) as f64,
        }
    }
}

/// Note of a moment: two more than the time if it has come; else 1, or 0 if it never came.
#[inline]
pub(crate) fn noted(moment: i64, now: i64, on: bool) -> i64 {
    if on { now.max(0).saturating_add(2) } else { i64::from(moment != 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times at and around those at which something begins anew.
    fn times() -> impl Iterator<Item = i64> {
        let around = [i64::MIN, -1 << 40, -1 << 31, 0, STEP, 1 << 31, 3 << 30, 1 << 32, 1 << 40, i64::MAX];
        around.into_iter().flat_map(|time| (-2..=2).map(move |more| i64::saturating_add(time, more)))
    }

    #[test]
    fn a_time_is_in_reach_of_its_epoch() {
        for now in times() {
            let epoch = epoch_of(now);
            let offset = i128::from(now) - i128::from(epoch);
            assert!((0..2 << 30).contains(&offset), "{now}");
            assert!(epoch == 0 || epoch == i64::MIN || offset >= 1 << 30, "{now}");
            assert!(is_epoch(epoch), "{now}");
        }
        assert_eq!([0, (1 << 31) - 1, 1 << 31, -1].map(epoch_of), [0, 0, 1 << 30, -1 << 31]);
        for epoch in [1, -1, STEP + 1, -STEP, i64::MIN + 1, i64::MAX] {
            assert!(!is_epoch(epoch), "{epoch}");
        }
    }

    #[test]
    fn durations_are_kept_from_any_time_to_any_later_one() {
        let frame = &mut Frame::default();
        frame.sizes.column(Kind::F32, 0, LANES);
        frame.slots.extend(timer_slot(frame.sizes.column(Kind::Time, 0, LANES)));
        let column = frame.slots[0].column.first;
        for begun in times() {
            for duration in [1, 2, 1000, i32::MAX - 1, i32::MAX] {
                for later in times().filter(|later| *later >= begun) {
                    let mut chunk = Chunk::new(frame, 0, None).expect("there is memory");
                    chunk.words[9] = 77;
                    chunk.set_time(frame, begun);
                    chunk.arm(column, 9, duration);
                    chunk.set_time(frame, later);
                    let due = i128::from(begun) + i128::from(duration);
                    let before = chunk.is_before(column, 9, true);
                    assert_eq!(before, i128::from(later) < due, "{begun} {duration} {later}");
                    assert!(!chunk.is_before(column, 8, true) && chunk.words[9] == 77);
                }
            }
        }
    }

    fn timer_slot(column: crate::layout::Column) -> Option<crate::layout::Slot> {
        Some(crate::layout::Slot { column, name: "".into(), key: 0, reset: false, init: 0 })
    }

    #[test]
    fn a_timer_that_goes_back_is_due_later_but_not_earlier() {
        assert_eq!(counted_from(7, 0, STEP), 0);
        assert_eq!(counted_from(0, STEP, -STEP), 0);
        assert_eq!(counted_from(STEP as u32 + 7, 0, STEP), 7);
        assert_eq!(counted_from(7, STEP, 0), STEP as u32 + 7);
        assert_eq!(counted_from(7, i64::MAX, i64::MIN), u32::MAX);
        assert_eq!(counted_from(u32::MAX, i64::MIN, i64::MAX), 0);
        assert_eq!((due(7, STEP), due(0, STEP)), (STEP + 7, 0));
    }
}
