//! Lists, with references to blocks replaced by what is in the blocks.
//!
//! A block may refer to others, but not to one that it stands in: that would never end. A few blocks that refer to each other
//! twice come to a great many copies, so all that is gone through for a tree is counted.

use super::folder::forgive;
use super::tree::Reader;
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::dialect::cry::attributes::{only, required};
use crate::dialect::cry::{Refused, is};
use crate::dialect::xml::{Attribute, Element};

/// More elements than a program has nodes.
const MAX_ELEMENTS: u32 = 1 << 16;

/// What is left of a list.
pub(super) struct List<'a> {
    /// The list itself, and the blocks that it refers to, innermost last.
    parts: Vec<Part<'a>>,
}

struct Part<'a> {
    rest: Box<dyn Iterator<Item = Element<'a>> + 'a>,
    block: Option<usize>,
}

impl<'a> List<'a> {
    /// What stands in an element.
    pub(super) fn of(element: Element<'a>) -> Self {
        Self { parts: vec![Part::of(element, None)] }
    }
}

impl<'a> Part<'a> {
    fn of(element: Element<'a>, block: Option<usize>) -> Self {
        Self { rest: Box::new(element.children()), block }
    }
}

impl<'a> Reader<'_, '_, 'a> {
    /// The next element of a list.
    pub(super) fn next(&mut self, list: &mut List<'a>) -> Option<Element<'a>> {
        loop {
            let Some(element) = list.parts.last_mut()?.rest.next() else {
                self.leave(list);
                continue;
            };
            if !self.count(element) {
                return None;
            }
            if !is(element, "Ref") {
                return Some(element);
            }
            match self.block(element) {
                Ok(Some(block)) => {
                    self.inside.insert(block);
                    list.parts.push(Part::of(self.blocks.get(block), Some(block)));
                }
                Ok(None) if self.session.lenient => self.leave(list),
                Ok(None) => {}
                Err(finding) => self.session.diagnostics.push(*finding),
            }
        }
    }

    /// The innermost part of a list has ended.
    fn leave(&mut self, list: &mut List<'a>) {
        if let Some(block) = list.parts.pop().and_then(|part| part.block) {
            self.inside.remove(&block);
        }
    }

    /// Nothing more is wanted of a list.
    pub(super) fn abandon(&mut self, mut list: List<'a>) {
        while !list.parts.is_empty() {
            self.leave(&mut list);
        }
    }

    /// Whether one element more may be gone through.
    fn count(&mut self, element: Element<'_>) -> bool {
        self.elements += 1;
        if self.elements == MAX_ELEMENTS {
            let message = format!("the tree `{}` comes to {MAX_ELEMENTS} elements", self.name);
            let finding = Diagnostic::new(codes::TOO_MANY_COPIES, Some(element.name_span()), message);
            self.session.diagnostics.push(finding.help("blocks that refer to each other multiply"));
        }
        self.elements < MAX_ELEMENTS
    }

    /// The block that a reference means; none if there is no such block, which is then told.
    fn block(&mut self, reference: Element<'a>) -> Result<Option<usize>, Refused> {
        only(self.session, reference, &["name", "group"]);
        let name = required(reference, "name")?;
        let Some(block) = self.blocks.find(self.name, name.value()) else {
            self.unknown_block(name);
            return Ok(None);
        };
        if !self.inside.contains(&block) {
            return Ok(Some(block));
        }
        let message = format!("the block `{}` refers to itself", name.value());
        let finding = Diagnostic::new(codes::BLOCK_CIRCLE, Some(name.value_span()), message);
        Err(finding.help("it would never end").into())
    }

    fn unknown_block(&mut self, name: Attribute<'_>) {
        let message = format!("there is no block `{}`", name.value());
        let finding = Diagnostic::new(codes::UNKNOWN_BLOCK, Some(name.value_span()), message);
        let near = self.blocks.nearest(&self.session.suggestions, self.name, name.value());
        let finding = match near {
            Some(near) => finding.help(format!("did you mean `{near}`? Here, case counts")),
            None => finding.help("blocks stand in `Blocks`, in a file or in the tree"),
        };
        forgive(self.session, finding, "the rest of the list is left out");
    }
}
