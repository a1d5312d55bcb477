//! The elements of the dialect.

use super::{Policy, Role};

/// The root of a forest file.
pub(super) const FOREST_ROOT: &str = "BehaviorForestRoot";
/// A forest.
pub(super) const FOREST: &str = "Forest";
/// A tree of a forest.
pub(super) const TREE: &str = "Tree";
/// The root of a tree file.
pub(super) const TREE_ROOT: &str = "BehaviorTreeRoot";
/// Element of a user attribute.
pub(super) const ATTRIBUTE: &str = "UserAttr";

/// Number of children that an element may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Children {
    /// None.
    None,
    /// Exactly one.
    One,
    /// One or more.
    Some,
}

/// A node of a tree file.
#[derive(Debug)]
pub(super) struct Word {
    /// The name of its element.
    pub(super) name: &'static str,
    /// Its type.
    pub(super) role: Role,
    /// Number of nodes in the element.
    pub(super) children: Children,
    /// Policies, if the node has one: the policy for failure, and the one for success.
    pub(super) policies: Option<[(&'static str, Policy); 2]>,
    /// The status of the policy that it has if it names none.
    pub(super) usual: usize,
}

const fn word(name: &'static str, role: Role, children: Children) -> Word {
    Word { name, role, children, policies: None, usual: 0 }
}

/// The nodes of tree files.
pub(super) const WORDS: &[Word] = &[
    word("Selector", Role::Selector, Children::Some),
    word("Sequence", Role::Sequence, Children::Some),
    Word {
        policies: Some([("Selector", Policy::Selector), ("Sequence", Policy::Sequence)]),
        usual: 1,
        ..word("Parallel", Role::Parallel, Children::Some)
    },
    word("Decorator", Role::Decorator, Children::One),
    word("Condition", Role::Condition, Children::None),
    Word {
        policies: Some([("Failure", Policy::Failure), ("Success", Policy::Success)]),
        usual: 1,
        ..word("Action", Role::Action, Children::None)
    },
];

/// Returns the node of this name.
pub(super) fn find(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name)
}
