//! Declarations: scopes, order, files, manifests.

use super::{finds, load};

/// Checks that some files have these findings. The first file is the entry.
#[track_caller]
fn files(files: &[(&str, &str)], manifest: &str, codes: &[&str], parts: &[&str]) -> String {
    let bytes: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let outcome = load(&bytes, manifest);
    assert_eq!(outcome.codes, codes, "{}", outcome.findings);
    for part in parts {
        assert!(outcome.findings.contains(part), "{part}\n{}", outcome.findings);
    }
    outcome.file
}

#[test]
fn order_does_not_matter() {
    let text = "tree main { use other(A) } tree other(n: int) { condition x > n } var x: int = B const A = B + 1 const B = 2";
    assert_eq!(files(&[("main", text)], "", &[], &[]), "var x: I32 = 0x2\nmain: condition (x > 3)");
}

#[test]
fn names_of_different_kinds_do_not_meet() {
    let text = "action hit() var hit: bool on hit { set hit = true } tree hit { sequence { action hit condition hit \
                raise hit } }";
    files(&[("main", text)], "", &[], &[]);
}

#[test]
fn an_action_and_a_query_of_one_name_are_told() {
    let parts =
        ["`danger` is declared both as an action and as a query", "first declared here, as an action"];
    let text = "action danger() tree main { if danger { action danger } } query danger: bool";
    files(&[("main", text)], "", &["W0608"], &parts);
    let text = "query danger: bool action danger() tree main { if danger { action danger } }";
    files(&[("main", text)], "", &["W0608"], &["first declared here, as a query"]);
}

#[test]
fn names_are_not_missed_while_a_file_is_missing() {
    let uses =
        "tree main { sequence { condition near > 1 action go use walk raise hit set ammo = 1 other } }";
    files(&[("main", uses)], "", &["E0611", "E0611", "E0611", "E0611", "E0611", "E0401"], &[]);
    let text = format!("include \"lost.pleach\" {uses}");
    files(&[("main", &text)], "", &["E0619", "E0401"], &["there is no file `lost.pleach`"]);
    let lib = ("lib", "include \"lost.pleach\"");
    files(&[("main", &format!("include \"lib.pleach\" {uses}")), lib], "", &["E0619", "E0401"], &[]);
}

#[test]
fn what_is_never_used_is_told() {
    let text = "var kept: int var lost: int tree main { set kept = 1 } tree t(n: int) { condition n > kept }";
    let parts = ["1:19+4 the variable `lost` is never used", "the tree `t` is never used", "with `use`"];
    files(&[("main", text)], "", &["W0606", "W0605"], &parts);
    let lib = ("lib", text);
    files(&[("main", "include \"lib.pleach\" tree other { success }"), lib], "", &[], &[]);
}

#[test]
fn parameters_hide_other_names() {
    let text = "var x: int tree main { use t(5) } tree t(x: int) { condition x > now }";
    assert!(
        files(&[("main", text)], "", &["W0606"], &["the variable `x` is never used"])
            .ends_with("main: condition (5 > now)")
    );
}

#[test]
fn second_declarations_are_errors() {
    finds("var seen: int tree main { running }", &["E0609"], &["first declared here, as a variable"]);
    finds("const ammo = 1 tree main { running }", &["E0609"], &["as a variable"]);
    finds("query POST: int tree main { running }", &["E0609"], &["as a constant"]);
    finds("var min: int tree main { running }", &["E0609"], &["a function of the language"]);
    finds("tree main { running } tree main { running }", &["E0609"], &["as a tree"]);
    finds("tree main { running } tree t(a: int, a: int) { running }", &["E0609"], &["as a parameter"]);
}

#[test]
fn functions_may_be_declared_again_alike() {
    finds("action shoot tree main { running }", &[], &[]);
    finds("action shoot(at: int) tree main { running }", &["E0610"], &["first declared here"]);
    finds("query visible: int tree main { running }", &["E0610"], &["first declared here"]);
}

#[test]
fn manifests_declare_too() {
    let manifest = "action go(where: int, how: number?)\nquery far(p: int) -> float\nsymbol HOME = 7";
    let text = "tree main { sequence { action go(HOME) action go(HOME, 0.5) condition far(HOME) > 1 } }";
    let file = files(&[("main", text)], manifest, &[], &[]);
    assert_eq!(file, "main: sequence { action go(7); action go(7, 0.5); condition (float(far?(7)) > 1.0) }");
    files(&[("main", "tree main { action goo(1) }")], manifest, &["E0611"], &["did you mean `go`?"]);
    files(
        &[("main", "tree main { action go }")],
        manifest,
        &["E0405"],
        &["`go(where: int, how: int or float?)`"],
    );
    files(&[("main", "action go(a: int) tree main { running }")], manifest, &["E0610"], &["manifest"]);
    files(&[("main", "query far(a: int): float tree main { running }")], manifest, &[], &[]);
}

#[test]
fn files_are_included_once() {
    let lib = ("lib/a", "include \"b.pleach\" include \"lib/a.pleach\" var x: int tree shared { use deep }");
    let deep = ("lib/b", "include \"main.pleach\" tree deep { condition x > 0 }");
    let main = ("main", "include \"lib/a.pleach\" include \"lib/b.pleach\" tree main { use shared }");
    let file = files(&[main, lib, deep], "", &[], &[]);
    assert_eq!(file, "var x: I32 = 0x0\nmain: condition (x > 0)");
}

#[test]
fn findings_in_included_files_have_their_place() {
    let lib = ("lib", "tree shared { action nothing }");
    files(
        &[("main", "include \"lib.pleach\" tree main { use shared }"), lib],
        "",
        &["E0611"],
        &["lib.pleach:1:22+7"],
    );
    files(
        &[("main", "include \"no.pleach\" tree main { running }")],
        "",
        &["E0619"],
        &["main.pleach:1:9+11"],
    );
    files(&[("main", "include no tree main { running }")], "", &["E0302"], &["double quotes"]);
}

#[test]
fn what_was_asked_for_must_be_there() {
    files(&[("main", "")], "", &["E0620"], &[]);
    files(&[("main", "tree t(x: int) { running }")], "", &["E0620"], &[]);
    let outcome = super::load(&[("a/b", b"")], "");
    assert_eq!(outcome.codes, ["E0620"]);
}

#[test]
fn constants_in_a_circle_are_told() {
    finds(
        "const A = B + 1 const B = C const C = A tree main { wait A ms }",
        &["E0615"],
        &["`A` needs it", "`B` needs it", "`C` needs it"],
    );
}

#[test]
fn trees_in_a_circle_are_told() {
    finds(
        "tree main { use a } tree a { selector { use b } } tree b { use main }",
        &["E0409"],
        &["`b` is used here"],
    );
    finds("tree main { use main }", &["E0409"], &["`main` uses itself"]);
}
