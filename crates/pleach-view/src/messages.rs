//! Messages of the server, see `spec/view.md`. Each message is complete in itself.

use crate::Finding;
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// Statuses of agents beyond those of nodes.
pub(crate) const FAULT: u32 = 4;
pub(crate) const NOT_TICKED: u32 = 5;

/// Largest whole number that is written as an integer.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Number that may be outside the range of JSON.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number(pub(crate) f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(number) = *self;
        if !number.is_finite() {
            serializer.collect_str(&number)
        } else if number.fract() == 0.0 && number.abs() <= MOST_WHOLE {
            serializer.serialize_i64(number as i64)
        } else if f64::from(number as f32) == number {
            // The shortest form that gives the number back.
            serializer.serialize_f32(number as f32)
        } else {
            serializer.serialize_f64(number)
        }
    }
}

/// Description of the server and of the commands that it accepts.
#[derive(Debug, Serialize)]
pub(crate) struct Hello<'a> {
    pub(crate) protocol: u32,
    pub(crate) version: &'a str,
    pub(crate) title: &'a str,
    pub(crate) mode: &'a str,
    pub(crate) can: Vec<&'a str>,
}

/// State of the clock.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct State {
    pub(crate) tick: u64,
    pub(crate) now: i64,
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) paused: bool,
    pub(crate) rate: Option<Number>,
    pub(crate) speed: Number,
    pub(crate) agents: usize,
    pub(crate) held: Vec<usize>,
    pub(crate) breaks: Vec<Stop>,
    pub(crate) forced: Vec<(usize, u32, u32)>,
}

/// Breakpoint of an agent, or place where it has stopped.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Stop {
    pub(crate) agent: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) node: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) variable: Option<u32>,
}

/// Report of an agent that has stopped.
#[derive(Debug, Serialize)]
pub(crate) struct Stopped {
    pub(crate) revision: u32,
    pub(crate) tick: u64,
    #[serde(flatten)]
    pub(crate) stop: Stop,
}

/// Indices and trees of all agents.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct Agents {
    pub(crate) revision: u32,
    pub(crate) index: Vec<usize>,
    pub(crate) tree: Vec<usize>,
}

/// Statuses and nodes of all agents.
#[derive(Debug, Serialize)]
pub(crate) struct Rows<'a> {
    pub(crate) revision: u32,
    pub(crate) tick: u64,
    pub(crate) now: i64,
    pub(crate) asked: bool,
    pub(crate) status: &'a str,
    pub(crate) node: &'a [u16],
}

/// Statuses and nodes of one agent in the ticks with lists, column by column.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct Past {
    pub(crate) revision: u32,
    pub(crate) agent: usize,
    pub(crate) tick: Vec<u64>,
    pub(crate) now: Vec<i64>,
    pub(crate) status: String,
    pub(crate) node: Vec<u16>,
}

/// Tick of an agent.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Moment {
    pub(crate) revision: u32,
    pub(crate) tick: u64,
    pub(crate) now: i64,
    pub(crate) agent: usize,
    pub(crate) status: u32,
    pub(crate) outcome: String,
    pub(crate) walked: bool,
    pub(crate) nodes: Vec<(u32, u32, usize, u8, Option<u8>)>,
    pub(crate) values: Vec<(u32, String, Number)>,
    pub(crate) variables: Vec<Option<Number>>,
    pub(crate) shared: Vec<Option<Number>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tunables: Vec<Option<Number>>,
    pub(crate) events: Vec<String>,
    pub(crate) said: Vec<(u32, &'static str, String)>,
}

/// A [`Moment`], with a flag that is true if it answers a request.
#[derive(Debug, Serialize)]
pub(crate) struct Asked<'a, T> {
    #[serde(flatten)]
    pub(crate) what: &'a T,
    pub(crate) asked: bool,
}

/// Counts of nodes, column by column.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) revision: u32,
    pub(crate) tick: u64,
    pub(crate) ticks: u64,
    pub(crate) every: u32,
    pub(crate) entries: Vec<u64>,
    pub(crate) successes: Vec<u64>,
    pub(crate) failures: Vec<u64>,
    pub(crate) others: Vec<u64>,
    pub(crate) aborts: Vec<u64>,
    pub(crate) running: Vec<u64>,
    pub(crate) time: Vec<u64>,
    pub(crate) calls: Vec<u64>,
}

/// Report of a reload.
#[derive(Debug, Serialize)]
pub(crate) struct Reloaded<'a> {
    pub(crate) revision: u32,
    /// First tick to which the page can go back.
    pub(crate) tick: u64,
    pub(crate) kept: usize,
    pub(crate) reset: usize,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) lost: &'a [String],
    pub(crate) text: String,
}

#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Reason {
    pub(crate) why: String,
    pub(crate) count: usize,
}

/// Errors of edited files.
#[derive(Debug, Serialize)]
pub(crate) struct Trouble<'a> {
    pub(crate) findings: Vec<Placed<'a>>,
    pub(crate) texts: Vec<Edited<'a>>,
}

/// Finding, with the index of its file among those of the program.
#[derive(Debug, Serialize)]
pub(crate) struct Placed<'a> {
    #[serde(flatten)]
    pub(crate) finding: &'a Finding,
    pub(crate) place: Option<usize>,
}

/// Current text of a file, with its index among those of the program.
#[derive(Debug, Serialize)]
pub(crate) struct Edited<'a> {
    pub(crate) file: usize,
    pub(crate) text: &'a str,
}

#[derive(Serialize)]
struct Typed<'a, T> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(flatten)]
    fields: &'a T,
}

/// Returns a message as text.
pub(crate) fn text<T: Serialize>(kind: &str, fields: &T) -> Arc<str> {
    // Serialization of structs of numbers, texts and lists cannot fail.
    serde_json::to_string(&Typed { kind, fields }).unwrap_or_default().into()
}

/// Returns the answer to a command. `id` is null if the page has sent no number.
pub(crate) fn answer(id: Option<u64>, done: Result<(), String>) -> Arc<str> {
    answer_with(id, done, &serde_json::Map::new())
}

/// Returns the answer to a command, with the fields of `details`.
pub(crate) fn answer_with(id: Option<u64>, done: Result<(), String>, details: &impl Serialize) -> Arc<str> {
    #[derive(Serialize)]
    struct Answer<'a, T> {
        id: Option<u64>,
        ok: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        #[serde(flatten)]
        details: &'a T,
    }
    text("answer", &Answer { id, ok: done.is_ok(), error: done.err(), details })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_json_can_say() {
        let numbers = [1.0, -0.5, f64::from(0.1_f32), f64::NAN, f64::NEG_INFINITY, 1e300];
        let text = serde_json::to_string(&numbers.map(Number)).expect("numbers");
        assert_eq!(text, r#"[1,-0.5,0.1,"NaN","-inf",1e+300]"#);
    }

    #[test]
    fn messages_have_a_type_first() {
        let stop = Stop { agent: 3, node: Some(7), variable: None };
        let text = text("stopped", &Stopped { revision: 1, tick: 5, stop });
        assert_eq!(&*text, r#"{"type":"stopped","revision":1,"tick":5,"agent":3,"node":7}"#);
        assert_eq!(
            &*answer(Some(1), Err("no".to_owned())),
            r#"{"type":"answer","id":1,"ok":false,"error":"no"}"#
        );
    }
}
