//! Trees that are read by the rules of earlier versions: `--lenient`.

use crate::folder::Folder;

/// Tree with blanks in an ID and a text in double quotes.
const TREE: &str = r#"<root BTCPP_format="4" main_tree_to_execute="to the door">
  <BehaviorTree ID="to the door">
    <Sequence><Script code='line := "hello"'/><Walk/></Sequence>
  </BehaviorTree>
</root>
"#;

/// Commands that read trees, with the code of what is told leniently.
const COMMANDS: [(&[&str], Option<&str>); 12] = [
    (&["check", "t.xml"], None),
    (&["lint", "t.xml"], None),
    (&["build", "t.xml", "-o", "t.plc"], None),
    (&["manifest", "t.xml"], None),
    (&["list", "t.xml"], None),
    (&["graph", "t.xml"], None),
    (&["diff", "t.xml", "t.xml"], None),
    (&["cost", "t.xml"], None),
    (&["run", "t.xml", "--ticks=2", "--agents=1"], None),
    (&["trace", "t.xml", "--ticks=2", "--agents=1"], None),
    (&["bindgen", "t.xml", "--lang", "rust"], None),
    // A tree that is in this format already is not written in the format again.
    (&["convert", "t.xml", "--to", "btcpp"], Some("E0764")),
];

#[test]
fn all_commands_that_read_trees_read_them_leniently() {
    let folder = Folder::new("lenient_all");
    folder.file("t.xml", TREE).file("t.manifest", "action Walk()\n");
    for (command, code) in COMMANDS {
        let command = [command, &["--manifest=t.manifest"]].concat();
        let strict = folder.pleach(&command).exits(1);
        assert!(strict.err.contains("E0758"), "{command:?}: {}", strict.err);
        let lenient = folder.pleach(&[&command[..], &["--lenient"]].concat());
        let lenient = lenient.exits(i32::from(code.is_some()));
        assert!(!lenient.err.contains("E0758"), "{command:?}: {}", lenient.err);
        assert!(code.is_none_or(|code| lenient.err.contains(code)), "{command:?}: {}", lenient.err);
    }
}

#[test]
fn plans_read_trees_leniently() {
    let folder = Folder::new("lenient_plan");
    folder.file("t.xml", TREE).file("t.manifest", "action Walk()\n");
    let plan = "program = \"t.xml\"\nmanifests = [\"t.manifest\"]\nagents = 2\nticks = 2\n";
    folder.file("strict.toml", plan).file("plan.toml", format!("lenient = true\n{plan}"));
    let strict = folder.pleach(&["sweep", "strict.toml"]).exits(1);
    assert!(strict.err.contains("E0758"), "{}", strict.err);
    folder.pleach(&["sweep", "plan.toml"]).exits(0);
}
