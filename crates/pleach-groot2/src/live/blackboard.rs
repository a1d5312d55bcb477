//! Values of an agent as blackboards, and their form in messages.

use crate::tree::Tree;
use pleach::{Agent, Crowd, EntityId, Group, Program, SharedVariable, TextId, Variable};
use pleach_image::EnumSubject;
use pleach_image::format::slot_kind;
use rmp::encode;
use std::collections::{BTreeMap, HashSet};

/// Name under which the blackboard of the entry is told beside those of subtrees.
const ROOT: &str = "ROOT";

/// Value of an entry.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BoardValue {
    Int(i64),
    Uint(u64),
    Real(f64),
    Text(String),
}

/// Entries by the paths of instances, which are empty for the entry of the program.
pub(crate) type Boards = BTreeMap<String, BTreeMap<String, BoardValue>>;

/// Variable of an agent, or one that agents share.
#[derive(Clone, Copy, Debug)]
enum Handle {
    Own(Variable),
    Shared(SharedVariable),
}

/// Variable that is told as an entry.
#[derive(Debug)]
struct BoardEntry {
    path: String,
    key: String,
    handle: Handle,
    kind: u32,
    subject: EnumSubject,
    /// Variable that says if the entry has a value.
    has_value: Option<Variable>,
}

/// Reader of the blackboards of an agent.
#[derive(Debug)]
pub(crate) struct BoardReader {
    entries: Vec<BoardEntry>,
}

impl BoardReader {
    pub(crate) fn new(tree: &Tree, program: &Program) -> Self {
        let image = &tree.image;
        let paths: HashSet<_> = tree.instances.iter().map(|instance| &*instance.path).collect();
        let mut entries = Vec::new();
        for (index, slot) in (0..).zip(image.slots()) {
            let name = image.name(slot.name);
            let (Some(handle), Some(_)) = (program.variable(name), slot_kind::name(slot.kind)) else {
                continue;
            };
            let is_of_library = tree.keeps_statuses;
            if is_of_library && (name.starts_with('@') || name.ends_with(['?', '#'])) {
                continue;
            }
            let split = name.rsplit_once('/').filter(|(path, _)| is_of_library && paths.contains(path));
            let (path, key) = split.unwrap_or(("", name));
            entries.push(BoardEntry {
                path: path.to_owned(),
                key: key.to_owned(),
                handle: Handle::Own(handle),
                kind: slot.kind,
                subject: EnumSubject::Slot(index),
                has_value: program.variable(&format!("{name}?")).filter(|_| is_of_library),
            });
        }
        for (index, row) in (0..).zip(image.shared()) {
            let key = image.name(row.name).to_owned();
            if let Some(handle) = program.shared(&key) {
                let (path, subject) = (String::new(), EnumSubject::Shared(index));
                let handle = Handle::Shared(handle);
                entries.push(BoardEntry { path, key, handle, kind: row.kind, subject, has_value: None });
            }
        }
        Self { entries }
    }

    /// Returns the blackboards of an agent, without entries that have no value. If it is gone, no
    /// entry has one.
    pub(crate) fn read(&self, tree: &Tree, crowd: &Crowd, agent: Agent) -> Boards {
        let paths = tree.instances.iter().map(|instance| instance.path.clone());
        let mut boards: Boards = paths.map(|path| (path, BTreeMap::new())).collect();
        for entry in &self.entries {
            if let Some(value) = entry.read(tree, crowd, agent) {
                boards.entry(entry.path.clone()).or_default().insert(entry.key.clone(), value);
            }
        }
        boards
    }
}

impl BoardEntry {
    fn read(&self, tree: &Tree, crowd: &Crowd, agent: Agent) -> Option<BoardValue> {
        if let Some(has) = self.has_value
            && crowd.get::<bool>(agent, has) != Ok(true)
        {
            return None;
        }
        let number = || match self.handle {
            Handle::Own(variable) => crowd.number(agent, variable).ok(),
            Handle::Shared(variable) => crowd.shared(variable, Group::default()).ok(),
        };
        Some(match self.kind {
            slot_kind::F32 | slot_kind::F64 => BoardValue::Real(number()?),
            slot_kind::I64 => BoardValue::Int(match self.handle {
                Handle::Own(variable) => crowd.get(agent, variable).ok()?,
                Handle::Shared(variable) => crowd.shared_value(variable, Group::default()).ok()?,
            }),
            slot_kind::ENTITY => BoardValue::Uint(match self.handle {
                Handle::Own(variable) => crowd.get::<EntityId>(agent, variable).ok()?.0,
                Handle::Shared(variable) => {
                    crowd.shared_value::<EntityId>(variable, Group::default()).ok()?.0
                }
            }),
            slot_kind::TEXT => {
                let text = crowd.text(TextId(number()? as u32));
                BoardValue::Text(String::from_utf8_lossy(text).into_owned())
            }
            _ => {
                let number = number()?;
                let member = tree.image.member(self.subject, number);
                member.map_or(BoardValue::Int(number as i64), |name| BoardValue::Text(name.into_owned()))
            }
        })
    }
}

/// Returns the MessagePack of the blackboards with these names; nil if there are none.
pub(crate) fn pack<'n>(
    boards: Option<&Boards>,
    entry: &str,
    names: impl Iterator<Item = &'n str>,
) -> Vec<u8> {
    let mut found: BTreeMap<&str, &BTreeMap<String, BoardValue>> = BTreeMap::new();
    for name in names {
        let path = if name == entry { "" } else { name };
        let Some(board) = boards.and_then(|boards| boards.get(path)).filter(|_| !name.is_empty()) else {
            continue;
        };
        found.insert(name, board);
        if let Some(root) = boards.and_then(|boards| boards.get("")).filter(|_| name != entry) {
            found.insert(ROOT, root);
        }
    }
    let mut out = Packer(Vec::new());
    if found.is_empty() {
        out.nil();
    } else {
        out.map(found.len());
    }
    for (name, board) in found {
        out.text(name);
        out.map(board.len());
        for (key, value) in board {
            out.text(key);
            out.value(value);
        }
    }
    out.0
}

/// Writer of MessagePack. Writing to memory does not fail.
struct Packer(Vec<u8>);

impl Packer {
    fn map(&mut self, entries: usize) {
        let _ = encode::write_map_len(&mut self.0, entries as u32);
    }

    fn text(&mut self, text: &str) {
        let _ = encode::write_str(&mut self.0, text);
    }

    fn nil(&mut self) {
        let _ = encode::write_nil(&mut self.0);
    }

    fn value(&mut self, value: &BoardValue) {
        match value {
            BoardValue::Int(number) => _ = encode::write_sint(&mut self.0, *number),
            BoardValue::Uint(number) => _ = encode::write_uint(&mut self.0, *number),
            // As the library's writer does it: the short form if that is exact.
            BoardValue::Real(number) if f64::from(*number as f32) == *number && number.is_finite() => {
                let _ = encode::write_f32(&mut self.0, *number as f32);
            }
            BoardValue::Real(number) => _ = encode::write_f64(&mut self.0, *number),
            BoardValue::Text(text) => self.text(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blackboards_are_packed_as_the_library_does_it() {
        let board = |list: &[(&str, BoardValue)]| -> BTreeMap<String, BoardValue> {
            list.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
        };
        let name = BoardValue::Text("robot".to_owned());
        let root = board(&[("name", name), ("speed", BoardValue::Real(1.5)), ("x", BoardValue::Int(3))]);
        let sub = board(&[("w", BoardValue::Real(10.0)), ("z", BoardValue::Int(7))]);
        let boards: Boards = [(String::new(), root), ("sub".to_owned(), sub)].into();
        let packed = pack(Some(&boards), "Main", "Main;sub".split(';'));
        let robot = b"\x83\xa4name\xa5robot\xa5speed\xca\x3f\xc0\0\0\xa1x\x03";
        let sub = b"\xa3sub\x82\xa1w\xca\x41\x20\0\0\xa1z\x07";
        assert_eq!(packed, [&b"\x83\xa4Main"[..], robot, b"\xa4ROOT", robot, sub].concat());
        let alone = pack(Some(&boards), "Main", "Main".split(';'));
        assert_eq!(alone, [&b"\x81\xa4Main"[..], robot].concat());
        assert_eq!(pack(Some(&boards), "Main", "nothing;".split(';')), [0xc0]);
        assert_eq!(pack(None, "Main", "Main".split(';')), [0xc0]);
    }
}
