//! XML for the dialects: elements and attributes, with their places.
//!
//! A library does the parsing. This module adds what a compiler needs: text in the encoding that
//! the file declares, spans of elements, names and values in a [`Source`](crate::source::Source),
//! and findings instead of one error type. A document type is refused, because it brings entities,
//! and with entities a file could grow without end.
//!
//! ```text
//! let text = xml::read(session, found)?;      // decoded and known to the session
//! let document = text.parse(session)?;        // well-formed
//! for child in document.root().children() { child.attribute("name") … }
//! ```
//!
//! A file that is not in UTF-8 is decoded, and the decoded text becomes the source: lines and
//! columns are those that an editor shows.

mod decode;
mod limits;

use crate::codes;
use crate::diagnostic::{Code, Diagnostic};
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
    text: Arc<str>,
    place: Place,
}

/// Problem of a file that is found before the file is parsed.
#[derive(Debug)]
struct Flaw {
    code: Code,
    /// The bytes at which it became clear.
    at: Range<usize>,
    message: String,
    help: &'static str,
}

/// Kind of the markup that begins at a `<`.
pub(crate) enum Markup {
    /// A tag.
    Element,
    /// A document type or another declaration.
    Declaration,
    /// A comment, a section of characters or an instruction: the bytes
    /// of it. None if it has no end.
    Aside(Option<usize>),
}

impl Markup {
    /// Returns the kind of the markup at the beginning of a text.
    pub(crate) fn begins(text: &str) -> Self {
        const ASIDES: [(&str, &str); 3] = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        match ASIDES.iter().find(|(begin, _)| text.starts_with(begin)) {
            Some((_, end)) => Self::Aside(text.find(end).map(|at| at + end.len())),
            None if text.starts_with("<!") => Self::Declaration,
            None => Self::Element,
        }
    }
}

/// Decodes a file and makes it known to the session. `None` if it cannot be
/// decoded, which is then reported.
pub(crate) fn read(session: &mut Session<'_>, found: Found) -> Option<Text> {
    match decode::decode(&found.text) {
        Ok(text) => {
            let text: Arc<str> = text.into();
            let source = session.sources.add(found.name, text.clone().into());
            Some(Text { text, place: Place { source, shift: 0 } })
        }
        Err(flaw) => {
            let source = session.sources.add(found.name, found.text);
            Place { source, shift: 0 }.report(session, flaw);
            None
        }
    }
}

impl Text {
    /// Returns the file in the session.
    pub(crate) fn source(&self) -> SourceId {
        self.place.source
    }

    /// Returns the decoded text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text with blanks in place of these bytes, for a dialect that has handled
    /// them. Places do not change.
    pub(crate) fn without(&self, bytes: Range<usize>) -> Self {
        let mut text = self.text.to_string();
        let blanks = " ".repeat(bytes.len());
        text.replace_range(bytes, &blanks);
        Self { text: text.into(), place: self.place }
    }

    /// Returns the text as the content of an element, for files with several outermost
    /// elements. Places do not change.
    pub(crate) fn inside(&self, tag: &str) -> Self {
        let text = format!("<{tag}>{}</{tag}>", self.text);
        let shift = self.place.shift + tag.len() + 2;
        Self { text: text.into(), place: Place { shift, ..self.place } }
    }

    /// Parses the text. `None` if it is not well-formed or over a limit, which is then reported.
    pub(crate) fn parse(&self, session: &mut Session<'_>) -> Option<Parsed<'_>> {
        if let Some(flaw) = limits::excess(&self.text) {
            self.place.report(session, flaw);
            return None;
        }
        let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        let parsed = Document::parse_with_options(&self.text, options);
        let document = parsed.map_err(|error| Box::new(self.finding(&error)));
        Some(Parsed { document: session.accept(document)?, place: self.place })
    }

    fn finding(&self, error: &Error) -> Diagnostic {
        let at = match error {
            Error::UnclosedRootNode | Error::UnexpectedEndOfStream => self.text.len(),
            Error::DtdDetected => self.text.find("<!DOCTYPE").unwrap_or(0),
            _ => self.offset(error.pos()),
        };
        // The end tag that [`Text::inside`] added is not part of the source.
        let end = self.text.len() - if self.place.shift > 0 { self.place.shift + 1 } else { 0 };
        let span = Some(self.place.span(at.min(end)..(at + 1).min(end)));
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

    /// Returns the place of a line and a column, which counts characters.
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
    /// Returns the outermost element.
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
    /// Returns the name of its tag.
    pub(crate) fn name(self) -> &'a str {
        self.node.tag_name().name()
    }

    /// Returns the name in the opening tag.
    pub(crate) fn name_span(self) -> Span {
        let start = self.node.range().start + 1;
        let text = self.node.document().input_text();
        let name = text[start..].find(|it: char| it.is_ascii_whitespace() || it == '/' || it == '>');
        self.place.span(start..name.map_or(text.len(), |length| start + length))
    }

    /// Returns all of it, with its tags.
    pub(crate) fn span(self) -> Span {
        self.place.span(self.node.range())
    }

    /// Returns the attributes, in order.
    pub(crate) fn attributes(self) -> impl Iterator<Item = Attribute<'a>> {
        self.node.attributes().map(move |attribute| Attribute { attribute, place: self.place })
    }

    /// Returns the attribute of this name.
    pub(crate) fn attribute(self, name: &str) -> Option<Attribute<'a>> {
        self.attributes().find(|attribute| attribute.name() == name)
    }

    /// Number of the element in its file.
    pub(crate) fn number(self) -> u32 {
        self.node.id().get()
    }

    /// Returns the elements in it, in order.
    pub(crate) fn children(self) -> impl DoubleEndedIterator<Item = Self> {
        let elements = self.node.children().filter(Node::is_element);
        elements.map(move |node| Self { node, place: self.place })
    }

    /// Counts the elements, texts and comments that stand directly in it.
    pub(crate) fn pieces(self) -> usize {
        self.node.children().count()
    }

    /// Returns the pieces of text and elements in it, in order; comments are left out.
    pub(crate) fn content(self) -> impl Iterator<Item = Content<'a>> {
        self.node.children().filter_map(move |node| match node.node_type() {
            NodeType::Element => Some(Content::Element(Self { node, place: self.place })),
            NodeType::Text => {
                Some(Content::Text(node.text().unwrap_or_default(), self.place.span(node.range())))
            }
            _ => None,
        })
    }
}

/// Content of an element.
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

    /// Returns the place of the name.
    pub(crate) fn name_span(self) -> Span {
        self.place.span(self.attribute.range_qname())
    }

    /// Returns the place of the value, without its quotes.
    pub(crate) fn value_span(self) -> Span {
        self.place.span(self.attribute.range_value())
    }
}

/// Returns the offset and the name of the first element of a text, as far as they can be found
/// without parsing. If `declarations` is true, declarations before it are skipped.
pub(crate) fn first_element(text: &str, declarations: bool) -> Option<(usize, &str)> {
    let mut at = 0;
    loop {
        at += text[at..].find('<')?;
        at += match Markup::begins(&text[at..]) {
            Markup::Aside(length) => length?,
            Markup::Declaration if declarations => text[at..].find('>')?,
            Markup::Declaration => return None,
            Markup::Element => break,
        };
    }
    let name = &text[at + 1..];
    let end = name.find(|it: char| it.is_ascii_whitespace() || matches!(it, '/' | '>'))?;
    Some((at, &name[..end]))
}

/// Place of a decoded text in its source.
#[derive(Clone, Copy, Debug)]
struct Place {
    source: SourceId,
    /// Number of bytes of the decoded text that are before the beginning of the source.
    shift: usize,
}

impl Place {
    fn report(self, session: &mut Session<'_>, Flaw { code, at, message, help }: Flaw) {
        session.report(code, self.span(at), message, help);
    }

    fn span(self, bytes: Range<usize>) -> Span {
        let [start, end] = [bytes.start, bytes.end].map(|at| at.saturating_sub(self.shift) as u32);
        Span { source: self.source, start, end, origin: OriginId::NONE }
    }
}
