//! Positions of the protocol, and places in texts.

use gen_lsp_types::{Position, Range, TextEdit};
use pleach_edit::Replacement;
use std::sync::Arc;

/// Lines of a text.
#[derive(Debug)]
pub(crate) struct Lines {
    text: Arc<str>,
    starts: Vec<usize>,
    /// Units of UTF-16 before each piece of [`PIECE`] bytes. A line may be as long as the text.
    units: Vec<usize>,
    is_utf8: bool,
}

/// Number of bytes whose units are counted together.
const PIECE: usize = 1024;

impl Lines {
    /// Finds the lines of a text. Columns count bytes if the client agreed to that, else UTF-16.
    pub(crate) fn new(text: Arc<str>, is_utf8: bool) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = [0].into_iter().chain(ends.map(|(at, _)| at + 1)).collect();
        let pieces = (0..=text.len() / PIECE).map(|piece| text.floor_char_boundary(piece * PIECE));
        let (mut from, mut sum) = (0, 0);
        let units = pieces.map(|at| {
            sum += text[from..at].encode_utf16().count();
            from = at;
            sum
        });
        let units = units.collect();
        Self { text, starts, units, is_utf8 }
    }

    /// Returns the number of units of UTF-16 before a byte.
    fn units(&self, at: usize) -> usize {
        let piece = at / PIECE;
        let from = self.text.floor_char_boundary(piece * PIECE);
        self.units[piece] + self.text[from..at].encode_utf16().count()
    }

    /// Returns the position of a byte.
    pub(crate) fn position(&self, at: u32) -> Position {
        let at = self.text.floor_char_boundary(at as usize);
        let line = self.line_index(at);
        let start = self.starts[line];
        let character = if self.is_utf8 { at - start } else { self.units(at) - self.units(start) };
        Position { line: line as u32, character: character as u32 }
    }

    fn line_index(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at) - 1
    }

    /// Returns the line and the column of a byte, both from 1. Columns count bytes.
    pub(crate) fn place_of(&self, at: u32) -> (u32, u32) {
        let line = self.line_index(at as usize);
        (line as u32 + 1, at - self.starts[line] as u32 + 1)
    }

    /// Returns the range of two bytes.
    pub(crate) fn range(&self, (start, end): (u32, u32)) -> Range {
        Range { start: self.position(start), end: self.position(end) }
    }

    /// Returns the byte of a position. A position behind a line is the end of the line, one behind
    /// the text is its end.
    pub(crate) fn byte(&self, position: Position) -> u32 {
        let Some(start) = self.starts.get(position.line as usize).copied() else {
            return self.text.len() as u32;
        };
        (start + byte_of(&self.text[start..], position.character, self.is_utf8)) as u32
    }

    /// Returns a line without its end, counted from 1. There is no line 0.
    pub(crate) fn line(&self, number: u32) -> Option<&str> {
        let index = (number as usize).checked_sub(1)?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        let line = &self.text[start..end];
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// Returns the byte at a line and a column in bytes, both counted from 1, if the text has it.
    pub(crate) fn place(&self, line: u32, column: u32) -> Option<u32> {
        let before =
            column.checked_sub(1).filter(|it| *it as usize <= self.line(line).map_or(0, str::len))?;
        let start = *self.starts.get((line as usize).checked_sub(1)?)?;
        Some(start as u32 + before)
    }

    /// Returns the bytes of a range.
    pub(crate) fn bytes(&self, range: Range) -> (u32, u32) {
        let (start, end) = (self.byte(range.start), self.byte(range.end));
        (start, end.max(start))
    }

    /// Returns replacements as the protocol has them.
    pub(crate) fn edits(&self, replacements: &[Replacement]) -> Vec<TextEdit> {
        let edit = |it: &Replacement| TextEdit { range: self.range(it.range), new_text: it.text.clone() };
        replacements.iter().map(edit).collect()
    }
}

/// Returns the byte of a column in the first line of a text.
fn byte_of(text: &str, column: u32, is_utf8: bool) -> usize {
    let line = text.split('\n').next().unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    let wanted = column as usize;
    if is_utf8 {
        return line.floor_char_boundary(wanted);
    }
    let mut units = 0;
    let fits = |letter: &char| {
        units += letter.len_utf16();
        units <= wanted
    };
    line.chars().take_while(fits).map(char::len_utf8).sum()
}

/// Returns the bytes of one range of a text, as [`Lines::bytes`] does, without a list of all lines.
pub(crate) fn bytes(text: &str, range: Range, is_utf8: bool) -> (usize, usize) {
    let byte = |position: Position| {
        let before = (position.line as usize).checked_sub(1);
        let start = match before {
            Some(before) => text.match_indices('\n').nth(before).map_or(text.len(), |(at, _)| at + 1),
            None => 0,
        };
        start + byte_of(&text[start..], position.character, is_utf8)
    };
    let (start, end) = (byte(range.start), byte(range.end));
    (start, end.max(start))
}

/// Returns the path of a `file:` URI, with `/` between its folders; `None` for other URIs.
pub(crate) fn path_of(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut at = 0;
    while let Some(byte) = path.as_bytes().get(at) {
        let code = path.get(at + 1..at + 3).filter(|_| *byte == b'%');
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                at += 3;
            }
            None => {
                bytes.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// Returns the URI of a path.
pub(crate) fn uri_of(path: &str) -> gen_lsp_types::Uri {
    address(path).into()
}

/// Returns the address of a path, with all bytes escaped that an address cannot hold: a `file:` URI
/// if the path begins with `/` or a drive of Windows, else a relative reference.
#[must_use]
pub fn address(path: &str) -> String {
    // Only paths of Windows have `\` between their folders, and none of these begins with `/`.
    let path = if path.starts_with('/') { path.to_owned() } else { path.replace('\\', "/") };
    let has_drive = matches!(path.as_bytes(), [drive, b':', b'/', ..] if drive.is_ascii_alphabetic());
    let scheme = match path.starts_with('/') {
        true => "file://",
        false if has_drive => "file:///",
        false => "",
    };
    let mut address = scheme.to_owned();
    for (at, byte) in path.bytes().enumerate() {
        let is_plain = byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) || has_drive && at == 1;
        if is_plain {
            address.push(char::from(byte));
        } else {
            address.push_str(&format!("%{byte:02X}"));
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_bytes_or_utf16() {
        let text = "a\u{e4}\u{1f600}b\r\nc";
        for (is_utf8, columns) in [(true, [0, 1, 3, 7, 8]), (false, [0, 1, 2, 4, 5])] {
            let lines = Lines::new(text.into(), is_utf8);
            for (byte, character) in [0, 1, 3, 7, 8].into_iter().zip(columns) {
                let position = Position { line: 0, character };
                assert_eq!((lines.position(byte), lines.byte(position)), (position, byte));
            }
            assert_eq!(lines.byte(Position { line: 0, character: 99 }), 8);
            assert_eq!(lines.byte(Position { line: 1, character: 1 }), 11);
            assert_eq!(lines.byte(Position { line: 7, character: 0 }), 11);
        }
        assert_eq!(Lines::new(text.into(), false).byte(Position { line: 0, character: 3 }), 3);
    }

    #[test]
    fn ranges_without_a_list_of_lines_are_those_with_one() {
        let text = "a\u{e4}\u{1f600}b\r\n\nc";
        for is_utf8 in [true, false] {
            let lines = Lines::new(text.into(), is_utf8);
            for (line, character) in (0..5).flat_map(|line| (0..10).map(move |character| (line, character))) {
                let range =
                    Range { start: Position { line, character }, end: Position { line: 2, character } };
                let (start, end) = lines.bytes(range);
                assert_eq!(bytes(text, range, is_utf8), (start as usize, end as usize));
            }
        }
    }

    #[test]
    fn positions_in_long_lines_are_those_of_short_ones() {
        let text = "a\u{e4}\u{1f600}".repeat(1_000);
        let lines = Lines::new(text.as_str().into(), false);
        for (at, _) in text.char_indices() {
            let character = text[..at].encode_utf16().count() as u32;
            assert_eq!(lines.position(at as u32), Position { line: 0, character });
        }
    }

    #[test]
    fn paths_become_uris_and_come_back() {
        for path in ["/a/b.pleach", "/with space/\u{e4}%.pleach", "/a\\b.pleach"] {
            assert_eq!(path_of(&uri_of(path).0).as_deref(), Some(path));
        }
        assert_eq!(path_of("file:///a%20b"), Some("/a b".to_owned()));
        assert_eq!(path_of("untitled:a"), None);
    }

    #[test]
    fn paths_become_addresses() {
        assert_eq!(address("bots/my guard.bt"), "bots/my%20guard.bt");
        assert_eq!(address("bots\\a:b.bt"), "bots/a%3Ab.bt");
        assert_eq!(address("/a b/\u{e4}.bt"), "file:///a%20b/%C3%A4.bt");
        assert_eq!(address("C:\\a b.bt"), "file:///C:/a%20b.bt");
    }
}
