//! Stable keys of nodes and slots.
//!
//! A key identifies a node or slot across builds. It is made of the names and kinds on the path
//! from the root of the tree, and of the position among siblings of the same kind and name. Line
//! numbers and ids play no part. So a comment, a new branch elsewhere or a changed argument leaves
//! keys unchanged. Saved states and reloads use keys, so these functions are part of the file
//! format and never change. Keys do not resist an adversary who looks for collisions.
//!
//! Each name is hashed once with [`name`] (64-bit FNV-1a). A key mixes these hashes in a few steps.

use crate::splitmix::GAMMA;

/// Returns the hash of a name.
#[must_use]
pub fn name(name: &[u8]) -> u64 {
    name.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Returns the key of a tree, given the hash of its name.
#[must_use]
pub fn root(tree: u64, role: u8) -> u64 {
    mix(tree, role.into())
}

/// Returns the key of a child. `ordinal` is the number of earlier siblings with the same keyword
/// and subject.
#[must_use]
pub fn child(parent: u64, keyword: u64, subject: u64, ordinal: u32) -> u64 {
    mix(mix(mix(parent, keyword), subject), ordinal.into())
}

/// Returns the key of a variable of agents.
#[must_use]
pub fn variable(name: &[u8]) -> u64 {
    child(0, self::name(b"variable"), self::name(name), 0)
}

fn mix(key: u64, with: u64) -> u64 {
    let mixed = (key.rotate_left(23) ^ with).wrapping_mul(GAMMA);
    mixed ^ mixed >> 29
}
