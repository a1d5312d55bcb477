//! Partners: which node of the new program a node of the old one is.

use super::outline::Outline;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Partners of the nodes of two programs.
pub(super) struct Pairs {
    pub(super) of_old: Vec<Option<usize>>,
    pub(super) of_new: Vec<Option<usize>>,
}

impl Pairs {
    pub(super) fn new(old: &Outline, new: &Outline) -> Self {
        let mut pairs = Self { of_old: vec![None; old.nodes.len()], of_new: vec![None; new.nodes.len()] };
        let sides = [old, new].map(|outline| Side {
            outline,
            hashes: contents(outline),
            children: outline.children(),
        });
        pairs.by_family(&sides);
        pairs.by_content(&sides);
        pairs.by_place(&sides);
        pairs
    }

    fn join(&mut self, old: usize, new: usize) {
        self.of_old[old] = Some(new);
        self.of_new[new] = Some(old);
    }

    /// Pairs roots, and the children of paired nodes: those whose subtrees are equal, then those
    /// with equal keys, and then those with equal words. So children that have changed their order
    /// are found.
    fn by_family(&mut self, [old, new]: &[Side<'_>; 2]) {
        let roots = |side: &Side<'_>| -> Vec<usize> {
            let nodes = side.outline.nodes.iter().enumerate();
            nodes.filter(|(_, node)| node.parent.is_none()).map(|(index, _)| index).collect()
        };
        let mut open = vec![(roots(old), roots(new))];
        while let Some((olds, news)) = open.pop() {
            let same = |side: &Side<'_>, node: usize| (side.outline.nodes[node].key, side.hashes[node]);
            self.match_up(&olds, &news, |node| same(old, node), |node| same(new, node));
            self.match_up(&olds, &news, |node| old.hashes[node], |node| new.hashes[node]);
            let key = |side: &Side<'_>, node: usize| side.outline.nodes[node].key;
            self.match_up(&olds, &news, |node| key(old, node), |node| key(new, node));
            // Below a tree with another name, all keys are others.
            let word = |side: &Side<'_>, node: usize| side.outline.nodes[node].word.clone();
            self.match_up(&olds, &news, |node| word(old, node), |node| word(new, node));
            self.renamed(&olds, &news, old);
            for node in news {
                if let Some(partner) = self.of_new[node] {
                    open.push((old.children[partner].clone(), new.children[node].clone()));
                }
            }
        }
    }

    /// Pairs the only root without a partner on each side: a tree with another name.
    fn renamed(&mut self, olds: &[usize], news: &[usize], old: &Side<'_>) {
        let mut free = olds.iter().filter(|node| self.of_old[**node].is_none());
        let (first, second) = (free.next().copied(), free.next());
        let mut free = news.iter().filter(|node| self.of_new[**node].is_none());
        let is_only = second.is_none();
        if let (Some(was), Some(is), None, true) = (first, free.next().copied(), free.next(), is_only)
            && old.outline.nodes[was].parent.is_none()
        {
            self.join(was, is);
        }
    }

    /// Pairs nodes without partners that have equal marks: the first with the first.
    fn match_up<K: Hash + Eq>(
        &mut self,
        olds: &[usize],
        news: &[usize],
        old_mark: impl Fn(usize) -> K,
        new_mark: impl Fn(usize) -> K,
    ) {
        let mut free: HashMap<K, Vec<usize>> = HashMap::new();
        for old in olds.iter().rev().filter(|old| self.of_old[**old].is_none()) {
            free.entry(old_mark(*old)).or_default().push(*old);
        }
        for new in news {
            if self.of_new[*new].is_none()
                && let Some(old) = free.get_mut(&new_mark(*new)).and_then(Vec::pop)
            {
                self.join(old, *new);
            }
        }
    }

    /// Pairs equal subtrees, wherever they are.
    fn by_content(&mut self, [old, new]: &[Side<'_>; 2]) {
        let mut free: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, hash) in old.hashes.iter().enumerate().rev() {
            if self.of_old[index].is_none() {
                free.entry(*hash).or_default().push(index);
            }
        }
        for index in 0..new.hashes.len() {
            let candidates = free.get_mut(&new.hashes[index]).filter(|_| self.of_new[index].is_none());
            let Some(candidates) = candidates else { continue };
            while candidates.pop_if(|candidate| self.of_old[*candidate].is_some()).is_some() {}
            let Some(found) = candidates.pop() else { continue };
            let mut open = vec![(found, index)];
            while let Some((was, is)) = open.pop() {
                if self.of_old[was].is_none() && self.of_new[is].is_none() {
                    self.join(was, is);
                    open.extend(old.children[was].iter().copied().zip(new.children[is].iter().copied()));
                }
            }
        }
    }

    /// Pairs leaves that stand in one place: an action that another one has replaced.
    fn by_place(&mut self, [old, new]: &[Side<'_>; 2]) {
        for (parent, siblings) in new.children.iter().enumerate() {
            let Some(was) = self.of_new[parent] else { continue };
            for (is, was) in siblings.iter().zip(&old.children[was]) {
                let are_leaves = new.children[*is].is_empty() && old.children[*was].is_empty();
                if are_leaves && self.of_new[*is].is_none() && self.of_old[*was].is_none() {
                    self.join(*was, *is);
                }
            }
        }
    }
}

/// Program with what the search needs.
struct Side<'a> {
    outline: &'a Outline,
    /// Hash of the subtree of each node.
    hashes: Vec<u64>,
    children: Vec<Vec<usize>>,
}

/// Returns a hash of the subtree of each node.
fn contents(outline: &Outline) -> Vec<u64> {
    let mut hashers: Vec<DefaultHasher> = outline.nodes.iter().map(|_| DefaultHasher::new()).collect();
    let mut hashes = vec![0; outline.nodes.len()];
    // Children stand behind their parent, so a child is done before its parent is.
    for (index, node) in outline.nodes.iter().enumerate().rev() {
        node.text.hash(&mut hashers[index]);
        hashes[index] = hashers[index].finish();
        if let Some(parent) = node.parent {
            hashes[index].hash(&mut hashers[parent]);
        }
    }
    hashes
}
