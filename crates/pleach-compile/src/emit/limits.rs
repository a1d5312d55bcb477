//! Limits of the format, checked before anything is emitted.
//!
//! A program that the verifier would refuse for its numbers or sizes is refused here, with a place.
//! The page `spec/limits.md` lists all limits. `conditions` and `code` check the limits that depend
//! on the emitted code: conditions, constants, depth and code.

use super::{
    Bump, FrameLayout, Kind, KindRow, Module, NodeIndex, Plan, Refused, Slot, SlotKind, Span, Sym, codes,
    forests,
};
use crate::layout::{self, MAX_NODE_SLOTS};
use pleach_image::verify::{MAX_FRAME_BYTES, MAX_NAME, MAX_NODES, MAX_REGISTERS, MAX_ROWS};

/// Bytes that may be put around a name.
const AROUND_NAMES: usize = "?#class".len();

/// Most slots of an agent. The highest 16-bit number stands for none.
const MAX_SLOTS: usize = u16::MAX as usize;

/// Checks all that can be counted in a module, and lays out the frame.
pub(super) fn check<'a>(module: &Module, arena: &'a Bump) -> Result<FrameLayout<'a>, Refused> {
    let places = Places(module);
    let nodes = |most: usize| module.nodes.get(most).and_then(|node| node.span);
    at_most(module.nodes.len(), MAX_NODES as usize, "nodes", nodes)?;
    let entry = |most: usize| places.node(module.blocks[module.entries[most] as usize].root);
    at_most(module.entries.len(), MAX_ROWS, "trees that can be started", entry)?;
    let shared = |most: usize| places.declared(module.shared[most].name);
    at_most(module.shared.len(), MAX_ROWS, "variables of groups and the world", shared)?;
    names(module, places)?;
    attributes(module, places)?;
    frame(module, places, arena)
}

/// Refuses more of something than the format can tell apart. `place` tells where the first one
/// beyond is.
fn at_most(
    count: usize,
    most: usize,
    what: &str,
    place: impl FnOnce(usize) -> Option<Span>,
) -> Result<(), Refused> {
    if count <= most {
        return Ok(());
    }
    let message = format!("the program has {count} {what}; an image holds at most {most}");
    Err((codes::TOO_LARGE, place(most), message))
}

/// Places in the source of the parts of a module.
#[derive(Clone, Copy)]
struct Places<'m>(&'m Module);

impl Places<'_> {
    fn node(self, node: NodeIndex) -> Option<Span> {
        self.0.nodes.get(node as usize)?.span
    }

    /// Returns the declaration of a variable.
    fn declared(self, name: Sym) -> Option<Span> {
        self.0.declared.iter().find(|(declared, _)| *declared == name).map(|(_, span)| *span)
    }

    fn slot(self, slot: &Slot) -> Option<Span> {
        slot.node.and_then(|node| self.node(node)).or_else(|| self.declared(slot.name?))
    }
}

fn frame<'a>(module: &Module, places: Places<'_>, arena: &'a Bump) -> Result<FrameLayout<'a>, Refused> {
    let slots = &module.slots;
    at_most(slots.len(), MAX_SLOTS, "variables, timers and counters of an agent", |most| {
        places.slot(&slots[most])
    })?;
    let mut positions = slots.iter().filter(|slot| slot.kind == SlotKind::Node);
    if let Some(beyond) = positions.nth(MAX_NODE_SLOTS) {
        let count = MAX_NODE_SLOTS + 1 + positions.count();
        let message = format!(
            "the program has {count} positions; an image holds at most {MAX_NODE_SLOTS}: one for all trees, one for each \
             branch of a parallel and one for each state machine, in all trees together"
        );
        return Err((codes::TOO_LARGE, places.slot(beyond), message));
    }
    let mut bytes = 0;
    let too_wide = slots.iter().find(|slot| {
        bytes += KindRow::of(slot.kind).width;
        bytes > MAX_FRAME_BYTES
    });
    if let Some(slot) = too_wide {
        let message = format!("an agent would take more than {MAX_FRAME_BYTES} bytes");
        return Err((codes::TOO_LARGE, places.slot(slot), message));
    }
    Ok(layout::layout(module, arena))
}

/// Refuses names that are too long, with the bytes that may be put around them. Names of functions
/// are checked by [`site`], since a function has no place but those where it is called.
fn names(module: &Module, places: Places<'_>) -> Result<(), Refused> {
    let check = |name: Sym, place: &dyn Fn() -> Option<Span>| name_fits(module, name, place);
    for block in &module.blocks {
        check(block.name, &|| places.node(block.root))?;
    }
    for slot in &module.slots {
        slot.name.map_or(Ok(()), |name| check(name, &|| places.slot(slot)))?;
    }
    for shared in &module.shared {
        check(shared.name, &|| places.declared(shared.name))?;
    }
    for id in &module.ids {
        check(id.name, &|| places.node(id.node))?;
    }
    forests::names(&module.forests).try_for_each(|name| check(name, &|| faced(module, name)))
}

/// Refuses a name that is too long, with the bytes that may be put around it. `place` tells where
/// it is written.
fn name_fits(module: &Module, name: Sym, place: &dyn Fn() -> Option<Span>) -> Result<(), Refused> {
    const ROOM: usize = MAX_NAME as usize - AROUND_NAMES;
    // A byte that is not UTF-8 is written as a character of three bytes.
    if module.names.bytes(name).len() <= ROOM / 3 || module.names.text(name).len() <= ROOM {
        return Ok(());
    }
    let message = format!("the name `{}` is longer than {ROOM} bytes", module.names.cited(name));
    Err((codes::TOO_LARGE, place(), message))
}

/// Returns a node whose face has a name.
fn faced(module: &Module, name: Sym) -> Option<Span> {
    let faces = module.forests.nodes.iter().zip(&module.nodes);
    let has = |attributes: (u32, u32)| {
        let range = attributes.0 as usize..(attributes.0 + attributes.1) as usize;
        module.forests.attributes[range].iter().any(|(key, _)| *key == name)
    };
    let mut found = faces.filter(|(face, _)| face.name == Some(name) || has(face.attributes));
    found.next().map_or_else(|| module.nodes.first()?.span, |(_, node)| node.span)
}

/// Refuses more forests and attributes than can be numbered.
fn attributes(module: &Module, places: Places<'_>) -> Result<(), Refused> {
    let forests = &module.forests;
    let root = |tree: u32| {
        let tree = forests.trees.get(tree as usize)?;
        places.node(module.blocks[module.entries[tree.entry as usize] as usize].root)
    };
    at_most(forests.forests.len(), MAX_ROWS, "forests", |most| root(forests.forests[most].trees.0))?;
    at_most(forests.trees.len(), MAX_ROWS, "trees of forests", |most| root(most as u32))?;
    at_most(forests.attributes.len(), MAX_ROWS, "attributes", |most| {
        let beyond = |(first, count): (u32, u32)| (first + count) as usize > most;
        let node = forests.nodes.iter().position(|face| beyond(face.attributes));
        node.map_or_else(|| root(0), |node| places.node(node as u32))
    })
}

/// Refuses loops that nest too deep, and more texts than can be numbered.
pub(super) fn plan(module: &Module, plan: &Plan) -> Result<(), Refused> {
    at_most(plan.texts.list.len(), MAX_ROWS, "different texts", |most| {
        writes(module, plan.texts.list[most])
    })?;
    if plan.registers.count <= MAX_REGISTERS {
        return Ok(());
    }
    let outermost = plan.registers.of_node.iter().position(|register| *register >= MAX_REGISTERS);
    let place = outermost.and_then(|node| Places(module).node(node as u32));
    let message = format!("loops stand in each other more than {MAX_REGISTERS} deep");
    Err((codes::TOO_LARGE, place, message))
}

/// Returns a node that writes a text to a log.
fn writes(module: &Module, text: Sym) -> Option<Span> {
    let writes = |kind: &Kind| match kind {
        Kind::Log(written) => *written == text,
        Kind::Logged(logs) => module.logs[*logs as usize].contains(&Some(text)),
        _ => false,
    };
    module.nodes.iter().find(|node| writes(&node.kind))?.span
}

/// Returns the number of sites before the first one that [`site`] refuses.
pub(super) fn fitting_sites(module: &Module) -> u32 {
    let sites = 0..module.sites.len() as u32;
    sites.take_while(|index| site(module, *index, None).is_ok()).count() as u32
}

/// Returns the operand that names a site, if the format has room for the site and for
/// the function that it calls.
pub(super) fn site(module: &Module, site: u32, span: Option<Span>) -> Result<u16, Refused> {
    let row = module.sites[site as usize];
    operand(row.import as usize, "host functions", span)?;
    name_fits(module, module.imports[row.import as usize].name, &|| span)?;
    if row.args.1 > u32::from(u16::MAX) {
        let message = format!("this call has {} arguments; it can have at most {}", row.args.1, u16::MAX);
        return Err((codes::TOO_LARGE, span, message));
    }
    operand(site as usize, "host calls", span)
}

/// Returns a count as a 16-bit operand.
pub(super) fn operand(index: usize, what: &str, span: Option<Span>) -> Result<u16, Refused> {
    let message = || format!("the program has more than {MAX_ROWS} {what}");
    u16::try_from(index).map_err(|_| (codes::TOO_LARGE, span, message()))
}
