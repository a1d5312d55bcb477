//! The rules, each with its code, its name and its level.
//!
//! A code never changes its meaning. `spec/lint.md` has a section for each rule with an example,
//! and a test compares the page with this table.

use pleach_compile::diagnostic::Code;

/// Effect of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The rule is not applied.
    Off,
    /// The finding is a warning.
    Warning,
    /// The finding is an error.
    Error,
}

impl Level {
    /// Returns the level with a name of the configuration.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Off, Self::Warning, Self::Error].into_iter().find(|level| level.name() == name)
    }

    /// Returns the name of the level in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Code and meaning.
    pub code: Code,
    /// Name in a few words, for people.
    pub name: &'static str,
    /// Level if the configuration does not say otherwise.
    pub level: Level,
}

macro_rules! rules {
    ($($name:ident = $id:literal, $level:ident, $title:literal, $meaning:literal;)*) => {
        $(
            #[doc = concat!("Rule about a ", $meaning, ".")]
            pub const $name: Rule =
                Rule { code: Code { id: $id, meaning: $meaning }, name: $title, level: Level::$level };
        )*
        /// All rules, in the order of their codes.
        pub const ALL: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    NEVER_BEGINS = "L001", Warning, "never begins", "child that can never begin";
    NEVER_ENDS = "L002", Warning, "end that never comes", "node that acts when its child ends, around a child that never ends";
    NO_EFFECT = "L003", Warning, "decorator without effect", "node that reacts to a status that its child never has";
    NEVER_SUCCEEDS = "L004", Off, "never succeeds", "list that can never succeed";
    NEVER_FAILS = "L005", Off, "never fails", "list that can never fail";
    UNDONE = "L006", Warning, "decorator undone", "decorator whose effect the decorator around it undoes";
    INVERTED_TWICE = "L007", Warning, "inverted twice", "pair of decorators that together change nothing";
    ONE_CHILD = "L010", Warning, "one child", "list with one child, which is as good as the child alone";
    EMPTY_HANDLER = "L011", Warning, "empty handler", "handler of an event that changes nothing";
    REPEATED_CHILD = "L012", Off, "repeated child", "child that is written twice, one after the other";
    FORWARDING = "L013", Warning, "forwarding tree", "tree that only passes its parameters on to another tree";
    ONCE_AROUND = "L014", Warning, "loop of one", "loop that runs its child once";
    NEVER_ENOUGH = "L020", Warning, "never enough branches", "parallel in which too few branches can succeed";
    ENDS_AT_ONCE = "L021", Warning, "parallel of one tick", "parallel that always ends in its first tick, so that branches that run are halted at once";
    ZERO_WAIT = "L030", Warning, "wait for nothing", "wait of no time";
    ZERO_COOLDOWN = "L031", Warning, "cooldown of nothing", "cooldown of no time";
    SHORT_TIMEOUT = "L032", Warning, "timeout too short", "timeout that always halts its child before the child can end";
    IDLE_TIMEOUT = "L033", Warning, "timeout that never comes", "timeout around a child that always ends in its first tick";
    ZERO_TIMEOUT = "L034", Warning, "timeout of nothing", "timeout of no time, which leaves its child a single tick";
    COOLED_RETRY = "L035", Off, "retry in a cooldown", "retry whose tries are used up while the cooldown inside is closed";
    BUSY_LOOP = "L036", Off, "busy loop", "loop without end that runs a child of one tick in every tick";
    IMPLIED = "L040", Warning, "condition implied", "condition that is always true because of a node above";
    CONTRADICTED = "L041", Warning, "condition contradicted", "condition that is always false because of a node above";
    CONSTANT = "L042", Warning, "constant condition", "condition that has the same value whatever its variables are";
    IMPOSSIBLE_CASE = "L043", Warning, "impossible case", "case with a value that never comes";
    CONSTANT_SCORES = "L044", Warning, "constant scores", "utility whose scores are all constants, so that it always picks the same child";
    LOW_SCORE = "L045", Warning, "score too low", "child of a utility whose score is never the highest";
    ZERO_WEIGHT = "L046", Warning, "weight of nothing", "child that a random choice never draws";
    UNREAD_LOCAL = "L050", Warning, "local never read", "variable of a tree that is written and never read";
    UNREAD = "L051", Off, "variable never read", "variable that trees write and never read";
    UNWRITTEN = "L052", Off, "variable never written", "variable that trees read and never write";
    SELF_ASSIGNED = "L053", Warning, "set to itself", "write of the value that the variable has already";
    OVERWRITTEN = "L054", Warning, "overwritten", "write that the next write replaces before anything reads the variable";
    UNUSED_PARAMETER = "L060", Warning, "unused parameter", "parameter that its tree never uses";
    UNUSED_CONSTANT = "L061", Off, "unused constant", "constant that is never used";
    UNUSED_ACTION = "L062", Warning, "unused action", "action that is declared and never used";
    UNUSED_QUERY = "L063", Warning, "unused query", "query that is declared and never used";
    UNUSED_ENUM = "L064", Off, "unused enum", "enum that is never used";
    UNUSED_MEMBER = "L065", Off, "unused member", "member of an enum that trees never use";
    SHADOWED = "L066", Off, "shadowed name", "parameter or variable of a tree that hides a name of the file";
    UNRAISED = "L067", Off, "event never raised", "event that no tree raises";
    IDLE_ALLOW = "L090", Warning, "comment without effect", "comment that allows a finding that is not there";
    ALLOW_WITHOUT_REASON = "L091", Warning, "comment without reason", "comment that allows a finding and gives no reason";
}

/// Returns the rule with this code.
#[must_use]
pub fn by_code(code: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.code.id == code)
}
