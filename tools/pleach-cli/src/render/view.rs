//! Findings for the live view: those of JSON, with the name of the file in the program.

use super::Findings;
use pleach_view::{Finding, Point};
use std::path::PathBuf;

/// Returns the findings. `files` has the names of files in the program, and their paths.
pub(crate) fn findings(findings: &Findings, files: &[(String, PathBuf)]) -> Vec<Finding> {
    let one = |finding: &super::Finding| {
        let place = finding.place.as_ref();
        let named =
            place.and_then(|place| files.iter().find(|(_, path)| path.display().to_string() == place.file));
        Finding {
            severity: if finding.is_error { "error" } else { "warning" }.to_owned(),
            code: finding.code.map(str::to_owned),
            message: finding.message.clone(),
            help: finding.help.clone(),
            file: place.map(|place| place.file.clone()),
            line: place.map(|place| place.start.line),
            column: place.map(|place| place.start.column),
            end: place.map(|place| Point { line: place.end.line, column: place.end.column }),
            name: named.map(|(name, _)| name.clone()),
        }
    };
    findings.list().iter().map(one).collect()
}
