//! Findings about vectors: each says what was found, what is allowed, and what to write.

use super::finds;

/// Declarations of vectors, and of what they are confused with.
const DECLARED: &str = "action go(v: vec2, w: vec3) action find(out w: vec3, out x: float) \
    query near(v: vec2): bool query at: vec3 var v: vec2 var w: vec3 world var all: vec2 \
    var n: int var x: float var d: double var b: bool var t: text const NAN = 0.0 / 0.0 \
    on look { set v = v set w = w set all = v set n = n set x = x set d = d set b = b set t = t } ";

/// A node of a tree has one finding with this code and these parts.
#[track_caller]
fn mistake(node: &str, code: &str, parts: &[&str]) {
    finds(&format!("{DECLARED} tree main {{ {node} }} tree u(p: vec2) {{ action go(p, w) }}"), &[code], parts);
}

#[test]
fn operators_go_with_few_vectors() {
    let allowed = "vectors of one type have `+`, `-`, `==` and `!=`";
    for (node, found) in [
        ("set w = v + w", "+1 `+` does not go with a vec2 and a vec3"),
        ("set v = v * v", "`*` does not go with a vec2 and a vec2"),
        ("set v = v / 2.0", "`/` does not go with a vec2 and a float"),
        ("set v = v + 1.0", "`+` does not go with a vec2 and a float"),
        ("set w = w % 2", "`%` does not go with a vec3 and an int"),
        ("condition v < v", "`<` does not go with a vec2 and a vec2"),
        ("condition v == w", "`==` does not go with a vec2 and a vec3"),
        ("condition t == v", "`==` does not go with a text and a vec2"),
        ("set t = t + v", "`+` does not go with a text and a vec2"),
        ("set v = v * d", "`*` does not go with a vec2 and a double"),
    ] {
        mistake(node, "E0612", &[found, allowed]);
    }
    mistake("set x = v * v", "E0612", &["`dot(a, b)` multiplies"]);
    mistake("condition v < v", "E0612", &["`length(a)`"]);
}
