//! Sections of the file, each declared once: number, name, type of row.

use super::rows::{
    AttributeRow, BlockRow, CaseRow, ChangesRow, ConditionRow, CursorRow, DataRow, DebugEdge, DebugEnd,
    DebugNode, DebugOrigin, DebugTitle, EntryRow, EnumRow, EventRow, FaceRow, ForestRow, ForestTreeRow,
    GateRow, IdRow, ImportRow, LimiterRow, MemberRow, Meta, ParallelRow, SharedRow, SiteRow, SlotRow,
    StatusesRow, StrRef, TableRow, TunableRow, TypedRow, ValueRow, WrapperRow,
};
use crate::isa::{StackWord, Word};
use alloc::vec::Vec;
use core::ops::Range;

macro_rules! sections {
    ($($number:literal $kind:ident $field:ident: $row:ty = $meaning:literal;)*) => {
        /// Kind of a section.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum SectionKind {
            $(#[doc = $meaning] $kind = $number,)*
        }

        impl SectionKind {
            /// All kinds of sections, by number.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// Returns the kind with this number.
            #[must_use]
            pub const fn from_number(number: u32) -> Option<Self> {
                match number {
                    $($number => Some(Self::$kind),)*
                    _ => None,
                }
            }

            /// Returns the name of the section.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => stringify!($field),)* }
            }

            /// Returns a description of the content in one line.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$kind => $meaning,)* }
            }

            /// Returns the size of a row in bytes.
            #[must_use]
            pub const fn row_bytes(self) -> usize {
                match self { $(Self::$kind => size_of::<$row>(),)* }
            }
        }

        /// Rows of a program, from which [`write`](fn@super::write) makes a file.
        #[derive(Clone, Debug, Default)]
        pub struct Parts {
            $(#[doc = $meaning] pub $field: Vec<$row>,)*
        }

        impl Parts {
            /// Removes all rows and keeps the memory.
            pub fn clear(&mut self) {
                $(self.$field.clear();)*
            }

            /// Returns the bytes of each section, in order.
            pub(super) fn bytes(&self) -> impl Iterator<Item = (SectionKind, &[u8])> {
                [$((SectionKind::$kind, bytemuck::cast_slice(&self.$field))),*].into_iter()
            }
        }

        /// Byte range of each section in a file; empty for an absent section.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Ranges {
            $(pub(super) $field: Range<usize>,)*
        }

        impl Ranges {
            pub(crate) fn set(&mut self, kind: SectionKind, range: Range<usize>) {
                match kind { $(SectionKind::$kind => self.$field = range,)* }
            }

            /// Returns the byte range of a section.
            pub(crate) fn get(&self, kind: SectionKind) -> Range<usize> {
                match kind { $(SectionKind::$kind => self.$field.clone(),)* }
            }

            // The container phase of `verify` has proved that the ranges are aligned, whole and
            // inside `data`.
            $(#[doc = concat!("Returns the rows of the section `", stringify!($field), "`.")]
            pub(crate) fn $field<'a>(&self, data: &'a [u8]) -> &'a [$row] {
                bytemuck::cast_slice(&data[self.$field.clone()])
            })*

            /// Returns the rows of all sections. For few of them, the method of each costs less.
            pub(crate) fn view<'a>(&self, data: &'a [u8]) -> View<'a> {
                View { $($field: self.$field(data),)* }
            }
        }

        /// Rows of a program, borrowed from its bytes.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct View<'a> {
            $(pub(crate) $field: &'a [$row],)*
        }

        impl View<'_> {
            /// Copies all rows.
            pub(crate) fn to_parts(self) -> Parts {
                Parts { $($field: self.$field.to_vec(),)* }
            }
        }
    };
}

sections! {
    1 Meta meta: Meta = "data of the whole program";
    2 Entries entries: EntryRow = "blocks that can be started by name";
    3 Blocks blocks: BlockRow = "pieces of the code; a block calls only earlier blocks";
    4 Code code: Word = "instructions";
    5 Conditions conditions: ConditionRow = "pieces of the condition code";
    6 ConditionCode condition_code: StackWord = "operations of the condition machine";
    7 Constants constants: u64 = "numbers for conditions, as bits of doubles";
    8 Imports imports: ImportRow = "host functions";
    9 Sites sites: SiteRow = "host calls with their arguments";
    10 Values values: ValueRow = "arguments";
    11 Slots slots: SlotRow = "the frame of an agent";
    12 Keys keys: u64 = "a stable key for each node";
    13 Strings strings: u8 = "names and texts";
    14 Tables tables: TableRow = "tables by which a `switch` finds where a running agent continues";
    15 Cases cases: CaseRow = "the cases of these tables";
    16 Parallels parallels: ParallelRow = "nodes whose children run side by side";
    17 Halts halts: u16 = "slots of positions, in the order in which they are halted";
    18 Shared shared: SharedRow = "variables of groups and the world";
    19 Events events: EventRow = "events that can be raised for agents";
    20 Limiters limiters: LimiterRow = "nodes that only a limited number of agents can be in, let in at the end of a tick";
    21 Cursors cursors: CursorRow = "slots with the rule at which an agent is; one row or none";
    22 Ids ids: IdRow = "names by which hosts reach nodes";
    23 Forests forests: ForestRow = "forests: named groups of trees";
    24 ForestTrees forest_trees: ForestTreeRow = "trees of the forests";
    25 Faces faces: FaceRow = "names, types and policies of nodes";
    26 Attributes attributes: AttributeRow = "user attributes of forests, trees and nodes";
    27 Wrappers wrappers: WrapperRow = "nodes around a child that do something when they end, also if the child is halted";
    28 Gates gates: GateRow = "nodes that only a limited number of agents can be in, let in within a tick";
    29 Texts texts: StrRef = "texts for the logs of agents, and values of variables";
    30 Changes changes: ChangesRow = "slots that note changes of variables; one row or none";
    31 Data data: DataRow = "nodes of the host with data of their own";
    32 DebugNodes debug_nodes: DebugNode = "source of each node";
    33 DebugOrigins debug_origins: DebugOrigin = "the macros, includes and uses of trees that nodes came through";
    34 DebugEdges debug_edges: DebugEdge = "nodes that end when an instruction is left";
    35 DebugEnds debug_ends: DebugEnd = "chains of ending nodes";
    36 DebugWords debug_words: u16 = "the node that each word of the code belongs to";
    37 DebugNames debug_names: StrRef = "names for the debug sections";
    38 DebugStrings debug_strings: u8 = "the bytes of these names";
    39 Enums enums: EnumRow = "types whose values have names";
    40 Members members: MemberRow = "the names of these values";
    41 Typed typed: TypedRow = "variables, parameters and answers of these types";
    42 Tunables tunables: TunableRow = "variables that games change within a range, and trees cannot set";
    43 DebugTitles debug_titles: DebugTitle = "names that authors gave to nodes with another subject";
    50 Statuses statuses: StatusesRow = "where nodes keep their statuses; one row or none";
}
