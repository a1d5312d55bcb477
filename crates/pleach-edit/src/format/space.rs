//! Space between two tokens on a line.

use super::pieces::Piece;
use pleach_compile::internals::language::{Blank, Keyword, Lexeme, blank, extent};

/// Returns true if a value ends with the token. Then an operator after it has two operands.
fn ends_value(piece: &Piece<'_>) -> bool {
    match piece.lexeme {
        Some(Lexeme::Int | Lexeme::Float | Lexeme::Text | Lexeme::Close) => true,
        Some(Lexeme::Word) if piece.begins_range => false,
        Some(Lexeme::Word) => piece.keyword.is_none_or(|keyword| {
            use Keyword::{False, None, Now, True};
            !keyword.is_reserved() || matches!(keyword, True | False | Now | None)
        }),
        _ => false,
    }
}

/// Returns true if the token is an operator between two operands.
pub(super) fn is_binary(before: Option<&Piece<'_>>, piece: &Piece<'_>) -> bool {
    match piece.lexeme {
        Some(Lexeme::SUBTRACT) => !piece.starts && before.is_some_and(ends_value),
        Some(lexeme) => matches!(lexeme, Lexeme::Operator(_)),
        _ => false,
    }
}

/// Returns true if the token is a sign before its operand.
fn is_sign(before: Option<&Piece<'_>>, piece: &Piece<'_>) -> bool {
    piece.is(Lexeme::Not) || piece.is(Lexeme::SUBTRACT) && !is_binary(before, piece)
}

/// Returns true if a parenthesis after the token belongs to the token, as that of a call does.
fn is_called(piece: &Piece<'_>) -> bool {
    use Keyword::{Bool, Double, Float, Int, Int64, Random};
    let converts = |keyword| matches!(keyword, Bool | Int | Int64 | Float | Double | Random);
    let names = |keyword: Keyword| !keyword.is_reserved() || converts(keyword);
    piece.is(Lexeme::Word) && piece.keyword.is_none_or(names)
}

/// Returns true if two tokens belong to the type `entity<NAME>`.
fn is_kind(before: &[&Piece<'_>], left: &Piece<'_>, right: &Piece<'_>) -> bool {
    let all: Vec<_> = before.iter().rev().take(2).rev().copied().chain([left, right]).collect();
    let is_entity = |piece: &Piece<'_>| piece.keyword == Some(Keyword::Entity);
    match all[..] {
        [.., entity, less] if is_entity(entity) => less.is(Lexeme::LESS),
        [.., entity, less, _] if is_entity(entity) && less.is(Lexeme::LESS) => true,
        [entity, less, _, greater] => {
            is_entity(entity) && less.is(Lexeme::LESS) && greater.is(Lexeme::GREATER)
        }
        _ => false,
    }
}

/// Returns true if a space belongs between two tokens. `before` are the tokens
/// before them, the nearest last.
pub(super) fn between(before: &[&Piece<'_>], left: &Piece<'_>, right: &Piece<'_>) -> bool {
    let wanted = match (left.lexeme, right.lexeme) {
        _ if left.is_comment() || right.is_comment() || right.starts => return true,
        _ if is_kind(before, left, right) => false,
        (_, Some(Lexeme::Comma | Lexeme::Colon | Lexeme::Close | Lexeme::Dot | Lexeme::Range))
        | (Some(Lexeme::Open | Lexeme::Dot | Lexeme::Range), _) => false,
        (_, Some(Lexeme::Open)) => !is_called(left) && !is_sign(before.last().copied(), left),
        // `set NAME min= VALUE`
        (_, Some(Lexeme::Assign)) => {
            let sets = before.len() == 2 && before[0].keyword == Some(Keyword::Set);
            !(sets && matches!(left.keyword, Some(Keyword::Min | Keyword::Max)))
        }
        _ => !is_sign(before.last().copied(), left),
    };
    wanted || would_join(left, right)
}

/// Returns true if two tokens would become other tokens without a space between them.
fn would_join(left: &Piece<'_>, right: &Piece<'_>) -> bool {
    let joined = format!("{}{}", left.text, right.text);
    let joined = joined.as_bytes();
    let (lexeme, end) = extent(joined, 0);
    blank(joined, 0) != Blank::None || left.lexeme != Some(lexeme) || end != left.text.len()
}
