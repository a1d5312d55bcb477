//! From one build of the trees to another: which node, slot, tree, variable and event of a
//! state is which of the program.
//!
//! Nodes and slots go by their stable keys, the rest by names. Equal keys, as copies of a tree may
//! have, are paired in order. A state that was made with the same build is its own map.

use super::members::{Renumbering, TextNumbers};
use crate::engine::parts::Parts;
use crate::layout::{Column, LANES, Sizes, Slot};
use crate::saved::error::{StateError, StateFault};
use crate::saved::format::{List, SavedColumns, SharedKey, SlotKey};
use crate::saved::layout::{SavedLayout, narrowed};
use crate::values::{Kind, Rule, TextTable, Tunable, TunableScope, entry_of, held as held_bits};
use alloc::sync::Arc;
use alloc::{vec, vec::Vec};
use hashbrown::{HashMap, HashSet};
use pleach_image::format::branch;

/// Reason why an agent begins its tree anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResetReason {
    /// The active node does not exist in the program.
    Gone,
    /// The agent's tree cannot continue at the active node.
    Moved,
    /// The host asked for it.
    Asked,
}

/// Stands for the kind of all slots that hold values of an enum.
const ENUM: u32 = u32::MAX;

/// Places in a state of everything that a program has.
#[derive(Debug)]
pub(super) struct Map<'p> {
    pub(super) parts: &'p Parts,
    /// Numbers of elements in the columns of a chunk or an agent.
    pub(super) sizes: Sizes,
    /// For each slot of the program, its column in the state.
    slots: Vec<Option<Column>>,
    /// Enums of the state and of the program.
    renumbering: Renumbering,
    /// For slots and shared variables of the program that hold values of an enum, the enum of the
    /// state and their own.
    renumbered: [HashMap<usize, (u32, u32)>; 2],
    /// Texts of the state.
    pub(super) texts: TextNumbers,
    /// Positions and sets of the state that the program does not have.
    dropped: Vec<Column>,
    /// By number of the state's nodes, that of the program's; `None` if they are the same.
    nodes: Option<Vec<u16>>,
    /// For each entry of the state, that of the program.
    pub(super) entries: Vec<Option<u32>>,
    /// For each shared variable of the program, that of the state.
    pub(super) shared: Vec<Option<usize>>,
    /// For each event of the program, that of the state.
    pub(super) events: Vec<Option<usize>>,
    /// Names that the program lacks, or that have another type in it.
    pub(super) lost: Vec<StateError>,
}

impl<'p> Map<'p> {
    /// Returns the map from the slots of a state to those of a program, and from its texts to those
    /// of a crowd. The state's columns have this number of lanes.
    pub(super) fn new(
        (parts, texts): (&'p Parts, &Arc<TextTable>),
        layout: &SavedLayout<'_>,
        lanes: usize,
    ) -> Result<Self, StateError> {
        let (own, texts) = (parts.description(), TextNumbers::new(layout, texts)?);
        if own.identity == layout.identity {
            return Ok(Self::same(parts, texts, layout, lanes));
        }
        let (columns, sizes) = layout.columns(lanes)?;
        // Before slots are paired, nothing is renumbered, dropped or lost.
        let mut map = Self {
            sizes,
            slots: vec![None; parts.frame.slots.len()],
            renumbering: Renumbering::new(layout, &parts.value_names),
            texts,
            nodes: Some(nodes(layout, parts)),
            entries: entries(layout, parts),
            shared: vec![None; parts.shared.len()],
            events: vec![None; parts.events.len()],
            parts,
            renumbered: Default::default(),
            dropped: Vec::new(),
            lost: Vec::new(),
        };
        let typed = layout.typed();
        map.slots(layout, &columns, &typed);
        map.shared(layout, &typed);
        let events = numbers(parts.events.iter().map(|event| &*event.name));
        for (index, name) in layout.events.iter().enumerate() {
            if let Some(event) = events.get(layout.text(name)) {
                map.events[*event] = Some(index);
            }
        }
        Ok(map)
    }

    /// Returns true if the state lacks a tunable.
    pub(super) fn lacks(&self, tunable: &Tunable) -> bool {
        let index = usize::from(tunable.index);
        match tunable.scope {
            TunableScope::Crowd => !self.is_same() && self.shared[index].is_none(),
            TunableScope::Agent => self.slots[index].is_none(),
        }
    }

    /// Returns the map for a state of the same build.
    fn same(parts: &'p Parts, texts: TextNumbers, layout: &SavedLayout<'_>, lanes: usize) -> Self {
        let mut sizes = Sizes::default();
        let column = |slot: &Slot| {
            let Column { kind, stride, .. } = slot.column;
            let capacity = if kind == Kind::Set { stride - 1 } else { stride };
            Some(sizes.column(narrowed(kind, lanes), capacity.into(), lanes))
        };
        let slots = parts.frame.slots.iter().map(column).collect();
        let all = |count: usize| (0..count).map(Some).collect();
        let entries = if lanes == LANES {
            (0..parts.entries.len() as u32).map(Some).collect()
        } else {
            self::entries(layout, parts)
        };
        let (shared, events) = (all(parts.shared.len()), all(parts.events.len()));
        Self {
            parts,
            sizes,
            slots,
            renumbering: Renumbering::default(),
            texts,
            renumbered: Default::default(),
            dropped: Vec::new(),
            nodes: None,
            entries,
            shared,
            events,
            lost: Vec::new(),
        }
    }

    /// Returns true if the state was made with the same build.
    pub(super) fn is_same(&self) -> bool {
        self.nodes.is_none()
    }

    /// Pairs slots by key and type.
    fn slots(&mut self, layout: &SavedLayout<'_>, columns: &[Column], typed: &HashMap<usize, u32>) {
        let own = &self.parts.frame.slots;
        let names = &self.parts.value_names;
        // Values of an enum go by their names, whatever column holds them.
        let of_own = |index: usize| {
            let kind = own[index].column.kind.number();
            (own[index].key, if names.of_slot(index).is_some() { ENUM } else { kind })
        };
        let of_state = |index: usize| {
            let SlotKey { key, kind, .. } = layout.slots.get(index);
            (key, if typed.contains_key(&index) { ENUM } else { kind })
        };
        let mut found = vec![false; columns.len()];
        let keys: HashSet<u64> = own.iter().map(|slot| slot.key).collect();
        for (slot, index) in pairs(own.len(), of_own, columns.len(), of_state) {
            // Bytes of a host that are more or less than before mean something else.
            let fits =
                own[slot].column.kind != Kind::Data || own[slot].column.stride == columns[index].stride;
            if fits {
                self.slots[slot] = Some(columns[index]);
                found[index] = true;
            }
            if let (Some(state), Some(own)) = (typed.get(&index), names.of_slot(slot)) {
                self.renumbered[0].insert(slot, (*state, own));
            }
        }
        for (index, column) in columns.iter().enumerate().filter(|(index, _)| !found[*index]) {
            let SlotKey { key, name, kind, .. } = layout.slots.get(index);
            let kind = Kind::of(kind);
            if matches!(kind, Kind::Node | Kind::Set) {
                self.dropped.push(*column);
            } else if kind.is_variable() && name.len > 0 {
                let fault = if keys.contains(&key) { StateFault::OtherType } else { StateFault::NoVariable };
                self.lost.push(StateError::about(fault, layout.slots.place(index), layout.text(name)));
            }
        }
    }

    /// Pairs shared variables by name, if type and scope are the same.
    fn shared(&mut self, layout: &SavedLayout<'_>, typed: &HashMap<usize, u32>) {
        let own = numbers(self.parts.shared.iter().map(|shared| &*shared.name));
        for (index, SharedKey { name, kind, grouped }) in layout.shared.iter().enumerate() {
            let (text, at) = (layout.text(name), layout.shared.place(index));
            let (names, state) = (&self.parts.value_names, typed.get(&(layout.slots.len() + index)));
            let fits = |own: &usize| {
                let (own, is_enum) = (&self.parts.shared[*own], names.of_shared(*own).is_some());
                let same = own.kind.number() == kind || is_enum;
                same && is_enum == state.is_some() && u32::from(own.grouped) == grouped
            };
            match own.get(text) {
                Some(own) if fits(own) => {
                    self.shared[*own] = Some(index);
                    if let (Some(state), Some(of)) = (state, names.of_shared(*own)) {
                        self.renumbered[1].insert(*own, (*state, of));
                    }
                }
                Some(_) => self.lost.push(StateError::about(StateFault::OtherType, at, text)),
                None => self.lost.push(StateError::about(StateFault::NoVariable, at, text)),
            }
        }
    }

    /// The program's node, or the mark, that is the one of the state; `None` if there is none.
    #[inline]
    fn node(&self, node: u16) -> Option<u16> {
        match &self.nodes {
            Some(_) if node >= branch::FAILED => Some(node),
            Some(nodes) => nodes.get(usize::from(node)).copied().filter(|node| *node != 0),
            None => Some(node),
        }
    }

    /// Returns what a slot of the program holds where the state holds a value. None is the slot's
    /// initial value.
    pub(super) fn value(&self, slot: usize, value: f64) -> Option<f64> {
        self.renumbered[0].get(&slot).map_or(Some(value), |enums| self.renumbering.value(*enums, value))
    }

    /// Returns what a shared variable of the program holds where the state holds a value. None is
    /// its initial value.
    pub(super) fn shared_value(&self, shared: usize, entry: u64) -> Option<u64> {
        match self.renumbered[1].get(&shared) {
            Some(enums) => self.renumbering.value(*enums, f64::from_bits(entry)).map(f64::to_bits),
            None if self.parts.shared[shared].kind == Kind::Text => {
                let own = self.texts.of(held_bits(Kind::Text, entry) as u32);
                Some(entry_of(Kind::Text, own.into()))
            }
            None => Some(entry),
        }
    }

    /// Returns true if a slot of the program holds values of an enum that are renumbered.
    pub(super) fn is_renumbered(&self, slot: usize) -> bool {
        self.renumbered[0].contains_key(&slot)
    }

    /// The column of a slot of the program in the state.
    pub(super) fn slot(&self, slot: usize) -> Option<Column> {
        self.slots[slot]
    }

    /// Returns an error if an agent of an entry cannot continue where it is.
    pub(super) fn place(&self, columns: &SavedColumns<'_>, lane: u8, entry: u32) -> Result<(), Misplaced> {
        for column in &self.dropped {
            let (held, at) = held(columns, *column, lane)?;
            if held.iter().any(|node| node != 0) {
                return Err(Misplaced::Why(ResetReason::Gone, at));
            }
        }
        for (slot, from) in self.parts.frame.slots.iter().zip(&self.slots) {
            if let (Kind::Node | Kind::Set, Some(from)) = (slot.column.kind, from) {
                let (held, at) = held(columns, *from, lane)?;
                // No position holds 0 but an empty one; no set does.
                let is_empty = |node| node == 0 && slot.column.kind == Kind::Node;
                for node in held.iter().filter(|node| !is_empty(*node)) {
                    let node = self.node(node).ok_or(Misplaced::Why(ResetReason::Gone, at))?;
                    if !self.stands(node, slot.column, entry) {
                        return Err(Misplaced::Why(ResetReason::Moved, at));
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns true if a node of the program can be in a position or set of an agent of an entry.
    #[inline]
    pub(super) fn stands(&self, node: u16, column: Column, entry: u32) -> bool {
        match &self.parts.frame.rules {
            Some(rules) if rules.position == column.first => rules.is_place(Rule(node), entry),
            _ => self.parts.description().standing.holds(node, column.first),
        }
    }

    /// The nodes of a set as the program numbers them. All are known.
    pub(super) fn nodes<'a>(&'a self, held: List<'a, u16>) -> impl Iterator<Item = u16> + 'a {
        held.iter().map(|node| if node == 0 { 0 } else { self.node(node).unwrap_or(0) })
    }
}

/// Reason why an agent's place cannot be taken over, with the byte at which it stands.
#[derive(Debug)]
pub(super) enum Misplaced {
    /// It begins its tree anew.
    Why(ResetReason, usize),
    /// The bytes are wrong.
    Wrong(StateError),
}

impl From<StateError> for Misplaced {
    fn from(error: StateError) -> Self {
        Self::Wrong(error)
    }
}

/// Returns the nodes in a position or set, and the byte at which they stand.
pub(super) fn held<'a>(
    columns: &SavedColumns<'a>,
    column: Column,
    lane: u8,
) -> Result<(List<'a, u16>, usize), StateError> {
    if column.kind == Kind::Node {
        let at = column.first as usize + usize::from(lane);
        let node = columns.halves.part(at..at + 1);
        return Ok((node, node.at));
    }
    let set = columns.set(column, lane);
    let count = usize::from(set.get(0));
    StateFault::Set.unless(count < set.len(), set.at)?;
    Ok((set.part(1..count + 1), set.at))
}

/// Returns the number of the program's node for each node of the state, or 0.
fn nodes(layout: &SavedLayout<'_>, parts: &Parts) -> Vec<u16> {
    let last = layout.nodes.iter().max().unwrap_or(0);
    let mut nodes = vec![0; usize::from(last) + 1];
    let own = |index: usize| parts.keys[index];
    for (own, index) in pairs(parts.keys.len(), own, layout.keys.len(), |index| layout.keys.get(index)) {
        nodes[usize::from(layout.nodes.get(index))] = own as u16 + 1;
    }
    nodes
}

fn entries(layout: &SavedLayout<'_>, parts: &Parts) -> Vec<Option<u32>> {
    let own = numbers(parts.entries.iter().map(|entry| &*entry.name));
    layout.entries.iter().map(|name| own.get(layout.text(name)).map(|entry| *entry as u32)).collect()
}

/// The index of each name, the first where several are the same.
fn numbers<'a>(
    names: impl DoubleEndedIterator<Item = &'a str> + ExactSizeIterator,
) -> HashMap<&'a str, usize> {
    names.enumerate().rev().map(|(index, name)| (name, index)).collect()
}

/// The indices of equal keys, in pairs: the first with the first, the second with the second.
fn pairs<K: Ord>(
    left: usize,
    left_key: impl Fn(usize) -> K,
    right: usize,
    right_key: impl Fn(usize) -> K,
) -> Vec<(usize, usize)> {
    let (mut lefts, mut rights): (Vec<_>, Vec<_>) = ((0..left).collect(), (0..right).collect());
    lefts.sort_by_key(|index| left_key(*index));
    rights.sort_by_key(|index| right_key(*index));
    let (mut lefts, mut rights) = (lefts.into_iter().peekable(), rights.into_iter().peekable());
    let mut pairs = Vec::new();
    while let (Some(&left), Some(&right)) = (lefts.peek(), rights.peek()) {
        let order = left_key(left).cmp(&right_key(right));
        if order.is_eq() {
            pairs.push((left, right));
        }
        if order.is_le() {
            lefts.next();
        }
        if order.is_ge() {
            rights.next();
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::pairs;

    #[test]
    fn equal_keys_are_paired_in_order() {
        let (left, right) = ([7, 3, 7, 9], [9, 7, 1, 7, 7]);
        let mut found = pairs(4, |at| left[at], 5, |at| right[at]);
        found.sort_unstable();
        assert_eq!(found, [(0, 1), (2, 3), (3, 0)]);
    }
}
