//! The text of an element as the engine's reader gives it.
//!
//! The reader cuts the content of an element into pieces: text, `CDATA` sections, and elements. If
//! an element has a meaning by its text, only the first piece of text counts. Runs of white space
//! in it become one blank. A blank at an end is removed only if the piece is the first or the last
//! thing in the element. Surprisingly, *attributes count as things in the element*:
//!
//! ```text
//! <condition> near </condition>              "near"
//! <parameter name='p'> near </parameter>     " near"
//! <condition> <!-- who? --> near</condition> " "
//! ```
//!
//! A comment divides a text into two pieces, and has no other effect. A `CDATA` section is a piece
//! of its own and is not changed.

use core::ops::Range;

/// Text of an element.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// The text.
    pub(super) text: String,
    /// Offset of the end of the piece in the content. What follows does not count.
    pub(super) end: usize,
    /// True if a character reference was above 255, and was cut to its lowest eight bits.
    pub(super) cut: bool,
}

/// Thing between two tags.
enum Thing<'a> {
    Text,
    Section(&'a str),
    Comment,
    /// An element or a processing instruction.
    Other,
}

/// Returns the first piece of text in an element. `inside` is the content between its tags.
pub(super) fn first(inside: &str, has_attributes: bool) -> Said {
    let (mut at, mut is_first) = (0, !has_attributes);
    while let Some((thing, end)) = thing(inside, at) {
        let (start, end) = (at, end);
        at = end;
        match thing {
            Thing::Comment => {}
            Thing::Section(text) => return Said { text: text.to_owned(), end, cut: false },
            Thing::Text => {
                let (text, cut) = resolved(&inside[start..end]);
                return Said { text: folded(&text, is_first, nothing_follows(inside, end)), end, cut };
            }
            Thing::Other => match end_of_other(inside, start) {
                Some(end) => (at, is_first) = (end, false),
                None => break,
            },
        }
    }
    Said { end: inside.len(), ..Said::default() }
}

/// Returns the thing that begins at a byte, and its end. Of an element, the end is only one byte
/// further.
fn thing(inside: &str, at: usize) -> Option<(Thing<'_>, usize)> {
    let rest = &inside[at..];
    if rest.is_empty() {
        return None;
    }
    let up_to = |end: &str| rest.find(end).map_or(rest.len(), |found| found + end.len());
    Some(if rest.starts_with("<!--") {
        (Thing::Comment, at + up_to("-->"))
    } else if let Some(section) = rest.strip_prefix("<![CDATA[") {
        let length = section.find("]]>").unwrap_or(section.len());
        (Thing::Section(&section[..length]), at + up_to("]]>"))
    } else if rest.starts_with('<') {
        (Thing::Other, at + 1)
    } else {
        let length = rest.find('<').unwrap_or(rest.len());
        (Thing::Text, at + length)
    })
}

/// Returns true if only comments follow after a byte.
fn nothing_follows(inside: &str, mut at: usize) -> bool {
    while let Some((thing, end)) = thing(inside, at) {
        match thing {
            Thing::Comment => at = end,
            _ => return false,
        }
    }
    true
}

/// Returns the first text behind a byte that is not only white space.
pub(super) fn rest(inside: &str, mut at: usize) -> Option<Range<usize>> {
    while let Some((found, end)) = thing(inside, at) {
        let start = core::mem::replace(&mut at, end);
        let blank = inside[start..end].chars().all(is_space);
        match found {
            Thing::Text | Thing::Section(_) if !blank => return Some(start..end),
            Thing::Other => at = end_of_other(inside, start)?,
            _ => {}
        }
    }
    None
}

/// Returns the end of the element or processing instruction that begins at a byte, with all its
/// content.
fn end_of_other(inside: &str, start: usize) -> Option<usize> {
    let (mut at, mut depth) = (start, 0_usize);
    loop {
        let (found, end) = thing(inside, at)?;
        at = end;
        if matches!(found, Thing::Other) {
            let tag = &inside[end - 1..];
            at = end - 1 + if tag.starts_with("<?") { tag.find("?>")? + 2 } else { tag_length(tag)? };
            if tag.starts_with("</") {
                depth = depth.checked_sub(1)?;
            } else if !tag.starts_with("<?") && !inside[..at].ends_with("/>") {
                depth += 1;
            }
            if depth == 0 {
                return Some(at);
            }
        }
    }
}

/// Returns the bytes of a tag, in whose values a `>` may stand.
pub(super) fn tag_length(tag: &str) -> Option<usize> {
    unquoted(tag).find(|(_, byte)| *byte == b'>').map(|(index, _)| index + 1)
}

/// Returns the bytes of a text that do not stand in quotes, with their indices.
/// The quotes are left out, too.
pub(super) fn unquoted(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let mut quote = None;
    text.bytes().enumerate().filter(move |(_, byte)| match quote {
        Some(open) => {
            quote = quote.filter(|_| open != *byte);
            false
        }
        None => {
            quote = Some(*byte).filter(|byte| matches!(byte, b'"' | b'\''));
            quote.is_none()
        }
    })
}

/// The bytes that the reader takes for white space.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

/// Turns runs of white space into one blank. Removes a blank at an end where the piece is the first
/// or the last thing of the element.
fn folded(text: &str, is_first: bool, is_last: bool) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut space = false;
    for character in text.chars() {
        if is_space(character) {
            space = true;
            continue;
        }
        if core::mem::take(&mut space) && !(is_first && folded.is_empty()) {
            folded.push(' ');
        }
        folded.push(character);
    }
    if space && !is_last {
        folded.push(' ');
    }
    folded
}

/// Returns a text with its references replaced, and true if a character reference was above 255. Of
/// a reference, the reader keeps the lowest eight bits, and drops the character if they are 0.
pub(super) fn resolved(text: &str) -> (String, bool) {
    let (mut out, mut cut, mut rest) = (String::with_capacity(text.len()), false, text);
    while let Some(start) = rest.find('&') {
        let (before, reference) = rest.split_at(start);
        out.push_str(before);
        let Some(length) = reference.find(';') else { break };
        let (character, larger) = character(&reference[1..length]);
        out.extend(character);
        cut |= larger;
        rest = &reference[length + 1..];
    }
    out.push_str(rest);
    (out, cut)
}

/// Returns the character that a reference names, and whether its number was above 255.
fn character(name: &str) -> (Option<char>, bool) {
    let number = match name.strip_prefix('#').map(|number| (number, number.strip_prefix('x'))) {
        None => {
            let named = match name {
                "lt" => '<',
                "gt" => '>',
                "amp" => '&',
                "quot" => '"',
                _ => '\'',
            };
            return (Some(named), false);
        }
        Some((_, Some(digits))) => number(digits, 16),
        Some((digits, None)) => number(digits, 10),
    };
    let byte = number as u8;
    ((byte != 0).then(|| char::from(byte)), number > 255)
}

/// Returns a number, at most 2^32 - 1. A larger one counts as that.
fn number(digits: &str, radix: u32) -> u32 {
    u32::from_str_radix(digits, radix).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(inside: &str, has_attributes: bool) -> String {
        first(inside, has_attributes).text
    }

    #[test]
    fn white_space_is_folded_and_goes_at_the_ends_of_an_element() {
        assert_eq!(text("\n  near \t player\r\n", false), "near player");
        assert_eq!(text(" v ", true), " v");
        assert_eq!(text(" ", false), "");
        assert_eq!(text("  ", true), "");
        assert_eq!(text("", true), "");
        assert_eq!(text("&#32;a&#x20;&#9;b&#10;", false), "a b");
    }

    #[test]
    fn the_first_piece_counts() {
        assert_eq!(text("a <!-- c --> b", false), "a ");
        assert_eq!(text("<!-- c --> a <!-- d -->", false), "a");
        assert_eq!(text(" <!-- c -->a", false), " ");
        assert_eq!(text("a<b>x</b>", false), "a");
        assert_eq!(text("a <b/>", false), "a ");
        assert_eq!(text("<b c='/>'>x<d/></b> a ", false), " a");
        assert_eq!(text("<?go a > b?> a", false), " a");
        assert_eq!(text("<b>a</b>", false), "");
    }

    #[test]
    fn sections_are_taken_as_they_are() {
        assert_eq!(text("<![CDATA[ a  &amp; ]]>b", true), " a  &amp; ");
        assert_eq!(text(" <![CDATA[a]]>", false), " ");
        assert_eq!(text("a<![CDATA[b]]>", false), "a");
        assert_eq!(first("a<![CDATA[b]]>", false).end, 1);
    }

    #[test]
    fn what_comes_behind_is_found() {
        let behind =
            |inside: &str| rest(inside, first(inside, false).end).map(|range| inside[range].to_owned());
        assert_eq!(behind("a <!-- b -->\n<c>d</c> "), None);
        assert_eq!(behind("a<!-- b --> c"), Some(" c".into()));
        assert_eq!(behind("<![CDATA[a]]> b"), Some(" b".into()));
        assert_eq!(behind("a<b>c</b>d"), Some("d".into()));
        assert_eq!(behind("a<![CDATA[b]]>"), Some("<![CDATA[b]]>".into()));
    }

    #[test]
    fn references_keep_eight_bits() {
        assert_eq!(resolved("&lt;&gt;&amp;&quot;&apos;"), ("<>&\"'".into(), false));
        assert_eq!(resolved("&#65;&#x42;&#233;"), ("AB\u{e9}".into(), false));
        assert_eq!(resolved("&#321;x"), ("Ax".into(), true));
        assert_eq!(resolved("a&#256;b"), ("ab".into(), true));
    }
}
