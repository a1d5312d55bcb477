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
