//! Kinds of nodes that the host brings, from its manifest.

use super::kinds::{self, NodeKind, PortType, Rule, Shape, Version};
use super::names::NameRule;
use crate::manifest::{self, Function, Inside, Manifest, Param, Substitute, Substitution, TestNode, Type};
use hashbrown::{HashMap, HashSet};

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
    /// Index of the parameter that says if the port can be read or written.
    pub(super) given: Option<usize>,
    pub(super) default: Option<String>,
}

/// A kind of node that the host brings.
#[derive(Debug)]
pub(super) struct HostNode {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) rule: Rule,
    pub(super) ports: Vec<HostPort>,
    /// Index in `ports` of each port, by name.
    by_port: HashMap<String, usize>,
    /// Name of a parameter with words or a range, which ports do not have.
    pub(super) limited: Option<String>,
    /// Index of the parameter that sets the wake-up flag.
    pub(super) wake: Option<usize>,
    /// Index of the action in the manifest.
    pub(super) action: usize,
}

impl HostNode {
    /// Returns the port of this name.
    pub(super) fn port(&self, name: &str) -> Option<&HostPort> {
        self.by_port.get(name).map(|port| &self.ports[*port])
    }
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
    /// True if IDs may have blanks, as up to 4.8.3.
    lenient: bool,
    pub(super) hosts: Vec<HostNode>,
    /// Index in `hosts` of each kind, by name.
    by_name: HashMap<String, usize>,
    /// The actions that the nodes of the host call.
    pub(super) actions: Vec<Function>,
    /// Rules by which nodes are replaced.
    substitutions: Vec<Substitution>,
}

impl Registry {
    /// Returns the nodes of the library and of a manifest.
    pub(super) fn new(manifest: &Manifest, lenient: bool) -> Self {
        let mut registry = Self {
            version: Version::Four,
            lenient,
            hosts: Vec::new(),
            by_name: HashMap::new(),
            actions: Vec::new(),
            substitutions: manifest.substitutions.clone(),
        };
        registry.add(manifest);
        registry
    }

    /// Returns the rule for the IDs of trees and kinds of nodes.
    pub(super) fn id_rule(&self) -> NameRule {
        if self.lenient { NameRule::LenientModel } else { NameRule::Model }
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

    /// Returns the index of the rule that replaces a node, and its substitute.
    pub(super) fn substitute(&self, name: &str, kind: &str, path: &str) -> Option<(usize, &Substitute)> {
        let index = self.substitutions.iter().position(|rule| rule.fits(name, kind, path))?;
        Some((index, &self.substitutions[index].by))
    }

    /// Returns the number of bytes of all filters of rules.
    pub(super) fn filter_bytes(&self) -> usize {
        self.substitutions.iter().map(|rule| rule.filter.len() + 1).sum()
    }

    /// Returns the test node of a rule.
    pub(super) fn test(&self, rule: usize) -> Option<&TestNode> {
        match &self.substitutions.get(rule)?.by {
            Substitute::Test(test) => Some(test),
            Substitute::Node(_) => None,
        }
    }

    /// Returns the names of all kinds.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        kinds::all(self.version).map(|kind| kind.name).chain(self.hosts.iter().map(|host| &*host.name))
    }
}

fn host(action: usize, function: &Function) -> HostNode {
    let (mut ports, mut by_port): (Vec<HostPort>, HashMap<String, usize>) = Default::default();
    let names: HashSet<&str> = function.params.iter().map(|param| &*param.name).collect();
    let (mut given, mut wake) = (Vec::new(), None);
    for (index, param) in function.params.iter().enumerate() {
        let port =
            param.name.strip_suffix(GIVEN).filter(|port| param.ty == Type::Bool && names.contains(port));
        if let Some(port) = port {
            given.push((port, index));
            continue;
        }
        if param.out && param.name == WAKE {
            wake = Some(index);
        }
        if param.name == NAME || param.out && param.name == WAKE {
            continue;
        }
        let place = *by_port.entry(param.name.clone()).or_insert_with(|| {
            let (name, ty) = (param.name.clone(), port_type(param));
            let [reads, writes, given] = [None; 3];
            ports.push(HostPort { name, ty, reads, writes, given, default: default(param) });
            ports.len() - 1
        });
        let way = if param.out { &mut ports[place].writes } else { &mut ports[place].reads };
        *way = Some(index);
    }
    for (port, index) in given {
        if let Some(place) = by_port.get(port) {
            ports[*place].given = Some(index);
        }
    }
    let limited = function.params.iter().find(|param| is_limited(param)).map(|param| param.name.clone());
    let (shape, rule) = match function.inside {
        Inside::Nothing => (Shape::Leaf, Rule::Host(function.leaf)),
        _ => (Shape::Decorator, Rule::Asked { always: function.hears }),
    };
    HostNode { name: function.name.clone(), shape, rule, ports, by_port, limited, wake, action }
}

/// Returns true for a parameter with words or a range, except a range that makes it unsigned.
fn is_limited(param: &Param) -> bool {
    let (least, most) = param.range;
    let unsigned = param.ty == Type::Int && least == 0.0;
    !param.words.is_empty() || most.is_finite() || least.is_finite() && !unsigned
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
        manifest::Default::Number(number) => number.to_string(),
        manifest::Default::Text(text) => text.clone(),
    })
}
