//! Costs of nodes as output: a table, JSON, and a flame graph.

use crate::failure::Failure;
use crate::output::grouped;
use pleach::watch::NodeStatistics;
use pleach_graph::escape_xml;
use pleach_image::bounds::Bounds;
use serde_json::json;
use std::fmt::Write;

/// Width of a flame graph, and height of a row in it.
const SIZE: [f64; 2] = [1200.0, 22.0];
/// Width from which a node has a label.
const LABELLED: f64 = 40.0;
/// Width below which a node is left out.
const VISIBLE: f64 = 0.5;
/// Width of a letter.
const LETTER: f64 = 7.2;
/// Depth from which nodes are not indented further.
const MAX_INDENT: usize = 12;

/// Costs of a node with everything below it.
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) place: String,
    /// Row of the parent, which is an earlier one.
    pub(crate) parent: Option<usize>,
    pub(crate) bound: Bounds,
    /// Counts of the recorded run.
    pub(crate) count: Option<NodeStatistics>,
}

/// Costs of a program.
pub(crate) struct Table {
    pub(crate) name: String,
    /// Trees that can be started, with their bounds.
    pub(crate) trees: Vec<(String, Bounds)>,
    pub(crate) rows: Vec<Row>,
    /// Number of ticks of agents in the recorded run.
    pub(crate) agent_ticks: Option<u64>,
    /// Bytes of an agent.
    pub(crate) bytes: f64,
}

/// Returns the depth of each row.
fn depths(rows: &[Row]) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(rows.len());
    for row in rows {
        depths.push(row.parent.map_or(0, |parent| depths[parent] + 1));
    }
    depths
}

/// Returns costs as text.
pub(crate) fn table(table: &Table) -> String {
    let mut text = format!("{}: {:.1} bytes per agent\n\n", table.name, table.bytes);
    for (name, bound) in &table.trees {
        let _ = writeln!(
            text,
            "  a tick of {name} takes at most {} instructions and {} host calls",
            grouped(bound.instructions),
            grouped(bound.host_calls)
        );
    }
    let _ = write!(text, "\n  {:<44}{:>14}{:>10}", "node", "instructions", "calls");
    if let Some(ticks) = table.agent_ticks {
        let _ = write!(text, "{:>12}{:>10}{:>12}", "entries", "ran", "calls");
        let _ = write!(text, "  place, in {} ticks of agents", grouped(ticks));
    } else {
        text.push_str("  place");
    }
    text.push('\n');
    for (row, depth) in table.rows.iter().zip(depths(&table.rows)) {
        let label = format!("{}{}", "  ".repeat(depth.min(MAX_INDENT)), row.label);
        let label: String = label.chars().take(43).collect();
        let Bounds { instructions, host_calls } = row.bound;
        let _ = write!(text, "  {label:<44}{:>14}{:>10}", grouped(instructions), grouped(host_calls));
        if let Some(ticks) = table.agent_ticks {
            let count = row.count.unwrap_or_default();
            let share = count.ticks as f64 * 100.0 / ticks.max(1) as f64;
            let _ = write!(text, "{:>12}{share:>8.1} %{:>12}", grouped(count.entries), grouped(count.calls));
        }
        let _ = writeln!(text, "  {}", row.place);
    }
    text
}

/// Returns costs as one JSON object.
pub(crate) fn json(table: &Table) -> Result<String, Failure> {
    let bound = |bound: &Bounds| json!({ "instructions": bound.instructions, "calls": bound.host_calls });
    let node = |row: &Row| {
        let mut node = json!({
            "name": row.label, "place": row.place, "parent": row.parent, "most": bound(&row.bound),
        });
        if let Some(count) = row.count {
            let NodeStatistics { entries, ticks, time, calls, .. } = count;
            node["took"] = json!({ "entries": entries, "ticks": ticks, "time": time, "calls": calls });
        }
        node
    };
    let tree = |(name, most): &(String, Bounds)| json!({ "name": name, "most": bound(most) });
    let object = json!({
        "bytes_per_agent": table.bytes,
        "agent_ticks": table.agent_ticks,
        "trees": table.trees.iter().map(tree).collect::<Vec<_>>(),
        "nodes": table.rows.iter().map(node).collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&object);
    Ok(text.map_err(|why| Failure::new(format!("cannot write JSON: {why}")))? + "\n")
}

/// Place of a node in a flame graph.
#[derive(Clone, Copy, Default)]
struct Flame {
    left: f64,
    width: f64,
    /// Width that children have used.
    used: f64,
    /// Pixels for an instruction among the children.
    scale: f64,
}

/// Returns costs as a flame graph: each node stands below its parent, and is as wide as its part of
/// the instructions.
pub(crate) fn flame(table: &Table) -> String {
    let rows = &table.rows;
    let depths = depths(rows);
    let weight = |row: &Row| row.bound.instructions as f64;
    // Only one child of some nodes runs, so children may come to more than their parent.
    let mut below = vec![0.0; rows.len()];
    rows.iter().for_each(|row| row.parent.into_iter().for_each(|parent| below[parent] += weight(row)));
    let all: f64 = rows.iter().filter(|row| row.parent.is_none()).map(weight).sum();
    let mut flames = vec![Flame::default(); rows.len()];
    let mut used = 0.0;
    let height = (depths.iter().max().map_or(0, |depth| depth + 1)) as f64 * SIZE[1];
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {height}\" width=\"{0}\" height=\"{height}\" role=\"img\">\n\
         <title>Instructions of {1}</title>\n\
         <style>text{{font:12px sans-serif;fill:#1f2328}}rect{{stroke:#fff}}</style>\n",
        SIZE[0],
        escape_xml(&table.name)
    );
    for (index, row) in rows.iter().enumerate() {
        let (left, width) = match row.parent {
            Some(parent) => {
                let around = &mut flames[parent];
                let width = weight(row) * around.scale;
                around.used += width;
                (around.left + around.used - width, width)
            }
            None => {
                let width = weight(row) * SIZE[0] / all.max(1.0);
                used += width;
                (used - width, width)
            }
        };
        let scale = width / weight(row).max(below[index]).max(1.0);
        flames[index] = Flame { left, width, used: 0.0, scale };
        if width >= VISIBLE {
            rectangle(&mut text, row, flames[index], depths[index]);
        }
    }
    text + "</svg>\n"
}

fn rectangle(text: &mut String, row: &Row, flame: Flame, depth: usize) {
    let Flame { left, width, .. } = flame;
    let top = depth as f64 * SIZE[1];
    // Warm colors, so that neighbors differ.
    let hue = 20 + (row.label.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31) + u32::from(byte)) % 35);
    let _ = write!(
        text,
        "<g><title>{} {}: at most {} instructions and {} calls</title>\
         <rect x=\"{left:.1}\" y=\"{top}\" width=\"{width:.1}\" height=\"{}\" fill=\"hsl({hue},85%,70%)\"/>",
        escape_xml(&row.label),
        escape_xml(&row.place),
        row.bound.instructions,
        row.bound.host_calls,
        SIZE[1]
    );
    if width >= LABELLED {
        let letters = (width / LETTER) as usize;
        let label: String = row.label.chars().take(letters).collect();
        let _ =
            write!(text, "<text x=\"{:.1}\" y=\"{}\">{}</text>", left + 4.0, top + 15.0, escape_xml(&label));
    }
    text.push_str("</g>\n");
}
