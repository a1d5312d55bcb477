//! Results of the tests of a tree, in words.

use super::programs::{ReadTests, TestsCache};
use crate::results::{TestResults, TestRunner};
use crate::snapshot::Snapshot;
use pleach_edit::FileKind;
use pleach_edit::scenario::What;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Largest number of ticks of a file of tests that is run while its trees are edited.
const MOST_TICKS: u64 = 10_000;

/// Results of files of tests.
#[derive(Default)]
pub(crate) struct ResultsCache {
    pub(crate) tests: TestsCache,
    /// Results by file, each with the revisions of the texts that they are about. `None` if the
    /// tests of the file cannot be run.
    results: HashMap<String, (Vec<u64>, Option<Rc<TestResults>>)>,
}

/// Function that runs tests, and the function that it calls between ticks, which ends the work with
/// a panic if nobody waits for the results.
pub(crate) type PausingRunner<'r> = (TestRunner, &'r dyn Fn());

impl ResultsCache {
    /// Returns the results of tests about a tree that stands in these lines, in words. `None` if
    /// tests of one of these files cannot be run.
    pub(crate) fn told(
        &mut self,
        now: &Snapshot,
        run: PausingRunner<'_>,
        tests: &[&str],
        tree: (&str, (u32, u32)),
    ) -> Option<String> {
        let (file, (first, last)) = tree;
        let (mut passed, mut failed, mut nodes) = (0, 0, BTreeMap::new());
        for name in tests {
            let results = self.of(now, run, name)?;
            passed += results.passed;
            failed += results.failed;
            for node in results.nodes.iter().filter(|it| it.file == file && (first..=last).contains(&it.line))
            {
                *nodes.entry((node.line, node.column)).or_default() |= node.ran;
            }
        }
        let mut parts = Vec::new();
        if passed > 0 {
            parts.push(format!("{passed} pass"));
        }
        if failed > 0 {
            parts.push(format!("{failed} fail"));
        }
        parts.push(match nodes.values().filter(|ran: &&bool| !**ran).count() {
            0 => "all nodes ran".to_owned(),
            1 => "1 node never ran".to_owned(),
            never => format!("{never} nodes never ran"),
        });
        Some(format!("tests: {}", parts.join(", ")))
    }

    /// Returns the results of a file of tests. They are run if a text of their program has changed.
    fn of(&mut self, now: &Snapshot, run: PausingRunner<'_>, name: &str) -> Option<Rc<TestResults>> {
        run.1();
        let revisions = now.revisions(now.project.program(name));
        if let Some((known, results)) = self.results.get(name)
            && *known == revisions
        {
            return results.clone();
        }
        let tests = self.tests.read(now, name)?;
        let results = results(now, run, name, &tests).map(Rc::new);
        self.results.insert(name.to_owned(), (revisions, results.clone()));
        results
    }
}

/// Compiles the tree of a file of tests, and runs the tests.
fn results(
    now: &Snapshot,
    (run, pause): PausingRunner<'_>,
    name: &str,
    (scenario, problems): &ReadTests,
) -> Option<TestResults> {
    let ticks = scenario.tests.iter().flat_map(|test| &test.steps).map(|step| match step.what {
        What::Tick(ticks) => u64::from(ticks),
        _ => 0,
    });
    if !problems.is_empty() || ticks.sum::<u64>() > MOST_TICKS {
        return None;
    }
    let tree = now.project.linked(name, &scenario.tree.as_ref()?.path)?;
    if FileKind::of(tree) != Some(FileKind::Trees) {
        return None;
    }
    run(&now.image(tree)?, tree, scenario, pause)
}
