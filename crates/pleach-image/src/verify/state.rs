//! Rows about what runs: tables of cases, parallels, shared variables, events, limiters, cursors, wrappers, gates, changes.

use super::tables::{given, holds, name, reserved};
use super::{Rule, Subject};
use crate::error::ImageError;
use crate::format::{
    LimiterRow, ParallelRow, SectionKind, StrRef, import_kind, scope, slot_kind, wrapper_kind,
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
        if u64::from(table.first) != end || last > view.cases.len() as u64 {
            return Err(subject.fail(Rule::TablePlace, SectionKind::Tables, row, u64::from(table.first)));
        }
        end = last;
        let mut before = 0;
        for (index, case) in view.cases[table.first as usize..last as usize].iter().enumerate() {
            let row = table.first as usize + index;
            if case.low <= before || case.high < case.low || !node(subject, case.high) {
                return Err(subject.fail(Rule::CaseOrder, SectionKind::Cases, row, u64::from(case.low)));
            }
            before = case.high;
            reserved(subject, case.reserved.into(), SectionKind::Cases, row)?;
        }
    }
    if end == view.cases.len() as u64 {
        return Ok(());
    }
    Err(subject.fail(Rule::TablePlace, SectionKind::Tables, view.tables.len(), end))
}

fn node(subject: &Subject<'_>, node: u16) -> bool {
    node >= 1 && u32::from(node) <= subject.view.meta.first().map_or(0, |meta| meta.nodes)
}

fn slot_is(subject: &Subject<'_>, slot: u16, kind: u32) -> bool {
    subject.view.slots.get(usize::from(slot)).is_some_and(|row| row.kind == kind)
}

fn parallels(subject: &Subject<'_>) -> Result<(), ImageError> {
    for (row, parallel) in subject.view.parallels.iter().enumerate() {
        if !branches(subject, parallel) || !positions(subject, parallel) {
            return Err(subject.fail(Rule::ParallelSlots, SectionKind::Parallels, row, parallel.node.into()));
        }
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
        name(subject, shared.name, SectionKind::Shared, row)?;
        let is_variable = u32::from(given(shared.kind)) != gives::NOTHING;
        if !is_variable || !matches!(shared.scope, scope::GROUP | scope::WORLD) {
            return Err(subject.fail(Rule::SharedType, SectionKind::Shared, row, shared.kind.into()));
        }
        if !holds(shared.kind, shared.init) {
            return Err(subject.fail(Rule::SlotInit, SectionKind::Shared, row, shared.init.into()));
        }
        reserved(subject, shared.reserved, SectionKind::Shared, row)?;
    }
    Ok(())
}

/// An event runs a block that writes and tells the host, and holds no position.
fn events(subject: &Subject<'_>) -> Result<(), ImageError> {
    let view = &subject.view;
    for (row, event) in view.events.iter().enumerate() {
        name(subject, event.name, SectionKind::Events, row)?;
        reserved(subject, event.reserved, SectionKind::Events, row)?;
        let block = view.blocks.get(event.block as usize);
        let words = block.map(|block| &view.code[block.first as usize..][..block.count as usize]);
        let writes = |op: Option<Op>| {
            matches!(
                op,
                Some(
                    Op::Set
                        | Op::SetBit
                        | Op::SetVariable
                        | Op::Share
                        | Op::ShareBit
                        | Op::Note
                        | Op::Cond
                        | Op::Inside
                        | Op::Open
                        | Op::Exits
                        | Op::Jump
                        | Op::Return
                )
            )
        };
        if !words.is_some_and(|words| words.iter().all(|word| writes(word.op()))) {
            return Err(subject.fail(Rule::EventBlock, SectionKind::Events, row, event.block.into()));
        }
    }
    Ok(())
}

fn limiters(subject: &Subject<'_>) -> Result<(), ImageError> {
    let whole = |row: &LimiterRow| {
        let bits = [row.wants, row.granted].iter().all(|slot| slot_is(subject, *slot, slot_kind::BIT));
        let nodes = node(subject, row.low) && node(subject, row.high) && row.low <= row.high;
        bits && nodes && slot_is(subject, row.column, slot_kind::NODE) && row.reserved == 0
    };
    match subject.view.limiters.iter().position(|row| !whole(row)) {
        None => Ok(()),
        Some(row) => Err(subject.fail(Rule::LimiterSlots, SectionKind::Limiters, row, row as u64)),
    }
}

/// Agents keep their rule in one place, if at all.
fn cursor(subject: &Subject<'_>) -> Result<(), ImageError> {
    let (row, found) = match subject.view.cursors {
        [] => return Ok(()),
        [row] => {
            let slots =
                slot_is(subject, row.position, slot_kind::NODE) && slot_is(subject, row.ran, slot_kind::BIT);
            if slots && row.limit > 0 && row.reserved == 0 {
                return Ok(());
            }
            (0, row.position.into())
        }
        rows => (1, rows.len() as u64),
    };
    Err(subject.fail(Rule::CursorSlots, SectionKind::Cursors, row, found))
}

fn ids(subject: &Subject<'_>) -> Result<(), ImageError> {
    let mut before = 0;
    for (row, id) in subject.view.ids.iter().enumerate() {
        name(subject, id.name, SectionKind::Ids, row)?;
        let nodes = node(subject, id.node) && id.tree >= 1 && id.tree <= id.node;
        if !nodes || id.node <= before || id.listed > 1 {
            return Err(subject.fail(Rule::IdNodes, SectionKind::Ids, row, id.node.into()));
        }
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
        let whole = known && nodes && slot_is(subject, wrapper.position, slot_kind::NODE);
        if !whole || wrapper.reserved != 0 {
            return Err(subject.fail(Rule::WrapperRow, SectionKind::Wrappers, row, wrapper.node.into()));
        }
        before = wrapper.node;
    }
    Ok(())
}

fn gates(subject: &Subject<'_>) -> Result<(), ImageError> {
    for (row, gate) in subject.view.gates.iter().enumerate() {
        let scope = matches!(gate.scope, scope::GROUP | scope::WORLD);
        if !scope || !slot_is(subject, gate.inside, slot_kind::BIT) || gate.reserved != 0 {
            return Err(subject.fail(Rule::GateRow, SectionKind::Gates, row, gate.inside.into()));
        }
    }
    Ok(())
}

fn texts(subject: &Subject<'_>) -> Result<(), ImageError> {
    let inside = |text: &StrRef| {
        let range = text.start as usize..(text.start as usize).saturating_add(text.len as usize);
        subject.view.strings.get(range).is_some()
    };
    match subject.view.texts.iter().position(|text| !inside(text)) {
        None => Ok(()),
        Some(row) => Err(subject.fail(Rule::StringRange, SectionKind::Texts, row, row as u64)),
    }
}

fn data(subject: &Subject<'_>) -> Result<(), ImageError> {
    let mut before = 0;
    for (row, data) in subject.view.data.iter().enumerate() {
        let known = node(subject, data.node) && slot_is(subject, data.slot, slot_kind::DATA);
        if !known || data.node <= before {
            return Err(subject.fail(Rule::DataRow, SectionKind::Data, row, data.node.into()));
        }
        before = data.node;
    }
    Ok(())
}

fn changes(subject: &Subject<'_>) -> Result<(), ImageError> {
    let bit = |slot| slot_is(subject, slot, slot_kind::BIT);
    match subject.view.changes {
        [] => Ok(()),
        [row] if bit(row.live) && bit(row.before) => Ok(()),
        rows => Err(subject.fail(Rule::ChangesRow, SectionKind::Changes, 0, rows.len() as u64)),
    }
}
