//! The engines beside hand-written Rust, drawn.
//!
//! A group of bars for each tree, a bar for each engine, and a line where hand-written Rust is. The
//! picture is text; it has its own background, so that it can be read on light pages and on dark
//! ones.

use std::fmt::Write;

const WIDTH: usize = 760;
const LEFT: usize = 80;
const BAR: usize = 14;
const GAP: usize = 18;
const TOP: usize = 48;
const COLORS: [&str; 4] = ["#94a3b8", "#c4b5fd", "#60a5fa", "#1d4ed8"];

/// Ratios to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    engines: Vec<&'static str>,
    trees: Vec<(&'static str, Vec<(usize, f64)>)>,
}

impl Chart {
    /// Adds a bar.
    pub fn add(&mut self, tree: &'static str, engine: &'static str, ratio: f64) {
        let known = self.engines.iter().position(|known| *known == engine);
        let index = known.unwrap_or_else(|| {
            self.engines.push(engine);
            self.engines.len() - 1
        });
        match self.trees.last_mut() {
            Some((last, bars)) if *last == tree => bars.push((index, ratio)),
            _ => self.trees.push((tree, vec![(index, ratio)])),
        }
    }

    /// Returns the picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let bars = self.trees.iter().flat_map(|(_, bars)| bars);
        let most = bars.map(|(_, ratio)| *ratio).fold(1.0, f64::max).ceil();
        let scale = (WIDTH - LEFT - 60) as f64 / most;
        let (mut body, mut y) = (String::new(), TOP);
        for (tree, bars) in &self.trees {
            let middle = y + bars.len() * BAR / 2 + 4;
            text(&mut body, LEFT - 8, middle, "end", tree);
            for (engine, ratio) in bars {
                let (color, width) = (COLORS[engine % COLORS.len()], ratio * scale);
                let height = BAR - 2;
                _ = writeln!(
                    body,
                    r#"<rect x="{LEFT}" y="{y}" width="{width:.1}" height="{height}" fill="{color}"/>"#
                );
                text(&mut body, LEFT + 4 + width as usize, y + BAR - 4, "start", &format!("{ratio:.2}"));
                y += BAR;
            }
            y += GAP;
        }
        let one = LEFT as f64 + scale;
        let (bottom, height) = (y - GAP + 6, y + 4);
        _ = writeln!(body, r##"<path d="M{one:.1} {TOP}V{bottom}" stroke="#111" stroke-dasharray="3 3"/>"##);
        let mut head = String::new();
        text(
            &mut head,
            LEFT,
            18,
            "start",
            "agent-ticks a second, × hand-written Rust (dashed); 10,000 agents, one thread",
        );
        for (index, engine) in self.engines.iter().enumerate() {
            let (x, color) = (LEFT + index * 130, COLORS[index % COLORS.len()]);
            _ = writeln!(head, r#"<rect x="{x}" y="26" width="10" height="10" fill="{color}"/>"#);
            text(&mut head, x + 16, 35, "start", engine);
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{head}{body}</svg>\n"
        )
    }
}

fn text(into: &mut String, x: usize, y: usize, anchor: &str, text: &str) {
    _ = writeln!(into, r##"<text x="{x}" y="{y}" text-anchor="{anchor}" fill="#111">{text}</text>"##);
}

#[cfg(test)]
mod tests {
    use super::Chart;

    #[test]
    fn bars_are_as_long_as_ratios_say() {
        let mut chart = Chart::default();
        chart.add("guard", "scalar", 1.0);
        chart.add("guard", "batch", 4.0);
        chart.add("deep", "scalar", 2.0);
        let svg = chart.svg();
        let widths: Vec<f64> = svg
            .lines()
            .filter(|line| line.starts_with("<rect x=\"80\" y=") && line.contains("height=\"12\""))
            .map(|line| line.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(widths, [155.0, 620.0, 310.0]);
        assert_eq!(svg.matches(">scalar</text>").count(), 1, "the legend names an engine once");
    }
}
