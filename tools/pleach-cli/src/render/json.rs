//! Findings for programs: an object on each line.

use super::{Finding, Findings, Origin, Place, Point, Related};
use crate::failure::Failure;
use crate::output;
use serde::Serialize;

/// A finding with all its fields on one level. `--help` documents them.
#[derive(Serialize)]
struct Row<'a> {
    severity: &'static str,
    code: Option<&'static str>,
    message: &'a str,
    help: Option<&'a str>,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    end: Option<Point>,
    related: &'a [Related],
    origins: &'a [Origin],
}

impl<'a> Row<'a> {
    fn new(finding: &'a Finding) -> Self {
        let place = finding.place.as_ref();
        Self {
            severity: if finding.is_error { "error" } else { "warning" },
            code: finding.code,
            message: &finding.message,
            help: finding.help.as_deref(),
            file: place.map(|Place { file, .. }| file.as_str()),
            line: place.map(|place| place.start.line),
            column: place.map(|place| place.start.column),
            end: place.map(|place| place.end),
            related: &finding.related,
            origins: &finding.origins,
        }
    }
}

/// Writes the findings to standard output.
pub(crate) fn show(findings: &Findings) -> Result<(), Failure> {
    let mut text = String::new();
    for finding in findings.list() {
        let row = serde_json::to_string(&Row::new(finding));
        text.push_str(&row.map_err(|why| Failure::new(format!("cannot write JSON: {why}")))?);
        text.push('\n');
    }
    output::print(&text)
}
