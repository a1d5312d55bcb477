//! Words to steps, one to one.

use super::step::Step;
use super::steps::Code;
use super::table::{Case, Table};
use crate::layout::{Column, Frame};
use alloc::vec::Vec;
use pleach_image::Image;
use pleach_image::isa::{Op, Word};

/// The plain program of an image: the step of a word has the word's index.
pub(crate) fn decode<D: AsRef<[u8]>>(image: &Image<D>, frame: &Frame) -> Code {
    let mut decoder = Decoder { words: image.code(), frame, code: Code::default(), switches: Vec::new() };
    for at in 0..decoder.words.len() {
        let step = decoder.step(at);
        decoder.code.steps.push(step);
    }
    let Decoder { mut code, switches, .. } = decoder;
    code.blocks = image.blocks().iter().map(|block| block.first).collect();
    let table = |(row, at): (&pleach_image::format::TableRow, u32)| {
        let cases = &image.cases()[row.first as usize..][..row.count as usize];
        let case = |row: &pleach_image::format::CaseRow| Case {
            low: row.low,
            high: row.high,
            target: at + u32::from(row.target),
        };
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
    fn step(&mut self, at: usize) -> Step {
        let word = self.words[at];
        let Word { x, a, b, t, .. } = word;
        let target = at as u32 + u32::from(t);
        let place = |slot: u16| self.frame.slots[usize::from(slot)].column;
        let (of_x, of_a) = (|| place(x.into()).first, || place(a).first);
        let truth = x != 0;
        // Rule V0301: every number is one of an instruction.
        match word.op().unwrap_or(Op::Exits) {
            Op::Jump => Step::Jump { target },
            Op::Return => Step::Return { exit: x },
            // Control never gets here.
            Op::Exits => Step::Return { exit: 0 },
            Op::Cond => Step::Cond { condition: a, target },
            Op::Call => Step::Call { block: a, exits: self.exits(at) },
            Op::Act => Step::Act { column: of_x(), site: a, node: b, exits: self.exits(at) },
            Op::ActExclusive => {
                Step::ActExclusive { column: of_x(), site: a, node: b, exits: self.exits(at) }
            }
            Op::JumpBit => Step::Bit { column: of_a(), is: truth, target },
            Op::Leave => Step::Leave { column: of_x(), node: b, target },
            Op::Mark => {
                let Column { first, stride, .. } = place(a);
                Step::Mark { wipe: truth, column: first, stride, node: b, target }
            }
            Op::WipeIf => {
                let Column { first, stride, .. } = place(a);
                Step::WipeIf { column: first, stride, node: b, target }
            }
            Op::IfMember => {
                let Column { first, stride, .. } = place(a);
                Step::IfMember { column: first, stride, node: b, target }
            }
            Op::Due => Step::Due { column: of_a(), reached: truth, target },
            Op::Arm => Step::Arm { column: of_a(), duration: word.bt(), target: at as u32 + 1 },
            Op::Other => Step::Other { status: word.ab(), target },
            Op::Flag => Step::Flag { flag: a, value: truth, target },
            Op::JumpFlag => Step::JumpFlag { flag: a, target },
            Op::Switch => {
                let column = of_x();
                self.switches.push(at as u32);
                Step::Switch { column, table: a.into() }
            }
            Op::Park => Step::Park { column: of_x(), node: b, target },
            Op::Clear => Step::Clear { column: of_x(), target },
            Op::Halt => Step::Halt { column: of_x(), low: a, high: b, target },
            Op::Set => {
                let Column { kind, first, .. } = place(b);
                Step::Set { kind, expression: a, column: first, target }
            }
            Op::SetBit => Step::SetBit { condition: a, column: place(b).first, target },
            Op::Share => Step::Share { how: x, expression: a, shared: b, target },
            Op::ShareBit => Step::ShareBit { condition: a, shared: b, target },
            Op::Ticks => Step::Ticks { column: of_a(), count: b, target },
            Op::Down => Step::Down { column: of_a(), target },
            Op::Fork => Step::Fork { parallel: a, target },
            Op::Ended => Step::Ended { column: of_x(), target },
            Op::Finish => Step::Finish { column: of_x(), success: a != 0, target },
            Op::Join => Step::Join { parallel: a, exits: self.exits(at) },
            Op::Rate => Step::Rate { first: truth, expression: a, choice: b, target },
            Op::Pick => Step::Pick { choice: b, target },
            Op::Ask => Step::Ask { limiter: a, target },
            Op::Raise => Step::Raise { scope: x, event: a, target },
            Op::Loop => {
                self.code.heads.push(at as u32 + 1);
                Step::Loop { register: x, times: b, target: at as u32 + 1 }
            }
            Op::Again => {
                // Rule V0325: it leads back to a loop.
                let head = self.code.heads.binary_search(&(at as u32 - u32::from(b) + 1));
                Step::Again { register: x, head: head.unwrap_or_default() as u32, target }
            }
            Op::Fault => Step::Fault,
            Op::Move => Step::Move { from: a, to: b, target },
            Op::Ran => Step::Ran { rule: b, target },
            Op::ActRule => Step::ActRule { site: a, rule: b, exits: self.exits(at) },
            Op::Known => Step::Known { site: a, target },
            Op::Once => Step::Once { target },
            Op::Select => Step::Select { column: of_x(), site: a, node: b, target },
            Op::SetVariable => Step::SetVariable { condition: a, column: place(b).first, target },
            Op::Capture => Step::Capture { before: of_a(), live: place(b).first, target },
            Op::Inside => Step::Inside { column: of_x(), low: a, high: b, target },
            Op::Start => Step::Start { expression: a, column: place(b).first, target },
            Op::Note => Step::Note { on: truth, column: of_a(), target },
            Op::Open => Step::Open { site: a, node: b, exits: self.exits(at) },
            Op::Close => Step::Close { site: a, node: b, target },
            Op::Enter => Step::Enter { gate: a, target },
            Op::Exit => Step::Exit { gate: a, target },
            Op::Log => Step::Log { kind: x, text: a, node: b, target },
            Op::Zero => {
                let Column { first, stride, .. } = place(a);
                Step::Zero { column: first, stride, target }
            }
        }
    }

    /// The four ways out of an instruction, of which the next word holds three.
    fn exits(&mut self, at: usize) -> u32 {
        let (word, exits) = (self.words[at], self.words[at + 1]);
        let to = |distance: u16| at as u32 + u32::from(distance);
        self.code.exits.push([to(word.t), to(exits.a), to(exits.b), to(exits.t)]);
        self.code.exits.len() as u32 - 1
    }
}
