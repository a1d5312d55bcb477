//! How long something lasts.

use super::super::syntax::{ExprRange, Mode, Node, Type, Unit};
use super::super::value::Value;
use super::super::words::Keyword;
use super::Checker;
use super::operand::Operand;
use crate::codes;
use crate::diagnostic::Diagnostic;

/// Units of time in a second.
const SECOND: i64 = 1000;
/// The longest wait in ticks.
const MOST_TICKS: i64 = 65_535;

impl Checker<'_, '_> {
    /// The duration of a node, and whether it is counted in ticks.
    pub(super) fn duration(&mut self, node: &Node) -> (i32, bool) {
        let Some(range) = self.program.operands(node).first().copied() else { return (0, false) };
        let Mode::Unit(unit) = node.mode else {
            // The parser has said that there is none.
            self.evaluate(range);
            return (0, false);
        };
        if unit == Unit::Ticks && !matches!(node.kind, Keyword::Wait | Keyword::Delay) {
            let help = "only `wait` and `delay` count ticks; say it in `ms` or `s`";
            self.tell(codes::WRONG_UNIT, self.cover(range), "this cannot be counted in ticks", help);
            return (0, false);
        }
        (self.time(range, unit), unit == Unit::Ticks)
    }

    fn time(&mut self, range: ExprRange, unit: Unit) -> i32 {
        let operand = self.evaluate(range);
        let Some(value) = self.constant(&operand, "a duration") else { return 0 };
        let length = match (value, unit) {
            (Value::Int(value), Unit::Seconds) => i64::from(value) * SECOND,
            (Value::Int(value), _) => value.into(),
            // Out of range, as infinity is.
            (Value::Float(value), Unit::Seconds) if value.is_nan() => i64::MAX,
            (Value::Float(value), Unit::Seconds) => (f64::from(value) * SECOND as f64).round() as i64,
            (Value::Open(Type::Int), _) | (Value::Open(Type::Float), Unit::Seconds) | (Value::Wrong, _) => 0,
            _ => {
                match (value.ty(), unit) {
                    (Some(Type::Float), _) => self.fraction(&operand),
                    (_, Unit::Seconds) => drop(self.mismatch(&operand, Type::Number, "a duration")),
                    _ => drop(self.mismatch(&operand, Type::Int, "a duration")),
                }
                return 0;
            }
        };
        let (most, what) = match unit {
            Unit::Ticks => (MOST_TICKS, "65535 ticks"),
            Unit::Time => (i64::from(i32::MAX), "2147483647 ms"),
            Unit::Seconds => (i64::from(i32::MAX), "2147483 s"),
        };
        if (0..=most).contains(&length) {
            return length as i32;
        }
        self.out_of_range(&operand, "this duration is not possible", &format!("it can be 0 to {what}"));
        0
    }

    #[cold]
    fn fraction(&mut self, operand: &Operand) {
        let at = self.cover(operand.ops);
        let message = "a duration in `ms` or `ticks` must be an int, but this is a float";
        let finding = Diagnostic::new(codes::WRONG_TYPE, Some(at), message);
        self.report_value(operand, finding.help("in `s` it may have a fraction: `0.5 s` is `500 ms`"));
    }
}
