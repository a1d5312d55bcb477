//! The meaning of the words. The code of each node is a routine.

use super::kinds::KINDS;
use crate::lower::{Means, Vocabulary, Word};

/// Keyword of the node around all nodes.
pub(super) const ROOT: &str = "BehaviorTree";
/// Keyword of the nodes of the host.
pub(super) const HOST: &str = "Action";

const COUNT: usize = KINDS.len() + 2;

const WORDS: [Word; COUNT] = {
    let mut words = [Word::new(ROOT, Means::Routine); COUNT];
    words[1] = Word::new(HOST, Means::Routine);
    let mut index = 0;
    while index < KINDS.len() {
        words[index + 2] = Word::new(KINDS[index].name, Means::Routine);
        index += 1;
    }
    words
};

pub(super) static VOCABULARY: Vocabulary = Vocabulary { words: &WORDS, ..Vocabulary::EMPTY };
