//! Keywords and names, each known by a number.
//!
//! A word is its symbol. Keywords are the first symbols of a session, in the order of [`Keyword`].
//! So one comparison tells if a word is a keyword, and the meaning of a name is a row in a table.

use crate::ast::SlotKind;
use crate::text::{Interner, Sym};

/// A keyword or a name, as the number of its symbol: those below [`Keyword::COUNT`] are keywords.
pub(super) type Word = u32;

keywords! {
    pub,
    Action = "action", Query = "query", Var = "var", Group = "group", World = "world", Const = "const", Tune = "tune", Enum = "enum", On = "on",
    Tree = "tree", Include = "include", Sequence = "sequence", Selector = "selector", Reactive = "reactive",
    Parallel = "parallel", Succeed = "succeed", Fail = "fail", Random = "random", Utility = "utility",
    Match = "match", Condition = "condition", If = "if", While = "while", Chance = "chance",
    Once = "once", Set = "set", Wait = "wait", Success = "success", Failure = "failure",
    Running = "running", Invert = "invert", Force = "force", Repeat = "repeat", Retry = "retry", Until = "until",
    Cooldown = "cooldown", Timeout = "timeout", Delay = "delay", Limit = "limit", Cleanup = "cleanup", Every = "every", Use = "use", Raise = "raise",
    Else = "else", True = "true", False = "false", Now = "now", Bool = "bool", Int = "int", Float = "float", Int8 = "int8",
    Uint8 = "uint8", Int16 = "int16", Uint16 = "uint16", Int64 = "int64", Double = "double",
    Entity = "entity", None = "none",
    // Words only where the grammar has them; else names.
    Ticks = "ticks", Ms = "ms", S = "s", To = "to", All = "all", Any = "any", Text = "text", Keep = "keep",
    // Functions: names that are taken.
    Min = "min", Max = "max", Clamp = "clamp", Abs = "abs", Sqrt = "sqrt", Pow = "pow", Logistic = "logistic",
    Smooth = "smooth", Curve = "curve", Vec2 = "vec2", Vec3 = "vec3",
    // Functions whose names a text may declare.
    Dot = "dot", Length = "length", Distance = "distance",
}

/// Types of variables, by keyword.
pub(super) const KINDS: [(Keyword, SlotKind); 11] = [
    (Keyword::Bool, SlotKind::Bit),
    (Keyword::Int, SlotKind::I32),
    (Keyword::Int64, SlotKind::I64),
    (Keyword::Float, SlotKind::F32),
    (Keyword::Double, SlotKind::F64),
    (Keyword::Entity, SlotKind::Entity),
    (Keyword::Text, SlotKind::Text),
    (Keyword::Int8, SlotKind::I8),
    (Keyword::Uint8, SlotKind::U8),
    (Keyword::Int16, SlotKind::I16),
    (Keyword::Uint16, SlotKind::U16),
];

/// Returns the names of the types that all programs have: those of variables, or only those that
/// parameters, answers and constants have, too.
pub fn types(of_variables: bool) -> impl Iterator<Item = &'static str> {
    let known = KINDS.iter().filter(move |(_, kind)| of_variables || !kind.is_narrow());
    known.map(|(keyword, _)| keyword.text()).chain(["vec2", "vec3"])
}

impl Keyword {
    /// Number of keywords.
    pub(super) const COUNT: u32 = Self::ALL.len() as u32;

    /// The keyword of this number.
    #[inline]
    pub(super) fn of(word: Word) -> Option<Self> {
        Self::ALL.get(word as usize).copied()
    }

    /// Makes the keywords the first symbols.
    ///
    /// # Panics
    /// If another dialect has been read into the same names.
    pub(super) fn intern(names: &mut Interner) {
        for keyword in Self::ALL {
            let sym = names.intern(keyword.text().as_bytes());
            assert_eq!(sym, keyword.sym(), "a session reads one dialect");
        }
    }

    /// Its symbol.
    #[inline]
    pub(super) fn sym(self) -> Sym {
        Sym(self as u32)
    }

    /// Returns the keyword with this spelling.
    #[must_use]
    pub fn spelled(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|keyword| keyword.text() == text)
    }

    /// Returns true if the keyword cannot be a name.
    #[inline]
    #[must_use]
    pub fn is_reserved(self) -> bool {
        (self as u32) < Self::Ticks as u32
    }

    /// Returns true if the keyword is one of the functions that every file has.
    #[inline]
    #[must_use]
    pub fn is_function(self) -> bool {
        self as u32 >= Self::Min as u32
    }

    /// Returns true if the keyword is a function whose name no declaration can have.
    #[inline]
    #[must_use]
    pub fn is_taken(self) -> bool {
        self.is_function() && !self.can_be_hidden()
    }

    /// Returns true if the keyword is a function that a declaration with its name hides.
    #[inline]
    #[must_use]
    pub fn can_be_hidden(self) -> bool {
        self as u32 >= Self::Dot as u32
    }

    /// Returns true if a node begins with the keyword.
    #[inline]
    #[must_use]
    pub fn begins_node(self) -> bool {
        let (word, first, last) = (self as u32, Self::Sequence as u32, Self::Raise as u32);
        matches!(self, Self::Action)
            || first <= word && word <= last && !matches!(self, Self::Succeed | Self::Fail)
    }

    /// Returns true if only a declaration begins with the keyword.
    #[inline]
    #[must_use]
    pub fn begins_item_only(self) -> bool {
        (Self::Query as u32..=Self::Include as u32).contains(&(self as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::KindRow;
    use pleach_image::format::slot_kind;

    #[test]
    fn types_have_the_names_that_images_have() {
        for (keyword, kind) in KINDS {
            assert_eq!(slot_kind::name(KindRow::of(kind).number), Some(keyword.text()));
        }
    }

    #[test]
    fn keywords_have_their_numbers() {
        let mut names = Interner::default();
        Keyword::intern(&mut names);
        for keyword in Keyword::ALL {
            assert_eq!(names.intern(keyword.text().as_bytes()), keyword.sym());
        }
        assert!(names.intern(b"sequences").0 >= Keyword::COUNT);
    }
}
