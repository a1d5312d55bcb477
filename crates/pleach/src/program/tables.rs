//! Tables of an image as engines read them: with columns in place of slots, and the
//! host's numbers in place of names.

use crate::code::shortcuts::{Shortcut, Shortcuts};
use crate::code::{Arguments, Code, Parallel, Site, SweepPlan, running};
use crate::engine::parts::{Limiter, NamedBlock};
use crate::host::arguments::{VariableArgument, argument};
use crate::layout::Frame;
use crate::layout::paths::RunningPaths;
use crate::store::world::Gate;
use crate::values::{Argument, Kind, TextTable};
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::{vec, vec::Vec};
use pleach_image::Image;
use pleach_image::bounds::{self, Bounds};
use pleach_image::format::{SectionKind, SiteRow, StrRef, ValueRow, scope, slot_kind, value_tag};
use pleach_image::isa::StackOp;

/// Returns two bounds for each block: the bound if no rule may run, and the amount that each
/// further rule adds. A tree has one loop, so bounds grow linearly.
pub(super) fn rules<D: AsRef<[u8]>>(image: &Image<D>) -> [Vec<Bounds>; 2] {
    if image.cursor().is_none() {
        return [Vec::new(), Vec::new()];
    }
    let (idle, one) = (bounds::with_limit(image, 0), bounds::with_limit(image, 1));
    let adds = |(idle, one): (&Bounds, Bounds)| Bounds {
        instructions: one.instructions.saturating_sub(idle.instructions),
        host_calls: one.host_calls.saturating_sub(idle.host_calls),
    };
    let each = idle.iter().zip(one).map(adds).collect();
    [idle, each]
}

/// Blocks by their names.
pub(super) fn named<D: AsRef<[u8]>>(
    image: &Image<D>,
    rows: impl Iterator<Item = (StrRef, u32)>,
) -> Vec<NamedBlock> {
    rows.map(|(name, block)| NamedBlock { name: image.name(name).into(), block }).collect()
}

/// Returns the program with numbers in place of running sets, and the sets by number. Returns
/// `None` if no tree has such sets.
pub(super) fn numbered<D: AsRef<[u8]>>(
    image: &Image<D>,
    plain: &Code,
    frame: &Frame,
    shortcuts: Shortcuts,
) -> Option<(Code, RunningPaths)> {
    let entries: Vec<u32> = image.entries().iter().map(|row| row.block).collect();
    shortcuts.has(Shortcut::RunningPaths).then(|| running::numbered(plain, frame, &entries))?
}

/// Entries may share a block, so there is one for each block.
pub(super) fn sweeps<D: AsRef<[u8]>>(
    image: &Image<D>,
    fused: &Code,
    shortcuts: Shortcuts,
) -> Vec<Option<Arc<SweepPlan>>> {
    let mut sweeps = vec![None; fused.blocks.len()];
    if !shortcuts.has(Shortcut::StepLists) {
        return sweeps;
    }
    let mut blocks: Vec<_> = image.entries().iter().map(|entry| entry.block as usize).collect();
    blocks.sort_unstable();
    blocks.dedup();
    for block in blocks {
        sweeps[block] = SweepPlan::of(fused, fused.blocks[block]).map(Arc::new);
    }
    sweeps
}

/// Returns the arguments of all calls, and the variables among them.
pub(super) fn arguments<D: AsRef<[u8]>>(
    image: &Image<D>,
    frame: &Frame,
) -> (Box<[Argument]>, Box<[VariableArgument]>) {
    let rows = || image.values().iter();
    let variables = (0..).zip(rows()).filter(|(_, row)| row.tag == value_tag::SLOT);
    let variable = |(place, row): (u32, &ValueRow)| VariableArgument {
        place,
        column: frame.slots[row.bits as usize].column,
    };
    (rows().map(|row| argument(row, frame)).collect(), variables.map(variable).collect())
}

pub(super) fn sites<D: AsRef<[u8]>>(
    image: &Image<D>,
    functions: &[u32],
    (arguments, variables): (&[Argument], &[VariableArgument]),
) -> Vec<Site> {
    // Sites may share arguments, so a site has no list of its variables but an interval of all.
    let before = |place: u32| variables.partition_point(|variable| variable.place < place) as u32;
    let site = |row: &SiteRow| {
        let (first, count) = (row.first, row.count);
        let from = before(first);
        let of = (before(first + u32::from(count)) - from) as u16;
        let arguments = match count {
            // Without arguments, the first need not be there.
            0 => Arguments::Few(None),
            _ if of > 0 => Arguments::Variable { first, count, variables: (from, of) },
            1 => Arguments::Few(Some(arguments[first as usize])),
            _ => Arguments::Several { first, count },
        };
        Site { function: functions[usize::from(row.import)], arguments }
    };
    image.sites().iter().map(site).collect()
}

pub(super) fn parallels<D: AsRef<[u8]>>(image: &Image<D>, frame: &Frame) -> Vec<Parallel> {
    let column = |slot: &u16| frame.slots[usize::from(*slot)].column.first;
    let parallel = |row: &pleach_image::format::ParallelRow| Parallel {
        branches: (row.first..row.first + row.branches).map(|slot| column(&slot)).collect(),
        positions: image.halts()[row.halts as usize..][..usize::from(row.positions)]
            .iter()
            .map(column)
            .collect(),
        succeed: row.succeed,
        fail: row.fail,
    };
    image.parallels().iter().map(parallel).collect()
}

/// The position that belongs to a whole tree.
pub(super) fn position(frame: &Frame, parallels: &[Parallel]) -> Option<u32> {
    let of_branches: BTreeSet<u32> = parallels.iter().flat_map(|it| it.positions.iter().copied()).collect();
    let nodes = frame.slots.iter().map(|slot| slot.column).filter(|column| column.kind == Kind::Node);
    nodes.map(|column| column.first).find(|column| !of_branches.contains(column))
}

pub(super) fn limiters<D: AsRef<[u8]>>(image: &Image<D>, frame: &Frame) -> Vec<Limiter> {
    let first = |slot: u16| frame.slots[usize::from(slot)].column.first;
    let limiter = |row: &pleach_image::format::LimiterRow| Limiter {
        places: row.places,
        column: first(row.column),
        low: row.low,
        high: row.high,
        wants: first(row.wants),
        granted: first(row.granted),
    };
    image.limiters().iter().map(limiter).collect()
}

/// Bit slots of gates, each once.
fn gate_bits<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<u16> {
    let mut bits: Vec<_> = image.gates().iter().map(|gate| gate.inside).collect();
    bits.sort_unstable();
    bits.dedup();
    bits
}

pub(super) fn counts<D: AsRef<[u8]>>(image: &Image<D>) -> usize {
    gate_bits(image).len()
}

pub(super) fn gates<D: AsRef<[u8]>>(image: &Image<D>, frame: &Frame) -> Vec<Gate> {
    let bits = gate_bits(image);
    let gate = |row: &pleach_image::format::GateRow| Gate {
        places: row.places,
        grouped: row.scope == scope::GROUP,
        inside: frame.slots[usize::from(row.inside)].column.first,
        number: bits.binary_search(&row.inside).unwrap_or_default(),
    };
    image.gates().iter().map(gate).collect()
}

/// Returns true if texts that a host interns can make a difference to agents: variables hold texts,
/// or expressions read them.
pub(super) fn has_texts<D: AsRef<[u8]>>(image: &Image<D>) -> bool {
    let kinds = image.slots().iter().map(|row| row.kind).chain(image.shared().iter().map(|row| row.kind));
    let mut ops = image.condition_code().iter().filter_map(|word| word.op());
    kinds.into_iter().any(|kind| kind == slot_kind::TEXT)
        || ops.any(|op| {
            matches!(op, StackOp::Order | StackOp::SpellReal | StackOp::SpellWhole | StackOp::SpellInt)
        })
}

/// The texts, and the strings that they and those of arguments are in. Texts may overlap, so they
/// are not copied one by one: a small file could ask for any amount of memory.
pub(super) fn texts<D: AsRef<[u8]>>(image: &Image<D>) -> TextTable {
    let len = u32::try_from(image.section_bytes(SectionKind::Strings)).unwrap_or(u32::MAX);
    TextTable::new(image.text(StrRef { start: 0, len }).to_vec(), image.texts().to_vec())
}
