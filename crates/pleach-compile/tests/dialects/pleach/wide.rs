//! Findings about 64-bit numbers and entities: each says what was found, what is allowed, and what
//! to write.

use super::{finds, load};

/// Variables of all these types.
const VARIABLES: &str = "var n: int var x: float var l: int64 var d: double var b: bool \
    var e: entity var foe: entity<Enemy> var friend: entity<Friend> ";

#[track_caller]
fn in_tree(node: &str, codes: &[&str], words: &[&str]) {
    let uses = "on look { set n = 1 set x = 1 set l = 1 set d = 1 set b = true set e = none set foe = none set friend = none }";
    finds(&format!("{VARIABLES} {uses} tree main {{ {node} }}"), codes, words);
}

#[test]
fn what_can_lose_is_said() {
    in_tree(
        "set n = l",
        &["E0612"],
        &["must be an int, but this is an int64", "`int(l)` is the nearest int"],
    );
    in_tree(
        "set n = d",
        &["E0612"],
        &["must be an int, but this is a double", "`int(d)` cuts the fraction off"],
    );
    in_tree(
        "set l = x",
        &["E0612"],
        &["must be an int64, but this is a float", "`int64(x)` cuts the fraction off"],
    );
    in_tree(
        "set x = d",
        &["E0612"],
        &["must be a float, but this is a double", "`float(d)` is the nearest float"],
    );
    in_tree(
        "set d = l",
        &["E0612"],
        &["must be a double, but this is an int64", "`double(l)` is the nearest double"],
    );
    in_tree(
        "condition l < x",
        &["E0612"],
        &["`<` does not go with an int64 and a float", "`double(l)` may lose digits"],
    );
    in_tree(
        "set d = min(l, d)",
        &["E0612"],
        &["the arguments of `min` are of types that do not go together"],
    );
    in_tree("set d = d % 2", &["E0612"], &["`%` does not go with a double and an int"]);
    in_tree("condition l", &["E0612"], &["must be a bool, but this is an int64", "`l != 0`"]);
}

#[test]
fn entities_are_told_apart() {
    in_tree("set foe = e", &["E0612"], &["must be an entity<Enemy>, but this is an entity"]);
    in_tree("set foe = friend", &["E0612"], &["must be an entity<Enemy>, but this is an entity<Friend>"]);
    in_tree(
        "condition foe == friend",
        &["E0612"],
        &["`==` does not go with an entity<Enemy> and an entity<Friend>"],
    );
    in_tree(
        "condition e < none",
        &["E0612"],
        &["`<` does not go with an entity and an entity", "compared with `==` and `!=`"],
    );
    in_tree("condition foe", &["E0612"], &["must be a bool", "`foe != none`"]);
    in_tree("set e = 0", &["E0612"], &["must be an entity, but this is an int", "comes from the host"]);
    in_tree("set foe += none", &["E0616"], &["an entity has no arithmetic"]);
    in_tree("set n = int(e)", &["E0612"], &["the argument of `int` must be an int, but this is an entity"]);
}

#[test]
fn literals_have_limits() {
    in_tree(
        "set l = 9223372036854775808",
        &["E0606"],
        &["this number does not fit 64 bits", "9223372036854775807"],
    );
    in_tree("set l = 0x10000000000000000", &["E0606"], &["this number does not fit 64 bits"]);
    in_tree("set n = 2147483648", &["E0612"], &["must be an int, but this is an int64"]);
    finds(
        "var l: int64 = -9223372036854775808 var n: int = -2147483648 tree main { sequence { set l = 2147483648 set n = 1 } }",
        &[],
        &[],
    );
}

#[test]
fn words_are_taken() {
    finds("var none: int tree main { success }", &["E0607"], &["none"]);
    finds("tree main { success } tree double { success }", &["E0607"], &["double"]);
    finds("var e: entity<7> tree main { success }", &["E0302", "E0302"], &["a kind of entity"]);
}

/// Finds in the tree of an action that gives values.
#[track_caller]
fn given(arguments: &str, codes: &[&str], words: &[&str]) {
    let declared =
        "action find(who: entity, out foe: entity<Enemy>, out thing: entity, out n: int, out b: bool) ";
    let variables =
        "var e: entity var foe: entity<Enemy> var n: int8 var x: float var b: bool world var w: int ";
    let tree = format!(
        "tree main {{ sequence {{ action find({arguments}) condition b && w == 0 && e == foe && x < 1 && n < 1 }} }}"
    );
    finds(&format!("{declared} {variables} {tree}"), codes, words);
}

#[test]
fn variables_get_values() {
    given("none, foe, e, n, b", &[], &[]);
    given("foe, foe, e, n, b", &[], &[]);
    given("e, e, e, n, b", &[], &[]);
    given(
        "e, foe, foe, n, b",
        &["E0612"],
        &["the variable for `thing` must be an entity, but this is an entity<Enemy>"],
    );
    given("e, foe, e, x, b", &["E0612"], &["the variable for `n` must be an int, but this is a float"]);
    given("e, foe, e, w, b", &["E0617"], &["a variable that agents share cannot get a value here"]);
    given("e, foe, e, n + 1, b", &["E0617"], &["this is no variable, and cannot get a value"]);
    given("e, foe, e, n, true", &["E0617"], &["this is no variable, and cannot get a value"]);
    finds(
        "query q(out n: int): bool tree main { condition q(1) }",
        &["E0616"],
        &["only actions have `out` parameters"],
    );
    finds(
        "tree main { use t(1) } tree t(out n: int) { success }",
        &["E0616"],
        &["only actions have `out` parameters"],
    );
}

#[test]
fn constants_of_long_texts_are_only_passed() {
    let long = "m".repeat(1_025);
    let program =
        |used: &str| format!("const LONG = \"{long}\" const SAME: text = LONG tree main {{ {used} }}");
    let passed =
        load(&[("main", format!("action say(line: text) {}", program("action say(SAME)")).as_bytes())], "");
    assert_eq!(passed.codes, [""; 0], "{}", passed.findings);
    for used in ["condition said == SAME", "set said = LONG"] {
        let text = format!("var said: text {}", program(used));
        finds(&text, &["E0614"], &["the text has 1025 bytes"]);
    }
    finds(
        &format!("const LONG = \"{long}\" var said: text = LONG tree main {{ set said = said }}"),
        &["E0614"],
        &["the text has 1025 bytes"],
    );
}
