//! Modular behavior trees: the XML language of CryEngine's and Lumberyard's AI system.
//!
//! A tree has variables that events write to, timestamps of events, and nodes that remember where
//! they are: a node begins, is updated once a frame, and ends. Host nodes are declared in a
//! manifest, which comes with the dialect for the nodes of the engines. The whole language is
//! specified in `spec/dialects/mbt.md`.
//!
//! ```text
//! <BehaviorTree>
//!   <Variables> <Variable name="TargetVisible"/> </Variables>
//!   <SignalVariables>
//!     <Signal name="OnEnemySeen" variable="TargetVisible" value="true"/>
//!   </SignalVariables>
//!   <Root>
//!     <Priority>
//!       <Case condition="TargetVisible"> <Shoot at="Target" … /> </Case>
//!       <Case> <Animate name="LookAround"/> </Case>
//!     </Priority>
//!   </Root>
//! </BehaviorTree>
//! ```
//!
//! `document` finds the sections. `timestamps` and the modules that are shared with selection trees
//! read the declarations. `tree` reads the nodes with a stack of its own. `core`, `timing`,
//! `machine` and `host` translate one node each, and share a `reader`. `events` turns all
//! `listeners` into one handler for each event.
//!
//! # What nodes carry
//!
//! One node of the engine may be several nodes here. Helper nodes have a keyword that begins with a
//! dot, and are not shown to people.
//!
//! | keyword | subject | arguments | condition | children |
//! |---|---|---|---|---|
//! | `Sequence`, `Selector`, `.sequence`, `.any`, `.all` | | | | any |
//! | `Parallel` | | successes, failures that end it (ints) | | any |
//! | `Loop`, `LoopUntilSuccess` | | none, or the count (int) | | one |
//! | `Priority` | | a condition for each child ([`Expression`]) | | any |
//! | `StateMachine` | | [`Variable`] of the state that is to begin | | the states |
//! | `IfCondition`, `IfTime`, `RandomGate`, `.if` | | | a boolean | none or one |
//! | `AssertCondition`, `AssertTime` | | | a boolean | |
//! | `MonitorCondition`, `WaitUntilTime`, `.until` | | | a boolean | |
//! | `Wait`, `Timeout`, `WaitForEvent` | | status for failure, success and running (ints) | | one |
//! | `SuppressFailure` | | | | one |
//! | `SendEvent`, `.send` | | the event's index in [`ast::File::events`] | | |
//! | `SendTransitionEvent` | | | | `.send`, `.halt` |
//! | `Fail`, `Halt`, `Breakpoint`, `.halt` | | | | |
//! | `Log` | | the text | | |
//! | `.logged` | | texts when it begins, succeeds, fails (0 for none) | | one |
//! | `LimitConcurrentUsers` | | how many (int) | | one |
//! | `GroupScope` | | name in lower case, how many (int) | | one |
//! | `.act`, `.wrap` | name | the attributes in the order of the manifest | | none; one |
//! | `.set` | | the variable, 0 | the new value | |
//! | `.start` | | the variable | the duration | |
//! | `.stamp` | | the variable, 1 to set it to the time, 0 to clear it | | |
//! | `.within` | | a tree, and a node of it that must be active (ints) | | any |
//!
//! [`Expression`]: ast::Value::Expression
//! [`Variable`]: ast::Value::Variable

mod core;
mod document;
mod events;
mod host;
mod listeners;
mod machine;
mod reader;
mod timestamps;
mod timing;
mod tree;
mod vocabulary;

use super::cry::attributes::{attribute, filled, missing, only, required};
use super::cry::{Refused, attributes, is, refused};
use super::xml::{Attribute, Element};
use super::{Dialect, number};
use crate::ast::{Binary, Expr, ExprIndex, NodeIndex, Role, SlotKind, Tree, Value};
use crate::diagnostic::Diagnostic;
use crate::ir::{FAILURE, SUCCESS};
use crate::lower::Vocabulary;
use crate::session::Session;
use crate::source::Span;
use crate::text::Sym;
use crate::{ast, codes};
use listeners::{Machine, Transition, of_event};
use reader::{Children, Reader, Task};

/// The dialect.
pub struct Mbt;

impl Dialect for Mbt {
    fn name(&self) -> &'static str {
        "mbt"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xml"]
    }

    fn root_elements(&self) -> &'static [&'static str] {
        &["BehaviorTree"]
    }

    fn manifest(&self) -> &'static str {
        include_str!("mbt.manifest")
    }

    fn parse(&self, session: &mut Session<'_>, entries: &[String]) -> ast::File {
        document::parse(session, entries)
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &vocabulary::VOCABULARY
    }
}
