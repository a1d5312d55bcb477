//! Translation of each node to the common tree.

use super::super::syntax::Quota;
use super::{
    Binary, Checker, Expr, ExprIndex, ExprRange, Keyword, Mode, Node, Span, Sym, Type, Value, ast, codes,
};
use crate::preorder;
use bumpalo::collections::{CollectIn, Vec as ArenaVec};

/// Subject of the first block of an `every`.
pub(in super::super) const SERVICE: &str = "service";
/// Subject of a `reactive utility` that keeps to its child.
pub(in super::super) const KEEPING: &str = "utility keep";
/// Keyword of an action in such a block.
pub(in super::super) const CALL: &str = "call";

/// The most that a count or a weight can be.
const MOST: i32 = 65_535;

/// The most children of a list in any order.
const MOST_SHUFFLED: usize = 255;

/// Data of a node beside its keyword.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parts {
    pub(super) subject: Option<Sym>,
    pub(super) args: (u32, u32),
    pub(super) condition: Option<ExprIndex>,
}

impl Checker<'_, '_> {
    /// Returns the node in the common tree, as if it had no children.
    pub(super) fn emit_node(&mut self, node: &Node, index: u32) -> ast::Node {
        let mut parts = self.parts(node, index);
        let mut keyword = node.kind;
        let before = match node.mode {
            Mode::Reactive => Some((Keyword::Reactive, node.kind.sym())),
            Mode::Keeping(_) => Some((Keyword::Reactive, self.session.names.intern(KEEPING.as_bytes()))),
            Mode::Shuffled => Some((Keyword::Random, node.kind.sym())),
            _ => None,
        };
        if let Some((before, kind)) = before {
            (keyword, parts.subject) = (before, Some(kind));
        }
        let Parts { subject, args, condition } = parts;
        let span = Span { origin: self.frame.origin, ..self.place(node.place) };
        let end = self.file.nodes.len() as u32 + 1;
        ast::Node { keyword: keyword.sym(), subject, args, condition, end, span }
    }

    fn parts(&mut self, node: &Node, index: u32) -> Parts {
        match node.kind {
            _ if node.mode == Mode::Unknown => {
                self.unknown_node(node);
                Parts::default()
            }
            _ if node.mode == Mode::Shuffled => self.shuffled(node, index),
            Keyword::Parallel => self.parallel(node, index),
            Keyword::Random => self.weights(node, index),
            Keyword::Utility => self.scores(node, index),
            Keyword::Match => self.matched(node, index),
            Keyword::Chance => self.chance(node),
            Keyword::Condition | Keyword::If | Keyword::While => self.condition(node),
            Keyword::Action => self.act(node),
            Keyword::Set => self.set(node),
            Keyword::Wait | Keyword::Cooldown | Keyword::Timeout | Keyword::Delay => self.timed(node),
            Keyword::Force | Keyword::Until => self.status(node),
            Keyword::Cleanup if node.mode == Mode::Sets => {
                Parts { subject: Some(Keyword::Set.sym()), ..Parts::default() }
            }
            Keyword::Every if node.mode == Mode::Sets => {
                Parts { subject: Some(self.session.names.intern(SERVICE.as_bytes())), ..Parts::default() }
            }
            Keyword::Every => self.every(node),
            Keyword::Repeat => self.counted(node, "the number of `repeat`"),
            Keyword::Retry => self.counted(node, "the number of `retry`"),
            Keyword::Limit => self.limit(node),
            Keyword::Raise => self.raise(node),
            _ => Parts::default(),
        }
    }

    fn status(&self, node: &Node) -> Parts {
        let success = node.mode != Mode::Status(false);
        let subject = if success { Keyword::Success } else { Keyword::Failure };
        Parts { subject: Some(subject.sym()), ..Parts::default() }
    }

    /// Adds integers as arguments.
    pub(super) fn ints(&mut self, values: &[i32]) -> (u32, u32) {
        let first = self.file.args.len() as u32;
        self.file.args.extend(values.iter().copied().map(ast::Value::Int));
        (first, values.len() as u32)
    }

    fn timed(&mut self, node: &Node) -> Parts {
        let (length, ticks) = self.duration(node);
        let subject = ticks.then(|| Keyword::Ticks.sym());
        Parts { subject, args: self.amount(length), condition: None }
    }

    /// The duration of an `every`, and the one before its service is done for the second time:
    /// any part of it, so that agents that begin together do not go on together.
    fn every(&mut self, node: &Node) -> Parts {
        let (length, _) = self.duration(node);
        let (least, most) = (self.emit(Expr::Number(ast::Value::Int(1))), self.index(length));
        let drawn = self.emit(Expr::Draw);
        let first = self.emit(Expr::Between(least, most, drawn));
        let length = match length {
            Value::Int(_) => self.known_or_computed(length),
            _ => ast::Value::Expression(most),
        };
        Parts { args: self.file.arguments(&[length, ast::Value::Expression(first)]), ..Parts::default() }
    }

    /// Adds a number that is known now, or the expression that gives it, as an argument.
    fn amount(&mut self, amount: Value) -> (u32, u32) {
        let amount = self.known_or_computed(amount);
        self.file.arguments(&[amount])
    }

    fn known_or_computed(&mut self, amount: Value) -> ast::Value {
        match amount {
            Value::Int(value) => ast::Value::Int(value),
            amount => ast::Value::Expression(self.index(amount)),
        }
    }

    /// Translates the number of times that a child is begun: a constant, or an int that is
    /// computed when the node begins.
    fn counted(&mut self, node: &Node, what: &str) -> Parts {
        let Some(range) = self.program.operands(node).first().copied() else { return Parts::default() };
        let operand = self.evaluate(range);
        let count = match operand.value.is_constant() {
            true => Value::Int(self.within(&operand, what, 1, MOST)),
            false => self.as_type(&operand, Type::Int, what),
        };
        Parts { args: self.amount(count), ..Parts::default() }
    }

    fn limit(&mut self, node: &Node) -> Parts {
        let Some(range) = self.program.operands(node).first().copied() else { return Parts::default() };
        let count = self.number(range, "the number of `limit`", 1, i32::MAX);
        Parts { args: self.ints(&[count]), ..Parts::default() }
    }

    /// `chance P` is true as often as `random() < P`.
    fn chance(&mut self, node: &Node) -> Parts {
        let Some(range) = self.program.operands(node).first().copied() else { return Parts::default() };
        let draw = self.emit(Expr::Draw);
        let operand = self.evaluate(range);
        let value = self.as_type(&operand, Type::Float, "a chance");
        if let Value::Float(chance) = value
            && !(0.0..=1.0).contains(&chance)
        {
            let message = format!("a chance is {chance}");
            self.out_of_range(&operand, &message, "it can be 0.0, never, to 1.0, always; 30 % is 0.3");
        }
        let chance = self.index(value);
        let condition = Some(self.emit(Expr::Binary(Binary::Less, draw, chance)));
        Parts { condition, ..Parts::default() }
    }

    fn condition(&mut self, node: &Node) -> Parts {
        let Some(range) = self.program.operands(node).first().copied() else { return Parts::default() };
        let (condition, known) = self.truth(range, "a condition");
        if let Some(known) = known {
            let help =
                format!("the node `{}` says that in a word", if known { "success" } else { "failure" });
            let message = format!("this condition is always {known}");
            self.tell(codes::CONSTANT_CONDITION, self.cover(range), message, help);
        }
        Parts { condition: Some(condition), ..Parts::default() }
    }

    fn act(&mut self, node: &Node) -> Parts {
        let first = self.push_operands(node);
        let args = match self.action(node.subject) {
            Some(action) => {
                let function = self.program.actions[action as usize];
                self.arguments(function, first, self.place(node.place), true)
            }
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
        let Mode::To(to) = node.mode else { return Parts::default() };
        let subject = Some(Sym(node.subject));
        Parts { subject, args: self.ints(&[event as i32, to as i32]), condition: None }
    }

    /// Returns the nodes right below a node.
    pub(super) fn children(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        preorder::children(index, |node| self.program.nodes[node as usize].end)
    }

    /// Returns what stands before a child: its weight, score or case.
    pub(super) fn value_of_child(&self, child: u32) -> Option<ExprRange> {
        self.program.operands.get(self.program.nodes[child as usize].weight as usize).copied()
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
        Parts { args: self.ints(&[succeed, fail]), ..Parts::default() }
    }

    /// Returns a list in any order. All children that are left are looked at before
    /// each, so there are not too many.
    fn shuffled(&mut self, node: &Node, index: u32) -> Parts {
        let count = self.children(index).count();
        if count > MOST_SHUFFLED {
            let at = self.place(node.place);
            let message =
                format!("a list in any order has {count} children, but can have {MOST_SHUFFLED} at most");
            self.tell(codes::TOO_MANY_CHILDREN, at, message, "put some of them into lists of their own");
        }
        Parts::default()
    }

    /// Warns of a count that the branches cannot come to.
    fn reachable(&mut self, range: (u32, u32), count: i32, branches: i32) {
        if count <= branches {
            return;
        }
        let message = format!("{count} branches are waited for, but there are only {branches}");
        let help = "`all` is the number of branches";
        self.tell(codes::UNREACHABLE_COUNT, self.cover(range), message, help);
    }

    /// Returns the weights of a `random`, one for each child.
    fn weights(&mut self, node: &Node, index: u32) -> Parts {
        let arena = self.program.arena;
        let children: ArenaVec<'_, u32> = self.children(index).collect_in(arena);
        let mut weights = ArenaVec::with_capacity_in(children.len(), arena);
        let before = self.session.diagnostics.errors();
        for child in children {
            weights
                .push(self.value_of_child(child).map_or(1, |range| self.number(range, "a weight", 0, MOST)));
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
            let help = "only how weights compare counts: 3 and 1 are as 300 and 100";
            self.tell(codes::OUT_OF_RANGE, self.place(node.place), message, help);
        }
        Parts { args: self.ints(&weights), ..Parts::default() }
    }

    /// Returns the scores of a `utility`, one for each child.
    /// If the node keeps to a child, the percentage comes before them.
    fn scores(&mut self, node: &Node, index: u32) -> Parts {
        let arena = self.program.arena;
        let children: ArenaVec<'_, u32> = self.children(index).collect_in(arena);
        let mut scores = ArenaVec::with_capacity_in(children.len() + 1, arena);
        if let Mode::Keeping(percentage) = node.mode {
            scores.push(ast::Value::Int(percentage.into()));
        }
        for child in children {
            let Some(range) = self.value_of_child(child) else { continue };
            let operand = self.evaluate(range);
            if !matches!(operand.value.ty(), Some(Type::Int | Type::Float | Type::Double) | None) {
                self.mismatch(&operand, Type::Number, "a score");
            }
            let value = ast::Value::Expression(self.index(operand.value));
            scores.push(value);
        }
        Parts { args: self.file.arguments(&scores), ..Parts::default() }
    }
}
