//! Handlers of events among the nodes of an image.

use pleach_image::Image;
use std::collections::HashSet;

/// Returns the roots of handlers of events. Each is named like its event.
pub(crate) fn roots(image: &Image) -> HashSet<u32> {
    image.debug_handlers().collect()
}

/// Returns all nodes of handlers of events. Events are not watched, so these nodes are never
/// counted.
pub(crate) fn nodes(image: &Image) -> HashSet<u32> {
    let mut nodes = roots(image);
    // Parents have smaller ids.
    for id in 1..=image.meta().nodes {
        if image.debug_node(id).is_some_and(|node| nodes.contains(&node.parent)) {
            nodes.insert(id);
        }
    }
    nodes
}
