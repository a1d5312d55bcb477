//! From bytes to text, by the encoding that a file declares.

use super::Flaw;
use crate::codes;
use std::borrow::Cow;

/// Returns the text of a file.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Flaw> {
    let (skipped, bytes) = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => (3, rest),
        _ => (0, bytes),
    };
    match declared(bytes) {
        None => utf8(bytes, skipped),
        Some((_, name))
            if ["utf-8", "utf8", "us-ascii", "ascii"].iter().any(|it| name.eq_ignore_ascii_case(it)) =>
        {
            utf8(bytes, skipped)
        }
        Some((_, name)) if ["iso-8859-1", "latin1"].iter().any(|it| name.eq_ignore_ascii_case(it)) => {
            // The first 256 characters are those of this encoding, in order.
            Ok(bytes.iter().map(|byte| char::from(*byte)).collect())
        }
        Some((at, name)) => Err(Flaw {
            code: codes::XML_ENCODING,
            at: skipped + at..skipped + at + 1,
            message: format!("the encoding `{name}` is not known"),
            help: "write the file in UTF-8; ISO-8859-1 is known, too",
        }),
    }
}

fn utf8(bytes: &[u8], skipped: usize) -> Result<Cow<'_, str>, Flaw> {
    core::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| Flaw {
        code: codes::INVALID_TEXT,
        at: skipped + error.valid_up_to()..skipped + error.valid_up_to() + 1,
        message: "the text is not UTF-8 here".into(),
        help: "if the file is in another encoding, its first line must say so",
    })
}

/// Returns the encoding that the first line declares, and where.
fn declared(bytes: &[u8]) -> Option<(usize, &str)> {
    let line = bytes.strip_prefix(b"<?xml").and(Some(bytes))?;
    let line = &line[..memchr::memmem::find(line, b"?>")?];
    let name = memchr::memmem::find(line, b"encoding")? + "encoding".len();
    let quote = name + line[name..].iter().position(|byte| matches!(byte, b'"' | b'\''))?;
    let length = line[quote + 1..].iter().position(|byte| *byte == line[quote])?;
    let text = core::str::from_utf8(&line[quote + 1..][..length]).ok()?;
    Some((quote + 1, text))
}
