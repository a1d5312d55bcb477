//! Random trees of rules as text.

use crate::random::draws::Draws;
use std::collections::BTreeMap;

/// Names of actions. The host never has the last one.
const ACTIONS: &[&str] = &["a", "b", "c", "d", "e", "nothing"];
/// Names of conditions. The host never has the last one.
const CONDITIONS: &[&str] = &["p", "q", "r", "s", "never"];
const MODES: &[&str] = &["allTrue", "anyTrue", "anyFalse", "allFalse"];
/// Path of the file that subtrees use.
const PART: &str = "/parts/part.debt";

/// Tree: the text of its file, and the other files by path.
pub(super) struct Text {
    pub(super) main: String,
    pub(super) files: BTreeMap<String, String>,
}

/// Returns a tree of about `size` rules.
pub(super) fn tree(draws: &mut Draws, size: usize) -> Text {
    let mut part = Writer { draws, left: size / 4, ids: 0, parts: false, text: String::new() };
    for _ in 0..part.draws.below(3) {
        part.rule(1);
    }
    let part = part.text;
    let mut main = Writer { draws, left: size, ids: 0, parts: true, text: String::new() };
    main.list(0);
    let main = main.text;
    let whole = |rules: &str| format!("<behaviorTree>\n{rules}</behaviorTree>\n");
    Text { main: whole(&main), files: BTreeMap::from([(PART.to_owned(), whole(&part))]) }
}

struct Writer<'d> {
    draws: &'d mut Draws,
    /// Number of rules that may still be added.
    left: usize,
    /// Number of ids so far.
    ids: usize,
    /// True if subtrees are allowed.
    parts: bool,
    text: String,
}

impl Writer<'_> {
    fn rule(&mut self, depth: usize) {
        self.left = self.left.saturating_sub(1);
        self.draws.begin();
        match self.draws.below(20) {
            0 | 1 => self.leaf("success"),
            2 => self.leaf("failure"),
            3 => self.leaf("running"),
            4 | 5 => self.leaf("yield"),
            6..=12 if depth < 30 && self.left > 0 => self.list(depth),
            13 if self.parts => self.subtree(),
            _ => self.action(),
        }
        self.draws.end();
    }

    /// Returns an attribute `id` with a new name; always, or in two of three cases.
    fn id(&mut self, always: bool) -> String {
        if !always && self.draws.one_in(3) {
            return String::new();
        }
        self.ids += 1;
        // If a file is used twice, ids that begin with a dot are equal at its root.
        let (dot, letter) = match self.parts {
            true => (self.draws.pick(&["", "."]), 'r'),
            false => ("", 'p'),
        };
        format!(" id='{dot}{letter}{}'", self.ids)
    }

    fn truth(&mut self, name: &str, times: usize) -> String {
        if self.draws.one_in(times) { format!(" {name}='true'") } else { String::new() }
    }

    fn list(&mut self, depth: usize) {
        let tag = self.draws.pick(&["sequence", "choice"]);
        let attributes = self.id(false) + &self.truth("loop", 4) + &self.truth("doNotFail", 5);
        self.text += &format!("<{tag}{attributes}>\n");
        self.common(4);
        let children = if self.draws.one_in(15) { 0 } else { 1 + self.draws.count(4) };
        for _ in 0..children {
            self.rule(depth + 1);
        }
        self.text += &format!("</{tag}>\n");
    }

    fn subtree(&mut self) {
        let attributes = self.id(true) + &self.truth("loop", 6) + &self.truth("doNotFail", 5);
        self.text += &format!("<subtree{attributes}>{PART}</subtree>\n");
    }

    fn leaf(&mut self, tag: &str) {
        let id = self.id(false);
        self.text += &format!("<{tag}{id}>");
        self.common(3);
        self.text += &format!("</{tag}>\n");
    }

    fn action(&mut self) {
        let name = self.draws.pick(ACTIONS);
        let attributes = self.id(false) + &self.truth("doNotFail", 5);
        self.text += &format!("<action name='{name}'{attributes}>");
        self.common(3);
        self.text += "</action>\n";
    }

    /// Adds parameters and conditions, once in `times` rules.
    fn common(&mut self, times: usize) {
        if self.draws.one_in(4) {
            let value = self.draws.pick(&["1", "0.25", "true", "", "left"]);
            self.text += &format!("<parameter name='k'>{value}</parameter>");
        }
        if !self.draws.one_in(times) {
            return;
        }
        if self.draws.one_in(2) {
            let mode = self.draws.pick(MODES);
            self.text += &format!("<conditionMode>{mode}</conditionMode>");
        }
        for _ in 0..1 + self.draws.below(3) {
            let name = self.draws.pick(CONDITIONS);
            self.text += &format!("<condition>{name}</condition>");
        }
    }
}
