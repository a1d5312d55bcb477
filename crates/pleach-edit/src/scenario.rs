//! Tests that authors of trees write, as data. The language is in `spec/testing.md`.

use crate::document::Range;
use pleach_compile::manifest::Problem;

/// Largest number of ticks in a line.
const MOST_TICKS: u32 = 1_000_000;

/// Content of a test file.
#[derive(Debug, Default)]
pub struct Scenario {
    /// The tree under test.
    pub tree: Option<TreePath>,
    /// Name of the tree to start with, if the file says so.
    pub entry: Option<String>,
    /// The tests, in the order of the file.
    pub tests: Vec<Test>,
}

/// Path of the tree under test.
#[derive(Debug)]
pub struct TreePath {
    /// The path, from the folder of the file of tests.
    pub path: String,
    /// The path in the text.
    pub range: Range,
}

/// Test with its lines.
#[derive(Debug)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// Its lines.
    pub steps: Vec<Step>,
}

/// Line of a test.
#[derive(Debug)]
pub struct Step {
    /// Number of the line, from 1.
    pub line: u32,
    /// Its effect.
    pub what: What,
}

/// Effect of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// `query CALL = VALUE`
    Query(String, Given),
    /// `action CALL = STATUS`
    Action(String, Answer),
    /// `give CALL NUMBER = VALUE`: a value by the out argument with this number, from 0.
    Give(String, usize, Given),
    /// `set VARIABLE = VALUE`
    Set(String, Given),
    /// `tune TUNABLE = VALUE`
    Tune(String, Given),
    /// `raise EVENT`
    Raise(String),
    /// `wait TIME`
    Wait(i64),
    /// `tick N`
    Tick(u32),
    /// `expect STATUS`; None for `expect fault`
    Status(Option<Answer>),
    /// `expect calls CALL, CALL`
    Calls(Vec<String>),
    /// `expect call CALL`, or `expect no call CALL`
    Call {
        /// The call as it is written.
        call: String,
        /// False for `no call`.
        wanted: bool,
    },
    /// `expect VARIABLE = VALUE`
    Holds(String, Given),
}

/// Status in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `success`
    Success,
    /// `failure`
    Failure,
    /// `running`
    Running,
    /// Number of another status.
    Other(i32),
}

/// Value in a test.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// Number, or a boolean as 1 or 0.
    Number(f64),
    /// Name of a member of an enum.
    Member(String),
    /// Text.
    Text(String),
}

/// Reads a file, and returns its errors.
#[must_use]
pub fn parse(text: &str) -> (Scenario, Vec<Problem>) {
    let (mut scenario, mut problems) = (Scenario::default(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let Some((word, rest)) = words(line) else { continue };
        if let Err(message) = scenario.read(text, number, word, rest) {
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

/// Returns the first word of a line and the text behind it; `None` for a comment and an empty line.
pub(crate) fn words(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (!line.is_empty() && !line.starts_with('#')).then_some((word, rest.trim_start()))
}

/// Returns the place of a piece of a text.
pub(crate) fn range_in(text: &str, piece: &str) -> Range {
    let start = piece.as_ptr() as usize - text.as_ptr() as usize;
    (start as u32, (start + piece.len()) as u32)
}

impl Scenario {
    /// Returns true if a test raises this event.
    #[must_use]
    pub fn raises(&self, event: &str) -> bool {
        let mut steps = self.tests.iter().flat_map(|test| &test.steps);
        steps.any(|step| matches!(&step.what, What::Raise(name) if name == event))
    }

    /// Reads a line of a text.
    fn read(&mut self, text: &str, line: u32, word: &str, rest: &str) -> Result<(), String> {
        match (word, self.tests.last_mut()) {
            ("test", _) if rest.is_empty() => return Err("a test needs a name".to_owned()),
            ("test", _) => self.tests.push(Test { name: rest.to_owned(), steps: Vec::new() }),
            ("tree", None) if !rest.is_empty() => {
                self.tree = Some(TreePath { path: rest.to_owned(), range: range_in(text, rest) });
            }
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
            "query" => {
                assignment(rest).and_then(|(name, value)| Ok(Self::Query(name.to_owned(), given(value)?)))
            }
            "action" => {
                let (name, value) = assignment(rest)?;
                let status = status(value).ok_or_else(|| {
                    format!("`{value}` is not a status: `success`, `failure`, `running` or a number")
                })?;
                Ok(Self::Action(name.to_owned(), status))
            }
            "give" => {
                let (name, value) = assignment(rest)?;
                let (call, place) = name.rsplit_once(char::is_whitespace).unwrap_or((name, ""));
                let place = place.parse::<usize>().ok().and_then(|place| place.checked_sub(1));
                let place = place.ok_or_else(|| format!("`{rest}` is not `CALL NUMBER = VALUE`"))?;
                Ok(Self::Give(call.trim().to_owned(), place, given(value)?))
            }
            "set" => assignment(rest).and_then(|(name, value)| Ok(Self::Set(name.to_owned(), given(value)?))),
            "tune" => {
                assignment(rest).and_then(|(name, value)| Ok(Self::Tune(name.to_owned(), given(value)?)))
            }
            "raise" if !rest.is_empty() => Ok(Self::Raise(rest.to_owned())),
            "wait" => rest.parse().map(Self::Wait).map_err(|_| format!("`{rest}` is not a time")),
            "tick" if rest.is_empty() => Ok(Self::Tick(1)),
            "tick" => ticks(rest).map(Self::Tick),
            "expect" => Self::expect(rest),
            _ => Err(format!(
                "a test has no line `{word}`; it has `query`, `action`, `give`, `set`, `tune`, `raise`, `wait`, `tick` and `expect`"
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
            Some(("calls", calls)) => Ok(Self::Calls(split(calls).map(str::to_owned).collect())),
            Some(("call", text)) => Ok(call(text, true)),
            Some(("no", text)) if text.starts_with("call ") => Ok(call(&text[5..], false)),
            _ => assignment(rest).and_then(|(name, value)| Ok(Self::Holds(name.to_owned(), given(value)?))),
        }
    }
}

/// Returns the number of ticks that a line asks for.
fn ticks(text: &str) -> Result<u32, String> {
    let ticks = text.parse().ok().filter(|ticks| *ticks <= MOST_TICKS);
    ticks.ok_or_else(|| format!("`{text}` is not a number of ticks; a line has at most 1,000,000"))
}

/// Reader of letters that finds texts, which stand in quotes.
#[derive(Default)]
pub(crate) struct Quotes {
    is_open: bool,
    is_escaped: bool,
}

impl Quotes {
    /// Takes the next letter. Returns true if the letter is one of a text, or one of its quotes.
    pub(crate) fn takes(&mut self, letter: char) -> bool {
        let was_open = self.is_open;
        self.is_open = was_open != (letter == '"' && !self.is_escaped);
        self.is_escaped = was_open && letter == '\\' && !self.is_escaped;
        was_open || self.is_open
    }
}

/// Splits calls at commas outside of parentheses and texts.
pub(crate) fn split(calls: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut quotes) = (0_u32, Quotes::default());
    let between = move |letter: char| {
        if quotes.takes(letter) {
            return false;
        }
        depth = match letter {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        letter == ',' && depth == 0
    };
    calls.split(between).map(str::trim)
}

/// Splits a text at its last `=` outside of texts.
pub(crate) fn assignment(text: &str) -> Result<(&str, &str), String> {
    let mut quotes = Quotes::default();
    let signs = text.char_indices().filter(|(_, letter)| !quotes.takes(*letter) && *letter == '=');
    let (at, _) = signs.last().ok_or_else(|| format!("`{text}` is not `NAME = VALUE`"))?;
    Ok((text[..at].trim(), text[at + 1..].trim()))
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

fn status(text: &str) -> Option<Answer> {
    Some(match text {
        "success" => Answer::Success,
        "failure" => Answer::Failure,
        "running" => Answer::Running,
        text => Answer::Other(text.parse().ok()?),
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
        let tree = scenario.tree.expect("a tree");
        assert_eq!((tree.path.as_str(), tree.range), ("a.bt", (17, 21)));
        let steps: Vec<_> = scenario.tests[0].steps.iter().map(|step| step.what.clone()).collect();
        assert_eq!(
            steps,
            [
                What::Query("near(1, 2)".to_owned(), Given::Number(0.5)),
                What::Action("go".to_owned(), Answer::Other(7)),
                What::Tick(3),
                What::Calls(vec!["go(1, 2)".to_owned(), "fight".to_owned()]),
                What::Call { call: "rest".to_owned(), wanted: false },
                What::Holds("angry".to_owned(), Given::Number(1.0)),
                What::Status(None),
            ]
        );
    }

    #[test]
    fn texts_hold_any_letters() {
        let (scenario, problems) = parse(
            "  tree\ta.pleach\ntest one\n\tquery name(\"=\") = \"a = \\\"b\"\n\texpect calls say(\"a), b\"), go\n",
        );
        assert_eq!((problems, scenario.tree.expect("a tree").range), (Vec::new(), (7, 15)));
        let steps: Vec<_> = scenario.tests[0].steps.iter().map(|step| step.what.clone()).collect();
        let calls = vec!["say(\"a), b\")".to_owned(), "go".to_owned()];
        let value = Given::Text("a = \"b".to_owned());
        assert_eq!(steps, [What::Query("name(\"=\")".to_owned(), value), What::Calls(calls)]);
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
