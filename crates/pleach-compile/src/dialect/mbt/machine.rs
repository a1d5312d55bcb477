//! State machines.
//!
//! ```text
//! <StateMachine>
//!   <State name="Calm">
//!     <Transitions> <Transition onEvent="OnEnemySeen" to="Alarmed"/> </Transitions>
//!     <BehaviorTree> … </BehaviorTree>
//!   </State> …
//! </StateMachine>
//! ```
//!
//! The first state begins. An event is looked up in the state that is to begin, or else in the one
//! that runs; it says which state begins when the machine is next updated. Names of states are the
//! same in any case, and the first of a name counts.

use super::{
    Diagnostic, Element, Machine, Reader, Refused, SlotKind, Task, Transition, Value, attribute, codes,
    filled, is, only, refused, required,
};
use crate::dialect::cry::{child, expect};

impl<'a> Reader<'_, '_, 'a> {
    pub(super) fn machine(&mut self, element: Element<'a>) -> Result<(), Refused> {
        let span = element.name_span();
        let pending = self.hidden(SlotKind::U16, span);
        let node = self.open("StateMachine", span, &[Value::Variable(pending)], None);
        let index = self.machines.len();
        let names = self.state_names(element);
        self.machines.push(Machine { node, pending, states: Vec::new(), transitions: Vec::new(), span });
        self.tasks.push(Task::Close(node));
        let mut nodes = Vec::new();
        for (from, state) in element.children().enumerate() {
            let node = self.state(state, index, from, &names);
            match self.session.accept(node) {
                Some(node) => nodes.push(Task::State(index, node)),
                None => self.tasks.push(Task::Recover(state)),
            }
        }
        self.tasks.extend(nodes.into_iter().rev());
        Ok(())
    }

    /// Returns the names of all states; an empty name for a state without one.
    fn state_names(&mut self, element: Element<'a>) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        for state in element.children() {
            let name = attribute(state, "name").map_or("", |it| it.value());
            if names.iter().any(|it| it.eq_ignore_ascii_case(name)) && !name.is_empty() {
                let message = format!("there is a state `{name}` already; transitions lead to the first");
                let help = "names of states are the same in any case";
                self.session.report(codes::SAME_NAME, state.name_span(), message, help);
            }
            names.push(name);
        }
        names
    }

    /// Reads a state: its transitions, and which node is its own.
    fn state(
        &mut self,
        state: Element<'a>,
        machine: usize,
        from: usize,
        names: &[&str],
    ) -> Result<Element<'a>, Refused> {
        expect(state, "State")?;
        only(self.session, state, &["name"]);
        required(state, "name")?;
        let transitions = child(state, "Transitions");
        let tree = child(state, "BehaviorTree");
        for other in state.children() {
            let used = |it: Option<Element<'a>>| it.is_some_and(|it| it.name_span() == other.name_span());
            if !used(transitions) && !used(tree) {
                let known = ["Transitions", "BehaviorTree"];
                let again = known.iter().any(|name| is(other, name));
                let why = if again { "the first one counts" } else { "a state has nothing of the kind" };
                self.ignored(other, why, if again { &[] } else { &known });
            }
        }
        for transition in transitions.iter().flat_map(|it| it.children()) {
            let row = self.transition(transition, from, names);
            self.machines[machine].transitions.extend(self.session.accept(row));
        }
        let Some(tree) = tree else {
            let message = "a state needs a `BehaviorTree`";
            let help = "put the node of the state into it";
            return Err(refused(codes::TREE_ROOT, state.name_span(), message, help));
        };
        only(self.session, tree, &[]);
        self.one_node(tree)
    }

    fn transition(
        &mut self,
        element: Element<'a>,
        from: usize,
        names: &[&str],
    ) -> Result<Transition, Refused> {
        only(self.session, element, &["onEvent", "to"]);
        let target = filled(element, "to")?;
        let event = filled(element, "onEvent")?;
        let event = self.session.names.intern(event.value().as_bytes());
        let name = target.value();
        if let Some(to) = names.iter().position(|it| it.eq_ignore_ascii_case(name)) {
            return Ok(Transition { event, from, to, span: element.name_span() });
        }
        let message = format!("there is no state `{name}`");
        let finding = Diagnostic::new(codes::UNKNOWN_STATE, target.value_span(), message);
        let near = self.session.suggestions.closest(name, names.iter().copied());
        let all = format!("the states are {}", names[..names.len().min(20)].join(", "));
        Err(finding.meant(near, all).into())
    }
}
