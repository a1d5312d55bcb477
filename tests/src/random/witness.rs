//! Observers and counters of ticks.
//!
//! A `Witness` observes the runtime while it ticks an agent. From the instructions that are left it
//! makes the trace of ended nodes, like a debugger. It also adds up the cost of a tick, for a
//! comparison with the program's bounds. The [`Census`] is the sum over all programs, and shows
//! that every instruction is tested.

use super::duel::same;
use super::world::bits;
use pleach::program::Bounds;
use pleach::watch::Watch;
use pleach::{Image, Status};
use pleach_compile::internals::ir::Outcome;
use pleach_image::isa::{Op, StackOp};

/// Counts over many duels.
#[derive(Clone, Debug)]
pub struct Census {
    /// Number of programs that were run, and of programs that were left out for their bounds.
    pub programs: (u64, u64),
    /// Number of executions of each instruction, by the instruction's number.
    pub ops: [u64; 256],
    /// Number of occurrences of each operation of conditions, by the operation's number.
    pub stack_ops: [u64; 256],
    /// Number of ticks of agents.
    pub ticks: u64,
    /// Number of ticks with as many host calls as the bound allows.
    pub tight: u64,
}

impl Default for Census {
    fn default() -> Self {
        Self { programs: (0, 0), ops: [0; 256], stack_ops: [0; 256], ticks: 0, tight: 0 }
    }
}

impl Census {
    /// Adds the counts of another census.
    pub fn add(&mut self, other: &Self) {
        self.programs.0 += other.programs.0;
        self.programs.1 += other.programs.1;
        self.ops.iter_mut().zip(other.ops).for_each(|(sum, count)| *sum += count);
        self.stack_ops.iter_mut().zip(other.stack_ops).for_each(|(sum, count)| *sum += count);
        self.ticks += other.ticks;
        self.tight += other.tight;
    }
}

/// Observer of ticks: ended nodes, questions, and cost.
pub(super) struct Witness<'a> {
    image: &'a Image,
    census: &'a mut Census,
    seen: Seen,
}

/// Observations of one tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// Nodes that ended, with their statuses.
    pub(super) ended: Vec<(u32, u32)>,
    /// Answers of the host.
    answers: Vec<u64>,
    /// Number of instructions, and a lower bound of the number of operations of conditions.
    work: u64,
}

impl<'a> Witness<'a> {
    pub(super) fn new(image: &'a Image, census: &'a mut Census) -> Self {
        Self { image, census, seen: Seen::default() }
    }

    fn count(&mut self, op: Op) {
        self.census.ops[op as usize] += 1;
        self.seen.work += 1;
    }

    /// Ends the tick. Compares its observations with the host's answers and the bounds of the tree.
    pub(super) fn finish(&mut self, answers: &[u64], bounds: Bounds) -> Result<(), String> {
        let seen = self.take();
        self.census.tight += u64::from(answers.len() as u64 == bounds.host_calls);
        seen.check(answers, bounds)
    }

    /// Ends the tick and returns its observations.
    pub(super) fn take(&mut self) -> Seen {
        self.count(Op::Return);
        self.census.ticks += 1;
        core::mem::take(&mut self.seen)
    }

    /// Ends the tick and returns the nodes that ended in it, with their statuses.
    pub(super) fn take_ended(&mut self) -> Vec<(u32, u32)> {
        self.take().ended
    }

    /// Returns the nodes that have ended in this tick so far, with their statuses.
    pub(super) fn ended(&self) -> &[(u32, u32)] {
        &self.seen.ended
    }
}

impl Seen {
    /// Returns the number of the host's answers.
    pub(super) fn asked(&self) -> usize {
        self.answers.len()
    }

    /// Compares the observations with the host's answers and the bounds of the tree.
    pub(super) fn check(&self, answers: &[u64], bounds: Bounds) -> Result<(), String> {
        same("answers watched", &*self.answers, answers)?;
        let (work, calls) = (self.work, answers.len() as u64);
        let within = work <= bounds.instructions && calls <= bounds.host_calls;
        if within { Ok(()) } else { Err(format!("{work} instructions and {calls} calls exceed {bounds:?}")) }
    }
}

impl Watch for Witness<'_> {
    fn acted(&mut self, _node: u32, _site: u32, _fresh: bool, status: Status) {
        self.seen.answers.push(bits(match status {
            Status::Failure => Outcome::Failure,
            Status::Success => Outcome::Success,
            Status::Running => Outcome::Running,
            Status::Other(number) => Outcome::Other(number),
        }));
    }

    fn asked(&mut self, _site: u32, answer: f64) {
        self.seen.answers.push(answer.to_bits());
        self.seen.work += 1;
    }

    fn left(&mut self, word: u32, exit: u32) {
        let op = self.image.code()[word as usize].op().expect("an instruction");
        self.count(op);
        match op {
            Op::Call => {
                self.count(Op::Return);
                self.census.ops[Op::Exits as usize] += 1;
            }
            Op::Act | Op::ActExclusive | Op::ActRule | Op::Join => self.census.ops[Op::Exits as usize] += 1,
            // The end of the condition or expression.
            Op::Cond | Op::Set | Op::SetBit | Op::Share | Op::ShareBit | Op::Rate => self.seen.work += 1,
            _ => {}
        }
        let ended = self.image.debug_ends(word, exit);
        self.seen.ended.extend(ended.map(|end| (end.node.into(), end.status.into())));
    }
}

/// Instructions and operations of dialects whose trees continue at their running nodes. Programs
/// made of IR alone have none of them; those of [`super::language`] have all.
pub const RESUMING: &[&str] = &[
    "switch", "park", "clear", "halt", "actx", "set", "setb", "share", "shareb", "ticks", "down", "fork",
    "ended", "finish", "join", "rate", "pick", "ask", "raise", "give", "slot", "bit", "shared", "sharedb",
    "now", "draw", "addi", "subi", "muli", "divi", "remi", "addf", "subf", "mulf", "divf", "min", "max",
    "negi", "negf", "absi", "absf", "int", "float", "timer", "between", "milli",
];

/// Operations on 64-bit numbers, entities and texts, and functions. Only [`super::language`] has
/// them.
pub const WIDE: &[&str] = &[
    "setw", "sharew", "long", "real", "constw", "slotw", "sharedw", "givew", "eqw", "new", "ltl", "lel",
    "gtl", "gel", "addl", "subl", "mull", "divl", "reml", "minl", "maxl", "negl", "absl", "addd", "subd",
    "muld", "divd", "negd", "absd", "askw", "order", "sqrt", "pow", "logistic", "smooth", "ramp", "nip",
    "copy",
];

/// Operations that only modular behavior trees have. `tests/tests/dialects/mbt.rs` makes them.
pub const REACTING: &[&str] = &[
    "setv", "capture", "inside", "start", "note", "open", "close", "enter", "exit", "log", "zero", "since",
    "noted", "reached",
];

/// Instructions and operations that only trees of BehaviorTree.CPP have.
/// `tests/tests/dialects/btcpp.rs` makes them.
pub const KEEPING: &[&str] = &["perform", "stop", "jother", "numr", "numw", "numi", "andl", "orl", "xorl"];

/// Instruction that only behavior selection trees have. `tests/tests/dialects/bst.rs` makes it.
pub const SELECTING: &[&str] = &["select"];

/// Instructions of dialects with rules. Only programs of [`super::rules`] have them.
pub const WALKING: &[&str] = &["loop", "again", "fault", "move", "ran", "actr", "known", "once"];

/// Returns every instruction and operation that was seen fewer than `times` times.
#[must_use]
pub fn rare(census: &Census, times: u64) -> Vec<&'static str> {
    let ops = Op::ALL.iter().filter(|op| census.ops[**op as usize] < times).map(|op| op.mnemonic());
    let stack = StackOp::ALL.iter().filter(|op| census.stack_ops[**op as usize] < times);
    ops.chain(stack.map(|op| op.mnemonic())).collect()
}
