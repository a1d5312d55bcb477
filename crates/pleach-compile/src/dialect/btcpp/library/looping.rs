//! Decorators that go through a queue.

use super::{Item, Port, PortType, Refused, SlotKind, Value, Way, Writer, refused};
use crate::codes;
use crate::dialect::btcpp::values::{Literal, items, literal};

/// Most items of a queue.
const MAX_ITEMS: usize = 1000;

impl Writer<'_, '_, '_, '_> {
    pub(super) fn looping(&mut self, item: Item) -> Result<(), Refused> {
        let items = match self.port("queue") {
            Port::Literal(text) => self.items(item, &text.text)?,
            Port::Missing => {
                let message = "the loop has no `queue`";
                return Err(refused(codes::NODE_PORT, self.span(), message, "add it"));
            }
            Port::Entry(_) => {
                let help = "write the items into the attribute, separated by `;`";
                return Err(self.not_carried("the queue of a loop stands in an entry", help));
            }
        };
        let at = self.variable(SlotKind::I32);
        let runs = self.cleared(SlotKind::Bit);
        let [begun, tick, empty] = [(); 3].map(|()| self.list.label());
        self.if_active(begun);
        self.set_number(at, 0.0);
        self.list.bind(begun);
        self.if_set(runs, tick);
        self.next_item(at, &items, tick)?;
        self.list.jump(empty);
        self.list.bind(tick);
        self.store(super::RUNS);
        let [failed, other, running] = [(); 3].map(|()| self.list.label());
        self.tick_child(self.child(), [failed, other, running, other]);
        self.list.bind(running);
        self.set_bit(runs, true);
        self.jump(Way::Running);
        self.list.bind(other);
        self.set_bit(runs, false);
        self.reset_completed();
        self.jump(Way::Running);
        self.list.bind(failed);
        self.reset_completed();
        self.set_bit(runs, false);
        self.jump(Way::Failure);
        self.list.bind(empty);
        self.status_port("if_empty")
    }

    /// Takes the next item, and goes on at a label; without one goes on behind.
    fn next_item(&mut self, at: u32, items: &[Value], taken: super::Label) -> Result<(), Refused> {
        let entry = match self.port("value") {
            Port::Entry(entry) => Some(entry),
            _ => None,
        };
        for (index, item) in items.iter().enumerate() {
            let other = self.list.label();
            let this = self.equals(at, index as f64);
            self.list.unless(this, other);
            self.set_number(at, index as f64 + 1.0);
            if let Some(entry) = entry {
                self.scripts().store(entry, item)?;
            }
            self.list.jump(taken);
            self.list.bind(other);
        }
        Ok(())
    }

    /// Returns the most times that a loop of a tick begins again, by the port with the number.
    pub(super) fn times(&self, name: &str) -> Result<u16, Refused> {
        let Port::Literal(text) = self.port(name) else { return Ok(u16::MAX) };
        match literal(PortType::Int, &text.text, text.span)? {
            Literal::Int(number) if number > u16::MAX.into() => {
                let message = format!("a loop that goes on within a tick begins again {number} times");
                Err(self.not_carried(&message, "put loops of at most 65535 times into each other"))
            }
            Literal::Int(number) => Ok(u16::try_from(number).unwrap_or(u16::MAX).max(1)),
            _ => Ok(u16::MAX),
        }
    }

    fn items(&mut self, item: Item, text: &str) -> Result<Vec<Value>, Refused> {
        let parts: Vec<_> = items(text).collect();
        if parts.len() > MAX_ITEMS {
            return Err(self.not_carried("a queue with more than 1000 items", "use fewer items"));
        }
        let span = self.span();
        let builder = &mut self.shared.builder;
        let values = parts.into_iter().map(|part| {
            Ok(match literal(item.ty(), part, span)? {
                Literal::Int(int) => Value::Int(builder.word(int)),
                Literal::Real(real) => Value::Double(builder.number(real)),
                Literal::Truth(is) => Value::Bool(builder.truth(is)),
                Literal::Text(text) => Value::Text(text.to_owned()),
            })
        });
        values.collect()
    }
}
