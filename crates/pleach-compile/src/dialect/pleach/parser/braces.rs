//! Search for the block whose closing brace is missing.
//!
//! If a block has no end, the parser finds that out only at something that cannot be in a
//! block. Authors indent their text. So a brace is missing in the block whose closing brace is
//! indented less than its beginning.

use super::super::lexer::token;
use super::Lexeme;

/// The brace between `from` and `to` that opens the block without end.
#[cold]
pub(super) fn suspect(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let (mut end, mut line) = (from, Line::of(text, from));
    loop {
        let (lexeme, at, after) = token(text, end);
        end = after;
        line.go_on(text, at);
        match lexeme {
            Lexeme::End => return open.pop().map(|(opened, _)| opened),
            _ if at >= to => return open.pop().map(|(opened, _)| opened),
            Lexeme::OpenBrace => open.push((at, line.indent)),
            Lexeme::CloseBrace => {
                let (opened, inner) = open.pop()?;
                if line.start + line.indent == at && line.indent < inner {
                    return Some(opened);
                }
            }
            _ => {}
        }
    }
}

/// The line of a token. Each byte of the text is read once, however many tokens a line has.
struct Line {
    /// Offset of a byte of the line.
    at: usize,
    /// Offset of its first byte.
    start: usize,
    /// Number of blanks that it begins with.
    indent: usize,
}

impl Line {
    /// Returns the line of a byte.
    fn of(text: &[u8], at: usize) -> Self {
        let mut line = Self { at, start: 0, indent: 0 };
        line.begin(text, memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1));
        line
    }

    /// Advances to the line of a later byte.
    fn go_on(&mut self, text: &[u8], at: usize) {
        if let Some(end) = memchr::memrchr(b'\n', &text[self.at..at]) {
            self.begin(text, self.at + end + 1);
        }
        self.at = at;
    }

    fn begin(&mut self, text: &[u8], start: usize) {
        let blanks = text[start..].iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        (self.start, self.indent) = (start, blanks.count());
    }
}
