//! The frame: what an agent carries, and where in a chunk it is.
//!
//! A chunk holds four arrays, of bits, of bytes, of 16-bit and of 32-bit numbers, each cut into
//! columns of 256 lanes. A slot of the image is a column, so the values of one slot for all agents
//! lie side by side, as narrow as they can be.

use crate::layout::Rules;
use crate::layout::paths::RunningPaths;
use crate::values::Kind;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::HashMap;
use pleach_image::Image;
use pleach_image::format::{StatusesRow, scope};
use pleach_image::isa::{OTHER, Op};
use pleach_image::key;

/// Lanes of a chunk: agents that share their columns.
pub(crate) const LANES: usize = 256;
/// Words of a bit column.
pub(crate) const BIT_WORDS: usize = LANES / 64;

/// Column of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) kind: Kind,
    /// Index of the column's first element in the array of its width.
    pub(crate) first: u32,
    /// Elements a lane: 1, but more for sets and data.
    pub(crate) stride: u16,
}

/// A slot of the frame.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) column: Column,
    pub(crate) name: Box<str>,
    /// Stable key, which finds the slot in another build.
    pub(crate) key: u64,
    pub(crate) reset: bool,
    /// Value of the slot when an agent is spawned, as bits.
    pub(crate) init: u64,
}

/// Numbers of elements in the arrays of each width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) bits: usize,
    pub(crate) bytes: usize,
    pub(crate) halves: usize,
    pub(crate) words: usize,
    pub(crate) moments: usize,
}

impl Sizes {
    /// Adds a column with this number of lanes.
    pub(crate) fn column(&mut self, kind: Kind, capacity: u32, lanes: usize) -> Column {
        let stride = match kind {
            Kind::Set => capacity as u16 + 1,
            Kind::Data => capacity as u16,
            _ => 1,
        };
        let (used, count) = match kind {
            Kind::Bit => (&mut self.bits, lanes.div_ceil(64)),
            Kind::I8 | Kind::U8 | Kind::Data => (&mut self.bytes, lanes * usize::from(stride)),
            Kind::I16 | Kind::U16 | Kind::Node | Kind::Set => (&mut self.halves, lanes * usize::from(stride)),
            Kind::I32 | Kind::F32 | Kind::Time | Kind::Text => (&mut self.words, lanes),
            Kind::I64 | Kind::F64 | Kind::Entity | Kind::Moment => (&mut self.moments, lanes),
        };
        let first = *used as u32;
        *used += count;
        Column { kind, first, stride }
    }

    /// Bytes of all of them.
    pub(crate) fn total(&self) -> usize {
        self.bits * 8 + self.bytes + self.halves * 2 + self.words * 4 + self.moments * 8
    }
}

/// All slots, and the size of the arrays of a chunk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) slots: Vec<Slot>,
    pub(crate) sizes: Sizes,
    /// Columns of the data that nodes of the host keep for themselves, with their nodes.
    pub(crate) data: Vec<(u16, Column)>,
    /// Column of the bits that say that a variable has been given another value.
    pub(crate) changes: Option<u32>,
    /// The first node that keeps a status, and the column of its status, if nodes keep statuses.
    pub(crate) statuses: Option<(u16, u32)>,
    /// True if the groups of agents make a difference.
    pub(crate) groups: bool,
    /// True if a tick can end with a status outside the three.
    pub(crate) others: bool,
    /// The rules that agents are at, if they are.
    pub(crate) rules: Option<Box<Rules>>,
    /// The paths that running sets can be, if trees have such.
    pub(crate) paths: Option<Arc<RunningPaths>>,
}

impl Frame {
    pub(crate) fn of<D: AsRef<[u8]>>(image: &Image<D>) -> Self {
        let groups = !image.events().is_empty()
            || image.shared().iter().any(|shared| shared.scope == scope::GROUP)
            || image.gates().iter().any(|gate| gate.scope == scope::GROUP);
        let mut frame = Self { groups, others: ends_otherwise(image), ..Self::default() };
        for row in image.slots() {
            let column = frame.sizes.column(Kind::of(row.kind), row.capacity, LANES);
            let (name, reset) = (image.name(row.name).into(), row.reset != 0);
            frame.slots.push(Slot { column, name, key: row.key, reset, init: row.initial() });
        }
        let column = |slot: u16| frame.slots[usize::from(slot)].column;
        frame.data = image.data().iter().map(|row| (row.node, column(row.slot))).collect();
        frame.rules = Rules::of(image, |slot| frame.slots[usize::from(slot)].column.first);
        frame.changes = image.changes().map(|row| frame.slots[usize::from(row.live)].column.first);
        let status = |row: StatusesRow| (row.node, frame.slots[usize::from(row.slot)].column.first);
        frame.statuses = image.statuses().map(status);
        frame
    }

    /// Returns the node whose status a column holds.
    pub(crate) fn node_of_status(&self, column: u32, nodes: usize) -> Option<u16> {
        let (node, first) = self.statuses?;
        let index = column.checked_sub(first)? / LANES as u32;
        // Rule V0250: the columns of all nodes follow each other.
        let found = u32::from(node) + index;
        (found as usize <= nodes).then_some(found as u16)
    }

    /// Returns the column of a node's status.
    pub(crate) fn status_of_node(&self, node: u16) -> Option<u32> {
        let (first, column) = self.statuses?;
        Some(column + u32::from(node.checked_sub(first)?) * LANES as u32)
    }

    /// Appends a variable. Returns its column, or `None` if there are too many slots.
    pub(crate) fn add(&mut self, name: &str, kind: Kind) -> Option<Column> {
        if self.slots.len() >= usize::from(u16::MAX) {
            return None;
        }
        let column = self.sizes.column(kind, 0, LANES);
        let key = key::variable(name.as_bytes());
        self.slots.push(Slot { column, name: name.into(), key, reset: false, init: 0 });
        Some(column)
    }

    /// Bytes that an agent takes in its chunk's columns.
    pub(crate) fn bytes_per_agent(&self) -> f64 {
        self.sizes.total() as f64 / LANES as f64
    }
}

/// Returns the columns of variables that two programs have with the same name and type.
pub(crate) fn alike(first: &Frame, second: &Frame) -> Vec<(Column, Column)> {
    let is_variable = |slot: &&Slot| !slot.name.is_empty() && slot.column.kind.is_variable();
    let mut columns = HashMap::new();
    for slot in &second.slots {
        columns.entry((&slot.name, slot.column.kind)).or_insert(slot.column);
    }
    let of = |one: &Slot| Some((one.column, *columns.get(&(&one.name, one.column.kind))?));
    first.slots.iter().filter(is_variable).filter_map(of).collect()
}

/// Returns true if an entry can end with a status outside the three.
fn ends_otherwise<D: AsRef<[u8]>>(image: &Image<D>) -> bool {
    let ends = |block: u32| {
        let row = image.blocks()[block as usize];
        let words = &image.code()[row.first as usize..][..row.count as usize];
        words.iter().any(|word| word.op() == Some(Op::Return) && word.x == OTHER)
    };
    let blocks: BTreeSet<u32> = image.entries().iter().map(|entry| entry.block).collect();
    blocks.into_iter().any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::chunk::Chunk;

    #[test]
    fn columns_lie_one_behind_the_other() {
        let mut sizes = Sizes::default();
        let kinds =
            [(Kind::Bit, 0), (Kind::U8, 0), (Kind::Data, 3), (Kind::I16, 0), (Kind::Set, 4), (Kind::F32, 0)];
        let columns = kinds.map(|(kind, capacity)| sizes.column(kind, capacity, LANES));
        assert_eq!(
            columns.map(|column| (column.first as usize, column.stride)),
            [(0, 1), (0, 1), (LANES, 3), (0, 1), (LANES, 5), (0, 1),]
        );
        sizes.column(Kind::Moment, 0, LANES);
        // A bit, four bytes, six halves, a word and a moment for each lane.
        assert_eq!(sizes.total(), LANES / 8 + LANES * (4 + 6 * 2 + 4 + 8));
        assert_eq!(Frame { sizes, ..Frame::default() }.bytes_per_agent(), 28.125);
    }

    #[test]
    fn the_bytes_of_a_lane_are_its_own() {
        let mut frame = Frame::default();
        let columns = [2, 3].map(|capacity| frame.sizes.column(Kind::Data, capacity, LANES));
        let mut chunk = Chunk::new(&frame, 0, None).expect("there is memory");
        let lanes = || columns.into_iter().flat_map(|column| (0..=u8::MAX).map(move |lane| (column, lane)));
        lanes().for_each(|(column, lane)| chunk.data_mut(column, lane).fill(lane ^ column.stride as u8));
        for (column, lane) in lanes() {
            let expected = [lane ^ column.stride as u8; 3];
            assert_eq!(chunk.data(column, lane), &expected[..usize::from(column.stride)]);
        }
    }

    #[test]
    fn variables_are_alike_by_name_and_type() {
        let frame = |slots: &[(&str, Kind)]| {
            let mut frame = Frame::default();
            slots.iter().for_each(|(name, kind)| _ = frame.add(name, *kind));
            frame
        };
        let first = frame(&[("a", Kind::I32), ("b", Kind::Bit), ("until", Kind::Time), ("c", Kind::U8)]);
        let second = frame(&[("b", Kind::Bit), ("c", Kind::I8), ("until", Kind::Time), ("a", Kind::I32)]);
        let of = |frame: &Frame, index: usize| frame.slots[index].column;
        let expected = [(of(&first, 0), of(&second, 3)), (of(&first, 1), of(&second, 0))];
        assert_eq!(alike(&first, &second), expected);
    }
}
