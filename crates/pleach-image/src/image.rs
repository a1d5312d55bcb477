//! Type of a verified image.

use crate::buffer::AlignedBytes;
use crate::error::ImageError;
use crate::format::{
    AttributeRow, BlockRow, CaseRow, ChangesRow, ConditionRow, CursorRow, DataRow, EntryRow, EventRow,
    FaceRow, ForestRow, ForestTreeRow, GateRow, IdRow, ImportRow, LimiterRow, Meta, ParallelRow, Parts,
    Ranges, SectionKind, SharedRow, SiteRow, SlotRow, StatusesRow, StrRef, TableRow, TunableRow, ValueRow,
    WrapperRow,
};
use crate::isa::{StackWord, Word};
use crate::key;
use crate::verify::{self, Scratch};

/// Compiled program whose every byte has been verified. Immutable, and generic over the memory that
/// holds the bytes.
///
/// The verifier is the only way to an `Image`. So code that has one may rely on everything that
/// [`crate::verify`] proves. (With [`Image::map`], on the condition that its contract is kept.)
#[derive(Clone, Debug)]
pub struct Image<D = AlignedBytes> {
    data: D,
    pub(crate) ranges: Ranges,
}

impl Image<AlignedBytes> {
    /// Copies bytes from anywhere and verifies the copy.
    ///
    /// # Errors
    /// Returns the first broken rule.
    pub fn copy(bytes: &[u8]) -> Result<Self, ImageError> {
        let memory = |_| ImageError::header(verify::Rule::Memory, 0, bytes.len() as u64);
        let mut data = AlignedBytes::zeroed(bytes.len()).map_err(memory)?;
        data.as_mut().copy_from_slice(bytes);
        Self::new(data)
    }
}

impl<D: AsRef<[u8]>> Image<D> {
    /// Verifies bytes in place. The bytes must be aligned to 8; [`Image::copy`] has no such
    /// condition.
    ///
    /// `data.as_ref()` must return the same bytes at every call. If it does not, methods may panic,
    /// but nothing is unsafe.
    ///
    /// # Errors
    /// Returns the first broken rule.
    pub fn new(data: D) -> Result<Self, ImageError> {
        Self::new_within(&mut Scratch::default(), data)
    }

    /// Verifies bytes in place, as [`Image::new`] does, in memory of earlier verifications.
    ///
    /// # Errors
    /// Returns the first broken rule.
    pub fn new_within(scratch: &mut Scratch, data: D) -> Result<Self, ImageError> {
        let ranges = verify::verify(data.as_ref(), scratch)?;
        Ok(Self { data, ranges })
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        self.data.as_ref()
    }

    /// Returns the properties of the whole program.
    pub fn meta(&self) -> Meta {
        self.ranges.meta(self.bytes())[0]
    }

    /// Returns the name of the dialect that the trees were written in.
    pub fn dialect(&self) -> &str {
        self.name(self.meta().dialect)
    }

    /// Returns the blocks that can be started by name.
    pub fn entries(&self) -> &[EntryRow] {
        self.ranges.entries(self.bytes())
    }

    /// Returns the index and the block of the entry with this name.
    pub fn entry(&self, name: &str) -> Option<(usize, u32)> {
        let mut entries = self.entries().iter().enumerate();
        entries.find(|(_, entry)| self.name(entry.name) == name).map(|(index, entry)| (index, entry.block))
    }

    /// Returns all blocks. Each block calls only earlier ones.
    pub fn blocks(&self) -> &[BlockRow] {
        self.ranges.blocks(self.bytes())
    }

    /// Returns all instructions.
    pub fn code(&self) -> &[Word] {
        self.ranges.code(self.bytes())
    }

    /// Returns the range of each condition in the condition code.
    pub fn conditions(&self) -> &[ConditionRow] {
        self.ranges.conditions(self.bytes())
    }

    /// Returns the operations of all conditions.
    pub fn condition_code(&self) -> &[StackWord] {
        self.ranges.condition_code(self.bytes())
    }

    /// Returns the operations of one condition.
    pub fn condition(&self, index: u32) -> &[StackWord] {
        let row = self.conditions()[index as usize];
        &self.condition_code()[row.first as usize..][..row.count as usize]
    }

    /// Returns a constant of conditions.
    pub fn constant(&self, index: usize) -> Option<f64> {
        self.ranges.constants(self.bytes()).get(index).map(|bits| f64::from_bits(*bits))
    }

    /// Returns the constants of conditions.
    pub fn constants(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.ranges.constants(self.bytes()).iter().map(|bits| f64::from_bits(*bits))
    }

    /// Returns the bits of a constant of conditions.
    pub fn constant_bits(&self, index: usize) -> Option<u64> {
        self.ranges.constants(self.bytes()).get(index).copied()
    }

    /// Returns the host functions that the program needs.
    pub fn imports(&self) -> &[ImportRow] {
        self.ranges.imports(self.bytes())
    }

    /// Returns the host calls with their arguments.
    pub fn sites(&self) -> &[SiteRow] {
        self.ranges.sites(self.bytes())
    }

    /// Returns the arguments of all sites.
    pub fn values(&self) -> &[ValueRow] {
        self.ranges.values(self.bytes())
    }

    /// Returns the slots of an agent's frame.
    pub fn slots(&self) -> &[SlotRow] {
        self.ranges.slots(self.bytes())
    }

    /// Returns the range of the cases of each `switch`.
    pub fn tables(&self) -> &[TableRow] {
        self.ranges.tables(self.bytes())
    }

    /// Returns the cases of all tables.
    pub fn cases(&self) -> &[CaseRow] {
        self.ranges.cases(self.bytes())
    }

    /// Returns the nodes whose children run side by side.
    pub fn parallels(&self) -> &[ParallelRow] {
        self.ranges.parallels(self.bytes())
    }

    /// Returns slots of positions for [`Image::parallels`], in the order in which they are halted.
    pub fn halts(&self) -> &[u16] {
        self.ranges.halts(self.bytes())
    }

    /// Returns the variables of groups and of the world.
    pub fn shared(&self) -> &[SharedRow] {
        self.ranges.shared(self.bytes())
    }

    /// Returns the events that can be raised for agents.
    pub fn events(&self) -> &[EventRow] {
        self.ranges.events(self.bytes())
    }

    /// Returns the nodes with a limited number of agents, whose places are granted when a tick has
    /// ended.
    pub fn limiters(&self) -> &[LimiterRow] {
        self.ranges.limiters(self.bytes())
    }

    /// Returns the forests.
    pub fn forests(&self) -> &[ForestRow] {
        self.ranges.forests(self.bytes())
    }

    /// Returns the trees of all forests.
    pub fn forest_trees(&self) -> &[ForestTreeRow] {
        self.ranges.forest_trees(self.bytes())
    }

    /// Returns the public description of each node, by id minus one. Empty if the image has none.
    pub fn faces(&self) -> &[FaceRow] {
        self.ranges.faces(self.bytes())
    }

    /// Returns the attributes of forests, trees and nodes.
    pub fn attributes(&self) -> &[AttributeRow] {
        self.ranges.attributes(self.bytes())
    }

    /// Returns the nodes whose end is reported even if their child is halted.
    pub fn wrappers(&self) -> &[WrapperRow] {
        self.ranges.wrappers(self.bytes())
    }

    /// Returns the limits on agents inside nodes whose places are taken at once.
    pub fn gates(&self) -> &[GateRow] {
        self.ranges.gates(self.bytes())
    }

    /// Returns the texts for the logs of agents, and those that variables hold by their numbers.
    pub fn texts(&self) -> &[StrRef] {
        self.ranges.texts(self.bytes())
    }

    /// Returns the slots in which nodes keep their statuses, if nodes do.
    #[must_use]
    pub fn statuses(&self) -> Option<StatusesRow> {
        self.ranges.statuses(self.bytes()).first().copied()
    }

    /// Returns the variables that games change within a range.
    pub fn tunables(&self) -> &[TunableRow] {
        self.ranges.tunables(self.bytes())
    }

    /// Returns the tunable in a slot or a shared variable, by the kind and the index of its row.
    pub fn tunable(&self, kind: u32, index: u32) -> Option<&TunableRow> {
        // Rule V0244: the rows ascend.
        let rows = self.tunables();
        rows.binary_search_by_key(&(kind, index), |row| (row.kind, row.index)).ok().map(|at| &rows[at])
    }

    /// Returns the slots that record changes of variables, if the program has them.
    pub fn changes(&self) -> Option<ChangesRow> {
        self.ranges.changes(self.bytes()).first().copied()
    }

    /// Returns the nodes of the host that own bytes in the frame.
    pub fn data(&self) -> &[DataRow] {
        self.ranges.data(self.bytes())
    }

    /// Returns the slots of the current rule and the step limit, if the program has rules.
    pub fn cursor(&self) -> Option<CursorRow> {
        self.ranges.cursors(self.bytes()).first().copied()
    }

    /// Returns the names by which hosts find nodes.
    pub fn ids(&self) -> &[IdRow] {
        self.ranges.ids(self.bytes())
    }

    /// Returns the stable key of each node, by id minus one.
    pub fn keys(&self) -> &[u64] {
        self.ranges.keys(self.bytes())
    }

    /// Returns a fingerprint of the program: a hash of all sections but those with debug
    /// information. Builds with equal fingerprints can be taken for the same program; two programs
    /// that differ have equal ones by chance only once in 2^64. Another version of the compiler may
    /// give the same source another fingerprint.
    pub fn behavior_key(&self) -> u64 {
        let bytes = self.bytes();
        let shows = |kind: &&SectionKind| !kind.name().starts_with("debug_");
        let sections = SectionKind::ALL.iter().filter(shows);
        sections.fold(0, |sum, kind| {
            let section = key::name(&bytes[self.ranges.get(*kind)]);
            key::child(sum, section, u64::from(*kind as u32), 0)
        })
    }

    /// Returns the bytes of a text. Empty if the text is out of range.
    pub fn text(&self, text: StrRef) -> &[u8] {
        self.ranges
            .strings(self.bytes())
            .get(text.start as usize..)
            .and_then(|rest| rest.get(..text.len as usize))
            .unwrap_or(&[])
    }

    /// Returns a name as a string. Empty if it is out of range or not UTF-8.
    pub fn name(&self, name: StrRef) -> &str {
        core::str::from_utf8(self.text(name)).unwrap_or_default()
    }

    /// Copies all rows, to be changed and written again.
    pub fn parts(&self) -> Parts {
        self.ranges.view(self.bytes()).to_parts()
    }

    /// Returns the size of a section in bytes.
    pub fn section_bytes(&self, kind: SectionKind) -> usize {
        self.ranges.get(kind).len()
    }
}
