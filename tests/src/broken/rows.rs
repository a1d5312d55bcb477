//! Damages for each rule: bytes of a file, or rows of a program.

use super::{ACT, Damage, long, slot};
use pleach_image::format::{
    BlockRow, ConditionRow, ForestRow, HEADER_BYTES, MINOR, Parts, SECTION_ROW_BYTES, TableRow, ValueRow,
    face, how, import_kind, seal, slot_kind, value_tag,
};
use pleach_image::isa::{Op, StackOp, StackWord, Word};
use pleach_image::verify::Rule;

/// Returns the start of a section's row in the section table.
const fn section(index: usize) -> usize {
    HEADER_BYTES + index * SECTION_ROW_BYTES
}

/// Damages of files that break rules of the container.
pub(super) const FILES: &[Damage<Vec<u8>>] = &[
    (Rule::TooShort, |file| file.truncate(HEADER_BYTES - 1)),
    (Rule::TooShort, Vec::clear),
    (Rule::Magic, |file| file[0] = 0x09),
    (Rule::Magic, |file| file[5] = b'\r'),
    (Rule::ByteOrder, |file| file[8..12].reverse()),
    (Rule::Version, |file| file[12] = 2),
    (Rule::Version, |file| file[14] = MINOR as u8 + 1),
    (Rule::Feature, |file| file[19] = 0x80),
    (Rule::Length, |file| file.truncate(file.len() - 8)),
    (Rule::Length, |file| file.push(0)),
    (Rule::Reserved, |file| file[20] = 1),
    (Rule::Reserved, |file| file[63] = 1),
    (Rule::SectionCount, |file| file[32] = 0xff),
    (Rule::SectionCount, |file| {
        file.truncate(section(3));
        seal(file);
    }),
    (Rule::SectionKind, |file| file[section(1)] = 1),
    (Rule::SectionKind, |file| file[section(12)] = 99),
    (Rule::SectionKind, |file| file[section(0) + 4] = 1),
    (Rule::SectionPlace, |file| file[section(2) + 8] += 8),
    (Rule::SectionPlace, |file| file[section(12) + 16] = 0xff),
    (Rule::SectionPlace, |file| file[section(4) + 16..section(5)].fill(0xff)),
    (Rule::SectionRows, |file| file[section(0) + 16] -= 4),
    (Rule::Padding, |file| *file.last_mut().expect("not empty") = 1),
    (Rule::Trailing, |file| {
        file.resize(file.len() + 8, 0);
        seal(file);
    }),
    (Rule::Checksum, |file| file[36] ^= 1),
    (Rule::Checksum, |file| *file.iter_mut().rfind(|byte| **byte != 0).expect("not empty") ^= 1),
];

/// Damages of rows.
pub(super) const ROWS: &[Damage<Parts>] = &[
    (Rule::MetaRow, |it| it.meta.clear()),
    (Rule::MetaRow, |it| it.meta.push(it.meta[0])),
    (Rule::NodeCount, |it| it.keys.truncate(2)),
    (Rule::NodeCount, |it| {
        it.meta[0].nodes = 1 << 16;
        it.keys.resize(1 << 16, 0);
    }),
    (Rule::TableSize, |it| it.meta[0].flags = (1 << 16) + 1),
    (Rule::TableSize, |it| it.constants.resize((1 << 16) + 1, 0)),
    (Rule::TableSize, |it| it.entries.resize((1 << 16) + 1, it.entries[0])),
    (Rule::TableSize, |it| it.imports.resize((1 << 16) + 1, it.imports[0])),
    (Rule::StackLimit, |it| it.meta[0].stack_depth = 65),
    (Rule::CallLimit, |it| it.meta[0].call_depth = 3),
    (Rule::StringRange, |it| it.meta[0].dialect.len = 100),
    (Rule::StringRange, |it| it.entries[0].name.start = u32::MAX),
    (Rule::StringRange, |it| it.values[1].len = u32::MAX),
    (Rule::StringRange, |it| it.values[1].len = it.strings.len() as u32 + 1),
    (Rule::StringUtf8, |it| it.strings[0] = 0xff),
    (Rule::StringUtf8, |it| it.imports[0].name.len = 0),
    (Rule::NameLength, |it| it.meta[0].dialect = long(it)),
    (Rule::NameLength, |it| it.entries[0].name = long(it)),
    (Rule::NameLength, |it| it.slots[3].name = long(it)),
    (Rule::EntryBlock, |it| it.entries[0].block = 2),
    (Rule::Reserved, |it| it.entries[0].reserved = 1),
    (Rule::ImportKind, |it| it.imports[1].kind = 3),
    (Rule::ImportArity, |it| it.imports[0].min_args = 2),
    (Rule::SiteImport, |it| it.sites[0].import = 2),
    (Rule::SiteValues, |it| it.sites[0].first = 2),
    (Rule::SiteValues, |it| it.sites[1].count = 1),
    (Rule::ValueTag, |it| it.values[0].tag = 4),
    (Rule::ValueTag, |it| it.values[0].tag = 9),
    (Rule::ValueTag, |it| it.values[0].tag = value_tag::OUT),
    (Rule::ValueTag, |it| it.values[0] = ValueRow { tag: value_tag::OUT, bits: 3, len: 0 }),
    (Rule::ValueTag, |it| it.values[0] = ValueRow { tag: value_tag::OUT, bits: 1, len: 4 }),
    (Rule::ValueTag, |it| it.values[0].len = 1),
    (Rule::SlotType, |it| it.slots[0].kind = 99),
    (Rule::SlotType, |it| it.slots[1].capacity = 1),
    (Rule::SlotType, |it| it.slots[2].capacity = 0),
    (Rule::SlotType, |it| it.slots[2].capacity = 256),
    (Rule::SlotType, |it| it.slots[3].reset = 2),
    (Rule::FrameSize, |it| it.slots.resize(4 + 129, slot(slot_kind::NODE_SET, 255))),
    (Rule::BlockPlace, |it| it.blocks[1].first = 2),
    (Rule::BlockPlace, |it| it.blocks[0].count = 0),
    (Rule::BlockPlace, |it| it.blocks.push(BlockRow { first: 13, count: 0 })),
    (Rule::BlockPlace, |it| it.code.push(Word::new(Op::Return))),
    (Rule::ConditionPlace, |it| it.conditions[0].first = 1),
    (Rule::ConditionPlace, |it| it.conditions[1].count = 0),
    (Rule::ConditionPlace, |it| it.conditions[1].count = u32::MAX),
    (Rule::ConditionPlace, |it| it.conditions.push(ConditionRow { first: 10, count: 0 })),
    (Rule::OpUnknown, |it| it.code[11].op = 0),
    (Rule::OpUnknown, |it| it.code[11].op = 0xff),
    (Rule::UnusedField, |it| it.code[11].a = 1),
    (Rule::UnusedField, |it| it.code[3].x = 1),
    (Rule::TargetBackward, |it| it.code[6].t = 0),
    (Rule::TargetBackward, |it| it.code[5].b = 0),
    (Rule::TargetRange, |it| it.code[6].t = 7),
    (Rule::TargetRange, |it| it.code[5].t = u16::MAX),
    (Rule::TargetData, |it| it.code[1].t = 2),
    (Rule::TargetData, |it| it.code[6] = it.code[5]),
    (Rule::ExitsMissing, |it| it.code[3] = it.code[11]),
    (Rule::ExitsMissing, |it| it.code[12] = it.code[4]),
    (Rule::FallsOff, |it| it.code[12] = it.code[8]),
    (Rule::Unreachable, |it| it.code[1].t = 1),
    (Rule::ExitRange, |it| it.code[12].x = 4),
    (Rule::ConditionRange, |it| it.code[1].a = 2),
    (Rule::CallOrder, |it| it.code[2].a = 1),
    (Rule::CallDepth, |it| it.meta[0].call_depth = 0),
    (Rule::SiteKind, |it| it.code[4].a = 1),
    (Rule::SiteKind, |it| it.code[4].a = 2),
    (Rule::NodeRange, |it| it.code[4].b = 0),
    (Rule::NodeRange, |it| it.code[7].b = 4),
    (Rule::SlotKind, |it| it.code[4].x = 1),
    (Rule::SlotKind, |it| it.code[7].a = 0),
    (Rule::SlotKind, |it| it.code[8].a = 4),
    (Rule::FlagRange, |it| it.code[10].a = 1),
    (Rule::TruthRange, |it| it.code[9].x = 2),
    (Rule::TruthRange, |it| it.code[6].x = 2),
    (Rule::StackOpUnknown, |it| it.condition_code[0].op = 0),
    (Rule::StackUnused, |it| it.condition_code[2].a = 1),
    (Rule::StackUnused, |it| it.condition_code[1].zero = 1),
    (Rule::StackUnused, |it| it.condition_code[6].zero = 1),
    (Rule::StackUnderflow, |it| it.condition_code[0] = StackWord::new(StackOp::Lt, 0)),
    (Rule::StackOverflow, |it| it.meta[0].stack_depth = 1),
    (Rule::StackType, |it| it.condition_code[1] = StackWord::new(StackOp::Not, 0)),
    (Rule::StackType, |it| it.condition_code[5] = StackWord::new(StackOp::Number, 0)),
    (Rule::StackType, |it| it.condition_code[3] = StackWord::new(StackOp::GiveWord, 0)),
    (Rule::StackConstant, |it| it.condition_code[1].a = 1),
    (Rule::StackQuery, |it| it.condition_code[0].a = 0),
    (Rule::StackQuery, |it| it.condition_code[0].a = 2),
    (Rule::StackTarget, |it| it.condition_code[6].a = 0),
    (Rule::StackTarget, |it| it.condition_code[6].a = 4),
    (Rule::StackMerge, |it| it.condition_code[6].a = 2),
    (Rule::StackEnd, |it| it.condition_code[3] = StackWord::new(StackOp::Not, 0)),
    (Rule::StackEnd, |it| it.condition_code[6] = StackWord::new(StackOp::End, 0)),
    (Rule::StackEnd, |it| {
        it.condition_code[1] = it.condition_code[0];
        it.condition_code[2] = StackWord::new(StackOp::Truth, 0);
    }),
];

/// Damages of rows about running state and shared data.
pub(super) const LASTING_ROWS: &[Damage<Parts>] = &[
    (Rule::Reserved, |it| it.cases[0].reserved = 1),
    (Rule::Reserved, |it| it.shared[0].high = 1),
    (Rule::Reserved, |it| it.events[0].reserved = 1),
    (Rule::TablePlace, |it| it.tables[0].first = 1),
    (Rule::TablePlace, |it| it.tables[0].count = 0),
    (Rule::TablePlace, |it| it.tables[0].count = u32::MAX),
    (Rule::CaseOrder, |it| it.cases[0].low = 0),
    (Rule::CaseOrder, |it| it.cases[0].high = 9),
    (Rule::CaseOrder, |it| {
        it.cases.push(it.cases[0]);
        it.tables[0].count = 2;
    }),
    (Rule::ParallelHalts, |it| it.parallels.push(it.parallels[0])),
    (Rule::ParallelHalts, |it| it.parallels[0].halts = 1),
    (Rule::ParallelHalts, |it| it.halts.push(1)),
    (Rule::ParallelSlots, |it| it.parallels[0].node = 0),
    (Rule::ParallelSlots, |it| it.parallels[0].first = 2),
    (Rule::ParallelSlots, |it| it.parallels[0].first = u16::MAX),
    (Rule::ParallelSlots, |it| it.parallels[0].positions = 3),
    (Rule::ParallelSlots, |it| it.halts[1] = 0),
    (Rule::ParallelSlots, |it| it.halts[1] = 3),
    (Rule::ParallelSlots, |it| (it.parallels[0].first, it.halts[0]) = (0, 0)),
    (Rule::SharedType, |it| it.shared[0].kind = slot_kind::NODE),
    (Rule::SharedType, |it| it.shared[0].scope = 0),
    (Rule::EventBlock, |it| it.events[0].block = 1),
    (Rule::EventBlock, |it| it.events[0].block = 2),
    (Rule::LimiterSlots, |it| it.limiters[0].wants = 0),
    (Rule::LimiterSlots, |it| it.limiters[0].column = 3),
    (Rule::LimiterSlots, |it| it.limiters[0].low = 3),
    (Rule::LimiterSlots, |it| it.limiters[0].low = 0),
    (Rule::LimiterSlots, |it| it.limiters[0].high = 3),
    (Rule::LimiterSlots, |it| (it.limiters[0].low, it.limiters[0].high) = (2, 1)),
    (Rule::LimiterSlots, |it| it.limiters[0].reserved = 1),
    (Rule::SlotInit, |it| it.slots[0].init = 1),
    (Rule::SlotInit, |it| it.slots[3].init = 2),
    (Rule::SlotInit, |it| it.shared[0].init = 2),
    (Rule::ConditionRange, |it| it.code[11].a = 0),
    (Rule::ConditionRange, |it| it.code[13].a = 1),
    (Rule::SlotKind, |it| it.code[11].b = 3),
    (Rule::SlotKind, |it| it.code[14].a = 6),
    (Rule::TableRange, |it| it.code[2].a = 1),
    (Rule::TableRange, |it| {
        it.tables.push(TableRow { first: 1, count: 1 });
        it.cases.push(it.cases[0]);
        it.code[2].a = 1;
    }),
    (Rule::TargetBackward, |it| it.cases[0].target = 0),
    (Rule::TargetRange, |it| it.cases[0].target = 100),
    (Rule::TargetData, |it| it.cases[0].target = 6),
    (Rule::ParallelRange, |it| it.code[4].a = 1),
    (Rule::SharedKind, |it| it.code[12].b = 0),
    (Rule::SharedKind, |it| it.code[13].b = 2),
    (Rule::EventRange, |it| it.code[10].a = 1),
    (Rule::LimiterRange, |it| it.code[9].a = 1),
    (Rule::WayRange, |it| it.code[12].x = how::MAX + 1),
    (Rule::ScopeRange, |it| it.code[10].x = 0),
    (Rule::StackSlot, |it| it.condition_code[0].a = 5),
    (Rule::StackSlot, |it| it.condition_code[2].a = 3),
    (Rule::StackSlot, |it| it.condition_code[3].a = 0),
    (Rule::StackEnd, |it| it.condition_code[4] = StackWord::new(StackOp::Give, 0)),
];

/// Damages of single conditions among others of the same form.
pub(super) const REPEATED_ROWS: &[Damage<Parts>] = &[
    (Rule::StackConstant, |it| it.condition_code[5].a = 1),
    (Rule::StackQuery, |it| it.condition_code[8].a = 0),
    (Rule::StackEnd, |it| it.condition_code[7] = StackWord::new(StackOp::Not, 0)),
    (Rule::StackUnused, |it| it.condition_code[10].zero = 1),
];

/// Damages of loops.
pub(super) const LOOPING_ROWS: &[Damage<Parts>] = &[
    (Rule::LoopBack, |it| it.code[1].b = 0),
    (Rule::LoopBack, |it| it.code[1].b = 2),
    (Rule::LoopBack, |it| it.code[8].b = 2),
    (Rule::LoopBack, |it| it.code[8].x = 2),
    (Rule::LoopEntered, |it| it.code[4].t = 4),
    (Rule::LoopNested, |it| (it.code[5].x, it.code[8].x) = (2, 2)),
    (Rule::LoopNested, |it| (it.code[0].x, it.code[1].x) = (1, 1)),
    (Rule::LoopNested, |it| {
        (it.code[8].x, it.code[8].b) = (2, 5);
        (it.code[9].x, it.code[9].b) = (1, 4);
    }),
    (Rule::FaultRange, |it| it.code[10].x = 1),
    (Rule::TimesRange, |it| it.code[0].b = 0),
];

/// Damages after which a loop finds a register full that it has not filled itself.
pub(super) const LEAVING_ROWS: &[Damage<Parts>] = &[
    (Rule::LoopEntered, |it| it.code[18].t = 2),
    (Rule::LoopEntered, |it| it.code[16].a = 5),
    (Rule::LoopNested, |it| (it.code[6].x, it.code[17].x) = (0, 0)),
];

/// Damages of programs with a current rule of agents.
pub(super) const WALKING_ROWS: &[Damage<Parts>] = &[
    (Rule::CursorSlots, |it| it.cursors[0].position = 1),
    (Rule::CursorSlots, |it| it.cursors[0].ran = 0),
    (Rule::CursorSlots, |it| it.cursors[0].limit = 0),
    (Rule::CursorSlots, |it| it.cursors[0].reserved = 1),
    (Rule::CursorSlots, |it| it.cursors.push(it.cursors[0])),
    (Rule::IdNodes, |it| it.ids[1].node = 4),
    (Rule::IdNodes, |it| it.ids[1].node = 1),
    (Rule::IdNodes, |it| it.ids[1].tree = 0),
    (Rule::IdNodes, |it| it.ids[0].tree = 2),
    (Rule::IdNodes, |it| it.ids[1].listed = 2),
    (Rule::NameLength, |it| it.ids[1].name = long(it)),
    (Rule::ImportKind, |it| it.imports[0].kind = import_kind::OPTIONAL),
    (Rule::ImportKind, |it| it.imports[0].kind |= 0x200),
    (Rule::RuleRange, |it| it.code[6].b = 4),
    (Rule::RuleRange, |it| it.code[7].a = 0),
    (Rule::TimesRange, |it| it.cursors.clear()),
];

/// Damages of forests.
pub(super) const PLANTED_ROWS: &[Damage<Parts>] = &[
    (Rule::StringUtf8, |it| it.forests[0].name.len = 0),
    (Rule::StringUtf8, |it| it.forest_trees[0].name.len = 0),
    (Rule::StringUtf8, |it| it.faces[1].name.len = 0),
    (Rule::StringUtf8, |it| it.attributes[0].key.len = 0),
    (Rule::StringRange, |it| it.attributes[0].value.start = u32::MAX),
    (Rule::ForestTrees, |it| it.forests[0].first = 1),
    (Rule::ForestTrees, |it| it.forests[0].trees = 2),
    (Rule::ForestTrees, |it| it.forests.push(ForestRow { first: 0, trees: 1, ..it.forests[0] })),
    (Rule::TreeRoot, |it| it.forest_trees[0].root = 0),
    (Rule::TreeRoot, |it| it.forest_trees[0].root = 2),
    (Rule::TreeRoot, |it| it.forest_trees[0].root = u32::MAX),
    (Rule::TreeRoot, |it| it.forest_trees[0].entry = 1),
    (Rule::TreeRoot, |it| it.faces.clear()),
    (Rule::FaceType, |it| it.faces.truncate(2)),
    (Rule::FaceType, |it| it.faces[0].name = ACT),
    (Rule::FaceType, |it| it.faces[1].role = 0),
    (Rule::FaceType, |it| it.faces[1].role = 8),
    (Rule::FaceType, |it| it.faces[1].policy = face::SUCCESS),
    (Rule::FaceType, |it| it.faces[1].role = face::PARALLEL),
    (Rule::FaceType, |it| it.faces[2].policy = face::NONE),
    (Rule::AttributePlace, |it| it.forests[0].count = 2),
    (Rule::AttributePlace, |it| it.forest_trees[0].attributes = u32::MAX),
    (Rule::AttributePlace, |it| it.faces[2].attributes = 2),
    (Rule::AttributePlace, |it| (it.faces[2].attributes, it.faces[2].count) = (0, 1)),
    (Rule::TableSize, |it| it.attributes.resize((1 << 16) + 1, it.attributes[0])),
];
