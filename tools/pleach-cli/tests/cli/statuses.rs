//! Trees of BehaviorTree.CPP: changes of statuses in a trace, and causes of faults.

use crate::folder::Folder;

const TREE: &str = r#"<root BTCPP_format="4" main_tree_to_execute="Guard">
  <BehaviorTree ID="Guard">
    <Fallback>
      <Walk name="to the gate" _skipIf="true"/>
      <Walk name="home"/>
      <SubTree ID="Rest" name="bed"/>
    </Fallback>
  </BehaviorTree>
  <BehaviorTree ID="Rest">
    <Sequence><AlwaysSuccess/><Script code="hours := 8 - awake"/></Sequence>
  </BehaviorTree>
</root>
"#;

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("guard.xml", TREE).file("guard.manifest", "action Walk()\naction Drop(goal: int)\n");
    folder
}

/// Runs a command on the tree `guard.xml`, with one agent.
fn told(folder: &Folder, args: &[&str]) -> String {
    let common = ["guard.xml", "--manifest=guard.manifest", "--agents=1"];
    let args = [&args[..1], &common, &args[1..]].concat();
    folder.pleach(&args).exits(0).out
}

#[test]
fn a_trace_has_each_change_of_a_status() {
    let folder = folder("statuses");
    let out = told(&folder, &["trace", "--ticks=1", "--force", "Walk=success"]);
    let changes: Vec<_> = out.lines().filter_map(|line| line.strip_prefix("  ~ ")).collect();
    let words: Vec<Vec<&str>> = changes.iter().map(|line| line.rsplitn(4, ' ').collect()).collect();
    let changes: Vec<_> =
        words.iter().map(|it| format!("{} {} {}", it[3].trim_end(), it[2], it[0])).collect();
    assert_eq!(
        changes,
        [
            "Fallback::1 IDLE RUNNING",
            "home IDLE SUCCESS",
            "home SUCCESS IDLE",
            "Fallback::1 RUNNING SUCCESS",
            "Fallback::1 SUCCESS IDLE",
        ],
        "{out}"
    );
    assert!(
        out.lines().any(|line| line.contains("Action Walk \"to the gate\"") && line.contains(" skipped ")),
        "{out}"
    );
}

#[test]
fn the_cause_of_a_fault_is_told() {
    let folder = folder("statuses_fault");
    let cause = "fault at `bed/Script::7` (guard.xml:10): the entry `bed/awake` has no value";
    let out = told(&folder, &["trace", "--ticks=1", "--force", "Walk=failure"]);
    assert!(out.contains(&format!("tick 1, 50 ms: {cause}\n")), "{out}");
    let out = told(&folder, &["run", "--ticks=50", "--record", "run.rec"]);
    assert!(out.contains(&format!(", of agent 0: {cause}\n")), "{out}");
    let out = folder.pleach(&["replay", "run.rec", "--agent=0", "--ticks=50"]).exits(0).out;
    assert!(out.contains(&format!(": {cause}\n")), "{out}");
}

#[test]
fn a_port_that_cannot_be_read_and_a_node_without_a_way_are_told() {
    let folder = folder("statuses_port");
    let tree = |node: &str| {
        format!(
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Guard\"><Sequence>{node}</Sequence></BehaviorTree></root>"
        )
    };
    let cause = |node: &str| {
        folder.file("guard.xml", tree(node));
        told(&folder, &["trace", "--ticks=1"])
    };
    let out = cause("<Drop goal=\"{goal}\"/>");
    assert!(out.contains("fault at `Drop::2` (guard.xml:1): the entry `goal` has no value"), "{out}");
    let out = cause("<Parallel success_count=\"3\"><AlwaysSuccess/></Parallel>");
    assert!(
        out.contains("fault at `Parallel::2` (guard.xml:1): a value of the node is out of its range"),
        "{out}"
    );
    let out = cause("<IfThenElse><AlwaysSuccess/></IfThenElse>");
    assert!(out.contains("fault at `IfThenElse::2` (guard.xml:1): the node has no way to go on"), "{out}");
}
