//! Handlers of events among the nodes of an image.

use pleach_image::Image;
use std::collections::HashSet;

/// Returns the roots of handlers of events. Each is named like its event.
pub(crate) fn roots(image: &Image) -> HashSet<u32> {
    let first = |block: u32| image.blocks().get(block as usize).and_then(|row| image.debug_word(row.first));
    let above = |node: &u32| image.debug_node(*node).map(|debug| debug.parent).filter(|parent| *parent != 0);
    let root = |node: u32| std::iter::successors(Some(node), above).last();
    image.events().iter().filter_map(|event| first(event.block).and_then(root)).collect()
}
