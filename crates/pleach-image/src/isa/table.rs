//! Instructions, each declared once.
//!
//! A row gives the permanent number, the name, the mnemonic, the flow of control, the blocks that
//! may have the instruction, the operands with their fields, and the meaning in one line. The enum,
//! the decoder, the check of operands and the listing are generated from it, and the chapter
//! `spec/instructions.md` is tested against it. A number is never given to another meaning; a new
//! instruction takes the next free number.
//!
//! Terms. The *set* is the running set, the memory of dialects whose nodes have none: a bounded,
//! ordered set of nodes. *Flags* are scratch bits of one tick. The *other status* is a register of
//! one tick. It holds the number of a status other than failure, success and running. *Registers*
//! count the repetitions of loops that are left in this tick.

use super::operand::{self, Operand, Runs, Shape, Show};
use super::spans::Spans;
use super::{Blocks, Flow, Word};
use crate::rule::Rule;

/// Operand of an instruction: its field, and its kind.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name of the field: `x`, `a`, `b`, `t`, or the pairs `ab` and `bt`.
    pub place: &'static str,
    /// Name of the kind of operand, such as `node`.
    pub kind: &'static str,
    /// Function that prints the operand of a word.
    pub show: fn(Word, &mut dyn Show),
}

macro_rules! place {
    ($word:ident x) => {
        u32::from($word.x)
    };
    ($word:ident a) => {
        u32::from($word.a)
    };
    ($word:ident b) => {
        u32::from($word.b)
    };
    ($word:ident t) => {
        u32::from($word.t)
    };
    ($word:ident ab) => {
        $word.ab() as u32
    };
    ($word:ident bt) => {
        $word.bt() as u32
    };
}

macro_rules! mask {
    (x) => {
        0x0000_0000_0000_ff00_u64
    };
    (a) => {
        0x0000_0000_ffff_0000_u64
    };
    (b) => {
        0x0000_ffff_0000_0000_u64
    };
    (t) => {
        0xffff_0000_0000_0000_u64
    };
    (ab) => {
        0x0000_ffff_ffff_0000_u64
    };
    (bt) => {
        0xffff_ffff_0000_0000_u64
    };
}

macro_rules! instructions {
    ($($number:literal $name:ident $mnemonic:literal $flow:ident $blocks:ident
       { $($place:ident: $kind:ident),* } $meaning:literal)*) => {
        super::numbered::numbered! {
            /// Instruction.
            Op { $($number $name $mnemonic $meaning)* }
        }

        impl Op {
            /// Returns the ways on which control can leave the instruction.
            #[must_use]
            pub const fn flow(self) -> Flow {
                match self { $(Self::$name => Flow::$flow,)* }
            }

            /// Returns the blocks that may have the instruction.
            #[must_use]
            pub const fn blocks(self) -> Blocks {
                match self { $(Self::$name => Blocks::$blocks,)* }
            }

            /// Returns the operands of the instruction.
            #[must_use]
            pub const fn fields(self) -> &'static [Field] {
                match self {
                    $(Self::$name => &[$(Field {
                        place: stringify!($place),
                        kind: operand::$kind::NAME,
                        show: |word, out| operand::$kind::show(place!(word $place), out),
                    }),*],)*
                }
            }

            /// Checks that all operands of `word` are valid and its unused fields zero.
            pub(crate) fn check(self, word: Word, shape: &Shape) -> Result<(), Rule> {
                match self {
                    $(Self::$name => {
                        $(operand::$kind::RULE.must(operand::$kind::holds(place!(word $place), shape))?;)*
                        const USED: u64 = 0xff $(| mask!($place))*;
                        Rule::UnusedField.must(word.bits() | USED == USED)
                    })*
                }
            }

            /// Returns spans that only accept words that pass the check.
            pub(crate) fn spans(self, shape: &Shape) -> Spans<8> {
                match self {
                    $(Self::$name => {
                        Spans::of(self as u8, &[$((mask!($place), operand::$kind::sure(shape))),*])
                    })*
                }
            }

            /// Returns true if the instruction runs this sort of code.
            pub(crate) const fn runs(self, what: Runs) -> bool {
                match self {
                    $(Self::$name => false $(|| operand::$kind::RUNS as u8 == what as u8)*,)*
                }
            }

            /// Returns the operand by which the instruction runs this sort of code.
            pub(crate) fn operand(self, word: Word, what: Runs) -> Option<u32> {
                match self {
                    $(Self::$name => {
                        let operands: &[(Runs, u32)] = &[$((operand::$kind::RUNS, place!(word $place))),*];
                        operands.iter().find(|(runs, _)| *runs == what).map(|(_, raw)| *raw)
                    })*
                }
            }
        }
    };
}

#[rustfmt::skip]
instructions! {
    0x01 Jump     "jump"     Jump   Any   { t: Target }                   "go on at `t`"
    0x02 Return   "return"   End    Any   { x: Exit }                     "end the block with status `x`"
    0x03 Exits    "exits"    Data   Any   { a: Target, b: Target, t: Target } "the success, running and other exits of the instruction before"
    0x04 Cond     "cond"     Branch Any   { a: Condition, t: Target }     "run condition `a`; if it is false, go on at `t`"
    0x05 Call     "call"     Exits  Ticks { a: Block, t: Target }         "run block `a`; go on by its status"
    0x06 Act      "act"      Exits  Ticks { x: NodeSlot, a: Action, b: Node, t: Target } "ask the host to act for node `b`, fresh unless slot `x` holds `b`; running puts `b` there, success and failure take it away; go on by the status"
    0x07 JumpBit  "jbit"     Branch Ticks { x: Truth, a: BitSlot, t: Target } "if bit slot `a` is `x`, go on at `t`"
    0x08 Leave    "leave"    Jump   Ticks { x: NodeSlot, b: Node, t: Target } "if slot `x` holds node `b`, clear it; go on at `t`"
    0x09 Mark     "mark"     Jump   Ticks { x: Truth, a: SetSlot, b: Node, t: Target } "empty set `a` if `x`; put node `b` into it, unless it is in it or the set is full; go on at `t`"
    0x0a WipeIf   "wipeif"   Jump   Ticks { a: SetSlot, b: Node, t: Target } "if node `b` is in set `a`, empty the set; go on at `t`"
    0x0b IfMember "ifmember" Branch Ticks { a: SetSlot, b: Node, t: Target } "if node `b` is in set `a`, go on at `t`"
    0x0c Due      "due"      Branch Ticks { x: Truth, a: TimeSlot, t: Target } "unless the time is past slot `a`, or at it if `x`, go on at `t`"
    0x0d Arm      "arm"      Next   Ticks { a: TimeSlot, bt: Duration }   "slot `a` := the time plus `bt`"
    0x0e Other    "other"    Jump   Ticks { ab: Status, t: Target }       "the other status := `ab`; go on at `t`"
    0x0f Flag     "flag"     Jump   Ticks { x: Truth, a: Flag, t: Target } "flag `a` := `x`; go on at `t`"
    0x10 JumpFlag "jflag"    Branch Ticks { a: Flag, t: Target }          "if flag `a` is set, go on at `t`"
    0x11 Switch   "switch"   Switch Ticks { x: NodeSlot, a: Table }       "if slot `x` holds a node of a case of table `a`, go on at that case"
    0x12 Park     "park"     Jump   Ticks { x: NodeSlot, b: Node, t: Target } "halt what slot `x` holds unless it is node `b`, and put node `b` there; go on at `t`"
    0x13 Clear    "clear"    Jump   Ticks { x: NodeSlot, t: Target }      "slot `x` := none; go on at `t`"
    0x14 Halt     "halt"     Jump   Ticks { x: NodeSlot, a: Node, b: Node, t: Target } "if slot `x` holds a node from `a` to `b`, halt it and clear the slot; go on at `t`"
    0x15 ActExclusive "actx" Exits  Ticks { x: NodeSlot, a: Action, b: Node, t: Target } "halt what slot `x` holds unless it is node `b`, and put node `b` there; then ask the host to act for it, fresh unless it was there; any status but running clears the slot; go on by the status"
    0x16 Set      "set"      Jump   Any   { a: Number, b: NumberSlot, t: Target } "slot `b` := expression `a`; go on at `t`"
    0x17 SetBit   "setb"     Jump   Any   { a: Condition, b: BitSlot, t: Target } "bit slot `b` := condition `a`; go on at `t`"
    0x18 Share    "share"    Jump   Any   { x: How, a: Number, b: SharedNumber, t: Target } "write expression `a` to shared variable `b` in the way `x` when the tick has ended; go on at `t`"
    0x19 ShareBit "shareb"   Jump   Any   { a: Condition, b: SharedBit, t: Target } "write condition `a` to shared bit `b` when the tick has ended; go on at `t`"
    0x1a Ticks    "ticks"    Jump   Ticks { a: CounterSlot, b: Count, t: Target } "slot `a` := `b`; go on at `t`"
    0x1b Down     "down"     Branch Ticks { a: CounterSlot, t: Target }   "slot `a` := one less, at least 0; unless it is 0 now, go on at `t`"
    0x1c Fork     "fork"     Jump   Ticks { a: Parallel, t: Target }      "the positions of the branches of parallel `a` := none; go on at `t`"
    0x1d Ended    "ended"    Branch Ticks { x: NodeSlot, t: Target }      "if the branch of position `x` has ended, go on at `t`"
    0x1e Finish   "finish"   Jump   Ticks { x: NodeSlot, a: Truth, t: Target } "the branch of position `x` has ended, with success if `a`, else with failure; go on at `t`"
    0x1f Join     "join"     Exits  Ticks { a: Parallel, t: Target }      "go on by what the branches of parallel `a` have come to; unless it runs, halt those that run and clear all positions"
    0x20 Rate     "rate"     Jump   Ticks { x: Truth, a: Number, b: Count, t: Target } "if `x`, or expression `a` is greater than the best so far, it is the best and `b` the choice; go on at `t`"
    0x21 Pick     "pick"     Branch Ticks { b: Count, t: Target }         "unless the choice is `b`, go on at `t`"
    0x22 Ask      "ask"      Branch Ticks { a: Limiter, t: Target }       "unless the agent has been granted a place by limiter `a`, note that it wants one and go on at `t`"
    0x23 Raise    "raise"    Jump   Ticks { x: Scope, a: Event, t: Target } "raise event `a` for the scope `x` when the tick has ended; go on at `t`"
    0x24 Loop     "loop"     Next   Ticks { x: Register, b: Times }       "begin a loop: register `x` := `b`, or the step limit if `b` is 0"
    0x25 Again    "again"    Again  Ticks { x: Register, b: Back, t: Target } "unless register `x` is 0, take one away and go on behind the `loop` that is `b` words before; else go on at `t`"
    0x26 Fault    "fault"    End    Ticks { x: Fault }                    "end the agent's whole tick with fault `x`, out of all blocks"
    0x28 Move     "move"     Jump   Ticks { a: RuleNode, b: RuleNode, t: Target } "rule `a` has run, which counts; the agent comes to rule `b`, which has not been run; at the step limit the tick is a fault, else go on at `t`"
    0x29 Ran      "ran"      Branch Ticks { b: RuleNode, t: Target }          "rule `b` has run, which counts; at the step limit the tick is a fault; unless the agent is at `b`, go on at `t`"
    0x2a ActRule  "actr"     Exits  Ticks { a: Action, b: RuleNode, t: Target } "ask the host to act for rule `b`, fresh unless the agent's rule has been run; it has been run then; go on by the status, any outside the three is failure"
    0x2b Known    "known"    Branch Ticks { a: Action, t: Target }        "unless the host has the action for this agent, go on at `t`"
    0x2c Once     "once"     Branch Ticks { t: Target }                   "if the agent's rule has not been run, it has been run then; go on at `t`"
    0x2d Select   "select"   Jump   Ticks { x: NodeSlot, a: Action, b: Node, t: Target } "unless slot `x` holds node `b`, halt what it holds, put node `b` there and ask the host to act for it, fresh, whatever it answers; go on at `t`"
    0x38 SetVariable "setv"  Jump   Any   { a: Condition, b: BitSlot, t: Target } "bit slot `b` := condition `a`; if it was another, the live bit of changes is set; go on at `t`"
    0x39 Capture  "capture"  Jump   Ticks { a: BitSlot, b: BitSlot, t: Target } "bit slot `a` := bit slot `b`, and `b` := false; go on at `t`"
    0x3a Inside   "inside"   Branch Any   { x: NodeSlot, a: Node, b: Node, t: Target } "unless slot `x` holds a node from `a` to `b`, go on at `t`"
    0x3b Start    "start"    Jump   Ticks { a: Number, b: MomentSlot, t: Target } "slot `b` := the time plus expression `a`, cut off; go on at `t`"
    0x3c Note     "note"     Jump   Any   { x: Truth, a: MomentSlot, t: Target } "slot `a` := two more than the time if `x`, else 1 unless it is 0; go on at `t`"
    0x3d Open     "open"     Exits  Any   { a: Action, b: Node, t: Target } "ask the host whether the child of node `b` begins: running if it does; go on by the status"
    0x3e Close    "close"    Jump   Ticks { a: Action, b: Node, t: Target } "tell the host that the child of node `b` has ended; go on at `t`"
    0x3f Enter    "enter"    Branch Ticks { a: Gate, t: Target }          "unless there is a place behind gate `a`, which the agent takes, go on at `t`"
    0x40 Exit     "exit"     Jump   Ticks { a: Gate, t: Target }          "the agent gives its place behind gate `a` back; go on at `t`"
    0x41 Log      "log"      Jump   Ticks { x: LogKind, a: Text, b: Node, t: Target } "text `a` goes to the agent's log, from node `b`, as `x`; go on at `t`"
    0x42 Zero     "zero"     Jump   Ticks { a: DataSlot, t: Target }      "all bytes of slot `a` := 0; go on at `t`"
    0x43 Timer    "timer"    Jump   Ticks { a: Number, b: TimeSlot, t: Target } "slot `b` := the time plus expression `a` as a 32-bit integer, at least 0; go on at `t`"
    0x44 SetWord  "setw"     Jump   Any   { a: Word, b: WordSlot, t: Target } "slot `b` := expression `a`; go on at `t`"
    0x45 ShareWord "sharew"  Jump   Any   { x: How, a: Word, b: SharedWord, t: Target } "write expression `a` to shared variable `b` in the way `x` when the tick has ended; go on at `t`"
    0x60 Perform  "perform"  Exits  Ticks { x: Truth, a: Action, b: Node, t: Target } "ask the host to act for node `b`, fresh if `x`; go on by the status"
    0x61 Stop     "stop"     Jump   Ticks { a: Action, b: Node, t: Target } "tell the host that the action of node `b` is halted; go on at `t`"
    0x62 JumpOther "jother"  Branch Ticks { ab: Status, t: Target }       "if the other status is `ab`, go on at `t`"
}
