//! Rules: trees whose agents are at a place.
//!
//! A block begins with a `switch` that leads an agent to its rule. After the code of each child
//! there is the code that its list runs when the child has ended. A rule ends on three exits. The
//! fourth exit, which has no other use here, means that the agent was sent to another place: it
//! leads out of all blocks, back to the first `switch`.
//!
//! ```text
//!   sequence { action a  action b }        #1 tree, #3 sequence, #4 a, #5 b
//!
//!          loop    up to the step limit
//!          switch  {1: lost, 3: list, 4: a, 5: b}
//!   list:  move    #3 #4
//!   a:     known   a, else  a1
//!          actr    a        -> a1, a2, running, a1
//!   a1:    ran     #4, else moved
//!          jump             -> bad
//!   a2:    ran     #4, else moved
//!          move    #3 #5
//!   b:     ...
//!   bad:   move    #3 #3    -> failure
//!   moved: again
//! ```
//!
//! A list that begins again sends the agent to its first child and goes the same way, so there is
//! one loop for a tree.

use super::{
    Emitter, Exits, FAILURE, Kind, Label, Module, NodeIndex, OTHER, Op, Outcome, RUNNING, SUCCESS, Task, Word,
};
use crate::ir::{Does, Rule};

/// Returns true if a node is a rule, at which agents can be.
pub(super) fn is_rule(module: &Module, node: NodeIndex) -> bool {
    matches!(module.nodes[node as usize].kind, Kind::Rule(_))
}

impl Emitter<'_> {
    /// Leads agents to the rules of a block, from `node` on: the block's root, or the list that
    /// stands first in `tree`. Into a list that is a block of its own they are led by a call.
    pub(super) fn places(&mut self, node: NodeIndex, tree: Option<NodeIndex>) {
        let Some(cases) = self.asm.switch(self.scope.column) else { return };
        if let Some(tree) = tree {
            let lost = self.asm.label();
            self.asm.case(cases, tree as u16 + 1, tree as u16 + 1, lost);
            self.places.push((tree, lost));
        }
        let end = self.module.nodes[node as usize].end;
        let mut at = node;
        while at < end {
            let inside = self.module.nodes[at as usize].end;
            let is_root = at == node && tree.is_none();
            let called = !is_root && self.plan.unit_of(at).is_some();
            let next = if called { inside } else { at + 1 };
            let label = self.asm.label();
            self.asm.case(cases, at as u16 + 1, next as u16, label);
            self.places.push((at, label));
            at = next;
        }
    }

    /// Returns the label of a rule of the current block.
    pub(super) fn begin_of(&self, node: NodeIndex) -> Option<Label> {
        let found = self.places.binary_search_by_key(&node, |(place, _)| *place).ok()?;
        Some(self.places[found].1)
    }

    /// The agent is led to this node here.
    pub(super) fn arrive(&mut self, node: NodeIndex) {
        if let Some(label) = self.begin_of(node) {
            self.asm.bind(label);
        }
    }

    /// The loop around all rules of a tree.
    pub(super) fn steps(&mut self, node: NodeIndex, inner: Exits) -> Exits {
        let tree = node - 1;
        let head = self.asm.head(0, 0);
        self.places(node + 1, Some(tree));
        let (moved, spent) = (self.asm.label(), self.asm.label());
        // The step limit ends a tick before the loop does.
        self.tasks.extend([Task::Fault, Task::Bind(spent)]);
        self.tasks.extend([Task::Again(head, spent), Task::Bind(moved), Task::Owner(node)]);
        if let Some(lost) = self.begin_of(tree) {
            self.tasks.extend([Task::Jump(inner.at(FAILURE)), Task::Bind(lost), Task::Owner(tree)]);
        }
        inner.with(OTHER, moved)
    }

    /// Emits a rule. Its children become tasks.
    pub(super) fn rule(&mut self, node: NodeIndex, rule: Rule, inner: Exits) {
        let bad = inner.at(rule.bad.into());
        let failed = self.asm.label();
        let done = if rule.bad == SUCCESS as u8 { failed } else { self.asm.label() };
        match rule.does {
            Does::All { .. } | Does::Any { .. } => return self.list(node, rule, bad, inner),
            Does::Fail => {}
            Does::Act(site) => {
                self.act(node, rule, site, Exits::new([failed, done, inner.at(RUNNING), failed]))
            }
            Does::Yield => {
                self.unless(rule, failed);
                self.asm.branch(Word::new(Op::Once), inner.at(RUNNING));
                self.asm.jump(done);
            }
            Does::End(outcome) => {
                self.unless(rule, failed);
                let to = if outcome == Outcome::Running { inner.at(RUNNING) } else { done };
                self.asm.jump(to);
            }
        }
        self.has_run(node, failed, bad, inner);
        if rule.bad != SUCCESS as u8 {
            self.has_run(node, done, inner.at(SUCCESS), inner);
        }
    }

    fn act(&mut self, node: NodeIndex, rule: Rule, site: u32, exits: Exits) {
        let site = site as u16;
        self.asm.branch(Word::new(Op::Known).with_a(site), exits.at(FAILURE));
        self.unless(rule, exits.at(FAILURE));
        self.asm.exits(Word::new(Op::ActRule).with_a(site).with_b(self.id(node)), exits);
    }

    /// Goes on at the label unless a rule's condition holds.
    fn unless(&mut self, rule: Rule, label: Label) {
        if let Some(word) = self.unless_word(rule) {
            self.asm.branch(word, label);
        }
    }

    fn unless_word(&self, rule: Rule) -> Option<Word> {
        rule.condition.map(|expr| self.cond(expr))
    }

    /// A rule has run without moving the agent, unless the host did.
    fn has_run(&mut self, node: NodeIndex, here: Label, to: Label, inner: Exits) {
        self.asm.bind(here);
        self.asm.branch(Word::new(Op::Ran).with_b(self.id(node)), inner.at(OTHER));
        self.asm.jump(to);
    }

    /// A list has run and sent the agent to a rule.
    fn sent(&self, list: NodeIndex, to: NodeIndex) -> Word {
        Word::new(Op::Move).with_a(self.id(list)).with_b(self.id(to))
    }

    fn list(&mut self, node: NodeIndex, rule: Rule, bad: Label, inner: Exits) {
        let children = self.children_of(node);
        let not = self.asm.label();
        let Some(first) = children.first() else {
            self.asm.jump(not);
            return self.has_run(node, not, bad, inner);
        };
        self.unless(rule, not);
        let enter = self.begin_of(*first).unwrap_or(bad);
        self.asm.effect(self.sent(node, *first), enter);
        self.has_run(node, not, bad, inner);
        self.between(node, rule, bad, inner, children);
    }

    /// Makes tasks of the children of a list, and of the code that runs when each has ended.
    fn between(&mut self, node: NodeIndex, rule: Rule, bad: Label, inner: Exits, children: &[NodeIndex]) {
        let (all, looping) = match rule.does {
            Does::All { looping } => (true, looping),
            Does::Any { looping } => (false, looping),
            _ => return,
        };
        let first = children.first().copied().unwrap_or(node);
        let (stop, done) = (self.asm.label(), self.asm.label());
        // Behind the children, last first.
        self.tasks.extend([Task::Effect(self.sent(node, node), bad), Task::Bind(stop), Task::Owner(node)]);
        if looping {
            self.tasks.push(Task::Effect(self.sent(node, first), inner.at(OTHER)));
            self.tasks.extend(self.unless_word(rule).map(|word| Task::Branch(word, stop)));
        } else {
            self.tasks.push(Task::Effect(self.sent(node, node), inner.at(SUCCESS)));
            // A choice does not look at its condition then.
            self.tasks.extend(self.unless_word(rule).filter(|_| all).map(|word| Task::Branch(word, stop)));
        }
        self.tasks.extend([Task::Bind(done), Task::Owner(node)]);
        for (index, child) in children.iter().enumerate().rev() {
            let next = children.get(index + 1).map(|next| self.next(node, rule, *next, stop));
            let exits = match (all, next) {
                (true, next) => inner.with(FAILURE, stop).with(SUCCESS, next.unwrap_or(done)),
                (false, next) => inner.with(FAILURE, next.unwrap_or(stop)).with(SUCCESS, done),
            };
            self.tasks.push(Task::Node(*child, exits));
        }
    }

    /// Puts off what sends the agent to the next child. Gives where that begins.
    fn next(&mut self, node: NodeIndex, rule: Rule, next: NodeIndex, stop: Label) -> Label {
        let here = self.asm.label();
        let enter = self.begin_of(next).unwrap_or(stop);
        self.tasks.push(Task::Effect(self.sent(node, next), enter));
        self.tasks.extend(self.unless_word(rule).map(|word| Task::Branch(word, stop)));
        self.tasks.extend([Task::Bind(here), Task::Owner(node)]);
        here
    }
}
