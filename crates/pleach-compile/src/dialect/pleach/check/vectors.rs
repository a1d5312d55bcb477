//! Vectors: each is two or three floats, and no later stage knows more of it.
//!
//! An operand that is a vector has a value for each float. A factor of all of them is computed
//! once: the floats mention it by [`Expr::Bound`]. Whatever makes one value of a vector puts
//! [`Expr::Let`] around that value.
//!
//! ```text
//!   a * f()              a.x * F, a.y * F            where F is bound to f()
//!   set v = a * f()      set v { .argument = f()  .part v.x = a.x * F  .part v.y = a.y * F }
//! ```

use super::super::syntax::{Local, Variable};
use super::computed::ARGUMENT;
use super::{
    Binary, Checker, Code, Diagnostic, Expr, ExprIndex, Keyword, Kind, Math, Meaning, Mode, Node, Op,
    Operand, Operator, Scope, SlotKind, Span, Sym, Type, Value, Word, assigned, ast, codes, type_of,
};
use crate::ast::Arithmetic;

/// Keyword of the node that writes a part of a vector.
pub(in super::super) const PART: &str = ".part";

impl Checker<'_, '_> {
    /// Returns a vector with these floats.
    pub(super) fn vector(&mut self, ty: Type, parts: [Value; 3]) -> Value {
        let known = &parts[..ty.parts()];
        if known.iter().any(|part| matches!(part, Value::Wrong)) {
            return Value::Wrong;
        }
        let is_constant = known.iter().all(|part| part.is_constant());
        self.vectors.push(parts);
        Value::Vector(ty, self.vectors.len() as u32 - 1, is_constant)
    }

    /// Returns the floats of a vector. Of a `vec2`, the last one means nothing.
    pub(super) fn parts_of(&self, value: Value) -> [Value; 3] {
        match value {
            Value::Vector(_, index, _) => self.vectors[index as usize],
            Value::Variable(first, _) => {
                core::array::from_fn(|part| Value::Variable(first + part as u32, Type::Float))
            }
            Value::Open(_) => [Value::Open(Type::Float); 3],
            _ => [Value::Wrong; 3],
        }
    }

    /// Returns the floats of a vector, as many as it has.
    pub(super) fn floats_of(&self, value: Value) -> impl Iterator<Item = Value> + use<> {
        let count = value.ty().map_or(0, Type::parts);
        self.parts_of(value).into_iter().take(count)
    }

    /// Returns the name by which hosts reach a column of a variable: `home.x` if it is a vector.
    pub(super) fn name_of_part(&mut self, name: Sym, kind: Kind, part: u32) -> Sym {
        let Some(part) = type_of(kind).part_names().get(part as usize) else { return name };
        let names = &mut self.session.names;
        // The number of a copy of a tree stands last.
        let name = names.bytes(name);
        let (name, copy) = name.split_at(name.iter().position(|byte| *byte == b'#').unwrap_or(name.len()));
        let part = [name, b".", part.as_bytes(), copy].concat();
        names.intern(&part)
    }

    /// Reports a variable of a tree that hosts would reach by the name of a part of a vector.
    pub(super) fn no_part_of_vector(&mut self, tree: Sym, local: &Local) {
        let Meaning::Variable(variable) = self.names.get(tree.0).value else { return };
        let Variable { kind, span, .. } = self.program.variables[variable as usize];
        let name = self.session.names.bytes(local.name);
        let is_part = |part: &&str| part.as_bytes() == name && local.kind.count() == 1;
        if type_of(kind).part_names().iter().any(is_part) {
            let names = &self.session.names;
            let shown = format!("`{}.{}`", names.cited(tree), names.cited(local.name));
            let message = format!("hosts reach two variables as {shown}");
            let finding = Diagnostic::new(codes::DECLARED_TWICE, Some(local.span), message)
                .help("give the variable of the tree, or the vector, another name")
                .related(Some(span), "the vector is declared here");
            self.report(finding);
        }
    }

    /// Returns the value of `NAME.PART`, if the name is that of a value.
    pub(super) fn part_of_name(&mut self, word: Word, op: Op) -> Option<Value> {
        let value = match self.meaning(word) {
            Meaning::Variable(variable) => {
                Value::Variable(variable, type_of(self.program.variables[variable as usize].kind))
            }
            Meaning::Constant(constant) => self.constants[constant as usize],
            Meaning::Symbol(value) => Value::Int(value),
            Meaning::Query(_) => {
                let help = "write the answer into a variable with `set`, and take the part of that";
                let at = self.place((op.start, op.end));
                self.tell(codes::WRONG_TYPE, at, "a query has no parts", help);
                return Some(Value::Wrong);
            }
            _ => return None,
        };
        Some(self.part_of(value, op))
    }

    /// Returns a part of an operand that is a parameter.
    pub(super) fn part(&mut self, operand: &Operand, op: Op) -> Value {
        self.part_of(operand.value, op)
    }

    fn part_of(&mut self, value: Value, op: Op) -> Value {
        let Some(ty) = value.ty() else { return Value::Wrong };
        let name = self.session.names.bytes(Sym(op.count));
        let found = ty.part_names().iter().position(|part| part.as_bytes() == name);
        match found {
            Some(part) => self.parts_of(value)[part],
            None => self.no_part(ty, op),
        }
    }

    #[cold]
    fn no_part(&mut self, ty: Type, op: Op) -> Value {
        let name = self.session.names.cited(Sym(op.count)).into_owned();
        let message = format!("{} has no part `{name}`", self.a(ty));
        let help = match ty {
            Type::Vec2 => "its parts are `.x` and `.y`",
            Type::Vec3 => "its parts are `.x`, `.y` and `.z`",
            _ => "vectors have parts: `.x`, `.y`, and `.z` of a vec3",
        };
        self.tell(codes::WRONG_TYPE, self.place((op.start, op.end)), message, help);
        Value::Wrong
    }

    /// An operator with a vector.
    pub(super) fn vectored(&mut self, operator: Operator, op: Op, left: &Operand, right: &Operand) -> Value {
        let (Some(one), Some(other)) = (left.value.ty(), right.value.ty()) else { return Value::Wrong };
        let is_factor = |ty: Type| matches!(ty, Type::Int | Type::Float);
        match operator {
            Operator::Math(math @ (Math::Add | Math::Subtract)) if one == other => {
                let (left, right) = (self.parts_of(left.value), self.parts_of(right.value));
                self.each(one, |checker, part| {
                    checker.arithmetic(Operator::Math(math), Type::Float, left[part], right[part])
                })
            }
            Operator::Math(Math::Multiply) if is_factor(other) => {
                let (parts, factor) = (self.parts_of(left.value), self.factor(right));
                self.each(one, |checker, part| checker.scaled(parts[part], factor, false))
            }
            Operator::Math(Math::Multiply) if is_factor(one) => {
                let (factor, parts) = (self.factor(left), self.parts_of(right.value));
                self.each(other, |checker, part| checker.scaled(parts[part], factor, true))
            }
            Operator::Truth(equality @ (Binary::Equal | Binary::NotEqual)) if one == other => {
                self.equal(equality, left, right)
            }
            _ => self.no_operator(operator, op, left, right),
        }
    }

    /// Makes a vector of a float for each part.
    pub(super) fn each(&mut self, ty: Type, mut make: impl FnMut(&mut Self, usize) -> Value) -> Value {
        let mut parts = [Value::Float(0.0); 3];
        for (index, part) in parts.iter_mut().enumerate().take(ty.parts()) {
            *part = make(self, index);
        }
        self.vector(ty, parts)
    }

    /// Returns the number that a vector is multiplied by. One that is computed is noted, since all
    /// parts name it.
    fn factor(&mut self, operand: &Operand) -> Value {
        let factor = self.promoted(operand, Type::Float);
        if let Value::Computed(_, index) = factor {
            // `f * (a * g)` has noted `g` before.
            let at = self.factors.partition_point(|known| *known < index);
            self.factors.insert(at, index);
        }
        factor
    }

    /// Returns a part times a factor.
    fn scaled(&mut self, part: Value, factor: Value, is_first: bool) -> Value {
        let factor = match factor {
            Value::Computed(ty, index) => Value::Computed(ty, self.emit(Expr::Bound(index))),
            factor => factor,
        };
        let (left, right) = if is_first { (factor, part) } else { (part, factor) };
        self.arithmetic(Operator::Math(Math::Multiply), Type::Float, left, right)
    }

    /// Returns true for two vectors whose parts are all equal, or for two of which some differ.
    fn equal(&mut self, equality: Binary, left: &Operand, right: &Operand) -> Value {
        let pairs = self.floats_of(left.value).zip(self.floats_of(right.value));
        let join = if equality == Binary::Equal { Binary::And } else { Binary::Or };
        let mut result = None;
        for (one, other) in pairs {
            let part = self.arithmetic(Operator::Truth(equality), Type::Float, one, other);
            result = Some(match result {
                None => part,
                Some(before) => self.joined(join, before, part),
            });
        }
        let result = result.unwrap_or(Value::Wrong);
        self.scoped(left.marks.0, result)
    }

    /// Joins two comparisons. One that is known must not decide about one that is not, which may
    /// ask the host.
    fn joined(&mut self, join: Binary, before: Value, part: Value) -> Value {
        match (before, part) {
            (Value::Truth(one), Value::Truth(other)) if join == Binary::And => Value::Truth(one && other),
            (Value::Truth(one), Value::Truth(other)) => Value::Truth(one || other),
            (before, part) if before.is_constant() && part.is_constant() => Value::Open(Type::Bool),
            (before, part) => {
                let (before, part) = (self.index(before), self.index(part));
                Value::Computed(Type::Bool, self.emit(Expr::Binary(join, before, part)))
            }
        }
    }

    /// `dot`, `length` or `distance`, with as many arguments as it takes.
    pub(super) fn of_vectors(&mut self, function: Keyword, first: usize) -> Value {
        let operands: Vec<_> = self.stack[first..].to_vec();
        let types: Option<Vec<Type>> = operands.iter().map(|it| it.value.ty()).collect();
        let Some(types) = types else { return Value::Wrong };
        let wanted = types[0].floats().map_or(Type::Vec3, |_| types[0]);
        for operand in &operands {
            if operand.value.ty() != Some(wanted) {
                return self.mismatch(operand, wanted, &format!("an argument of `{}`", function.text()));
            }
        }
        // A length has one operand.
        let [left, right] = [&operands[0], &operands[operands.len() - 1]].map(|it| self.parts_of(it.value));
        let mut sum = None;
        for (left, right) in left.into_iter().zip(right).take(wanted.parts()) {
            let product = match function {
                Keyword::Dot => self.of_floats_by(Math::Multiply, left, right),
                Keyword::Length => self.square(left),
                _ => {
                    let difference = self.of_floats_by(Math::Subtract, left, right);
                    self.square(difference)
                }
            };
            sum = Some(match sum {
                None => product,
                Some(sum) => self.of_floats_by(Math::Add, sum, product),
            });
        }
        let sum = sum.unwrap_or(Value::Wrong);
        let result = if function == Keyword::Dot { sum } else { self.root(sum, Type::Float) };
        self.scoped(operands[0].marks.0, result)
    }

    /// An operator on two floats.
    fn of_floats_by(&mut self, math: Math, left: Value, right: Value) -> Value {
        self.arithmetic(Operator::Math(math), Type::Float, left, right)
    }

    /// Returns the square of a float, which is computed once.
    fn square(&mut self, value: Value) -> Value {
        let Value::Computed(ty, index) = value else {
            return self.of_floats_by(Math::Multiply, value, value);
        };
        let [left, right] = [(); 2].map(|()| self.emit(Expr::Bound(index)));
        let square = self.emit(Expr::Math(Math::Multiply, Arithmetic::Float, left, right));
        Value::Computed(ty, self.emit(Expr::Let(index, square)))
    }

    /// Puts the factors that were noted since so many expressions around a value.
    fn scoped(&mut self, first: u32, value: Value) -> Value {
        let (Some(ty), factors) = (value.ty(), self.take_factors(first, u32::MAX)) else { return value };
        let put = |value, factor: &ExprIndex| {
            let body = self.index(value);
            Value::Computed(ty, self.emit(Expr::Let(*factor, body)))
        };
        factors.iter().rev().fold(value, put)
    }

    /// Takes the factors that are expressions of a range.
    pub(super) fn take_factors(&mut self, first: u32, end: u32) -> Vec<ExprIndex> {
        let from = self.factors.partition_point(|factor| *factor < first);
        let to = self.factors.partition_point(|factor| *factor < end);
        self.factors.drain(from..to).collect()
    }

    /// Lets all that names a factor, up to an expression, read a variable instead. The factors
    /// ascend.
    pub(super) fn replace_bound(&mut self, held: &[(ExprIndex, u32)], end: u32) {
        let Some((first, _)) = held.first() else { return };
        let end = self.file.exprs.len().min(end as usize);
        for expr in &mut self.file.exprs[*first as usize..end] {
            if let Expr::Bound(named) = *expr
                && let Ok(at) = held.binary_search_by_key(&named, |(factor, _)| *factor)
            {
                *expr = Expr::Variable(held[at].1);
            }
        }
    }

    /// Emits nodes that set variables to the factors that were noted since so many expressions.
    /// Returns the variables.
    pub(super) fn factors_first(&mut self, first: u32, span: Span) -> Vec<u32> {
        let factors = self.take_factors(first, u32::MAX);
        let held: Vec<_> = factors.into_iter().map(|factor| (factor, self.held(factor, span))).collect();
        self.replace_bound(&held, u32::MAX);
        held.into_iter().map(|(_, variable)| variable).collect()
    }

    /// Emits a node that sets a new variable to an expression. Returns the variable.
    fn held(&mut self, expr: ExprIndex, span: Span) -> u32 {
        let variable = self.hidden(SlotKind::F32, span);
        let word = self.session.names.intern(ARGUMENT.as_bytes());
        self.file.open((word, None), span, &assigned(variable), Some(expr));
        variable
    }

    /// The answer of a query that is a vector: the first part asks, the others read what was given.
    pub(super) fn ask_for_vector(&mut self, ty: Type, name: Sym, args: (u32, u32)) -> Value {
        let span = self.place((0, 0));
        let count = ty.parts() as u32;
        let columns: Vec<u32> = (0..count).map(|_| self.hidden(SlotKind::F32, span)).collect();
        let outs = columns.iter().map(|column| ast::Value::Out(*column, ast::NO_VARIABLE));
        self.file.args.extend(outs);
        let asked = self.emit(Expr::Asked { name, args: (args.0, args.1 + count) });
        self.each(ty, |checker, part| match part {
            0 => Value::Computed(Type::Float, asked),
            _ => Value::Computed(Type::Float, checker.emit(Expr::Variable(columns[part]))),
        })
    }

    /// Returns the vector that a `set` writes, if it writes one.
    pub(super) fn vector_target(&mut self, node: &Node) -> Option<u32> {
        let value = match node.mode {
            Mode::WriteParam(_) => self.binding(node.subject).value,
            Mode::Write(_) => match self.names.get(node.subject).value {
                Meaning::Variable(variable) => {
                    Value::Variable(variable, type_of(self.program.variables[variable as usize].kind))
                }
                _ => return None,
            },
            _ => return None,
        };
        match value {
            Value::Variable(variable, ty) if ty.floats().is_some() => Some(variable),
            _ => None,
        }
    }

    /// Emits a `set` of a vector: a node for each part, behind nodes for what the parts share.
    pub(super) fn set_vector(&mut self, node: &Node, target: u32) {
        let Some(range) = self.program.operands(node).first().copied() else { return };
        let operand = self.evaluate(range);
        let value = self.vector_written(node, target, &operand);
        let span = Span { origin: self.frame.origin, ..self.place(node.place) };
        let Variable { name, kind, .. } = self.program.variables[target as usize];
        let root = self.file.open((Keyword::Set.sym(), Some(name)), span, &[], None);
        let mut hidden = self.factors_first(operand.marks.0, span);
        let mut parts: Vec<Value> = self.floats_of(value).collect();
        if self.reads_parts(range, target) {
            for part in &mut parts {
                let expr = self.index(*part);
                let variable = self.held(expr, span);
                hidden.push(variable);
                *part = Value::Variable(variable, Type::Float);
            }
        }
        let word = self.session.names.intern(PART.as_bytes());
        for (part, value) in (0..).zip(parts) {
            let label = (word, Some(self.name_of_part(name, kind, part)));
            let condition = Some(self.index(value));
            self.file.open(label, span, &assigned(target + part), condition);
        }
        let hidden: Vec<_> = hidden.into_iter().map(ast::Value::Variable).collect();
        self.file.nodes[root as usize].args = self.file.arguments(&hidden);
        self.file.close(root);
    }

    /// Returns the vector that is written.
    fn vector_written(&mut self, node: &Node, target: u32, operand: &Operand) -> Value {
        let Variable { kind, scope, .. } = self.program.variables[target as usize];
        let ty = type_of(kind);
        let (Mode::Write(write) | Mode::WriteParam(write)) = node.mode else { return Value::Wrong };
        let wanted = match (write, scope) {
            (None, _) => return self.as_type(operand, ty, "what is written"),
            (Some(Math::Add | Math::Subtract), Scope::Agent) => ty,
            (Some(Math::Multiply), Scope::Agent) => Type::Float,
            (Some(_), Scope::Agent) => {
                let help = "a vector knows `=`, `+=` and `-=`, and `*=` with a float";
                return self.not_for(node, "a vector has no such arithmetic", help).0;
            }
            _ => {
                let help = "`set NAME = VALUE` writes it; the last agent that writes in a tick decides";
                return self.not_for(node, "a vector that agents share can only be written", help).0;
            }
        };
        let value = self.as_type(operand, wanted, "what is written");
        let (Some(math), Some(_)) = (write, value.ty()) else { return Value::Wrong };
        let before = Operand { value: Value::Variable(target, ty), ..*operand };
        let by = Operand { value, ..*operand };
        let op = self.program.ops[operand.ops.0 as usize];
        self.vectored(Operator::Math(math), op, &before, &by)
    }

    /// Returns true if the parts of an expression must be computed before the first is written:
    /// one may read another part of the variable, or ask the host, which may read it.
    fn reads_parts(&self, range: (u32, u32), target: u32) -> bool {
        let ops = self.program.ops(range);
        let meaning = |word: Word| self.names.get(word).value;
        let joins = ops.iter().any(|op| self.joins_parts(op));
        // A query that answers a vector is asked for the first part, unless one value is made of
        // the answer.
        let asks = |query: u32| joins || self.program.queries[query as usize].answers.floats().is_none();
        let columns = target..target + self.program.variables[target as usize].kind.count();
        let is_bound = |param| match self.binding(param).value {
            Value::Variable(variable, ty) | Value::Widened(variable, ty) if columns.contains(&variable) => {
                Some(ty)
            }
            _ => None,
        };
        ops.iter().any(|op| match op.code {
            Code::Member(word) => meaning(word) == Meaning::Variable(target),
            Code::PartOf(param) => is_bound(param).is_some(),
            // A parameter can stand for a part.
            Code::Param(param) => is_bound(param).is_some_and(|ty| joins || ty.floats().is_none()),
            Code::Name(word) | Code::Call(word) => match meaning(word) {
                Meaning::Query(query) => asks(query),
                Meaning::Variable(variable) => joins && variable == target,
                _ => false,
            },
            _ => false,
        })
    }

    /// Returns true if a step may make one value of all parts of a vector: a comparison, a function
    /// of the language, or a query.
    fn joins_parts(&self, op: &Op) -> bool {
        match op.code {
            Code::Binary(Operator::Truth(Binary::Equal | Binary::NotEqual)) => true,
            Code::Call(word) => match self.names.get(word).value {
                Meaning::Function(function) => !matches!(function, Keyword::Vec2 | Keyword::Vec3),
                Meaning::Query(query) => self.program.queries[query as usize].answers.floats().is_none(),
                _ => false,
            },
            _ => false,
        }
    }
}
