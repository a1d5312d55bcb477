//! Host with random answers, which changes variables in the middle of its calls.

use pleach_compile::internals::ast::Value;
use pleach_compile::internals::ir::{Module, NodeIndex, Outcome, SlotKind};
use pleach_tests::random::draws::Draws;
use pleach_tests::reference::{Call, Frame, Halt, Host};

const NUMBERS: &[f64] = &[0.0, 1.0, -1.0, 2.0, 3.0, 5.0, 127.0, 0.5, f64::NAN, f64::INFINITY, 1e9];

/// Game of some agents.
pub(crate) struct Game<'m> {
    module: &'m Module,
    pub(crate) draws: Draws,
    /// Number of questions that are left in a tick. Later answers are failures.
    pub(crate) left: u32,
    /// Nodes that have ended, in order.
    pub(crate) ended: Vec<(NodeIndex, Outcome)>,
    /// Calls of the host in order, with their answers.
    pub(crate) heard: Vec<(Vec<u8>, String)>,
}

impl<'m> Game<'m> {
    pub(crate) fn new(module: &'m Module, seed: u64) -> Self {
        let (ended, heard) = Default::default();
        Self { module, draws: Draws::seeded(seed), left: 0, ended, heard }
    }

    /// Changes a random variable of an agent.
    pub(crate) fn meddle(&mut self, frame: &mut Frame) {
        let named = |slot: &usize| self.module.slots[*slot].name.is_some();
        let slots: Vec<_> = (0..self.module.slots.len()).filter(named).collect();
        if slots.is_empty() || !self.draws.one_in(4) {
            return;
        }
        let slot = self.draws.pick(&slots);
        let number = self.draws.pick(NUMBERS);
        match self.module.slots[slot].kind {
            SlotKind::Bit => frame.bits[slot] = number > 1.0,
            SlotKind::F32 => frame.numbers[slot] = number,
            SlotKind::I32 => frame.numbers[slot] = (number as i32).into(),
            SlotKind::I8 | SlotKind::U8 | SlotKind::I16 | SlotKind::U16 => {
                frame.numbers[slot] = (number as i32).clamp(0, 127).into();
            }
            _ => {}
        }
    }
}

impl Game<'_> {
    /// Notes a call. Texts are written out, because other programs number them in other ways.
    fn hear(&mut self, call: &Call<'_>, answer: &str) {
        let arg = |arg: &Value| match arg {
            Value::Text(text) => self.module.names.text(*text).into_owned(),
            other => format!("{other:?}"),
        };
        let args: Vec<_> = call.args.iter().map(arg).collect();
        self.heard.push((call.name.to_vec(), format!("{} {answer}", args.join(", "))));
    }
}

impl Host for Game<'_> {
    fn act(&mut self, frame: &mut Frame, call: &Call<'_>, fresh: bool) -> Outcome {
        self.meddle(frame);
        self.left = self.left.saturating_sub(1);
        let answer = match self.draws.below(9) {
            _ if self.left == 0 => Outcome::Failure,
            0..=2 => Outcome::Running,
            3..=5 => Outcome::Success,
            6..=7 => Outcome::Failure,
            _ => Outcome::Other(7),
        };
        self.hear(call, &format!("{fresh} {answer:?}"));
        answer
    }

    fn query(&mut self, frame: &mut Frame, call: &Call<'_>) -> f64 {
        self.meddle(frame);
        let answer = self.draws.pick(NUMBERS);
        self.hear(call, &format!("{answer:?}"));
        answer
    }

    fn halt(&mut self, _: &mut Frame, call: &Call<'_>, why: Halt) {
        self.hear(call, &format!("{why:?}"));
    }

    fn ended(&mut self, _: u32, node: NodeIndex, outcome: Outcome) {
        self.ended.push((node, outcome));
    }
}
