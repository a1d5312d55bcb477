//! Control flow and operands, block by block, in one pass.

use super::{Rule, Subject};
use crate::error::ImageError;
use crate::format::{BlockRow, SectionKind};
use crate::isa::operand::Shape;
use crate::isa::{Flow, Op, Word};

/// Checks every block.
pub(super) fn check(subject: &Subject<'_>, actions: &[bool]) -> Result<(), ImageError> {
    let view = &subject.view;
    let declared = view.meta.first().map_or(0, |meta| meta.call_depth);
    let largest = view.blocks.iter().map(|block| block.count).max().unwrap_or(0);
    let mut reached = vec![false; largest as usize];
    let mut depths = Vec::with_capacity(view.blocks.len());
    for (index, row) in view.blocks.iter().enumerate() {
        let words = &view.code[row.first as usize..][..row.count as usize];
        let reached = &mut reached[..words.len()];
        reached.fill(false);
        let shape = shape(subject, actions, index as u32);
        let mut block = Block { words, reached, shape, depths: &depths, depth: 0 };
        block.check().map_err(|(at, rule)| fail(subject, row, at, rule))?;
        let depth = block.depth;
        if depth > declared {
            return Err(fail(subject, row, 0, Rule::CallDepth));
        }
        depths.push(depth);
    }
    Ok(())
}

fn fail(subject: &Subject<'_>, block: &BlockRow, at: usize, rule: Rule) -> ImageError {
    let row = block.first as usize + at;
    let found = subject.view.code.get(row).map_or(0, |word| word.bits());
    subject.fail(rule, SectionKind::Code, row, found)
}

fn shape<'a>(subject: &Subject<'a>, actions: &'a [bool], block: u32) -> Shape<'a> {
    let view = subject.view;
    Shape {
        block,
        conditions: view.conditions.len() as u32,
        nodes: view.meta.first().map_or(0, |meta| meta.nodes),
        flags: view.meta.first().map_or(0, |meta| meta.flags),
        actions,
        slots: view.slots,
    }
}

/// A block under check.
struct Block<'a> {
    words: &'a [Word],
    /// Which words control can reach. All ways lead forward, so a word is settled when the pass comes to it.
    reached: &'a mut [bool],
    shape: Shape<'a>,
    /// How deep the calls of the earlier blocks nest.
    depths: &'a [u32],
    /// How deep the calls of this block nest.
    depth: u32,
}

impl Block<'_> {
    fn check(&mut self) -> Result<(), (usize, Rule)> {
        self.reached[0] = true;
        let mut at = 0;
        while at < self.words.len() {
            at += self.instruction(at).map_err(|rule| (at, rule))?;
        }
        Ok(())
    }

    /// Checks the instruction at `at`; the number of words it takes.
    fn instruction(&mut self, at: usize) -> Result<usize, Rule> {
        let word = self.words[at];
        let op = word.op().ok_or(Rule::OpUnknown)?;
        if op.flow() == Flow::Data {
            return Err(Rule::TargetData);
        }
        if !self.reached[at] {
            return Err(Rule::Unreachable);
        }
        op.check(word, &self.shape)?;
        match op.flow() {
            Flow::Next => self.next(at)?,
            Flow::Branch => {
                self.next(at)?;
                self.target(at, word.t)?;
            }
            Flow::Jump => self.target(at, word.t)?,
            Flow::Exits => return self.exits(at, word, op),
            Flow::End | Flow::Data => {}
        }
        Ok(1)
    }

    fn exits(&mut self, at: usize, word: Word, op: Op) -> Result<usize, Rule> {
        let exits = *self.words.get(at + 1).ok_or(Rule::ExitsMissing)?;
        if exits.op() != Some(Op::Exits) {
            return Err(Rule::ExitsMissing);
        }
        Op::Exits.check(exits, &self.shape)?;
        for target in [word.t, exits.a, exits.b, exits.t] {
            self.target(at, target)?;
        }
        if self.reached[at + 1] {
            return Err(Rule::TargetData);
        }
        if op == Op::Call {
            self.depth = self.depth.max(self.depths[usize::from(word.a)] + 1);
        }
        Ok(2)
    }

    fn next(&mut self, at: usize) -> Result<(), Rule> {
        *self.reached.get_mut(at + 1).ok_or(Rule::FallsOff)? = true;
        Ok(())
    }

    fn target(&mut self, at: usize, distance: u16) -> Result<(), Rule> {
        *self.reached.get_mut(at + usize::from(distance)).ok_or(Rule::TargetRange)? = true;
        Ok(())
    }
}
