//! Calls of actions in words.

use pleach_image::Image;
use pleach_image::listing;

/// Returns the call of an action in words, after the node's word if that is another.
#[must_use]
pub fn call(image: &Image, node: u32, site: u32) -> String {
    let call = listing::site(image, site);
    let keyword = image.debug_node(node).map_or("action".into(), |debug| image.debug_text(debug.keyword));
    if call.starts_with(&*keyword) { call } else { format!("{keyword} {call}") }
}
