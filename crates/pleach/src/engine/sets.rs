//! Running sets as lists: their count, then their nodes.

/// Returns true if a set has a node.
#[inline]
pub(super) fn is_member(set: &[u16], node: u16) -> bool {
    set[1..=usize::from(set[0])].contains(&node)
}

/// Puts a node at the end of a set, which may be emptied first, unless it
/// is in it or the set is full.
pub(super) fn mark(set: &mut [u16], node: u16, wipe: bool) {
    if wipe {
        set[0] = 0;
    }
    let count = usize::from(set[0]);
    if count + 1 < set.len() && !set[1..=count].contains(&node) {
        set[count + 1] = node;
        set[0] += 1;
    }
}

/// Empties a set that has a node.
pub(super) fn wipe_if(set: &mut [u16], node: u16) {
    if is_member(set, node) {
        set[0] = 0;
    }
}
