//! Findings for programs: an object on each line.

use super::{Finding, Findings};
use crate::failure::Failure;
use crate::output;
use pleach_build::findings as found;
use serde::Serialize;

/// Finding with all its fields on one level. `--help` documents the fields.
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
    related: Vec<Related<'a>>,
    origins: Vec<Origin<'a>>,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Point {
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    #[serde(flatten)]
    start: Point,
    end: Point,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
}

#[derive(Serialize)]
struct Edit<'a> {
    text: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
}

#[derive(Serialize)]
struct Origin<'a> {
    kind: &'static str,
    name: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
}

impl From<found::Point> for Point {
    fn from(found::Point { line, column, .. }: found::Point) -> Self {
        Self { line, column }
    }
}

impl<'a> Place<'a> {
    fn of(place: &'a found::Place) -> Self {
        Self { file: &place.file, start: place.start.into(), end: place.end.into() }
    }
}

impl<'a> Row<'a> {
    fn new(finding: &'a Finding) -> Self {
        let place = finding.place.as_ref();
        let related = |it: &'a found::Related| Related { message: &it.message, place: Place::of(&it.place) };
        let origin =
            |it: &'a found::Origin| Origin { kind: it.kind, name: &it.name, place: Place::of(&it.place) };
        let edit = |it: &'a found::Change| Edit { text: &it.text, place: Place::of(&it.place) };
        Self {
            severity: if finding.is_error { "error" } else { "warning" },
            code: finding.code,
            message: &finding.message,
            help: finding.help.as_deref(),
            file: place.map(|place| place.file.as_str()),
            line: place.map(|place| place.start.line),
            column: place.map(|place| place.start.column),
            end: place.map(|place| place.end.into()),
            related: finding.related.iter().map(related).collect(),
            origins: finding.origins.iter().map(origin).collect(),
            edits: finding.changes.iter().map(edit).collect(),
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
