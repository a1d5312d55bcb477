//! `pleach fmt`: files in the form that all files should have.

use super::report;
use crate::Verdict;
use crate::args::{Fmt, Format};
use crate::failure::Failure;
use crate::input;
use crate::interrupt;
use crate::library::{self, Files, is_stdin};
use crate::output::{self, counted};
use crate::render::Findings;
use crate::write::{self, Writer};
use pleach_compile::dialect::by_name;
use std::io::Write;
use std::path::Path;

/// The dialect that has a formatter.
const FORMATTED: &str = "pleach";

/// Formats files. A file that cannot be formatted does not keep the others from being formatted.
pub(crate) fn fmt(args: &Fmt) -> Result<Verdict, Failure> {
    let mut findings = Findings::default();
    let mut failures = Vec::new();
    let mut verdict = Verdict::Fine;
    let mut writer = Writer::default();
    for path in args.files.iter().take_while(|_| !interrupt::came()) {
        match file(path, args, &mut writer, &mut findings) {
            Ok(Verdict::Fine) => {}
            Ok(Verdict::Problems) => verdict = Verdict::Problems,
            Err(failure) => failures.push(failure),
        }
    }
    if findings.failed() {
        verdict = report(&findings, Format::Human)?;
    }
    let Some(last) = failures.pop() else { return Ok(verdict) };
    failures.iter().for_each(output::complain);
    Err(last)
}

fn file(path: &Path, args: &Fmt, writer: &mut Writer, findings: &mut Findings) -> Result<Verdict, Failure> {
    let text = library::read_named(path)?;
    let said = args.dialect.or_else(|| by_name(FORMATTED).filter(|_| is_stdin(path)));
    let dialect = input::dialect(path, &text, said)?;
    let name = input::shown(path);
    if dialect.name() != FORMATTED {
        let why = format!("the dialect `{}` has no formatter", dialect.name());
        return Err(Failure::file("format", path, why));
    }
    let upgraded = args.upgrade.then(|| pleach_edit::upgrade(&name, &text));
    let formatted = match pleach_edit::format(&name, upgraded.as_ref().unwrap_or(&text)) {
        Ok(formatted) => formatted,
        Err(wrong) => {
            findings.add(&wrong, &Files::new(dialect, &[])?);
            return Ok(Verdict::Problems);
        }
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
        let others = write::names(path).saturating_sub(1);
        writer.replace(path, formatted.as_bytes()).map_err(|why| Failure::file("write", path, why))?;
        let old = format!(
            "; {} of the file still {} the old text",
            counted(others as usize, "other name"),
            if others == 1 { "has" } else { "have" }
        );
        output::say(&format!("{name}: formatted{}\n", if others > 0 { &old } else { "" }));
    }
    Ok(Verdict::Fine)
}
