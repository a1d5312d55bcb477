//! Meanings of words, looked up once for each word instead of once for each use.
//!
//! Keywords and the host's names are compared without regard to case. So that this costs nothing
//! for each token, a table beside the interner holds for each symbol its meaning as a keyword, an
//! action, a query and a macro. A row is filled when its symbol is first used.

use crate::session::Session;
use crate::text::{Folded, Interner, Sym};
use bumpalo::Bump;
use bumpalo::collections::{CollectIn, Vec as ArenaVec};
use core::mem::take;

keywords! {
    pub(super),
    /// `selector { … }`
    Selector = "selector",
    /// `sequence { … }`
    Sequence = "sequence",
    /// `fallback { … }`
    Fallback = "fallback",
    /// `concurrent { … }`
    Concurrent = "concurrent",
    /// `action name`
    Action = "action",
    /// `condition expression`
    Condition = "condition",
    /// `decorator name`
    Decorator = "decorator",
    /// `behavior name`
    Behavior = "behavior",
    /// `spawnAs number`
    SpawnAs = "spawnAs",
    /// `selectClass { … }`, at the beginning of a file
    SelectClass = "selectClass",
    /// `enum { … }`, for the preprocessor
    Enum = "enum",
}

impl Keyword {
    /// Returns true if a node begins with the keyword.
    pub(super) fn begins_node(self) -> bool {
        !matches!(self, Self::SelectClass | Self::Enum)
    }
}

/// A decorator with the number of its arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decorator {
    /// Canonical spelling.
    pub(super) name: &'static str,
    /// Number of arguments.
    pub(super) arity: usize,
}

/// All decorators.
pub(super) const DECORATORS: [Decorator; 4] = [
    Decorator { name: "invert", arity: 0 },
    Decorator { name: "mapStatus", arity: 3 },
    Decorator { name: "return", arity: 1 },
    Decorator { name: "timer", arity: 1 },
];

/// Everything that a word can mean; which of it counts depends on where the word stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    /// The keyword, if the word is one.
    pub(super) keyword: Option<Keyword>,
    /// The action of this name: index in [`crate::manifest::Manifest::actions`].
    pub(super) action: Option<u16>,
    /// The query of this name: index in [`crate::manifest::Manifest::queries`].
    pub(super) query: Option<u16>,
    /// The decorator of this name: index in [`DECORATORS`].
    pub(super) decorator: Option<u8>,
}

/// The words of one compilation.
pub(super) struct Words<'s> {
    /// Names of words, and of trees.
    pub(super) known: Folded,
    /// By symbol of [`Self::known`]; names of trees may have none.
    meanings: ArenaVec<'s, Word>,
    /// By symbol of the compilation.
    rows: ArenaVec<'s, Word>,
    keywords: ArenaVec<'s, Sym>,
    /// The symbols of actions, queries and decorators in canonical spelling.
    pub(super) actions: ArenaVec<'s, Sym>,
    pub(super) queries: ArenaVec<'s, Sym>,
    pub(super) decorators: ArenaVec<'s, Sym>,
}

impl<'s> Words<'s> {
    /// Returns the words of the language and of the session's manifest.
    pub(super) fn new(session: &mut Session<'_>, arena: &'s Bump) -> Self {
        let (mut known, manifest, names) = (take(&mut session.folded), session.manifest, &mut session.names);
        let mut meanings = ArenaVec::new_in(arena);
        let mut word = |spelling: &str, means: &dyn Fn(&mut Word)| {
            let index = known.intern(spelling.as_bytes()).0 as usize;
            meanings.resize(meanings.len().max(index + 1), Word::default());
            means(&mut meanings[index]);
            names.intern(spelling.as_bytes())
        };
        let keyword = |keyword: &Keyword| word(keyword.text(), &|word| word.keyword = Some(*keyword));
        let keywords = Keyword::ALL.iter().map(keyword).collect_in(arena);
        let index = (0_u16..).zip(&manifest.actions);
        let actions = index.map(|(at, it)| word(&it.name, &|word| _ = word.action.get_or_insert(at)));
        let actions = actions.collect_in(arena);
        let index = (0_u16..).zip(&manifest.queries);
        let queries = index.map(|(at, it)| word(&it.name, &|word| _ = word.query.get_or_insert(at)));
        let queries = queries.collect_in(arena);
        let index = (0_u8..).zip(&DECORATORS);
        let decorator = |(at, it): (u8, &Decorator)| word(it.name, &|word| word.decorator = Some(at));
        let decorators = index.map(decorator).collect_in(arena);
        Self { known, meanings, rows: ArenaVec::new_in(arena), keywords, actions, queries, decorators }
    }

    /// Returns the meanings of a symbol.
    #[inline]
    pub(super) fn get(&mut self, sym: Sym, names: &Interner) -> Word {
        match self.rows.get(sym.0 as usize) {
            Some(word) => *word,
            None => self.fill(sym, names),
        }
    }

    /// Symbols are numbered in the order in which they were met, so the table grows at its end.
    #[cold]
    fn fill(&mut self, sym: Sym, names: &Interner) -> Word {
        for next in self.rows.len() as u32..=sym.0 {
            self.rows.push(self.look_up(names.bytes(Sym(next))));
        }
        self.rows.last().copied().unwrap_or_default()
    }

    /// Looks up the meanings of a name.
    fn look_up(&self, name: &[u8]) -> Word {
        let known = self.known.find(name).and_then(|known| self.meanings.get(known.0 as usize));
        known.copied().unwrap_or_default()
    }

    /// Returns the symbol of a keyword in canonical spelling.
    pub(super) fn keyword(&self, keyword: Keyword) -> Sym {
        self.keywords[keyword as usize]
    }
}
