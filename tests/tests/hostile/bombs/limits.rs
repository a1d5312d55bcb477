//! Checks that each limit of `spec/limits.md` is reached by an axis, or that a reason is given why
//! no axis reaches it.

use pleach_tests::bombs::{Case, FORMS};

const PAGE: &str = include_str!("../../../../spec/limits.md");

/// Largest size of an input in bytes. It is that of the campaign's long form.
const MOST: usize = 3_000_000;

/// Proof that a limit is reached, or the reason why none is needed.
enum Met {
    /// By an axis of a form at a size: an input of that size is told the code
    /// of the limit, if it has one.
    By(&'static str, &'static str, usize),
    /// By no axis, for this reason.
    Not(&'static str),
}

use Met::{By, Not};

/// The first column of each row of the page, and how the limit is met.
const LIMITS: &[(&str, Met)] = &[
    ("nodes, with one for each tree and each event", By("pleach", "children", 66_000)),
    (
        "trees that can be started",
        Not("they are named by who compiles; those of a text have nodes, which run out first"),
    ),
    ("bytes of a name", By("pleach", "length of a name", 1_018)),
    ("variables, timers and counters of an agent", By("pleach", "truths", 65_536)),
    ("bytes of an agent", By("pleach", "variables", 16_400)),
    (
        "positions: one, and one for each branch of a parallel and each state machine",
        By("pleach", "branches", 257),
    ),
    ("variables of groups and the world", By("pleach", "world variables that nothing sets", 65_537)),
    ("host functions", By("pleach", "queries of a condition", 65_537)),
    ("host calls with different arguments", By("pleach", "calls of a query", 65_537)),
    ("arguments in a call", By("pleach", "arguments", 65_536)),
    ("conditions and other expressions", By("pleach", "pairs of scores", 16_500)),
    ("different numbers in expressions", By("pleach", "operands of a chain of ors", 65_540)),
    ("places that draw random numbers", By("pleach", "draws", 65_537)),
    (
        "different texts in variables and expressions, the empty text among them",
        By("pleach", "texts of a condition", 65_540),
    ),
    ("values on the stack of an expression", By("pleach", "operands in parentheses", 70)),
    ("loops around a node", By("mbt", "loops in each other", 257)),
    ("different texts for logs", By("mbt", "logs", 22_000)),
    ("attributes of forests, trees and nodes", By("btengine", "attributes of a node", 65_537)),
    ("findings kept", By("pleach", "unknown actions", 1_000)),
    ("bytes of all findings kept", By("pleach", "wrong arguments of a long name", 1_000)),
    ("bytes of a message", By("unvanquished", "length of an unknown name", 2_000)),
    ("letters compared to find suggestions", By("pleach", "unknown actions among known ones", 10_000)),
    (
        "copies by `use`, in nodes; a value or operator in a copy counts as a sixteenth",
        By("pleach", "copies", 1 << 17),
    ),
    ("counts, weights and ticks in `.pleach`", By("pleach", "times", 65_536)),
    ("durations", By("pleach", "duration", 2_147_484)),
    (
        "tokens that macros and included files bring in `.bt`, with one more for each 16 bytes of these files",
        By("unvanquished", "macros of the one before twice", 1 << 23),
    ),
    ("macros in each other in `.bt`", By("unvanquished", "macros of the next one", 1_001)),
    ("files that include each other in `.bt`", By("unvanquished", "includes in each other", 65)),
    (
        "`enum`s in each other, and what else reads on in a directive, in `.bt`",
        By("unvanquished", "enums in each other", 17),
    ),
    ("parameters of a macro that is used in `.bt`", By("unvanquished", "parameters", 128)),
    (
        "values, and operators, of an expression in a directive or an evaluation in `.bt`",
        By("unvanquished", "operands of directives", 64),
    ),
    ("uses of macros and includes in `.bt` that messages tell of", By("unvanquished", "macros", 66_000)),
    ("bytes of a path in `.bt`", By("unvanquished", "length of a path", 64)),
    ("bytes of a name, number or text in `.bt`", By("unvanquished", "length of an unknown name", 1_100)),
    ("children of a list in `.bt`", By("unvanquished", "children", 21)),
    (
        "children of a `random sequence` or `random selector` in `.pleach`",
        By("pleach", "children in any order", 256),
    ),
    ("values and operators of a condition in CryEngine's dialects", By("mbt", "operands", 257)),
    (
        "elements, texts and comments of a file, in dialects that are XML",
        Not("a file of that many is longer than the longest input"),
    ),
    ("attributes of an element, in dialects that are XML", By("bst", "attributes", 257)),
    ("namespaces that a file declares, in dialects that are XML", By("mbt", "namespaces in each other", 65)),
    (
        "children of a list; cases and states; branches of a parallel in modular trees",
        By("mbt", "lists of leaves", 256),
    ),
    (
        "bytes of all files of a folder of selection trees, and of a `.debt` file with all files that it uses",
        Not("an input with files of that many bytes is longer than the longest input"),
    ),
    ("elements of a selection tree, with copies", By("bst", "blocks of the one before twice", 1 << 17)),
    (
        "copies in a selection tree: elements, what stands directly in them, attributes, and each 2 bytes of names and of values",
        By("bst", "blocks with comments of the one before twice", 4_096),
    ),
    (
        "the same, copies or not, of all trees of a folder that is checked",
        Not("an input is one tree, of which this is 32 times the most"),
    ),
    (
        "nodes of a tree of BehaviorTree.CPP, with copies of subtrees",
        By("btcpp", "subtrees that double", 1 << 15),
    ),
    (
        "attributes and ports of nodes of BehaviorTree.CPP, with copies of subtrees: bytes of names and values, and 16 for each, 128 for each that a model gives",
        By("btcpp", "subtrees with a script", 1_000),
    ),
    (
        "filters of rules for substitution: bytes of all filters, times bytes of the path of each node",
        Not("an input of the form btcpp has no rules"),
    ),
    ("elements of a file of BehaviorTree.CPP", By("btcpp", "unknown elements", 200_001)),
    ("elements of BehaviorTree.CPP in each other", By("btcpp", "depth", 600)),
    ("nodes of a tree of BehaviorTree.CPP in each other", By("btcpp", "decorators in each other", 257)),
    ("files of BehaviorTree.CPP that include each other", By("btcpp", "includes in each other", 33)),
    ("files of a program of BehaviorTree.CPP", By("btcpp", "included files", 1_001)),
    ("values and operators of a script", By("btcpp", "statements", 5_001)),
    ("operators in each other in a script", By("btcpp", "prefixes", 251)),
    ("parentheses in each other in a script", By("btcpp", "parentheses", 65)),
    ("items in the queue of a loop of BehaviorTree.CPP", By("btcpp", "items of a loop", 1_001)),
    (
        "bytes of the queues that loops of BehaviorTree.CPP find in entries, for each loop again",
        By("btcpp", "loops and items of their entry", 250),
    ),
    ("states of a machine in selection trees", By("bst", "states", 33)),
    ("names in the `node` of a translation", By("bst", "path of a translation", 65)),
    (
        "parameters (four values each) or conditions of `.debt` trees, with copies",
        By("dragengine", "files with parameters of the one before twice", 4_096),
    ),
    ("bytes of an id in `.debt`", By("dragengine", "length of an id", 256)),
    (
        "bytes of a text that a variable holds or that is compared, in `.pleach`",
        By("pleach", "length of a text variable", 1_025),
    ),
    (
        "bytes of the path of a subtree in `.debt`, as it is written, and with the folders before it",
        By("dragengine", "subtrees below a long folder", 1_024),
    ),
];

/// Returns the case of an axis of a form.
fn case(form: &str, axis: &str) -> Option<Case> {
    let form = FORMS.iter().position(|it| it.name() == form)?;
    let axis = FORMS[form].axes().iter().position(|it| it == axis)?;
    Some(Case { form, axes: vec![axis] })
}

/// Returns the error of a row of the page, if there is one.
fn wrong((what, code): (&str, &str), met: &Met) -> Option<String> {
    let By(form, axis, n) = met else { return None };
    let Some(case) = case(form, axis) else { return Some(format!("{what}: {form} has no axis `{axis}`")) };
    // Limits without a code cut or count.
    if code.starts_with("none") {
        return None;
    }
    match case.codes(*n, MOST) {
        Some(codes) if codes.contains(&code) => None,
        Some(codes) => Some(format!("{what}: {axis} at {n}: {:?}", codes.first())),
        None => Some(format!("{what}: {axis}: the input of {n} is too long")),
    }
}

#[test]
fn limits_of_the_page_are_reached_by_axes() {
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(" | ").collect()).collect();
    let rows: Vec<_> = rows.iter().filter(|row| row[0] != "limit").map(|row| (row[0], row[2])).collect();
    let names: Vec<_> = rows.iter().map(|(what, _)| *what).collect();
    assert_eq!(names, LIMITS.iter().map(|(what, _)| *what).collect::<Vec<_>>());
    let wrong: Vec<_> = rows.into_iter().zip(LIMITS).filter_map(|(row, (_, met))| wrong(row, met)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(LIMITS.iter().all(|(_, met)| !matches!(met, Not(""))));
}
