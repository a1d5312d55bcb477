//! Calls of actions, as nodes make them.

use pleach::Image;
use pleach_image::isa::Op;
use pleach_image::listing;
use std::collections::{HashMap, HashSet};

/// Returns the call of each node that asks for an action.
pub(crate) fn calls(image: &Image) -> HashMap<u32, u32> {
    let has = |op: Op, kind| op.fields().iter().any(|field| field.kind == kind);
    let asks = |op| has(op, "action") && (has(op, "node") || has(op, "rule"));
    let acts = image.code().iter().filter(|word| word.op().is_some_and(asks));
    acts.map(|word| (word.b.into(), word.a.into())).collect()
}

/// Returns the events that no node raises.
///
/// A node that tells only its own agent calls the block of the event.
pub(crate) fn never_raised(image: &Image) -> impl Iterator<Item = &str> {
    let operands = |kind: &'static str| -> HashSet<u32> {
        let has = move |op: Op| op.fields().iter().any(|field| field.kind == kind);
        let words = image.code().iter().filter(|word| word.op().is_some_and(has));
        words.map(|word| word.a.into()).collect()
    };
    let (raised, called) = (operands("event"), operands("block"));
    let events = (0..).zip(image.events());
    let silent = events.filter(move |(event, row)| !raised.contains(event) && !called.contains(&row.block));
    silent.map(|(_, row)| image.name(row.name))
}

/// Returns the call of an action in words, after the node's word if that is another.
pub(crate) fn call(image: &Image, node: u32, site: u32) -> String {
    let call = listing::site(image, site);
    let keyword = image.debug_node(node).map_or("action".into(), |debug| image.debug_text(debug.keyword));
    if call.starts_with(&*keyword) { call } else { format!("{keyword} {call}") }
}
