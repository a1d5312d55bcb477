//! Conditions, and nodes that choose a child.

use super::element::Element;
use super::nodes::Sum;
use super::{Exporter, MAX_DEPTH, Near, Refusal, refusal, unknown};
use crate::ir::{Binary, By, Expr, NodeIndex};
use crate::manifest::Type;

impl Exporter<'_> {
    /// Writes a condition: a script, or leaves of the game under nodes that stop as operators do.
    pub(super) fn condition(&mut self, expr: u32) -> Result<Element, Refusal> {
        if !self.asks[expr as usize] {
            return Ok(Element::test(&self.code(expr)?.text));
        }
        if self.heights[expr as usize] > super::script::MAX_HEIGHT {
            return Err(refusal("the condition is too deep", "split it"));
        }
        match self.module.exprs[expr as usize] {
            Expr::Not(inner) => Ok(Element::around("Inverter", [self.condition(inner)?])),
            Expr::Binary(op @ (Binary::And | Binary::Or), left, right) => {
                let name = if op == Binary::And { "Sequence" } else { "Fallback" };
                let [left, right] = [self.condition(left)?, self.condition(right)?];
                Ok(Element::around(name, [left, right]))
            }
            Expr::ToTruth(inner) if matches!(self.module.exprs[inner as usize], Expr::Query(_)) => {
                self.condition(inner)
            }
            Expr::Query(site) => self.query(site),
            _ => Ok(Element::test(&self.code(expr)?.text)),
        }
    }

    fn query(&mut self, site: u32) -> Result<Element, Refusal> {
        let (element, answers) = self.call(site)?;
        if answers != Some(Type::Bool) {
            let help =
                "compare by a query that answers a `bool`, or let an action write the answer into a variable";
            return Err(refusal("a condition of BehaviorTree.CPP answers a truth, not a number", help));
        }
        Ok(element)
    }

    /// Writes a node that chooses a child, and keeps to it or chooses anew in each tick.
    pub(super) fn choice(&mut self, node: NodeIndex, by: By, reactive: bool) -> Result<Element, Refusal> {
        let (first, value) = match by {
            By::First(first) => (first as usize, None),
            By::Value(slot, value, first) => (first as usize, Some((slot, value))),
            By::Highest(_) | By::Keeping { .. } => {
                return Err(unknown(&self.module.nodes[node as usize].kind));
            }
        };
        let start = value.map(|(slot, value)| self.assignment(slot, value)).transpose()?;
        if reactive && self.hears_halts(node, value.is_none()) {
            self.near(Near::HaltsFirst)?;
        }
        let count = self.module.children(node).count();
        // Each choice stands in the one before it.
        if count > MAX_DEPTH {
            return Err(refusal("there are too many cases", "let some cases be a choice of their own"));
        }
        let tests = self.module.tests[first..first + count.saturating_sub(1)].to_vec();
        let tests = tests.into_iter().map(|test| self.condition(test)).collect::<Result<Vec<_>, _>>()?;
        let mut children = if reactive { self.reacting(|it| it.children(node)) } else { self.children(node) };
        let name = if reactive { "WhileDoElse" } else { "IfThenElse" };
        let last = children.pop().ok_or_else(|| refusal("the node has no child", "add one"))?;
        let pairs = tests.into_iter().zip(children).rev();
        let chosen = pairs.fold(last, |rest, (test, child)| Element::around(name, [test, child, rest]));
        let around = if reactive { "ReactiveSequence" } else { "Sequence" };
        Ok(match start {
            Some(script) => Element::around(around, [Element::script(&script), chosen]),
            None => chosen,
        })
    }

    /// Returns true if it makes a difference that a reactive choice halts the running child before
    /// the next one: if another child is seen by the game, or if tests of variables stand behind a
    /// child that cleans up.
    fn hears_halts(&self, node: NodeIndex, tests_variables: bool) -> bool {
        let children: Vec<_> = self.module.children(node).collect();
        let seen = children.iter().filter(|child| self.is_seen(**child)).count();
        children.iter().enumerate().any(|(index, child)| {
            let lasts = self.count(*child, Sum::Lasting) > 0;
            let others = seen - usize::from(self.is_seen(*child));
            // The last two children have one test, which stands before both.
            let tested = tests_variables && index + 2 < children.len();
            lasts && (others > 0 || tested && self.count(*child, Sum::Cleanups) > 0)
        })
    }
}
