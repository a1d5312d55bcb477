//! Trees in the format of another library, and models of nodes for its editor.

use crate::folder::Folder;

const TREE: &str = "action walk(to: int)\nquery sees(): bool\nvar post: int = 2\n\
    tree guard { while !sees() { sequence { action walk(post) use rest } } }\n\
    tree rest { wait 2 s }\ntree other { success }\n";

#[test]
fn trees_run_as_before() {
    let folder = Folder::new("convert_run");
    folder.file("guard.pleach", TREE);
    let ran = folder.pleach(&["convert", "guard.pleach", "--to", "btcpp", "-o", "guard.xml"]).exits(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
    let xml = folder.text("guard.xml");
    assert!(xml.contains("<walk to=\"{post}\"/>") && xml.contains("<SubTree ID=\"rest\""), "{xml}");
    let manifest = "action walk(to: int)\naction sees() condition\n";
    folder.file("game.manifest", manifest);
    let run = ["run", "guard.xml", "--manifest=game.manifest", "--agents=3", "--ticks=50"];
    folder.pleach(&run).exits(0);
    // What the command has written may be replaced; another file stays.
    folder.pleach(&["convert", "guard.pleach", "--to", "btcpp", "-o", "guard.xml"]).exits(0);
    let kept = folder.pleach(&["convert", "guard.pleach", "--to", "btcpp", "-o", "game.manifest"]).exits(2);
    assert!(kept.err.contains("no output of `pleach convert`"), "{}", kept.err);
}

#[test]
fn the_tree_that_is_asked_for_is_the_main_one() {
    let folder = Folder::new("convert_entry");
    folder.file("guard.pleach", TREE);
    let convert = |entry: &str| {
        let entry = format!("--entry={entry}");
        folder.pleach(&["convert", "guard.pleach", "--to", "btcpp", &entry])
    };
    let ran = convert("other").exits(0);
    assert!(ran.out.contains("main_tree_to_execute=\"other\""), "{}", ran.out);
    let ran = convert("missing").exits(1);
    assert!(ran.err.contains("no tree `missing`"), "{}", ran.err);
}

#[test]
fn what_the_format_has_not_is_told() {
    let folder = Folder::new("convert_refused");
    folder.file("a.pleach", "tree a {\n cooldown 1 s { success } }\n");
    let ran = folder.pleach(&["convert", "a.pleach", "--to", "btcpp", "-o", "a.xml"]).exits(1);
    assert!(ran.err.contains("E0764") && ran.err.contains("a.pleach:2"), "{}", ran.err);
    assert!(!folder.0.join("a.xml").exists());
    let near = "action go()\nvar b: bool\ntree b { reactive selector { while b { action go } action go } }\n";
    folder.file("b.pleach", near);
    let ran = folder.pleach(&["convert", "b.pleach", "--to", "btcpp"]).exits(1);
    assert!(ran.err.contains("--approximate"), "{}", ran.err);
    let ran = folder.pleach(&["convert", "b.pleach", "--to", "btcpp", "--approximate"]).exits(0);
    assert!(ran.err.contains("W0764") && ran.out.contains("<ReactiveFallback>"), "{}", ran.err);
}

/// Findings for programs and trees do not share standard output.
#[test]
fn findings_for_programs_need_a_file_for_the_trees() {
    let folder = Folder::new("convert_json");
    folder.file("a.pleach", "var i: int\ntree a { set i += 1 }\n");
    for format in ["json", "junit", "sarif"] {
        let ran = folder.pleach(&["convert", "a.pleach", "--to", "btcpp", "--format", format]).exits(2);
        assert!(ran.err.contains("give --output") && ran.out.is_empty(), "{}{}", ran.err, ran.out);
    }
    let ran = ["convert", "a.pleach", "--to", "btcpp", "--format", "json", "-o", "a.xml"];
    let ran = folder.pleach(&ran).exits(0);
    assert!(
        ran.out.starts_with('{') && ran.out.contains("W0764") && !ran.out.contains("<root"),
        "{}",
        ran.out
    );
    assert!(folder.text("a.xml").contains("<root"));
}

#[test]
fn models_are_manifests() {
    let folder = Folder::new("convert_models");
    folder.file("guard.pleach", TREE);
    folder.pleach(&["bindgen", "guard.pleach", "--lang", "xml", "-o", "nodes.xml"]).exits(0);
    let models = folder.text("nodes.xml");
    assert!(
        models.contains("<Action ID=\"walk\">") && models.contains("<Condition ID=\"sees\"/>"),
        "{models}"
    );
    folder.pleach(&["convert", "guard.pleach", "--to", "btcpp", "-o", "guard.xml"]).exits(0);
    folder.pleach(&["check", "guard.xml", "--manifest=nodes.xml"]).exits(0);
}
