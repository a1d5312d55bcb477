//! Control flow and operands, block by block, in one pass.

use super::{Rule, Subject};
use crate::error::ImageError;
use crate::format::{BlockRow, SectionKind};
use crate::isa::operand::Shape;
use crate::isa::table::Follow;
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
        let mut block = Block { words, reached, depths: &depths, depth: 0, at: 0 };
        block.check(&shape).map_err(|(at, rule)| fail(subject, row, at, rule))?;
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
    /// How deep the calls of the earlier blocks nest.
    depths: &'a [u32],
    /// How deep the calls of this block nest.
    depth: u32,
    /// The word the pass has come to.
    at: usize,
}

impl Block<'_> {
    fn check(&mut self, shape: &Shape<'_>) -> Result<(), (usize, Rule)> {
        self.reached[0] = true;
        while let Some(word) = self.words.get(self.at) {
            let at = self.at;
            self.instruction(*word, shape).map_err(|rule| (at, rule))?;
            self.at += 1;
        }
        Ok(())
    }

    #[inline]
    fn instruction(&mut self, word: Word, shape: &Shape<'_>) -> Result<(), Rule> {
        let op = word.op().ok_or(Rule::OpUnknown)?;
        if !self.reached[self.at] && op != Op::Exits {
            return Err(Rule::Unreachable);
        }
        op.check(word, shape, self)
    }

    #[inline]
    fn target(&mut self, distance: u16) -> Result<(), Rule> {
        *self.reached.get_mut(self.at + usize::from(distance)).ok_or(Rule::TargetRange)? = true;
        Ok(())
    }

    #[inline]
    fn next(&mut self) -> Result<(), Rule> {
        self.target(1).map_err(|_| Rule::FallsOff)
    }

    /// Follows four exits, and passes over the word that holds three of them.
    fn exits(&mut self, word: Word) -> Result<(), Rule> {
        let exits = *self.words.get(self.at + 1).ok_or(Rule::ExitsMissing)?;
        if exits.op() != Some(Op::Exits) {
            return Err(Rule::ExitsMissing);
        }
        let targets = [word.t, exits.a, exits.b, exits.t];
        if exits.x != 0 {
            return Err(Rule::UnusedField);
        }
        if targets.contains(&0) {
            return Err(Rule::TargetBackward);
        }
        for target in targets {
            self.target(target)?;
        }
        if word.op() == Some(Op::Call) {
            self.depth = self.depth.max(self.depths[usize::from(word.a)] + 1);
        }
        self.at += 1;
        if self.reached[self.at] { Err(Rule::TargetData) } else { Ok(()) }
    }
}

impl Follow for Block<'_> {
    #[inline(always)]
    fn follow(&mut self, flow: Flow, word: Word) -> Result<(), Rule> {
        match flow {
            Flow::Next => self.next(),
            Flow::Branch => {
                self.next()?;
                self.target(word.t)
            }
            Flow::Jump => self.target(word.t),
            Flow::Exits => self.exits(word),
            Flow::End => Ok(()),
            Flow::Data => Err(Rule::TargetData),
        }
    }
}
