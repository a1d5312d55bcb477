//! Rules by which nodes of BehaviorTree.CPP are replaced: `--substitutes`.

use crate::folder::Folder;

const TREE: &str = r#"<root BTCPP_format="4">
  <BehaviorTree ID="Main">
    <Sequence><Walk name="to the door"/><Open name="door"/></Sequence>
  </BehaviorTree>
</root>
"#;
const RULES: &str = r#"{
  "TestNodeConfigs": {"slow": {"return_status": "SUCCESS", "async_delay": 100, "post_script": "open := true"}},
  "SubstitutionRules": {"door": "slow", "Walk": "AlwaysSuccess"}
}"#;

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("door.xml", TREE).file("rules.json", RULES);
    folder.file("door.manifest", "action Walk()\naction Open()\n");
    folder
}

#[test]
fn nodes_are_replaced() {
    let folder = folder("substitutes");
    let trace = [
        "trace",
        "door.xml",
        "--manifest=door.manifest",
        "--substitutes=rules.json",
        "--agents=1",
        "--ticks=3",
    ];
    let ran = folder.pleach(&trace).exits(0);
    let ticks: Vec<_> = ran.out.lines().filter(|line| line.starts_with("tick ")).collect();
    assert_eq!(ticks, ["tick 1, 50 ms: running", "tick 2, 100 ms: running", "tick 3, 150 ms: success"]);
    assert!(ran.out.contains("AlwaysSuccess to the door"), "{}", ran.out);
}

#[test]
fn wrong_rules_are_told() {
    let folder = folder("substitutes_wrong");
    let check = |rules: &str, code: i32, text: &str| {
        folder.file("wrong.json", rules);
        let check = ["check", "door.xml", "--manifest=door.manifest", "--substitutes=wrong.json"];
        let ran = folder.pleach(&check).exits(code);
        assert!(ran.err.contains(text), "{}", ran.err);
    };
    check("{", 2, "cannot read wrong.json: EOF while parsing an object at line 1 column 1");
    check(
        &RULES.replace("AlwaysSuccess", "Sequence"),
        1,
        "error[E0755]: `Sequence` is to take the place of `to the door`",
    );
    check(
        &RULES.replace("AlwaysSuccess", "Jump"),
        1,
        "error[E0401]: `Jump` is to take the place of `to the door`",
    );
    check(
        &RULES.replace("open :=", "open :"),
        1,
        "error[E0760]: the script `open : true` of the test node here",
    );
    // Filters that would take too long.
    let many: Vec<_> = (0..3_000).map(|rule| format!("\"{rule}{}\": \"Open\"", "x".repeat(30_000))).collect();
    check(&format!("{{\"SubstitutionRules\": {{{}}}}}", many.join(",")), 1, "error[E0618]");
    folder.file("a.pleach", "tree a { success }");
    let ran = folder.pleach(&["run", "a.pleach", "--substitutes=rules.json"]).exits(2);
    assert_eq!(ran.err, "pleach: cannot use rules.json: only trees of `btcpp` have substitutes\n");
}
