//! Kinds of nodes that the host brings, from its manifest.

use super::kinds::{self, NodeKind, PortType, Rule, Shape, Version};
use crate::manifest::{Default, Function, Inside, Manifest, Param, Type};
use hashbrown::HashMap;

/// End of the name of a parameter that says if the port before the end can be read or written.
pub(super) const GIVEN: &str = "_given";
/// Name of the parameter that gets the name of the node.
pub(super) const NAME: &str = "name";
/// Name of the out parameter that sets the wake-up flag.
pub(super) const WAKE: &str = "wake";

/// A port of a host's node.
#[derive(Debug)]
pub(super) struct HostPort {
    pub(super) name: String,
    pub(super) ty: PortType,
    /// Index of the parameter of the action that is read, and of the one that is written.
    pub(super) reads: Option<usize>,
    pub(super) writes: Option<usize>,
    pub(super) default: Option<String>,
}

/// A kind of node that the host brings.
#[derive(Debug)]
pub(super) struct HostNode {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) rule: Rule,
    pub(super) ports: Vec<HostPort>,
    /// Index of the action in the manifest.
    pub(super) action: usize,
}

/// A kind of node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    /// One of the library.
    Library(&'static NodeKind),
    /// One of the host: index in [`Registry::hosts`].
    Host(usize),
}

/// All kinds of nodes.
#[derive(Debug)]
pub(super) struct Registry {
    pub(super) version: Version,
    pub(super) hosts: Vec<HostNode>,
    /// Index in `hosts` of each kind, by name.
    by_name: HashMap<String, usize>,
    /// The actions that the nodes of the host call.
    pub(super) actions: Vec<Function>,
}

impl Registry {
    /// Returns the nodes of the library and of a manifest.
    pub(super) fn new(manifest: &Manifest) -> Self {
        let mut registry =
            Self { version: Version::Four, hosts: Vec::new(), by_name: HashMap::new(), actions: Vec::new() };
        registry.add(manifest);
        registry
    }

    /// Adds the nodes of a manifest that are not known yet.
    pub(super) fn add(&mut self, manifest: &Manifest) {
        for action in &manifest.actions {
            if self.find(&action.name).is_none() {
                self.by_name.insert(action.name.clone(), self.hosts.len());
                self.hosts.push(host(self.actions.len(), action));
                self.actions.push(action.clone());
            }
        }
    }

    /// Returns the kind of this name, if there is one. Case counts.
    pub(super) fn find(&self, name: &str) -> Option<Known> {
        let host = || self.by_name.get(name).copied().map(Known::Host);
        kinds::find(self.version, name).map(Known::Library).or_else(host)
    }

    /// Returns the names of all kinds.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        kinds::all(self.version).map(|kind| kind.name).chain(self.hosts.iter().map(|host| &*host.name))
    }
}

fn host(action: usize, function: &Function) -> HostNode {
    let mut ports: Vec<HostPort> = Vec::new();
    for (index, param) in function.params.iter().enumerate() {
        let given = param.name.strip_suffix(GIVEN).filter(|_| param.ty == Type::Bool);
        if param.name == NAME
            || param.out && param.name == WAKE
            || given.is_some_and(|port| function.params.iter().any(|it| it.name == port))
        {
            continue;
        }
        let known = ports.iter().position(|port| port.name == param.name);
        let place = known.unwrap_or_else(|| {
            let (name, ty) = (param.name.clone(), port_type(param));
            ports.push(HostPort { name, ty, reads: None, writes: None, default: default(param) });
            ports.len() - 1
        });
        let way = if param.out { &mut ports[place].writes } else { &mut ports[place].reads };
        *way = Some(index);
    }
    let (shape, rule) = match function.inside {
        Inside::Nothing => (Shape::Leaf, Rule::Host(function.leaf)),
        _ => (Shape::Decorator, Rule::Asked { always: function.hears }),
    };
    HostNode { name: function.name.clone(), shape, rule, ports, action }
}

fn port_type(param: &Param) -> PortType {
    match param.ty {
        Type::Bool => PortType::Bool,
        Type::Int if param.range.0 >= 0.0 => PortType::Unsigned,
        Type::Int | Type::Enum(_) => PortType::Int,
        Type::Float => PortType::Float,
        Type::Number | Type::Double => PortType::Double,
        Type::Int64 => PortType::Int64,
        Type::Entity(_) => PortType::Entity,
        Type::Text => PortType::Text,
        // Only our own language knows vectors.
        Type::Vec2 | Type::Vec3 => PortType::Any,
    }
}

fn default(param: &Param) -> Option<String> {
    Some(match param.default.as_ref()? {
        Default::Number(number) => number.to_string(),
        Default::Text(text) => text.clone(),
    })
}
