//! Nodes with children, found by braces or by elements.

use crate::answers::Symbol;
use crate::text::Lines;
use gen_lsp_types::SymbolKind;

/// Deepest symbols. Clients draw them with recursion.
const DEEPEST: usize = 40;
/// Longest name of a symbol, in letters.
const LONGEST: usize = 60;

/// Returns the symbols of a text.
pub(super) fn symbols(text: &str, lines: &Lines, is_xml: bool) -> Vec<Symbol> {
    let mut nest = Nest { lines, levels: vec![Vec::new()], open: Vec::new(), hidden: 0 };
    if is_xml {
        elements(text, &mut nest)
    } else {
        blocks(text, &mut nest)
    }
    while !nest.open.is_empty() {
        nest.close(text.len());
    }
    nest.levels.into_iter().next().unwrap_or_default()
}

/// Symbols under construction.
struct Nest<'l> {
    lines: &'l Lines,
    /// Finished children of each open symbol, and of the text.
    levels: Vec<Vec<Symbol>>,
    open: Vec<(usize, Symbol)>,
    /// Number of open symbols that are too deep to be shown.
    hidden: usize,
}

impl Nest<'_> {
    fn open(&mut self, name: &str, (start, end): (usize, usize)) {
        if self.open.len() >= DEEPEST {
            self.hidden += 1;
            return;
        }
        let range = self.lines.range((start as u32, end as u32));
        let name: String =
            name.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect();
        let symbol = Symbol::new(&name, SymbolKind::Object, range, range);
        self.open.push((start, symbol));
        self.levels.push(Vec::new());
    }

    fn close(&mut self, end: usize) {
        if self.hidden > 0 {
            self.hidden -= 1;
            return;
        }
        let (Some((start, mut symbol)), true) = (self.open.pop(), self.levels.len() > 1) else { return };
        symbol.children = self.levels.pop().unwrap_or_default();
        symbol.range = self.lines.range((start as u32, end as u32));
        if let Some(level) = self.levels.last_mut() {
            level.push(symbol);
        }
    }
}

/// Finds blocks in braces. The name of a block is the text before its brace, from the end of the
/// node before.
fn blocks(text: &str, nest: &mut Nest<'_>) {
    let bytes = text.as_bytes();
    let (mut at, mut from) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        let rest = &text[at..];
        let skip = match byte {
            _ if rest.starts_with("//") || *byte == b'#' => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            b'{' => {
                let header = text[from..at].trim_end();
                // A header on several lines begins after the leaves before it.
                let start = header.rfind('\n').map_or(0, |end| end + 1);
                let blanks = header[start..].len() - header[start..].trim_start().len();
                let start = from + start + blanks;
                nest.open(&text[start..from + header.len()], (start, from + header.len()));
                from = at + 1;
                1
            }
            b'}' => {
                nest.close(at + 1);
                from = at + 1;
                1
            }
            _ => {
                at += 1;
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                continue;
            }
        };
        at += skip;
        if !matches!(byte, b'{' | b'}') && text[from..at].trim_end().is_empty() {
            from = at;
        }
    }
}

/// Finds elements with children.
fn elements(text: &str, nest: &mut Nest<'_>) {
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let rest = &text[start..];
        let end = match rest {
            _ if rest.starts_with("<!--") => rest.find("-->").map(|end| end + 3),
            _ if rest.starts_with("<![CDATA[") => rest.find("]]>").map(|end| end + 3),
            _ => rest.find('>').map(|end| end + 1),
        };
        let Some(length) = end else { return };
        let tag = &rest[..length];
        at = start + length;
        if tag.starts_with("</") {
            nest.close(at);
        } else if !tag.starts_with("<!") && !tag.starts_with("<?") && tag.len() > 2 && !tag.ends_with("/>") {
            let element = tag[1..length - 1].split_whitespace().next().unwrap_or_default();
            let name = name_of(tag).map(|name| format!("{element} {name}"));
            nest.open(name.as_deref().unwrap_or(element), (start, at));
        }
    }
}

/// Returns the name that an element has as an attribute.
fn name_of(tag: &str) -> Option<&str> {
    let lower = tag.to_ascii_lowercase();
    let at = [" name=", " id="].iter().find_map(|name| lower.find(name).map(|at| at + name.len()))?;
    let value = tag.get(at..)?;
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    value[1..].split(quote).next()
}
