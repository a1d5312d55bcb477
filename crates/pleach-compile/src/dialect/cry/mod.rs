//! Common parts of the two tree languages of CryEngine and Lumberyard.
//!
//! Modular behavior trees and behavior selection trees are XML, read by the same loader of the same
//! engine. So both languages look up tags and attributes in the same way (in any case), and make
//! numbers of text in the same way ([`super::number`]). Both have boolean variables
//! ([`variables`]), signals that write to them ([`signals`]), and the same language of conditions
//! ([`condition`]). `build` puts nodes into the common tree one by one.
//!
//! The engine forgives many mistakes. This dialect does the same, and warns where a real mistake
//! may hide. An error in an entry of a section is returned as a finding: one language then ignores
//! the rest of that section, the other the whole tree.
//!
//! ```text
//! <Variables> <Variable name="Seen" default="false"/> </Variables>
//! <SignalVariables> <Signal name="OnEnemySeen" variable="Seen" value="true"/> </SignalVariables>
//! ```

pub(crate) mod attributes;
pub(crate) mod condition;
mod lexer;
pub(crate) mod signals;
pub(crate) mod variables;

#[cfg(test)]
mod tests;

use super::xml::{Attribute, Element};
use crate::ast::{Expr, ExprIndex};
use crate::diagnostic::{Code, Diagnostic};
use crate::session::Session;
use crate::source::Span;
use crate::text::Interner;
use crate::{ast, codes};
use attributes::{only, required};
use variables::Variables;

/// A finding that keeps an element from being used.
pub(crate) type Refused = Box<Diagnostic>;

/// Returns the first of the trees that are asked for. The others are refused.
pub(crate) fn one_entry<'e>(session: &mut Session<'_>, entries: &'e [String]) -> Option<&'e str> {
    let (entry, others) = entries.split_first()?;
    for other in others {
        let message = format!("`{other}` cannot be in the same program as `{entry}`");
        let help = "agents of these trees have variables of their own: build each by itself";
        session.diagnostics.push(Diagnostic::new(codes::SECOND_TREE, None, message).help(help));
    }
    Some(entry)
}

/// Returns a finding with advice that keeps an element from being used.
pub(crate) fn refused(code: Code, at: Span, message: impl Into<String>, help: impl Into<String>) -> Refused {
    Diagnostic::new(code, at, message).help(help).into()
}

/// Returns true if the element has this tag, in any case.
pub(crate) fn is(element: Element<'_>, tag: &str) -> bool {
    element.name().eq_ignore_ascii_case(tag)
}

/// Returns the first child with this tag.
pub(crate) fn child<'a>(element: Element<'a>, tag: &str) -> Option<Element<'a>> {
    element.children().find(|child| is(*child, tag))
}

/// Refuses an element that is not called so.
pub(crate) fn expect(element: Element<'_>, tag: &str) -> Result<(), Refused> {
    if is(element, tag) {
        return Ok(());
    }
    let message = format!("`{}` cannot stand here", element.name());
    Err(refused(codes::XML_UNKNOWN_ELEMENT, element.name_span(), message, format!("only `{tag}` can")))
}
