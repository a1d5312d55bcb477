//! Elements, names and attributes of nodes, from debug information and from sources.

use pleach_image::Image;
use pleach_image::listing;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::HashMap;

/// Element of a node that calls a tree.
pub(crate) const SUBTREE: &str = "SubTree";
/// Keyword of the nodes of the host in BehaviorTree.CPP programs.
const HOST: &str = "Action";
/// Elements that are no nodes, or that have attributes of their own.
const RESERVED: [&str; 4] = ["root", "BehaviorTree", "TreeNodesModel", SUBTREE];
/// Attributes with conditions and options, beside ports.
const OTHER_ATTRIBUTES: [&str; 11] = [
    "_failureIf",
    "_successIf",
    "_skipIf",
    "_while",
    "_onSuccess",
    "_onFailure",
    "_onHalted",
    "_post",
    "_autoremap",
    "__autoremap",
    "__shared_blackboard",
];
/// Largest number of letters of a node's source text. Longer texts are cut.
const MOST_WORDS: usize = 160;
/// Largest size of a source file in bytes. Larger files are not read.
const MOST_TEXT: usize = 16 << 20;

/// Largest number of bytes of an element that is read for its attributes.
const MOST_ELEMENT: usize = 1 << 16;
/// Largest number of attributes of an element. The rest is left out.
const MOST_ATTRIBUTES: usize = 256;

/// Words about a node.
#[derive(Debug, Default)]
pub(crate) struct Described {
    pub(crate) tag: String,
    pub(crate) subject: String,
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
}

impl Described {
    /// Returns the last part of the path of the node.
    pub(crate) fn place(&self, uid: u16) -> String {
        let kind = if self.tag == SUBTREE { &self.subject } else { &self.tag };
        if self.name == *kind { format!("{kind}::{uid}") } else { self.name.clone() }
    }

    /// Returns the number of bytes that the node takes.
    pub(crate) fn bytes(&self) -> usize {
        let attributes = self.attributes.iter().map(|(name, value)| name.len() + value.len() + 4);
        2 * self.tag.len() + self.name.len() + attributes.sum::<usize>()
    }
}

/// Function that returns the content of a source file by its name.
type Texts<'a> = Box<dyn FnMut(&str) -> Option<Vec<u8>> + 'a>;

/// Source file with its lines.
struct Source {
    text: String,
    /// Start of each line.
    lines: Vec<usize>,
}

impl Source {
    fn new(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(breaks).collect();
        Self { text, lines }
    }

    /// Returns the text from a place on. Lines and columns count from 1.
    fn from(&self, line: u32, column: u32) -> Option<&str> {
        let start = self.lines.get((line as usize).checked_sub(1)?)?;
        self.text.get(start + (column as usize).checked_sub(1)?..)
    }

    /// Returns a line without its end. The end is looked up: a long line may have many nodes.
    fn line(&self, line: u32) -> Option<&str> {
        let index = (line as usize).checked_sub(1)?;
        let end = self.lines.get(index + 1).copied().unwrap_or(self.text.len());
        Some(self.text.get(*self.lines.get(index)?..end)?.trim_end_matches(['\r', '\n']))
    }
}

/// Describes the nodes of an image.
pub(crate) struct Describer<'a> {
    image: &'a Image,
    /// True for a BehaviorTree.CPP program.
    keeps_statuses: bool,
    texts: Texts<'a>,
    sources: HashMap<u32, Option<Source>>,
}

impl<'a> Describer<'a> {
    pub(crate) fn new(image: &'a Image, keeps_statuses: bool, texts: Texts<'a>) -> Self {
        Self { image, keeps_statuses, texts, sources: HashMap::new() }
    }

    /// Describes a node. `site` is the call of its action.
    pub(crate) fn node(&mut self, node: u32, site: Option<u32>) -> Described {
        if self.keeps_statuses { self.of_library(node) } else { self.of_pleach(node, site) }
    }

    /// Returns the name of a whole tree.
    pub(crate) fn tree_name(&self, root: u32) -> String {
        self.image.debug_node(root).map_or_else(String::new, |it| self.image.debug_text(it.tree).into_owned())
    }

    fn source(&mut self, node: u32) -> Option<&Source> {
        let (image, row) = (self.image, self.image.debug_node(node)?.file);
        let texts = &mut self.texts;
        let source = self.sources.entry(row).or_insert_with(|| {
            let text = texts(&image.debug_text(row)).filter(|text| text.len() <= MOST_TEXT)?;
            Some(Source::new(&text))
        });
        source.as_ref()
    }

    /// Describes a node of BehaviorTree.CPP.
    fn of_library(&mut self, node: u32) -> Described {
        let Some(debug) = self.image.debug_node(node) else { return Described::default() };
        let (keyword, subject) = (self.image.debug_text(debug.keyword), self.image.debug_text(debug.subject));
        let (line, column) = (debug.line, debug.column);
        let text = self.source(node).and_then(|source| source.from(line, column.checked_sub(1)?));
        let attributes = text.and_then(attributes_of).unwrap_or_default();
        let (tag, kind, known) = match &*keyword {
            HOST => (element_name(&subject), &subject, None),
            SUBTREE => (SUBTREE.to_owned(), &subject, None),
            _ => (element_name(&keyword), &keyword, Some(&subject).filter(|name| !name.is_empty())),
        };
        let title = self.image.debug_title(node);
        let name = title.unwrap_or_else(|| known.unwrap_or(kind).clone()).into_owned();
        Described { tag, subject: subject.into_owned(), name, attributes }
    }

    /// Describes a node of another dialect.
    fn of_pleach(&mut self, node: u32, site: Option<u32>) -> Described {
        let image = self.image;
        let Some(debug) = image.debug_node(node) else { return Described::default() };
        let subject = image.debug_text(debug.subject).into_owned();
        if let Some(site) = site {
            let name = listing::site(image, site);
            let function = name.split('(').next().unwrap_or_default();
            return Described { tag: element_name(function), subject, name, attributes: Vec::new() };
        }
        let line = debug.line;
        let line = self.source(node).and_then(|source| source.line(line));
        let name = listing::written(image, node, line, MOST_WORDS);
        let tag = element_name(&image.debug_text(debug.keyword));
        Described { tag, subject, name, attributes: Vec::new() }
    }
}

/// Returns a name without the characters that no element has.
fn element_name(name: &str) -> String {
    let allowed = |it: &char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.');
    let mut clean: String = name.chars().filter(allowed).collect();
    let start = clean.find(|it: char| it.is_alphabetic() || it == '_').unwrap_or(clean.len());
    clean.drain(..start);
    match &*clean {
        "" => "node".to_owned(),
        word if RESERVED.contains(&word) => clean + "_",
        _ => clean,
    }
}

/// Returns the ports and conditions, with their values, of the element that begins a text.
fn attributes_of(text: &str) -> Option<Vec<(String, String)>> {
    // Copies of a node read its element each.
    let text = &text[..text.floor_char_boundary(MOST_ELEMENT)];
    let (Event::Start(element) | Event::Empty(element)) = Reader::from_str(text).read_event().ok()? else {
        return None;
    };
    let mut found: Vec<(String, String)> = Vec::new();
    for attribute in element.attributes().with_checks(false).take(MOST_ATTRIBUTES) {
        let attribute = attribute.ok()?;
        let name = attribute.key.as_ref();
        let is_name = name.chars().all(|it| it.is_alphanumeric() || "_-.:".contains(it));
        if !is_name || found.iter().any(|(known, _)| known == name) {
            continue;
        }
        // As in the library, an unknown reference is text.
        let raw = &attribute.value;
        let value =
            || quick_xml::escape::unescape(raw).map_or_else(|_| raw.to_string(), |it| it.into_owned());
        let is_port = !matches!(name, "ID" | "name") && name.starts_with(char::is_alphabetic);
        if is_port || OTHER_ATTRIBUTES.contains(&name) {
            found.push((name.to_owned(), value()));
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_elements_are_names_of_xml() {
        assert_eq!(element_name("moveTo"), "moveTo");
        assert_eq!(element_name(".selection"), "selection");
        assert_eq!(element_name("3 <x>"), "x");
        assert_eq!(element_name("?!"), "node");
        assert_eq!(element_name("SubTree"), "SubTree_");
    }

    #[test]
    fn ports_and_conditions_are_attributes() {
        let text = "<Walk ID='a' name='b' _uid='1' to=\"{x}\" _skipIf='a &lt; 1 &and; b'/> <Next/>";
        let pairs = [("to", "{x}"), ("_skipIf", "a &lt; 1 &and; b")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(attributes_of(text), Some(pairs.to_vec()));
        let plain = attributes_of("<A code=\"x := &apos;y&apos;\">").expect("it is an element");
        assert_eq!(plain, [("code".to_owned(), "x := 'y'".to_owned())]);
        assert_eq!(attributes_of("no element"), None);
        let odd = attributes_of("<A a='1' a='2' b&c='3' d='4'/>").expect("it is an element");
        let names: Vec<_> = odd.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(names, ["a=1", "d=4"]);
        assert_eq!(attributes_of(&format!("<A {}", "a".repeat(1 << 20))), None);
    }
}
