//! Expressions and variables.

use super::{Expr, ImportKind, Lowering, Slot, Value};
use crate::ast::{self, Scope, SlotKind};
use crate::codes::{self, SPLIT_PROGRAM};
use crate::diagnostic::Diagnostic;
use crate::ir::{Enums, Shared, Tunable, Typed};
use crate::source::Span;
use crate::text::Sym;
use pleach_image::verify::MAX_ROWS;

impl Lowering<'_, '_> {
    /// Lays down the variables that the file declares.
    pub(super) fn variables(&mut self) {
        for variable in &self.file.variables {
            let &ast::Variable { name, scope, kind, mut init, span } = variable;
            if kind == SlotKind::Text {
                init = self.text(Sym(init as u32), |_| Some(span)).into();
            }
            self.module.declared.push((name, span));
            let read = if scope == Scope::Agent {
                let name = Some(name).filter(|name| !self.session.names.bytes(*name).is_empty());
                // What nodes that keep statuses have besides belongs to the behavior.
                let reset = name.is_none() && self.file.statuses.is_some();
                Expr::Slot(self.slot(Slot { kind, name, init, reset, node: None }))
            } else {
                self.module.shared.push(Shared { name, kind, scope, init });
                Expr::Shared((self.module.shared.len() - 1) as u16)
            };
            self.known.variables.push(read);
        }
    }

    /// The enums that the file declares, and what has their types. A function that no tree uses has
    /// no import.
    pub(super) fn enums(&mut self) {
        let ast::File { enums, members, typed, .. } = self.file;
        let home = |subject: ast::Typed| {
            let import = |kind: ImportKind, name| self.known_import(kind, name);
            Some(match subject {
                ast::Typed::Variable(variable) => self.place_of(variable),
                ast::Typed::OfAction(name, place) => {
                    Typed::Parameter(import(ImportKind::Action, name)?, place)
                }
                ast::Typed::OfQuery(name, place) => Typed::Parameter(import(ImportKind::Query, name)?, place),
                ast::Typed::Answer(name) => Typed::Answer(import(ImportKind::Query, name)?),
            })
        };
        let typed: Vec<_> = typed.iter().filter_map(|(subject, of)| Some((home(*subject)?, *of))).collect();
        if !typed.is_empty() {
            let (list, members) = (enums.clone(), members.clone());
            self.module.enums = Enums { list, members, typed };
        }
    }

    /// The variables that games change within ranges.
    pub(super) fn tunables(&mut self) {
        let tunable = |&ast::Tunable { variable, is_duration, range }: &_| Tunable {
            variable: self.place_of(variable),
            is_duration,
            range,
        };
        self.module.tunables = self.file.tunables.iter().map(tunable).collect();
    }

    /// Returns where the value of a variable is.
    fn place_of(&self, variable: u32) -> Typed {
        match self.known.variables[variable as usize] {
            Expr::Shared(shared) => Typed::Shared(shared),
            _ => Typed::Slot(self.own(variable)),
        }
    }

    /// Expressions keep their indices, so conditions need no map.
    pub(super) fn expressions(&mut self) {
        let mut exprs = core::mem::take(&mut self.module.exprs);
        exprs.extend(self.file.exprs.iter().map(|expr| self.expression(expr)));
        self.module.exprs = exprs;
    }

    fn expression(&mut self, expr: &ast::Expr) -> Expr {
        match *expr {
            ast::Expr::Number(Value::Int64(wide)) => Expr::Word(wide.bits()),
            ast::Expr::Number(Value::Nobody) => Expr::Word(0),
            ast::Expr::Number(Value::Text(text)) => Expr::Text(self.text(text, Self::naming)),
            ast::Expr::Number(value) => Expr::Number(number(value)),
            ast::Expr::Asked { name, args } => {
                let mut args_of = self.file.args(args).iter();
                let out =
                    args_of.find_map(|arg| if let Value::Out(out, _) = arg { Some(*out) } else { None });
                let slot = out.map_or(0, |variable| self.own(variable));
                Expr::Asked(self.site(ImportKind::Query, name, args), slot)
            }
            ast::Expr::Truth(truth) => Expr::Truth(truth),
            ast::Expr::Query { name, args } => Expr::Query(self.site(ImportKind::Query, name, args)),
            ast::Expr::Variable(variable) => self.known.variables[variable as usize],
            ast::Expr::Now => Expr::Now,
            ast::Expr::Draw => Expr::Draw(self.draw(Self::drawing)),
            ast::Expr::Not(operand) => Expr::Not(operand),
            ast::Expr::Binary(op, left, right) => Expr::Binary(op, left, right),
            ast::Expr::CompareWords(op, left, right) => Expr::CompareWords(op, left, right),
            ast::Expr::Order(left, right) => Expr::Order(left, right),
            ast::Expr::Spelled(spelling, text) => Expr::Spelled(spelling, text),
            ast::Expr::Bits(operator, left, right) => Expr::Bits(operator, left, right),
            ast::Expr::Math(op, ty, left, right) => Expr::Math(op, ty, left, right),
            ast::Expr::Apply(function, operand) => Expr::Apply(function, operand),
            ast::Expr::Power(left, right) => Expr::Power(left, right),
            ast::Expr::Smooth(x, from, to) => Expr::Smooth(x, from, to),
            ast::Expr::Curve(operand, points) => {
                let points = self.file.args(points).as_chunks().0.iter();
                let single = |value| number(value) as f32;
                let points = points.map(|[x, y]| (single(*x), single(*y)));
                self.module.curves.push(points.collect());
                Expr::Curve(operand, self.module.curves.len() as u32 - 1)
            }
            ast::Expr::Negate(ty, operand) => Expr::Negate(ty, operand),
            ast::Expr::Magnitude(ty, operand) => Expr::Magnitude(ty, operand),
            ast::Expr::ToInt(operand) => Expr::ToInt(operand),
            ast::Expr::ToFloat(operand) => Expr::ToFloat(operand),
            ast::Expr::ToLong(operand) => Expr::ToLong(operand),
            ast::Expr::FromLong(operand) => Expr::FromLong(operand),
            ast::Expr::Thousandths(operand) => Expr::Thousandths(operand),
            ast::Expr::Between(first, second, drawn) => Expr::Between(first, second, drawn),
            ast::Expr::Let(value, body) => Expr::Let(value, body),
            ast::Expr::Bound(value) => Expr::Bound(value),
            ast::Expr::FromTruth(operand) => Expr::FromTruth(operand),
            ast::Expr::ToTruth(operand) => Expr::ToTruth(operand),
            ast::Expr::Since(variable) => Expr::Since(self.own(variable)),
            ast::Expr::Noted(variable) => Expr::Noted(self.own(variable)),
            ast::Expr::Reached(variable) => Expr::Reached(self.own(variable)),
        }
    }

    /// Returns the index of a text that variables and expressions hold. `place` tells where it is,
    /// if it is the first one too many.
    fn text(&mut self, text: Sym, place: impl FnOnce(&Self) -> Option<Span>) -> u32 {
        if self.module.texts.len() == MAX_ROWS && self.known.texts.known(text).is_none() {
            let message = format!("the program has more than {MAX_ROWS} different texts");
            self.too_many(message, place(self));
        }
        let (texts, known) = (&mut self.module.texts, &mut self.known.texts);
        if texts.is_empty() {
            let empty = self.session.names.intern(b"");
            texts.push(empty);
            known.set(empty, 0);
        }
        known.known(text).unwrap_or_else(|| {
            let index = texts.len() as u32;
            texts.push(text);
            known.set(text, index);
            index
        })
    }

    /// Returns the slot of an agent's own variable. Moments and arguments of actions are such
    /// variables.
    pub(super) fn own(&self, variable: u32) -> u16 {
        match self.known.variables[variable as usize] {
            Expr::Slot(slot) => slot,
            _ => 0,
        }
    }

    /// The number of a new draw. `place` tells where it is, if it is the first one too many.
    pub(super) fn draw(&mut self, place: impl FnOnce(&Self) -> Option<Span>) -> u16 {
        let draw = self.module.draws;
        if draw as usize == MAX_ROWS {
            let message = format!("the program draws random numbers in more than {MAX_ROWS} places");
            self.too_many(message, place(self));
        }
        self.module.draws += 1;
        draw as u16
    }

    fn too_many(&mut self, message: String, place: Option<Span>) {
        let finding = Diagnostic::new(codes::TOO_LARGE, place, message);
        self.session.diagnostics.push(finding.help(SPLIT_PROGRAM));
    }

    /// Returns the place of the first draw that is one too many.
    fn drawing(&self) -> Option<Span> {
        let mut exprs = (0..).zip(&self.file.exprs).filter(|(_, expr)| matches!(expr, ast::Expr::Draw));
        self.evaluating(exprs.nth(MAX_ROWS)?.0)
    }

    /// Returns the place of the first expression that names a text which has no number yet.
    fn naming(&self) -> Option<Span> {
        let is_new = |expr: &ast::Expr| matches!(expr, ast::Expr::Number(Value::Text(text)) if self.known.texts.known(*text).is_none());
        self.evaluating(self.file.exprs.iter().position(is_new)? as u32)
    }

    /// Returns the place of the node that evaluates an expression. An expression stands behind its
    /// operands, and before the next one.
    fn evaluating(&self, part: u32) -> Option<Span> {
        let expressions = |node: &ast::Node| {
            let args = self.file.args(node.args).iter().filter_map(|arg| match arg {
                Value::Expression(expr) => Some(*expr),
                _ => None,
            });
            args.chain(node.condition).filter(|expr| *expr >= part).min()
        };
        let nodes = self.file.nodes.iter().filter_map(|node| Some((expressions(node)?, node.span)));
        nodes.min_by_key(|(expr, _)| *expr).map(|(_, span)| span)
    }
}

/// A number as conditions see it; anything else counts zero.
fn number(value: Value) -> f64 {
    match value {
        Value::Int(int) => f64::from(int),
        Value::Float(float) => f64::from(float),
        Value::Double(wide) => f64::from_bits(wide.bits()),
        _ => 0.0,
    }
}
