//! Signals: what each writes to the variables of an agent.
//!
//! All that a signal writes becomes one tree, the handler of an event of this name.

use super::{Element, Reader, Refused, Role, Value};
use crate::ast::{Event, Tree};
use crate::dialect::cry::signals;
use hashbrown::HashMap;

impl<'a> Reader<'_, '_, 'a> {
    /// Reads a section of signals.
    pub(super) fn signals(&mut self, section: Element<'a>) -> Result<(), Refused> {
        self.entries(section, |it, entry| {
            signals::declare(it.session, &mut it.file, &mut it.variables, &mut it.rules, entry)
        })
    }

    /// Adds the handlers of all signals, and the tree itself behind them.
    pub(super) fn handlers(&mut self, main: Tree) {
        let mut rules = core::mem::take(&mut self.rules);
        let mut order = HashMap::new();
        for rule in &rules {
            let next = order.len();
            order.entry(rule.event).or_insert(next);
        }
        // By signal, each in the order of its first rule.
        rules.sort_by_key(|rule| order.get(&rule.event).copied());
        let all = self.session.names.intern(b".all");
        let set = self.session.names.intern(b".set");
        for (index, rules) in rules.chunk_by(|one, other| one.event == other.event).enumerate() {
            let (name, span) = (rules[0].event, rules[0].span);
            let root = self.file.open((all, None), span, &[], None);
            for rule in rules {
                let args = [Value::Variable(rule.variable), Value::Int(0)];
                self.file.open((set, None), rule.span, &args, Some(rule.value));
            }
            self.file.close(root);
            self.file.trees.push(Tree { name, role: Role::Handler, root, span });
            self.file.events.push(Event { name, handler: index as u32 });
        }
        self.file.entries.push(self.file.trees.len() as u32);
        self.file.trees.push(main);
    }
}
