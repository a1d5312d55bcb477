//! Places of nodes in their sources, in words.

use pleach_image::Image;
use pleach_image::format::DebugNode;
use pleach_image::listing;
use std::fmt::Write;

/// Macros and includes that are told of one node.
const MAX_ORIGINS: usize = 4;

/// Returns the place of a node: `guard.bt:12, in macro `GO` at guard.bt:51`; empty if the image
/// does not have it.
pub(crate) fn of_node(image: &Image, node: u32) -> String {
    let Some(debug) = image.debug_node(node) else { return String::new() };
    let mut text = line(image, debug);
    for origin in image.debug_origins(debug.origin).take(MAX_ORIGINS) {
        let kind = listing::origin(origin.kind);
        let (name, file) = (image.debug_text(origin.name), image.debug_text(origin.file));
        let _ = write!(text, ", in {kind} `{name}` at {file}:{}", origin.line);
    }
    text
}

/// Returns file and line: `guard.bt:12`.
pub(crate) fn line(image: &Image, debug: &DebugNode) -> String {
    if debug.line == 0 { String::new() } else { format!("{}:{}", image.debug_text(debug.file), debug.line) }
}
