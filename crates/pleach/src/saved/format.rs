//! The bytes of saved states: rows, and how they are read.
//!
//! All is little-endian, and nothing needs to be aligned: rows are copied out, columns are looked
//! into where they lie. The page `spec/state.md` has the whole format.

use super::error::{StateError, StateFault};
use crate::layout::{BIT_WORDS, Column, Sizes};
use crate::store::chunk::Pace;
use crate::values::Kind;
use alloc::vec::Vec;
use bytemuck::{Pod, Zeroable};
use core::marker::PhantomData;
use core::ops::Range;

/// The first bytes. A line end and a byte above 127 show if the bytes were transferred as text.
pub(crate) const MAGIC: [u8; 8] = [0x89, b'P', b'L', b'S', 0x0d, 0x0a, 0x1a, 0x0a];
/// The version of states of programs that have no variable of an enum.
pub(crate) const VERSION: u32 = 1;
/// The version of states with tables of enums.
pub(crate) const WITH_ENUMS: u32 = 2;
/// The version of states with tables of enums and of texts.
pub(crate) const WITH_TEXTS: u32 = 3;

/// Kind of a saved state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateKind {
    Crowd = 1,
    Agent = 2,
}

macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
            #[repr(C)]
            pub(crate) struct $name {
                $($(#[$field_doc])* pub(crate) $field: $ty,)*
            }
        )*
    };
}

rows! {
    Header {
        magic: [u8; 8],
        version: u32,
        /// See [`StateKind`].
        what: u32,
        /// The identity of the program.
        program: u64,
        /// Of all bytes.
        length: u64,
        /// Rows of the tables that follow.
        entries: u32,
        slots: u32,
        shared: u32,
        events: u32,
        nodes: u32,
        /// Bytes of names.
        names: u32,
    }

    /// A name among the bytes of names: of an entry or an event.
    Name {
        start: u32,
        len: u32,
    }

    /// A slot of the frame.
    SlotKey {
        key: u64,
        name: Name,
        /// Its kind, as images number them.
        kind: u32,
        /// Capacity of a set, bytes of data, else zero.
        capacity: u32,
    }

    /// A variable of groups or the world.
    SharedKey {
        name: Name,
        kind: u32,
        /// 1 if each group has one, else 0.
        grouped: u32,
    }

    /// Counts that follow the header from version 2 on.
    Named {
        /// Rows of the tables of members and of variables of enums.
        members: u32,
        typed: u32,
    }

    /// A text that variables may hold, among the bytes of names.
    TextRow {
        text: Name,
        number: u32,
    }

    /// A member of an enum.
    MemberKey {
        name: Name,
        number: i32,
        /// Index of the enum.
        of: u32,
    }

    /// A variable whose values are those of an enum.
    TypedKey {
        /// Index in the table of slots, or behind these in that of shared variables.
        variable: u32,
        /// Index of the enum.
        of: u32,
    }

    /// State of a crowd beside its agents.
    WorldRow {
        seed: u64,
        tick: u64,
        groups: u32,
        /// 1 if something waits to be written to shared variables, else 0.
        written: u32,
        /// The chunk with which a tick within a budget goes on.
        next: u32,
        /// Number of counts of limits.
        counts: u32,
        /// Indices that agents have had.
        rows: u32,
        /// Those of them that are taken again.
        free: u32,
        chunks: u32,
        reserved: u32,
    }

    /// Writes to a shared variable that are not combined yet.
    PendingRow {
        /// 1: assigned, 2: there is a least, 4: there is a greatest.
        flags: u32,
        /// The index of the agent that assigned.
        agent: u32,
        /// These are the bits of doubles, or words.
        assigned: u64,
        least: u64,
        greatest: u64,
        added: u32,
        /// Upper half of the sum of a variable of 64-bit integers, else zero.
        high: u32,
    }

    ChunkRow {
        entry: u32,
        /// See [`has`].
        has: u32,
        awake: [u64; BIT_WORDS],
    }

    AgentRow {
        other: i32,
        end: u8,
        asleep: u8,
        every: u16,
        rest: u16,
        /// 1 if there is an epoch that is not 0, else 0.
        epoch: u16,
    }
}

/// Columns that a chunk may have.
pub(crate) mod has {
    /// Numbers of statuses outside the three.
    pub(crate) const OTHERS: u32 = 1;
    /// Groups.
    pub(crate) const GROUPS: u32 = 2;
    /// Paces.
    pub(crate) const PACES: u32 = 4;
    /// An epoch that is not 0.
    pub(crate) const EPOCH: u32 = 8;
    /// All flags.
    pub(crate) const ALL: u32 = OTHERS | GROUPS | PACES | EPOCH;
}

/// Elements that lie side by side, wherever that is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List<'a, T> {
    pub(crate) bytes: &'a [u8],
    /// The byte of the state at which they begin.
    pub(crate) at: usize,
    of: PhantomData<T>,
}

impl<'a, T: Pod> List<'a, T> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, of: PhantomData }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / size_of::<T>()
    }

    /// Returns an element, which must exist.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> T {
        bytemuck::pod_read_unaligned(&self.bytes[index * size_of::<T>()..][..size_of::<T>()])
    }

    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = T> + Clone + 'a {
        (0..self.len()).map(move |index| self.get(index))
    }

    /// The byte at which an element stands.
    pub(crate) fn place(&self, index: usize) -> usize {
        self.at + index * size_of::<T>()
    }

    /// Checks that a condition holds for each element. The error has the place of the first one
    /// for which it does not.
    pub(crate) fn check(
        &self,
        fault: StateFault,
        mut holds: impl FnMut(T) -> bool,
    ) -> Result<(), StateError> {
        let first = self.iter().position(|element| !holds(element));
        first.map_or(Ok(()), |index| Err(StateError::new(fault, self.place(index))))
    }

    /// Returns some of the elements, which must exist.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        let at = self.place(range.start);
        Self::new(&self.bytes[range.start * size_of::<T>()..range.end * size_of::<T>()], at)
    }
}

/// Reads one thing after the other.
#[derive(Clone, Debug)]
pub(crate) struct StateReader<'a> {
    bytes: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> StateReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Reads this number of elements.
    pub(crate) fn list<T: Pod>(&mut self, count: usize) -> Result<List<'a, T>, StateError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let bytes = count.checked_mul(size_of::<T>()).and_then(|length| rest.get(..length));
        let bytes = bytes.ok_or_else(|| StateError::new(StateFault::Length, self.at))?;
        let list = List::new(bytes, self.at);
        self.at += bytes.len();
        Ok(list)
    }

    pub(crate) fn row<T: Pod>(&mut self) -> Result<T, StateError> {
        Ok(self.list(1)?.get(0))
    }

    /// Checks that all bytes have been read.
    pub(crate) fn end(&self) -> Result<(), StateError> {
        StateFault::Length.unless(self.at == self.bytes.len(), self.at)
    }
}

/// Appends rows or columns.
pub(crate) fn put<T: Pod>(out: &mut Vec<u8>, list: &[T]) {
    out.extend_from_slice(bytemuck::cast_slice(list));
}

/// The columns of a chunk. Their values have not been checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedColumns<'a> {
    pub(crate) bits: List<'a, u64>,
    pub(crate) bytes: List<'a, u8>,
    pub(crate) halves: List<'a, u16>,
    pub(crate) words: List<'a, u32>,
    pub(crate) moments: List<'a, i64>,
}

impl<'a> SavedColumns<'a> {
    pub(crate) fn read(reader: &mut StateReader<'a>, sizes: Sizes) -> Result<Self, StateError> {
        Ok(Self {
            bits: reader.list(sizes.bits)?,
            bytes: reader.list(sizes.bytes)?,
            halves: reader.list(sizes.halves)?,
            words: reader.list(sizes.words)?,
            moments: reader.list(sizes.moments)?,
        })
    }

    /// The nodes of a set, behind their count.
    pub(crate) fn set(&self, column: Column, lane: u8) -> List<'a, u16> {
        let first = column.first as usize + usize::from(lane) * usize::from(column.stride);
        self.halves.part(first..first + usize::from(column.stride))
    }

    pub(crate) fn data(&self, column: Column, lane: u8) -> &'a [u8] {
        let first = column.first as usize + usize::from(lane) * usize::from(column.stride);
        self.bytes.part(first..first + usize::from(column.stride)).bytes
    }

    /// Returns the value of a lane as bits, as [`crate::store::chunk::Chunk::read`] does.
    pub(crate) fn read_bits(&self, column: Column, lane: u8) -> u64 {
        let at = column.first as usize + usize::from(lane);
        match column.kind {
            Kind::Bit => {
                let word = self.bits.get(column.first as usize + usize::from(lane) / 64);
                word >> (lane % 64) & 1
            }
            Kind::I8 | Kind::U8 => self.bytes.get(at).into(),
            Kind::I16 | Kind::U16 | Kind::Node | Kind::Set => self.halves.get(at).into(),
            Kind::I32 | Kind::F32 | Kind::Time | Kind::Text => self.words.get(at).into(),
            Kind::I64 | Kind::F64 | Kind::Entity | Kind::Moment => self.moments.get(at) as u64,
            Kind::Data => 0,
        }
    }
}

/// Returns true if agents can have this pace.
pub(crate) fn is_pace(Pace { every, rest }: Pace) -> bool {
    rest < every
}
