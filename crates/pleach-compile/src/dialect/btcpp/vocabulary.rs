//! The meaning of the words. The code of each node is a routine.

use super::kinds::{KINDS, NAV2_KINDS, NodeKind, OLD_KINDS};
use crate::lower::{Means, Vocabulary, Word};

/// Keyword of the node around all nodes.
pub(super) const ROOT: &str = "BehaviorTree";
/// Keyword of the nodes of the host.
pub(super) const HOST: &str = "Action";

const TABLES: [&[NodeKind]; 3] = [KINDS, OLD_KINDS, NAV2_KINDS];
const COUNT: usize = KINDS.len() + OLD_KINDS.len() + NAV2_KINDS.len() + 2;

const WORDS: [Word; COUNT] = {
    let mut words = [Word::new(ROOT, Means::Routine); COUNT];
    words[1] = Word::new(HOST, Means::Routine);
    let (mut table, mut index, mut next) = (0, 0, 2);
    while next < COUNT {
        if index == TABLES[table].len() {
            (table, index) = (table + 1, 0);
            continue;
        }
        words[next] = Word::new(TABLES[table][index].name, Means::Routine);
        (index, next) = (index + 1, next + 1);
    }
    words
};

pub(super) static VOCABULARY: Vocabulary = Vocabulary { words: &WORDS, ..Vocabulary::EMPTY };
