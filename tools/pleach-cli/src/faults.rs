//! Causes of faults, and changes of the statuses that nodes keep, in words.

use crate::conditions;
use crate::places;
use pleach::watch::{FaultTest, TracedTick};
use pleach::{Fault, Image, Outcome};
use pleach_image::listing;

/// Names of the statuses that nodes keep, by number.
const STATUSES: [&str; 4] = ["IDLE", "RUNNING", "SUCCESS", "FAILURE"];
/// Columns of the path of a node.
const COLUMNS: usize = 44;

/// Returns the outcome of a tick: of a fault, the node and the cause, too.
pub(crate) fn outcome(image: &Image, tick: &TracedTick<'_>) -> String {
    let Some(cause) = tick.fault(image) else { return tick.outcome.to_string() };
    let why = match (tick.outcome, cause.test) {
        (Outcome::Fault(Fault::Panic), _) => Fault::Panic.to_string(),
        (_, Some(FaultTest::Loop)) => "a loop began again too often".to_owned(),
        (_, Some(FaultTest::Condition { row, held })) => tested(&conditions::words(image, row), held),
        (_, None) => "the node has no way to go on".to_owned(),
    };
    let place = places::of_node(image, cause.node);
    format!("fault at `{}` ({place}): {why}", path(image, cause.node))
}

/// Returns the result of a test in words. Behind the name of an entry, `?` asks if it has a value.
fn tested(words: &str, held: bool) -> String {
    match words.strip_suffix('?') {
        Some(entry) if !held && !entry.contains(' ') => format!("the entry `{entry}` has no value"),
        _ => format!("`{words}` is {held}, but must not be"),
    }
}

/// Returns the changes of the statuses that nodes keep, one in a line.
pub(crate) fn changes(image: &Image, tick: &TracedTick<'_>) -> String {
    let name = |status: u8| STATUSES.get(usize::from(status)).copied().unwrap_or("?");
    let line =
        |(node, from, to)| format!("  ~ {:<COLUMNS$} {} -> {}\n", path(image, node), name(from), name(to));
    tick.changes().map(line).collect()
}

/// Returns the path of a node, or if it has none, its words.
fn path(image: &Image, node: u32) -> String {
    let row = image.ids().iter().find(|row| u32::from(row.node) == node);
    row.map_or_else(|| listing::label(image, node), |row| image.name(row.name).to_owned())
}
