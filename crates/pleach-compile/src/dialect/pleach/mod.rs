//! `pleach`: the project's own language.
//!
//! It looks like the `.bt` family, has types, and whatever an expression computes is defined. The
//! whole language is specified in `spec/dialects/pleach.md`.
//!
//! ```text
//! var ammo: int8 = 6
//! action shoot()
//! action roam()
//!
//! tree guard
//! {
//!     selector
//!     {
//!         if ammo > 0 { action shoot }
//!         action roam
//!     }
//! }
//! ```
//!
//! `lexer` returns one token after the other. `parser` puts the words of all files in order
//! (`syntax`). `names` has the meanings of names. `check` finds types and constants, puts copies of
//! trees in their places, and emits the common tree. `parsed` hands a text to
//! tools, as it was read.
//!
//! # What nodes carry
//!
//! Everything is resolved: no name needs to be looked up again, constants are
//! computed, units are applied.
//!
//! | keyword | subject | arguments | condition | children |
//! |---|---|---|---|---|
//! | `sequence`, `selector` | | | | any |
//! | `reactive` | `sequence`, `selector` | | | any |
//! | `parallel` | | successes, failures (ints; the number of branches for `all`) | | any |
//! | `random` | | a weight for each child (ints) | | one or more |
//! | `random` | `sequence`, `selector` | | | any |
//! | `match` | | the value of each child but the last (ints) | an int | one or more |
//! | `reactive` | `match` | the same | | one or more |
//! | `utility` | | a score for each child ([`Expression`]) | | one or more |
//! | `reactive` | `utility` | the same | | one or more |
//! | `condition` | | | a boolean | none or one |
//! | `while`, `chance` | | | a boolean | one |
//! | `once` | | | | one |
//! | `cleanup` | | | | a `cleanup` with the subject `set`, whose children are `set`s, and one |
//! | `reactive` | `utility keep` | the percentage (int), and the scores | | as many |
//! | `every` | | two durations (int, or [`Expression`]) | | an `every service` of leaves, and one |
//! | `call` | as `action` | as `action` | | |
//! | `tree` | its name | the [`Variable`]s of this copy | | a `var` for each that is set, and one |
//! | `var` | its name | as of `set` | its default | |
//! | `else` | | | | |
//! | `.arguments` | | the [`Variable`]s of computed arguments | | its `.argument`s, and one |
//! | `.argument` | the parameter's name | as of `set` | the value | |
//! | `set` | the vector's name | [`Variable`]s of `.argument`s | | `.argument`s and `.part`s |
//! | `.part` | the name of the part | as of `set` | the value | |
//! | `action` | its name | ints (a bool is 0 or 1), floats, texts, [`Variable`] | | |
//! | `set` | the variable's name | [`Variable`], and [`ast::How`] as an int | the value | |
//! | `wait` | none, or `ticks` | the duration (int, or [`Expression`]) | | |
//! | `success`, `failure`, `running` | | | | |
//! | `invert` | | | | one |
//! | `force`, `until` | `success`, `failure` | | | one |
//! | `repeat`, `retry` | | none, or the count (int, or [`Expression`]) | | one |
//! | `cooldown`, `timeout` | | the duration, as of `wait` | | one |
//! | `delay` | none, or `ticks` | the duration, as of `wait` | | one |
//! | `limit` | | the count (int) | | one |
//! | `raise` | the event's name | its index in [`ast::File::events`], and its receivers | | |
//!
//! The last child of a `match` is for all other values. The receivers of `raise` are 0 for the
//! agent itself, 1 for its group, 2 for all agents.
//!
//! A `set` of an agent's own variable has the new value, whatever the operator was, and
//! [`ast::How`] is `Assign`. A `set` of a shared variable has the operand; that of `-=` has its
//! sign changed, to be added. The value is a boolean for a bool, and otherwise a number of the
//! variable's type. Narrow variables take the nearest value that they can hold.
//!
//! [`Expression`]: ast::Value::Expression
//! [`Variable`]: ast::Value::Variable
//!
//! Trees that can be started are in [`ast::File::entries`]. An event is a tree of role
//! [`ast::Role::Handler`]: a `sequence` of `set`s.

mod check;
mod declared;
mod host;
pub(crate) mod lexer;
mod names;
pub(crate) mod parsed;
mod parser;
mod syntax;
mod value;
mod vocabulary;
pub(crate) mod words;

use super::Dialect;
use crate::ast;
use crate::lower::Vocabulary;
use crate::manifest::Declarations;
use crate::session::Session;
use bumpalo::Bump;
use bumpalo::collections::{CollectIn, Vec as ArenaVec};
use parser::Parser;

/// The dialect.
pub struct Pleach;

impl Dialect for Pleach {
    fn name(&self) -> &'static str {
        "pleach"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pleach"]
    }

    fn files_hold_trees(&self) -> bool {
        true
    }

    fn parse(&self, session: &mut Session<'_>, entries: &[String]) -> ast::File {
        session.in_arena(|session, arena| read(session, entries, arena))
    }

    fn declarations(&self, session: &mut Session<'_>, entries: &[String]) -> Declarations {
        declared::declared(session, entries)
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &vocabulary::VOCABULARY
    }
}

/// Reads the files of the entries and all files that they include. The arena holds the data that is
/// needed until the common tree is made.
fn read(session: &mut Session<'_>, entries: &[String], arena: &Bump) -> ast::File {
    let mut parser = Parser::new(session, arena);
    let read = entries.iter().filter_map(|entry| parser.entry(entry));
    let mut sources: ArenaVec<'_, _> = read.collect_in(arena);
    sources.dedup();
    let Parser { session, program, names, .. } = parser;
    check::check(session, program, names, &sources)
}
