//! Printed form of code: one line for each instruction, with the source beside it.
//!
//! The printer has no code for single instructions. It walks the operands of the table, and
//! replaces numbers by names if the image has names. Long texts are cut, because many instructions
//! of a small file may refer to one long condition or text.

use crate::Image;
use crate::debug::EnumSubject;
use crate::format::{DebugNode, StrRef, ValueRow, origin_kind, value_tag};
use crate::isa::operand::Show;
use crate::isa::stack::StackOperand;
use crate::isa::{Flow, Op, StackWord, Word};
use crate::suggest::closest;
use alloc::borrow::{Cow, ToOwned};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// Maximum number of operations of a condition, or arguments of a call, that are shown.
const MAX_PIECES: usize = 32;
/// Number of bytes of pieces after which no further pieces are shown.
const MAX_LINE: usize = 600;
/// Maximum number of letters of a source line that are shown.
const MAX_SOURCE: usize = 200;
/// Maximum number of bytes of a text that are shown.
const MAX_TEXT: usize = 120;

/// Function that returns the text of a line of a file without its line end, for the listing. Its
/// arguments are the name of the file and the number of the line, from 1.
pub type Lines<'a> = dyn Fn(&str, u32) -> Option<String> + 'a;

/// Writes the whole listing.
///
/// # Errors
/// If `out` fails.
pub fn write<D: AsRef<[u8]>>(image: &Image<D>, lines: &Lines<'_>, out: &mut dyn Write) -> fmt::Result {
    for entry in image.entries() {
        writeln!(out, "entry {} = block {}", image.name(entry.name), entry.block)?;
    }
    for (index, block) in image.blocks().iter().enumerate() {
        writeln!(out, "\nblock {index}")?;
        let mut shown = 0;
        for at in block.first..block.first + block.count {
            let word = image.code()[at as usize];
            if word.op().is_none_or(|op| op.flow() == Flow::Data) {
                continue;
            }
            let node = image.debug_word(at).unwrap_or(0);
            if node != shown {
                heading(image, node, lines, out)?;
                shown = node;
            }
            instruction(image, at, word, out)?;
        }
    }
    Ok(())
}

/// Writes the line that names the node of the following instructions.
fn heading<D: AsRef<[u8]>>(
    image: &Image<D>,
    node: u32,
    lines: &Lines<'_>,
    out: &mut dyn Write,
) -> fmt::Result {
    let Some(debug) = image.debug_node(node) else { return Ok(()) };
    let file = image.debug_text(debug.file);
    write!(out, "  ; {}", label(image, node))?;
    if debug.line == 0 {
        return writeln!(out);
    }
    write!(out, "  {file}:{}", debug.line)?;
    match lines(&file, debug.line) {
        Some(text) => {
            let (mut letters, mut shown) = (text.trim().chars(), String::new());
            shown.extend(letters.by_ref().take(MAX_SOURCE));
            writeln!(out, "  | {shown}{}", if letters.next().is_some() { "…" } else { "" })
        }
        None => writeln!(out),
    }
}

/// Returns the keyword and subject of a node, and the title in quotation marks if it has one.
/// Returns the number of the node if there is no debug information.
#[must_use]
pub fn label<D: AsRef<[u8]>>(image: &Image<D>, node: u32) -> String {
    let Some(debug) = image.debug_node(node) else { return format!("node {node}") };
    let (keyword, subject) = (image.debug_text(debug.keyword), image.debug_text(debug.subject));
    let mut label = keyword.into_owned();
    if !subject.is_empty() {
        label += &format!(" {subject}");
    }
    if let Some(title) = image.debug_title(node) {
        label += &format!(" \"{title}\"");
    }
    label
}

/// Returns the nodes with a name: a keyword, a subject, a title, all of these ([`label`]), or
/// `file:line`.
///
/// # Errors
/// The nearest label, if one is near, if no node has the name.
pub fn nodes_named<D: AsRef<[u8]>>(image: &Image<D>, name: &str) -> Result<Vec<u32>, Option<String>> {
    let ids = || 1..=image.meta().nodes;
    let is_meant = |node: &u32| {
        let Some(debug) = image.debug_node(*node) else { return false };
        let place = || format!("{}:{}", image.debug_text(debug.file), debug.line);
        name == label(image, *node)
            || name == image.debug_text(debug.subject)
            || name == image.debug_text(debug.keyword)
            || image.debug_title(*node).is_some_and(|title| name == title)
            || name == place()
    };
    let nodes: Vec<u32> = ids().filter(is_meant).collect();
    if nodes.is_empty() {
        let labels: Vec<_> = ids().map(|node| label(image, node)).collect();
        return Err(closest(name, labels.iter().map(String::as_str)).map(str::to_owned));
    }
    Ok(nodes)
}

/// Returns a node as it is written in the source, cut to `most` letters: from its keyword to the
/// brace of its children, to the next node or to the end of the line. `line` is the whole source
/// line of the node. If the line is missing or has nothing more than the [`label`], returns the
/// label.
#[must_use]
pub fn written<D: AsRef<[u8]>>(image: &Image<D>, node: u32, line: Option<&str>, most: usize) -> String {
    let label = label(image, node);
    let (Some(debug), Some(line)) = (image.debug_node(node), line) else { return label };
    // The text of an XML element differs from its keyword and subject.
    let is_element = line.as_bytes().get((debug.column as usize).wrapping_sub(2)) == Some(&b'<');
    let words = words(line, debug.column, next_column(image, node, debug)).unwrap_or_default();
    if is_element || !words.starts_with(&*image.debug_text(debug.keyword)) || words.len() <= label.len() {
        return label;
    }
    if words.chars().count() > most {
        words.chars().take(most).chain(['…']).collect()
    } else {
        words.to_owned()
    }
}

/// Returns the part of a line that starts at `column` (in bytes, from 1). The part ends before the
/// column of the next node, at a brace, or at a comment that begins with `//`. Braces and slashes
/// inside quotes do not end it. Returns `None` if the line has no such column.
#[must_use]
pub fn words(line: &str, column: u32, next: Option<u32>) -> Option<&str> {
    let first = (column as usize).checked_sub(1)?;
    let end = next.map_or(line.len(), |next| next as usize - 1).min(line.len());
    let words = line.get(first..end)?;
    let (mut quoted, mut escaped) = (false, false);
    let ends = |(at, it): (usize, char)| {
        let ends = !quoted && (matches!(it, '{' | '}') || words[at..].starts_with("//"));
        quoted ^= it == '"' && !escaped;
        escaped = it == '\\' && !escaped;
        ends.then_some(at)
    };
    let end = words.char_indices().find_map(ends).unwrap_or(words.len());
    Some(words[..end].trim())
}

/// Returns the column of the next node, or of the use that brings it, if that column lies behind
/// this node on its line.
fn next_column<D: AsRef<[u8]>>(image: &Image<D>, node: u32, debug: &DebugNode) -> Option<u32> {
    let next = image.debug_node(node + 1)?;
    let uses = image.debug_origins(next.origin).map(|origin| (origin.file, origin.line, origin.column));
    let mut places = core::iter::once((next.file, next.line, next.column)).chain(uses);
    let behind = |(file, line, column): &(u32, u32, u32)| {
        (*file, *line) == (debug.file, debug.line) && *column > debug.column
    };
    places.find(behind).map(|(_, _, column)| column)
}

/// Returns the word for a kind of origin, see [`origin_kind`].
#[must_use]
pub fn origin(kind: u32) -> &'static str {
    match kind {
        origin_kind::MACRO => "macro",
        origin_kind::USE => "use",
        _ => "include",
    }
}

/// Returns the call of each node that asks the host for an action: its first one, if there are
/// several. The calls are indices of [`Image::sites`], for [`site`].
#[must_use]
pub fn calls<D: AsRef<[u8]>>(image: &Image<D>) -> BTreeMap<u32, u32> {
    let has = |op: Op, kind| op.fields().iter().any(|field| field.kind == kind);
    let asks = |op| has(op, "action") && (has(op, "node") || has(op, "rule"));
    let mut calls = BTreeMap::new();
    for word in image.code().iter().filter(|word| word.op().is_some_and(asks)) {
        calls.entry(word.b.into()).or_insert(word.a.into());
    }
    calls
}

/// Returns a host call as text, such as `moveTo(17, 2.5)`.
#[must_use]
pub fn site<D: AsRef<[u8]>>(image: &Image<D>, site: u32) -> String {
    let Some(row) = image.sites().get(site as usize) else { return format!("site {site}") };
    let name = image.imports().get(usize::from(row.import)).map_or("?", |import| image.name(import.name));
    let values = image.values().get(row.first as usize..).and_then(|rest| rest.get(..usize::from(row.count)));
    let import = u32::from(row.import);
    let shown = |(place, value): (u32, &ValueRow)| {
        let number = (value.tag == value_tag::INT).then_some(f64::from(value.bits as i32));
        let member = number.and_then(|number| image.member(EnumSubject::Parameter(import, place), number));
        member.map_or_else(|| show_value(image, value), Cow::into_owned)
    };
    let values = (0..).zip(values.unwrap_or_default()).map(shown);
    format!("{name}({})", joined(values, ", "))
}

/// Joins pieces: the first [`MAX_PIECES`], or fewer if they are long.
fn joined(pieces: impl Iterator<Item = String>, between: &str) -> String {
    let (mut shown, mut length) = (Vec::new(), 0);
    for piece in pieces {
        if shown.len() == MAX_PIECES || length > MAX_LINE {
            shown.push("…".to_owned());
            break;
        }
        length += piece.len();
        shown.push(piece);
    }
    shown.join(between)
}

fn show_value<D: AsRef<[u8]>>(image: &Image<D>, value: &ValueRow) -> String {
    match value.tag {
        value_tag::INT => (value.bits as i32).to_string(),
        value_tag::SLOT => slot_name(image, value.bits),
        value_tag::FLOAT => format!("{:?}", f32::from_bits(value.bits)),
        value_tag::INT64 => (value.wide() as i64).to_string(),
        value_tag::DOUBLE => format!("{:?}", f64::from_bits(value.wide())),
        value_tag::ENTITY => entity(value.wide()),
        value_tag::OUT => "out".to_owned(),
        _ => {
            let text = StrRef { start: value.bits, len: value.len };
            quoted(image.text(text))
        }
    }
}

/// Returns an entity as people see it: its number, or `none`.
#[must_use]
pub fn entity(number: u64) -> String {
    if number == 0 { "none".to_owned() } else { format!("entity {number}") }
}

/// Returns a text in quotes, cut to [`MAX_TEXT`] bytes.
fn quoted(text: &[u8]) -> String {
    let cut = if text.len() > MAX_TEXT { "…" } else { "" };
    format!("{:?}{cut}", String::from_utf8_lossy(&text[..text.len().min(MAX_TEXT)]))
}

fn instruction<D: AsRef<[u8]>>(image: &Image<D>, at: u32, word: Word, out: &mut dyn Write) -> fmt::Result {
    let Some(op) = word.op() else { return Ok(()) };
    let mut printer = Printer { image, at, text: String::new() };
    for field in op.fields() {
        (field.show)(word, &mut printer);
    }
    if op.flow() == Flow::Exits {
        let exits = image.code()[at as usize + 1];
        for distance in [exits.a, exits.b, exits.t] {
            printer.target(u32::from(distance));
        }
    }
    writeln!(out, "{at:>6}  {:<9}{}", op.mnemonic(), printer.text)
}

/// Printer that collects operands as text, separated by two spaces.
struct Printer<'a, D> {
    image: &'a Image<D>,
    at: u32,
    text: String,
}

impl<D: AsRef<[u8]>> Show for Printer<'_, D> {
    fn plain(&mut self, text: fmt::Arguments<'_>) {
        if !self.text.is_empty() {
            self.text.push_str("  ");
        }
        self.text.push_str(&text.to_string());
    }

    fn target(&mut self, distance: u32) {
        self.plain(format_args!("->{}", self.at + distance));
    }

    fn back(&mut self, distance: u32) {
        self.plain(format_args!("<-{}", self.at.saturating_sub(distance)));
    }

    fn block(&mut self, block: u32) {
        self.plain(format_args!("block {block}"));
    }

    fn condition(&mut self, condition: u32) {
        let operations = self.image.condition(condition).iter().map(|word| operation(self.image, *word));
        self.plain(format_args!("{{{}}}", joined(operations, "; ")));
    }

    fn site(&mut self, site: u32) {
        let text = self::site(self.image, site);
        self.plain(format_args!("{text}"));
    }

    fn node(&mut self, node: u32) {
        self.plain(format_args!("#{node}"));
    }

    fn slot(&mut self, slot: u32) {
        let name = slot_name(self.image, slot);
        self.plain(format_args!("{name}"));
    }

    fn shared(&mut self, shared: u32) {
        let name = shared_name(self.image, shared);
        self.plain(format_args!("{name}"));
    }

    fn event(&mut self, event: u32) {
        let name = self.image.events().get(event as usize).map_or("?", |row| self.image.name(row.name));
        self.plain(format_args!("{name}"));
    }

    fn text(&mut self, text: u32) {
        let row = self.image.texts().get(text as usize).copied().unwrap_or_default();
        self.plain(format_args!("{}", quoted(self.image.text(row))));
    }

    fn table(&mut self, table: u32) {
        let Some(row) = self.image.tables().get(table as usize) else { return };
        let cases = self.image.cases().get(row.first as usize..).unwrap_or_default();
        let cases = cases.iter().take(row.count as usize).map(|case| {
            let to = self.at + u32::from(case.target);
            if case.low == case.high {
                format!("#{} ->{to}", case.low)
            } else {
                format!("#{}..#{} ->{to}", case.low, case.high)
            }
        });
        let cases = joined(cases, ", ");
        self.plain(format_args!("{{{cases}}}"));
    }
}

fn slot_name<D: AsRef<[u8]>>(image: &Image<D>, slot: u32) -> String {
    match image.slots().get(slot as usize).map_or("", |row| image.name(row.name)) {
        "" => format!("slot {slot}"),
        name => name.to_owned(),
    }
}

fn shared_name<D: AsRef<[u8]>>(image: &Image<D>, shared: u32) -> String {
    image.shared().get(shared as usize).map_or("?", |row| image.name(row.name)).to_owned()
}

fn operation<D: AsRef<[u8]>>(image: &Image<D>, word: StackWord) -> String {
    let Some(op) = word.op() else { return "?".to_owned() };
    let index = usize::from(word.a);
    match op.operand() {
        StackOperand::None => op.mnemonic().to_owned(),
        StackOperand::Constant => image.constant(index).unwrap_or(f64::NAN).to_string(),
        StackOperand::Word => (image.constant_bits(index).unwrap_or_default() as i64).to_string(),
        StackOperand::Query => site(image, index as u32),
        StackOperand::Slot | StackOperand::Bit | StackOperand::WordSlot => slot_name(image, word.a.into()),
        StackOperand::Shared | StackOperand::SharedBit | StackOperand::SharedWord => {
            shared_name(image, word.a.into())
        }
        StackOperand::Moment => format!("{} {}", op.mnemonic(), slot_name(image, word.a.into())),
        StackOperand::Draw | StackOperand::Depth => format!("{} {index}", op.mnemonic()),
        StackOperand::Target => format!("{} +{index}", op.mnemonic()),
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_end_where_the_next_node_begins() {
        let line = "\tdelay 1 s { set ammo -= 1 action say(\"a { // }\") } // x";
        assert_eq!(words(line, 2, Some(14)), Some("delay 1 s"));
        assert_eq!(words(line, 2, None), Some("delay 1 s"));
        assert_eq!(words(line, 14, Some(28)), Some("set ammo -= 1"));
        assert_eq!(words(line, 28, None), Some("action say(\"a { // }\")"));
        assert_eq!(words("wait 20 ticks // a while", 1, Some(90)), Some("wait 20 ticks"));
        assert_eq!([words(line, 0, None), words(line, 99, None), words("ä", 2, None)], [None; 3]);
    }
}
