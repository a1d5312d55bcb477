//! Trees whose files belong together.

use crate::folder::Folder;
use std::path::Path;

fn examples() -> Folder {
    Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/examples/bst"))
}

#[test]
fn examples_are_right() {
    let ran = examples().pleach(&["check", "--manifest=game.manifest", "grunt.xml", "alien.xml"]);
    assert_eq!(ran.exits(0).err, "2 files: no problems\n");
}

#[test]
fn a_folder_is_read_as_a_whole() {
    let folder = Folder::new("whole-folder");
    folder.file("b/trees.xml", "<SelectionTree name='T' type='t'><Ref name='B'/></SelectionTree>");
    folder.file("a/blocks.xml", "<Blocks><Block name='B'><Leaf name='X'/></Block></Blocks>");
    let built = folder.pleach(&["build", ".", "-o", "t.plc"]).exits(0);
    assert!(built.out.is_empty() && folder.0.join("t.plc").is_file(), "{}", built.err);
    folder.file("b/more.xml", "<SelectionTree name='U' type='t'><Leaf name='Y'/></SelectionTree>");
    let ran = folder.pleach(&["check", "."]).exits(1);
    assert!(ran.err.contains("E0407") && ran.err.contains("the trees are T, U"), "{}", ran.err);
    folder.pleach(&["check", ".", "--entry=U"]).exits(0);
    folder.pleach(&["check", ".", "--entry=U", "--dialect=mbt"]).exits(2);
}

#[test]
fn what_the_engine_forgives_is_forgiven_leniently() {
    let folder = Folder::new("lenient");
    folder.file("t.xml", "<SelectionTree name='t' type='t'><Leaf name='X'/><Leaf name='Y'/></SelectionTree>");
    let strict = folder.pleach(&["check", "t.xml"]).exits(1);
    assert!(strict.err.contains("E0754"), "{}", strict.err);
    let lenient = folder.pleach(&["check", "t.xml", "--lenient"]).exits(0);
    assert!(lenient.err.contains("W0771"), "{}", lenient.err);
}

#[test]
fn traces_tell_why_a_leaf_is_selected() {
    let ran = examples().pleach(&["trace", ".", "--entry=Grunt", "--ticks=60", "--agents=1"]).exits(0);
    for part in [
        "  ! OnEnemySeen sets HeardSomething = true, SeesEnemy = true\n",
        "  ! host sets ",
        "condition SeesEnemy ",
        "Leaf GruntAttack() [fresh] ",
        "Leaf GruntIdle() [fresh] ",
    ] {
        assert!(ran.out.contains(part), "{part:?} in {}", ran.out);
    }
    let run = examples().pleach(&["run", ".", "--entry=Alien", "--agents=20", "--ticks=50"]).exits(0);
    assert!(run.out.contains("AlienFlee"), "{}", run.out);
}
