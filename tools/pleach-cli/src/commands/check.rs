//! `pleach check`: all errors of all files in one run.
//!
//! Each file is compiled on its own, so that an error in one file hides none in another.
//! Text that several files share is read again for each, which costs little, and its
//! findings are reported once.

use super::lint::Linter;
use super::report;
use crate::Verdict;
use crate::args::Check;
use crate::failure::Failure;
use crate::input::{self, Job};
use crate::output;
use crate::render::Findings;
use std::path::Path;

/// Checks files. A file that cannot be read does not keep the others from being checked.
pub(crate) fn check(args: &Check) -> Result<Verdict, Failure> {
    input::check_entry(&args.files, &args.compile)?;
    let mut findings = Findings::default();
    let mut failures = Vec::new();
    let mut linter = args.lint.then(|| Linter::new(&args.files));
    for file in &args.files {
        if let Err(failure) = self::file(file, args, &mut findings, &mut linter) {
            failures.push(failure);
        }
    }
    if let Some(linter) = linter {
        linter.finish(&mut findings);
    }
    let verdict = report(&findings, args.report.format)?;
    let Some(last) = failures.pop() else { return Ok(verdict) };
    failures.iter().for_each(output::complain);
    Err(last)
}

/// Checks a file. That nothing in it can be started is no error of a file that others include.
fn file(
    file: &Path,
    args: &Check,
    findings: &mut Findings,
    linter: &mut Option<Linter>,
) -> Result<(), Failure> {
    let job = Job::new(&[file], &args.compile)?;
    let image = job.check(findings);
    if let Some(linter) = linter {
        linter.look(file, job, findings)?;
    }
    match (&args.compile.entry, image) {
        (Some(entry), Some(bytes)) => input::has_entry(file, &input::verified(&bytes)?, entry),
        _ => Ok(()),
    }
}
