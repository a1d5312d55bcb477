//! Ends of lines, and their indentation.
//!
//! The layout is one pass over the pieces. A line begins where a node or declaration begins, at
//! braces, and around comments that had a line of their own. Within an expression or a list, it
//! begins where one began before. A block that was written on one line keeps that line if there is
//! room. Outer blocks are tested first.

use super::pieces::{Piece, pieces};
use super::space;
use pleach_compile::internals::language::Lexeme;

/// Lines are not longer because a block stands on them.
const WIDTH: usize = 100;
/// Width of a tab, in columns.
const TAB: usize = 4;
/// Deeper lines are not indented further: their tabs would be most of the text.
const DEEPEST: usize = 64;

/// Returns the text with its nodes at `starts`, laid out.
pub(super) fn layout(text: &str, starts: &[u32]) -> String {
    let pieces = pieces(text, starts);
    let mut layout = Layout {
        pieces: &pieces,
        out: String::with_capacity(text.len() + text.len() / 4),
        column: 0,
        depth: 0,
        inline_until: 0,
        before: [None; 3],
    };
    for index in 0..pieces.len() {
        layout.piece(index);
    }
    if !layout.out.is_empty() {
        layout.out.push('\n');
    }
    layout.out
}

struct Layout<'p, 't> {
    pieces: &'p [Piece<'t>],
    out: String,
    /// Width of the present line so far.
    column: usize,
    /// Number of open blocks that are not on one line.
    depth: usize,
    /// One past the end of the last block that stands on one line.
    inline_until: usize,
    /// The last tokens, the latest last.
    before: [Option<usize>; 3],
}

impl Layout<'_, '_> {
    fn piece(&mut self, index: usize) {
        let piece = &self.pieces[index];
        if piece.is_comment() {
            return self.comment(index);
        }
        if self.is_inline(index) {
            self.space(index);
        } else {
            self.begin_token(index);
        }
        self.write(piece.text);
        self.depth += usize::from(piece.is(Lexeme::OpenBrace) && !self.is_inline(index));
        self.before = [self.before[1], self.before[2], Some(index)];
    }

    /// Returns true if a piece is in a block on one line.
    fn is_inline(&self, index: usize) -> bool {
        index < self.inline_until
    }

    /// Writes the line end or space before a token that is in no block on one line.
    fn begin_token(&mut self, index: usize) {
        let piece = &self.pieces[index];
        if piece.is(Lexeme::OpenBrace) && self.fits(index) {
            self.inline_until = piece.partner.unwrap_or(index) + 1;
            return self.space(index);
        }
        if piece.is(Lexeme::CloseBrace) {
            self.depth = self.depth.saturating_sub(1);
        }
        if self.begins_line(index) {
            self.line(index, self.depth);
        } else if self.goes_on_below(index) {
            let closes = piece.is(Lexeme::Close);
            self.line_at(self.depth + usize::from(!closes));
        } else {
            self.space(index);
        }
    }

    /// Returns true if a token always begins a line.
    fn begins_line(&self, index: usize) -> bool {
        let piece = &self.pieces[index];
        let is_brace = |piece: &Piece<'_>| piece.is(Lexeme::OpenBrace) || piece.is(Lexeme::CloseBrace);
        piece.starts || is_brace(piece) || self.last().is_some_and(is_brace)
    }

    /// Returns true if a line ended before a token, and may end there: after a comment,
    /// beside an operator, or in a list.
    fn goes_on_below(&self, index: usize) -> bool {
        let piece = &self.pieces[index];
        let Some(previous) = index.checked_sub(1).map(|index| &self.pieces[index]) else { return false };
        if previous.is_comment() {
            return piece.breaks > 0;
        }
        let before = self.before[1].map(|index| &self.pieces[index]);
        let opens = previous.is(Lexeme::Open) || previous.is(Lexeme::Comma);
        let joins = space::is_binary(before, previous) || space::is_binary(Some(previous), piece);
        piece.breaks > 0 && (opens || joins || piece.is(Lexeme::Close))
    }

    fn last(&self) -> Option<&Piece<'_>> {
        self.before[2].map(|index| &self.pieces[index])
    }

    /// Returns true if the block of a brace was written on one line, and fits into the line.
    fn fits(&self, open: usize) -> bool {
        let Some(close) = self.pieces[open].partner else { return false };
        let Some(header) = open.checked_sub(1).map(|index| &self.pieces[index]) else { return false };
        if header.line != self.pieces[close].line || self.last().is_some_and(|it| it.is(Lexeme::CloseBrace)) {
            return false;
        }
        let mut column = self.column;
        let mut before = self.before;
        for index in open..=close {
            column += usize::from(self.spaced(before, index)) + width(self.pieces[index].text);
            if column > WIDTH {
                return false;
            }
            if !self.pieces[index].is_comment() {
                before = [before[1], before[2], Some(index)];
            }
        }
        true
    }

    fn comment(&mut self, index: usize) {
        let piece = &self.pieces[index];
        if piece.breaks == 0 && index > 0 {
            self.write(" ");
        } else {
            let next = self.pieces[index..].iter().position(|piece| !piece.is_comment());
            let next = next.map(|next| index + next);
            let goes_on = next.is_some_and(|next| !self.begins_line(next));
            let within = goes_on && self.before[2].is_some();
            self.line(index, self.depth + usize::from(within));
        }
        let mut lines = piece.text.split('\n');
        self.write(lines.next().unwrap_or_default().trim_end());
        for line in lines {
            self.out.push('\n');
            self.column = 0;
            self.write(line.trim_end());
        }
    }

    /// Ends the line, and leaves one empty where some were.
    fn line(&mut self, index: usize, depth: usize) {
        let piece = &self.pieces[index];
        let opened = index.checked_sub(1).is_some_and(|index| self.pieces[index].is(Lexeme::OpenBrace));
        let is_brace = piece.is(Lexeme::OpenBrace) || piece.is(Lexeme::CloseBrace);
        if piece.breaks > 1 && !opened && !is_brace && !self.out.is_empty() {
            self.out.push('\n');
        }
        self.line_at(depth);
    }

    /// Ends the line, and indents the next one.
    fn line_at(&mut self, depth: usize) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        let tabs = depth.min(DEEPEST);
        self.out.extend(core::iter::repeat_n('\t', tabs));
        self.column = tabs * TAB;
    }

    /// Separates a piece from that before it on the line.
    fn space(&mut self, index: usize) {
        if self.spaced(self.before, index) {
            self.write(" ");
        }
    }

    /// Returns true if a space belongs before a piece, given the last tokens.
    fn spaced(&self, before: [Option<usize>; 3], index: usize) -> bool {
        let piece = &self.pieces[index];
        let Some(previous) = index.checked_sub(1).map(|index| &self.pieces[index]) else { return false };
        if previous.is_comment() || piece.is_comment() {
            return true;
        }
        let earlier: Vec<_> = before[..2].iter().flatten().map(|index| &self.pieces[*index]).collect();
        space::between(&earlier, previous, piece)
    }

    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += width(text);
    }
}

fn width(text: &str) -> usize {
    text.chars().map(|it| if it == '\t' { TAB } else { 1 }).sum()
}
