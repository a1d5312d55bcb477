//! The file format: a header, a table of sections, sections.
//!
//! Everything is little-endian and aligned to 8 bytes. So a section is a slice of plain rows
//! wherever the file lies in memory, read or mapped. [`write`](fn@write) makes a file of parts, and
//! [`crate::verify`] finds the parts of a file. The format has a version of its own, independent of
//! the version of the crates. `spec/image.md` describes it byte by byte.
//!
//! ```text
//!   header   64 bytes: magic, endian mark, version, features, length, number of sections, checksum
//!   table    24 bytes a section: kind, offset, length; ascending
//!   sections in the order of the table, each padded with zeros to 8 bytes
//! ```
//!
//! Sections from [`FIRST_DEBUG`] on hold debug information. They may be left out, and the engines
//! never read them.

mod rows;
mod sections;
mod write;

pub use crate::enums::{
    branch, face, how, import_kind, log_kind, origin_kind, scope, slot_kind, typed, value_tag, wrapper_kind,
};
pub use rows::{
    AttributeRow, BlockRow, CaseRow, ChangesRow, ConditionRow, CursorRow, DataRow, DebugEdge, DebugEnd,
    DebugNode, DebugOrigin, DebugTitle, EntryRow, EnumRow, EventRow, FaceRow, ForestRow, ForestTreeRow,
    GateRow, Header, IdRow, ImportRow, LimiterRow, MemberRow, Meta, ParallelRow, SectionRow, SharedRow,
    SiteRow, SlotRow, StatusesRow, StrRef, TableRow, TunableRow, TypedRow, ValueRow, WrapperRow,
};
pub use sections::{Parts, SectionKind};
pub use write::{seal, write};

pub(crate) use sections::{Ranges, View};

/// First eight bytes of a file. A transfer that changes line ends, clears the high bit or stops at
/// a control-Z damages them visibly.
pub const MAGIC: [u8; 8] = [0x89, b'P', b'L', b'C', 0x0d, 0x0a, 0x1a, 0x0a];

/// Returns true if the beginning of a file is that of an image, which may be damaged. No text
/// begins in this way.
#[must_use]
pub fn is_image(start: &[u8]) -> bool {
    start.starts_with(&MAGIC[..4])
}

/// Number by which a reader recognizes the byte order.
pub const ENDIAN_MARK: u32 = 0x0102_0304;
/// Major version. Files of another major version are refused.
pub const MAJOR: u16 = 1;
/// Minor version. Files of a later minor version are refused; those of an earlier one are read.
/// A file has the earliest version that has all that is in it.
pub const MINOR: u16 = 5;
/// Size of the header in bytes.
pub const HEADER_BYTES: usize = 64;
/// Size of a row of the section table in bytes.
pub const SECTION_ROW_BYTES: usize = 24;
/// Alignment of sections in bytes.
pub const ALIGN: usize = 8;
/// Smallest section kind that no engine reads: debug information, and names of values.
pub const FIRST_DEBUG: u32 = 32;
