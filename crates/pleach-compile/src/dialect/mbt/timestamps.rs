//! Timestamps: when events happened.
//!
//! `<Timestamp name="Seen" setOnEvent="OnSeen" exclusiveTo="Lost"/>`: the event sets it to the time
//! of the frame, and clears the timestamp that it is exclusive to; after that one, too, has been
//! set, if one event sets both. That works in one direction: for two that exclude each other, each
//! must name the other. Of several with one name, the first is asked and cleared.

use super::{
    Attribute, Diagnostic, Element, Refused, Session, SlotKind, Span, Sym, ast, attribute, codes, is,
    of_event, only,
};
use crate::ast::{Scope, Variable};
use hashbrown::HashMap;
use pleach_image::suggest::Suggestions;

/// The timestamps of a tree.
#[derive(Debug, Default)]
pub(super) struct Timestamps {
    /// The first of each name: index in `rows`.
    by_name: HashMap<String, usize>,
    /// In the order of the text.
    rows: Vec<Timestamp>,
    /// Indices in `rows`, sorted by event.
    by_event: Vec<usize>,
}

#[derive(Debug)]
struct Timestamp {
    name: String,
    /// The hidden variable that holds it.
    variable: u32,
    event: Sym,
    /// The name of the one that is cleared, and where it stands.
    exclusive: Option<(String, Span)>,
    span: Span,
}

/// Effect of an event on a timestamp: the variable, true if it is set and false if it is cleared,
/// and the place in the source.
pub(super) type Stamp = (u32, bool, Span);

impl Timestamps {
    /// Reads an element of the section.
    pub(super) fn declare(
        &mut self,
        session: &mut Session<'_>,
        file: &mut ast::File,
        element: Element<'_>,
    ) -> Result<(), Refused> {
        if !is(element, "Timestamp") {
            let message = format!("`{}` counts as a timestamp, as all that stands here", element.name());
            session.report(codes::ODD_VALUE, element.name_span(), message, "write `Timestamp`");
        }
        only(session, element, &["name", "setOnEvent", "exclusiveTo"]);
        let text = |name| attribute(element, name).map_or("", Attribute::value);
        let span = element.name_span();
        let variable = hidden(session, file, SlotKind::Moment, span);
        let event = session.names.intern(text("setOnEvent").as_bytes());
        let exclusive = attribute(element, "exclusiveTo").filter(|it| !it.value().is_empty());
        let exclusive = exclusive.map(|it| (it.value().to_owned(), it.value_span()));
        let Self { by_name, rows, .. } = self;
        let (index, mut same) = (rows.len(), None);
        by_name
            .entry(text("name").to_owned())
            .and_modify(|first| same = Some(rows[*first].span))
            .or_insert(index);
        rows.push(Timestamp { name: text("name").to_owned(), variable, event, exclusive, span });
        for name in ["name", "setOnEvent"].into_iter().filter(|name| text(name).is_empty()) {
            let never = if name == "name" { "asked" } else { "set" };
            let message = format!("a timestamp without `{name}` is never {never}");
            session.report(codes::IDLE_TIMESTAMP, span, message, "give it one");
        }
        if let Some(first) = same {
            let message = format!("there is a timestamp `{}` already; the first one is asked", text("name"));
            let finding = Diagnostic::new(codes::SAME_NAME, span, message);
            session.diagnostics.push(finding.related(first, "here"));
        }
        Ok(())
    }

    /// Returns the variable of a timestamp.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).map(|index| self.rows[*index].variable)
    }

    /// Returns the name that is written most like this one.
    pub(super) fn nearest(&self, suggestions: &Suggestions, name: &str) -> Option<&str> {
        suggestions.closest(name, self.rows.iter().map(|row| row.name.as_str()))
    }

    /// Warns about exclusive timestamps that are not there.
    pub(super) fn connect(&self, session: &mut Session<'_>) {
        for (name, span) in self.rows.iter().filter_map(|row| row.exclusive.as_ref()) {
            if self.find(name).is_none() {
                let finding = self.unknown(&session.suggestions, name, *span, "it excludes nothing");
                session.diagnostics.push(finding);
            }
        }
    }

    /// Creates the finding that there is no timestamp of this name, with the consequence.
    pub(super) fn unknown(
        &self,
        suggestions: &Suggestions,
        name: &str,
        span: Span,
        outcome: &str,
    ) -> Diagnostic {
        let message = format!("there is no timestamp `{name}`: {outcome}");
        let finding = Diagnostic::new(codes::IDLE_TIMESTAMP, span, message);
        finding.meant(self.nearest(suggestions, name), "declare it among the timestamps")
    }

    /// Returns the events that set timestamps, in order.
    pub(super) fn events(&self) -> impl Iterator<Item = (Sym, Span)> {
        self.rows.iter().map(|row| (row.event, row.span))
    }

    /// Sorts the timestamps by events, for [`Timestamps::on`].
    pub(super) fn sort_by_event(&mut self) {
        let Self { rows, by_event, .. } = self;
        by_event.extend(0..rows.len());
        by_event.sort_by_key(|index| rows[*index].event);
    }

    /// Returns the effects of an event: first all timestamps that it sets, then all that these
    /// clear.
    pub(super) fn on(&self, event: Sym) -> Vec<Stamp> {
        let rows = &self.by_event[of_event(&self.by_event, event, |index| self.rows[*index].event)];
        let set = || rows.iter().map(|index| &self.rows[*index]);
        let sets = set().map(|row| (row.variable, true, row.span));
        let clears = set().filter_map(|row| {
            let (name, span) = row.exclusive.as_ref()?;
            Some((self.find(name)?, false, *span))
        });
        sets.chain(clears).collect()
    }
}

/// Adds a variable that hosts cannot find. Returns its index.
pub(super) fn hidden(session: &mut Session<'_>, file: &mut ast::File, kind: SlotKind, span: Span) -> u32 {
    let name = session.names.intern(b"");
    file.variables.push(Variable { name, scope: Scope::Agent, kind, init: 0, span });
    file.variables.len() as u32 - 1
}
