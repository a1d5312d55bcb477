//! Well-formed XML that the engine's reader refuses.

use super::text::{is_space, tag_length};
use super::{Markup, OriginId, Session, Span, Text, codes, unquoted};

/// Reports attributes with more than one blank beside their `=`. Text that is not
/// well-formed XML may be skipped.
pub(super) fn check(session: &mut Session<'_>, text: &Text) {
    let all = text.text();
    let mut at = 0;
    while let Some(found) = all[at..].find('<') {
        let start = at + found;
        let rest = &all[start..];
        let length = match Markup::begins(rest) {
            Markup::Aside(length) => length,
            Markup::Declaration => rest.find('>').map(|at| at + 1),
            Markup::Element => tag_length(rest).inspect(|length| {
                let places = wide_equals(&rest[..*length]);
                places.into_iter().for_each(|place| report(session, text, start + place));
            }),
        };
        let Some(length) = length else { return };
        at = start + length;
    }
}

/// Returns the offset of each `=` in a tag that has more than one blank before or after it.
fn wide_equals(tag: &str) -> Vec<usize> {
    let is_wide = |index: &usize| {
        let before = tag[..*index].chars().rev().take_while(|it| is_space(*it)).count();
        let behind = tag[index + 1..].chars().take_while(|it| is_space(*it)).count();
        before > 1 || behind > 1
    };
    let equals = unquoted(tag).filter(|(_, byte)| *byte == b'=').map(|(index, _)| index);
    equals.filter(is_wide).collect()
}

fn report(session: &mut Session<'_>, text: &Text, at: usize) {
    let span = Span { source: text.source(), start: at as u32, end: at as u32 + 1, origin: OriginId::NONE };
    let message = "more than one blank stands beside this `=`";
    session.report(codes::WIDE_EQUALS, span, message, "the engine reads at most one on each side");
}

#[cfg(test)]
mod tests {
    use super::wide_equals;

    #[test]
    fn one_blank_beside_an_equals_sign_is_enough() {
        assert_eq!(wide_equals("<a b = 'c  =  d' e='f'>"), []);
        assert_eq!(wide_equals("<a b  = 'c' d= \n'e'/>"), [6, 13]);
    }
}
