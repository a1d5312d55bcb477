//! Trees whose files belong together.

use crate::folder::Folder;
use std::fs;
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
    let ran = folder.pleach(&["build", ".", "-o", "t.plc"]).exits(1);
    assert!(ran.err.contains("E0407") && ran.err.contains("the trees are T, U"), "{}", ran.err);
    folder.pleach(&["check", ".", "--entry=U"]).exits(0);
    // All of them are checked, not only one.
    assert_eq!(folder.pleach(&["check", "."]).exits(0).err, "1 file: no problems\n");
    folder.file("c/wrong.xml", "<SelectionTree name='V' type='t'><Leef name='Y'/></SelectionTree>");
    folder.file("d/wrong.xml", "<SelectionTree name='W' type='t'><Leaf/></SelectionTree>");
    let ran = folder.pleach(&["check", "."]).exits(1);
    assert!(ran.err.contains("there is no node `Leef`") && ran.err.contains("d/wrong.xml:1:"), "{}", ran.err);
    fs::remove_dir_all(folder.0.join("c"))
        .and_then(|()| fs::remove_dir_all(folder.0.join("d")))
        .expect("folders");
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

#[test]
fn traces_tell_what_signals_change_and_which_transitions_are_followed() {
    let signals = ["2:OnDamage", "3:OnNestReached", "5:OnEnemySeen", "5:OnNoise"];
    let signals = signals.map(|signal| format!("--signal={signal}"));
    let mut args = vec!["trace", ".", "--entry=Alien", "--ticks=5", "--agents=3"];
    args.extend(signals.iter().map(String::as_str));
    let ran = examples().pleach(&args).exits(0);
    let ticks: Vec<&str> = ran.out.split("\ntick ").skip(1).collect();
    let tells = |tick: usize, lines: &[&str]| {
        let mut told = ticks[tick - 1].lines().map(str::trim_start);
        for line in lines {
            assert!(
                told.any(|told| told.starts_with(line)),
                "{line:?} is not there in time: {}",
                ticks[tick - 1]
            );
        }
    };
    tells(1, &["selects  ", "condition Hurt  ", "condition SeesEnemy  ", "Leaf AlienIdle() [fresh]  "]);
    tells(
        2,
        &[
            "! OnDamage sets Hurt = true",
            "condition Hurt  ",
            "StateMachine Flight  ",
            "transition AtNest is false",
            "State Away  ",
            "Leaf AlienFlee() [fresh]  ",
        ],
    );
    tells(
        3,
        &[
            "! OnNestReached sets AtNest = true",
            "transition AtNest is true, to State Nest",
            "transition !AtNest or SeesEnemy is false",
            "Leaf AlienHeal() [fresh]  ",
        ],
    );
    tells(4, &["selects nothing new: no variable has changed  "]);
    assert!(!ticks[3].contains("Leaf") && !ticks[3].contains('!'), "{}", ticks[3]);
    tells(
        5,
        &[
            "! OnEnemySeen sets HeardSomething = true, SeesEnemy = true",
            "! OnNoise sets nothing",
            "transition !AtNest or SeesEnemy is true, to State Away",
            "transition AtNest is true, to State Nest",
            "Leaf AlienHeal  ",
        ],
    );
}

#[test]
fn signals_must_be_heard_by_a_tree() {
    let trace =
        |signal: &str| examples().pleach(&["trace", ".", "--entry=Grunt", "--signal", signal]).exits(2);
    let unknown = trace("1:OnEnemySeem").err;
    assert!(unknown.contains("`OnEnemySeem`; did you mean `OnEnemySeen`?"), "{unknown}");
    for wrong in ["OnEnemySeen", "0:OnEnemySeen", "x:OnEnemySeen", ":", "99999999999:OnEnemySeen"] {
        assert!(trace(wrong).err.contains("--signal <TICK:NAME>"), "{wrong}");
    }
}
