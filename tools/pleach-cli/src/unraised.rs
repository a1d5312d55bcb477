//! Events that no node raises.

use pleach::Image;
use pleach_image::isa::Op;
use std::collections::HashSet;

/// Returns the events that no node raises.
///
/// A node that tells only its own agent calls the block of the event.
pub(crate) fn events(image: &Image) -> impl Iterator<Item = &str> {
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
