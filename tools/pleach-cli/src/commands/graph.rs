//! `pleach graph`: trees as pictures.

use crate::Verdict;
use crate::args::{Graph, Picture};
use crate::failure::Failure;
use crate::graph::{dot, mermaid, nodes, svg};
use crate::input::Subject;
use crate::output;

/// Draws the trees of a file.
pub(crate) fn graph(args: &Graph) -> Result<Verdict, Failure> {
    let Some(subject) = Subject::open(&args.file, &args.compile)? else { return Ok(Verdict::Problems) };
    let nodes = nodes(&subject.image, &subject.texts, args.compile.entry.as_deref());
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
