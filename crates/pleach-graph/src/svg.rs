//! Trees as SVG, light or dark as the reader prefers.
//!
//! The group of a node has the node's place in the source as `data-place`, so that a program that
//! shows the picture can lead to the text.

use crate::Node;
use crate::escape::escape_xml;
use crate::layout::layout;
use std::fmt::Write;

const COLUMN: usize = 250;
const ROW: usize = 34;
const BOX: [usize; 2] = [220, 24];
const MARGIN: usize = 12;
/// Number of letters that fit into a box.
const LETTERS: usize = 32;

const STYLE: &str = "text{font:13px sans-serif;fill:#1f2328}rect{fill:#f6f8fa;stroke:#57606a}path{fill:none;stroke:#8c959f}\
                     @media(prefers-color-scheme:dark){svg{background:#0d1117}text{fill:#e6edf3}rect{fill:#161b22;stroke:#7d8590}}";

/// Colors of changes.
const MARKS: &str = ".added rect{fill:#aceebb;stroke:#1a7f37}.removed rect{fill:#ffcecb;stroke:#cf222e;stroke-dasharray:4}\
                     .changed rect{fill:#fae17d;stroke:#9a6700}.moved rect{fill:#b6e3ff;stroke:#0969da}\
                     .added text,.removed text,.changed text,.moved text{fill:#1f2328}";

/// Returns nodes as a picture.
#[must_use]
pub fn svg(nodes: &[Node]) -> String {
    let (places, rows) = layout(nodes);
    let marks = if nodes.iter().any(|node| node.mark.is_some()) { MARKS } else { "" };
    let columns = places.iter().map(|place| place.column + 1).max().unwrap_or(0);
    let size = [columns * COLUMN + MARGIN, rows * ROW + 2 * MARGIN];
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n\
         <title>Behavior trees</title>\n<style>{STYLE}{marks}</style>\n",
        size[0], size[1]
    );
    let corner = |index: usize| {
        let place = places[index];
        [MARGIN + place.column * COLUMN, MARGIN + place.half_row * ROW / 2]
    };
    for (index, node) in nodes.iter().enumerate() {
        let [x, y] = corner(index);
        let middle = y + BOX[1] / 2;
        if let Some(parent) = node.parent {
            let [from, above] = corner(parent);
            let (from, above) = (from + BOX[0], above + BOX[1] / 2);
            let bend = usize::midpoint(from, x);
            let _ =
                writeln!(text, "<path d=\"M{from} {above}C{bend} {above} {bend} {middle} {x} {middle}\"/>");
        }
        let place = escape_xml(&node.place());
        let _ = writeln!(
            text,
            "<g{} data-place=\"{place}\"><title>{} {place}</title><rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"4\"/><text x=\"{}\" y=\"{}\">{}</text></g>",
            node.mark.map_or_else(String::new, |mark| format!(" class=\"{mark}\"")),
            escape_xml(&node.label),
            BOX[0],
            BOX[1],
            x + 8,
            y + 17,
            escape_xml(&shortened(&node.label))
        );
    }
    text + "</svg>\n"
}

fn shortened(label: &str) -> String {
    if label.chars().count() <= LETTERS {
        label.to_owned()
    } else {
        label.chars().take(LETTERS - 1).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_markup() {
        let text = svg(&crate::sample());
        assert!(text.contains(">x &lt; &quot;1&quot; &amp; y</text>"), "{text}");
        assert!(text.contains("<g data-place=\"a.bt:8\"><title>selector a.bt:8</title>"), "{text}");
        assert_eq!(text.matches("<rect").count(), 5);
        assert_eq!(text.matches("<path").count(), 3);
    }
}
