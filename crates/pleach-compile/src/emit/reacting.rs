//! Nodes that react to events, to timestamps and to changes of variables.
//!
//! A *priority* tests whether variables have changed before its running child continues. If it
//! chooses another child, it halts the running one first. So the host is told of the end of one
//! branch before the next one begins:
//!
//! ```text
//!           jump    choose                 begins
//!   head:   jbit    before -> choose       goes on
//!           jbit    live -> choose
//!           switch  {case 1: one, case 2: two}
//!   choose: cond    first, else next
//!           halt    the nodes of other cases
//!   one:    ...
//!   next:   cond    second, else none
//!           halt    the nodes of other cases
//!   two:    ...
//!   none:   halt    all -> failure
//! ```
//!
//! A *machine* counts down the slot that says which child is to begin: 0 is none, and a child's
//! number is two more than its index, so that the slot is 0 again when the child is found.

use super::{
    Cases, Changes, Emitter, Exits, FAILURE, Label, NodeIndex, OTHER, Op, RUNNING, Role, SUCCESS, Sym, Task,
    Times, Word, log_kind,
};
use pleach_image::format::{WrapperRow, wrapper_kind};

impl Emitter<'_> {
    /// Emits the code with which a tick of a main tree begins.
    pub(super) fn begin_tick(&mut self, root: NodeIndex) {
        let Some(Changes { live, before }) = self.module.changes else { return };
        let blocks = &self.module.blocks;
        let block = blocks.binary_search_by_key(&root, |block| block.root);
        if block.is_ok_and(|block| blocks[block].role == Role::Main) {
            let capture = Word::new(Op::Capture).with_a(self.place(before)).with_b(self.place(live));
            self.asm.then(capture);
        }
    }

    /// Waits for a condition.
    pub(super) fn until(&mut self, node: NodeIndex, expr: u32, inner: Exits) {
        self.awaited(node, self.cond(expr), inner, inner.at(SUCCESS));
    }

    pub(super) fn priority(&mut self, node: NodeIndex, first: u32, inner: Exits) {
        let children = self.children_of(node);
        let choose = self.asm.label();
        self.asm.jump(choose);
        self.head(node);
        if let Some(Changes { live, before }) = self.module.changes {
            for slot in [before, live] {
                self.asm.branch(Word::new(Op::JumpBit).with_x(1).with_a(self.place(slot)), choose);
            }
        }
        let stay = self.stay(node);
        self.asm.bind(choose);
        let mut next = self.detour(node, self.halt(node), inner.at(FAILURE));
        for (index, child) in children.iter().enumerate().rev() {
            self.tasks.extend([Task::Node(*child, inner), Task::Open(*child)]);
            self.tasks.extend(stay.map(|cases| Task::Case(cases, *child)));
            self.tasks.extend([
                Task::HaltOutside(node, *child),
                Task::Branch(self.cond(self.test(first, index)), next),
            ]);
            next = self.asm.label();
            self.tasks.extend([Task::Bind(next), Task::Owner(node)]);
        }
        self.asm.jump(next);
    }

    /// A `switch` to the child that something runs in; its cases are added with the children.
    fn stay(&mut self, node: NodeIndex) -> Option<Cases> {
        if self.parks(node, self.end_of(node)) { self.asm.switch(self.scope.column) } else { None }
    }

    /// Agents for which something runs in the node go on here.
    pub(super) fn case(&mut self, cases: Cases, node: NodeIndex) {
        let end = self.end_of(node);
        self.case_here(Some(cases).filter(|_| self.parks(node, end)), node, end);
    }

    /// Halts what runs in a node, but not in this child.
    pub(super) fn halt_outside(&mut self, node: NodeIndex, child: NodeIndex) {
        for (from, to) in [(node + 1, child), (self.end_of(child), self.end_of(node))] {
            if self.parks(from, to) {
                self.asm.then(self.within_nodes(Op::Halt, from, to));
            }
        }
    }

    pub(super) fn machine(&mut self, node: NodeIndex, slot: u16, inner: Exits) {
        let children = self.children_of(node);
        let slot = self.place(slot);
        let none = Word::new(Op::Ticks).with_a(slot);
        let down = Word::new(Op::Down).with_a(slot);
        let (begin, turn) = (self.asm.label(), self.asm.label());
        self.asm.effect(none, begin);
        self.head(node);
        self.asm.branch(down, turn);
        let stay = self.stay(node);
        self.asm.jump(begin);
        self.asm.bind(turn);
        self.asm.then(self.halt(node));
        let mut next = None;
        for (index, child) in children.iter().enumerate().rev() {
            let is_it = next.map_or(Task::Then(none), |next| Task::Branch(down, next));
            self.tasks.extend([Task::Node(*child, inner), Task::Open(*child)]);
            self.tasks.extend(stay.map(|cases| Task::Case(cases, *child)));
            self.tasks.extend((index == 0).then_some(Task::Bind(begin)));
            let entry = self.asm.label();
            self.tasks.extend([is_it, Task::Bind(entry), Task::Owner(node)]);
            next = Some(entry);
        }
        self.asm.jump(next.unwrap_or(inner.at(FAILURE)));
    }

    /// Emits the begin of a child that is begun again, as [`Self::again`] does; once at once, if it
    /// was running when the tick came to it. The two flags say that it was, and that it was begun
    /// again.
    pub(super) fn again_at_once(
        &mut self,
        node: NodeIndex,
        times: Times,
        [spent, running]: [Label; 2],
    ) -> Label {
        let flag = self.plan.flags.of_node[node as usize];
        let set = |flag: u16, to: bool| Word::new(Op::Flag).with_a(flag).with_x(to.into());
        let (begin, outer) = (self.asm.label(), self.scope);
        let times = times.map(|(slot, count)| (self.place(slot), count));
        if let Some((slot, count)) = times {
            self.asm.then(self.counted(slot, count));
        }
        self.asm.effect(set(flag, false), begin);
        self.here(node, node + 1);
        self.asm.then(self.position(Op::Clear));
        self.asm.effect(set(flag, false), begin);
        self.here(node + 1, self.end_of(node));
        self.asm.then(set(flag, true));
        self.asm.bind(begin);
        self.asm.then(set(flag + 1, false));
        let register = self.plan.registers.of_node[node as usize];
        let head = self.asm.head(register as u8, 1);
        let rest = self.detour(node, self.park(node), running);
        let repeat = self.put_off(node, [Task::Then(set(flag + 1, true)), Task::Again(head, rest)]);
        let counted = [Task::Branch(Word::new(Op::JumpFlag).with_a(flag), repeat), Task::Jump(rest)];
        let mut counted = self.put_off(node, counted);
        if let Some((slot, _)) = times {
            let down = Task::Branch(Word::new(Op::Down).with_a(slot), counted);
            counted = self.put_off(node, [down, Task::Jump(spent)]);
        }
        let second = Task::Branch(Word::new(Op::JumpFlag).with_a(flag + 1), rest);
        let more = self.put_off(node, [Task::Scope(outer), second, Task::Jump(counted)]);
        self.open(node + 1);
        more
    }

    /// Runs a block of writes from this place.
    pub(super) fn emit(&mut self, node: NodeIndex, block: u32, inner: Exits) {
        self.asm.then(self.park(node));
        let back = self.asm.label();
        let call = self.call(self.plan.unit_of_block[block as usize]);
        self.asm.exits(call, Exits::new([back; 4]));
        self.asm.bind(back);
        self.asm.effect(self.position(Op::Clear), inner.at(SUCCESS));
    }

    /// Goes on if something runs in a node of another block.
    pub(super) fn within(&mut self, other: NodeIndex, inner: Exits) {
        let column = self.plan.column(self.frame, other);
        let inside = Word::new(Op::Inside).with_x(column).with_a(other as u16 + 1);
        self.asm.branch(inside.with_b(self.end_of(other) as u16), inner.at(FAILURE));
    }

    /// Emits an instruction that clears the data of a node of the host when it begins.
    pub(super) fn fresh_data(&mut self, node: NodeIndex) {
        if let Ok(row) = self.module.data.binary_search_by_key(&node, |(node, _)| *node) {
            let slot = self.place(self.module.data[row].1);
            self.asm.then(Word::new(Op::Zero).with_a(slot));
        }
    }

    /// Lets the host know of something; its answer makes no difference.
    pub(super) fn tell(&mut self, node: NodeIndex, site: u32, inner: Exits) {
        let ask = Word::new(Op::Open).with_a(site as u16).with_b(self.id(node));
        self.asm.exits(ask, Exits::new([inner.at(SUCCESS); 4]));
    }

    /// Around a child: the host is asked, and told when the child has ended.
    pub(super) fn around_host(&mut self, node: NodeIndex, site: u32, inner: Exits) -> Exits {
        self.fresh_data(node);
        let (begin, id) = (self.asm.label(), self.id(node));
        let ask = Word::new(Op::Open).with_a(site as u16).with_b(id);
        self.asm.exits(ask, inner.with(RUNNING, begin));
        self.asm.bind(begin);
        self.wrapper(node, wrapper_kind::HOST, site as u16);
        self.leaving(node, Word::new(Op::Close).with_a(site as u16).with_b(id), inner)
    }

    /// Around a child: a place is taken, and given back when the child has ended.
    pub(super) fn admitted(&mut self, node: NodeIndex, gate: u16, inner: Exits) -> Exits {
        self.asm.branch(Word::new(Op::Enter).with_a(gate), inner.at(FAILURE));
        self.wrapper(node, wrapper_kind::GATE, gate);
        self.leaving(node, Word::new(Op::Exit).with_a(gate), inner)
    }

    /// Around a child: a block of writes is run when it has ended or is halted.
    pub(super) fn cleanup(&mut self, node: NodeIndex, inner: Exits) {
        let sets = node + 1;
        let Some(unit) = self.plan.unit_of(sets) else { return };
        let call = self.call(unit);
        self.wrapper(node, wrapper_kind::BLOCK, unit as u16);
        let exits = [FAILURE, SUCCESS, OTHER].into_iter().fold(inner, |exits, status| {
            let called = Task::Exits(call, Exits::new([inner.at(status); 4]));
            exits.with(status, self.put_off(node, [called]))
        });
        self.tasks.push(Task::Node(self.end_of(sets), exits));
    }

    /// Returns exits on which an instruction is executed after the child has ended.
    pub(super) fn leaving(&mut self, node: NodeIndex, word: Word, inner: Exits) -> Exits {
        [FAILURE, SUCCESS, OTHER].into_iter().fold(inner, |exits, status| {
            let stub = self.detour(node, word, inner.at(status));
            exits.with(status, stub)
        })
    }

    /// Notes that the end of a node must be told if it is halted.
    fn wrapper(&mut self, node: NodeIndex, kind: u16, index: u16) {
        let row = WrapperRow {
            node: node as u16 + 1,
            last: self.end_of(node) as u16,
            position: self.scope.column.into(),
            kind,
            index,
            reserved: 0,
        };
        self.parts.wrappers.push(row);
    }

    /// Writes a text to the agent's log.
    pub(super) fn log(&self, node: NodeIndex, kind: u8, text: Sym) -> Word {
        let text = self.plan.texts.index(text);
        Word::new(Op::Log).with_x(kind).with_a(text).with_b(self.id(node))
    }

    /// Around a child: texts when it begins, succeeds and fails.
    pub(super) fn logged(&mut self, node: NodeIndex, logs: u32, inner: Exits) -> Exits {
        let [start, success, failure] = self.module.logs[logs as usize];
        if let Some(text) = start {
            self.asm.then(self.log(node, log_kind::START, text));
        }
        let ends = [(SUCCESS, log_kind::SUCCESS, success), (FAILURE, log_kind::FAILURE, failure)];
        ends.into_iter().fold(inner, |exits, (status, kind, text)| match text {
            Some(text) => {
                let stub = self.detour(node, self.log(node, kind, text), inner.at(status));
                exits.with(status, stub)
            }
            None => exits,
        })
    }
}
