//! Leaves that take the place of what runs, and what is halted before them.
//!
//! A node that chooses anew in each tick halts all that is not chosen, child by child, and goes on to the leaf that is. Where these
//! halts are about every other node that the position can hold, they and the leaf are one step: it clears the position, tells the host
//! what does not go on, and begins. (The leaf alone would put its node into the position first. That makes a difference if
//! the host panics.) Who holds the leaf already comes to that step as well, as it halts nothing for them.

use super::Builder;
use crate::code::step::{Code as Plain, NONE, Step as Word};
use crate::code::table::{Case, Table};
use crate::code::wrap::Wrappers;
use crate::engine::batch::code::Op;
use alloc::{vec, vec::Vec};
use hashbrown::{HashMap, HashSet};

/// Most steps from the first halt to the leaf.
const LONGEST: usize = 8;

/// Which steps lead to leaves.
pub(super) struct Leaves {
    /// For each plain step, the exclusive leaf to which it leads those who hold it, and those who hold nothing.
    leads: Vec<u32>,
    /// For each leaf, the first of the halts before it, if they are about all other nodes.
    heads: HashMap<u32, u32>,
}

impl Leaves {
    pub(super) fn of(plain: &Plain, positions: &HashMap<u32, Vec<u16>>, wrappers: &Wrappers) -> Self {
        let bare = |nodes: &Vec<u16>| !nodes.iter().any(|node| wrappers.surround(*node));
        let bare: HashSet<u32> =
            positions.iter().filter(|(_, nodes)| bare(nodes)).map(|(it, _)| *it).collect();
        let mut leaves = Self { leads: vec![NONE; plain.steps.len()], heads: HashMap::default() };
        // Control goes forward, so those that steps lead to have been looked at.
        for (at, word) in plain.steps.iter().enumerate().rev() {
            leaves.leads[at] = leaves.lead(plain, at, *word);
            if let Word::Halt { column, .. } = word
                && leaves.leads[at] != NONE
                && bare.contains(column)
                && leaves.covers(plain, at, &positions[column])
            {
                leaves.heads.insert(leaves.leads[at], at as u32);
            }
        }
        leaves
    }

    fn lead(&self, plain: &Plain, at: usize, word: Word) -> u32 {
        match word {
            Word::Jump { target } => self.leads[target as usize],
            Word::ActExclusive { .. } => at as u32,
            Word::Halt { column, low, high, target } => {
                let leaf = self.leads[target as usize];
                let stays = plain.held_by(leaf, column).is_some_and(|node| !(low..=high).contains(&node));
                if stays { leaf } else { NONE }
            }
            Word::Switch { table, .. } => {
                let next = self.leads.get(at + 1).copied().unwrap_or(NONE);
                let leads = |case: &Case| self.leads[case.target as usize] == next;
                let Table::Sparse(cases) = &plain.tables[table as usize] else { return NONE };
                if cases.iter().all(leads) { next } else { NONE }
            }
            _ => NONE,
        }
    }

    /// Whether the halts from a step on, which leads to a leaf, are about all of these nodes but the leaf's.
    fn covers(&self, plain: &Plain, first: usize, nodes: &[u16]) -> bool {
        let (mut at, mut spans) = (first, Vec::new());
        for _ in 0..LONGEST {
            at = match plain.steps[at] {
                Word::Jump { target } => target as usize,
                Word::Switch { .. } => at + 1,
                Word::Halt { low, high, target, .. } => {
                    spans.push((low, high));
                    target as usize
                }
                Word::ActExclusive { node, .. } => {
                    spans.push((node, node));
                    break;
                }
                _ => return false,
            };
        }
        spans.sort_unstable();
        let mut covered = 0;
        for (low, high) in spans {
            if nodes.get(covered).is_some_and(|node| *node < low) {
                return false;
            }
            covered = covered.max(nodes.partition_point(|node| *node <= high));
        }
        covered == nodes.len()
    }

    /// Where those go on whom a `switch` on a position leads to a step, as they hold nodes from `low` to `high`: at the halts before
    /// the leaf that they hold, if these come later than the `switch`.
    pub(super) fn held(
        &self,
        plain: &Plain,
        switch: usize,
        column: u32,
        Case { low, high, target }: Case,
    ) -> u32 {
        let leaf = self.leads[target as usize];
        let head = self.heads.get(&leaf).copied().filter(|head| *head as usize > switch);
        let holds = low == high && plain.held_by(leaf, column) == Some(low);
        head.filter(|_| holds).unwrap_or(target)
    }
}

impl Plain {
    /// The node that an exclusive leaf puts into a position.
    fn held_by(&self, leaf: u32, position: u32) -> Option<u16> {
        match *self.steps.get(leaf as usize)? {
            Word::ActExclusive { column, node, .. } if column == position => Some(node),
            _ => None,
        }
    }
}

impl Builder<'_> {
    /// A leaf that is asked in each tick, and takes the place of what runs; with halts before it, if the step is the first of these.
    /// Whether it is any of both.
    pub(super) fn leaf(&mut self, at: usize) -> bool {
        let leaf = self.leaves.leads[at];
        let halts = self.leaves.heads.get(&leaf) == Some(&(at as u32));
        let Some(&Word::ActExclusive { column, site, node, exits }) = self.plain.steps.get(leaf as usize)
        else {
            return false;
        };
        if leaf as usize != at && !halts {
            return false;
        }
        let exits = self.exits(exits);
        self.add(Op::ActExclusive { column, site, node, halts, exits });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODES: [u16; 4] = [1, 2, 3, 4];

    fn halt(low: u16, high: u16, target: u32) -> Word {
        Word::Halt { column: 0, low, high, target }
    }

    /// A leaf that is node 3, behind these steps.
    fn before_leaf(steps: &[Word]) -> Plain {
        let leaf = Word::ActExclusive { column: 0, site: 0, node: 3, exits: 0 };
        Plain { steps: [steps, &[leaf]].concat(), tables: vec![Table::Sparse([].into())], ..Plain::default() }
    }

    /// Where each step leads.
    fn leads(plain: &Plain) -> Leaves {
        let mut leaves = Leaves { leads: vec![NONE; plain.steps.len()], heads: HashMap::default() };
        for (at, word) in plain.steps.iter().enumerate().rev() {
            leaves.leads[at] = leaves.lead(plain, at, *word);
        }
        leaves
    }

    #[test]
    fn halts_lead_to_the_leaf_that_they_leave_alone() {
        let plain = before_leaf(&[
            Word::Switch { column: 0, table: 0 },
            halt(1, 2, 2),
            Word::Jump { target: 4 },
            halt(2, 3, 4),
            halt(4, 4, 5),
        ]);
        assert_eq!(leads(&plain).leads, [5, 5, 5, NONE, 5, 5]);
        let of_another = before_leaf(&[Word::Halt { column: 256, low: 1, high: 2, target: 1 }]);
        assert_eq!(leads(&of_another).leads, [NONE, 1]);
        let mut cases = before_leaf(&[Word::Switch { column: 0, table: 0 }, halt(1, 2, 2), Word::Fault]);
        cases.steps.swap(2, 3);
        for (target, expected) in [(2, 2), (3, NONE)] {
            let case = Case { low: 1, high: 1, target };
            cases.tables = vec![Table::Sparse([case].into())];
            assert_eq!(leads(&cases).leads, [expected, 2, 2, NONE]);
        }
    }

    #[test]
    fn halts_cover_all_nodes_or_not() {
        let covers = |steps: &[Word], first| {
            let plain = before_leaf(steps);
            leads(&plain).covers(&plain, first, &NODES)
        };
        let all =
            [halt(1, 2, 1), Word::Jump { target: 2 }, Word::Switch { column: 0, table: 0 }, halt(4, 4, 4)];
        assert!(covers(&all, 0));
        assert!(!covers(&all, 1));
        assert!(!covers(&[halt(1, 1, 1), halt(4, 9, 2)], 0));
        assert!(!covers(&[halt(1, 2, 1)], 0));
        assert!(covers(&[halt(4, 4, 1), halt(0, 2, 2)], 0));
        assert!(!covers(&[halt(1, 9, 1), Word::Fault], 0));
        // From the first on, the leaf is too far.
        let far: Vec<Word> = (1..=LONGEST as u32)
            .map(|next| [halt(4, 4, next), halt(1, 2, next)][next as usize % 2])
            .collect();
        assert_eq!([covers(&far, 0), covers(&far, 1)], [false, true]);
    }

    #[test]
    fn who_holds_the_leaf_goes_on_at_its_halts() {
        let plain = before_leaf(&[Word::Switch { column: 0, table: 0 }, halt(1, 2, 2), halt(4, 4, 3)]);
        let mut leaves = leads(&plain);
        leaves.heads.insert(3, 1);
        let held = |switch, column, low, high, target| {
            leaves.held(&plain, switch, column, Case { low, high, target })
        };
        assert_eq!(held(0, 0, 3, 3, 3), 1);
        assert_eq!(held(0, 0, 3, 3, 2), 1);
        assert_eq!(
            [held(1, 0, 3, 3, 3), held(0, 256, 3, 3, 3), held(0, 0, 2, 3, 3), held(0, 0, 4, 4, 3)],
            [3; 4]
        );
    }
}
