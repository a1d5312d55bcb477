//! Languages that trees can be written in.
//!
//! [`DIALECTS`] lists them; [`by_name`], [`by_extension`], [`by_root_element`] and [`of_file`]
//! find one.
//!
//! Inside the compiler, a dialect is a front end that reads its text into the common
//! `ast::File`, and a `Vocabulary`, a table from its node words to IR. No later stage knows the
//! dialect of a tree: if two dialects disagree about the meaning of "sequence", the difference
//! is a row of a table, never a branch.

use crate::ast;
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::lower::Vocabulary;
use crate::manifest::{Declarations, Manifest, Manifests, Starter};
use crate::session::Session;
use crate::source::Found;
use pleach_image::{Image, ImageError, format};

/// Returns the file of a tree that is asked for. If there is none, reports that.
fn entry(session: &mut Session<'_>, entry: &str) -> Option<Found> {
    let found = session.library.tree(entry);
    if found.is_none() {
        let message = format!("there is no file for the tree `{entry}`");
        session.diagnostics.push(Diagnostic::new(codes::TREE_NOT_FOUND, None, message));
    }
    found
}

/// Declares the enum `Keyword` of a language and its visibility, with the spellings of its words.
macro_rules! keywords {
    ($vis:vis, $($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// A word that the grammar knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum Keyword { $($(#[$doc])* #[doc = concat!("`", $text, "`")] $name),* }

        impl Keyword {
            /// All of them, in the order of their numbers.
            $vis const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the canonical spelling.
            #[inline]
            $vis fn text(self) -> &'static str {
                const TEXTS: &[&str] = &[$($text),*];
                TEXTS[self as usize]
            }
        }
    };
}

pub(crate) mod bst;
pub(crate) mod btcpp;
pub(crate) mod btengine;
mod cry;
pub(crate) mod dragengine;
pub(crate) mod mbt;
mod number;
mod path;
pub(crate) mod pleach;
pub(crate) mod unvanquished;
mod xml;

/// All dialects the compiler knows. Of two with an extension, files that
/// tell no more are of the first.
pub const DIALECTS: &[&dyn Dialect] = &[
    &btcpp::BtCpp,
    &btengine::BtEngine,
    &dragengine::Dragengine,
    &mbt::Mbt,
    &bst::Bst,
    &pleach::Pleach,
    &unvanquished::Unvanquished,
];

/// Function that takes the trees of [`Dialect::parse_all`], with their names.
#[doc(hidden)]
pub type EachTree<'f> = &'f mut dyn FnMut(&mut Session<'_>, ast::File, &str);

/// A language that behavior trees are written in.
pub trait Dialect: Sync {
    /// Its name on the command line and in images.
    fn name(&self) -> &'static str;
    /// File extensions without the dot.
    fn extensions(&self) -> &'static [&'static str];
    /// Returns the names of root elements, for dialects that are XML; empty otherwise.
    fn root_elements(&self) -> &'static [&'static str] {
        &[]
    }
    /// Returns true if a file may hold several trees, each with a name. Otherwise a file is one
    /// tree with the name of the file.
    fn files_hold_trees(&self) -> bool {
        false
    }
    /// Returns true if the files of a folder belong together, and are all read to make a program of
    /// one tree.
    fn reads_folders(&self) -> bool {
        false
    }
    /// Returns the manifest that applies when the caller brings none, as text.
    fn manifest(&self) -> &'static str {
        ""
    }
    /// Reads the named trees, or the files of that name if files hold trees, and all that they
    /// include. Whatever is wrong goes into the session's diagnostics; the file then holds what
    /// could be read, and no program is made of it.
    #[doc(hidden)]
    fn parse(&self, session: &mut Session<'_>, entries: &[String]) -> ast::File;
    /// Returns the declarations in the files of the entries, for dialects
    /// whose files have declarations.
    #[doc(hidden)]
    fn declarations(&self, _session: &mut Session<'_>, _entries: &[String]) -> Declarations {
        Declarations::default()
    }
    /// Reads all trees of the library's files, for dialects that read folders. Hands over each tree
    /// as a file of its own, with its name. Of two trees with one name, only the one that counts is
    /// handed over.
    #[doc(hidden)]
    fn parse_all(&self, _session: &mut Session<'_>, _each: EachTree<'_>) {}
    /// Returns the meaning of the dialect's node words.
    #[doc(hidden)]
    fn vocabulary(&self) -> &'static Vocabulary;
}

impl dyn Dialect {
    /// Returns the manifest that applies when the caller brings none. A test of each dialect makes
    /// sure that it has no problems.
    #[must_use]
    pub fn own_manifest(&self) -> Manifest {
        Manifest::parse(self.manifest()).0
    }
}

impl Manifests {
    /// Begins with the declarations that come with a dialect.
    #[must_use]
    pub fn of(dialect: &dyn Dialect) -> Self {
        let mut manifests = Self::new();
        manifests.add(&format!("{}.manifest of the dialect", dialect.name()), dialect.manifest());
        manifests
    }
}

impl core::fmt::Debug for dyn Dialect {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str(self.name())
    }
}

/// Returns the dialect with this name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Dialect> {
    DIALECTS.iter().copied().find(|dialect| dialect.name() == name)
}

/// Returns the dialect of files with this extension (without the dot, any case).
#[must_use]
pub fn by_extension(extension: &str) -> Option<&'static dyn Dialect> {
    let matches = |known: &&str| known.eq_ignore_ascii_case(extension);
    DIALECTS.iter().copied().find(|dialect| dialect.extensions().iter().any(matches))
}

/// Returns the dialect of a text that is XML, by the name of its outermost element.
///
/// ```
/// # use pleach_compile::dialect::by_root_element;
/// let dialect = by_root_element(b"<?xml version='1.0'?><!-- a guard --><BehaviorTreeRoot/>");
/// assert_eq!(dialect.map(|it| it.name()), Some("btengine"));
/// assert!(by_root_element(b"selector { condition a < BehaviorTreeRoot }").is_none());
/// ```
#[must_use]
pub fn by_root_element(text: &[u8]) -> Option<&'static dyn Dialect> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    let text = text.starts_with(b"<").then(|| String::from_utf8_lossy(text))?;
    let (_, root) = xml::first_element(&text, true)?;
    DIALECTS.iter().copied().find(|dialect| dialect.root_elements().contains(&root))
}

/// Returns a manifest with the nodes of which a file of BehaviorTree.CPP has models
/// (`TreeNodesModel`); none if the file is no such file.
///
/// ```
/// # use pleach_compile::dialect::manifest_of_models;
/// let models = br#"<root><TreeNodesModel><Action ID="Walk">
///     <input_port name="speed" type="double" default="1.5"/>
/// </Action></TreeNodesModel></root>"#;
/// let manifest = manifest_of_models(models).unwrap();
/// assert_eq!(manifest, "action Walk(speed_given: bool, speed: double = 1.5)\n");
/// assert_eq!(manifest_of_models(b"action Walk(speed: double)"), None);
/// ```
#[must_use]
pub fn manifest_of_models(text: &[u8]) -> Option<String> {
    by_root_element(text).filter(|dialect| dialect.name() == btcpp::BtCpp.name())?;
    btcpp::manifest_of_models(text)
}

/// Returns the manifest that the bytes of a file stand for: their text, or what
/// [`manifest_of_models`] returns for a file of models, or what
/// [`Starter::read_image`](crate::manifest::Starter::read_image) finds in an image. `name` is what
/// comments call the image.
///
/// # Errors
/// If the file is an image that the verifier refuses.
///
/// ```
/// # use pleach_compile::dialect::manifest_of_file;
/// assert_eq!(manifest_of_file("game.manifest", b"action walk()").unwrap(), "action walk()");
/// assert!(manifest_of_file("game.plc", b"\x89PLC damaged").is_err());
/// ```
pub fn manifest_of_file(name: &str, bytes: &[u8]) -> Result<String, ImageError> {
    if format::is_image(bytes) {
        let mut starter = Starter::default();
        starter.read_image(name, &Image::copy(bytes)?, &Manifest::default());
        return Ok(starter.to_string());
    }
    Ok(manifest_of_models(bytes).unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned()))
}

/// Returns a file of BehaviorTree.CPP with models (`TreeNodesModel`) of the actions of a manifest,
/// and of its queries that answer a truth, which are conditions there.
///
/// ```
/// # use pleach_compile::dialect::{manifest_of_models, models_of_manifest};
/// # use pleach_compile::manifest::Manifest;
/// let (manifest, _) = Manifest::parse("action Walk(speed: double = 1.5)");
/// let models = models_of_manifest(&manifest);
/// assert!(models.contains(r#"<input_port name="speed" type="double" default="1.5"/>"#));
/// let again = manifest_of_models(models.as_bytes()).unwrap();
/// assert_eq!(again, "action Walk(speed_given: bool, speed: double = 1.5)\n");
/// ```
#[must_use]
pub fn models_of_manifest(manifest: &Manifest) -> String {
    btcpp::export::models::file(manifest)
}

/// Returns the dialect of a file: by its outermost element if it is XML, else by its extension.
/// Several dialects share the extension of XML, so that of a file with another element is unknown.
///
/// ```
/// # use pleach_compile::dialect::of_file;
/// assert_eq!(of_file("bt", b"selector { }").map(|it| it.name()), Some("unvanquished"));
/// assert!(of_file("xml", b"<project/>").is_none());
/// ```
#[must_use]
pub fn of_file(extension: &str, text: &[u8]) -> Option<&'static dyn Dialect> {
    let is_xml = extension.eq_ignore_ascii_case("xml");
    by_root_element(text).or_else(|| by_extension(extension).filter(|_| !is_xml))
}
