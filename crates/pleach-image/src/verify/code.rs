//! Control flow and operands of blocks.
//!
//! [`super::sweep`] quickly confirms that a block is valid. If it cannot confirm that, this module
//! checks word by word and operand by operand, and finds the first broken rule.

use super::sweep::{self, Sweep};
use super::switches::Switches;
use super::{Rule, Subject, agree, fill, memory};
use crate::error::ImageError;
use crate::format::{BlockRow, SectionKind};
use crate::isa::operand::{Runs, Shape};
use crate::isa::{Flow, Op, Word};
use alloc::vec::Vec;

/// Memory that the blocks of one image leave to those of the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    sweep: sweep::Scratch,
    depths: Vec<u32>,
    reached: Vec<bool>,
}

/// Checks every block. Returns true if there may be loops, which are checked afterwards.
pub(super) fn check(
    subject: &Subject<'_>,
    shape: &mut Shape,
    scratch: &mut Scratch,
) -> Result<bool, ImageError> {
    let view = &subject.view;
    let declared = view.meta.first().map_or(0, |meta| meta.call_depth);
    let largest = view.blocks.iter().map(|block| block.count).max().unwrap_or(0);
    let Scratch { sweep, depths, reached } = scratch;
    let mut sweep = Sweep::new(shape, largest as usize, sweep).map_err(memory(largest as usize))?;
    let mut switches = Switches { tables: view.tables, cases: view.cases };
    let depths = fill(depths, view.blocks.len() + 1, 0).map_err(memory(view.blocks.len()))?;
    let mut sure = true;
    for (index, row) in view.blocks.iter().enumerate() {
        shape.block = index as u32;
        let words = &view.code[row.first as usize..][..row.count as usize];
        let (asked, before) = (switches, &depths[..=index]);
        let depth = match sweep.depth(words, shape, before, &mut switches) {
            Some(depth) => {
                debug_assert!(
                    agree(precise(words, shape, before, &mut asked.clone(), reached), depth),
                    "the sweep is too generous"
                );
                depth
            }
            None => {
                // The sweep never confirms a block with a loop.
                sure = false;
                switches = asked;
                let depth = precise(words, shape, before, &mut switches, reached);
                depth.map_err(|(at, rule)| fail(subject, row, at, rule))?
            }
        };
        Rule::CallDepth.must(depth <= declared).map_err(|rule| fail(subject, row, 0, rule))?;
        depths[index + 1] = depth + 1;
    }
    Ok(!sure)
}

#[cold]
pub(super) fn fail(subject: &Subject<'_>, block: &BlockRow, at: usize, rule: Rule) -> ImageError {
    let row = block.first as usize + at;
    let found = subject.view.code.get(row).map_or(0, |word| word.bits());
    subject.fail(rule, SectionKind::Code, row, found)
}

/// Returns the nesting depth of the calls of a block, or the first word that breaks a rule.
/// `depths` has the depth without any call, then the depth by a call of each earlier block.
#[cold]
fn precise(
    words: &[Word],
    shape: &Shape,
    depths: &[u32],
    switches: &mut Switches<'_>,
    reached: &mut Vec<bool>,
) -> Result<u32, (usize, Rule)> {
    let reached = fill(reached, words.len(), false).map_err(|rule| (0, rule))?;
    let mut block = Block { words, shape, switches, reached, at: 0 };
    block.check().map_err(|rule| (block.at, rule))?;
    let callees = words.iter().filter_map(|word| word.op()?.operand(*word, Runs::Block));
    Ok(callees.map(|callee| depths[callee as usize + 1]).max().unwrap_or(0))
}

/// Block that is being checked.
struct Block<'a, 'v> {
    words: &'a [Word],
    shape: &'a Shape,
    switches: &'a mut Switches<'v>,
    /// Marks of the words that control can reach. All ways lead forward, so the mark of a word is
    /// final when the pass comes to it.
    reached: &'a mut [bool],
    /// Index of the current word.
    at: usize,
}

impl Block<'_, '_> {
    fn check(&mut self) -> Result<(), Rule> {
        self.reached[0] = true;
        while let Some(word) = self.words.get(self.at) {
            self.instruction(*word)?;
            self.at += 1;
        }
        Ok(())
    }

    fn instruction(&mut self, word: Word) -> Result<(), Rule> {
        let Some(op) = word.op() else { return Rule::OpUnknown.broken() };
        Rule::Unreachable.must(self.reached[self.at] || op.flow() == Flow::Data)?;
        op.check(word, self.shape)?;
        match op.flow() {
            Flow::Next => self.next(),
            Flow::Branch => {
                self.next()?;
                self.target(word.t)
            }
            // The way back of an `again` leads to a word that has been reached already.
            Flow::Again | Flow::Jump => self.target(word.t),
            Flow::Switch => self.switch(word),
            Flow::Exits => self.exits(word),
            Flow::End => Ok(()),
            Flow::Data => Rule::TargetData.broken(),
        }
    }

    fn target(&mut self, distance: u16) -> Result<(), Rule> {
        self.reach(distance, Rule::TargetRange)
    }

    fn next(&mut self) -> Result<(), Rule> {
        self.reach(1, Rule::FallsOff)
    }

    fn reach(&mut self, distance: u16, rule: Rule) -> Result<(), Rule> {
        let Some(reached) = self.reached.get_mut(self.at + usize::from(distance)) else {
            return rule.broken();
        };
        *reached = true;
        Ok(())
    }

    /// Follows the cases of a table.
    fn switch(&mut self, word: Word) -> Result<(), Rule> {
        let cases = self.switches.next(word.a, self.shape.tables);
        Rule::TableRange.must(cases.is_some())?;
        for case in cases.unwrap_or_default() {
            Rule::TargetBackward.must(case.target > 0)?;
            self.target(case.target)?;
        }
        self.next()
    }

    /// Follows four exits, and skips the word that holds three of them.
    fn exits(&mut self, word: Word) -> Result<(), Rule> {
        let Some(exits) = self.words.get(self.at + 1) else { return Rule::ExitsMissing.broken() };
        Rule::ExitsMissing.must(exits.op() == Some(Op::Exits))?;
        let targets = [word.t, exits.a, exits.b, exits.t];
        Rule::UnusedField.must(exits.x == 0)?;
        Rule::TargetBackward.must(!targets.contains(&0))?;
        for target in targets {
            self.target(target)?;
        }
        Rule::TargetData.must(!self.reached[self.at + 1])?;
        self.at += 1;
        Ok(())
    }
}
