//! Durations.

use super::super::syntax::Unit;
use super::{Checker, Expr, ExprRange, Keyword, Mode, Node, Operand, Type, Value, codes};

/// Units of time in a second.
const SECOND: i64 = 1000;
/// The longest wait in ticks.
const MOST_TICKS: i64 = 65_535;

impl Checker<'_, '_> {
    /// Returns the duration of a node, and whether it is counted in ticks. It is an int,
    /// or computed when it is needed.
    pub(super) fn duration(&mut self, node: &Node) -> (Value, bool) {
        const NONE: (Value, bool) = (Value::Int(0), false);
        let operands = self.program.operands(node);
        let (Some(range), second) = (operands.first().copied(), operands.get(1).copied()) else {
            return NONE;
        };
        let (unit, to) = match node.mode {
            Mode::Unit(unit) => (unit, unit),
            Mode::Range(unit, to) => (unit, to),
            _ => {
                // The parser has said that there is none.
                self.evaluate(range);
                return NONE;
            }
        };
        let ticks = [unit, to].map(|unit| unit == Unit::Ticks);
        let wrong = match ticks {
            [false, false] => None,
            _ if !matches!(node.kind, Keyword::Wait | Keyword::Delay) => Some((
                "this cannot be counted in ticks",
                "only `wait` and `delay` count ticks; say it in `ms` or `s`",
            )),
            [true, true] => None,
            _ => Some(("this range is in ticks and in time", "say both in `ticks`, or both in `ms` or `s`")),
        };
        if let Some((message, help)) = wrong {
            let at = self.cover((range.0, second.unwrap_or(range).1));
            self.tell(codes::WRONG_UNIT, at, message, help);
            return NONE;
        }
        let first = self.time(range, unit);
        let length = match second {
            Some(second) => self.range(first, second, to),
            None => first,
        };
        (length, ticks[0])
    }

    /// Returns a duration that is drawn between two.
    fn range(&mut self, first: Value, second: ExprRange, unit: Unit) -> Value {
        let last = self.time(second, unit);
        if let (Value::Int(first), Value::Int(last)) = (first, last)
            && last < first
        {
            let at = self.cover(second);
            let help = "write the shorter duration first: `2 s to 5 s`";
            self.tell(codes::OUT_OF_RANGE, at, "this range ends before it begins", help);
        }
        let (first, last) = (self.index(first), self.index(last));
        let drawn = self.emit(Expr::Draw);
        Value::Computed(Type::Int, self.emit(Expr::Between(first, last, drawn)))
    }

    /// Returns a duration in ticks or in the host's unit of time. One that is
    /// computed is not bounded yet.
    fn time(&mut self, range: ExprRange, unit: Unit) -> Value {
        let operand = self.evaluate(range);
        match (self.is_duration(&operand), unit) {
            (true, Unit::Own) => return operand.value,
            (true, _) => {
                let help = "leave the unit out: the tunable is declared with one";
                self.tell(codes::WRONG_UNIT, self.cover(range), "this duration has a unit of its own", help);
                return Value::Int(0);
            }
            (false, Unit::Own) if operand.value.ty().is_none() => return Value::Int(0),
            (false, Unit::Own) => {
                let name = self.written(&operand);
                let help = format!("write `{name} ms` or `{name} s`");
                self.tell(codes::NO_UNIT, self.cover(range), "this duration has no unit", help);
                return Value::Int(0);
            }
            (false, _) => {}
        }
        if operand.value.is_constant() {
            return Value::Int(self.constant_time(&operand, unit).unwrap_or(0));
        }
        match (operand.value.ty(), unit) {
            (Some(Type::Int), Unit::Seconds) | (Some(Type::Float), Unit::Seconds) => {
                let seconds = self.index(operand.value);
                Value::Computed(Type::Int, self.emit(Expr::Thousandths(seconds)))
            }
            (Some(Type::Int), _) => operand.value,
            _ => {
                self.no_time(&operand, unit);
                Value::Int(0)
            }
        }
    }

    #[cold]
    fn no_time(&mut self, operand: &Operand, unit: Unit) {
        match (operand.value.ty(), unit) {
            (Some(Type::Float), _) => self.fraction(operand),
            (_, Unit::Seconds) => drop(self.mismatch(operand, Type::Number, "a duration")),
            _ => drop(self.mismatch(operand, Type::Int, "a duration")),
        }
    }

    /// Returns a constant duration in ticks or in the host's unit of time; `None` if it is wrong,
    /// which is reported.
    pub(super) fn constant_time(&mut self, operand: &Operand, unit: Unit) -> Option<i32> {
        let length = match (operand.value, unit) {
            (Value::Int(value), Unit::Seconds) => i64::from(value) * SECOND,
            (Value::Int(value), _) => value.into(),
            // Out of range, as infinity is.
            (Value::Float(value), Unit::Seconds) if value.is_nan() => i64::MAX,
            (Value::Float(value), Unit::Seconds) => (f64::from(value) * SECOND as f64).round() as i64,
            (Value::Open(Type::Int), _) | (Value::Open(Type::Float), Unit::Seconds) | (Value::Wrong, _) => 0,
            _ => {
                self.no_time(operand, unit);
                return None;
            }
        };
        let (most, what) = match unit {
            Unit::Ticks => (MOST_TICKS, "65535 ticks"),
            Unit::Time | Unit::Own => (i64::from(i32::MAX), "2147483647 ms"),
            Unit::Seconds => (i64::from(i32::MAX), "2147483 s"),
        };
        if (0..=most).contains(&length) {
            return Some(length as i32);
        }
        self.out_of_range(operand, "this duration is not possible", &format!("it can be 0 to {what}"));
        None
    }

    #[cold]
    fn fraction(&mut self, operand: &Operand) {
        let message = "a duration in `ms` or `ticks` must be an int, but this is a float";
        let help = "in `s` it may have a fraction: `0.5 s` is `500 ms`";
        self.report_value(operand, codes::WRONG_TYPE, message, help);
    }
}
