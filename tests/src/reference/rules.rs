//! Trees with rules: a step as the dialect's page describes it.
//!
//! The agent's rule is run. If its status is running, the step is over. If the agent is still at
//! the rule, the rule has ended, and its parent is run next, with the status of the rule and the
//! place of the agent; and so on up to the first rule. If the agent is elsewhere, the rule at its
//! new place is run.

use super::frame::{Frame, Position};
use super::{Host, Reference, Tick, World, call};
use pleach_compile::internals::ir::{Does, Id, Kind, Module, NodeIndex, Outcome, Rule, SUCCESS};

/// Error of a step with more rules than allowed: the rules that ran, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RanAway(pub Vec<NodeIndex>);

impl<'m> Reference<'m> {
    /// Runs a block once for a single agent.
    ///
    /// # Errors
    /// If more rules run than allowed.
    pub fn step(
        &self,
        frame: &mut Frame,
        block: u32,
        now: i64,
        host: &mut dyn Host,
    ) -> Result<Outcome, RanAway> {
        let root = self.module.blocks[block as usize].root;
        let mut world = World::new(self.module, 0);
        let mut tick = self.begin(&mut world, (0, 0), frame, now, host);
        let outcome = tick.run(root);
        tick.ran_away.take().map_or(Ok(outcome), Err)
    }
}

impl Frame {
    /// Returns the rule of a tree that the agent is at; `None` if it is at no rule.
    #[must_use]
    pub fn rule(&self, module: &Module, tree: NodeIndex) -> Option<NodeIndex> {
        match self.positions[usize::from(module.current?)] {
            Position::At(node) if node == tree => None,
            Position::At(node) => Some(node),
            // The first rule is in the node that goes from rule to rule.
            _ => Some(tree + 2),
        }
    }

    /// Returns true if the rule has not been run since the agent came to it.
    #[must_use]
    pub fn first_run(&self, module: &Module) -> bool {
        module.cursor.is_some_and(|cursor| !self.bits[usize::from(cursor.ran)])
    }

    /// Puts the agent at a node: a rule, or the tree itself for no rule.
    pub fn put_at(&mut self, module: &Module, node: NodeIndex) {
        self.positions[usize::from(module.current.unwrap_or_default())] = Position::At(node);
    }

    /// Sets the flag for the first run of the rule.
    pub fn set_first_run(&mut self, module: &Module, first_run: bool) {
        if let Some(cursor) = module.cursor {
            self.bits[usize::from(cursor.ran)] = !first_run;
        }
    }

    /// Sends the agent to the rule of a tree with this name. Returns false if there is none.
    pub fn jump(&mut self, module: &Module, tree: NodeIndex, name: &str) -> bool {
        let Some(node) = rule_named(module, tree, name) else { return false };
        self.put_at(module, node);
        self.set_first_run(module, true);
        true
    }
}

/// Returns the rule of a tree that can be found by this name.
#[must_use]
pub fn rule_named(module: &Module, tree: NodeIndex, name: &str) -> Option<NodeIndex> {
    let inside = tree..module.nodes[tree as usize].end;
    let is_it =
        |id: &&Id| id.listed && inside.contains(&id.node) && module.names.bytes(id.name) == name.as_bytes();
    module.ids.iter().find(is_it).map(|id| id.node)
}

impl Tick<'_, '_> {
    /// Runs the node that goes from rule to rule.
    pub(super) fn steps(&mut self, node: NodeIndex) -> Outcome {
        let tree = node - 1;
        let mut runs = Vec::new();
        while let Some(current) = self.frame.rule(self.module, tree) {
            let mut rule = current;
            let mut last = self.rule(rule, Outcome::Failure);
            if self.ends_step(rule, last, &mut runs) {
                return last;
            }
            while self.is_at(tree, rule) {
                rule = self.parent(rule);
                if rule == node {
                    return last;
                }
                last = self.rule(rule, last);
                if self.ends_step(rule, last, &mut runs) {
                    return last;
                }
            }
        }
        Outcome::Failure
    }

    /// Returns true if the step ends with a rule that has run.
    fn ends_step(&mut self, rule: NodeIndex, last: Outcome, runs: &mut Vec<NodeIndex>) -> bool {
        runs.push(rule);
        let running = last == Outcome::Running;
        if !running && runs.len() == usize::from(self.frame.limit) {
            self.ran_away = Some(RanAway(core::mem::take(runs)));
            return true;
        }
        running
    }

    fn is_at(&self, tree: NodeIndex, rule: NodeIndex) -> bool {
        self.frame.rule(self.module, tree) == Some(rule)
    }

    fn parent(&self, node: NodeIndex) -> NodeIndex {
        let holds = |parent: &NodeIndex| self.module.nodes[*parent as usize].end > node;
        (0..node).rev().find(holds).expect("a rule stands in a tree")
    }

    /// Runs a rule. `last` is the status of its child, if the agent is at a child.
    fn rule(&mut self, node: NodeIndex, last: Outcome) -> Outcome {
        let Kind::Rule(rule) = self.module.nodes[node as usize].kind else {
            unreachable!("agents are at rules")
        };
        let rule = self.module.rules[rule as usize];
        match rule.does {
            Does::Fail => bad(rule),
            Does::End(outcome) if self.conditions(node, rule) => outcome,
            Does::Act(site) => self.act_rule(node, rule, site),
            Does::Yield if self.conditions(node, rule) => {
                let first = self.frame.first_run(self.module);
                self.frame.set_first_run(self.module, false);
                if first { Outcome::Running } else { Outcome::Success }
            }
            Does::End(_) | Does::Yield => bad(rule),
            Does::All { looping } => self.sequence(node, rule, looping, last),
            Does::Any { looping } => self.choice(node, rule, looping, last),
        }
    }

    fn conditions(&mut self, node: NodeIndex, rule: Rule) -> bool {
        rule.condition.is_none_or(|expr| self.holds(node, expr))
    }

    fn act_rule(&mut self, node: NodeIndex, rule: Rule, site: u32) -> Outcome {
        let call = call(self.module, self.frame, self.agent, node, site);
        if !self.host.knows(&call) || !self.conditions(node, rule) {
            return bad(rule);
        }
        let fresh = self.frame.first_run(self.module);
        let outcome = self.host.act(self.frame, &call, fresh);
        self.frame.set_first_run(self.module, false);
        match outcome {
            Outcome::Failure | Outcome::Other(_) => bad(rule),
            outcome => outcome,
        }
    }

    /// Returns the index of a list's child that the agent is at; `None` if it is at the list
    /// itself.
    fn child_at(&self, node: NodeIndex) -> Option<usize> {
        let at = self.at();
        self.module.children(node).position(|child| at == Position::At(child))
    }

    /// Sends the agent from a list to a rule.
    fn go(&mut self, node: NodeIndex) {
        self.put(Position::At(node));
        self.frame.set_first_run(self.module, true);
    }

    /// Runs a list that the agent has come to.
    fn enter_rule(&mut self, node: NodeIndex, rule: Rule) -> Outcome {
        let first = self.module.children(node).next();
        match first {
            Some(first) if self.conditions(node, rule) => {
                self.go(first);
                Outcome::Success
            }
            _ => bad(rule),
        }
    }

    fn sequence(&mut self, node: NodeIndex, rule: Rule, looping: bool, last: Outcome) -> Outcome {
        let children: Vec<_> = self.module.children(node).collect();
        let Some(index) = self.child_at(node) else { return self.enter_rule(node, rule) };
        if last == Outcome::Failure || !self.conditions(node, rule) {
            self.go(node);
            return bad(rule);
        }
        match children.get(index + 1) {
            Some(next) => self.go(*next),
            None if looping => self.go(children[0]),
            None => self.go(node),
        }
        Outcome::Success
    }

    fn choice(&mut self, node: NodeIndex, rule: Rule, looping: bool, last: Outcome) -> Outcome {
        let children: Vec<_> = self.module.children(node).collect();
        let Some(index) = self.child_at(node) else { return self.enter_rule(node, rule) };
        if last == Outcome::Failure {
            match children.get(index + 1) {
                Some(next) if self.conditions(node, rule) => self.go(*next),
                _ => self.go(node),
            }
            return bad(rule);
        }
        if looping && !self.conditions(node, rule) {
            self.go(node);
            return bad(rule);
        }
        self.go(if looping { children[0] } else { node });
        Outcome::Success
    }
}

/// Returns the status of a rule that fails.
fn bad(rule: Rule) -> Outcome {
    if usize::from(rule.bad) == SUCCESS { Outcome::Success } else { Outcome::Failure }
}
