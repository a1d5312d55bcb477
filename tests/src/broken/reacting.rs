//! Image with events, timestamps and changes, and its damages.

use super::{ACT, DIALECT, Damage, MAIN, STRINGS, slot};
use pleach_image::format::{
    BlockRow, ChangesRow, ConditionRow, DataRow, EntryRow, EventRow, GateRow, ImportRow, Meta, Parts,
    SiteRow, StatusesRow, StrRef, WrapperRow, import_kind, log_kind, scope, slot_kind, wrapper_kind,
};
use pleach_image::isa::{Op, StackOp, StackWord, Word};
use pleach_image::verify::Rule;

/// Returns the block of an event, and a block with all instructions of reacting nodes.
pub(super) fn reacting() -> Parts {
    let kinds = [slot_kind::NODE, slot_kind::BIT, slot_kind::BIT, slot_kind::BIT, slot_kind::MOMENT];
    let slots = kinds.into_iter().map(|kind| slot(kind, 0)).chain([slot(slot_kind::DATA, 3)]);
    let code = code();
    let wrapper = |node, kind| WrapperRow { node, last: 2, position: 0, kind, index: 0, reserved: 0 };
    Parts {
        meta: vec![Meta { nodes: 2, flags: 0, call_depth: 0, stack_depth: 2, dialect: DIALECT }],
        entries: vec![EntryRow { name: MAIN, block: 1, reserved: 0 }],
        blocks: vec![BlockRow { first: 0, count: 4 }, BlockRow { first: 4, count: code.len() as u32 - 4 }],
        code,
        conditions: vec![ConditionRow { first: 0, count: 4 }, ConditionRow { first: 4, count: 2 }],
        condition_code: vec![
            StackWord::new(StackOp::Noted, 4),
            StackWord::new(StackOp::And, 2),
            StackWord::new(StackOp::Reached, 4),
            StackWord::new(StackOp::End, 0),
            StackWord::new(StackOp::Since, 4),
            StackWord::new(StackOp::Give, 0),
        ],
        imports: vec![ImportRow { name: ACT, kind: import_kind::ACTION, min_args: 0, max_args: 0 }],
        sites: vec![SiteRow { import: 0, first: 0, count: 0 }],
        slots: slots.collect(),
        keys: vec![1, 2],
        strings: STRINGS.to_vec(),
        events: vec![EventRow { name: ACT, block: 0, reserved: 0 }],
        wrappers: vec![wrapper(1, wrapper_kind::HOST), wrapper(2, wrapper_kind::GATE)],
        gates: vec![GateRow { places: 1, scope: scope::GROUP, inside: 3, reserved: 0 }],
        texts: vec![ACT],
        changes: vec![ChangesRow { live: 1, before: 2 }],
        data: vec![DataRow { node: 1, slot: 5 }, DataRow { node: 2, slot: 5 }],
        ..Parts::default()
    }
}

fn code() -> Vec<Word> {
    vec![
        Word::new(Op::Inside).with_a(1).with_b(2).with_t(2),
        Word::new(Op::Note).with_x(1).with_a(4).with_t(1),
        Word::new(Op::SetVariable).with_b(3).with_t(1),
        Word::new(Op::Return).with_x(1),
        Word::new(Op::Capture).with_a(2).with_b(1).with_t(1),
        Word::new(Op::Start).with_a(1).with_b(4).with_t(1),
        Word::new(Op::Open).with_b(1).with_t(8),
        Word::new(Op::Exits).with_a(2).with_b(2).with_t(2),
        Word::new(Op::Enter).with_t(2),
        Word::new(Op::Exit).with_t(1),
        Word::new(Op::Close).with_b(1).with_t(1),
        Word::new(Op::Zero).with_a(5).with_t(1),
        Word::new(Op::Log).with_x(log_kind::FAILURE).with_b(2).with_t(1),
        Word::new(Op::Return).with_x(1),
        Word::new(Op::Return),
    ]
}

/// Damages that break exactly one rule each.
pub(super) const ROWS: &[Damage<Parts>] = &[
    (Rule::EventBlock, |it| it.code[2] = Word::new(Op::Enter).with_t(1)),
    (Rule::WrapperRow, |it| it.wrappers[0].node = 0),
    (Rule::WrapperRow, |it| it.wrappers[0].last = 3),
    (Rule::WrapperRow, |it| it.wrappers[1].node = 1),
    (Rule::WrapperRow, |it| it.wrappers[1].position = 1),
    // Slot beyond all slots, which linking would look up.
    (Rule::WrapperRow, |it| it.wrappers[1].position = 999),
    (Rule::WrapperRow, |it| it.wrappers[1].kind = 0),
    (Rule::WrapperRow, |it| it.wrappers[1].index = 1),
    (Rule::WrapperRow, |it| it.wrappers[0].index = 1),
    (Rule::WrapperRow, |it| it.wrappers[0].reserved = 1),
    (Rule::WrapperRow, |it| (it.wrappers[1].kind, it.wrappers[1].index) = (wrapper_kind::BLOCK, 2)),
    (Rule::WrapperRow, |it| (it.wrappers[1].kind, it.wrappers[1].index) = (wrapper_kind::BLOCK, 1)),
    (Rule::GateRow, |it| it.gates[0].inside = 4),
    (Rule::GateRow, |it| it.gates[0].scope = 0),
    (Rule::GateRow, |it| it.gates[0].reserved = 1),
    (Rule::ChangesRow, |it| it.changes[0].live = 0),
    (Rule::ChangesRow, |it| it.changes[0].before = 9),
    (Rule::ChangesRow, |it| it.changes.push(it.changes[0])),
    (Rule::StatusesRow, |it| it.statuses = vec![StatusesRow { node: 1, slot: 0 }]),
    (Rule::StringRange, |it| it.texts[0] = StrRef { start: u32::MAX, len: 1 }),
    (Rule::GateRange, |it| it.code[8].a = 1),
    (Rule::GateRange, |it| it.code[9].a = 1),
    (Rule::TextRange, |it| it.code[12].a = 1),
    (Rule::LogRange, |it| it.code[12].x = log_kind::FAILURE + 1),
    (Rule::SlotKind, |it| it.code[1].a = 3),
    (Rule::SlotKind, |it| it.code[5].b = 3),
    (Rule::StackSlot, |it| it.condition_code[0].a = 3),
    (Rule::StackSlot, |it| it.condition_code[4].a = 0),
    (Rule::DataRow, |it| it.data[0].node = 0),
    (Rule::DataRow, |it| it.data[1].node = 3),
    (Rule::DataRow, |it| it.data[1].node = 1),
    (Rule::DataRow, |it| it.data[1].slot = 4),
    (Rule::SlotKind, |it| it.code[11].a = 4),
    (Rule::SlotType, |it| it.slots[5].capacity = 0),
    (Rule::SlotType, |it| it.slots[5].capacity = 65_536),
    (Rule::SlotType, |it| it.slots[4].capacity = 1),
    (Rule::SlotInit, |it| it.slots[4].init = 1),
];
