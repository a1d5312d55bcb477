//! Findings as text: the message, the source text, and the macros and includes that it came
//! through.

use super::{Finding, Findings, Place};
use crate::text::{counted, grouped, visible};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

/// Returns the findings as text, and on the last line their numbers.
pub(super) fn render(findings: &Findings, styled: bool, address: &dyn Fn(&str) -> Option<String>) -> String {
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for finding in findings.list() {
        text.push_str(&renderer.render(&[group(finding, address)]));
        text.push_str("\n\n");
    }
    if findings.files > 0 {
        text.push_str(&summary(findings));
        text.push('\n');
    }
    text
}

fn group<'a>(finding: &'a Finding, address: &dyn Fn(&str) -> Option<String>) -> Group<'a> {
    let level = if finding.is_error { Level::ERROR } else { Level::WARNING };
    let title = level.primary_title(visible(&finding.message));
    let title = match finding.code {
        Some(code) => match address(code) {
            Some(address) => title.id(code).id_url(address),
            None => title.id(code),
        },
        None => title,
    };
    let mut group = Group::with_title(title);
    if let Some(place) = &finding.place {
        group = add(group, place, AnnotationKind::Primary, None);
    }
    for related in &finding.related {
        group = add(group, &related.place, AnnotationKind::Context, Some(&related.message));
    }
    for origin in &finding.origins {
        let label = match origin.kind {
            "macro" => format!("in this expansion of macro `{}`", origin.name),
            "use" => format!("in this use of `{}`", origin.name),
            _ => format!("in this include of `{}`", origin.name),
        };
        group = add(group, &origin.place, AnnotationKind::Context, Some(&label));
    }
    match &finding.help {
        Some(help) => group.element(Level::HELP.message(visible(help))),
        None => group,
    }
}

/// Returns a finding as one line: `guard.pleach:3:5: the message (E0401)`.
pub(super) fn brief(finding: &Finding) -> String {
    let place = finding.place.as_ref();
    let place = place.map(|it| format!("{}:{}:{}: ", it.file, it.start.line, it.start.column));
    let code = finding.code.map(|code| format!(" ({code})"));
    let text = format!("{}{}{}", place.unwrap_or_default(), finding.message, code.unwrap_or_default());
    visible(&text).replace('\n', " ")
}

/// Adds a place with its source line and a label.
fn add<'a>(group: Group<'a>, place: &'a Place, kind: AnnotationKind, label: Option<&str>) -> Group<'a> {
    let path = visible(&place.file);
    let label = label.map(|label| visible(label).into_owned());
    if let Some(excerpt) = &place.excerpt {
        let annotation = kind.span(excerpt.marked.clone()).label(label);
        let snippet = Snippet::source(excerpt.text.as_str()).path(path).line_start(place.start.line as usize);
        return group.element(snippet.annotation(annotation));
    }
    let origin = Origin::path(path).line(place.start.line as usize).char_column(place.start.column as usize);
    let group = group.element(origin);
    match label {
        Some(label) => group.element(Level::NOTE.message(label)),
        None => group,
    }
}

/// Returns a summary such as `22 files: 2 errors, 1 warning`.
fn summary(findings: &Findings) -> String {
    let warnings = findings.list.len() - findings.errors;
    let mut parts = Vec::new();
    if findings.errors > 0 {
        parts.push(counted(findings.errors, "error"));
    }
    if warnings > 0 {
        parts.push(counted(warnings, "warning"));
    }
    if findings.dropped > 0 {
        parts.push(format!("{} more not shown", grouped(findings.dropped as u64)));
    }
    if parts.is_empty() {
        parts.push("no problems".to_owned());
    }
    format!("{}: {}", counted(findings.files, "file"), parts.join(", "))
}
