//! Variables of trees, `match`, `chance`, `once`, and amounts that are computed: what they become,
//! and mistakes in them.

use super::{finds, load, loads, node, warns};

/// Each text is the inside of a tree. It has one finding, with these parts.
#[track_caller]
fn mistakes(rows: &[(&str, &str, &[&str])]) {
    for (text, code, parts) in rows {
        finds(&format!("tree main {{ {text} }}"), &[code], parts);
    }
}

#[test]
fn a_copy_of_a_tree_has_its_variables() {
    let text = "tree main { sequence { use t(1) use t(2) } } \
                tree t(p: int) { var a: int = p + seen keep var b: bool = true sequence { set a += 1 set b = false } }";
    let copy = |name: &str, p: u32| {
        format!(
            "tree t(t.a{name}, t.b{name}) {{ var a(t.a{name}, 0) ({p} + seen); \
             sequence {{ set t.a{name}(t.a{name}, 0) (t.a{name} + 1); set t.b{name}(t.b{name}, 0) false }} }}"
        )
    };
    let outcome = load(&[("main", format!("var seen: int {text}").as_bytes())], "");
    let tree = format!("\nmain: sequence {{ {}; {} }}", copy("", 1), copy("#2", 2));
    assert!(outcome.file.contains(&tree), "{}", outcome.file);
    assert_eq!(outcome.findings, "");
    let outcome = load(&[("main", b"tree main { keep var n: int8 = 3 * 4 set n = 1 }")], "");
    assert!(outcome.file.contains("main.n"), "{}", outcome.file);
    assert_eq!(outcome.findings, "");
}

#[test]
fn variables_of_trees_that_nothing_uses_are_told() {
    let parts = ["+1 the variable `n` is never used", "take it away"];
    finds("tree main { var n: int running }", &["W0606"], &parts);
    finds("tree main { keep var n: int = 3 running }", &["W0606"], &parts);
    finds("tree main { var n: int var m: int = n set m = 1 }", &[], &[]);
    finds("tree main { use t } tree t() { var n: int running }", &["W0606"], &parts);
}

#[test]
fn mistakes_with_variables_of_trees() {
    mistakes(&[
        (
            "success var n: int",
            "E0625",
            &["main.pleach:2:21+3 this variable is not at the head", "before its node"],
        ),
        ("sequence { var n: int set n = 1 }", "E0625", &["main.pleach:2:24+3", "right behind its `{`"]),
        (
            "var n: int var n: bool set n = true",
            "E0609",
            &["`n` is declared twice", "main.pleach:2:17+1 first declared"],
        ),
        (
            "keep var n: int = seen set n = 1",
            "E0613",
            &["+4 the default of a `keep var` must be", "literals"],
        ),
        (
            "var n: int = 1.5 set n = 1",
            "E0612",
            &["the default must be an int, but this is a float", "`int(1.5)`"],
        ),
        ("var n: int8 = 200 set n = 1", "E0614", &["200 does not fit the type int8", "-128 to 127"]),
        ("var n set n = 1", "E0302", &["`: TYPE` is missing", "`var ammo: int`"]),
        ("keep n: int running", "E0302", &["`var` is missing before `n`", "`keep var NAME: TYPE`"]),
        ("var wait: int running", "E0607", &["`wait` is a word of the language", "`wait_`"]),
        ("var n: thing set n = 1", "E0612", &["`thing` is no type", "the types are bool, int"]),
        (
            "var count: int set coumt = 1",
            "E0611",
            &["+5 there is no variable `coumt`", "did you mean `count`"],
        ),
    ]);
    finds(
        "tree t(n: int) { var n: int set n = 1 } tree main { use t(1) }",
        &["E0609"],
        &["`n` is declared twice", "another name"],
    );
    finds(
        "tree main { sequence { use t set m = 1 } } tree t { var m: int set m = 1 }",
        &["E0611"],
        &["+1 there is no variable `m`"],
    );
}

#[test]
fn a_declaration_behind_a_brace_that_is_missing_is_no_variable_of_the_tree() {
    finds(
        "tree main { sequence { running }\nvar n: int\n",
        &["E0303"],
        &["`}` is missing before the end of the file"],
    );
}

#[test]
fn cases_are_numbers() {
    node(
        "match seen { 1: action shoot POST: running else: failure }",
        "match(1, 3) seen { action shoot; running; failure }",
    );
    node(
        "reactive match rank(1) + 1 { 0: running else: success }",
        "reactive match(0) (int(rank?(1)) + 1) { running; success }",
    );
    warns("tree main { match seen { 1: running } }", "main: match(1) seen { running; else }", &["W0610"]);
}

#[test]
fn mistakes_with_cases() {
    mistakes(&[
        (
            "match seen { 1: running 1: success else: failure }",
            "E0624",
            &["main.pleach:2:37+1 the value 1 has a case", "2:26+1"],
        ),
        (
            "match seen { POST: running 3: success else: failure }",
            "E0624",
            &["the value 3 has a case", "another value"],
        ),
        (
            "match seen { else: running 1: success }",
            "E0624",
            &["+1 a case behind `else`", "stands last", "2:26+4"],
        ),
        ("match seen { else: running else: success }", "E0624", &["+4 a case behind `else`", "and once"]),
        (
            "match health { 1: running else: failure }",
            "E0612",
            &["+6 the value of a `match` must be an int", "`int(health)`"],
        ),
        ("match alert { 1: running else: failure }", "E0612", &["but this is a bool", "`int(alert)`"]),
        (
            "match seen { 1.5: running else: failure }",
            "E0612",
            &["+3 the value of a case must be an int", "`int(1.5)`"],
        ),
        (
            "match seen { ammo: running else: failure }",
            "E0613",
            &["+4 the value of a case must be a constant", "literals"],
        ),
        (
            "match seen { running else: failure }",
            "E0302",
            &["+7 a child of a `match` needs a value", "`VALUE: NODE`"],
        ),
        ("match seen { 1 running else: failure }", "E0302", &["`:` is missing", "before its node"]),
        ("match seen { else failure }", "E0302", &["`:` is missing before `failure`", "before its node"]),
        ("match seen { 1: else: failure }", "E0302", &["a node is missing before `else`"]),
        ("match { 1: running else: failure }", "E0302", &["a value is missing before `{`"]),
        ("sequence { else: running }", "E0302", &["+4 a value begins no node", "cases in `match`"]),
    ]);
    finds("tree main { match seen { } }", &["E0307", "W0610"], &["nothing to choose from", "at least one"]);
    warns("tree main { match seen { 1: running } }", "main: match(1) seen { running; else }", &["W0610"]);
    finds(
        "tree main { match seen { 1: running } }",
        &["W0610"],
        &["+5 this `match` fails", "`else: failure`"],
    );
}

#[test]
fn a_chance_is_a_condition() {
    node("chance 0.5 { action shoot }", "chance (draw < 0.5) { action shoot }");
    node("chance health { running }", "chance (draw < health) { running }");
    node("chance ammo { running }", "chance (draw < float(ammo)) { running }");
    node("once { action shoot }", "once { action shoot }");
}

#[test]
fn mistakes_with_chance_and_once() {
    mistakes(&[
        ("chance 30 { running }", "E0614", &["+2 a chance is 30", "0.0, never, to 1.0", "30 % is 0.3"]),
        ("chance -0.5 { running }", "E0614", &["a chance is -0.5", "it can be 0.0"]),
        ("chance 0.0 / 0.0 { running }", "E0614", &["a chance is NaN", "it can be"]),
        (
            "chance alert { running }",
            "E0612",
            &["+5 a chance must be a float, but this is a bool", "`float(alert)`"],
        ),
        ("chance \"half\" { running }", "E0612", &["a chance must be a float, but this is a text"]),
        ("chance { running }", "E0302", &["before `{`"]),
        ("chance 0.5 { }", "E0307", &["a block without a node"]),
        ("chance 0.5 { running running }", "E0306", &["only one node", "`sequence { }`"]),
        ("once { running running }", "E0306", &["only one node", "`sequence { }`"]),
        ("once { }", "E0307", &["a block without a node", "put the node into it"]),
    ]);
    for text in ["chance 0.5 running", "once running", "once action shoot"] {
        let parts = ["`{` is missing before", "its child stands in a block: `{ NODE }`"];
        finds(&format!("tree main {{ {text} }}"), &["E0302", "E0303"], &parts);
    }
    finds(
        "tree main { once 3 { running } }",
        &["E0302"],
        &["+1 `once` has no number", "`repeat N { NODE }`"],
    );
    for word in ["match", "else", "chance", "once", "cleanup", "every"] {
        finds(&format!("var {word}: int tree main {{ running }}"), &["E0607"], &[&format!("`{word}_`")]);
    }
}

#[test]
fn amounts_are_computed() {
    node("wait seen ms", "wait(seen)");
    node("wait health s", "wait(milli(health))");
    node("wait seen + 1 s", "wait(milli((seen + 1)))");
    node("wait ammo ticks", "wait ticks(ammo)");
    node("timeout rank(1) ms { running }", "timeout(int(rank?(1))) { running }");
    node("repeat seen { running }", "repeat(seen) { running }");
    node("wait 2 s to 5 s", "wait(between(2000, 5000))");
    node("wait 2 ticks to seen ticks", "wait ticks(between(2, seen))");
    node("cooldown seen ms to health s { running }", "cooldown(between(seen, milli(health))) { running }");
    loads(
        "tree main { use t(seen) } tree t(n: int) { retry n { running } }",
        "main: retry(seen) { running }",
    );
}

#[test]
fn mistakes_with_amounts() {
    mistakes(&[
        (
            "wait health ms",
            "E0612",
            &["+6 a duration in `ms` or `ticks` must be an int", "`0.5 s` is `500 ms`"],
        ),
        ("wait health ticks", "E0612", &["must be an int, but this is a float"]),
        ("wait alert ms", "E0612", &["a duration must be an int, but this is a bool", "`int(alert)`"]),
        ("wait seen", "E0622", &["+4 this duration has no unit", "`seen ms`"]),
        ("wait -seen - 1", "E0622", &["has no unit"]),
        ("repeat health { running }", "E0612", &["the number of `repeat` must be an int", "`int(health)`"]),
        ("retry alert { running }", "E0612", &["the number of `retry` must be an int", "`int(alert)`"]),
        ("repeat 0 { running }", "E0614", &["the number of `repeat` is 0", "1 to 65535"]),
        ("limit seen { running }", "E0613", &["the number of `limit` must be a constant", "literals"]),
        ("timeout seen ticks { running }", "E0621", &["cannot be counted in ticks", "`ms` or `s`"]),
    ]);
}

#[test]
fn mistakes_with_ranges() {
    mistakes(&[
        (
            "wait 5 s to 2 s",
            "E0614",
            &["main.pleach:2:25+1 this range ends before it begins", "shorter duration first"],
        ),
        ("wait 5 ticks to 200 ms", "E0621", &["this range is in ticks and in time", "both in `ticks`"]),
        ("timeout 5 ms to 9 ticks { running }", "E0621", &["cannot be counted in ticks", "`ms` or `s`"]),
        ("wait 5 to 7 s", "E0622", &["main.pleach:2:18+1 this duration has no unit", "`5 ms`"]),
        ("wait 5 s to 7", "E0622", &["main.pleach:2:25+1 this duration has no unit", "`7 ms`"]),
        ("timeout 5 s to 7 parsecs { running }", "E0622", &["`parsecs` is no unit of time", "the units are"]),
        ("wait 0 s to 0.5 ms", "E0612", &["must be an int, but this is a float", "`0.5 s` is `500 ms`"]),
        ("wait 0 s to -1 s", "E0614", &["this duration is not possible", "0 to 2147483 s"]),
        ("wait 0 s to alert s", "E0612", &["a duration must be an int or a float", "`int(alert)`"]),
    ]);
    finds("tree main { wait 5 s to }", &["E0302"], &[]);
    finds("tree main { repeat 2 to 3 { running } }", &["E0302", "E0401"], &["`{` is missing before `to`"]);
}

#[test]
fn a_cleanup_has_what_it_sets_and_a_child() {
    node(
        "cleanup { set alert = false set seen += 1 } { action shoot }",
        "cleanup { cleanup set { set alert(alert, 0) false; set seen(seen, 0) (seen + 1) }; action shoot }",
    );
    node("cleanup { } { running }", "cleanup { cleanup set; running }");
}

#[test]
fn a_utility_keeps_to_its_child() {
    node("reactive utility keep 10 % { seen: running }", "reactive utility keep(10, seen) { running }");
    mistakes(&[
        (
            "utility keep 10 % { 1: running }",
            "E0302",
            &["only a `reactive utility`", "`reactive utility keep 10 % { }`"],
        ),
        ("reactive utility keep { 1: running }", "E0302", &["a percentage is missing", "0 to 1000 %"]),
        ("reactive utility keep 10 { 1: running }", "E0302", &["a percentage is missing"]),
        ("reactive utility keep 1001 % { 1: running }", "E0302", &["a percentage is missing", "0 to 1000 %"]),
        ("reactive utility keep 0.5 { 1: running }", "E0302", &["a percentage is missing"]),
    ]);
}

#[test]
fn an_every_has_a_duration_what_it_does_and_a_child() {
    node(
        "every 500 ms { set seen += 1 raise hit action shoot } { running }",
        "every(500, between(1, 500)) { every service { set seen(seen, 0) (seen + 1); raise hit(0, 0); \
         call shoot }; running }",
    );
    node(
        "every seen s to 2 s { } { running }",
        "every(between(milli(seen), 2000), between(1, between(milli(seen), 2000))) \
         { every service; running }",
    );
}

#[test]
fn mistakes_with_every() {
    mistakes(&[
        (
            "every 1 s { wait 1 s } { running }",
            "E0302",
            &["+4 an `every` begins with a block of `set`, `raise` and `action`; `wait`", "second block"],
        ),
        ("every 1 s { set seen = 1 }", "E0302", &["`{` is missing before `}`", "in a block"]),
        ("every 1 { set seen = 1 } { running }", "E0622", &["this duration has no unit", "`1 ms` or `1 s`"]),
        (
            "every 3 ticks { } { running }",
            "E0621",
            &["cannot be counted in ticks", "only `wait` and `delay`"],
        ),
        ("every -1 s { } { running }", "E0614", &["this duration is not possible", "0 to 2147483 s"]),
        ("every 1 s { action shot } { running }", "E0611", &["the action `shot` is not declared", "`shoot`"]),
        ("service { action shoot }", "E0401", &["`service`", "`every 1 s { action look } { NODE }`"]),
        (
            "sequence { every 1 s { } { running } action shoot }",
            "W0602",
            &["this node can never begin", "never succeeds"],
        ),
    ]);
}

#[test]
fn mistakes_with_cleanup() {
    mistakes(&[
        (
            "cleanup { action shoot } { running }",
            "E0302",
            &["+6 a `cleanup` begins with a block that only sets", "second block"],
        ),
        ("cleanup { set seen = 1 }", "E0302", &["`{` is missing before `}`", "in a block"]),
        ("cleanup { set seen = 1 } { }", "E0307", &["a block without a node", "put the node into it"]),
        (
            "cleanup { set seen = 1 } { action shoot action shoot }",
            "E0306",
            &["only one node", "`sequence { }`"],
        ),
        ("cleanup { set sen = 1 } { running }", "E0611", &["+3 there is no variable `sen`", "`seen`"]),
        (
            "cleanup { set alert = 1 } { running }",
            "E0612",
            &["must be a bool, but this is an int", "`1 != 0`"],
        ),
        ("cleanup { set POST = 1 } { running }", "E0616", &["`POST` is a constant", "only variables"]),
        ("cleanup { set ammo = 300 } { running }", "W0607", &["300 does not fit an int8", "-128 to 127"]),
    ]);
    let parts = ["`{` is missing before `running`", "a block of its own"];
    finds("tree main { cleanup running }", &["E0302", "E0302", "E0303", "E0303"], &parts);
}
