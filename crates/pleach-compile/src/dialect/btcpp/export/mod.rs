//! Programs as files of BehaviorTree.CPP.
//!
//! What is written behaves as the program does: the same statuses, and the same calls of the host
//! in the same order. What the library does in another way is refused, with the place, the reason
//! and a way out.
//!
//! `nodes` writes composites and leaves, `repeating` what keeps a count or a flag, `choosing`
//! conditions and choices, `calls` leaves of the host, `script` expressions. `models` writes the
//! nodes of the host.

mod calls;
mod choosing;
mod element;
pub(crate) mod models;
mod nodes;
mod repeating;
mod script;

use super::kinds::{Version, find};
use crate::ast::Role;
use crate::codes;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::ir::{Kind, Module, NodeIndex, SlotKind, asking};
use crate::manifest::{Function, Manifest};
use crate::source::{OriginId, OriginKind, Sources, Span};
use element::Element;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;

/// Most elements of a tree that stand in each other, for which the library has room.
const MAX_DEPTH: usize = 240;

/// Reason why something is not written.
#[derive(Debug)]
struct Refusal {
    message: String,
    help: String,
}

fn refusal(message: impl Into<String>, help: impl Into<String>) -> Refusal {
    Refusal { message: message.into(), help: help.into() }
}

/// Difference in meaning that is accepted on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Near {
    /// Floats of 32 bits are computed as doubles.
    Float,
    /// A child takes the place of one that runs.
    Preempts,
    /// A child that runs is halted before another one is chosen.
    HaltsFirst,
    /// A timer halts a child before the nodes around it are ticked.
    Timer,
    /// The game may write a variable that an action gives.
    Given,
}

impl Near {
    fn refusal(self) -> Refusal {
        match self {
            Self::Float => refusal(
                "scripts compute with doubles, which are not rounded to 32 bits",
                "declare the variable as `double`",
            ),
            Self::Preempts => refusal(
                "a child that begins here halts the one that runs first; in BehaviorTree.CPP it begins first, and the \
                 other one is halted only if it does not fail",
                "let only one child run for more than a tick",
            ),
            Self::HaltsFirst => refusal(
                "a child that runs is halted when a leaf of another child begins or the node ends; in BehaviorTree.CPP \
                 it is halted before the other child is tested and begins",
                "choose between children that neither write variables, ask queries nor clean up",
            ),
            Self::Timer => refusal(
                "in BehaviorTree.CPP the child is halted at the beginning of the tick, before the nodes around it are ticked",
                "put the timeout around the reactive node or the parallel",
            ),
            Self::Given => refusal(
                "an action that gives no value sets the variable back to its value at the beginning of the action",
                "let the game write the variable itself",
            ),
        }
    }
}

/// Program that is written.
pub(crate) struct Input<'a> {
    pub(crate) module: &'a Module,
    pub(crate) sources: &'a Sources,
    /// Functions that the text declares, and those of the host.
    pub(crate) functions: [&'a Manifest; 2],
    /// Name of the tree that is to run.
    pub(crate) main: Option<&'a str>,
    /// True if near meanings are accepted.
    pub(crate) approximate: bool,
}

/// State of the writing of a program.
struct Exporter<'a> {
    module: &'a Module,
    sources: &'a Sources,
    functions: [&'a Manifest; 2],
    approximate: bool,
    findings: &'a mut Diagnostics,
    /// By expression.
    heights: Vec<u16>,
    asks: Vec<bool>,
    /// Sums over all nodes before each node, by [`nodes::Sum`].
    sums: Vec<[u32; nodes::SUMS]>,
    /// For each bit that says that an out argument was given: the variable of the value, and the
    /// one that gets it.
    outs: HashMap<u16, (u16, u16)>,
    /// Names that entries have or cannot have, each with the number that the next one like it gets.
    taken: HashMap<String, u32>,
    /// The names of entries, by slot.
    entries: BTreeMap<u16, String>,
    /// Scripts that give entries their first values, by the name of the entry.
    initial: BTreeMap<String, String>,
    /// Type of the ports that an entry is connected with.
    declared: HashMap<String, &'static str>,
    /// Functions that are called.
    called: BTreeMap<String, &'a Function>,
    /// IDs of trees, each with the number that the next one like it gets.
    ids: HashMap<String, u32>,
    /// Trees that others use: ID, and the elements as text.
    copies: Vec<(String, String)>,
    /// IDs of these trees, by the names of the trees and the texts.
    by_text: HashMap<(String, String), String>,
    /// Differences in meaning in the node that is written.
    notes: Vec<Near>,
    /// True if an int of the node that is written may wrap around.
    wraps: bool,
    /// Copy that the node around is part of.
    origin: OriginId,
    depth: usize,
    /// Numbers of reactive nodes and of parallels around the node.
    reactive: usize,
    parallel: usize,
}

/// Returns the file of a program; `None` if there are errors, which are then among the findings.
pub(crate) fn file(input: &Input<'_>, findings: &mut Diagnostics) -> Option<String> {
    let module = input.module;
    let before = findings.errors();
    let mut exporter = Exporter {
        module,
        sources: input.sources,
        functions: input.functions,
        approximate: input.approximate,
        findings,
        heights: script::heights(&module.exprs),
        asks: asking(&module.exprs),
        sums: Vec::new(),
        outs: HashMap::new(),
        taken: ["true", "false"].into_iter().map(|name| (name.to_owned(), 1)).collect(),
        entries: BTreeMap::new(),
        initial: BTreeMap::new(),
        declared: HashMap::new(),
        called: BTreeMap::new(),
        ids: HashMap::new(),
        copies: Vec::new(),
        by_text: HashMap::new(),
        notes: Vec::new(),
        wraps: false,
        origin: OriginId::NONE,
        depth: 0,
        reactive: 0,
        parallel: 0,
    };
    let text = exporter.file(input.main);
    (exporter.findings.errors() == before).then_some(text)
}

impl Exporter<'_> {
    fn file(&mut self, main: Option<&str>) -> String {
        let symbols = self.functions.iter().flat_map(|it| &it.symbols);
        self.taken.extend(symbols.map(|symbol| (symbol.name.clone(), 1)));
        // Hosts reach variables by their names, which counts and flags must not take.
        for (slot, row) in self.module.slots.iter().enumerate() {
            if let Some(name) = row.name {
                let name = self.fresh(&self.module.names.text(name));
                self.entries.insert(slot as u16, name);
            }
        }
        self.sums = nodes::sums(self);
        self.outs = nodes::outs(self.module);
        if !self.is_of_this_form() {
            return String::new();
        }
        let blocks: Vec<_> = self.started(main);
        let mut ids = Vec::new();
        for block in &blocks {
            let id = self.tree_id(&self.module.names.text(self.module.blocks[*block].name));
            ids.push(self.free_id(&id));
        }
        let trees: Vec<_> = blocks.into_iter().map(|block| self.tree(block)).collect();
        let mut text = element::HEAD.to_owned();
        let main = ids.first().map_or("", |id| id);
        text += &format!("<root BTCPP_format=\"4\" main_tree_to_execute=\"{main}\">\n");
        let copies = self.copies.iter().map(|(id, body)| (id, body));
        for (id, body) in ids.iter().zip(&trees).chain(copies) {
            text += &format!("  <BehaviorTree ID=\"{id}\">\n{body}  </BehaviorTree>\n");
        }
        models::section(self.called.values().copied()).write(&mut text, 1);
        text + "</root>\n"
    }

    /// Returns the blocks of the trees that are written as trees to start: the main one first, and
    /// those that no other tree uses.
    fn started(&self, main: Option<&str>) -> Vec<usize> {
        let module = self.module;
        let origins = self.sources.origins().iter().filter(|origin| origin.kind == OriginKind::Use);
        let used: HashSet<&str> = origins.map(|origin| &*origin.name).collect();
        let name = |block: usize| module.names.text(module.blocks[block].name);
        let mut blocks: Vec<_> = module.entries.iter().map(|entry| *entry as usize).collect();
        let is_main = |block: &&usize| main.is_some_and(|main| name(**block) == main);
        let is_used = |block: usize| used.contains(&*name(block));
        let first = blocks.iter().find(is_main).or_else(|| blocks.iter().find(|block| !is_used(**block)));
        let first = first.or(blocks.first()).copied();
        blocks.retain(|block| Some(*block) == first || !is_used(*block));
        blocks.sort_by_key(|block| Some(*block) != first);
        blocks
    }

    /// Refuses programs whose trees do not go on where they were, or that hear of events.
    fn is_of_this_form(&mut self) -> bool {
        let module = self.module;
        let handler = module.blocks.iter().find(|block| block.role == Role::Handler);
        let span = |root: NodeIndex| module.nodes[root as usize].span;
        if !module.resumes || module.interrupt.is_some() || module.cursor.is_some() {
            let message =
                "trees of this dialect do not go on at the node that runs, as those of BehaviorTree.CPP do";
            self.tell(codes::NOT_IN_FORMAT, None, message, "write the tree in the language `pleach`");
        } else if let Some(block) = handler {
            let message = "BehaviorTree.CPP has no events";
            self.tell(codes::NOT_IN_FORMAT, span(block.root), message, "let the game write the variables");
        } else {
            return true;
        }
        false
    }

    /// Returns the elements of a tree that can be started.
    fn tree(&mut self, block: usize) -> String {
        let block = self.module.blocks[block];
        let children: Vec<_> = self.module.children(block.root).collect();
        self.initial.clear();
        // Each tree that is started has a blackboard of its own.
        self.declared.clear();
        let body = match children.first() {
            Some(child) => self.node(*child),
            None => Element::new("AlwaysSuccess"),
        };
        let mut scripts = script::joined(self.initial.values()).map(|code| Element::script(&code));
        let body = match (scripts.next(), scripts.next()) {
            (None, _) => body,
            (Some(one), None) => Element::around("Sequence", [Element::around("RunOnce", [one]), body]),
            (Some(one), Some(two)) => {
                let all = Element::around("Sequence", [one, two].into_iter().chain(scripts));
                Element::around("Sequence", [Element::around("RunOnce", [all]), body])
            }
        };
        let mut text = String::new();
        body.write(&mut text, 2);
        text
    }

    /// Returns true for the names of nodes of the library and the host.
    fn is_node(&self, name: &str) -> bool {
        let host = self.functions.iter().any(|it| it.action(name).is_some() || it.query(name).is_some());
        host || find(Version::Four, name).is_some() || matches!(name, "root" | "Root")
    }

    /// Returns the ID of a tree, which no node of the library or the host has.
    fn tree_id(&self, name: &str) -> String {
        let mut id = identifier(name);
        while self.is_node(&id) {
            id.push_str("_tree");
        }
        id
    }

    /// Returns an ID that no tree and no node has, with a number behind it if need be.
    fn free_id(&mut self, id: &str) -> String {
        loop {
            let free = free(&mut self.ids, id.to_owned());
            if !self.is_node(&free) {
                return free;
            }
        }
    }

    /// Writes a node and all inside.
    fn node(&mut self, node: NodeIndex) -> Element {
        let span = self.module.nodes[node as usize].span;
        let around = self.origin;
        let copy = span.map(|span| span.origin).filter(|origin| *origin != around);
        self.origin = copy.unwrap_or(around);
        self.depth += 1;
        let element = if self.depth > MAX_DEPTH {
            Err(refusal("the nodes stand too deep in each other", "split the tree"))
        } else {
            self.element(node)
        };
        self.depth -= 1;
        self.origin = around;
        let element = self.checked(node, element);
        let used = copy.and_then(|origin| self.sources.origin(origin));
        match used.filter(|origin| origin.kind == OriginKind::Use) {
            Some(used) => self.copy(&used.name, &element),
            None => element,
        }
    }

    /// Tells what is wrong with a node or near to its meaning. Returns its element.
    fn checked(&mut self, node: NodeIndex, element: Result<Element, Refusal>) -> Element {
        let span = self.module.nodes[node as usize].span;
        for note in core::mem::take(&mut self.notes) {
            let Refusal { message, help } = note.refusal();
            self.tell(codes::NEAR_IN_FORMAT, span, &message, &help);
        }
        if core::mem::take(&mut self.wraps) {
            let message =
                "an int that does not fit 32 bits wraps around here, and does not in BehaviorTree.CPP";
            self.tell(codes::NEAR_IN_FORMAT, span, message, "keep the numbers small; the rest is the same");
        }
        let element = match element {
            Ok(element) if element.height() > MAX_DEPTH => {
                Err(refusal("the nodes stand too deep in each other", "split the tree"))
            }
            element => element,
        };
        element.unwrap_or_else(|Refusal { message, help }| {
            self.tell(codes::NOT_IN_FORMAT, span, &message, &help);
            Element::new("AlwaysFailure")
        })
    }

    fn tell(&mut self, code: Code, span: Option<Span>, message: &str, help: &str) {
        self.findings.push(Diagnostic::new(code, span, message).help(help));
    }

    /// Accepts a near meaning, or refuses it.
    fn near(&mut self, near: Near) -> Result<(), Refusal> {
        if self.approximate {
            if !self.notes.contains(&near) {
                self.notes.push(near);
            }
            return Ok(());
        }
        let Refusal { message, help } = near.refusal();
        Err(Refusal { message, help: format!("{help}; `--approximate` writes it nevertheless") })
    }

    /// Returns the element that runs a copy of a tree. Copies that are equal are one tree.
    fn copy(&mut self, name: &str, body: &Element) -> Element {
        let mut text = String::new();
        body.write(&mut text, 2);
        let name = self.tree_id(name);
        let known = self.by_text.get(&(name.clone(), text.clone())).cloned();
        let id = known.unwrap_or_else(|| {
            let id = self.free_id(&name);
            self.by_text.insert((name, text.clone()), id.clone());
            self.copies.push((id.clone(), text));
            id
        });
        Element::new("SubTree").with("ID", &id).with("_autoremap", "true")
    }

    /// Returns a name for an entry that no other one has.
    fn fresh(&mut self, name: &str) -> String {
        free(&mut self.taken, identifier(name))
    }

    /// Returns the name of the entry of a variable. The tree gives it its first value.
    fn entry(&mut self, slot: u16) -> Result<String, Refusal> {
        let row = self.module.slots[usize::from(slot)];
        let carried = row.kind.is_narrow()
            || matches!(
                row.kind,
                SlotKind::Bit
                    | SlotKind::I32
                    | SlotKind::I64
                    | SlotKind::F32
                    | SlotKind::F64
                    | SlotKind::Text
            );
        if !carried {
            let help =
                "use an `int`, an `int64`, a `double`, a `bool` or a `text`, or let the game keep the value";
            return Err(refusal("an entry cannot begin with a value of this type", help));
        }
        let name = match self.entries.get(&slot) {
            Some(name) => name.clone(),
            None => {
                let name = self.fresh("value");
                self.entries.insert(slot, name.clone());
                name
            }
        };
        if row.name.is_some() && !self.initial.contains_key(&name) {
            let script = self.initial(slot, &name)?;
            self.initial.insert(name.clone(), script);
        }
        Ok(name)
    }
}

/// Returns a name that is not taken yet, with a number behind it if need be. It is then taken.
fn free(taken: &mut HashMap<String, u32>, name: String) -> String {
    let Some(next) = taken.get_mut(&name) else {
        taken.insert(name.clone(), 1);
        return name;
    };
    *next += 1;
    let numbered = format!("{name}_{next}");
    free(taken, numbered)
}

/// Returns a name with letters, digits and `_` that does not begin with a digit or `_`.
fn identifier(name: &str) -> String {
    let letter = |it: char| if it.is_ascii_alphanumeric() || it == '_' { it } else { '_' };
    let name: String = name.chars().map(letter).collect();
    if name.starts_with(|it: char| it.is_ascii_alphabetic()) { name } else { format!("v{name}") }
}

/// Returns the reason why the format does not have a node.
fn unknown(kind: &Kind) -> Refusal {
    let game = "let an action of the game do it";
    let (message, help) = match kind {
        Kind::Cooldown { .. } => ("BehaviorTree.CPP has no node that fails for some time", game),
        Kind::Every { .. } => ("BehaviorTree.CPP has no node that does something now and then", game),
        Kind::Limit(_) | Kind::Admit(_) => ("BehaviorTree.CPP does not know other agents", game),
        Kind::Shuffle { .. } => ("BehaviorTree.CPP has no random order", "write the children in one order"),
        Kind::Choose { .. } => {
            ("BehaviorTree.CPP has no scores", "write conditions in a `reactive match` or `match`")
        }
        Kind::Share(..) => ("a blackboard has no variables that agents share", "use variables of the agent"),
        Kind::Raise(..) | Kind::Emit(_) => {
            ("BehaviorTree.CPP has no events", "let an action of the game tell other agents")
        }
        _ => ("BehaviorTree.CPP has no such node", "write it with other nodes"),
    };
    refusal(message, help)
}
