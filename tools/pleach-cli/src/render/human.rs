//! Findings for people: the message, the text it is about, and how that came to take effect.

use super::{Finding, Findings, Place};
use crate::output::{self, counted, visible};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

/// Writes the findings to standard error, and at the end how many there are.
pub(crate) fn show(findings: &Findings) {
    let renderer = if output::wants_color() { Renderer::styled() } else { Renderer::plain() };
    for finding in findings.list() {
        output::say_styled(&format!("{}\n\n", renderer.render(&[group(finding)])));
    }
    if findings.files > 0 {
        output::say(&format!("{}\n", summary(findings)));
    }
}

fn group(finding: &Finding) -> Group<'_> {
    let level = if finding.is_error { Level::ERROR } else { Level::WARNING };
    let title = level.primary_title(visible(&finding.message));
    let title = match finding.code {
        Some(code) => title.id(code),
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
            _ => format!("in this include of `{}`", origin.name),
        };
        group = add(group, &origin.place, AnnotationKind::Context, Some(&label));
    }
    match &finding.help {
        Some(help) => group.element(Level::HELP.message(visible(help))),
        None => group,
    }
}

/// Adds a place with its line and what is to be said about it.
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

/// `22 files: 2 errors, 1 warning`.
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
        parts.push(format!("{} more not shown", output::grouped(findings.dropped as u64)));
    }
    if parts.is_empty() {
        parts.push("no problems".to_owned());
    }
    format!("{}: {}", counted(findings.files, "file"), parts.join(", "))
}
