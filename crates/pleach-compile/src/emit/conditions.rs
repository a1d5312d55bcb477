//! Expressions to code of the condition machine.

use super::limits::{self, operand};
use super::pool::Pool;
use super::{Memory, Refused};
use crate::ast::Binary;
use crate::codes;
use crate::ir::{Arithmetic, By, Expr, Kind, Module, SlotKind, Unary};
use crate::layout::FrameLayout;
use crate::source::Span;
use core::mem::take;
use pleach_image::float::bits64;
use pleach_image::format::ConditionRow;
use pleach_image::isa::stack::Type;
use pleach_image::isa::{StackOp, StackWord};
use pleach_image::verify::MAX_STACK;

/// All conditions of a module.
#[derive(Debug, Default)]
struct Conditions {
    rows: Vec<ConditionRow>,
    words: Vec<StackWord>,
    constants: Vec<u64>,
    /// For each expression that is a condition, its row.
    of_root: Vec<u16>,
    stack_depth: u32,
}

/// Emits the condition of every guard, and all other expressions of nodes. Those that give a truth come first. Tells how
/// deep their stack gets, and for each expression that is a condition its row.
pub(super) fn emit(
    module: &Module,
    frame: &FrameLayout,
    memory: &mut Memory,
) -> Result<(u32, Vec<u16>), Refused> {
    let Memory { parts, pool, survey, .. } = memory;
    pool.clear();
    let mut emitter = Emitter {
        module,
        frame,
        out: Conditions {
            rows: take(&mut parts.conditions),
            words: take(&mut parts.condition_code),
            constants: take(&mut parts.constants),
            of_root: vec![0; module.exprs.len()],
            stack_depth: 0,
        },
        pool,
        tasks: Vec::with_capacity(USUAL_DEPTH),
        numbers: Vec::with_capacity(survey.asking.nodes().len()),
        depth: 0,
        node: 0,
        refused: None,
    };
    for node in survey.asking.nodes() {
        emitter.node = *node as usize;
        emitter.node(&module.nodes[*node as usize].kind)?;
    }
    for (node, root) in take(&mut emitter.numbers) {
        emitter.node = node;
        emitter.expression(root, Type::Real)?;
    }
    let Conditions { rows, words, constants, of_root, stack_depth } = emitter.out;
    (parts.conditions, parts.condition_code, parts.constants) = (rows, words, constants);
    Ok((stack_depth, of_root))
}

/// Few expressions are deeper.
const USUAL_DEPTH: usize = 16;

/// What is still to do, last first.
enum Task {
    /// Emit an operation without operand.
    Op(StackOp),
    /// Emit the right operand of an operation on numbers, and the operation.
    Second(StackOp, u32),
    /// Emit a short-circuit jump over an expression, and the expression.
    Skip(StackOp, u32),
    /// The jump at this word leads here.
    Land(u32),
}

/// An expression to emit, and the type of the value to leave.
type Inner = (u32, Type);

struct Emitter<'a> {
    module: &'a Module,
    frame: &'a FrameLayout,
    out: Conditions,
    pool: &'a mut Pool,
    tasks: Vec<Task>,
    /// Expressions that give numbers, with their nodes.
    numbers: Vec<(usize, u32)>,
    depth: u32,
    /// The node whose expression this is.
    node: usize,
    /// Why an expression cannot be said. It is looked at when the expression has been emitted, not after each step.
    refused: Option<Refused>,
}

impl Emitter<'_> {
    /// The expressions of a node of this kind.
    #[inline(always)]
    fn node(&mut self, kind: &Kind) -> Result<(), Refused> {
        match *kind {
            Kind::Guard(root) | Kind::While(root) | Kind::Until(root) | Kind::Selection(root) => {
                self.expression(root, Type::Truth)
            }
            Kind::Chain(chain) => {
                let mut transitions = self.module.chains[chain as usize].transitions();
                transitions.try_for_each(|transition| self.expression(transition.condition, Type::Truth))
            }
            Kind::Rule(rule) => {
                let condition = self.module.rules[rule as usize].condition;
                condition.map_or(Ok(()), |root| self.expression(root, Type::Truth))
            }
            Kind::Set(slot, root) => self.of_kind(self.module.slots[usize::from(slot)].kind, root),
            Kind::Share(shared, _, root) => self.of_kind(self.module.shared[usize::from(shared)].kind, root),
            Kind::Choose { by, .. } => self.tests(by),
            Kind::Priority(first) => {
                let tests = first..first + self.module.children(self.node as u32).count() as u32;
                tests
                    .into_iter()
                    .try_for_each(|test| self.expression(self.module.tests[test as usize], Type::Truth))
            }
            Kind::Start(_, root) => {
                self.numbers.push((self.node, root));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What is written to a variable.
    fn of_kind(&mut self, kind: SlotKind, root: u32) -> Result<(), Refused> {
        if kind == SlotKind::Bit {
            return self.expression(root, Type::Truth);
        }
        self.numbers.push((self.node, root));
        Ok(())
    }

    /// The conditions or scores of a choice between children.
    fn tests(&mut self, by: By) -> Result<(), Refused> {
        let children = self.module.children(self.node as u32).count();
        match by {
            By::First(first) => {
                let tests = &self.module.tests[first as usize..][..children.saturating_sub(1)];
                tests.iter().try_for_each(|root| self.expression(*root, Type::Truth))
            }
            By::Highest(first) => {
                let tests = &self.module.tests[first as usize..][..children];
                self.numbers.extend(tests.iter().map(|root| (self.node, *root)));
                Ok(())
            }
        }
    }

    fn expression(&mut self, root: u32, ty: Type) -> Result<(), Refused> {
        let first = self.out.words.len() as u32;
        let index = self.operand(self.out.rows.len(), "conditions");
        let mut inner = Some((root, ty));
        loop {
            inner = match inner {
                Some((expr, wanted)) => self.value(expr, wanted),
                None => match self.tasks.pop() {
                    Some(task) => self.step(task),
                    None => break,
                },
            };
        }
        self.operator(if ty == Type::Truth { StackOp::End } else { StackOp::Give });
        self.out.rows.push(ConditionRow { first, count: self.out.words.len() as u32 - first });
        self.out.of_root[root as usize] = index;
        self.refused.take().map_or(Ok(()), Err)
    }

    fn step(&mut self, task: Task) -> Option<Inner> {
        match task {
            Task::Op(op) => self.operator(op),
            Task::Second(op, right) => {
                self.tasks.push(Task::Op(op));
                return Some((right, Type::Real));
            }
            Task::Skip(op, right) => {
                self.tasks.push(Task::Land(self.out.words.len() as u32));
                self.operator(op);
                return Some((right, Type::Truth));
            }
            Task::Land(jump) => self.land(jump as usize),
        }
        None
    }

    /// Emits an expression, but for an operand that is no leaf: that is left to the caller, and what comes behind it
    /// put off.
    #[inline(always)]
    fn value(&mut self, expr: u32, wanted: Type) -> Option<Inner> {
        match self.module.exprs[expr as usize] {
            Expr::Binary(op, left, right) => {
                self.convert(wanted, Type::Truth);
                self.binary(op, left, right)
            }
            Expr::Arithmetic(op, left, right) => {
                self.convert(wanted, Type::Real);
                self.numeric(arithmetic(op), left, right)
            }
            Expr::Unary(op, inner) => self.unary(unary(op), inner, wanted, Type::Real),
            Expr::NotZero(inner) => self.unary(StackOp::Truth, inner, wanted, Type::Truth),
            Expr::OneIf(inner) => {
                self.convert(wanted, Type::Real);
                self.tasks.push(Task::Op(StackOp::Number));
                Some((inner, Type::Truth))
            }
            Expr::Not(inner) => {
                self.convert(wanted, Type::Truth);
                self.tasks.push(Task::Op(StackOp::Not));
                Some((inner, Type::Truth))
            }
            leaf => {
                self.simple(leaf, wanted);
                None
            }
        }
    }

    /// Emits an expression without operands.
    fn simple(&mut self, leaf: Expr, wanted: Type) {
        if !self.leaf(leaf) {
            self.truth(leaf);
            if wanted == Type::Real {
                self.operator(StackOp::Number);
            }
        } else if wanted == Type::Truth {
            self.operator(StackOp::Truth);
        }
    }

    /// An operation on a number, of which the operand may be left to the caller.
    fn unary(&mut self, op: StackOp, operand: u32, wanted: Type, given: Type) -> Option<Inner> {
        if self.leaf(self.module.exprs[operand as usize]) {
            self.operator(op);
            if wanted != given {
                self.operator(if wanted == Type::Truth { StackOp::Truth } else { StackOp::Number });
            }
            return None;
        }
        self.convert(wanted, given);
        self.tasks.push(Task::Op(op));
        Some((operand, Type::Real))
    }

    /// Puts off the conversion of a value to the type that is wanted.
    fn convert(&mut self, wanted: Type, given: Type) {
        match (wanted, given) {
            (Type::Truth, Type::Real) => self.tasks.push(Task::Op(StackOp::Truth)),
            (Type::Real, Type::Truth) => self.tasks.push(Task::Op(StackOp::Number)),
            _ => {}
        }
    }

    /// Emits a leaf that is a number, or an operation on one; tells whether the expression is that.
    #[inline(always)]
    fn number(&mut self, expr: u32) -> bool {
        match self.module.exprs[expr as usize] {
            Expr::Unary(op, operand) => {
                let is = self.leaf(self.module.exprs[operand as usize]);
                if is {
                    self.operator(unary(op));
                }
                is
            }
            leaf => self.leaf(leaf),
        }
    }

    /// Emits a number, a query or a variable that is one; tells whether the expression is that.
    #[inline(always)]
    fn leaf(&mut self, expr: Expr) -> bool {
        let (op, operand) = match expr {
            Expr::Number(number) => (StackOp::Const, self.constant(number)),
            Expr::Query(site) => (StackOp::Query, self.site(site)),
            Expr::Slot(slot) if self.module.slots[usize::from(slot)].kind != SlotKind::Bit => {
                (StackOp::Slot, self.frame.at(slot))
            }
            Expr::Shared(shared) if self.module.shared[usize::from(shared)].kind != SlotKind::Bit => {
                (StackOp::Shared, shared)
            }
            Expr::Now => (StackOp::Now, 0),
            Expr::Since(slot) => (StackOp::Since, self.frame.at(slot)),
            Expr::Draw(draw) => (StackOp::Draw, draw),
            _ => return false,
        };
        self.pushes(op, operand);
        true
    }

    /// Emits a truth that is no operator.
    fn truth(&mut self, leaf: Expr) {
        match leaf {
            Expr::Slot(slot) => self.pushes(StackOp::Bit, self.frame.at(slot)),
            Expr::Shared(shared) => self.pushes(StackOp::SharedBit, shared),
            Expr::Noted(slot) => self.pushes(StackOp::Noted, self.frame.at(slot)),
            Expr::Reached(slot) => self.pushes(StackOp::Reached, self.frame.at(slot)),
            _ => {
                let constant = self.constant(f64::from(leaf == Expr::Truth(true)));
                self.pushes(StackOp::Const, constant);
                self.operator(StackOp::Truth);
            }
        }
    }

    /// An operation that pushes a value.
    #[inline(always)]
    fn pushes(&mut self, op: StackOp, operand: u16) {
        self.depth += 1;
        if self.depth > self.out.stack_depth {
            self.deeper();
        }
        self.out.words.push(StackWord::new(op, operand));
    }

    /// The stack has never been so deep.
    #[cold]
    fn deeper(&mut self) {
        self.out.stack_depth = self.depth;
        if self.depth > MAX_STACK {
            let message = format!("the condition nests operators more than {MAX_STACK} deep");
            self.refuse((codes::CONDITION_TOO_DEEP, self.span(), message));
        }
    }

    fn binary(&mut self, op: Binary, left: u32, right: u32) -> Option<Inner> {
        let skips = matches!(op, Binary::And | Binary::Or);
        let op = OPERATIONS[op as usize];
        if skips {
            self.tasks.push(Task::Skip(op, right));
            return Some((left, Type::Truth));
        }
        self.numeric(op, left, right)
    }

    /// An operation on two numbers.
    fn numeric(&mut self, op: StackOp, left: u32, right: u32) -> Option<Inner> {
        if !self.number(left) {
            self.tasks.push(Task::Second(op, right));
            return Some((left, Type::Real));
        }
        if !self.number(right) {
            self.tasks.push(Task::Op(op));
            return Some((right, Type::Real));
        }
        self.combine(op);
        None
    }

    /// An operation on two numbers, which leaves one value.
    fn combine(&mut self, op: StackOp) {
        self.depth -= 1;
        self.out.words.push(StackWord::new(op, 0));
    }

    /// An operation that pushes no more than it pops. The operand of a jump is filled in later.
    fn operator(&mut self, op: StackOp) {
        self.depth -= (op.pops().len() - op.pushes().len()) as u32;
        self.out.words.push(StackWord::new(op, 0));
    }

    fn land(&mut self, jump: usize) {
        let distance = u16::try_from(self.out.words.len() - jump);
        let long = || (codes::CONDITION_TOO_DEEP, self.span(), "the condition is too long".to_owned());
        let distance = distance.map_err(|_| long());
        self.out.words[jump].a = self.or_refuse(distance);
    }

    #[inline(always)]
    fn constant(&mut self, number: f64) -> u16 {
        let index = self.pool.index(&mut self.out.constants, bits64(number));
        self.operand(index, "different numbers in conditions")
    }

    /// A count as a 16-bit operand.
    #[inline(always)]
    fn operand(&mut self, index: usize, what: &str) -> u16 {
        u16::try_from(index).unwrap_or_else(|_| self.too_many(index, what))
    }

    /// The operand that names what is asked of the host.
    #[inline(always)]
    fn site(&mut self, site: u32) -> u16 {
        let found = limits::site(self.module, site, self.span());
        self.or_refuse(found)
    }

    #[cold]
    fn too_many(&mut self, index: usize, what: &str) -> u16 {
        let found = operand(index, what, self.span());
        self.or_refuse(found)
    }

    /// The operand, or nothing if it is refused.
    #[inline(always)]
    fn or_refuse(&mut self, found: Result<u16, Refused>) -> u16 {
        found.unwrap_or_else(|refused| {
            self.refuse(refused);
            0
        })
    }

    /// What is wrong first is what is said.
    #[cold]
    fn refuse(&mut self, refused: Refused) {
        self.refused.get_or_insert(refused);
    }

    fn span(&self) -> Option<Span> {
        self.module.nodes[self.node].span
    }
}

/// The operation of the condition machine that has the name of an operation of the IR.
macro_rules! same_name {
    ($op:expr, $kind:ident: $($name:ident)*) => { match $op { $($kind::$name => StackOp::$name,)* } };
}

fn unary(op: Unary) -> StackOp {
    same_name!(op, Unary: NegInt NegFloat AbsInt AbsFloat Int Float)
}

fn arithmetic(op: Arithmetic) -> StackOp {
    same_name!(op, Arithmetic: AddInt SubInt MulInt DivInt RemInt AddFloat SubFloat MulFloat DivFloat Min Max)
}

/// The operations that operators are: looked up, not jumped to, since which one comes next nobody can foresee.
static OPERATIONS: [StackOp; 8] = {
    use StackOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    // In the order of the operators.
    const _: () =
        assert!(Binary::Less as usize == 0 && Binary::NotEqual as usize == 5 && Binary::Or as usize == 7);
    [Lt, Le, Gt, Ge, Eq, Ne, And, Or]
};
