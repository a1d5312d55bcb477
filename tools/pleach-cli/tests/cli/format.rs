//! Files in one form.

use crate::folder::Folder;
use std::fs;

const UGLY: &str = "tree a{sequence\n{wait 2s // short\n }}";
const FORM: &str = "tree a\n{\n\tsequence\n\t{\n\t\twait 2 s // short\n\t}\n}\n";

#[test]
fn files_are_formatted_once() {
    let folder = Folder::new("formatted");
    folder.file("a.pleach", UGLY).file("b.pleach", FORM);
    let err = folder.pleach(&["fmt", "--check", "a.pleach", "b.pleach"]).exits(1).err;
    assert_eq!(err, "a.pleach: not formatted\n");
    let read = |name: &str| fs::read_to_string(folder.0.join(name)).expect("a file");
    assert_eq!(read("a.pleach"), UGLY);
    assert_eq!(folder.pleach(&["fmt", "a.pleach", "b.pleach"]).exits(0).err, "a.pleach: formatted\n");
    assert_eq!((read("a.pleach"), read("b.pleach")), (FORM.to_owned(), FORM.to_owned()));
    assert_eq!(folder.pleach(&["fmt", "a.pleach", "b.pleach"]).exits(0).err, "");
    folder.pleach(&["fmt", "--check", "a.pleach", "b.pleach"]).exits(0);
}

#[test]
fn files_with_errors_are_left_alone() {
    let folder = Folder::new("unformatted");
    for bad in ["tree a{ jump }", "tree a{", "tree a { action b } \"", "tree a{\u{e4}}"] {
        folder.file("bad.pleach", bad).file("good.pleach", UGLY);
        let ran = folder.pleach(&["fmt", "bad.pleach", "good.pleach"]).exits(1);
        assert!(ran.err.contains("bad.pleach:1:"), "{}", ran.err);
        assert_eq!(fs::read_to_string(folder.0.join("bad.pleach")).expect("a file"), bad);
        assert_eq!(fs::read_to_string(folder.0.join("good.pleach")).expect("a file"), FORM);
        folder.pleach(&["fmt", "--check", "bad.pleach"]).exits(1);
    }
    let ran = folder.pleach(&["fmt", "no.pleach", "good.pleach"]).exits(2);
    assert!(ran.err.contains("cannot read no.pleach"), "{}", ran.err);
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = Folder::new("piped");
    let args = ["fmt", "-", "--dialect", "pleach"];
    assert_eq!(folder.fed(&args, UGLY.as_bytes()).exits(0).out, FORM);
    assert_eq!(folder.fed(&[&args[..], &["--check"]].concat(), UGLY.as_bytes()).exits(1).out, "");
    folder.fed(&[&args[..], &["--check"]].concat(), FORM.as_bytes()).exits(0);
    assert_eq!(folder.fed(&args, b"tree").exits(1).out, "");
    assert_eq!(folder.fed(&["fmt", "-"], UGLY.as_bytes()).exits(0).out, FORM);
}

#[test]
fn old_words_are_upgraded() {
    let old = "action a()\nquery q: bool\ntree t { condition q { action a } }\n";
    let folder = Folder::new("upgraded");
    folder.file("old.pleach", old);
    let text = || fs::read_to_string(folder.0.join("old.pleach")).expect("a file");
    let err = folder.pleach(&["fmt", "old.pleach"]).exits(1).err;
    assert!(err.contains("E0623") && err.contains("pleach fmt --upgrade"), "{err}");
    assert_eq!(text(), old);
    folder.pleach(&["fmt", "--upgrade", "--check", "old.pleach"]).exits(1);
    folder.pleach(&["fmt", "--upgrade", "old.pleach"]).exits(0);
    assert_eq!(text(), old.replace("condition", "if"));
    folder.pleach(&["check", "old.pleach"]).exits(0);
}

#[test]
fn other_dialects_have_no_form() {
    let folder = Folder::new("no_form");
    folder.file("a.bt", "action roam()\n");
    assert!(folder.pleach(&["fmt", "a.bt"]).exits(2).err.contains("unvanquished"));
}
