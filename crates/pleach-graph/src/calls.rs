//! Calls of actions, as nodes make them.

use pleach_image::Image;
use pleach_image::isa::Op;
use pleach_image::listing;
use std::collections::HashMap;

/// Returns the call of each node that asks for an action.
#[must_use]
pub fn calls(image: &Image) -> HashMap<u32, u32> {
    let has = |op: Op, kind| op.fields().iter().any(|field| field.kind == kind);
    let asks = |op| has(op, "action") && (has(op, "node") || has(op, "rule"));
    let acts = image.code().iter().filter(|word| word.op().is_some_and(asks));
    acts.map(|word| (word.b.into(), word.a.into())).collect()
}

/// Returns the call of an action in words, after the node's word if that is another.
#[must_use]
pub fn call(image: &Image, node: u32, site: u32) -> String {
    let call = listing::site(image, site);
    let keyword = image.debug_node(node).map_or("action".into(), |debug| image.debug_text(debug.keyword));
    if call.starts_with(&*keyword) { call } else { format!("{keyword} {call}") }
}
