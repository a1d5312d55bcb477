//! XML as the original's parser reads it.
//!
//! The parser of the original passes over document types, keeps unknown references as text, keeps
//! blanks of attributes, and knows no namespaces. So these files are not read by the reader that
//! other dialects share. Text between elements means nothing here and is not kept.

use super::Refused;
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::source::{OriginId, SourceId, Span};

/// Most elements that stand in each other.
const MAX_DEPTH: usize = 500;
/// Most attributes of an element, which are compared with each other.
const MAX_ATTRIBUTES: usize = 256;
/// Most elements of a file.
const MAX_ELEMENTS: usize = 200_000;

/// An attribute.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) name: String,
    /// Value, with references resolved.
    pub(super) value: String,
    /// Place of name and value.
    pub(super) span: Span,
}

/// An element.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    /// Place of the name in the opening tag.
    pub(super) span: Span,
    pub(super) attributes: Vec<Attribute>,
    /// One past the last element inside, in pre-order.
    pub(super) end: usize,
}

impl Element {
    /// Returns the value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|it| it.name == name).map(|it| &*it.value)
    }
}

/// Returns the name of the kind of a node: of the element, or of its `ID` in the long form.
pub(super) fn kind_name<'a>(name: &'a str, attributes: &'a [Attribute]) -> &'a str {
    let id = attributes.iter().find(|it| it.name == "ID").filter(|_| is_long_form(name));
    id.map_or(name, |id| &id.value)
}

/// Returns true for the elements that name the kind of a node in an attribute.
pub(super) fn is_long_form(name: &str) -> bool {
    matches!(name, "Action" | "Condition" | "Control" | "Decorator")
}

/// The elements of a file, in pre-order. The first one is the outermost.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) elements: Vec<Element>,
}

impl Document {
    /// Returns the elements that stand directly in an element, in order.
    pub(super) fn children(&self, element: usize) -> impl Iterator<Item = usize> + '_ {
        crate::preorder::children(element as u32, |it| self.elements[it as usize].end as u32)
            .map(|it| it as usize)
    }

    /// Reads a file.
    pub(super) fn read(source: SourceId, text: &[u8]) -> Result<Self, Refused> {
        let mut reader = Reader { source, text, at: 0, elements: Vec::new(), open: Vec::new() };
        reader.skip_mark();
        while reader.at < text.len() && (reader.elements.is_empty() || !reader.open.is_empty()) {
            reader.next()?;
        }
        reader.finish()
    }
}

struct Reader<'t> {
    source: SourceId,
    text: &'t [u8],
    at: usize,
    elements: Vec<Element>,
    /// Elements whose end has not been read.
    open: Vec<usize>,
}

impl Reader<'_> {
    fn skip_mark(&mut self) {
        if self.text.starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
        }
    }

    fn finish(mut self) -> Result<Document, Refused> {
        if let Some(open) = self.open.pop() {
            let message = format!("`{}` has no end", self.elements[open].name);
            return Err(malformed(self.elements[open].span, message));
        }
        if self.elements.is_empty() {
            return Err(malformed(self.span(self.at, self.at), "the file has no element"));
        }
        Ok(Document { elements: self.elements })
    }

    /// Reads the next piece: text, a tag, or something that is passed over.
    fn next(&mut self) -> Result<(), Refused> {
        let rest = &self.text[self.at..];
        if rest[0] != b'<' {
            self.at += memchr::memchr(b'<', rest).unwrap_or(rest.len());
            return Ok(());
        }
        for (begin, end) in [("<?", "?>"), ("<!--", "-->"), ("<![CDATA[", "]]>"), ("<!", ">")] {
            if rest.starts_with(begin.as_bytes()) {
                return self.pass_over(begin.len(), end);
            }
        }
        if rest.starts_with(b"</") { self.close() } else { self.open() }
    }

    fn pass_over(&mut self, begin: usize, end: &str) -> Result<(), Refused> {
        let found = memchr::memmem::find(&self.text[self.at + begin..], end.as_bytes());
        let Some(length) = found else {
            return Err(malformed(
                self.span(self.at, self.at + begin),
                format!("the end `{end}` is missing"),
            ));
        };
        self.at += begin + length + end.len();
        Ok(())
    }

    fn close(&mut self) -> Result<(), Refused> {
        let start = self.at;
        self.at += 2;
        let (name, span) = self.name()?;
        self.blanks();
        self.expect(b'>')?;
        match self.open.pop() {
            Some(open) if self.elements[open].name == name => {
                self.elements[open].end = self.elements.len();
                Ok(())
            }
            Some(open) => {
                let message = format!("`{}` ends with `{name}`", self.elements[open].name);
                Err(malformed(span, message))
            }
            None => Err(malformed(self.span(start, self.at), format!("`{name}` ends but has not begun"))),
        }
    }

    fn open(&mut self) -> Result<(), Refused> {
        self.at += 1;
        let (name, span) = self.name()?;
        let index = self.elements.len();
        if index == MAX_ELEMENTS {
            let message = format!("the file has more than {MAX_ELEMENTS} elements");
            return Err(Diagnostic::new(codes::XML_TOO_LARGE, span, message).into());
        }
        if self.open.len() == MAX_DEPTH {
            return Err(malformed(span, format!("elements stand in each other more than {MAX_DEPTH} deep")));
        }
        let attributes = self.attributes()?;
        self.elements.push(Element { name, span, attributes, end: index + 1 });
        if self.text.get(self.at) == Some(&b'/') {
            self.at += 1;
            return self.expect(b'>');
        }
        self.expect(b'>')?;
        self.open.push(index);
        Ok(())
    }

    fn attributes(&mut self) -> Result<Vec<Attribute>, Refused> {
        let mut attributes: Vec<Attribute> = Vec::new();
        loop {
            self.blanks();
            if matches!(self.text.get(self.at), Some(b'/' | b'>') | None) {
                return Ok(attributes);
            }
            let (name, span) = self.name()?;
            if attributes.iter().any(|it| it.name == name) {
                return Err(malformed(span, format!("the attribute `{name}` is given twice")));
            }
            if attributes.len() == MAX_ATTRIBUTES {
                let message = format!("the element has more than {MAX_ATTRIBUTES} attributes");
                return Err(Diagnostic::new(codes::XML_MANY_ATTRIBUTES, span, message).into());
            }
            self.blanks();
            self.expect(b'=')?;
            self.blanks();
            let value = self.value()?;
            let span = self.span(span.start as usize, self.at);
            attributes.push(Attribute { name, value, span });
        }
    }

    fn value(&mut self) -> Result<String, Refused> {
        let quote = match self.text.get(self.at) {
            Some(quote @ (b'"' | b'\'')) => *quote,
            _ => return Err(malformed(self.here(), "an attribute has no value in quotes")),
        };
        let rest = &self.text[self.at + 1..];
        let Some(length) = memchr::memchr(quote, rest) else {
            return Err(malformed(self.here(), "the value of an attribute has no end"));
        };
        let raw = core::str::from_utf8(&rest[..length]).map_err(|_| self.invalid())?;
        self.at += length + 2;
        Ok(resolved(raw))
    }

    fn name(&mut self) -> Result<(String, Span), Refused> {
        let start = self.at;
        let length = name_end(&self.text[start..]);
        self.at += length;
        let span = self.span(start, self.at.max(start + 1));
        if length == 0 {
            return Err(malformed(span, "a name is missing"));
        }
        let name = core::str::from_utf8(&self.text[start..self.at]).map_err(|_| self.invalid())?;
        Ok((name.to_owned(), span))
    }

    fn blanks(&mut self) {
        self.at += first_free_byte(&self.text[self.at..]);
    }

    fn expect(&mut self, byte: u8) -> Result<(), Refused> {
        if self.text.get(self.at) == Some(&byte) {
            self.at += 1;
            return Ok(());
        }
        Err(malformed(self.here(), format!("`{}` is missing", char::from(byte))))
    }

    fn invalid(&self) -> Refused {
        Diagnostic::new(codes::INVALID_TEXT, self.here(), "the text is not UTF-8 here").into()
    }

    fn here(&self) -> Span {
        self.span(self.at, (self.at + 1).min(self.text.len()))
    }

    fn span(&self, start: usize, end: usize) -> Span {
        let end = end.min(self.text.len()).max(start.min(self.text.len()));
        let [start, end] = [start.min(end), end].map(|at| at as u32);
        Span { source: self.source, start, end, origin: OriginId::NONE }
    }
}

/// Returns the number of blanks with which a text begins.
fn first_free_byte(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}

/// Returns the length of the name with which a text begins.
fn name_end(text: &[u8]) -> usize {
    let begins = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b':' | b'_') || byte >= 0x80;
    let goes_on = |byte: u8| begins(byte) || byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
    match text.first() {
        Some(first) if begins(*first) => text.iter().take_while(|byte| goes_on(**byte)).count(),
        _ => 0,
    }
}

fn malformed(at: Span, message: impl Into<String>) -> Refused {
    let message = format!("this is no well-formed XML: {}", message.into());
    Diagnostic::new(codes::XML_MALFORMED, at, message).into()
}

/// Resolves the references of a text: the five of XML and those by number. Others stay as they are.
/// All ends of lines become line feeds.
fn resolved(raw: &str) -> String {
    let raw = raw.replace("\r\n", "\n").replace('\r', "\n");
    let mut text = String::with_capacity(raw.len());
    let mut rest = &*raw;
    while let Some(at) = rest.find('&') {
        text += &rest[..at];
        rest = &rest[at..];
        let (length, meant) = reference(rest);
        match meant {
            Some(meant) => text.push(meant),
            None => text += &rest[..length],
        }
        rest = &rest[length..];
    }
    text + rest
}

/// Returns the length of the reference with which a text begins, and its character. If there is
/// none, the length is that of the `&`.
fn reference(text: &str) -> (usize, Option<char>) {
    const NAMED: [(&str, char); 5] =
        [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&apos;", '\'')];
    if let Some((name, meant)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return (name.len(), Some(*meant));
    }
    let numbered = || {
        let end = text.find(';')?;
        let number = text[..end].strip_prefix("&#")?;
        let number = match number.strip_prefix('x') {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        Some((end + 1, char::from_u32(number)))
    };
    numbered().filter(|(_, meant)| meant.is_some()).unwrap_or((1, None))
}
