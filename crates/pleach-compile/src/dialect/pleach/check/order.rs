//! Things that refer to each other: in which order they can be made, and
//! where they do so in a circle.

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

/// A reference from one thing to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    /// Whatever the caller knows it by.
    pub(super) mark: u32,
}

/// Result of a walk along all references.
#[derive(Debug)]
pub(super) struct Order<'p> {
    /// All things. Each comes after those that it refers to, except in circles.
    pub(super) sorted: ArenaVec<'p, u32>,
    /// Circles: the references that form each, the one that closes it last.
    pub(super) circles: Vec<Vec<Edge>>,
}

/// Number of references of a circle that are kept. More would not help an author.
const SHOWN: usize = 8;

/// Follows the references of `count` things; they stand sorted by where they come from.
pub(super) fn order<'p>(arena: &'p Bump, count: usize, edges: &[Edge]) -> Order<'p> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        /// On the path, at this place.
        Open(usize),
        Done,
    }
    let mut order = Order { sorted: ArenaVec::with_capacity_in(count, arena), circles: Vec::new() };
    let mut first = bumpalo::vec![in arena; 0_usize; count + 1];
    edges.iter().for_each(|edge| first[edge.from as usize + 1] += 1);
    (0..count).for_each(|index| first[index + 1] += first[index]);
    let mut state = bumpalo::vec![in arena; State::New; count];
    let mut path: ArenaVec<'_, (u32, usize)> = ArenaVec::new_in(arena);
    for root in 0..count as u32 {
        if state[root as usize] == State::New {
            path.push((root, first[root as usize]));
            state[root as usize] = State::Open(0);
        }
        while let Some((thing, next)) = path.last_mut() {
            if *next == first[*thing as usize + 1] {
                state[*thing as usize] = State::Done;
                order.sorted.push(*thing);
                path.pop();
                continue;
            }
            let edge = edges[*next];
            *next += 1;
            match state[edge.to as usize] {
                State::Done => {}
                State::New => {
                    state[edge.to as usize] = State::Open(path.len());
                    path.push((edge.to, first[edge.to as usize]));
                }
                State::Open(begin) => {
                    let circle = &path[begin.max(path.len().saturating_sub(SHOWN))..];
                    order.circles.push(circle.iter().map(|(_, next)| edges[*next - 1]).collect());
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(pairs: &[(u32, u32)]) -> Vec<Edge> {
        pairs.iter().map(|(from, to)| Edge { from: *from, to: *to, mark: 0 }).collect()
    }

    #[test]
    fn what_is_needed_comes_first() {
        let arena = Bump::new();
        let order = order(&arena, 4, &edges(&[(0, 2), (0, 3), (2, 3)]));
        assert_eq!(order.sorted[..], [3, 2, 0, 1]);
        assert!(order.circles.is_empty());
    }

    #[test]
    fn circles_are_found() {
        let arena = Bump::new();
        let order = order(&arena, 3, &edges(&[(0, 1), (1, 2), (2, 1), (2, 2)]));
        let circles: Vec<Vec<_>> =
            order.circles.iter().map(|circle| circle.iter().map(|it| (it.from, it.to)).collect()).collect();
        assert_eq!(circles, [vec![(1, 2), (2, 1)], vec![(2, 2)]]);
        assert_eq!(order.sorted.len(), 3);
    }
}
