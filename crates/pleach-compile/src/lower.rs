//! From what was written to what is meant: the vocabulary of a dialect, applied.
//!
//! A [`Vocabulary`] is a table. Each row names a node word and says which IR it stands for: a constant, where the word
//! alone decides (`selector`), or one of the constructors below, where arguments do (`timer`). The walk is the same for
//! all dialects and needs no recursion, since both trees stand in pre-order.

use crate::ast::{self, Role, Value};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Kind, Memory, Module, Outcome, Slot, SlotKind, To};
use crate::session::Session;
use crate::text::Sym;
use hashbrown::HashMap;

/// What a word means.
#[derive(Clone, Copy)]
pub enum Means {
    /// Always the same.
    Always(Kind),
    /// It depends on the node's subject, arguments or condition.
    By(fn(&mut Lowering<'_, '_>, &ast::Node) -> Kind),
}

/// A row of a vocabulary.
#[derive(Clone, Copy)]
pub struct Word {
    /// The node word in canonical spelling.
    pub keyword: &'static str,
    /// The subject it must have; `None` is any or none.
    pub subject: Option<&'static str>,
    /// What such a node remembers.
    pub memory: Memory,
    /// The IR it stands for.
    pub means: Means,
}

/// All words of a dialect, and what its agents carry.
pub struct Vocabulary {
    /// The words; the first row that fits counts.
    pub words: &'static [Word],
    /// Capacity of the running set; none if the dialect has no such set.
    pub running_set: Option<u16>,
    /// The bit slot that makes actions fail without a call while it is set, by name.
    pub action_gate: Option<&'static str>,
}

/// The state of a lowering.
pub struct Lowering<'s, 'a> {
    session: &'s mut Session<'a>,
    file: &'s ast::File,
    module: Module,
    gate: Option<u16>,
    /// By kind and symbol, the import plus one.
    imports: [Vec<u32>; 2],
    blocks: HashMap<Sym, u32>,
}

/// Lowers a file without errors. `entries` are the names of the trees that can be started; their class trees can too.
pub fn lower(
    session: &mut Session<'_>,
    file: &ast::File,
    vocabulary: &Vocabulary,
    entries: &[String],
) -> Module {
    let words = Words::resolve(session, vocabulary);
    let mut lowering = Lowering {
        session,
        file,
        module: Module::default(),
        gate: None,
        imports: [Vec::new(), Vec::new()],
        blocks: HashMap::default(),
    };
    lowering.frame(vocabulary);
    lowering.module.nodes.reserve(file.nodes.len() + file.trees.len());
    lowering.module.exprs.reserve(file.exprs.len());
    lowering.module.args.reserve(file.args.len());
    lowering.module.sites.reserve(file.nodes.len());
    lowering.expressions();
    for tree in &file.trees {
        lowering.tree(tree, &words);
    }
    lowering.entries(entries);
    let mut module = lowering.module;
    module.names = core::mem::take(&mut session.names);
    module
}

/// A vocabulary whose words have become symbols.
struct Words<'v> {
    rows: Vec<(Sym, Option<Sym>, &'v Word)>,
    /// By symbol, the first row of a keyword.
    first: Vec<u32>,
    /// The label of tree nodes.
    tree: Sym,
}

impl<'v> Words<'v> {
    fn resolve(session: &mut Session<'_>, vocabulary: &'v Vocabulary) -> Self {
        let names = &mut session.names;
        let row = |word: &'v Word| {
            let subject = word.subject.map(|subject| names.intern(subject.as_bytes()));
            (names.intern(word.keyword.as_bytes()), subject, word)
        };
        let rows = vocabulary.words.iter().map(row).collect::<Vec<_>>();
        let mut first = Vec::new();
        for (index, (keyword, ..)) in rows.iter().enumerate().rev() {
            let at = keyword.0 as usize;
            first.resize(first.len().max(at + 1), rows.len() as u32);
            first[at] = index as u32;
        }
        Self { rows, first, tree: names.intern(b"tree") }
    }

    fn find(&self, node: &ast::Node) -> Option<&'v Word> {
        let fits = |row: &&(Sym, Option<Sym>, &Word)| {
            row.0 == node.keyword && (row.1.is_none() || row.1 == node.subject)
        };
        let first = *self.first.get(node.keyword.0 as usize)?;
        self.rows.get(first as usize..)?.iter().find(fits).map(|row| row.2)
    }
}

impl Lowering<'_, '_> {
    /// Lays down the slots that every agent of the dialect has.
    fn frame(&mut self, vocabulary: &Vocabulary) {
        let mut slot = |kind, name, reset| {
            self.module.slots.push(Slot { kind, name, reset, node: None });
            self.module.slots.len() as u16 - 1
        };
        if let Some(capacity) = vocabulary.running_set {
            self.module.running = Some(slot(SlotKind::NodeSet(capacity), None, true));
        }
        self.module.current = Some(slot(SlotKind::Node, None, true));
        if let Some(name) = vocabulary.action_gate {
            self.gate = Some(slot(SlotKind::Bit, Some(self.session.names.intern(name.as_bytes())), false));
        }
    }

    /// Expressions keep their indices, so conditions need no map.
    fn expressions(&mut self) {
        for expr in &self.file.exprs {
            let lowered = match *expr {
                ast::Expr::Number(value) => ir::Expr::Number(number(value)),
                ast::Expr::Query { name, args, .. } => {
                    ir::Expr::Query(self.site(ir::ImportKind::Query, name, args))
                }
                ast::Expr::Not(operand) => ir::Expr::Not(operand),
                ast::Expr::Binary(op, left, right) => ir::Expr::Binary(op, left, right),
                _ => ir::Expr::Number(0.0),
            };
            self.module.exprs.push(lowered);
        }
    }

    fn tree(&mut self, tree: &ast::Tree, words: &Words<'_>) {
        let root = self.module.nodes.len() as u32;
        let nodes = tree.root..self.file.nodes[tree.root as usize].end;
        // Ends count from the first node, which comes after the tree's own.
        let moved = |end: u32| end - tree.root + root + 1;
        self.module.nodes.push(ir::Node {
            kind: Kind::Tree,
            memory: Memory::None,
            end: moved(nodes.end),
            label: (words.tree, Some(tree.name)),
            span: Some(tree.span),
        });
        for index in nodes {
            let node = self.file.nodes[index as usize];
            let (kind, memory) = self.node(&node, words);
            let label = (node.keyword, node.subject);
            let end = moved(node.end);
            self.module.nodes.push(ir::Node { kind, memory, end, label, span: Some(node.span) });
        }
        if tree.role == Role::Main {
            self.blocks.insert(tree.name, self.module.blocks.len() as u32);
        }
        self.module.blocks.push(ir::Block { root, name: tree.name, role: tree.role });
    }

    fn node(&mut self, node: &ast::Node, words: &Words<'_>) -> (Kind, Memory) {
        let Some(word) = words.find(node) else {
            let name = self.session.names.text(node.keyword).into_owned();
            let message = format!("`{name}` is not a node of this dialect");
            self.session.diagnostics.push(Diagnostic::new(codes::UNKNOWN_NODE, Some(node.span), message));
            return (Kind::Map([To::Same; ir::EXITS]), Memory::None);
        };
        let kind = match word.means {
            Means::Always(kind) => kind,
            Means::By(build) => build(self, node),
        };
        (kind, word.memory)
    }

    fn entries(&mut self, entries: &[String]) {
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

    fn import(&mut self, kind: ir::ImportKind, name: Sym) -> u32 {
        let (table, index) = (kind as usize, name.0 as usize);
        if index >= self.imports[table].len() {
            self.imports[table].resize(index + 1, 0);
        }
        if self.imports[table][index] == 0 {
            let arity = self.arity(kind, name);
            self.module.imports.push(ir::Import { kind, name, arity });
            self.imports[table][index] = self.module.imports.len() as u32;
        }
        self.imports[table][index] - 1
    }

    /// The arity a function was declared with; a word of the dialect that is no declared function takes any.
    fn arity(&self, kind: ir::ImportKind, name: Sym) -> (u16, u16) {
        let manifest = self.session.manifest;
        let functions = match kind {
            ir::ImportKind::Action => &manifest.actions,
            ir::ImportKind::Query => &manifest.queries,
        };
        let name = self.session.names.bytes(name);
        let declared = functions.iter().find(|function| function.name.as_bytes() == name);
        declared.map_or((0, u16::MAX), |it| (it.min_args() as u16, it.max_args() as u16))
    }

    fn site(&mut self, kind: ir::ImportKind, name: Sym, args: (u32, u32)) -> u32 {
        let import = self.import(kind, name);
        let first = self.module.args.len() as u32;
        self.module.args.extend(self.file.args(args).iter().map(|arg| arg.value));
        self.module.sites.push(ir::Site { import, args: (first, args.1) });
        self.module.sites.len() as u32 - 1
    }

    fn int_arg(&self, node: &ast::Node, index: usize) -> i32 {
        self.file.args(node.args).get(index).map_or(0, |arg| int(arg.value))
    }
}

/// A number as conditions see it; text counts zero.
fn number(value: Value) -> f64 {
    match value {
        Value::Int(int) => f64::from(int),
        Value::Float(float) => f64::from(float),
        Value::Text(_) | Value::Variable(_) | Value::Expression(_) => 0.0,
    }
}

/// An argument as an integer: floats are truncated toward zero (and saturate), text counts zero.
fn int(value: Value) -> i32 {
    match value {
        Value::Int(int) => int,
        Value::Float(float) => float as i32,
        Value::Text(_) | Value::Variable(_) | Value::Expression(_) => 0,
    }
}

/// A status by its number.
fn outcome(number: i32) -> Outcome {
    match number {
        0 => Outcome::Failure,
        1 => Outcome::Success,
        2 => Outcome::Running,
        other => Outcome::Other(other),
    }
}

/// The node's condition guards its child, if it has one.
pub fn guard(_: &mut Lowering<'_, '_>, node: &ast::Node) -> Kind {
    Kind::Guard(node.condition.unwrap_or_default())
}

/// The subject is an action of the host that is not called while the dialect's gate is shut.
pub fn action(lowering: &mut Lowering<'_, '_>, node: &ast::Node) -> Kind {
    let name = node.subject.unwrap_or(node.keyword);
    let site = lowering.site(ir::ImportKind::Action, name, node.args);
    Kind::Action { site, gate: lowering.gate }
}

/// The keyword itself is an action of the host, and is always called.
pub fn keyword_action(lowering: &mut Lowering<'_, '_>, node: &ast::Node) -> Kind {
    let site = lowering.site(ir::ImportKind::Action, node.keyword, node.args);
    Kind::Action { site, gate: None }
}

/// The subject is another tree. The front end has made sure that it stands earlier in the file.
pub fn include(lowering: &mut Lowering<'_, '_>, node: &ast::Node) -> Kind {
    let block = node.subject.and_then(|name| lowering.blocks.get(&name));
    Kind::Call(block.copied().unwrap_or_default())
}

/// Every status becomes the one that the argument numbers.
pub fn constant(lowering: &mut Lowering<'_, '_>, node: &ast::Node) -> Kind {
    Kind::Map([To::Status(outcome(lowering.int_arg(node, 0))); ir::EXITS])
}

/// Failure, success and running become what the three arguments number; other statuses pass.
pub fn status_map(lowering: &mut Lowering<'_, '_>, node: &ast::Node) -> Kind {
    let to = |index| To::Status(outcome(lowering.int_arg(node, index)));
    Kind::Map([to(0), to(1), to(2), To::Same])
}

/// No second try within the argument's time after a failure.
pub fn cooldown(lowering: &mut Lowering<'_, '_>, node: &ast::Node) -> Kind {
    let duration = lowering.int_arg(node, 0);
    let owner = Some(lowering.module.nodes.len() as u32);
    // More slots than 16 bits can number are refused by the layout.
    let slot = lowering.module.slots.len() as u16;
    lowering.module.slots.push(Slot { kind: SlotKind::Time, name: None, reset: false, node: owner });
    Kind::Cooldown { slot, duration }
}
