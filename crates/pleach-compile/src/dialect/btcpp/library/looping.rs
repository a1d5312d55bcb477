//! Decorators that go through a queue.

use super::{Binary, Item, Port, PortType, Refused, SlotKind, Value, Way, Writer, refused};
use crate::codes;
use crate::dialect::btcpp::values::{Literal, items, literal};

/// Most items of a queue.
const MAX_ITEMS: usize = 1000;

/// Most bytes of the queues that loops find in entries. Each loop has code for the items of all
/// texts that its entry can hold, so a short file could have any number of items.
const MAX_SHARED: usize = 1 << 17;

/// A queue that a loop can have.
struct Queue {
    /// The entry that holds the queue, and the text of the queue there.
    text: Option<(usize, String)>,
    /// The items; none if the text is no queue of the loop's items.
    items: Option<Vec<Value>>,
}

impl Writer<'_, '_, '_, '_> {
    pub(super) fn looping(&mut self, item: Item) -> Result<(), Refused> {
        let queues = self.queues(item)?;
        let at = self.variable(SlotKind::I32);
        let runs = self.cleared(SlotKind::Bit);
        let [begun, tick, empty] = [(); 3].map(|()| self.list.label());
        self.if_active(begun);
        self.set_number(at, 0.0);
        let chosen = self.choose_queue(&queues)?;
        self.list.bind(begun);
        self.if_set(runs, tick);
        for (number, queue) in queues.iter().enumerate() {
            let other = self.list.label();
            if let Some(chosen) = chosen {
                let this = self.equals(chosen, number as f64);
                self.list.unless(this, other);
            }
            self.next_item(at, queue.items.as_deref().unwrap_or_default(), tick)?;
            self.list.jump(empty);
            self.list.bind(other);
        }
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

    /// Returns the queues that the node can have: the one in its attribute, or the texts that are
    /// written to its entry.
    fn queues(&mut self, item: Item) -> Result<Vec<Queue>, Refused> {
        let entry = match self.port("queue") {
            Port::Literal(text) => {
                let items = Some(self.items(item, &text.text)?);
                return Ok(vec![Queue { text: None, items }]);
            }
            Port::Missing => {
                let message = "the loop has no `queue`";
                return Err(refused(codes::NODE_PORT, self.span(), message, "add it"));
            }
            Port::Entry(entry) => entry,
        };
        let Some(texts) = self.shared.entries.known_texts(entry) else {
            let help = "write the items into the attribute of the loop, of a `SubTree` or of a \
                        `SetBlackboard`, separated by `;`";
            return Err(self.not_carried("the queue of a loop stands in an entry", help));
        };
        self.shared.queues += texts.iter().map(|text| text.len() + 1).sum::<usize>();
        if self.shared.queues > MAX_SHARED {
            let message = format!("with all loops, queues in entries have more than {MAX_SHARED} bytes");
            return Err(refused(codes::TOO_MANY_COPIES, self.span(), message, codes::SPLIT_PROGRAM));
        }
        texts
            .into_iter()
            .map(|text| {
                let fits = items(text).all(|part| literal(item.ty(), part, self.span()).is_ok());
                let items = if fits { Some(self.items(item, text)?) } else { None };
                Ok(Queue { text: Some((entry, text.to_owned())), items })
            })
            .collect()
    }

    /// Notes which queue the entry holds. A text that is no queue ends the tick with a fault.
    /// Returns the variable of the number of the queue, if it stands in an entry.
    fn choose_queue(&mut self, queues: &[Queue]) -> Result<Option<u32>, Refused> {
        let Some((entry, _)) = queues.first().and_then(|it| it.text.as_ref()) else { return Ok(None) };
        let value = self.read_port(*entry, PortType::Text, self.fault)?;
        let held = self.scripts().text_expr(&value);
        let (chosen, end) = (self.variable(SlotKind::I32), self.list.label());
        for (number, queue) in queues.iter().enumerate() {
            let (Some((_, text)), Some(_)) = (&queue.text, &queue.items) else { continue };
            let other = self.list.label();
            let text = self.shared.builder.text(text);
            let this = self.shared.builder.binary(Binary::Equal, held, text);
            self.list.unless(this, other);
            self.set_number(chosen, number as f64);
            self.list.jump(end);
            self.list.bind(other);
        }
        self.list.jump(self.fault);
        self.list.bind(end);
        Ok(Some(chosen))
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
        parts.into_iter().map(|part| Ok(self.known(literal(item.ty(), part, span)?))).collect()
    }

    /// Returns a value that is known.
    pub(super) fn known(&mut self, literal: Literal<'_>) -> Value {
        let builder = &mut self.shared.builder;
        match literal {
            Literal::Int(int) => Value::Int(builder.word(int)),
            Literal::Real(real) => Value::Double(builder.number(real)),
            Literal::Truth(is) => Value::Bool(builder.truth(is)),
            Literal::Text(text) => Value::Text(text.to_owned()),
        }
    }
}
