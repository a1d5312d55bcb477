//! The sections of a tree, its outermost node, and the writes of signals: all that a signal writes
//! becomes one tree, the handler of an event of this name.
//!
//! Variables are declared first, wherever they stand; then come the nodes, and signals and
//! translations last, as these speak of both. The engine goes from section to section up to
//! one that is wrong. If it has had the outermost node by then, there is a tree, but
//! without signals and translations.

use super::{
    BLOCKED, Blocks, Candidate, Diagnostic, Element, List, NodeIndex, Reader, Refused, Role, Session, Span,
    Value, ast, codes, forgive, is, only, required,
};
use crate::ast::{Binary, Event, Expr, Scope, SlotKind, Tree, Variable};
use crate::copies::Copies;
use crate::dialect::cry::signals;
use hashbrown::HashMap;

/// A section that waits until the nodes are known.
enum Deferred<'a> {
    Signals(Element<'a>),
    Translations(Element<'a>),
}

/// Reads a tree. Returns also the cost of reading it.
pub(super) fn read<'a>(
    session: &mut Session<'_>,
    file: ast::File,
    blocks: &Blocks<'a>,
    tree: Candidate<'a>,
) -> (ast::File, u64) {
    session.copies = Copies::default();
    let mut reader = Reader::new(session, file, blocks, tree.name);
    reader.tree(tree);
    reader.known_behaviors();
    (reader.file, reader.work)
}

/// Returns true if the engine finds no error in a tree, and the cost of
/// reading it. Adds no findings.
pub(super) fn is_right<'a>(
    session: &mut Session<'_>,
    blocks: &Blocks<'a>,
    tree: Candidate<'a>,
) -> (bool, u64) {
    let told = core::mem::take(&mut session.diagnostics);
    session.copies = Copies::default();
    let mut reader = Reader::new(session, ast::File::default(), blocks, tree.name);
    reader.tree(tree);
    let (complete, work) = (reader.complete, reader.work);
    let tried = core::mem::replace(&mut session.diagnostics, told);
    (complete && tried.errors() == 0, work)
}

impl<'a> Reader<'_, '_, 'a> {
    fn tree(&mut self, tree: Candidate<'a>) {
        let span = tree.element.name_span();
        if tree.whole {
            only(self.session, tree.element, &["name", "type"]);
            self.session.accept(required(tree.element, "type"));
        }
        let (node, deferred) = self.sections(tree.element);
        let Some(node) = node else {
            let message = format!("the tree `{}` has no node", self.name);
            let finding = Diagnostic::new(codes::TREE_ROOT, span, message);
            return self.session.diagnostics.push(finding.help("add a `Priority`, `StateMachine` or `Leaf`"));
        };
        let root = self.selection(span);
        self.nodes(node);
        self.file.close(root);
        self.deferred(deferred);
        let name = self.session.names.intern(self.name.as_bytes());
        self.handlers(Tree { name, role: Role::Main, root, span });
    }

    /// Returns the node around all others.
    fn selection(&mut self, span: Span) -> NodeIndex {
        let name = self.session.names.intern(BLOCKED.as_bytes());
        let blocked = self.file.variables.len() as u32;
        let (scope, kind) = (Scope::Agent, SlotKind::U8);
        self.file.variables.push(Variable { name, scope, kind, init: 0, span });
        let blocked = self.file.expr(Expr::Variable(blocked));
        let zero = self.file.expr(Expr::Number(Value::Int(0)));
        let may = self.file.expr(Expr::Binary(Binary::Equal, blocked, zero));
        self.open(".selection", None, span, Some(may))
    }

    /// Declares variables; gives the outermost node and the sections that wait.
    fn sections(&mut self, tree: Element<'a>) -> (Option<Element<'a>>, Vec<Deferred<'a>>) {
        let (mut node, mut deferred) = (None::<Element<'a>>, Vec::new());
        let mut list = List::of(tree);
        while let Some(section) = self.next(&mut list) {
            let wrong = if is(section, "Blocks") {
                None
            } else if is(section, "Variables") {
                let declare = |it: &mut Self, entry| it.variables.declare(it.session, &mut it.file, entry);
                self.entries(section, declare).err()
            } else if is(section, "SignalVariables") {
                deferred.push(Deferred::Signals(section));
                None
            } else if is(section, "LeafTranslations") {
                deferred.push(Deferred::Translations(section));
                None
            } else if let Some(first) = node {
                let message = format!("`{}` is a second node", section.name());
                let finding = Diagnostic::new(codes::TREE_ROOT, section.name_span(), message);
                let finding = finding.help("a tree has one node: put several into a `Priority`");
                Some(finding.related(first.name_span(), "the first").into())
            } else {
                node = Some(section);
                None
            };
            let Some(finding) = wrong else { continue };
            if node.is_none() || !self.session.lenient {
                self.session.diagnostics.push(*finding);
                continue;
            }
            forgive(self.session, *finding, "the tree has neither signals nor translations");
            self.complete = false;
            self.abandon(list);
            return (node, Vec::new());
        }
        (node, deferred)
    }

    /// Reads the sections that have waited.
    fn deferred(&mut self, sections: Vec<Deferred<'a>>) {
        for section in sections {
            let read = match section {
                Deferred::Signals(section) => self.signals(section),
                Deferred::Translations(section) => self.translations(section),
            };
            if let Err(finding) = read {
                forgive(self.session, *finding, "signals and translations that follow are left out");
                self.complete = false;
                if self.session.lenient {
                    return;
                }
            }
        }
    }
}

impl<'a> Reader<'_, '_, 'a> {
    /// Reads a section of signals.
    pub(super) fn signals(&mut self, section: Element<'a>) -> Result<(), Refused> {
        self.entries(section, |it, entry| {
            signals::declare(it.session, &mut it.file, &mut it.variables, &mut it.rules, entry)
        })
    }

    /// Adds the handlers of all signals, and the tree itself behind them.
    pub(super) fn handlers(&mut self, main: Tree) {
        let mut rules = core::mem::take(&mut self.rules);
        let mut order = HashMap::new();
        for rule in &rules {
            let next = order.len();
            order.entry(rule.event).or_insert(next);
        }
        // By signal, each in the order of its first rule.
        rules.sort_by_key(|rule| order.get(&rule.event).copied());
        let all = self.session.names.intern(b".all");
        let set = self.session.names.intern(b".set");
        for (index, rules) in rules.chunk_by(|one, other| one.event == other.event).enumerate() {
            let (name, span) = (rules[0].event, rules[0].span);
            let root = self.file.open((all, None), span, &[], None);
            for rule in rules {
                let args = [Value::Variable(rule.variable), Value::Int(0)];
                self.file.open((set, None), rule.span, &args, Some(rule.value));
            }
            self.file.close(root);
            self.file.trees.push(Tree { name, role: Role::Handler, root, span });
            self.file.events.push(Event { name, handler: index as u32 });
        }
        self.file.entries.push(self.file.trees.len() as u32);
        self.file.trees.push(main);
    }
}
