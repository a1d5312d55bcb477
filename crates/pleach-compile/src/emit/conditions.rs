//! Expressions to code of the condition machine.

use super::{Refused, operand};
use crate::ast::Binary;
use crate::codes;
use crate::ir::{Arithmetic, By, Expr, Kind, Module, Rule, SlotKind, Unary};
use crate::layout::FrameLayout;
use crate::source::Span;
use core::mem::take;
use hashbrown::HashMap;
use pleach_image::format::{ConditionRow, Parts};
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
    parts: &mut Parts,
) -> Result<(u32, Vec<u16>), Refused> {
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
        pool: HashMap::default(),
        tasks: Vec::new(),
        numbers: Vec::new(),
        depth: 0,
        node: 0,
    };
    for (index, node) in module.nodes.iter().enumerate() {
        emitter.node = index;
        match node.kind {
            Kind::Guard(root)
            | Kind::While(root)
            | Kind::Until(root)
            | Kind::Rule(Rule { condition: Some(root), .. }) => {
                emitter.expression(root, Type::Truth)?;
            }
            Kind::Set(..) | Kind::Share(..) | Kind::Choose { .. } | Kind::Priority(_) | Kind::Start(..) => {
                emitter.others(&node.kind)?;
            }
            _ => {}
        }
    }
    for (node, root) in take(&mut emitter.numbers) {
        emitter.node = node;
        emitter.expression(root, Type::Real)?;
    }
    let Conditions { rows, words, constants, of_root, stack_depth } = emitter.out;
    (parts.conditions, parts.condition_code, parts.constants) = (rows, words, constants);
    Ok((stack_depth, of_root))
}

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
    pool: HashMap<u64, u16>,
    tasks: Vec<Task>,
    /// Expressions that give numbers, with their nodes.
    numbers: Vec<(usize, u32)>,
    depth: u32,
    /// The node whose expression this is.
    node: usize,
}

impl Emitter<'_> {
    /// The expressions of nodes that are no guards.
    fn others(&mut self, kind: &Kind) -> Result<(), Refused> {
        match *kind {
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
        let index = self.operand(self.out.rows.len(), "conditions")?;
        let mut inner = Some((root, ty));
        loop {
            inner = match inner {
                Some((expr, wanted)) => self.value(expr, wanted)?,
                None => match self.tasks.pop() {
                    Some(task) => self.step(task)?,
                    None => break,
                },
            };
        }
        self.operator(if ty == Type::Truth { StackOp::End } else { StackOp::Give });
        self.out.rows.push(ConditionRow { first, count: self.out.words.len() as u32 - first });
        self.out.of_root[root as usize] = index;
        Ok(())
    }

    fn step(&mut self, task: Task) -> Result<Option<Inner>, Refused> {
        match task {
            Task::Op(op) => self.operator(op),
            Task::Second(op, right) => {
                self.tasks.push(Task::Op(op));
                return Ok(Some((right, Type::Real)));
            }
            Task::Skip(op, right) => {
                self.tasks.push(Task::Land(self.out.words.len() as u32));
                self.operator(op);
                return Ok(Some((right, Type::Truth)));
            }
            Task::Land(jump) => self.land(jump as usize)?,
        }
        Ok(None)
    }

    /// Emits an expression, but for an operand that is no leaf: that is left to the caller, and what comes behind it
    /// put off.
    fn value(&mut self, expr: u32, wanted: Type) -> Result<Option<Inner>, Refused> {
        if self.leaf(expr)? {
            if wanted == Type::Truth {
                self.operator(StackOp::Truth);
            }
            return Ok(None);
        }
        match self.module.exprs[expr as usize] {
            Expr::Unary(op, inner) => {
                self.convert(wanted, Type::Real);
                self.tasks.push(Task::Op(unary(op)));
                Ok(Some((inner, Type::Real)))
            }
            Expr::Arithmetic(op, left, right) => {
                self.convert(wanted, Type::Real);
                self.numeric(arithmetic(op), left, right)
            }
            Expr::OneIf(inner) => {
                self.convert(wanted, Type::Real);
                self.tasks.push(Task::Op(StackOp::Number));
                Ok(Some((inner, Type::Truth)))
            }
            Expr::NotZero(inner) => {
                self.convert(wanted, Type::Truth);
                self.tasks.push(Task::Op(StackOp::Truth));
                Ok(Some((inner, Type::Real)))
            }
            Expr::Not(inner) => {
                self.convert(wanted, Type::Truth);
                self.tasks.push(Task::Op(StackOp::Not));
                Ok(Some((inner, Type::Truth)))
            }
            Expr::Binary(op, left, right) => {
                self.convert(wanted, Type::Truth);
                self.binary(op, left, right)
            }
            leaf => {
                self.convert(wanted, Type::Truth);
                self.truth(leaf)?;
                Ok(None)
            }
        }
    }

    /// Puts off the conversion of a value to the type that is wanted.
    fn convert(&mut self, wanted: Type, given: Type) {
        match (wanted, given) {
            (Type::Truth, Type::Real) => self.tasks.push(Task::Op(StackOp::Truth)),
            (Type::Real, Type::Truth) => self.tasks.push(Task::Op(StackOp::Number)),
            _ => {}
        }
    }

    /// Emits a number, a query or a variable that is one; tells whether the expression is that.
    #[inline(always)]
    fn leaf(&mut self, expr: u32) -> Result<bool, Refused> {
        let (op, operand) = match self.module.exprs[expr as usize] {
            Expr::Number(number) => (StackOp::Const, self.constant(number)?),
            Expr::Query(site) => (StackOp::Query, self.operand(site as usize, "host calls")?),
            Expr::Slot(slot) if self.module.slots[usize::from(slot)].kind != SlotKind::Bit => {
                (StackOp::Slot, self.frame.place[usize::from(slot)])
            }
            Expr::Shared(shared) if self.module.shared[usize::from(shared)].kind != SlotKind::Bit => {
                (StackOp::Shared, shared)
            }
            Expr::Now => (StackOp::Now, 0),
            Expr::Since(slot) => (StackOp::Since, self.frame.place[usize::from(slot)]),
            Expr::Draw(draw) => (StackOp::Draw, draw),
            _ => return Ok(false),
        };
        self.pushes(op, operand)?;
        Ok(true)
    }

    /// Emits a truth that is no operator.
    fn truth(&mut self, leaf: Expr) -> Result<(), Refused> {
        match leaf {
            Expr::Slot(slot) => self.pushes(StackOp::Bit, self.frame.place[usize::from(slot)]),
            Expr::Shared(shared) => self.pushes(StackOp::SharedBit, shared),
            Expr::Noted(slot) => self.pushes(StackOp::Noted, self.frame.place[usize::from(slot)]),
            Expr::Reached(slot) => self.pushes(StackOp::Reached, self.frame.place[usize::from(slot)]),
            _ => {
                let constant = self.constant(f64::from(leaf == Expr::Truth(true)))?;
                self.pushes(StackOp::Const, constant)?;
                self.operator(StackOp::Truth);
                Ok(())
            }
        }
    }

    /// An operation that pushes a value.
    #[inline(always)]
    fn pushes(&mut self, op: StackOp, operand: u16) -> Result<(), Refused> {
        self.depth += 1;
        self.out.stack_depth = self.out.stack_depth.max(self.depth);
        if self.depth > MAX_STACK {
            return Err(self.too_deep());
        }
        self.out.words.push(StackWord::new(op, operand));
        Ok(())
    }

    fn binary(&mut self, op: Binary, left: u32, right: u32) -> Result<Option<Inner>, Refused> {
        let skips = matches!(op, Binary::And | Binary::Or);
        let op = operation(op);
        if skips {
            self.tasks.push(Task::Skip(op, right));
            return Ok(Some((left, Type::Truth)));
        }
        self.numeric(op, left, right)
    }

    /// An operation on two numbers.
    fn numeric(&mut self, op: StackOp, left: u32, right: u32) -> Result<Option<Inner>, Refused> {
        if !self.leaf(left)? {
            self.tasks.push(Task::Second(op, right));
            return Ok(Some((left, Type::Real)));
        }
        if !self.leaf(right)? {
            self.tasks.push(Task::Op(op));
            return Ok(Some((right, Type::Real)));
        }
        self.operator(op);
        Ok(None)
    }

    /// An operation that pushes no more than it pops. The operand of a jump is filled in later.
    fn operator(&mut self, op: StackOp) {
        self.depth -= (op.pops().len() - op.pushes().len()) as u32;
        self.out.words.push(StackWord::new(op, 0));
    }

    fn land(&mut self, jump: usize) -> Result<(), Refused> {
        let too_long = |_| (codes::CONDITION_TOO_DEEP, self.span(), "the condition is too long".to_owned());
        self.out.words[jump].a = u16::try_from(self.out.words.len() - jump).map_err(too_long)?;
        Ok(())
    }

    fn constant(&mut self, number: f64) -> Result<u16, Refused> {
        if let Some(index) = self.pool.get(&number.to_bits()) {
            return Ok(*index);
        }
        let index = self.operand(self.out.constants.len(), "different numbers in conditions")?;
        self.out.constants.push(number.to_bits());
        self.pool.insert(number.to_bits(), index);
        Ok(index)
    }

    /// A count as a 16-bit operand.
    fn operand(&self, index: usize, what: &str) -> Result<u16, Refused> {
        u16::try_from(index).or_else(|_| operand(index, what, self.span()))
    }

    #[cold]
    fn too_deep(&self) -> Refused {
        let message = format!("the condition nests operators more than {MAX_STACK} deep");
        (codes::CONDITION_TOO_DEEP, self.span(), message)
    }

    fn span(&self) -> Option<Span> {
        self.module.nodes[self.node].span
    }
}

fn unary(op: Unary) -> StackOp {
    match op {
        Unary::NegInt => StackOp::NegInt,
        Unary::NegFloat => StackOp::NegFloat,
        Unary::AbsInt => StackOp::AbsInt,
        Unary::AbsFloat => StackOp::AbsFloat,
        Unary::Int => StackOp::Int,
        Unary::Float => StackOp::Float,
    }
}

fn arithmetic(op: Arithmetic) -> StackOp {
    match op {
        Arithmetic::AddInt => StackOp::AddInt,
        Arithmetic::SubInt => StackOp::SubInt,
        Arithmetic::MulInt => StackOp::MulInt,
        Arithmetic::DivInt => StackOp::DivInt,
        Arithmetic::RemInt => StackOp::RemInt,
        Arithmetic::AddFloat => StackOp::AddFloat,
        Arithmetic::SubFloat => StackOp::SubFloat,
        Arithmetic::MulFloat => StackOp::MulFloat,
        Arithmetic::DivFloat => StackOp::DivFloat,
        Arithmetic::Min => StackOp::Min,
        Arithmetic::Max => StackOp::Max,
    }
}

fn operation(op: Binary) -> StackOp {
    match op {
        Binary::Less => StackOp::Lt,
        Binary::LessEqual => StackOp::Le,
        Binary::Greater => StackOp::Gt,
        Binary::GreaterEqual => StackOp::Ge,
        Binary::Equal => StackOp::Eq,
        Binary::NotEqual => StackOp::Ne,
        Binary::And => StackOp::And,
        Binary::Or => StackOp::Or,
    }
}
