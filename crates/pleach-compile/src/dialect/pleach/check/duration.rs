//! How long something lasts.

use super::super::syntax::{ExprRange, Kind, Mode, Node, Unit};
use super::super::value::places::{self, Misfit};
use super::Checker;
use crate::codes;
use crate::diagnostic::Diagnostic;

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
        match places::duration(value, unit) {
            Ok(length) => return length,
            Err(Misfit::Range(most)) => {
                let help = format!("it can be 0 to {most}");
                self.out_of_range(&operand, "this duration is not possible", &help);
            }
            Err(Misfit::Type(wanted)) => {
                self.mismatch(&operand, wanted, "a duration");
            }
            Err(Misfit::Write(..)) => {}
        }
        0
    }
}
