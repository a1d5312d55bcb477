//! Findings about enums: each says what was found, what is allowed, and what to write.

use super::{finds, load};

/// Two enums that share a member.
const ENUMS: &str =
    "enum Mood { calm, wary = 4, angry } enum Sky { blue, calm } var mood: Mood var sky: Sky ";

#[track_caller]
fn in_tree(node: &str, codes: &[&str], words: &[&str]) {
    let uses = "on look { set mood = angry set sky = blue }";
    finds(&format!("{ENUMS} {uses} tree main {{ {node} }}"), codes, words);
}

#[test]
fn declarations_are_checked() {
    let declared = |text: &str, codes: &[&str], words: &[&str]| {
        finds(&format!("{text} tree main {{ running }}"), codes, words);
    };
    declared("enum Mood { calm, wary, }", &[], &[]);
    declared("enum Mood { }", &["E0626"], &["`enum Mood { calm, wary, angry }`"]);
    declared("enum Mood { calm, wary = 0 }", &["E0626"], &["the number 0", "a number of its own"]);
    declared("enum Mood { calm = -1, wary, angry = 0 }", &["E0626"], &["`angry` has the number 0"]);
    declared("enum Mood { calm = 2147483647, wary }", &["E0626"], &["number of this member is no int"]);
    declared("enum Mood { calm = -2147483648 }", &[], &[]);
    declared("enum Mood { calm = 2147483648 }", &["E0626"], &["no int"]);
    declared("enum Mood { calm, calm }", &["E0609"], &["the member `calm`"]);
    declared("enum Mood { calm } enum Mood { wary }", &["E0609"], &["the enum `Mood`"]);
    declared("enum Mood { calm = quiet }", &["E0302"], &["a literal int"]);
    declared("enum Mood { calm wary }", &["E0302"], &["commas between them"]);
    declared("enum Mood", &["E0302"], &["`{` is missing"]);
    declared("enum wait { calm }", &["E0607"], &["`wait_`"]);
    declared("enum { calm }", &["E0302"], &["the name of an enum"]);
    declared("var enum: int", &["E0607"], &["`enum_`"]);
}

#[test]
fn types_are_declared() {
    finds("enum Mood { calm } var mood: Moood tree main { set mood = Mood.calm }", &["E0612"], &["`Mood`"]);
    finds(
        "action go(m: Mood) tree main { action go(1) }",
        &["E0612"],
        &["`Mood` is no type", "`enum NAME { }`"],
    );
    finds("query q: Mood tree main { condition q == 1 }", &["E0612"], &["bool, int, int64, float"]);
    finds("const C: boolean = true tree main { running }", &["E0612"], &["did you mean `bool`?"]);
}

#[test]
fn members_are_checked() {
    in_tree("set mood = Mood.sleepy", &["E0611"], &["has no member `sleepy`", "`Mood.calm`, `Mood.wary`"]);
    in_tree("set mood = Mood.wari", &["E0611"], &["did you mean `wary`?"]);
    in_tree("set mood = Moood.wary", &["E0611"], &["there is no enum `Moood`", "did you mean `Mood`?"]);
    in_tree("set mood = calm", &["E0627"], &["member of several enums", "`Mood.calm`"]);
    in_tree("set mood = Mood.", &["E0602", "E0611"], &[]);
    in_tree("set mood = angri", &["E0611"], &["did you mean `angry`?"]);
    in_tree("set calm = 1", &["E0616"], &["a member of an enum"]);
    in_tree("set mood = Sky.calm", &["E0612"], &["must be a value of `Mood`, but this is a value of `Sky`"]);
}

#[test]
fn values_are_only_compared() {
    in_tree("condition mood == wary && sky != Sky.calm", &[], &[]);
    in_tree("condition mood < wary", &["E0612"], &["`==` and `!=`"]);
    in_tree("condition mood == 4", &["E0612"], &["`int(…)` gives the number"]);
    in_tree("condition mood == Sky.blue", &["E0612"], &["a value of `Mood` and a value of `Sky`"]);
    in_tree("set mood = 4", &["E0612"], &["its members are `Mood.calm`"]);
    in_tree("set mood += wary", &["E0616"], &["an enum has no arithmetic"]);
    in_tree("set mood min= wary", &["E0616"], &["an enum has no arithmetic"]);
    in_tree("condition mood", &["E0612"], &["must be a bool, but this is a value of `Mood`"]);
    in_tree("condition float(mood) > 1.0", &["E0612"], &[]);
    in_tree("condition int(mood) > 1 && float(int(Mood.wary)) > 1.0", &[], &[]);
    finds(
        "enum M { a } action go(n: int) var m: M tree main { action go(m) }",
        &["E0612"],
        &["`int(m)` is its number"],
    );
}

/// A parameter that stands for the number of an enum is none that can be set.
#[test]
fn the_number_of_a_variable_is_no_variable() {
    let text = "enum M { a } var m: M tree main { use t(int(m)) } tree t(n: int) { set n = 7 }";
    let outcome = load(&[("main", text.as_bytes())], "");
    assert!(outcome.errors > 0, "{}", outcome.findings);
}

#[test]
fn cases_are_members() {
    in_tree("match mood { calm: running Mood.wary: running angry: running }", &[], &[]);
    in_tree("match mood { calm: running }", &["W0611"], &["fails for `wary`, `angry`", "`else: failure`"]);
    in_tree("match mood { calm: running else: failure }", &[], &[]);
    in_tree(
        "match mood { calm: running Mood.calm: running else: failure }",
        &["E0624"],
        &["`calm` has a case"],
    );
    in_tree("match mood { 0: running else: failure }", &["E0612"], &["must be a value of `Mood`"]);
    in_tree("match mood { Sky.blue: running else: failure }", &["E0612"], &[]);
    in_tree("match sky { mood: running else: failure }", &["E0613"], &["must be a constant"]);
    in_tree("match int(mood) { calm: running else: failure }", &["E0627"], &[]);
}
