//! Every rule of the verifier has images that break it and no other.
//!
//! The tables below say how: some change bytes of a file, the others rows of a program. Beside them stand the limits
//! that keep small files from asking for much memory or time.

#[path = "verifier/reacting.rs"]
mod reacting;

use pleach_compile::emit;
use pleach_image::Image;
use pleach_image::buffer::AlignedBytes;
use pleach_image::format::{self, Parts, seal};
use pleach_image::format::{
    AttributeRow, BlockRow, CaseRow, ConditionRow, CursorRow, EntryRow, EventRow, FaceRow, ForestRow,
    ForestTreeRow, HEADER_BYTES, IdRow, ImportRow, LimiterRow, Meta, ParallelRow, SECTION_ROW_BYTES,
    SharedRow, SiteRow, SlotRow, StrRef, TableRow, ValueRow, face, how, import_kind, scope, slot_kind,
    value_tag,
};
use pleach_image::isa::{Op, StackOp, StackWord, Word};
use pleach_image::verify::{MAX_NAME, Rule};
use pleach_tests::random::Case;
use pleach_tests::random::program::program;
use pleach_tests::random::trial::{self, Verdict};
use std::time::{Duration, Instant};

/// Every rule is broken by a file or by rows below, and that rule is what is reported.
#[test]
fn every_rule_refuses_an_image() {
    let (file, mut reported) = (format::write(&whole()), Vec::new());
    for (rule, damage) in FILES {
        let mut file = file.clone();
        damage(&mut file);
        reported.push((*rule, Image::copy(&file).map(drop)));
    }
    let bases: [Base; 6] = [
        (whole, ROWS),
        (lasting, LASTING_ROWS),
        (looping, LOOPING_ROWS),
        (planted, PLANTED_ROWS),
        (walking, WALKING_ROWS),
        (reacting::reacting, reacting::ROWS),
    ];
    for (base, rows) in bases {
        assert_eq!(trial::run(&format::write(&base())), Verdict::Ran, "the image that is about to be broken");
        for (rule, damage) in rows {
            let mut parts = base();
            damage(&mut parts);
            reported.push((*rule, Image::copy(&format::write(&parts)).map(drop)));
        }
    }
    let shifted = AlignedBytes::copy(&[&[0], &file[..]].concat());
    reported.push((Rule::Aligned, Image::new(&shifted.as_ref()[1..]).map(drop)));
    for (rule, result) in &reported {
        let found = result.as_ref().expect_err(rule.meaning());
        assert_eq!(found.rule, *rule, "{found}");
    }
    let untested = Rule::ALL.iter().filter(|rule| reported.iter().all(|(tested, _)| tested != *rule));
    assert_eq!(untested.collect::<Vec<_>>(), [&Rule::Magic; 0]);
}

#[test]
fn long_names_are_refused_by_the_compiler() {
    let mut module = program(Case { seed: 3, size: 5 });
    module.imports[0].name = module.names.intern(&[b'x'; MAX_NAME as usize - 7]);
    let image = emit::emit(&module, "random", None).expect("the name just fits");
    Image::copy(&image).expect("what the compiler makes, the verifier lets pass");
    module.imports[0].name = module.names.intern(&[b'x'; MAX_NAME as usize]);
    let refused = emit::emit(&module, "random", None).expect_err("the name is too long");
    assert_eq!(refused.code, pleach_compile::codes::TOO_LARGE);
}

/// Rows that share strings or code must not multiply what they share: these images are a few megabytes, and as many
/// gigabytes, or minutes, would be spent on them.
#[test]
fn nothing_multiplies() {
    let many = 60_000;
    let mut texts = whole();
    texts.strings.resize(1 << 20, b'x');
    texts.values.resize(many, ValueRow { tag: value_tag::TEXT, bits: 0, len: 1 << 20 });
    let mut names = whole();
    let name = StrRef { len: MAX_NAME, ..long(&mut names) };
    names.entries.resize(many, EntryRow { name, block: 0, reserved: 0 });
    let mut functions = whole();
    functions.imports.resize(many, functions.imports[0]);
    functions.code.splice(9..9, vec![Word::new(Op::Flag).with_t(1); 1 << 18]);
    functions.code[1] = Word::new(Op::Cond).with_t(1);
    functions.code.pop();
    functions.blocks[1].count += (1 << 18) - 1;
    for parts in [texts, names, functions] {
        let (start, file) = (Instant::now(), format::write(&parts));
        assert_eq!(Image::copy(&file).map(drop), Ok(()));
        trial::run(&file);
        assert!(start.elapsed() < Duration::from_secs(20), "it took {:?}", start.elapsed());
    }
}

/// A rule, and how to break it.
type Damage<T> = (Rule, fn(&mut T));

/// A program, and how to break it.
type Base = (fn() -> Parts, &'static [Damage<Parts>]);

/// Where the row of a section in the section table begins.
const fn section(index: usize) -> usize {
    HEADER_BYTES + index * SECTION_ROW_BYTES
}

/// Files that break a rule of the container.
const FILES: &[Damage<Vec<u8>>] = &[
    (Rule::TooShort, |file| file.truncate(HEADER_BYTES - 1)),
    (Rule::TooShort, Vec::clear),
    (Rule::Magic, |file| file[0] = 0x09),
    (Rule::Magic, |file| file[5] = b'\r'),
    (Rule::ByteOrder, |file| file[8..12].reverse()),
    (Rule::Version, |file| file[12] = 2),
    (Rule::Version, |file| file[14] = 1),
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

/// Rows that break a rule.
const ROWS: &[Damage<Parts>] = &[
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
    (Rule::ValueTag, |it| it.values[0].tag = 5),
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

/// Rows about what runs, and what agents share, that break a rule.
const LASTING_ROWS: &[Damage<Parts>] = &[
    (Rule::Reserved, |it| it.cases[0].reserved = 1),
    (Rule::Reserved, |it| it.shared[0].reserved = 1),
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
    (Rule::ParallelSlots, |it| it.parallels[0].node = 0),
    (Rule::ParallelSlots, |it| it.parallels[0].first = 2),
    (Rule::ParallelSlots, |it| it.parallels[0].first = u16::MAX),
    (Rule::ParallelSlots, |it| it.parallels[0].positions = 3),
    (Rule::ParallelSlots, |it| it.halts[1] = 0),
    (Rule::ParallelSlots, |it| it.halts[1] = 3),
    (Rule::SharedType, |it| it.shared[0].kind = slot_kind::NODE),
    (Rule::SharedType, |it| it.shared[0].scope = 0),
    (Rule::EventBlock, |it| it.events[0].block = 1),
    (Rule::EventBlock, |it| it.events[0].block = 2),
    (Rule::LimiterSlots, |it| it.limiters[0].wants = 0),
    (Rule::LimiterSlots, |it| it.limiters[0].column = 3),
    (Rule::LimiterSlots, |it| it.limiters[0].low = 3),
    (Rule::SlotInit, |it| it.slots[0].init = 1),
    (Rule::SlotInit, |it| it.slots[3].init = 2),
    (Rule::SlotInit, |it| it.shared[0].init = 2),
    (Rule::ConditionRange, |it| it.code[11].a = 0),
    (Rule::ConditionRange, |it| it.code[13].a = 1),
    (Rule::SlotKind, |it| it.code[11].b = 3),
    (Rule::SlotKind, |it| it.code[14].a = 6),
    (Rule::TableRange, |it| it.code[2].a = 1),
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

/// Loops that break a rule.
const LOOPING_ROWS: &[Damage<Parts>] = &[
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

/// Rules that agents are at that break a rule.
const WALKING_ROWS: &[Damage<Parts>] = &[
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

/// Forests that break a rule.
const PLANTED_ROWS: &[Damage<Parts>] = &[
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
    (Rule::FaceType, |it| it.faces[2].policy = face::NONE),
    (Rule::AttributePlace, |it| it.forests[0].count = 2),
    (Rule::AttributePlace, |it| it.forest_trees[0].attributes = u32::MAX),
    (Rule::AttributePlace, |it| it.faces[2].attributes = 2),
    (Rule::AttributePlace, |it| (it.faces[2].attributes, it.faces[2].count) = (0, 1)),
    (Rule::TableSize, |it| it.attributes.resize((1 << 16) + 1, it.attributes[0])),
];

/// A string that is too long for a name.
fn long(parts: &mut Parts) -> StrRef {
    parts.strings.resize(MAX_NAME as usize + 1, b'x');
    StrRef { start: 0, len: MAX_NAME + 1 }
}

const STRINGS: &[u8] = b"testmainactask";
const DIALECT: StrRef = StrRef { start: 0, len: 4 };
const MAIN: StrRef = StrRef { start: 4, len: 4 };
const ACT: StrRef = StrRef { start: 8, len: 3 };
const ASK: StrRef = StrRef { start: 11, len: 3 };

const fn slot(kind: u32, capacity: u32) -> SlotRow {
    SlotRow { kind, capacity, name: StrRef { start: 0, len: 0 }, key: 0, reset: 0, init: 0 }
}

/// An image with something in every section but the debug ones.
fn whole() -> Parts {
    let import = |name, kind, max_args| ImportRow { name, kind, min_args: 0, max_args };
    Parts {
        meta: vec![Meta { nodes: 3, flags: 1, call_depth: 1, stack_depth: 2, dialect: DIALECT }],
        entries: vec![EntryRow { name: MAIN, block: 1, reserved: 0 }],
        blocks: vec![BlockRow { first: 0, count: 1 }, BlockRow { first: 1, count: 12 }],
        code: code(),
        conditions: vec![ConditionRow { first: 0, count: 4 }, ConditionRow { first: 4, count: 6 }],
        condition_code: condition_code(),
        constants: vec![1.0_f64.to_bits()],
        imports: vec![import(ACT, import_kind::ACTION, 1), import(ASK, import_kind::QUERY, 0)],
        sites: vec![SiteRow { import: 0, first: 1, count: 1 }, SiteRow { import: 1, first: 0, count: 0 }],
        values: vec![
            ValueRow { tag: value_tag::INT, bits: 5, len: 0 },
            ValueRow { tag: value_tag::TEXT, bits: 0, len: 4 },
        ],
        slots: vec![
            slot(slot_kind::NODE, 0),
            slot(slot_kind::BIT, 0),
            slot(slot_kind::NODE_SET, 3),
            slot(slot_kind::TIME, 0),
        ],
        keys: vec![1, 2, 3],
        strings: STRINGS.to_vec(),
        ..Parts::default()
    }
}

/// An image with a forest.
fn planted() -> Parts {
    let face = |name, role, policy| FaceRow { name, role, policy, attributes: 1, count: 0 };
    Parts {
        forests: vec![ForestRow { name: MAIN, first: 0, trees: 1, attributes: 0, count: 1 }],
        forest_trees: vec![ForestTreeRow { name: ACT, entry: 0, root: 1, attributes: 1, count: 0 }],
        faces: vec![
            face(StrRef::default(), face::ROOT, face::NONE),
            face(ASK, face::DECORATOR, face::NONE),
            face(ACT, face::ACTION, face::FAILURE),
        ],
        attributes: vec![AttributeRow { key: MAIN, value: StrRef { start: 3, len: 0 } }],
        ..whole()
    }
}

/// A block that succeeds, and one that calls it and then does a little of everything.
fn code() -> Vec<Word> {
    let exits = |a, b, t| Word::new(Op::Exits).with_a(a).with_b(b).with_t(t);
    vec![
        Word::new(Op::Return).with_x(1),
        Word::new(Op::Cond).with_t(11),
        Word::new(Op::Call).with_t(9),
        exits(2, 2, 2),
        Word::new(Op::Act).with_b(1).with_t(7),
        exits(2, 2, 2),
        Word::new(Op::JumpBit).with_a(1).with_x(1).with_t(1),
        Word::new(Op::Mark).with_a(2).with_b(1).with_t(1),
        Word::new(Op::Due).with_a(3).with_t(1),
        Word::new(Op::Flag).with_x(1).with_t(1),
        Word::new(Op::JumpFlag).with_t(1),
        Word::new(Op::Return).with_x(1),
        Word::new(Op::Return),
    ]
}

/// An image with something in the sections about what runs and what agents share.
fn lasting() -> Parts {
    let shared = |name, kind, scope| SharedRow { name, kind, scope, init: 0, reserved: 0 };
    let kinds = [slot_kind::NODE, slot_kind::NODE, slot_kind::NODE, slot_kind::BIT, slot_kind::BIT];
    let slots = kinds.into_iter().chain([slot_kind::U16, slot_kind::F32]).map(|kind| slot(kind, 0));
    let code = lasting_code();
    Parts {
        meta: vec![Meta { nodes: 2, flags: 0, call_depth: 0, stack_depth: 2, dialect: DIALECT }],
        entries: vec![EntryRow { name: MAIN, block: 1, reserved: 0 }],
        blocks: vec![BlockRow { first: 0, count: 2 }, BlockRow { first: 2, count: code.len() as u32 - 2 }],
        code,
        conditions: vec![ConditionRow { first: 0, count: 2 }, ConditionRow { first: 2, count: 4 }],
        condition_code: vec![
            StackWord::new(StackOp::Bit, 3),
            StackWord::new(StackOp::End, 0),
            StackWord::new(StackOp::Slot, 6),
            StackWord::new(StackOp::Shared, 1),
            StackWord::new(StackOp::AddInt, 0),
            StackWord::new(StackOp::Give, 0),
        ],
        slots: slots.collect(),
        keys: vec![1, 2],
        strings: STRINGS.to_vec(),
        tables: vec![TableRow { first: 0, count: 1 }],
        cases: vec![CaseRow { low: 1, high: 2, target: 3, reserved: 0 }],
        parallels: vec![ParallelRow {
            node: 1,
            first: 1,
            branches: 2,
            succeed: 2,
            fail: 1,
            positions: 2,
            halts: 0,
        }],
        halts: vec![1, 2],
        shared: vec![shared(ACT, slot_kind::BIT, scope::WORLD), shared(ASK, slot_kind::I32, scope::GROUP)],
        events: vec![EventRow { name: ACT, block: 0, reserved: 0 }],
        limiters: vec![LimiterRow {
            places: 1,
            column: 0,
            low: 1,
            high: 2,
            wants: 3,
            granted: 4,
            reserved: 0,
        }],
        ..Parts::default()
    }
}

/// What an event does, and a block with everything that lasts.
fn lasting_code() -> Vec<Word> {
    vec![
        Word::new(Op::SetBit).with_b(3).with_t(1),
        Word::new(Op::Return).with_x(1),
        Word::new(Op::Switch),
        Word::new(Op::Park).with_b(1).with_t(1),
        Word::new(Op::Fork).with_t(1),
        Word::new(Op::Ended).with_x(1).with_t(1),
        Word::new(Op::Finish).with_x(1).with_a(1).with_t(1),
        Word::new(Op::Join).with_t(2),
        Word::new(Op::Exits).with_a(2).with_b(2).with_t(2),
        Word::new(Op::Ask).with_t(1),
        Word::new(Op::Raise).with_x(1).with_t(1),
        Word::new(Op::Set).with_a(1).with_b(6).with_t(1),
        Word::new(Op::Share).with_x(how::ADD).with_a(1).with_b(1).with_t(1),
        Word::new(Op::ShareBit).with_t(1),
        Word::new(Op::Ticks).with_a(5).with_b(3).with_t(1),
        Word::new(Op::Down).with_a(5).with_t(1),
        Word::new(Op::Rate).with_x(1).with_a(1).with_t(1),
        Word::new(Op::Pick).with_t(1),
        Word::new(Op::Clear).with_t(1),
        Word::new(Op::Halt).with_a(1).with_b(2).with_t(1),
        Word::new(Op::Return),
    ]
}

/// A block that loops, and one that calls it in a loop inside a loop, and ends with a fault.
fn looping() -> Parts {
    Parts {
        meta: vec![Meta { nodes: 1, flags: 1, call_depth: 1, stack_depth: 0, dialect: DIALECT }],
        entries: vec![EntryRow { name: MAIN, block: 1, reserved: 0 }],
        blocks: vec![BlockRow { first: 0, count: 3 }, BlockRow { first: 3, count: 8 }],
        code: vec![
            Word::new(Op::Loop).with_b(2),
            Word::new(Op::Again).with_b(1).with_t(1),
            Word::new(Op::Return),
            Word::new(Op::Loop).with_x(2).with_b(1),
            Word::new(Op::JumpFlag).with_t(5),
            Word::new(Op::Loop).with_x(1).with_b(2),
            Word::new(Op::Call).with_t(2),
            Word::new(Op::Exits).with_a(2).with_b(2).with_t(2),
            Word::new(Op::Again).with_x(1).with_b(3).with_t(1),
            Word::new(Op::Again).with_x(2).with_b(6).with_t(1),
            Word::new(Op::Fault),
        ],
        keys: vec![1],
        strings: STRINGS.to_vec(),
        ..Parts::default()
    }
}

/// A rule that agents are at, in a loop up to the step limit.
fn walking() -> Parts {
    let kind = import_kind::ACTION | import_kind::OPTIONAL;
    Parts {
        meta: vec![Meta { nodes: 3, flags: 0, call_depth: 0, stack_depth: 0, dialect: DIALECT }],
        entries: vec![EntryRow { name: MAIN, block: 0, reserved: 0 }],
        blocks: vec![BlockRow { first: 0, count: 10 }],
        code: vec![
            Word::new(Op::Loop),
            Word::new(Op::Switch),
            Word::new(Op::Known).with_t(4),
            Word::new(Op::Once).with_t(6),
            Word::new(Op::ActRule).with_b(3).with_t(2),
            Word::new(Op::Exits).with_a(2).with_b(5).with_t(2),
            Word::new(Op::Ran).with_b(3).with_t(2),
            Word::new(Op::Move).with_a(3).with_b(3).with_t(1),
            Word::new(Op::Again).with_b(8).with_t(1),
            Word::new(Op::Return).with_x(2),
        ],
        imports: vec![ImportRow { name: ACT, kind, min_args: 0, max_args: 0 }],
        sites: vec![SiteRow { import: 0, first: 0, count: 0 }],
        slots: vec![slot(slot_kind::NODE, 0), slot(slot_kind::BIT, 0)],
        keys: vec![1, 2, 3],
        strings: STRINGS.to_vec(),
        tables: vec![TableRow { first: 0, count: 1 }],
        cases: vec![CaseRow { low: 3, high: 3, target: 1, reserved: 0 }],
        cursors: vec![CursorRow { position: 0, ran: 1, limit: 2, reserved: 0 }],
        ids: vec![
            IdRow { name: MAIN, node: 1, tree: 1, listed: 0 },
            IdRow { name: ACT, node: 3, tree: 1, listed: 1 },
        ],
        ..Parts::default()
    }
}

#[test]
fn loops_end_within_their_bound_and_reach_it() {
    let image = Image::copy(&format::write(&looping())).unwrap();
    let program = pleach::Program::link(&image, &trial::Anybody::default()).unwrap();
    let mut crowd = pleach::Crowd::new(&program);
    let agent = crowd.spawn("main").unwrap();
    let mut steps = trial::Steps::default();
    let outcome = crowd.tick_agent(agent, 0, &mut trial::Anybody::default(), &mut steps);
    assert_eq!(outcome, Ok(pleach::Outcome::Fault(pleach::Fault::Fuel)));
    // Twice the outer loop with three calls each: of the called block all but the return, the call and its `again`. Then
    // what begins and ends a round, and what begins the outer loop; returns and faults are not counted.
    assert_eq!(steps.0, 2 * (3 * ((1 + 3) + 2) + 3) + 1);
    assert_eq!(program.bounds().instructions, steps.0 + 2 * 3 + 1);
    assert_eq!(crowd.tick(1, &mut trial::Anybody::default()).faults, 1);
}

/// `ask < 1` and `ask && ask`.
fn condition_code() -> Vec<StackWord> {
    let ask = [StackWord::new(StackOp::Query, 1), StackWord::new(StackOp::Truth, 0)];
    let end = StackWord::new(StackOp::End, 0);
    let less = [ask[0], StackWord::new(StackOp::Const, 0), StackWord::new(StackOp::Lt, 0), end];
    let and = [ask[0], ask[1], StackWord::new(StackOp::And, 3), ask[0], ask[1], end];
    [&less[..], &and[..]].concat()
}
