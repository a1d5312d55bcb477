//! Trees that are read without making a program: checks of folders, and starters.

use crate::diagnostic::{Diagnostics, MAX_DIAGNOSTICS};
use crate::manifest::Starter;
use crate::session::Session;
use crate::source::{Library, Span};
use crate::{Compilation, Compiler, Memory, Request, ast, emit, lower};
use hashbrown::HashSet;

impl Compiler {
    /// Checks all trees of a library's files, for dialects whose files belong together
    /// ([`Dialect::reads_folders`](crate::dialect::Dialect::reads_folders)). The request's
    /// entries make no difference. There is no image. An error in a block that several
    /// trees share is reported once.
    ///
    /// ```
    /// use pleach_compile::{Compiler, Request, dialect, manifest::Manifest, texts::Texts};
    ///
    /// let texts = Texts::new("xml")
    ///     .with("a.xml", "<SelectionTree name='A' type='x'><Leaf name='Idle'/></SelectionTree>")
    ///     .with("b.xml", "<SelectionTree name='B' type='x'><Leef name='Idle'/></SelectionTree>");
    /// let (dialect, manifest) = (dialect::by_name("bst").unwrap(), Manifest::default());
    /// let request = Request { dialect, manifest: &manifest, entries: &[], debug: false };
    /// let done = Compiler::default().check_folder(&texts, request);
    /// let told: Vec<_> = done.diagnostics.list().iter().map(|it| &*it.message).collect();
    /// assert_eq!(told, ["there is no node `Leef`"]);
    /// ```
    #[must_use]
    pub fn check_folder(&mut self, library: &dyn Library, request: Request<'_>) -> Compilation {
        let mut session = self.session(library, request.manifest);
        let memory = &mut self.memory;
        let mut told = Told::default();
        request.dialect.parse_all(&mut session, &mut |session, file, name| {
            finish(session, memory, request, file, name);
            told.take(&mut session.diagnostics);
        });
        told.take(&mut session.diagnostics);
        let (memory, sources, _) = session.end();
        self.memory.session = memory;
        Compilation { image: None, sources, diagnostics: told.all }
    }
}

impl Starter {
    /// Reads trees and notes the names that they use and that the request's manifest lacks.
    /// Reports all other findings; there is no image. Without entries, all trees of a folder are
    /// read, if the dialect reads folders.
    pub fn read(&mut self, library: &dyn Library, request: Request<'_>) -> Compilation {
        let mut session = Session::new(library, request.manifest);
        session.lenient = self.lenient;
        session.starter = Some(core::mem::take(self));
        if request.entries.is_empty() {
            request.dialect.parse_all(&mut session, &mut |session, file, _| session.keep_file(file));
        } else {
            let file = request.dialect.parse(&mut session, request.entries);
            session.keep_file(file);
        }
        *self = session.starter.take().unwrap_or_default();
        Compilation { image: None, sources: session.sources, diagnostics: session.diagnostics }
    }
}

/// Carries a tree as far as a build would.
fn finish(session: &mut Session<'_>, memory: &mut Memory, request: Request<'_>, file: ast::File, name: &str) {
    if session.diagnostics.errors() == 0 {
        let entries = [name.to_owned()];
        let module = lower::lower(&mut memory.lower, session, &file, request.dialect.vocabulary(), &entries);
        if session.diagnostics.errors() == 0
            && let Err(refused) = emit::emit(&mut memory.emit, &module, request.dialect.name(), None)
        {
            session.diagnostics.push(*refused);
        }
        session.names = memory.lower.keep(module);
    }
    session.keep_file(file);
}

/// Findings of several trees. Each is reported once, among the first [`MAX_DIAGNOSTICS`].
#[derive(Default)]
struct Told {
    all: Diagnostics,
    known: HashSet<(&'static str, Option<Span>, String)>,
}

impl Told {
    /// Takes the findings that are new.
    fn take(&mut self, findings: &mut Diagnostics) {
        for finding in core::mem::take(findings).list() {
            let key = (finding.code.id, finding.span, finding.message.clone());
            if self.known.contains(&key) {
                continue;
            }
            if self.known.len() < MAX_DIAGNOSTICS {
                self.known.insert(key);
            }
            self.all.push(finding.clone());
        }
    }
}
