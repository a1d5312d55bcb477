//! Stable keys of nodes and slots.
//!
//! A key says "the same node as in the other build": it is made of the names and kinds on the way from the tree's root
//! and of the position among siblings of the same kind and name, not of line numbers or ids. So a comment, a new
//! branch elsewhere or a changed argument leaves keys as they are. Saved states and reloads go by keys, so these
//! functions are part of the file format and never change. They suffice where nobody is an adversary.
//!
//! Names are hashed once each with [`name`] (64-bit FNV-1a); a key is mixed from these, a few steps a node.

use crate::splitmix::GAMMA;

/// The hash of a name.
#[must_use]
pub fn name(name: &[u8]) -> u64 {
    name.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The key of a tree, of the hash of its name.
#[must_use]
pub fn root(tree: u64, role: u8) -> u64 {
    mix(tree, role.into())
}

/// The key of a child: of the parent's key, the hashes of the child's keyword and subject, and how many siblings before
/// it have the same keyword and subject.
#[must_use]
pub fn child(parent: u64, keyword: u64, subject: u64, ordinal: u32) -> u64 {
    mix(mix(mix(parent, keyword), subject), ordinal.into())
}

/// The key of a variable of agents.
#[must_use]
pub fn variable(name: &[u8]) -> u64 {
    child(0, self::name(b"variable"), self::name(name), 0)
}

fn mix(key: u64, with: u64) -> u64 {
    let mixed = (key.rotate_left(23) ^ with).wrapping_mul(GAMMA);
    mixed ^ mixed >> 29
}
