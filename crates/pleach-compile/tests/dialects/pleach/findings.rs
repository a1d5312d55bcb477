//! Every error is reported, once, with help.

use super::{finds, load};

#[test]
fn text_is_checked() {
    finds("tree main { running } \u{f6}x", &["E0602"], &["letters a to z"]);
    let outcome = load(&[("main", b"tree main { running } // \xff")], "");
    assert_eq!(outcome.codes, ["E0601"], "{}", outcome.findings);
    finds("tree main { action say(\"a\n) }", &["E0603"], &["+1 "]);
    finds("tree main { action say(\"a\\qb\") }", &["E0604"], &["+2 "]);
    finds("tree main { running } /* open", &["E0605"], &["`*/`"]);
    finds("#define A 3\ntree main { running }", &["E0602"], &["const NAME = VALUE"]);
    finds("tree main { # says nothing }\n running } # end", &["E0602", "E0602"], &["+1 ", "begin with `//`"]);
    finds("tree main { sequence { action shoot; action shoot; } }", &["E0608"], &["leave it out"]);
}

#[test]
fn numbers_are_checked() {
    for (number, help) in [
        ("9223372036854775808", "9223372036854775807"),
        ("99999999999999999999", "9223372036854775807"),
        ("0xffffffffffffffff", "9223372036854775807"),
        ("0x", "0x1f"),
        ("1.", "`1.0`"),
        ("1.5f", "`1.5`"),
        ("2f", "`2.0`"),
        ("1_000", "`1000`"),
        ("12abc", "do not begin with a digit"),
        ("1.2.3", "at most one dot"),
        ("1e999", "1.8e308"),
    ] {
        finds(&format!("const C = {number} tree main {{ running }}"), &["E0606"], &[help]);
    }
}

#[test]
fn foreign_operators_are_told() {
    for (text, help) in [
        ("seen = 1", "`==` compares"),
        ("alert and alarm", "`&&`"),
        ("alert or alarm", "`||`"),
        ("not alert", "`!`"),
        ("alert & alarm", "`&&`"),
        ("alert | alarm", "`||`"),
        ("seen mod 2 == 0", "`%`"),
        ("+seen == 0", "leave it out"),
    ] {
        finds(&format!("tree main {{ condition {text} }}"), &["E0608"], &[help]);
    }
    finds("query q() -> int tree main { running }", &["E0608"], &["`: TYPE`"]);
}

#[test]
fn words_of_the_language_are_no_names() {
    finds("var wait: int tree main { running }", &["E0607"], &["`wait_`"]);
    finds("var group: int tree main { running }", &["E0607"], &[]);
    finds("tree sequence { running } tree main { running }", &["E0607"], &[]);
    finds("tree main { condition wait > 1 }", &["E0607"], &[]);
}

#[test]
fn unknown_names_get_the_nearest() {
    finds("tree main { condition helth > 1 }", &["E0611"], &["`health`", "+5 "]);
    finds("tree main { action shot }", &["E0611"], &["`shoot`"]);
    finds("tree main { use mian(1) }", &["E0611"], &["`main`"]);
    finds("tree main { raise hot }", &["E0611"], &["`hit`"]);
    finds("tree main { set amo = 1 }", &["E0611"], &["`ammo`"]);
    finds("tree main { use t(1) } tree t(place: int) { condition plase > 1 }", &["E0611"], &["`place`"]);
    finds("tree main { condition somethingElse }", &["E0611"], &["declare it"]);
    finds("tree main { action main }", &["E0611"], &["`use main`"]);
    finds("tree main { use shoot }", &["E0611"], &["`action shoot`"]);
    finds("tree main { condition shoot }", &["E0611"], &["an action is a node"]);
}

#[test]
fn names_of_another_kind_are_told_what_they_are() {
    for (text, message, help) in [
        ("action visible", "`visible` is a query, not an action", "`condition visible`"),
        ("action seen", "`seen` is a variable, not an action", "`set seen = VALUE`"),
        ("action main", "`main` is a tree, not an action", "`use main`"),
        ("action hit", "`hit` is an event, not an action", "`raise hit`"),
        ("condition shoot", "`shoot` is an action, not a query", "`action` runs it"),
        ("condition moveTo(1, 2.0)", "`moveTo` is an action, not a query", "`action` runs it"),
        ("condition main", "`main` is a tree, not a value", "`use`"),
        ("condition hit", "`hit` is an event, not a value", "`raise hit`"),
        ("use shoot", "`shoot` is an action, not a tree", "`action shoot`"),
    ] {
        finds(&format!("tree main {{ {text} }}"), &["E0611"], &[message, help]);
    }
    let outcome = load(
        &[("main", b"tree main { sequence { action near condition go } }")],
        "action go()\nquery near() -> bool\n",
    );
    assert_eq!(outcome.codes, ["E0611", "E0611"], "{}", outcome.findings);
    assert!(outcome.findings.contains("`near` is a query, not an action"), "{}", outcome.findings);
    assert!(outcome.findings.contains("`go` is an action, not a query"), "{}", outcome.findings);
}

#[test]
fn durations_have_units() {
    for (text, message, help) in [
        ("timeout 5 { action shoot }", "+1 this duration has no unit", "write `5 ms` or `5 s`"),
        ("cooldown 0.5 { action shoot }", "+3 this duration has no unit", "write `0.5 s` for seconds"),
        ("wait 2 * POST", "+8 this duration has no unit", "`2 * POST ticks`"),
        ("delay 0 { action shoot }", "+1 this duration has no unit", "`0 ticks`"),
        ("timeout 5 sec { action shoot }", "+3 `sec` is no unit of time", "write `5 s`"),
        ("delay 5 frames { action shoot }", "+6 `frames` is no unit of time", "write `5 ticks`"),
        ("timeout 5 parsecs { action shoot }", "`parsecs` is no unit of time", "the units are `ms`, `s`"),
        ("sequence { wait 5 seconds action shoot }", "`seconds` is no unit of time", "write `5 s`"),
        ("sequence { wait 5 action shoot }", "this duration has no unit", "write `5 ms`"),
    ] {
        finds(&format!("tree main {{ {text} }}"), &["E0622"], &[message, help]);
    }
    finds("tree main { timeout 0.5 ms { action shoot } }", &["E0612"], &["`0.5 s` is `500 ms`"]);
    finds("tree main { wait nothing }", &["E0611"], &[]);
    finds("tree main { wait }", &["E0302"], &[]);
}

#[test]
fn constants_that_do_not_fit_are_told() {
    let parts = ["+3 500 does not fit an int8: the variable becomes 127", "-128 to 127"];
    finds("tree main { set ammo = 500 }", &["W0607"], &parts);
    finds("tree main { set ammo = -64 - 65 }", &["W0607"], &["becomes -128"]);
    finds("tree main { use t(500) } tree t(n: int) { set ammo = n }", &["W0607"], &["stands for here"]);
    finds("group var low: uint16 tree main { set low = -1 }", &["W0607"], &["becomes 0"]);
    finds("on full { set ammo = 128 } tree main { set ammo = 127 }", &["W0607"], &[]);
    finds("tree main { set ammo += 500 }", &[], &[]);
}

#[test]
fn foreign_nodes_are_translated() {
    for (text, help) in [
        ("fallback { running }", "`selector`"),
        ("concurrent { running }", "`parallel`"),
        ("decorator invert() { running }", "`invert`"),
        ("behavior patrol", "`use NAME`"),
        ("guard seen > 1 { running }", "`if EXPR"),
        ("Sequence { running }", "`sequence`"),
        ("Selektor { running }", "`selector`"),
        ("shoot", "`action shoot`"),
        ("shoot(1, 2)", "`action shoot`"),
        ("main", "`use main`"),
        ("hit", "`raise hit`"),
        ("seen = 1", "`set seen = VALUE`"),
        ("visible", "`condition visible`"),
        ("somethingElse(1) { running }", "a node begins with a word"),
    ] {
        finds(&format!("tree main {{ {text} }}"), &["E0401"], &[help]);
        finds(
            &format!("tree main {{ selector {{ action shoot {text} action shoot }} }}"),
            &["E0401"],
            &[help],
        );
    }
}

#[test]
fn a_foreign_node_takes_its_words_and_its_block_along() {
    for (text, codes) in [
        ("guard seen { success }", &["E0401"][..]),
        ("guard seen > 1 && alert { success }", &["E0401"]),
        ("guard seen { action shoot } else { action nothing }", &["E0401", "E0401", "E0611"]),
        ("sequence { shoot\n Selector { running } }", &["E0401", "E0401"]),
        ("fallback { running } running", &["E0306", "E0401"]),
    ] {
        finds(&format!("tree main {{ {text} }}"), codes, &["begins no node"]);
    }
}

#[test]
fn an_unknown_call_is_declared_by_its_arguments() {
    for (call, declaration) in [
        ("action greet", "action greet()"),
        ("action greet(\"hi\")", "action greet(arg1: text)"),
        (
            "action greet(POST, 1.5, seen, alert)",
            "action greet(arg1: int, arg2: float, arg3: int, arg4: bool)",
        ),
        ("condition near(seen, health)", "query near(arg1: int, arg2: float): bool"),
        ("condition near()", "query near(): bool"),
    ] {
        let help = declaration.replace(": bool", ": TYPE").replace("arg4: TYPE", "arg4: bool");
        finds(&format!("tree main {{ {call} }}"), &["E0611"], &[&format!("(declare it: `{help}`)")]);
        finds(&format!("{declaration} tree main {{ {call} }}"), &[], &[]);
    }
    finds("tree main { action greet(1, 2, 3, 4, 5, 6, 7, 8, 9) }", &["E0611"], &["`action greet(…)`"]);
}

#[test]
fn wrong_numbers_of_arguments_show_the_declaration() {
    finds(
        "tree main { action moveTo(1) }",
        &["E0405"],
        &["`moveTo(place: int, speed: float)`", "declared here"],
    );
    finds("tree main { action shoot(1) }", &["E0406"], &["declared here"]);
    finds("tree main { condition rank() > 1 }", &["E0405"], &["`rank(of: int)`"]);
    finds("tree main { use t } tree t(n: int) { running }", &["E0405"], &["`t(n: int)`"]);
    finds("tree main { condition min(1) > seen }", &["E0405"], &["`min(a, b)`"]);
    finds("tree main { condition clamp(1, 2, 3, 4) > seen }", &["E0406"], &["`clamp(x, low, high)`"]);
    finds("tree main { condition abs > 1 }", &["E0405"], &["`abs(…)`"]);
    finds("tree main { condition seen() > 1 }", &["E0406"], &["`seen`"]);
}

#[test]
fn constants_are_wanted() {
    finds("tree main { limit rank(1) { running } }", &["E0613"], &["the number of `limit`"]);
    finds("tree main { random { seen: running } }", &["E0613"], &["a weight"]);
    finds("var x: int = now tree main { running }", &["E0613"], &["a default"]);
    finds("const C = seen + 1 tree main { running }", &["E0613"], &[]);
    finds(
        "tree main { use t(seen) } tree t(n: int) { limit n { running } }",
        &["E0613"],
        &["this is what the parameter stands for here"],
    );
}

#[test]
fn numbers_have_bounds() {
    for text in [
        "repeat 0 { running }",
        "retry 65536 { running }",
        "limit 0 { running }",
        "wait -1 ms",
        "wait (0.0 / 0.0) s",
        "wait 65536 ticks",
        "wait 2147484 s",
        "parallel (succeed 0) { running }",
        "random { 0: running }",
        "random { 65535: running 1: running }",
        "random { -1: running 1: running }",
    ] {
        finds(&format!("tree main {{ {text} }}"), &["E0614"], &[]);
    }
    finds("var x: int8 = 128 tree main { running }", &["E0614"], &["-128 to 127"]);
    finds("var x: uint16 = -1 tree main { running }", &["E0614"], &["0 to 65535"]);
    finds("tree main { use t(0) } tree t(n: int) { repeat n { running } }", &["E0614"], &["stands for"]);
}

#[test]
fn not_everything_can_be_set() {
    finds("tree main { set POST = 1 }", &["E0616"], &["a constant"]);
    finds("tree main { set visible = true }", &["E0616"], &["a query"]);
    finds("tree main { set danger += 1 }", &["E0616"], &["order of agents"]);
    finds("tree main { set target *= 2 }", &["E0616"], &["`min=`"]);
    finds("tree main { set alert += 1 }", &["E0616"], &["a bool"]);
    finds("tree main { set alarm max= true }", &["E0616"], &["a bool"]);
    finds("tree main { use t(3) } tree t(n: int) { set n = 1 }", &["E0616"], &["this is what it stands for"]);
}

#[test]
fn arguments_of_queries_and_trees_are_constants_or_variables() {
    finds("tree main { action moveTo(seen + 1, 1) }", &[], &[]);
    finds("tree main { action moveTo(target, 1) }", &[], &[]);
    finds("query near(n: int): bool tree main { condition near(seen + 1) }", &["E0617"], &["`set`"]);
    finds("query near(n: int): bool tree main { condition near(target) }", &["E0617"], &["`set`"]);
    finds("tree main { use t(seen + 1) } tree t(n: int) { condition n > 1 }", &["E0617"], &["`set`"]);
}

#[test]
fn ticks_go_with_wait_and_delay() {
    finds("tree main { timeout 5 ticks { running } }", &["E0621"], &["`ms`"]);
    finds("tree main { cooldown 5 ticks { running } }", &["E0621"], &[]);
}

#[test]
fn blocks_are_checked() {
    finds("tree main { running running }", &["E0306"], &["a tree has one node", "begins here"]);
    finds("tree main { invert { running running } }", &["E0306"], &["`sequence { }`"]);
    finds("tree main { }", &["E0307"], &[]);
    finds("tree main { invert { } }", &["E0307"], &[]);
    finds("tree main { if alert { } }", &["E0307"], &["leave the block out"]);
    finds("tree main { random { } }", &["E0307"], &["choose from"]);
    finds("tree main { running } }", &["E0305"], &[]);
    finds("tree main { sequence running } }", &["E0302"], &["`{` is missing before `running`"]);
    finds("tree main { { running } }", &["E0302"], &["a block belongs to a node"]);
    finds("running tree main { running }", &["E0302"], &["outside of a tree"]);
    finds("treee main { running } tree t { running }", &["E0302"], &["`tree`"]);
}

#[test]
fn missing_braces_are_found_by_indentation() {
    let text = "tree main\n{\n\tselector\n\t{\n\t\tinvert\n\t\t{\n\t\t\trunning\n\t}\n}\n";
    finds(text, &["E0303"], &["main.pleach:7:3+1 this block has no end"]);
    finds(
        "tree main { sequence { running }\ntree t { running }",
        &["E0302"],
        &["`}` is missing before `tree`"],
    );
}

#[test]
fn small_words_are_missed() {
    finds("var x int tree main { running }", &["E0302"], &["`: TYPE` is missing before `int`"]);
    finds("var x: number tree main { running }", &["E0612"], &["`float`"]);
    finds("const C 3 tree main { running }", &["E0302"], &["`= VALUE`"]);
    finds("query q tree main { running }", &["E0302"], &["`: bool`"]);
    finds("action a: int tree main { running }", &["E0302"], &["an action has no type"]);
    finds("world x: int tree main { running }", &["E0302"], &["`var`"]);
    finds("tree main { condition (alert }", &["E0302"], &["`)` is missing before `}`", "opened here"]);
    finds("tree main { condition }", &["E0302"], &["a value is missing before `}`"]);
    finds("tree main { condition alert && }", &["E0302"], &["a value is missing"]);
    finds("tree main { action moveTo(1, 2 }", &["E0302"], &["`)` is missing"]);
    finds("tree main { action moveTo 1, 2 }", &["E0302"], &["arguments stand in parentheses"]);
    finds("tree main { utility { running } }", &["E0302"], &["needs a score"]);
    finds("tree main { selector { 3: running } }", &["E0302"], &["weights"]);
    finds("tree main { random { 3 running } }", &["E0302"], &["`:` is missing"]);
    finds("tree main { set seen 3 }", &["E0302"], &["`=` is missing"]);
    finds("tree main { set seen++ }", &["E0302"], &["`+= 1`"]);
    finds("tree main { set seen min = 3 }", &["E0302"], &["`min=`"]);
    finds("tree main { force { running } }", &["E0302"], &["`success` or `failure`"]);
    finds("tree main { raise hit to world }", &["E0302"], &["`group` or `all`"]);
    finds("tree main { parallel (2) { running } }", &["E0302"], &["`succeed` or `fail`"]);
    finds("tree main { parallel (fail 1, fail 2) { running } }", &["E0302"], &["said already"]);
    finds("tree main { reactive parallel { running } }", &["E0302"], &["cannot be reactive"]);
    finds("on boom { action shoot } tree main { running }", &["E0302"], &["an event only sets"]);
    finds("tree main", &["E0303"], &["`{` is missing"]);
}

#[test]
fn a_condition_has_no_block() {
    let both = ["`if EXPR { NODE }`", "`while EXPR { NODE }`", "pleach fmt --upgrade"];
    finds("tree main { condition alert { action shoot } }", &["E0623"], &both);
    finds("tree main { condition alert { action nothing } }", &["E0623", "E0611"], &[]);
    finds("tree main { condition alert { } }", &["E0623", "E0307"], &[]);
    finds("tree main { if alert }", &["E0302"], &["its child stands in a block"]);
    finds("tree main { sequence { condition alert action shoot } }", &[], &[]);
}

#[test]
fn an_if_below_a_reactive_node_is_asked_once() {
    let once = ["asked when it begins", "write `while`", "`sequence { condition EXPR NODE }`"];
    finds("tree main { reactive selector { if alert { action shoot } running } }", &["W0609"], &once);
    for child in [
        "wait 2 ticks",
        "running",
        "delay 1 s { success }",
        "repeat 2 { set seen = 1 }",
        "selector { condition visible invert { action shoot } }",
        "use busy",
    ] {
        let text = format!(
            "tree busy {{ sequence {{ set seen = 1 action shoot }} }} \
             tree main {{ reactive sequence {{ force success {{ if alert {{ {child} }} }} running }} }}"
        );
        finds(&text, &["W0609"], &[]);
    }
    finds(
        "tree main { use t } tree t { running } tree u { reactive utility { 1: if alert { use t } } }",
        &["W0609"],
        &[],
    );
    for text in [
        "selector { if alert { action shoot } running }",
        "reactive selector { if alert { set seen = 1 } running }",
        "reactive selector { if alert { sequence { condition visible raise hit } } running }",
        "reactive selector { while alert { action shoot } running }",
        "reactive selector { sequence { condition alert action shoot } running }",
        "sequence { reactive selector { condition alert } if alert { action shoot } }",
    ] {
        finds(&format!("tree main {{ {text} }}"), &[], &[]);
    }
}

#[test]
fn all_errors_of_a_file_are_told() {
    finds(
        "var x: strin tree main { sequence { action nothing condition seen fallback { action moveTo(1) } \
         limit now { action shoot } set POST = 1 } } tree other { raise nothing }",
        &["E0612", "E0611", "E0612", "E0401", "E0405", "E0613", "E0616", "E0611"],
        &[],
    );
}

#[test]
fn errors_of_a_copied_tree_are_told_once() {
    finds(
        "tree main { sequence { use t(1) use t(2) use t(seen) } } tree t(n: int) { condition n && nothing }",
        &["E0611", "E0612"],
        &[],
    );
}

#[test]
fn a_point_of_a_curve_has_two_numbers() {
    let of = |curve: &str| format!("tree main {{ condition {curve} > 0.5 }}");
    let help = "a point of a curve is written `x: y`";
    for curve in ["curve(health, 1: 2, 3: 4, 5)", "curve(health, 1)", "curve(health, 1: 2, 3, 4)"] {
        finds(&of(curve), &["E0302"], &["`:` is missing", help]);
    }
    for curve in ["curve()", "curve(health)", "curve(health, 1: 2)"] {
        finds(&of(curve), &["E0405"], &["too few arguments for `curve`"]);
    }
}
