//! The scalar engine: one agent, one instruction after the other.
//!
//! A plain loop over a match. Every rule it leans on has been proven by the verifier, so there is no path for errors:
//! an index that the verifier proves in range is used as it is, and would panic, not read elsewhere, if it were not.

use super::Watch;
use super::condition::{Test, compare};
use crate::agents::Agent;
use crate::chunk::Chunk;
use crate::frame::{Column, Frame};
use crate::host::{Call, Host};
use crate::program::Parts;
use crate::status::Status;
use pleach_image::isa::{FAILURE, OTHER, Op, RUNNING, SUCCESS, StackOp, Word};

/// Scratch memory of a tick, sized once for a program.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    stack: Box<[f64]>,
    calls: Vec<u32>,
    flags: Box<[bool]>,
}

impl Scratch {
    pub(crate) fn new(parts: &Parts) -> Self {
        Self {
            stack: vec![0.0; parts.stack_depth].into(),
            calls: Vec::with_capacity(parts.call_depth),
            flags: vec![false; parts.flags].into(),
        }
    }
}

/// An agent under way.
pub(crate) struct Run<'a, H: ?Sized, W> {
    pub(crate) parts: &'a Parts,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) chunk: &'a mut Chunk,
    pub(crate) lane: u8,
    pub(crate) agent: Agent,
    pub(crate) now: i64,
    pub(crate) host: &'a mut H,
    pub(crate) watch: &'a mut W,
    /// The number that goes with the exit for statuses outside the three.
    pub(crate) other: i32,
}

impl<H: Host + ?Sized, W: Watch> Run<'_, H, W> {
    /// Runs a block to its end.
    pub(crate) fn block(&mut self, block: u32) -> Status {
        self.scratch.calls.clear();
        self.scratch.flags.fill(false);
        let mut at = self.parts.blocks[block as usize];
        loop {
            let word = self.parts.code[at as usize];
            at = match op(word) {
                Op::Jump => self.go(at, word, true),
                Op::Return => match self.scratch.calls.pop() {
                    Some(call) => self.exit(call, self.parts.code[call as usize], word.x),
                    None => return self.status(word.x),
                },
                Op::Cond => {
                    let holds = self.condition(word.a);
                    self.go(at, word, !holds)
                }
                Op::Call => {
                    self.scratch.calls.push(at);
                    self.parts.blocks[usize::from(word.a)]
                }
                Op::Act => {
                    let exit = self.act(word);
                    self.exit(at, word, exit)
                }
                Op::JumpBit => {
                    let bit = self.chunk.bit(self.column(word.a), self.lane);
                    self.go(at, word, bit == (word.x != 0))
                }
                Op::IfMember => {
                    let member = self.member(word);
                    self.go(at, word, member)
                }
                Op::Due => {
                    let armed = self.chunk.time(self.column(word.a), self.lane);
                    self.go(at, word, self.now <= i64::from(armed))
                }
                Op::JumpFlag => self.go(at, word, self.scratch.flags[usize::from(word.a)]),
                Op::Arm => {
                    self.arm(word);
                    self.go(at, word, false)
                }
                Op::Leave | Op::Mark | Op::WipeIf | Op::Other | Op::Flag => {
                    self.effect(word);
                    self.go(at, word, true)
                }
                Op::Exits => unreachable!("rule V0305: control does not get to an exits word"),
            };
        }
    }

    /// An instruction that does something and always goes on at its target.
    fn effect(&mut self, word: Word) {
        match op(word) {
            Op::Leave => {
                let slot = self.chunk.node_mut(column(&self.parts.frame, word.x.into()), self.lane);
                if *slot == word.b {
                    *slot = 0;
                }
            }
            Op::Mark => mark(self.set(word.a), word.b, word.x != 0),
            Op::WipeIf => {
                if self.member(word) {
                    self.set(word.a)[0] = 0;
                }
            }
            Op::Other => self.other = word.ab(),
            Op::Flag => self.scratch.flags[usize::from(word.a)] = word.x != 0,
            op => unreachable!("{op:?} is more than an effect"),
        }
    }

    fn arm(&mut self, word: Word) {
        let until = self.now.saturating_add(i64::from(word.bt()));
        let until = until.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        *self.chunk.time_mut(self.column(word.a), self.lane) = until;
    }

    /// The next instruction: the target if the branch is taken, else the next word.
    #[inline]
    fn go(&mut self, at: u32, word: Word, taken: bool) -> u32 {
        if W::ON {
            self.watch.left(at, u32::from(taken));
        }
        at + if taken { u32::from(word.t) } else { 1 }
    }

    /// The next instruction by one of four exits.
    #[inline]
    fn exit(&mut self, at: u32, word: Word, exit: u8) -> u32 {
        if W::ON {
            self.watch.left(at, u32::from(exit));
        }
        let exits = self.parts.code[at as usize + 1];
        at + u32::from(match exit {
            FAILURE => word.t,
            SUCCESS => exits.a,
            RUNNING => exits.b,
            _ => exits.t,
        })
    }

    fn status(&self, exit: u8) -> Status {
        match exit {
            FAILURE => Status::Failure,
            SUCCESS => Status::Success,
            RUNNING => Status::Running,
            _ => Status::Other(self.other),
        }
    }

    fn act(&mut self, word: Word) -> u8 {
        let slot = column(&self.parts.frame, word.x.into());
        let fresh = self.chunk.node(slot, self.lane) != word.b;
        let status = self.call(word.a, word.b.into(), fresh, H::act);
        if W::ON {
            self.watch.acted(word.b.into(), word.a.into(), fresh, status);
        }
        let current = self.chunk.node_mut(slot, self.lane);
        match status {
            Status::Running => {
                *current = word.b;
                RUNNING
            }
            Status::Failure | Status::Success => {
                if *current == word.b {
                    *current = 0;
                }
                if status == Status::Success { SUCCESS } else { FAILURE }
            }
            Status::Other(number) => {
                self.other = number;
                OTHER
            }
        }
    }

    fn query(&mut self, site: u16) -> f64 {
        let answer = self.call(site, 0, false, H::query);
        if W::ON {
            self.watch.asked(site.into(), answer);
        }
        answer
    }

    #[inline]
    fn call<T>(&mut self, site: u16, node: u32, fresh: bool, ask: fn(&mut H, &mut Call<'_>) -> T) -> T {
        let site = self.parts.sites[usize::from(site)];
        let mut call = Call {
            agent: self.agent,
            function: site.function,
            args: self.parts.args(site),
            node,
            fresh,
            now: self.now,
            frame: &self.parts.frame,
            chunk: self.chunk,
            lane: self.lane,
        };
        ask(self.host, &mut call)
    }

    fn condition(&mut self, condition: u16) -> bool {
        match self.parts.tests[usize::from(condition)] {
            Test::Truth { site, negated } => (self.query(site) != 0.0) != negated,
            Test::Compare { site, with, constant } => compare(with, self.query(site), constant),
            Test::Stack { first } => self.stack(first as usize),
        }
    }

    /// Runs the condition machine from a word on. A truth is 1 or 0.
    fn stack(&mut self, first: usize) -> bool {
        let (mut at, mut top) = (first, 0);
        loop {
            let word = self.parts.stack_code[at];
            at += 1;
            let Some(op) = word.op() else { return false };
            match op {
                StackOp::Const | StackOp::Query => {
                    let index = usize::from(word.a);
                    let is_query = op == StackOp::Query;
                    let value = if is_query { self.query(word.a) } else { self.parts.constants[index] };
                    self.scratch.stack[top] = value;
                    top += 1;
                }
                StackOp::Not => self.scratch.stack[top - 1] = 1.0 - self.scratch.stack[top - 1],
                StackOp::Truth => {
                    let value = self.scratch.stack[top - 1];
                    self.scratch.stack[top - 1] = f64::from(value != 0.0);
                }
                StackOp::Number => {}
                StackOp::And | StackOp::Or => {
                    if (self.scratch.stack[top - 1] != 0.0) == (op == StackOp::Or) {
                        at += usize::from(word.a) - 1;
                    } else {
                        top -= 1;
                    }
                }
                StackOp::End => return self.scratch.stack[0] != 0.0,
                with => {
                    top -= 1;
                    let (first, second) = (self.scratch.stack[top - 1], self.scratch.stack[top]);
                    self.scratch.stack[top - 1] = f64::from(compare(with, first, second));
                }
            }
        }
    }

    #[inline]
    fn column(&self, slot: u16) -> u32 {
        column(&self.parts.frame, slot)
    }

    #[inline]
    fn set(&mut self, slot: u16) -> &mut [u16] {
        let (first, stride) = set_column(&self.parts.frame, slot);
        self.chunk.set_mut(first, stride, self.lane)
    }

    #[inline]
    fn member(&self, word: Word) -> bool {
        let (first, stride) = set_column(&self.parts.frame, word.a);
        let set = self.chunk.set(first, stride, self.lane);
        set[1..=usize::from(set[0])].contains(&word.b)
    }
}

/// Rule V0301: every number is one of an instruction.
#[inline]
fn op(word: Word) -> Op {
    word.op().unwrap_or(Op::Return)
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

/// Where a slot that is no set is.
#[inline]
fn column(frame: &Frame, slot: u16) -> u32 {
    match frame.slots[usize::from(slot)].column {
        Column::Bit { first } | Column::Node { first } | Column::Time { first } => first,
        Column::Set { first, .. } => first,
    }
}

#[inline]
fn set_column(frame: &Frame, slot: u16) -> (u32, u32) {
    match frame.slots[usize::from(slot)].column {
        Column::Set { first, stride } => (first, stride),
        // Rule V0315: set instructions name sets.
        Column::Bit { first } | Column::Node { first } | Column::Time { first } => (first, 1),
    }
}
