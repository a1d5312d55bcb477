//! Controls that choose among their children.

use super::controls::counter;
use super::{Binary, Label, Operation, Port, PortType, RUNS, Refused, SlotKind, Value, Way, Writer};
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
        let variable = self.operand("variable", found)?;
        for case in 1..=cases {
            let next = self.list.label();
            let case_operand = self.operand(&format!("case_{case}"), next)?;
            if let (Some(variable), Some(operand)) = (&variable, &case_operand)
                && let Some(equal) = self.equal_operands(variable, operand)?
            {
                self.list.unless(equal, next);
                self.set_number(chosen, case as f64);
                self.list.jump(found);
            }
            self.list.bind(next);
        }
        self.list.bind(found);
        Ok(())
    }

    /// Returns a port that a switch compares, if the node has it. Goes on at a label if its entry
    /// has no value.
    fn operand(&mut self, port: &str, unread: Label) -> Result<Option<Operand>, Refused> {
        let entry = match self.port(port) {
            Port::Missing => return Ok(None),
            Port::Literal(text) => return Ok(Some(Operand::Known(text.text))),
            Port::Entry(entry) => entry,
        };
        let row = self.shared.slots.of(self.shared.builder, self.shared.entries, entry);
        let has = self.read(row.has);
        self.list.unless(has, unread);
        Ok(Some(match self.shared.entries.list[entry].kind {
            Kind::Text => Operand::Text(self.read(row.value)),
            kind => Operand::Number(kind, self.text_number(entry)?),
        }))
    }

    /// Returns the condition that two operands are equal for a switch, unless they never are.
    fn equal_operands(&mut self, one: &Operand, other: &Operand) -> Result<Option<ExprIndex>, Refused> {
        use Operand::{Known, Number, Text};
        let mixed = "a text that may be the name of a number is compared with a number";
        Ok(match (one, other) {
            (Known(one), Known(other)) => {
                let same = if self.is_old() { one == other } else { self.same(one, other) };
                same.then(|| self.shared.builder.truth(true))
            }
            (Text(text), Known(known)) | (Known(known), Text(text)) => Some(self.equals_text(*text, known)?),
            (Number(kind, number), Known(known)) | (Known(known), Number(kind, number)) => {
                self.case_number(*kind, known).map(|known| self.nearly(*number, known))
            }
            (Number(kind, one), Number(other_kind, other)) => {
                let alike = (*kind == Kind::Double) == (*other_kind == Kind::Double);
                (alike || !self.is_old()).then(|| self.shared.builder.nearly(*one, *other))
            }
            (Text(text), Number(_, number)) | (Number(_, number), Text(text)) => {
                if self.is_old() || !self.shared.entries.enums.is_empty() {
                    return Err(self.not_carried(mixed, "compare texts with texts"));
                }
                let spelled = self.spelled_whole(*text);
                Some(self.shared.builder.nearly(spelled, *number))
            }
            (Text(one), Text(other)) => {
                let equal = self.shared.builder.binary(Binary::Equal, *one, *other);
                if self.is_old() {
                    return Ok(Some(equal));
                }
                if !self.shared.entries.enums.is_empty() {
                    return Err(self.not_carried(mixed, "write the cases into the attributes"));
                }
                let [one, other] = [*one, *other].map(|it| self.spelled_whole(it));
                let near = self.shared.builder.nearly(one, other);
                Some(self.shared.builder.binary(Binary::Or, equal, near))
            }
        })
    }

    /// Returns the number that a text spells from its first to its last character.
    fn spelled_whole(&mut self, text: ExprIndex) -> ExprIndex {
        self.shared.builder.file.expr(ast::Expr::Spelled(ast::Spelling::Whole, text))
    }

    /// Returns the number that a case stands for beside an entry of numbers. Version 3 compares the
    /// texts.
    fn case_number(&self, kind: Kind, case: &str) -> Option<f64> {
        // A real number is the text of its digits, which is no integer and so no enum.
        let is_real = matches!(kind, Kind::Double | Kind::Number);
        let number = if is_real { real_of(case) } else { self.number_of(case) }?;
        let spelled = || if is_real { format!("{number:.6}") } else { number.to_string() };
        (!self.is_old() || spelled() == case).then_some(number)
    }

    /// Returns the condition that a text equals a case.
    fn equals_text(&mut self, text: ExprIndex, case: &str) -> Result<ExprIndex, Refused> {
        let number = self.number_of(case).filter(|_| !self.is_old());
        if number.is_some() && !self.shared.entries.enums.is_empty() {
            let message = "a text that may be the name of a number is compared with a number";
            return Err(self.not_carried(message, "use names as cases"));
        }
        let case = self.shared.builder.text(case);
        let equal = self.shared.builder.binary(Binary::Equal, text, case);
        let Some(number) = number else { return Ok(equal) };
        // Other spellings of a number are equal to it.
        let spelled = self.spelled_whole(text);
        let near = self.nearly(spelled, number);
        Ok(self.shared.builder.binary(Binary::Or, equal, near))
    }

    /// Returns the number that the text of an entry stands for.
    fn text_number(&mut self, entry: usize) -> Result<ExprIndex, Refused> {
        let kind = self.shared.entries.list[entry].kind;
        if kind == Kind::Number && !self.shared.entries.enums.is_empty() {
            let message = "a number that may be an integer is compared with names of numbers";
            return Err(self.not_carried(message, "use entries of one type"));
        }
        let value = self.scripts().read(entry);
        let number = self.scripts().number(&value);
        if !matches!(kind, Kind::Double | Kind::Number) {
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

/// A port that a switch compares.
enum Operand {
    Known(String),
    /// Text of an entry.
    Text(ExprIndex),
    /// Number that the text of an entry of numbers stands for.
    Number(Kind, ExprIndex),
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
