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
//! use pleach_lint::{lint, settings::Settings};
//!
//! let text = "action go() tree main { selector { parallel { wait 1 s success } action go } }";
//! let texts = Texts::of("main", "pleach", text);
//! let (dialect, manifest) = (dialect::by_name("pleach").unwrap(), Manifest::default());
//! let entries = ["main".into()];
//! let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
//! let linted = lint(&texts, request, &Settings::default(), false);
//! let codes: Vec<_> = linted.done.diagnostics.list().iter().map(|it| it.code.id).collect();
//! assert_eq!(codes, ["L001"]);
//! ```

mod allow;
pub mod analysis;
mod context;
pub mod describe;
pub mod diff;
pub mod rule;
mod rules;
pub mod settings;
mod tokens;

use allow::Allow;
use context::{Context, Found};
use hashbrown::{HashMap, HashSet};
use pleach_compile::diagnostic::{Diagnostic, Diagnostics, Severity};
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use pleach_compile::internals::{self};
use pleach_compile::source::{Library, SourceId, Sources, Span};
use pleach_compile::{Compilation, Request};
use rule::{Level, Rule};
use settings::Settings;
use tokens::Tokens;

/// Findings about a program.
#[derive(Debug)]
pub struct Linted {
    /// Findings of the rules; the errors and warnings of the compiler if there are errors. There is
    /// no image.
    pub done: Compilation,
    /// Findings that other programs can contradict: a name may be used there, or a comment needed.
    /// Each is about a declaration or comment of one file.
    pub pending: Vec<Diagnostic>,
}

/// Applies the rules to a program. `lenient` accepts mistakes that the dialect's own engine
/// ignores. If the program has errors, no rule is applied.
#[must_use]
pub fn lint(library: &dyn Library, request: Request<'_>, settings: &Settings, lenient: bool) -> Linted {
    let mut session = Session::new(library, request.manifest);
    session.lenient = lenient;
    let mut outcome =
        Outcome { settings, findings: Diagnostics::default(), pending: Vec::new(), used: HashSet::new() };
    if request.entries.is_empty() {
        lint_folder(&mut session, request.dialect, &mut outcome);
    } else if let Some(module) = internals::module(&mut session, request.dialect, request.entries) {
        outcome.module(request.dialect, &module, &session.sources, session.diagnostics.list());
    }
    outcome.comments(&session.sources);
    let Session { sources, diagnostics, .. } = session;
    let diagnostics = if diagnostics.errors() > 0 { diagnostics } else { outcome.findings };
    Linted { done: Compilation { image: None, sources, diagnostics }, pending: outcome.pending }
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
    findings: Diagnostics,
    pending: Vec<Diagnostic>,
    /// Comments that allowed a finding, by file and line.
    used: HashSet<(SourceId, u32)>,
}

/// Rules about declarations, which other programs can contradict.
const PENDING: &[&Rule] = &[
    &rule::UNREAD,
    &rule::UNWRITTEN,
    &rule::UNREAD_LOCAL,
    &rule::UNUSED_CONSTANT,
    &rule::UNUSED_ACTION,
    &rule::UNUSED_QUERY,
    &rule::UNUSED_ENUM,
    &rule::UNUSED_MEMBER,
    &rule::UNRAISED,
    &rule::IDLE_ALLOW,
];

impl Outcome<'_> {
    /// Applies the rules to a module.
    fn module(&mut self, dialect: &dyn Dialect, module: &Module, sources: &Sources, told: &[Diagnostic]) {
        let mut tokens = HashMap::new();
        if dialect.name() == "pleach" {
            let files = (0..).map(SourceId).zip(sources.files());
            tokens.extend(files.filter_map(|(id, file)| Some((id, Tokens::read(&file.text)?))));
        }
        let context = Context::new(module, tokens, told);
        let is_on = |rule: &Rule| self.settings.level(rule) != Level::Off;
        let found = rules::apply(&context, &is_on);
        let mut comments: HashMap<SourceId, HashMap<u32, Allow>> = HashMap::new();
        for (rule, found) in found {
            let allowed = found.span.and_then(|span| {
                let line = sources.place(span).line;
                let comments = comments.entry(span.source).or_insert_with(|| {
                    let list = allow::comments(span.source, sources.get(span.source));
                    list.into_iter().map(|comment| (comment.line, comment)).collect()
                });
                let at = |line: u32| comments.get(&line).filter(|comment| comment.allows(rule.code.id));
                at(line).or_else(|| at(line.saturating_sub(1))).map(|comment| (span.source, comment.line))
            });
            match allowed {
                Some(comment) => _ = self.used.insert(comment),
                None => self.add(rule, found),
            }
        }
    }

    /// Adds findings about comments that allow findings.
    fn comments(&mut self, sources: &Sources) {
        for (id, source) in (0..).map(SourceId).zip(sources.files()) {
            for comment in allow::comments(id, source) {
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

    fn add_if_on(&mut self, rule: &'static Rule, found: Found) {
        if self.settings.level(rule) != Level::Off {
            self.add(rule, found);
        }
    }

    fn add(&mut self, rule: &'static Rule, found: Found) {
        let Found { span, message, help, related, edits } = found;
        let mut finding = Diagnostic::new(rule.code, span, message).help(help);
        finding.severity = match self.settings.level(rule) {
            Level::Error => Severity::Error,
            _ => Severity::Warning,
        };
        for (span, message) in related {
            finding = finding.related(span, message);
        }
        finding.edits = edits;
        if PENDING.contains(&rule) {
            self.pending.push(finding);
        } else {
            self.findings.push(finding);
        }
    }
}

/// A finding among those of several programs: path of its file, code, and first byte.
type Key<'a> = (&'a str, &'static str, u32);

/// Returns the findings that no program contradicts: those of `pending` that each program has which
/// reads the file. `path` returns the path of a file of a program, by the program's index and the
/// file's name. A finding is told once, by the first program, if the path is among `named`.
#[must_use]
pub fn agreed(
    programs: &[Linted],
    path: &dyn Fn(usize, &str) -> String,
    named: &dyn Fn(&str) -> bool,
) -> Vec<(usize, Diagnostic)> {
    let paths = |index: usize| {
        let files = programs[index].done.sources.files().iter();
        files.map(move |file| path(index, &file.name)).collect::<Vec<_>>()
    };
    let paths: Vec<_> = (0..programs.len()).map(paths).collect();
    let mut told: HashMap<Key<'_>, Vec<(usize, &Diagnostic)>> = HashMap::new();
    let mut order = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        for finding in &program.pending {
            let Some(Span { source, start, .. }) = finding.span else { continue };
            let key = (paths[index][source.0 as usize].as_str(), finding.code.id, start);
            let same = told.entry(key).or_default();
            if same.is_empty() {
                order.push(key);
            }
            same.push((index, finding));
        }
    }
    let readers = |path: &str| paths.iter().filter(|paths| paths.iter().any(|it| it == path)).count();
    let all = |key: &Key<'_>| {
        let same = &told[key];
        let (index, finding) = *same.first()?;
        (named(key.0) && same.len() == readers(key.0)).then(|| (index, finding.clone()))
    };
    order.iter().filter_map(all).collect()
}
