//! Random programs of our own language, mostly such as BehaviorTree.CPP has room for. None has out
//! arguments, which are only near.

use super::super::draws::Draws;
use crate::random::Case;
use core::fmt::Write;

/// Words before the tree: its variables.
const VARIABLES: &str = "var i: int = 3\nvar small: int8 = -2\nvar tiny: uint8\nvar b: bool\nvar c: bool = true\n\
    var d: double = 0.5\nvar e: double = -1.0\nvar t: text = \"one\"\n";
/// Greatest number of trees that stand in each other.
const DEPTH: usize = 7;

/// Returns the text of a case.
pub(super) fn text(case: &Case) -> String {
    let mut tree = Tree { draws: case.draws(), out: String::new(), left: case.size.min(60), depth: 0 };
    let mut text = VARIABLES.to_owned();
    let helper = tree.draws.one_in(3);
    if helper {
        tree.out.clear();
        tree.node(true);
        let _ = writeln!(text, "tree helper {{ var own: int = 2 sequence {{ set own -= 1 {} }} }}", tree.out);
    }
    tree.out.clear();
    tree.left = case.size.min(60);
    tree.node(true);
    let body = &tree.out;
    let used = if helper { "use helper use helper" } else { "" };
    let _ = writeln!(text, "tree main {{ sequence {{ {body} {used} }} }}");
    text
}

/// Program under construction.
struct Tree {
    draws: Draws,
    out: String,
    left: usize,
    depth: usize,
}

impl Tree {
    fn word(&mut self, word: &str) {
        self.out += word;
        self.out.push(' ');
    }

    /// Writes a node. If it must be short, it ends at once.
    fn node(&mut self, lasts: bool) {
        self.draws.begin();
        self.depth += 1;
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || self.depth > DEPTH || self.draws.one_in(4) {
            if lasts { self.leaf() } else { self.instant() }
        } else {
            self.inner(lasts);
        }
        self.depth -= 1;
        self.draws.end();
    }

    fn leaf(&mut self) {
        match self.draws.below(10) {
            0 | 1 | 5 => self.word("action plain"),
            2 => {
                let number = self.number();
                self.word(&format!("action whole({number})"));
            }
            3 => {
                let (real, text) = (self.real(), self.draws.pick(&["t", "\"a < b\"", "\"\""]));
                self.word(&format!("action mixed({real}, {text})"));
            }
            4 => {
                let truth = self.truth(2);
                self.word(&format!("action judge({truth})"));
            }
            6 => {
                let wait = self.draws.pick(&[
                    "0 ms",
                    "30 ms",
                    "50 ms",
                    "0 ticks",
                    "1 ticks",
                    "3 ticks",
                    "small ticks",
                    "(i * 10) ms",
                ]);
                self.word(&format!("wait {wait}"));
            }
            7 => self.word("running"),
            _ => self.instant(),
        }
    }

    fn instant(&mut self) {
        match self.draws.below(8) {
            0 => self.word("success"),
            1 => self.word("failure"),
            2 | 3 => self.set(),
            _ => {
                let test = self.test();
                self.word(&format!("condition {test}"));
            }
        }
    }

    fn set(&mut self) {
        let set = match self.draws.below(8) {
            0 | 1 => format!("set b = {}", self.truth(2)),
            2 => format!("set c = {}", self.truth(3)),
            3 => format!("set i = {}", self.number()),
            4 => format!("set small {} {}", self.draws.pick(&["+=", "-=", "="]), self.number()),
            5 => format!(
                "set tiny {} {}",
                self.draws.pick(&["+=", "-="]),
                self.draws.pick(&["1", "100", "300"])
            ),
            6 => format!("set {} = {}", self.draws.pick(&["d", "e"]), self.real()),
            _ => format!("set t = {}", self.draws.pick(&["\"one\"", "\"two\"", "\"\""])),
        };
        self.word(&set);
    }

    /// Returns a small int.
    fn number(&mut self) -> String {
        match self.draws.below(8) {
            0 => "small * 2 - 1".into(),
            1 => "int(b) + 1".into(),
            2 => "max(small, 4)".into(),
            3 => "abs(small)".into(),
            4 => "-small".into(),
            5 => "tiny - 7".into(),
            6 => "i".into(),
            _ => self.draws.below(9).to_string(),
        }
    }

    fn real(&mut self) -> String {
        let [one, other] = [(); 2].map(|()| self.draws.pick(&["d", "e", "2.5", "3.0", "-0.25"]));
        match self.draws.below(6) {
            0 => format!("double({one}) + {other}"),
            1 => format!("d * {one} - {other}"),
            2 => format!("e / ({one} - {other})"),
            3 => format!("min(d, {one})"),
            4 => "double(i) - d".into(),
            _ => one.into(),
        }
    }

    /// Returns an expression that is a truth.
    fn truth(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.draws.pick(&["b", "c", "true", "!b"]).into();
        }
        match self.draws.below(9) {
            0 => format!("{} && {}", self.truth(depth - 1), self.truth(depth - 1)),
            1 => format!("({} || {})", self.truth(depth - 1), self.truth(depth - 1)),
            2 => format!("!({})", self.truth(depth - 1)),
            3 => {
                format!("i {} {}", self.draws.pick(&["<", "<=", ">", ">=", "==", "!="]), self.draws.below(7))
            }
            4 => format!("small {} tiny - 3", self.draws.pick(&["<", "==", "!="])),
            5 => format!("d {} e", self.draws.pick(&["<", "<=", ">", ">=", "==", "!="])),
            6 => format!("t {} \"one\"", self.draws.pick(&["==", "!=", "<", ">="])),
            7 => "b == c".into(),
            _ => self.draws.pick(&["b", "c"]).into(),
        }
    }

    /// Returns a condition, in which the host may be asked.
    fn test(&mut self) -> String {
        let truth = self.truth(2);
        match self.draws.below(10) {
            0 => "sees()".into(),
            1 => format!("({truth}) && near({})", self.draws.pick(&["i", "4"])),
            2 => format!("!sees() || ({truth})"),
            _ => truth,
        }
    }

    fn block(&mut self, count: usize, lasts: &[bool]) {
        self.word("{");
        for index in 0..count {
            self.node(lasts[index.min(lasts.len() - 1)]);
        }
        self.word("}");
    }

    fn children(&mut self, lasts: bool) {
        let count = self.draws.count(4);
        self.block(count, &[lasts]);
    }

    /// Writes words and a block with one child.
    fn around(&mut self, words: &str, lasts: bool) {
        self.word(words);
        self.block(1, &[lasts]);
    }

    /// Writes a node around others. Of the children of a reactive node, one can last.
    fn inner(&mut self, lasts: bool) {
        match self.draws.below(24) {
            0..=3 => {
                let word = self.draws.pick(&["sequence", "selector"]);
                self.word(word);
                self.children(lasts);
            }
            4 | 5 => {
                let (word, last) = (self.draws.pick(&["sequence", "selector"]), self.draws.below(3));
                self.word(&format!("reactive {word}"));
                let flags = [0, 1, 2].map(|index| lasts && index == last);
                self.block(3, &flags);
            }
            6..=8 => {
                let (word, test) = (self.draws.pick(&["if", "while"]), self.test());
                self.around(&format!("{word} {test}"), lasts);
            }
            9 => {
                self.around("once", lasts);
            }
            10 => {
                self.word("cleanup {");
                self.set();
                self.around("}", lasts);
            }
            11 | 12 => {
                let word = self.draws.pick(&["invert", "force success", "force failure"]);
                self.around(word, lasts);
            }
            13..=15 if lasts => {
                let word = [
                    "repeat",
                    "repeat 1",
                    "repeat 3",
                    "repeat i",
                    "retry",
                    "retry small",
                    "until success",
                    "until failure",
                ];
                let word = self.draws.pick(&word);
                self.around(word, lasts);
            }
            16 if lasts => {
                let word =
                    self.draws.pick(&["timeout 40 ms", "timeout 1 ms", "delay 20 ms", "delay 2 ticks"]);
                self.around(word, lasts);
            }
            17 | 18 if lasts => {
                let policy =
                    ["", "(succeed any)", "(fail all)", "(succeed 2, fail 2)", "(succeed all, fail all)"];
                let policy = self.draws.pick(&policy);
                self.word(&format!("parallel {policy}"));
                self.block(3, &[lasts]);
            }
            19 | 20 => self.choice(lasts),
            _ => {
                self.word("sequence");
                self.children(lasts);
            }
        }
    }

    fn choice(&mut self, lasts: bool) {
        let reactive = self.draws.one_in(2);
        let value = self.draws.pick(&["i", "small + 2", "int(b)"]);
        self.word(&format!("{}match {value} {{", if reactive { "reactive " } else { "" }));
        for case in ["0:", "1:"] {
            self.word(case);
            self.node(lasts && !reactive);
        }
        self.word("else:");
        self.node(lasts);
        self.word("}");
    }
}
