//! From the syntax tree to the IR: the vocabulary of a dialect, applied.
//!
//! A [`Vocabulary`] is a table. Each row names a node word and its IR: a constant, if the word
//! alone decides (`selector`), or a constructor, if arguments do (`timer`). The walk is the same
//! for all dialects. It needs no recursion, because both trees are in pre-order.
//!
//! * `plain` constructs nodes that hold no position of their own or whose result is the host's
//!   answer, `lasting` those that hold positions, `reacting` those that react to events and
//!   changes, `rule` those that agents are at;
//! * `numbers` lowers expressions and variables, `calls` those of the host.

mod calls;
pub(crate) mod lasting;
mod numbers;
pub(crate) mod plain;
pub(crate) mod reacting;
mod routine;
pub(crate) mod rule;

use crate::ast::{self, Node, Role, Value};
use crate::by_sym::BySym;
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::ir::{
    self, Amount, Cooling, Expr, FAILURE, ImportKind, Kind, Memory, Module, Outcome, Policy, SUCCESS, Scope,
    Slot, SlotKind, Start, To,
};
use crate::session::Session;
use crate::text::{Interner, Sym};

/// Meaning of a word.
#[derive(Clone, Copy, Debug)]
pub enum Means {
    /// Always the same.
    Always(Kind),
    /// Always a decorator that makes this of the status of its child.
    Map([To; ir::EXITS]),
    /// A child that is begun again when it ends with this status, perhaps at once if it was
    /// running: as often as the argument says, or for ever.
    Again(usize, bool),
    /// A node that keeps a status of its own. The first argument is the index of its routine in
    /// [`ast::File::routines`].
    Routine,
    /// A rule that does this. The argument says whether a list begins again when it is done.
    Rule(ir::Does),
    /// Made of the node's condition.
    Condition(fn(u32) -> Kind),
    /// Made of a call of the host's action, which is the subject.
    Call(fn(u32) -> Kind),
    /// Made of expressions about the children, which are the arguments: index of the first.
    Tests(fn(u32) -> Kind),
    /// It depends on the node's subject, arguments or condition.
    By(Constructor),
}

impl Means {
    /// A decorator that makes a success of a failure, and a failure of a success.
    pub const INVERT: Self = Self::Map([To::SUCCESS, To::FAILURE, To::Same, To::Same]);
}

/// Makes the IR of a node.
pub(crate) type Constructor = fn(&mut Lowering<'_, '_>, &ast::Node) -> Kind;

/// A row of a vocabulary.
#[derive(Clone, Copy)]
pub struct Word {
    /// The node word in canonical spelling.
    pub keyword: &'static str,
    /// The subject it must have; `None` is any or none.
    pub subject: Option<&'static str>,
    /// Effect of a node with this word on the set of running nodes that an agent keeps.
    pub memory: Memory,
    /// The IR it stands for.
    pub means: Means,
}

impl Word {
    /// A word of any subject, which remembers nothing.
    pub const fn new(keyword: &'static str, means: Means) -> Self {
        Self { keyword, subject: None, memory: Memory::None, means }
    }

    /// A leaf that ends at once with this status.
    pub const fn constant(keyword: &'static str, outcome: Outcome) -> Self {
        Self::new(keyword, Means::Always(Kind::Constant(outcome)))
    }

    /// A composite, which remembers nothing.
    pub const fn list(keyword: &'static str, policy: Policy, start: Start) -> Self {
        Self::new(keyword, Means::Always(Kind::Composite(policy, start)))
    }
}

/// All words of a dialect, and what its agents carry.
pub struct Vocabulary {
    /// The words; the first row that fits counts.
    pub words: &'static [Word],
    /// Capacity of the running set; none if the dialect has no such set.
    pub running_set: Option<u16>,
    /// The bit slot that makes actions fail without a call while it is set, by name.
    pub action_gate: Option<&'static str>,
    /// If true, trees resume at the leaf that runs, see [`Module::resumes`].
    pub resumes: bool,
    /// The names of the bit that interrupts an agent and of the set of one for where it was; see
    /// [`Module::interrupt`].
    pub interrupt: Option<[&'static str; 2]>,
    /// If agents are at a rule, how many may run in a tick, see [`Module::cursor`].
    pub cursor: Option<u16>,
    /// If true, hosts may lack functions that trees use.
    pub optional: bool,
}

impl Vocabulary {
    /// No words. Agents have no slots but those of their trees' nodes and variables.
    pub const EMPTY: Self = Self {
        words: &[],
        running_set: None,
        action_gate: None,
        resumes: false,
        interrupt: None,
        cursor: None,
        optional: false,
    };
}

/// The state of a lowering.
pub struct Lowering<'s, 'a> {
    session: &'s mut Session<'a>,
    file: &'s ast::File,
    module: Module,
    gate: Option<u16>,
    /// If true, hosts may lack functions.
    optional: bool,
    /// The label of tree nodes.
    keyword: Sym,
    known: Known,
    /// The node of the file that is lowered.
    at: ast::NodeIndex,
    /// Distance from a node of the file to its node in the module. Wraps.
    shift: u32,
    /// The position of trees.
    trees: lasting::Region,
}

/// Facts that a lowering collects while it goes through the file.
#[derive(Debug, Default)]
struct Known {
    calls: calls::Calls,
    /// Blocks by the names of their trees.
    blocks: BySym<u32>,
    /// Expression that reads each variable of the file: a slot, or a shared variable.
    variables: Vec<ir::Expr>,
    /// The positions around the node that is lowered.
    regions: lasting::Regions,
    /// Gates of groups, by their names.
    gates: BySym<u16>,
    /// Indices of the texts of variables.
    texts: BySym<u32>,
    /// Index in the module of the first node of each tree; empty until one is asked for.
    first_nodes: Vec<u32>,
}

impl Known {
    /// Forgets everything but keeps the memory.
    fn clear(&mut self) {
        clear!(self => calls blocks variables regions gates texts first_nodes);
    }
}

/// Memory that one lowering leaves to the next.
#[derive(Debug, Default)]
pub(crate) struct LoweringMemory {
    module: Module,
    words: Words,
    known: Known,
}

impl LoweringMemory {
    /// Takes back a module that is no longer needed. Returns its names, of which none is left.
    pub(crate) fn keep(&mut self, mut module: Module) -> Interner {
        module.clear();
        let names = core::mem::take(&mut module.names);
        self.module = module;
        names
    }
}

/// Lowers a file without errors, in memory of earlier lowerings. `entries` are the names of the
/// trees that can be started; their class trees can be started, too.
pub(crate) fn lower(
    memory: &mut LoweringMemory,
    session: &mut Session<'_>,
    file: &ast::File,
    vocabulary: &Vocabulary,
    entries: &[String],
) -> Module {
    memory.words.resolve(session, vocabulary);
    let keyword = session.names.intern(b"tree");
    let mut lowering = Lowering {
        session,
        file,
        module: core::mem::take(&mut memory.module),
        gate: None,
        optional: vocabulary.optional,
        keyword,
        known: core::mem::take(&mut memory.known),
        at: 0,
        shift: 0,
        trees: lasting::Region::default(),
    };
    lowering.frame(vocabulary);
    lowering.variables();
    lowering.module.nodes.reserve(file.nodes.len() + file.trees.len());
    lowering.module.exprs.reserve(file.exprs.len());
    lowering.expressions();
    for tree in &file.trees {
        lowering.tree(tree, &memory.words);
    }
    lowering.entries(entries);
    lowering.module.events.extend_from_slice(&file.events);
    lowering.enums();
    lowering.tunables();
    lowering.module.forests = file.forests.clone();
    let Lowering { mut module, mut known, .. } = lowering;
    known.clear();
    memory.known = known;
    module.names = core::mem::take(&mut session.names);
    module
}

/// A vocabulary whose words have become symbols.
#[derive(Debug, Default)]
struct Words {
    rows: Vec<Row>,
    /// By symbol, the index of the first row of a keyword.
    first: Vec<usize>,
}

/// A word of the vocabulary.
#[derive(Clone, Copy, Debug)]
struct Row {
    keyword: Sym,
    subject: Option<Sym>,
    memory: Memory,
    means: Means,
}

impl Words {
    fn resolve(&mut self, session: &mut Session<'_>, vocabulary: &Vocabulary) {
        let Self { rows, first } = self;
        let names = &mut session.names;
        rows.clear();
        first.clear();
        let row = |&Word { keyword, subject, memory, means }: &Word| {
            let subject = subject.map(|subject| names.intern(subject.as_bytes()));
            Row { keyword: names.intern(keyword.as_bytes()), subject, memory, means }
        };
        rows.extend(vocabulary.words.iter().map(row));
        for (index, row) in rows.iter().enumerate().rev() {
            let keyword = row.keyword.0 as usize;
            first.resize(first.len().max(keyword + 1), rows.len());
            first[keyword] = index;
        }
    }

    fn find(&self, node: &ast::Node) -> Option<&Row> {
        let first = *self.first.get(node.keyword.0 as usize)?;
        let fits = |row: &&Row| {
            row.keyword == node.keyword && (row.subject.is_none() || row.subject == node.subject)
        };
        self.rows[first..].iter().find(fits)
    }
}

impl Lowering<'_, '_> {
    /// Lays down the slots that every agent of the dialect has.
    fn frame(&mut self, vocabulary: &Vocabulary) {
        let slot = |kind| Slot { kind, name: None, init: 0, reset: true, node: None };
        if let Some(capacity) = vocabulary.running_set {
            self.module.running = Some(self.slot(slot(SlotKind::NodeSet(capacity))));
        }
        self.module.current = Some(self.slot(slot(SlotKind::Node)));
        if let Some(name) = vocabulary.action_gate {
            let name = Some(self.session.names.intern(name.as_bytes()));
            self.gate = Some(self.slot(Slot { name, reset: false, ..slot(SlotKind::Bit) }));
        }
        if let Some(names) = vocabulary.interrupt {
            let [bit, first] = names.map(|name| Some(self.session.names.intern(name.as_bytes())));
            let bit = self.slot(Slot { name: bit, ..slot(SlotKind::Bit) });
            let first = self.slot(Slot { name: first, ..slot(SlotKind::NodeSet(1)) });
            self.module.interrupt = Some(ir::Interrupt { bit, first });
        }
        self.module.resumes = vocabulary.resumes;
        if let Some(limit) = vocabulary.cursor {
            let ran = self.slot(slot(SlotKind::Bit));
            self.module.cursor = Some(ir::Cursor { ran, limit });
        }
    }

    /// A new slot. More than 16 bits can number are refused by the layout.
    fn slot(&mut self, slot: Slot) -> u16 {
        self.module.slots.push(slot);
        (self.module.slots.len() - 1) as u16
    }

    /// A new slot of the node that is lowered, which stays when the agent is reset.
    fn own_slot(&mut self, kind: SlotKind) -> u16 {
        let node = Some(self.module.nodes.len() as u32);
        self.slot(Slot { kind, name: None, init: 0, reset: false, node })
    }

    fn tree(&mut self, tree: &ast::Tree, words: &Words) {
        let root = self.module.nodes.len() as u32;
        let nodes = tree.root..self.file.nodes[tree.root as usize].end;
        // The first node comes after the tree's own.
        self.shift = (root + 1).wrapping_sub(tree.root);
        self.module.nodes.push(ir::Node {
            kind: Kind::Tree,
            memory: Memory::None,
            end: nodes.end.wrapping_add(self.shift),
            label: (self.keyword, Some(tree.name)),
            span: Some(tree.span),
        });
        self.known.regions.clear();
        self.ids(&nodes);
        let file = self.file;
        for (index, node) in nodes.clone().zip(&file.nodes[nodes.start as usize..]) {
            self.at = index;
            self.known.regions.enter(index, node.end);
            self.node(node, words.find(node));
        }
        if tree.role == Role::Main {
            self.known.blocks.set(tree.name, self.module.blocks.len() as u32);
        }
        self.module.blocks.push(ir::Block { root, name: tree.name, role: tree.role });
    }

    /// The names of nodes of a tree, which come in their order.
    fn ids(&mut self, nodes: &core::ops::Range<u32>) {
        let ids = &self.file.ids;
        let [first, end] = [nodes.start, nodes.end].map(|node| ids.partition_point(|id| id.node < node));
        let shift = self.shift;
        let id = |id: &ast::Id| ast::Id { node: id.node.wrapping_add(shift), ..*id };
        self.module.ids.extend(ids[first..end].iter().map(id));
    }

    fn node(&mut self, node: &ast::Node, row: Option<&Row>) {
        let kind = match row.map(|row| row.means) {
            Some(Means::Always(kind)) => kind,
            Some(Means::By(construct)) => construct(self, node),
            Some(Means::Condition(construct)) => construct(node.condition.unwrap_or_default()),
            Some(Means::Call(construct)) => construct(self.acts(node)),
            Some(Means::Tests(construct)) => construct(self.tests(node)),
            Some(Means::Map(table)) => self.table(table),
            Some(Means::Again(status, eager)) => lasting::again(self, node, status, eager),
            Some(Means::Routine) => self.routine(node),
            Some(Means::Rule(does)) => rule::rule(self, node, does),
            None => {
                let name = self.session.names.text(node.keyword).into_owned();
                let message = format!("`{name}` is not a node of this dialect");
                let finding = Diagnostic::new(codes::UNKNOWN_NODE, node.span, message);
                self.session.diagnostics.push(finding);
                self.table([To::Same; ir::EXITS])
            }
        };
        let memory = row.map_or(Memory::None, |row| row.memory);
        let end = node.end.wrapping_add(self.shift);
        let label = (node.keyword, node.subject);
        self.module.nodes.push(ir::Node { kind, memory, end, label, span: Some(node.span) });
    }

    /// A decorator that makes this of the status of its child.
    fn table(&mut self, table: [To; ir::EXITS]) -> Kind {
        self.module.maps.push(table);
        Kind::Map(self.module.maps.len() as u32 - 1)
    }

    /// Finds the trees that can be started: those that the file names, or
    /// else those that were requested.
    fn entries(&mut self, entries: &[String]) {
        if !self.file.entries.is_empty() {
            // There is a block for each tree, in order.
            self.module.entries.extend(&self.file.entries);
            return;
        }
        for entry in entries {
            let name = self.session.names.intern(entry.as_bytes());
            for role in [Role::Main, Role::Class] {
                let fits = |block: &ir::Block| block.name == name && block.role == role;
                if let Some(found) = self.module.blocks.iter().position(fits) {
                    self.module.entries.push(found as u32);
                }
            }
        }
    }

    fn int_arg(&self, node: &ast::Node, index: usize) -> i32 {
        self.arg(node, index).map_or(0, int)
    }

    /// Returns the argument of a node at an index, if it has so many.
    fn arg(&self, node: &ast::Node, index: usize) -> Option<Value> {
        self.file.args(node.args).get(index).copied()
    }
}

/// An argument as an integer: floats are truncated toward zero (and saturate), anything else counts
/// zero.
fn int(value: Value) -> i32 {
    match value {
        Value::Int(int) => int,
        Value::Float(float) => float as i32,
        _ => 0,
    }
}
