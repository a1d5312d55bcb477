//! Reasons why a command could not do its work.

use std::fmt::Display;
use std::io;
use std::path::Path;

/// Reason why a command could not do its work. Errors in trees are no failure, because finding them
/// is the work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The program that reads standard output has ended, for example `head`. No message is printed.
    NobodyReads,
    /// Message that is printed.
    Told(String),
}

impl Failure {
    /// Returns a failure with a message.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Told(message.into())
    }

    /// Returns a failure about a file: `cannot read guard.bt: permission denied`.
    pub(crate) fn file(doing: &str, path: &Path, why: impl Display) -> Self {
        Self::Told(format!("cannot {doing} {}: {why}", path.display()))
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NobodyReads => out.write_str("nobody reads standard output"),
            Self::Told(message) => out.write_str(message),
        }
    }
}

impl From<pleach_build::Error> for Failure {
    fn from(error: pleach_build::Error) -> Self {
        Self::Told(error.to_string())
    }
}

/// Failure to write to standard output. Failures of files come from [`Failure::file`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::NobodyReads,
            _ => Self::Told(format!("cannot write to standard output: {error}")),
        }
    }
}
