//! The scalar engine: one agent, one step after the other.
//!
//! A plain loop over a match. Every rule it leans on has been proven by the verifier, so there is no path for errors:
//! an index that the verifier proves in range is used as it is, and would panic, not read elsewhere, if it were not.
//!
//! The same loop runs both programs of a [`Parts`]: the fused one, and, when somebody watches, the plain one.

use super::Watch;
use super::calc::stored;
use super::lists::until;
use super::relation::Relation;
use super::step::{Code, NONE, Step};
use crate::chunk::Chunk;
use crate::frame::Column;
use crate::host::{Halt, Host};
use crate::program::{Limiter, Parts};
use crate::status::Status;
use crate::world::World;
use pleach_image::format::{ValueRow, branch, how};
use pleach_image::isa::{FAILURE, RUNNING, SUCCESS};

/// Scratch memory of a tick, sized once for a program.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    pub(crate) stack: Box<[f64]>,
    calls: Vec<u32>,
    flags: Box<[bool]>,
    /// The arguments of a call that has variables among them.
    pub(crate) values: Vec<ValueRow>,
    pub(crate) work: super::sweep::Work,
}

impl Scratch {
    pub(crate) fn new(parts: &Parts) -> Self {
        Self {
            stack: vec![0.0; parts.stack_depth].into(),
            calls: Vec::with_capacity(parts.call_depth),
            flags: vec![false; parts.flags].into(),
            values: Vec::with_capacity(parts.most_values),
            work: super::sweep::Work::of(parts),
        }
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
        }
        self.scratch.calls.clear();
        let mut at = at;
        loop {
            let exit = self.steps(at);
            let Some(call) = self.scratch.calls.pop() else { return exit };
            let Step::Call { exits, .. } = self.code().steps[call as usize] else { return exit };
            at = self.leave(call as usize, exits, exit);
        }
    }

    /// The outcome that an exit stands for.
    pub(crate) fn status(&self, exit: u8) -> Status {
        match exit {
            FAILURE => Status::Failure,
            SUCCESS => Status::Success,
            RUNNING => Status::Running,
            _ => Status::Other(self.other),
        }
    }

    /// Runs from a step on to the end of its block.
    #[inline]
    fn steps(&mut self, first: u32) -> u8 {
        let parts = self.parts;
        let code = if W::ON { &parts.plain } else { &parts.fused };
        let steps = &code.steps[..];
        let lane = self.lane;
        let mut at = first as usize;
        // Goes on at the target if the test holds, else at the next step.
        macro_rules! branch {
            ($holds:expr, $target:expr) => {{
                let holds = $holds;
                if W::ON {
                    self.watch.left(at as u32, holds.into());
                }
                at = if holds { $target as usize } else { at + 1 };
            }};
        }
        macro_rules! float {
            ($test:expr, $relation:ident) => {{
                let number = f32::from_bits(self.chunk.word($test.column, lane));
                branch!(Relation::$relation.holds(number, $test.with), $test.target);
            }};
        }
        macro_rules! int {
            ($test:expr, |$x:ident, $c:ident| $holds:expr) => {{
                let ($x, $c) = (self.chunk.word($test.column, lane) as i32, $test.with);
                branch!($holds, $test.target);
            }};
        }
        loop {
            match &steps[at] {
                Step::Jump { target } => branch!(true, *target),
                Step::Return { exit } => return *exit,
                Step::Cond { condition, target } => branch!(!self.truth(*condition), *target),
                Step::Bit { column, is, target } => branch!(self.chunk.bit(*column, lane) == *is, *target),
                Step::FloatLt(test) => float!(test, Lt),
                Step::FloatLe(test) => float!(test, Le),
                Step::FloatGt(test) => float!(test, Gt),
                Step::FloatGe(test) => float!(test, Ge),
                Step::FloatEq(test) => float!(test, Eq),
                Step::FloatNe(test) => float!(test, Ne),
                Step::FloatNotLt(test) => float!(test, NotLt),
                Step::FloatNotLe(test) => float!(test, NotLe),
                Step::FloatNotGt(test) => float!(test, NotGt),
                Step::FloatNotGe(test) => float!(test, NotGe),
                Step::IntLt(test) => int!(test, |x, c| x < c),
                Step::IntGe(test) => int!(test, |x, c| x >= c),
                Step::IntEq(test) => int!(test, |x, c| x == c),
                Step::IntNe(test) => int!(test, |x, c| x != c),
                Step::I8(test) => {
                    let byte = self.chunk.bytes[test.column as usize + usize::from(lane)];
                    branch!(test.with.holds(i16::from(byte as i8) as u16), test.target);
                }
                Step::U8(test) => {
                    let byte = self.chunk.bytes[test.column as usize + usize::from(lane)];
                    branch!(test.with.holds(byte.into()), test.target);
                }
                Step::Half(test) => {
                    branch!(test.with.holds(self.chunk.half(test.column, lane)), test.target)
                }
                Step::Floats { left, right, relation, target } => {
                    let number = |column: u32| f32::from_bits(self.chunk.word(column, lane));
                    branch!(relation.holds(number(*left), number(*right)), *target);
                }
                Step::Ints { left, right, relation, target } => {
                    let number = |column: u32| self.chunk.word(column, lane) as i32;
                    branch!(relation.holds(number(*left), number(*right)), *target);
                }
                Step::Query { site, relation, target, with } => {
                    branch!(relation.holds(self.query(*site), *with), *target);
                }
                Step::Value { is, first, end, target } => {
                    branch!((self.value(*first, *end) != 0.0) == *is, *target);
                }
                Step::Ladder { ladder } => {
                    at = code.ladders[*ladder as usize].find(&self.chunk.words, lane) as usize;
                }
                Step::SetWord { column, value, target } => {
                    *self.chunk.word_mut(*column, lane) = *value;
                    at = *target as usize;
                }
                Step::SetTruth { column, value, target } => {
                    self.chunk.set_bit(*column, lane, *value);
                    at = *target as usize;
                }
                Step::Rest { column, node } => {
                    self.displace(*column, *node);
                    return RUNNING;
                }
                Step::RestTicks { timer, count, column, node } => {
                    *self.chunk.half_mut(*timer, lane) = *count;
                    self.displace(*column, *node);
                    return RUNNING;
                }
                Step::RestTime { timer, duration, column, node } => {
                    self.arm(*timer, *duration);
                    self.displace(*column, *node);
                    return RUNNING;
                }
                Step::Tick { timer, column, target } => {
                    if self.down(*timer) {
                        return RUNNING;
                    }
                    *self.chunk.half_mut(*column, lane) = 0;
                    at = *target as usize;
                }
                Step::Until { timer, column, target } => {
                    if self.now < i64::from(self.chunk.word(*timer, lane) as i32) {
                        return RUNNING;
                    }
                    *self.chunk.half_mut(*column, lane) = 0;
                    at = *target as usize;
                }
                Step::Switch { column, table } => {
                    let node = self.chunk.half(*column, lane);
                    let target = code.tables[*table as usize].find(node);
                    branch!(target != NONE, target);
                }
                Step::Clear { column, target } => {
                    *self.chunk.half_mut(*column, lane) = 0;
                    branch!(true, *target);
                }
                Step::Due { column, reached, target } => {
                    let slot = i64::from(self.chunk.word(*column, lane) as i32);
                    branch!(self.now < slot || self.now == slot && !reached, *target);
                }
                Step::Arm { column, duration, target } => {
                    self.arm(*column, *duration);
                    if W::ON {
                        self.watch.left(at as u32, 0);
                    }
                    at = *target as usize;
                }
                Step::Act { column, site, node, exits } => {
                    let exit = self.act(*column, *site, *node);
                    at = self.leave(at, *exits, exit) as usize;
                }
                Step::ActExclusive { column, site, node, exits } => {
                    let exit = self.act_exclusive(*column, *site, *node);
                    at = self.leave(at, *exits, exit) as usize;
                }
                Step::Join { parallel, exits } => {
                    let exit = self.join(*parallel);
                    at = self.leave(at, *exits, exit) as usize;
                }
                Step::Call { block, .. } => {
                    self.scratch.calls.push(at as u32);
                    at = code.blocks[usize::from(*block)] as usize;
                }
                step @ (Step::Leave { .. }
                | Step::Mark { .. }
                | Step::WipeIf { .. }
                | Step::IfMember { .. }
                | Step::Other { .. }
                | Step::Flag { .. }
                | Step::JumpFlag { .. }
                | Step::Park { .. }
                | Step::Halt { .. }
                | Step::Set { .. }
                | Step::SetBit { .. }
                | Step::Share { .. }
                | Step::ShareBit { .. }
                | Step::Ticks { .. }
                | Step::Down { .. }
                | Step::Fork { .. }
                | Step::Ended { .. }
                | Step::Finish { .. }
                | Step::Rate { .. }
                | Step::Pick { .. }
                | Step::Ask { .. }
                | Step::Raise { .. }
                | Step::SetByte { .. }
                | Step::SetHalf { .. }) => {
                    let (holds, target) = self.seldom(*step);
                    branch!(holds, target);
                }
            }
        }
    }

    /// The next step by one of four ways out.
    #[inline]
    fn leave(&mut self, at: usize, exits: u32, exit: u8) -> u32 {
        if W::ON {
            self.watch.left(at as u32, exit.into());
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
            Step::Down { column, target } => return (self.down(column), target),
            Step::Ended { column, target } => {
                return (self.chunk.half(column, self.lane) >= branch::FAILED, target);
            }
            Step::Pick { choice, target } => return (self.best.1 != choice, target),
            Step::Ask { limiter, target } => return (!self.admitted(limiter), target),
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
            Step::Park { column, node, .. } => {
                self.displace(column, node);
            }
            Step::Halt { column, low, high, .. } => {
                let node = self.chunk.half(column, lane);
                if (low..=high).contains(&node) {
                    *self.chunk.half_mut(column, lane) = 0;
                    self.stop(node, Halt::Interrupted);
                }
            }
            Step::Ticks { column, count, .. } => *self.chunk.half_mut(column, lane) = count,
            Step::Fork { parallel, .. } => {
                for column in &self.parts.parallels[usize::from(parallel)].branches {
                    *self.chunk.half_mut(*column, lane) = 0;
                }
            }
            Step::Finish { column, success, .. } => {
                let mark = if success { branch::SUCCEEDED } else { branch::FAILED };
                *self.chunk.half_mut(column, lane) = mark;
            }
            Step::Rate { first, expression, choice, .. } => self.rate(first, expression, choice),
            _ => self.write(step),
        }
        step.target_mut().map_or(0, |target| *target)
    }

    /// A step that writes a variable or raises an event.
    fn write(&mut self, step: Step) {
        let lane = self.lane;
        match step {
            Step::SetByte { column, value, .. } => {
                self.chunk.bytes[column as usize + usize::from(lane)] = value;
            }
            Step::SetHalf { column, value, .. } => *self.chunk.half_mut(column, lane) = value,
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
            Step::Raise { scope, event, .. } => self.world.raise(event, scope, self.chunk.group(lane)),
            // All others have arms elsewhere.
            _ => {}
        }
    }

    fn share(&mut self, shared: u16, how: u8, value: f64) {
        let agent = self.chunk.agent(self.lane).index() as u32;
        self.world.write(shared, self.chunk.group(self.lane), agent, how, value);
    }

    #[inline]
    fn arm(&mut self, column: u32, duration: i32) {
        *self.chunk.word_mut(column, self.lane) = until(self.now, duration) as u32;
    }

    /// Counts down; whether something is left.
    #[inline]
    fn down(&mut self, column: u32) -> bool {
        let counter = self.chunk.half_mut(column, self.lane);
        *counter = counter.saturating_sub(1);
        *counter != 0
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
fn is_member(set: &[u16], node: u16) -> bool {
    set[1..=usize::from(set[0])].contains(&node)
}

/// Puts a node at the end of a set, which may be emptied first, unless it is in it or the set is full.
fn mark(set: &mut [u16], node: u16, wipe: bool) {
    if wipe {
        set[0] = 0;
    }
    let count = usize::from(set[0]);
    if count + 1 < set.len() && !set[1..=count].contains(&node) {
        set[count + 1] = node;
        set[0] += 1;
    }
}
