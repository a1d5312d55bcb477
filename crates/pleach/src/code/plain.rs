//! Words to steps, one to one.

use super::class::{Ask, Branch, Control, StepEffect, Write};
use super::step::Step;
use super::steps::Code;
use super::table::{Case, Table};
use crate::layout::{Column, Frame};
use alloc::vec::Vec;
use pleach_image::Image;
use pleach_image::format::{CaseRow, TableRow};
use pleach_image::isa::{Op, Word};

/// Returns the plain program of an image: the step of a word has the word's index.
pub(crate) fn decode<D: AsRef<[u8]>>(image: &Image<D>, frame: &Frame) -> Code {
    let mut decoder = Decoder { words: image.code(), frame, code: Code::default(), switches: Vec::new() };
    for at in 0..decoder.words.len() {
        let step = decoder.step(at);
        decoder.code.steps.push(step);
    }
    let Decoder { mut code, switches, .. } = decoder;
    code.blocks = image.blocks().iter().map(|block| block.first).collect();
    let table = |(row, at): (&TableRow, u32)| {
        let cases = &image.cases()[row.first as usize..][..row.count as usize];
        let case = |row: &CaseRow| Case { low: row.low, high: row.high, target: at + u32::from(row.target) };
        Table::Sparse(cases.iter().map(case).collect())
    };
    code.tables = image.tables().iter().zip(switches).map(table).collect();
    code
}

struct Decoder<'a> {
    words: &'a [Word],
    frame: &'a Frame,
    code: Code,
    /// The word of each `switch`: the tables belong to them in this order.
    switches: Vec<u32>,
}

impl Decoder<'_> {
    /// Returns the step of a word. This is the table of all instructions, so it is
    /// longer than other functions.
    fn step(&mut self, at: usize) -> Step {
        let word = self.words[at];
        let Word { x, a, b, t, .. } = word;
        let target = at as u32 + u32::from(t);
        let frame = self.frame;
        let place = |slot: u16| frame.slots[usize::from(slot)].column;
        let (of_x, of_a, of_b) = (|| place(x.into()).first, || place(a).first, || place(b).first);
        let truth = x != 0;
        // Rule V0301: every number is one of an instruction.
        let branch = |branch| Step::Branch { branch, target };
        let effect = |effect| Step::Effect { effect, target };
        let write = |write| Step::Write { write, target };
        match word.op().unwrap_or(Op::Exits) {
            Op::Jump => Step::Jump { target },
            Op::Return => Step::Return { exit: x },
            // Control never gets here.
            Op::Exits => Step::Return { exit: 0 },
            Op::Cond => Step::Control(Control::Cond { condition: a, target }),
            Op::Call => Step::Control(Control::Call { block: a, exits: self.exits(at) }),
            Op::Act => self.ask(at, Ask::Act { column: of_x().into(), site: a, node: b }),
            Op::ActExclusive => self.ask(at, Ask::ActExclusive { column: of_x().into(), site: a, node: b }),
            Op::JumpBit => Step::Bit { column: of_a(), is: truth, target },
            Op::Leave => effect(StepEffect::Leave { column: of_x().into(), node: b }),
            Op::Mark => {
                let Column { first, stride, .. } = place(a);
                effect(StepEffect::Mark { wipe: truth, column: first.into(), stride, node: b })
            }
            Op::WipeIf => {
                let Column { first, stride, .. } = place(a);
                effect(StepEffect::WipeIf { column: first.into(), stride, node: b })
            }
            Op::IfMember => {
                let Column { first, stride, .. } = place(a);
                branch(Branch::IfMember { column: first.into(), stride, node: b })
            }
            Op::Due => Step::Due { column: of_a(), reached: truth, target },
            Op::Arm => Step::Arm { column: of_a(), duration: word.bt(), target: at as u32 + 1 },
            Op::Other => effect(StepEffect::Other { status: word.ab().into() }),
            Op::Flag => effect(StepEffect::Flag { flag: a, value: truth }),
            Op::JumpFlag => branch(Branch::JumpFlag { flag: a }),
            Op::Switch => {
                let column = of_x();
                self.switches.push(at as u32);
                Step::Switch { column, table: a.into() }
            }
            Op::Park => Step::Park { column: of_x(), node: b, target },
            Op::Clear => Step::PutHalf { column: of_x(), value: 0, target },
            Op::Halt => Step::Halt { column: of_x(), low: a, high: b, target },
            Op::Set | Op::SetWord => {
                let Column { kind, first, .. } = place(b);
                write(Write::Set { kind, expression: a, column: first.into() })
            }
            Op::SetBit => write(Write::SetBit { condition: a, column: of_b().into() }),
            Op::Share | Op::ShareWord => write(Write::Share { how: x, expression: a, shared: b }),
            Op::ShareBit => write(Write::ShareBit { condition: a, shared: b }),
            Op::Ticks => Step::PutHalf { column: of_a(), value: b, target },
            Op::Down => branch(Branch::Down { column: of_a().into() }),
            Op::Fork => effect(StepEffect::Fork { parallel: a }),
            Op::Ended => branch(Branch::Ended { column: of_x().into() }),
            Op::Finish => effect(StepEffect::Finish { column: of_x().into(), success: a != 0 }),
            Op::Join => self.ask(at, Ask::Join { parallel: a }),
            Op::Rate => effect(StepEffect::Rate { first: truth, expression: a, choice: b }),
            Op::Pick => branch(Branch::Pick { choice: b }),
            Op::Ask => branch(Branch::Ask { limiter: a }),
            Op::Raise => effect(StepEffect::Raise { scope: x, event: a }),
            Op::Loop => {
                self.code.heads.push(at as u32 + 1);
                Step::Effect { effect: StepEffect::Loop { register: x, times: b }, target: at as u32 + 1 }
            }
            Op::Again => {
                // Rule V0325: it leads back to a loop.
                let head = self.code.heads.binary_search(&(at as u32 - u32::from(b) + 1));
                Step::Control(Control::Again { register: x, head: head.unwrap_or_default() as u32, target })
            }
            Op::Fault => Step::Control(Control::Fault),
            Op::Move => Step::Control(Control::Move { from: a, to: b, target }),
            Op::Ran => Step::Control(Control::Ran { rule: b, target }),
            Op::ActRule => self.ask(at, Ask::ActRule { site: a, rule: b }),
            Op::Known => branch(Branch::Known { site: a }),
            Op::Once => branch(Branch::Once),
            Op::Select => effect(StepEffect::Select { column: of_x().into(), site: a, node: b }),
            Op::SetVariable => write(Write::SetVariable { condition: a, column: of_b().into() }),
            Op::Capture => write(Write::Capture { before: of_a().into(), live: of_b().into() }),
            Op::Inside => branch(Branch::Inside { column: of_x().into(), low: a, high: b }),
            Op::Start => write(Write::Start { expression: a, column: of_b().into() }),
            Op::Timer => write(Write::Timer { expression: a, column: of_b().into() }),
            Op::Note => write(Write::Note { on: truth, column: of_a().into() }),
            Op::Open => self.ask(at, Ask::Open { site: a, node: b }),
            Op::Close => effect(StepEffect::Close { site: a, node: b }),
            Op::Perform => self.ask(at, Ask::Perform { fresh: truth, site: a, node: b }),
            Op::Stop => effect(StepEffect::Stop { site: a, node: b }),
            Op::JumpOther => branch(Branch::JumpOther { status: word.ab().into() }),
            Op::Enter => branch(Branch::Enter { gate: a }),
            Op::Exit => effect(StepEffect::Exit { gate: a }),
            Op::Log => effect(StepEffect::Log { kind: x, text: a, node: b }),
            Op::Zero => {
                let Column { first, stride, .. } = place(a);
                write(Write::Zero { column: first.into(), stride })
            }
        }
    }

    fn ask(&mut self, at: usize, ask: Ask) -> Step {
        Step::Ask { ask, exits: self.exits(at) }
    }

    /// Returns the index of the four exits of an instruction, three of which are in the next word.
    fn exits(&mut self, at: usize) -> u32 {
        let (word, exits) = (self.words[at], self.words[at + 1]);
        let to = |distance: u16| at as u32 + u32::from(distance);
        self.code.exits.push([to(word.t), to(exits.a), to(exits.b), to(exits.t)]);
        self.code.exits.len() as u32 - 1
    }
}
