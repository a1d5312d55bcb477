//! Keywords and names, each known by a number.
//!
//! A word of at most fifteen bytes, filled up with zeros, is two numbers, so that finding it is one multiplication and one
//! comparison; longer ones are rare and go through a map. Keywords come first, in the order of [`Keyword`], so that "is
//! it a keyword" is a comparison as well, and what a name stands for is a row in a table.

use crate::text::{Interner, Sym};
use core::hash::BuildHasher;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

/// A keyword or a name: those below [`Keyword::COUNT`] are keywords.
pub(super) type Word = u32;

macro_rules! keywords {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// A word that the grammar knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Keyword { $(#[doc = $text] $name),* }

        impl Keyword {
            /// All of them, in the order of their numbers.
            pub(super) const ALL: &[Self] = &[$(Self::$name),*];
            const TEXTS: &[&str] = &[$($text),*];
        }
    };
}

keywords! {
    Action = "action", Query = "query", Var = "var", Group = "group", World = "world", Const = "const", On = "on",
    Tree = "tree", Include = "include", Sequence = "sequence", Selector = "selector", Reactive = "reactive",
    Parallel = "parallel", Succeed = "succeed", Fail = "fail", Random = "random", Utility = "utility",
    Condition = "condition", If = "if", While = "while", Set = "set", Wait = "wait", Success = "success", Failure = "failure",
    Running = "running", Invert = "invert", Force = "force", Repeat = "repeat", Retry = "retry", Until = "until",
    Cooldown = "cooldown", Timeout = "timeout", Delay = "delay", Limit = "limit", Use = "use", Raise = "raise",
    True = "true", False = "false", Now = "now", Bool = "bool", Int = "int", Float = "float", Int8 = "int8",
    Uint8 = "uint8", Int16 = "int16", Uint16 = "uint16",
    // Words only where the grammar has them; else names.
    Ticks = "ticks", Ms = "ms", S = "s", To = "to", All = "all", Any = "any", Text = "text",
    // Functions: names that are taken.
    Min = "min", Max = "max", Clamp = "clamp", Abs = "abs",
}

impl Keyword {
    /// How many there are.
    pub(super) const COUNT: u32 = Self::ALL.len() as u32;

    /// The keyword of this number.
    #[inline]
    pub(super) fn of(word: Word) -> Option<Self> {
        Self::ALL.get(word as usize).copied()
    }

    /// As it is written.
    pub(super) fn text(self) -> &'static str {
        Self::TEXTS[self as usize]
    }

    /// Whether nothing else may be called so.
    #[inline]
    pub(super) fn is_reserved(self) -> bool {
        (self as u32) < Self::Ticks as u32
    }

    /// Whether it is one of the functions that every file has.
    #[inline]
    pub(super) fn is_function(self) -> bool {
        self as u32 >= Self::Min as u32
    }

    /// Whether a node begins with it.
    #[inline]
    pub(super) fn begins_node(self) -> bool {
        let (word, first, last) = (self as u32, Self::Sequence as u32, Self::Raise as u32);
        matches!(self, Self::Action)
            || first <= word && word <= last && !matches!(self, Self::Succeed | Self::Fail)
    }

    /// Whether only a declaration begins with it.
    #[inline]
    pub(super) fn begins_item_only(self) -> bool {
        (Self::Query as u32..=Self::Include as u32).contains(&(self as u32))
    }
}

/// Words that a usual file has, keywords included.
const USUAL_WORDS: usize = 256;

/// A word of at most fifteen bytes, and its bytes as a key.
type Short = ([u64; 2], Word);

/// The words of one compilation.
pub(super) struct Words {
    short: HashTable<Short>,
    hasher: DefaultHashBuilder,
    long: HashMap<Vec<u8>, Word>,
    syms: Vec<Sym>,
}

/// Returns the hash of a key. The hasher has a seed, so that no file can be made up in which all words collide.
#[inline(always)]
fn hash(hasher: &DefaultHashBuilder, [low, high]: [u64; 2]) -> u64 {
    hasher.hash_one(u128::from(high) << 64 | u128::from(low))
}

impl Words {
    /// A table with the keywords in it.
    pub(super) fn new(names: &mut Interner) -> Self {
        let mut words = Self {
            short: HashTable::with_capacity(USUAL_WORDS),
            hasher: DefaultHashBuilder::default(),
            long: HashMap::default(),
            syms: Vec::with_capacity(USUAL_WORDS),
        };
        for text in Keyword::TEXTS {
            words.find(text.as_bytes(), names);
        }
        words
    }

    /// The symbol of a word.
    #[inline]
    pub(super) fn sym(&self, word: Word) -> Sym {
        self.syms[word as usize]
    }

    /// The word with this spelling.
    pub(super) fn find(&mut self, text: &[u8], names: &mut Interner) -> Word {
        if text.len() > 15 {
            return self.long(text, names);
        }
        let mut halves = [[0; 8]; 2];
        for (byte, to) in text.iter().zip(halves.as_flattened_mut()) {
            *to = *byte;
        }
        self.short(halves.map(u64::from_le_bytes), names)
    }

    /// The word of at most fifteen bytes which `key` is.
    #[inline]
    pub(super) fn short(&mut self, key: [u64; 2], names: &mut Interner) -> Word {
        // Half by half: the key as a whole would have to go through memory.
        let same = |(known, _): &Short| known[0] == key[0] && known[1] == key[1];
        match self.short.find(hash(&self.hasher, key), same) {
            Some((_, word)) => *word,
            None => self.add(key[0], key[1], names),
        }
    }

    /// The halves of the key come by themselves, as they stand in registers.
    #[cold]
    fn add(&mut self, low: u64, high: u64, names: &mut Interner) -> Word {
        let key = [low, high];
        let bytes = key.map(u64::to_le_bytes);
        let text = bytes.as_flattened();
        let length = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
        let (hasher, word) = (&self.hasher, self.syms.len() as Word);
        self.syms.push(names.intern(&text[..length]));
        self.short.insert_unique(hash(hasher, key), (key, word), |(key, _)| hash(hasher, *key));
        word
    }

    #[cold]
    fn long(&mut self, text: &[u8], names: &mut Interner) -> Word {
        if let Some(word) = self.long.get(text) {
            return *word;
        }
        self.syms.push(names.intern(text));
        let word = self.syms.len() as u32 - 1;
        self.long.insert(text.to_vec(), word);
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_have_their_numbers() {
        let mut names = Interner::default();
        let mut words = Words::new(&mut names);
        for keyword in Keyword::ALL {
            assert_eq!(words.find(keyword.text().as_bytes(), &mut names), *keyword as u32);
        }
        assert!(words.find(b"sequences", &mut names) >= Keyword::COUNT);
    }

    #[test]
    fn many_words_are_told_apart() {
        let mut names = Interner::default();
        let mut words = Words::new(&mut names);
        let spelling = |n: usize| format!("{}{n}", "name_".repeat(n % 5)).into_bytes();
        let first: Vec<_> = (0..5000).map(|n| words.find(&spelling(n), &mut names)).collect();
        let again: Vec<_> = (0..5000).map(|n| words.find(&spelling(n), &mut names)).collect();
        assert_eq!(first, again);
        assert!((0..5000).all(|n| names.bytes(words.sym(first[n])) == spelling(n)));
    }
}
