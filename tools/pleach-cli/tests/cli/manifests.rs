//! Manifests that add up, and manifests to begin with.

use crate::folder::Folder;

/// A tree that uses one action of the game, and two that only manifests declare.
const TREE: &str = "selector { action dance( 3 ) action sing( 1 ) action roam() }\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("a.bt", TREE);
    folder
        .file("dance.manifest", "action dance(style: int)\n")
        .file("sing.manifest", "action sing(pitch: int)\n");
    folder
}

#[test]
fn manifests_add_up() {
    let folder = folder("manifests_sum");
    let dance = ["check", "a.bt", "--manifest", "dance.manifest"];
    let ran = folder.pleach(&dance).exits(1);
    assert!(ran.err.contains("`sing`") && ran.err.ends_with("1 file: 1 error\n"), "{}", ran.err);
    let both = [&dance[..], &["--manifest", "sing.manifest"]].concat();
    assert_eq!(folder.pleach(&both).exits(0).err, "1 file: no problems\n");
    // The dialect's own manifest can be left out; then `roam` is not known.
    let ran = folder.pleach(&[&both[..], &["--no-manifest"]].concat()).exits(1);
    assert!(ran.err.contains("`roam`") && ran.err.ends_with("1 file: 1 error\n"), "{}", ran.err);
}

#[test]
fn the_later_manifest_counts_and_tells() {
    let folder = folder("manifests_later");
    folder.file("later.manifest", "action sing(pitch: int)\naction dance()\n");
    let later = ["check", "a.bt", "--manifest", "dance.manifest", "--manifest", "later.manifest"];
    let ran = folder.pleach(&later).exits(0);
    for part in ["W0779", "later.manifest:2:1", "dance.manifest:1:1", "`dance` takes no arguments"] {
        assert!(ran.err.contains(part), "{part} in {}", ran.err);
    }
    let sooner = ["check", "a.bt", "--manifest", "later.manifest", "--manifest", "dance.manifest"];
    assert!(folder.pleach(&sooner).exits(0).err.ends_with("\n2 files: 1 warning\n"));
}

#[test]
fn a_manifest_with_errors_is_told_alone() {
    let folder = folder("manifests_wrong");
    folder.file("wrong.manifest", "action one\naction\n");
    for command in [&["check", "a.bt"][..], &["build", "a.bt", "-o", "a.plc"], &["run", "a.bt"]] {
        let ran = folder.pleach(&[command, &["--manifest", "wrong.manifest"]].concat()).exits(1);
        assert!(ran.err.contains("wrong.manifest:2:1") && !ran.err.contains("`dance`"), "{}", ran.err);
    }
}

/// A starter declares all that the trees lacked.
#[test]
fn a_starter_makes_trees_right() {
    let folder = folder("manifests_starter");
    folder.file("b.bt", "action dance( 4 )\n");
    let starter = folder.pleach(&["manifest", "a.bt", "b.bt"]).exits(0).out;
    let names: Vec<_> = starter.lines().map(|line| line.split('(').next().unwrap_or_default()).collect();
    assert_eq!(names, ["action dance", "action sing"], "{starter}");
    assert!(starter.contains("# a.bt:1\n"), "{starter}");
    folder.file("game.manifest", &starter);
    folder.pleach(&["check", "a.bt", "b.bt", "--manifest", "game.manifest"]).exits(0);
    let rest = folder.pleach(&["manifest", "a.bt", "--manifest", "dance.manifest"]).exits(0).out;
    assert!(rest.starts_with("action sing(") && rest.lines().count() == 1, "{rest}");
    folder.file("bad.bt", "selector {\n");
    assert!(folder.pleach(&["manifest", "bad.bt"]).exits(1).err.contains("bad.bt:"));
}

/// Leaves of a game that was compiled elsewhere.
const GAME: &str = "action walk(post: int, pace: float)\naction find(out who: entity)\nquery seen(): bool\nvar e: entity\n\
    tree game { sequence { condition seen() action walk(3, 1.5) action find(e) } }\n";

#[test]
fn an_image_is_a_manifest() {
    let folder = Folder::new("manifests_image");
    folder.file("game.pleach", GAME);
    folder.pleach(&["build", "game.pleach", "-o", "game.plc"]).exits(0);
    let made = folder.pleach(&["manifest", "game.plc"]).exits(0).out;
    let expected = "action find(out value1: entity) # game.plc\naction walk(value1: int, value2: float) # game.plc\n\
        query seen() -> bool # game.plc\n";
    assert_eq!(made, expected);
    folder.file("find.manifest", "action find(out who: entity)\n");
    let rest = folder.pleach(&["manifest", "game.plc", "--manifest", "find.manifest"]).exits(0).out;
    assert_eq!(rest, expected.split_once('\n').expect("lines").1);
    // Trees without declarations of their own are compiled with the image.
    folder.file(
        "new.pleach",
        "var e: entity\ntree new { if seen() { sequence { action find(e) action walk(1, 2.0) } } }\n",
    );
    assert!(folder.pleach(&["check", "new.pleach"]).exits(1).err.contains("`seen` is not declared"));
    folder.pleach(&["check", "new.pleach", "--manifest", "game.plc"]).exits(0);
    folder.file("wrong.pleach", "tree wrong { action walk(true, 2.0) }\n");
    let ran = folder.pleach(&["check", "wrong.pleach", "--manifest", "game.plc"]).exits(1);
    assert!(ran.err.contains("`value1`"), "{}", ran.err);
    // So is a file with models.
    folder.file(
        "models.xml",
        "<root BTCPP_format=\"4\"><TreeNodesModel><Action ID=\"Rest\"/></TreeNodesModel></root>\n",
    );
    folder.file("both.pleach", "tree both { sequence { action Rest action walk(1, 2.0) } }\n");
    folder.pleach(&["check", "both.pleach", "--manifest", "models.xml", "--manifest", "game.plc"]).exits(0);
}

#[test]
fn a_damaged_image_is_no_manifest() {
    let folder = Folder::new("manifests_damaged");
    folder.file("game.pleach", GAME);
    folder.pleach(&["build", "game.pleach", "-o", "game.plc"]).exits(0);
    let mut image = std::fs::read(folder.0.join("game.plc")).expect("an image");
    image.pop();
    folder.file("game.plc", image);
    for command in [&["manifest", "game.plc"][..], &["check", "game.pleach", "--manifest", "game.plc"]] {
        let ran = folder.pleach(command).exits(2);
        assert!(ran.err.contains("cannot load game.plc: ") && ran.out.is_empty(), "{}", ran.err);
    }
}
