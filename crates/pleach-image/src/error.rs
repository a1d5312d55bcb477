//! Reason why an image was refused.

use crate::format::{MAJOR, MINOR, SectionKind};
use crate::rule::Rule;
use core::fmt;

/// Reason why an image was refused: the broken rule, the place, and the number found there.
///
/// The code of a [`Rule`] is permanent. The wording of messages may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageError {
    /// Broken rule.
    pub rule: Rule,
    /// Section; `None` for the header, the section table and the file as a whole.
    pub section: Option<SectionKind>,
    /// Offset of the byte in the file.
    pub offset: u64,
    /// Number that was found there.
    pub found: u64,
    /// Number that is allowed there, if there is exactly one.
    pub expected: Option<u64>,
}

impl ImageError {
    pub(crate) fn header(rule: Rule, offset: usize, found: u64) -> Self {
        Self { rule, section: None, offset: offset as u64, found, expected: None }
    }

    pub(crate) fn section(rule: Rule, section: SectionKind, offset: usize, found: u64) -> Self {
        Self { section: Some(section), ..Self::header(rule, offset, found) }
    }

    pub(crate) fn expected(self, expected: u64) -> Self {
        Self { expected: Some(expected), ..self }
    }

    /// Returns the permanent code, such as `V0201`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.rule.code()
    }
}

impl ImageError {
    /// Ends the message about a format version.
    fn version(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = (self.found >> 16, self.found & 0xffff);
        write!(out, ", found {major}.{minor}, known {MAJOR}.0 to {MAJOR}.{MINOR})")?;
        if (major, minor) > (MAJOR.into(), MINOR.into()) {
            write!(out, ": the file is newer than this reader; use a newer release to load it")?;
        }
        Ok(())
    }
}

impl fmt::Display for ImageError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.section.map_or("header", SectionKind::name);
        write!(out, "{}: {} ({place}, byte {}", self.code(), self.rule.meaning(), self.offset)?;
        if self.rule == Rule::Version {
            return self.version(out);
        }
        match self.expected {
            Some(expected) => write!(out, ", found {:#x}, expected {expected:#x})", self.found),
            None => write!(out, ", found {:#x})", self.found),
        }
    }
}

impl core::error::Error for ImageError {}
