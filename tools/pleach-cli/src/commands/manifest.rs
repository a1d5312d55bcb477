//! `pleach manifest`: a manifest to begin with, for trees that have none.

use super::report;
use crate::Verdict;
use crate::args::{Format, Manifest};
use crate::failure::Failure;
use crate::input::Job;
use crate::output;
use crate::render::Findings;
use pleach_compile::codes;
use pleach_compile::manifest::Starter;

/// Prints the names that trees use without a declaration.
pub(crate) fn manifest(args: &Manifest) -> Result<Verdict, Failure> {
    let (mut findings, mut starter) = (Findings::default(), Starter::default().lenient(args.compile.lenient));
    for file in &args.files {
        let job = Job::new(&[file], &args.compile)?;
        findings.add_manifests(&job.manifests);
        let done = starter.read(&job.library, job.request());
        // Files that others include have nothing to start with.
        findings.add_but(codes::NOTHING_TO_START, &done, &job.library);
    }
    let told = if findings.list().is_empty() { Verdict::Fine } else { report(&findings, Format::Human)? };
    output::print(&starter.to_string())?;
    Ok(told)
}
