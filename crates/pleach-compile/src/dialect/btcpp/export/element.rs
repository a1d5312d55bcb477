//! Elements of the XML that is written.

use core::fmt::Write;

/// Blanks before an element, for each element around it.
const INDENT: usize = 2;

/// First line of a file.
pub(super) const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// An element with its attributes and children.
#[derive(Clone, Debug, Default)]
pub(super) struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<Element>,
    /// Number of elements that stand in each other, itself included.
    height: usize,
}

impl Element {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), height: 1, ..Self::default() }
    }

    /// Returns an element with these children.
    pub(super) fn around(name: &str, children: impl IntoIterator<Item = Self>) -> Self {
        children.into_iter().fold(Self::new(name), Self::child)
    }

    /// Returns a `Script` with this code.
    pub(super) fn script(code: &str) -> Self {
        Self::new("Script").with("code", code)
    }

    /// Returns a `ScriptCondition` with this code.
    pub(super) fn test(code: &str) -> Self {
        Self::new("ScriptCondition").with("code", code)
    }

    /// Adds an attribute.
    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.attributes.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a child.
    pub(super) fn child(mut self, child: Self) -> Self {
        self.height = self.height.max(child.height + 1);
        self.children.push(child);
        self
    }

    pub(super) fn height(&self) -> usize {
        self.height
    }

    /// Writes the element, on lines of its own.
    pub(super) fn write(&self, out: &mut String, depth: usize) {
        let Self { name, attributes, children, height: _ } = self;
        let blanks = " ".repeat(depth * INDENT);
        let _ = write!(out, "{blanks}<{name}");
        for (name, value) in attributes {
            let _ = write!(out, " {name}=\"{}\"", escaped(value));
        }
        if children.is_empty() {
            out.push_str("/>\n");
            return;
        }
        out.push_str(">\n");
        children.iter().for_each(|child| child.write(out, depth + 1));
        let _ = writeln!(out, "{blanks}</{name}>");
    }
}

/// Returns the value of an attribute as it stands in the file.
fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for letter in value.chars() {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            control if control.is_control() => {
                let _ = write!(text, "&#{};", u32::from(control));
            }
            letter => text.push(letter),
        }
    }
    text
}

/// Returns the first character of a text that a file cannot hold, even as a number.
pub(super) fn foreign(text: &str) -> Option<char> {
    text.chars().find(
        |letter| matches!(*letter, '\0'..'\t' | '\x0b' | '\x0c' | '\x0e'..' ' | '\u{fffe}' | '\u{ffff}'),
    )
}
