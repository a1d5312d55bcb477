//! `pleach test`: tests that authors of trees write.

use crate::Verdict;
use crate::args;
use crate::failure::Failure;
use crate::input::{Subject, default_entry, has_entry};
use crate::library;
use crate::output::{self, counted};
use crate::places;
use crate::render::{Findings, human};
use crate::scenario::junit::{self, Result as Case};
use crate::scenario::play::{Puppet, play, unknown_names};
use crate::write::{Kind, Output};
use pleach::watch::Statistics;
use pleach::{Image, Program};
use pleach_compile::dialect::by_extension;
use pleach_compile::manifest::Problem;
use pleach_edit::scenario::{Scenario, parse};
use pleach_image::format::DebugNode;
use pleach_image::listing;
use pleach_lsp::{TestResults, TestedNode};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

/// Most nodes that are listed as never run.
const MOST_NEVER: usize = 20;

/// Runs tests.
pub(crate) fn test(args: &args::Test) -> Result<Verdict, Failure> {
    let (mut findings, mut cases) = (Findings::default(), Vec::new());
    for file in &args.files {
        is_no_tree(file)?;
        let text = library::read(file).map_err(|why| Failure::file("read", file, why))?;
        let text = String::from_utf8_lossy(&text);
        let (scenario, problems) = parse(&text);
        findings.add_lines(file, &text, &problems);
        if problems.is_empty() {
            output::print(&run(args, file, &text, &scenario, &mut findings, &mut cases)?)?;
        }
    }
    if let Some(path) = &args.junit {
        let output = Output { path, kind: Kind::Results, force: args.overwrite.force };
        output.write(&args.files, junit::xml(&cases).as_bytes())?;
    }
    if !findings.list().is_empty() {
        human::show(&findings);
    }
    let failed = cases.iter().filter(|case| case.wrong.is_some()).count();
    // If errors have kept all tests from running, there is nothing to count.
    if !(cases.is_empty() && findings.failed()) {
        output::print(&format!("{}, {failed} failed\n", counted(cases.len(), "test")))?;
    }
    Ok(if findings.failed() { Verdict::Problems } else { Verdict::Fine })
}

/// Refuses a file whose name is that of a tree, because each of its lines would be an error.
fn is_no_tree(file: &Path) -> Result<(), Failure> {
    if file.extension().and_then(OsStr::to_str).and_then(by_extension).is_none() {
        return Ok(());
    }
    let name = file.file_name().unwrap_or_default().display();
    let why = format!("it is a tree; name a file of tests, which begins with `tree {name}`");
    Err(Failure::file("test", file, why))
}

/// Runs the tests of a file. Returns the report.
fn run(
    args: &args::Test,
    file: &Path,
    text: &str,
    scenario: &Scenario,
    findings: &mut Findings,
    cases: &mut Vec<Case>,
) -> Result<String, Failure> {
    let tree = scenario.tree.as_ref().map_or("", |tree| &tree.path);
    let path = file.parent().unwrap_or(Path::new("")).join(tree);
    let Some(subject) = Subject::open(&path, &args.compile)? else {
        findings.fail();
        return Ok(format!("{}: the tree has errors\n", file.display()));
    };
    let entry = scenario.entry.as_ref().unwrap_or(&subject.entry);
    has_entry(&path, &subject.image, entry)?;
    let played = Played::new(&subject.image, entry, scenario, &|| {}).map_err(Failure::new)?;
    let mut told = format!("{}: {}\n", file.display(), counted(scenario.tests.len(), "test"));
    let mut problems = Vec::new();
    for (test, wrong) in scenario.tests.iter().zip(played.wrong) {
        let word = if wrong.is_empty() { "ok" } else { "FAILED" };
        let _ = writeln!(told, "  {word:<7} {}", test.name);
        problems.extend(wrong.iter().cloned());
        let wrong = wrong.into_iter().next().map(|problem| (problem.line, problem.message));
        cases.push(Case { file: file.display().to_string(), name: test.name.clone(), wrong });
    }
    findings.add_lines(file, text, &problems);
    told.push_str(&coverage(&subject.image, &played.nodes));
    Ok(told)
}

/// Runs the tests of a file for an editor, with a pause before each tick. Returns `None` if they
/// cannot be run.
pub(crate) fn results(image: &Image, tree: &str, tests: &Scenario, pause: &dyn Fn()) -> Option<TestResults> {
    let stem = library::stem(Path::new(tree)).unwrap_or_default();
    let entry = tests.entry.clone().unwrap_or_else(|| default_entry(image, &stem));
    let played = Played::new(image, &entry, tests, pause).ok()?;
    let failed = played.wrong.iter().filter(|wrong| !wrong.is_empty()).count();
    let node = |&(ran, id): &(bool, u32)| {
        let node = image.debug_node(id)?;
        let file = image.debug_text(node.file).into_owned();
        Some(TestedNode { file, line: node.line, column: node.column, ran })
    };
    let nodes = played.nodes.iter().filter_map(node).collect();
    Some(TestResults { passed: played.wrong.len() - failed, failed, nodes })
}

/// Tests of a file that have been played.
struct Played {
    /// Problems of each test; none of one that passed.
    wrong: Vec<Vec<Problem>>,
    /// Nodes of the sources, each with true if a test has run it.
    nodes: Vec<(bool, u32)>,
}

impl Played {
    /// Plays the tests, and calls `pause` before each tick.
    fn new(image: &Image, entry: &str, scenario: &Scenario, pause: &dyn Fn()) -> Result<Self, String> {
        let mut host = Puppet::new(image);
        let program = Program::link(image, &host).map_err(|why| why.to_string())?;
        let (mut statistics, mut wrong) = (Statistics::new(image), Vec::new());
        for test in &scenario.tests {
            let mut problems = unknown_names(&program, &host, test);
            if problems.is_empty() {
                problems.extend(play(&program, &mut host, entry, test, &mut statistics, pause).err());
            }
            wrong.push(problems);
        }
        Ok(Self { wrong, nodes: nodes(image, scenario, &statistics) })
    }
}

/// Returns the number of nodes that ran, and a list of those that never did.
fn coverage(image: &Image, nodes: &[(bool, u32)]) -> String {
    let never: Vec<_> = nodes.iter().filter(|(ran, _)| !ran).collect();
    let mut text = format!("  {} of {} nodes ran\n", nodes.len() - never.len(), nodes.len());
    let roots = image.debug_handlers().collect::<HashSet<_>>();
    for (_, id) in never.iter().take(MOST_NEVER) {
        let Some(node) = image.debug_node(*id) else { continue };
        let label = match roots.contains(id) {
            true => format!("on {}", image.debug_text(node.subject)),
            false => listing::label(image, *id),
        };
        let _ = writeln!(text, "    never: {label} {}", places::line(image, node));
    }
    if never.len() > MOST_NEVER {
        let _ = writeln!(text, "    and {} more", never.len() - MOST_NEVER);
    }
    text
}

/// Returns the nodes of the sources. A node of a tree that other trees use has several copies in
/// the image, and ran if one of them did. The tree itself ran if its root did.
///
/// Events cannot be watched. The handler of an event counts as one node, which ran if a test raises
/// the event.
fn nodes(image: &Image, scenario: &Scenario, statistics: &Statistics) -> Vec<(bool, u32)> {
    let (roots, handlers) = (image.debug_handlers().collect::<HashSet<_>>(), image.debug_handler_nodes());
    let (mut nodes, mut known, mut trees) = (Vec::<(bool, u32)>::new(), HashMap::new(), Vec::new());
    for (id, count) in statistics.nodes() {
        let Some(debug) = image.debug_node(id) else { continue };
        let is_root = roots.contains(&id);
        if !image.debug_is_written(id) || !is_root && handlers.contains(&id) {
            continue;
        }
        let is_raised = || scenario.raises(&image.debug_text(debug.subject));
        let ran = if is_root { is_raised() } else { count.entries > 0 };
        let index = *known.entry(written(debug)).or_insert(nodes.len());
        match nodes.get_mut(index) {
            Some((already, _)) => *already |= ran,
            None => nodes.push((ran, id)),
        }
        if image.debug_text(debug.keyword) == "tree" {
            trees.push((index, id + 1));
        }
    }
    for (tree, root) in trees {
        let root = image.debug_node(root).and_then(|root| known.get(&written(root)));
        nodes[tree].0 |= root.is_some_and(|root| nodes[*root].0);
    }
    nodes
}

/// Returns the place and the keyword of a node in its source, which its copies share.
fn written(node: &DebugNode) -> [u32; 4] {
    [node.file, node.line, node.column, node.keyword]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_compile::{Request, compile};
    use pleach_edit::Project;
    use std::cell::Cell;

    #[test]
    fn an_editor_can_end_tests_before_each_tick() {
        let project = Project::new().with("a.pleach", "tree a { running }");
        let vocabulary = project.vocabulary("a.pleach");
        let done = project.request("a.pleach", &vocabulary, |files, request| {
            compile(files, Request { debug: true, ..request })
        });
        let image = Image::copy(&done.image.expect("no errors")).expect("an image");
        let (tests, problems) = parse("tree a.pleach\ntest one\n\ttick 3\ntest two\n\ttick\n");
        assert!(problems.is_empty());
        let pauses = Cell::new(0);
        let results = results(&image, "a.pleach", &tests, &|| pauses.set(pauses.get() + 1));
        assert_eq!((results.map(|it| it.passed), pauses.get()), (Some(2), 4));
    }
}
