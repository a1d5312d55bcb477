//! Signals: writes of events to variables.
//!
//! `<Signal name="OnEnemySeen" variable="Seen" value="not_blind and !Hidden"/>`: when an event of
//! exactly this name comes, the variable gets the value of the condition. All rules of an event
//! apply in order, and each one sees the writes of the earlier ones. A value that cannot be read is
//! false, and then the rest of the section is ignored.

use super::{
    Diagnostic, Element, Expr, ExprIndex, Refused, Session, Span, Variables, ast, codes, condition, expect,
    only, required,
};
use crate::text::Sym;

/// Write to a variable by an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// The name of the event.
    pub(crate) event: Sym,
    /// Variable that is written: index in [`ast::File::variables`].
    pub(crate) variable: u32,
    /// Value that is written.
    pub(crate) value: ExprIndex,
    /// The element's name.
    pub(crate) span: Span,
}

/// Reads an element of a section of signals and adds its rule. A rule is added even if its value
/// cannot be read, which then is false: the engine has the rule by the time it looks at the value.
pub(crate) fn declare(
    session: &mut Session<'_>,
    file: &mut ast::File,
    variables: &mut Variables,
    rules: &mut Vec<Rule>,
    element: Element<'_>,
) -> Result<(), Refused> {
    expect(element, "Signal")?;
    only(session, element, &["name", "variable", "value"]);
    let event = required(element, "name")?;
    let target = required(element, "variable")?;
    let value = required(element, "value")?;
    let Some(variable) = variables.find(target.value()) else {
        let message = format!("there is no variable `{}`", target.value());
        let finding = Diagnostic::new(codes::UNKNOWN_NAME, target.value_span(), message);
        let near = variables.nearest(&session.suggestions, target.value());
        return Err(finding.meant(near, "declare it among the variables").into());
    };
    let read = condition::parse(session, file, variables, value);
    let value = read.as_ref().copied().unwrap_or_else(|_| file.expr(Expr::Truth(false)));
    let name = session.names.intern(event.value().as_bytes());
    rules.push(Rule { event: name, variable, value, span: element.name_span() });
    let Err(finding) = read else { return Ok(()) };
    let message = format!("{}, so `{}` sets `{}` to false", finding.message, event.value(), target.value());
    Err(Diagnostic { message, ..*finding }.into())
}
