//! Steps that look at nothing but an agent's own columns and the time.
//!
//! A tick that needs no host needs little else: no arguments, no stack, no guard against panics. So these steps are a loop
//! of their own. The scalar engine runs it as far as it gets, and takes over at a step that it leaves alone.

use super::{Watch, WatchContext};
use crate::code::class::{Ask, Branch, Control, Effect, Write};
use crate::code::relation::Relation;
use crate::code::site::Held;
use crate::code::step::Step;
use crate::code::table::NONE;
use crate::engine::parts::Parts;
use crate::planted::{self, Bug};
use crate::store::chunk::Chunk;
use pleach_image::isa::RUNNING;

/// End of a walk: an exit of the block, or a step at `at` that is for the scalar engine, taken apart by its class.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// The block is left by this exit.
    Exit(u8),
    /// What a position holds is to be halted, unless it is this node.
    Displace {
        at: u32,
        column: u32,
        node: u16,
    },
    /// What a position holds is to be halted, which is this node or a later one.
    Halt {
        at: u32,
        column: u32,
        low: u16,
    },
    /// The answer of a query is to be compared with a constant.
    Query {
        at: u32,
        site: u16,
        relation: Relation,
        with: f64,
        target: u32,
    },
    /// The truth of an expression is to be computed.
    Value {
        at: u32,
        is: bool,
        first: u32,
        end: u32,
        target: u32,
    },
    Branch {
        at: u32,
        branch: Branch,
        target: u32,
    },
    Effect {
        at: u32,
        effect: Effect,
        target: u32,
    },
    Write {
        at: u32,
        write: Write,
        target: u32,
    },
    Ask {
        at: u32,
        ask: Ask,
        exits: u32,
    },
    Control {
        at: u32,
        control: Control,
    },
}

impl End {
    /// Returns the exit, or the step at which the scalar engine goes on.
    #[inline(always)]
    pub(crate) fn exit_or_step(self) -> Result<u8, u32> {
        match self {
            Self::Exit(exit) => Ok(exit),
            Self::Displace { at, .. }
            | Self::Halt { at, .. }
            | Self::Query { at, .. }
            | Self::Value { at, .. }
            | Self::Branch { at, .. }
            | Self::Effect { at, .. }
            | Self::Write { at, .. }
            | Self::Ask { at, .. }
            | Self::Control { at, .. } => Err(at),
        }
    }
}

/// Runs steps of one agent, from `at` on.
#[inline(always)]
pub(crate) fn walk<W: Watch>(parts: &Parts, chunk: &mut Chunk, lane: u8, at: u32, watch: &mut W) -> End {
    let code = if W::ON { &parts.plain } else { &parts.fused };
    let steps = &code.steps[..];
    let mut at = at as usize;
    // Goes on at the target if the test holds, else at the next step.
    macro_rules! branch {
        ($holds:expr, $target:expr) => {{
            let holds = $holds;
            if W::ON {
                watch.looked(at as u32, &WatchContext { frame: &parts.frame, chunk, lane, world: None });
                watch.left(at as u32, holds.into());
            }
            at = if holds { $target as usize } else { at + 1 };
        }};
    }
    macro_rules! float {
        ($test:expr, $relation:ident) => {{
            let number = f32::from_bits(chunk.word($test.column, lane));
            branch!(Relation::$relation.holds(number, $test.with), $test.target);
        }};
    }
    macro_rules! int {
        ($test:expr, |$x:ident, $c:ident| $holds:expr) => {{
            let ($x, $c) = (chunk.word($test.column, lane) as i32, $test.with);
            branch!($holds, $test.target);
        }};
    }
    // Puts a node into a position, unless the host must hear of what it holds.
    macro_rules! park {
        ($column:expr, $node:expr, $end:expr) => {{
            let before = chunk.half($column, lane);
            if before != 0 && before != $node && !is_silent(parts, before) {
                return $end;
            }
            *chunk.half_mut($column, lane) = $node;
        }};
    }
    loop {
        match &steps[at] {
            Step::Jump { target } => branch!(true, *target),
            Step::Return { exit } => return End::Exit(*exit),
            Step::Bit { column, is, target } => branch!(chunk.bit(*column, lane) == *is, *target),
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
                let byte = chunk.bytes[test.column as usize + usize::from(lane)];
                branch!(test.with.holds(i16::from(byte as i8) as u16), test.target);
            }
            Step::U8(test) => {
                let byte = chunk.bytes[test.column as usize + usize::from(lane)];
                branch!(test.with.holds(byte.into()), test.target);
            }
            Step::Half(test) => {
                branch!(test.with.holds(chunk.half(test.column, lane)), test.target)
            }
            Step::Floats { left, right, relation, target } => {
                let number = |column: u32| f32::from_bits(chunk.word(column, lane));
                branch!(relation.holds(number(*left), number(*right)), *target);
            }
            Step::Ints { left, right, relation, target } => {
                let number = |column: u32| chunk.word(column, lane) as i32;
                branch!(relation.holds(number(*left), number(*right)), *target);
            }
            Step::Ladder { ladder } => {
                at = code.ladders[*ladder as usize].find(&chunk.words, lane) as usize;
            }
            Step::Switch { column, table } => {
                let target = code.tables[*table as usize].find(chunk.half(*column, lane));
                branch!(target != NONE, target);
            }
            Step::Due { column, reached, target } => {
                branch!(chunk.is_before(*column, lane, *reached), *target);
            }
            Step::SetByte { column, value, target } => {
                chunk.bytes[*column as usize + usize::from(lane)] = *value;
                at = *target as usize;
            }
            Step::SetHalf { column, value, target } => {
                *chunk.half_mut(*column, lane) = *value;
                at = *target as usize;
            }
            Step::SetWord { column, value, target } => {
                *chunk.word_mut(*column, lane) = *value;
                at = *target as usize;
            }
            Step::SetTruth { column, value, target } => {
                chunk.set_bit(*column, lane, *value);
                at = *target as usize;
            }
            Step::Clear { column, target } => {
                *chunk.half_mut(*column, lane) = 0;
                branch!(true, *target);
            }
            Step::Ticks { column, count, target } => {
                *chunk.half_mut(*column, lane) = *count;
                branch!(true, *target);
            }
            Step::Arm { column, duration, target } => {
                chunk.arm(*column, lane, *duration);
                if W::ON {
                    watch.left(at as u32, 0);
                }
                at = *target as usize;
            }
            Step::Park { column, node, target } => {
                park!(*column, *node, End::Displace { at: at as u32, column: *column, node: *node });
                branch!(true, *target);
            }
            Step::Halt { column, low, high, target } => {
                let node = chunk.half(*column, lane);
                if (*low..=*high).contains(&node) {
                    park!(*column, 0, End::Halt { at: at as u32, column: *column, low: *low });
                }
                branch!(true, *target);
            }
            Step::Rest { column, node } => {
                park!(*column, *node, End::Displace { at: at as u32, column: *column, node: *node });
                return End::Exit(RUNNING);
            }
            Step::RestTicks { timer, count, column, node } => {
                *chunk.half_mut(*timer, lane) = *count;
                park!(*column, *node, End::Displace { at: at as u32, column: *column, node: *node });
                return End::Exit(RUNNING);
            }
            Step::RestTime { timer, duration, column, node } => {
                chunk.arm(*timer, lane, *duration);
                park!(*column, *node, End::Displace { at: at as u32, column: *column, node: *node });
                return End::Exit(RUNNING);
            }
            Step::Tick { timer, column, target } => {
                if down(chunk.half_mut(*timer, lane)) {
                    return End::Exit(RUNNING);
                }
                *chunk.half_mut(*column, lane) = 0;
                at = *target as usize;
            }
            Step::Until { timer, column, target } => {
                if chunk.is_before(*timer, lane, true) {
                    return End::Exit(RUNNING);
                }
                *chunk.half_mut(*column, lane) = 0;
                at = *target as usize;
            }
            Step::Query { site, relation, target, with } => {
                let (site, relation, with, target) = (*site, *relation, *with, *target);
                return End::Query { at: at as u32, site, relation, with, target };
            }
            Step::Value { is, first, end, target } => {
                let (is, first, end, target) = (*is, *first, *end, *target);
                return End::Value { at: at as u32, is, first, end, target };
            }
            Step::Branch { branch, target } => {
                return End::Branch { at: at as u32, branch: *branch, target: *target };
            }
            Step::Effect { effect, target } => {
                return End::Effect { at: at as u32, effect: *effect, target: *target };
            }
            Step::Write { write, target } => {
                return End::Write { at: at as u32, write: *write, target: *target };
            }
            Step::Ask { ask, exits } => return End::Ask { at: at as u32, ask: *ask, exits: *exits },
            Step::Control(control) => return End::Control { at: at as u32, control: *control },
        }
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
