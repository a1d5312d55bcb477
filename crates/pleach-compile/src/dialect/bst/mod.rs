//! Behavior selection trees: the language by which CryEngine 3.4 and Lumberyard's
//! legacy AI choose a behavior.
//!
//! A tree never acts. It selects one of its leaves, by priority and by conditions over booleans
//! that signals and the host write. The leaf names the behavior that an agent gets. The whole
//! language is specified in `spec/dialects/bst.md`.
//!
//! ```text
//! <SelectionTree name="Grunt" type="BehaviorSelectionTree">
//!   <Variables> <Ref name="CommonVariables"/> </Variables>
//!   <LeafTranslations> <Map node="Idle" target="GruntIdle"/> </LeafTranslations>
//!   <Priority name="Root">
//!     <Leaf name="Attack" condition="AwareOfEnemy"/>
//!     <Leaf name="Idle"/>
//!   </Priority>
//! </SelectionTree>
//! ```
//!
//! The files of a folder belong together. `folder` reads all of them, and finds blocks and trees
//! (`found`). `there` leaves out the trees that the engine leaves out (`forgive`). All further
//! modules are about one tree, and share a `reader`: `tree` reads its sections and signals,
//! `nodes` its nodes, and `list` any list, with references replaced by the content of blocks.
//! `translations` has the behaviors of leaves.
//!
//! A mistake that the engine forgives is an error here. In a lenient session it is a warning, and
//! the tree is read as the engine reads it.
//!
//! | keyword | subject | arguments | condition | children |
//! |---|---|---|---|---|
//! | `.selection` | | | whether it may select | one |
//! | `Priority` | its name | | | any |
//! | `condition` | its text | | a truth | one |
//! | `StateMachine` | its name | for each transition: from, to (ints), its condition | | `State`s |
//! | `State` | its name | | | one |
//! | `Leaf` | the behavior | | | |
//! | `.all` | | | | `.set`s |
//! | `.set` | | the variable, 0 | what is written | |

mod folder;
mod found;
mod list;
mod nodes;
mod reader;
mod there;
mod translations;
mod tree;
mod vocabulary;

use super::cry::attributes::{attribute, only, required};
use super::cry::{Refused, expect, is, refused};
use super::xml::{Attribute, Element};
use super::{Dialect, EachTree};
use crate::ast::{ExprIndex, NodeIndex, Role, Value};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lower::Vocabulary;
use crate::session::Session;
use crate::source::Span;
use crate::{ast, codes};
use found::{Blocks, Candidate};
use list::List;
use reader::{Named, Reader};

/// The variable by which a host keeps an agent from selecting, a number: anything but 0 does.
pub const BLOCKED: &str = "evaluation blocked";

/// The dialect.
pub struct Bst;

impl Dialect for Bst {
    fn name(&self) -> &'static str {
        "bst"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xml"]
    }

    fn root_elements(&self) -> &'static [&'static str] {
        &["SelectionTree", "SelectionTrees", "Blocks"]
    }

    fn reads_folders(&self) -> bool {
        true
    }

    fn manifest(&self) -> &'static str {
        include_str!("bst.manifest")
    }

    fn parse(&self, session: &mut Session<'_>, entries: &[String]) -> ast::File {
        folder::parse(session, entries)
    }

    fn parse_all(&self, session: &mut Session<'_>, each: EachTree<'_>) {
        folder::parse_all(session, each);
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &vocabulary::VOCABULARY
    }
}

/// Reports that two trees have the same name.
fn twice(session: &mut Session<'_>, kept: Candidate<'_>, other: Candidate<'_>) {
    let message = format!("there are two trees `{}`", other.name);
    let span = Some(other.element.name_span());
    let finding = Diagnostic::new(codes::DECLARED_TWICE, span, message);
    let finding = finding.help("names of trees are the same in any case");
    forgive(session, finding.related(kept.element.name_span(), "the other"), "the other one counts");
}

/// Reports an error that the engine forgives. If the session is lenient, it is a warning that names
/// the consequence `then`.
fn forgive(session: &mut Session<'_>, finding: Diagnostic, then: &str) {
    session.diagnostics.push(if session.lenient {
        let message = format!("{}; {then}", finding.message);
        Diagnostic { code: codes::FORGIVEN, severity: Severity::Warning, message, ..finding }
    } else {
        finding
    });
}
