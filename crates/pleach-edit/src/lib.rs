//! Tools for the text of trees in the language `pleach`: the formatter, an index of names, and
//! edits. The text of tests of trees and of substitutes is read here, too.
//!
//! Everything here works on text and gives text or changes of text. A program that compiles and
//! runs trees needs none of it.

mod change;
mod document;
mod edit;
mod form;
mod format;
mod paths;
mod project;
pub mod scenario;
pub mod substitutes;
mod tokens;
pub mod words;

pub use change::{Change, Replacement, replaced};
pub use document::{
    Access, Call, Context, Declared, Document, Item, ItemKind, Local, Mention, Node, Owner, PlaceKind, Range,
    Shape, Site, Space,
};
pub use edit::arguments::places;
pub use edit::rename::check_name;
pub use edit::{DeclareKind, Edit, Refusal};
pub use format::{changes, format, upgrade};
pub use paths::{extension_of, folder_of};
pub use pleach_compile::internals::language::{Keyword, Lexeme, Op, OpKind};
pub use project::{
    Declaration, DeclarationKind, FileKind, MAX_BYTES, Parameter, Project, ProjectFile, Reference, Symbol,
    Type,
};
pub use tokens::Token;
