//! Places of agents among rules: what the columns of a chunk hold of them.

use super::Chunk;
use crate::rules::{JumpError, RestoreError, Rule, Rules, SaveError, Saved};
use alloc::borrow::ToOwned;

impl Rules {
    /// What a lane's position holds.
    pub(crate) fn position(&self, chunk: &Chunk, lane: u8) -> u16 {
        chunk.half(self.position, lane)
    }

    /// The rule that an agent is at.
    pub(crate) fn current(&self, chunk: &Chunk, lane: u8) -> Option<Rule> {
        let tree = self.tree(chunk.entry);
        match chunk.half(self.position, lane) {
            // The first rule is the second node behind the tree's.
            0 => Some(Rule(tree + 2)),
            node if node == tree => None,
            node => Some(Rule(node)),
        }
    }

    /// Whether an agent's rule has been run since the agent came there.
    pub(crate) fn has_run(&self, chunk: &Chunk, lane: u8) -> bool {
        chunk.bit(self.ran, lane)
    }

    /// Notes that an agent's rule has been run; whether it was already.
    #[inline]
    pub(crate) fn note_run(&self, chunk: &mut Chunk, lane: u8) -> bool {
        let ran = chunk.bit(self.ran, lane);
        chunk.set_bit(self.ran, lane, true);
        ran
    }

    /// Whether an agent is at a rule. One that has not left its first rule need not know that.
    #[inline]
    pub(crate) fn is_at(&self, chunk: &Chunk, lane: u8, rule: u16) -> bool {
        let node = chunk.half(self.position, lane);
        node == rule || node == 0
    }

    /// Puts an agent at a rule, which then has not been run.
    #[inline]
    pub(crate) fn put(&self, chunk: &mut Chunk, lane: u8, rule: u16) {
        *chunk.half_mut(self.position, lane) = rule;
        chunk.set_bit(self.ran, lane, false);
    }

    /// Sends an agent to a rule of its tree.
    pub(crate) fn jump(&self, chunk: &mut Chunk, lane: u8, rule: Rule) -> Result<(), JumpError> {
        if !self.is_in(rule, chunk.entry) {
            return Err(JumpError::OtherTree);
        }
        self.put(chunk, lane, rule.0);
        Ok(())
    }

    /// Sends an agent to the rule of its tree that has this id.
    pub(crate) fn jump_to(&self, chunk: &mut Chunk, lane: u8, id: &str) -> Result<(), JumpError> {
        let rule = self.find(chunk.entry, id).ok_or_else(|| JumpError::NoRule(id.to_owned()))?;
        self.put(chunk, lane, rule.0);
        Ok(())
    }

    /// Takes an agent away from all rules. What is noted of its rule stays.
    pub(crate) fn lose(&self, chunk: &mut Chunk, lane: u8) {
        let tree = self.tree(chunk.entry);
        *chunk.half_mut(self.position, lane) = tree;
    }

    /// Where an agent is.
    pub(crate) fn save(&self, chunk: &Chunk, lane: u8) -> Result<Saved<'_>, SaveError> {
        let id = match self.current(chunk, lane) {
            Some(rule) => Some(self.id(rule).ok_or(SaveError::NoId)?),
            None => None,
        };
        Ok(Saved { id, first_run: !self.has_run(chunk, lane) })
    }

    /// Puts an agent where it was. Without an id it stays at its rule.
    pub(crate) fn restore(&self, chunk: &mut Chunk, lane: u8, saved: Saved<'_>) -> Result<(), RestoreError> {
        if let Some(id) = saved.id {
            let rule = self.find(chunk.entry, id).ok_or_else(|| RestoreError::NoRule(id.to_owned()))?;
            self.put(chunk, lane, rule.0);
        }
        chunk.set_bit(self.ran, lane, !saved.first_run);
        Ok(())
    }
}
