//! Results of tests.
//!
//! The server has no engine. The program that serves an editor gives it a function that runs tests.

use pleach_edit::scenario::Scenario;
use pleach_image::Image;

/// Function that runs the tests of a file, for an image and the path of its tree. It calls `pause`
/// between ticks, which ends the work with a panic if nobody waits for the results any more. `None`
/// if the tests cannot be run.
pub type TestRunner =
    fn(image: &Image, tree: &str, tests: &Scenario, pause: &dyn Fn()) -> Option<TestResults>;

/// Results of the tests of a file.
#[derive(Debug, Default)]
pub struct TestResults {
    /// Number of tests that passed.
    pub passed: usize,
    /// Number of tests that failed.
    pub failed: usize,
    /// Nodes of the sources.
    pub nodes: Vec<TestedNode>,
}

/// Node of a source.
#[derive(Debug)]
pub struct TestedNode {
    /// File of the source.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// True if a test has run the node.
    pub ran: bool,
}
