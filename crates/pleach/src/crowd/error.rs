//! Errors of spawning and switching agents.

use crate::program::Program;
use crate::values::StaleAgent;
use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use pleach_image::suggest::KnownNames;

/// Error: a program has no tree of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTree {
    /// Name that was not found.
    pub name: String,
    /// Trees of the program, the one with the nearest name first.
    pub known: KnownNames,
}

impl MissingTree {
    pub(crate) fn new(name: &str, program: &Program) -> Self {
        Self { name: name.to_owned(), known: KnownNames::near(name, program.entries()) }
    }
}

impl fmt::Display for MissingTree {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the program has no tree `{}`; {}", self.name, self.known)
    }
}

impl core::error::Error for MissingTree {}

/// Reason why an agent could not be spawned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpawnError {
    /// The program has no tree of this name.
    NoEntry(MissingTree),
    /// The crowd has as many agents as the [host allows](super::Crowd::set_most), as handles can
    /// tell apart, or as memory has room for.
    Full,
}

impl fmt::Display for SpawnError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEntry(missing) => missing.fmt(out),
            Self::Full => out.write_str("the crowd is full"),
        }
    }
}

impl core::error::Error for SpawnError {}

/// Reason why an agent could not be switched to another tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SwitchError {
    /// The agent is gone.
    Stale,
    /// The crowd has as many chunks as handles can tell apart, or as memory has room for.
    Full,
    /// The program has no tree of this name.
    NoEntry(MissingTree),
}

impl fmt::Display for SwitchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => StaleAgent.fmt(out),
            Self::Full => SpawnError::Full.fmt(out),
            Self::NoEntry(missing) => missing.fmt(out),
        }
    }
}

impl core::error::Error for SwitchError {}
