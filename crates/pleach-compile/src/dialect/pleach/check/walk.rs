//! The walk over trees, with a copy of a tree wherever it is used.

use super::cost::Costs;
use super::{
    Binding, Checker, Course, Diagnostic, Edge, Frame, Keyword, Mode, NODE_COST, Node, Open, SourceId, Span,
    Tree, Value, ast, codes, ends, order,
};
use crate::ast::Role;
use crate::copies::MOST_COPIED;
use crate::source::{Origin, OriginId, OriginKind};
use bumpalo::collections::{CollectIn, Vec as ArenaVec};
use std::sync::Arc;

impl Checker<'_, '_> {
    /// Finds trees that use themselves.
    pub(super) fn circles(&mut self) {
        let count = self.program.trees.len();
        let edge = |(from, mark): &(u32, u32)| {
            let to = self.names.get(self.program.nodes[*mark as usize].subject).tree?;
            ((*from as usize) < count).then_some(Edge { from: *from, to, mark: *mark })
        };
        let arena = self.program.arena;
        let edges: ArenaVec<'_, Edge> = self.program.uses.iter().filter_map(edge).collect_in(arena);
        for circle in order(arena, count, &edges).circles {
            self.circle(&circle);
        }
    }

    fn circle(&mut self, circle: &[Edge]) {
        let Some(last) = circle.last() else { return };
        self.cut.insert(last.mark);
        let name = self.session.names.cited(self.program.trees[last.to as usize].name);
        let message = format!("the tree `{name}` uses itself");
        let mut finding = Diagnostic::new(codes::RECURSIVE_TREE, Some(self.used_at(*last)), message).help(
            "a copy would hold a copy of itself, without end; `repeat` and `until` begin a child again",
        );
        for edge in &circle[..circle.len() - 1] {
            let name = self.session.names.cited(self.program.trees[edge.to as usize].name);
            finding = finding.related(self.used_at(*edge), format!("`{name}` is used here"));
        }
        self.session.diagnostics.push(finding);
    }

    fn used_at(&self, edge: Edge) -> Span {
        let (start, end) = self.program.nodes[edge.mark as usize].place;
        let span = self.program.trees[edge.from as usize].span;
        Span { start, end, ..span }
    }

    /// Emits what each event does.
    pub(super) fn events(&mut self) {
        for index in 0..self.program.events.len() {
            let event = self.program.events[index].clone();
            let root = self.file.open((Keyword::Sequence.sym(), None), event.span, &[], None);
            for handler in event.handlers {
                let handler = &self.program.handlers[handler as usize];
                self.frame = Frame {
                    next: handler.nodes.0,
                    end: handler.nodes.1,
                    ..Frame::outside(handler.span.source)
                };
                self.walk();
            }
            self.file.close(root);
            let handler = self.file.trees.len() as u32;
            self.file.events.push(ast::Event { name: event.name, handler });
            self.file.trees.push(ast::Tree { name: event.name, role: Role::Handler, root, span: event.span });
        }
    }

    /// Emits the trees that can be started, and checks all others.
    pub(super) fn trees(&mut self, entries: &[SourceId]) {
        let count = self.program.trees.len();
        let can_start = |tree: &Tree| tree.params.is_empty() && entries.contains(&tree.span.source);
        for index in 0..count {
            if can_start(&self.program.trees[index]) {
                self.entry(index);
            }
        }
        self.trial = true;
        for index in 0..count {
            if self.copies[index] == 0 {
                self.trial(index);
            }
        }
        if self.session.diagnostics.errors() == 0 && self.file.entries.is_empty() {
            entries.iter().for_each(|entry| self.nothing_to_start(*entry));
        }
    }

    fn entry(&mut self, index: usize) {
        let root = self.file.nodes.len() as u32;
        self.begin(index);
        self.locals(index);
        self.walk();
        let tree = &self.program.trees[index];
        if self.file.nodes.len() as u32 > root {
            self.file.entries.push(self.file.trees.len() as u32);
            self.file.trees.push(ast::Tree { name: tree.name, role: Role::Main, root, span: tree.span });
        }
    }

    /// Checks a tree that nothing has used.
    fn trial(&mut self, index: usize) {
        let ast::File { nodes, exprs, args, variables, .. } = &self.file;
        let (nodes, exprs, args, variables) = (nodes.len(), exprs.len(), args.len(), variables.len());
        let open = |param: &super::super::syntax::Param| Binding { value: Value::Open(param.ty), at: None };
        self.bindings.extend(self.program.trees[index].params.iter().map(open));
        self.begin(index);
        self.locals(index);
        self.walk();
        // An error leaves factors that nothing takes.
        self.factors.clear();
        self.file.nodes.truncate(nodes);
        self.file.exprs.truncate(exprs);
        self.file.args.truncate(args);
        self.file.variables.truncate(variables);
        self.program.variables.truncate(variables);
    }

    /// Makes a tree the one that is walked; its bindings are the last ones.
    fn begin(&mut self, index: usize) {
        let tree = &self.program.trees[index];
        let news = self.copies[index] == 0;
        self.frame = Frame {
            source: tree.span.source,
            tree: Some(index as u32),
            next: tree.nodes.0,
            end: tree.nodes.1,
            bindings: self.bindings.len() - tree.params.len(),
            origin: OriginId::NONE,
            open: self.open.len(),
            news,
        };
        self.copies[index] += 1;
    }

    /// Walks the tree, and the trees that it uses.
    fn walk(&mut self) {
        loop {
            let Frame { next, end, open, bindings, .. } = self.frame;
            while self.open.len() > open && self.open[self.open.len() - 1].end <= next {
                self.close();
            }
            if next < end {
                self.frame.next += 1;
                self.visit(next);
                continue;
            }
            self.bindings.truncate(bindings);
            let Some(frame) = self.waiting.pop() else { return };
            self.frame = frame;
        }
    }

    #[inline]
    fn visit(&mut self, index: u32) {
        let node = self.program.nodes[index as usize];
        if self.open.last_mut().is_some_and(|open| open.course.is_over()) {
            self.unreachable(&node);
        }
        if node.kind == Keyword::Use {
            return self.use_tree(&node, index);
        }
        if node.kind == Keyword::Action && node.mode == Mode::Plain {
            self.action_node(&node, index);
            return self.ended(ends::leaf(node.kind, node.mode), ends::leaf_runs(node.kind));
        }
        if node.kind == Keyword::Set
            && let Some(variable) = self.vector_target(&node)
        {
            self.set_vector(&node, variable);
            return self.ended(ends::SUCCESS, false);
        }
        let out = self.file.nodes.len() as u32;
        let emitted = self.emit_node(&node, index);
        self.file.nodes.push(emitted);
        if node.end > index + 1 {
            let counts = match node.kind {
                Keyword::Match => self.has_else(index),
                _ => node.operands.0 < node.operands.1,
            };
            let course = Course::new(node.kind, node.mode, counts);
            let reactive = matches!(node.mode, Mode::Reactive | Mode::Keeping(_)) || self.is_reactive();
            self.open.push(Open { node: out, end: node.end, course, reactive });
            return;
        }
        let ends = match node.kind {
            Keyword::Sequence | Keyword::Selector | Keyword::Parallel => self.no_children(&node),
            Keyword::Cleanup | Keyword::Every => ends::SUCCESS,
            kind => ends::leaf(kind, node.mode),
        };
        self.ended(ends, ends::leaf_runs(node.kind));
    }

    /// Returns true if a node around the next one is reactive.
    pub(super) fn is_reactive(&self) -> bool {
        self.open.last().is_some_and(|open| open.reactive)
    }

    /// The last child of the innermost open node has ended.
    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        if open.course.kind == Keyword::Match && !open.course.counts {
            self.without_else(open.node);
        }
        let end = self.file.nodes.len() as u32;
        self.file.nodes[open.node as usize].end = end;
        if open.course.kind == Keyword::If && open.course.runs && open.reactive {
            self.asked_once(open.node);
        }
        self.ended(open.course.ends(end > open.node + 1), open.course.runs);
    }

    /// Warns of an `if` that a reader may take for a `while`.
    #[cold]
    fn asked_once(&mut self, node: u32) {
        let at = self.file.nodes[node as usize].span;
        let at = Span { origin: OriginId::NONE, ..at };
        let message = "this `if` is asked when it begins, and not again while its block runs";
        let help = "write `while` to ask in each tick and interrupt the block; if asking once is meant, \
                    `sequence { condition EXPR NODE }` says so";
        self.tell(codes::ASKED_ONCE, at, message, help);
    }

    /// Tells the innermost open node how a child can end, and if it can run for more than a tick.
    #[inline]
    fn ended(&mut self, ends: ends::Ends, runs: bool) {
        if let Some(open) = self.open.last_mut() {
            open.course.child(ends, runs);
        }
    }

    #[cold]
    fn unreachable(&mut self, node: &Node) {
        let at = self.place(node.place);
        let why = match self.open.last().map(|open| open.course.kind) {
            Some(Keyword::Selector) => "the child before it never fails, so the selector ends there",
            _ => "the child before it never succeeds, so the sequence ends there",
        };
        self.tell(codes::UNREACHABLE, at, "this node can never begin", why);
    }

    #[cold]
    fn no_children(&mut self, node: &Node) -> ends::Ends {
        let at = self.place(node.place);
        let (ends, what) = if node.kind == Keyword::Selector {
            (ends::FAILURE, "failure")
        } else {
            (ends::SUCCESS, "success")
        };
        let help = format!("it always ends with {what}; the node `{what}` says that in a word");
        self.tell(codes::NO_CHILDREN, at, "this node has no children", help);
        ends
    }

    /// Takes a copy of a tree out of the budget for copies. Returns false if
    /// the budget does not suffice.
    fn afford(&mut self, node: &Node, tree: usize) -> bool {
        if self.session.copies.is_spent() {
            return false;
        }
        let (cost, _) = *self.copied(tree);
        let affordable = self.session.copies.spend(cost);
        if !affordable {
            self.too_many_copies(node);
        }
        affordable
    }

    /// Returns the cost of a copy of a tree, and its name for messages.
    fn copied(&mut self, tree: usize) -> &(u64, Arc<str>) {
        let Self { program, names, session, copied, .. } = self;
        let interner = &session.names;
        copied[tree].get_or_insert_with(|| {
            let tree = &program.trees[tree];
            let costs = Costs { program, names, interner, tree };
            (costs.of_copy(), interner.cited(tree.name).into())
        })
    }

    #[cold]
    fn too_many_copies(&mut self, node: &Node) {
        let most = MOST_COPIED / NODE_COST;
        let message = format!("the copies of trees come to more than {most} nodes, or fewer large ones");
        let mut finding = Diagnostic::new(codes::TOO_MANY_COPIES, Some(self.place(node.place)), message)
            .help("trees that use others several times grow quickly: use fewer, or give them parameters");
        for frame in self.waiting.iter().take(4) {
            let (start, end) = self.program.nodes[frame.next as usize - 1].place;
            let at = Span { source: frame.source, start, end, origin: OriginId::NONE };
            finding = finding.related(at, "by this");
        }
        self.session.diagnostics.push(finding);
    }

    /// `use`: the tree in this place.
    fn use_tree(&mut self, node: &Node, index: u32) {
        let Some(tree) = self.names.get(node.subject).tree else {
            self.unknown_tree(node);
            return self.ended(ends::EITHER, false);
        };
        let bound = self.bind(node, tree as usize);
        let cut = self.cut.contains(&index) || self.trial;
        if !bound || cut || !self.afford(node, tree as usize) {
            let given = if bound { self.program.trees[tree as usize].params.len() } else { 0 };
            self.bindings.truncate(self.bindings.len() - given);
            return self.ended(ends::EITHER, false);
        }
        let name = self.copied(tree as usize).1.clone();
        let at = Span { origin: self.frame.origin, ..self.place(node.place) };
        let origin = self.session.sources.add_origin(Origin { kind: OriginKind::Use, name, at });
        let frame = self.frame;
        self.begin(tree as usize);
        self.frame.origin = origin;
        self.waiting.push(frame);
        self.locals(tree as usize);
    }

    /// Lets the parameters of a tree stand for the arguments of a `use`;
    /// whether their number is right.
    fn bind(&mut self, node: &Node, tree: usize) -> bool {
        let first = self.push_operands(node);
        let tree = self.program.trees[tree];
        let (count, wanted, declared) = (self.stack.len() - first, tree.params.len(), tree.span);
        if count != wanted {
            let whom = format!("the tree `{}`", self.session.names.cited(tree.name));
            let usage = self.signature(tree.name, tree.params);
            self.wrong_count(count < wanted, &whom, &usage, Some(declared), self.place(node.place));
            self.stack.truncate(first);
            return false;
        }
        for (position, param) in tree.params.iter().enumerate() {
            let operand = self.stack[first + position];
            let value = match self.fit(&operand, *param, Some(declared)) {
                Some(Value::Computed(..) | Value::Vector(_, _, false)) => {
                    self.computed_argument(&operand);
                    Value::Open(param.ty)
                }
                Some(value) => value,
                None => Value::Open(param.ty),
            };
            self.bindings.push(Binding { value, at: Some(self.cover(operand.ops)) });
        }
        self.stack.truncate(first);
        true
    }

    /// Puts the values of a node's expressions on the stack: the position of the first.
    pub(super) fn push_operands(&mut self, node: &Node) -> usize {
        let first = self.stack.len();
        for index in node.operands.0..node.operands.1 {
            let operand = self.evaluate(self.program.operands[index as usize]);
            self.stack.push(operand);
        }
        first
    }

    /// Of the files that were asked for, one should have something to start.
    fn nothing_to_start(&mut self, entry: SourceId) {
        let name = &self.session.sources.get(entry).name;
        let finding = match self.program.trees.iter().find(|tree| tree.span.source == entry) {
            None => Diagnostic::new(codes::NOTHING_TO_START, None, format!("`{name}` has no tree"))
                .help("a tree is written `tree NAME { NODE }`"),
            Some(tree) => {
                let message = format!("`{name}` has no tree that can be started");
                Diagnostic::new(codes::NOTHING_TO_START, Some(tree.span), message)
                    .help("trees with parameters are for `use`; add one without")
            }
        };
        self.session.diagnostics.push(finding);
    }
}
