//! Contents of texts.

use super::Cursor;
use crate::codes;
use crate::diagnostic::Diagnostic;
use std::borrow::Cow;

/// Returns the bytes of a text that begins at `start` with its quote, and its errors.
pub(super) fn value<'t>(cursor: &Cursor, text: &'t [u8], start: usize) -> (Cow<'t, [u8]>, Vec<Diagnostic>) {
    if let [b'"', plain @ .., b'"'] = text
        && memchr::memchr2(b'\\', b'"', plain).is_none()
    {
        return (plain.into(), Vec::new());
    }
    let mut value = Vec::with_capacity(text.len());
    let mut problems = Vec::new();
    let mut at = 1;
    let mut closed = false;
    while let Some(byte) = text.get(at) {
        match (byte, text.get(at + 1)) {
            (b'"', _) => closed = true,
            (b'\\', Some(escape)) => {
                match escape {
                    b'"' | b'\\' => value.push(*escape),
                    b'n' => value.push(b'\n'),
                    b't' => value.push(b'\t'),
                    _ => problems.push(unknown(cursor, &text[at..], start + at)),
                }
                at += 1;
            }
            _ => value.push(*byte),
        }
        at += 1;
    }
    if !closed {
        let (at, message) = (cursor.span(start, start + 1), "this text has no end on its line");
        let help = "end it with `\"`; a new line in a text is written `\\n`";
        problems.push(Diagnostic::new(codes::OPEN_TEXT, at, message).help(help));
    }
    (value.into(), problems)
}

/// Returns the finding for an escape that there is not, which begins at `start`.
fn unknown(cursor: &Cursor, escape: &[u8], start: usize) -> Diagnostic {
    let shown = String::from_utf8_lossy(&escape[1..]).chars().next().unwrap_or_default();
    let end = start + 1 + shown.len_utf8().min(escape.len() - 1);
    let message = format!("texts have no escape `\\{}`", shown.escape_default());
    let finding = Diagnostic::new(codes::BAD_ESCAPE, cursor.span(start, end), message);
    finding.help("the escapes are `\\\"`, `\\\\`, `\\n` and `\\t`")
}
