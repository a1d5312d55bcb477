//! Search for the block whose closing brace is missing.
//!
//! If a block has no end, the parser finds that out only at something that cannot be in a
//! block. Authors indent their text. So a brace is missing in the block whose closing brace is
//! indented less than its beginning.

use super::super::lexer::{Lexeme, token};

/// The brace between `from` and `to` that opens the block without end.
#[cold]
pub(super) fn suspect(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut open: Vec<usize> = Vec::new();
    let mut end = from;
    loop {
        let (lexeme, at, after) = token(text, end);
        end = after;
        match lexeme {
            Lexeme::End => return open.pop(),
            _ if at >= to => return open.pop(),
            Lexeme::OpenBrace => open.push(at),
            Lexeme::CloseBrace => {
                let opened = open.pop()?;
                if let (Some(inner), Some(outer)) = (indent(text, opened), first_indent(text, at))
                    && outer < inner
                {
                    return Some(opened);
                }
            }
            _ => {}
        }
    }
}

/// Returns the indentation of the line of a byte.
fn indent(text: &[u8], at: usize) -> Option<usize> {
    let line = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
    text[line..].iter().position(|byte| !matches!(byte, b' ' | b'\t'))
}

/// Returns the indentation of the line of a byte, if that byte is the first of its line.
fn first_indent(text: &[u8], at: usize) -> Option<usize> {
    let line = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
    indent(text, at).filter(|indent| line + indent == at)
}
