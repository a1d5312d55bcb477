//! Stable keys of nodes and slots.
//!
//! A key says "the same node as in the other build": it is made of the names and kinds on the way from the tree's root
//! and of the position among siblings of the same kind and name, not of line numbers or ids. So a comment, a new
//! branch elsewhere or a changed argument leaves keys as they are. Saved states and reloads go by keys, so this
//! function is part of the file format and never changes: 64-bit FNV-1a, which is enough where nobody is an adversary.

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The key of a tree.
#[must_use]
pub fn root(tree: &[u8], role: u8) -> u64 {
    feed(feed(OFFSET, tree), &[0xff, role])
}

/// The key of a child: of the parent's key, the child's keyword and subject, and how many siblings before it have the
/// same keyword and subject.
#[must_use]
pub fn child(parent: u64, keyword: &[u8], subject: &[u8], ordinal: u32) -> u64 {
    let key = feed(feed(parent, keyword), &[0xff]);
    feed(feed(feed(key, subject), &[0xff]), &ordinal.to_le_bytes())
}

fn feed(key: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(key, |key, byte| (key ^ u64::from(*byte)).wrapping_mul(PRIME))
}
