//! Rows of the basic tables: counts, ranges, kinds and strings.

use super::{
    MAX_DATA, MAX_FRAME_BYTES, MAX_NAME, MAX_NODES, MAX_ROWS, MAX_SET, MAX_STACK, Row, Rule, Subject, fill,
    memory,
};
use crate::error::ImageError;
use crate::format::{ImportRow, SectionKind, StrRef, ValueRow, import_kind, slot_kind, value_tag};
use crate::isa::kinds::Kinds;
use crate::isa::operand::{Shape, gives};
use bytemuck::Zeroable;
use core::mem::take;

/// Checks every table except code and condition code. Fills in the shape that operands are checked
/// against.
pub(super) fn check(subject: &Subject<'_>, shape: &mut Shape) -> Result<(), ImageError> {
    meta(subject)?;
    sizes(subject)?;
    entries(subject)?;
    imports(subject)?;
    values(subject)?;
    let sites = sites(subject, take(&mut shape.sites))?;
    slots(subject)?;
    pieces(subject)?;
    let view = &subject.view;
    let meta = view.meta[0];
    let kinds = |before: &mut Kinds, rows, kind: &dyn Fn(usize) -> u8| {
        let mut kinds = take(before).into_kinds();
        let filled = fill(&mut kinds, rows, 0).map_err(memory(rows))?;
        filled.iter_mut().enumerate().for_each(|(row, it)| *it = kind(row));
        Ok(Kinds::new(kinds))
    };
    *shape = Shape {
        block: 0,
        // The types of conditions are filled in after their code has been checked.
        conditions: take(&mut shape.conditions),
        constants: view.constants.len() as u32,
        nodes: meta.nodes,
        flags: meta.flags,
        sites,
        slots: kinds(&mut shape.slots, view.slots.len(), &|row| view.slots[row].kind as u8)?,
        variables: kinds(&mut shape.variables, view.slots.len(), &|row| given(view.slots[row].kind))?,
        shared: kinds(&mut shape.shared, view.shared.len(), &|row| given(view.shared[row].kind))?,
        tables: view.tables.len() as u32,
        parallels: view.parallels.len() as u32,
        events: view.events.len() as u32,
        limiters: view.limiters.len() as u32,
        gates: view.gates.len() as u32,
        texts: view.texts.len() as u32,
        cursor: !view.cursors.is_empty(),
    };
    Ok(())
}

fn meta(subject: &Subject<'_>) -> Result<(), ImageError> {
    let (view, row) = (&subject.view, (SectionKind::Meta, 0));
    subject.must(view.meta.len() == 1, Rule::MetaRow, row, view.meta.len() as u64)?;
    let meta = view.meta[0];
    let counted = meta.nodes as usize == view.keys.len() && meta.nodes <= MAX_NODES;
    subject.must(counted, Rule::NodeCount, row, meta.nodes)?;
    subject.must(meta.flags as usize <= MAX_ROWS, Rule::TableSize, row, meta.flags)?;
    subject.must(meta.stack_depth <= MAX_STACK, Rule::StackLimit, row, meta.stack_depth)?;
    subject.must(meta.call_depth as usize <= view.blocks.len(), Rule::CallLimit, row, meta.call_depth)?;
    name(subject, meta.dialect, row)
}

/// Tables whose rows are selected by 16-bit operands.
#[rustfmt::skip]
const NUMBERED: [SectionKind; 18] = {
    use SectionKind::{
        Attributes, Blocks, Conditions, Constants, Entries, Events, ForestTrees, Forests, Gates, Ids, Imports, Limiters,
        Parallels, Shared, Sites, Slots, Tables, Texts,
    };
    [
        Entries, Blocks, Conditions, Constants, Imports, Sites, Slots, Tables, Parallels, Shared, Events, Limiters,
        Gates, Texts, Ids, Forests, ForestTrees, Attributes,
    ]
};

fn sizes(subject: &Subject<'_>) -> Result<(), ImageError> {
    NUMBERED.into_iter().try_for_each(|kind| {
        let bytes = subject.ranges.get(kind).len();
        let small = bytes <= MAX_ROWS * kind.row_bytes();
        subject.must(small, Rule::TableSize, (kind, 0), (bytes / kind.row_bytes()) as u64)
    })
}

fn entries(subject: &Subject<'_>) -> Result<(), ImageError> {
    subject.each(SectionKind::Entries, subject.view.entries, |row, entry| {
        name(subject, entry.name, row)?;
        let there = (entry.block as usize) < subject.view.blocks.len();
        subject.must(there, Rule::EntryBlock, row, entry.block)?;
        subject.must(entry.reserved == 0, Rule::Reserved, row, entry.reserved)
    })
}

fn imports(subject: &Subject<'_>) -> Result<(), ImageError> {
    subject.each(SectionKind::Imports, subject.view.imports, |row, import| {
        if import.name != StrRef::default() {
            name(subject, import.name, row)?;
        }
        let known = matches!(import_kind::of(import.kind), import_kind::ACTION | import_kind::QUERY);
        subject.must(known, Rule::ImportKind, row, import.kind)?;
        subject.must(import.min_args <= import.max_args, Rule::ImportArity, row, import.min_args)
    })
}

// A function of its own: together with all other checks the loop would run out of registers.
#[inline(never)]
fn values(subject: &Subject<'_>) -> Result<(), ImageError> {
    let strings = subject.view.strings.len() as u64;
    // For each type, the maximum of the length field, and the exclusive upper bound of the end of
    // the text. Types come in no predictable order, so there is no branch on them.
    let mut limits = [(0, 0); 8];
    limits[value_tag::INT as usize] = (0, u64::MAX);
    limits[value_tag::FLOAT as usize] = (0, u64::MAX);
    limits[value_tag::TEXT as usize] = (u32::MAX, strings + 1);
    for wide in [value_tag::INT64, value_tag::DOUBLE, value_tag::ENTITY] {
        limits[wide as usize] = (u32::MAX, u64::MAX);
    }
    for (row, value) in subject.view.values.iter().enumerate() {
        let end = u64::from(value.bits) + u64::from(value.len);
        let limit = limits.get(value.tag as usize);
        let right = limit.is_some_and(|(len, behind)| value.len <= *len && end < *behind);
        if !right && !is_variable(subject, value) && !is_out(subject, value) {
            wrong_value(subject, row, value)?;
        }
    }
    Ok(())
}

/// Returns true if an argument is the value of a slot that holds a bit or a number.
fn is_variable(subject: &Subject<'_>, value: &ValueRow) -> bool {
    let slot = subject.view.slots.get(value.bits as usize);
    let gives = slot.is_some_and(|slot| u32::from(given(slot.kind)) != gives::NOTHING);
    value.tag == value_tag::SLOT && value.len == 0 && gives
}

/// Returns true if an argument is an out argument whose value goes into a slot that holds a bit, a
/// number or a word.
fn is_out(subject: &Subject<'_>, value: &ValueRow) -> bool {
    let is_given =
        value.len == 0 || u16::try_from(value.len - 1).is_ok_and(|slot| subject.slot(slot, slot_kind::BIT));
    value.tag == value_tag::OUT
        && is_given
        && is_variable(subject, &ValueRow { tag: value_tag::SLOT, len: 0, ..*value })
}

/// Returns the type of a variable of this kind in conditions.
pub(super) fn given(kind: u32) -> u8 {
    let given = match kind {
        slot_kind::BIT => gives::TRUTH,
        slot_kind::I8..=slot_kind::F32 | slot_kind::F64 | slot_kind::TEXT => gives::NUMBER,
        slot_kind::I64 | slot_kind::ENTITY => gives::WORD,
        _ => gives::NOTHING,
    };
    given as u8
}

/// Returns true if a slot of this kind can have these bits as its initial value.
pub(super) fn holds(kind: u32, bits: u32) -> bool {
    let int = bits as i32;
    match kind {
        slot_kind::BIT => bits <= 1,
        slot_kind::I8 => i8::try_from(int).is_ok(),
        slot_kind::U8 => u8::try_from(int).is_ok(),
        slot_kind::I16 => i16::try_from(int).is_ok(),
        slot_kind::U16 => u16::try_from(int).is_ok(),
        slot_kind::I32 | slot_kind::F32 => true,
        slot_kind::TEXT => int >= 0,
        _ => bits == 0 || slot_kind::is_wide(kind),
    }
}

#[cold]
fn wrong_value(subject: &Subject<'_>, row: usize, value: &ValueRow) -> Result<(), ImageError> {
    let (rule, found) = match value.tag {
        value_tag::TEXT => (Rule::StringRange, value.bits),
        _ => (Rule::ValueTag, value.tag),
    };
    subject.must(false, rule, (SectionKind::Values, row), found)
}

/// A function of its own for the reason given at `values`.
// A function of its own for the reason given at `values`.
#[inline(never)]
fn sites(subject: &Subject<'_>, before: Kinds) -> Result<Kinds, ImageError> {
    let view = &subject.view;
    let mut kinds = before.into_kinds();
    fill(&mut kinds, view.sites.len(), 0).map_err(memory(view.sites.len()))?;
    let none = ImportRow::zeroed();
    for (row, (site, kind)) in view.sites.iter().zip(&mut kinds).enumerate() {
        let import = view.imports.get(usize::from(site.import));
        if import.is_none() {
            wrong_site(subject, row, Rule::SiteImport, site.import)?;
        }
        // If that rule is turned off for a test, nothing out of range is read either.
        let import = import.unwrap_or(&none);
        let end = u64::from(site.first) + u64::from(site.count);
        let enough = import.min_args <= site.count && site.count <= import.max_args;
        if !enough || end > view.values.len() as u64 {
            wrong_site(subject, row, Rule::SiteValues, site.count)?;
        }
        *kind = import_kind::of(import.kind) as u8;
    }
    Ok(Kinds::new(kinds))
}

#[cold]
fn wrong_site(subject: &Subject<'_>, row: usize, rule: Rule, found: u16) -> Result<(), ImageError> {
    subject.must(false, rule, (SectionKind::Sites, row), found)
}

fn slots(subject: &Subject<'_>) -> Result<(), ImageError> {
    let mut frame = 0;
    for (row, slot) in subject.view.slots.iter().enumerate() {
        let row = (SectionKind::Slots, row);
        let bytes = match (slot.kind, slot.capacity) {
            (slot_kind::BIT | slot_kind::I8 | slot_kind::U8, 0) => 1,
            (slot_kind::NODE | slot_kind::I16 | slot_kind::U16, 0) => 2,
            (slot_kind::TIME | slot_kind::I32 | slot_kind::F32 | slot_kind::TEXT, 0) => 4,
            (slot_kind::MOMENT, 0) | (slot_kind::I64 | slot_kind::F64 | slot_kind::ENTITY, _) => 8,
            (slot_kind::DATA, 1..=MAX_DATA) => slot.capacity.into(),
            (slot_kind::NODE_SET, 1..=MAX_SET) => 2 + 2 * u64::from(slot.capacity),
            _ => 0,
        };
        subject.must(bytes > 0 && slot.reset <= 1, Rule::SlotType, row, slot.kind)?;
        subject.must(holds(slot.kind, slot.init), Rule::SlotInit, row, slot.init)?;
        if slot.name != StrRef::default() {
            name(subject, slot.name, row)?;
        }
        frame += bytes;
        subject.must(frame <= MAX_FRAME_BYTES, Rule::FrameSize, row, frame)?;
    }
    Ok(())
}

/// Checks that blocks cover the code, and conditions the condition code.
fn pieces(subject: &Subject<'_>) -> Result<(), ImageError> {
    let view = &subject.view;
    let blocks = gap(view.blocks.iter().map(|it| (it.first, it.count)), view.code.len());
    let conditions = gap(view.conditions.iter().map(|it| (it.first, it.count)), view.condition_code.len());
    let must = |rule, kind, gap: Option<usize>| {
        let row = gap.unwrap_or(0);
        subject.must(gap.is_none(), rule, (kind, row), row as u64)
    };
    must(Rule::BlockPlace, SectionKind::Blocks, blocks)?;
    must(Rule::ConditionPlace, SectionKind::Conditions, conditions)
}

/// Returns the first row at which the pieces are empty or do not follow one another from 0 to
/// `len`. Returns `None` if there is no such row.
fn gap(rows: impl ExactSizeIterator<Item = (u32, u32)>, len: usize) -> Option<usize> {
    let count = rows.len();
    let mut end = 0;
    for (row, (first, count)) in rows.enumerate() {
        if u64::from(first) != end || count == 0 {
            return Some(row);
        }
        end += u64::from(count);
    }
    (end != len as u64).then_some(count)
}

/// Returns the bytes of a text.
pub(super) fn text<'a>(subject: &Subject<'a>, text: StrRef, row: Row) -> Result<&'a [u8], ImageError> {
    let range = text.start as usize..(text.start as usize).saturating_add(text.len as usize);
    let found = subject.view.strings.get(range);
    subject.must(found.is_some(), Rule::StringRange, row, text.start)?;
    Ok(found.unwrap_or_default())
}

pub(super) fn name(subject: &Subject<'_>, name: StrRef, row: Row) -> Result<(), ImageError> {
    subject.must(name.len <= MAX_NAME, Rule::NameLength, row, name.len)?;
    let bytes = text(subject, name, row)?;
    let readable = !bytes.is_empty() && core::str::from_utf8(bytes).is_ok();
    subject.must(readable, Rule::StringUtf8, row, name.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_hold_what_their_kind_can() {
        let ranges = [
            (slot_kind::BIT, 0, 1),
            (slot_kind::I8, -0x80, 0x7f),
            (slot_kind::U8, 0, 0xff),
            (slot_kind::I16, -0x8000, 0x7fff),
            (slot_kind::U16, 0, 0xffff),
            (slot_kind::NODE, 0, 0),
        ];
        for (kind, least, most) in ranges {
            let found = [least - 1, least, most, most + 1].map(|value: i32| holds(kind, value as u32));
            assert_eq!(found, [false, true, true, false], "{kind}");
        }
        assert!([slot_kind::I32, slot_kind::F32].into_iter().all(|kind| holds(kind, u32::MAX)));
    }
}
