//! Counts of nodes over all agents, printed as text, JSON or beside the source.

use crate::args::Form;
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::places;
use crate::texts::Texts;
use pleach::Image;
use pleach::watch::{NodeStatistics, Statistics};
use pleach_image::format::DebugNode;
use pleach_image::listing;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Most nodes that are listed as never run.
const MOST_NEVER: usize = 20;
/// Width of a bar in characters.
const BAR: u64 = 8;
/// Depth from which nodes are not indented further.
const MAX_INDENT: usize = 12;

/// Shows the counts.
pub(crate) fn show(image: &Image, texts: &Texts, statistics: &Statistics, form: Form) -> Result<(), Failure> {
    let nodes = nodes(image, statistics);
    if nodes.is_empty() {
        return Err(Failure::new(
            "the image has no debug information, so nodes cannot be named; compile it with debug information",
        ));
    }
    match form {
        Form::Text => text(image, statistics, &nodes),
        Form::Json => json(image, statistics, &nodes),
        Form::Heat => heat(image, texts, &nodes),
    }
}

/// Node that the author wrote.
struct Node<'i> {
    id: u32,
    debug: &'i DebugNode,
    depth: usize,
    count: NodeStatistics,
}

/// Returns the nodes that stand in the source and are counted, in the order of the source.
fn nodes<'i>(image: &'i Image, statistics: &Statistics) -> Vec<Node<'i>> {
    let mut nodes: Vec<Node<'i>> = Vec::new();
    let mut path: Vec<u32> = Vec::new();
    let written = image.debug_counted_nodes();
    for (id, count) in statistics.nodes() {
        let Some(debug) = image.debug_node(id) else { continue };
        while path.pop_if(|parent| *parent != debug.parent).is_some() {}
        let depth = path.len();
        path.push(id);
        if written.contains(&id) {
            nodes.push(Node { id, debug, depth, count });
        }
    }
    nodes
}

fn percent(part: u64, all: u64) -> String {
    if part == 0 { "-".to_owned() } else { format!("{:.1} %", part as f64 * 100.0 / all.max(1) as f64) }
}

fn text(image: &Image, statistics: &Statistics, nodes: &[Node<'_>]) -> Result<(), Failure> {
    let ticks = statistics.agent_ticks();
    let mut text = format!(
        "{} ticks of agents\n\n  {:<44}{:>14}{:>9}{:>9}{:>9}{:>9}{:>12}  place\n",
        grouped(ticks),
        "node",
        "entries",
        "success",
        "failure",
        "abort",
        "ticks",
        "calls"
    );
    for Node { id, debug, depth, count } in nodes {
        let label = format!("{}{}", "  ".repeat((*depth).min(MAX_INDENT)), listing::label(image, *id));
        let label: String = label.chars().take(43).collect();
        let _ = writeln!(
            text,
            "  {label:<44}{:>14}{:>9}{:>9}{:>9}{:>9.1}{:>12}  {}",
            grouped(count.entries),
            percent(count.successes, count.entries),
            percent(count.failures, count.entries),
            percent(count.aborts, count.entries),
            // How long it runs each time.
            count.ticks as f64 / count.entries.max(1) as f64,
            grouped(count.calls),
            places::line(image, debug),
        );
    }
    let never: Vec<_> = nodes.iter().filter(|node| node.count.entries == 0).collect();
    let _ = writeln!(text, "\n  {} of {} nodes ran", nodes.len() - never.len(), nodes.len());
    for node in never.iter().take(MOST_NEVER) {
        let _ = writeln!(
            text,
            "    never: {} {}",
            listing::label(image, node.id),
            places::line(image, node.debug)
        );
    }
    if never.len() > MOST_NEVER {
        let _ = writeln!(text, "    and {} more", never.len() - MOST_NEVER);
    }
    output::print(&text)
}

/// Counts of one node.
#[derive(Serialize)]
struct Row {
    node: u32,
    parent: u32,
    name: String,
    file: String,
    line: u32,
    column: u32,
    entries: u64,
    successes: u64,
    failures: u64,
    others: u64,
    aborts: u64,
    ticks: u64,
    time: u64,
    calls: u64,
}

fn json(image: &Image, statistics: &Statistics, nodes: &[Node<'_>]) -> Result<(), Failure> {
    let mut text = format!("{{\"agent_ticks\":{},\"nodes\":[\n", statistics.agent_ticks());
    for (index, Node { id, debug, count, .. }) in nodes.iter().enumerate() {
        let row = Row {
            node: *id,
            parent: debug.parent,
            name: listing::label(image, *id),
            file: image.debug_text(debug.file).into_owned(),
            line: debug.line,
            column: debug.column,
            entries: count.entries,
            successes: count.successes,
            failures: count.failures,
            others: count.others,
            aborts: count.aborts,
            ticks: count.ticks,
            time: count.time,
            calls: count.calls,
        };
        let row = serde_json::to_string(&row).map_err(|why| Failure::new(why.to_string()))?;
        let comma = if index + 1 < nodes.len() { "," } else { "" };
        let _ = writeln!(text, "{row}{comma}");
    }
    text.push_str("]}\n");
    output::print(&text)
}

/// Prints the source, with the count of entries beside each line. If a line has several nodes, the
/// largest count is shown.
fn heat(image: &Image, texts: &Texts, nodes: &[Node<'_>]) -> Result<(), Failure> {
    let mut lines: BTreeMap<(String, u32), u64> = BTreeMap::new();
    for Node { debug, count, .. } in nodes {
        let line = lines.entry((image.debug_text(debug.file).into_owned(), debug.line)).or_default();
        *line = (*line).max(count.entries);
    }
    let most = lines.values().copied().max().unwrap_or(0).max(1);
    let mut files: Vec<_> = lines.keys().map(|(file, _)| file.clone()).collect();
    files.dedup();
    let mut text = String::new();
    for file in files {
        let _ = writeln!(text, "{file}");
        let first_missing = (1..).find(|line| texts.whole_line(&file, *line).is_none()).unwrap_or(1);
        let last =
            lines.range((file.clone(), 0)..=(file.clone(), u32::MAX)).map(|((_, line), _)| *line).max();
        for line in 1..first_missing.max(last.unwrap_or(0) + 1) {
            let source = texts.whole_line(&file, line).unwrap_or_default();
            match lines.get(&(file.clone(), line)) {
                Some(0) => _ = writeln!(text, "  {:>14} {:<8} {source}", "never", ""),
                Some(count) => {
                    _ = writeln!(text, "  {:>14} {:<8} {source}", grouped(*count), bar(*count, most))
                }
                None => _ = writeln!(text, "  {:>14} {:<8} {source}", "", ""),
            }
        }
    }
    output::print(&text)
}

/// Returns a bar whose length grows with the number of digits of a count, so that small counts stay
/// visible.
fn bar(count: u64, most: u64) -> String {
    let share = ((count + 1) as f64).ln() / ((most + 1) as f64).ln();
    "█".repeat(((share * BAR as f64).round() as usize).max(1))
}
