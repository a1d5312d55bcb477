//! Names that manifests can declare.

/// Reads a name.
pub(super) fn name(text: &str) -> Result<String, String> {
    if is_name(text) {
        return Ok(text.to_owned());
    }
    Err(format!("`{text}` is no name; names have letters, digits and `_`"))
}

/// Returns true for a text that a manifest can declare.
pub(super) fn is_name(text: &str) -> bool {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().all(part) && text.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}
