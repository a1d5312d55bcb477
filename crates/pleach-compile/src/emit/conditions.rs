//! Expressions to code of the condition machine.

use super::{Refused, operand};
use crate::ast::Binary;
use crate::codes;
use crate::ir::{Expr, Kind, Module};
use crate::source::Span;
use hashbrown::HashMap;
use pleach_image::format::ConditionRow;
use pleach_image::isa::stack::Type;
use pleach_image::isa::{StackOp, StackWord};
use pleach_image::verify::MAX_STACK;

/// All conditions of a module.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    pub(super) rows: Vec<ConditionRow>,
    pub(super) words: Vec<StackWord>,
    pub(super) constants: Vec<u64>,
    /// For each expression that is a condition, its row.
    pub(super) of_root: Vec<u16>,
    pub(super) stack_depth: u32,
}

/// Emits the condition of every guard.
pub(super) fn emit(module: &Module) -> Result<Conditions, Refused> {
    let mut emitter = Emitter {
        module,
        out: Conditions { of_root: vec![0; module.exprs.len()], ..Conditions::default() },
        pool: HashMap::default(),
        tasks: Vec::new(),
        depth: 0,
        guard: 0,
    };
    for (index, node) in module.nodes.iter().enumerate() {
        if let Kind::Guard(root) = node.kind {
            emitter.guard = index;
            emitter.condition(root)?;
        }
    }
    Ok(emitter.out)
}

/// What is still to do, last first.
enum Task {
    /// Emit an operation without operand.
    Op(StackOp),
    /// Emit the right operand of a comparison, and the comparison.
    Compare(StackOp, u32),
    /// Emit a short-circuit jump over an expression, and the expression.
    Skip(StackOp, u32),
    /// The jump at this word leads here.
    Land(u32),
}

/// An expression to emit, and the type of the value to leave.
type Inner = (u32, Type);

struct Emitter<'a> {
    module: &'a Module,
    out: Conditions,
    pool: HashMap<u64, u16>,
    tasks: Vec<Task>,
    depth: u32,
    /// The guard whose condition this is.
    guard: usize,
}

impl Emitter<'_> {
    fn condition(&mut self, root: u32) -> Result<(), Refused> {
        let first = self.out.words.len() as u32;
        let index = self.operand(self.out.rows.len(), "conditions")?;
        let mut inner = Some((root, Type::Truth));
        loop {
            inner = match inner {
                Some((expr, wanted)) => self.value(expr, wanted)?,
                None => match self.tasks.pop() {
                    Some(task) => self.step(task)?,
                    None => break,
                },
            };
        }
        self.operator(StackOp::End);
        self.out.rows.push(ConditionRow { first, count: self.out.words.len() as u32 - first });
        self.out.of_root[root as usize] = index;
        Ok(())
    }

    fn step(&mut self, task: Task) -> Result<Option<Inner>, Refused> {
        match task {
            Task::Op(op) => self.operator(op),
            Task::Compare(op, right) => {
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
        if wanted == Type::Real {
            self.tasks.push(Task::Op(StackOp::Number));
        }
        match self.module.exprs[expr as usize] {
            Expr::Number(_) | Expr::Query(_) => Ok(None),
            Expr::Not(inner) => {
                self.tasks.push(Task::Op(StackOp::Not));
                Ok(Some((inner, Type::Truth)))
            }
            Expr::Binary(op, left, right) => self.binary(op, left, right),
        }
    }

    /// Emits a number or a query; tells whether the expression is one.
    #[inline(always)]
    fn leaf(&mut self, expr: u32) -> Result<bool, Refused> {
        let (op, operand) = match self.module.exprs[expr as usize] {
            Expr::Number(number) => (StackOp::Const, self.constant(number)?),
            Expr::Query(site) => (StackOp::Query, self.operand(site as usize, "host calls")?),
            Expr::Not(_) | Expr::Binary(..) => return Ok(false),
        };
        self.depth += 1;
        self.out.stack_depth = self.out.stack_depth.max(self.depth);
        if self.depth > MAX_STACK {
            return Err(self.too_deep());
        }
        self.out.words.push(StackWord::new(op, operand));
        Ok(true)
    }

    fn binary(&mut self, op: Binary, left: u32, right: u32) -> Result<Option<Inner>, Refused> {
        let skips = matches!(op, Binary::And | Binary::Or);
        let op = operation(op);
        if skips {
            self.tasks.push(Task::Skip(op, right));
            return Ok(Some((left, Type::Truth)));
        }
        if !self.leaf(left)? {
            self.tasks.push(Task::Compare(op, right));
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
        self.module.nodes[self.guard].span
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
