//! Loops: proof that every tick ends although loops lead back.
//!
//! The region of a loop goes from its `loop` to the last `again` that leads back to it. Control
//! enters the region only by the `loop`, which fills the register. Each `again` takes one away. If
//! nothing else fills the register meanwhile, the region is passed as often as the register says
//! and once more. Therefore regions nest, and all code that runs inside a region, including called
//! blocks, uses only smaller registers than the region's own.
//!
//! One pass over the words of a block suffices, with the enclosing regions on a stack. Each block
//! is described by an upper bound of the registers that it and all blocks that it calls use.

use super::code::fail;
use super::{Rule, Subject, fill, memory, push};
use crate::error::ImageError;
use crate::format::CaseRow;
use crate::isa::operand::Runs;
use crate::isa::{Flow, Op, Word};
use alloc::vec::Vec;

/// Checks the loops of all blocks, whose control flow is valid otherwise.
pub(super) fn check(subject: &Subject<'_>) -> Result<(), ImageError> {
    let view = &subject.view;
    let mut registers = Vec::new();
    for row in view.blocks {
        let words = &view.code[row.first as usize..][..row.count as usize];
        let cases = |word: Word| {
            let table = &view.tables[usize::from(word.a)];
            &view.cases[table.first as usize..][..table.count as usize]
        };
        let own = block(words, &registers, cases);
        let own = own.map_err(|(at, rule)| fail(subject, row, at, rule))?;
        push(&mut registers, own).map_err(memory(view.blocks.len()))?;
    }
    Ok(())
}

/// Loop around the current word.
#[derive(Clone, Copy)]
struct Region {
    head: usize,
    /// Index of the last word inside.
    end: usize,
    register: u16,
}

/// Returns an upper bound of the registers that a block uses, given those of the blocks before it.
/// Fails with the first word that breaks a rule.
fn block<'a>(
    words: &[Word],
    callees: &[u16],
    cases: impl Fn(Word) -> &'a [CaseRow],
) -> Result<u16, (usize, Rule)> {
    let ends = ends(words)?;
    let (mut open, mut heads, mut registers) = (Vec::<Region>::new(), Vec::new(), 0);
    for (at, word) in words.iter().enumerate() {
        while open.last().is_some_and(|region| region.end < at) {
            open.pop();
        }
        let outside = Region { head: 0, end: words.len(), register: u16::MAX };
        let around = open.last().copied().unwrap_or(outside);
        push(&mut heads, around.head).map_err(|rule| (at, rule))?;
        let used = used(*word, callees);
        let inside = used <= around.register && ends[at] <= around.end;
        Rule::LoopNested.must(inside).map_err(|rule| (at, rule))?;
        registers = registers.max(used);
        if word.op() == Some(Op::Loop) {
            let region = Region { head: at, end: ends[at], register: word.x.into() };
            push(&mut open, region).map_err(|rule| (at, rule))?;
        }
    }
    entered(words, &heads, cases)?;
    Ok(registers)
}

/// Returns the last `again` of each `loop`; 0 for other words.
fn ends(words: &[Word]) -> Result<Vec<usize>, (usize, Rule)> {
    let mut ends = Vec::new();
    fill(&mut ends, words.len(), 0).map_err(|rule| (0, rule))?;
    for (at, again) in words.iter().enumerate().filter(|(_, word)| word.op() == Some(Op::Again)) {
        let head = at.checked_sub(again.b.into());
        let is_own = |head: &usize| words[*head].op() == Some(Op::Loop) && words[*head].x == again.x;
        Rule::LoopBack.must(head.as_ref().is_some_and(is_own)).map_err(|rule| (at, rule))?;
        ends[head.unwrap_or(0)] = at;
    }
    Ok(ends)
}

/// Returns an upper bound of the registers that an instruction uses with all that it calls. An
/// `again` counts as 0: its loop has counted the register.
fn used(word: Word, callees: &[u16]) -> u16 {
    if word.op() == Some(Op::Loop) {
        return u16::from(word.x) + 1;
    }
    let callee = word.op().and_then(|op| op.operand(word, Runs::Block));
    callee.map_or(0, |callee| callees[callee as usize])
}

/// Checks that every way into a loop begins inside it or at its `loop`. `heads` has the innermost
/// `loop` around each word.
fn entered<'a>(
    words: &[Word],
    heads: &[usize],
    cases: impl Fn(Word) -> &'a [CaseRow],
) -> Result<(), (usize, Rule)> {
    for (at, word) in words.iter().enumerate() {
        let enters = |distance: u16| heads[at + usize::from(distance)] > at;
        let entered = match word.op().map(Op::flow) {
            Some(Flow::Branch | Flow::Jump | Flow::Again) => enters(word.t),
            Some(Flow::Switch) => cases(*word).iter().any(|case| enters(case.target)),
            Some(Flow::Exits) => {
                let exits = words[at + 1];
                [word.t, exits.a, exits.b, exits.t].into_iter().any(enters)
            }
            Some(Flow::Next | Flow::End | Flow::Data) | None => false,
        };
        Rule::LoopEntered.must(!entered).map_err(|rule| (at, rule))?;
    }
    Ok(())
}
