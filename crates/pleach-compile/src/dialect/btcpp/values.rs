//! Values in texts.

use super::kinds::PortType;
use super::{Refused, refused};
use crate::codes;
use crate::source::Span;
pub(super) use pleach_image::spelling::{integer, real};

/// A value in the text of a port.
#[derive(Clone, Copy, Debug)]
pub(super) enum Literal<'t> {
    Int(i64),
    Real(f64),
    Truth(bool),
    /// A text, a status or a queue.
    Text(&'t str),
}

/// Returns the value that the text of a port stands for, or the finding that it is none of the
/// type.
pub(super) fn literal(ty: PortType, text: &str, at: Span) -> Result<Literal<'_>, Refused> {
    let whole = |least: i64, most: i64| {
        let int = integer(text).map(|(int, _)| int).filter(|int| (least..=most).contains(int));
        int.map(Literal::Int)
    };
    let value = match ty {
        // The original reads a status when it needs the port, and fails then.
        PortType::Any | PortType::Text | PortType::Status => Some(Literal::Text(text)),
        PortType::Int => whole(i32::MIN.into(), i32::MAX.into()),
        PortType::Unsigned => whole(0, u32::MAX.into()),
        PortType::Int64 => whole(i64::MIN, i64::MAX),
        PortType::Double | PortType::Float => real(text).map(|(number, _)| Literal::Real(number)),
        PortType::Bool => truth(text).map(Literal::Truth),
        PortType::Entity => None,
        PortType::Queue(item) => {
            items(text).try_for_each(|part| literal(item.ty(), part, at).map(|_| ()))?;
            Some(Literal::Text(text))
        }
    };
    value.ok_or_else(|| {
        let message = format!("`{text}` is no value of this port");
        refused(codes::NODE_PORT, at, message, "write a value of the type of the port")
    })
}

/// Returns the items of a queue.
pub(super) fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split_terminator(';')
}

/// Returns the name in `{name}`. Blanks around the braces mean nothing.
pub(super) fn pointer(text: &str) -> Option<&str> {
    let text = text.trim_matches(|it| matches!(it, ' ' | '\t' | '\n' | '\r'));
    text.strip_prefix('{')?.strip_suffix('}').filter(|key| !key.is_empty())
}

/// Returns the truth that a text stands for.
pub(super) fn truth(text: &str) -> Option<bool> {
    match text {
        "1" | "true" | "TRUE" | "True" => Some(true),
        "0" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}
