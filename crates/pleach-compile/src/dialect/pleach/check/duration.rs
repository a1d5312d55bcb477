//! How long something lasts.

use super::super::syntax::{ExprRange, Kind, Mode, Node, Type, Unit};
use super::Checker;
use super::value::Value;
use crate::codes;
use crate::diagnostic::Diagnostic;

/// Units of time in a second.
const SECOND: i64 = 1000;
/// The longest wait in ticks.
const MOST_TICKS: i64 = 65_535;

impl Checker<'_, '_> {
    /// The duration of a node, and whether it is counted in ticks.
    pub(super) fn duration(&mut self, node: &Node) -> (i32, bool) {
        let unit = if let Mode::Unit(unit) = node.mode { unit } else { Unit::Time };
        let Some(range) = self.program.operands(node).first().copied() else { return (0, false) };
        if unit == Unit::Ticks && !matches!(node.kind, Kind::Wait | Kind::Delay) {
            let at = self.cover(range);
            let finding = Diagnostic::new(codes::WRONG_UNIT, Some(at), "this cannot be counted in ticks");
            self.report(finding.help("only `wait` and `delay` count ticks; say it in `ms` or `s`"));
            return (0, false);
        }
        (self.time(range, unit), unit == Unit::Ticks)
    }

    fn time(&mut self, range: ExprRange, unit: Unit) -> i32 {
        let operand = self.evaluate(range);
        let Some(value) = self.constant(&operand, "a duration") else { return 0 };
        let length = match (value, unit) {
            (Value::Int(value), Unit::Seconds) => i64::from(value) * SECOND,
            (Value::Int(value), _) => i64::from(value),
            // What is too large becomes the nearest integer, and NaN zero.
            (Value::Float(value), Unit::Seconds) => (f64::from(value) * SECOND as f64).round() as i64,
            (Value::Open(Type::Int), _) | (Value::Open(Type::Float), Unit::Seconds) | (Value::Wrong, _) => 0,
            (_, Unit::Seconds) => {
                self.mismatch(&operand, Type::Number, "a duration");
                0
            }
            _ => {
                self.mismatch(&operand, Type::Int, "a duration");
                0
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
}
