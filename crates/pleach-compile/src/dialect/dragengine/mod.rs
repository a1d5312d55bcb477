//! Drag\[en\]gine `.debt`: the behavior trees of a game engine, in XML.
//!
//! Here an agent is *at* a rule. A step runs that rule. When it succeeds or fails, its parents
//! decide which rule is next, until a rule runs on or the root has ended. Hosts can send an agent
//! to any rule by its id, and can save its place. Actions and conditions have free names, and the
//! dialect defines what happens if the host lacks one, so no manifest comes with the dialect. The
//! whole dialect is specified in `spec/dialects/dragengine.md`.
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
//! `prolog` and `lexical` check the text for peculiarities of the engine's reader. `read` makes a
//! `draft` of each file, with `text` for the texts of elements and `words` for the known elements.
//! `expand` joins the drafts to trees. The `vocabulary` has the meaning of the nodes.

mod draft;
mod expand;
mod lexical;
mod number;
mod prolog;
mod read;
mod text;
mod vocabulary;
mod words;

use super::xml::{Markup, Text};
use super::{Dialect, path};
use crate::diagnostic::Diagnostic;
use crate::lower::Vocabulary;
use crate::session::Session;
use crate::source::{Found, OriginId, Span};
use crate::text::Sym;
use crate::{ast, codes};
use draft::{Draft, Mode, Parameter, Rule};
use text::unquoted;
use words::{ROOT, Tag, Word};

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
