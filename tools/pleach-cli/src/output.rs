//! Standard output and standard error.
//!
//! Names and texts of trees are shown in many places, and trees may come from strangers. So
//! everything passes [`visible`], which leaves nothing that a terminal would obey instead of show.

use crate::failure::Failure;

pub(crate) use pleach_build::text::{counted, grouped, visible};

use std::io::{self, IsTerminal, Write};

/// Writes a result to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_styled(&visible(text))
}

/// Meaning of a line, shown as its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    /// A heading.
    Heading,
    /// Said beside the point: comments, values.
    Aside,
    Success,
    Failure,
    Running,
}

impl Tone {
    /// Sequence of characters that a terminal obeys.
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Heading => "\x1b[1m",
            Self::Aside => "\x1b[90m",
            Self::Success => "\x1b[32m",
            Self::Failure => "\x1b[31m",
            Self::Running => "\x1b[94m",
        }
    }
}

/// Writes a result to standard output, each line in the color of its meaning if colors are wanted.
pub(crate) fn print_toned(text: &str, tone: impl Fn(&str) -> Tone) -> Result<(), Failure> {
    if !wants_color_out() {
        return print(text);
    }
    let line = |line: &str| match tone(line).code() {
        "" => line.to_owned(),
        code => format!("{code}{}\x1b[0m\n", line.trim_end_matches('\n')),
    };
    print_styled(&visible(text).split_inclusive('\n').map(line).collect::<String>())
}

/// Writes text with colors to standard output; its parts from elsewhere have been made [`visible`].
pub(crate) fn print_styled(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Returns true if standard output is a terminal, which can redraw lines.
pub(crate) fn is_terminal_out() -> bool {
    io::stdout().is_terminal()
}

/// Returns true if standard output should have colors.
pub(crate) fn wants_color_out() -> bool {
    is_terminal_out() && !refuses_color()
}

/// Writes to standard error. A failure to do so cannot be reported anywhere.
pub(crate) fn say(text: &str) {
    say_styled(&visible(text));
}

/// Writes the message of a failure to standard error.
pub(crate) fn complain(failure: &Failure) {
    if let Failure::Told(message) = failure {
        say(&format!("pleach: {message}\n"));
    }
}

/// Writes text with colors to standard error; its parts from elsewhere have been made [`visible`].
pub(crate) fn say_styled(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Returns true if standard error is a terminal, which can redraw lines.
pub(crate) fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Returns true if standard error should have colors: if it is a terminal, and the variable
/// `NO_COLOR` is unset or empty.
pub(crate) fn wants_color() -> bool {
    is_terminal() && !refuses_color()
}

/// Returns true if standard error should have hyperlinks: if it has colors and the terminal shows
/// hyperlinks, as far as its environment tells, or the variable `FORCE_HYPERLINK` says so.
pub(crate) fn wants_links() -> bool {
    wants_color() && supports_hyperlinks::on(supports_hyperlinks::Stream::Stderr)
}

fn refuses_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Returns a number in as few digits as tell it: most are single floats, which have
/// many digits only as doubles.
pub(crate) fn number(answer: f64) -> String {
    let single = answer as f32;
    if f64::from(single) == answer { single.to_string() } else { answer.to_string() }
}
