//! Names in a text, each with the space of names that it is of.

use super::{Document, Item, ItemKind, Local, Range};
use pleach_compile::internals::language::{Keyword, OpKind};
use std::collections::HashMap;
use std::sync::Arc;

/// Declaration that has names of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// Tree, with its parameters and variables.
    Tree(Arc<str>),
    /// Action, with its parameters.
    Action(Arc<str>),
    /// Query, with its parameters.
    Query(Arc<str>),
}

/// Space of names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Variables, constants, queries, and symbols of manifests. A member of an enum may stand in an
    /// expression without the name of the enum; then it is of this space until it is resolved.
    Value,
    /// Actions.
    Action,
    /// Trees.
    Tree,
    /// Events.
    Event,
    /// Enums.
    Enum,
    /// Members of the enum with this name.
    Member(Arc<str>),
    /// Parameters and variables of a declaration.
    Local(Owner),
}

/// Effect of a mention on the thing that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// Declares it.
    Declares,
    /// Reads, calls or uses it.
    Reads,
    /// Writes it.
    Writes,
}

/// Place that tells what a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Context {
    /// Case of this `match`: index in [`Document::nodes`]. The name is that of a member.
    Case(u32),
    /// Value that is compared to this variable, written to it, or answered by this query. The name
    /// can be that of a member.
    Value(Box<str>),
    /// Before a `.`: the name is that of an enum or, in a file of tests, of a tree; else that of a
    /// vector, of which a part is meant.
    Qualifier,
}

/// Name in a text.
#[derive(Clone, Debug)]
pub struct Mention {
    /// The name.
    pub name: Box<str>,
    /// Its place.
    pub range: Range,
    /// Its space of names.
    pub space: Space,
    /// Its effect.
    pub access: Access,
    /// Its place, if that tells what it can name.
    pub context: Option<Context>,
}

impl Document {
    /// Returns all names of the text, in the order of the text.
    #[must_use]
    pub fn mentions(&self) -> Vec<Mention> {
        let owners = self.items.iter().map(|item| self.owner(item)).collect();
        let mut list = Mentions { document: self, owners, locals: self.locals(), list: Vec::new() };
        (0..self.items.len()).for_each(|item| list.item(item));
        list.subjects();
        list.expressions();
        list.list.sort_by_key(|mention| mention.range);
        // In a text with errors, a name may be declared and read in one place.
        list.list.dedup_by_key(|mention| mention.range);
        list.list
    }

    /// Returns the parameters and variables of the tree at a byte that have a name there.
    pub(crate) fn locals_at(&self, at: u32) -> impl Iterator<Item = Range> {
        let item = self.item_at(at).map(|item| &self.items[item]).filter(|item| item.kind == ItemKind::Tree);
        let params = item.into_iter().flat_map(|item| &item.parts).map(|param| param.name);
        let locals = item.into_iter().flat_map(|item| &item.locals);
        let known = move |local: &&Local| local.place.1 <= at;
        params.chain(locals.filter(known).map(|local| local.name))
    }

    /// Returns the first byte at which a parameter or variable of a tree has its name, by the index
    /// of the tree and the name.
    fn locals(&self) -> HashMap<(usize, &str), u32> {
        let mut first = HashMap::new();
        for (index, item) in self.items.iter().enumerate().filter(|(_, item)| item.kind == ItemKind::Tree) {
            let params = item.parts.iter().map(|param| (param.name, 0));
            let locals = item.locals.iter().map(|local| (local.name, local.place.1));
            for (name, from) in params.chain(locals) {
                first.entry((index, self.slice(name))).or_insert(from);
            }
        }
        first
    }

    /// Returns the owner of the names of a declaration.
    pub(crate) fn owner(&self, item: &Item) -> Option<Owner> {
        let name = self.slice(item.name?).into();
        match item.kind {
            ItemKind::Tree => Some(Owner::Tree(name)),
            ItemKind::Action => Some(Owner::Action(name)),
            ItemKind::Query => Some(Owner::Query(name)),
            _ => None,
        }
    }
}

struct Mentions<'d> {
    document: &'d Document,
    /// By declaration, the owner of its names. Names share the text of their owner's name.
    owners: Vec<Option<Owner>>,
    /// First byte at which a parameter or variable of a tree has its name.
    locals: HashMap<(usize, &'d str), u32>,
    list: Vec<Mention>,
}

impl Mentions<'_> {
    fn push(&mut self, range: Range, space: Space, access: Access) {
        let name = self.document.slice(range).into();
        self.list.push(Mention { name, range, space, access, context: None });
    }

    /// Adds the names that a declaration declares, and those of its types.
    fn item(&mut self, index: usize) {
        let item = &self.document.items[index];
        let Some(name) = item.name else { return };
        let space = match item.kind {
            ItemKind::Include => return,
            ItemKind::Action => Space::Action,
            ItemKind::Tree => Space::Tree,
            ItemKind::Handler => Space::Event,
            ItemKind::Enum => Space::Enum,
            _ => Space::Value,
        };
        self.push(name, space, Access::Declares);
        let of_parts = match self.owners[index].clone() {
            Some(owner) => Space::Local(owner),
            None => Space::Member(self.document.slice(name).into()),
        };
        let names = item.parts.iter().map(|part| part.name).chain(item.locals.iter().map(|local| local.name));
        names.for_each(|name| self.push(name, of_parts.clone(), Access::Declares));
    }

    /// Adds the names that follow the words of nodes, and those of types.
    fn subjects(&mut self) {
        for (node, subject) in self.document.nodes.iter().filter_map(|node| Some((node, node.subject?))) {
            let (space, access) = match node.kind {
                Keyword::Action => (Space::Action, Access::Reads),
                Keyword::Use => (Space::Tree, Access::Reads),
                Keyword::Raise => (Space::Event, Access::Reads),
                _ => (self.value(subject), Access::Writes),
            };
            self.push(subject, space, access);
        }
        for range in &self.document.parsed.types {
            self.push(*range, Space::Enum, Access::Reads);
        }
    }

    /// Returns the space of a name that stands for a value or a variable.
    fn value(&self, range: Range) -> Space {
        let name = self.document.slice(range);
        let is_local = |item: &usize| self.locals.get(&(*item, name)).is_some_and(|from| *from <= range.0);
        let item = self.document.item_at(range.0).filter(is_local);
        let owner = item.and_then(|item| self.owners[item].clone());
        owner.map_or(Space::Value, Space::Local)
    }

    /// Adds the names in expressions.
    fn expressions(&mut self) {
        let document = self.document;
        for op in &document.parsed.ops {
            let word = document.slice(op.place);
            match op.kind {
                OpKind::Name => self.push(op.place, self.value(op.place), Access::Reads),
                OpKind::Call if !Keyword::spelled(word).is_some_and(Keyword::is_taken) => {
                    self.push(op.place, Space::Value, Access::Reads);
                }
                OpKind::Member => self.member(op.place),
                _ => {}
            }
        }
        self.cases();
    }

    /// Adds the name of an enum and that of its member, or the name of a vector of a tree.
    fn member(&mut self, (start, end): Range) {
        let tokens = &self.document.tokens;
        let (first, last) = (self.document.token_at(start), self.document.token_at(end - 1));
        let (of, member) = (tokens[first], tokens[last]);
        let of = (of.start, of.end);
        let name: Box<str> = self.document.slice(of).into();
        // The parameters and variables of a tree hide enums.
        let local = Some(self.value(of)).filter(|space| *space != Space::Value);
        if local.is_none() {
            let member_space = Space::Member((*name).into());
            self.push((member.start, member.end), member_space, Access::Reads);
        }
        let (space, context) = (local.unwrap_or(Space::Enum), Some(Context::Qualifier));
        self.list.push(Mention { name, range: of, space, access: Access::Reads, context });
    }

    /// Notes the names that are the value of a case.
    fn cases(&mut self) {
        self.list.sort_by_key(|mention| mention.range);
        let cases = self.document.nodes.iter().filter_map(|node| {
            let parent = node.parent.filter(|at| self.document.nodes[*at as usize].kind == Keyword::Match)?;
            let [op] = self.document.ops(node.weight?) else { return None };
            (op.kind == OpKind::Name).then_some((op.place, parent))
        });
        for (place, parent) in cases {
            if let Ok(at) = self.list.binary_search_by_key(&place, |mention| mention.range) {
                self.list[at].context = Some(Context::Case(parent));
            }
        }
    }
}
