//! The rows around the code.

use super::{
    Changes, FrameLayout, HashMap, KindRow, Memory, Module, Parts, Plan, Role, Slot, StrRef, Strings,
    forests, key, keys, take,
};
use crate::ast::Value;
use crate::ir::{Cursor, Gate, Id, Import, Limiter, Site, Tunable, Typed};
use pleach_image::float::bits32;
use pleach_image::format::{
    ChangesRow, CursorRow, DataRow, EntryRow, EnumRow, EventRow, GateRow, IdRow, ImportRow, LimiterRow,
    MemberRow, Meta, SharedRow, SiteRow, SlotRow, StatusesRow, TunableRow, TypedRow, ValueRow, import_kind,
    slot_kind, typed, value_tag,
};

/// Adds everything but code, conditions and debug information. Depths are left zero.
pub(super) fn add(module: &Module, frame: &FrameLayout, dialect: &str, plan: &Plan, memory: &mut Memory) {
    let Memory { parts, keys, strings, .. } = memory;
    let mut bytes = take(&mut parts.strings);
    keys::add(module, keys, &mut parts.keys);
    let (keys, earlier) = (&parts.keys, &mut keys.slots);
    earlier.clear();
    let mut rows = Rows { module, frame, plan, strings: Strings::within(module, &mut bytes, strings) };
    parts.meta.push(Meta {
        nodes: module.nodes.len() as u32,
        flags: u32::from(plan.flags.count),
        dialect: rows.strings.add(dialect.as_bytes()),
        ..Meta::default()
    });
    parts.entries.extend(module.entries.iter().map(|block| rows.entry(*block)));
    parts.imports.extend(module.imports.iter().map(|import| rows.import(import)));
    parts.sites.extend(module.sites.iter().map(site));
    parts.values.extend(module.args.iter().map(|value| rows.value(*value)));
    let slots = frame.order.iter().map(|slot| &module.slots[usize::from(*slot)]);
    parts.slots.extend(slots.map(|slot| rows.slot(slot, slot_key(module, slot, keys, earlier))));
    parts.shared.extend(module.shared.iter().map(|it| SharedRow {
        name: rows.strings.name(it.name),
        kind: KindRow::of(it.kind).number,
        scope: it.scope as u32,
        init: it.init as u32,
        high: (it.init >> 32) as u32,
    }));
    parts.events.extend(module.events.iter().map(|event| EventRow {
        name: rows.strings.name(event.name),
        block: plan.unit_of_block[event.handler as usize],
        reserved: 0,
    }));
    parts.limiters.extend(module.limiters.iter().map(|limiter| rows.limiter(limiter)));
    forests::add(module, &mut rows.strings, parts);
    parts.cursors.extend(rows.cursor());
    rows.ids(&mut parts.ids);
    parts.gates.extend(module.gates.iter().map(|gate| rows.gate(gate)));
    parts.texts.extend(plan.texts.list.iter().map(|text| rows.strings.sym(*text)));
    let data = |(node, slot): &(u32, u16)| DataRow { node: *node as u16 + 1, slot: frame.at(*slot) };
    parts.data.extend(module.data.iter().map(data));
    let changes = |it: Changes| ChangesRow { live: frame.at(it.live), before: frame.at(it.before) };
    rows.enums(parts);
    rows.tunables(&mut parts.tunables);
    parts.changes.extend(module.changes.map(changes));
    let statuses = |(node, slot): (u32, u16)| StatusesRow { node: node as u16 + 1, slot: frame.at(slot) };
    parts.statuses.extend(module.statuses.map(statuses));
    parts.strings = bytes;
}

/// Data that rows are made of.
struct Rows<'m> {
    module: &'m Module,
    frame: &'m FrameLayout<'m>,
    plan: &'m Plan<'m>,
    strings: Strings<'m>,
}

impl Rows<'_> {
    fn entry(&mut self, block: u32) -> EntryRow {
        let source = self.module.blocks[block as usize];
        let name = match source.role {
            Role::Main | Role::Handler => self.strings.name(source.name),
            Role::Class => {
                self.strings.add(format!("{}#class", self.module.names.text(source.name)).as_bytes())
            }
        };
        EntryRow { name, block: self.plan.unit_of_block[block as usize], reserved: 0 }
    }

    fn import(&mut self, import: &Import) -> ImportRow {
        let optional = if import.optional { import_kind::OPTIONAL } else { 0 };
        let (name, (min_args, max_args)) = (self.strings.function(import.name), import.arity);
        ImportRow { name, kind: import.kind as u32 | optional, min_args, max_args }
    }

    fn value(&mut self, value: Value) -> ValueRow {
        let (tag, bits) = match value {
            Value::Int(int) => (value_tag::INT, int as u32),
            Value::Float(float) => (value_tag::FLOAT, bits32(float)),
            Value::Int64(it) => return wide(value_tag::INT64, it.bits()),
            Value::Double(it) => return wide(value_tag::DOUBLE, it.bits()),
            Value::Nobody => (value_tag::ENTITY, 0),
            Value::Out(slot, given) => {
                let places = &self.frame.place;
                let place = |slot: u32| places.get(slot as usize).map_or(0, |place| u32::from(*place) + 1);
                return ValueRow { tag: value_tag::OUT, bits: place(slot) - 1, len: place(given) };
            }
            Value::Variable(slot) => (value_tag::SLOT, self.frame.place[slot as usize].into()),
            Value::Text(text) => {
                let text = self.strings.sym(text);
                return ValueRow { tag: value_tag::TEXT, bits: text.start, len: text.len };
            }
            // No dialect hands expressions to the host.
            Value::Expression(_) => (value_tag::INT, 0),
        };
        ValueRow { tag, bits, len: 0 }
    }

    fn slot(&mut self, slot: &Slot, key: u64) -> SlotRow {
        let KindRow { number: kind, capacity, .. } = KindRow::of(slot.kind);
        let capacity = if slot_kind::is_wide(kind) { (slot.init >> 32) as u32 } else { capacity };
        let name = slot.name.map_or(StrRef::default(), |name| self.strings.name(name));
        SlotRow { kind, capacity, name, key, reset: slot.reset.into(), init: slot.init as u32 }
    }

    fn limiter(&self, limiter: &Limiter) -> LimiterRow {
        LimiterRow {
            places: limiter.places,
            column: self.plan.column(self.frame, limiter.node).into(),
            low: limiter.node as u16 + 1,
            high: self.module.nodes[limiter.node as usize].end as u16,
            wants: self.frame.at(limiter.wants),
            granted: self.frame.at(limiter.granted),
            reserved: 0,
        }
    }

    fn gate(&self, &Gate { places, scope, inside }: &Gate) -> GateRow {
        GateRow { places, scope: scope as u32, inside: self.frame.at(inside), reserved: 0 }
    }

    fn cursor(&self) -> Option<CursorRow> {
        let Cursor { ran, limit } = self.module.cursor?;
        let [position, ran] = [self.module.current?, ran].map(|slot| self.frame.at(slot));
        Some(CursorRow { position, ran, limit, reserved: 0 })
    }

    /// Adds the names of nodes. Each tree has a row of its own before those of its rules.
    fn ids(&mut self, rows: &mut Vec<IdRow>) {
        let Self { module, strings, .. } = self;
        let mut ids = module.ids.iter().peekable();
        for block in module.blocks.iter().filter(|_| module.cursor.is_some()) {
            let (tree, end) = (block.root as u16 + 1, module.nodes[block.root as usize].end);
            rows.push(IdRow { name: strings.name(block.name), node: tree, tree, listed: 0 });
            while let Some(&Id { node, name, listed, .. }) = ids.next_if(|id| id.node < end) {
                let (name, node) = (strings.name(name), node as u16 + 1);
                rows.push(IdRow { name, node, tree, listed: listed.into() });
            }
        }
    }

    /// Adds the enums, and what has their types in the order of the rows.
    fn enums(&mut self, parts: &mut Parts) {
        let Self { module, strings, .. } = self;
        for (of, it) in (0..).zip(&module.enums.list) {
            parts.enums.push(EnumRow { name: strings.name(it.name) });
            let members = &module.enums.members[it.members.0 as usize..it.members.1 as usize];
            let member =
                |&(name, number): &_| MemberRow { name: strings.name(name), of, number: number as u32 };
            parts.members.extend(members.iter().map(member));
        }
        parts.members.sort_unstable_by_key(|row| (row.of, row.number as i32));
        let row = |&(subject, of): &_| {
            let (kind, index, place) = self.subject(subject);
            TypedRow { kind, index, place, of }
        };
        parts.typed.extend(self.module.enums.typed.iter().map(row));
        parts.typed.sort_unstable_by_key(|row| (row.kind, row.index, row.place));
    }

    /// Returns the kind, the row and the number of a parameter that stand for something in rows.
    fn subject(&self, subject: Typed) -> (u32, u32, u32) {
        match subject {
            Typed::Slot(slot) => (typed::SLOT, self.frame.at(slot).into(), 0),
            Typed::Shared(shared) => (typed::SHARED, shared.into(), 0),
            Typed::Parameter(import, place) => (typed::PARAMETER, import, place),
            Typed::Answer(import) => (typed::ANSWER, import, 0),
        }
    }

    /// Adds the tunables in the order of the rows.
    fn tunables(&self, rows: &mut Vec<TunableRow>) {
        let row = |it: &Tunable| {
            let (kind, index, _) = self.subject(it.variable);
            TunableRow { kind, index, duration: it.is_duration.into(), low: it.range.0, high: it.range.1 }
        };
        rows.extend(self.module.tunables.iter().map(row));
        rows.sort_unstable_by_key(|row| (row.kind, row.index));
    }
}

fn site(site: &Site) -> SiteRow {
    SiteRow { import: site.import as u16, count: site.args.1 as u16, first: site.args.0 }
}

fn wide(tag: u32, bits: u64) -> ValueRow {
    ValueRow { tag, bits: bits as u32, len: (bits >> 32) as u32 }
}

/// A slot is known by its node and its name, or how many of its kind come before it; without a node
/// by its name, or (the machine's own) by its kind and how many of that come before it. The number
/// of a copy, behind a `#`, is left out of the name of a node's variable.
fn slot_key(module: &Module, slot: &Slot, keys: &[u64], earlier: &mut HashMap<(u32, u32), u32>) -> u64 {
    let kind = KindRow::of(slot.kind).number;
    let mut child = |parent: u64, node: u32| {
        let count = earlier.entry((node, kind)).or_default();
        *count += 1;
        key::child(parent, key::name(b"slot"), kind.into(), *count - 1)
    };
    match (slot.node, slot.name) {
        (Some(node), Some(name)) => {
            let name = module.names.bytes(name).split(|byte| *byte == b'#').next().unwrap_or_default();
            key::child(keys[node as usize], key::name(b"variable"), key::name(name), 0)
        }
        (Some(node), None) => child(keys[node as usize], node),
        (None, Some(name)) => key::variable(module.names.bytes(name)),
        // No node has this number.
        (None, None) => child(0, u32::MAX),
    }
}
