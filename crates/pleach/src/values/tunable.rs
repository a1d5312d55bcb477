//! Constants of trees that games can tune.

use super::{Kind, StaleAgent, Type, entry_of, loaded, stored};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use pleach_image::suggest::KnownNames;

/// Agents that share the value of a tunable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TunableScope {
    /// All agents of a crowd have one value, `tune const`.
    Crowd,
    /// Each agent has a value of its own, `tune agent const`.
    Agent,
}

/// Constant of trees that games can tune: its type, its range and its default.
#[derive(Clone, Debug, PartialEq)]
pub struct Tunable {
    /// Name of the tunable.
    pub name: Box<str>,
    /// Type of its values: that of `bool`, `i32` or `f32`.
    pub ty: Type,
    /// Agents that share its value.
    pub scope: TunableScope,
    /// Least and greatest value. A boolean is 0 or 1.
    pub range: (f64, f64),
    /// Value that the trees declare.
    pub default: f64,
    /// True if the value is a duration in units of time, usually milliseconds.
    pub is_duration: bool,
    /// Index of the shared variable or of the slot that holds the value.
    pub(crate) index: u16,
}

impl Tunable {
    fn kind(&self) -> Kind {
        self.ty.0
    }

    /// Returns the number that bits of this type stand for.
    pub(crate) fn number(kind: Kind, bits: u32) -> f64 {
        loaded(kind, bits.into())
    }

    /// Returns the bits of a value for a column. A float is rounded as its column does before it is
    /// compared with the range, whose ends are such floats, too.
    pub(crate) fn bits(&self, value: f64) -> Result<u64, TuneError> {
        let (least, most) = self.range;
        let bits = stored(self.kind(), value);
        let rounded = if self.kind() == Kind::F32 { loaded(Kind::F32, bits) } else { value };
        if !(least..=most).contains(&rounded) {
            return Err(TuneError::OutOfRange { name: self.name.clone(), value, range: self.range });
        }
        if self.kind() != Kind::F32 && loaded(self.kind(), bits) != value {
            return Err(TuneError::NotWhole { name: self.name.clone(), value });
        }
        Ok(bits)
    }

    /// Returns the bits of the default for a column.
    pub(crate) fn default_bits(&self) -> u64 {
        stored(self.kind(), self.default)
    }

    /// Returns the bits of the nearest value in the range, if bits of a column are outside of it.
    pub(crate) fn mended(&self, bits: u64) -> Option<u64> {
        let value = loaded(self.kind(), bits);
        let (least, most) = self.range;
        let nearest = || if value > most { most } else { least };
        (!(least..=most).contains(&value)).then(|| stored(self.kind(), nearest()))
    }

    /// Returns the entry of a shared variable for bits of a column.
    pub(crate) fn entry(&self, bits: u64) -> u64 {
        entry_of(self.kind(), bits)
    }

    /// Returns the error for a caller that expects the other scope.
    pub(crate) fn expect(&self, scope: TunableScope) -> Result<&Self, TuneError> {
        let is_so = self.scope == scope;
        is_so.then_some(self).ok_or_else(|| TuneError::Scope { name: self.name.clone(), scope: self.scope })
    }
}

/// Number as it was written in the trees: a 32-bit float has the digits of such a float.
struct Shortest(f64);

impl fmt::Display for Shortest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let float = self.0 as f32;
        if f64::from(float) == self.0 { float.fmt(out) } else { self.0.fmt(out) }
    }
}

/// Reason why a value could not be tuned.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TuneError {
    /// The program has no tunable of this name.
    Unknown {
        /// Name that was not found.
        name: String,
        /// Tunables of the program, the one with the nearest name first.
        known: KnownNames,
    },
    /// The tunable has another scope.
    Scope {
        /// Name of the tunable.
        name: Box<str>,
        /// Scope of the tunable.
        scope: TunableScope,
    },
    /// The value is outside of the range of the tunable, or NaN.
    OutOfRange {
        /// Name of the tunable.
        name: Box<str>,
        /// Value that was refused.
        value: f64,
        /// Least and greatest value.
        range: (f64, f64),
    },
    /// The value has a fraction, and the tunable is an int, a duration or a bool.
    NotWhole {
        /// Name of the tunable.
        name: Box<str>,
        /// Value that was refused.
        value: f64,
    },
    /// The agent is gone.
    Stale,
}

impl TuneError {
    /// Returns the error for a name that no tunable has.
    pub(crate) fn unknown(name: &str, tunables: &[Tunable]) -> Self {
        let known = KnownNames::near(name, tunables.iter().map(|it| &*it.name));
        Self::Unknown { name: name.to_owned(), known }
    }
}

impl From<StaleAgent> for TuneError {
    fn from(StaleAgent: StaleAgent) -> Self {
        Self::Stale
    }
}

impl fmt::Display for TuneError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, known } => write!(out, "the program has no tunable `{name}`; {known}"),
            Self::Scope { name, scope: TunableScope::Agent } => {
                write!(out, "each agent has a value of its own of the tunable `{name}`; tune an agent")
            }
            Self::Scope { name, scope: TunableScope::Crowd } => {
                write!(out, "all agents share the value of the tunable `{name}`; tune the crowd")
            }
            Self::OutOfRange { name, value, range: (least, most) } => {
                let (least, most) = (Shortest(*least), Shortest(*most));
                write!(out, "the tunable `{name}` cannot be {value}; it can be {least} to {most}")
            }
            Self::NotWhole { name, value } => {
                write!(out, "the tunable `{name}` cannot be {value}; it is a whole number")
            }
            Self::Stale => StaleAgent.fmt(out),
        }
    }
}

impl core::error::Error for TuneError {}
