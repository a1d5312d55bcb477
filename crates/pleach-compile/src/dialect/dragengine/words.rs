//! The elements of the dialect, each declared once.

/// Kind of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Action,
    Success,
    Failure,
    Running,
    Yield,
    Sequence,
    Choice,
    Subtree,
    Parameter,
    Condition,
    Mode,
}

/// Content that an element may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Text, of which the first piece counts.
    Text,
    /// Parameters and conditions.
    Common,
    /// Those, and rules.
    Rules,
}

/// An element.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) name: &'static str,
    pub(super) tag: Tag,
    pub(super) attributes: &'static [&'static str],
    pub(super) holds: Holds,
}

const LIST: &[&str] = &["id", "loop", "doNotFail"];

const fn word(name: &'static str, tag: Tag, attributes: &'static [&'static str], holds: Holds) -> Word {
    Word { name, tag, attributes, holds }
}

/// All elements but the root.
pub(super) const WORDS: &[Word] = &[
    word("action", Tag::Action, &["id", "name", "doNotFail"], Holds::Common),
    word("sequence", Tag::Sequence, LIST, Holds::Rules),
    word("choice", Tag::Choice, LIST, Holds::Rules),
    word("success", Tag::Success, &["id"], Holds::Common),
    word("failure", Tag::Failure, &["id"], Holds::Common),
    word("running", Tag::Running, &["id"], Holds::Common),
    word("yield", Tag::Yield, &["id"], Holds::Common),
    word("subtree", Tag::Subtree, LIST, Holds::Text),
    word("subTree", Tag::Subtree, LIST, Holds::Text),
    word("parameter", Tag::Parameter, &["name"], Holds::Text),
    word("condition", Tag::Condition, &[], Holds::Text),
    word("conditionMode", Tag::Mode, &[], Holds::Text),
];

/// The root element of every file.
pub(super) const ROOT: &str = "behaviorTree";

impl Word {
    /// Returns the element that stands for this; of two spellings the first.
    pub(super) fn of(tag: Tag) -> &'static Self {
        WORDS.iter().find(|word| word.tag == tag).unwrap_or(&WORDS[0])
    }

    /// Returns the element of this name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        WORDS.iter().find(|word| word.name == name)
    }

    /// Returns true if the element is a rule.
    pub(super) fn is_rule(&self) -> bool {
        !matches!(self.tag, Tag::Parameter | Tag::Condition | Tag::Mode)
    }
}
