//! Findings as results of tests, for services that read JUnit.

use super::Findings;
use crate::failure::Failure;
use crate::output;
use crate::scenario::junit::{Result as Case, xml};

/// Writes the findings to standard output: each is a test that failed. Without findings, there is
/// one test, which passed.
pub(crate) fn show(findings: &Findings) -> Result<(), Failure> {
    let mut cases: Vec<_> = findings.list().iter().map(case).collect();
    if cases.is_empty() {
        cases.push(Case { file: "pleach".to_owned(), name: "no problems".to_owned(), wrong: None });
    }
    output::print(&xml(&cases))
}

fn case(finding: &super::Finding) -> Case {
    let place = finding.place.as_ref();
    Case {
        file: place.map_or_else(|| "pleach".to_owned(), |place| place.file.clone()),
        name: finding.code.unwrap_or("problem").to_owned(),
        wrong: Some((place.map_or(0, |place| place.start.line), finding.message.clone())),
    }
}
