//! Nodes whose result is the host's answer, and nodes that can be interrupted within a tick.
//!
//! A decorator that the host can begin again is a loop. The running node inside it is found by a
//! `switch` in the loop, because no jump may lead into a loop from outside:
//!
//! ```text
//!          switch  {1..2: head}
//!   head:  loop    10,000 times
//!          switch  {2: test}
//!          actx    #1 enter     success: test, failure: judge, running: out
//!   test:  actx    #2 ...       failure: ..., success: ..., running: out
//!   judge: actx    #1 leave     failure, success: out, running: more
//!   more:  again   head, else spent
//!   spent: fault
//! ```

use super::{Emitter, Exits, FAILURE, Label, NodeIndex, OTHER, Op, RUNNING, SUCCESS, Task, Word};
use crate::ir::Interrupt;

impl Emitter<'_> {
    /// Emits a test for interruption. An interrupted agent stays at the node, and the node runs.
    pub(super) fn stop(&mut self, node: NodeIndex, running: Label) {
        if let Some(Interrupt { bit, first }) = self.module.interrupt {
            let note = Word::new(Op::Mark).with_a(self.place(first)).with_b(self.id(node));
            let park = Task::Effect(self.park(node), running);
            let stop = self.put_off(node, [Task::Then(note), park]);
            self.asm.branch(Word::new(Op::JumpBit).with_x(1).with_a(self.place(bit)), stop);
        }
    }

    /// Emits the beginning of a node that holds a position only while an agent is interrupted
    /// there.
    pub(super) fn begin_or_stop(&mut self, node: NodeIndex, inner: Exits) {
        if self.module.interrupt.is_some() {
            let begin = self.asm.label();
            self.asm.jump(begin);
            self.here(node, node + 1);
            self.asm.then(self.position(Op::Clear));
            self.asm.bind(begin);
            self.stop(node, inner.at(RUNNING));
        }
    }

    /// Asks the host to act for a node that takes the place of what runs.
    fn ask(&self, node: NodeIndex, site: u32) -> Word {
        self.position(Op::ActExclusive).with_a(site as u16).with_b(self.id(node))
    }

    /// Goes on at the label whatever the host answers.
    pub(super) fn perform(&mut self, node: NodeIndex, site: u32, inner: Exits, to: Label) {
        self.here(node, node + 1);
        self.stop(node, inner.at(RUNNING));
        let clear = self.put_off(node, [Task::Effect(self.position(Op::Clear), to)]);
        self.asm.exits(self.ask(node, site), Exits::new([to; 4]).with(RUNNING, clear));
    }

    /// Asks the host beside the leaf that runs.
    pub(super) fn instant(&mut self, node: NodeIndex, site: u32, inner: Exits) {
        let word = Word::new(Op::Perform).with_x(1).with_a(site as u16).with_b(self.id(node));
        let failed = inner.at(FAILURE);
        self.asm.exits(word, Exits::new([failed; 4]).with(SUCCESS, inner.at(SUCCESS)));
    }

    /// A child that the host lets through and judges. The exits for it.
    pub(super) fn filter(
        &mut self,
        node: NodeIndex,
        enter: u32,
        leave: [u32; 3],
        times: u16,
        inner: Exits,
    ) -> Exits {
        self.head(node);
        let head = self.asm.head(self.plan.registers.of_node[node as usize] as u8, times);
        self.open(node);
        let spent = self.put_off(node, [Task::Fault]);
        let more = self.put_off(node, [Task::Again(head, spent)]);
        let judge = |emitter: &mut Self, status: usize| {
            let exits = inner.with(RUNNING, more).with(OTHER, inner.at(FAILURE));
            emitter.put_off(node, [Task::Exits(emitter.ask(node, leave[status]), exits)])
        };
        let (running, success) = (judge(self, RUNNING), judge(self, SUCCESS));
        let failure = judge(self, FAILURE);
        self.stop(node, inner.at(RUNNING));
        let begin = self.asm.label();
        let exits = Exits::new([running, begin, inner.at(RUNNING), running]);
        self.asm.exits(self.ask(node, enter), exits);
        self.asm.bind(begin);
        Exits::new([failure, success, inner.at(RUNNING), failure])
    }
}
