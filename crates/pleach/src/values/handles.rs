//! Handles of named things, and their numbers, for languages and files without our types.

use super::Agent;

/// Handle of an agent's variable, found by [`Program::variable`](crate::Program::variable).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable(pub(crate) u16);

/// Handle of a rule of a program. In another build of the same trees, the handle may differ: look
/// it up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rule(pub(crate) u16);

impl Rule {
    /// Returns the id of the rule's node, as in [`Call::node`](crate::Call::node).
    #[must_use]
    pub fn node(self) -> u32 {
        self.0.into()
    }
}

/// Handle of a group of agents, which share the group variables. All agents begin in the default
/// group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Group(pub(crate) u32);

/// Handle of a variable of groups or of the world, found by
/// [`Program::shared`](crate::Program::shared).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedVariable(pub(crate) u16);

/// Handle of an event, found by [`Program::event`](crate::Program::event).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event(pub(crate) u16);

/// Receivers of an event, or agents that a setting concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventTarget {
    /// One agent.
    Agent(Agent),
    /// The agents of a group.
    Group(Group),
    /// All agents.
    All,
}

macro_rules! numbers {
    ($($name:ident $what:literal;)*) => {
        $(
            impl $name {
                #[doc = concat!("The ", $what, " as a number.")]
                #[must_use]
                pub fn number(self) -> u32 {
                    self.0.into()
                }

                #[doc = concat!("The ", $what, " of a number. One that is not there is refused where it is used.")]
                #[doc = "`None` for numbers that none has."]
                #[must_use]
                pub fn from_number(number: u32) -> Option<Self> {
                    number.try_into().ok().map(Self)
                }
            }
        )*
    };
}

numbers! {
    Variable "variable";
    SharedVariable "shared variable";
    Event "event";
    Group "group";
    Rule "rule";
}
