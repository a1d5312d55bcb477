//! Causes of faults, and changes of the statuses that nodes keep, in words.

use crate::conditions;
use crate::places;
use pleach::watch::{FaultTest, TracedTick};
use pleach::{Fault, Image, Outcome};
use pleach_image::listing;

/// Names of the statuses that nodes keep, by number.
const STATUSES: [&str; 4] = ["IDLE", "RUNNING", "SUCCESS", "FAILURE"];
/// Keyword of the nodes of the host.
const HOST: &str = "Action";
/// Keyword of subtrees.
const SUBTREE: &str = "SubTree";
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
        // Variables of nodes have no names.
        _ if words.split(' ').any(str::is_empty) => "a value of the node is out of its range".to_owned(),
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

/// Returns the path of a node of BehaviorTree.CPP: its name, or its kind and number, behind those
/// of the subtrees around it. In other dialects, returns the words of the node.
fn path(image: &Image, node: u32) -> String {
    let Some(first) = image.statuses().map(|row| u32::from(row.node)) else {
        return listing::label(image, node);
    };
    let (mut path, mut at) = (name(image, node, first), node);
    while let Some(around) =
        image.debug_node(at).map(|debug| debug.parent).filter(|it| (first + 1..at).contains(it))
    {
        at = around;
        if image.debug_node(at).is_some_and(|debug| image.debug_text(debug.keyword) == SUBTREE) {
            path = format!("{}/{path}", name(image, at, first));
        }
    }
    path
}

/// Returns the name of a node, or its kind and number. Nodes count from `first`.
fn name(image: &Image, node: u32, first: u32) -> String {
    let Some(debug) = image.debug_node(node) else { return String::new() };
    if let Some(title) = image.debug_title(node) {
        return title.into_owned();
    }
    let (keyword, subject) = (image.debug_text(debug.keyword), image.debug_text(debug.subject));
    let kind = match &*keyword {
        SUBTREE | HOST => subject,
        _ if subject.is_empty() => keyword,
        _ => return subject.into_owned(),
    };
    format!("{kind}::{}", node.saturating_sub(first))
}
