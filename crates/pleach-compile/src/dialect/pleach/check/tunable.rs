//! Constants that games can tune: their types, defaults and ranges, and places where they cannot
//! stand.

use super::super::syntax::{Amount, Tunable, Unit};
use super::{
    Checker, Code, Diagnostic, Frame, Kind, Meaning, Node, Operand, SlotKind, Span, Sym, Type, Value,
    Variable, ast, codes, type_of,
};

/// Range of tunables that are bools.
const OF_BOOLS: (u32, u32) = (0, 1);

impl Checker<'_, '_> {
    /// Computes the type, the default and the range of a tunable.
    pub(super) fn tunable(&mut self, tunable: Tunable) {
        let index = tunable.variable as usize;
        let declared = self.program.variables[index];
        self.frame = Frame::outside(declared.span.source);
        let kind = self.tunable_kind(&tunable, declared.span);
        self.program.variables[index].kind = kind.unwrap_or(declared.kind);
        let ty = kind.map(type_of);
        let default = ty.and_then(|ty| self.tunable_value(tunable.default, ty, "the default"));
        let range = match (tunable.range, ty) {
            (None, Some(Type::Bool)) => Some(OF_BOOLS),
            (Some([low, _]), Some(Type::Bool)) => {
                let help = "a bool can be `true` or `false`: leave the range out";
                self.tell(codes::WRONG_TYPE, self.cover(low.expr), "a bool has no range", help);
                None
            }
            (Some(range), Some(ty)) => {
                default.and_then(|default| self.tunable_range(&tunable, default, range, ty))
            }
            (None, Some(_)) => {
                let name = self.session.names.cited(declared.name);
                let message = format!("the tunable `{name}` has no range");
                let help = format!("say what it can be: `tune const {name} = VALUE in LOW..HIGH`");
                self.tell(codes::EXPECTED, declared.span, message, help);
                None
            }
            (_, None) => None,
        };
        let variable = Variable { kind: kind.unwrap_or(declared.kind), ..declared };
        self.columns_of(declared.name, variable, default.unwrap_or(Value::Wrong));
        if let Some(range) = range {
            let is_duration = tunable.default.unit.is_some();
            self.file.tunables.push(ast::Tunable { variable: tunable.variable, is_duration, range });
        }
    }

    /// Returns the type of a tunable, which is that of its default unless it is written.
    fn tunable_kind(&mut self, tunable: &Tunable, at: Span) -> Option<Kind> {
        let kind = match tunable.kind {
            Some(kind) => kind,
            None if tunable.default.unit.is_some() => Kind::Plain(SlotKind::I32),
            None => {
                let operand = self.evaluate(tunable.default.expr);
                match self.constant(&operand, "the default of a tunable")?.ty()? {
                    Type::Int => Kind::Plain(SlotKind::I32),
                    Type::Float => Kind::Plain(SlotKind::F32),
                    Type::Bool => Kind::Plain(SlotKind::Bit),
                    ty => return self.no_tunable(&self.a(ty), at),
                }
            }
        };
        match kind {
            Kind::Plain(SlotKind::Bit | SlotKind::F32) if tunable.default.unit.is_some() => {
                let help = "a duration is an int: leave the type or the unit out";
                self.tell(
                    codes::WRONG_UNIT,
                    self.cover(tunable.default.expr),
                    "only an int has a unit",
                    help,
                );
                None
            }
            Kind::Plain(SlotKind::Bit | SlotKind::I32 | SlotKind::F32) => Some(kind),
            Kind::Plain(kind) if kind.is_narrow() => self.no_tunable("a narrow int", at),
            kind => self.no_tunable(&self.a(type_of(kind)), at),
        }
    }

    #[cold]
    fn no_tunable<T>(&mut self, what: &str, at: Span) -> Option<T> {
        let message = format!("a tunable cannot be {what}");
        self.tell(codes::WRONG_TYPE, at, message, "it can be an int, a float, a bool, or a duration");
        None
    }

    /// Returns the value of a default or of an end of a range; `None` if it is wrong.
    fn tunable_value(&mut self, amount: Amount, ty: Type, what: &str) -> Option<Value> {
        let operand = self.evaluate(amount.expr);
        let value = self.constant(&operand, what)?;
        value.ty()?;
        let value = match amount.unit {
            Some(Unit::Ticks) => {
                let help = "say it in `ms` or `s`; a number of ticks is a tunable without a unit";
                self.tell(
                    codes::WRONG_UNIT,
                    self.cover(amount.expr),
                    "a tunable cannot be counted in ticks",
                    help,
                );
                return None;
            }
            Some(unit) => Value::Int(self.constant_time(&operand, unit)?),
            None => self.as_type(&operand, ty, what),
        };
        match value {
            Value::Wrong => None,
            Value::Float(float) if !float.is_finite() => {
                let help = "it can be any number that is finite";
                self.out_of_range(&operand, &format!("{what} is {float}"), help);
                None
            }
            value => Some(value),
        }
    }

    /// Returns the bits of the ends of a range, which must have the default in it.
    fn tunable_range(
        &mut self,
        tunable: &Tunable,
        default: Value,
        range: [Amount; 2],
        ty: Type,
    ) -> Option<(u32, u32)> {
        let units = range.map(|end| end.unit.is_some());
        if units != [tunable.default.unit.is_some(); 2] {
            let message = "the default and the range are not both durations";
            let help =
                "write a unit behind the default and behind both ends of the range, or behind none of them";
            self.tell(codes::WRONG_UNIT, self.cover((range[0].expr.0, range[1].expr.1)), message, help);
            return None;
        }
        let low = self.tunable_value(range[0], ty, "the lower end of the range")?;
        let high = self.tunable_value(range[1], ty, "the upper end of the range")?;
        let number = |value| match value {
            Value::Float(value) => f64::from(value),
            Value::Int(value) => f64::from(value),
            _ => 0.0,
        };
        let [least, most, value] = [low, high, default].map(number);
        if most < least {
            let operand = self.evaluate(range[1].expr);
            self.out_of_range(
                &operand,
                "this range ends before it begins",
                "write the lesser end first: `2.0..20.0`",
            );
        } else if !(least..=most).contains(&value) {
            let operand = self.evaluate(tunable.default.expr);
            let unit = if tunable.default.unit.is_some() { " ms" } else { "" };
            let message = format!("the default is {value}{unit}, which is outside of its own range");
            self.out_of_range(&operand, &message, &format!("it can be {least} to {most}{unit}"));
        } else {
            return Some((low.bits() as u32, high.bits() as u32));
        }
        None
    }

    /// Returns the name of the first tunable in an operand.
    pub(super) fn tunable_in(&self, operand: &Operand) -> Option<String> {
        let tunable = self.program.ops(operand.ops).iter().find_map(|op| match op.code {
            Code::Name(word) => match self.names.get(word).value {
                Meaning::Variable(variable) => self.program.tunable(variable).map(|_| word),
                _ => None,
            },
            _ => None,
        });
        Some(self.session.names.cited(Sym(tunable?)).into_owned())
    }

    /// Returns the name of a variable if it is a tunable, which no tree sets.
    pub(super) fn tunable_named(&self, variable: u32) -> Option<String> {
        self.program.tunable(variable)?;
        Some(self.session.names.cited(self.program.variables[variable as usize].name).into_owned())
    }

    /// Reports a node that would set a tunable.
    #[cold]
    pub(super) fn not_settable(&mut self, node: &Node, name: &str, given: Option<Span>) {
        let message = format!("`{name}` is a tunable and cannot be set");
        let help = "the game tunes it; a value that trees set is a `var`";
        let finding =
            Diagnostic::new(codes::NOT_WRITABLE, Some(self.subject_place(node)), message).help(help);
        let finding = finding.related(given, "this is what the parameter stands for");
        if given.is_some() { self.session.diagnostics.push(finding) } else { self.report(finding) }
    }

    /// Returns true if the ops are the name of a tunable whose values are durations.
    pub(super) fn is_duration(&self, operand: &Operand) -> bool {
        let [op] = self.program.ops(operand.ops) else { return false };
        let Code::Name(word) = op.code else { return false };
        let Meaning::Variable(variable) = self.names.get(word).value else { return false };
        self.program.tunable(variable).is_some_and(|it| it.default.unit.is_some())
    }
}
