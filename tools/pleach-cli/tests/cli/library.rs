//! Places where trees and included files are searched for.

use crate::folder::Folder;

#[test]
fn trees_stand_beside_or_in_given_folders() {
    let folder = Folder::new("beside");
    folder.file("bots/a.bt", "selector { behavior b behavior c }\n").file("bots/b.bt", "action roam()\n");
    folder.file("shared/c.bt", "action fight()\n");
    assert!(folder.pleach(&["check", "bots/a.bt"]).exits(1).err.contains("`c`"));
    folder.pleach(&["check", "bots/a.bt", "-I", "shared"]).exits(0);
    assert!(folder.pleach(&["check", "bots/a.bt", "-I", "nowhere"]).exits(2).err.contains("nowhere"));
}

#[test]
fn includes_may_start_above() {
    let folder = Folder::new("above");
    folder.file("bots/m.h", "#define GO action roam()\n");
    folder.file("bots/a.bt", "#include \"bots/m.h\"\nselector { GO }\n");
    folder.file("bots/b.bt", "#include \"m.h\"\nselector { GO }\n");
    folder.pleach(&["check", "bots/a.bt", "bots/b.bt"]).exits(0);
}

#[test]
fn nothing_leads_out_of_the_folders() {
    let folder = Folder::new("out");
    let secret = folder.0.join("secret.bt");
    folder.file("secret.bt", "action roam()\n");
    let absolute = secret.with_extension("").display().to_string();
    folder.file("game/bots/a.bt", "behavior \"../../secret\"\n");
    folder.file("game/bots/b.bt", format!("behavior \"{absolute}\"\n"));
    folder.file("game/bots/c.bt", "#include \"../../secret.bt\"\n");
    folder.file("game/bots/d.bt", "behavior link\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, folder.0.join("game/bots/link.bt")).expect("a link");
    for tree in ["a", "b", "c", "d"] {
        folder.pleach(&["check", &format!("game/bots/{tree}.bt")]).exits(1);
    }
    // A file that the user names may be anywhere.
    folder.pleach(&["check", "game/bots/d.bt", "secret.bt", "game/bots/link.bt"]).exits(1);
    folder.pleach(&["check", "secret.bt", "game/bots/link.bt"]).exits(0);
}

#[test]
fn standard_input_is_a_tree() {
    let folder = Folder::new("stdin");
    folder.file("b.bt", "action roam()\n");
    let args = ["check", "-", "--dialect", "unvanquished"];
    folder.fed(&args, b"behavior b\n").exits(0);
    assert!(folder.fed(&args, b"action nothing()\n").exits(1).err.contains("<stdin>:1:8"));
    assert!(folder.fed(&["check", "-"], b"action roam()\n").exits(2).err.contains("--dialect"));
    let ran = folder.fed(&["run", "-", "--dialect=unvanquished", "--ticks=2"], b"action roam()\n").exits(0);
    assert!(ran.out.starts_with("<stdin>: tree `stdin`"), "{}", ran.out);
}

#[test]
fn another_tree_may_be_the_entry() {
    let folder = Folder::new("entry");
    folder.file("a.bt", "action roam()\n").file("b.bt", "action fight()\n");
    let ran = folder.pleach(&["list", "a.bt", "--entry", "b"]).exits(0);
    assert!(ran.out.contains("entry b = block 0") && ran.out.contains("fight()"), "{}", ran.out);
    assert!(folder.pleach(&["check", "a.bt", "b.bt", "--entry", "b"]).exits(2).err.contains("--entry"));
}

#[test]
fn a_folder_of_files_that_are_named_one_by_one_is_refused_with_advice() {
    let folder = Folder::new("folder_of_trees");
    folder.file("trees/guard.pleach", "tree guard { success }\n");
    let err = folder.pleach(&["check", "trees"]).exits(2).err;
    assert!(err.contains("dialect `bst`") && err.ends_with("name files instead\n"), "{err}");
}
