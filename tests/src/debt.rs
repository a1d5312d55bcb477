//! Drag\[en\]gine trees: converts files in memory to a module.

use pleach_compile::diagnostic::Severity;
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::dialects::Dragengine;
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use pleach_compile::source::{Found, Library};
use std::collections::BTreeMap;

/// Name of the tree that is compiled.
pub const MAIN: &str = "main";

/// Compiles a text to a module, with further files by path (beginning with `/`). Fails with the
/// first error.
pub fn module(source: &str, files: &BTreeMap<String, String>) -> Result<Module, String> {
    let dialect: &dyn Dialect = &Dragengine;
    let (shelf, manifest) = (Shelf { source, files }, dialect.own_manifest());
    let mut session = Session::new(&shelf, &manifest);
    pleach_compile::internals::module(&mut session, dialect, &[MAIN.to_owned()]).ok_or_else(|| {
        let mut errors = session.diagnostics.list().iter().filter(|it| it.severity == Severity::Error);
        let told = errors.next().map(|error| format!("{}: {}", error.code.id, error.message));
        told.unwrap_or_else(|| "no module and no error".to_owned())
    })
}

/// Text and further files.
struct Shelf<'a> {
    source: &'a str,
    files: &'a BTreeMap<String, String>,
}

impl Library for Shelf<'_> {
    fn tree(&self, name: &str) -> Option<Found> {
        (name == MAIN).then(|| Found { name: "/main.debt".to_owned(), text: bytes(self.source).into() })
    }

    fn include(&self, path: &str) -> Option<Found> {
        let path = format!("/{path}");
        if path == "/main.debt" {
            return self.tree(MAIN);
        }
        let text = bytes(self.files.get(&path)?);
        Some(Found { name: path, text: text.into() })
    }
}

/// Encodes a text in the encoding that it declares, if possible.
fn bytes(text: &str) -> Vec<u8> {
    let declared =
        text.split_once("?>").is_some_and(|(line, _)| line.to_ascii_uppercase().contains("ISO-8859-1"));
    let latin: Option<Vec<_>> = text.chars().map(|it| u8::try_from(u32::from(it)).ok()).collect();
    latin.filter(|_| declared).unwrap_or_else(|| text.as_bytes().to_vec())
}
