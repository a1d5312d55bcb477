//! Rules: the places of a tree where agents are, and the names by which hosts reach them.
//!
//! In some dialects an agent is *at* a rule, and a host can send it to any that has an id ([`crate::Crowd::jump`], and
//! [`crate::Call::jump`] from inside a call), or save which one it is at and restore it in another build of the tree.
//!
//! The saved form is small and does not change: a zero for its version, a byte of flags (1: the agent is at a rule, 2: that
//! rule has not been run since it came there), and, if it is at a rule, the length of its id in a byte and the id.

use crate::agents::{Agent, Stale};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::{vec, vec::Vec};
use core::fmt;
use pleach_image::Image;
use pleach_image::format::EntryRow;

/// A rule of a program. In another build of the same trees, look it up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rule(pub(crate) u16);

impl Rule {
    /// The id of its node, as [`crate::Call::node`] has it.
    #[must_use]
    pub fn node(self) -> u32 {
        self.0.into()
    }
}

/// A tick in which too many rules have run.
#[derive(Clone, Copy, Debug)]
pub struct RunAway<'a> {
    /// Whose tick it was. The agent stays where it was at that moment.
    pub agent: Agent,
    pub(crate) runs: &'a [u16],
    pub(crate) rules: &'a Rules,
}

impl<'a> RunAway<'a> {
    /// The rules that have run, in order.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = Rule> + 'a {
        self.runs.iter().map(|node| Rule(*node))
    }

    /// Their ids, for those that have one.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = Option<&'a str>> + use<'a> {
        let rules = self.rules;
        self.runs.iter().map(move |node| rules.id(Rule(*node)))
    }
}

/// Why an agent cannot be sent to a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JumpError {
    /// The agent is gone.
    Stale,
    /// Agents of this program are at no rules.
    NoRules,
    /// The agent's tree has no rule with this id.
    NoRule(String),
    /// The rule is in another tree than the agent.
    OtherTree,
}

impl fmt::Display for JumpError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => Stale.fmt(out),
            Self::NoRules => out.write_str("agents of this program are at no rules"),
            Self::NoRule(id) => write!(out, "the tree has no rule `{id}`"),
            Self::OtherTree => out.write_str("the rule is in another tree"),
        }
    }
}

impl core::error::Error for JumpError {}

/// Why the place of an agent cannot be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveError {
    /// The agent is gone.
    Stale,
    /// Agents of this program are at no rules.
    NoRules,
    /// The rule that the agent is at has no id.
    NoId,
}

impl fmt::Display for SaveError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => Stale.fmt(out),
            Self::NoRules => JumpError::NoRules.fmt(out),
            Self::NoId => out.write_str("the agent is at a rule without an id"),
        }
    }
}

impl core::error::Error for SaveError {}

/// Why the place of an agent cannot be restored. The agent is where it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestoreError {
    /// The agent is gone.
    Stale,
    /// Agents of this program are at no rules.
    NoRules,
    /// The form has a version that is not known.
    Version(u8),
    /// The bytes are no saved form: too few, too many, unknown flags, or an id that is no text.
    Malformed,
    /// The agent's tree has no rule with this id. [`crate::Crowd::lose`] is for hosts that want the agent to be at none.
    NoRule(String),
}

impl fmt::Display for RestoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => Stale.fmt(out),
            Self::NoRules => JumpError::NoRules.fmt(out),
            Self::Version(version) => write!(out, "version {version} of saved places is not known"),
            Self::Malformed => out.write_str("these bytes are no saved place"),
            Self::NoRule(id) => write!(out, "the tree has no rule `{id}`"),
        }
    }
}

impl core::error::Error for RestoreError {}

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
    pub(crate) fn write(self, out: &mut Vec<u8>) -> Result<(), SaveError> {
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        let length = self.id.map(|id| u8::try_from(id.len())).transpose().map_err(|_| SaveError::NoId)?;
        out.extend([VERSION, flag(self.id.is_some(), IS_AT_RULE) | flag(self.first_run, FIRST_RUN)]);
        out.extend(length);
        out.extend(self.id.into_iter().flat_map(str::bytes));
        Ok(())
    }

    /// Reads all bytes.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, RestoreError> {
        let (flags, rest) = match bytes {
            [VERSION, flags, rest @ ..] if flags & !(IS_AT_RULE | FIRST_RUN) == 0 => (*flags, rest),
            [VERSION, ..] | [] => return Err(RestoreError::Malformed),
            [version, ..] => return Err(RestoreError::Version(*version)),
        };
        let id = match (flags & IS_AT_RULE != 0, rest) {
            (false, []) => None,
            (true, [length, id @ ..]) if id.len() == usize::from(*length) => {
                Some(core::str::from_utf8(id).map_err(|_| RestoreError::Malformed)?)
            }
            _ => return Err(RestoreError::Malformed),
        };
        Ok(Self { id, first_run: flags & FIRST_RUN != 0 })
    }
}

/// Where agents keep their rule, and what rules there are.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// First elements of the columns.
    pub(crate) position: u32,
    pub(crate) ran: u32,
    /// How many rules may run in a tick, unless the host says otherwise.
    pub(crate) limit: u16,
    /// The nodes of trees.
    trees: Vec<u16>,
    /// For each entry, its tree.
    entries: Vec<u16>,
    /// By node, its name.
    names: Vec<Option<Box<str>>>,
    /// Those that can be found, by tree and name.
    ids: BTreeMap<(u16, Box<str>), u16>,
}

impl Rules {
    /// The rules of an image, if agents are at one.
    pub(crate) fn of<D: AsRef<[u8]>>(image: &Image<D>, column: impl Fn(u16) -> u32) -> Option<Box<Self>> {
        let cursor = image.cursor()?;
        let nodes = image.meta().nodes as usize;
        let mut rules = Self {
            position: column(cursor.position),
            ran: column(cursor.ran),
            limit: cursor.limit,
            trees: Vec::new(),
            entries: Vec::new(),
            names: vec![None; nodes + 1],
            ids: BTreeMap::new(),
        };
        let mut trees = BTreeMap::new();
        for row in image.ids() {
            let name: Box<str> = image.name(row.name).into();
            if row.node == row.tree {
                rules.trees.push(row.node);
                trees.insert(name, row.node);
                continue;
            }
            if row.listed != 0 {
                rules.ids.insert((row.tree, name.clone()), row.node);
            }
            // Rule V0227: the node is there.
            rules.names[usize::from(row.node)] = Some(name);
        }
        let tree = |entry: &EntryRow| trees.get(image.name(entry.name)).copied().unwrap_or(0);
        rules.entries = image.entries().iter().map(tree).collect();
        Some(Box::new(rules))
    }

    /// The id of a rule.
    pub(crate) fn id(&self, rule: Rule) -> Option<&str> {
        self.names.get(usize::from(rule.0))?.as_deref()
    }

    /// All rules with their ids, if they have one.
    pub(crate) fn all_ids(&self) -> impl Iterator<Item = (u16, Option<&str>)> {
        (0..).zip(self.names.iter().map(Option::as_deref))
    }

    /// A rule with this id, of whatever tree.
    pub(crate) fn of_id(&self, id: &str) -> Option<u16> {
        self.all_ids().find(|(_, of)| *of == Some(id)).map(|(node, _)| node)
    }

    /// The rule of an entry that has this id.
    pub(crate) fn find(&self, entry: u32, id: &str) -> Option<Rule> {
        let tree = *self.entries.get(entry as usize)?;
        self.ids.get(&(tree, id.into())).map(|node| Rule(*node))
    }

    /// How many rules the largest tree has, in a program of so many nodes with the one that is none.
    pub(crate) fn most(&self, nodes: usize) -> usize {
        let ends = self.trees.iter().skip(1).map(|tree| usize::from(*tree)).chain([nodes]);
        // A tree has a node of its own, and one for the loop around its rules.
        self.trees
            .iter()
            .zip(ends)
            .map(|(tree, end)| end.saturating_sub(usize::from(*tree) + 2))
            .max()
            .unwrap_or(0)
    }

    /// Returns the node of an entry's tree.
    pub(crate) fn tree(&self, entry: u32) -> u16 {
        self.entries.get(entry as usize).copied().unwrap_or(0)
    }

    /// Whether a rule is in the tree of an entry.
    pub(crate) fn is_in(&self, rule: Rule, entry: u32) -> bool {
        let around = self.trees.partition_point(|tree| *tree <= rule.0).checked_sub(1);
        let tree = around.map(|tree| self.trees[tree]);
        tree.is_some() && tree == self.entries.get(entry as usize).copied()
    }

    /// Whether agents keep their rule in the column that begins with this element.
    pub(crate) fn is_position(&self, column: u32) -> bool {
        self.position == column
    }

    /// Whether a place is none of the rules of its tree.
    pub(crate) fn is_tree(&self, rule: Rule) -> bool {
        self.trees.contains(&rule.0)
    }

    /// Whether a node stands for a place of an agent of an entry: a rule of its tree, or none.
    pub(crate) fn is_place(&self, rule: Rule, entry: u32) -> bool {
        // A number beyond all nodes would be in the last tree.
        usize::from(rule.0) < self.names.len() && self.is_in(rule, entry)
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
                assert_eq!(
                    Saved::read(&bytes[..length]),
                    Err(RestoreError::Malformed),
                    "{length} of {bytes:?}"
                );
            }
            bytes.push(b'x');
            assert_eq!(Saved::read(&bytes), Err(RestoreError::Malformed));
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
        assert_eq!(Saved::read(&[1, 0]), Err(RestoreError::Version(1)));
        assert_eq!(Saved::read(&[0, 4]), Err(RestoreError::Malformed));
        assert_eq!(Saved::read(&[0, 1, 1, 0xff]), Err(RestoreError::Malformed));
        let long = "x".repeat(256);
        let mut bytes = Vec::new();
        assert_eq!(Saved { id: Some(&long), first_run: false }.write(&mut bytes), Err(SaveError::NoId));
        assert_eq!(bytes, []);
    }
}
