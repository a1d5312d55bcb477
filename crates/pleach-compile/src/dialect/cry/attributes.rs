//! Attributes: looked up in any case, and converted without ever failing.

use super::{Attribute, Diagnostic, Element, Refused, Session, codes};
use crate::dialect::number::{self, Flaw, Number};
use core::fmt::Display;
use pleach_image::suggest::closest;

/// Returns the attribute of this name, in any case. Of two spellings of one name the first counts.
pub(crate) fn attribute<'a>(element: Element<'a>, name: &str) -> Option<Attribute<'a>> {
    element.attributes().find(|attribute| attribute.name().eq_ignore_ascii_case(name))
}

/// Returns the attribute of this name, which must be there.
pub(crate) fn required<'a>(element: Element<'a>, name: &str) -> Result<Attribute<'a>, Refused> {
    attribute(element, name).ok_or_else(|| missing(element, name))
}

/// Returns the attribute of this name, which must be there and hold something.
pub(crate) fn filled<'a>(element: Element<'a>, name: &str) -> Result<Attribute<'a>, Refused> {
    attribute(element, name).filter(|it| !it.value().is_empty()).ok_or_else(|| missing(element, name))
}

/// Creates the error that an attribute is missing or empty.
pub(crate) fn missing(element: Element<'_>, name: &str) -> Refused {
    let message = format!("`{}` needs the attribute `{name}`", element.name());
    let finding = Diagnostic::new(codes::XML_MISSING_ATTRIBUTE, element.name_span(), message);
    let others = element.attributes().map(Attribute::name);
    match closest(name, others).filter(|near| !near.eq_ignore_ascii_case(name)) {
        Some(near) => finding.help(format!("`{near}` is not read; did you mean `{name}`?")).into(),
        None => finding.help(format!("add `{name}=\"…\"`")).into(),
    }
}

/// Warns about the attributes that are not among those which the element has.
pub(crate) fn only(session: &mut Session<'_>, element: Element<'_>, known: &[&str]) {
    let mut seen: Vec<&str> = Vec::new();
    for attribute in element.attributes() {
        let name = attribute.name();
        let finding = if !known.iter().any(|it| it.eq_ignore_ascii_case(name)) {
            ignored(element, attribute, known)
        } else if seen.iter().any(|it| it.eq_ignore_ascii_case(name)) {
            let message = format!("`{name}` is here twice; the first counts");
            Diagnostic::new(codes::IGNORED_ATTRIBUTE, attribute.name_span(), message)
        } else {
            seen.push(name);
            continue;
        };
        session.diagnostics.push(finding);
    }
}

fn ignored(element: Element<'_>, attribute: Attribute<'_>, known: &[&str]) -> Diagnostic {
    let message = format!("`{}` has no attribute `{}`; it is ignored", element.name(), attribute.name());
    let finding = Diagnostic::new(codes::IGNORED_ATTRIBUTE, attribute.name_span(), message);
    let has = if known.is_empty() { "none at all".to_owned() } else { known.join(", ") };
    finding.meant(closest(attribute.name(), known.iter().copied()), format!("it has {has}"))
}

/// Its value as a number, which is read as C reads it.
pub(crate) fn number<T: Copy + Display>(
    session: &mut Session<'_>,
    attribute: Attribute<'_>,
    read: fn(&str) -> Number<T>,
) -> T {
    let Number { value, flaw } = read(attribute.value());
    if let Some(flaw) = flaw {
        session.diagnostics.push(flawed(attribute, flaw, &value.to_string()));
    }
    value
}

/// Returns the value of an attribute as a boolean.
pub(crate) fn truth(session: &mut Session<'_>, attribute: Attribute<'_>) -> bool {
    let read = number::truth(attribute.value());
    if let Some(flaw) = read.flaw {
        let counts = if read.value { "true" } else { "false" };
        let finding = flawed(attribute, flaw, counts);
        session.diagnostics.push(finding.help("truths are numbers here: 1 is true, 0 is false"));
    }
    read.value
}

fn flawed(attribute: Attribute<'_>, flaw: Flaw, counts: &str) -> Diagnostic {
    let name = attribute.name();
    let message = match flaw {
        Flaw::None => format!("`{name}` is no number here, and counts {counts}"),
        Flaw::Rest => format!("`{name}` is read up to the end of its number, and counts {counts}"),
        Flaw::Range => format!("`{name}` does not fit, and counts {counts}"),
    };
    Diagnostic::new(codes::ODD_NUMBER, attribute.value_span(), message)
}
