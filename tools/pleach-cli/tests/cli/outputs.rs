//! Files that are written, and files that are never lost by it.

use crate::folder::{Folder, Ran};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

const TREE: &str = "action roam()\n";
const UGLY: &str = "tree a{sequence\n{wait 2s // short\n }}";
const FORM: &str = "tree a\n{\n\tsequence\n\t{\n\t\twait 2 s // short\n\t}\n}\n";

fn trees(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("a.bt", TREE).file("b.bt", TREE).file("empty", "");
    folder.file("a.pleach", "tree a { success }");
    folder
}

fn read(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.0.join(name)).expect("a file")
}

/// Returns the names of all files in a folder.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(&folder.0).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("a file").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// Every command that writes a file, with `OUT` where it is named.
const WRITERS: &[&[&str]] = &[
    &["build", "a.bt", "-o", "OUT"],
    &["run", "a.bt", "--agents=2", "--ticks=2", "--record", "OUT"],
    &["bindgen", "a.bt", "--lang", "rust", "-o", "OUT"],
    &["bindgen", "a.bt", "--lang", "c", "-o", "OUT"],
    &["bindgen", "a.bt", "--lang", "xml", "-o", "OUT"],
    &["convert", "a.pleach", "--to", "btcpp", "-o", "OUT"],
    &["test", "a.test", "--junit", "OUT"],
    &["view", "a.rec", "--export", "OUT"],
];

fn writes(folder: &Folder, writer: &[&str], out: &str, force: bool) -> Ran {
    let args = writer.iter().map(|arg| if *arg == "OUT" { out } else { arg });
    folder.pleach(&args.chain(force.then_some("--force")).collect::<Vec<_>>())
}

#[test]
fn a_missing_folder_is_named() {
    let folder = trees("outputs_folder");
    folder.file("a.test", "tree a.bt\ntest one\n\taction roam = success\n\ttick\n");
    folder.pleach(&["run", "a.bt", "--agents=2", "--ticks=2", "--record", "a.rec"]).exits(0);
    for writer in WRITERS {
        let ran = writes(&folder, writer, "assets/out", false).exits(2);
        assert!(ran.err.contains("cannot write assets/out: there is no folder assets"), "{}", ran.err);
    }
}

#[test]
fn nothing_else_is_overwritten() {
    let folder = trees("outputs_kept");
    folder.file("a.test", "tree a.bt\ntest one\n\taction roam = success\n\ttick\n");
    folder.pleach(&["run", "a.bt", "--agents=2", "--ticks=2", "--record", "a.rec"]).exits(0);
    folder.file("picture.png", b"\x89PNG\r\n\x1a\nno image of ours");
    for writer in WRITERS {
        let input = writer[1];
        for (out, why) in
            [(input, "one of the inputs"), ("picture.png", "there, and no "), ("b.bt", "there, and no ")]
        {
            let before = read(&folder, out);
            let ran = writes(&folder, writer, out, false).exits(2);
            assert!(ran.err.contains(&format!("cannot write {out}: it is {why}")), "{writer:?}: {}", ran.err);
            assert!(ran.err.contains("--force"), "{}", ran.err);
            assert!(read(&folder, out) == before, "{writer:?} has changed {out}");
        }
        // A file that the command has written before is replaced, and so are an empty file
        // and a file that may be lost.
        for (out, force) in [("new", false), ("new", false), ("empty", false), ("b.bt", true)] {
            writes(&folder, writer, out, force).exits(0);
        }
        fs::remove_file(folder.0.join("new")).expect("a file");
        folder.file("empty", "").file("b.bt", TREE);
    }
}

/// An input is recognized by its content, whatever its name.
#[test]
fn inputs_are_known_by_any_name() {
    let folder = trees("outputs_names");
    folder.file("sub/x", "").file("game.manifest", "action go\n");
    fs::hard_link(folder.0.join("a.bt"), folder.0.join("hard")).expect("a link");
    symlink("a.bt", folder.0.join("soft")).expect("a link");
    for out in ["./a.bt", "sub/../a.bt", "hard", "soft"] {
        let ran = folder.pleach(&["build", "b.bt", "a.bt", "-o", out]).exits(2);
        assert!(ran.err.contains("one of the inputs"), "{out}: {}", ran.err);
    }
    folder.file("c.bt", "#include \"bots/d.bt\"\n").file("bots/d.bt", "action roam()\n");
    for (args, out) in [
        (&["build", "a.bt", "--manifest", "game.manifest"][..], "game.manifest"),
        (&["build", "b.bt", "b.bt"], "b.bt"),
    ] {
        let before = read(&folder, out);
        folder.pleach(&[args, &["-o", out]].concat());
        assert!(read(&folder, out) == before, "{out}");
    }
    // A pattern of the shell that was meant for sources.
    folder.pleach(&["build", "-o", "a.bt", "b.bt"]).exits(2);
    assert_eq!(read(&folder, "a.bt"), TREE.as_bytes());
}

#[test]
fn formatting_keeps_mode_and_owner() {
    let folder = Folder::new("outputs_mode");
    folder.file("a.pleach", UGLY);
    let path = folder.0.join("a.pleach");
    for mode in [0o600, 0o640, 0o755] {
        fs::write(&path, UGLY).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
        folder.pleach(&["fmt", "a.pleach"]).exits(0);
        assert_eq!(path.metadata().expect("a file").mode() & 0o7777, mode);
        assert_eq!(read(&folder, "a.pleach"), FORM.as_bytes());
    }
    fs::write(&path, UGLY).expect("a file");
    match chown(&path, Some(1234), Some(2345)) {
        Ok(()) => {
            folder.pleach(&["fmt", "a.pleach"]).exits(0);
            let file = path.metadata().expect("a file");
            assert_eq!((file.uid(), file.gid()), (1234, 2345));
        }
        Err(_) => eprintln!("skipped: only root can give files away"),
    }
}

#[test]
fn read_only_files_stay() {
    let folder = trees("outputs_read_only");
    folder.file("a.pleach", UGLY).pleach(&["build", "a.bt", "-o", "a.plc"]).exits(0);
    for (name, args) in [("a.pleach", &["fmt", "a.pleach"][..]), ("a.plc", &["build", "b.bt", "-o", "a.plc"])]
    {
        let before = read(&folder, name);
        fs::set_permissions(folder.0.join(name), fs::Permissions::from_mode(0o444)).expect("a mode");
        let ran = folder.pleach(args).exits(2);
        assert!(ran.err.contains(&format!("cannot write {name}: it is read-only")), "{}", ran.err);
        assert!(read(&folder, name) == before);
    }
}

#[test]
fn links_stay() {
    let folder = Folder::new("outputs_links");
    folder.file("sub/a.pleach", UGLY).file("b.pleach", UGLY);
    symlink("sub/a.pleach", folder.0.join("link.pleach")).expect("a link");
    symlink("nowhere", folder.0.join("dangling")).expect("a link");
    fs::hard_link(folder.0.join("b.pleach"), folder.0.join("c.pleach")).expect("a link");
    assert_eq!(folder.pleach(&["fmt", "link.pleach"]).exits(0).err, "link.pleach: formatted\n");
    assert!(folder.0.join("link.pleach").is_symlink());
    assert_eq!(read(&folder, "sub/a.pleach"), FORM.as_bytes());
    let ran = folder.pleach(&["fmt", "b.pleach"]).exits(0);
    assert_eq!(ran.err, "b.pleach: formatted; 1 other name of the file still has the old text\n");
    assert_eq!((read(&folder, "b.pleach"), read(&folder, "c.pleach")), (FORM.into(), UGLY.into()));
    let ran = folder.pleach(&["bindgen", "b.pleach", "--lang", "c", "-o", "dangling"]).exits(2);
    assert!(ran.err.contains("it is a symbolic link without a target"), "{}", ran.err);
}

#[test]
fn long_names_are_no_problem() {
    let folder = Folder::new("outputs_long");
    let name = format!("{}.pleach", "a".repeat(248));
    folder.file(&name, UGLY).pleach(&["fmt", &name]).exits(0);
    assert_eq!(read(&folder, &name), FORM.as_bytes());
    assert_eq!(names(&folder), [name]);
}

/// Runs a command that may write one block of 1,024 bytes at most.
fn cramped(folder: &Folder, ignored: &str, args: &str) -> std::process::Output {
    let script = format!("{ignored} ulimit -f 1; exec {} {args}", env!("CARGO_BIN_EXE_pleach"));
    let mut command = std::process::Command::new("bash");
    command.args(["-c", &script]).current_dir(&folder.0).output().expect("bash")
}

#[test]
fn nothing_is_left_over() {
    let folder = Folder::new("outputs_left");
    let large = format!("tree a{{sequence{{{}}}}}", "wait 2s ".repeat(400));
    folder.file("large.pleach", &large).file("small.pleach", UGLY);
    // Without room, the command says so and cleans up.
    let out = cramped(&folder, "trap '' XFSZ;", "fmt large.pleach");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("cannot write large.pleach: "));
    assert_eq!(names(&folder), ["large.pleach", "small.pleach"]);
    // Killed in the middle, it cannot; the next command that writes here does.
    let out = cramped(&folder, "", "fmt large.pleach");
    assert_eq!(out.status.code(), None);
    assert_eq!(names(&folder).len(), 3, "{:?}", names(&folder));
    assert_eq!(read(&folder, "large.pleach"), large.as_bytes());
    folder.pleach(&["fmt", "small.pleach"]).exits(0);
    assert_eq!(names(&folder), ["large.pleach", "small.pleach"]);
}

#[test]
fn recordings_are_read_from_files_alone() {
    let folder = Folder::new("outputs_devices");
    let made = std::process::Command::new("mkfifo").arg(folder.0.join("pipe")).status().expect("mkfifo");
    assert!(made.success());
    for path in ["/dev/zero", "pipe", "."] {
        for args in [&["replay", path][..], &["view", path, "--export", "a.html"]] {
            let ran = folder.pleach(args).exits(2);
            assert!(ran.err.contains("it is not a "), "{args:?}: {}", ran.err);
        }
    }
}
