//! Findings as SARIF 2.1.0, which services show beside the code.

use super::{Finding, Findings};
use crate::failure::Failure;
use crate::{explanations, output};
use pleach_build::findings::Place;
use pleach_compile::diagnostic::Code;
use pleach_lint::rule::{self, Level};
use pleach_lsp::address;
use serde_json::{Value, json};

/// Address of the schema.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes the findings to standard output.
pub(crate) fn show(findings: &Findings) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&log(findings));
    let text = text.map_err(|why| Failure::new(format!("cannot write SARIF: {why}")))?;
    output::print(&format!("{text}\n"))
}

/// Returns a log with one run.
fn log(findings: &Findings) -> Value {
    let mut codes: Vec<Code> = Vec::new();
    for code in findings.list().iter().filter_map(|finding| explanations::code(finding.code?)) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    let results: Vec<_> = findings.list().iter().map(|finding| result(finding, &codes)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "pleach",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": codes.iter().map(description).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn description(code: &Code) -> Value {
    let is_error = match rule::by_code(code.id) {
        Some(rule) => rule.level == Level::Error,
        None => code.id.starts_with('E'),
    };
    json!({
        "id": code.id,
        "shortDescription": { "text": code.meaning },
        "defaultConfiguration": { "level": level(is_error) },
    })
}

fn level(is_error: bool) -> &'static str {
    if is_error { "error" } else { "warning" }
}

fn result(finding: &Finding, codes: &[Code]) -> Value {
    let message = match &finding.help {
        Some(help) => format!("{}\n{help}", finding.message),
        None => finding.message.clone(),
    };
    let mut result = json!({ "level": level(finding.is_error), "message": { "text": message } });
    if let Some(index) = finding.code.and_then(|id| codes.iter().position(|code| code.id == id)) {
        result["ruleId"] = json!(codes[index].id);
        result["ruleIndex"] = json!(index);
    }
    if let Some(place) = &finding.place {
        result["locations"] = json!([{ "physicalLocation": physical(place) }]);
    }
    let related = finding.related.iter().map(|it| (&it.place, it.message.clone()));
    let origins =
        finding.origins.iter().map(|it| (&it.place, format!("in this {} of `{}`", it.kind, it.name)));
    let place = |(place, message): (&Place, String)| json!({ "physicalLocation": physical(place), "message": { "text": message } });
    let related: Vec<_> = related.chain(origins).map(place).collect();
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    if let Some(fix) = fix(finding) {
        result["fixes"] = json!([fix]);
    }
    result
}

/// Returns the changes that mend a finding, file by file.
fn fix(finding: &Finding) -> Option<Value> {
    let mut files: Vec<(&str, Vec<Value>)> = Vec::new();
    for change in &finding.changes {
        let replacement =
            json!({ "deletedRegion": region(&change.place), "insertedContent": { "text": change.text } });
        match files.iter_mut().find(|(file, _)| *file == change.place.file) {
            Some((_, replacements)) => replacements.push(replacement),
            None => files.push((&change.place.file, vec![replacement])),
        }
    }
    let change = |(file, replacements): &(&str, Vec<Value>)| json!({ "artifactLocation": { "uri": address(file) }, "replacements": replacements });
    let changes: Vec<_> = files.iter().map(change).collect();
    (!changes.is_empty()).then(|| {
        let help = finding.help.as_deref().unwrap_or(&finding.message);
        json!({ "description": { "text": help }, "artifactChanges": changes })
    })
}

fn physical(place: &Place) -> Value {
    json!({ "artifactLocation": { "uri": address(&place.file) }, "region": region(place) })
}

fn region(place: &Place) -> Value {
    json!({
        "startLine": place.start.line,
        "startColumn": place.start.letter,
        "endLine": place.end.line,
        "endColumn": place.end.letter,
    })
}
