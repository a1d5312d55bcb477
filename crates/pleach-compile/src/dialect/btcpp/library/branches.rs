//! Controls that choose among their children.

use super::controls::counter;
use super::{Binary, Operation, Port, PortType, RUNS, Refused, SlotKind, Value, Way, Writer};
use crate::ast::{self, ExprIndex, Math};
use crate::dialect::btcpp::entries::Kind;
use crate::dialect::btcpp::values::{integer, real, truth};

/// Number of the child of a switch that runs, if none does: the children count from 1.
const NOBODY: f64 = 0.0;

impl Writer<'_, '_, '_, '_> {
    pub(super) fn if_then_else(&mut self) {
        let children = self.children();
        if !(2..=3).contains(&children.len()) {
            return self.list.jump(self.fault);
        }
        let place = self.cleared(SlotKind::U8);
        let [then, other, not] = [(); 3].map(|()| self.list.label());
        self.store(RUNS);
        self.if_equal(place, 1.0, then);
        if children.len() == 3 {
            self.if_equal(place, 2.0, other);
        }
        let [yes, running] = [self.list.label(), self.way(Way::Running)];
        self.tick_child(children[0], [not, yes, running, self.fault]);
        self.list.bind(not);
        if children.len() == 3 {
            self.set_number(place, 2.0);
            self.list.bind(other);
            self.branch(children[2], Some(place));
        } else {
            self.jump(Way::Failure);
        }
        self.list.bind(yes);
        self.set_number(place, 1.0);
        self.list.bind(then);
        self.branch(children[1], Some(place));
    }

    /// Ticks a child. When it has ended, all children are reset, and its status is that of the
    /// node.
    fn branch(&mut self, child: usize, place: Option<u32>) {
        let ways = [Way::Failure, Way::Success, Way::Skipped];
        let [failed, succeeded, skipped] = ways.map(|_| self.list.label());
        self.tick_child(child, [failed, succeeded, self.way(Way::Running), skipped]);
        for (way, label) in ways.into_iter().zip([failed, succeeded, skipped]) {
            self.list.bind(label);
            self.reset_all();
            if let Some(place) = place {
                self.set_number(place, 0.0);
            }
            self.jump(way);
        }
    }

    pub(super) fn while_do_else(&mut self, three: bool) {
        let children = self.children();
        if !(2..=3).contains(&children.len()) || three && children.len() != 3 {
            return self.list.jump(self.fault);
        }
        self.store(RUNS);
        let [yes, no, skipped] = [(); 3].map(|()| self.list.label());
        self.tick_child(children[0], [no, yes, self.way(Way::Running), skipped]);
        self.list.bind(no);
        match children.get(2) {
            Some(other) => {
                self.reset(children[1]);
                self.branch(*other, None);
            }
            None => {
                self.reset_all();
                self.jump(Way::Failure);
            }
        }
        self.list.bind(yes);
        if let Some(other) = children.get(2) {
            self.reset(*other);
        }
        self.branch(children[1], None);
        self.list.bind(skipped);
        self.reset_all();
        self.list.jump(self.fault);
    }

    pub(super) fn switch(&mut self, cases: usize) -> Result<(), Refused> {
        let children = self.children();
        if children.len() != cases + 1 {
            self.list.jump(self.fault);
            return Ok(());
        }
        let [runner, chosen] = [self.cleared(SlotKind::U8), self.variable(SlotKind::U8)];
        self.set_number(chosen, cases as f64 + 1.0);
        self.choose(cases, chosen)?;
        for (index, child) in children.iter().enumerate() {
            let number = index as f64 + 1.0;
            let kept = self.list.label();
            let runs = self.equals(runner, number);
            self.list.unless(runs, kept);
            self.if_equal(chosen, number, kept);
            self.reset(*child);
            self.list.bind(kept);
        }
        let entries = self.labels(children.len());
        for (index, entry) in entries.iter().enumerate().skip(1) {
            self.if_equal(chosen, index as f64 + 1.0, *entry);
        }
        let [failed, succeeded, skipped] = [(); 3].map(|()| self.list.label());
        for (index, child) in children.iter().enumerate() {
            let running = self.list.label();
            self.list.bind(entries[index]);
            self.tick_child(*child, [failed, succeeded, running, skipped]);
            self.list.bind(running);
            self.set_number(runner, index as f64 + 1.0);
            self.jump(Way::Running);
        }
        for (way, label) in [(Way::Failure, failed), (Way::Success, succeeded)] {
            self.list.bind(label);
            self.reset_all();
            self.set_number(runner, NOBODY);
            self.jump(way);
        }
        self.list.bind(skipped);
        self.set_number(runner, NOBODY);
        self.jump(Way::Skipped);
        Ok(())
    }

    /// Finds the first case that equals the variable.
    fn choose(&mut self, cases: usize, chosen: u32) -> Result<(), Refused> {
        let found = self.list.label();
        match self.port("variable") {
            Port::Missing => {}
            Port::Literal(text) => {
                let first = (1..=cases).find(|case| match self.port(&format!("case_{case}")) {
                    Port::Literal(case) => self.same(&case.text, &text.text),
                    _ => false,
                });
                if let Some(case) = first {
                    self.set_number(chosen, case as f64);
                }
            }
            Port::Entry(entry) => self.choose_entry(cases, chosen, entry, found)?,
        }
        self.list.bind(found);
        Ok(())
    }

    /// Finds the first case that equals an entry. Goes on at a label behind the first one.
    fn choose_entry(
        &mut self,
        cases: usize,
        chosen: u32,
        entry: usize,
        found: super::Label,
    ) -> Result<(), Refused> {
        let row = self.shared.slots.of(self.shared.builder, self.shared.entries, entry)?;
        let has = self.read(row.has);
        self.list.unless(has, found);
        let kind = self.shared.entries.list[entry].kind;
        let value = if kind == Kind::Text { self.read(row.value) } else { self.text_number(entry)? };
        for case in 1..=cases {
            let text = match self.port(&format!("case_{case}")) {
                Port::Missing => continue,
                Port::Literal(text) => text.text,
                Port::Entry(_) => {
                    let help = "write the value into the attribute";
                    return Err(self.not_carried("a case of a switch stands in an entry", help));
                }
            };
            let equal = match kind {
                Kind::Text => Some(self.equals_text(value, &text)?),
                // A real number is the text of its digits, which is no integer and so no enum.
                Kind::Double => real_of(&text).map(|number| self.nearly(value, number)),
                _ => self.number_of(&text).map(|number| self.nearly(value, number)),
            };
            let Some(equal) = equal else { continue };
            let next = self.list.label();
            self.list.unless(equal, next);
            self.set_number(chosen, case as f64);
            self.list.jump(found);
            self.list.bind(next);
        }
        Ok(())
    }

    /// Returns the condition that a text equals a case.
    fn equals_text(&mut self, text: ExprIndex, case: &str) -> Result<ExprIndex, Refused> {
        let number = self.number_of(case);
        if number.is_some() && !self.shared.entries.enums.is_empty() {
            let message = "a text that may be the name of a number is compared with a number";
            return Err(self.not_carried(message, "use names as cases"));
        }
        let case = self.shared.builder.text(case);
        let equal = self.shared.builder.binary(Binary::Equal, text, case);
        let Some(number) = number else { return Ok(equal) };
        // Other spellings of a number are equal to it.
        let spelled = self.shared.builder.file.expr(ast::Expr::Spelled(ast::Spelling::Whole, text));
        let near = self.nearly(spelled, number);
        Ok(self.shared.builder.binary(Binary::Or, equal, near))
    }

    /// Returns the number that the text of an entry stands for.
    fn text_number(&mut self, entry: usize) -> Result<ExprIndex, Refused> {
        let value = self.scripts().read(entry)?;
        let number = self.scripts().number(&value);
        if self.shared.entries.list[entry].kind != Kind::Double {
            return Ok(number);
        }
        // The text has six digits after the point.
        let builder = &mut self.shared.builder;
        let million = builder.number(1e6);
        let large = builder.math(Math::Multiply, number, million);
        let half = builder.number(0.5);
        let [up, down] = [Math::Add, Math::Subtract].map(|math| builder.math(math, large, half));
        let [up, down] = [up, down].map(|it| builder.file.expr(ast::Expr::ToLong(it)));
        let [up, down] = [up, down].map(|it| builder.file.expr(ast::Expr::FromLong(it)));
        let zero = builder.number(0.0);
        let [above, below] = [builder.math(Math::Max, up, zero), builder.math(Math::Min, down, zero)];
        let rounded = builder.math(Math::Add, above, below);
        Ok(builder.math(Math::Divide, rounded, million))
    }

    fn nearly(&mut self, number: ExprIndex, value: f64) -> ExprIndex {
        let value = self.shared.builder.number(value);
        self.shared.builder.nearly(number, value)
    }

    /// Returns the number that a whole text stands for.
    fn number_of(&self, text: &str) -> Option<f64> {
        if let Some(number) = self.shared.entries.enums.get(text) {
            return Some(f64::from(*number));
        }
        real_of(text)
    }

    /// Returns true if two texts are equal for a switch.
    fn same(&self, one: &str, other: &str) -> bool {
        let whole = |text: &str| {
            let int = integer(text).filter(|(_, rest)| rest.is_empty()).map(|(int, _)| int);
            int.or_else(|| self.shared.entries.enums.get(text).map(|it| i64::from(*it)))
        };
        match (whole(one), whole(other)) {
            (Some(left), Some(right)) if left == right => return true,
            _ => {}
        }
        let near = match (real_of(one), real_of(other)) {
            (Some(left), Some(right)) => (left - right).abs() <= f64::from(f32::EPSILON),
            _ => false,
        };
        one == other || near
    }

    pub(super) fn try_catch(&mut self) -> Result<(), Refused> {
        let children = self.children();
        let count = children.len() - 1;
        let (place, skips) = (self.cleared(counter(count)), self.cleared(counter(count + 1)));
        let catches = self.cleared(SlotKind::Bit);
        let begun = self.list.label();
        self.if_active(begun);
        self.set_number(skips, 0.0);
        self.set_bit(catches, false);
        self.list.bind(begun);
        self.store(RUNS);
        let catching = self.list.label();
        self.if_set(catches, catching);
        let entries = self.labels(count + 1);
        for (index, entry) in entries.iter().enumerate().take(count).skip(1) {
            self.if_equal(place, index as f64, *entry);
        }
        let failed = self.list.label();
        for (index, child) in children[..count].iter().enumerate() {
            let [passed, skipped] = [self.list.label(), self.list.label()];
            self.list.bind(entries[index]);
            self.tick_child(*child, [failed, passed, self.way(Way::Running), skipped]);
            self.list.bind(skipped);
            self.add_to(skips, 1.0);
            self.list.bind(passed);
            self.set_number(place, index as f64 + 1.0);
            self.list.jump(entries[index + 1]);
        }
        self.list.bind(entries[count]);
        self.reset_all();
        self.set_number(place, 0.0);
        self.end_unless_skipped(skips, count, Way::Success);
        self.list.bind(failed);
        self.reset_all();
        self.set_number(place, 0.0);
        self.set_bit(catches, true);
        self.list.bind(catching);
        let ended = self.list.label();
        self.tick_child(children[count], [ended, ended, self.way(Way::Running), ended]);
        self.list.bind(ended);
        self.reset_all();
        self.set_bit(catches, false);
        self.jump(Way::Failure);
        Ok(())
    }

    /// Halts a `TryCatch`. Its last child may be ticked once, if it was not yet in its turn.
    pub(super) fn halt_try_catch(&mut self) -> Result<(), Refused> {
        let Some((catches, _)) = self.cleared.last().copied() else { return Ok(()) };
        let plain = self.list.label();
        let wanted = match self.flag("catch_on_halt")? {
            Flag::Always(is) => is,
            Flag::Entry(truth) => {
                self.list.unless(truth, plain);
                true
            }
        };
        if wanted {
            let children = self.children();
            let (last, block) = (children[children.len() - 1], &children[..children.len() - 1]);
            self.if_set(catches, plain);
            let active = self.shared.builder.status_in(self.node, RUNS, super::FAILED);
            self.list.unless(active, plain);
            block.iter().for_each(|child| self.reset(*child));
            let ended = self.list.label();
            self.tick_child(last, [ended; 4]);
            self.list.bind(ended);
            self.reset(last);
        }
        self.list.bind(plain);
        self.reset_all();
        Ok(())
    }

    /// Returns a port that is a truth. Without a readable value it is its default.
    pub(super) fn flag(&mut self, name: &str) -> Result<Flag, Refused> {
        let default = Flag::Always(name == "then_skip");
        Ok(match self.port(name) {
            Port::Missing => default,
            Port::Literal(text) => truth(&text.text).map_or(default, Flag::Always),
            Port::Entry(entry) => {
                let result = self.variable(SlotKind::Bit);
                self.set_bit(result, name == "then_skip");
                let unread = self.list.label();
                let value = self.read_port(entry, PortType::Bool, unread)?;
                if let Value::Bool(truth) = value {
                    self.list.push(Operation::Set(result, truth));
                }
                self.list.bind(unread);
                Flag::Entry(self.read(result))
            }
        })
    }
}

/// A port that is a truth.
pub(super) enum Flag {
    Always(bool),
    Entry(ExprIndex),
}

/// Returns the real number that a whole text stands for.
fn real_of(text: &str) -> Option<f64> {
    real(text).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
}
