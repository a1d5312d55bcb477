//! Limits that hold before a file is parsed.
//!
//! The parser compares all attributes of an element with each other, and copies the namespaces of
//! an element to each element in it that declares another. So both are counted first, in one pass
//! over the text. The pass knows as much of XML as it takes to find attributes. In text that is not
//! well-formed it may count wrong, but only behind the place at which the parser gives up.

use super::{Flaw, Markup};
use crate::codes;
use core::ops::Range;
use memchr::{memchr, memchr3};

/// The most attributes of an element.
pub(super) const MAX_ATTRIBUTES: usize = 256;
/// The most namespaces that a file declares. With all of them in scope at each element, the parser
/// takes time by their cube.
const MAX_NAMESPACES: usize = 64;

/// Returns the first attribute that is one too many.
pub(super) fn excess(text: &str) -> Option<Flaw> {
    let mut scan = Scan { text, at: 0, inside: false, attributes: 0, namespaces: 0 };
    while let Some(name) = scan.attribute() {
        if scan.attributes > MAX_ATTRIBUTES {
            return Some(Flaw {
                code: codes::XML_MANY_ATTRIBUTES,
                at: name,
                message: format!("the element has more than {MAX_ATTRIBUTES} attributes"),
                help: "no node needs as many; split the element",
            });
        }
        if scan.namespaces > MAX_NAMESPACES {
            return Some(Flaw {
                code: codes::XML_MANY_NAMESPACES,
                at: name,
                message: format!("the file declares more than {MAX_NAMESPACES} namespaces"),
                help: "trees need none; remove the attributes `xmlns`",
            });
        }
    }
    None
}

/// Pass over the text, from attribute to attribute.
struct Scan<'t> {
    text: &'t str,
    at: usize,
    /// True between the name of a tag and its end.
    inside: bool,
    /// Attributes of this element so far.
    attributes: usize,
    /// Declarations of namespaces in the file so far.
    namespaces: usize,
}

impl Scan<'_> {
    /// Goes behind the next attribute and returns where its name stands.
    fn attribute(&mut self) -> Option<Range<usize>> {
        loop {
            if !self.inside {
                self.tag()?;
            }
            let rest = &self.text.as_bytes()[self.at..];
            let found = memchr3(b'"', b'\'', b'>', rest)?;
            self.inside = rest[found] != b'>';
            if !self.inside {
                self.at += found;
                continue;
            }
            let name = self.name(self.at..self.at + found);
            self.at += found + 1;
            self.at += memchr(rest[found], &rest[found + 1..])? + 1;
            self.attributes += 1;
            self.namespaces += usize::from(self.text[name.clone()].starts_with("xmlns"));
            return Some(name);
        }
    }

    /// Goes to the next tag.
    fn tag(&mut self) -> Option<()> {
        loop {
            self.at += memchr(b'<', &self.text.as_bytes()[self.at..])?;
            match Markup::begins(&self.text[self.at..]) {
                Markup::Element => {
                    self.at += 1;
                    self.attributes = 0;
                    return Some(());
                }
                // The parser refuses it.
                Markup::Declaration => return None,
                Markup::Aside(length) => self.at += length?,
            }
        }
    }

    /// Returns the last word before an `=`.
    fn name(&self, bytes: Range<usize>) -> Range<usize> {
        let text = self.text[bytes.clone()].trim_end().trim_end_matches('=').trim_end();
        let start = text.rfind(|it: char| it.is_ascii_whitespace()).map_or(0, |at| at + 1);
        bytes.start + start..bytes.start + text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Option<(&'static str, &str)> {
        excess(text).map(|it| (it.code.id, &text[it.at]))
    }

    fn many(count: usize, write: impl Fn(usize) -> String) -> String {
        (0..count).map(write).collect()
    }

    #[test]
    fn attributes_of_one_element_are_counted() {
        let attributes = |count| many(count, |n| format!(" a{n} = '>'"));
        assert_eq!(place(&format!("<t{}/>", attributes(256))), None);
        assert_eq!(place(&format!("<t{}/>", attributes(257))), Some(("E0717", "a256")));
        let elements = many(3, |_| format!("<t{}></t>", attributes(256)));
        assert_eq!(place(&format!("<r>{elements}</r>")), None);
    }

    #[test]
    fn namespaces_of_a_file_are_counted() {
        let nested = |count| many(count, |n| format!("<t xmlns:n{n}=\"u{n}\">"));
        assert_eq!(place(&nested(64)), None);
        assert_eq!(place(&nested(65)), Some(("E0718", "xmlns:n64")));
        assert_eq!(place(&many(65, |n| format!("<t xmlns='u{n}'/>"))), Some(("E0718", "xmlns")));
    }

    #[test]
    fn what_is_no_element_does_not_count() {
        let tag = format!("<t{}/>", many(300, |n| format!(" a{n}=''")));
        assert!(place(&tag).is_some());
        for text in [
            format!("<!-- {tag} --><t/>"),
            format!("<t><![CDATA[{tag}]]></t>"),
            format!("<?x {tag} ?><t/>"),
            format!("<t>{}</t>", "a='' \"".repeat(1000)),
        ] {
            assert_eq!(place(&text), None, "{text}");
        }
        assert!(place(&format!("<!--'--><?a '?>{tag}")).is_some());
        assert!(place(&format!("<r>don't{tag}</r>")).is_some());
    }

    #[test]
    fn texts_that_end_early() {
        for text in [
            "",
            "<",
            "<t",
            "<t a",
            "<t a=",
            "<t a='",
            "<!",
            "<!--",
            "<![CDATA[",
            "<?x",
            "<t a=''",
            "ü<ü ü='ü'",
        ] {
            assert_eq!(place(text), None, "{text}");
        }
    }
}
