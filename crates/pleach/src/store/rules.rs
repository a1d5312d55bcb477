//! Rules: the places of a tree where agents are, and the names by which hosts reach them.
//!
//! In some dialects an agent is *at* a rule, and a host can send it to any that has an id
//! ([`crate::Crowd::rules_mut`], and [`crate::Call::jump`] from inside a call), or save which one
//! it is at and restore it in another build of the tree.
//!
//! The saved form is small and does not change: a zero for its version, a byte of flags (1: the
//! agent is at a rule, 2: that rule has not been run since it came there), and, if it is at a rule,
//! the length of its id in a byte and the id.

use crate::layout::Rules;
use crate::store::chunk::Chunk;
use crate::values::{Agent, Rule, StaleAgent};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Tick that was cut short because more rules ran than the step limit allows.
#[derive(Clone, Copy, Debug)]
pub struct RunawayTick<'a> {
    /// Agent whose tick was cut short. The agent stays where it was at that moment.
    pub agent: Agent,
    pub(crate) runs: &'a [u16],
    pub(crate) rules: &'a Rules,
}

impl<'a> RunawayTick<'a> {
    /// Returns the rules that have run, in order.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = Rule> + 'a {
        self.runs.iter().map(|node| Rule(*node))
    }

    /// Returns the ids of the rules that have run, in order; `None` for a rule without an id.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = Option<&'a str>> + use<'a> {
        let rules = self.rules;
        self.runs.iter().map(move |node| rules.id(Rule(*node)))
    }
}

/// Reason why an agent was not sent to a rule, or why its rule was not saved or restored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleError {
    /// The agent is gone.
    Stale,
    /// The program has no rules.
    NoRules,
    /// The agent's tree has no rule with this id.
    NoRule(String),
    /// The rule is in another tree.
    OtherTree,
    /// The agent is at a rule without an id, or the id is longer than 255 bytes.
    NoId,
    /// The bytes have a version that is not known.
    Version(u8),
    /// The bytes are not those of a saved rule.
    Malformed,
}

impl From<StaleAgent> for RuleError {
    fn from(StaleAgent: StaleAgent) -> Self {
        Self::Stale
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => StaleAgent.fmt(out),
            Self::NoRules => out.write_str("agents of this program are at no rules"),
            Self::NoRule(id) => write!(out, "the tree has no rule `{id}`"),
            Self::OtherTree => out.write_str("the rule is in another tree"),
            Self::NoId => out.write_str("the agent is at a rule without an id"),
            Self::Version(version) => write!(out, "version {version} of saved places is not known"),
            Self::Malformed => out.write_str("these bytes are no saved place"),
        }
    }
}

impl core::error::Error for RuleError {}

/// The version of the saved form.
const VERSION: u8 = 0;
/// Flag of the saved form: there is an id.
const IS_AT_RULE: u8 = 1;
/// Flag of the saved form: the rule has not been run since the agent came there.
const FIRST_RUN: u8 = 2;

/// A saved place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Saved<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) first_run: bool,
}

impl<'a> Saved<'a> {
    /// Appends the bytes. An id has at most 255: longer ones cannot be saved.
    pub(crate) fn write(self, out: &mut Vec<u8>) -> Result<(), RuleError> {
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        let length = self.id.map(|id| u8::try_from(id.len())).transpose().map_err(|_| RuleError::NoId)?;
        out.extend([VERSION, flag(self.id.is_some(), IS_AT_RULE) | flag(self.first_run, FIRST_RUN)]);
        out.extend(length);
        out.extend(self.id.into_iter().flat_map(str::bytes));
        Ok(())
    }

    /// Reads all bytes.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, RuleError> {
        let (flags, rest) = match bytes {
            [VERSION, flags, rest @ ..] if flags & !(IS_AT_RULE | FIRST_RUN) == 0 => (*flags, rest),
            [VERSION, ..] | [] => return Err(RuleError::Malformed),
            [version, ..] => return Err(RuleError::Version(*version)),
        };
        let id = match (flags & IS_AT_RULE != 0, rest) {
            (false, []) => None,
            (true, [length, id @ ..]) if id.len() == usize::from(*length) => {
                Some(core::str::from_utf8(id).map_err(|_| RuleError::Malformed)?)
            }
            _ => return Err(RuleError::Malformed),
        };
        Ok(Self { id, first_run: flags & FIRST_RUN != 0 })
    }
}

impl Rules {
    /// Returns the rule that an agent is at.
    pub(crate) fn current(&self, chunk: &Chunk, lane: u8) -> Option<Rule> {
        let tree = self.entries.get(chunk.entry as usize).copied().unwrap_or(0);
        match chunk.half(self.position, lane) {
            // The first rule is the second node behind the tree's.
            0 => Some(Rule(tree + 2)),
            node if node == tree => None,
            node => Some(Rule(node)),
        }
    }

    /// Notes that an agent's rule has been run. Returns true if it had been run before.
    #[inline]
    pub(crate) fn note_run(&self, chunk: &mut Chunk, lane: u8) -> bool {
        let ran = chunk.bit(self.ran, lane);
        chunk.set_bit(self.ran, lane, true);
        ran
    }

    /// Returns true if an agent is at a rule. One that has not left its first rule need not know
    /// that.
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
    pub(crate) fn jump(&self, chunk: &mut Chunk, lane: u8, rule: Rule) -> Result<(), RuleError> {
        if !self.is_in(rule, chunk.entry) {
            return Err(RuleError::OtherTree);
        }
        self.put(chunk, lane, rule.0);
        Ok(())
    }

    /// Sends an agent to the rule of its tree that has this id.
    pub(crate) fn jump_to(&self, chunk: &mut Chunk, lane: u8, id: &str) -> Result<(), RuleError> {
        let rule = self.find(chunk.entry, id).ok_or_else(|| RuleError::NoRule(id.to_owned()))?;
        self.put(chunk, lane, rule.0);
        Ok(())
    }

    /// Takes an agent away from all rules. The note whether its rule has been run stays.
    pub(crate) fn lose(&self, chunk: &mut Chunk, lane: u8) {
        let tree = self.entries.get(chunk.entry as usize).copied().unwrap_or(0);
        *chunk.half_mut(self.position, lane) = tree;
    }

    /// Returns the saved form of an agent's rule.
    pub(crate) fn save(&self, chunk: &Chunk, lane: u8) -> Result<Saved<'_>, RuleError> {
        let id = match self.current(chunk, lane) {
            Some(rule) => Some(self.id(rule).ok_or(RuleError::NoId)?),
            None => None,
        };
        Ok(Saved { id, first_run: !chunk.bit(self.ran, lane) })
    }

    /// Puts an agent where it was. Without an id it stays at its rule.
    pub(crate) fn restore(&self, chunk: &mut Chunk, lane: u8, saved: Saved<'_>) -> Result<(), RuleError> {
        if let Some(id) = saved.id {
            self.jump_to(chunk, lane, id)?;
        }
        chunk.set_bit(self.ran, lane, !saved.first_run);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_place_reads_as_it_was_written() {
        for saved in [
            Saved { id: Some("root.a"), first_run: true },
            Saved { id: Some("\u{e9}"), first_run: false },
            Saved { id: None, first_run: true },
        ] {
            let mut bytes = Vec::new();
            saved.write(&mut bytes).expect("the id is short");
            assert_eq!(Saved::read(&bytes), Ok(saved));
            for length in 0..bytes.len() {
                assert_eq!(Saved::read(&bytes[..length]), Err(RuleError::Malformed), "{length} of {bytes:?}");
            }
            bytes.push(b'x');
            assert_eq!(Saved::read(&bytes), Err(RuleError::Malformed));
        }
    }

    #[test]
    fn the_saved_form_is_what_it_was() {
        let mut bytes = Vec::new();
        Saved { id: Some("ab"), first_run: true }.write(&mut bytes).expect("the id is short");
        assert_eq!(bytes, [0, 3, 2, b'a', b'b']);
        assert_eq!(Saved::read(&[0, 1, 1, b'b']), Ok(Saved { id: Some("b"), first_run: false }));
    }

    #[test]
    fn forged_places_are_refused() {
        assert_eq!(Saved::read(&[1, 0]), Err(RuleError::Version(1)));
        assert_eq!(Saved::read(&[0, 4]), Err(RuleError::Malformed));
        assert_eq!(Saved::read(&[0, 1, 1, 0xff]), Err(RuleError::Malformed));
        let long = "x".repeat(256);
        let mut bytes = Vec::new();
        assert_eq!(Saved { id: Some(&long), first_run: false }.write(&mut bytes), Err(RuleError::NoId));
        assert_eq!(bytes, []);
    }
}
