//! `pleach build`: trees to an image.

use super::report;
use crate::Verdict;
use crate::args::{Build, Format};
use crate::failure::Failure;
use crate::input::{self, Job};
use crate::output::{self, counted, grouped};
use crate::render::Findings;
use crate::write::{Kind, Output};
use std::path::PathBuf;

/// Builds an image from all files. If there are errors, no file is written.
pub(crate) fn build(args: &Build) -> Result<Verdict, Failure> {
    input::check_entry(&args.files, &args.compile)?;
    let mut findings = Findings::default();
    let files: Vec<_> = args.files.iter().map(PathBuf::as_path).collect();
    let job = Job::new(&files, &args.compile)?;
    let done = job.compile(&mut findings);
    let told = !findings.list().is_empty() || args.report.format != Format::Human;
    let verdict = if told { report(&findings, args.report.format)? } else { Verdict::Fine };
    let Some(bytes) = done.and_then(|done| done.image) else { return Ok(verdict) };
    let image = input::verified(&bytes)?;
    if let Some(entry) = &args.compile.entry {
        input::has_entry(files[0], &image, entry)?;
    }
    let output = Output { path: &args.output, kind: Kind::Image, force: args.overwrite.force };
    output.write(job.inputs(&args.compile), &bytes)?;
    let entries = image.entries().len();
    let plural = if entries == 1 { "y" } else { "ies" };
    output::say(&format!(
        "{}: {entries} entr{plural}, {}, {} bytes\n",
        args.output.display(),
        counted(image.meta().nodes as usize, "node"),
        grouped(bytes.len() as u64),
    ));
    Ok(verdict)
}
