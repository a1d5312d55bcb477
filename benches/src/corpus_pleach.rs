//! Generated files in pleach's own language: megabytes of text to compile.
//!
//! As in [`crate::corpus`], the text looks like that of people (indented, with comments), and
//! the same seed gives the same text. A file declares functions of the host, constants,
//! variables and an event, and has trees of about a hundred nodes. Some trees are used by
//! others. Each file becomes an image.

use crate::corpus::Part;
use crate::dice::Dice;
use pleach_compile::texts::Texts;

use std::fmt::{Arguments, Write};

/// Trees of a file.
const TREES: usize = 60;
/// Number of trees with parameters that other trees use.
const SHARED: usize = 4;
const MAX_DEPTH: usize = 9;

const DECLARATIONS: &str = "\
// Functions of the host.
action moveTo(place: int, speed: float)
action shoot()
action roam()
action heal(rate: int)
action say(line: text)
query visible: bool
query distance(place: int): float
query rank(): int

const POST = 3
const CLIP: int = 2 * POST
const NEAR = 2.5
const LONG = 30

var health: float = 100
var ammo: int8 = CLIP
var seen: int
var steps: uint16
var alert: bool = true
var place: int
group var wounded: int
world var alarm: bool

on hit
{
	set health -= 10.0
	set alarm = true
}
";

/// Makes up files. Each file is the library and the entry of one image.
#[must_use]
pub fn corpus(files: u64) -> Vec<Part> {
    (0..files).map(part).collect()
}

fn part(seed: u64) -> Part {
    let mut part = Part { library: Texts::new("pleach"), entries: vec!["main".to_owned()] };
    let mut writer = Writer { text: DECLARATIONS.to_owned(), dice: Dice::new(seed), in_reactive: false };
    (0..SHARED).for_each(|index| writer.shared(index));
    (0..TREES).for_each(|index| writer.tree(index));
    part.library.add("main.pleach", writer.text);
    part
}

struct Writer {
    text: String,
    dice: Dice,
    /// True below a reactive node, where an `if` would be warned of.
    in_reactive: bool,
}

impl Writer {
    fn shared(&mut self, index: usize) {
        self.line(0, format_args!("\ntree shared_{index}(goal: int, pause: int)\n{{\n\tsequence\n\t{{"));
        self.line(2, format_args!("condition distance(goal) > NEAR"));
        self.line(2, format_args!("action moveTo(goal, 1.5)"));
        self.line(2, format_args!("wait pause ticks"));
        self.line(0, format_args!("\t}}\n}}"));
    }

    fn tree(&mut self, index: usize) {
        self.line(0, format_args!("\n// Tree {index}: made up, means nothing.\ntree tree_{index}\n{{"));
        self.list(1, 6);
        self.line(0, format_args!("}}"));
    }

    fn line(&mut self, depth: usize, text: Arguments<'_>) {
        self.text.extend(std::iter::repeat_n('\t', depth));
        // A string can always be written to.
        let _ = writeln!(self.text, "{text}");
    }

    /// Writes a node. Nodes that always succeed are written only in sequences, because the compiler
    /// would warn of them elsewhere.
    fn node(&mut self, depth: usize, in_sequence: bool) {
        match self.dice.below(16) {
            0..=2 if depth < MAX_DEPTH => {
                let children = 2 + self.dice.below(5);
                self.list(depth, children);
            }
            3..=7 if depth < MAX_DEPTH => self.guard(depth),
            8 if depth < MAX_DEPTH => self.decorator(depth),
            9 | 10 => {
                let condition = self.condition();
                self.line(depth, format_args!("condition {condition}"));
            }
            11 if self.dice.below(4) == 0 => {
                let shared = self.dice.below(SHARED as u32);
                let pause = 1 + self.dice.below(100);
                self.line(depth, format_args!("use shared_{shared}(POST + 1, {pause})"));
            }
            12..=14 if in_sequence => self.set(depth),
            _ => self.action(depth),
        }
    }

    fn list(&mut self, depth: usize, children: u32) {
        let words = ["selector", "selector", "sequence", "sequence", "reactive selector"];
        let word = if self.dice.below(20) == 0 { "parallel" } else { self.dice.pick(&words) };
        if self.dice.below(4) == 0 {
            self.line(depth, format_args!("// Try each of these in turn."));
        }
        self.line(depth, format_args!("{word}"));
        self.line(depth, format_args!("{{"));
        let outside = self.in_reactive;
        self.in_reactive |= word == "reactive selector";
        self.action(depth + 1);
        for _ in 1..children {
            self.node(depth + 1, word == "sequence");
        }
        self.in_reactive = outside;
        self.line(depth, format_args!("}}"));
    }

    fn guard(&mut self, depth: usize) {
        let condition = self.condition();
        let word = self.dice.pick(&["if", "if", "while"]);
        let word = if self.in_reactive { "while" } else { word };
        self.line(depth, format_args!("{word} {condition}"));
        self.inside(depth);
    }

    fn decorator(&mut self, depth: usize) {
        let many = 1 + self.dice.below(20);
        match self.dice.below(5) {
            0 => self.line(depth, format_args!("cooldown {} ms", many * 500)),
            1 => self.line(depth, format_args!("timeout {many} s")),
            2 => self.line(depth, format_args!("invert")),
            3 => self.line(depth, format_args!("repeat {many}")),
            _ => self.line(depth, format_args!("retry 2")),
        }
        self.inside(depth);
    }

    fn inside(&mut self, depth: usize) {
        self.line(depth, format_args!("{{"));
        self.node(depth + 1, false);
        self.line(depth, format_args!("}}"));
    }

    fn action(&mut self, depth: usize) {
        match self.dice.below(5) {
            0 => self.line(depth, format_args!("action moveTo(POST, 1.5)")),
            1 => self.line(depth, format_args!("action moveTo(place, 2)")),
            2 => self.line(depth, format_args!("action heal(2 * CLIP - 1)")),
            3 => self.line(depth, format_args!("action shoot")),
            _ => self.line(depth, format_args!("action roam")),
        }
    }

    fn set(&mut self, depth: usize) {
        let value = self.dice.below(50);
        match self.dice.below(6) {
            0 => self.line(depth, format_args!("set ammo -= 1")),
            1 => self.line(depth, format_args!("set seen = now")),
            2 => self.line(depth, format_args!("set health max= {value}.5")),
            3 => self.line(depth, format_args!("set alert = !alarm")),
            4 => self.line(depth, format_args!("set wounded += 1")),
            _ => self.line(depth, format_args!("set steps = (steps + {value}) % LONG")),
        }
    }

    fn condition(&mut self) -> String {
        let first = self.comparison();
        match self.dice.below(4) {
            0 => format!("{first} && {}", self.comparison()),
            1 => format!("{first} || !alert"),
            _ => first,
        }
    }

    fn comparison(&mut self) -> String {
        let value = self.dice.below(100);
        match self.dice.below(9) {
            0 => "visible".to_owned(),
            1 => "distance(POST) > NEAR".to_owned(),
            2 => format!("rank() == {value}"),
            3 => "ammo > 0".to_owned(),
            4 => format!("now - seen >= {}", value * 100),
            5 => format!("health <= 0.{value}"),
            6 => "alarm".to_owned(),
            7 => format!("wounded + {value} > steps"),
            _ => format!("steps != {value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_compile::manifest::Manifest;
    use pleach_compile::{Compiler, Request, dialect};

    #[test]
    fn files_have_no_findings() {
        let dialect = dialect::by_extension("pleach").expect("the dialect exists");
        for Part { library, entries } in corpus(3) {
            let request = Request { dialect, manifest: &Manifest::default(), entries: &entries, debug: true };
            let compiled = Compiler::default().compile(&library, request);
            assert!(compiled.image.is_some());
            assert!(compiled.diagnostics.list().is_empty(), "{:#?}", compiled.diagnostics.list());
        }
    }
}
