//! The program as one tree: every `SubTree` replaced by a copy of its tree.
//!
//! Each copy has a blackboard of its own. Which entry a name means depends only on the copy, so it
//! is decided here.

use super::document::{Files, ModelPort};
use super::hosts::{Known, Registry};
use super::kinds::{NodeKind, Rule, Shape, Version};
use super::names::is_port;
use super::values::{pointer, truth};
use super::xml::{Attribute, Element, kind_name};
use super::{Refused, refused};
use crate::codes;
use crate::manifest::Substitute;
use crate::source::Span;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;

/// Most nodes of a program.
const MAX_NODES: usize = 20_000;
/// Most bytes of attributes and ports of a program, with all copies.
const MAX_COPIED: usize = 1 << 21;
/// Bytes that an attribute or a port counts beside its texts.
const ATTRIBUTE: usize = 16;
/// Bytes that the default of a port counts beside its texts. Each copy of a subtree has an entry
/// for it, although nothing of it is written where the copy is.
const DEFAULT: usize = 128;
/// Most steps that the filters of rules for substitution may take: bytes of all filters times bytes
/// of each path.
const MAX_MATCHED: usize = 1 << 30;
/// Most bytes of the path of a node.
const MAX_PATH: usize = 900;
/// Attributes with conditions, in the order of [`Condition`].
const CONDITIONS: [&str; 8] =
    ["_failureIf", "_successIf", "_skipIf", "_while", "_onSuccess", "_onFailure", "_onHalted", "_post"];

/// Pre- or post-condition of a node, as index in [`Instance::conditions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    FailureIf,
    SuccessIf,
    SkipIf,
    While,
    OnSuccess,
    OnFailure,
    OnHalted,
    Post,
}

/// A text of the document, and its place.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) span: Span,
}

/// A node of the program.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) rule: Rule,
    /// The kind, if it is one of the library.
    pub(super) library: Option<&'static NodeKind>,
    /// Index in [`Registry::hosts`] of the kind, if the host brings it.
    pub(super) host: Option<usize>,
    /// Name of the kind; for a subtree its ID.
    pub(super) kind: String,
    /// Name of the node: its `name`, or the kind.
    pub(super) name: String,
    /// True if the node has a name of its own.
    pub(super) named: bool,
    /// Name with those of the subtrees around it.
    pub(super) path: String,
    pub(super) span: Span,
    /// Index in [`Program::scopes`].
    pub(super) scope: usize,
    /// The node around it; the outermost node itself.
    pub(super) parent: usize,
    /// One past the last node inside.
    pub(super) end: usize,
    /// Attributes that are ports.
    pub(super) ports: HashMap<String, Text>,
    pub(super) conditions: [Option<Text>; 8],
}

impl Instance {
    /// Returns a pre- or post-condition.
    pub(super) fn condition(&self, condition: Condition) -> Option<&Text> {
        self.conditions[condition as usize].as_ref()
    }

    /// Returns true if the node has a pre- or post-condition.
    pub(super) fn has_conditions(&self) -> bool {
        self.conditions.iter().any(Option::is_some)
    }
}

/// A blackboard: of the main tree, or of a copy of a subtree.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) parent: Option<usize>,
    /// Path of the subtree; empty for the main tree.
    pub(super) path: String,
    /// Index of the tree in [`Files::trees`].
    tree: usize,
    /// Names that stand for names of the blackboard around it.
    pub(super) remaps: HashMap<String, String>,
    /// True if all names that are not its own stand for those of the blackboard around it.
    pub(super) auto: bool,
    /// True if even names that begin with `_` stand for those of the blackboard around it.
    shares: bool,
    /// Entries with constants.
    pub(super) constants: BTreeMap<String, Text>,
}

impl Scope {
    /// Returns true if a name that is not its own stands for that of the blackboard around it.
    pub(super) fn passes_on(&self, key: &str) -> bool {
        self.shares || self.auto && !key.starts_with('_')
    }
}

/// A program.
#[derive(Debug, Default)]
pub(super) struct Program {
    /// Nodes in pre-order.
    pub(super) nodes: Vec<Instance>,
    pub(super) scopes: Vec<Scope>,
}

impl Program {
    /// Returns the nodes directly inside a node.
    pub(super) fn children(&self, node: usize) -> Vec<usize> {
        let ends = |it: u32| self.nodes[it as usize].end as u32;
        crate::preorder::children(node as u32, ends).map(|it| it as usize).collect()
    }

    /// Returns the blackboard that has a name, and the name there.
    pub(super) fn resolve<'a>(&'a self, mut scope: usize, mut key: &'a str) -> (usize, &'a str) {
        if let Some(key) = key.strip_prefix('@') {
            return (0, key);
        }
        loop {
            let row = &self.scopes[scope];
            let (Some(parent), false) = (row.parent, row.constants.contains_key(key)) else {
                return (scope, key);
            };
            match row.remaps.get(key) {
                Some(outer) if outer.starts_with('@') => return (0, &outer[1..]),
                Some(outer) => key = outer,
                None if row.passes_on(key) => {}
                None => return (scope, key),
            }
            scope = parent;
        }
    }
}

/// Element to be copied.
#[derive(Clone, Copy)]
struct Place {
    document: usize,
    element: usize,
    scope: usize,
    /// The node around the copy.
    parent: usize,
}

/// Work that is left, last first.
enum Task {
    /// Copy an element of a document, in a blackboard and a node.
    Node(Place),
    /// The last node inside has been copied.
    Close(usize),
}

/// Copies a tree with all its subtrees.
pub(super) fn instantiate(files: &Files<'_>, main: usize) -> Result<Program, Refused> {
    let program = Program { nodes: Vec::new(), scopes: vec![Scope { tree: main, ..Scope::default() }] };
    let paths = HashSet::new();
    let mut copier = Copier { files, program, paths, tasks: Vec::new(), copied: 0, matched: 0 };
    let tree = &files.trees[main];
    let (document, element) = (tree.document, tree.element + 1);
    copier.tasks.push(Task::Node(Place { document, element, scope: 0, parent: 0 }));
    while let Some(task) = copier.tasks.pop() {
        match task {
            Task::Node(place) => copier.node(place)?,
            Task::Close(node) => copier.program.nodes[node].end = copier.program.nodes.len(),
        }
    }
    Ok(copier.program)
}

struct Copier<'f, 'r> {
    files: &'f Files<'r>,
    program: Program,
    /// Paths of subtrees so far.
    paths: HashSet<String>,
    tasks: Vec<Task>,
    /// Bytes of attributes and ports so far.
    copied: usize,
    /// Steps of filters so far.
    matched: usize,
}

impl Copier<'_, '_> {
    fn registry(&self) -> &Registry {
        self.files.registry
    }

    fn node(&mut self, place: Place) -> Result<(), Refused> {
        let (files, Place { document, element, scope, parent }) = (self.files, place);
        let row = &files.documents[document].elements[element];
        let node = self.program.nodes.len();
        if node == MAX_NODES {
            let message = format!("with all copies of subtrees, the program has more than {MAX_NODES} nodes");
            return Err(refused(codes::TOO_MANY_COPIES, row.span, message, codes::SPLIT_PROGRAM));
        }
        let (rule, library, host) = match files.kind_of(document, element) {
            Some(Known::Library(kind)) => (kind.rule, Some(kind), None),
            Some(Known::Host(host)) => (self.registry().hosts[host].rule, None, Some(host)),
            None => (Rule::SubTree, None, None),
        };
        let sub = rule == Rule::SubTree;
        let kind =
            if sub { row.attribute("ID").unwrap_or_default() } else { kind_name(&row.name, &row.attributes) };
        let name = row.attribute("name").unwrap_or(kind).to_owned();
        let named = name != kind;
        let own = if named { name.clone() } else { format!("{kind}::{}", node + 1) };
        let prefix = &self.program.scopes[scope].path;
        let path = if prefix.is_empty() { own } else { format!("{prefix}/{own}") };
        if path.len() > MAX_PATH {
            let message = format!("the path of the node has more than {MAX_PATH} bytes");
            return Err(refused(codes::TOO_LARGE, row.span, message, "use shorter names"));
        }
        let mut instance = Instance {
            rule,
            library,
            host,
            kind: kind.to_owned(),
            name,
            named,
            path,
            span: row.span,
            scope,
            parent,
            end: node + 1,
            ports: HashMap::new(),
            conditions: Default::default(),
        };
        self.attributes(&mut instance, row)?;
        let is_replaced = self.substitute(&mut instance)?;
        if let Some(host) = instance.host {
            self.ports_of_host(host, row.span)?;
        }
        let inner = if sub && !is_replaced { Some(self.subtree(&instance, row)?) } else { None };
        self.program.nodes.push(instance);
        self.tasks.push(Task::Close(node));
        if !is_replaced {
            self.inside(&Place { parent: node, ..place }, inner);
        }
        Ok(())
    }

    /// Begins to copy what is inside of a node: the tree of a subtree with its blackboard, or the
    /// elements in its element.
    fn inside(&mut self, place: &Place, inner: Option<(usize, usize)>) {
        let files = self.files;
        if let Some((tree, scope)) = inner {
            let tree = &files.trees[tree];
            let (document, element) = (tree.document, tree.element + 1);
            self.tasks.push(Task::Node(Place { document, element, scope, ..*place }));
            return;
        }
        let children: Vec<_> = files.documents[place.document].children(place.element).collect();
        self.tasks.extend(children.into_iter().rev().map(|element| Task::Node(Place { element, ..*place })));
    }

    /// Replaces a node with all that is inside, if a rule says so. Its name, its path and its
    /// conditions stay, and those of its ports that the substitute has.
    fn substitute(&mut self, instance: &mut Instance) -> Result<bool, Refused> {
        let registry = self.files.registry;
        let steps = registry.filter_bytes().saturating_mul(instance.path.len() + 1);
        self.matched = self.matched.saturating_add(steps);
        if self.matched > MAX_MATCHED {
            let message = "the rules for substitution have too many and too long filters for this tree";
            let help = "use fewer rules";
            return Err(refused(codes::TOO_MANY_COPIES, instance.span, message, help));
        }
        let found = registry.substitute(&instance.name, &instance.kind, &instance.path);
        let Some((rule, substitute)) = found else { return Ok(false) };
        (instance.rule, instance.library, instance.host) = match substitute {
            Substitute::Test(test) => {
                self.spend(test.script_bytes(), instance.span)?;
                (Rule::Test(rule), None, None)
            }
            Substitute::Node(name) => match registry.find(name) {
                Some(Known::Library(kind)) if kind.shape == Shape::Leaf => (kind.rule, Some(kind), None),
                Some(Known::Host(host)) if registry.hosts[host].shape == Shape::Leaf => {
                    instance.kind.clone_from(name);
                    (registry.hosts[host].rule, None, Some(host))
                }
                found => {
                    let (code, what) = match found {
                        Some(_) => (codes::NODE_CHILDREN, "needs children"),
                        None => (codes::UNKNOWN_NODE, "is unknown"),
                    };
                    let message =
                        format!("`{name}` is to take the place of `{}`, but it {what}", instance.path);
                    let help = "name a test node or a node without children in the file of substitutes";
                    return Err(refused(code, instance.span, message, help));
                }
            },
        };
        let ports = core::mem::take(&mut instance.ports);
        instance.ports = ports.into_iter().filter(|(name, _)| self.has_port(instance, name)).collect();
        Ok(true)
    }

    /// Counts the ports of a node of the host, and refuses those that no file can have.
    fn ports_of_host(&mut self, host: usize, span: Span) -> Result<(), Refused> {
        let host = &self.files.registry.hosts[host];
        if let Some(param) = &host.limited {
            let message = format!("`{param}` of `{}` has words or a range, which no port has", host.name);
            let help = "declare the parameter without them; `int 0..` is an unsigned integer";
            return Err(refused(codes::NODE_PORT, span, message, help));
        }
        self.spend(host.ports.iter().map(|port| ATTRIBUTE + port.name.len()).sum(), span)
    }

    /// Counts copied bytes. A short file must not become a program of any length.
    fn spend(&mut self, bytes: usize, span: Span) -> Result<(), Refused> {
        self.copied = self.copied.saturating_add(bytes);
        if self.copied <= MAX_COPIED {
            return Ok(());
        }
        let message =
            format!("with all copies of subtrees, attributes and ports have more than {MAX_COPIED} bytes");
        Err(refused(codes::TOO_MANY_COPIES, span, message, codes::SPLIT_PROGRAM))
    }

    /// Sorts the attributes of a node, and refuses ports that it does not have.
    fn attributes(&mut self, instance: &mut Instance, row: &Element) -> Result<(), Refused> {
        for Attribute { name, value, span } in &row.attributes {
            self.spend(ATTRIBUTE + name.len() + value.len(), *span)?;
            let old = self.registry().version == Version::Three;
            // Version 3 knows a second way to write the name of an entry.
            let value = value.strip_prefix('$').filter(|it| old && pointer(it).is_some()).unwrap_or(value);
            let text = Text { text: value.to_owned(), span: *span };
            if old && name.starts_with('_') && name != "_description" && instance.rule != Rule::SubTree {
                let message = format!("`{}` has no port `{name}`", instance.kind);
                return Err(refused(codes::NODE_PORT, *span, message, "version 3 has no such attribute"));
            }
            if let Some(index) = CONDITIONS.iter().position(|it| it == name && !old) {
                instance.conditions[index] = Some(text);
                continue;
            }
            if !is_port(name) {
                continue;
            }
            if !self.has_port(instance, name) {
                let message = format!("`{}` has no port `{name}`", instance.kind);
                return Err(refused(codes::NODE_PORT, *span, message, "remove the attribute"));
            }
            instance.ports.insert(name.clone(), text);
        }
        Ok(())
    }

    fn has_port(&self, instance: &Instance, name: &str) -> bool {
        match (instance.rule, instance.host) {
            (Rule::SubTree, _) => true,
            (_, Some(host)) => self.registry().hosts[host].port(name).is_some(),
            _ => instance.library.is_some_and(|kind| kind.ports.iter().any(|port| port.name == name)),
        }
    }

    /// Creates the blackboard of a subtree. Returns its tree and the blackboard.
    fn subtree(&mut self, instance: &Instance, row: &Element) -> Result<(usize, usize), Refused> {
        let id = &instance.kind;
        let Some(tree) = self.files.by_id.get(id).copied() else {
            let message = format!("there is no tree `{id}`");
            return Err(refused(codes::TREE_NOT_FOUND, row.span, message, "check the ID"));
        };
        let mut around = Some(instance.scope);
        while let Some(scope) = around {
            if self.program.scopes[scope].tree == tree {
                let message = format!("the tree `{id}` includes itself");
                return Err(refused(codes::RECURSIVE_TREE, row.span, message, "repeat it with a decorator"));
            }
            around = self.program.scopes[scope].parent;
        }
        if !self.paths.insert(instance.path.clone()) {
            let message = format!("there are two subtrees with the path `{}`", instance.path);
            return Err(refused(codes::NODE_NAME, row.span, message, "give them different names"));
        }
        let plus = row.name == "SubTreePlus";
        let old = self.registry().version == Version::Three && !plus;
        let name = match (old, plus) {
            (true, _) => "__shared_blackboard",
            (_, true) => "__autoremap",
            _ => "_autoremap",
        };
        let auto = match row.attribute(name) {
            None => false,
            Some(text) => truth(text).ok_or_else(|| {
                let message = format!("`{text}` is neither `true` nor `false`");
                refused(codes::XML_BAD_VALUE, row.span, message, format!("write `{name}=\"true\"`"))
            })?,
        };
        let parent = Some(instance.scope);
        let mut scope = Scope { parent, path: instance.path.clone(), tree, auto, ..Scope::default() };
        for (name, text) in &instance.ports {
            // Version 3 has names without braces.
            if old {
                scope.remaps.insert(name.clone(), text.text.clone());
            } else {
                remap(&mut scope, name, text.clone());
            }
        }
        scope.shares = auto && self.registry().version == Version::Three;
        self.defaults(&mut scope, instance, id)?;
        self.program.scopes.push(scope);
        Ok((tree, self.program.scopes.len() - 1))
    }

    /// Gives the ports of a subtree's model that are left out their defaults.
    fn defaults(&mut self, scope: &mut Scope, instance: &Instance, id: &str) -> Result<(), Refused> {
        let files = self.files;
        let Some(ports) = files.models.get(id).filter(|_| !scope.auto) else { return Ok(()) };
        for ModelPort { name, default } in ports.iter().filter(|it| !instance.ports.contains_key(&it.name)) {
            let length = name.len() + default.as_ref().map_or(0, String::len);
            self.spend(DEFAULT + length, instance.span)?;
            let Some(default) = default else {
                let message = format!("the port `{name}` of the tree `{id}` is missing");
                return Err(refused(codes::NODE_PORT, instance.span, message, "add the attribute"));
            };
            // Here, `{=}` is an entry with the name `=`.
            match pointer(default) {
                Some(key) => _ = scope.remaps.insert(name.clone(), key.to_owned()),
                None => remap(scope, name, Text { text: default.clone(), span: instance.span }),
            }
        }
        Ok(())
    }
}

/// Gives a name of a subtree's blackboard a name outside, or a constant.
fn remap(scope: &mut Scope, name: &str, text: Text) {
    match pointer(&text.text) {
        Some("=") => _ = scope.remaps.insert(name.to_owned(), name.to_owned()),
        Some(key) => _ = scope.remaps.insert(name.to_owned(), key.to_owned()),
        None => _ = scope.constants.insert(name.to_owned(), text),
    }
}
