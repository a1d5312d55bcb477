//! Access to debug information, and to the names of values.
//!
//! Debug sections are not verified, since no engine reads them. Therefore every access here checks
//! bounds: a row that refers to nothing is treated as "unknown", a chain continues only to smaller
//! rows, and a name is cut at [`MAX_NAME`] bytes.

use crate::Image;
use crate::format::{DebugEdge, DebugEnd, DebugNode, DebugOrigin, StrRef, slot_kind, typed};
use crate::verify::MAX_NAME;
use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;

impl<D: AsRef<[u8]>> Image<D> {
    /// Returns the place in the source that a node comes from.
    pub fn debug_node(&self, id: u32) -> Option<&DebugNode> {
        row(self.ranges.debug_nodes(self.bytes()), id)
    }

    /// Returns a name of the debug sections, given its row plus one. Empty for 0 and for a row that
    /// is out of range.
    pub fn debug_text(&self, name: u32) -> Cow<'_, str> {
        let text = row(self.ranges.debug_names(self.bytes()), name).copied().unwrap_or_default();
        let rest = self.ranges.debug_strings(self.bytes()).get(text.start as usize..);
        let bytes = rest.and_then(|rest| rest.get(..text.len.min(MAX_NAME) as usize));
        String::from_utf8_lossy(bytes.unwrap_or_default())
    }

    /// Returns the name that an author gave to a node whose subject is something else; `None` if
    /// there is no such name.
    pub fn debug_title(&self, id: u32) -> Option<Cow<'_, str>> {
        let rows = self.ranges.debug_titles(self.bytes());
        let index = rows.binary_search_by_key(&id, |row| row.node).ok()?;
        Some(self.debug_text(rows[index].name))
    }

    /// Returns the node that a word of the code belongs to.
    pub fn debug_word(&self, word: u32) -> Option<u32> {
        let node = self.ranges.debug_words(self.bytes()).get(word as usize)?;
        (*node != 0).then_some(u32::from(*node))
    }

    /// Returns the root of the tree whose code a block is; `None` if it is unknown.
    pub fn debug_root(&self, block: u32) -> Option<u32> {
        let block = self.blocks().get(block as usize)?;
        let words = block.first..block.first.saturating_add(block.count);
        let node = words.into_iter().find_map(|word| self.debug_word(word))?;
        // Parents have smaller ids, so this ends.
        let parent =
            |id: &u32| self.debug_node(*id).map(|node| node.parent).filter(|it| (1..*id).contains(it));
        core::iter::successors(Some(node), parent).last()
    }

    /// Lists the roots of the handlers of events. Each is named like its event.
    pub fn debug_handlers(&self) -> impl Iterator<Item = u32> {
        self.events().iter().filter_map(|event| self.debug_root(event.block))
    }

    /// Returns all nodes of handlers of events. They are never counted, because events are not
    /// watched.
    pub fn debug_handler_nodes(&self) -> BTreeSet<u32> {
        let mut nodes: BTreeSet<u32> = self.debug_handlers().collect();
        // Parents have smaller ids.
        for id in 1..=self.meta().nodes {
            if self.debug_node(id).is_some_and(|node| nodes.contains(&node.parent)) {
                nodes.insert(id);
            }
        }
        nodes
    }

    /// Returns true if an author wrote a node: the node has a place in the source, and the compiler
    /// did not add it, which gives nodes keywords that begin with a dot.
    pub fn debug_is_written(&self, id: u32) -> bool {
        let node = self.debug_node(id);
        node.is_some_and(|node| node.line > 0 && !self.debug_text(node.keyword).starts_with('.'))
    }

    /// Returns the nodes that an author wrote and that statistics count: all written nodes except
    /// those of handlers of events.
    pub fn debug_counted_nodes(&self) -> BTreeSet<u32> {
        let handlers = self.debug_handler_nodes();
        let is_counted = |id: &u32| self.debug_is_written(*id) && !handlers.contains(id);
        (1..=self.meta().nodes).filter(is_counted).collect()
    }

    /// Returns the nodes that end when the instruction at `word` is left by `exit` (see
    /// [`DebugEdge`]). The innermost node is first. Each has its status: 0 failure, 1 success, 2
    /// running, 3 other.
    pub fn debug_ends(&self, word: u32, exit: u32) -> impl Iterator<Item = &DebugEnd> {
        DebugEnd::chain(self.debug_end_rows(), self.debug_way(word, exit))
    }

    /// Returns the first row of the chain that [`Image::debug_ends`] walks, plus one: an index into
    /// [`Image::debug_end_rows`]. Returns 0 if no node ends there.
    pub fn debug_way(&self, word: u32, exit: u32) -> u32 {
        let (edges, way) = (self.ranges.debug_edges(self.bytes()), DebugEdge::way(word as usize, exit));
        edges.binary_search_by_key(&way, |edge| edge.way).map_or(0, |edge| edges[edge].ends)
    }

    /// Returns all rows of ending nodes. Chains may share rows.
    pub fn debug_end_rows(&self) -> &[DebugEnd] {
        self.ranges.debug_ends(self.bytes())
    }

    /// Returns the macros, includes and uses of trees that a node came through, innermost first.
    /// `origin` is a value of [`DebugNode::origin`].
    pub fn debug_origins(&self, origin: u32) -> impl Iterator<Item = &DebugOrigin> {
        chain(self.ranges.debug_origins(self.bytes()), origin, |origin| origin.origin)
    }
}

/// Something whose values can be those of an enum, by its row in the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumSubject {
    /// Slot of the frame.
    Slot(u32),
    /// Variable of groups or the world.
    Shared(u32),
    /// Parameter of a host function: row of the import, and number of the parameter from 0.
    Parameter(u32, u32),
    /// Answer of a query, by its row of the imports.
    Answer(u32),
}

impl<D: AsRef<[u8]>> Image<D> {
    /// Returns the row of the enum that the values of something belong to.
    pub fn enum_of(&self, subject: EnumSubject) -> Option<u32> {
        let (kind, index, place) = match subject {
            EnumSubject::Slot(slot) => (typed::SLOT, slot, 0),
            EnumSubject::Shared(shared) => (typed::SHARED, shared, 0),
            EnumSubject::Parameter(import, place) => (typed::PARAMETER, import, place),
            EnumSubject::Answer(import) => (typed::ANSWER, import, 0),
        };
        let rows = self.ranges.typed(self.bytes());
        let found = rows.binary_search_by_key(&(kind, index, place), |row| (row.kind, row.index, row.place));
        found.ok().map(|row| rows[row].of)
    }

    /// Returns the name of an enum, by its row.
    pub fn enum_name(&self, of: u32) -> Cow<'_, str> {
        self.ranges
            .enums(self.bytes())
            .get(of as usize)
            .map_or(Cow::Borrowed("?"), |row| self.described(row.name))
    }

    /// Returns the members of an enum with their numbers, in ascending order. All enums together
    /// have no more members than there are rows, whatever the rows are.
    pub fn enum_members(&self, of: u32) -> impl Iterator<Item = (Cow<'_, str>, i32)> {
        let rows = self.ranges.members(self.bytes());
        let first = rows.partition_point(|row| row.of < of);
        let end = rows.partition_point(|row| row.of <= of);
        let members = rows.get(first..end).unwrap_or_default();
        members.iter().map(|row| (self.described(row.name), row.number as i32))
    }

    /// Returns true for a variable of texts.
    pub fn is_text(&self, subject: EnumSubject) -> bool {
        let kind = match subject {
            EnumSubject::Slot(slot) => self.slots().get(slot as usize).map(|row| row.kind),
            EnumSubject::Shared(shared) => self.shared().get(shared as usize).map(|row| row.kind),
            EnumSubject::Parameter(..) | EnumSubject::Answer(_) => None,
        };
        kind == Some(slot_kind::TEXT)
    }

    /// Returns the name of a number where values of an enum stand, and the text in quotes where
    /// texts do. Returns none for other values, and for a number that no member or text has.
    pub fn member(&self, subject: EnumSubject, number: f64) -> Option<Cow<'_, str>> {
        if self.is_text(subject) {
            let row = self.texts().get(number as usize).filter(|_| number >= 0.0)?;
            return Some(Cow::Owned(format!("{:?}", self.described(*row))));
        }
        let key = (self.enum_of(subject)?, number as i32);
        let rows = self.ranges.members(self.bytes());
        let found = rows.binary_search_by_key(&key, |row| (row.of, row.number as i32));
        found.ok().filter(|_| f64::from(key.1) == number).map(|row| self.described(rows[row].name))
    }

    /// Returns a name that is not verified.
    fn described(&self, name: StrRef) -> Cow<'_, str> {
        let rest = self.ranges.strings(self.bytes()).get(name.start as usize..);
        let bytes = rest.and_then(|rest| rest.get(..name.len.min(MAX_NAME) as usize));
        String::from_utf8_lossy(bytes.unwrap_or_default())
    }
}

impl DebugEnd {
    /// Returns the chain that begins with the row `first - 1`, innermost node first.
    pub fn chain(rows: &[Self], first: u32) -> impl Iterator<Item = &Self> {
        chain(rows, first, |end| end.next)
    }
}

fn row<T>(rows: &[T], link: u32) -> Option<&T> {
    rows.get((link as usize).checked_sub(1)?)
}

/// Follows rows that are linked by index plus one, as long as the links get smaller.
fn chain<T>(rows: &[T], first: u32, next: impl Fn(&T) -> u32) -> impl Iterator<Item = &T> {
    let step = move |(link, at): &(u32, &T)| {
        let link = Some(next(at)).filter(|next| next < link)?;
        Some((link, row(rows, link)?))
    };
    core::iter::successors(row(rows, first).map(|at| (first, at)), step).map(|(_, at)| at)
}
