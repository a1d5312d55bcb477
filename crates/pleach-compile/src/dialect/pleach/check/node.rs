//! What each node becomes in the common tree.

use super::super::syntax::{Kind, Mode, Node, Quota, To, Type};
use super::super::value::places::MOST;
use super::super::words::Keyword;
use super::Checker;
use super::call::Callee;
use crate::ast::{self, Arg, ExprIndex};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::preorder;
use crate::source::Span;
use crate::text::Sym;

/// What a node carries beside its keyword.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parts {
    pub(super) subject: Option<Sym>,
    pub(super) args: (u32, u32),
    pub(super) condition: Option<ExprIndex>,
}

impl Parts {
    fn subject(subject: Sym) -> Self {
        Self { subject: Some(subject), ..Self::default() }
    }
}

impl Checker<'_, '_> {
    /// The node in the common tree; where it ends is not known yet.
    pub(super) fn emit_node(&mut self, node: &Node, index: u32) -> ast::Node {
        let (keyword, parts) = self.parts(node, index);
        let Parts { subject, args, condition } = parts;
        ast::Node {
            keyword: keyword.sym(),
            subject,
            args,
            condition,
            end: 0,
            span: Span { origin: self.frame.origin, ..self.place(node.place) },
        }
    }

    fn parts(&mut self, node: &Node, index: u32) -> (Keyword, Parts) {
        let none = Parts::default();
        match node.kind {
            Kind::Sequence => self.reactive(node, Keyword::Sequence),
            Kind::Selector => self.reactive(node, Keyword::Selector),
            Kind::Parallel => (Keyword::Parallel, self.parallel(node, index)),
            Kind::Random => (Keyword::Random, self.weights(node, index)),
            Kind::Utility => {
                let (keyword, parts) = self.reactive(node, Keyword::Utility);
                (keyword, Parts { args: self.scores(index), ..parts })
            }
            Kind::Condition => (Keyword::Condition, self.condition(node)),
            Kind::If => (Keyword::If, self.condition(node)),
            Kind::While => (Keyword::While, self.condition(node)),
            Kind::Action => (Keyword::Action, self.act(node)),
            Kind::Set => (Keyword::Set, self.set(node)),
            Kind::Wait => (Keyword::Wait, self.timed(node)),
            Kind::Success | Kind::Use | Kind::Unknown => {
                if node.kind == Kind::Unknown {
                    self.unknown_node(node);
                }
                (Keyword::Success, none)
            }
            Kind::Failure => (Keyword::Failure, none),
            Kind::Running => (Keyword::Running, none),
            Kind::Invert => (Keyword::Invert, none),
            Kind::Force => (Keyword::Force, self.status(node)),
            Kind::Until => (Keyword::Until, self.status(node)),
            Kind::Repeat => (Keyword::Repeat, self.counted(node, "the number of `repeat`")),
            Kind::Retry => (Keyword::Retry, self.counted(node, "the number of `retry`")),
            Kind::Cooldown => (Keyword::Cooldown, self.timed(node)),
            Kind::Timeout => (Keyword::Timeout, self.timed(node)),
            Kind::Delay => (Keyword::Delay, self.timed(node)),
            Kind::Limit => (Keyword::Limit, self.limit(node)),
            Kind::Raise => (Keyword::Raise, self.raise(node)),
        }
    }

    fn reactive(&self, node: &Node, keyword: Keyword) -> (Keyword, Parts) {
        if node.mode == Mode::Reactive {
            return (Keyword::Reactive, Parts::subject(keyword.sym()));
        }
        (keyword, Parts::default())
    }

    fn status(&self, node: &Node) -> Parts {
        let success = node.mode != Mode::Status(false);
        Parts::subject((if success { Keyword::Success } else { Keyword::Failure }).sym())
    }

    /// Adds integers as arguments that stand where the node does.
    fn ints(&mut self, node: &Node, values: &[i32]) -> (u32, u32) {
        let first = self.file.args.len() as u32;
        let span = self.place(node.place);
        let arg = |value: &i32| Arg { name: None, value: ast::Value::Int(*value), span };
        self.file.args.extend(values.iter().map(arg));
        (first, values.len() as u32)
    }

    fn timed(&mut self, node: &Node) -> Parts {
        let (length, ticks) = self.duration(node);
        let subject = ticks.then(|| Keyword::Ticks.sym());
        Parts { subject, args: self.ints(node, &[length]), condition: None }
    }

    fn counted(&mut self, node: &Node, what: &str) -> Parts {
        let Some(range) = self.program.operands(node).first().copied() else { return Parts::default() };
        let count = self.number(range, what, 1, MOST);
        Parts { args: self.ints(node, &[count]), ..Parts::default() }
    }

    fn limit(&mut self, node: &Node) -> Parts {
        let Some(range) = self.program.operands(node).first().copied() else { return Parts::default() };
        let count = self.number(range, "the number of `limit`", 1, i32::MAX);
        Parts { args: self.ints(node, &[count]), ..Parts::default() }
    }

    fn condition(&mut self, node: &Node) -> Parts {
        let Some(range) = self.program.operands(node).first().copied() else { return Parts::default() };
        let (condition, known) = self.truth(range, "a condition");
        if let Some(known) = known {
            let finding = Diagnostic::new(
                codes::CONSTANT_CONDITION,
                Some(self.cover(range)),
                format!("this condition is always {known}"),
            );
            let word = if known { "success" } else { "failure" };
            self.report(finding.help(format!("the node `{word}` says that in a word")));
        }
        Parts { condition: Some(condition), ..Parts::default() }
    }

    fn act(&mut self, node: &Node) -> Parts {
        let first = self.push_operands(node);
        let args = match self.action(node.subject) {
            Some(action) => self.arguments(Callee::Action(action), first, self.place(node.place)),
            None => {
                self.unknown_action(node, first);
                None
            }
        };
        self.stack.truncate(first);
        let subject = Some(Sym(node.subject));
        Parts { subject, args: args.unwrap_or_default(), condition: None }
    }

    fn raise(&mut self, node: &Node) -> Parts {
        let Some(event) = self.names.get(node.subject).event else {
            self.unknown_event(node);
            return Parts::default();
        };
        let to = match node.mode {
            Mode::To(To::Group) => 1,
            Mode::To(To::All) => 2,
            _ => 0,
        };
        let subject = Some(Sym(node.subject));
        Parts { subject, args: self.ints(node, &[event as i32, to]), condition: None }
    }

    /// The nodes right below a node.
    fn children(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        preorder::children(index, |node| self.program.nodes[node as usize].end)
    }

    fn parallel(&mut self, node: &Node, index: u32) -> Parts {
        let Mode::Policy(succeed, fail) = node.mode else { return Parts::default() };
        let branches = i32::try_from(self.children(index).count()).unwrap_or(i32::MAX);
        let mut operands = node.operands.0..node.operands.1;
        let mut quota = |checker: &mut Self, quota, what: &str| match quota {
            Quota::All => branches,
            Quota::Any => 1,
            Quota::Count => {
                let Some(operand) = operands.next() else { return 1 };
                let range = checker.program.operands[operand as usize];
                let count = checker.number(range, what, 1, MOST);
                checker.reachable(range, count, branches);
                count
            }
        };
        let succeed = quota(self, succeed, "the number after `succeed`");
        let fail = quota(self, fail, "the number after `fail`");
        Parts { args: self.ints(node, &[succeed, fail]), ..Parts::default() }
    }

    /// Warns of a count that the branches cannot come to.
    fn reachable(&mut self, range: (u32, u32), count: i32, branches: i32) {
        if count <= branches {
            return;
        }
        let message = format!("{count} branches are waited for, but there are only {branches}");
        let finding = Diagnostic::new(codes::UNREACHABLE_COUNT, Some(self.cover(range)), message);
        self.report(finding.help("`all` is the number of branches"));
    }

    /// The weights of a `random`, one for each child.
    fn weights(&mut self, node: &Node, index: u32) -> Parts {
        let children: Vec<u32> = self.children(index).collect();
        let mut weights = Vec::with_capacity(children.len());
        let before = self.session.diagnostics.errors();
        for child in children {
            let range =
                self.program.operands.get(self.program.nodes[child as usize].weight as usize).copied();
            weights.push(range.map_or(1, |range| self.number(range, "a weight", 0, MOST)));
        }
        let sum: i64 = weights.iter().map(|weight| i64::from(*weight)).sum();
        let problem = match sum {
            0 if !weights.is_empty() && !self.trial && self.session.diagnostics.errors() == before => {
                Some("all weights are 0, so no child can be drawn")
            }
            sum if sum > i64::from(MOST) => Some("the weights come to more than 65535"),
            _ => None,
        };
        if let Some(message) = problem {
            let finding = Diagnostic::new(codes::OUT_OF_RANGE, Some(self.place(node.place)), message);
            self.report(finding.help("only how weights compare counts: 3 and 1 are as 300 and 100"));
        }
        Parts { args: self.ints(node, &weights), ..Parts::default() }
    }

    /// The scores of a `utility`, one for each child.
    fn scores(&mut self, index: u32) -> (u32, u32) {
        let children: Vec<u32> = self.children(index).collect();
        let mut scores = Vec::with_capacity(children.len());
        for child in children {
            let weight = self.program.nodes[child as usize].weight;
            let Some(range) = self.program.operands.get(weight as usize).copied() else { continue };
            let operand = self.evaluate(range);
            if !matches!(operand.value.ty(), Some(Type::Int | Type::Float) | None) {
                self.mismatch(&operand, Type::Number, "a score");
            }
            let value = ast::Value::Expression(self.index(operand.value));
            scores.push(Arg { name: None, value, span: self.cover(range) });
        }
        let first = self.file.args.len() as u32;
        let count = scores.len() as u32;
        self.file.args.append(&mut scores);
        (first, count)
    }
}
