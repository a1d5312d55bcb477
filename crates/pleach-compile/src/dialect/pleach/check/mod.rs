//! From the words to their meaning: names resolved, types checked, copies of trees put in place.
//!
//! There is one walk, which checks a tree and emits it at once. A tree that others use is walked
//! again for each copy, with its parameters standing for that copy's arguments; what does not
//! depend on these is said only the first time. A tree that nothing uses is walked with parameters
//! that may be anything, and what that emits is thrown away.

mod call;
mod computed;
mod cost;
mod declarations;
mod duration;
pub(super) mod ends;
mod enums;
mod expression;
mod functions;
mod local;
mod matching;
mod node;
mod operate;
mod order;
mod set;
mod tunable;
mod unknown;
mod unused;
mod vectors;
mod walk;
mod wants;

pub(super) use computed::{ARGUMENT, ARGUMENTS, OUT};
pub(super) use node::{CALL, KEEPING, SERVICE};
pub(super) use vectors::PART;

use super::host::Host;
use super::names::{Meaning, Names};
use super::syntax::{
    Code, ExprRange, Function, Kind, Mode, Node, Op, Operator, Program, Tree, Type, Variable, cover,
};
use super::value::{Value, bounds, type_of};
use super::words::{Keyword, Word};
use crate::ast::{self, Binary, Expr, ExprIndex, Math, Scope, SlotKind};
use crate::codes;
use crate::copies::NODE_COST;
use crate::diagnostic::{Code as DiagnosticCode, Diagnostic};
use crate::session::Session;
use crate::source::{OriginId, SourceId, Span};
use crate::text::Sym;
use bumpalo::collections::Vec as ArenaVec;
use ends::Course;
use hashbrown::{HashMap, HashSet};
use node::Parts;
use order::{Edge, order};
use set::assigned;
use std::sync::Arc;

/// The tree that is walked, or one that waits for a tree it uses.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The file it stands in.
    source: SourceId,
    /// The tree; `None` outside of trees.
    tree: Option<u32>,
    /// The next node, and where its nodes end.
    next: u32,
    end: u32,
    /// Index of its first binding in [`Checker::bindings`].
    bindings: usize,
    /// The `use` that the nodes of this copy came through.
    origin: OriginId,
    /// Number of open nodes that belong to the trees that use this one.
    open: usize,
    /// True if findings are new: the tree has not been walked before.
    news: bool,
}

impl Frame {
    /// Returns the frame for nodes outside of trees.
    fn outside(source: SourceId) -> Self {
        Self { source, tree: None, next: 0, end: 0, bindings: 0, origin: OriginId::NONE, open: 0, news: true }
    }
}

/// A node whose children are being walked.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// Its index in the file.
    node: u32,
    /// End of its children in the program.
    end: u32,
    course: ends::Course,
    /// True if the node or one around it is reactive.
    reactive: bool,
}

/// An operand on the stack.
#[derive(Clone, Copy, Debug)]
struct Operand {
    value: Value,
    /// Its ops.
    ops: (u32, u32),
    /// Number of expressions, and of arguments, before the operand.
    marks: (u32, u32),
    /// True if a named constant or a parameter is a part of the operand.
    named: bool,
    /// True if a parameter is a part of the operand, so the value may differ from copy to copy.
    given: bool,
}

/// Value of a parameter in a copy of its tree.
#[derive(Clone, Copy, Debug)]
struct Binding {
    value: Value,
    /// The argument; none for a tree that is looked at by itself.
    at: Option<Span>,
}

/// The state of the walk.
pub(super) struct Checker<'s, 'a> {
    session: &'s mut Session<'a>,
    program: Program<'s>,
    names: Names<'s>,
    file: ast::File,
    constants: ArenaVec<'s, Value>,
    /// By enum, the column of its variables.
    columns: ArenaVec<'s, SlotKind>,
    /// Numbers of members by their enums and words.
    members: HashMap<(u32, Word), i32>,
    stack: ArenaVec<'s, Operand>,
    /// Floats of vectors. Of a `vec2`, the last one means nothing.
    vectors: Vec<[Value; 3]>,
    /// Factors of vectors that parts of operands on the stack name, in ascending order.
    factors: Vec<ExprIndex>,
    /// Variables that answers go through: int64s and entities.
    answered: [u32; 2],
    /// Computed arguments of the action at hand.
    computed: Vec<computed::Computed>,
    bindings: ArenaVec<'s, Binding>,
    frame: Frame,
    waiting: ArenaVec<'s, Frame>,
    open: ArenaVec<'s, Open>,
    /// Number of variables that are declared outside of trees.
    declared: usize,
    /// Nodes that would use a tree within itself.
    cut: HashSet<u32>,
    /// By tree, how many copies of it have been walked so far.
    copies: ArenaVec<'s, u32>,
    /// By tree, the cost of a copy of it and its name for messages, if it was copied.
    copied: ArenaVec<'s, Option<(u64, Arc<str>)>>,
    /// True if nothing that is emitted will stay.
    trial: bool,
}

/// Checks everything that was read. The trees without parameters of `entries` can be started.
pub(super) fn check<'s>(
    session: &'s mut Session<'_>,
    program: Program<'s>,
    names: Names<'s>,
    entries: &[SourceId],
) -> ast::File {
    let mut checker = Checker::new(session, program, names);
    checker.types();
    checker.declarations();
    checker.answers();
    checker.circles();
    checker.events();
    checker.trees(entries);
    checker.unused(entries);
    checker.describe();
    checker.file
}

/// Returns the constants of everything that was read, by their names. A constant with
/// an error is [`Value::Wrong`].
pub(super) fn constants<'s>(
    session: &'s mut Session<'_>,
    program: Program<'s>,
    names: Names<'s>,
) -> Vec<(Sym, Value)> {
    let mut checker = Checker::new(session, program, names);
    checker.import();
    checker.compute_constants();
    checker.program.constants.iter().map(|constant| constant.name).zip(checker.constants).collect()
}

impl<'s, 'a> Checker<'s, 'a> {
    /// Makes a checker that has looked at nothing yet.
    fn new(session: &'s mut Session<'a>, program: Program<'s>, names: Names<'s>) -> Self {
        let arena = program.arena;
        let declared = program.variables.len();
        let copies = bumpalo::vec![in arena; 0; program.trees.len()];
        let copied = bumpalo::vec![in arena; None; program.trees.len()];
        let (columns, members) = (enums::columns(&program), enums::members(&program));
        let mut file = core::mem::take(&mut session.file);
        file.reserve(program.nodes.len());
        file.exprs.reserve(program.ops.len());
        Self {
            session,
            program,
            names,
            file,
            constants: ArenaVec::new_in(arena),
            columns,
            members,
            stack: ArenaVec::new_in(arena),
            vectors: Vec::new(),
            factors: Vec::new(),
            answered: [ast::NO_VARIABLE; 2],
            computed: Vec::new(),
            bindings: ArenaVec::new_in(arena),
            frame: Frame::outside(SourceId(0)),
            waiting: ArenaVec::new_in(arena),
            open: ArenaVec::new_in(arena),
            declared,
            cut: HashSet::new(),
            copies,
            copied,
            trial: false,
        }
    }
}

impl<'s> Checker<'s, '_> {
    /// A piece of the file that is walked.
    fn place(&self, (start, end): (u32, u32)) -> Span {
        Span { source: self.frame.source, start, end, origin: OriginId::NONE }
    }

    /// The text of some ops.
    fn cover(&self, range: (u32, u32)) -> Span {
        cover(self.program.ops(range), self.frame.source)
    }

    /// Returns the text of an operand for a message. A long text is cut.
    fn written(&self, operand: &Operand) -> String {
        const LONG: usize = 40;
        let text = self.session.sources.text(self.cover(operand.ops));
        let text = balanced(&String::from_utf8_lossy(text));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() > LONG { "…".to_owned() } else { text }
    }

    /// Reports an error or warning with help, as [`Self::report`] does.
    #[cold]
    fn tell(&mut self, code: DiagnosticCode, at: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report(Diagnostic::new(code, at, message).help(help));
    }

    /// Reports a finding that is the same in all copies of a tree, and only for the first copy.
    #[cold]
    fn report(&mut self, finding: Diagnostic) {
        if self.frame.news {
            self.session.diagnostics.push(finding);
        }
    }

    /// Reports a finding about an operand, which may depend on the arguments of a copy.
    #[cold]
    fn report_value(
        &mut self,
        operand: &Operand,
        code: DiagnosticCode,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let mut finding = Diagnostic::new(code, self.cover(operand.ops), message).help(help);
        if !operand.given {
            return self.report(finding);
        }
        let param = |op: &Op| match op.code {
            Code::Param(param) | Code::PartOf(param) => self.binding(param).at,
            _ => None,
        };
        let mut given: Vec<Span> = self.program.ops(operand.ops).iter().filter_map(param).collect();
        given.dedup();
        for at in given.into_iter().take(3) {
            finding = finding.related(at, "this is what the parameter stands for here");
        }
        self.session.diagnostics.push(finding);
    }

    fn binding(&self, param: u32) -> Binding {
        self.bindings[self.frame.bindings + param as usize]
    }

    /// Returns the importer of declarations from the manifest.
    fn host(&mut self) -> Host<'_, 's> {
        let Program { actions, queries, .. } = &mut self.program;
        let (manifest, interner) = (self.session.manifest, &mut self.session.names);
        Host { manifest, interner, names: &mut self.names, actions, queries }
    }
}

/// Returns the text of an operand with a partner for each of its parentheses. The ops of a call and
/// of an operand in parentheses do not cover all of them.
fn balanced(text: &str) -> String {
    let (mut open, mut missing) = (0_usize, 0_usize);
    // Texts in quotes can have parentheses, too.
    for byte in text.split('"').step_by(2).flat_map(str::bytes) {
        match byte {
            b'(' => open += 1,
            b')' if open == 0 => missing += 1,
            b')' => open -= 1,
            _ => {}
        }
    }
    format!("{}{text}{}", "(".repeat(missing), ")".repeat(open))
}
