//! Values in texts.

pub(super) use pleach_image::spelling::{integer, real};

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
