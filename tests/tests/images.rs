//! Damaged and hostile images: refused, or harmless.
//!
//! The golden images are small random programs, at least one for each instruction and each operation of conditions.
//! They are cut short, lengthened, and changed in every single bit, with the checksum left as it is and put right. And
//! every rule of the verifier has images that break it and no other.

use pleach_compile::emit;
use pleach_image::Image;
use pleach_image::buffer::AlignedBytes;
use pleach_image::format::{self, Parts, seal};
use pleach_image::format::{
    BlockRow, ConditionRow, EntryRow, HEADER_BYTES, ImportRow, Meta, SECTION_ROW_BYTES, SiteRow, SlotRow,
    StrRef, ValueRow, import_kind, slot_kind, value_tag,
};
use pleach_image::isa::{Op, StackOp, StackWord, Word};
use pleach_image::verify::Rule;
use pleach_tests::random::Case;
use pleach_tests::random::program::{program, sources};
use pleach_tests::random::trial::{self, Verdict};
use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::Path;

/// Programs among which the golden ones are chosen.
const CANDIDATES: u64 = 4000;

/// For each instruction and operation by name, the smallest of the candidates that has it.
fn golden() -> BTreeMap<&'static str, Vec<u8>> {
    let mut golden: BTreeMap<&'static str, Vec<u8>> = BTreeMap::new();
    for seed in 0..CANDIDATES {
        let module = program(Case { seed, size: 1 + seed as usize % 12 });
        let sources = seed.is_multiple_of(4).then(sources);
        let bytes = emit::emit(&module, "random", sources.as_ref()).expect("a small program fits");
        let image = Image::copy(&bytes).expect("what the compiler makes, the verifier lets pass");
        let ops = image.code().iter().filter_map(|word| word.op()).map(Op::mnemonic);
        let stack = image.condition_code().iter().filter_map(|word| word.op()).map(StackOp::mnemonic);
        for name in ops.chain(stack) {
            let smallest = golden.get(name).is_none_or(|known| bytes.len() < known.len());
            if smallest {
                golden.insert(name, bytes.clone());
            }
        }
    }
    golden
}

#[test]
fn there_is_a_golden_image_for_every_operation() {
    let golden = golden();
    let names = Op::ALL.iter().map(|op| op.mnemonic()).chain(StackOp::ALL.iter().map(|op| op.mnemonic()));
    let missing: Vec<_> = names.filter(|name| !golden.contains_key(name)).collect();
    assert_eq!(missing, [""; 0]);
    assert!(golden.values().all(|bytes| trial::run(bytes) == Verdict::Ran));
}

#[test]
fn every_other_length_is_refused() {
    for (name, bytes) in golden() {
        for length in 0..bytes.len() {
            assert!(Image::copy(&bytes[..length]).is_err(), "{name}: {length} of {} bytes", bytes.len());
        }
        for more in 1..=64 {
            let mut longer = bytes.clone();
            longer.resize(bytes.len() + more, 0);
            assert!(Image::copy(&longer).is_err(), "{name}: {more} more bytes");
            seal(&mut longer);
            assert!(Image::copy(&longer).is_err(), "{name}: {more} more bytes, sealed");
        }
    }
}

#[test]
fn every_bit_flip_is_refused_or_harmless() {
    let (mut refused, mut ran) = (0, 0);
    for (name, bytes) in golden() {
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(
                Image::copy(&damaged).is_err(),
                "{name}: bit {bit} of byte {} made no difference",
                bit / 8
            );
            seal(&mut damaged);
            match catch_unwind(|| trial::run(&damaged)) {
                Ok(Verdict::Refused) => refused += 1,
                Ok(Verdict::Ran) => ran += 1,
                Err(_) => panic!("{name}: bit {} of byte {} does harm", bit % 8, bit / 8),
            }
        }
    }
    println!("sealed again: {refused} refused, {ran} ran");
    assert!(refused > 100_000 && ran > 10_000, "the flips miss what they are for: {refused}, {ran}");
}

/// What fuzzing has found, one folder a target.
#[test]
fn crashes_stay_fixed() {
    let crashes = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/crashes");
    let targets: [(&str, fn(&[u8])); 2] = [("image", trial::image), ("source_text", trial::source_text)];
    for (target, run) in targets {
        let Ok(files) = crashes.join(target).read_dir() else { continue };
        for file in files {
            let path = file.expect("a file of the folder").path();
            let bytes = std::fs::read(&path).expect("a file that can be read");
            assert!(catch_unwind(|| run(&bytes)).is_ok(), "{} fails again", path.display());
        }
    }
}

/// Every rule is broken by a file or by rows below, and that rule is what is reported.
#[test]
fn every_rule_refuses_an_image() {
    let (file, mut reported) = (format::write(&whole()), Vec::new());
    assert_eq!(trial::run(&file), Verdict::Ran, "the image that is about to be broken");
    for (rule, damage) in FILES {
        let mut file = file.clone();
        damage(&mut file);
        reported.push((*rule, Image::copy(&file).map(drop)));
    }
    for (rule, damage) in ROWS {
        let mut parts = whole();
        damage(&mut parts);
        reported.push((*rule, Image::copy(&format::write(&parts)).map(drop)));
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

/// Where the row of a section in the section table begins.
const fn section(index: usize) -> usize {
    HEADER_BYTES + index * SECTION_ROW_BYTES
}

/// Files that break a rule of the container.
const FILES: &[(Rule, fn(&mut Vec<u8>))] = &[
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
    (Rule::Checksum, |file| file[section(13)] ^= 1),
];

/// Rows that break a rule.
const ROWS: &[(Rule, fn(&mut Parts))] = &[
    (Rule::MetaRow, |it| it.meta.clear()),
    (Rule::MetaRow, |it| it.meta.push(it.meta[0])),
    (Rule::NodeCount, |it| it.keys.truncate(2)),
    (Rule::NodeCount, |it| {
        it.meta[0].nodes = 1 << 16;
        it.keys.resize(1 << 16, 0);
    }),
    (Rule::TableSize, |it| it.meta[0].flags = (1 << 16) + 1),
    (Rule::TableSize, |it| it.constants.resize((1 << 16) + 1, 0)),
    (Rule::StackLimit, |it| it.meta[0].stack_depth = 65),
    (Rule::CallLimit, |it| it.meta[0].call_depth = 3),
    (Rule::StringRange, |it| it.meta[0].dialect.len = 100),
    (Rule::StringRange, |it| it.entries[0].name.start = u32::MAX),
    (Rule::StringRange, |it| it.values[1].len = u32::MAX),
    (Rule::StringUtf8, |it| it.strings[0] = 0xff),
    (Rule::StringUtf8, |it| it.imports[0].name.len = 0),
    (Rule::EntryBlock, |it| it.entries[0].block = 2),
    (Rule::Reserved, |it| it.entries[0].reserved = 1),
    (Rule::Reserved, |it| it.slots[1].reserved = 1),
    (Rule::ImportKind, |it| it.imports[1].kind = 3),
    (Rule::ImportArity, |it| it.imports[0].min_args = 2),
    (Rule::SiteImport, |it| it.sites[0].import = 2),
    (Rule::SiteValues, |it| it.sites[0].first = 2),
    (Rule::SiteValues, |it| it.sites[1].count = 1),
    (Rule::ValueTag, |it| it.values[0].tag = 4),
    (Rule::ValueTag, |it| it.values[0].len = 1),
    (Rule::SlotType, |it| it.slots[0].kind = 5),
    (Rule::SlotType, |it| it.slots[1].capacity = 1),
    (Rule::SlotType, |it| it.slots[2].capacity = 0),
    (Rule::SlotType, |it| it.slots[2].capacity = 256),
    (Rule::SlotType, |it| it.slots[3].reset = 2),
    (Rule::FrameSize, |it| it.slots.resize(4 + 129, slot(slot_kind::NODE_SET, 255))),
    (Rule::BlockPlace, |it| it.blocks[1].first = 2),
    (Rule::BlockPlace, |it| it.blocks[0].count = 0),
    (Rule::BlockPlace, |it| it.code.push(Word::new(Op::Return))),
    (Rule::ConditionPlace, |it| it.conditions[0].first = 1),
    (Rule::ConditionPlace, |it| it.conditions[1].count = 0),
    (Rule::ConditionPlace, |it| it.conditions[1].count = u32::MAX),
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
    (Rule::FallsOff, |it| it.code[12] = it.code[9]),
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

const STRINGS: &[u8] = b"testmainactask";
const DIALECT: StrRef = StrRef { start: 0, len: 4 };
const MAIN: StrRef = StrRef { start: 4, len: 4 };
const ACT: StrRef = StrRef { start: 8, len: 3 };
const ASK: StrRef = StrRef { start: 11, len: 3 };

const fn slot(kind: u32, capacity: u32) -> SlotRow {
    SlotRow { kind, capacity, name: StrRef { start: 0, len: 0 }, key: 0, reset: 0, reserved: 0 }
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
        Word::new(Op::Mark).with_a(2).with_b(1),
        Word::new(Op::Due).with_a(3).with_t(1),
        Word::new(Op::Flag).with_x(1),
        Word::new(Op::JumpFlag).with_t(1),
        Word::new(Op::Return).with_x(1),
        Word::new(Op::Return),
    ]
}

/// `ask < 1` and `ask && ask`.
fn condition_code() -> Vec<StackWord> {
    let ask = [StackWord::new(StackOp::Query, 1), StackWord::new(StackOp::Truth, 0)];
    let end = StackWord::new(StackOp::End, 0);
    let less = [ask[0], StackWord::new(StackOp::Const, 0), StackWord::new(StackOp::Lt, 0), end];
    let and = [ask[0], ask[1], StackWord::new(StackOp::And, 3), ask[0], ask[1], end];
    [&less[..], &and[..]].concat()
}

/// Sources that hold what the grammar has, as seeds for the fuzzer.
const SOURCES: &[&str] = &[
    "selector { condition team == 2 { action heal() } action roam() }",
    "selectClass { spawnAs 3 }\nsequence { decorator invert() { action flee } behavior main }",
    "concurrent { fallback { decorator timer( 500 ) { action fight } } decorator return( 2 ) { action rush } }",
    "#define W 1\n#define F(x, y) x ## y\n#ifdef W\nselector { action moveTo( F(1, 2), -0.5 ) }\n#else\n#endif\n",
    "condition !alertedToEnemy && ( 1.5 <= random || !( team != W_NONE ) ) { action say( \"a\" \"\\x41\" ) }",
    "#if defined(A) || 1 ? 2 : 3 << 4\n#include \"main.bt\"\n#elif 0\n#endif\ndecorator mapStatus( 0, 1, 7 ) { action heal() }",
    "enum { A, B = -5, C };\naction moveInDir( $evalint( A + 010 * 0x1f ), B )",
];

/// The golden images and some sources, as seeds for the fuzzer.
#[test]
#[ignore = "writes files"]
fn write_seeds() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let write = |target: &str, name: &str, bytes: &[u8]| {
        std::fs::create_dir_all(corpus.join(target)).expect("a folder for the seeds");
        std::fs::write(corpus.join(target).join(name), bytes).expect("a seed");
    };
    golden().iter().for_each(|(name, bytes)| write("image", name, bytes));
    let sources = SOURCES.iter().enumerate();
    sources.for_each(|(index, text)| write("source_text", &format!("seed{index}.bt"), text.as_bytes()));
}
