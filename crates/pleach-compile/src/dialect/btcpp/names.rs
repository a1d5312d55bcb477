//! Names that the original accepts.

/// Rules for the names of trees, nodes and instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameRule {
    /// Names of trees and of kinds of nodes.
    Model,
    /// Names of trees and of kinds of nodes that may have blanks.
    LenientModel,
    /// Names of ports.
    Port,
    /// Names of node instances.
    Instance,
}

/// Help for an ID that is refused.
pub(super) const ID_HELP: &str = "use letters, digits and `_`; `--lenient` accepts blanks, too";

/// Returns the reason why a name is refused, if it is.
pub(super) fn flaw(name: &str, rule: NameRule) -> Option<String> {
    let control = |it: char| it.is_ascii_control();
    if rule == NameRule::Instance {
        let kept = |it: char| matches!(it, '\t' | '\n' | '\r');
        return name.chars().any(|it| control(it) && !kept(it)).then(|| "it has a control character".into());
    }
    if name.is_empty() {
        return Some("it is empty".into());
    }
    let reserved = match rule {
        NameRule::Port => matches!(name, "name" | "ID") || name.starts_with('_'),
        _ => matches!(name, "Root" | "root"),
    };
    if reserved {
        return Some("the name is reserved".into());
    }
    if rule == NameRule::Port && name.starts_with(|it: char| it.is_ascii_digit()) {
        return Some("it begins with a digit".into());
    }
    let free = |it: char| it == ' ' && rule == NameRule::LenientModel;
    let found = name.chars().find(|it| !free(*it) && (control(*it) || " <>&\"'/\\:*?|.".contains(*it)))?;
    Some(format!("it has the character {found:?}"))
}

/// Returns true for the attributes that are ports.
pub(super) fn is_port(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_alphabetic()) && !matches!(name, "name" | "ID")
}
