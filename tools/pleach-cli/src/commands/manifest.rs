//! `pleach manifest`: a manifest to begin with, from trees and images.

use super::report;
use crate::Verdict;
use crate::args::{Format, Manifest};
use crate::failure::Failure;
use crate::input::{self, Job};
use crate::output;
use crate::render::Findings;
use crate::write::Kind;
use pleach_compile::codes;
use pleach_compile::dialect::by_name;
use pleach_compile::manifest::Starter;
use pleach_image::Image;

/// Prints the names that trees use without a declaration, and those that images import.
pub(crate) fn manifest(args: &Manifest) -> Result<Verdict, Failure> {
    let (mut findings, mut starter) = (Findings::default(), Starter::default().lenient(args.compile.lenient));
    for file in &args.files {
        if input::is(Kind::Image, file)? {
            let image = Image::load(file).map_err(|why| Failure::file("load", file, why))?;
            let manifests = input::manifests(by_name(image.dialect()), &args.compile)?;
            findings.add_manifests(&manifests);
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            starter.read_image(&name, &image, manifests.manifest());
            continue;
        }
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
