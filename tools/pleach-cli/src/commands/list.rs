//! `pleach list`: instructions, with the source beside them.

use crate::Verdict;
use crate::args::List;
use crate::failure::Failure;
use crate::input::Subject;
use crate::output::{self, Tone, counted, grouped};
use pleach_image::{bounds, listing};
use std::fmt::Write;

/// Lists an image, or a tree as the image it compiles to.
pub(crate) fn list(args: &List) -> Result<Verdict, Failure> {
    let Some(subject) = Subject::open(&args.file, &args.compile)? else { return Ok(Verdict::Problems) };
    let mut text = heading(&subject);
    let lines = |file: &str, line: u32| subject.texts.line(file, line);
    // Writing to a string cannot fail.
    let _ = listing::write(&subject.image, &lines, &mut text);
    output::print_toned(&text, tone)?;
    Ok(Verdict::Fine)
}

/// Returns the meaning of a line of a listing.
fn tone(line: &str) -> Tone {
    match line.trim_start() {
        line if line.starts_with(';') => Tone::Aside,
        line if line.starts_with("block ") || line.starts_with("entry ") => Tone::Heading,
        _ => Tone::Plain,
    }
}

/// Returns a description of the program as comments.
fn heading(subject: &Subject) -> String {
    let image = &subject.image;
    let mut text = format!(
        "; {}: {}, {}, {} bytes\n",
        subject.name,
        image.dialect(),
        counted(image.meta().nodes as usize, "node"),
        grouped(image.bytes().len() as u64)
    );
    let bounds = bounds::of(image);
    for entry in image.entries() {
        let bound = bounds.get(entry.block as usize).copied().unwrap_or_default();
        let _ = writeln!(
            text,
            "; a tick of {} takes at most {} instructions and {} host calls",
            image.name(entry.name),
            grouped(bound.instructions),
            grouped(bound.host_calls)
        );
    }
    text
}
