//! Nodes that have to do with time and chance.
//!
//! Times are seconds in the text and integers of 10 microseconds in a program, cut off, and
//! computed in 32-bit floats as the engine does. What waits is made of two parts: the moment is
//! computed when it begins, and asked for until it has come.

use super::{
    Binary, Element, Expr, ExprIndex, FAILURE, Reader, Refused, SUCCESS, SlotKind, Span, Value, attribute,
    attributes, codes, filled, missing, number, refused, required,
};
use crate::ast::{Arithmetic, Math};
use crate::ir::RUNNING;

/// Units of time in a second.
const SECOND: f32 = 100_000.0;

/// Returns the statuses of a node that has the status `success` when its parts succeed.
fn ends(success: usize) -> [Value; 3] {
    [FAILURE, success, RUNNING].map(|status| Value::Int(status as i32))
}

impl<'a> Reader<'_, '_, 'a> {
    pub(super) fn wait(&mut self, element: Element<'a>) -> Result<(), Refused> {
        let duration = required(element, "duration")?;
        let span = duration.value_span();
        let duration = attributes::number(self.session, duration, number::float);
        let variation = attribute(element, "variation")
            .map_or(0.0, |it| attributes::number(self.session, it, number::float));
        if duration < 0.0 {
            let message = "to wait for a negative time is to wait for ever";
            self.session.report(codes::NEGATIVE_TIME, span, message, "write `Halt` if that is meant");
            let node = self.open("Wait", element.name_span(), &ends(SUCCESS), None);
            self.open(".halt", element.name_span(), &[], None);
            self.file.close(node);
            return Ok(());
        }
        let length = match variation {
            0.0 => self.float((duration * SECOND).trunc()),
            _ => self.varied(duration, variation),
        };
        self.timed(element, length, SUCCESS);
        Ok(())
    }

    /// `(duration + chance * variation) * SECOND`
    fn varied(&mut self, duration: f32, variation: f32) -> ExprIndex {
        let chance = self.file.expr(Expr::Draw);
        let variation = self.float(variation);
        let added = self.file.expr(Expr::Math(Math::Multiply, Arithmetic::Float, chance, variation));
        let duration = self.float(duration);
        let seconds = self.file.expr(Expr::Math(Math::Add, Arithmetic::Float, duration, added));
        let second = self.float(SECOND);
        self.file.expr(Expr::Math(Math::Multiply, Arithmetic::Float, seconds, second))
    }

    pub(super) fn timeout(&mut self, element: Element<'a>) -> Result<(), Refused> {
        let duration = required(element, "duration")?;
        let span = duration.value_span();
        let duration = attributes::number(self.session, duration, number::float);
        if duration < 0.0 {
            let help = "write `Fail` if that is meant";
            self.session.report(codes::NEGATIVE_TIME, span, "a negative time is over at once", help);
        }
        let length = self.float((duration * SECOND).trunc());
        self.timed(element, length, FAILURE);
        Ok(())
    }

    /// A leaf that ends so when some time has passed.
    fn timed(&mut self, element: Element<'a>, length: ExprIndex, outcome: usize) {
        let span = element.name_span();
        let timer = self.scope.timer.unwrap_or_else(|| self.hidden(SlotKind::Moment, span));
        self.scope.timer = Some(timer);
        let over = self.file.expr(Expr::Reached(timer));
        let node = self.open(element.name(), span, &ends(outcome), None);
        let parts = self.open(".sequence", span, &[], None);
        self.open(".start", span, &[Value::Variable(timer)], Some(length));
        self.open(".until", span, &[], Some(over));
        self.file.close(parts);
        self.file.close(node);
    }

    pub(super) fn wait_for_event(&mut self, element: Element<'a>) -> Result<(), Refused> {
        let event = filled(element, "name")?;
        let outcome = match attribute(element, "result") {
            None => SUCCESS,
            Some(result) => match result.value() {
                "Success" => SUCCESS,
                "Failure" => FAILURE,
                value => {
                    let message = format!("`{value}` is no result");
                    let help = "write `Success` or `Failure`, in this very form";
                    return Err(refused(codes::XML_BAD_VALUE, result.value_span(), message, help));
                }
            },
        };
        let span = element.name_span();
        let flag = self.scope.flag.unwrap_or_else(|| self.hidden(SlotKind::Bit, span));
        self.scope.flag = Some(flag);
        let node = self.open("WaitForEvent", span, &ends(outcome), None);
        let parts = self.open(".sequence", span, &[], None);
        let not_yet = self.file.expr(Expr::Truth(false));
        self.open(".set", span, &[Value::Variable(flag), Value::Int(0)], Some(not_yet));
        let come = self.file.expr(Expr::Variable(flag));
        let waits = self.file.nodes.len() as u32;
        self.open(".until", span, &[], Some(come));
        self.file.close(parts);
        self.file.close(node);
        self.awaits(event, waits, flag, span);
        Ok(())
    }

    pub(super) fn random_gate(&mut self, element: Element<'a>) -> Result<(), Refused> {
        let attribute = required(element, "opensWithChance")?;
        let chance = attributes::number(self.session, attribute, number::float);
        if !(0.0..=1.0).contains(&chance) {
            let message = format!("a chance is from 0 to 1; {chance} counts {}", chance.clamp(0.0, 1.0));
            self.session.report(codes::ODD_VALUE, attribute.value_span(), message, "1 is always");
        }
        let drawn = self.file.expr(Expr::Draw);
        let chance = self.float(chance.clamp(0.0, 1.0));
        let open = self.file.expr(Expr::Binary(Binary::LessEqual, drawn, chance));
        self.around(element, &[], Some(open))
    }

    pub(super) fn if_time(&mut self, element: Element<'a>) -> Result<(), Refused> {
        let open = self.since(element, "orNeverBeenSet")?;
        self.around(element, &[], Some(open))
    }

    pub(super) fn assert_time(&mut self, element: Element<'a>) -> Result<(), Refused> {
        filled(element, "since")?;
        let holds = self.since(element, "orNeverBeenSet")?;
        self.open("AssertTime", element.name_span(), &[], Some(holds));
        Ok(())
    }

    pub(super) fn wait_until_time(&mut self, element: Element<'a>) -> Result<(), Refused> {
        let over = self.since(element, "succeedIfNeverBeenSet")?;
        self.open("WaitUntilTime", element.name_span(), &[], Some(over));
        Ok(())
    }

    /// Adds the test whether a timestamp was set more, or less, than some time ago. The attribute
    /// `never` says if the test passes for a timestamp that was never set.
    fn since(&mut self, element: Element<'a>, never: &str) -> Result<ExprIndex, Refused> {
        let more = attribute(element, "isMoreThan");
        let less = attribute(element, "isLessThan");
        let (relation, limit) = match (more, less) {
            (Some(limit), _) => (Binary::Greater, limit),
            (None, Some(limit)) => (Binary::Less, limit),
            (None, None) => return Err(missing(element, "isMoreThan")),
        };
        if let (Some(_), Some(less)) = (more, less) {
            let message = "`isLessThan` is ignored, since there is `isMoreThan`";
            self.session.report(codes::IGNORED_ATTRIBUTE, less.name_span(), message, "use a node for each");
        }
        let limit = (attributes::number(self.session, limit, number::float) * SECOND).trunc();
        let never = attribute(element, never).is_some_and(|it| attributes::truth(self.session, it));
        let (name, span) = match attribute(element, "since") {
            Some(since) => (since.value(), since.value_span()),
            None => ("", element.name_span()),
        };
        Ok(self.compared(name, span, relation, limit, never))
    }

    fn compared(&mut self, name: &str, span: Span, relation: Binary, limit: f32, never: bool) -> ExprIndex {
        let Some(timestamp) = self.timestamps.find(name) else {
            let outcome = if never { "the time never counts" } else { "it is never true" };
            let finding = self.timestamps.unknown(&self.session.suggestions, name, span, outcome);
            self.session.diagnostics.push(finding);
            return self.file.expr(Expr::Truth(never));
        };
        let unset = never.then(|| {
            let set = self.file.expr(Expr::Noted(timestamp));
            self.file.expr(Expr::Not(set))
        });
        let elapsed = self.file.expr(Expr::Since(timestamp));
        let limit = self.float(limit);
        let holds = self.file.expr(Expr::Binary(relation, elapsed, limit));
        match unset {
            Some(unset) => self.file.expr(Expr::Binary(Binary::Or, unset, holds)),
            None => holds,
        }
    }
}
