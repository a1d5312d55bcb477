//! Rows: counts, ranges, kinds and strings.

use super::{MAX_DATA, MAX_FRAME_BYTES, MAX_NAME, MAX_NODES, MAX_ROWS, MAX_SET, MAX_STACK, Rule, Subject};
use crate::error::ImageError;
use crate::format::{SectionKind, StrRef, ValueRow, import_kind, slot_kind, value_tag};
use crate::isa::kinds::Kinds;
use crate::isa::operand::{Shape, gives};
use alloc::{vec, vec::Vec};

/// Checks every table but code and condition code. Tells what operands are to be checked against.
pub(super) fn check(subject: &Subject<'_>) -> Result<Shape, ImageError> {
    meta(subject)?;
    sizes(subject)?;
    entries(subject)?;
    imports(subject)?;
    values(subject)?;
    let sites = sites(subject)?;
    slots(subject)?;
    blocks(subject)?;
    conditions(subject)?;
    let view = &subject.view;
    let meta = view.meta[0];
    Ok(Shape {
        block: 0,
        // They are found with the conditions' code.
        conditions: Kinds::new(Vec::new()),
        constants: view.constants.len() as u32,
        nodes: meta.nodes,
        flags: meta.flags,
        sites: Kinds::new(sites),
        slots: Kinds::new(view.slots.iter().map(|slot| slot.kind as u8).collect()),
        variables: Kinds::new(view.slots.iter().map(|slot| given(slot.kind)).collect()),
        shared: Kinds::new(view.shared.iter().map(|shared| given(shared.kind)).collect()),
        tables: view.tables.len() as u32,
        parallels: view.parallels.len() as u32,
        events: view.events.len() as u32,
        limiters: view.limiters.len() as u32,
        gates: view.gates.len() as u32,
        texts: view.texts.len() as u32,
        cursor: !view.cursors.is_empty(),
    })
}

fn meta(subject: &Subject<'_>) -> Result<(), ImageError> {
    let fail = |rule, found| Err(subject.fail(rule, SectionKind::Meta, 0, found));
    let [meta] = subject.view.meta else {
        return fail(Rule::MetaRow, subject.view.meta.len() as u64);
    };
    if meta.nodes as usize != subject.view.keys.len() || meta.nodes > MAX_NODES {
        return fail(Rule::NodeCount, u64::from(meta.nodes));
    }
    if meta.flags as usize > MAX_ROWS {
        return fail(Rule::TableSize, u64::from(meta.flags));
    }
    if meta.stack_depth > MAX_STACK {
        return fail(Rule::StackLimit, u64::from(meta.stack_depth));
    }
    if meta.call_depth as usize > subject.view.blocks.len() {
        return fail(Rule::CallLimit, u64::from(meta.call_depth));
    }
    name(subject, meta.dialect, SectionKind::Meta, 0)
}

fn sizes(subject: &Subject<'_>) -> Result<(), ImageError> {
    let view = &subject.view;
    let sizes = [
        (SectionKind::Entries, view.entries.len()),
        (SectionKind::Blocks, view.blocks.len()),
        (SectionKind::Conditions, view.conditions.len()),
        (SectionKind::Constants, view.constants.len()),
        (SectionKind::Imports, view.imports.len()),
        (SectionKind::Sites, view.sites.len()),
        (SectionKind::Slots, view.slots.len()),
        (SectionKind::Tables, view.tables.len()),
        (SectionKind::Parallels, view.parallels.len()),
        (SectionKind::Shared, view.shared.len()),
        (SectionKind::Events, view.events.len()),
        (SectionKind::Limiters, view.limiters.len()),
        (SectionKind::Gates, view.gates.len()),
        (SectionKind::Texts, view.texts.len()),
        (SectionKind::Ids, view.ids.len()),
    ];
    match sizes.into_iter().find(|(_, rows)| *rows > MAX_ROWS) {
        Some((kind, rows)) => Err(subject.fail(Rule::TableSize, kind, 0, rows as u64)),
        None => Ok(()),
    }
}

fn entries(subject: &Subject<'_>) -> Result<(), ImageError> {
    for (row, entry) in subject.view.entries.iter().enumerate() {
        name(subject, entry.name, SectionKind::Entries, row)?;
        if entry.block as usize >= subject.view.blocks.len() {
            return Err(subject.fail(Rule::EntryBlock, SectionKind::Entries, row, u64::from(entry.block)));
        }
        reserved(subject, entry.reserved, SectionKind::Entries, row)?;
    }
    Ok(())
}

fn imports(subject: &Subject<'_>) -> Result<(), ImageError> {
    for (row, import) in subject.view.imports.iter().enumerate() {
        let fail = |rule, found| Err(subject.fail(rule, SectionKind::Imports, row, found));
        name(subject, import.name, SectionKind::Imports, row)?;
        if !matches!(import_kind::of(import.kind), import_kind::ACTION | import_kind::QUERY) {
            return fail(Rule::ImportKind, u64::from(import.kind));
        }
        if import.min_args > import.max_args {
            return fail(Rule::ImportArity, u64::from(import.min_args));
        }
    }
    Ok(())
}

// Apart, since in one function with all other checks its loop would run out of registers.
#[inline(never)]
fn values(subject: &Subject<'_>) -> Result<(), ImageError> {
    let strings = subject.view.strings.len() as u64;
    // By type, how long an argument may be, and where a text must end before. Types are in no order that a processor
    // could learn, so there is no branch on them.
    let mut limits = [(0, 0); 4];
    limits[value_tag::INT as usize] = (0, u64::MAX);
    limits[value_tag::FLOAT as usize] = (0, u64::MAX);
    limits[value_tag::TEXT as usize] = (u32::MAX, strings + 1);
    for (row, value) in subject.view.values.iter().enumerate() {
        let end = u64::from(value.bits) + u64::from(value.len);
        let limit = limits.get(value.tag as usize);
        let right = limit.is_some_and(|(len, behind)| value.len <= *len && end < *behind);
        if !right && !is_variable(subject, value) {
            return Err(wrong_value(subject, row, value));
        }
    }
    Ok(())
}

/// Whether an argument is what a slot holds, and that is a bit or number.
fn is_variable(subject: &Subject<'_>, value: &ValueRow) -> bool {
    let slot = subject.view.slots.get(value.bits as usize);
    let gives = slot.is_some_and(|slot| u32::from(given(slot.kind)) != gives::NOTHING);
    value.tag == value_tag::SLOT && value.len == 0 && gives
}

/// What a variable of this kind gives.
pub(super) fn given(kind: u32) -> u8 {
    let given = match kind {
        slot_kind::BIT => gives::TRUTH,
        slot_kind::I8..=slot_kind::F32 => gives::NUMBER,
        _ => gives::NOTHING,
    };
    given as u8
}

/// Whether a slot of this kind can begin with these bits.
pub(super) fn holds(kind: u32, bits: u32) -> bool {
    let int = bits as i32;
    match kind {
        slot_kind::BIT => bits <= 1,
        slot_kind::I8 => i8::try_from(int).is_ok(),
        slot_kind::U8 => u8::try_from(int).is_ok(),
        slot_kind::I16 => i16::try_from(int).is_ok(),
        slot_kind::U16 => u16::try_from(int).is_ok(),
        slot_kind::I32 | slot_kind::F32 => true,
        _ => bits == 0,
    }
}

#[cold]
fn wrong_value(subject: &Subject<'_>, row: usize, value: &ValueRow) -> ImageError {
    let (rule, found) = match value.tag {
        value_tag::TEXT => (Rule::StringRange, value.bits),
        _ => (Rule::ValueTag, value.tag),
    };
    subject.fail(rule, SectionKind::Values, row, u64::from(found))
}

/// For each site the kind of its import.
// Apart for the same reason as `values`.
#[inline(never)]
fn sites(subject: &Subject<'_>) -> Result<Vec<u8>, ImageError> {
    let view = &subject.view;
    let mut kinds = vec![0; view.sites.len()];
    for (row, (site, kind)) in view.sites.iter().zip(&mut kinds).enumerate() {
        let import = view.imports.get(usize::from(site.import));
        let import = import.ok_or_else(|| wrong_site(subject, row, Rule::SiteImport, site.import))?;
        let end = u64::from(site.first) + u64::from(site.count);
        let enough = import.min_args <= site.count && site.count <= import.max_args;
        if !enough || end > view.values.len() as u64 {
            return Err(wrong_site(subject, row, Rule::SiteValues, site.count));
        }
        *kind = import_kind::of(import.kind) as u8;
    }
    Ok(kinds)
}

#[cold]
fn wrong_site(subject: &Subject<'_>, row: usize, rule: Rule, found: u16) -> ImageError {
    subject.fail(rule, SectionKind::Sites, row, u64::from(found))
}

fn slots(subject: &Subject<'_>) -> Result<(), ImageError> {
    let mut frame = 0;
    for (row, slot) in subject.view.slots.iter().enumerate() {
        let fail = |rule, found| Err(subject.fail(rule, SectionKind::Slots, row, found));
        frame += match (slot.kind, slot.capacity) {
            (slot_kind::BIT | slot_kind::I8 | slot_kind::U8, 0) => 1,
            (slot_kind::NODE | slot_kind::I16 | slot_kind::U16, 0) => 2,
            (slot_kind::TIME | slot_kind::I32 | slot_kind::F32, 0) => 4,
            (slot_kind::MOMENT, 0) => 8,
            (slot_kind::DATA, 1..=MAX_DATA) => slot.capacity.into(),
            (slot_kind::NODE_SET, 1..=MAX_SET) => 2 + 2 * u64::from(slot.capacity),
            _ => return fail(Rule::SlotType, u64::from(slot.kind)),
        };
        if slot.reset > 1 {
            return fail(Rule::SlotType, u64::from(slot.reset));
        }
        if !holds(slot.kind, slot.init) {
            return fail(Rule::SlotInit, u64::from(slot.init));
        }
        if slot.name != StrRef::default() {
            name(subject, slot.name, SectionKind::Slots, row)?;
        }
        if frame > MAX_FRAME_BYTES {
            return fail(Rule::FrameSize, frame);
        }
    }
    Ok(())
}

fn blocks(subject: &Subject<'_>) -> Result<(), ImageError> {
    let rows = subject.view.blocks.iter().map(|block| (block.first, block.count));
    match tiling(rows, subject.view.code.len()) {
        Ok(()) => Ok(()),
        Err(row) => Err(subject.fail(Rule::BlockPlace, SectionKind::Blocks, row, row as u64)),
    }
}

fn conditions(subject: &Subject<'_>) -> Result<(), ImageError> {
    let rows = subject.view.conditions.iter().map(|condition| (condition.first, condition.count));
    match tiling(rows, subject.view.condition_code.len()) {
        Ok(()) => Ok(()),
        Err(row) => Err(subject.fail(Rule::ConditionPlace, SectionKind::Conditions, row, row as u64)),
    }
}

/// Whether the pieces are not empty and follow one another from 0 to `len`; else the first row that does not fit.
fn tiling(rows: impl ExactSizeIterator<Item = (u32, u32)>, len: usize) -> Result<(), usize> {
    let count = rows.len();
    let mut end = 0;
    for (row, (first, count)) in rows.enumerate() {
        if u64::from(first) != end || count == 0 {
            return Err(row);
        }
        end += u64::from(count);
    }
    if end == len as u64 { Ok(()) } else { Err(count) }
}

pub(super) fn reserved(
    subject: &Subject<'_>,
    field: u32,
    kind: SectionKind,
    row: usize,
) -> Result<(), ImageError> {
    if field == 0 { Ok(()) } else { Err(subject.fail(Rule::Reserved, kind, row, u64::from(field))) }
}

pub(super) fn bytes<'a>(
    subject: &Subject<'a>,
    text: StrRef,
    kind: SectionKind,
    row: usize,
) -> Result<&'a [u8], ImageError> {
    let range = text.start as usize..(text.start as usize).saturating_add(text.len as usize);
    let found = subject.view.strings.get(range);
    found.ok_or_else(|| subject.fail(Rule::StringRange, kind, row, u64::from(text.start)))
}

pub(super) fn name(
    subject: &Subject<'_>,
    text: StrRef,
    kind: SectionKind,
    row: usize,
) -> Result<(), ImageError> {
    if text.len > MAX_NAME {
        return Err(subject.fail(Rule::NameLength, kind, row, u64::from(text.len)));
    }
    let bytes = bytes(subject, text, kind, row)?;
    if !bytes.is_empty() && core::str::from_utf8(bytes).is_ok() {
        return Ok(());
    }
    Err(subject.fail(Rule::StringUtf8, kind, row, u64::from(text.start)))
}
