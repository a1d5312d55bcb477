//! What a text says.

use crate::codes;
use crate::diagnostic::Code;

/// Something wrong with a text.
pub(super) struct Problem {
    pub(super) code: Code,
    /// Where, from the beginning of the text, and how long.
    pub(super) at: usize,
    pub(super) length: usize,
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// The bytes that a text with its quotes stands for.
pub(super) fn value(text: &[u8]) -> (Vec<u8>, Vec<Problem>) {
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
                    _ => problems.push(unknown(text, at)),
                }
                at += 1;
            }
            _ => value.push(*byte),
        }
        at += 1;
    }
    if !closed {
        let message = "this text has no end on its line".to_owned();
        let help = "end it with `\"`; a new line in a text is written `\\n`";
        problems.push(Problem { code: codes::OPEN_TEXT, at: 0, length: 1, message, help });
    }
    (value, problems)
}

fn unknown(text: &[u8], at: usize) -> Problem {
    let shown = String::from_utf8_lossy(&text[at + 1..]).chars().next().unwrap_or_default();
    Problem {
        code: codes::BAD_ESCAPE,
        at,
        length: 1 + shown.len_utf8().min(text.len() - at - 1),
        message: format!("texts have no escape `\\{}`", shown.escape_default()),
        help: "the escapes are `\\\"`, `\\\\`, `\\n` and `\\t`",
    }
}
