//! The meaning of the words. The code of each node is a routine.

use super::kinds::{KINDS, OLD_KINDS};
use crate::lower::{Means, Vocabulary, Word};

/// Keyword of the node around all nodes.
pub(super) const ROOT: &str = "BehaviorTree";
/// Keyword of the nodes of the host.
pub(super) const HOST: &str = "Action";

const WORDS: [Word; KINDS.len() + OLD_KINDS.len() + 2] = {
    let mut words = [Word::new(ROOT, Means::Routine); KINDS.len() + OLD_KINDS.len() + 2];
    words[1] = Word::new(HOST, Means::Routine);
    let mut index = 0;
    while index < KINDS.len() + OLD_KINDS.len() {
        let old = index >= KINDS.len();
        let kind = if old { &OLD_KINDS[index - KINDS.len()] } else { &KINDS[index] };
        words[index + 2] = Word::new(kind.name, Means::Routine);
        index += 1;
    }
    words
};

pub(super) static VOCABULARY: Vocabulary = Vocabulary { words: &WORDS, ..Vocabulary::EMPTY };
