//! Images that break one rule of the verifier and no other.
//!
//! There is at least one image for every rule. Nine programs with rows in every section are broken
//! row by row, and a file is broken byte by byte. These images test the verifier. They are also
//! tried first when a rule is turned off.

mod reacting;
mod rows;
mod tuned;

use pleach_image::buffer::AlignedBytes;
use pleach_image::format::{
    self, AttributeRow, BlockRow, CaseRow, ConditionRow, CursorRow, EntryRow, EventRow, FaceRow, ForestRow,
    ForestTreeRow, IdRow, ImportRow, LimiterRow, Meta, ParallelRow, Parts, SharedRow, SiteRow, SlotRow,
    StrRef, TableRow, ValueRow, face, how, import_kind, scope, slot_kind, value_tag,
};
use pleach_image::isa::{Op, StackOp, StackWord, Word};
use pleach_image::verify::{MAX_NAME, Rule};

/// Rule, and a function that breaks it.
type Damage<T> = (Rule, fn(&mut T));

/// Name of a program, function that creates it, and damages of its file and of its rows.
type Base = (&'static str, fn() -> Parts, &'static [Damage<Vec<u8>>], &'static [Damage<Parts>]);

/// Programs with their damages.
const BASES: [Base; 9] = [
    ("something-in-every-section", whole, rows::FILES, rows::ROWS),
    ("repeated-condition", repeated, &[], rows::REPEATED_ROWS),
    ("everything-that-lasts", lasting, &[], rows::LASTING_ROWS),
    ("loops", looping, &[], rows::LOOPING_ROWS),
    ("loop-that-is-left", leaving, &[], rows::LEAVING_ROWS),
    ("forest", planted, &[], rows::PLANTED_ROWS),
    ("agents-at-rules", walking, &[], rows::WALKING_ROWS),
    ("everything-that-reacts", reacting::reacting, &[], reacting::ROWS),
    ("tunables", tuned::tuned, &[], tuned::ROWS),
];

/// Image of a program, with images made of it that break a rule.
pub struct Family {
    /// Name, which describes the content of the program.
    pub name: &'static str,
    /// Image without damage.
    pub sound: Vec<u8>,
    /// Damaged images, each with the rule that it breaks.
    pub broken: Vec<(Rule, Vec<u8>)>,
}

/// Returns all programs with their damaged images.
pub fn families() -> impl Iterator<Item = Family> {
    BASES.into_iter().map(|(name, base, of_files, of_rows)| {
        let sound = format::write(&base());
        let mut broken = Vec::new();
        for (rule, damage) in of_files {
            let mut file = sound.clone();
            damage(&mut file);
            broken.push((*rule, file));
        }
        for (rule, damage) in of_rows {
            let mut parts = base();
            damage(&mut parts);
            broken.push((*rule, format::write(&parts)));
        }
        Family { name, sound, broken }
    })
}

/// Returns the programs before they are damaged.
pub fn bases() -> impl Iterator<Item = Vec<u8>> {
    families().map(|family| family.sound)
}

/// Returns all images, each with the rule that it breaks. No image can break the rule that bytes
/// must be aligned.
#[must_use]
pub fn images() -> Vec<(Rule, Vec<u8>)> {
    families().flat_map(|family| family.broken).collect()
}

/// Returns an image at a misaligned address.
#[must_use]
pub fn shifted() -> AlignedBytes {
    AlignedBytes::copy(&[&[0], &format::write(&whole())[..]].concat())
}

/// Returns a string that is too long for a name.
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

/// Returns an image with rows in every section but the debug sections.
#[must_use]
pub fn whole() -> Parts {
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

/// Returns the image of [`whole`] with one of its conditions repeated.
fn repeated() -> Parts {
    const TIMES: u32 = 8;
    let code = condition_code();
    Parts {
        conditions: (0..TIMES).map(|time| ConditionRow { first: 4 * time, count: 4 }).collect(),
        condition_code: code[..4].iter().cycle().take(4 * TIMES as usize).copied().collect(),
        ..whole()
    }
}

/// Returns an image with a forest.
#[must_use]
pub fn planted() -> Parts {
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

/// Returns a block that succeeds, and a block that calls it and has a variety of instructions.
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

/// Returns an image with rows in the sections about running state and shared data.
#[must_use]
pub fn lasting() -> Parts {
    let shared = |name, kind, scope| SharedRow { name, kind, scope, init: 0, high: 0 };
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

/// Returns the block of an event, and a block with all instructions of lasting nodes.
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

/// Returns a block that loops, and a block that calls it in a loop inside a loop and ends with a
/// fault.
#[must_use]
pub fn looping() -> Parts {
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

/// Returns a block that fills a register and leaves the loop, and a block that calls it in a loop
/// of its own and then loops by that register.
///
/// A register that was filled but not used up has 60 repetitions left, for any code that counts in
/// it without filling it.
fn leaving() -> Parts {
    let long = [Word::new(Op::Flag).with_x(1).with_a(1).with_t(1); 8];
    let leaving = [
        Word::new(Op::JumpFlag).with_t(5),
        Word::new(Op::Flag).with_x(1).with_t(1),
        Word::new(Op::Loop).with_b(60),
        Word::new(Op::JumpFlag).with_t(2),
        Word::new(Op::Again).with_b(2).with_t(1),
        Word::new(Op::Return).with_x(1),
    ];
    let calling = [
        Word::new(Op::Call).with_t(2),
        Word::new(Op::Exits).with_a(2).with_b(2).with_t(2),
        Word::new(Op::Again).with_x(1).with_b(11).with_t(1),
        Word::new(Op::JumpFlag).with_t(1),
        Word::new(Op::Loop).with_b(1),
    ];
    let end = [Word::new(Op::Again).with_b(9).with_t(1), Word::new(Op::Return).with_x(1)];
    let outer = [Word::new(Op::Loop).with_x(1).with_b(1)];
    let main = [&outer[..], &long, &calling, &long, &end].concat();
    Parts {
        meta: vec![Meta { nodes: 1, flags: 2, call_depth: 1, stack_depth: 0, dialect: DIALECT }],
        entries: vec![EntryRow { name: MAIN, block: 1, reserved: 0 }],
        blocks: vec![BlockRow { first: 0, count: 6 }, BlockRow { first: 6, count: main.len() as u32 }],
        code: [&leaving[..], &main].concat(),
        keys: vec![1],
        strings: STRINGS.to_vec(),
        ..Parts::default()
    }
}

/// Returns a program with a current rule of agents, in a loop up to the step limit.
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

/// Returns the conditions `ask < 1` and `ask && ask`.
fn condition_code() -> Vec<StackWord> {
    let ask = [StackWord::new(StackOp::Query, 1), StackWord::new(StackOp::Truth, 0)];
    let end = StackWord::new(StackOp::End, 0);
    let less = [ask[0], StackWord::new(StackOp::Const, 0), StackWord::new(StackOp::Lt, 0), end];
    let and = [ask[0], ask[1], StackWord::new(StackOp::And, 3), ask[0], ask[1], end];
    [&less[..], &and[..]].concat()
}
