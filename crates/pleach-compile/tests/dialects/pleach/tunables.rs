//! Findings about tunables: each says what was found, what is allowed, and what to write.

use super::finds;

#[track_caller]
fn declared(text: &str, codes: &[&str], words: &[&str]) {
    let main = if codes.is_empty() { "condition A == A" } else { "running" };
    finds(&format!("{text} tree main {{ {main} }}"), codes, words);
}

#[track_caller]
fn in_tree(node: &str, codes: &[&str], words: &[&str]) {
    let text = "action f(n: int) action g(out n: int) query q(n: int): bool const C = 1 \
                tune const N = 2 in 0..9 tune agent const M = 2 in 0..9 tune const D = 2 s in 0 ms..9 s \
                on all { set v += N set v += M + D } var v: int";
    finds(&format!("{text} tree main {{ {node} }}"), codes, words);
}

#[test]
fn types_follow_from_defaults() {
    declared("tune const A = 8.0 in 2.0..20.0", &[], &[]);
    declared("tune const A = 8 in 2..20", &[], &[]);
    declared("tune const A: float = 8 in 2..20", &[], &[]);
    declared("tune agent const A = true", &[], &[]);
    declared("tune const A = 500 ms in 100ms..2 s", &[], &[]);
    declared("tune const A: int = 0.5 s in 0 s..2 s", &[], &[]);
    declared("const LOW = 2 tune const A = LOW * 2 in LOW..-LOW + 9", &[], &[]);
    declared("tune const A = 8 in 2.0..20.0", &["E0612"], &["the lower end of the range must be an int"]);
    declared("tune const A: bool = 1", &["E0612"], &["the default must be a bool"]);
    declared(
        "tune const A = 5000000000 in 0..1",
        &["E0612"],
        &["cannot be an int64", "a bool, or a duration"],
    );
    declared("tune const A: int8 = 5 in 0..9", &["E0612"], &["cannot be a narrow int"]);
    declared("tune const A = \"b\" in 0..1", &["E0612"], &["cannot be a text"]);
    finds(
        "action f(x: float) tune const A: vec3 = vec3(1, 2, 3) in 0.0..1.0 tree main { action f(A.y) }",
        &["E0612"],
        &["cannot be a vec3"],
    );
    declared("tune const A: float = 1 s in 0 s..2 s", &["E0621"], &["only an int has a unit"]);
}

#[test]
fn ranges_are_checked() {
    declared("tune const A = 8", &["E0302"], &["`A` has no range", "tune const A = VALUE in LOW..HIGH"]);
    declared("tune const A = true in 0..1", &["E0612"], &["a bool has no range"]);
    declared("tune const A = 21 in 2..20", &["E0614"], &["the default is 21", "2 to 20"]);
    declared("tune const A = 1.5 in 2.0..20.0", &["E0614"], &["outside of its own range"]);
    declared("tune const A = 50 ms in 100 ms..2 s", &["E0614"], &["50 ms", "100 to 2000 ms"]);
    declared("tune const A = 8 in 20..2", &["E0614"], &["ends before it begins", "`2.0..20.0`"]);
    declared("tune const A = 0.0 / 0.0 in 0.0..1.0", &["E0614"], &["the default is NaN", "finite"]);
    declared("tune const A = 0.0 in 0.0..1.0 / 0.0", &["E0614"], &["the upper end of the range is inf"]);
    declared("tune const A = 90000000 s in 1 s..2 s", &["E0614"], &["this duration is not possible"]);
    declared("tune const A = 5 in 0..9 s", &["E0621"], &["not both durations"]);
    declared("tune const A = 5 ticks in 0 ticks..9 ticks", &["E0621"], &["cannot be counted in ticks"]);
    declared("tune const A = 5 in 0", &["E0302"], &["`..` is missing"]);
    declared("tune const A = 5 in 0..", &["E0302"], &[]);
}

#[test]
fn declarations_are_checked() {
    declared("tune A = 5 in 0..9", &["E0302"], &["`const` is missing"]);
    declared("tune const = 5 in 0..9", &["E0302"], &["the name of a tunable"]);
    declared("tune const A in 0..9", &["E0302"], &["`= VALUE` is missing"]);
    declared("tune const A = 5 in 0..9 var A: int", &["E0609"], &["`A` is declared twice"]);
    declared(
        "tune const agent = 5 in 0..9 tune const A = agent in 0..9",
        &["E0613"],
        &["`agent` can be tuned"],
    );
    declared("var tune: int", &["E0607"], &["`tune_`"]);
    declared("tune const A = 5 in 0..9 const B = A", &["E0613"], &["`A` can be tuned later"]);
    declared("tune const A = 5 in 0..9 var b: int = A", &["E0613"], &["a default is needed when"]);
    finds("tune const A = 5 in 0..9 tree main { running }", &["W0606"], &["the tunable `A` is never used"]);
}

#[test]
fn no_tree_sets_a_tunable() {
    in_tree("set N = 3", &["E0616"], &["`N` is a tunable and cannot be set", "the game tunes it"]);
    in_tree("set M += 3", &["E0616"], &["`M` is a tunable"]);
    in_tree("action g(M)", &["E0617"], &["a tunable cannot get a value", "`var`"]);
    let used = "tune agent const A = 1 in 0..9 tree main { use t(A) } tree t(x: int) { set x = 2 }";
    finds(used, &["E0616"], &["`A` is a tunable"]);
}

#[test]
fn tunables_stand_where_values_are_computed() {
    in_tree("parallel { action f(N) action f(M) condition N + C > M set v = N }", &[], &[]);
    in_tree(
        "sequence { use t(N, M) condition q(M) repeat N { running } }} tree t(a: int, b: int) { condition a > b",
        &[],
        &[],
    );
    in_tree("condition q(N)", &["E0617"], &["`tune agent const N`"]);
    in_tree("use t(N) } tree t(p: int) { condition q(p)", &["E0617"], &["`tune agent const N`"]);
    in_tree("limit N { running }", &["E0613"], &["`N` can be tuned later", "a `const`"]);
    in_tree("parallel (succeed M) { running running }", &["E0613"], &["`M` can be tuned later"]);
    in_tree("random { N: running 1: running }", &["E0613"], &["a weight is needed"]);
    in_tree("match v { N: running else: running }", &["E0613"], &["the value of a case"]);
    in_tree("condition curve(1.0, 0: 1, N: 2) > 1.0", &["E0613"], &["a number of a curve"]);
    in_tree(
        "running } tree t { keep var k: int = N condition k == 1",
        &["E0613"],
        &["the default of a `keep var`"],
    );
}

#[test]
fn durations_have_a_unit_of_their_own() {
    in_tree(
        "sequence { wait D wait D to D timeout D { every D { set v = 1 } { cooldown 2 * D ms { running } } } }",
        &[],
        &[],
    );
    in_tree("wait D s", &["E0621"], &["has a unit of its own", "leave the unit out"]);
    in_tree("wait D ms", &["E0621"], &["has a unit of its own"]);
    in_tree("wait N", &["E0622"], &["`N ms`"]);
    in_tree("wait v", &["E0622"], &["`v ms`"]);
    in_tree("cooldown N { running }", &["E0622"], &["`N ms` or `N s`"]);
}
