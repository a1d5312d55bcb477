//! A file as it was read: its rules in pre-order, before it is known where the file is used.
//!
//! The same file may be a subtree in many places, each time with other ids. So a file is read once,
//! into this form, and what depends on the place ([`super::expand`]) is settled for each use.

use super::{Span, Sym, Tag};

/// The rules of a file.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// All rules in pre-order.
    pub(super) rules: Vec<Rule>,
    /// Parameters, rule by rule.
    pub(super) parameters: Vec<Parameter>,
    /// Names of conditions, rule by rule.
    pub(super) conditions: Vec<(Sym, Span)>,
    /// The root element's name.
    pub(super) root: Option<Span>,
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub(super) tag: Tag,
    /// The name of an action, or the path of the file whose rules a
    /// subtree has, and where that stands.
    pub(super) subject: Option<(Sym, Span)>,
    /// Id in the spelling of the file.
    pub(super) id: Option<(Sym, Span)>,
    /// `loop`: begins again when it is done.
    pub(super) looping: bool,
    /// `doNotFail`: success takes the place of failure.
    pub(super) optional: bool,
    pub(super) mode: Mode,
    /// Range of [`Draft::parameters`].
    pub(super) parameters: (u32, u32),
    /// Range of [`Draft::conditions`].
    pub(super) conditions: (u32, u32),
    /// One past the last rule in it.
    pub(super) end: u32,
    /// The tag's name.
    pub(super) span: Span,
}

/// Condition mode of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Mode {
    #[default]
    AllTrue,
    AnyTrue,
    AnyFalse,
    AllFalse,
}

impl Mode {
    /// All of them.
    pub(super) const NAMES: [(&'static str, Self); 4] = [
        ("allTrue", Self::AllTrue),
        ("anyTrue", Self::AnyTrue),
        ("anyFalse", Self::AnyFalse),
        ("allFalse", Self::AllFalse),
    ];

    /// Returns the mode of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, mode)| *mode)
    }
}

/// A parameter of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    pub(super) name: Sym,
    pub(super) value: Sym,
    /// Place of the value.
    pub(super) span: Span,
}
