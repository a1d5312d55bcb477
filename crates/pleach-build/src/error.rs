//! Error of files that cannot be used.

use std::fmt::{self, Display};
use std::path::Path;

/// Error about a file, as one line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
}

impl Error {
    /// Creates an error with a message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }

    /// Creates an error about a file: `cannot read guard.bt: permission denied`.
    #[must_use]
    pub fn file(doing: &str, path: &Path, reason: impl Display) -> Self {
        Self::new(format!("cannot {doing} {}: {reason}", path.display()))
    }
}

impl Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
