//! Building images, and using them.

use crate::folder::Folder;
use std::fs;

fn bots(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file(
        "bots/a.bt",
        "selector\n{\n\tcondition team == TEAM_ALIENS { action roam() }\n\tbehavior b\n}\n",
    );
    folder.file("bots/b.bt", "#define GO action fight()\nselector { GO action roam() }\n");
    folder
}

#[test]
fn images_are_built_and_told_by_their_content() {
    let folder = bots("built");
    let ran = folder.pleach(&["build", "bots/a.bt", "bots/b.bt", "-o", "out.bt"]).exits(0);
    assert!(ran.err.starts_with("out.bt: 2 entries, "), "{}", ran.err);
    let ran = folder.pleach(&["list", "out.bt", "-I", "bots"]).exits(0);
    for text in ["entry a = ", "entry b = ", "fight()", "a.bt:3  | condition team == TEAM_ALIENS"] {
        assert!(ran.out.contains(text), "{text} in {}", ran.out);
    }
    assert!(folder.pleach(&["run", "out.bt", "--entry", "b", "--ticks=3"]).exits(0).out.contains("tree `b`"));
    assert!(folder.pleach(&["trace", "out.bt", "--entry", "x"]).exits(2).err.contains("it has `a`, `b`"));
}

#[test]
fn images_do_not_depend_on_where_they_are_built() {
    let folder = bots("where");
    folder.pleach(&["build", "bots/a.bt", "-o", "1.plc"]).exits(0);
    let inside = Folder(folder.0.join("bots"));
    inside.pleach(&["build", "a.bt", "-o", "../2.plc"]).exits(0);
    let absolute = folder.0.join("bots/a.bt").display().to_string();
    folder.pleach(&["build", &absolute, "-o", "3.plc"]).exits(0);
    let image = |name: &str| fs::read(folder.0.join(name)).expect("an image");
    assert!(image("1.plc") == image("2.plc") && image("2.plc") == image("3.plc"));
}

#[test]
fn errors_leave_the_old_image() {
    let folder = bots("old");
    folder.file("bad.bt", "action nothing()\n");
    folder.pleach(&["build", "bots/b.bt", "-o", "out.plc"]).exits(0);
    let old = fs::read(folder.0.join("out.plc")).expect("a file");
    folder.pleach(&["build", "bad.bt", "-o", "out.plc"]).exits(1);
    assert!(fs::read(folder.0.join("out.plc")).expect("a file") == old);
    folder.pleach(&["build", "bots/a.bt", "-o", "nowhere/out.plc"]).exits(2);
    folder.pleach(&["build", "bots/a.bt", "-o", "bots"]).exits(2);
    folder.pleach(&["build", "bots/a.bt", "-o", "out.plc"]).exits(0);
    let mut left: Vec<_> =
        fs::read_dir(&folder.0).expect("a folder").map(|it| it.expect("a file").file_name()).collect();
    left.sort();
    assert_eq!(left, ["bad.bt", "bots", "out.plc"]);
}

#[test]
fn two_files_are_no_one_entry() {
    let folder = bots("twice");
    folder.file("a.bt", "action roam()\n");
    assert!(
        folder.pleach(&["build", "a.bt", "bots/a.bt", "-o", "o.plc"]).exits(2).err.contains("called `a`")
    );
}

#[test]
fn damaged_images_are_refused() {
    let folder = bots("damaged");
    folder.pleach(&["build", "bots/a.bt", "-o", "o.plc"]).exits(0);
    let mut bytes = fs::read(folder.0.join("o.plc")).expect("an image");
    bytes[100] ^= 1;
    folder.file("o.plc", bytes);
    for command in ["list", "run", "trace"] {
        assert!(folder.pleach(&[command, "o.plc"]).exits(2).err.contains("cannot load o.plc: V"));
    }
}

#[test]
fn other_files_are_no_images() {
    let folder = bots("no_image");
    folder.file("o.plc", b"\x7fELF\x02\x01\x01");
    for command in ["list", "run", "trace", "graph", "view"] {
        let ran = folder.pleach(&[command, "o.plc"]).exits(2);
        assert!(ran.err.starts_with("pleach: cannot use o.plc: it is not an image of Pleach"), "{}", ran.err);
    }
}
