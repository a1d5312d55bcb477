//! Differences between two programs, by the meaning of their nodes.
//!
//! Nodes of two programs are paired in three steps: roots and the children of paired nodes, by
//! equal subtrees and by stable keys; then, for the rest, equal subtrees, which have been moved;
//! then leaves that stand in one place. A pair may differ in its words, in its parent, and in its
//! order among its siblings. Nodes without a partner have been added or removed. Reformatting and
//! comments make no difference. Two programs are said to be equal exactly if their [behavior
//! keys](pleach_image::Image::behavior_key) are.

mod code;
mod order;
mod outline;
mod pairs;

pub use outline::{Outline, OutlineNode};

use order::out_of_order;
use pairs::Pairs;
use std::collections::{BTreeMap, HashSet};

/// Difference between two programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Kind of difference.
    pub change: Change,
    /// Tree or declaration that has changed.
    pub subject: String,
    /// The difference in words.
    pub text: String,
    /// Node of the new program; of the old one if it was removed. None for declarations.
    pub node: Option<usize>,
}

/// Kind of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Is only in the new program.
    Added,
    /// Is only in the old program.
    Removed,
    /// Has another meaning.
    Changed,
    /// Has another parent or another place among its siblings.
    Moved,
}

impl Change {
    /// Returns the sign of the change at the beginning of a line.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Added => '+',
            Self::Removed => '-',
            Self::Changed => '~',
            Self::Moved => '>',
        }
    }

    /// Returns the name of the change, for programs and styles.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Moved => "moved",
        }
    }
}

/// Differences between two programs.
#[derive(Clone, Debug)]
pub struct Differences {
    /// All differences: declarations first, then tree by tree.
    pub list: Vec<Difference>,
    /// For each node of the old program, its partner in the new one.
    pub partners: Vec<Option<usize>>,
}

/// Compares two programs.
#[must_use]
pub fn compare(old: &Outline, new: &Outline) -> Differences {
    let pairs = Pairs::new(old, new);
    let mut list = Vec::new();
    if old.behavior != new.behavior {
        declarations(&old.declarations, &new.declarations, &mut list);
        let roots = [old.roots(), new.roots()];
        let mut found = Comparison { old, new, roots, pairs: &pairs, list: Vec::new() };
        found.removed();
        found.others();
        list.append(&mut found.list);
        deduplicate(&mut list, old, new);
        if list.is_empty() {
            let text = "something else than the words of nodes and declarations differs".to_owned();
            let subject = "program".to_owned();
            list.push(Difference { change: Change::Changed, subject, text, node: None });
        }
    }
    Differences { list, partners: pairs.of_old }
}

fn declarations(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>, list: &mut Vec<Difference>) {
    let mut add = |change, name: &str, text: String| {
        let subject = "declarations".to_owned();
        let text = format!("{name}{text}");
        list.push(Difference { change, subject, text, node: None });
    };
    let shown = |value: &str| if value.is_empty() { String::new() } else { format!(": {value}") };
    for (name, value) in old {
        match new.get(name) {
            None => add(Change::Removed, name, shown(value)),
            Some(other) if other != value => add(Change::Changed, name, format!(": {value} -> {other}")),
            Some(_) => {}
        }
    }
    for (name, value) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
        add(Change::Added, name, shown(value));
    }
}

/// A change of a tree is in all its copies, and is told once.
fn deduplicate(list: &mut Vec<Difference>, old: &Outline, new: &Outline) {
    let mut known = HashSet::new();
    list.retain(|it| {
        let outline = if it.change == Change::Removed { old } else { new };
        let place = it.node.map(|node| outline.nodes[node].place.clone());
        known.insert((it.change, it.text.clone(), place, it.node.is_none().then(|| it.subject.clone())))
    });
}

struct Comparison<'a> {
    old: &'a Outline,
    new: &'a Outline,
    /// Roots of the nodes of both.
    roots: [Vec<usize>; 2],
    pairs: &'a Pairs,
    list: Vec<Difference>,
}

impl Comparison<'_> {
    /// Adds a difference at a node of the new program, or at one of the old one if it was removed.
    fn add(&mut self, change: Change, node: usize, text: String) {
        let subject = match change {
            Change::Removed => self.old.nodes[self.roots[0][node]].word.clone(),
            _ => self.new.nodes[self.roots[1][node]].word.clone(),
        };
        self.list.push(Difference { change, subject, text, node: Some(node) });
    }

    /// Lists the subtrees that are only in the old program.
    fn removed(&mut self) {
        let (old, pairs) = (self.old, self.pairs);
        for (node, row) in old.nodes.iter().enumerate() {
            let is_top = row.parent.is_none_or(|parent| pairs.of_old[parent].is_some());
            if pairs.of_old[node].is_none() && is_top {
                let text = match row.parent {
                    Some(parent) => format!("{} removed from under {}", row.text, old.nodes[parent].word),
                    None => format!("{} removed", row.text),
                };
                self.add(Change::Removed, node, text);
            }
        }
    }

    /// Lists the differences at the nodes of the new program, in their order.
    fn others(&mut self) {
        let new = self.new;
        let children = new.children();
        let moved = self.moved(&children);
        let mut before = vec![None; new.nodes.len()];
        for siblings in &children {
            for pair in siblings.windows(2) {
                before[pair[1]] = Some(pair[0]);
            }
        }
        for (node, before) in before.into_iter().enumerate() {
            self.node(node, before, moved.contains(&node));
        }
    }

    fn node(&mut self, node: usize, before: Option<usize>, is_moved: bool) {
        let (old, new) = (self.old, self.new);
        let row = &new.nodes[node];
        let under = row.parent.map(|parent| new.nodes[parent].word.as_str());
        let behind = before.map_or("first".to_owned(), |before| format!("behind {}", new.nodes[before].word));
        let Some(partner) = self.pairs.of_new[node] else {
            let is_top = row.parent.is_none_or(|parent| self.pairs.of_new[parent].is_some());
            // What is around something that stays is told, too.
            if is_top {
                let text = match under {
                    Some(under) => format!("{} added under {under}, {behind}", row.text),
                    None => format!("{} added", row.text),
                };
                self.add(Change::Added, node, text);
            }
            return;
        };
        let was = &old.nodes[partner];
        if was.text != row.text {
            self.add(Change::Changed, node, format!("{} -> {}", was.text, row.text));
        }
        let stays = match (was.parent, row.parent) {
            (Some(was), Some(is)) => self.pairs.of_old[was] == Some(is),
            (None, None) => true,
            _ => false,
        };
        if !stays {
            let under = under.unwrap_or("no node");
            self.add(Change::Moved, node, format!("{} moved under {under}, {behind}", row.word));
        } else if is_moved {
            self.add(Change::Moved, node, format!("{} moved {behind}", row.word));
        }
    }

    /// Returns the nodes of the new program whose order among their siblings has changed.
    fn moved(&self, children: &[Vec<usize>]) -> HashSet<usize> {
        let mut moved = HashSet::new();
        for siblings in children {
            let stays = |node: &usize| {
                let partner = self.pairs.of_new[*node]?;
                let was = self.old.nodes[partner].parent.and_then(|parent| self.pairs.of_old[parent]);
                (was == self.new.nodes[*node].parent).then_some((*node, partner))
            };
            let paired: Vec<_> = siblings.iter().filter_map(stays).collect();
            let places: Vec<_> = paired.iter().map(|(_, partner)| *partner).collect();
            moved.extend(out_of_order(&places).into_iter().map(|index| paired[index].0));
        }
        moved
    }
}
