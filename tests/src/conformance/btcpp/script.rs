//! World of a case: leaves answer as the case says, and their calls are recorded.

use crate::conformance::engine::{Arg, Call, Halt, World};
use pleach_compile::internals::ir::{NodeIndex, Outcome};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Number of the status of a leaf that is skipped.
const SKIPPED: i32 = 4;
/// Number of a status that no leaf may have.
const ILLEGAL: i32 = 5;

#[derive(Default)]
pub(super) struct Script {
    answers: HashMap<String, VecDeque<String>>,
    pub(super) calls: Vec<String>,
    /// Changes of the statuses of nodes.
    pub(super) changes: Vec<(NodeIndex, u8, u8)>,
    /// True if the leaf that was asked last has set the wake-up flag.
    woke: bool,
    /// Texts of the program by their numbers.
    texts: Vec<Vec<u8>>,
    /// Value that the leaf that was asked last gives.
    given: Option<f64>,
}

impl Script {
    /// Returns a world in which no leaf has been asked. `texts` are those of the program.
    pub(super) fn new(texts: Vec<Vec<u8>>) -> Self {
        Self { texts, ..Self::default() }
    }

    /// Returns the number of a text.
    pub(super) fn number(&self, text: &[u8]) -> Option<f64> {
        self.texts.iter().position(|it| it == text).map(|it| it as f64)
    }

    /// Returns the text with a number.
    pub(super) fn text(&self, number: f64) -> Option<&[u8]> {
        self.texts.get(number as usize).map(|text| &**text)
    }

    /// Changes answers.
    pub(super) fn learn(&mut self, leaves: &BTreeMap<String, Value>) {
        for (leaf, answer) in leaves {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let answers = match answer {
                Value::Array(list) => list.iter().map(text).collect(),
                one => VecDeque::from([text(one)]),
            };
            self.answers.insert(leaf.clone(), answers);
        }
    }

    fn answer(&mut self, leaf: &str, default: Outcome) -> Outcome {
        let Some(answers) = self.answers.get_mut(leaf) else { return default };
        let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        let answer = answer.unwrap_or_default();
        self.woke = answer == "wake";
        match &*answer {
            "success" => Outcome::Success,
            "failure" => Outcome::Failure,
            "running" | "wake" => Outcome::Running,
            "skipped" => Outcome::Other(SKIPPED),
            _ => Outcome::Other(ILLEGAL),
        }
    }
}

/// Returns a value as the cases write it.
fn written(arg: &Arg<'_>, kind: &str) -> String {
    match *arg {
        Arg::Int(int) if kind.ends_with("Bool") => (int != 0).to_string(),
        Arg::Int(int) => int.to_string(),
        Arg::Float(float) => Value::from(f64::from(float)).to_string(),
        Arg::Int64(int) => int.to_string(),
        Arg::Double(double) if kind == "GetUInt" => double.to_string(),
        Arg::Double(double) if double.is_nan() => "nan".to_owned(),
        Arg::Double(double) if double.is_infinite() => if double > 0.0 { "inf" } else { "-inf" }.to_owned(),
        Arg::Double(double) => Value::from(double).to_string(),
        Arg::Text(text) => Value::from(String::from_utf8_lossy(text)).to_string(),
        Arg::Out => String::new(),
    }
}

fn number(arg: &Arg<'_>) -> f64 {
    match *arg {
        Arg::Int(int) => int.into(),
        Arg::Float(float) => float.into(),
        Arg::Int64(int) => int as f64,
        Arg::Double(double) => double,
        Arg::Text(_) | Arg::Out => 0.0,
    }
}

fn name(call: &Call<'_>) -> String {
    match call.args.first() {
        Some(Arg::Text(name)) => String::from_utf8_lossy(name).into_owned(),
        _ => String::new(),
    }
}

/// Returns the word of the recorded cases for a call of a node.
fn began(kind: &str, fresh: bool) -> &'static str {
    match (kind, fresh) {
        ("Act" | "AskInt", true) => "start",
        ("Act" | "AskInt", false) => "run",
        _ => "tick",
    }
}

impl World for Script {
    fn act(&mut self, _: usize, call: &Call<'_>) -> Outcome {
        let (kind, name) = (String::from_utf8_lossy(call.name).into_owned(), name(call));
        let given = |index: usize| number(&call.args[index]) != 0.0;
        let (mut default, mut text) = (Outcome::Success, String::new());
        self.given = None;
        let either = |port: &str, index: usize, is: usize| match given(is) {
            true => format!(" {port}={}", written(&call.args[index], &kind)),
            false => format!(" {port}=!"),
        };
        let port = |port: &str, index: usize| either(port, index, index + 1);
        match &*kind {
            "Act" => default = Outcome::Running,
            "AskInt" => {
                default = Outcome::Running;
                text = format!(" value={}", written(&call.args[1], &kind));
            }
            "Do" | "Check" => {}
            "GetDefault" => {
                let ports = [("number", 5, 3), ("word", 6, 4), ("key", 7, 1), ("same", 8, 2)];
                text = ports.map(|(port, index, is)| either(port, index, is)).concat();
            }
            "PutInt" | "PutDouble" | "PutBool" | "PutString" => {
                text = port("to", 1);
                let value = match call.args[1] {
                    Arg::Text(text) => self.number(text),
                    ref arg => Some(number(arg)),
                };
                self.given = value.filter(|_| given(2));
                if !given(4) {
                    text += " !";
                }
                if !given(4) || !given(2) {
                    default = Outcome::Failure;
                }
            }
            "AddOne" => {
                text = port("value", 1);
                self.given = Some(number(&call.args[1]) + 1.0).filter(|_| given(2));
                let written = call.args[3] == Arg::Out;
                if given(2) && !written {
                    text += " !";
                }
                if !given(2) || !written {
                    default = Outcome::Failure;
                }
            }
            _ => {
                text = port("value", 1);
                if !given(2) {
                    default = Outcome::Failure;
                }
            }
        }
        self.calls.push(format!("{} {name}{text}", began(&kind, call.fresh)));
        self.woke = false;
        self.answer(&name, default)
    }

    fn give(&mut self, _: usize, call: &Call<'_>, _: usize) -> Option<f64> {
        match call.name {
            b"Act" | b"AskInt" => self.woke.then_some(1.0),
            _ => self.given,
        }
    }

    fn query(&mut self, _: usize, _: &Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, _: usize, call: &Call<'_>, why: Halt) {
        if why == Halt::Interrupted {
            self.calls.push(format!("halt {}", name(call)));
        }
    }

    fn changed(&mut self, _: usize, node: NodeIndex, from: u8, to: u8) {
        self.changes.push((node, from, to));
    }
}
