//! Reading of logs. The bytes may come from anywhere.

use super::{LOG_MAGIC, VERSION};
use crate::describe::SUBTREE;
use crate::statuses::NodeStatus;
use crate::tree::MOST_XML;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashMap;
use std::fmt;

/// Place of the length of the XML.
const LENGTH_AT: usize = LOG_MAGIC.len() + 1;
/// Place of the XML.
const XML_AT: usize = LENGTH_AT + 4;
/// Bytes of a change.
const ROW: usize = 9;

/// Log of an agent.
#[derive(Clone, Debug)]
pub struct Log {
    /// Time of the start: microseconds since the Unix epoch.
    pub start: i64,
    /// Changes of statuses, in order.
    pub changes: Vec<LoggedChange>,
    /// Paths of the instances.
    instances: Vec<String>,
    nodes: HashMap<u16, LoggedNode>,
}

/// Change in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedChange {
    /// Microseconds since the start.
    pub micros: u64,
    /// Uid of the node.
    pub uid: u16,
    /// New status.
    pub status: NodeStatus,
}

/// Node in the XML of a log.
#[derive(Clone, Debug)]
struct LoggedNode {
    instance: usize,
    name: String,
}

/// Reason why bytes are no log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogProblem {
    /// The bytes begin otherwise.
    NoLog,
    /// The version is not 1.
    Version(u8),
    /// The file ends here, within its head or within a change.
    Cut,
    /// The length of the XML is negative, or greater than the file or 16 MiB.
    Length(i32),
    /// The XML is wrong.
    Xml(String),
    /// No node has this uid.
    UnknownUid(u16),
    /// The number is no status.
    Status(u8),
}

/// Reason why bytes are no log, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError {
    /// Byte of the file, from 0.
    pub at: usize,
    /// Reason.
    pub problem: LogProblem,
}

impl fmt::Display for LogError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "byte {}: ", self.at)?;
        match &self.problem {
            LogProblem::NoLog => out.write_str("it is no log: it does not begin with `BTCPP4-FileLogger2`"),
            LogProblem::Version(version) => {
                write!(out, "the version is {version}, and only version {VERSION} can be read")
            }
            LogProblem::Cut => out.write_str("the file is cut here; write the log again"),
            LogProblem::Length(length) => {
                let limits = "the XML must end within the file and have at most";
                write!(out, "the length of the XML is {length}, but {limits} {MOST_XML} bytes")
            }
            LogProblem::Xml(why) => write!(out, "the tree is wrong: {why}"),
            LogProblem::UnknownUid(uid) => write!(out, "the tree has no node with the uid {uid}"),
            LogProblem::Status(number) => write!(out, "{number} is no status; statuses go from 0 to 3"),
        }
    }
}

impl std::error::Error for LogError {}

fn error<T>(at: usize, problem: LogProblem) -> Result<T, LogError> {
    Err(LogError { at, problem })
}

impl Log {
    /// Reads a log.
    ///
    /// # Errors
    /// If the bytes are no log.
    pub fn read(bytes: &[u8]) -> Result<Self, LogError> {
        if !bytes.starts_with(LOG_MAGIC) {
            let is_cut = LOG_MAGIC.starts_with(bytes) && !bytes.is_empty();
            let problem = if is_cut { LogProblem::Cut } else { LogProblem::NoLog };
            return error(if is_cut { bytes.len() } else { 0 }, problem);
        }
        match bytes.get(LOG_MAGIC.len()) {
            None => return error(bytes.len(), LogProblem::Cut),
            Some(&VERSION) => {}
            Some(&version) => return error(LOG_MAGIC.len(), LogProblem::Version(version)),
        }
        let Some(length) = bytes.get(LENGTH_AT..).and_then(<[u8]>::first_chunk) else {
            return error(bytes.len(), LogProblem::Cut);
        };
        let length = i32::from_le_bytes(*length);
        let size = usize::try_from(length).ok().filter(|size| *size <= MOST_XML);
        let xml = size.and_then(|size| bytes.get(XML_AT..XML_AT + size));
        let Some(xml) = xml else { return error(LENGTH_AT, LogProblem::Length(length)) };
        let start_at = XML_AT + xml.len();
        let Some(start) = bytes.get(start_at..).and_then(<[u8]>::first_chunk) else {
            return error(bytes.len(), LogProblem::Cut);
        };
        let mut log = Nodes::read(xml)?;
        log.start = i64::from_le_bytes(*start);
        log.rows(bytes, start_at + start.len())?;
        Ok(log)
    }

    /// Reads the changes, which begin at a byte.
    fn rows(&mut self, bytes: &[u8], first: usize) -> Result<(), LogError> {
        let rows = bytes[first..].chunks(ROW);
        self.changes.reserve_exact(rows.len());
        for (index, row) in rows.enumerate() {
            let at = first + index * ROW;
            let Ok([a, b, c, d, e, f, low, high, number]) = <[u8; ROW]>::try_from(row) else {
                return error(bytes.len(), LogProblem::Cut);
            };
            let (micros, uid) =
                (u64::from_le_bytes([a, b, c, d, e, f, 0, 0]), u16::from_le_bytes([low, high]));
            if !self.nodes.contains_key(&uid) {
                return error(at + 6, LogProblem::UnknownUid(uid));
            }
            let Some(status) = NodeStatus::of(number) else {
                return error(at + 8, LogProblem::Status(number));
            };
            self.changes.push(LoggedChange { micros, uid, status });
        }
        Ok(())
    }

    /// Returns the path of a node: the names of the nodes that call trees, and its own.
    #[must_use]
    pub fn path(&self, uid: u16) -> Option<String> {
        let node = self.nodes.get(&uid)?;
        let around = self.instances.get(node.instance).map_or("", String::as_str);
        Some(if around.is_empty() { node.name.clone() } else { format!("{around}/{}", node.name) })
    }
}

/// Reader of the XML.
struct Nodes<'x> {
    reader: Reader<&'x [u8]>,
    log: Log,
    /// Number of elements around.
    depth: usize,
    /// True within a `BehaviorTree`.
    is_in_tree: bool,
}

impl<'x> Nodes<'x> {
    fn read(xml: &'x [u8]) -> Result<Log, LogError> {
        let text = match std::str::from_utf8(xml) {
            Ok(text) => text,
            Err(why) => {
                return error(XML_AT + why.valid_up_to(), LogProblem::Xml("it is not in UTF-8".to_owned()));
            }
        };
        let log = Log { start: 0, changes: Vec::new(), instances: Vec::new(), nodes: HashMap::new() };
        let mut nodes = Self { reader: Reader::from_str(text), log, depth: 0, is_in_tree: false };
        loop {
            let at = nodes.reader.buffer_position() as usize;
            match nodes.reader.read_event() {
                Ok(Event::Start(element)) => {
                    nodes.element(&element, at)?;
                    nodes.depth += 1;
                }
                Ok(Event::Empty(element)) => nodes.element(&element, at)?,
                Ok(Event::End(_)) => nodes.depth -= 1,
                Ok(Event::DocType(_)) => return wrong(at, "a document type is not allowed"),
                Ok(Event::Eof) if nodes.depth > 0 => return wrong(at, "an element has no end"),
                Ok(Event::Eof) if nodes.log.nodes.is_empty() => return wrong(at, "it has no node"),
                Ok(Event::Eof) => return Ok(nodes.log),
                Ok(_) => {}
                Err(why) => return wrong(nodes.reader.error_position() as usize, why.to_string()),
            }
        }
    }

    fn element(&mut self, element: &BytesStart<'_>, at: usize) -> Result<(), LogError> {
        let name = element.name().into_inner();
        match self.depth {
            0 if name != "root" => wrong(at, format!("the outermost element is `{name}`, not `root`")),
            0 => Ok(()),
            1 => {
                self.is_in_tree = name == "BehaviorTree";
                if self.is_in_tree {
                    let path = attribute(element, "_fullpath", at)?.unwrap_or_default();
                    self.log.instances.push(path);
                }
                Ok(())
            }
            _ if self.is_in_tree => self.node(element, name, at),
            _ => Ok(()),
        }
    }

    fn node(&mut self, element: &BytesStart<'_>, tag: &str, at: usize) -> Result<(), LogError> {
        let Some(text) = attribute(element, "_uid", at)? else {
            return wrong(at, format!("the node `{tag}` has no `_uid`"));
        };
        let Some(uid) = text.parse::<u16>().ok().filter(|uid| *uid > 0) else {
            return wrong(at, format!("the uid `{text}` is no number from 1 to 65535"));
        };
        let name = attribute(element, "name", at)?;
        let kind = if tag == SUBTREE { attribute(element, "ID", at)? } else { None };
        let kind = kind.unwrap_or_else(|| tag.to_owned());
        let (own, around) = (self.log.instances.len() - 1, attribute(element, "_fullpath", at)?);
        // The path of a node that calls a tree is written out.
        let (instance, name) = match (around.filter(|_| tag == SUBTREE), name.filter(|name| *name != kind)) {
            (Some(path), _) => {
                let around = &*self.log.instances[own];
                let rest = path.strip_prefix(around).and_then(|rest| rest.strip_prefix('/'));
                (own, rest.unwrap_or(&path).to_owned())
            }
            (None, Some(name)) => (own, name),
            (None, None) => (own, format!("{kind}::{uid}")),
        };
        if self.log.nodes.insert(uid, LoggedNode { instance, name }).is_some() {
            return wrong(at, format!("two nodes have the uid {uid}"));
        }
        Ok(())
    }
}

/// Returns an attribute of an element.
fn attribute(element: &BytesStart<'_>, name: &str, at: usize) -> Result<Option<String>, LogError> {
    for attribute in element.attributes().with_checks(false) {
        let attribute = match attribute {
            Ok(attribute) => attribute,
            Err(why) => return wrong(at, why.to_string()),
        };
        if attribute.key.as_ref() == name {
            return match unescape(&attribute.value) {
                Ok(value) => Ok(Some(value.into_owned())),
                Err(why) => wrong(at, why.to_string()),
            };
        }
    }
    Ok(None)
}

/// Returns an error at a byte of the XML.
fn wrong<T>(at: usize, why: impl Into<String>) -> Result<T, LogError> {
    error(XML_AT + at, LogProblem::Xml(why.into()))
}
