//! Values of entries and ports.

use super::{file, load, with};

/// A node that writes an entity, and a node that reads it.
const ENTITIES: &str = "<TreeNodesModel><Action ID='Find'><output_port name='it' type='Pose'/></Action>\
    <Action ID='Go'><input_port name='to' type='Pose'/></Action></TreeNodesModel>";

/// Compiles a node behind a node that writes an entity to `e`.
fn with_entity(node: &str) -> String {
    load(&file(&format!("<Sequence><Find it='{{e}}'/>{node}</Sequence>"), ENTITIES))
}

#[test]
fn entities_are_copied_and_read() {
    assert_eq!(with_entity("<Go to='{e}'/>"), "");
    assert_eq!(with_entity("<Sequence><Script code='f := e'/><Go to='{f}'/></Sequence>"), "");
    assert_eq!(with_entity("<Sequence><Script code='f := (g := e)'/><Go to='{f}'/></Sequence>"), "");
    assert_eq!(with_entity("<SetBlackboard value='{e}' output_key='f'/>"), "");
}

#[test]
fn entities_are_no_numbers() {
    // The tick ends with a fault, as in the library.
    for script in
        ["x := e + 1", "x := -e", "x := e == e", "e &lt; 1", "e", "e &amp;&amp; true", "x := 'a' &lt; e"]
    {
        assert_eq!(with_entity(&format!("<ScriptCondition code=\"{script}\"/>")), "", "{script}");
    }
    let chosen = with_entity("<Script code='f := true ? e : e'/>");
    assert!(chosen.starts_with("E0763 "), "{chosen}");
    let written = with("entry e: entity", &file("<Script code='e = 1'/>", ""));
    assert!(written.starts_with("E0763 "), "{written}");
}

#[test]
fn ports_read_entries_of_other_types() {
    let manifest = "action Int(v: int) sync\naction Long(v: int64) sync\naction Real(v: double) sync\n\
        action Single(v: float) sync\naction Truth(v: bool) sync\naction Who(v: entity) sync\n\
        entry int: int\nentry long: int64\nentry real: double\nentry truth: bool\nentry who: entity";
    for node in ["Int", "Long", "Real", "Single", "Truth", "Who"] {
        for entry in ["int", "long", "real", "truth", "who"] {
            let text = file(&format!("<{node} v='{{{entry}}}'/>"), "");
            let copied = format!("<Sequence><Script code='c := {entry}'/><{node} v='{{c}}'/></Sequence>");
            assert_eq!(with(manifest, &text), "", "{node} {entry}");
            let found = with(manifest, &file(&copied, ""));
            assert_eq!(found, "", "{node} {entry}");
        }
    }
}
