//! The scalar engine: one agent, one step after the other.
//!
//! A plain loop over a match. Every rule it leans on has been proven by the verifier, so there is no path for errors:
//! an index that the verifier proves in range is used as it is, and would panic, not read elsewhere, if it were not.
//!
//! The same loop runs both programs of a [`Parts`]: the fused one, and, when somebody watches, the plain one.

use super::runs::Runs;
use super::walk::{End, down, walk};
use super::{Sight, Watch};
use crate::code::step::Step;
use crate::code::steps::Code;
use crate::engine::parts::{Limiter, Parts};
use crate::host::{Halt, Host, LogKind};
use crate::layout::Column;
use crate::store::chunk::clock::noted;
use crate::store::chunk::{Chunk, SPENT};
use crate::store::world::World;
use crate::values::{Fault, Kind, Outcome, Status, stored};
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use pleach_image::format::{StrRef, ValueRow, branch, how, log_kind};
use pleach_image::isa::{FAILURE, RUNNING, SUCCESS};

/// Scratch memory of a tick, sized once for a program.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    pub(crate) stack: Box<[f64]>,
    calls: Vec<u32>,
    flags: Box<[bool]>,
    /// The rules that have run in this tick.
    pub(crate) runs: Runs,
    /// How often loops may still begin again.
    registers: Box<[u16]>,
    /// The arguments of a call that has variables among them.
    pub(crate) values: Vec<ValueRow>,
    pub(crate) work: super::lists::Work,
}

impl Scratch {
    pub(crate) fn new(parts: &Parts) -> Self {
        Self {
            stack: vec![0.0; parts.stack_depth].into(),
            calls: Vec::with_capacity(parts.call_depth),
            flags: vec![false; parts.flags].into(),
            runs: Runs::new(parts.frame.rules.as_ref().map_or(0, |rules| rules.limit)),
            registers: vec![0; parts.plain.registers()].into(),
            values: Vec::with_capacity(parts.most_values),
            work: super::lists::Work::of(parts),
        }
    }
}

impl Scratch {
    /// The tick ends inside all blocks.
    pub(crate) fn forget_calls(&mut self) {
        self.calls.clear();
    }

    /// A tick is taken up outside all blocks, in which these rules have run and loops may still begin again so often.
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
    /// How often loops have begun again.
    pub(crate) rounds: u32,
}

impl<H: Host + ?Sized, W: Watch> Run<'_, H, W> {
    /// Runs a block to its end.
    pub(crate) fn block(&mut self, block: u32) -> u8 {
        let at = self.code().blocks[block as usize];
        self.from(at)
    }

    fn code(&self) -> &Code {
        if W::ON { &self.parts.plain } else { &self.parts.fused }
    }

    /// Runs from a step of a block on that nobody called. The exit.
    #[inline]
    pub(crate) fn from(&mut self, at: u32) -> u8 {
        if !self.scratch.flags.is_empty() {
            self.scratch.flags.fill(false);
            // Loops that begin again within a tick have flags.
            self.rounds = 0;
        }
        self.scratch.calls.clear();
        self.scratch.runs.clear();
        self.through(at)
    }

    /// Runs from a step on to the end of the tick.
    #[inline]
    pub(crate) fn through(&mut self, at: u32) -> u8 {
        let mut at = at;
        loop {
            let exit = self.steps(at);
            let Some(call) = self.scratch.calls.pop() else { return exit };
            let Step::Call { exits, .. } = self.code().steps[call as usize] else { return exit };
            at = self.leave(call, exits, exit);
        }
    }

    /// The outcome that an exit stands for.
    pub(crate) fn outcome(&self, exit: u8) -> Outcome {
        Outcome::Status(match exit {
            FAILURE => Status::Failure,
            SUCCESS => Status::Success,
            RUNNING => Status::Running,
            SPENT => return Outcome::Fault(Fault::Fuel),
            _ => Status::Other(self.other),
        })
    }

    /// Runs from a step on to the end of its block.
    #[inline]
    fn steps(&mut self, first: u32) -> u8 {
        let code = if W::ON { &self.parts.plain } else { &self.parts.fused };
        let mut first = first;
        loop {
            let at = match walk(self.parts, self.chunk, self.lane, first, self.watch) {
                End::Exit(exit) => return exit,
                End::At(at) => at,
            };
            // Goes on at the target if the test holds, else at the next step.
            macro_rules! branch {
                ($holds:expr, $target:expr) => {{
                    let holds = $holds;
                    if W::ON {
                        self.sight(at);
                        self.watch.left(at, holds.into());
                    }
                    if holds { $target } else { at + 1 }
                }};
            }
            first = match &code.steps[at as usize] {
                Step::Cond { condition, target } => branch!(!self.truth(*condition), *target),
                Step::Query { site, relation, target, with } => {
                    branch!(relation.holds(self.query(*site), *with), *target)
                }
                Step::Value { is, first, end, target } => {
                    branch!((self.value(*first, *end) != 0.0) == *is, *target)
                }
                Step::Act { column, site, node, exits } => {
                    let exit = self.act(*column, *site, *node);
                    self.leave(at, *exits, exit)
                }
                Step::ActExclusive { column, site, node, exits } => {
                    let exit = self.act_exclusive(*column, *site, *node);
                    self.leave(at, *exits, exit)
                }
                Step::Join { parallel, exits } => {
                    let exit = self.join(*parallel);
                    self.leave(at, *exits, exit)
                }
                Step::Again { register, head, target } => {
                    let register = &mut self.scratch.registers[usize::from(*register)];
                    let spent = *register == 0;
                    *register = register.saturating_sub(1);
                    self.rounds += u32::from(!spent);
                    if W::ON {
                        self.watch.left(at, spent.into());
                    }
                    if spent { *target } else { code.heads[*head as usize] }
                }
                Step::ActRule { site, rule, exits } => {
                    let exit = self.act_rule(*site, *rule);
                    self.leave(at, *exits, exit)
                }
                Step::Ran { rule, target } => {
                    if self.has_run(*rule) {
                        return self.run_away();
                    }
                    branch!(self.has_left(*rule), *target)
                }
                Step::Move { from, to, target } => {
                    if self.send(*from, *to) {
                        return self.run_away();
                    }
                    branch!(true, *target)
                }
                Step::Fault => {
                    self.scratch.forget_calls();
                    return SPENT;
                }
                Step::Call { block, .. } => {
                    self.scratch.calls.push(at);
                    code.blocks[usize::from(*block)]
                }
                // Halts what is in the way. The step itself has its turn again.
                Step::Park { column, node, .. }
                | Step::Rest { column, node }
                | Step::RestTicks { column, node, .. }
                | Step::RestTime { column, node, .. } => {
                    self.displace(*column, *node);
                    at
                }
                Step::Halt { column, low, .. } => {
                    self.halt_from(*column, *low);
                    at
                }
                Step::Open { site, node, exits } => {
                    let exit = self.ask_wrapper(*site, *node);
                    self.leave(at, *exits, exit)
                }
                step => {
                    let (holds, target) = self.seldom(*step);
                    branch!(holds, target)
                }
            };
        }
    }

    /// Shows who watches what a step can look at.
    fn sight(&mut self, at: u32) {
        let Self { parts, chunk, lane, world, watch, .. } = self;
        let sight = Sight { frame: &parts.frame, chunk, lane: *lane, world: Some(world) };
        watch.looked(at, &sight);
    }

    /// The next step by one of four ways out.
    #[inline]
    fn leave(&mut self, at: u32, exits: u32, exit: u8) -> u32 {
        if W::ON {
            self.watch.left(at, exit.into());
        }
        self.code().exits[exits as usize][usize::from(exit & 3)]
    }

    /// Steps that are rarer: whether control goes on at the target, and the target.
    #[inline(never)]
    fn seldom(&mut self, step: Step) -> (bool, u32) {
        match step {
            Step::IfMember { column, stride, node, target } => {
                return (is_member(self.chunk.set(column, stride, self.lane), node), target);
            }
            Step::JumpFlag { flag, target } => return (self.scratch.flags[usize::from(flag)], target),
            Step::Down { column, target } => return (down(self.chunk.half_mut(column, self.lane)), target),
            Step::Ended { column, target } => {
                return (self.chunk.half(column, self.lane) >= branch::FAILED, target);
            }
            Step::Known { site, target } => return (!self.is_known(site), target),
            Step::Once { target } => return (self.first_time(), target),
            Step::Pick { choice, target } => return (self.best.1 != choice, target),
            Step::Ask { limiter, target } => return (!self.admitted(limiter), target),
            Step::Enter { gate, target } => return (!self.enter(gate), target),
            Step::Inside { column, low, high, target } => {
                return (!(low..=high).contains(&self.chunk.half(column, self.lane)), target);
            }
            _ => {}
        }
        (true, self.effect(step))
    }

    /// A step that does something and always goes on at its target, which is the result.
    fn effect(&mut self, mut step: Step) -> u32 {
        let lane = self.lane;
        match step {
            Step::Leave { column, node, .. } => {
                let slot = self.chunk.half_mut(column, lane);
                if *slot == node {
                    *slot = 0;
                }
            }
            Step::Mark { wipe, column, stride, node, .. } => {
                mark(self.chunk.set_mut(column, stride, lane), node, wipe);
            }
            Step::WipeIf { column, stride, node, .. } => {
                let set = self.chunk.set_mut(column, stride, lane);
                if is_member(set, node) {
                    set[0] = 0;
                }
            }
            Step::Other { status, .. } => self.other = status,
            Step::Flag { flag, value, .. } => self.scratch.flags[usize::from(flag)] = value,
            Step::Fork { parallel, .. } => {
                for column in &self.parts.parallels[usize::from(parallel)].branches {
                    *self.chunk.half_mut(*column, lane) = 0;
                }
            }
            Step::Finish { column, success, .. } => {
                let mark = if success { branch::SUCCEEDED } else { branch::FAILED };
                *self.chunk.half_mut(column, lane) = mark;
            }
            Step::Loop { register, times, .. } => {
                let times = if times == 0 { self.scratch.runs.limit() } else { times };
                self.scratch.registers[usize::from(register)] = times;
            }
            Step::Rate { first, expression, choice, .. } => self.rate(first, expression, choice),
            _ => self.write(step),
        }
        step.target_mut().map_or(0, |target| *target)
    }

    /// A step that writes a variable, raises an event or lets the host know of something.
    fn write(&mut self, step: Step) {
        let lane = self.lane;
        match step {
            Step::Set { kind, expression, column, .. } => {
                let bits = stored(kind, self.number(expression));
                self.chunk.write(Column { kind, first: column, stride: 1 }, lane, bits);
            }
            Step::SetBit { condition, column, .. } => {
                let value = self.truth(condition);
                self.chunk.set_bit(column, lane, value);
            }
            Step::Share { how, expression, shared, .. } => {
                let value = self.number(expression);
                self.share(shared, how, value);
            }
            Step::ShareBit { condition, shared, .. } => {
                let value = self.truth(condition);
                self.share(shared, how::ASSIGN, value.into());
            }
            Step::SetVariable { condition, column, .. } => {
                let value = self.truth(condition);
                let column = Column { kind: Kind::Bit, first: column, stride: 1 };
                self.chunk.assign(&self.parts.frame, column, lane, value.into());
            }
            Step::Capture { before, live, .. } => {
                let changed = self.chunk.bit(live, lane);
                self.chunk.set_bit(before, lane, changed);
                self.chunk.set_bit(live, lane, false);
            }
            Step::Start { expression, column, .. } => {
                let length = self.number(expression) as i64;
                *self.chunk.moment_mut(column, lane) = self.now.saturating_add(length);
            }
            Step::Note { on, column, .. } => {
                let moment = self.chunk.moment_mut(column, lane);
                *moment = noted(*moment, self.now, on);
            }
            Step::Select { column, site, node, .. } => self.select(column, site, node),
            Step::Close { site, node, .. } => self.tell(site, node, Halt::Ended),
            Step::Exit { gate, .. } => self.give_back(gate),
            Step::Zero { column, stride, .. } => {
                self.chunk.data_mut(Column { kind: Kind::Data, first: column, stride }, lane).fill(0);
            }
            Step::Log { kind, text, node, .. } => self.log(kind, text, node),
            Step::Raise { scope, event, .. } => self.world.raise(event, scope, self.chunk.group(lane)),
            // All others have arms elsewhere.
            _ => {}
        }
    }

    pub(crate) fn log(&mut self, kind: u8, text: u16, node: u16) {
        let kind = match kind {
            log_kind::MESSAGE => LogKind::Message,
            log_kind::START => LogKind::Start,
            log_kind::SUCCESS => LogKind::Success,
            _ => LogKind::Failure,
        };
        let StrRef { start, len } = self.parts.texts[usize::from(text)];
        let text = &self.parts.strings[start as usize..][..len as usize];
        self.host.log(self.chunk.agent(self.lane), node.into(), kind, text);
        if W::ON {
            self.watch.logged(node.into(), kind, text);
        }
    }

    fn share(&mut self, shared: u16, how: u8, value: f64) {
        let agent = self.chunk.agent(self.lane).index() as u32;
        self.world.write(shared, self.chunk.group(self.lane), agent, how, value);
    }

    /// Whether a limiter lets the agent in; else it is noted that it wants to.
    fn admitted(&mut self, limiter: u16) -> bool {
        let Limiter { wants, granted, .. } = self.parts.limiters[usize::from(limiter)];
        let admitted = self.chunk.bit(granted, self.lane);
        if !admitted {
            self.chunk.set_bit(wants, self.lane, true);
        }
        admitted
    }

    /// NaN counts lowest.
    fn rate(&mut self, first: bool, expression: u16, choice: u16) {
        let score = self.number(expression);
        let (best, _) = self.best;
        if first || score > best || best.is_nan() && !score.is_nan() {
            self.best = (score, choice);
        }
    }
}

#[inline]
pub(super) fn is_member(set: &[u16], node: u16) -> bool {
    set[1..=usize::from(set[0])].contains(&node)
}

/// Puts a node at the end of a set, which may be emptied first, unless it is in it or the set is full.
pub(super) fn mark(set: &mut [u16], node: u16, wipe: bool) {
    if wipe {
        set[0] = 0;
    }
    let count = usize::from(set[0]);
    if count + 1 < set.len() && !set[1..=count].contains(&node) {
        set[count + 1] = node;
        set[0] += 1;
    }
}
