//! The program as nodes with their ports, for tools that run trees by another way than routines.

use super::entries::Port;
use super::hosts::{HostPort, NAME};
use super::instance::Instance;
use super::kinds::{Rule, Version};
use super::library::slot_kind;
use super::slots::entry_name;
use super::values::{Literal, literal};
use super::{Read, Refused, read, wanted};
use crate::ast::SlotKind;
use crate::manifest::{Leaf, Type};
use crate::session::Session;

/// A program before it becomes routines.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Nodes in pre-order, with those of subtrees in their places.
    pub nodes: Vec<OutlineNode>,
    /// Entries of all blackboards.
    pub entries: Vec<OutlineEntry>,
    /// True if the file is of version 3 of the library.
    pub is_old: bool,
}

/// A node of an [`Outline`].
#[derive(Clone, Debug)]
pub struct OutlineNode {
    /// Name of the kind: of the library, or the action of the host. `SubTree` for a subtree.
    pub kind: String,
    /// Origin of the kind.
    pub role: OutlineRole,
    /// One past the last node inside.
    pub end: usize,
    /// True if the node has a pre- or post-condition.
    pub has_conditions: bool,
    /// Name and value of each port of a node of the library, defaults included.
    pub ports: Vec<(&'static str, OutlinePort)>,
    /// Arguments of the action of the host, in the order of its declaration.
    pub arguments: Vec<OutlineArgument>,
}

/// Origin of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineRole {
    /// The library has the node.
    Library,
    /// The host has the leaf.
    Leaf(Leaf),
    /// The host has the decorator. The flag says that the host is asked also while the child runs.
    Decorator(bool),
}

/// Value of a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutlinePort {
    /// A text.
    Literal(String),
    /// Index of an entry.
    Entry(usize),
}

/// Argument of an action of the host.
#[derive(Clone, Debug)]
pub struct OutlineArgument {
    /// Kind of the value.
    pub kind: SlotKind,
    /// Place from which the value comes, or to which it goes.
    pub value: OutlineValue,
}

/// Value of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum OutlineValue {
    /// The port is not connected.
    Nothing,
    /// A number or a truth.
    Number(f64),
    /// A text.
    Text(String),
    /// Value of an entry.
    Entry(usize),
    /// Value of an entry. Without a value, the tick is a fault.
    Needed(usize),
    /// The port cannot be read: the tick is a fault.
    Unreadable,
    /// True if the entry has a value.
    HasValue(usize),
    /// Entry that the action writes.
    Output(usize),
}

/// An entry of a blackboard.
#[derive(Clone, Debug)]
pub struct OutlineEntry {
    /// Name of the variable that holds the value.
    pub name: String,
    /// Kind of the value.
    pub kind: SlotKind,
    /// Value before the first tick.
    pub constant: Option<String>,
    /// True if a node writes the entry.
    pub is_written: bool,
}

/// Reads a program. Returns `None` if there are errors, which the session then holds.
pub fn outline(session: &mut Session<'_>, entries: &[String]) -> Option<Outline> {
    let (found, tree) = wanted(session, entries)?;
    let outlined = read(session, found, tree).and_then(|read| read.map(|it| it.outline()).transpose());
    session.accept(outlined).flatten()
}

impl Read {
    fn outline(&self) -> Result<Outline, Refused> {
        let nodes = self.program.nodes.iter().enumerate();
        let nodes = nodes.map(|(node, instance)| self.node(node, instance)).collect::<Result<_, _>>()?;
        let is_old = self.registry.version == Version::Three;
        Ok(Outline { nodes, entries: self.outline_entries(), is_old })
    }

    fn node(&self, node: usize, instance: &Instance) -> Result<OutlineNode, Refused> {
        let ports = instance.library.map_or(&[][..], |kind| kind.ports).iter();
        Ok(OutlineNode {
            kind: if instance.rule == Rule::SubTree { "SubTree".into() } else { instance.kind.clone() },
            role: match instance.rule {
                Rule::Host(leaf) => OutlineRole::Leaf(leaf),
                Rule::Asked { always } => OutlineRole::Decorator(always),
                _ => OutlineRole::Library,
            },
            end: instance.end,
            has_conditions: instance.has_conditions(),
            ports: ports.filter_map(|port| Some((port.name, self.port(node, port.name)?))).collect(),
            arguments: self.arguments(node, instance)?,
        })
    }

    /// Returns the value of a port of a node.
    fn port(&self, node: usize, name: &str) -> Option<OutlinePort> {
        match self.entries.port(&self.program, &self.registry, node, name) {
            Port::Missing => None,
            Port::Literal(text) => Some(OutlinePort::Literal(text.text)),
            Port::Entry(entry) => Some(OutlinePort::Entry(entry)),
        }
    }

    /// Returns the arguments of the action that a node of the host calls.
    fn arguments(&self, node: usize, instance: &Instance) -> Result<Vec<OutlineArgument>, Refused> {
        let Some(host) = instance.host.map(|host| &self.registry.hosts[host]) else { return Ok(Vec::new()) };
        let params = &self.registry.actions[host.action].params;
        let nothing = OutlineArgument { kind: SlotKind::Bit, value: OutlineValue::Nothing };
        let mut arguments = vec![nothing; params.len()];
        for (argument, param) in arguments.iter_mut().zip(params) {
            if param.name == NAME && param.ty == Type::Text {
                argument.value = OutlineValue::Text(instance.name.clone());
            }
        }
        for port in &host.ports {
            let value = self.entries.port(&self.program, &self.registry, node, &port.name);
            if let Some(index) = port.reads {
                arguments[index].value = input(port, &value)?;
            }
            if let (Some(index), Port::Entry(entry)) = (port.writes, &value) {
                arguments[index].value = OutlineValue::Output(*entry);
            }
            for index in port.reads.into_iter().chain(port.writes) {
                arguments[index].kind = slot_kind(port.ty);
            }
            if let Some(given) = port.given {
                arguments[given].value = match (&value, port.reads) {
                    (Port::Entry(entry), Some(_)) => OutlineValue::HasValue(*entry),
                    (Port::Missing, _) | (Port::Literal(_), None) => OutlineValue::Number(0.0),
                    (Port::Literal(_), Some(_)) | (Port::Entry(_), None) => OutlineValue::Number(1.0),
                };
            }
        }
        Ok(arguments)
    }

    fn outline_entries(&self) -> Vec<OutlineEntry> {
        let rows = self.entries.list.iter().enumerate();
        let outlined = rows.map(|(index, row)| OutlineEntry {
            name: entry_name(&self.program.scopes[row.scope].path, &row.key),
            kind: row.kind.slot_kind(),
            constant: row.constant.clone(),
            is_written: self.entries.writes.iter().any(|it| it.entry == index && it.node.is_some()),
        });
        outlined.collect()
    }
}

/// Returns the value of a port that the host reads.
fn input(port: &HostPort, value: &Port) -> Result<OutlineValue, Refused> {
    Ok(match value {
        Port::Missing if port.given.is_none() => OutlineValue::Unreadable,
        Port::Missing => OutlineValue::Nothing,
        Port::Entry(entry) if port.given.is_none() => OutlineValue::Needed(*entry),
        Port::Entry(entry) => OutlineValue::Entry(*entry),
        Port::Literal(text) => match literal(port.ty, &text.text, text.span)? {
            Literal::Int(int) => OutlineValue::Number(int as f64),
            Literal::Real(real) => OutlineValue::Number(real),
            Literal::Truth(is) => OutlineValue::Number(is.into()),
            Literal::Text(text) => OutlineValue::Text(text.to_owned()),
        },
    })
}
