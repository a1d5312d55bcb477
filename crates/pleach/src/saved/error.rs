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
    "S0001" Magic      "the bytes are not a saved state";
    "S0002" Version    "the version of the format is unknown";
    "S0003" What       "the state is of the other kind: a crowd is expected and an agent found, or the reverse";
    "S0004" Length     "there are fewer or more bytes than the tables say";
    "S0005" Reserved   "a field that must be zero is not zero";
    "S0101" Name       "a name is not UTF-8, or not a range of the table of names, or out of order";
    "S0102" Slot       "a slot has an unknown type, or a size that its type cannot have";
    "S0103" Shared     "a shared variable has an unknown type or scope";
    "S0104" Node       "a node has a number that no node can have";
    "S0105" Member     "a member or a variable names an enum that does not exist, or is out of order";
    "S0106" Text       "a text is too long, out of order, or not in the bytes of names";
    "S0201" Flag       "a boolean is neither 0 nor 1, or a flag is unknown";
    "S0202" Value      "a shared variable has a value that its type cannot hold";
    "S0203" Pending    "a pending write to a shared variable is one that no agent can make";
    "S0204" Turn       "the tick within a budget continues after the last chunk, or there are too many chunks";
    "S0301" Place      "an agent is in a chunk that does not exist, or two agents are in the same lane";
    "S0302" Free       "the free indices contain an index in use, contain an index twice, or lack one";
    "S0303" Awake      "a lane without an agent is awake";
    "S0304" Entry      "a chunk or an agent runs a tree that the state does not list";
    "S0305" End        "the result of an agent's last tick is an unknown number";
    "S0306" Pace       "the pace of an agent is impossible: the agent waits longer than its interval";
    "S0307" Group      "an agent is in a group that does not exist";
    "S0308" Set        "a set holds more nodes than its capacity, or a node that cannot be in it";
    "S0309" Epoch      "an epoch is not one that a time can have";
    "S0401" NoEntry    "the program lacks a tree that agents run";
    "S0402" NoVariable "the program lacks a variable of the state";
    "S0403" OtherType  "a variable has another type in the program";
    "S0404" NoEvent    "the program lacks an event that is pending";
    "S0405" Gone       "an agent is at a node that the program lacks";
    "S0406" Moved      "an agent is at a node where its tree cannot continue";
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
