//! Attributes of all elements: names, other attributes of the dialect, and user attributes.

use super::{ATTRIBUTE, Attribute, Diagnostic, Element, Forests, Session, Span, Sym, codes};
use crate::dialect::xml::Content;
use crate::forest::Attributes;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use pleach_image::suggest::closest;

/// Returns the name of an element behind its article, for a message.
pub(super) fn a(element: &str) -> String {
    let article = if element.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} `{element}`")
}

/// Returns the attribute that an element must have, unless it is empty.
pub(super) fn needed<'a>(
    session: &mut Session<'_>,
    element: Element<'a>,
    name: &str,
    help: &str,
) -> Option<Attribute<'a>> {
    let Some(attribute) = element.attribute(name) else {
        let message = format!("this `{}` has no `{name}`", element.name());
        session.report(codes::XML_MISSING_ATTRIBUTE, element.name_span(), message, help);
        return None;
    };
    if attribute.value().is_empty() {
        let message = format!("the `{name}` of this `{}` is empty", element.name());
        session.report(codes::XML_BAD_VALUE, attribute.name_span(), message, help);
        return None;
    }
    Some(attribute)
}

/// Warns of attributes that the element has no use for.
pub(super) fn only(session: &mut Session<'_>, element: Element<'_>, known: &[&str]) {
    for attribute in element.attributes().filter(|it| !known.contains(&it.name())) {
        let message = format!("`{}` is no attribute of {}", attribute.name(), a(element.name()));
        let finding = Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, attribute.name_span(), message);
        let near = closest(attribute.name(), known.iter().copied());
        let help = format!("what only tools need goes into a `{ATTRIBUTE}`");
        session.diagnostics.push(finding.meant(near, help));
    }
}

/// Names of one kind, each with the place where it was met first.
#[derive(Default)]
pub(super) struct Names(HashMap<Sym, Span>);

impl Names {
    /// Returns the name of an element, which nothing else may have here. One that is
    /// missing or taken is reported.
    pub(super) fn take(
        &mut self,
        session: &mut Session<'_>,
        element: Element<'_>,
        whose: &str,
    ) -> Option<Sym> {
        let name = needed(session, element, "name", "hosts and tools know it by its name")?;
        self.insert(session, name, whose)
    }

    /// Returns the value of an attribute, which must be a new one.
    fn insert(&mut self, session: &mut Session<'_>, value: Attribute<'_>, whose: &str) -> Option<Sym> {
        let sym = session.names.intern(value.value().as_bytes());
        match self.0.entry(sym) {
            Entry::Vacant(place) => {
                place.insert(value.value_span());
                Some(sym)
            }
            Entry::Occupied(first) => {
                let message = format!("{whose} `{}` is there twice", value.value());
                let finding = Diagnostic::new(codes::DECLARED_TWICE, value.value_span(), message);
                let finding = finding.help(format!("give one of them another {}", value.name()));
                session.diagnostics.push(finding.related(*first.get(), "here it is the first time"));
                None
            }
        }
    }
}

/// Returns the attributes that the author has given to an element. Text beside
/// the elements in it is reported.
pub(super) fn read(session: &mut Session<'_>, element: Element<'_>, forests: &mut Forests) -> Attributes {
    let first = forests.attributes.len() as u32;
    let mut keys = Names::default();
    for content in element.content() {
        match content {
            Content::Element(inside) if inside.name() == ATTRIBUTE => {
                attribute(session, inside, &mut keys, forests);
            }
            Content::Element(_) => {}
            Content::Text(text, span) => blank(session, element, text, span),
        }
    }
    (first, forests.attributes.len() as u32 - first)
}

fn attribute(session: &mut Session<'_>, element: Element<'_>, keys: &mut Names, forests: &mut Forests) {
    only(session, element, &["key", "value"]);
    empty(session, element);
    let help = "an attribute is `<UserAttr key='…' value='…'/>`";
    let key = needed(session, element, "key", help);
    let key = key.and_then(|key| keys.insert(session, key, "the attribute"));
    // A value may be empty.
    let Some(value) = element.attribute("value") else {
        needed(session, element, "value", help);
        return;
    };
    if let Some(key) = key {
        let value = session.names.intern(value.value().as_bytes());
        forests.attributes.push((key, value));
    }
}

/// Reports the content of an element that must be empty.
pub(super) fn empty(session: &mut Session<'_>, element: Element<'_>) {
    for content in element.content() {
        match content {
            Content::Element(inside) => misplaced(session, inside, element.name(), &[]),
            Content::Text(text, span) => blank(session, element, text, span),
        }
    }
}

/// Reports an element that has no place here; `known` have one.
pub(super) fn misplaced(session: &mut Session<'_>, element: Element<'_>, whose: &str, known: &[&str]) {
    let message = format!("{} has no place in {}", a(element.name()), a(whose));
    let help = match closest(element.name(), known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => format!("{} is empty", a(whose)),
        None => format!("what can stand here is {}", known.join(", ")),
    };
    session.report(codes::XML_UNKNOWN_ELEMENT, element.name_span(), message, help);
}

/// Reports text that is no space.
fn blank(session: &mut Session<'_>, element: Element<'_>, text: &str, span: Span) {
    if text.bytes().all(|byte| byte.is_ascii_whitespace()) {
        return;
    }
    let message = format!("text has no place in {}", a(element.name()));
    session.report(codes::STRAY_TEXT, span, message, "write a comment, or a `UserAttr`");
}
