//! A verified image.

use crate::buffer::AlignedBytes;
use crate::error::ImageError;
use crate::format::{
    AttributeRow, BlockRow, CaseRow, ChangesRow, ConditionRow, CursorRow, DataRow, EntryRow, EventRow,
    FaceRow, ForestRow, ForestTreeRow, GateRow, IdRow, ImportRow, LimiterRow, Meta, ParallelRow, Parts,
    Ranges, SectionKind, SharedRow, SiteRow, SlotRow, StrRef, TableRow, ValueRow, View, WrapperRow,
};
use crate::isa::{StackWord, Word};
use crate::verify;

/// A compiled program whose every byte has been verified. Immutable; generic over where the bytes are.
///
/// There is no other way to have one than through the verifier, so whoever holds an `Image` may rely on all that
/// [`crate::verify`] proves. (With [`Image::map`], on the condition that its contract is kept.)
#[derive(Clone, Debug)]
pub struct Image<D = AlignedBytes> {
    data: D,
    ranges: Ranges,
}

impl Image<AlignedBytes> {
    /// Copies bytes from anywhere and verifies the copy.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn copy(bytes: &[u8]) -> Result<Self, ImageError> {
        let memory = |_| ImageError::header(verify::Rule::Memory, 0, bytes.len() as u64);
        let mut data = AlignedBytes::zeroed(bytes.len()).map_err(memory)?;
        data.as_mut().copy_from_slice(bytes);
        Self::new(data)
    }
}

impl<D: AsRef<[u8]>> Image<D> {
    /// Verifies bytes in place. They must be aligned to 8; [`Image::copy`] takes any.
    ///
    /// `data.as_ref()` must give the same bytes at every call; what gives others is not unsafe but may panic.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn new(data: D) -> Result<Self, ImageError> {
        let ranges = verify::verify(data.as_ref())?;
        Ok(Self { data, ranges })
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        self.data.as_ref()
    }

    pub(crate) fn view(&self) -> View<'_> {
        self.ranges.view(self.data.as_ref())
    }

    /// What concerns the whole program.
    pub fn meta(&self) -> Meta {
        self.view().meta[0]
    }

    /// The name of the dialect that the trees were written in.
    pub fn dialect(&self) -> &str {
        self.name(self.meta().dialect)
    }

    /// Blocks that can be started by name.
    pub fn entries(&self) -> &[EntryRow] {
        self.view().entries
    }

    /// Index and block of the entry with this name.
    pub fn entry(&self, name: &str) -> Option<(usize, u32)> {
        let mut entries = self.entries().iter().enumerate();
        entries.find(|(_, entry)| self.name(entry.name) == name).map(|(index, entry)| (index, entry.block))
    }

    /// All blocks; each calls only earlier ones.
    pub fn blocks(&self) -> &[BlockRow] {
        self.view().blocks
    }

    /// All instructions.
    pub fn code(&self) -> &[Word] {
        self.view().code
    }

    /// Where the conditions are in the condition code.
    pub fn conditions(&self) -> &[ConditionRow] {
        self.view().conditions
    }

    /// The operations of all conditions.
    pub fn condition_code(&self) -> &[StackWord] {
        self.view().condition_code
    }

    /// The operations of one condition.
    pub fn condition(&self, index: u32) -> &[StackWord] {
        let row = self.conditions()[index as usize];
        &self.condition_code()[row.first as usize..][..row.count as usize]
    }

    /// A constant of conditions.
    pub fn constant(&self, index: usize) -> Option<f64> {
        self.view().constants.get(index).map(|bits| f64::from_bits(*bits))
    }

    /// The constants of conditions.
    pub fn constants(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.view().constants.iter().map(|bits| f64::from_bits(*bits))
    }

    /// The host functions it needs.
    pub fn imports(&self) -> &[ImportRow] {
        self.view().imports
    }

    /// Host calls with their arguments.
    pub fn sites(&self) -> &[SiteRow] {
        self.view().sites
    }

    /// Arguments of sites.
    pub fn values(&self) -> &[ValueRow] {
        self.view().values
    }

    /// The frame of an agent.
    pub fn slots(&self) -> &[SlotRow] {
        self.view().slots
    }

    /// Where the cases of each `switch` are.
    pub fn tables(&self) -> &[TableRow] {
        self.view().tables
    }

    /// The cases of all tables.
    pub fn cases(&self) -> &[CaseRow] {
        self.view().cases
    }

    /// Nodes whose children run side by side.
    pub fn parallels(&self) -> &[ParallelRow] {
        self.view().parallels
    }

    /// Slots of positions in the order in which they are halted, for [`Image::parallels`].
    pub fn halts(&self) -> &[u16] {
        self.view().halts
    }

    /// Variables of groups and the world.
    pub fn shared(&self) -> &[SharedRow] {
        self.view().shared
    }

    /// What can happen to agents.
    pub fn events(&self) -> &[EventRow] {
        self.view().events
    }

    /// Nodes that only so many agents can be in.
    pub fn limiters(&self) -> &[LimiterRow] {
        self.view().limiters
    }

    /// Trees under names.
    pub fn forests(&self) -> &[ForestRow] {
        self.view().forests
    }

    /// The trees of forests.
    pub fn forest_trees(&self) -> &[ForestTreeRow] {
        self.view().forest_trees
    }

    /// What each node is from outside, by id minus one; empty if the image does not say.
    pub fn faces(&self) -> &[FaceRow] {
        self.view().faces
    }

    /// What authors say of forests, trees and nodes.
    pub fn attributes(&self) -> &[AttributeRow] {
        self.view().attributes
    }

    /// Nodes whose end is told even if what is inside is halted.
    pub fn wrappers(&self) -> &[WrapperRow] {
        self.view().wrappers
    }

    /// Nodes that only so many agents can be in, let in at once.
    pub fn gates(&self) -> &[GateRow] {
        self.view().gates
    }

    /// Texts for the logs of agents.
    pub fn texts(&self) -> &[StrRef] {
        self.view().texts
    }

    /// Where it is noted that variables have changed.
    pub fn changes(&self) -> Option<ChangesRow> {
        self.view().changes.first().copied()
    }

    /// Nodes of the host with data of their own.
    pub fn data(&self) -> &[DataRow] {
        self.view().data
    }

    /// Where agents keep the rule that they are at, if they are at one.
    pub fn cursor(&self) -> Option<CursorRow> {
        self.view().cursors.first().copied()
    }

    /// Names by which hosts reach nodes.
    pub fn ids(&self) -> &[IdRow] {
        self.view().ids
    }

    /// The stable key of each node, by id minus one.
    pub fn keys(&self) -> &[u64] {
        self.view().keys
    }

    /// The bytes of a text.
    pub fn text(&self, text: StrRef) -> &[u8] {
        self.view()
            .strings
            .get(text.start as usize..)
            .and_then(|rest| rest.get(..text.len as usize))
            .unwrap_or(&[])
    }

    /// A name.
    pub fn name(&self, name: StrRef) -> &str {
        core::str::from_utf8(self.text(name)).unwrap_or_default()
    }

    /// A copy of all rows, to be changed and written anew.
    pub fn parts(&self) -> Parts {
        self.view().to_parts()
    }

    /// Bytes of a section.
    pub fn section_bytes(&self, kind: SectionKind) -> usize {
        self.ranges.get(kind).len()
    }
}
