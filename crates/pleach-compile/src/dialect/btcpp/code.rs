//! Code of nodes under construction.

use super::instance::Program;
use crate::ast::{Arithmetic, Binary, Expr, ExprIndex, File, Math, Scope, SlotKind, Value, Variable, Wide};
use crate::ir::{FAILURE, RUNNING, SUCCESS};
use crate::routine::{Operation, Target};
use crate::session::Session;
use crate::source::Span;
use crate::text::Sym;
use hashbrown::HashMap;

/// Statuses, as the variables of nodes hold them.
pub(super) const IDLE: u8 = 0;
/// See [`IDLE`].
pub(super) const RUNS: u8 = 1;
/// See [`IDLE`].
pub(super) const SUCCEEDED: u8 = 2;
/// See [`IDLE`].
pub(super) const FAILED: u8 = 3;
/// Largest difference of numbers that are equal for the original.
const EPSILON: f64 = f32::EPSILON as f64;
/// Number of the status of a node that is skipped, outside of failure, success and running.
pub(super) const SKIPPED: i32 = 4;

/// Way out of the tick of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Failure,
    Success,
    Running,
    Skipped,
}

impl Way {
    /// All ways, in the order of the exits of a node.
    pub(super) const ALL: [Self; 4] = [Self::Failure, Self::Success, Self::Running, Self::Skipped];
}

/// Place in the code of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(Target);

/// Operations of a node so far. Targets are labels until the end.
#[derive(Debug, Default)]
pub(super) struct List {
    operations: Vec<Operation>,
    /// For each label, the operation that it stands before.
    labels: Vec<Target>,
}

impl List {
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(0);
        Label(self.labels.len() as Target - 1)
    }

    pub(super) fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.operations.len() as Target;
    }

    pub(super) fn push(&mut self, operation: Operation) {
        self.operations.push(operation);
    }

    pub(super) fn jump(&mut self, to: Label) {
        self.push(Operation::Jump(to.0));
    }

    /// Goes on at a label unless a condition is true.
    pub(super) fn unless(&mut self, condition: ExprIndex, to: Label) {
        self.push(Operation::Unless(condition, to.0));
    }

    pub(super) fn if_other(&mut self, number: i32, to: Label) {
        self.push(Operation::IfOther(number, to.0));
    }

    /// Ticks a node, and goes on at the labels of failure, success, running and skipped.
    pub(super) fn tick(&mut self, distance: u32, to: [Label; 4]) {
        self.push(Operation::Tick(distance, to.map(|it| it.0)));
    }

    pub(super) fn act(&mut self, call: u32, fresh: bool, to: [Label; 4]) {
        self.push(Operation::Act { call, fresh, to: to.map(|it| it.0) });
    }

    /// Ends the tick of the node.
    pub(super) fn end(&mut self, way: Way) {
        self.push(match way {
            Way::Failure => Operation::End(FAILURE),
            Way::Success => Operation::End(SUCCESS),
            Way::Running => Operation::End(RUNNING),
            Way::Skipped => Operation::EndOther(SKIPPED),
        });
    }

    /// Returns the operations, with indices as targets.
    pub(super) fn finish(self) -> Vec<Operation> {
        let Self { mut operations, labels } = self;
        operations.iter_mut().for_each(|it| it.map_targets(|label| labels[label as usize]));
        operations
    }
}

/// The file under construction, with the variables and expressions of all nodes.
pub(super) struct Builder<'s, 'a> {
    pub(super) session: &'s mut Session<'a>,
    pub(super) file: File,
    pub(super) program: Program,
    /// Name of variables that only the tree uses.
    nameless: Sym,
    /// Numbers and reads of variables, which many expressions share.
    numbers: HashMap<u64, ExprIndex>,
    reads: HashMap<u32, ExprIndex>,
    /// Tests of the status of a node, by its variable and the first and last status.
    tests: HashMap<(u32, u8, u8), ExprIndex>,
    truths: [Option<ExprIndex>; 2],
}

impl<'s, 'a> Builder<'s, 'a> {
    /// Begins a file, with the statuses of the tree and of all its nodes.
    pub(super) fn new(session: &'s mut Session<'a>, program: Program, span: Span) -> Self {
        let file = core::mem::take(&mut session.file);
        let nameless = session.names.intern(b"");
        let (numbers, reads, tests, truths) = Default::default();
        let mut builder = Self { session, file, program, nameless, numbers, reads, tests, truths };
        builder.file.statuses = Some(builder.file.variables.len() as u32);
        for _ in 0..=builder.program.nodes.len() {
            builder.variable(SlotKind::U8, span);
        }
        builder
    }

    /// Returns a new variable that only the tree uses.
    pub(super) fn variable(&mut self, kind: SlotKind, span: Span) -> u32 {
        self.named(self.nameless, kind, span)
    }

    /// Returns a new variable that hosts can reach by its name.
    pub(super) fn named(&mut self, name: Sym, kind: SlotKind, span: Span) -> u32 {
        self.file.variables.push(Variable { name, scope: Scope::Agent, kind, init: 0, span });
        self.file.variables.len() as u32 - 1
    }

    /// Returns the variable of the status of a node.
    pub(super) fn status_of(&self, node: usize) -> u32 {
        // The first one is that of the tree.
        self.file.statuses.unwrap_or_default() + node as u32 + 1
    }

    pub(super) fn number(&mut self, number: f64) -> ExprIndex {
        let file = &mut self.file;
        let make = || file.expr(Expr::Number(Value::Double(number.to_bits().into())));
        *self.numbers.entry(number.to_bits()).or_insert_with(make)
    }

    pub(super) fn word(&mut self, number: i64) -> ExprIndex {
        self.file.expr(Expr::Number(Value::Int64(Wide::from(number as u64))))
    }

    /// Returns a text.
    pub(super) fn text(&mut self, text: &str) -> ExprIndex {
        let text = self.session.names.intern(text.as_bytes());
        self.file.expr(Expr::Number(Value::Text(text)))
    }

    pub(super) fn truth(&mut self, is: bool) -> ExprIndex {
        let file = &mut self.file;
        *self.truths[usize::from(is)].get_or_insert_with(|| file.expr(Expr::Truth(is)))
    }

    pub(super) fn read(&mut self, variable: u32) -> ExprIndex {
        let file = &mut self.file;
        *self.reads.entry(variable).or_insert_with(|| file.expr(Expr::Variable(variable)))
    }

    pub(super) fn not(&mut self, operand: ExprIndex) -> ExprIndex {
        self.file.expr(Expr::Not(operand))
    }

    pub(super) fn binary(&mut self, operator: Binary, left: ExprIndex, right: ExprIndex) -> ExprIndex {
        self.file.expr(Expr::Binary(operator, left, right))
    }

    pub(super) fn math(&mut self, operator: Math, left: ExprIndex, right: ExprIndex) -> ExprIndex {
        self.file.expr(Expr::Math(operator, Arithmetic::Double, left, right))
    }

    /// Returns the condition that a variable equals a number.
    pub(super) fn equals(&mut self, variable: u32, number: f64) -> ExprIndex {
        let (left, right) = (self.read(variable), self.number(number));
        self.binary(Binary::Equal, left, right)
    }

    /// Returns the condition that the status of a node is one of a range.
    pub(super) fn status_in(&mut self, node: usize, first: u8, last: u8) -> ExprIndex {
        let variable = self.status_of(node);
        if let Some(test) = self.tests.get(&(variable, first, last)) {
            return *test;
        }
        let status = self.read(variable);
        let (operator, number) = match first == last {
            true => (Binary::Equal, first),
            false => (Binary::GreaterEqual, first),
        };
        let number = self.number(number.into());
        let test = self.binary(operator, status, number);
        self.tests.insert((variable, first, last), test);
        test
    }

    /// Returns the condition that two numbers are equal for the original.
    pub(super) fn nearly(&mut self, left: ExprIndex, right: ExprIndex) -> ExprIndex {
        let difference = self.math(Math::Subtract, left, right);
        let size = self.file.expr(Expr::Magnitude(Arithmetic::Double, difference));
        let epsilon = self.number(EPSILON);
        self.binary(Binary::LessEqual, size, epsilon)
    }

    /// Goes on at a label unless a number is in a range, ends included.
    pub(super) fn in_range(&mut self, list: &mut List, number: ExprIndex, range: (f64, f64), to: Label) {
        let (least, most) = (self.number(range.0), self.number(range.1));
        let above = self.binary(Binary::GreaterEqual, number, least);
        list.unless(above, to);
        let below = self.binary(Binary::LessEqual, number, most);
        list.unless(below, to);
    }

    /// Returns a number as a 64-bit integer. Goes on at a label unless the number is one of a
    /// range, ends included.
    pub(super) fn whole(
        &mut self,
        list: &mut List,
        number: ExprIndex,
        range: (f64, f64),
        to: Label,
    ) -> ExprIndex {
        self.in_range(list, number, range, to);
        let word = self.file.expr(Expr::ToLong(number));
        let back = self.file.expr(Expr::FromLong(word));
        let same = self.binary(Binary::Equal, number, back);
        list.unless(same, to);
        word
    }

    /// Returns the truth of a 64-bit integer. Goes on at a label unless the integer is 0 or 1.
    pub(super) fn zero_or_one(&mut self, list: &mut List, word: ExprIndex, to: Label) -> ExprIndex {
        let number = self.file.expr(Expr::FromLong(word));
        let [zero, one] = [0.0, 1.0].map(|it| {
            let it = self.number(it);
            self.binary(Binary::Equal, number, it)
        });
        let either = self.binary(Binary::Or, zero, one);
        list.unless(either, to);
        one
    }

    /// Adds a number to a variable.
    pub(super) fn add_to(&mut self, list: &mut List, variable: u32, by: f64) {
        let (old, by) = (self.read(variable), self.number(by));
        let sum = self.math(Math::Add, old, by);
        list.push(Operation::Set(variable, sum));
    }

    pub(super) fn set_number(&mut self, list: &mut List, variable: u32, number: f64) {
        let number = self.number(number);
        list.push(Operation::Set(variable, number));
    }

    pub(super) fn set_bit(&mut self, list: &mut List, variable: u32, is: bool) {
        let truth = self.truth(is);
        list.push(Operation::Set(variable, truth));
    }

    /// Stores the status of a node.
    pub(super) fn store(&mut self, list: &mut List, node: usize, status: u8) {
        self.set_number(list, self.status_of(node), status.into());
    }

    /// Halts a node if it runs. Its status is idle then. `by` is the node whose code this is.
    pub(super) fn reset(&mut self, list: &mut List, by: usize, node: usize) {
        if self.may_run(node) {
            let running = self.status_in(node, RUNS, RUNS);
            let halted = list.label();
            list.unless(running, halted);
            list.push(Operation::Halt((node - by) as u32));
            list.bind(halted);
        }
        self.store(list, node, IDLE);
    }

    /// Returns true if the status of a node can be running.
    fn may_run(&self, node: usize) -> bool {
        use super::kinds::Rule;
        !matches!(
            self.program.nodes[node].rule,
            Rule::Always(_)
                | Rule::Script
                | Rule::ScriptCondition
                | Rule::SetBlackboard
                | Rule::UnsetBlackboard
                | Rule::WasEntryUpdated
        )
    }
}
