//! Steps that look at nothing but an agent's own columns and the time.
//!
//! A tick that needs no host needs little else: no arguments, no stack, no guard against panics. So these steps are a loop
//! of their own. The scalar engine runs it as far as it gets, and takes over at a step that it leaves alone.

use super::{Watch, WatchContext};
use crate::code::{Code, Held, NONE, Put, Step, Width, classed};
use crate::engine::parts::Parts;
use crate::planted::{self, Bug};
use crate::store::chunk::Chunk;
use core::ops::RangeInclusive;
use pleach_image::isa::RUNNING;

/// End of a walk: an exit of the block, or a step that the scalar engine does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    Exit(u8),
    Step { at: u32, step: Step },
}

/// Runs steps of one agent, from `at` on.
#[inline(always)]
pub(crate) fn walk<W: Watch>(parts: &Parts, chunk: &mut Chunk, lane: u8, at: u32, watch: &mut W) -> End {
    let code = if W::ON { &parts.plain } else { &parts.fused };
    let mut walk = Walk { parts, code, chunk, lane, at, watch };
    loop {
        match walk.step() {
            Ok((holds, target)) => walk.branch(holds, target),
            Err(end) => return end,
        }
    }
}

/// An agent whose steps are run.
struct Walk<'a, W> {
    parts: &'a Parts,
    code: &'a Code,
    chunk: &'a mut Chunk,
    lane: u8,
    at: u32,
    watch: &'a mut W,
}

impl<W: Watch> Walk<'_, W> {
    /// Runs a step. Returns the target, and true if control goes on there, false if it goes on at the next step.
    ///
    /// This is the table of all steps, which are in one match, so that one jump finds what is to be done. So the function is
    /// longer than others.
    #[inline(always)]
    fn step(&mut self) -> Result<(bool, u32), End> {
        let Self { code, at, lane, .. } = *self;
        Ok(match code.steps[at as usize] {
            Step::Jump { target } => (true, target),
            Step::Return { exit } => return Err(End::Exit(exit)),
            Step::Bit { column, is, target } => (self.chunk.bit(column, lane) == is, target),
            Step::Due { column, reached, target } => (self.chunk.is_before(column, lane, reached), target),
            Step::Switch { column, table } => {
                let target = code.tables[table as usize].find(self.chunk.half(column, lane));
                (target != NONE, target)
            }
            Step::Float { column, relation, with, target } => {
                (relation.holds(self.float(column), with), target)
            }
            Step::Int { column, relation, with, target } => (relation.holds(self.int(column), with), target),
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
            Step::Ladder { ladder } => (true, code.ladders[ladder as usize].find(&self.chunk.words, lane)),
            Step::Put { width, column, value, target } => {
                self.put(Put { width, column, value });
                (true, target)
            }
            Step::Clear { column, target } => {
                *self.chunk.half_mut(column, lane) = 0;
                (true, target)
            }
            Step::Ticks { column, count, target } => {
                *self.chunk.half_mut(column, lane) = count;
                (true, target)
            }
            Step::Arm { column, duration, target } => {
                self.chunk.arm(column, lane, duration);
                // Its target is the next step where somebody watches, and its word has no way out but that.
                (!W::ON, target)
            }
            Step::Park { column, node, target } => {
                self.park(column, node)?;
                (true, target)
            }
            Step::Halt { column, low, high, target } => {
                self.halt(column, low..=high)?;
                (true, target)
            }
            Step::Rest { column, node } => return self.park(column, node).and(Err(End::Exit(RUNNING))),
            Step::RestTicks { timer, count, column, node } => {
                *self.chunk.half_mut(timer, lane) = count;
                return self.park(column, node).and(Err(End::Exit(RUNNING)));
            }
            Step::RestTime { timer, duration, column, node } => {
                self.chunk.arm(timer, lane, duration);
                return self.park(column, node).and(Err(End::Exit(RUNNING)));
            }
            Step::Tick { timer, column, target } => {
                let waits = down(self.chunk.half_mut(timer, lane));
                self.wait(waits, column)?;
                (true, target)
            }
            Step::Until { timer, column, target } => {
                self.wait(self.chunk.is_before(timer, lane, true), column)?;
                (true, target)
            }
            step @ (Step::Query { .. } | Step::Value { .. } | classed!()) => {
                return Err(End::Step { at, step });
            }
        })
    }

    /// Goes on at the target if a test holds, else at the next step.
    #[inline(always)]
    fn branch(&mut self, holds: bool, target: u32) {
        let Self { parts, chunk, lane, at, watch, .. } = self;
        if W::ON {
            watch.looked(*at, &WatchContext { frame: &parts.frame, chunk, lane: *lane, world: None });
            watch.left(*at, holds.into());
        }
        *at = if holds { target } else { *at + 1 };
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

    /// Puts a constant into a column.
    #[inline(always)]
    fn put(&mut self, Put { width, column, value }: Put) {
        let Self { chunk, lane, .. } = self;
        match width {
            Width::Bit => chunk.set_bit(column, *lane, value != 0),
            Width::Byte => chunk.bytes[column as usize + usize::from(*lane)] = value as u8,
            Width::Half => *chunk.half_mut(column, *lane) = value as u16,
            Width::Word => *chunk.word_mut(column, *lane) = value,
        }
    }

    /// Ends the walk at the step.
    #[inline(always)]
    fn end(&self) -> End {
        End::Step { at: self.at, step: self.code.steps[self.at as usize] }
    }

    /// Puts a node into a position. The walk ends instead if the host must hear of what the position holds.
    #[inline(always)]
    fn park(&mut self, column: u32, node: u16) -> Result<(), End> {
        let before = self.chunk.half(column, self.lane);
        if before != 0 && before != node && !is_silent(self.parts, before) {
            return Err(self.end());
        }
        *self.chunk.half_mut(column, self.lane) = node;
        Ok(())
    }

    /// Clears a position that holds a node of an interval. The walk ends instead if the host must hear of the node.
    #[inline(always)]
    fn halt(&mut self, column: u32, nodes: RangeInclusive<u16>) -> Result<(), End> {
        let before = self.chunk.half(column, self.lane);
        if before == 0 || !nodes.contains(&before) {
            return Ok(());
        }
        if !is_silent(self.parts, before) {
            return Err(self.end());
        }
        *self.chunk.half_mut(column, self.lane) = 0;
        Ok(())
    }

    /// Ends the walk if a leaf waits. Otherwise clears its position.
    #[inline(always)]
    fn wait(&mut self, waits: bool, column: u32) -> Result<(), End> {
        if waits {
            return Err(End::Exit(RUNNING));
        }
        *self.chunk.half_mut(column, self.lane) = 0;
        Ok(())
    }
}

/// Whether the host need not hear that a node does not go on.
#[inline(never)]
fn is_silent(parts: &Parts, node: u16) -> bool {
    // What marks an ended branch is beyond all nodes.
    let nothing = || matches!(parts.held.get(usize::from(node)), None | Some(Held::Nothing));
    nothing() && !parts.wrappers.surround(node)
}

/// Counts down; whether something is left.
#[inline]
pub(crate) fn down(counter: &mut u16) -> bool {
    *counter = counter.saturating_sub(1);
    *counter > u16::from(planted::is(Bug::ShortCount))
}
