//! Findings of the compiler and of the rules about trees, pushed after each change or pulled by the
//! client.

use super::scenarios;
use crate::answers::{Found, add, diagnostic};
use crate::other;
use crate::snapshot::Snapshot;
use crate::text::{path_of, uri_of};
use gen_lsp_types::{
    Diagnostic, DiagnosticSeverity, DocumentDiagnosticParams, FullDocumentDiagnosticReport,
    PublishDiagnosticsParams, RelatedFullDocumentDiagnosticReport,
};
use pleach_edit::{FileKind, folder_of};
use pleach_lint::settings::{self, Settings};
use pleach_lint::{Linted, agreed, lint};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Name of the dialect whose programs the project has.
const OWN: &str = "pleach";

/// Findings of one program.
#[derive(Default)]
struct Row {
    /// Number of changes after which the row was last asked for.
    asked: Option<u64>,
    /// Revisions of the texts that the findings are about.
    texts: Vec<u64>,
    settings: Settings,
    found: Found,
    /// Findings of rules. None if the program has errors.
    linted: Option<Linted>,
}

/// Findings of each program that was asked for.
#[derive(Default)]
pub(crate) struct FindingsCache {
    /// By entry. The program of a dialect that reads folders has the name of its folder, and that
    /// of the dialect.
    rows: HashMap<(String, &'static str), Row>,
}

impl FindingsCache {
    /// Returns the findings to be pushed after some files have changed: those of these files, and
    /// of all files that share a program with them.
    pub(crate) fn publish(
        &mut self,
        now: &Snapshot,
        changed: &BTreeSet<String>,
    ) -> Vec<PublishDiagnosticsParams> {
        let mut files: BTreeSet<String> = changed.clone();
        for name in changed {
            files.extend(now.project.scope(name).map(str::to_owned));
            files.extend(other::around(now, name).into_iter().map(str::to_owned));
        }
        let params = |name: String| PublishDiagnosticsParams {
            uri: uri_of(&name),
            version: now.versions.get(&name).copied(),
            diagnostics: self.of(now, &name),
        };
        let told = files.into_iter().map(params).collect();
        self.forget_gone(now);
        told
    }

    /// Returns the findings of a file that the client asks for.
    pub(crate) fn pull(
        &mut self,
        now: &Snapshot,
        params: &DocumentDiagnosticParams,
    ) -> RelatedFullDocumentDiagnosticReport {
        let items = path_of(&params.text_document.uri.0).map(|name| self.of(now, &name)).unwrap_or_default();
        self.forget_gone(now);
        let full_document_diagnostic_report = FullDocumentDiagnosticReport { items, ..Default::default() };
        RelatedFullDocumentDiagnosticReport { full_document_diagnostic_report, related_documents: None }
    }

    /// Forgets the findings of programs whose entry or folder is not there any more.
    fn forget_gone(&mut self, now: &Snapshot) {
        self.rows.retain(|(entry, _), _| now.project.file(entry).is_some() || other::is_known(now, entry));
    }

    /// Returns the findings of a file in all programs that it is in, each once.
    pub(crate) fn of(&mut self, now: &Snapshot, name: &str) -> Vec<Diagnostic> {
        let mut list: Vec<Diagnostic> = Vec::new();
        let kind = now.project.file(name).map(|file| file.kind());
        if kind == Some(FileKind::Tests) {
            return scenarios::findings(now, name, &mut |tree| self.compiles(now, name, tree));
        }
        let entries = match kind {
            Some(_) => now.project.roots_of(name).into_iter().map(str::to_owned).collect(),
            None => vec![name.to_owned()],
        };
        for entry in &entries {
            let files = now.project.program(entry);
            let found = self.row(now, entry, files).found.get(name).cloned().unwrap_or_default();
            for finding in found {
                if !list.contains(&finding) {
                    list.push(finding);
                }
            }
        }
        list.extend(self.of_rules(now, name, &entries));
        list
    }

    /// Returns true if the tree that a file of tests is about has no errors.
    fn compiles(&mut self, now: &Snapshot, tests: &str, tree: &str) -> bool {
        // The program of the tests is that of the tree, behind the file of tests.
        let files = now.project.program(tests).get(1..).unwrap_or_default();
        let mut found = self.row(now, tree, files).found.values().flatten();
        !found.any(|it| it.severity == Some(DiagnosticSeverity::Error))
    }

    /// Returns the findings of rules in a file, on which all programs with the file agree. There
    /// are none if one of them has errors.
    fn of_rules(&self, now: &Snapshot, name: &str, entries: &[String]) -> Vec<Diagnostic> {
        let linted = |entry: &String| self.rows.get(&(entry.clone(), OWN))?.linted.as_ref();
        let Some(programs) = entries.iter().map(linted).collect::<Option<Vec<&Linted>>>() else {
            return Vec::new();
        };
        let found = agreed(&programs, &|_, name| name.to_owned(), &|_| true).into_iter();
        let here = found.filter_map(|(program, finding)| {
            let sources = &programs[program].done.sources;
            let file = &sources.get(finding.span?.source).name;
            (file == name).then(|| diagnostic(now, name, &finding, sources))
        });
        here.collect()
    }

    /// Returns the row of an entry's program, which is compiled if a text of its files has changed.
    ///
    /// The row is marked as asked for at the end, because cancelled work leaves it as it was.
    fn row(&mut self, now: &Snapshot, entry: &str, files: &[Box<str>]) -> &Row {
        now.pause();
        let is_own = now.project.file(entry).is_some();
        let key = if is_own { (entry.to_owned(), OWN) } else { other::program(now, entry) };
        let row = self.rows.entry(key).or_default();
        if row.asked != Some(now.revision) {
            let texts = if is_own { now.revisions(files) } else { other::revisions(now, entry) };
            let settings = settings_of(now, entry);
            if row.texts != texts || row.settings != settings {
                (row.found, row.linted) = match is_own {
                    true => compiled(now, entry, &settings),
                    false => (other::findings(now, entry), None),
                };
                (row.texts, row.settings) = (texts, settings);
            }
            row.asked = Some(now.revision);
        }
        row
    }
}

/// Returns the levels of rules for an entry, from the nearest file with settings.
fn settings_of(now: &Snapshot, entry: &str) -> Settings {
    if !now.client.has_lint {
        return Settings::default();
    }
    let text = settings::nearest(Path::new(folder_of(entry))).and_then(|path| std::fs::read(path).ok());
    text.map(|text| Settings::parse(&String::from_utf8_lossy(&text)).0).unwrap_or_default()
}

/// Compiles a program, and applies the rules to a program without errors. If a manifest has errors,
/// only these are told, because each name that it fails to declare would be an error again.
fn compiled(now: &Snapshot, entry: &str, settings: &Settings) -> (Found, Option<Linted>) {
    let mut found = Found::new();
    let vocabulary = now.project.vocabulary(entry);
    add(now, &mut found, vocabulary.diagnostics(), vocabulary.sources());
    if vocabulary.diagnostics().errors() > 0 {
        return (found, None);
    }
    let done = now.project.compile(entry, &vocabulary);
    add(now, &mut found, &done.diagnostics, &done.sources);
    let is_linted = now.client.has_lint && done.diagnostics.errors() == 0;
    let apply = || now.project.request(entry, &vocabulary, |files, it| lint(files, it, settings, false));
    (found, is_linted.then(apply))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::caught;
    use crate::workspace::Workspace;
    use serde_json::json;

    #[test]
    fn a_folder_of_one_program_is_compiled_once() {
        let mut workspace = Workspace::default();
        let text = |name| format!("<SelectionTree name='{name}' type='x'>\n\t<Leef/>\n</SelectionTree>\n");
        let names = ["/nowhere/a.xml", "/nowhere/b.xml", "/nowhere/c.xml"];
        for name in names {
            workspace.open(&uri_of(name).0, 1, text(&name[9..10]));
        }
        let mut cache = FindingsCache::default();
        let changed = BTreeSet::from([names[0].to_owned()]);
        let found = cache.publish(&workspace.snapshot(), &changed);
        let counts: Vec<usize> = found.iter().map(|it| it.diagnostics.len()).collect();
        assert_eq!((counts, cache.rows.len()), (vec![1; 3], 1));
        // A text of trees in a folder does not concern the files of other dialects beside it.
        workspace.open("file:///nowhere/d.pleach", 1, "tree d { success }".to_owned());
        let changed = BTreeSet::from(["/nowhere/d.pleach".to_owned()]);
        assert_eq!(cache.publish(&workspace.snapshot(), &changed).len(), 1);
    }

    /// The tree under test is no entry, so only tests are about its program alone.
    #[test]
    fn tests_of_one_tree_compile_it_once_and_follow_its_files() {
        let (mut workspace, mut cache) = (Workspace::default(), FindingsCache::default());
        let uri = |name: &str| uri_of(&format!("/nowhere/{name}")).0;
        workspace.open(&uri("a.pleach"), 1, "include \"b.pleach\"\ntree a { use b }".to_owned());
        workspace.open(&uri("b.pleach"), 1, "include \"c.pleach\"\ntree b { action go }".to_owned());
        workspace.open(&uri("c.pleach"), 1, "action go()".to_owned());
        let tests = "tree b.pleach\ntest one\n\taction run = success\n";
        for name in ["x.test", "y.test"] {
            workspace.open(&uri(name), 1, tests.to_owned());
        }
        let mut counts = |workspace: &Workspace| {
            let names = ["/nowhere/x.test", "/nowhere/y.test"];
            names.map(|name| cache.of(&workspace.snapshot(), name).len())
        };
        assert_eq!(counts(&workspace), [1, 1]);
        // A program with errors may lack a name because of them.
        workspace.open(&uri("c.pleach"), 2, "action gone()".to_owned());
        assert_eq!(counts(&workspace), [0, 0]);
        let rows: Vec<_> = cache.rows.keys().map(|(entry, _)| entry.as_str()).collect();
        assert_eq!(rows, ["/nowhere/b.pleach"]);
    }

    #[test]
    fn a_request_after_a_cancelled_one_has_the_new_findings() {
        let (mut workspace, mut cache) = (Workspace::default(), FindingsCache::default());
        let uri = uri_of("/nowhere/a.pleach");
        let mut pull = |snapshot: &Snapshot| {
            let params = json!({ "textDocument": { "uri": uri } });
            let params = serde_json::from_value(params).expect("the parameters");
            let report = caught("diagnostic", || cache.pull(snapshot, &params));
            report.map(|it| it.full_document_diagnostic_report.items.len())
        };
        workspace.open(&uri.0, 1, "tree a { success }".to_owned());
        assert_eq!(pull(&workspace.snapshot()), Ok(0));
        workspace.open(&uri.0, 2, "tree a { action go }".to_owned());
        let cancelled = workspace.snapshot();
        // The lines are read for the places of findings. As long as they are held here, the work
        // ends there, as it does if the request is cancelled while the program is compiled.
        let held = cancelled.lines.borrow_mut();
        assert!(pull(&cancelled).is_err());
        drop(held);
        assert_eq!(pull(&workspace.snapshot()), Ok(1));
    }
}
