//! Agents that are at a rule, all of a chunk at once.
//!
//! The tree of such agents is a loop around a `switch`, which leads each lane to its rule. So a
//! pass of the sweep comes to each rule once, with all lanes that are at it or have come to it
//! since, and calls its conditions and its action for all of them. Lanes that are sent back by
//! a list, or to another rule by the host, are pending at the end of the loop. The next pass
//! leads them to their rules. The number of passes is that of the lane that is sent back most
//! often; most ticks have one.
//!
//! ```text
//!                lanes 0 1 at `a`, 2 3 at `b`, of a sequence that loops
//!   switch       0 1 -> a      2 3 -> b
//!   a            0 runs, 1 succeeds -> b
//!   b            1 2 3 are asked: 1 2 run, 3 succeeds -> again
//!   switch       3 -> a
//!   a            3 runs
//! ```
//!
//! A pass takes about as long for one lane as for some, and a tree that begins again and
//! again may need a hundred passes. So if only few lanes are left, each of them continues
//! alone, as in the scalar engine.
//!
//! The step limit holds for each lane separately: the rules that have run are noted lane by lane. A
//! lane that reaches the limit leaves the sweep from whatever block it is in. The host is told
//! which rules these were, and no other agent is affected.

use super::columns::{Columns, bit_lanes, half_lanes};
use super::lanes::Lanes;
use super::mask::{Mask, Ways};
use super::sweep::Sweep;
use crate::code::site::MISSING;
use crate::host::Function;
use crate::host::panics::caught;
use crate::layout::Rules;
use crate::values::{PANIC, SPENT};

impl<L: Lanes> Sweep<'_, L> {
    /// Sends lanes from a rule, which has run, to another. Lanes at the step limit end.
    #[inline(always)]
    pub(super) fn go_to_rule(&mut self, lanes: Mask, from: u16, to: u16) {
        let parts = self.parts;
        let Some(rules) = &parts.frame.rules else { return };
        self.put_at(rules, lanes, to);
        self.has_run(lanes, from);
    }

    /// Asks the host to act for the rule that lanes are at. It may send them elsewhere; the rule
    /// where they are then counts as one that has been run.
    #[inline(always)]
    pub(super) fn act_rule(&mut self, lanes: Mask, site: u16, rule: u16) -> Ways {
        let parts = self.parts;
        let Some(rules) = &parts.frame.rules else { return Ways::default() };
        let ran = Mask(*bit_lanes(self.chunk, rules.ran));
        let reply = self.ask_to_act(lanes, lanes.without(ran), site, rule);
        let [failure, success, running, other] = reply.ways(lanes);
        let bits = bit_lanes(self.chunk, rules.ran);
        *bits = (Mask(*bits) | lanes.without(self.faulted)).0;
        [failure | other, success, running, Mask::NONE]
    }

    /// Returns the lanes for whose agents the host does not have the action of a site.
    pub(super) fn unknown(&mut self, lanes: Mask, site: u16) -> Mask {
        let function = self.parts.sites[usize::from(site)].function;
        if function == MISSING {
            return lanes;
        }
        let (mut left, mut known) = (lanes, Mask::NONE);
        while left.any() {
            let ask = || {
                while let Some(lane) = left.first() {
                    if self.host.knows(Function::Action, function, self.chunk.agent(lane)) {
                        known.set(lane);
                    }
                    left.unset(lane);
                }
            };
            if caught(ask).is_err()
                && let Some(lane) = left.first()
            {
                self.fault(lane);
                left.unset(lane);
            }
        }
        lanes.without(known)
    }

    /// Returns the lanes whose rule has not run since they came to it,
    /// and notes that it has run now.
    #[inline(always)]
    pub(super) fn first_run(&mut self, lanes: Mask) -> Mask {
        let parts = self.parts;
        let Some(rules) = &parts.frame.rules else { return Mask::NONE };
        let bits = bit_lanes(self.chunk, rules.ran);
        let ran = Mask(*bits);
        *bits = (ran | lanes).0;
        lanes.without(ran)
    }

    /// Counts a rule that has run in some lanes. Returns those of them that are elsewhere now.
    #[inline(always)]
    pub(super) fn left(&mut self, lanes: Mask, rule: u16) -> Mask {
        let parts = self.parts;
        let Some(rules) = &parts.frame.rules else { return Mask::NONE };
        self.has_run(lanes, rule);
        let position = half_lanes(self.chunk, rules.position);
        // As for single agents, one that has not left its first rule need not know where it is.
        lanes.without(self.lanes.halves_in(position, rule) | self.lanes.halves_in(position, 0))
    }

    /// Puts lanes at a rule, which then has not been run.
    #[inline(always)]
    fn put_at(&mut self, rules: &Rules, lanes: Mask, rule: u16) {
        self.lanes.put_value(half_lanes(self.chunk, rules.position), lanes, rule);
        let bits = bit_lanes(self.chunk, rules.ran);
        *bits = Mask(*bits).without(lanes).0;
    }

    /// Lanes go on one by one, from the beginning of the loop around their
    /// rules to the end of their ticks.
    #[cold]
    pub(super) fn go_on_alone(&mut self, lanes: Mask, head: u32) {
        let start = self.parts.fused.heads[head as usize];
        lanes.for_each(|lane| {
            let registers = self.scratch.loops.iter().map(|(_, left)| *left);
            self.scalar.take_up(self.scratch.trails.of(lane), registers);
            let (mut exit, mut other) = (PANIC, 0);
            self.alone(lane, |run| {
                exit = run.resume(start);
                other = run.other;
            });
            match exit {
                PANIC => {}
                SPENT => self.cut_short(lane, SPENT),
                _ => {
                    self.scratch.pending[usize::from(exit)].set(lane);
                    self.scratch.others[usize::from(lane)] = other;
                }
            }
        });
    }

    /// Counts a rule that has run in some lanes. Ticks in which no
    /// other rule may run are cut short.
    #[inline(always)]
    fn has_run(&mut self, lanes: Mask, rule: u16) {
        let spent = self.scratch.trails.count(lanes, rule);
        if spent.any() {
            self.run_away(spent);
        }
    }

    /// Too many rules have run in some lanes: their ticks are over.
    #[cold]
    fn run_away(&mut self, lanes: Mask) {
        lanes.for_each(|lane| {
            self.cut_short(lane, SPENT);
            self.scalar.runs.set(self.scratch.trails.of(lane));
            self.alone(lane, |run| {
                run.run_away();
            });
        });
    }
}
