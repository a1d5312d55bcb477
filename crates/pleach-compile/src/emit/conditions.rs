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
        span: None,
    };
    for node in &module.nodes {
        if let Kind::Guard(root) = node.kind {
            emitter.span = node.span;
            emitter.condition(root)?;
        }
    }
    Ok(emitter.out)
}

/// What is still to do, last first.
enum Task {
    /// Emit an expression and leave a value of this type.
    Value(u32, Type),
    /// Emit an operation without operand.
    Op(StackOp),
    /// Emit a short-circuit jump over an expression, and the expression.
    Skip(StackOp, u32),
    /// The jump at this word leads here.
    Land(usize),
}

struct Emitter<'a> {
    module: &'a Module,
    out: Conditions,
    pool: HashMap<u64, u16>,
    tasks: Vec<Task>,
    depth: u32,
    span: Option<Span>,
}

impl Emitter<'_> {
    fn condition(&mut self, root: u32) -> Result<(), Refused> {
        let first = self.out.words.len() as u32;
        let index = operand(self.out.rows.len(), "conditions", self.span)?;
        self.tasks.push(Task::Op(StackOp::End));
        self.tasks.push(Task::Value(root, Type::Truth));
        while let Some(task) = self.tasks.pop() {
            self.step(task)?;
        }
        self.out.rows.push(ConditionRow { first, count: self.out.words.len() as u32 - first });
        self.out.of_root[root as usize] = index;
        Ok(())
    }

    fn step(&mut self, task: Task) -> Result<(), Refused> {
        match task {
            Task::Value(expr, ty) => self.value(expr, ty),
            Task::Op(op) => self.push(op, 0),
            Task::Skip(op, expr) => {
                self.tasks.push(Task::Land(self.out.words.len()));
                self.tasks.push(Task::Value(expr, Type::Truth));
                self.push(op, 0)
            }
            Task::Land(jump) => self.land(jump),
        }
    }

    fn value(&mut self, expr: u32, ty: Type) -> Result<(), Refused> {
        match self.module.exprs[expr as usize] {
            Expr::Number(number) => {
                let constant = self.constant(number)?;
                self.real(ty);
                self.push(StackOp::Const, constant)
            }
            Expr::Query(site) => {
                let site = operand(site as usize, "host calls", self.span)?;
                self.real(ty);
                self.push(StackOp::Query, site)
            }
            Expr::Not(inner) => {
                self.truth(ty);
                self.tasks.extend([Task::Op(StackOp::Not), Task::Value(inner, Type::Truth)]);
                Ok(())
            }
            Expr::Binary(op, left, right) => {
                self.truth(ty);
                self.binary(op, left, right);
                Ok(())
            }
        }
    }

    fn binary(&mut self, op: Binary, left: u32, right: u32) {
        let skip = |op| [Task::Skip(op, right), Task::Value(left, Type::Truth)];
        match compare(op) {
            Some(op) => {
                let operands = [Task::Value(right, Type::Real), Task::Value(left, Type::Real)];
                self.tasks.push(Task::Op(op));
                self.tasks.extend(operands);
            }
            None if op == Binary::And => self.tasks.extend(skip(StackOp::And)),
            None => self.tasks.extend(skip(StackOp::Or)),
        }
    }

    /// What follows leaves a number; makes it a truth if one is wanted.
    fn real(&mut self, wanted: Type) {
        if wanted == Type::Truth {
            self.tasks.push(Task::Op(StackOp::Truth));
        }
    }

    /// What follows leaves a truth; makes it a number if one is wanted.
    fn truth(&mut self, wanted: Type) {
        if wanted == Type::Real {
            self.tasks.push(Task::Op(StackOp::Number));
        }
    }

    fn push(&mut self, op: StackOp, a: u16) -> Result<(), Refused> {
        self.depth = self.depth + op.pushes().len() as u32 - op.pops().len() as u32;
        self.out.stack_depth = self.out.stack_depth.max(self.depth);
        if self.depth > MAX_STACK {
            let message = format!("the condition nests operators more than {MAX_STACK} deep");
            return Err((codes::CONDITION_TOO_DEEP, self.span, message));
        }
        self.out.words.push(StackWord::new(op, a));
        Ok(())
    }

    fn land(&mut self, jump: usize) -> Result<(), Refused> {
        let too_long = |_| (codes::CONDITION_TOO_DEEP, self.span, "the condition is too long".to_owned());
        self.out.words[jump].a = u16::try_from(self.out.words.len() - jump).map_err(too_long)?;
        Ok(())
    }

    fn constant(&mut self, number: f64) -> Result<u16, Refused> {
        if let Some(index) = self.pool.get(&number.to_bits()) {
            return Ok(*index);
        }
        let index = operand(self.out.constants.len(), "different numbers in conditions", self.span)?;
        self.out.constants.push(number.to_bits());
        self.pool.insert(number.to_bits(), index);
        Ok(index)
    }
}

fn compare(op: Binary) -> Option<StackOp> {
    Some(match op {
        Binary::Less => StackOp::Lt,
        Binary::LessEqual => StackOp::Le,
        Binary::Greater => StackOp::Gt,
        Binary::GreaterEqual => StackOp::Ge,
        Binary::Equal => StackOp::Eq,
        Binary::NotEqual => StackOp::Ne,
        Binary::And | Binary::Or => return None,
    })
}
