//! Rows about what runs: tables of cases, parallels, shared variables, events, limiters, cursors, wrappers, gates, changes.

use super::tables::{given, holds, name, text};
use super::{Rule, Subject};
use crate::error::ImageError;
use crate::format::{
    CursorRow, LimiterRow, ParallelRow, SectionKind, import_kind, scope, slot_kind, wrapper_kind,
};
use crate::isa::Op;
use crate::isa::operand::gives;

/// Checks these tables. Where the cases lead is checked with the code.
pub(super) fn check(subject: &Subject<'_>) -> Result<(), ImageError> {
    cases(subject)?;
    parallels(subject)?;
    shared(subject)?;
    events(subject)?;
    limiters(subject)?;
    cursor(subject)?;
    ids(subject)?;
    wrappers(subject)?;
    gates(subject)?;
    texts(subject)?;
    data(subject)?;
    changes(subject)
}

/// Tables follow one another and cover all cases; within a table nodes ascend.
fn cases(subject: &Subject<'_>) -> Result<(), ImageError> {
    let view = &subject.view;
    let mut end = 0;
    for (row, table) in view.tables.iter().enumerate() {
        let last = u64::from(table.first) + u64::from(table.count);
        let follows = u64::from(table.first) == end && last <= view.cases.len() as u64;
        subject.must(follows, Rule::TablePlace, (SectionKind::Tables, row), table.first)?;
        end = last;
        let mut before = 0;
        for (index, case) in view.cases[table.first as usize..last as usize].iter().enumerate() {
            let row = (SectionKind::Cases, table.first as usize + index);
            let ascends = case.low > before && case.high >= case.low && node(subject, case.high);
            subject.must(ascends, Rule::CaseOrder, row, case.low)?;
            before = case.high;
            subject.must(case.reserved == 0, Rule::Reserved, row, case.reserved)?;
        }
    }
    subject.must(
        end == view.cases.len() as u64,
        Rule::TablePlace,
        (SectionKind::Tables, view.tables.len()),
        end,
    )
}

fn node(subject: &Subject<'_>, node: u16) -> bool {
    node >= 1 && u32::from(node) <= subject.view.meta.first().map_or(0, |meta| meta.nodes)
}

fn slot_is(subject: &Subject<'_>, slot: u16, kind: u32) -> bool {
    subject.view.slots.get(usize::from(slot)).is_some_and(|row| row.kind == kind)
}

fn parallels(subject: &Subject<'_>) -> Result<(), ImageError> {
    for (row, parallel) in subject.view.parallels.iter().enumerate() {
        let whole = branches(subject, parallel) && positions(subject, parallel);
        subject.must(whole, Rule::ParallelSlots, (SectionKind::Parallels, row), parallel.node)?;
    }
    Ok(())
}

/// The node is there, and so are the positions of its branches.
fn branches(subject: &Subject<'_>, parallel: &ParallelRow) -> bool {
    let end = parallel.first.checked_add(parallel.branches);
    node(subject, parallel.node)
        && end.is_some_and(|end| (parallel.first..end).all(|slot| slot_is(subject, slot, slot_kind::NODE)))
}

/// What is halted with it is there, and the positions of its branches are among them.
fn positions(subject: &Subject<'_>, parallel: &ParallelRow) -> bool {
    let halts = subject.view.halts.get(parallel.halts as usize..);
    let Some(halts) = halts.and_then(|rest| rest.get(..usize::from(parallel.positions))) else {
        return false;
    };
    let is_branch = |slot: u16| slot >= parallel.first && slot - parallel.first < parallel.branches;
    halts.iter().all(|slot| slot_is(subject, *slot, slot_kind::NODE))
        && halts.iter().filter(|slot| is_branch(**slot)).count() >= usize::from(parallel.branches)
}

fn shared(subject: &Subject<'_>) -> Result<(), ImageError> {
    for (row, shared) in subject.view.shared.iter().enumerate() {
        let row = (SectionKind::Shared, row);
        name(subject, shared.name, row)?;
        let is_variable = u32::from(given(shared.kind)) != gives::NOTHING;
        let known = is_variable && matches!(shared.scope, scope::GROUP | scope::WORLD);
        subject.must(known, Rule::SharedType, row, shared.kind)?;
        subject.must(holds(shared.kind, shared.init), Rule::SlotInit, row, shared.init)?;
        subject.must(shared.reserved == 0, Rule::Reserved, row, shared.reserved)?;
    }
    Ok(())
}

/// What an event's block is made of.
const WRITES: [Op; 12] = [
    Op::Set,
    Op::SetBit,
    Op::SetVariable,
    Op::Share,
    Op::ShareBit,
    Op::Note,
    Op::Cond,
    Op::Inside,
    Op::Open,
    Op::Exits,
    Op::Jump,
    Op::Return,
];

/// An event runs a block that writes and tells the host, and holds no position.
fn events(subject: &Subject<'_>) -> Result<(), ImageError> {
    let view = &subject.view;
    for (row, event) in view.events.iter().enumerate() {
        let row = (SectionKind::Events, row);
        name(subject, event.name, row)?;
        subject.must(event.reserved == 0, Rule::Reserved, row, event.reserved)?;
        let block = view.blocks.get(event.block as usize);
        let words = block.map(|block| &view.code[block.first as usize..][..block.count as usize]);
        let writes = |op: Option<Op>| op.is_some_and(|op| WRITES.contains(&op));
        let whole = words.is_some_and(|words| words.iter().all(|word| writes(word.op())));
        subject.must(whole, Rule::EventBlock, row, event.block)?;
    }
    Ok(())
}

fn limiters(subject: &Subject<'_>) -> Result<(), ImageError> {
    let whole = |row: &LimiterRow| {
        let bits = [row.wants, row.granted].iter().all(|slot| slot_is(subject, *slot, slot_kind::BIT));
        let nodes = node(subject, row.low) && node(subject, row.high) && row.low <= row.high;
        bits && nodes && slot_is(subject, row.column, slot_kind::NODE) && row.reserved == 0
    };
    let wrong = subject.view.limiters.iter().position(|row| !whole(row));
    let row = (SectionKind::Limiters, wrong.unwrap_or(0));
    subject.must(wrong.is_none(), Rule::LimiterSlots, row, row.1 as u64)
}

/// Agents keep their rule in one place, if at all.
fn cursor(subject: &Subject<'_>) -> Result<(), ImageError> {
    let rows = subject.view.cursors;
    let slots = |row: &CursorRow| {
        slot_is(subject, row.position, slot_kind::NODE) && slot_is(subject, row.ran, slot_kind::BIT)
    };
    let whole = rows.iter().all(|row| slots(row) && row.limit > 0 && row.reserved == 0);
    subject.must(whole && rows.len() <= 1, Rule::CursorSlots, (SectionKind::Cursors, 0), rows.len() as u64)
}

fn ids(subject: &Subject<'_>) -> Result<(), ImageError> {
    let mut before = 0;
    for (row, id) in subject.view.ids.iter().enumerate() {
        let row = (SectionKind::Ids, row);
        name(subject, id.name, row)?;
        let nodes = node(subject, id.node) && id.tree >= 1 && id.tree <= id.node;
        subject.must(nodes && id.node > before && id.listed <= 1, Rule::IdNodes, row, id.node)?;
        before = id.node;
    }
    Ok(())
}

/// Nodes ascend, so that what is around a node is told from the inside outward.
fn wrappers(subject: &Subject<'_>) -> Result<(), ImageError> {
    let view = &subject.view;
    let mut before = 0;
    for (row, wrapper) in view.wrappers.iter().enumerate() {
        let index = usize::from(wrapper.index);
        let known = match wrapper.kind {
            wrapper_kind::HOST => {
                let import =
                    view.sites.get(index).and_then(|site| view.imports.get(usize::from(site.import)));
                import.is_some_and(|import| import.kind == import_kind::ACTION)
            }
            wrapper_kind::GATE => index < view.gates.len(),
            _ => false,
        };
        let nodes = wrapper.node > before && wrapper.node <= wrapper.last && node(subject, wrapper.last);
        let place = slot_is(subject, wrapper.position, slot_kind::NODE) && wrapper.reserved == 0;
        subject.must(
            known && nodes && place,
            Rule::WrapperRow,
            (SectionKind::Wrappers, row),
            wrapper.node,
        )?;
        before = wrapper.node;
    }
    Ok(())
}

fn gates(subject: &Subject<'_>) -> Result<(), ImageError> {
    for (row, gate) in subject.view.gates.iter().enumerate() {
        let scope = matches!(gate.scope, scope::GROUP | scope::WORLD) && gate.reserved == 0;
        let whole = scope && slot_is(subject, gate.inside, slot_kind::BIT);
        subject.must(whole, Rule::GateRow, (SectionKind::Gates, row), gate.inside)?;
    }
    Ok(())
}

fn texts(subject: &Subject<'_>) -> Result<(), ImageError> {
    let mut texts = subject.view.texts.iter().enumerate();
    texts.try_for_each(|(row, it)| text(subject, *it, (SectionKind::Texts, row)).map(drop))
}

fn data(subject: &Subject<'_>) -> Result<(), ImageError> {
    let mut before = 0;
    for (row, data) in subject.view.data.iter().enumerate() {
        let known = node(subject, data.node) && slot_is(subject, data.slot, slot_kind::DATA);
        subject.must(known && data.node > before, Rule::DataRow, (SectionKind::Data, row), data.node)?;
        before = data.node;
    }
    Ok(())
}

fn changes(subject: &Subject<'_>) -> Result<(), ImageError> {
    let bit = |slot| slot_is(subject, slot, slot_kind::BIT);
    let rows = subject.view.changes;
    let whole = rows.len() <= 1 && rows.iter().all(|row| bit(row.live) && bit(row.before));
    subject.must(whole, Rule::ChangesRow, (SectionKind::Changes, 0), rows.len() as u64)
}
