//! Commands of pages.

use crate::editing::EDITING;
use serde::Deserialize;
use serde_json::Value;

/// Command of a page, see `spec/view.md`.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "do", rename_all = "lowercase")]
pub(crate) enum Command {
    Pick { agent: Option<u32> },
    At { tick: Option<u64> },
    Statistics { every: u32 },
    Clear,
    Pause,
    Resume,
    Step { ticks: i64 },
    Speed { rate: f64 },
    Hold { agent: u32 },
    Release { agent: u32 },
    Walk { agent: u32 },
    Break(Break),
    Force { agent: u32, node: u32, status: Option<u32> },
    Set(Set),
    Tune { tunable: u32, agent: Option<u32>, value: Worth },
    Raise { event: u32, agent: Option<u32> },
}

/// Breakpoint of an agent, to be set or removed.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(crate) struct Break {
    pub(crate) agent: u32,
    pub(crate) node: Option<u32>,
    pub(crate) variable: Option<u32>,
    pub(crate) on: bool,
    #[serde(default)]
    pub(crate) all: bool,
}

/// New value of a variable.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(crate) struct Set {
    pub(crate) agent: Option<u32>,
    pub(crate) variable: Option<u32>,
    pub(crate) shared: Option<u32>,
    pub(crate) value: Worth,
}

/// Number or boolean.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(untagged)]
pub(crate) enum Worth {
    Number(f64),
    Truth(bool),
}

impl Worth {
    pub(crate) fn number(self) -> f64 {
        match self {
            Self::Number(number) => number,
            Self::Truth(truth) => f64::from(u8::from(truth)),
        }
    }
}

/// Names of commands, by kind: commands that only look, commands of the clock, and commands that
/// change a crowd.
pub(crate) const LOOKING: [&str; 4] = ["pick", "at", "statistics", "clear"];
pub(crate) const CLOCK: [&str; 4] = ["pause", "resume", "step", "speed"];
pub(crate) const CHANGING: [&str; 8] = ["hold", "release", "walk", "break", "force", "set", "tune", "raise"];

/// Message of a page after parsing.
#[derive(Debug, PartialEq)]
pub(crate) enum Given {
    /// Command, with the number that its answer repeats.
    Command(Option<u64>, Command),
    /// Command of editing, with the number that its answer repeats.
    Edit(Option<u64>),
    /// Invalid command, with the number that its answer repeats, and the error.
    Wrong(Option<u64>, String),
    /// Text that is not a JSON object. No page of the view sends it.
    Nonsense,
}

/// Parses a message of a page. Commands of editing are known if `editing` is true; the host parses
/// their fields.
pub(crate) fn read(text: &str, editing: bool) -> Given {
    let Ok(Value::Object(fields)) = serde_json::from_str(text) else { return Given::Nonsense };
    let id = fields.get("id").and_then(Value::as_u64);
    let name = fields.get("do").and_then(Value::as_str).filter(|_| editing);
    if name.is_some_and(|name| EDITING.contains(&name)) {
        return Given::Edit(id);
    }
    match Command::deserialize(Value::Object(fields)) {
        Ok(command) => Given::Command(id, command),
        Err(why) => Given::Wrong(id, why.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let read_one = |text: &str| match read(text, false) {
            Given::Command(id, command) => (id, command),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(
            read_one(r#"{"do":"pick","agent":12,"id":7}"#),
            (Some(7), Command::Pick { agent: Some(12) })
        );
        assert_eq!(read_one(r#"{"do":"pick","agent":null}"#), (None, Command::Pick { agent: None }));
        assert_eq!(read_one(r#"{"do":"pause"}"#), (None, Command::Pause));
        let (_, set) = read_one(r#"{"do":"set","shared":0,"value":true}"#);
        assert!(matches!(set, Command::Set(Set { value: Worth::Truth(true), .. })));
        let (_, stop) = read_one(r#"{"do":"break","agent":1,"node":2,"on":true}"#);
        assert!(matches!(stop, Command::Break(Break { all: false, node: Some(2), .. })));
    }

    #[test]
    fn commands_of_editing_are_known_where_pages_can_edit() {
        let undo = r#"{"do":"undo","id":3}"#;
        assert_eq!(read(undo, true), Given::Edit(Some(3)));
        assert!(matches!(read(undo, false), Given::Wrong(Some(3), _)));
        assert_eq!(read(r#"{"do":"save"}"#, true), Given::Edit(None));
    }

    #[test]
    fn what_is_wrong_is_told() {
        for text in [
            r#"{"id":1}"#,
            r#"{"id":1,"do":"fly"}"#,
            r#"{"id":1,"do":"pick","agent":-1}"#,
            r#"{"id":1,"do":"step","ticks":1.5}"#,
            r#"{"id":1,"do":"set","value":"x"}"#,
            r#"{"id":1,"do":7}"#,
        ] {
            assert!(matches!(read(text, true), Given::Wrong(Some(1), _)), "{text}");
        }
    }

    #[test]
    fn what_is_no_object_is_nonsense() {
        let deep = "[".repeat(100_000);
        for text in ["", "{", "null", "[]", "7", "\"pause\"", &deep] {
            assert_eq!(read(text, true), Given::Nonsense);
        }
    }
}
