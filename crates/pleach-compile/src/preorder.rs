//! Trees in pre-order: the shape of both the AST and the IR.
//!
//! Nodes stand in one vector, each with the index where its subtree ends. So a subtree is a slice,
//! the children of a node are found by hopping from end to end, and a tree a hundred thousand
//! levels deep is dropped, copied and walked without recursion.

/// Returns the children of a node, in order; `end` gives where the subtree of a node ends.
pub(crate) fn children(node: u32, end: impl Fn(u32) -> u32) -> impl Iterator<Item = u32> {
    let last = end(node);
    let first = (node + 1 < last).then_some(node + 1);
    core::iter::successors(first, move |child| {
        let next = end(*child);
        (next < last).then_some(next)
    })
}
