//! Trees in the language of Graphviz.

use crate::Node;
use std::fmt::Write;

/// Returns nodes as a graph.
#[must_use]
pub fn dot(nodes: &[Node]) -> String {
    let mut text = "digraph trees {\n  rankdir=LR\n  node [shape=box, fontname=\"sans-serif\"]\n".to_owned();
    for (index, node) in nodes.iter().enumerate() {
        let (label, place) = (quoted(&node.label), quoted(&node.place()));
        let _ = writeln!(text, "  n{index} [label={label}, tooltip={place}]");
        if let Some(parent) = node.parent {
            let _ = writeln!(text, "  n{parent} -> n{index}");
        }
    }
    text + "}\n"
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted() {
        let text = dot(&crate::sample());
        assert!(
            text.contains("  n2 [label=\"x < \\\"1\\\" & y\", tooltip=\"a.bt:11\"]\n  n1 -> n2\n"),
            "{text}"
        );
    }
}
