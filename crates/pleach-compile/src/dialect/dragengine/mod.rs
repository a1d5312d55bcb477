//! Drag\[en\]gine `.debt`: the behavior trees of a game engine, in XML.
//!
//! Here an agent is *at* a rule. A step runs that rule; when it succeeds or fails, its parents
//! decide which rule is next, until one goes on running or the root is done. Hosts can send an
//! agent to any rule by its id, and save where it is. Actions and conditions are known by free
//! names, and one that is not there has a meaning: no manifest comes with the dialect. The whole
//! dialect is specified in `spec/dialects/dragengine.md`.
//!
//! ```text
//! <behaviorTree>
//!     <choice id='root'>
//!         <action id='wander' name='wander'>
//!             <parameter name='chance'>0.25</parameter>
//!             <condition>playerNotNearby</condition>
//!         </action>
//!         <subtree id='idle'>idle.debt</subtree>
//!     </choice>
//! </behaviorTree>
//! ```
//!
//! The walk: `prolog` and `lexical` look at what is special about the engine's reader, `read` makes
//! a `draft` of each file, with `text` for what elements say and `words` for which there are, and
//! `expand` puts the drafts together into trees. The `vocabulary` says what the nodes mean.

mod draft;
mod expand;
mod lexical;
mod number;
mod path;
mod prolog;
mod read;
mod text;
mod vocabulary;
mod words;

use super::Dialect;
use crate::ast;
use crate::lower::Vocabulary;
use crate::session::Session;

/// The dialect.
pub struct Dragengine;

impl Dialect for Dragengine {
    fn name(&self) -> &'static str {
        "dragengine"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["debt"]
    }

    fn root_elements(&self) -> &'static [&'static str] {
        &[words::ROOT]
    }

    fn parse(&self, session: &mut Session<'_>, entries: &[String]) -> ast::File {
        expand::load(session, entries)
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &vocabulary::VOCABULARY
    }
}
