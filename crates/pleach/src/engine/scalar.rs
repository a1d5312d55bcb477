//! The scalar engine: one agent, one step after the other.
//!
//! Its loop is in [`super::walk`], what steps do that are not in the loop is here. Every rule it
//! leans on has been proven by the verifier, so there is no path for errors: an index that the
//! verifier proves in range is used as it is, and would panic, not read elsewhere, if it were not.
//!
//! The same loop runs both programs of a [`Parts`]: the fused one, and, when
//! somebody watches, the plain one.

use super::runs::Runs;
use super::sets::{is_member, mark, wipe_if};
use super::watch::Mode;
use crate::code::{Ask, Branch, Code, Control, StepEffect, Write};
use crate::engine::parts::{Limiter, Parts};
use crate::host::{Halt, Host, LogKind};
use crate::layout::Column;
use crate::planted::{self, Bug};
use crate::store::chunk::clock::{down, noted};
use crate::store::{Chunk, World};
use crate::values::{Argument, Kind, SPENT, held};
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use pleach_image::format::{branch, how, log_kind};

/// Scratch memory of a tick, sized once for a program.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    pub(crate) stack: Box<[u64]>,
    pub(super) calls: Vec<u32>,
    flags: Box<[bool]>,
    /// The rules that have run in this tick.
    pub(crate) runs: Runs,
    /// Number of times that each loop may still begin again, by register.
    registers: Box<[u16]>,
    /// A copy of the table of arguments, for calls that have variables among them.
    pub(crate) arguments: Box<[Argument]>,
    pub(crate) work: super::lists::Work,
}

impl Scratch {
    pub(crate) fn new(parts: &Parts) -> Self {
        Self {
            stack: vec![0; parts.stack_depth].into(),
            calls: Vec::with_capacity(parts.call_depth),
            flags: vec![false; parts.flags].into(),
            runs: Runs::new(parts.frame.rules.as_ref().map_or(0, |rules| rules.limit)),
            registers: vec![0; parts.plain.registers()].into(),
            arguments: parts.room(),
            work: super::lists::Work::of(parts),
        }
    }
}

impl Scratch {
    /// The tick ends inside all blocks.
    pub(crate) fn forget_calls(&mut self) {
        self.calls.clear();
    }

    /// A tick is taken up outside all blocks, in which these rules have run and loops
    /// may still begin again so often.
    pub(crate) fn take_up(&mut self, rules: impl Iterator<Item = u16>, registers: impl Iterator<Item = u16>) {
        self.calls.clear();
        self.runs.set(rules);
        self.registers.iter_mut().zip(registers).for_each(|(register, left)| *register = left);
    }
}

/// An agent under way.
pub(crate) struct Run<'a, H: ?Sized, W> {
    pub(crate) parts: &'a Parts,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) world: &'a mut World,
    pub(crate) chunk: &'a mut Chunk,
    pub(crate) lane: u8,
    pub(crate) now: i64,
    pub(crate) host: &'a mut H,
    pub(crate) watch: &'a mut W,
    /// The number that goes with the exit for statuses outside the three.
    pub(crate) other: i32,
    /// The best score so far, and whose it is.
    pub(crate) best: (f64, u16),
    /// Number of times that loops have begun again in this tick.
    pub(crate) rounds: u32,
}

impl<'a, H: Host + ?Sized, W: Mode> Run<'a, H, W> {
    /// Runs a block to its end.
    pub(crate) fn block(&mut self, block: u32) -> u8 {
        let at = self.code().blocks[block as usize];
        self.from(at)
    }

    /// Runs a block of writes in the middle of another. Such a block calls no other (rule V0240),
    /// so the calls under way wait until it has ended.
    pub(crate) fn clean_up(&mut self, block: u16) {
        let at = self.code().blocks[usize::from(block)];
        let calls = core::mem::take(&mut self.scratch.calls);
        self.resume(at);
        self.scratch.calls = calls;
    }

    /// Runs from a step of a block on, in the middle of a tick. Returns the exit. This is rare, so
    /// all callers share one copy of the loop.
    #[inline(never)]
    pub(crate) fn resume(&mut self, at: u32) -> u8 {
        self.through(at).0
    }

    pub(super) fn code(&self) -> &'a Code {
        if W::ON { &self.parts.plain } else { &self.parts.fused }
    }

    /// Runs from a step of a block on that nobody called. The exit.
    #[inline(never)]
    pub(crate) fn from(&mut self, at: u32) -> u8 {
        if !self.scratch.flags.is_empty() {
            self.scratch.flags.fill(false);
        }
        self.rounds = 0;
        self.scratch.calls.clear();
        self.scratch.runs.list.clear();
        self.through(at).0
    }

    /// Does a step that is not left like others. Returns the next step, or the
    /// exit by which the tick is over.
    #[inline(always)]
    pub(super) fn control(&mut self, code: &Code, at: u32, control: &Control) -> Result<u32, u8> {
        let (holds, target) = match *control {
            Control::Again { register, head, target } => {
                let register = &mut self.scratch.registers[usize::from(register)];
                let spent = *register == 0;
                *register = register.saturating_sub(1);
                self.rounds += u32::from(!spent);
                if W::ON {
                    self.watch.left(at, spent.into());
                }
                return Ok(if spent { target } else { code.heads[head as usize] });
            }
            Control::Ran { rule, target } => {
                if self.has_run(rule) {
                    return Err(self.run_away());
                }
                (self.has_left(rule), target)
            }
            Control::Move { from, to, target } => {
                if self.send(from, to) {
                    return Err(self.run_away());
                }
                (true, target)
            }
            Control::Fault => {
                self.scratch.forget_calls();
                if W::ON {
                    self.watch.left(at, 0);
                }
                return Err(SPENT);
            }
            Control::Cond { condition, target } => (!self.truth(condition), target),
            Control::Call { block, .. } => {
                self.scratch.calls.push(at);
                return Ok(code.blocks[usize::from(block)]);
            }
        };
        Ok(self.branch(at, holds, target))
    }

    /// Does a step with four exits. Returns the exit by which control goes on.
    #[inline(never)]
    pub(super) fn way_out(&mut self, ask: &Ask) -> u8 {
        match *ask {
            Ask::Act { column, site, node } => self.act(column.get(), site, node),
            Ask::ActExclusive { column, site, node } => self.act_exclusive(column.get(), site, node),
            Ask::ActRule { site, rule } => self.act_rule(site, rule),
            Ask::Open { site, node } => {
                let status = self.act_of(site, node, true);
                self.exit_of(status)
            }
            Ask::Perform { fresh, site, node } => {
                let status = self.act_of(site, node, fresh);
                self.exit_of(status)
            }
            Ask::Join { parallel } => self.join(parallel),
        }
    }

    /// Returns true if control goes on at the target.
    #[inline(never)]
    pub(super) fn branches(&mut self, branch: &Branch) -> bool {
        let lane = self.lane;
        match *branch {
            Branch::IfMember { column, stride, node } => {
                is_member(self.chunk.set(column.get(), stride, lane), node)
            }
            Branch::JumpFlag { flag } => self.scratch.flags[usize::from(flag)],
            Branch::Down { column } => down(self.chunk.half_mut(column.get(), lane)),
            Branch::Ended { column } => self.chunk.half(column.get(), lane) >= branch::FAILED,
            Branch::Pick { choice } => self.best.1 != choice,
            Branch::Ask { limiter } => !self.admitted(limiter),
            Branch::Known { site } => !self.is_known(site),
            Branch::Once => self.first_time(),
            Branch::Inside { column, low, high } => {
                !(low..=high).contains(&self.chunk.half(column.get(), lane))
            }
            Branch::Enter { gate } => !self.enter(gate),
            Branch::JumpOther { status } => self.other == status.get(),
        }
    }

    /// Does a step that always goes on at its target.
    #[inline(never)]
    pub(super) fn effect(&mut self, effect: &StepEffect) {
        let lane = self.lane;
        match *effect {
            StepEffect::Leave { column, node } => {
                let slot = self.chunk.half_mut(column.get(), lane);
                if *slot == node {
                    *slot = 0;
                }
            }
            StepEffect::Mark { wipe, column, stride, node } => {
                mark(self.chunk.set_mut(column.get(), stride, lane), node, wipe);
            }
            StepEffect::WipeIf { column, stride, node } => {
                wipe_if(self.chunk.set_mut(column.get(), stride, lane), node);
            }
            StepEffect::Other { status } => self.other = status.get(),
            StepEffect::Flag { flag, value } => self.scratch.flags[usize::from(flag)] = value,
            StepEffect::Fork { parallel } => {
                for column in &self.parts.parallels[usize::from(parallel)].branches {
                    *self.chunk.half_mut(*column, lane) = 0;
                }
            }
            StepEffect::Finish { column, success } => {
                let mark = if success { branch::SUCCEEDED } else { branch::FAILED };
                *self.chunk.half_mut(column.get(), lane) = mark;
            }
            StepEffect::Loop { register, times } => {
                let times = if times == 0 { self.scratch.runs.limit } else { times };
                self.scratch.registers[usize::from(register)] = times;
            }
            StepEffect::Rate { first, expression, choice } => self.rate(first, expression, choice),
            StepEffect::Select { column, site, node } => self.select(column.get(), site, node),
            StepEffect::Close { site, node } => self.tell(site, node, Halt::Ended),
            StepEffect::Stop { site, node } => self.tell(site, node, Halt::Interrupted),
            StepEffect::Exit { gate } => self.give_back(gate),
            StepEffect::Log { kind, text, node } => self.log(kind, text, node),
            StepEffect::Raise { scope, event } => self.world.raise(event, scope, self.chunk.group(lane)),
        }
    }

    /// Does a step that writes a variable.
    #[inline(never)]
    pub(super) fn write(&mut self, write: &Write) {
        let lane = self.lane;
        match *write {
            Write::Set { kind, expression, column } => {
                let bits = held(kind, self.entry(expression));
                let column = Column { kind, first: column.get(), stride: 1 };
                if W::ON && kind == Kind::U8 {
                    self.status_written(column, bits);
                }
                self.chunk.write(column, lane, bits);
            }
            Write::SetBit { condition, column } => {
                let value = self.truth(condition);
                self.chunk.set_bit(column.get(), lane, value);
            }
            Write::Share { how, expression, shared } => {
                let value = self.entry(expression);
                self.share(shared, how, value);
            }
            Write::ShareBit { condition, shared } => {
                let value = self.truth(condition);
                self.share(shared, how::ASSIGN, f64::from(value).to_bits());
            }
            Write::SetVariable { condition, column } => {
                let value = self.truth(condition);
                let column = Column { kind: Kind::Bit, first: column.get(), stride: 1 };
                self.chunk.assign(&self.parts.frame, column, lane, value.into());
            }
            Write::Capture { before, live } => {
                let changed = self.chunk.bit(live.get(), lane);
                self.chunk.set_bit(before.get(), lane, changed);
                self.chunk.set_bit(live.get(), lane, false);
            }
            Write::Start { expression, column } => {
                let length = self.number(expression) as i64;
                *self.chunk.moment_mut(column.get(), lane) = self.now.saturating_add(length);
            }
            Write::Timer { expression, column } => {
                let length = self.number(expression) as i32;
                self.chunk.arm(column.get(), lane, length.max(0));
            }
            Write::Note { on, column } => {
                let moment = self.chunk.moment_mut(column.get(), lane);
                *moment = noted(*moment, self.now, on);
            }
            Write::Zero { column, stride } => {
                let column = Column { kind: Kind::Data, first: column.get(), stride };
                self.chunk.data_mut(column, lane).fill(0);
            }
        }
    }

    /// Tells the watcher that a node has another status, if the column holds the status of one.
    fn status_written(&mut self, column: Column, bits: u64) {
        let nodes = self.parts.held.len() - 1;
        let before = self.chunk.read(column, self.lane);
        if before != bits
            && let Some(node) = self.parts.frame.node_of_status(column.first, nodes)
        {
            self.watch.changed(node.into(), before as u8, bits as u8);
        }
    }

    pub(crate) fn log(&mut self, kind: u8, text: u16, node: u16) {
        let kind = match kind {
            log_kind::MESSAGE => LogKind::Message,
            log_kind::START => LogKind::Start,
            log_kind::SUCCESS => LogKind::Success,
            _ => LogKind::Failure,
        };
        let text = self.world.texts.get(text.into());
        self.host.log(self.chunk.agent(self.lane), node.into(), kind, text);
        if W::ON {
            self.watch.logged(node.into(), kind, text);
        }
    }

    fn share(&mut self, shared: u16, how: u8, value: u64) {
        let agent = self.chunk.agent(self.lane).index() as u32;
        self.world.write(shared, self.chunk.group(self.lane), agent, how, value);
    }

    /// Returns true if a limiter lets the agent in. Otherwise the agent's wish is noted.
    fn admitted(&mut self, limiter: u16) -> bool {
        let Limiter { wants, granted, .. } = self.parts.limiters[usize::from(limiter)];
        let admitted = self.chunk.bit(granted, self.lane) || planted::is(Bug::OpenLimit);
        if !admitted {
            self.chunk.set_bit(wants, self.lane, true);
        }
        admitted
    }

    /// NaN counts lowest.
    fn rate(&mut self, first: bool, expression: u16, choice: u16) {
        let score = self.number(expression);
        let (best, _) = self.best;
        let tied = planted::is(Bug::TiedScores) && score == best;
        if first || score > best || tied || best.is_nan() && !score.is_nan() {
            self.best = (score, choice);
        }
    }
}
