//! `pleach graph`: trees as pictures.

use crate::Verdict;
use crate::args::{Graph, Picture};
use crate::failure::Failure;
use crate::input::Subject;
use crate::output;
use pleach_graph::{dot, mermaid, nodes, svg};

/// Draws the trees of a file.
pub(crate) fn graph(args: &Graph) -> Result<Verdict, Failure> {
    let Some(subject) = Subject::open(&args.file, &args.compile)? else { return Ok(Verdict::Problems) };
    let (image, entry) = (&subject.image, args.compile.entry.as_deref());
    let lines = |file: &str, line: u32| subject.texts.whole_line(file, line);
    let nodes = nodes(image, &lines, |root, is_handler| {
        entry.is_none_or(|entry| !is_handler && entry == image.debug_text(root.subject))
    });
    if nodes.is_empty() {
        return Err(Failure::new(format!(
            "{} has no debug information, so no node can be drawn",
            subject.name
        )));
    }
    output::print(&match args.format {
        Picture::Svg => svg(&nodes),
        Picture::Dot => dot(&nodes),
        Picture::Mermaid => mermaid(&nodes),
    })?;
    Ok(Verdict::Fine)
}
