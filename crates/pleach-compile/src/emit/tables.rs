//! The rows around the code.

use super::blocks::Plan;
use super::strings::Strings;
use super::{Memory, forests, keys};
use crate::ast::{Role, Value};
use crate::ir::{
    Changes, Cursor, Event, Gate, Id, ImportKind, Limiter, Module, Shared, Slot, SlotKind, Typed,
};
use crate::layout::FrameLayout;
use core::mem::take;
use hashbrown::HashMap;
use pleach_image::float::bits32;
use pleach_image::format::{
    ChangesRow, CursorRow, DataRow, EntryRow, EnumRow, EventRow, GateRow, IdRow, ImportRow, LimiterRow,
    MemberRow, Meta, Parts, SharedRow, SiteRow, SlotRow, StrRef, TypedRow, ValueRow, import_kind, slot_kind,
    typed, value_tag,
};
use pleach_image::key;

/// Adds everything but code, conditions and debug information. Depths are left zero.
pub(super) fn add(module: &Module, frame: &FrameLayout, dialect: &str, plan: &Plan, memory: &mut Memory) {
    let Memory { parts, keys, strings, .. } = memory;
    let mut bytes = take(&mut parts.strings);
    let mut strings = Strings::within(&mut bytes, strings);
    keys::add(module, keys, &mut parts.keys);
    let (keys, earlier) = (&parts.keys, &mut keys.slots);
    earlier.clear();
    let meta = Meta {
        nodes: module.nodes.len() as u32,
        flags: u32::from(plan.flags.count),
        dialect: strings.add(dialect.as_bytes()),
        ..Meta::default()
    };
    parts.meta.push(meta);
    parts.entries.extend(entries(module, plan, &mut strings));
    parts.imports.extend(imports(module, &mut strings));
    parts.sites.extend(module.sites.iter().map(site));
    parts.values.extend(module.args.iter().map(|value| self::value(module, frame, *value, &mut strings)));
    parts.slots.extend(slots(module, frame, keys, earlier, &mut strings));
    parts.shared.extend(shared(module, &mut strings));
    parts.events.extend(events(module, plan, &mut strings));
    parts.limiters.extend(module.limiters.iter().map(|it| limiter(module, frame, plan, it)));
    forests::add(module, &mut strings, parts);
    parts.cursors.extend(cursor(module, frame));
    parts.ids.extend(ids(module, &mut strings));
    parts.gates.extend(module.gates.iter().map(|gate| self::gate(frame, gate)));
    parts.texts.extend(plan.texts.list.iter().map(|text| strings.sym(module, *text)));
    let data = |(node, slot): &(u32, u16)| DataRow { node: *node as u16 + 1, slot: frame.at(*slot) };
    parts.data.extend(module.data.iter().map(data));
    let changes = |it: Changes| ChangesRow { live: frame.at(it.live), before: frame.at(it.before) };
    enums(module, frame, &mut strings, parts);
    parts.changes.extend(module.changes.map(changes));
    parts.strings = bytes;
}

/// Adds the enums, and what has their types in the order of the rows.
fn enums(module: &Module, frame: &FrameLayout, strings: &mut Strings, parts: &mut Parts) {
    for (of, it) in (0..).zip(&module.enums.list) {
        parts.enums.push(EnumRow { name: strings.name(module, it.name) });
        let members = &module.enums.members[it.members.0 as usize..it.members.1 as usize];
        parts.members.extend(members.iter().map(|(name, number)| MemberRow {
            name: strings.name(module, *name),
            of,
            number: *number as u32,
        }));
    }
    parts.members.sort_unstable_by_key(|row| (row.of, row.number as i32));
    let row = |(subject, of): &(Typed, u32)| {
        let (kind, index, place) = match *subject {
            Typed::Slot(slot) => (typed::SLOT, frame.place[usize::from(slot)].into(), 0),
            Typed::Shared(shared) => (typed::SHARED, shared.into(), 0),
            Typed::Parameter(import, place) => (typed::PARAMETER, import, place),
            Typed::Answer(import) => (typed::ANSWER, import, 0),
        };
        TypedRow { kind, index, place, of: *of }
    };
    parts.typed.extend(module.enums.typed.iter().map(row));
    parts.typed.sort_unstable_by_key(|row| (row.kind, row.index, row.place));
}

fn entries(module: &Module, plan: &Plan, strings: &mut Strings) -> impl Iterator<Item = EntryRow> {
    let row = move |block: &u32| {
        let source = module.blocks[*block as usize];
        let name = match source.role {
            Role::Main | Role::Handler => strings.name(module, source.name),
            Role::Class => strings.add(format!("{}#class", module.names.text(source.name)).as_bytes()),
        };
        EntryRow { name, block: plan.unit_of_block[*block as usize], reserved: 0 }
    };
    module.entries.iter().map(row)
}

fn imports(module: &Module, strings: &mut Strings) -> impl Iterator<Item = ImportRow> {
    let row = move |import: &crate::ir::Import| ImportRow {
        name: strings.function(module, import.name),
        kind: number(import),
        min_args: import.arity.0,
        max_args: import.arity.1,
    };
    module.imports.iter().map(row)
}

fn number(import: &crate::ir::Import) -> u32 {
    let kind = match import.kind {
        ImportKind::Action => import_kind::ACTION,
        ImportKind::Query => import_kind::QUERY,
    };
    if import.optional { kind | import_kind::OPTIONAL } else { kind }
}

fn site(site: &crate::ir::Site) -> SiteRow {
    SiteRow { import: site.import as u16, count: site.args.1 as u16, first: site.args.0 }
}

fn value(module: &Module, frame: &FrameLayout, value: Value, strings: &mut Strings) -> ValueRow {
    let (tag, bits) = match value {
        Value::Int(int) => (value_tag::INT, int as u32),
        Value::Float(float) => (value_tag::FLOAT, bits32(float)),
        Value::Int64(wide) => return self::wide(value_tag::INT64, wide.bits()),
        Value::Double(wide) => return self::wide(value_tag::DOUBLE, wide.bits()),
        Value::Nobody => (value_tag::ENTITY, 0),
        Value::Out(slot, given) => {
            let place = |slot: u32| frame.place.get(slot as usize).map_or(0, |place| u32::from(*place) + 1);
            return ValueRow { tag: value_tag::OUT, bits: place(slot) - 1, len: place(given) };
        }
        Value::Variable(slot) => (value_tag::SLOT, frame.place[slot as usize].into()),
        Value::Text(text) => {
            let text = strings.sym(module, text);
            return ValueRow { tag: value_tag::TEXT, bits: text.start, len: text.len };
        }
        // No dialect hands expressions to the host.
        Value::Expression(_) => (value_tag::INT, 0),
    };
    ValueRow { tag, bits, len: 0 }
}

fn wide(tag: u32, bits: u64) -> ValueRow {
    ValueRow { tag, bits: bits as u32, len: (bits >> 32) as u32 }
}

fn slots(
    module: &Module,
    frame: &FrameLayout,
    keys: &[u64],
    earlier: &mut HashMap<(u32, u32), u32>,
    strings: &mut Strings,
) -> impl Iterator<Item = SlotRow> {
    let row = |index: &u16| {
        let slot = &module.slots[usize::from(*index)];
        let (kind, capacity) = kind(slot.kind);
        SlotRow {
            kind,
            capacity: if slot_kind::is_wide(kind) { (slot.init >> 32) as u32 } else { capacity },
            name: slot.name.map_or(StrRef::default(), |name| strings.name(module, name)),
            key: slot_key(module, slot, keys, earlier),
            reset: u32::from(slot.reset),
            init: slot.init as u32,
        }
    };
    frame.order.iter().map(row)
}

fn shared(module: &Module, strings: &mut Strings) -> impl Iterator<Item = SharedRow> {
    let row = move |shared: &Shared| SharedRow {
        name: strings.name(module, shared.name),
        kind: kind(shared.kind).0,
        scope: shared.scope as u32,
        init: shared.init as u32,
        high: (shared.init >> 32) as u32,
    };
    module.shared.iter().map(row)
}

fn events(module: &Module, plan: &Plan, strings: &mut Strings) -> impl Iterator<Item = EventRow> {
    let row = move |event: &Event| EventRow {
        name: strings.name(module, event.name),
        block: plan.unit_of_block[event.handler as usize],
        reserved: 0,
    };
    module.events.iter().map(row)
}

fn limiter(module: &Module, frame: &FrameLayout, plan: &Plan, limiter: &Limiter) -> LimiterRow {
    LimiterRow {
        places: limiter.places,
        column: plan.column(frame, limiter.node).into(),
        low: limiter.node as u16 + 1,
        high: module.nodes[limiter.node as usize].end as u16,
        wants: frame.at(limiter.wants),
        granted: frame.at(limiter.granted),
        reserved: 0,
    }
}

fn gate(frame: &FrameLayout, gate: &Gate) -> GateRow {
    let Gate { places, scope, inside } = *gate;
    GateRow { places, scope: scope as u32, inside: frame.at(inside), reserved: 0 }
}

fn cursor(module: &Module, frame: &FrameLayout) -> Option<CursorRow> {
    let Cursor { ran, limit } = module.cursor?;
    Some(CursorRow { position: frame.at(module.current?), ran: frame.at(ran), limit, reserved: 0 })
}

/// Each tree has a row of its own before those of its rules.
fn ids(module: &Module, strings: &mut Strings) -> Vec<IdRow> {
    let mut rows = Vec::with_capacity(module.ids.len());
    let mut ids = module.ids.iter().peekable();
    for block in module.blocks.iter().filter(|_| module.cursor.is_some()) {
        let (tree, end) = (block.root as u16 + 1, module.nodes[block.root as usize].end);
        rows.push(IdRow { name: strings.name(module, block.name), node: tree, tree, listed: 0 });
        while let Some(Id { node, name, listed }) = ids.next_if(|id| id.node < end) {
            let name = strings.name(module, *name);
            rows.push(IdRow { name, node: *node as u16 + 1, tree, listed: (*listed).into() });
        }
    }
    rows
}

fn kind(kind: SlotKind) -> (u32, u32) {
    match kind {
        SlotKind::I8 => (slot_kind::I8, 0),
        SlotKind::U8 => (slot_kind::U8, 0),
        SlotKind::I16 => (slot_kind::I16, 0),
        SlotKind::U16 => (slot_kind::U16, 0),
        SlotKind::I32 => (slot_kind::I32, 0),
        SlotKind::F32 => (slot_kind::F32, 0),
        SlotKind::I64 => (slot_kind::I64, 0),
        SlotKind::F64 => (slot_kind::F64, 0),
        SlotKind::Entity => (slot_kind::ENTITY, 0),
        SlotKind::Bit => (slot_kind::BIT, 0),
        SlotKind::Node => (slot_kind::NODE, 0),
        SlotKind::Time => (slot_kind::TIME, 0),
        SlotKind::Moment => (slot_kind::MOMENT, 0),
        SlotKind::Data(bytes) => (slot_kind::DATA, u32::from(bytes)),
        SlotKind::NodeSet(capacity) => (slot_kind::NODE_SET, u32::from(capacity)),
    }
}

/// A slot is known by its node and its name, or how many of its kind come before it; without a node
/// by its name, or (the machine's own) by its kind and how many of that come before it. The number
/// of a copy, behind a `#`, is left out of the name of a node's variable.
fn slot_key(module: &Module, slot: &Slot, keys: &[u64], earlier: &mut HashMap<(u32, u32), u32>) -> u64 {
    let kind = kind(slot.kind).0;
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
