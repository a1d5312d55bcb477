//! Findings about vectors: each says what was found, what is allowed, and what to write.

use super::{finds, load, loads};
use pleach_compile::manifest::{Manifest, Type};

/// Declarations of vectors, and of what they are confused with.
const DECLARED: &str = "action go(v: vec2, w: vec3) action find(out w: vec3, out x: float) \
    query near(v: vec2): bool query at: vec3 var v: vec2 var w: vec3 world var all: vec2 \
    var n: int var x: float var d: double var b: bool var t: text const NAN = 0.0 / 0.0 \
    on look { set v = v set w = w set all = v set n = n set x = x set d = d set b = b set t = t } ";

/// A node of a tree has one finding with this code and these parts.
#[track_caller]
fn mistake(node: &str, code: &str, parts: &[&str]) {
    finds(
        &format!("{DECLARED} tree main {{ {node} }} tree u(p: vec2) {{ action go(p, w) }}"),
        &[code],
        parts,
    );
}

/// A condition has one finding of a wrong type.
#[track_caller]
fn condition(condition: &str, parts: &[&str]) {
    mistake(&format!("condition {condition}"), "E0612", parts);
}

#[test]
fn operators_go_with_few_vectors() {
    const SUMS: &str = "`+` and `-` take two vectors of one type, `*` a vector and a float";
    const SAME: &str = "vectors are compared with vectors of their type";
    mistake("set w = v + w", "E0612", &["+5 `+` does not go with a vec2 and a vec3", SUMS]);
    mistake("set v = v + 1.0", "E0612", &["`+` does not go with a vec2 and a float", SUMS]);
    mistake("set w = w % 2", "E0612", &["`%` does not go with a vec3 and an int", SUMS]);
    mistake("set v = v * w", "E0612", &["`*` does not go with a vec2 and a vec3", SUMS]);
    mistake(
        "set v = v * v",
        "E0612",
        &["`*` does not go with a vec2 and a vec2", "`dot(v, v)` is the sum of the products of their parts"],
    );
    mistake(
        "set v = v / 2.0",
        "E0612",
        &["`/` does not go with a vec2 and a float", "multiply it: `v * (1.0 / 2.0)`"],
    );
    mistake(
        "set v = vec2(1.0, abs(x)) * vec2(abs(x), 2.0)",
        "E0612",
        &["`dot(vec2(1.0, abs(x)), vec2(abs(x), 2.0))` is the sum"],
    );
    mistake("set v = (v + v) * x / 2.0", "E0612", &["multiply it: `((v + v) * x) * (1.0 / 2.0)`"]);
    mistake("set v = (v + v) / (x + 1.0)", "E0612", &["multiply it: `(v + v) * (1.0 / (x + 1.0))`"]);
    condition("0.0 < length(v) < 1.0", &["write `0.0 < length(v) && length(v) < 1.0`"]);
    mistake("set v = v * d", "E0612", &["`*` does not go with a vec2 and a double", "`float(…)`"]);
    condition("v < v", &["+5 `<` does not go with a vec2 and a vec2", "compare `length(…)`"]);
    condition("v == w", &["`==` does not go with a vec2 and a vec3", SAME]);
    condition("v != x", &["`!=` does not go with a vec2 and a float", SAME]);
    condition("t == v", &["`==` does not go with a text and a vec2", "texts are compared to texts"]);
    mistake(
        "set t = t + v",
        "E0612",
        &["`+` does not go with a text and a vec2", "texts are compared to texts"],
    );
    condition("v && b", &["+1 an operand of `&&` must be a bool, but this is a vec2", "`length(v) > 0.0`"]);
    condition("!w", &["what `!` is applied to must be a bool, but this is a vec3"]);
}

#[test]
fn places_for_numbers_take_no_vector() {
    const NUMBER: &str =
        "a number is a part of a vector `a`, as `a.x`, or computed: `length(a)`, `dot(a, b)`";
    for (node, found) in [
        ("wait v s", "+1 a duration must be"),
        ("timeout w ms { running }", "a duration must be an int, but this is a vec3"),
        ("utility { v: running }", "a score must be an int or a float, but this is a vec2"),
        ("match v { 1: running else: failure }", "the value of a `match` must be an int, but this is a vec2"),
        (
            "match n { vec2(1, 2): running else: failure }",
            "the value of a case must be an int, but this is a vec2",
        ),
        ("chance v { running }", "a chance must be a float, but this is a vec2"),
        ("repeat w { running }", "must be an int, but this is a vec3"),
        ("set x = v", "what is written must be a float, but this is a vec2"),
        ("set n = int(v)", "the argument of `int` must be an int, but this is a vec2"),
        ("set x = abs(v)", "an argument of `abs` must be"),
        ("set x = sqrt(w)", "an argument of `sqrt` must be a float, but this is a vec3"),
        ("set v = vec2(v, 1)", "an argument of `vec2` must be a float, but this is a vec2"),
    ] {
        mistake(node, "E0612", &[found, NUMBER]);
    }
    condition("w", &["must be a bool, but this is a vec3", "compare it: `length(w) > 0.0`"]);
    mistake("set t = v", "E0612", &["what is written must be a text, but this is a vec2"]);
    mistake("set w = vec3(d, 0, 0)", "E0612", &["must be a float, but this is a double", "`float(d)`"]);
}

#[test]
fn vectors_have_two_or_three_parts() {
    condition("v.z > 0.0", &["+3 a vec2 has no part `z`", "its parts are `.x` and `.y`"]);
    condition("w.length > 0.0", &["a vec3 has no part `length`", "its parts are `.x`, `.y` and `.z`"]);
    condition("n.x > 0.0", &["an int has no part `x`", "vectors have parts"]);
    condition("at.x > 0.0", &["a query has no parts", "take the part of that"]);
    mistake("set v = vec2(1.0)", "E0405", &["too few arguments for `vec2`", "it is `vec2(x, y)`"]);
    mistake("set w = vec3(1, 2)", "E0405", &["too few arguments for `vec3`", "it is `vec3(x, y, z)`"]);
    mistake("set v = vec2(1, 2, 3)", "E0406", &["too many arguments for `vec2`", "it is `vec2(x, y)`"]);
    mistake("set v = w", "E0612", &["must be a vec2, but this is a vec3", "`vec2(a.x, a.y)`"]);
    mistake("set w = v", "E0612", &["must be a vec3, but this is a vec2", "`vec3(a.x, a.y, 0.0)`"]);
    mistake("set v = 1", "E0612", &["must be a vec2, but this is an int", "`vec2(1, 0.0)`"]);
    mistake("set w = b", "E0612", &["must be a vec3, but this is a bool", "`vec3(1.0, 0.0, 0.0)`"]);
    mistake("set x = dot(v, w)", "E0612", &["an argument of `dot` must be a vec2, but this is a vec3"]);
    mistake("set x = length(x)", "E0612", &["an argument of `length` must be a vec3, but this is a float"]);
}

#[test]
fn parts_are_not_written_alone() {
    const ALONE: &str = "a part of `w` cannot be written alone";
    mistake("set w.x = 1", "E0616", &["+3 ", ALONE, "`set w = vec3(1.0, w.y, w.z)`"]);
    mistake("set w.y += 1.0", "E0616", &[ALONE, "`set w = vec3(w.x, 1.0, w.z)`"]);
    mistake("sequence { set w.z = v running }", "E0616", &[ALONE, "`set w = vec3(w.x, w.y, 1.0)`"]);
    mistake("set v min= v", "E0616", &["a vector has no such arithmetic", "`=`, `+=` and `-=`"]);
    mistake("set v /= 2.0", "E0616", &["a vector has no such arithmetic"]);
    mistake("set all += v", "E0616", &["a vector that agents share can only be written"]);
}

#[test]
fn arguments_are_vectors_of_their_type() {
    mistake("action go(w, w)", "E0612", &["the argument `v` must be a vec2, but this is a vec3"]);
    mistake("action go(v, 1.0)", "E0612", &["the argument `w` must be a vec3", "`vec3(1.0, 0.0, 0.0)`"]);
    mistake("action find(v, x)", "E0612", &["the variable for `w` must be a vec3, but this is a vec2"]);
    mistake("action find(w, v)", "E0612", &["the variable for `x` must be a float, but this is a vec2"]);
    mistake("action find(w * 2, x)", "E0617", &["this is no variable, and cannot get a value"]);
    mistake("condition near(v + v)", "E0617", &["this is computed while the tree runs"]);
    mistake("use u(v * 2.0)", "E0617", &["this is computed while the tree runs"]);
    mistake("use u(w)", "E0612", &["the argument `p` must be a vec2, but this is a vec3"]);
}

#[test]
fn what_is_never_computed_leaves_no_factor() {
    let computed = ["computed while the tree runs and cannot be passed"];
    // The operand behind `||` is dropped, with the factor of the vector in it.
    mistake("set v = vec2(x, float(int(true || near(v * (x + x)))))", "E0617", &computed);
    // So is a tree that nothing uses. The next one has a variable without a default.
    let unused = "tree p(m: int) { condition near(v * (x + x)) } tree q(m: int) { var y: float success }";
    finds(&format!("{DECLARED} tree main {{ action go(v, w) }} {unused}"), &["E0617"], &computed);
}

#[test]
fn declarations_of_vectors_are_checked() {
    finds(
        "const A = B.x const B = vec2(A, 1.0) tree main { condition A > 0.0 }",
        &["E0615"],
        &["the constant `A` is computed from itself", "`B` needs it"],
    );
    finds(
        "var home: vec2 tree home { var x: float = 1.0 condition x > home.y }",
        &["E0609"],
        &["hosts reach two variables as `home.x`", "the vector is declared here"],
    );
    finds(
        "var x: float var v: vec2 = vec2(x, 1) tree main { condition v.x > x }",
        &["E0613"],
        &["a default"],
    );
    // A part can be any float.
    finds("const N = vec2(0.0 / 0.0, 1.0) tree main { condition N == N }", &[], &[]);
    finds("var home: vec2 tree home { var z: float = 1.0 condition z > home.y }", &[], &[]);
}

#[test]
fn manifests_declare_vectors() {
    let manifest = "action go(to: vec3, by: vec2?)\naction find(out at: vec3)\nquery near(to: vec2) -> vec2";
    let text =
        |node: &str| format!("var v: vec2 var w: vec3 tree main {{ sequence {{ set v = near(v) {node} }} }}");
    let found = |node: &str| load(&[("main", text(node).as_bytes())], manifest);
    for node in ["action go(w, v)", "action go(w * 2)", "action find(w)"] {
        let outcome = found(node);
        assert_eq!(outcome.codes, [""; 0], "{}", outcome.findings);
    }
    let outcome = found("action go(v)");
    assert_eq!(outcome.codes, ["E0612"], "{}", outcome.findings);
    assert!(
        outcome.findings.contains("the argument `to` must be a vec3, but this is a vec2"),
        "{}",
        outcome.findings
    );
}

#[test]
fn a_vector_is_as_many_arguments_as_it_has_parts() {
    let (manifest, problems) = Manifest::parse("action go(to: vec3, by: vec2?)\nquery at(of: int) -> vec3");
    assert_eq!(problems, []);
    let (go, at) = (manifest.action("go").expect("declared"), manifest.query("at").expect("declared"));
    assert_eq!((go.min_args(), go.max_args(), go.answer_args()), (3, 5, 0));
    assert_eq!((at.min_args(), at.max_args(), at.answer_args()), (1, 1, 3));
    assert_eq!(at.answers, Some(Type::Vec3));
    for (line, expected) in [
        ("action go(to: vec2 = 1)", "no value of `to`"),
        ("action go(to: vec2 0..1)", "no range of `vec2`"),
        ("action go(to: vec2 {near far})", "no words"),
        ("query at(out to: vec2) -> bool", "no `out` parameters"),
    ] {
        let (_, problems) = Manifest::parse(line);
        assert!(problems.len() == 1 && problems[0].message.contains(expected), "{problems:?}");
    }
}

/// The host may read a part of the variable when it is asked for another part.
#[test]
fn hosts_are_asked_before_a_part_is_written() {
    let sets =
        |value: &str| format!("query a: vec2 query b: vec2 var v: vec2 tree main {{ set v = {value} }}");
    loads(
        &sets("vec2(1.0, float(a == b))"),
        "main: set v(, ) { .argument(, 0) 1.0; .argument(, 0) number(((a?(out, out) == b?(out, out)) && ( == ))); \
         .part v.x(v.x, 0) ; .part v.y(v.y, 0)  }",
    );
    loads(
        &sets("a + b"),
        "main: set v { .part v.x(v.x, 0) (a?(out, out) +. b?(out, out)); .part v.y(v.y, 0) ( +. ) }",
    );
}

#[test]
fn findings_about_parts_tell_what_the_parameter_stands_for() {
    finds(
        "query far(x: float): bool world var all: vec2 tree main { sequence { set all = vec2(1, 2) use u(all) } }\
         tree u(p: vec2) { condition far(p.x) }",
        &["E0617"],
        &[
            "a variable that agents share cannot be passed here",
            "+3 this is what the parameter stands for here",
        ],
    );
}
