//! Lines over trees: what can be done with them, and where they are used and tested.

use super::programs::TestsCache;
use super::tested::ResultsCache;
use crate::shared::Shared;
use crate::snapshot::Snapshot;
use crate::text::uri_of;
use gen_lsp_types::{CodeLens, CodeLensParams, Command, Uri};
use pleach_edit::{Access, DeclarationKind, FileKind, Symbol};
use pleach_image::figures::counted;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Command of the client that runs a tree. Its arguments are the URI of the file and the name of
/// the tree.
const RUN: &str = "pleach.run";
/// Command of the client that shows a live view of a tree. Its arguments are those of [`RUN`].
const VIEW: &str = "pleach.view";
/// Command of the client that runs tests. Its argument is a list with the URI of each test file.
const TEST: &str = "pleach.test";
/// Command of the client that shows places. Its arguments are the URI of the file, the position of
/// the lens, and the list of the places.
const REFERENCES: &str = "pleach.references";

/// Data from which the line about the tests of a tree gets its results.
#[derive(Deserialize, Serialize)]
struct LensData {
    /// File of the tree.
    uri: String,
    /// Name of the tree.
    tree: String,
}

/// Returns the lines of a file. If tests are run, the lines about tests have no text before the
/// client asks for it, because it asks only for lines that can be seen.
pub(crate) fn lenses(
    now: &Snapshot,
    shared: &Shared,
    cache: &mut TestsCache,
    params: &CodeLensParams,
) -> Vec<CodeLens> {
    let Some(opened) = now.open(&params.text_document.uri.0) else { return Vec::new() };
    let mut list = Vec::new();
    let (test_files, tests) = tests(now, cache, &opened.name);
    let trees = opened.file.declarations().iter().filter(|it| it.kind == DeclarationKind::Tree);
    for tree in trees {
        let range = opened.range(tree.range);
        let uri = json!(params.text_document.uri);
        let mut push = |title: String, command: &str, arguments| {
            let command =
                Command { title, tooltip: None, command: command.to_owned(), arguments: Some(arguments) };
            list.push(CodeLens { range, command: Some(command), data: None });
        };
        if tree.params.is_empty() {
            push("run".to_owned(), RUN, vec![uri.clone(), json!(tree.name)]);
            push("view".to_owned(), VIEW, vec![uri.clone(), json!(tree.name)]);
        }
        let symbol = Symbol { space: tree.space.clone(), name: tree.name.clone() };
        let references = now.project.references(&opened.name, &symbol);
        let uses: Vec<_> = references
            .iter()
            .filter(|it| it.access == Access::Reads && FileKind::of(&it.file) == Some(FileKind::Trees))
            .map(|it| now.location(&it.file, it.range))
            .collect();
        let references = vec![uri, json!(range.start), json!(uses)];
        push(counted(uses.len(), "use"), REFERENCES, references);
        if tests > 0 && shared.run_tests.is_some() {
            let data =
                json!(LensData { uri: params.text_document.uri.0.clone(), tree: tree.name.to_string() });
            list.push(CodeLens { range, command: None, data: Some(data) });
        } else if tests > 0 {
            push(counted(tests, "test"), TEST, vec![json!(uris(&test_files))]);
        }
    }
    list
}

/// Returns the line about the tests of a tree, with their results. If they cannot be run, the line
/// has their number. A later change of a text ends the work.
pub(crate) fn resolve(
    now: &Snapshot,
    shared: &Shared,
    cache: &mut ResultsCache,
    mut lens: CodeLens,
) -> CodeLens {
    let data = lens.data.take().and_then(|data| serde_json::from_value::<LensData>(data).ok());
    let Some(data) = data else { return lens };
    let Some(opened) = now.open(&data.uri) else { return lens };
    let (files, count) = tests(now, &mut cache.tests, &opened.name);
    let trees = opened.file.declarations().iter().filter(|it| it.kind == DeclarationKind::Tree);
    let tree = trees.filter(|it| *it.name == *data.tree).find_map(|tree| {
        let item = opened.file.document().item_named(tree.range)?;
        let line = |byte| opened.lines.place_of(byte).0;
        Some((line(item.start), line(item.end)))
    });
    let pause = || if shared.is_current(now) { now.pause() } else { now.end() };
    let mut told = || cache.told(now, (shared.run_tests?, &pause), &files, (&opened.name, tree?));
    let title = told().unwrap_or_else(|| counted(count, "test"));
    let arguments = Some(vec![json!(uris(&files))]);
    lens.command = Some(Command { title, tooltip: None, command: TEST.to_owned(), arguments });
    lens
}

/// Returns the test files about the program of a file, and the number of tests in them.
fn tests<'s>(now: &'s Snapshot, cache: &mut TestsCache, name: &str) -> (Vec<&'s str>, usize) {
    let entries = now.project.entries_with(name).iter().map(AsRef::as_ref);
    let files = entries.filter(|entry| FileKind::of(entry) == Some(FileKind::Tests));
    let mut count = |file| cache.read(now, file).map_or(0, |tests| tests.0.tests.len());
    let counts = files.map(|file| (file, count(file))).filter(|(_, count)| *count > 0);
    let (files, counts): (Vec<_>, Vec<usize>) = counts.unzip();
    (files, counts.iter().sum())
}

fn uris(files: &[&str]) -> Vec<Uri> {
    files.iter().map(|file| uri_of(file)).collect()
}
