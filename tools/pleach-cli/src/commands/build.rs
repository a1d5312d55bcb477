//! `pleach build`: trees to an image.

use super::report;
use crate::Verdict;
use crate::args::{Build, Format};
use crate::failure::Failure;
use crate::input::{self, Job};
use crate::output::{self, counted, grouped};
use crate::render::Findings;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Builds an image of all files. Nothing is written if there are errors.
pub(crate) fn build(args: &Build) -> Result<Verdict, Failure> {
    input::check_entry(&args.files, &args.compile)?;
    let mut findings = Findings::default();
    let manifest = input::manifest(&args.compile, &mut findings)?;
    if findings.failed() {
        return report(&findings, args.report.format);
    }
    let files: Vec<_> = args.files.iter().map(PathBuf::as_path).collect();
    let job = Job::new(&files, &args.compile)?;
    let done = job.compile(manifest.as_ref());
    findings.add(&done, &job.library);
    let told = !findings.list().is_empty() || args.report.format == Format::Json;
    let verdict = if told { report(&findings, args.report.format)? } else { Verdict::Fine };
    let Some(bytes) = done.image else { return Ok(verdict) };
    let image = input::verified(&bytes)?;
    replace(&args.output, &bytes).map_err(|why| Failure::file("write", &args.output, why))?;
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

/// Puts a file in the place of another in one step: who reads it sees the old or the new, never half of one.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Through a symbolic link, to what it leads to.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        return Err(io::Error::other("it is there and is no file"));
    }
    let name = path.file_name().ok_or_else(|| io::Error::other("it has no file name"))?;
    let temporary = path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
    let written = write(&temporary, bytes).and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        // It may not even be there; the first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
