//! What every word means, found once per word and not once per use.
//!
//! Keywords and the host's names are compared without regard to case. So that this costs nothing per token, a table
//! beside the interner holds for each symbol what it is as a keyword, as an action, as a query and as a macro; a row
//! is filled when its symbol is first met.

use crate::manifest::Manifest;
use crate::text::{Folded, Interner, Sym};

macro_rules! keywords {
    ($($(#[doc = $doc:literal])* $name:ident = $spelling:literal,)*) => {
        /// A word that the grammar knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Keyword { $($(#[doc = $doc])* $name,)* }

        impl Keyword {
            /// All keywords.
            pub(super) const ALL: &[Self] = &[$(Self::$name),*];
            const SPELLINGS: &[&str] = &[$($spelling),*];
        }
    };
}

keywords! {
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
    /// The canonical spelling.
    #[inline]
    pub(super) fn spelling(self) -> &'static str {
        Self::SPELLINGS[self as usize]
    }

    /// Whether a node begins with it.
    pub(super) fn begins_node(self) -> bool {
        !matches!(self, Self::SelectClass | Self::Enum)
    }
}

/// A decorator with the number of its arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decorator {
    /// Canonical spelling.
    pub(super) name: &'static str,
    /// How many arguments it takes.
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
    /// As a keyword.
    pub(super) keyword: Option<Keyword>,
    /// As an action: index in [`Manifest::actions`].
    pub(super) action: Option<u16>,
    /// As a query: index in [`Manifest::queries`].
    pub(super) query: Option<u16>,
    /// As a decorator: index in [`DECORATORS`].
    pub(super) decorator: Option<u8>,
}

/// The words of one compilation.
pub(super) struct Words {
    known: Folded,
    /// By symbol of [`Self::known`].
    meanings: Vec<Word>,
    /// By symbol of the compilation.
    rows: Vec<Word>,
    keywords: Vec<Sym>,
    /// The symbols of actions, queries and decorators in canonical spelling.
    pub(super) actions: Vec<Sym>,
    pub(super) queries: Vec<Sym>,
    pub(super) decorators: Vec<Sym>,
}

impl Words {
    /// The words of the language and of a manifest.
    pub(super) fn new(manifest: &Manifest, names: &mut Interner) -> Self {
        let (mut known, mut meanings) = (Folded::default(), Vec::<Word>::new());
        let mut word = |spelling: &str, means: &dyn Fn(&mut Word)| {
            let index = known.intern(spelling.as_bytes()).0 as usize;
            meanings.resize(meanings.len().max(index + 1), Word::default());
            means(&mut meanings[index]);
            names.intern(spelling.as_bytes())
        };
        let keyword = |keyword: &Keyword| word(keyword.spelling(), &|word| word.keyword = Some(*keyword));
        let keywords = Keyword::ALL.iter().map(keyword).collect();
        let index = (0_u16..).zip(&manifest.actions);
        let actions = index.map(|(at, it)| word(&it.name, &|word| _ = word.action.get_or_insert(at)));
        let actions = actions.collect();
        let index = (0_u16..).zip(&manifest.queries);
        let queries = index.map(|(at, it)| word(&it.name, &|word| _ = word.query.get_or_insert(at)));
        let queries = queries.collect();
        let index = (0_u8..).zip(&DECORATORS);
        let decorator = |(at, it): (u8, &Decorator)| word(it.name, &|word| word.decorator = Some(at));
        let decorators = index.map(decorator).collect();
        Self { known, meanings, rows: Vec::new(), keywords, actions, queries, decorators }
    }

    /// What a symbol means.
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

    /// What a name means; no table remembers it.
    fn look_up(&self, name: &[u8]) -> Word {
        self.known.find(name).map(|known| self.meanings[known.0 as usize]).unwrap_or_default()
    }

    /// The symbol of a keyword in canonical spelling.
    pub(super) fn keyword(&self, keyword: Keyword) -> Sym {
        self.keywords[keyword as usize]
    }
}
