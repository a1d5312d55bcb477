//! Faults of saved bytes.

use alloc::collections::TryReserveError;
use alloc::string::String;
use core::fmt;

macro_rules! faults {
    ($($code:literal $name:ident $meaning:literal;)*) => {
        /// Fault in saved bytes. The code of each fault is permanent.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum StateFault {
            $(#[doc = $meaning] $name,)*
        }

        impl StateFault {
            /// All faults, in the order of their codes.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the permanent code, such as `S0001`.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// Returns a description in one line.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }
        }
    };
}

#[rustfmt::skip]
faults! {
    "S0001" Magic      "the bytes are no saved state";
    "S0002" Version    "the version of the format is not known";
    "S0003" What       "this is the state of something else: of a crowd, or of one agent";
    "S0004" Length     "there are fewer or more bytes than the tables say";
    "S0005" Reserved   "a field that must be zero is not";
    "S0101" Name       "a name is no text, or not in the bytes of names";
    "S0102" Slot       "a slot has a type or size that no slot has";
    "S0103" Shared     "a shared variable has a type or scope that none has";
    "S0104" Node       "a node has a number that none has";
    "S0105" Member     "a member or a variable belongs to an enum that is not there, or is out of order";
    "S0106" Text       "a text is too long, out of order, or not in the bytes of names";
    "S0201" Flag       "a truth is neither 0 nor 1, or a flag is not known";
    "S0202" Value      "a shared variable holds what its type cannot";
    "S0203" Pending    "what waits to be written to a shared variable cannot";
    "S0204" Turn       "the tick within a budget goes on behind the last chunk";
    "S0301" Place      "an agent is in no chunk, or two are in one place";
    "S0302" Free       "an index that is taken again is in use, listed twice, or not listed";
    "S0303" Awake      "where no agent is, one is awake";
    "S0304" Entry      "a chunk has a tree that is not listed";
    "S0305" End        "a tick has ended in a way that none can";
    "S0306" Pace       "an agent has a pace that none can have";
    "S0307" Group      "an agent is in a group that is not there";
    "S0308" Set        "a set holds more nodes than it has room for, or nodes that are not there";
    "S0309" Epoch      "an epoch is none that a time has";
    "S0401" NoEntry    "agents run a tree that the program does not have";
    "S0402" NoVariable "the program does not have a variable";
    "S0403" OtherType  "a variable of the program has another type";
    "S0404" NoEvent    "the program does not have an event that waits";
    "S0405" Gone       "an agent is at a node that the program does not have";
    "S0406" Moved      "an agent is at a node where its tree cannot go on";
    "S0501" Full       "there are more agents than the crowd may have, or than there is memory for";
}

impl StateFault {
    /// Returns the fault at a byte as an error unless a condition holds.
    pub(crate) fn unless(self, holds: bool, at: usize) -> Result<(), StateError> {
        if holds { Ok(()) } else { Err(StateError::new(self, at)) }
    }
}

/// Error: saved bytes are refused. The crowd has not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateError {
    /// Kind of the fault.
    pub fault: StateFault,
    /// Offset of the fault, in bytes.
    pub at: usize,
    /// Name of the tree, variable or event, or index of the agent, that the fault is about; empty
    /// if the offset says all.
    pub about: String,
}

impl StateError {
    pub(crate) fn new(fault: StateFault, at: usize) -> Self {
        Self { fault, at, about: String::new() }
    }

    pub(crate) fn about(fault: StateFault, at: usize, about: impl Into<String>) -> Self {
        Self { fault, at, about: about.into() }
    }

    /// Returns the permanent code, such as `S0301`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.fault.code()
    }
}

impl From<TryReserveError> for StateError {
    fn from(_: TryReserveError) -> Self {
        Self::new(StateFault::Full, 0)
    }
}

impl fmt::Display for StateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code(), self.fault.meaning())?;
        if !self.about.is_empty() {
            write!(out, ": `{}`", self.about)?;
        }
        write!(out, " (byte {})", self.at)
    }
}

impl core::error::Error for StateError {}
