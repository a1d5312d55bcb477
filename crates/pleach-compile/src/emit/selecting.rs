//! Nodes that select a leaf.
//!
//! A *selection* goes through its tree only when there is a reason to. While it must not, it puts
//! the note that variables have changed back to where it was found:
//!
//! ```text
//!            jump    choose                 nothing runs
//!   head:    jbit    before -> choose       something runs
//!            jump    running
//!   choose:  cond    may it, else blocked
//!            ...     the tree; halt all -> failure
//!   blocked: capture live := before
//!            inside  the nodes, else failure
//!            jump    running
//! ```
//!
//! A *chain* goes from state to state in a loop. The state is in a slot of its own, and a flag is
//! set for each state that was visited. The state in the slot counts as visited. The loop contains
//! only conditions; the trees of the states come after it.
//!
//! ```text
//!            flag    all clear
//!            switch  {state 0: is 0, state 1: is 1}
//!   is i:    flag    i
//!            inside  the nodes, else clear the slot
//!            loop    as often as there are states
//!            switch  {state 0: from 0, state 1: from 1}
//!   from 0:  cond    first transition, else next
//!            jump    to 1
//!   to 1:    park    state 1
//!            jflag   1 -> end
//!            flag    1
//!            again   -> end
//!   end:     switch  {state 0: tree of 0, state 1: tree of 1}
//! ```

use super::{Changes, Emitter, Exits, FAILURE, Label, NodeIndex, Op, RUNNING, Task, Word};
use crate::ir::{Chain, Transition};

impl Emitter<'_> {
    /// Gives the exits of the child.
    pub(super) fn selection(&mut self, node: NodeIndex, expr: u32, inner: Exits) -> Exits {
        let choose = self.asm.label();
        self.asm.jump(choose);
        self.head(node);
        // Nothing inside goes on without the head.
        self.scope.cases = None;
        let blocked = self.blocked(node, inner);
        if let Some(Changes { before, .. }) = self.module.changes {
            let changed = Word::new(Op::JumpBit).with_x(1).with_a(self.place(before));
            self.asm.branch(changed, choose);
        }
        self.asm.jump(inner.at(RUNNING));
        self.asm.bind(choose);
        self.asm.branch(self.cond(expr), blocked);
        self.leaving(node, self.halt(node), inner)
    }

    /// Makes tasks of the code that runs while nothing may be selected. Returns its label.
    fn blocked(&mut self, node: NodeIndex, inner: Exits) -> Label {
        let inside = self.within_nodes(Op::Inside, node, self.end_of(node));
        let stay = [Task::Branch(inside, inner.at(FAILURE)), Task::Jump(inner.at(RUNNING))];
        let Some(Changes { live, before }) = self.module.changes else { return self.put_off(node, stay) };
        let restore = Word::new(Op::Capture).with_a(self.place(live)).with_b(self.place(before));
        let [branch, jump] = stay;
        self.put_off(node, [Task::Then(restore), branch, jump])
    }

    pub(super) fn select(&mut self, node: NodeIndex, site: u32, inner: Exits) {
        let select = self.position(Op::Select).with_a(site as u16).with_b(self.id(node));
        self.asm.effect(select, inner.at(RUNNING));
    }

    pub(super) fn chain(&mut self, node: NodeIndex, chain: &Chain, inner: Exits) {
        let children = self.children_of(node);
        if children.is_empty() {
            return self.asm.jump(inner.at(FAILURE));
        }
        let slot = self.place(chain.slot) as u8;
        if chain.transitions().next().is_some() {
            self.where_it_was(node, children, slot);
            self.transitions(node, children, chain, slot);
        }
        let trees = self.asm.switch(slot);
        let labels = self.asm.labels(children.len());
        for (index, child) in children.iter().enumerate() {
            let (id, label) = (*child as u16 + 1, labels.at(index));
            trees.into_iter().for_each(|cases| self.asm.case(cases, id, id, label));
        }
        for (index, child) in children.iter().enumerate().rev() {
            self.tasks.extend([Task::Node(*child, inner), Task::Bind(labels.at(index))]);
        }
    }

    /// The flag of a state: whether the chain has been there.
    fn been(&self, node: NodeIndex, state: usize) -> Word {
        Word::new(Op::Flag).with_a(self.plan.flags.of_node[node as usize] + state as u16)
    }

    /// Marks the state in the slot as visited, and empties the slot unless something runs inside
    /// the node.
    fn where_it_was(&mut self, node: NodeIndex, children: &[NodeIndex], slot: u8) {
        for state in 0..children.len() {
            self.asm.then(self.been(node, state));
        }
        let was = self.asm.switch(slot);
        let (begin, noted) = (self.asm.label(), self.asm.label());
        for (state, child) in children.iter().enumerate() {
            self.case_here(was, *child, *child + 1);
            self.asm.effect(self.been(node, state).with_x(1), noted);
        }
        self.asm.bind(noted);
        let outside = self.asm.label();
        let inside = self.within_nodes(Op::Inside, node, self.end_of(node));
        self.asm.branch(inside, outside);
        self.asm.jump(begin);
        self.asm.bind(outside);
        self.asm.then(Word::new(Op::Clear).with_x(slot));
        self.asm.bind(begin);
    }

    /// The loop over transitions.
    fn transitions(&mut self, node: NodeIndex, children: &[NodeIndex], chain: &Chain, slot: u8) {
        let register = self.plan.registers.of_node[node as usize];
        let head = self.asm.head(register as u8, children.len() as u16);
        let states = self.asm.switch(slot);
        let (arrivals, end) = (self.asm.labels(children.len()), self.asm.label());
        for (child, transitions) in children.iter().zip(&chain.states) {
            self.case_here(states, *child, *child + 1);
            for Transition { condition, to } in transitions {
                let next = self.asm.label();
                self.asm.branch(self.cond(*condition), next);
                self.asm.jump(arrivals.at((*to).into()));
                self.asm.bind(next);
            }
            self.asm.jump(end);
        }
        let again = self.asm.label();
        for (state, child) in children.iter().enumerate() {
            self.asm.bind(arrivals.at(state));
            self.asm.then(Word::new(Op::Park).with_x(slot).with_b(self.id(*child)));
            let been = self.been(node, state);
            self.asm.branch(Word::new(Op::JumpFlag).with_a(been.a), end);
            self.asm.effect(been.with_x(1), again);
        }
        self.asm.bind(again);
        self.asm.again(head, end);
        self.asm.bind(end);
    }
}
