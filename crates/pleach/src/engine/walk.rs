//! The loop of the scalar engine: the steps of one agent, one after the other.
//!
//! One jump finds what a step does. What real trees do often stands in the loop itself;
//! what they do seldom is called.
//!
//! Many ticks of trees that read variables need no host. So the loop is compiled a second time
//! without all that does: for [`Hostless`](super::watch::Hostless), a tick ends before such a
//! step, and is taken up there.

use super::WatchContext;
use super::scalar::Run;
use super::watch::Mode;
use crate::code::{Ask, Code, Control, Held, NONE, Step, classed};
use crate::engine::parts::Parts;
use crate::host::{Halt, Host};
use crate::planted::{self, Bug};
use crate::store::chunk::clock::down;
use core::ops::RangeInclusive;
use pleach_image::isa::RUNNING;

/// Stands for no exit: the step at which a tick without host ends has not been run.
pub(crate) const UNASKED: u8 = u8::MAX;

impl<H: Host + ?Sized, W: Mode> Run<'_, H, W> {
    /// Runs from a step on to the end of the tick. Returns the exit, and the last step.
    ///
    /// This is the table of all steps, which are in one match, so that one jump finds what is to be
    /// done. So the function is longer than others.
    #[inline(always)]
    pub(crate) fn through(&mut self, mut at: u32) -> (u8, u32) {
        let (code, lane) = (self.code(), self.lane);
        let steps = &code.steps[..];
        loop {
            macro_rules! go_on {
                ($next:expr) => {
                    match $next {
                        Ok(next) => {
                            at = next;
                            continue;
                        }
                        Err(exit) => return (exit, at),
                    }
                };
            }
            macro_rules! rest {
                ($column:expr, $node:expr) => {{
                    if self.park($column, $node) {
                        return (UNASKED, at);
                    }
                    go_on!(self.returned(code, RUNNING))
                }};
            }
            macro_rules! wait {
                ($waits:expr, $column:expr) => {
                    if $waits {
                        go_on!(self.returned(code, RUNNING))
                    }
                    *self.chunk.half_mut($column, lane) = 0;
                };
            }
            let (holds, target) = match steps[at as usize] {
                Step::Query { .. } | Step::Value { .. } | classed!() if W::HOSTLESS => return (UNASKED, at),
                Step::Jump { target } => (true, target),
                Step::Return { exit } => go_on!(self.returned(code, exit)),
                Step::Bit { column, is, target } => (self.chunk.bit(column, lane) == is, target),
                Step::Query { site, relation, with, target } => {
                    (relation.holds(self.query(site), with), target)
                }
                Step::Ask { ask: Ask::Act { column, site, node }, exits } => {
                    let exit = self.act(column.get(), site, node);
                    go_on!(Ok(self.leave(code, at, exits, exit)));
                }
                Step::Ask { ref ask, exits } => {
                    let exit = self.way_out(ask);
                    go_on!(Ok(self.leave(code, at, exits, exit)));
                }
                Step::Due { column, reached, target } => {
                    (self.chunk.is_before(column, lane, reached), target)
                }
                Step::Switch { column, table } => {
                    let target = code.tables[table as usize].find(self.chunk.half(column, lane));
                    (target != NONE, target)
                }
                Step::Float { column, relation, with, target } => {
                    (relation.holds(self.float(column), with), target)
                }
                Step::Int { column, relation, with, target } => {
                    (relation.holds(self.int(column), with), target)
                }
                Step::I8 { column, span, target } => {
                    (span.holds(i16::from(self.byte(column) as i8) as u16), target)
                }
                Step::U8 { column, span, target } => (span.holds(self.byte(column).into()), target),
                Step::Half { column, span, target } => (span.holds(self.chunk.half(column, lane)), target),
                Step::Floats { left, right, relation, target } => {
                    (relation.holds(self.float(left), self.float(right)), target)
                }
                Step::Ints { left, right, relation, target } => {
                    (relation.holds(self.int(left), self.int(right)), target)
                }
                Step::Cases { column, exits } => {
                    let case = usize::from(self.byte(column).min(3));
                    (true, code.exits[exits as usize][case])
                }
                Step::Ladder { ladder } => {
                    (true, code.ladders[ladder as usize].find(&self.chunk.words, lane))
                }
                Step::Value { is, first, end, target } => {
                    ((f64::from_bits(self.value(first, end)) != 0.0) == is, target)
                }
                Step::PutBit { column, value, target } => {
                    self.chunk.set_bit(column, lane, value);
                    (true, target)
                }
                Step::PutByte { column, value, target } => {
                    self.chunk.bytes[column as usize + usize::from(lane)] = value;
                    (true, target)
                }
                Step::PutHalf { column, value, target } => {
                    *self.chunk.half_mut(column, lane) = value;
                    (true, target)
                }
                Step::PutWord { column, value, target } => {
                    *self.chunk.word_mut(column, lane) = value;
                    (true, target)
                }
                Step::Arm { column, duration, target } => {
                    self.chunk.arm(column, lane, duration);
                    // Its target is the next step where somebody watches, and its
                    // word has no way out but that.
                    (!W::ON, target)
                }
                Step::Park { column, node, target } => {
                    if self.park(column, node) {
                        return (UNASKED, at);
                    }
                    (true, target)
                }
                Step::Halt { column, low, high, target } => {
                    if self.halt(column, low..=high) {
                        return (UNASKED, at);
                    }
                    (true, target)
                }
                Step::Rest { column, node } => rest!(column, node),
                Step::RestTicks { timer, count, column, node } => {
                    *self.chunk.half_mut(timer, lane) = count;
                    rest!(column, node)
                }
                Step::RestTime { timer, duration, column, node } => {
                    self.chunk.arm(timer, lane, duration);
                    rest!(column, node)
                }
                Step::Tick { timer, column, target } => {
                    wait!(down(self.chunk.half_mut(timer, lane)), column);
                    (true, target)
                }
                Step::Until { timer, column, target } => {
                    wait!(self.chunk.is_before(timer, lane, true), column);
                    (true, target)
                }
                // By reference, so that no step is copied for a call.
                Step::Branch { ref branch, target } => (self.branches(branch), target),
                Step::Effect { ref effect, target } => {
                    self.effect(effect);
                    (true, target)
                }
                Step::Write { ref write, target } => {
                    self.write(write);
                    (true, target)
                }
                Step::Control(ref control) => go_on!(self.control(code, at, control)),
            };
            at = self.branch(at, holds, target);
        }
    }

    /// The next step when a block is left by an exit: where its caller goes on.
    /// Without a caller, the tick is over.
    #[inline(always)]
    fn returned(&mut self, code: &Code, exit: u8) -> Result<u32, u8> {
        let call = if W::HOSTLESS { None } else { self.scratch.calls.pop() };
        let call = call.ok_or(exit)?;
        match code.steps[call as usize] {
            Step::Control(Control::Call { exits, .. }) => Ok(self.leave(code, call, exits, exit)),
            _ => Err(exit),
        }
    }

    /// The next step by one of four ways out.
    #[inline(always)]
    fn leave(&mut self, code: &Code, at: u32, exits: u32, exit: u8) -> u32 {
        if W::ON {
            self.watch.left(at, exit.into());
        }
        code.exits[exits as usize][usize::from(exit & 3)]
    }

    /// The target if a test holds, else the next step.
    #[inline(always)]
    pub(super) fn branch(&mut self, at: u32, holds: bool, target: u32) -> u32 {
        if W::ON {
            let Self { parts, chunk, lane, world, watch, .. } = self;
            watch.looked(at, &WatchContext { frame: &parts.frame, chunk, lane: *lane, world });
            watch.left(at, holds.into());
        }
        if holds { target } else { at + 1 }
    }

    #[inline(always)]
    fn float(&self, column: u32) -> f32 {
        f32::from_bits(self.chunk.word(column, self.lane))
    }

    #[inline(always)]
    fn int(&self, column: u32) -> i32 {
        self.chunk.word(column, self.lane) as i32
    }

    #[inline(always)]
    fn byte(&self, column: u32) -> u8 {
        self.chunk.bytes[column as usize + usize::from(self.lane)]
    }

    /// Puts a node into a position, and halts what was there. Returns true if that needs
    /// the host, which is not there.
    #[inline(always)]
    fn park(&mut self, column: u32, node: u16) -> bool {
        let before = self.chunk.half(column, self.lane);
        let is_heard = before != 0 && before != node && !is_silent(self.parts, before);
        if W::HOSTLESS && is_heard {
            return true;
        }
        *self.chunk.half_mut(column, self.lane) = node;
        if is_heard {
            self.stop(column, before, (0, node), Halt::Interrupted);
        }
        false
    }

    /// Clears a position that holds a node of an interval, and halts the node. Returns true if that
    /// needs the host, which is not there.
    #[inline(always)]
    fn halt(&mut self, column: u32, nodes: RangeInclusive<u16>) -> bool {
        let before = self.chunk.half(column, self.lane);
        if before == 0 || !nodes.contains(&before) {
            return false;
        }
        let is_heard = !is_silent(self.parts, before);
        if W::HOSTLESS && is_heard {
            return true;
        }
        *self.chunk.half_mut(column, self.lane) = 0;
        if is_heard && !planted::is(Bug::ForgottenHalt) {
            self.stop(column, before, (*nodes.start(), 0), Halt::Interrupted);
        }
        false
    }
}

/// Returns true if the host need not be told that a node is halted.
#[inline(never)]
fn is_silent(parts: &Parts, node: u16) -> bool {
    // What marks an ended branch is beyond all nodes.
    let nothing = || matches!(parts.held.get(usize::from(node)), None | Some(Held::Nothing));
    nothing() && !parts.wrappers.surround(node)
}
