//! Tests that authors of trees write, as data. The language is in `spec/testing.md`.

pub(crate) mod junit;
pub(crate) mod play;

use crate::output::grouped;
use pleach::Status;
use pleach_compile::manifest::Problem;

/// Largest number of ticks in a line.
const MOST_TICKS: u32 = 1_000_000;

/// Content of a test file.
#[derive(Debug, Default)]
pub(crate) struct Scenario {
    /// Name of the tree under test.
    pub(crate) tree: Option<String>,
    pub(crate) entry: Option<String>,
    pub(crate) tests: Vec<Test>,
}

/// Test with its lines.
#[derive(Debug)]
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) steps: Vec<Step>,
}

/// Line of a test.
#[derive(Debug)]
pub(crate) struct Step {
    /// Number of the line, from 1.
    pub(crate) line: u32,
    pub(crate) what: What,
}

/// Effect of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    Query(String, Given),
    Action(String, Status),
    /// A value by the out argument with this number, from 0.
    Give(String, usize, Given),
    Set(String, Given),
    Raise(String),
    Wait(i64),
    Tick(u32),
    Status(Option<Status>),
    Calls(Vec<String>),
    Call {
        call: String,
        wanted: bool,
    },
    Holds(String, Given),
}

/// Value in a test.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    /// Number, or a boolean as 1 or 0.
    Number(f64),
    /// Name of a member of an enum.
    Member(String),
    /// Text.
    Text(String),
}

/// Reads a file, and returns its errors.
pub(crate) fn parse(text: &str) -> (Scenario, Vec<Problem>) {
    let (mut scenario, mut problems) = (Scenario::default(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Err(message) = scenario.read(number, line) {
            problems.push(Problem { line: number, message });
        }
    }
    if scenario.tree.is_none() && problems.is_empty() {
        problems.push(Problem {
            line: 1,
            message: "the line `tree FILE` is missing, which names the tree under test".to_owned(),
        });
    }
    (scenario, problems)
}

impl Scenario {
    /// Returns true if a test raises this event.
    pub(crate) fn raises(&self, event: &str) -> bool {
        let mut steps = self.tests.iter().flat_map(|test| &test.steps);
        steps.any(|step| matches!(&step.what, What::Raise(name) if name == event))
    }

    fn read(&mut self, line: u32, text: &str) -> Result<(), String> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match (word, self.tests.last_mut()) {
            ("test", _) if rest.is_empty() => return Err("a test needs a name".to_owned()),
            ("test", _) => self.tests.push(Test { name: rest.to_owned(), steps: Vec::new() }),
            ("tree", None) if !rest.is_empty() => self.tree = Some(rest.to_owned()),
            ("entry", None) if !rest.is_empty() => self.entry = Some(rest.to_owned()),
            (_, None) => {
                return Err(format!("expected `tree FILE`, `entry NAME` or `test NAME`, found `{word}`"));
            }
            (_, Some(test)) => test.steps.push(Step { line, what: What::read(word, rest)? }),
        }
        Ok(())
    }
}

impl What {
    fn read(word: &str, rest: &str) -> Result<Self, String> {
        match word {
            "query" => assignment(rest).and_then(|(name, value)| Ok(Self::Query(name, given(value)?))),
            "action" => {
                let (name, value) = assignment(rest)?;
                let status = status(value).ok_or_else(|| {
                    format!("`{value}` is not a status: `success`, `failure`, `running` or a number")
                })?;
                Ok(Self::Action(name, status))
            }
            "give" => {
                let (name, value) = assignment(rest)?;
                let (call, place) = name.rsplit_once(char::is_whitespace).unwrap_or((&name, ""));
                let place = place.parse::<usize>().ok().and_then(|place| place.checked_sub(1));
                let place = place.ok_or_else(|| format!("`{rest}` is not `CALL NUMBER = VALUE`"))?;
                Ok(Self::Give(call.trim().to_owned(), place, given(value)?))
            }
            "set" => assignment(rest).and_then(|(name, value)| Ok(Self::Set(name, given(value)?))),
            "raise" if !rest.is_empty() => Ok(Self::Raise(rest.to_owned())),
            "wait" => rest.parse().map(Self::Wait).map_err(|_| format!("`{rest}` is not a time")),
            "tick" if rest.is_empty() => Ok(Self::Tick(1)),
            "tick" => ticks(rest).map(Self::Tick),
            "expect" => Self::expect(rest),
            _ => Err(format!(
                "a test has no line `{word}`; it has `query`, `action`, `give`, `set`, `raise`, `wait`, `tick` and `expect`"
            )),
        }
    }

    fn expect(rest: &str) -> Result<Self, String> {
        if let Some(status) = status(rest) {
            return Ok(Self::Status(Some(status)));
        }
        let call = |text: &str, wanted| Self::Call { call: text.trim().to_owned(), wanted };
        match rest.split_once(char::is_whitespace) {
            None if rest == "fault" => Ok(Self::Status(None)),
            Some(("no", "calls")) => Ok(Self::Calls(Vec::new())),
            Some(("calls", calls)) => Ok(Self::Calls(split(calls))),
            Some(("call", text)) => Ok(call(text, true)),
            Some(("no", text)) if text.starts_with("call ") => Ok(call(&text[5..], false)),
            _ => assignment(rest).and_then(|(name, value)| Ok(Self::Holds(name, given(value)?))),
        }
    }
}

/// Returns the number of ticks that a line asks for.
fn ticks(text: &str) -> Result<u32, String> {
    let ticks = text.parse().ok().filter(|ticks| *ticks <= MOST_TICKS);
    let most = grouped(MOST_TICKS.into());
    ticks.ok_or_else(|| format!("`{text}` is not a number of ticks; a line has at most {most}"))
}

/// Splits calls at commas outside of parentheses.
fn split(calls: &str) -> Vec<String> {
    let mut depth = 0_u32;
    let between = |letter: char| {
        depth = match letter {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        letter == ',' && depth == 0
    };
    calls.split(between).map(|call| call.trim().to_owned()).collect()
}

fn assignment(text: &str) -> Result<(String, &str), String> {
    // Behind the last `=`, or before a text, which may have some.
    let quoted = text.strip_suffix('"').and_then(|text| text.rfind("= \""));
    let split = quoted.map(|at| (&text[..at], &text[at + 1..])).or_else(|| text.rsplit_once('='));
    let (name, value) = split.ok_or_else(|| format!("`{text}` is not `NAME = VALUE`"))?;
    Ok((name.trim().to_owned(), value.trim()))
}

fn given(text: &str) -> Result<Given, String> {
    let is_name = |text: &str| {
        !text.starts_with(|first: char| first.is_ascii_digit())
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    match text {
        "true" => Ok(Given::Number(1.0)),
        "false" | "none" => Ok(Given::Number(0.0)),
        text if text.len() > 1 && text.starts_with('"') && text.ends_with('"') => {
            Ok(Given::Text(unescaped(&text[1..text.len() - 1])))
        }
        text => match text.parse() {
            Ok(number) => Ok(Given::Number(number)),
            Err(_) if !text.is_empty() && is_name(text) => Ok(Given::Member(text.to_owned())),
            Err(_) => Err(format!("`{text}` is neither a number nor `true`, `false` or `none`")),
        },
    }
}

/// Returns a text without the escapes of the language.
fn unescaped(text: &str) -> String {
    let mut letters = text.chars();
    let next = || {
        let letter = letters.next()?;
        Some(if letter != '\\' {
            letter
        } else {
            match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                other => other.unwrap_or(letter),
            }
        })
    };
    std::iter::from_fn(next).collect()
}

fn status(text: &str) -> Option<Status> {
    Some(match text {
        "success" => Status::Success,
        "failure" => Status::Failure,
        "running" => Status::Running,
        text => Status::Other(text.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let (scenario, problems) = parse(
            "# a comment\ntree a.bt\ntest one\n\tquery near(1, 2) = 0.5\n\taction go = 7\n\ttick 3\n\texpect calls go(1, 2), fight\n\
             \texpect no call rest\n\texpect angry = true\n\texpect fault\n",
        );
        assert_eq!(problems, []);
        assert_eq!(scenario.tree.as_deref(), Some("a.bt"));
        let steps: Vec<_> = scenario.tests[0].steps.iter().map(|step| step.what.clone()).collect();
        assert_eq!(
            steps,
            [
                What::Query("near(1, 2)".to_owned(), Given::Number(0.5)),
                What::Action("go".to_owned(), Status::Other(7)),
                What::Tick(3),
                What::Calls(vec!["go(1, 2)".to_owned(), "fight".to_owned()]),
                What::Call { call: "rest".to_owned(), wanted: false },
                What::Holds("angry".to_owned(), Given::Number(1.0)),
                What::Status(None),
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_told_line_by_line() {
        let (_, problems) =
            parse("tick\ntree a.bt\ntest\ntest x\n\tquery near\n\taction go = fast\n\tjump 3\n");
        let lines: Vec<u32> = problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [1, 3, 5, 6, 7]);
        assert_eq!(parse("").1.len(), 1);
    }
}
