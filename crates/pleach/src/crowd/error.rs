//! Errors of spawning and switching agents.

use crate::values::StaleAgent;
use alloc::string::String;
use core::fmt;

/// An agent could not be spawned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpawnError {
    /// The program has no tree of this name.
    NoEntry(String),
    /// The crowd has as many agents as the [host allows](super::Crowd::set_most), as handles can tell apart,
    /// or as memory has room for.
    Full,
}

impl fmt::Display for SpawnError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEntry(name) => write!(out, "the program has no tree `{name}`"),
            Self::Full => out.write_str("the crowd is full"),
        }
    }
}

impl core::error::Error for SpawnError {}

/// An agent could not be switched to another tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SwitchError {
    /// The agent is gone.
    Stale,
    /// The crowd has as many chunks as handles can tell apart, or as memory has room for.
    Full,
    /// The program has no tree of this name.
    NoEntry(String),
}

impl fmt::Display for SwitchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => StaleAgent.fmt(out),
            Self::Full => SpawnError::Full.fmt(out),
            Self::NoEntry(name) => write!(out, "the program has no tree `{name}`"),
        }
    }
}

impl core::error::Error for SwitchError {}
