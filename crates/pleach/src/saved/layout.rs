//! Description of the program in a saved state: its trees, slots, nodes, shared variables and
//! events.
//!
//! Another build of the trees is compared with this description. A program's own [`Description`] is
//! made when it is first needed, so programs whose crowds are never saved pay nothing for it.

use super::error::{StateError, StateFault};
use super::format::{
    Header, List, MAGIC, MemberKey, Name, Named, SharedKey, SlotKey, StateKind, StateReader, TextRow,
    TypedKey, VERSION, WITH_ENUMS, WITH_TEXTS, put,
};
use crate::code::{Parallel, Step};
use crate::layout::{Column, Sizes, Slot, ValueNames};
use crate::store::world::Declared;
use crate::values::{Kind, MAX_TEXT, TextTable};
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use bytemuck::Zeroable;
use core::mem::offset_of;
use hashbrown::HashMap;
use pleach_image::format::{branch, slot_kind};
use pleach_image::key;
use pleach_image::verify::{MAX_DATA, MAX_SET};

/// A program as its states describe it.
#[derive(Debug)]
pub(crate) struct Description {
    entries: Vec<Name>,
    slots: Vec<SlotKey>,
    shared: Vec<SharedKey>,
    events: Vec<Name>,
    members: Vec<MemberKey>,
    typed: Vec<TypedKey>,
    /// Version of the program's states.
    version: u32,
    /// All nodes, by number.
    nodes: Vec<u16>,
    names: Vec<u8>,
    /// A hash of all that and of the nodes' keys.
    pub(crate) identity: u64,
    pub(crate) standing: Standing,
}

/// Returns the variables that have enums. Shared variables are counted from `behind` on.
fn typed(enums: &ValueNames, behind: u32) -> Vec<TypedKey> {
    let own = enums.slots.iter().map(|(slot, of)| TypedKey { variable: *slot, of: *of });
    let shared = enums.shared.iter().map(|(it, of)| TypedKey { variable: behind + it, of: *of });
    own.chain(shared).collect()
}

/// Returns the number of values that the column of a variable has room for, if it has several.
fn capacity(slot: &Slot) -> u32 {
    match slot.column.kind {
        Kind::Set => u32::from(slot.column.stride) - 1,
        Kind::Data => slot.column.stride.into(),
        _ => 0,
    }
}

/// Returns the version of the states of a program.
fn version(has_texts: bool, has_enums: bool) -> u32 {
    match (has_texts, has_enums) {
        (true, _) => WITH_TEXTS,
        (false, true) => WITH_ENUMS,
        (false, false) => VERSION,
    }
}

impl Description {
    /// Describes a program by its tables. `keys` are those of its nodes. If the program has texts,
    /// states have those that the host interned.
    pub(crate) fn of<'a>(
        entries: impl Iterator<Item = &'a str>,
        (slots, shared, enums): (&[Slot], &[Declared], &ValueNames),
        events: impl Iterator<Item = &'a str>,
        (keys, has_texts): (&[u64], bool),
        standing: Standing,
    ) -> Self {
        let mut names = Vec::new();
        let mut name = |text: &str| {
            names.extend_from_slice(text.as_bytes());
            Name { start: (names.len() - text.len()) as u32, len: text.len() as u32 }
        };
        let entries = entries.map(&mut name).collect();
        let slots = slots.iter().map(|slot| SlotKey {
            key: slot.key,
            name: name(&slot.name),
            kind: slot.column.kind.number(),
            capacity: capacity(slot),
        });
        let slots: Vec<_> = slots.collect();
        let shared = shared.iter().map(|shared| SharedKey {
            name: name(&shared.name),
            kind: shared.kind.number(),
            grouped: shared.grouped.into(),
        });
        let shared: Vec<_> = shared.collect();
        let events = events.map(&mut name).collect();
        let member = |(of, (text, number)): (u32, &(Box<str>, i32))| MemberKey {
            name: name(text),
            number: *number,
            of,
        };
        let members =
            (0..).zip(&enums.enums).flat_map(|(of, members)| members.iter().map(move |it| (of, it)));
        let members = members.map(member).collect();
        let typed = typed(enums, slots.len() as u32);
        let nodes = (1..=keys.len() as u16).collect();
        let mut it = Self {
            entries,
            slots,
            shared,
            events,
            members,
            version: version(has_texts, !typed.is_empty()),
            typed,
            nodes,
            names,
            identity: 0,
            standing,
        };
        it.identity = it.hash(keys);
        it
    }

    fn hash(&self, keys: &[u64]) -> u64 {
        let tables = [
            key::name(bytemuck::cast_slice(&self.entries)),
            key::name(bytemuck::cast_slice(&self.slots)),
            key::name(bytemuck::cast_slice(&self.shared)),
            key::name(bytemuck::cast_slice(&self.events)),
            key::name(&self.names),
        ];
        let enums =
            [key::name(bytemuck::cast_slice(&self.members)), key::name(bytemuck::cast_slice(&self.typed))];
        let enums = if self.typed.is_empty() { &[][..] } else { &enums };
        tables
            .iter()
            .chain(enums)
            .chain(keys)
            .fold(VERSION.into(), |hash, part| key::child(hash, *part, 0, 0))
    }

    /// Begins the state of a crowd. Its length is put down by [`seal`].
    pub(crate) fn put_all(&self, keys: &[u64], texts: &TextTable, out: &mut Vec<u8>) {
        let nodes = |out: &mut Vec<u8>| {
            put(out, keys);
            put(out, &self.nodes);
        };
        self.put(None, keys.len(), nodes, (texts, 0..texts.len() as u32), out);
    }

    /// Begins the state of an agent of an entry, which is at these nodes and holds these texts, by
    /// number, in order.
    pub(crate) fn put_one(
        &self,
        keys: &[u64],
        entry: u32,
        nodes: impl Iterator<Item = u16> + Clone,
        texts: (&TextTable, &[u32]),
        out: &mut Vec<u8>,
    ) {
        let count = nodes.clone().count();
        let nodes = |out: &mut Vec<u8>| {
            nodes.clone().for_each(|node| put(out, &[keys[usize::from(node) - 1]]));
            nodes.for_each(|node| put(out, &[node]));
        };
        let texts = (texts.0, texts.1.iter().copied());
        self.put(Some(entry as usize), count, nodes, texts, out);
    }

    /// Appends header and tables: of all, or as far as the agents of one entry need them. `nodes`
    /// appends keys and numbers of the nodes, of which there are `count`.
    fn put(
        &self,
        entry: Option<usize>,
        count: usize,
        nodes: impl FnOnce(&mut Vec<u8>),
        (texts, numbers): (&TextTable, impl Iterator<Item = u32> + Clone),
        out: &mut Vec<u8>,
    ) {
        let fits = |number: &u32| (*number as usize) < texts.len() && texts.get(*number).len() <= MAX_TEXT;
        let held = numbers.filter(|number| self.version == WITH_TEXTS && fits(number));
        let held = held.map(|number| (number, texts.get(number)));
        // Variables of agents come before shared variables.
        let own = self.typed.partition_point(|row| (row.variable as usize) < self.slots.len());
        let (what, entries, shared, events, typed) = match entry {
            None => {
                (StateKind::Crowd, &self.entries[..], &self.shared[..], &self.events[..], &self.typed[..])
            }
            Some(entry) => {
                (StateKind::Agent, &self.entries[entry..=entry], &[][..], &[][..], &self.typed[..own])
            }
        };
        let header = Header {
            magic: MAGIC,
            version: self.version,
            what: what as u32,
            program: self.identity,
            length: 0,
            entries: entries.len() as u32,
            slots: self.slots.len() as u32,
            shared: shared.len() as u32,
            events: events.len() as u32,
            nodes: count as u32,
            names: (self.names.len() + held.clone().map(|(_, text)| text.len()).sum::<usize>()) as u32,
        };
        put(out, &[header]);
        if self.version >= WITH_ENUMS {
            put(out, &[Named { members: self.members.len() as u32, typed: typed.len() as u32 }]);
        }
        if self.version == WITH_TEXTS {
            put(out, &[held.clone().count() as u32]);
        }
        put(out, entries);
        put(out, &self.slots);
        put(out, shared);
        put(out, events);
        nodes(out);
        if self.version >= WITH_ENUMS {
            put(out, &self.members);
            put(out, typed);
        }
        let mut start = self.names.len() as u32;
        for (number, text) in held.clone() {
            let len = text.len() as u32;
            put(out, &[TextRow { text: Name { start, len }, number }]);
            start += len;
        }
        put(out, &self.names);
        held.for_each(|(_, text)| put(out, text));
    }
}

/// Writes the length of all bytes into the header.
pub(crate) fn seal(out: &mut [u8]) {
    let length = out.len() as u64;
    let at = offset_of!(Header, length);
    out[at..at + size_of::<u64>()].copy_from_slice(&length.to_le_bytes());
}

/// Positions and sets in which nodes can stand.
#[derive(Debug)]
pub(crate) struct Standing {
    /// By node, the first element of the column in which it stands first, or [`NOWHERE`].
    home: Box<[u32]>,
    /// Others in which it stands, as pairs of node and column, in order.
    more: Vec<(u16, u32)>,
    /// Columns of branches' positions, in order.
    branches: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Standing {
    /// Finds the positions and sets of nodes, from the steps and the parallels of a program.
    /// `nodes` is the number of nodes.
    pub(crate) fn of(nodes: usize, steps: &[Step], parallels: &[Parallel]) -> Self {
        let mut it = Self {
            home: vec![NOWHERE; nodes + 1].into(),
            more: Vec::new(),
            branches: parallels.iter().flat_map(|it| it.branches.iter().copied()).collect(),
        };
        for step in steps {
            if let Some((column, node)) = step.entered() {
                it.add(node, column);
            }
        }
        it.more.sort_unstable();
        it.more.dedup();
        it.branches.sort_unstable();
        it
    }

    fn add(&mut self, node: u16, column: u32) {
        let home = &mut self.home[usize::from(node)];
        if *home == NOWHERE {
            *home = column;
        } else if *home != column {
            self.more.push((node, column));
        }
    }

    /// Returns true if a node that is not 0, or a mark instead of a node, can be in the position or
    /// set that begins with this element.
    #[inline]
    pub(crate) fn holds(&self, node: u16, column: u32) -> bool {
        match self.home.get(usize::from(node)) {
            Some(home) if *home == column => true,
            Some(_) => self.more.binary_search(&(node, column)).is_ok(),
            None => node >= branch::FAILED && self.branches.binary_search(&column).is_ok(),
        }
    }

    /// The greatest number of a node.
    pub(crate) fn last(&self) -> u16 {
        (self.home.len() - 1) as u16
    }
}

/// Description of the program that a state was made with. Rows are in range and of known types.
#[derive(Clone, Debug)]
pub(crate) struct SavedLayout<'a> {
    pub(crate) identity: u64,
    pub(crate) entries: List<'a, Name>,
    pub(crate) slots: List<'a, SlotKey>,
    pub(crate) shared: List<'a, SharedKey>,
    pub(crate) events: List<'a, Name>,
    /// The keys of nodes, and their numbers.
    pub(crate) keys: List<'a, u64>,
    pub(crate) nodes: List<'a, u16>,
    members: List<'a, MemberKey>,
    typed: List<'a, TypedKey>,
    texts: List<'a, TextRow>,
    names: List<'a, u8>,
}

impl<'a> SavedLayout<'a> {
    /// Reads the beginning of a state.
    pub(crate) fn read(
        reader: &mut StateReader<'a>,
        bytes: usize,
        what: StateKind,
    ) -> Result<Self, StateError> {
        let header: Header = reader.row()?;
        let is_known = (VERSION..=WITH_TEXTS).contains(&header.version);
        StateFault::Magic.unless(header.magic == MAGIC, 0)?;
        StateFault::Version.unless(is_known, offset_of!(Header, version))?;
        StateFault::What.unless(header.what == what as u32, offset_of!(Header, what))?;
        StateFault::Length.unless(header.length == bytes as u64, offset_of!(Header, length))?;
        let enums = if header.version >= WITH_ENUMS { reader.row()? } else { Named::zeroed() };
        let texts: u32 = if header.version == WITH_TEXTS { reader.row()? } else { 0 };
        let layout = Self {
            identity: header.program,
            entries: reader.list(header.entries as usize)?,
            slots: reader.list(header.slots as usize)?,
            shared: reader.list(header.shared as usize)?,
            events: reader.list(header.events as usize)?,
            keys: reader.list(header.nodes as usize)?,
            nodes: reader.list(header.nodes as usize)?,
            members: reader.list(enums.members as usize)?,
            typed: reader.list(enums.typed as usize)?,
            texts: reader.list(texts as usize)?,
            names: reader.list(header.names as usize)?,
        };
        layout.check()?;
        Ok(layout)
    }

    fn check(&self) -> Result<(), StateError> {
        let mut names = Names { bytes: self.names.bytes, end: 0 };
        for (index, name) in self.entries.iter().enumerate() {
            names.next(name, self.entries.place(index))?;
        }
        for (index, slot) in self.slots.iter().enumerate() {
            names.next(slot.name, self.slots.place(index))?;
            let most = match slot.kind {
                slot_kind::NODE_SET => 1..=MAX_SET,
                slot_kind::DATA => 1..=MAX_DATA,
                _ => 0..=0,
            };
            let is_known = Kind::known(slot.kind).is_some() && most.contains(&slot.capacity);
            StateFault::Slot.unless(is_known, self.slots.place(index))?;
        }
        for (index, shared) in self.shared.iter().enumerate() {
            names.next(shared.name, self.shared.place(index))?;
            let is_known = Kind::known(shared.kind).is_some_and(Kind::is_variable);
            StateFault::Shared.unless(is_known && shared.grouped <= 1, self.shared.place(index))?;
        }
        for (index, name) in self.events.iter().enumerate() {
            names.next(name, self.events.place(index))?;
        }
        self.check_enums(&mut names)?;
        self.check_texts(&names)?;
        self.nodes.check(StateFault::Node, |node| node != 0 && node < branch::FAILED)
    }

    /// Enums follow one another, and so do the variables that have one.
    fn check_enums(&self, names: &mut Names<'_>) -> Result<(), StateError> {
        let mut enums = 0;
        for (index, member) in self.members.iter().enumerate() {
            let at = self.members.place(index);
            names.next(member.name, at)?;
            let is_next = member.of == enums || member.of == enums + 1 && index > 0;
            StateFault::Member.unless(is_next, at)?;
            enums = member.of;
        }
        let variables = self.slots.len() + self.shared.len();
        let mut next = 0;
        for (index, row) in self.typed.iter().enumerate() {
            let is_there = row.variable as usize >= next && (row.variable as usize) < variables;
            StateFault::Member.unless(is_there && row.of <= enums, self.typed.place(index))?;
            next = row.variable as usize + 1;
        }
        Ok(())
    }

    /// Texts follow all names, and one another, by their numbers.
    fn check_texts(&self, names: &Names<'_>) -> Result<(), StateError> {
        let (mut end, mut next) = (names.end, 0);
        for (index, TextRow { text, number }) in self.texts.iter().enumerate() {
            let is_next = text.start as usize >= end && text.len as usize <= MAX_TEXT && number >= next;
            let is_there = is_next && text.slice(names.bytes).is_some() && number < u32::MAX;
            StateFault::Text.unless(is_there, self.texts.place(index))?;
            (end, next) = (text.start as usize + text.len as usize, number + 1);
        }
        Ok(())
    }

    /// Returns the texts that variables may hold, with their numbers.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (u32, &'a [u8])> + '_ {
        self.texts.iter().map(|row| (row.number, row.text.slice(self.names.bytes).unwrap_or_default()))
    }

    /// Returns the members of all enums: the enum, the name and the number of each.
    pub(crate) fn members(&self) -> impl Iterator<Item = (u32, &'a str, i32)> + '_ {
        self.members.iter().map(|member| (member.of, self.text(member.name), member.number))
    }

    /// Returns the enums of slots and, behind these, of shared variables.
    pub(crate) fn typed(&self) -> HashMap<usize, u32> {
        self.typed.iter().map(|row| (row.variable as usize, row.of)).collect()
    }

    /// Returns the error for a tree that the program does not have.
    pub(crate) fn no_entry(&self, entry: usize) -> StateError {
        let name = self.text(self.entries.get(entry));
        StateError::about(StateFault::NoEntry, self.entries.place(entry), name)
    }

    /// A name of one of the rows.
    pub(crate) fn text(&self, name: Name) -> &'a str {
        // They have been checked.
        name.of(self.names.bytes).unwrap_or_default()
    }

    /// Returns the columns of the slots, each with this number of lanes. With
    /// one lane, a boolean is a byte.
    pub(crate) fn columns(&self, lanes: usize) -> Result<(Vec<Column>, Sizes), StateError> {
        let mut sizes = Sizes::default();
        let mut columns = Vec::with_capacity(self.slots.len());
        for (index, slot) in self.slots.iter().enumerate() {
            columns.push(sizes.column(narrowed(Kind::of(slot.kind), lanes), slot.capacity, lanes));
            // Where an element is must be a number of 32 bits.
            StateFault::Slot.unless(u32::try_from(sizes.total()).is_ok(), self.slots.place(index))?;
        }
        Ok((columns, sizes))
    }
}

impl Name {
    fn slice(self, bytes: &[u8]) -> Option<&[u8]> {
        bytes.get(self.start as usize..(self.start as usize).saturating_add(self.len as usize))
    }

    fn of(self, bytes: &[u8]) -> Option<&str> {
        core::str::from_utf8(self.slice(bytes)?).ok()
    }
}

/// Names follow one another, so all of them together are no longer than the bytes.
struct Names<'a> {
    bytes: &'a [u8],
    end: usize,
}

impl Names<'_> {
    fn next(&mut self, name: Name, at: usize) -> Result<(), StateError> {
        let is_next = name.start as usize >= self.end && name.of(self.bytes).is_some();
        StateFault::Name.unless(is_next, at)?;
        self.end = name.start as usize + name.len as usize;
        Ok(())
    }
}

/// Returns the type of a column with this number of lanes.
pub(crate) fn narrowed(kind: Kind, lanes: usize) -> Kind {
    if lanes == 1 && kind == Kind::Bit { Kind::U8 } else { kind }
}
