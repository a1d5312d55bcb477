//! Small trees, on the walker and on all engines.

use crate::scripted::Tree;
use pleach_compile::internals::dialects::BtCpp;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;

const MANIFEST: &str = "
action Go(target_given: bool, target: entity, out result: int, out where: entity, speed: double = 1.5)
action Say(text: text, result_given: bool, result: int) sync
action Look(where_given: bool, where: entity, out seen: bool) condition
action Tell(seen_given: bool, seen: bool, out text: text, out score: double)
action Need(where: entity)
decorator Near(target_given: bool, target: entity)
";

/// A leaf that may run, with ports of several types.
const GO: &str = "<Go target='{target}' result='{result}' where='{place}'/>";
/// A leaf that reads and writes one entry.
const PASS_ON: &str = "<Go target='{place}' where='{place}'/>";
const SAY: &str = "<Say text='hello' result='{result}'/>";
const LOOK: &str = "<Look where='{place}' seen='{seen}'/>";
const TELL: &str = "<Tell seen='{seen}' text='{told}' score='{score}'/>";

fn compiled(attributes: &str, body: &str) -> Result<Tree, String> {
    let text = format!(
        "<root {attributes} main_tree_to_execute='M'><BehaviorTree ID='M'>{body}</BehaviorTree>
         <BehaviorTree ID='Inner'><Sequence>{GO}{SAY}</Sequence></BehaviorTree></root>"
    );
    let (manifest, problems) = Manifest::parse(MANIFEST);
    assert!(problems.is_empty(), "{problems:?}");
    Tree::compile(&Texts::of("main", "xml", &text), &BtCpp, &manifest, "main".to_owned())
}

/// Runs a tree on the walker and on all engines. Returns the mean number of calls in a tick.
fn calls(body: &str) -> f64 {
    let tree = compiled("BTCPP_format='4'", body).unwrap_or_else(|error| panic!("{body}: {error}"));
    assert!(tree.walker(1).is_ok(), "{body}: {:?}", tree.walker(1));
    tree.check(300, 150).unwrap_or_else(|error| panic!("{body}: {error}")).1
}

#[test]
fn controls_do_the_same() {
    let controls = [
        "Sequence",
        "AsyncSequence",
        "SequenceWithMemory",
        "Fallback",
        "AsyncFallback",
        "ReactiveSequence",
        "ReactiveFallback",
        "Parallel",
        "Parallel success_count='2' failure_count='2'",
        "PipelineSequence",
        "RoundRobin",
        "RoundRobin wrap_around='true'",
    ];
    for control in controls {
        let end = control.split(' ').next().unwrap_or_default();
        let children = format!("{LOOK}{GO}<Inverter>{TELL}</Inverter>{PASS_ON}{SAY}");
        let calls = calls(&format!("<{control}>{children}</{end}>"));
        assert!(calls > 0.5, "{control}: {calls}");
    }
}

#[test]
fn decorators_do_the_same() {
    let decorators = [
        "Inverter",
        "ForceSuccess",
        "ForceFailure",
        "KeepRunningUntilFailure",
        "Repeat num_cycles='3'",
        "Repeat num_cycles='-1'",
        "RetryUntilSuccessful num_attempts='3'",
        "Delay delay_msec='40'",
        "Delay delay_msec='0'",
        "Timeout msec='20'",
        "Timeout msec='0'",
        "RateController hz='20'",
        "SingleTrigger",
        "Near target='{place}'",
    ];
    for decorator in decorators {
        let end = decorator.split(' ').next().unwrap_or_default();
        let inner = format!("<{decorator}><Sequence>{GO}{LOOK}{TELL}</Sequence></{end}>");
        let calls = calls(&format!("<ReactiveFallback>{SAY}{inner}</ReactiveFallback>"));
        assert!(calls > 1.0, "{decorator}: {calls}");
    }
}

#[test]
fn recoveries_subtrees_and_leaves_do_the_same() {
    for retries in [0, 1, 6] {
        let inside =
            format!("<PipelineSequence>{GO}{LOOK}</PipelineSequence><Sequence>{SAY}{TELL}</Sequence>");
        calls(&format!("<RecoveryNode number_of_retries='{retries}'>{inside}</RecoveryNode>"));
    }
    calls(
        "<Sequence><SubTree ID='Inner' target='{place}' place='{target}'/><SubTree ID='Inner' name='b'/></Sequence>",
    );
    calls("<SubTree ID='Inner' result='17'/>");
    calls(&format!("<Fallback><Sequence><Sleep msec='30'/><AlwaysFailure/></Sequence>{GO}</Fallback>"));
    calls(&format!("<Sequence><AlwaysSuccess/><Sleep msec='0'/>{SAY}</Sequence>"));
}

/// A port that the game needs, and that cannot be read in some ticks or in all, cuts ticks short.
#[test]
fn unreadable_ports_do_the_same() {
    let needs = "<Sequence><Need where='{place}'/></Sequence>";
    let gives = format!("<ForceSuccess><Sequence>{LOOK}{GO}</Sequence></ForceSuccess>");
    calls(&format!("<Parallel failure_count='2'>{gives}{needs}</Parallel>"));
    calls(&format!("<ReactiveFallback>{LOOK}<Sequence>{SAY}<Need/></Sequence></ReactiveFallback>"));
}

#[test]
fn what_is_not_walked_is_named() {
    let reason = |attributes, body: &str| match compiled(attributes, body) {
        Ok(tree) => tree.walker(1).expect_err(body),
        Err(error) => panic!("{body}: {error}"),
    };
    let four = "BTCPP_format='4'";
    assert_eq!(reason(four, "<Script code='x := 1'/>"), "Script is not walked");
    let body = "<AlwaysSuccess _skipIf='x' _onSuccess='x := true'/>";
    assert_eq!(reason(four, body), "AlwaysSuccess with a pre- or post-condition is not walked");
    let body =
        format!("<Sequence><Timeout msec='1'>{GO}</Timeout><Timeout msec='1'>{GO}</Timeout></Sequence>");
    assert_eq!(reason(four, &body), "more than one Timeout is not walked");
    assert_eq!(reason("", "<Sequence><AlwaysSuccess/></Sequence>"), "a tree of version 3 is not walked");
    let body = format!("<Repeat num_cycles='{{n}}'>{GO}</Repeat>");
    assert_eq!(reason(four, &body), "Repeat without a literal num_cycles is not walked");
}
