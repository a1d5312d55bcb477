//! Form of the cases, field by field.

use pleach_compile::internals::ir::Outcome;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Printout of a tree.
#[derive(Deserialize)]
pub(super) struct Dump {
    /// Name of the tree: `folder/tree`.
    pub(super) name: String,
    /// True if the tree loads.
    pub(super) ok: bool,
    /// Text of the printout.
    pub(super) dump: String,
}

/// Tree with the ticks of its trace.
#[derive(Deserialize)]
pub(super) struct Trace {
    pub(super) source: Source,
    load: Load,
    pub(super) dump: Option<String>,
    /// Signal by which the original crashed on this tree.
    crash_signal: Option<i32>,
    #[serde(default)]
    pub(super) ticks: Vec<Tick>,
}

impl Trace {
    /// Returns true if the tree must load. A tree that made the original crash must be an error
    /// here.
    pub(super) fn loads(&self) -> bool {
        self.load.ok == Some(true) && self.crash_signal.is_none()
    }

    /// Returns all trees that agents of this trace run: the entry, and the trees that they switch
    /// to.
    pub(super) fn entries(&self, entry: &str) -> Vec<String> {
        let mut entries = vec![entry.to_owned()];
        for op in self.ticks.iter().flat_map(|tick| &tick.ops) {
            if let Op::Behavior(_, tree) = op
                && !entries.contains(tree)
            {
                entries.push(tree.clone());
            }
        }
        entries
    }

    /// Returns the number of agents.
    pub(super) fn agents(&self) -> usize {
        let ops = self.ticks.iter().flat_map(|tick| &tick.ops).map(Op::agent);
        let ticks = self.ticks.iter().map(|tick| tick.agent);
        ops.chain(ticks).max().unwrap_or(0) + 1
    }
}

/// Place of the trees.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Source {
    /// In the case itself, by name.
    Inline { files: BTreeMap<String, String>, entry: String },
    /// In a folder of the corpus.
    Corpus { dir: String, entry: String },
}

#[derive(Deserialize)]
struct Load {
    /// Result of loading. `None` if the original crashed before.
    ok: Option<bool>,
}

/// Evaluation of one agent.
#[derive(Deserialize)]
pub(super) struct Tick {
    #[serde(rename = "time_ms")]
    pub(super) time: i64,
    #[serde(default)]
    pub(super) agent: usize,
    #[serde(default)]
    pub(super) kind: Which,
    /// Operations before the evaluation.
    #[serde(default)]
    pub(super) ops: Vec<Op>,
    /// Changed answers.
    #[serde(default)]
    pub(super) leaves: BTreeMap<String, Answer>,
    /// Status of the root. `None` if there was no tree to run, or the status was -1.
    root_status: Option<Answer>,
    /// Running set afterwards, as node ids.
    pub(super) running: Vec<String>,
    pub(super) calls: Vec<Made>,
    pub(super) class_selection: Option<i32>,
    pub(super) weapon_selection: Option<i32>,
}

impl Tick {
    /// Returns the expected status of the tree; `None` as for `root_status`.
    pub(super) fn status(&self) -> Option<Outcome> {
        match self.root_status {
            Some(Answer::Status(status)) => Some(status),
            _ => None,
        }
    }
}

/// Tree of a behavior that is run.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Which {
    #[default]
    Main,
    SelectClass,
}

/// Operation on an agent from outside.
#[derive(Deserialize)]
#[serde(try_from = "Vec<Value>")]
pub(super) enum Op {
    Alive(usize, bool),
    Reset(usize),
    Queued(usize, bool),
    Team(usize, i64),
    Behavior(usize, String),
}

impl Op {
    fn agent(&self) -> usize {
        match *self {
            Self::Alive(agent, _)
            | Self::Reset(agent)
            | Self::Queued(agent, _)
            | Self::Team(agent, _)
            | Self::Behavior(agent, _) => agent,
        }
    }

    fn read(op: &[Value]) -> Option<Self> {
        let agent = usize::try_from(op.get(1)?.as_u64()?).ok()?;
        let flag = || Some(op.get(2)?.as_i64()? != 0);
        Some(match op.first()?.as_str()? {
            "ALIVE" => Self::Alive(agent, flag()?),
            "RESET" => Self::Reset(agent),
            "QUEUED" => Self::Queued(agent, flag()?),
            "TEAM" => Self::Team(agent, op.get(2)?.as_i64()?),
            "BEHAVIOR" => Self::Behavior(agent, op.get(2)?.as_str()?.to_owned()),
            _ => return None,
        })
    }
}

impl TryFrom<Vec<Value>> for Op {
    type Error = String;

    fn try_from(op: Vec<Value>) -> Result<Self, String> {
        Self::read(&op).ok_or_else(|| format!("no such operation: {op:?}"))
    }
}

/// Answer of the world.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub(super) enum Answer {
    /// Answer of an action: a word or a number.
    Status(Outcome),
    /// Answer of a check that permits a spawn.
    May(bool),
    /// Integer answer of a query.
    Int(i32),
    /// Float answer of a query.
    Float(f32),
    /// Text answer of a query.
    Text(String),
}

impl Answer {
    /// Returns the answer as a condition sees it; `None` if it is not an answer of a query.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Int(int) => Some(f64::from(*int)),
            Self::Float(float) => Some(f64::from(*float)),
            Self::Text(_) => Some(0.0),
            Self::Status(_) | Self::May(_) => None,
        }
    }

    /// Returns true if both answers are written alike. All NaNs are equal, and so are zeros of
    /// either sign.
    fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Float(one), Self::Float(two)) => one == two || (one.is_nan() && two.is_nan()),
            _ => self == other,
        }
    }

    fn read(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Bool(may) => Self::May(*may),
            Value::String(word) => Self::Status(status_word(word)?),
            Value::Number(number) => Self::Status(status(i32::try_from(number.as_i64()?).ok()?)),
            Value::Object(boxed) => {
                let (kind, value) = boxed.iter().next()?;
                match kind.as_str() {
                    "i" => Self::Int(i32::try_from(value.as_i64()?).ok()?),
                    "f" => Self::Float(float(value)?),
                    "s" => Self::Text(value.as_str()?.to_owned()),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}

impl TryFrom<Value> for Answer {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        Self::read(&value).ok_or_else(|| format!("no such answer: {value}"))
    }
}

fn status_word(word: &str) -> Option<Outcome> {
    match word {
        "failure" => Some(Outcome::Failure),
        "success" => Some(Outcome::Success),
        "running" => Some(Outcome::Running),
        _ => None,
    }
}

fn status(number: i32) -> Outcome {
    match number {
        0 => Outcome::Failure,
        1 => Outcome::Success,
        2 => Outcome::Running,
        other => Outcome::Other(other),
    }
}

fn float(value: &Value) -> Option<f32> {
    match value.as_str() {
        Some("nan") => Some(f32::NAN),
        Some("inf") => Some(f32::INFINITY),
        Some("-inf") => Some(f32::NEG_INFINITY),
        Some(_) => None,
        None => value.as_f64().map(|number| number as f32),
    }
}

/// Call of the host: its key, the answer, and for actions a flag for a fresh call and the line of
/// the action.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Vec<Value>")]
pub(super) struct Made {
    pub(super) key: String,
    pub(super) answer: Answer,
    pub(super) fresh: Option<bool>,
    pub(super) line: Option<u32>,
}

impl Made {
    /// Returns true if both describe the same call. Lines are compared only if both have one.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let line = self.line.is_none() || other.line.is_none() || self.line == other.line;
        let answer = self.answer.agrees(&other.answer);
        line && answer && (&self.key, self.fresh) == (&other.key, other.fresh)
    }

    fn read(made: &[Value]) -> Option<Self> {
        let fresh = match made.get(2).map(Value::as_str) {
            Some(Some("fresh")) => Some(true),
            Some(Some("cont")) => Some(false),
            Some(_) => return None,
            None => None,
        };
        let line = made.get(3).and_then(Value::as_u64).and_then(|line| u32::try_from(line).ok());
        let key = made.first()?.as_str()?.to_owned();
        Some(Self { key, answer: Answer::read(made.get(1)?)?, fresh, line })
    }
}

impl TryFrom<Vec<Value>> for Made {
    type Error = String;

    fn try_from(made: Vec<Value>) -> Result<Self, String> {
        Self::read(&made).ok_or_else(|| format!("no such call: {made:?}"))
    }
}
