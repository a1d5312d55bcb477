//! Replay of a case on an engine, step by step.

use super::case::{Case, Must, Step, Ticks};
use super::script::Script;
use crate::conformance::engine::{Engine, Settlers, Society, Ticked};
use pleach_compile::internals::ir::{Module, NodeIndex, Outcome, Slot, SlotKind};
use serde_json::Value;
use std::collections::BTreeMap;

/// Values of the variable by which the host says what a tick is.
mod request {
    pub(super) const EXACTLY_ONCE: f64 = 0.0;
    pub(super) const ONCE: f64 = 1.0;
    pub(super) const HALT: f64 = 2.0;
    pub(super) const TIMERS: f64 = 3.0;
}

/// Most ticks of a step.
const MOST: usize = 100_000;

/// Plays all steps. Fails with the first difference. If `watched` is true, each agent is watched
/// while it is ticked.
pub(super) fn play(case: &Case, module: &Module, engine: &dyn Engine, watched: bool) -> Result<(), String> {
    let entry = module.names.text(module.blocks[module.entries[0] as usize].name).into_owned();
    let settlers = Settlers { groups: &[0], entry: &entry, seed: 0, chance: None };
    let society = engine.settle(module, &settlers)?;
    let texts = module.texts.iter().map(|text| module.names.bytes(*text).to_vec()).collect();
    let script = Script::new(texts);
    let is_heard = (watched || engine.name() == "reference") && !case.is_old();
    let mut play = Play { module, society, script, now: 0, is_heard, watched };
    for (name, value) in &case.initial {
        play.set(name, value);
    }
    for (index, step) in case.steps.iter().enumerate() {
        play.step(step).map_err(|why| format!("step {index}: {why}"))?;
    }
    Ok(())
}

struct Play<'m> {
    module: &'m Module,
    society: Box<dyn Society + 'm>,
    script: Script,
    /// Time in milliseconds.
    now: i64,
    /// True if changes of statuses are compared: the engine tells all of them, and the case has the
    /// form of version 4.
    is_heard: bool,
    /// True if each agent is watched.
    watched: bool,
}

impl Play<'_> {
    fn step(&mut self, step: &Step) -> Result<(), String> {
        self.now = step.time();
        let mut result = self.tick(request::TIMERS).map(Some);
        for (name, value) in &step.set_variables {
            if !step.expected.set_errors.contains(name) {
                self.set(name, value);
            }
        }
        self.script.learn(&step.leaves);
        if step.halt && result.is_ok() {
            result = self.tick(request::HALT).map(Some);
        }
        if step.wake {
            self.society.set(0, "@wake", 1.0);
        }
        if result.is_ok() {
            result = match step.ticks() {
                Ticks::ExactlyOnce => self.tick(request::EXACTLY_ONCE).map(Some),
                Ticks::Once => self.tick(request::ONCE).map(Some),
                Ticks::WhileRunning(sleep) => self.while_running(sleep),
                Ticks::None => self.tick(request::TIMERS).map(|outcome| match outcome {
                    Outcome::Failure => None,
                    outcome => Some(outcome),
                }),
            };
        }
        let root = match result {
            Ok(None) => "idle",
            Ok(Some(Outcome::Running)) => "running",
            Ok(Some(Outcome::Success)) => "success",
            Ok(Some(Outcome::Failure)) => "failure",
            Ok(Some(Outcome::Other(_))) => "skipped",
            Err(_) => "exception",
        };
        self.check(root, &step.expected)
    }

    fn tick(&mut self, request: f64) -> Ticked<Outcome> {
        self.society.set(0, "@request", request);
        let tick = if self.watched { Society::tick_watched } else { Society::tick };
        Ok(tick(&mut *self.society, self.now, &mut self.script)?[0])
    }

    /// Ticks while the tree runs, and sleeps in between.
    fn while_running(&mut self, sleep: i64) -> Ticked<Option<Outcome>> {
        for _ in 0..MOST {
            let outcome = self.tick(request::ONCE)?;
            if outcome != Outcome::Running {
                return Ok(Some(outcome));
            }
            for _ in 0..sleep {
                self.now += 1;
                self.tick(request::TIMERS)?;
                if self.society.get(0, "@wake") == Some(1.0) {
                    self.society.set(0, "@wake", 0.0);
                    break;
                }
            }
        }
        Err("the tree never ends".to_owned())
    }

    /// Writes an entry of the root blackboard.
    fn set(&mut self, name: &str, value: &Value) {
        let number = match value {
            Value::Bool(is) => Some(f64::from(u8::from(*is))),
            Value::String(text) => self.converted(name, text),
            value => value.as_f64(),
        };
        let (has, count) = (format!("{name}?"), format!("{name}#"));
        if self.society.get(0, name).is_none() {
            return;
        }
        let writes = self.society.get(0, &count);
        match number {
            Some(number) => {
                self.society.set(0, name, number);
                self.society.set(0, &has, 1.0);
                if let Some(writes) = writes {
                    self.society.set(0, &count, writes + 1.0);
                }
            }
            None => {
                self.society.set(0, &has, 0.0);
                if writes.is_some() {
                    self.society.set(0, &count, 0.0);
                }
            }
        }
    }

    /// Returns the number that the host's text becomes in a typed entry.
    fn converted(&self, name: &str, text: &str) -> Option<f64> {
        let named = |slot: &Slot| slot.name.is_some_and(|it| self.module.names.text(it) == name);
        let slot = self.module.slots.iter().find(|slot| named(slot))?;
        if slot.kind == SlotKind::Text {
            return self.script.number(text.as_bytes());
        }
        let number = |more: &str| text.find(|it: char| !it.is_ascii_digit() && !more.contains(it));
        match slot.kind {
            SlotKind::Bit => Some(f64::from(u8::from(matches!(text, "1" | "true" | "TRUE" | "True")))),
            SlotKind::I64 => text[..number("-").unwrap_or(text.len())].parse().ok(),
            _ => text[..number("-.e").unwrap_or(text.len())].parse().ok(),
        }
    }

    fn check(&mut self, root: &str, must: &Must) -> Result<(), String> {
        let calls = core::mem::take(&mut self.script.calls);
        let changes = core::mem::take(&mut self.script.changes);
        same("what was called", &calls, &must.calls)?;
        same("the root", root, &*must.root)?;
        self.entries("", &must.variables)?;
        for (scope, entries) in &must.scopes {
            self.entries(&format!("{scope}/"), entries)?;
        }
        if let Some(time) = must.time() {
            same("the time", &self.now, &time)?;
        }
        if let Some(transitions) = must.transitions.as_ref().filter(|_| self.is_heard) {
            let changes: Vec<_> = changes.iter().map(|it| self.transition(*it)).collect();
            same("the changes of statuses", &changes, transitions)?;
        }
        Ok(())
    }

    fn transition(&self, (node, from, to): (NodeIndex, u8, u8)) -> String {
        const STATUSES: [&str; 4] = ["idle", "running", "success", "failure"];
        let path = self.module.ids.iter().find(|id| id.node == node);
        let path = path.map_or_else(String::new, |id| self.module.names.text(id.name).into_owned());
        format!("{path} {}>{}", STATUSES[usize::from(from)], STATUSES[usize::from(to)])
    }

    fn is_text(&self, name: &str) -> bool {
        let named = |slot: &Slot| slot.name.is_some_and(|it| self.module.names.text(it) == name);
        self.module.slots.iter().any(|slot| slot.kind == SlotKind::Text && named(slot))
    }

    /// Compares the entries of a blackboard.
    fn entries(&self, scope: &str, must: &BTreeMap<String, Value>) -> Result<(), String> {
        for (name, value) in must {
            let name = format!("{scope}{name}");
            let has = self.society.get(0, &format!("{name}?")) == Some(1.0);
            let is = self.society.get(0, &name).filter(|_| has);
            let must = match value {
                Value::Bool(is) => Some(f64::from(u8::from(*is))),
                Value::String(text) if self.is_text(&name) => {
                    let known = is.and_then(|number| self.script.text(number));
                    if known == Some(text.as_bytes()) {
                        continue;
                    }
                    return Err(format!("{name} is {known:?}, not {text:?}"));
                }
                Value::String(text) if text == "true" || text == "false" => {
                    Some(f64::from(u8::from(text == "true")))
                }
                Value::String(text) => text.parse().ok(),
                value => value.as_f64(),
            };
            let equal = match (is, must) {
                (Some(is), Some(must)) => is == must || is.is_nan() && must.is_nan(),
                (is, must) => is == must,
            };
            if !equal {
                return Err(format!("{name} is {is:?}, not {value}"));
            }
        }
        Ok(())
    }
}

fn same<T: PartialEq + core::fmt::Debug + ?Sized>(what: &str, is: &T, must: &T) -> Result<(), String> {
    if is == must { Ok(()) } else { Err(format!("{what} is {is:?}, not {must:?}")) }
}
