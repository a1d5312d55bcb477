//! Analyses of behavior trees, and rules about trees that compile but do not do what their authors
//! mean.
//!
//! [`analysis`] finds out what holds in every run of a program, whatever the game answers: the
//! statuses that each node can return, conditions that are always true, nodes that never begin.
//! [`lint`] applies the rules of [`rule`] to a program. A rule that is on by default is never
//! wrong: it says only what the analyses prove, or what stands in the text.
//!
//! ```
//! use pleach_compile::{Request, dialect, manifest::Manifest, texts::Texts};
//! use pleach_lint::{agreed, lint, settings::Settings};
//!
//! let text = "action go() tree main { selector { parallel { wait 1 s success } action go } }";
//! let texts = Texts::of("main", "pleach", text);
//! let (dialect, manifest) = (dialect::by_name("pleach").unwrap(), Manifest::default());
//! let entries = ["main".into()];
//! let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
//! let linted = lint(&texts, request, &Settings::default(), false);
//! let findings = agreed(&[linted], &|_, name| name.to_owned(), &|_| true);
//! let codes: Vec<_> = findings.iter().map(|(_, finding)| finding.code.id).collect();
//! assert_eq!(codes, ["L001"]);
//! ```

mod agree;
mod allow;
pub mod analysis;
mod context;
pub mod describe;
pub mod diff;
mod mend;
pub mod rule;
mod rules;
pub mod settings;
mod text;

pub use agree::agreed;
pub use mend::mended;

use agree::{Pending, Seen};
use allow::Allow;
use context::{Context, Found};
use hashbrown::{HashMap, HashSet};
use pleach_compile::diagnostic::{Diagnostic, Severity};
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use pleach_compile::internals::{self};
use pleach_compile::source::{Library, SourceId, Sources};
use pleach_compile::{Compilation, Request};
use rule::{Level, Rule};
use settings::Settings;
use std::rc::Rc;
use text::Text;

/// Findings about a program.
#[derive(Debug)]
pub struct Linted {
    /// Findings of the compiler, with which no rule is applied if there are errors. There is no
    /// image.
    pub done: Compilation,
    /// Findings of the rules, for [`agreed`].
    pending: Vec<Pending>,
    /// Nodes and variables of each module of the program.
    seen: Vec<Seen>,
}

/// Applies the rules to a program. `lenient` accepts mistakes that the dialect's own engine
/// ignores. If the program has errors, there are no findings of rules. [`agreed`] returns the
/// findings.
#[must_use]
pub fn lint(library: &dyn Library, request: Request<'_>, settings: &Settings, lenient: bool) -> Linted {
    let mut session = Session::new(library, request.manifest);
    session.lenient = lenient;
    let (pending, seen, allows, used) = Default::default();
    let mut outcome = Outcome { settings, pending, seen, allows, used };
    if request.entries.is_empty() {
        lint_folder(&mut session, request.dialect, &mut outcome);
    } else if let Some(module) = internals::module(&mut session, request.dialect, request.entries) {
        outcome.module(request.dialect, &module, &session.sources, session.diagnostics.list());
    }
    let Session { sources, diagnostics, .. } = session;
    if diagnostics.errors() == 0 {
        outcome.comments(&sources);
    } else {
        outcome.pending.clear();
    }
    let Outcome { pending, seen, .. } = outcome;
    Linted { done: Compilation { image: None, sources, diagnostics }, pending, seen }
}

/// Returns for each file the first file with the same name.
fn firsts(sources: &Sources) -> Vec<SourceId> {
    let mut known = HashMap::new();
    let files = (0..).map(SourceId).zip(sources.files());
    files.map(|(id, file)| *known.entry(file.name.as_str()).or_insert(id)).collect()
}

/// Applies the rules to all trees of a folder, each of which is a program.
fn lint_folder(session: &mut Session<'_>, dialect: &'static dyn Dialect, outcome: &mut Outcome<'_>) {
    dialect.parse_all(session, &mut |session, file, name| {
        if session.diagnostics.errors() > 0 {
            return;
        }
        let entries = [name.to_owned()];
        let module = internals::lower::lower(session, &file, dialect.vocabulary(), &entries);
        if session.diagnostics.errors() == 0 {
            outcome.module(dialect, &module, &session.sources, session.diagnostics.list());
        }
        session.names = module.names;
    });
}

/// Findings while they are collected.
struct Outcome<'s> {
    settings: &'s Settings,
    pending: Vec<Pending>,
    seen: Vec<Seen>,
    /// Comments that allow findings, by file, in their order.
    allows: HashMap<SourceId, Rc<[Allow]>>,
    /// Comments that allowed a finding, by file and line.
    used: HashSet<(SourceId, u32)>,
}

impl Outcome<'_> {
    /// Applies the rules to a module.
    fn module(&mut self, dialect: &dyn Dialect, module: &Module, sources: &Sources, told: &[Diagnostic]) {
        let mut texts = HashMap::new();
        if dialect.name() == "pleach" {
            let files = (0..).map(SourceId).zip(sources.files());
            texts.extend(files.filter_map(|(id, file)| Some((id, Text::read(file)?))));
        }
        let context = Context::new(module, texts, firsts(sources), told);
        let is_on = |rule: &Rule| self.settings.level(rule) != Level::Off;
        let rules::Applied { found, seen } = rules::apply(&context, &is_on);
        self.seen.push(seen);
        for (rule, found) in found {
            let allowed = found.span.and_then(|span| {
                let line = sources.place(span).line;
                let comments = self.allows(span.source, sources);
                let at = |line| {
                    let first = comments.partition_point(|it| it.line < line);
                    let mut here = comments[first..].iter().take_while(|it| it.line == line);
                    here.any(|it| it.allows(rule.code.id)).then_some(line)
                };
                let line = at(line).or_else(|| at(line.saturating_sub(1)))?;
                Some((context.place(span).source, line))
            });
            match allowed {
                Some(comment) => _ = self.used.insert(comment),
                None => self.add(rule, found),
            }
        }
    }

    /// Adds findings about comments that allow findings.
    fn comments(&mut self, sources: &Sources) {
        let files = (0..).map(SourceId).zip(firsts(sources));
        // The comments of a text that is included twice are told once.
        for (id, _) in files.filter(|(id, first)| id == first) {
            for comment in self.allows(id, sources).iter() {
                let help = "write `pleach: allow L001 REASON` on the line of the finding or before it";
                if !comment.has_reason {
                    let message = "this comment allows a finding, but gives no reason";
                    self.add_if_on(
                        &rule::ALLOW_WITHOUT_REASON,
                        Found::new(Some(comment.span), message, help),
                    );
                }
                if !self.used.contains(&(id, comment.line)) {
                    let message = "this comment allows a finding that is not there";
                    let help = "take it away; only rules that are on have findings";
                    self.add_if_on(&rule::IDLE_ALLOW, Found::new(Some(comment.span), message, help));
                }
            }
        }
    }

    /// Returns the comments of a file that allow findings.
    fn allows(&mut self, id: SourceId, sources: &Sources) -> Rc<[Allow]> {
        let comments = self.allows.entry(id);
        comments.or_insert_with(|| allow::allows(id, sources).into()).clone()
    }

    fn add_if_on(&mut self, rule: &'static Rule, found: Found) {
        if self.settings.level(rule) != Level::Off {
            self.add(rule, found);
        }
    }

    fn add(&mut self, rule: &'static Rule, found: Found) {
        let Found { subject, span, message, help, related, edits } = found;
        let mut diagnostic = Diagnostic::new(rule.code, span, message).help(help);
        diagnostic.severity = match self.settings.level(rule) {
            Level::Error => Severity::Error,
            _ => Severity::Warning,
        };
        for (span, message) in related {
            diagnostic = diagnostic.related(span, message);
        }
        diagnostic.edits = edits;
        self.pending.push(Pending { subject, diagnostic });
    }
}
