//! Entries of blackboards, and the one type that each has.
//!
//! An entry of the original takes the type of the first value that is written. Here the type is
//! decided before the program runs, see `infer`.

use super::hosts::Registry;
use super::instance::{Condition, Instance, Program, Text};
use super::kinds::{PortType, Rule, Version};
use super::script::{Assignment, Expr, Script};
use super::values::{literal, pointer};
pub(super) use super::writes::{Kind, kind_of_port};
use super::writes::{Source, Write, constant, likely};
use super::{Refused, refused};
use crate::codes;
use crate::manifest::{Manifest, Type};
use crate::source::Span;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// An entry of a blackboard.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) scope: usize,
    pub(super) key: String,
    /// First place that names the entry.
    pub(super) span: Span,
    /// Type by the first port that has one.
    pub(super) declared: Option<PortType>,
    /// True if the entry exists before the first tick.
    pub(super) exists: bool,
    pub(super) kind: Kind,
    /// Kind of the values if nothing else tells it.
    pub(super) likely: Option<Kind>,
    /// The value before the first tick.
    pub(super) constant: Option<String>,
    /// True if a script needs the entry to exist.
    pub(super) asked: bool,
    /// True if a script writes the entry.
    pub(super) scripted: bool,
    /// True if a node counts the writes.
    pub(super) counted: bool,
    /// True if a node removes the entry, so that any write can be the first one.
    pub(super) removed: bool,
    /// True if the first port that names the entry has the library's type for any value. No text
    /// can be converted to it.
    pub(super) holds_any: bool,
}

impl Entry {
    /// Returns true if a port without a type has made the entry. A text that `SetBlackboard` writes
    /// is lost then.
    pub(super) fn is_untyped(&self) -> bool {
        self.exists && self.declared.is_none_or(|it| it == PortType::Any)
    }
}

/// A port of a node.
#[derive(Clone, Debug)]
pub(super) enum Port {
    Missing,
    Literal(Text),
    Entry(usize),
}

/// Place of a script: the node, and the index of a condition or [`CODE`].
pub(super) type ScriptPlace = (usize, usize);
/// Place of the script in the port of a node.
pub(super) const CODE: usize = 8;

/// The entries of a program, and its scripts.
#[derive(Debug, Default)]
pub(super) struct Entries {
    pub(super) list: Vec<Entry>,
    by_name: HashMap<(usize, String), usize>,
    /// Scripts by their places. Copies of a subtree share those of their text.
    pub(super) scripts: HashMap<ScriptPlace, Rc<Script>>,
    /// Scripts by the places of their texts.
    parsed: HashMap<Span, Rc<Script>>,
    /// Enum names of scripts.
    pub(super) enums: HashMap<String, i32>,
    pub(super) writes: Vec<Write>,
}

impl Entries {
    /// Finds the entries of a program and their types.
    pub(super) fn find(
        program: &Program,
        registry: &Registry,
        manifest: &Manifest,
        lenient: bool,
    ) -> Result<Self, Refused> {
        let enums = manifest.symbols.iter().map(|it| (it.name.clone(), it.value)).collect();
        let mut entries = Self { enums, ..Self::default() };
        entries.constants(program, registry);
        entries.host_texts(program, manifest);
        for (node, instance) in program.nodes.iter().enumerate() {
            entries.ports(program, registry, node, instance)?;
        }
        for (node, instance) in program.nodes.iter().enumerate() {
            if instance.rule == Rule::SetBlackboard {
                entries.copy(program, registry, node, instance);
            }
        }
        entries.hosts(program, manifest)?;
        for (node, instance) in program.nodes.iter().enumerate() {
            entries.scripts_of(program, node, instance, lenient)?;
            if let Rule::Test(rule) = instance.rule
                && let Some(test) = registry.test(rule)
            {
                entries.scripts_of_test(program, node, test, lenient)?;
            }
        }
        entries.infer(program)?;
        Ok(entries)
    }

    /// Returns the entry that a name means on a blackboard.
    pub(super) fn entry(&mut self, program: &Program, scope: usize, key: &str, span: Span) -> usize {
        let (scope, key) = program.resolve(scope, key);
        let list = &mut self.list;
        *self.by_name.entry((scope, key.to_owned())).or_insert_with(|| {
            let (declared, kind, key) = (None, Kind::Double, key.to_owned());
            let [exists, asked, scripted, counted, removed, holds_any] = [false; 6];
            let (constant, likely) = (None, None);
            list.push(Entry {
                scope,
                key,
                span,
                declared,
                exists,
                kind,
                likely,
                constant,
                asked,
                scripted,
                counted,
                removed,
                holds_any,
            });
            list.len() - 1
        })
    }

    /// Returns the entry that a name means on a blackboard, if the program has it.
    pub(super) fn known(&self, program: &Program, scope: usize, key: &str) -> Option<usize> {
        let (scope, key) = program.resolve(scope, key);
        self.by_name.get(&(scope, key.to_owned())).copied()
    }

    /// Returns a port of a node.
    pub(super) fn port(&self, program: &Program, registry: &Registry, node: usize, name: &str) -> Port {
        let instance = &program.nodes[node];
        let text = match instance.ports.get(name) {
            Some(text) => Some(text.clone()),
            None => {
                let default = default(registry, instance, name);
                default.map(|text| Text { text, span: instance.span })
            }
        };
        let Some(text) = text else { return Port::Missing };
        match key_of(&text.text, name) {
            Some(key) => match self.known(program, instance.scope, key) {
                Some(entry) => Port::Entry(entry),
                None => Port::Missing,
            },
            None => Port::Literal(text),
        }
    }

    fn constants(&mut self, program: &Program, registry: &Registry) {
        for (scope, row) in program.scopes.iter().enumerate() {
            for (key, text) in &row.constants {
                let entry = self.entry(program, scope, key, text.span);
                let (declared, kind) = match registry.version {
                    Version::Three => (PortType::Text, Kind::Text),
                    Version::Four => constant(&text.text),
                };
                self.list[entry].declared = Some(declared);
                self.list[entry].exists = true;
                self.list[entry].constant = Some(text.text.clone());
                self.write(entry, None, false, Source::Kind(kind), text.span).text = Some(text.text.clone());
            }
        }
    }

    /// Notes the texts that the host writes before the tree is made. A text has no type of its own
    /// for the original, so that ports of any type can read the entry.
    fn host_texts(&mut self, program: &Program, manifest: &Manifest) {
        let span = program.nodes[0].span;
        for row in manifest.entries.iter().filter(|row| row.ty == Type::Text) {
            let entry = self.entry(program, 0, &row.name, span);
            self.list[entry].exists = true;
        }
    }

    /// Notes the entries that the host writes.
    fn hosts(&mut self, program: &Program, manifest: &Manifest) -> Result<(), Refused> {
        let numbers = self
            .writes
            .iter()
            .filter(|it| matches!(it.sources[..], [Source::Kind(kind)] if kind != Kind::Text));
        let numbers: HashMap<usize, Span> = numbers.map(|it| (it.entry, it.span)).collect();
        let span = program.nodes[0].span;
        for row in &manifest.entries {
            let entry = self.entry(program, 0, &row.name, span);
            let ty = match row.ty {
                Type::Bool => PortType::Bool,
                Type::Int | Type::Enum(_) => PortType::Int,
                Type::Int64 => PortType::Int64,
                Type::Float | Type::Number | Type::Double => PortType::Double,
                Type::Text => PortType::Any,
                Type::Entity(_) => PortType::Entity,
                // Only our own language knows vectors.
                Type::Vec2 | Type::Vec3 => PortType::Any,
            };
            if let Some(span) = numbers.get(&entry).filter(|_| row.ty == Type::Text) {
                let message =
                    format!("`{}` is a text of the host, and a node writes another value", row.name);
                return Err(refused(codes::CHANGING_TYPE, *span, message, "use two entries"));
            }
            let known = &mut self.list[entry];
            // The library refuses numbers for an entry of texts.
            if known.declared == Some(PortType::Text) && known.exists && ty != PortType::Any {
                continue;
            }
            let declared = *known.declared.get_or_insert(ty);
            let kind = kind_of_port(declared).unwrap_or(Kind::Text);
            self.write(entry, None, false, Source::Kind(kind), span);
        }
        Ok(())
    }

    fn write(
        &mut self,
        entry: usize,
        node: Option<usize>,
        conditional: bool,
        source: Source,
        span: Span,
    ) -> &mut Write {
        let (order, sources, reads_itself) = (self.writes.len(), vec![source], false);
        let text = None;
        self.writes.push(Write { entry, node, order, conditional, sources, text, reads_itself, span });
        &mut self.writes[order]
    }

    /// Returns all texts that an entry can hold, if no other value is written to it.
    pub(super) fn known_texts(&self, entry: usize) -> Option<Vec<&str>> {
        let (mut texts, mut known) = (Vec::new(), HashSet::new());
        for write in self.writes.iter().filter(|it| it.entry == entry) {
            let text = write.text.as_deref()?;
            if known.insert(text) {
                texts.push(text);
            }
        }
        (self.list[entry].kind == Kind::Text && !texts.is_empty()).then_some(texts)
    }

    /// Notes the ports of a node that name entries.
    fn ports(
        &mut self,
        program: &Program,
        registry: &Registry,
        node: usize,
        instance: &Instance,
    ) -> Result<(), Refused> {
        if instance.rule == Rule::SubTree {
            return Ok(());
        }
        for (name, ty, out) in ports_of(registry, instance) {
            let given = instance.ports.get(&name);
            let text = given.cloned().or_else(|| {
                default(registry, instance, &name).map(|text| Text { text, span: instance.span })
            });
            let counted = matches!(instance.rule, Rule::WasEntryUpdated | Rule::Updated { .. });
            let named = counted || instance.rule == Rule::UnsetBlackboard;
            let Some(text) = text.filter(|text| !counted || !text.text.is_empty()) else {
                if counted {
                    let message = format!("`{}` has no `entry`", instance.kind);
                    let help = "add the name of an entry";
                    return Err(refused(codes::NODE_PORT, instance.span, message, help));
                }
                continue;
            };
            let target = instance.rule == Rule::SetBlackboard && name == "output_key";
            let key = match key_of(&text.text, &name) {
                Some(key) => key,
                None if named || target => &text.text,
                None => {
                    if given.is_some() {
                        literal(ty, &text.text, text.span)?;
                    }
                    continue;
                }
            };
            let entry = self.entry(program, instance.scope, key, text.span);
            if given.is_some() && key_of(&text.text, &name).is_some() {
                self.list[entry].holds_any |= counted && !self.list[entry].exists;
                let is_queue = matches!(ty, PortType::Queue(_));
                self.declare(entry, if is_queue { PortType::Any } else { ty }, text.span)?;
            }
            let row = &mut self.list[entry];
            row.likely = row.likely.or(likely(instance.rule, &name));
            row.counted |= counted;
            row.removed |= instance.rule == Rule::UnsetBlackboard;
            if out && let Some(kind) = kind_of_port(ty) {
                // The node may end without the value.
                self.write(entry, Some(node), true, Source::Kind(kind), text.span);
            }
        }
        Ok(())
    }

    /// Notes the write of a `SetBlackboard`. The ports of all nodes have been noted.
    fn copy(&mut self, program: &Program, registry: &Registry, node: usize, instance: &Instance) {
        let (Some(value), Some(target)) = (instance.ports.get("value"), instance.ports.get("output_key"))
        else {
            return;
        };
        let key = key_of(&target.text, "output_key").unwrap_or(&target.text);
        let entry = self.entry(program, instance.scope, key, target.span);
        let (source, text) = match key_of(&value.text, "value") {
            Some(key) => (Source::Entry(self.entry(program, instance.scope, key, value.span)), None),
            None if registry.version == Version::Four && self.list[entry].is_untyped() => return,
            None => (Source::Kind(Kind::Text), Some(value.text.clone())),
        };
        self.write(entry, Some(node), instance.has_conditions(), source, value.span).text = text;
    }

    /// Gives an entry the type of a port.
    fn declare(&mut self, entry: usize, ty: PortType, span: Span) -> Result<(), Refused> {
        let row = &mut self.list[entry];
        if !core::mem::replace(&mut row.exists, true) {
            row.declared = Some(ty).filter(|ty| *ty != PortType::Any);
            return Ok(());
        }
        match row.declared {
            // An entry that a port without a type has made gets its type by a write.
            None => {}
            _ if ty == PortType::Any => {}
            Some(known) if known == ty || known == PortType::Text => {}
            Some(known) => {
                let message = format!("`{}` is {known:?} for an earlier port and {ty:?} here", row.key);
                return Err(refused(codes::NODE_PORT, span, message, "use entries of one type"));
            }
        }
        Ok(())
    }

    /// Reads the scripts of a node, and notes their entries.
    fn scripts_of(
        &mut self,
        program: &Program,
        node: usize,
        instance: &Instance,
        lenient: bool,
    ) -> Result<(), Refused> {
        let port = match instance.rule {
            Rule::Script | Rule::ScriptCondition => Some("code"),
            Rule::Precondition => Some("if"),
            _ => None,
        };
        let code = port.map(|port| match instance.ports.get(port) {
            Some(text) if key_of(&text.text, port).is_some() => {
                let message = format!("the script of `{}` stands in an entry", instance.kind);
                Err(refused(codes::NOT_CARRIED, text.span, message, "write the script into the attribute"))
            }
            Some(text) => Ok(text),
            None => {
                let message = format!("`{}` has no `{port}`", instance.kind);
                Err(refused(codes::NODE_PORT, instance.span, message, "add the script"))
            }
        });
        let code = code.transpose()?.map(|text| (CODE, text));
        let conditions = instance.conditions.iter().enumerate();
        let texts: Vec<_> =
            conditions.filter_map(|(index, text)| Some((index, text.as_ref()?))).chain(code).collect();
        for (place, text) in texts {
            let empty = place == CODE && text.text.is_empty();
            let script = if empty { Rc::default() } else { self.parsed(text, lenient)? };
            self.script(program, node, place, &script, text.span);
            self.scripts.insert((node, place), script);
        }
        Ok(())
    }

    /// Returns the script of a text.
    fn parsed(&mut self, text: &Text, lenient: bool) -> Result<Rc<Script>, Refused> {
        if let Some(script) = self.parsed.get(&text.span) {
            return Ok(Rc::clone(script));
        }
        let script = Rc::new(Script::parse(&text.text, lenient).map_err(|why| {
            let message = format!("the script cannot be read: {why}");
            refused(codes::NODE_SCRIPT, text.span, message, "see the page of the dialect")
        })?);
        self.parsed.insert(text.span, Rc::clone(&script));
        Ok(script)
    }

    /// Notes the entries that a script reads and writes.
    pub(super) fn script(
        &mut self,
        program: &Program,
        node: usize,
        place: usize,
        script: &Script,
        span: Span,
    ) {
        let scope = program.nodes[node].scope;
        for expr in &script.exprs {
            if let Expr::Name(name) = expr
                && !self.enums.contains_key(name)
            {
                self.entry(program, scope, name, span);
            }
        }
        // The code of a node is not run if a condition decides.
        let has_conditions = program.nodes[node].has_conditions();
        for (index, expr) in script.exprs.iter().enumerate() {
            let Expr::Assign(way, target, value) = expr else { continue };
            let Expr::Name(name) = &script.exprs[*target] else { continue };
            let entry = self.entry(program, scope, name, span);
            self.list[entry].asked |= *way != Assignment::Create;
            self.list[entry].scripted = true;
            let reads_itself =
                matches!(way, Assignment::Change(_)) || self.reads(program, scope, script, *value, entry);
            let mut sources = Vec::new();
            self.sources(program, scope, script, *value, &mut sources);
            let conditional = place != CODE
                || has_conditions
                || program.nodes[node].rule != Rule::Script
                || !script.is_statement(index);
            let text = match (&script.exprs[*value], way) {
                (Expr::Text(text), Assignment::Create | Assignment::Existing) => Some(text.clone()),
                _ => None,
            };
            let (order, node) = (self.writes.len(), Some(node));
            self.writes.push(Write { entry, node, order, conditional, sources, text, reads_itself, span });
        }
    }
}

/// Returns the ports of a node: name, type, and true if the node writes it.
fn ports_of(registry: &Registry, instance: &Instance) -> Vec<(String, PortType, bool)> {
    match instance.host {
        Some(host) => {
            let ports = registry.hosts[host].ports.iter();
            ports.map(|port| (port.name.clone(), port.ty, port.writes.is_some())).collect()
        }
        None => {
            let ports = instance.library.map_or(&[][..], |kind| kind.ports);
            ports.iter().map(|port| (port.name.to_owned(), port.ty, port.out)).collect()
        }
    }
}

/// Returns the default of a port.
fn default(registry: &Registry, instance: &Instance, name: &str) -> Option<String> {
    match instance.host {
        Some(host) => registry.hosts[host].port(name)?.default.clone(),
        None => {
            let port = instance.library?.ports.iter().find(|port| port.name == name)?;
            port.default.map(str::to_owned)
        }
    }
}

/// Returns the name of the entry that a port is connected with.
pub(super) fn key_of<'a>(text: &'a str, port: &'a str) -> Option<&'a str> {
    match pointer(text) {
        Some("=") => Some(port),
        None if text == "=" => Some(port),
        key => key,
    }
}

/// Returns the place of a condition among the scripts of its node.
pub(super) fn place_of(condition: Condition) -> usize {
    condition as usize
}
