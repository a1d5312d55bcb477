//! XML as the dialects see it: elements, attributes, and where they stand.
//!
//! Parsing is left to a library. What is added here is what a compiler needs: text in the encoding that the file declares,
//! spans of elements, names and values in a [`Source`](crate::source::Source), and findings instead of one error type.
//! A document type is refused, for with it come entities, and files would be able to grow without end.
//!
//! ```text
//! let text = xml::read(session, found)?;      // decoded and known to the session
//! let document = text.parse(session)?;        // well-formed
//! for child in document.root().children() { child.attribute("name") … }
//! ```
//!
//! A file that is not in UTF-8 is decoded, and the decoded text becomes the source: lines and columns are those that an
//! editor shows.

mod decode;
mod limits;

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::source::{Found, OriginId, SourceId, Span};
use core::ops::Range;
use roxmltree::{Document, Error, Node, NodeType, ParsingOptions, TextPos};
use std::sync::Arc;

/// More elements, texts and comments than any tree has.
const MAX_NODES: u32 = 4_000_000;

/// A file of XML, decoded.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    source: SourceId,
    text: Arc<str>,
    /// How many bytes stand before what the source holds.
    shift: usize,
}

/// Decodes a file and makes it known to the session. `None` if it cannot be decoded, which is then reported.
pub(crate) fn read(session: &mut Session<'_>, found: Found) -> Option<Text> {
    match decode::decode(&found.text) {
        Ok(text) => {
            let text: Arc<str> = text.into();
            let source = session.sources.add(found.name, text.clone().into());
            Some(Text { source, text, shift: 0 })
        }
        Err(refused) => {
            let source = session.sources.add(found.name, found.text);
            let span = Place { source, shift: 0 }.span(refused.at, refused.at + 1);
            session
                .diagnostics
                .push(Diagnostic::new(refused.code, Some(span), refused.message).help(refused.help));
            None
        }
    }
}

impl Text {
    /// The file in the session.
    pub(crate) fn source(&self) -> SourceId {
        self.source
    }

    /// What was decoded.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text with blanks in place of these bytes, for a dialect that has dealt with them. Places stay what they are.
    pub(crate) fn without(&self, bytes: Range<usize>) -> Self {
        let mut text = self.text.to_string();
        let blanks = " ".repeat(bytes.len());
        text.replace_range(bytes, &blanks);
        Self { text: text.into(), ..*self }
    }

    /// The text as what stands in an element, for files that have several outermost ones. Places stay what they are.
    pub(crate) fn inside(&self, tag: &str) -> Self {
        let text = format!("<{tag}>{}</{tag}>", self.text);
        Self { text: text.into(), shift: self.shift + tag.len() + 2, ..*self }
    }

    /// Parses the text. `None` if it is not well-formed or over a limit, which is then reported.
    pub(crate) fn parse(&self, session: &mut Session<'_>) -> Option<Parsed<'_>> {
        if let Some(excess) = limits::excess(&self.text) {
            let place = Place { source: self.source, shift: self.shift };
            let span = place.span(excess.at.start, excess.at.end);
            let finding = Diagnostic::new(excess.code, Some(span), excess.message).help(excess.help);
            session.diagnostics.push(finding);
            return None;
        }
        let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        match Document::parse_with_options(&self.text, options) {
            Ok(document) => {
                Some(Parsed { document, place: Place { source: self.source, shift: self.shift } })
            }
            Err(error) => {
                session.diagnostics.push(self.finding(&error));
                None
            }
        }
    }

    fn finding(&self, error: &Error) -> Diagnostic {
        let at = match error {
            Error::UnclosedRootNode | Error::UnexpectedEndOfStream => self.text.len(),
            Error::DtdDetected => self.text.find("<!DOCTYPE").unwrap_or(0),
            _ => self.offset(error.pos()),
        };
        // A tag that was put around the text ends behind what the source holds.
        let end = self.text.len() - if self.shift > 0 { self.shift + 1 } else { 0 };
        let place = Place { source: self.source, shift: self.shift };
        let span = Some(place.span(at.min(end), (at + 1).min(end)));
        match error {
            Error::DtdDetected => {
                Diagnostic::new(codes::XML_DOCTYPE, span, "a document type is not allowed here")
                    .help("remove it; entities other than those of XML itself are written out")
            }
            Error::NodesLimitReached | Error::AttributesLimitReached | Error::NamespacesLimitReached => {
                Diagnostic::new(codes::XML_TOO_LARGE, span, "the file has more elements than any tree")
            }
            // The library's message has the place in it, which the span tells better.
            error => {
                let message = error.to_string().replacen(&format!(" at {}", error.pos()), "", 1);
                Diagnostic::new(codes::XML_MALFORMED, span, format!("this is no well-formed XML: {message}"))
            }
        }
    }

    /// The place of a line and a column, which counts characters.
    fn offset(&self, at: TextPos) -> usize {
        let mut lines = self.text.split_inclusive('\n');
        let before: usize = lines.by_ref().take(at.row as usize - 1).map(str::len).sum();
        let line = lines.next().unwrap_or_default();
        before + line.char_indices().nth(at.col as usize - 1).map_or(line.len(), |(index, _)| index)
    }
}

/// A file of well-formed XML.
#[derive(Debug)]
pub(crate) struct Parsed<'a> {
    document: Document<'a>,
    place: Place,
}

impl Parsed<'_> {
    /// The outermost element.
    pub(crate) fn root(&self) -> Element<'_> {
        Element { node: self.document.root_element(), place: self.place }
    }
}

/// An element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    node: Node<'a, 'a>,
    place: Place,
}

impl<'a> Element<'a> {
    /// The name of its tag.
    pub(crate) fn name(self) -> &'a str {
        self.node.tag_name().name()
    }

    /// The name in the opening tag.
    pub(crate) fn name_span(self) -> Span {
        let start = self.node.range().start + 1;
        let text = self.node.document().input_text();
        let name = text[start..].find(|it: char| it.is_ascii_whitespace() || it == '/' || it == '>');
        self.place.span(start, name.map_or(text.len(), |length| start + length))
    }

    /// All of it, with its tags.
    pub(crate) fn span(self) -> Span {
        let range = self.node.range();
        self.place.span(range.start, range.end)
    }

    /// The attributes, in order.
    pub(crate) fn attributes(self) -> impl Iterator<Item = Attribute<'a>> {
        self.node.attributes().map(move |attribute| Attribute { attribute, place: self.place })
    }

    /// The attribute of this name.
    pub(crate) fn attribute(self, name: &str) -> Option<Attribute<'a>> {
        self.attributes().find(|attribute| attribute.name() == name)
    }

    /// Number of the element in its file.
    pub(crate) fn number(self) -> u32 {
        self.node.id().get()
    }

    /// The elements in it, in order.
    pub(crate) fn children(self) -> impl DoubleEndedIterator<Item = Self> {
        let elements = self.node.children().filter(Node::is_element);
        elements.map(move |node| Self { node, place: self.place })
    }

    /// Counts the elements, texts and comments that stand directly in it.
    pub(crate) fn pieces(self) -> usize {
        self.node.children().count()
    }

    /// The pieces of text and elements in it, in order; comments are left out.
    pub(crate) fn content(self) -> impl Iterator<Item = Content<'a>> {
        self.node.children().filter_map(move |node| match node.node_type() {
            NodeType::Element => Some(Content::Element(Self { node, place: self.place })),
            NodeType::Text => {
                let range = node.range();
                Some(Content::Text(node.text().unwrap_or_default(), self.place.span(range.start, range.end)))
            }
            _ => None,
        })
    }
}

/// What stands in an element.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content<'a> {
    /// An element.
    Element(Element<'a>),
    /// Text with references resolved, and where it stands.
    Text(&'a str, Span),
}

/// An attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'a> {
    attribute: roxmltree::Attribute<'a, 'a>,
    place: Place,
}

impl<'a> Attribute<'a> {
    /// Its name.
    pub(crate) fn name(self) -> &'a str {
        self.attribute.name()
    }

    /// Its value, with references resolved.
    pub(crate) fn value(self) -> &'a str {
        self.attribute.value()
    }

    /// Where the name stands.
    pub(crate) fn name_span(self) -> Span {
        let range = self.attribute.range_qname();
        self.place.span(range.start, range.end)
    }

    /// Where the value stands, without its quotes.
    pub(crate) fn value_span(self) -> Span {
        let range = self.attribute.range_value();
        self.place.span(range.start, range.end)
    }
}

/// The name of the outermost element, as far as it can be told without parsing: what stands before it is skipped.
pub(crate) fn root_name(text: &[u8]) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = &rest[memchr::memchr(b'<', rest)? + 1..];
        let past = match rest {
            [b'?', ..] => "?>",
            [b'!', b'-', b'-', ..] => "-->",
            [b'!', ..] => ">",
            _ => break,
        };
        rest = &rest[memchr::memmem::find(rest, past.as_bytes())?..];
    }
    let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))?;
    core::str::from_utf8(&rest[..end]).ok()
}

/// Where the bytes of a text stand.
#[derive(Clone, Copy, Debug)]
struct Place {
    source: SourceId,
    /// How many bytes stand before what the source holds.
    shift: usize,
}

impl Place {
    fn span(self, start: usize, end: usize) -> Span {
        let [start, end] = [start, end].map(|at| at.saturating_sub(self.shift) as u32);
        Span { source: self.source, start, end, origin: OriginId::NONE }
    }
}
