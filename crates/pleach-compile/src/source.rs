//! Source text, and places in it.
//!
//! The compiler does no input or output: text comes in through a [`Library`], which a
//! caller implements on files, on an archive, or on a map in memory. Every file read is
//! kept in [`Sources`] for as long as the compilation, so that a [`Span`] (four numbers)
//! can stand for any piece of text.
//!
//! A piece of text may take effect elsewhere: a macro's body where the macro is used, an included
//! file where it is included. Such a span carries an [`OriginId`], a link to the use site, which
//! may have an origin itself. Following the links tells the whole story "in this macro, used here,
//! in the file included there".

use pleach_image::format::origin_kind;
use std::sync::{Arc, OnceLock};

/// Index of a file in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// Index of an [`Origin`] in [`Sources`]; `0` means that the text stands where it takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct OriginId(pub u32);

impl OriginId {
    /// No origin: written where it takes effect.
    pub const NONE: Self = Self(0);
}

/// A piece of source text: bytes `start..end` of a file, and how it came to take effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The file the bytes are in.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Through which macro or include, if any.
    pub origin: OriginId,
}

impl Span {
    /// Returns the text from the beginning of `self` to the end of `last`; `self` alone if that
    /// is not one stretch of a file.
    #[must_use]
    pub fn to(self, last: Self) -> Self {
        if self.source == last.source && self.origin == last.origin && self.start <= last.end {
            Self { end: last.end, ..self }
        } else {
            self
        }
    }
}

/// Mechanism that brought text to another place, by its number in images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum OriginKind {
    /// A macro's body, expanded at the use site.
    Macro = origin_kind::MACRO,
    /// A file, spliced in by an include directive.
    Include = origin_kind::INCLUDE,
    /// A tree, copied to where another tree uses it.
    Use = origin_kind::USE,
}

/// One step of a text's way to where it takes effect.
#[derive(Clone, Debug)]
pub struct Origin {
    /// Macro or include.
    pub kind: OriginKind,
    /// Name of the macro, the included file or the tree; the uses of a macro share it.
    pub name: Arc<str>,
    /// The use site.
    pub at: Span,
}

/// One file.
#[derive(Debug)]
pub struct Source {
    /// Name in messages.
    pub name: String,
    /// Bytes of the file, of any encoding. Shared with the library, which may have them in memory.
    pub text: Arc<[u8]>,
    /// Offsets of the beginnings of lines. Found when they are first needed, because most files
    /// have no findings.
    lines: OnceLock<Vec<u32>>,
}

impl Source {
    /// Returns the offsets of the beginnings of lines.
    pub(crate) fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let mut lines = vec![0];
            lines.extend(memchr::memchr_iter(b'\n', &self.text).map(|at| at as u32 + 1));
            lines
        })
    }
}

/// Line and column of a byte, both from 1; the column counts bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// All files and origins of one compilation.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
    origins: Vec<Origin>,
}

impl Sources {
    /// Adds a file. Text beyond 4 GiB is cut, as spans could not reach it.
    pub fn add(&mut self, name: String, text: Arc<[u8]>) -> SourceId {
        let text = text.get(..u32::MAX as usize).map_or_else(|| text.clone(), Arc::from);
        self.files.push(Source { name, text, lines: OnceLock::new() });
        SourceId(self.files.len() as u32 - 1)
    }

    /// Returns the file with this index.
    #[must_use]
    pub fn get(&self, id: SourceId) -> &Source {
        &self.files[id.0 as usize]
    }

    /// Returns all files, in the order they were read.
    #[must_use]
    pub fn files(&self) -> &[Source] {
        &self.files
    }

    /// Records a step of provenance.
    pub fn add_origin(&mut self, origin: Origin) -> OriginId {
        self.origins.push(origin);
        OriginId(self.origins.len() as u32)
    }

    /// Returns the step a span came through last, if any.
    #[must_use]
    pub fn origin(&self, id: OriginId) -> Option<&Origin> {
        self.origins.get((id.0 as usize).wrapping_sub(1))
    }

    /// Returns all origins; `OriginId(n)` is the one at index `n - 1`.
    #[must_use]
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// Returns the bytes of a span.
    #[must_use]
    pub fn text(&self, span: Span) -> &[u8] {
        self.get(span.source).text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Line and column of a span's first byte.
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        let lines = self.get(span.source).lines();
        let line = lines.partition_point(|first| *first <= span.start);
        Place { line: line as u32, column: span.start - lines[line - 1] + 1 }
    }
}

/// A file that a [`Library`] found.
#[derive(Debug)]
pub struct Found {
    /// Name of the file in messages.
    pub name: String,
    /// Content of the file. It is shared, so a library in memory need not copy it.
    pub text: Arc<[u8]>,
}

/// More bytes of files that others name, and of the paths by which they do, than any program has. A
/// library may have a file for every path, or one under many.
pub(crate) const MAX_TEXT: usize = 1 << 24;

/// Source of named trees and included files. Implement it for a folder, an archive, or a map.
pub trait Library {
    /// Returns the text of the tree called `name` (for files: `name` and the dialect's extension).
    fn tree(&self, name: &str) -> Option<Found>;
    /// Returns the file that an include directive calls `path`, as it is written there.
    fn include(&self, path: &str) -> Option<Found>;
    /// Returns all files of a folder and the folders in it, in order, for dialects whose files
    /// belong together without naming each other, see [`crate::dialect::Dialect::reads_folders`].
    fn files(&self) -> Vec<Found> {
        Vec::new()
    }
}
