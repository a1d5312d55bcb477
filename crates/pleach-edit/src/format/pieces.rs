//! A text cut into tokens and comments, with the properties that the layout needs.

use crate::document::second_word;
use crate::tokens::{Token, tokens};
use pleach_compile::internals::language::{Keyword, Lexeme};

/// A token or comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'t> {
    /// The kind of the token; none for a comment.
    pub(super) lexeme: Option<Lexeme>,
    /// Text of the piece. A comment includes the spaces at the ends of its lines.
    pub(super) text: &'t str,
    /// Keyword that the piece is, if it is one.
    pub(super) keyword: Option<Keyword>,
    /// Number of line ends since the piece before.
    pub(super) breaks: usize,
    /// The line it ends on.
    pub(super) line: usize,
    /// True if a node or declaration begins here.
    pub(super) starts: bool,
    /// True for the word `in` of a tunable, which is no name.
    pub(super) begins_range: bool,
    /// The brace that belongs to this one.
    pub(super) partner: Option<usize>,
}

impl Piece<'_> {
    pub(super) fn is(&self, lexeme: Lexeme) -> bool {
        self.lexeme == Some(lexeme)
    }

    pub(super) fn is_comment(&self) -> bool {
        self.lexeme.is_none()
    }
}

/// Returns all pieces of a text. Nodes begin at the `starts`, which are in order.
pub(super) fn pieces<'t>(text: &'t str, starts: &[u32]) -> Vec<Piece<'t>> {
    let mut pieces: Vec<Piece<'t>> = Vec::new();
    let mut starts = starts.iter().copied().peekable();
    let (mut last, mut line) = (0, 0);
    for Token { lexeme, keyword, start, end } in tokens(text) {
        let (at, after) = (start as usize, end as usize);
        let written = text.get(at..after).unwrap_or_default();
        let breaks = line_ends(&text.as_bytes()[last..at]);
        line += breaks + line_ends(written.as_bytes());
        while starts.next_if(|node| *node < start).is_some() {}
        let mut begins = starts.peek() == Some(&start);
        if begins && let Some(first) = parenthesis_before(&pieces) {
            pieces[first].starts = true;
            begins = false;
        }
        pieces.push(Piece {
            lexeme,
            text: written,
            keyword,
            breaks,
            line,
            starts: begins,
            begins_range: false,
            partner: None,
        });
        last = after;
    }
    pair(&mut pieces);
    pieces
}

fn line_ends(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

/// Returns the first of the parentheses that have been opened right before
/// the next piece, comments aside.
fn parenthesis_before(pieces: &[Piece<'_>]) -> Option<usize> {
    let counted = pieces.iter().enumerate().rev();
    let near = counted.take_while(|(_, piece)| piece.is(Lexeme::Open) || piece.is_comment());
    near.filter(|(_, piece)| piece.is(Lexeme::Open)).last().map(|(index, _)| index)
}

/// Lets braces know their partners, and marks where declarations begin: at the words that only
/// begin those, outside of all braces.
fn pair(pieces: &mut [Piece<'_>]) {
    let mut open = Vec::new();
    let (mut second, mut is_tunable) = (None, false);
    for index in 0..pieces.len() {
        let piece = pieces[index];
        if piece.is(Lexeme::OpenBrace) {
            open.push(index);
        } else if piece.is(Lexeme::CloseBrace)
            && let Some(first) = open.pop()
        {
            pieces[first].partner = Some(index);
            pieces[index].partner = Some(first);
        } else if open.is_empty() && !piece.is_comment() {
            let begins = piece.keyword.is_some_and(|it| it.begins_item_only() || it == Keyword::Action);
            // A declaration of two words, such as `world var`, begins with the first.
            let is_second = second.is_some() && piece.keyword == second;
            pieces[index].starts |= begins && !is_second;
            if pieces[index].starts {
                is_tunable = piece.keyword == Some(Keyword::Tune);
            }
            pieces[index].begins_range = is_tunable && piece.text == "in";
            if second.is_none() || piece.text != "agent" {
                second = piece.keyword.and_then(second_word);
            }
        }
    }
}
