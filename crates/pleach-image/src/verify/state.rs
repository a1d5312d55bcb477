//! Rows of the sections about running: tables of cases, parallels, shared variables, events,
//! limiters, the cursor, ids, wrappers, gates, texts, data, changes, tunables and statuses.

use super::tables::{given, holds, name, text};
use super::{Rule, Subject, fill, memory};
use crate::error::ImageError;
use crate::format::{
    ParallelRow, SectionKind, StrRef, TunableRow, import_kind, scope, slot_kind, typed, wrapper_kind,
};
use crate::isa::operand::gives;
use crate::isa::{Blocks, Word};
use alloc::vec::Vec;

/// Checks these tables. The targets of cases are checked with the code. `blocks` is scratch.
pub(super) fn check(subject: &Subject<'_>, blocks: &mut Vec<bool>) -> Result<(), ImageError> {
    cases(subject)?;
    parallels(subject)?;
    shared(subject)?;
    events(subject, blocks)?;
    limiters(subject)?;
    cursor(subject)?;
    ids(subject)?;
    wrappers(subject, blocks)?;
    gates(subject)?;
    texts(subject)?;
    data(subject)?;
    changes(subject)?;
    tunables(subject)?;
    statuses(subject)
}

/// Checks that tables follow one another and cover all cases, and that nodes ascend within a table.
fn cases(subject: &Subject<'_>) -> Result<(), ImageError> {
    let (tables, cases) = (subject.view.tables, subject.view.cases);
    let mut end = 0;
    subject.each(SectionKind::Tables, tables, |row, table| {
        let last = u64::from(table.first) + u64::from(table.count);
        let follows = u64::from(table.first) == end && last <= cases.len() as u64;
        subject.must(follows, Rule::TablePlace, row, table.first)?;
        end = last;
        let (first, mut before) = (table.first as usize, 0);
        subject.each(SectionKind::Cases, &cases[first..last as usize], |(kind, index), case| {
            let row = (kind, first + index);
            let ascends = case.low > before && case.high >= case.low && subject.node(case.high);
            subject.must(ascends, Rule::CaseOrder, row, case.low)?;
            before = case.high;
            subject.must(case.reserved == 0, Rule::Reserved, row, case.reserved)
        })
    })?;
    subject.must(end == cases.len() as u64, Rule::TablePlace, (SectionKind::Tables, tables.len()), end)
}

/// Checks that the halts of parallels follow one another and cover the section. So no row can reuse
/// those of another.
fn parallels(subject: &Subject<'_>) -> Result<(), ImageError> {
    let (parallels, halts) = (subject.view.parallels, subject.view.halts.len() as u64);
    let mut end = 0;
    subject.each(SectionKind::Parallels, parallels, |row, parallel| {
        subject.must(u64::from(parallel.halts) == end, Rule::ParallelHalts, row, parallel.halts)?;
        end += u64::from(parallel.positions);
        let whole = branches(subject, parallel) && positions(subject, parallel);
        subject.must(whole, Rule::ParallelSlots, row, parallel.node)
    })?;
    subject.must(end == halts, Rule::ParallelHalts, (SectionKind::Parallels, parallels.len()), end)
}

/// Returns true if the node and the positions of its branches exist.
fn branches(subject: &Subject<'_>, parallel: &ParallelRow) -> bool {
    let end = parallel.first.checked_add(parallel.branches);
    let there = |end| (parallel.first..end).all(|slot| subject.slot(slot, slot_kind::NODE));
    subject.node(parallel.node) && end.is_some_and(there)
}

/// Returns true if the positions that are halted with the node exist, and the positions of its
/// branches are among them.
fn positions(subject: &Subject<'_>, parallel: &ParallelRow) -> bool {
    let halts = subject.view.halts.get(parallel.halts as usize..);
    let Some(halts) = halts.and_then(|rest| rest.get(..usize::from(parallel.positions))) else {
        return false;
    };
    let is_branch = |slot: u16| slot >= parallel.first && slot - parallel.first < parallel.branches;
    halts.iter().all(|slot| subject.slot(*slot, slot_kind::NODE))
        && halts.iter().filter(|slot| is_branch(**slot)).count() >= usize::from(parallel.branches)
}

fn shared(subject: &Subject<'_>) -> Result<(), ImageError> {
    subject.each(SectionKind::Shared, subject.view.shared, |row, shared| {
        name(subject, shared.name, row)?;
        let is_variable = u32::from(given(shared.kind)) != gives::NOTHING;
        let known = is_variable && matches!(shared.scope, scope::GROUP | scope::WORLD);
        subject.must(known, Rule::SharedType, row, shared.kind)?;
        subject.must(holds(shared.kind, shared.init), Rule::SlotInit, row, shared.init)?;
        subject.must(shared.high == 0 || slot_kind::is_wide(shared.kind), Rule::Reserved, row, shared.high)
    })
}

/// Checks that events run blocks that only write variables and tell the host.
fn events(subject: &Subject<'_>, blocks: &mut Vec<bool>) -> Result<(), ImageError> {
    let view = &subject.view;
    // Events may share a block. Each block is checked once.
    let known = fill(blocks, view.blocks.len(), false).map_err(memory(view.blocks.len()))?;
    subject.each(SectionKind::Events, view.events, |row, event| {
        name(subject, event.name, row)?;
        subject.must(event.reserved == 0, Rule::Reserved, row, event.reserved)?;
        subject.must(only_writes(subject, event.block, known), Rule::EventBlock, row, event.block)
    })
}

/// Returns true if a block only writes variables and tells the host. `known` are the blocks that
/// have been found to.
fn only_writes(subject: &Subject<'_>, block: u32, known: &mut [bool]) -> bool {
    let view = &subject.view;
    let block = block as usize;
    let words = view.blocks.get(block).map(|it| &view.code[it.first as usize..][..it.count as usize]);
    let writes = |word: &Word| word.op().is_some_and(|op| op.blocks() == Blocks::Any);
    let whole = words.is_some_and(|words| known[block] || words.iter().all(writes));
    known.get_mut(block).into_iter().for_each(|known| *known |= whole);
    whole
}

fn limiters(subject: &Subject<'_>) -> Result<(), ImageError> {
    subject.each(SectionKind::Limiters, subject.view.limiters, |row, it| {
        let bits = [it.wants, it.granted].iter().all(|slot| subject.slot(*slot, slot_kind::BIT));
        let nodes = subject.node(it.low) && subject.node(it.high) && it.low <= it.high;
        let whole = bits && nodes && subject.slot(it.column, slot_kind::NODE) && it.reserved == 0;
        subject.must(whole, Rule::LimiterSlots, row, row.1 as u64)
    })
}

/// Checks that there is at most one row for the current rule, with a step limit above 0.
fn cursor(subject: &Subject<'_>) -> Result<(), ImageError> {
    let rows = subject.view.cursors;
    let whole = rows.iter().all(|row| {
        let slots = subject.slot(row.position, slot_kind::NODE) && subject.slot(row.ran, slot_kind::BIT);
        slots && row.limit > 0 && row.reserved == 0
    });
    subject.must(whole && rows.len() <= 1, Rule::CursorSlots, (SectionKind::Cursors, 0), rows.len() as u64)
}

fn ids(subject: &Subject<'_>) -> Result<(), ImageError> {
    let mut before = 0;
    subject.each(SectionKind::Ids, subject.view.ids, |row, id| {
        name(subject, id.name, row)?;
        let nodes = subject.node(id.node) && id.tree >= 1 && id.tree <= id.node;
        subject.must(nodes && id.node > before && id.listed <= 1, Rule::IdNodes, row, id.node)?;
        before = id.node;
        Ok(())
    })
}

/// Checks that nodes ascend. The order lets hosts be told about the wrappers around a node from the
/// inside outward.
fn wrappers(subject: &Subject<'_>, blocks: &mut Vec<bool>) -> Result<(), ImageError> {
    let view = &subject.view;
    let mut before = 0;
    let writes = fill(blocks, view.blocks.len(), false).map_err(memory(view.blocks.len()))?;
    subject.each(SectionKind::Wrappers, view.wrappers, |row, it| {
        let index = usize::from(it.index);
        let import = || view.imports.get(usize::from(view.sites.get(index)?.import));
        let known = match it.kind {
            wrapper_kind::HOST => import().is_some_and(|import| import.kind == import_kind::ACTION),
            wrapper_kind::GATE => index < view.gates.len(),
            wrapper_kind::BLOCK => only_writes(subject, it.index.into(), writes),
            _ => false,
        };
        let nodes = it.node > before && it.node <= it.last && subject.node(it.last);
        let place = subject.slot(it.position, slot_kind::NODE) && it.reserved == 0;
        subject.must(known && nodes && place, Rule::WrapperRow, row, it.node)?;
        before = it.node;
        Ok(())
    })
}

fn gates(subject: &Subject<'_>) -> Result<(), ImageError> {
    subject.each(SectionKind::Gates, subject.view.gates, |row, gate| {
        let scope = matches!(gate.scope, scope::GROUP | scope::WORLD) && gate.reserved == 0;
        subject.must(scope && subject.slot(gate.inside, slot_kind::BIT), Rule::GateRow, row, gate.inside)
    })
}

fn texts(subject: &Subject<'_>) -> Result<(), ImageError> {
    subject.each(SectionKind::Texts, subject.view.texts, |row, it| text(subject, *it, row).map(drop))
}

fn data(subject: &Subject<'_>) -> Result<(), ImageError> {
    let mut before = 0;
    subject.each(SectionKind::Data, subject.view.data, |row, data| {
        let known = subject.node(data.node) && subject.slot(data.slot, slot_kind::DATA);
        subject.must(known && data.node > before, Rule::DataRow, row, data.node)?;
        before = data.node;
        Ok(())
    })
}

fn changes(subject: &Subject<'_>) -> Result<(), ImageError> {
    let bit = |slot| subject.slot(slot, slot_kind::BIT);
    let rows = subject.view.changes;
    let whole = rows.len() <= 1 && rows.iter().all(|row| bit(row.live) && bit(row.before));
    subject.must(whole, Rule::ChangesRow, (SectionKind::Changes, 0), rows.len() as u64)
}

/// Checks that tunables ascend, are variables with names that the range fits, and have a default in
/// their range.
fn tunables(subject: &Subject<'_>) -> Result<(), ImageError> {
    let mut before = (0, 0);
    subject.each(SectionKind::Tunables, subject.view.tunables, |row, it| {
        let declared = declared(subject, it);
        let ranged = declared.is_some_and(|(kind, default)| is_range(kind, default, it));
        let ascends = (it.kind, it.index) > before;
        subject.must(ranged && ascends, Rule::TunableRow, row, it.index)?;
        before = (it.kind, it.index);
        Ok(())
    })
}

/// Returns the kind and the default of a tunable; `None` if its variable is not there, or has no
/// name, or belongs to groups.
fn declared(subject: &Subject<'_>, row: &TunableRow) -> Option<(u32, u32)> {
    let index = row.index as usize;
    match row.kind {
        typed::SLOT => {
            let slot = subject.view.slots.get(index)?;
            (slot.name != StrRef::default()).then_some((slot.kind, slot.init))
        }
        typed::SHARED => {
            let shared = subject.view.shared.get(index)?;
            (shared.scope == scope::WORLD).then_some((shared.kind, shared.init))
        }
        _ => None,
    }
}

/// Returns true if the range of a tunable is one of this kind and has the default in it.
fn is_range(kind: u32, default: u32, &TunableRow { duration, low, high, .. }: &TunableRow) -> bool {
    let int = |bits: u32| bits as i32;
    match kind {
        slot_kind::BIT => (duration, low, high) == (0, 0, 1),
        slot_kind::I32 => {
            let least = if duration == 1 { 0 } else { i32::MIN };
            duration <= 1 && least <= int(low) && (int(low)..=int(high)).contains(&int(default))
        }
        slot_kind::F32 => {
            let [low, high, default] = [low, high, default].map(f32::from_bits);
            duration == 0 && low.is_finite() && high.is_finite() && (low..=high).contains(&default)
        }
        _ => false,
    }
}

fn statuses(subject: &Subject<'_>) -> Result<(), ImageError> {
    let rows = subject.view.statuses;
    let nodes = subject.view.meta[0].nodes;
    let whole = rows.len() <= 1
        && rows.iter().all(|row| {
            let count = nodes.saturating_sub(row.node.into()).saturating_add(1);
            let mut slots = (0..count).map(|index| u32::from(row.slot) + index);
            subject.node(row.node)
                && slots.all(|slot| u16::try_from(slot).is_ok_and(|slot| subject.slot(slot, slot_kind::U8)))
        });
    subject.must(whole, Rule::StatusesRow, (SectionKind::Statuses, 0), rows.len() as u64)
}
