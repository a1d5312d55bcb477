//! Rules that agents can be at: their names and their trees.

use crate::values::Rule;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::{vec, vec::Vec};
use pleach_image::Image;
use pleach_image::format::EntryRow;

/// Columns of agents' rules, and the rules of a program.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// First elements of the columns.
    pub(crate) position: u32,
    pub(crate) ran: u32,
    /// Number of rules that may run in a tick, unless the host sets another.
    pub(crate) limit: u16,
    /// The nodes of trees.
    pub(crate) trees: Vec<u16>,
    /// For each entry, its tree.
    pub(crate) entries: Vec<u16>,
    /// By node, its name.
    pub(crate) names: Vec<Option<Box<str>>>,
    /// Rules with an id, by tree and id.
    pub(crate) ids: BTreeMap<(u16, Box<str>), u16>,
}

impl Rules {
    /// Returns the rules of an image, if agents are at one.
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
            // The node exists by rule V0227.
            rules.names[usize::from(row.node)] = Some(name);
        }
        let tree = |entry: &EntryRow| trees.get(image.name(entry.name)).copied().unwrap_or(0);
        rules.entries = image.entries().iter().map(tree).collect();
        Some(Box::new(rules))
    }

    /// Returns the id of a rule.
    pub(crate) fn id(&self, rule: Rule) -> Option<&str> {
        self.names.get(usize::from(rule.0))?.as_deref()
    }

    /// Returns all rules with their ids, if they have one.
    pub(crate) fn all_ids(&self) -> impl Iterator<Item = (u16, Option<&str>)> {
        (0..).zip(self.names.iter().map(Option::as_deref))
    }

    /// Returns a rule with this id, of whatever tree.
    pub(crate) fn of_id(&self, id: &str) -> Option<u16> {
        self.all_ids().find(|(_, of)| *of == Some(id)).map(|(node, _)| node)
    }

    /// Returns the rule of an entry that has this id.
    pub(crate) fn find(&self, entry: u32, id: &str) -> Option<Rule> {
        let tree = *self.entries.get(entry as usize)?;
        self.ids.get(&(tree, id.into())).map(|node| Rule(*node))
    }

    /// Returns the number of rules of the largest tree. `nodes` is the number of nodes plus one.
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

    /// Returns true if a rule is in the tree of an entry.
    pub(crate) fn is_in(&self, rule: Rule, entry: u32) -> bool {
        let around = self.trees.partition_point(|tree| *tree <= rule.0).checked_sub(1);
        let tree = around.map(|tree| self.trees[tree]);
        tree.is_some() && tree == self.entries.get(entry as usize).copied()
    }

    /// Returns true if a place is a tree and not one of its rules.
    pub(crate) fn is_tree(&self, rule: Rule) -> bool {
        self.trees.binary_search(&rule.0).is_ok()
    }

    /// Returns true if a node is a place of agents of an entry: a rule of its tree, or the tree
    /// itself.
    pub(crate) fn is_place(&self, rule: Rule, entry: u32) -> bool {
        // A number beyond all nodes would be in the last tree.
        usize::from(rule.0) < self.names.len() && self.is_in(rule, entry)
    }
}
