//! Trees in the language of Mermaid, which many sites draw.

use crate::Node;
use std::fmt::Write;

/// Returns nodes as a flowchart.
#[must_use]
pub fn mermaid(nodes: &[Node]) -> String {
    let mut text = "flowchart LR\n".to_owned();
    for (index, node) in nodes.iter().enumerate() {
        let _ = writeln!(text, "  n{index}[\"{}\"]", escaped(&node.label));
        if let Some(parent) = node.parent {
            let _ = writeln!(text, "  n{parent} --> n{index}");
        }
    }
    text
}

/// Returns a text in which letters that would end the text, or be read as markup, are numbers.
fn escaped(text: &str) -> String {
    let is_markup = |it: char| "\"#&<>;`\\[]{}()|".contains(it) || it.is_control();
    text.chars()
        .map(|it| if is_markup(it) { format!("#{};", u32::from(it)) } else { it.to_string() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_markup() {
        let text = mermaid(&crate::sample());
        assert!(text.contains("  n2[\"x #60; #34;1#34; #38; y\"]\n  n1 --> n2\n"), "{text}");
    }
}
