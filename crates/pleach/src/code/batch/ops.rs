//! Steps of sweeps, made from the plain steps when a program is linked.

use crate::code::{Ask, Range, Relation, Span, StepEffect, Table, Write};
use alloc::boxed::Box;
use core::cmp::Ordering;

/// Labels 0 to 3 are the exits of the block that runs.
pub(crate) const EXITS: usize = 4;
/// Stands for no label.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// A step of a sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchStep {
    pub(crate) op: Op,
    /// Lanes that are pending for this label join here.
    pub(crate) label: u32,
    /// The step at which the sweep goes on if there is no lane: the next step with a label, or the
    /// block's last.
    pub(crate) skip: u32,
    /// The label at which those go on that have not been sent to one; if
    /// there is none, the next step.
    pub(crate) then: u32,
}

/// Operation on the lanes that have come to a step. `to` are labels; lanes that are not sent to one
/// go on behind the step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    // The end of a block. No lane gets here but by its exits.
    End,
    Jump { to: u32 },
    // Those for which it `is` so go on at the label.
    Test { test: Test, is: bool, to: u32 },
    // Lanes for which the test holds go on at the label.
    SlowTest { test: SlowTest, to: u32 },
    Down { column: u32, to: u32 },
    // Lanes that the limiter does not let in go on at the label.
    Admit { limiter: u16, to: u32 },
    Switch { column: u32, cases: u32 },
    // Lanes that wait in a leaf: counts down; those in which something is left run.
    Wait { column: u32, wait: u32 },
    Call { block: u16, exits: u32 },
    // Lanes leave by one of four exits.
    Ask { ask: Ask, exits: u32 },
    Effect(BatchEffect),
    // A test, by which those for which it `is` so end as by [`Op::Ending`].
    Choose { test: Test, is: bool, number: u8, to: u32 },
    // Tests one after the other, by which lanes leave.
    Chain { chain: u32 },
    // The tick is over, with the constants of an ending.
    Ending { number: u8, to: u32 },
    // Constants into columns.
    Put { first: u32, count: u32 },
    // A test of a running set. `path` is the additional column of the sets. Lanes whose
    // set contains the node leave.
    Member { column: u32, stride: u16, node: u16, to: u32 },
    Arm { column: u32, duration: i32 },
    Halt { column: u32, low: u16, high: u16 },
    // `times` is 0 for the step limit.
    Loop { register: u8, times: u16 },
    // `head` is the number of the loop.
    Again { register: u8, to: u32, head: u32 },
}

/// A step that does something for its lanes, and is rare or takes long anyway.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BatchEffect {
    Step(StepEffect),
    Write(Write),
    Park { column: u32, node: u16 },
    Halt { column: u32, low: u16, high: u16 },
    Move { from: u16, to: u16 },
    // The tick is over, as a loop has begun again too often.
    Fault,
}

/// A step that is done apart from the loop of the sweep: it asks the host,
/// is rare, or takes long anyway.
#[derive(Clone, Copy)]
pub(crate) enum Apart {
    Ask(Ask),
    // The first mask has the lanes for which the test holds.
    Test(SlowTest),
    // The first mask has the lanes that are left behind the chain.
    Chain { chain: u32 },
    Effect(BatchEffect),
    // The lowest operand of the stack has the value.
    Evaluate(Range),
}

/// A test that asks the host, computes an expression, or is about agents at rules. A lane's
/// tick may be cut short in it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SlowTest {
    // The answer stands in this relation to the constant.
    Query { site: u16, relation: Relation, with: f64 },
    // The value of the expression is true, or false.
    Value { range: Range, is: bool },
    // The other status has this number.
    Other { status: i32 },
    // The host does not have the action for the agent.
    Unknown { site: u16 },
    // The agent's rule has not run since the agent came to it.
    FirstRun,
    // The rule has run, and the agent is elsewhere now.
    Left { rule: u16 },
}

/// A test that calls no host and changes nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Test {
    Bit { column: u32 },
    Float { column: u32, relation: Relation, with: f32 },
    // The integer is in this order with the constant.
    Int { column: u32, order: Ordering, with: i32 },
    Half { column: u32, span: Span },
    Byte { column: u32, low: u8, span: u8 },
    Floats { left: u32, right: u32, relation: Relation },
    Ints { left: u32, right: u32, relation: Relation },
    // The time is before that of a column, or at it unless `reached`.
    Due { column: u32, reached: bool },
    Flag { flag: u16 },
    // The choice is another.
    NotChosen { choice: u16 },
}

/// Most columns that the tests of a chain read.
pub(crate) const CHAIN_COLUMNS: usize = 16;

/// Tests one after the other. Lanes leave by the first that holds.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// Columns that the tests read, at most [`CHAIN_COLUMNS`].
    pub(crate) columns: Box<[u32]>,
    /// The first test first.
    pub(crate) links: Box<[Link]>,
    /// Targets of the links, from 1: the place among the labels, from 1, times 256, plus the number
    /// of an ending, or 0. The target 0 is that of lanes for which no link holds.
    pub(crate) targets: Box<[u16; 256]>,
    /// Labels to which the links lead, a few.
    pub(crate) to: Box<[u32]>,
}

/// A comparison of a word with a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// Place of the column among those of the chain.
    pub(crate) column: u8,
    pub(crate) with: u32,
    /// True if word and constant are floats, false if they are integers.
    pub(crate) is_float: bool,
    pub(crate) relation: Relation,
}

/// Nodes that lead to a label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwitchCase {
    pub(crate) span: Span,
    pub(crate) to: u32,
}

/// Most cases that are compared one by one; more are looked up lane by lane.
pub(crate) const FEW_CASES: usize = 16;

/// Labels to which nodes lead: case by case, or, if there are many, by a table.
#[derive(Clone, Debug)]
pub(crate) struct Cases {
    pub(crate) few: Box<[SwitchCase]>,
    pub(crate) many: Option<Table>,
}

/// Leaves in which lanes wait, all with the same timer.
#[derive(Clone, Debug)]
pub(crate) struct Wait {
    pub(crate) timer: u32,
    /// Their nodes; what lies between is never in the position.
    pub(crate) nodes: Box<[Span]>,
    /// Label at which lanes go on in which something is left: the exit of running leaves. If other
    /// waits of the block have the same timer, it is the label of a step that counts the timer down
    /// for all of them, so that this wait does not.
    pub(crate) left: u32,
    /// Labels at which lanes go on when nothing is left.
    pub(crate) cases: Cases,
}
