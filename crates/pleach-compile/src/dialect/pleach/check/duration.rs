//! How long something lasts.

use super::super::syntax::{ExprRange, Kind, Mode, Node, Type, Unit};
use super::super::value::places::{self, Misfit};
use super::Checker;
use super::operand::Operand;
use crate::codes;
use crate::diagnostic::Diagnostic;

impl Checker<'_, '_> {
    /// The duration of a node, and whether it is counted in ticks.
    pub(super) fn duration(&mut self, node: &Node) -> (i32, bool) {
        let Some(range) = self.program.operands(node).first().copied() else { return (0, false) };
        let Mode::Unit(unit) = node.mode else {
            // The parser has said that there is none.
            self.evaluate(range);
            return (0, false);
        };
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
        match places::duration(value, unit) {
            Ok(length) => return length,
            Err(Misfit::Range(most)) => {
                let help = format!("it can be 0 to {most}");
                self.out_of_range(&operand, "this duration is not possible", &help);
            }
            Err(Misfit::Type(Type::Int)) if value.ty() == Some(Type::Float) => self.fraction(&operand),
            Err(Misfit::Type(wanted)) => {
                self.mismatch(&operand, wanted, "a duration");
            }
            Err(Misfit::Write(..)) => {}
        }
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
