//! `pleach fmt`: files in the form that all files should have.

use super::report;
use crate::Verdict;
use crate::args::{Fmt, Format};
use crate::failure::Failure;
use crate::input;
use crate::library::{self, Files, is_stdin};
use crate::output;
use crate::render::Findings;
use crate::write::replace;
use std::io::Write;
use std::path::Path;

/// Formats files. One that cannot be does not keep the others from it.
pub(crate) fn fmt(args: &Fmt) -> Result<Verdict, Failure> {
    let mut findings = Findings::default();
    let mut failures = Vec::new();
    let mut verdict = Verdict::Fine;
    for path in &args.files {
        match file(path, args, &mut findings) {
            Ok(Verdict::Fine) => {}
            Ok(Verdict::Problems) => verdict = Verdict::Problems,
            Err(failure) => failures.push(failure),
        }
    }
    if findings.failed() {
        verdict = report(&findings, Format::Human)?;
    }
    let Some(last) = failures.pop() else { return Ok(verdict) };
    failures.iter().for_each(Failure::tell);
    Err(last)
}

fn file(path: &Path, args: &Fmt, findings: &mut Findings) -> Result<Verdict, Failure> {
    let text = library::read_named(path)?;
    let dialect = input::dialect(path, &text, args.dialect)?;
    let name = input::shown(path);
    let formatted = match dialect.format(&name, &text) {
        Some(Ok(formatted)) => formatted,
        Some(Err(wrong)) => {
            findings.add(&wrong, &Files::new(dialect, &[])?);
            return Ok(Verdict::Problems);
        }
        None => return Err(Failure::file("format", path, format!("{dialect:?} has no one form"))),
    };
    let differs = formatted.as_bytes() != text;
    if args.check {
        if differs {
            output::say(&format!("{name}: not formatted\n"));
        }
        return Ok(if differs { Verdict::Problems } else { Verdict::Fine });
    }
    if is_stdin(path) {
        std::io::stdout().lock().write_all(formatted.as_bytes())?;
    } else if differs {
        replace(path, formatted.as_bytes()).map_err(|why| Failure::file("write", path, why))?;
        output::say(&format!("{name}: formatted\n"));
    }
    Ok(Verdict::Fine)
}
