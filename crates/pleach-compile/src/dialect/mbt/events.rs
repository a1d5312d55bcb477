//! Events: what each does to an agent.
//!
//! An event writes to variables, then to timestamps, and then comes to the nodes that run. All that
//! is put into one tree, the handler of the event: it asks which nodes run and writes down for them
//! that the event has come. It calls no node, so an event may come in the middle of a tick.
//!
//! ```text
//! .all
//!   .set  Seen …                        what signals say
//!   .stamp ReceivedDamage 1             timestamps
//!   .within #12  .set come true         a leaf that waits for it
//!   .within #3   …                      a state machine: the first transition that fits
//! ```

use super::listeners::Awaits;
use super::{
    Attribute, Binary, Element, Expr, ExprIndex, Machine, NodeIndex, Reader, Refused, Role, Span, Sym,
    Transition, Tree, Value, filled, of_event,
};
use crate::ast::Event;

impl<'a> Reader<'_, '_, 'a> {
    /// A leaf waits for an event.
    pub(super) fn awaits(&mut self, name: Attribute<'a>, node: NodeIndex, flag: u32, span: Span) {
        let event = self.session.names.intern(name.value().as_bytes());
        self.listeners.event(event, name.value_span());
        self.listeners.awaits.push(Awaits { event, node, flag, span });
    }

    pub(super) fn send_event(&mut self, element: Element<'a>) -> Result<(), Refused> {
        let event = self.sent(element)?;
        self.open("SendEvent", element.name_span(), &[event], None);
        Ok(())
    }

    pub(super) fn send_transition_event(&mut self, element: Element<'a>) -> Result<(), Refused> {
        let (event, span) = (self.sent(element)?, element.name_span());
        let node = self.open("SendTransitionEvent", span, &[], None);
        self.open(".send", span, &[event], None);
        self.open(".halt", span, &[], None);
        self.file.close(node);
        Ok(())
    }

    /// Returns the index of the event that a node sends.
    fn sent(&mut self, element: Element<'a>) -> Result<Value, Refused> {
        let name = filled(element, "name")?;
        let event = self.session.names.intern(name.value().as_bytes());
        Ok(Value::Int(self.listeners.event(event, name.value_span()) as i32))
    }

    /// Adds the handlers of all events, and the tree itself behind them.
    pub(super) fn handlers(&mut self, main: Tree) {
        let rules = self.rules.iter().map(|rule| (rule.event, rule.span));
        let mentioned: Vec<(Sym, Span)> = rules.chain(self.timestamps.events()).collect();
        let mut machines = core::mem::take(&mut self.machines);
        let transitions = machines.iter().flat_map(|machine| &machine.transitions);
        for (name, span) in mentioned.into_iter().chain(transitions.map(|it| (it.event, it.span))) {
            self.listeners.event(name, span);
        }
        // Stable: what an event does keeps the order of the file.
        self.listeners.awaits.sort_by_key(|awaits| awaits.event);
        self.rules.sort_by_key(|rule| rule.event);
        self.timestamps.sort_by_event();
        machines.iter_mut().for_each(|machine| machine.transitions.sort_by_key(|it| it.event));
        let events_of = |(index, machine): (usize, &Machine)| {
            machine.transitions.iter().map(|it| (it.event, index)).collect::<Vec<_>>()
        };
        let mut moved: Vec<(Sym, usize)> = machines.iter().enumerate().flat_map(events_of).collect();
        moved.sort_unstable();
        moved.dedup();
        let count = self.listeners.names.len();
        for index in 0..count {
            let (name, span) = self.listeners.names[index];
            let root = self.open(".all", span, &[], None);
            self.writes(name);
            self.wakes(name, count as i32);
            for (_, machine) in &moved[of_event(&moved, name, |(event, _)| *event)] {
                self.moves(&machines[*machine], name, count as i32);
            }
            self.tells(name, count as i32);
            self.file.close(root);
            self.file.trees.push(Tree { name, role: Role::Handler, root, span });
            self.file.events.push(Event { name, handler: index as u32 });
        }
        self.file.trees.push(main);
        self.file.entries.push(count as u32);
    }

    /// Adds the writes of an event to variables and timestamps.
    fn writes(&mut self, event: Sym) {
        for index in of_event(&self.rules, event, |rule| rule.event) {
            let rule = self.rules[index];
            self.set(rule.variable, rule.value, rule.span);
        }
        for (timestamp, on, span) in self.timestamps.on(event) {
            self.open(".stamp", span, &[Value::Variable(timestamp), Value::Int(on.into())], None);
        }
    }

    /// Tells the leaves that wait.
    fn wakes(&mut self, event: Sym, main: i32) {
        for index in of_event(&self.listeners.awaits, event, |awaits| awaits.event) {
            let Awaits { node, flag, span, .. } = self.listeners.awaits[index];
            let inside = self.within(main, node, span);
            let come = self.file.expr(Expr::Truth(true));
            self.set(flag, come, span);
            self.file.close(inside);
        }
    }

    /// Tells the nodes of the host.
    fn tells(&mut self, event: Sym, main: i32) {
        for index in 0..self.listeners.hearers.len() {
            let (name, node, span) = self.listeners.hearers[index];
            let inside = self.within(main, node, span);
            let tell = self.session.names.intern(b".tell");
            self.file.open((tell, Some(name)), span, &[Value::Text(event)], None);
            self.file.close(inside);
        }
    }

    /// Tells a state machine: by the state that is to begin, or, if there
    /// is none, by the one that runs.
    fn moves(&mut self, machine: &Machine, event: Sym, main: i32) {
        let fits = &machine.transitions[of_event(&machine.transitions, event, |it| it.event)];
        if machine.states.is_empty() {
            return;
        }
        let runs = self.within(main, machine.node, machine.span);
        let first = self.open(".any", machine.span, &[], None);
        let none = self.is(machine.pending, 0);
        let by_position = self.open(".if", machine.span, &[], Some(none));
        let states = self.open(".any", machine.span, &[], None);
        for transition in fits {
            let Some(state) = machine.states.get(transition.from) else { continue };
            let state = self.within(main, *state, transition.span);
            self.begins(machine, transition);
            self.file.close(state);
        }
        self.file.close(states);
        self.file.close(by_position);
        for transition in fits {
            let waits = self.is(machine.pending, transition.from as i32 + 2);
            let guard = self.open(".if", transition.span, &[], Some(waits));
            self.begins(machine, transition);
            self.file.close(guard);
        }
        self.file.close(first);
        self.file.close(runs);
    }

    /// A state is to begin.
    fn begins(&mut self, machine: &Machine, transition: &Transition) {
        let number = self.file.expr(Expr::Number(Value::Int(transition.to as i32 + 2)));
        self.set(machine.pending, number, transition.span);
    }

    /// Adds the expression that a variable equals a number.
    fn is(&mut self, variable: u32, number: i32) -> ExprIndex {
        let variable = self.file.expr(Expr::Variable(variable));
        let number = self.file.expr(Expr::Number(Value::Int(number)));
        self.file.expr(Expr::Binary(Binary::Equal, variable, number))
    }

    fn set(&mut self, variable: u32, value: ExprIndex, span: Span) {
        self.open(".set", span, &[Value::Variable(variable), Value::Int(0)], Some(value));
    }

    fn within(&mut self, tree: i32, node: NodeIndex, span: Span) -> NodeIndex {
        self.open(".within", span, &[Value::Int(tree), Value::Int(node as i32)], None)
    }
}
