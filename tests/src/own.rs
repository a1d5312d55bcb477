//! Programs in pleach's own language: converts files in memory to a module.

use pleach_compile::diagnostic::{Diagnostic, Severity};
use pleach_compile::dialect::{self, Dialect};
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use pleach_compile::source::Sources;
use pleach_compile::texts::Texts;
use std::collections::BTreeMap;

/// File that is compiled.
pub const MAIN: &str = "main.pleach";

/// Compiles the file [`MAIN`] of a set of files to a module. Every tree without parameters is an
/// entry. Fails with the first error and its place.
pub fn module(files: &BTreeMap<String, String>) -> Result<Module, String> {
    with_sources(files).map(|(module, _)| module)
}

/// Compiles like [`module`], and also returns the sources that the places of the module refer to.
pub fn with_sources(files: &BTreeMap<String, String>) -> Result<(Module, Sources), String> {
    let dialect = dialect();
    let (library, manifest) = (library(files), dialect.own_manifest());
    let mut session = Session::new(&library, &manifest);
    match pleach_compile::internals::module(&mut session, dialect, &["main".to_owned()]) {
        Some(module) => Ok((module, session.sources)),
        None => Err(first_error(&session)),
    }
}

fn first_error(session: &Session<'_>) -> String {
    let mut errors = session.diagnostics.list().iter().filter(|it| it.severity == Severity::Error);
    errors.next().map_or_else(|| "no module and no error".to_owned(), |error| told(session, error))
}

fn told(session: &Session<'_>, error: &Diagnostic) -> String {
    let at = error.span.map_or_else(String::new, |span| {
        let place = session.sources.place(span);
        format!("{}:{}:{}: ", session.sources.get(span.source).name, place.line, place.column)
    });
    format!("{at}{}: {}", error.code.id, error.message)
}

/// Returns the language.
///
/// # Panics
/// If the compiler does not know the language.
#[must_use]
pub fn dialect() -> &'static dyn Dialect {
    dialect::by_name("pleach").expect("the compiler knows the language")
}

/// Returns a library of files by path.
pub fn library<'a>(files: impl IntoIterator<Item = (&'a String, &'a String)>) -> Texts {
    files.into_iter().fold(Texts::new("pleach"), |texts, (path, text)| texts.with(path, text))
}
