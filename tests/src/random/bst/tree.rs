//! Random selection trees as text.

use super::{EVENTS, TREE, VARIABLES};
use crate::random::Case;
use crate::random::draws::Draws;
use crate::random::mbt::condition;
use std::fmt::Write;

/// Returns the text of a case.
#[must_use]
pub fn text(case: &Case) -> String {
    let mut writer = Writer { draws: case.draws(), out: String::new(), left: case.size };
    writer.document();
    writer.out
}

struct Writer {
    draws: Draws,
    out: String,
    /// Number of nodes that may still be added.
    left: usize,
}

impl Writer {
    fn put(&mut self, text: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{text}");
    }

    fn document(&mut self) {
        self.put(format_args!("<SelectionTree name=\"{TREE}\" type=\"BehaviorSelectionTree\"><Variables>"));
        for name in VARIABLES {
            let default = self.draws.one_in(3);
            self.put(format_args!("<Variable name=\"{name}\" default=\"{default}\"/>"));
        }
        self.put("</Variables><SignalVariables>");
        for _ in 0..self.draws.below(5) {
            let (event, variable) = (self.draws.pick(&EVENTS), self.draws.pick(&VARIABLES));
            let value = condition(&mut self.draws);
            self.put(format_args!("<Signal name=\"{event}\" variable=\"{variable}\" value=\"{value}\"/>"));
        }
        self.put("</SignalVariables><LeafTranslations>");
        for node in ["B1", "N1:B2", "N0:N2:B3"] {
            let target = self.draws.below(3);
            if self.draws.one_in(2) {
                self.put(format_args!("<Map node=\"{node}\" target=\"To{target}\"/>"));
            }
        }
        self.put("</LeafTranslations>");
        self.node(0, "");
        self.put("</SelectionTree>");
    }

    /// Adds a node with its subtree.
    fn node(&mut self, depth: usize, condition: &str) {
        self.left = self.left.saturating_sub(1);
        self.draws.begin();
        let name = self.draws.below(5);
        if self.left == 0 || depth > 10 || self.draws.below(3) == 0 {
            self.put(format_args!("<Leaf name=\"B{name}\"{condition}/>"));
        } else if self.draws.one_in(2) {
            self.put(format_args!("<StateMachine name=\"N{name}\"{condition}>"));
            self.states(depth);
            self.put("</StateMachine>");
        } else {
            self.put(format_args!("<Priority name=\"N{name}\"{condition}>"));
            for _ in 0..self.draws.count(5) {
                let condition = self.conditional();
                self.node(depth + 1, &condition);
            }
            self.put("</Priority>");
        }
        self.draws.end();
    }

    fn conditional(&mut self) -> String {
        match self.draws.one_in(4) {
            true => String::new(),
            false => format!(" condition=\"{}\"", condition(&mut self.draws)),
        }
    }

    fn states(&mut self, depth: usize) {
        let states = if self.draws.one_in(20) { 32 } else { 1 + self.draws.count(5) };
        for state in 0..states {
            self.put(format_args!("<State name=\"s{state}\">"));
            for _ in 0..self.draws.below(4) {
                let (to, condition) = (self.draws.below(states), condition(&mut self.draws));
                self.put(format_args!("<Transition state=\"S{to}\" condition=\"{condition}\"/>"));
            }
            self.node(depth + 1, "");
            self.put("</State>");
        }
    }
}
