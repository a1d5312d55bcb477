//! Meaning of nodes of an image, in the words of their instructions.
//!
//! Distances, numbers of nodes and scratch flags say nothing about a node, so they are left out.

use pleach_image::format::value_tag;
use pleach_image::isa::operand::Show;
use pleach_image::isa::stack::StackOperand;
use pleach_image::{Image, listing};
use std::collections::HashMap;
use std::fmt::{Arguments, Write};

/// Kinds of operands that say nothing about the node itself.
const HIDDEN: &[&str] = &["flag", "node", "distance", "register", "parallel", "table", "block"];

/// Returns the instructions of each node that has some, by its id.
pub(super) fn texts<D: AsRef<[u8]>>(image: &Image<D>) -> HashMap<u32, String> {
    let mut texts: HashMap<u32, String> = HashMap::new();
    for (at, word) in (0_u32..).zip(image.code()) {
        let (Some(op), Some(node)) = (word.op(), image.debug_word(at)) else { continue };
        let mut printer = Printer { image, text: op.mnemonic().to_owned() };
        for field in op.fields().iter().filter(|field| !HIDDEN.contains(&field.kind)) {
            (field.show)(*word, &mut printer);
        }
        let text = texts.entry(node).or_default();
        if !text.is_empty() {
            text.push_str("; ");
        }
        text.push_str(&printer.text);
    }
    texts
}

struct Printer<'a, D> {
    image: &'a Image<D>,
    text: String,
}

impl<D: AsRef<[u8]>> Printer<'_, D> {
    fn slot_name(&self, slot: u32) -> String {
        let name = self.image.slots().get(slot as usize).map_or("", |row| self.image.name(row.name));
        if name.is_empty() { "_".to_owned() } else { name.to_owned() }
    }

    fn shared_name(&self, shared: u32) -> String {
        self.image.shared().get(shared as usize).map_or("?", |row| self.image.name(row.name)).to_owned()
    }

    /// Returns a call with all its arguments. Slots of the machine have no name.
    fn call(&self, site: u32) -> String {
        let slots = self.image.sites().get(site as usize).map_or(0, |row| {
            let values = self.image.values().iter().skip(row.first as usize).take(row.count.into());
            values.filter(|value| value.tag == value_tag::SLOT && self.slot_name(value.bits) == "_").count()
        });
        if slots == 0 {
            return listing::site(self.image, site);
        }
        let import = self
            .image
            .sites()
            .get(site as usize)
            .and_then(|row| self.image.imports().get(usize::from(row.import)));
        format!("{}(…)", import.map_or("?", |import| self.image.name(import.name)))
    }
}

impl<D: AsRef<[u8]>> Show for Printer<'_, D> {
    fn plain(&mut self, text: Arguments<'_>) {
        let _ = write!(self.text, " {text}");
    }

    fn target(&mut self, _: u32) {}

    fn back(&mut self, _: u32) {}

    fn block(&mut self, _: u32) {}

    fn condition(&mut self, condition: u32) {
        let words = self.image.condition(condition);
        self.text.push_str(" {");
        for word in words {
            let Some(op) = word.op() else { continue };
            let index = usize::from(word.a);
            let text = match op.operand() {
                StackOperand::Constant => self.image.constant(index).unwrap_or(f64::NAN).to_string(),
                StackOperand::Query => self.call(word.a.into()),
                StackOperand::Slot | StackOperand::Bit => self.slot_name(word.a.into()),
                StackOperand::Shared | StackOperand::SharedBit => self.shared_name(word.a.into()),
                StackOperand::Moment => format!("{} {}", op.mnemonic(), self.slot_name(word.a.into())),
                StackOperand::Depth => format!("{} {index}", op.mnemonic()),
                _ => op.mnemonic().to_owned(),
            };
            let _ = write!(self.text, " {text}");
        }
        self.text.push_str(" }");
    }

    fn site(&mut self, site: u32) {
        let text = self.call(site);
        let _ = write!(self.text, " {text}");
    }

    fn node(&mut self, _: u32) {}

    fn slot(&mut self, slot: u32) {
        let name = self.slot_name(slot);
        let _ = write!(self.text, " {name}");
    }

    fn shared(&mut self, shared: u32) {
        let name = self.shared_name(shared);
        let _ = write!(self.text, " {name}");
    }

    fn event(&mut self, event: u32) {
        let name = self.image.events().get(event as usize).map_or("?", |row| self.image.name(row.name));
        let _ = write!(self.text, " {name}");
    }

    fn table(&mut self, _: u32) {}

    fn text(&mut self, text: u32) {
        let row = self.image.texts().get(text as usize).copied().unwrap_or_default();
        let _ = write!(self.text, " {:?}", String::from_utf8_lossy(self.image.text(row)));
    }
}
