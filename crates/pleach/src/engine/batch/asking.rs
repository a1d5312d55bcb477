//! Calls of the host: each function is called once, with all lanes that ask for it.

use super::columns::{Columns, half_lanes};
use super::lanes::Lanes;
use super::mask::Mask;
use super::scratch::Asked;
use super::sweep::Sweep;
use crate::code::{Held, MISSING, Relation, Span, by_relation};
use crate::engine::batch::mask::Ways;
use crate::engine::scalar::Run;
use crate::engine::sweep::Tick;
use crate::host::panics::caught;
use crate::host::{Batch, Halt, Host};
use crate::layout::LANES;
use crate::values::{Args, PANIC, Status};
use pleach_image::format::branch;
use pleach_image::isa::{FAILURE, OTHER, RUNNING, SUCCESS};

const _: () = assert!(FAILURE == 0 && SUCCESS == 1 && RUNNING == 2 && OTHER == 3, "exits are two bits");

/// Answers to the lanes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// All the same: the exit by which they leave. Most often they run, and then there is
    /// nothing to be done for any of them.
    Alike(u8),
    Each(Ways),
}

impl Reply {
    pub(super) const RUN: Self = Self::Alike(RUNNING);

    /// Returns the exits by which the lanes that were asked leave.
    #[inline(always)]
    pub(super) fn ways(self, lanes: Mask) -> Ways {
        match self {
            Self::Alike(exit) => {
                core::array::from_fn(|way| if way == usize::from(exit) { lanes } else { Mask::NONE })
            }
            Self::Each(ways) => ways,
        }
    }
}

/// Places for the answers of a call.
struct Answers<'a> {
    statuses: &'a mut [Status; LANES],
    answers: &'a mut [f64; LANES],
}

/// Answers that stand before the host is called. It stands somewhere, as to copy it is a few wide
/// stores; to make it would be a store for each place, since the most part of such a status is
/// padding.
static FAILURES: [Status; 64] = [Status::Failure; 64];
static ZEROS: [f64; 64] = [0.0; 64];

/// Fills at least the first so many places. What is behind them is not looked at; and 64
/// places are filled without a call.
#[inline(always)]
fn fill<T: Copy>(places: &mut [T; LANES], count: usize, with: &[T; 64]) {
    for places in places.as_chunks_mut::<64>().0.iter_mut().take(count.div_ceil(64)) {
        *places = *with;
    }
}

/// Returns true if all statuses are running. They are looked at one by one, up to the first that is
/// another: the host has put them down just now, in the same way, and a processor cannot read at
/// once what is on its way to memory in pieces.
#[inline(always)]
fn all_run(statuses: &[Status]) -> bool {
    statuses.iter().all(|status| matches!(status, Status::Running))
}

impl<L: Lanes> Sweep<'_, L> {
    /// Asks the host to act. What goes on is left in the position.
    #[inline(always)]
    pub(super) fn act(&mut self, lanes: Mask, column: u32, site: u16, node: u16) -> Ways {
        let holds = self.lanes.halves_in(half_lanes(self.chunk, column), node);
        let ways = self.ask_to_act(lanes, lanes.without(holds), site, node).ways(lanes);
        let begun = ways[usize::from(RUNNING)].without(holds);
        let ended = (ways[usize::from(FAILURE)] | ways[usize::from(SUCCESS)]) & holds;
        let column = half_lanes(self.chunk, column);
        for (lanes, node) in [(begun, node), (ended, 0)] {
            if lanes.any() {
                self.lanes.put_value(column, lanes, node);
            }
        }
        ways
    }

    /// Asks the host for an action that takes the place of the running leaf, and halts that leaf. A
    /// panic of the host by what is halted is the fault of a lane that is not asked any more.
    #[inline(always)]
    pub(super) fn act_exclusive(&mut self, lanes: Mask, column: u32, site: u16, node: u16) -> Ways {
        let begun = lanes.without(self.lanes.halves_in(half_lanes(self.chunk, column), node));
        self.displace(begun, column, node);
        let lanes = lanes.without(self.faulted);
        if !lanes.any() {
            return Ways::default();
        }
        let reply = self.ask_to_act(lanes, begun & lanes, site, node);
        let ways = reply.ways(lanes.without(self.faulted));
        if reply != Reply::RUN {
            let [failure, success, _, other] = ways;
            self.lanes.put_value(half_lanes(self.chunk, column), failure | success | other, 0);
        }
        ways
    }

    /// Returns true if the host may have to hear that a node does not continue.
    #[inline(always)]
    fn is_heard(&self, node: u16) -> bool {
        let held = self.parts.held.get(usize::from(node));
        held.is_some_and(|held| *held != Held::Nothing) || self.parts.wrappers.surround(node)
    }

    /// Calls an action of the host.
    #[inline(always)]
    pub(super) fn ask_to_act(&mut self, lanes: Mask, fresh: Mask, site: u16, node: u16) -> Reply {
        let count = self.gather(lanes);
        let answered = self.ask((lanes, fresh), site, node, Some(Status::Failure), |host, batch, asked| {
            let alike = host.act_alike(batch);
            if alike.is_none() {
                fill(asked.statuses, count, &FAILURES);
                host.act_all(batch, &mut asked.statuses[..count]);
            }
            alike
        });
        match answered {
            None => return Reply::Each(Ways::default()),
            Some(Some(status)) => return self.alike(lanes, status),
            Some(None) => {}
        }
        let Asked { statuses, exits, .. } = &mut self.scratch.asked;
        // As most actions answer in most ticks.
        if all_run(&statuses[..count]) {
            return Reply::RUN;
        }
        // Those behind the last are not looked at when they are spread.
        for (exit, status) in exits.iter_mut().zip(&statuses[..count.next_multiple_of(64)]) {
            (*exit, _) = status.exit();
        }
        // An exit is a number of two bits.
        let mut bits = [Mask::NONE; 2];
        for (mask, bit) in bits.iter_mut().zip([SUCCESS, RUNNING]) {
            let mut dense = Mask::NONE;
            let blocks = self.scratch.asked.exits[..count.next_multiple_of(64)].as_chunks::<64>().0;
            for (word, exits) in dense.0.iter_mut().zip(blocks) {
                *word = self.lanes.bits::<u8>(|lane| exits[lane] & bit != 0);
            }
            *mask = self.lanes.scatter(dense, lanes);
        }
        let [low, high] = bits;
        let (success, running, other) = (low.without(high), high.without(low), low & high);
        if other.any() {
            let Asked { lanes, statuses, .. } = &self.scratch.asked;
            for (lane, status) in lanes[..count].iter().zip(&**statuses) {
                if let Status::Other(number) = status {
                    self.scratch.others[usize::from(*lane)] = *number;
                }
            }
        }
        Reply::Each([lanes.without(low | high), success, running, other])
    }

    /// Notes one answer for all lanes.
    #[inline(always)]
    fn alike(&mut self, lanes: Mask, status: Status) -> Reply {
        let (exit, other) = status.exit();
        if exit == OTHER {
            lanes.for_each(|lane| self.scratch.others[usize::from(lane)] = other);
        }
        Reply::Alike(exit)
    }

    /// Lanes for which the answer of a query stands so to a number.
    #[inline(always)]
    pub(super) fn test_answers(&mut self, lanes: Mask, site: u16, relation: Relation, with: f64) -> Mask {
        if !lanes.any() || !self.query(lanes, site) {
            return Mask::NONE;
        }
        let Asked { answers, count, .. } = &self.scratch.asked;
        // As above.
        let mut dense = Mask::NONE;
        let blocks = answers[..count.next_multiple_of(64)].as_chunks().0;
        by_relation!(relation, |holds| {
            for (word, answers) in dense.0.iter_mut().zip(blocks) {
                let answers: &[f64; 64] = answers;
                *word = self.lanes.bits::<f64>(|lane| holds(answers[lane], with));
            }
        });
        self.lanes.scatter(dense, lanes)
    }

    /// Asks a query; the answers are in order of lanes. False if there are
    /// none, because the host panicked.
    #[inline(always)]
    pub(super) fn query(&mut self, lanes: Mask, site: u16) -> bool {
        let count = self.gather(lanes);
        fill(&mut self.scratch.asked.answers, count, &ZEROS);
        let answered = self.ask((lanes, Mask::NONE), site, 0, (), |host, batch, asked| {
            host.query_all(batch, &mut asked.answers[..count]);
        });
        answered.is_some()
    }

    /// Writes down whom a call is for.
    #[inline(always)]
    fn gather(&mut self, lanes: Mask) -> usize {
        let asked = &mut self.scratch.asked;
        self.lanes.gather(lanes.0, &mut asked.lanes);
        let count = lanes.count() as usize;
        asked.count = count.min(LANES);
        asked.count
    }

    /// Calls the host for those that were written down; `None`, and their fault, if it panics.
    /// `missing` is what is answered if the host has no such function.
    #[inline(always)]
    fn ask<T>(
        &mut self,
        (lanes, fresh): (Mask, Mask),
        site: u16,
        node: u16,
        missing: T,
        ask: impl FnOnce(&mut dyn Host, &mut Batch<'_>, &mut Answers<'_>) -> T,
    ) -> Option<T> {
        let parts = self.parts;
        let site = &parts.sites[usize::from(site)];
        let Asked { lanes: who, count, statuses, answers, .. } = &mut self.scratch.asked;
        let written = site.arguments.of(&parts.arguments);
        let mut batch = Batch {
            function: site.function,
            args: Args { values: written, written, texts: &self.world.texts },
            node: node.into(),
            place: self.place,
            now: self.now,
            frame: &parts.frame,
            chunk: self.chunk,
            lanes: &who[..*count],
            fresh: fresh.0,
            begins: fresh.count(),
            room: parts.room_of(&site.arguments, &mut self.scalar.arguments),
        };
        if site.function == MISSING {
            return Some(missing);
        }
        let (host, mut out) = (&mut *self.host, Answers { statuses, answers });
        let answered = caught(|| ask(host, &mut batch, &mut out)).ok();
        if answered.is_none() {
            lanes.for_each(|lane| self.fault(lane));
        }
        answered
    }

    /// Puts a node into positions, and halts what was there.
    #[inline(always)]
    pub(super) fn displace(&mut self, lanes: Mask, column: u32, node: u16) {
        let halves = half_lanes(self.chunk, column);
        let empty = self.lanes.halves_in(halves, 0) | self.lanes.halves_in(halves, node);
        let others = lanes.without(empty);
        if !others.any() {
            return self.lanes.put_value(halves, lanes, node);
        }
        let before = *halves;
        self.lanes.put_value(halves, lanes, node);
        self.stop_each(others, column, &before, (0, node));
    }

    /// Halts what positions hold if it is from `low` to `high`, and clears them.
    #[inline(always)]
    pub(super) fn halt(&mut self, lanes: Mask, column: u32, low: u16, high: u16) {
        let halves = half_lanes(self.chunk, column);
        let inside = lanes & self.lanes.halves_span(halves, Span { low, span: high.wrapping_sub(low) });
        if inside.any() {
            let before = *halves;
            self.lanes.put_value(halves, inside, 0);
            self.stop_each(inside, column, &before, (low, 0));
        }
    }

    /// Tells the host that what positions held does not go on.
    fn stop_each(&mut self, lanes: Mask, column: u32, before: &[u16; LANES], around: (u16, u16)) {
        lanes.for_each(|lane| {
            let node = before[usize::from(lane)];
            if self.is_heard(node) {
                self.alone(lane, |run| run.stop(column, node, around, Halt::Interrupted));
            }
        });
    }

    /// Does something for one lane; a panic of the host is its fault alone.
    pub(super) fn alone(&mut self, lane: u8, work: impl FnOnce(&mut Run<'_, dyn Host + '_, ()>)) {
        let Self { parts, scalar, scratch, world, chunk, now, host, .. } = self;
        let mut tick = Tick { parts, scratch: scalar, world, now: *now, host: &mut **host };
        let mut nobody = ();
        let mut run = tick.agent(chunk, lane, &mut nobody);
        run.rounds = scratch.rounds[usize::from(lane)];
        if caught(|| work(&mut run)).is_err() {
            self.fault(lane);
        }
    }

    /// A panic of the host cuts a lane's tick short.
    pub(super) fn fault(&mut self, lane: u8) {
        self.cut_short(lane, PANIC);
    }

    /// A lane's tick is cut short by a fault.
    pub(super) fn cut_short(&mut self, lane: u8, fault: u8) {
        self.faulted.set(lane);
        self.chunk.end(lane, fault, 0);
    }

    /// Returns the exits of lanes at the end of a parallel. In lanes in which it does not run, its
    /// branches are halted.
    #[inline(always)]
    pub(super) fn join(&mut self, lanes: Mask, parallel: u16) -> Ways {
        let row = &self.parts.parallels[usize::from(parallel)];
        let (mut succeeded, mut failed) = ([0_u16; LANES], [0_u16; LANES]);
        for column in &row.branches {
            for (lane, position) in half_lanes(self.chunk, *column).iter().enumerate() {
                succeeded[lane] += u16::from(*position == branch::SUCCEEDED);
                failed[lane] += u16::from(*position == branch::FAILED);
            }
        }
        let enough = |count: u16, wanted: u16| wanted > 0 && count >= wanted;
        let success = lanes.filter(|lane| enough(succeeded[usize::from(lane)], row.succeed));
        let failure = lanes.without(success).filter(|lane| {
            let (succeeded, failed) = (succeeded[usize::from(lane)], failed[usize::from(lane)]);
            enough(failed, row.fail) || usize::from(succeeded + failed) == row.branches.len()
        });
        let running = lanes.without(success | failure);
        (success | failure).for_each(|lane| {
            self.alone(lane, |run| run.stop_branches(parallel, Halt::Interrupted));
        });
        [failure, success, running, Mask::NONE].map(|way| way.without(self.faulted))
    }
}
