//! A random selection tree as text.

use super::{EVENTS, TREE, VARIABLES};
use crate::random::Case;
use crate::random::dice::Dice;
use crate::random::mbt::condition;
use std::fmt::Write;

/// The text of a case.
#[must_use]
pub fn text(case: Case) -> String {
    let mut writer = Writer { dice: Dice::new(case.seed), out: String::new(), left: case.size };
    writer.document();
    writer.out
}

struct Writer {
    dice: Dice,
    out: String,
    /// How many nodes there may still be.
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
            let default = self.dice.one_in(3);
            self.put(format_args!("<Variable name=\"{name}\" default=\"{default}\"/>"));
        }
        self.put("</Variables><SignalVariables>");
        for _ in 0..self.dice.below(5) {
            let (event, variable) = (self.dice.pick(&EVENTS), self.dice.pick(&VARIABLES));
            let value = condition(&mut self.dice);
            self.put(format_args!("<Signal name=\"{event}\" variable=\"{variable}\" value=\"{value}\"/>"));
        }
        self.put("</SignalVariables><LeafTranslations>");
        for node in ["B1", "N1:B2", "N0:N2:B3"] {
            let target = self.dice.below(3);
            if self.dice.one_in(2) {
                self.put(format_args!("<Map node=\"{node}\" target=\"To{target}\"/>"));
            }
        }
        self.put("</LeafTranslations>");
        self.node(0, "");
        self.put("</SelectionTree>");
    }

    /// A node with all that is in it.
    fn node(&mut self, depth: usize, condition: &str) {
        self.left = self.left.saturating_sub(1);
        let name = self.dice.below(5);
        if self.left == 0 || depth > 10 || self.dice.one_in(3) {
            self.put(format_args!("<Leaf name=\"B{name}\"{condition}/>"));
        } else if self.dice.one_in(2) {
            self.put(format_args!("<StateMachine name=\"N{name}\"{condition}>"));
            self.states(depth);
            self.put("</StateMachine>");
        } else {
            self.put(format_args!("<Priority name=\"N{name}\"{condition}>"));
            for _ in 0..self.dice.below(5) {
                let condition = self.conditional();
                self.node(depth + 1, &condition);
            }
            self.put("</Priority>");
        }
    }

    fn conditional(&mut self) -> String {
        match self.dice.one_in(4) {
            true => String::new(),
            false => format!(" condition=\"{}\"", condition(&mut self.dice)),
        }
    }

    fn states(&mut self, depth: usize) {
        let states = if self.dice.one_in(20) { 32 } else { 1 + self.dice.below(5) };
        for state in 0..states {
            self.put(format_args!("<State name=\"s{state}\">"));
            for _ in 0..self.dice.below(4) {
                let (to, condition) = (self.dice.below(states), condition(&mut self.dice));
                self.put(format_args!("<Transition state=\"S{to}\" condition=\"{condition}\"/>"));
            }
            self.node(depth + 1, "");
            self.put("</State>");
        }
    }
}
