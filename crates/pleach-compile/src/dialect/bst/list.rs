//! Lists, with references to blocks replaced by the content of the blocks.
//!
//! A block may refer to other blocks, but not to one that contains it, because that would never
//! end. A few blocks that refer to each other twice result in very many copies. So the elements
//! that are read for a tree are counted, and so is the cost of copies: an element that is read
//! again is a copy. Its cost is taken from the budget of the session before it is read.

use super::{Attribute, Diagnostic, Element, Reader, Refused, codes, forgive, is, only, refused, required};
use crate::copies::MOST_COPIED;

/// More elements than a program has nodes.
const MAX_ELEMENTS: u32 = 1 << 16;

/// Number of bytes of an attribute's value that cost as much as an attribute. If the value is a
/// condition, each byte can become half an expression of 24 bytes.
const BYTES: u64 = 2;

/// Rest of a list that is being read.
pub(super) struct List<'a> {
    /// The list itself, and the blocks that it refers to, innermost last.
    parts: Vec<Part<'a>>,
}

struct Part<'a> {
    rest: Box<dyn Iterator<Item = Element<'a>> + 'a>,
    block: Option<usize>,
}

impl<'a> List<'a> {
    /// Returns the list of the elements in an element.
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
    /// Returns the next element of a list.
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
                Ok(Some(block)) if !self.visit(self.blocks.get(block)) => return None,
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

    /// Reads the entries of a section, up to one that is wrong where that is forgiven; that one is
    /// handed back, or the last that is wrong, those before it told.
    pub(super) fn entries(
        &mut self,
        section: Element<'a>,
        mut read: impl FnMut(&mut Self, Element<'a>) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        only(self.session, section, &[]);
        let (mut list, mut wrong) = (List::of(section), None);
        while let Some(entry) = self.next(&mut list) {
            let Err(finding) = read(self, entry) else { continue };
            if self.session.lenient {
                self.abandon(list);
                return Err(finding);
            }
            if let Some(before) = wrong.replace(finding) {
                self.session.diagnostics.push(*before);
            }
        }
        wrong.map_or(Ok(()), Err)
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

    /// Counts an element. Returns false if it may not be gone through any more.
    fn count(&mut self, element: Element<'a>) -> bool {
        self.elements += 1;
        if self.elements == MAX_ELEMENTS {
            self.too_many(element, &format!("{MAX_ELEMENTS} elements"));
        }
        self.elements < MAX_ELEMENTS && self.visit(element)
    }

    /// Notes that an element is gone through. Returns false if that is a copy too many.
    fn visit(&mut self, element: Element<'a>) -> bool {
        let cost = cost(element);
        self.work += cost;
        let place = element.name_span();
        if self.visited.insert((place.source, element.number())) {
            return !self.session.copies.is_spent();
        }
        let before = self.session.copies.is_spent();
        let enough = self.session.copies.spend(cost);
        if !enough && !before {
            self.too_many(element, &format!("copies of more than {MOST_COPIED} pieces"));
        }
        enough
    }

    fn too_many(&mut self, element: Element<'a>, what: &str) {
        let message = format!("the tree `{}` comes to {what}", self.name);
        let help = "blocks that refer to each other multiply";
        self.session.report(codes::TOO_MANY_COPIES, element.name_span(), message, help);
    }

    /// Returns the block that a reference means; none if there is no
    /// such block, which is then told.
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
        Err(refused(codes::BLOCK_CIRCLE, name.value_span(), message, "it would never end"))
    }

    fn unknown_block(&mut self, name: Attribute<'_>) {
        let message = format!("there is no block `{}`", name.value());
        let finding = Diagnostic::new(codes::UNKNOWN_BLOCK, name.value_span(), message);
        let near = self.blocks.nearest(&self.session.suggestions, self.name, name.value());
        let finding = match near {
            Some(near) => finding.help(format!("did you mean `{near}`? Here, case counts")),
            None => finding.help("blocks stand in `Blocks`, in a file or in the tree"),
        };
        forgive(self.session, finding, "the rest of the list is left out");
    }
}

/// Cost of going through an element: itself, one for each piece in it, and its attributes. A
/// finding may cite the names, so their lengths count, too.
fn cost(element: Element<'_>) -> u64 {
    let text = |name: &str, value: &str| 1 + (name.len() + value.len()) as u64 / BYTES;
    let attributes: u64 = element.attributes().map(|it| text(it.name(), it.value())).sum();
    text(element.name(), "") + element.pieces() as u64 + attributes
}
