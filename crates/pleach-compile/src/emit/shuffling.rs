//! Nodes whose children run in a random order.
//!
//! Such a node is a loop, because the next child may come before the one that has
//! ended. The running node inside is found by a `switch` in the loop, because no jump
//! may lead into a loop from outside:
//!
//! ```text
//!            setb    done of each child := false
//!            ticks   left := number of children
//!   head:    loop    as often as there are children
//!            switch  {what is inside}
//!            rate    each child
//!            pick    first, else next
//!            ...     the child; when it goes on: done
//!   next:    ...
//!   done:    setb    done of the child := true
//!            down    left, else more
//!            jump    out
//!   more:    again   head
//! ```

use super::{Emitter, Exits, Kind, NodeIndex, Op, Task, Word};

impl Emitter<'_> {
    pub(super) fn shuffle(&mut self, node: NodeIndex, kind: Kind, inner: Exits) {
        let Kind::Shuffle { goes_on, done, left, scores, never } = kind else { return };
        let children = self.children_of(node);
        let (count, left) = (children.len() as u16, self.place(left));
        let turn = |emitter: &Self, child: usize, had: u32| {
            let condition = emitter.conditions[(never + had) as usize];
            Word::new(Op::SetBit).with_a(condition).with_b(emitter.place(done + child as u16))
        };
        for child in 0..children.len() {
            self.asm.then(turn(self, child, 0));
        }
        self.asm.then(Word::new(Op::Ticks).with_a(left).with_b(count));
        self.head(node);
        let head = self.asm.head(self.plan.registers.of_node[node as usize] as u8, count);
        self.open(node);
        let last = inner.at(goes_on.into());
        let more = self.put_off(node, [Task::Again(head, last)]);
        let down = Task::Branch(Word::new(Op::Down).with_a(left), more);
        let counted = self.put_off(node, [down, Task::Jump(last)]);
        self.rate(scores, children.len());
        let mut next = None;
        for (index, child) in children.iter().enumerate().rev() {
            let had = self.detour(node, turn(self, index, 1), counted);
            self.tasks.push(Task::Node(*child, inner.with(goes_on.into(), had)));
            if let Some(next) = next {
                self.tasks.push(Task::Branch(Word::new(Op::Pick).with_b(index as u16), next));
            }
            let entry = self.asm.label();
            self.tasks.extend([Task::Owner(node), Task::Bind(entry)]);
            next = Some(entry);
        }
    }
}
