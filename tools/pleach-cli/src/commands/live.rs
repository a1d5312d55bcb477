//! `pleach run --watch`: one agent's tree, live in a terminal.
//!
//! The picture has the nodes that ran in the agent's last tick, with line numbers on the left.
//! Leaves are blue. Nodes about which the host says something are white, with that text. All others
//! are gray. Nodes that failed are not drawn, except leaves. On a terminal, each tick replaces the
//! one before; elsewhere they follow one another.

use crate::failure::Failure;
use crate::output::{self, visible};
use crate::variables::Variables;
use pleach::watch::{LogSource, TraceEvent, TraceLine, TracedTick};
use pleach::{Agent, Crowd, Image, Status};
use pleach_image::listing;
use std::fmt::Write;
use std::time::Duration;

/// Time for which a tick stays on a terminal.
const SHOWN: Duration = Duration::from_millis(50);
/// Lines that a terminal has room for.
const MAX_LINES: usize = 60;
/// Deeper nodes are not indented further.
const MAX_INDENT: usize = 20;
/// Status in [`TraceEvent::Ended`] of a node that failed.
const FAILED: u32 = 0;

const BLUE: &str = "\x1b[94m";
const WHITE: &str = "\x1b[97m";
const GRAY: &str = "\x1b[90m";
const PLAIN: &str = "\x1b[0m";
/// Terminal sequence that moves to the upper left corner and clears everything behind it.
const CLEAR: &str = "\x1b[H\x1b[J";

/// Shows a tick, and waits if the output is a terminal.
pub(super) fn show(
    image: &Image,
    variables: &Variables,
    (crowd, agent): (&Crowd, Agent),
    number: u32,
    tick: &TracedTick<'_>,
) -> Result<(), Failure> {
    let colors = output::wants_color_out();
    let mut text = if output::is_terminal_out() { CLEAR.to_owned() } else { String::new() };
    let _ = writeln!(text, "agent {}, tick {number}, {} ms: {}", agent.index(), tick.now, tick.outcome);
    for row in rows(image, &tick.lines(image)).into_iter().take(MAX_LINES) {
        let (color, plain) = if colors { (row.color, PLAIN) } else { ("", "") };
        let _ = writeln!(text, "{:>6} {color}{}{plain}", row.line, visible(&row.text));
    }
    text.push_str(&visible(&variables.show(crowd, agent)));
    output::print_styled(&text)?;
    if output::is_terminal_out() {
        std::thread::sleep(SHOWN);
    }
    Ok(())
}

/// Line of the picture.
#[derive(Debug, PartialEq)]
struct Row {
    line: String,
    color: &'static str,
    text: String,
}

fn rows(image: &Image, lines: &[TraceLine]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for TraceLine { depth, event } in lines {
        let (node, color, text) = match event {
            TraceEvent::Acted { node, status, .. } => {
                let word = if *status == Status::Failure { " failed" } else { "" };
                (*node, BLUE, format!("{}{word}", listing::label(image, *node)))
            }
            TraceEvent::Ended { node, status, .. } if *status != FAILED => {
                (*node, GRAY, listing::label(image, *node))
            }
            TraceEvent::Said { by: LogSource::Host, text, .. } => {
                if let Some(row) = rows.last_mut() {
                    row.color = WHITE;
                    let _ = write!(row.text, " ({})", text.escape_debug());
                }
                continue;
            }
            _ => continue,
        };
        let line = image.debug_node(node).filter(|debug| debug.line > 0);
        let line = line.map_or(String::new(), |debug| debug.line.to_string());
        rows.push(Row { line, color, text: "  ".repeat((*depth).min(MAX_INDENT)) + &text });
    }
    rows
}
