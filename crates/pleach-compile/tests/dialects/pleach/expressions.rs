//! Types, operators, conversions, folding.

use super::{finds, load, node};

/// A condition becomes this.
#[track_caller]
fn condition(text: &str, expr: &str) {
    node(&format!("condition {text}"), &format!("condition {expr}"));
}

/// A constant has this value, as the default of a variable of this type.
#[track_caller]
fn constant(ty: &str, text: &str, bits: u32) {
    let text = format!("const C = {text} var x: {ty} = C tree main {{ set x = x }}");
    let outcome = load(&[("main", text.as_bytes())], "");
    assert_eq!(outcome.findings, "");
    let shown = format!("= {bits:#x}\n");
    assert!(outcome.file.contains(&shown), "{text}\n{} is not {shown}", outcome.file);
}

#[track_caller]
fn int(text: &str, value: i32) {
    constant("int", text, value as u32);
}

#[track_caller]
fn float(text: &str, value: f32) {
    constant("float", text, value.to_bits());
}

#[test]
fn operators_have_their_levels() {
    condition(
        "alert || visible && seen + 1 * 2 < 3 == alert",
        "(alert || (truth(visible?) && (((seen + 2) < 3) == alert)))",
    );
    condition("seen - 1 - 2 == 0", "(((seen - 1) - 2) == 0)");
    condition("-seen * -2 != 0", "((-(seen) * -2) != 0)");
    condition("!alert == alarm", "(!(alert) == alarm)");
    condition("!(alert || alarm)", "!((alert || alarm))");
    condition("seen % 2 == (seen / 2) * 3", "((seen % 2) == ((seen / 2) * 3))");
    condition("alert != alarm", "(alert != alarm)");
    condition("seen >= 1 && seen <= 2", "((seen >= 1) && (seen <= 2))");
}

#[test]
fn ints_become_floats_beside_floats() {
    condition("health > 1", "(health > 1.0)");
    condition("seen < 1.5", "(float(seen) < 1.5)");
    condition("seen + health * 2 == 0", "((float(seen) +. (health *. 2.0)) == 0.0)");
    condition("distance(POST) > seen", "(float(distance?(3)) > float(seen))");
    condition("max(seen, 0.5) > 0", "((float(seen) max. 0.5) > 0.0)");
}

#[test]
fn conversions_are_said() {
    condition("int(health) == 1", "(int(health) == 1)");
    condition("int(alert) + int(seen) == 1", "((number(alert) + seen) == 1)");
    condition("float(seen) / 2 > float(alert)", "((float(seen) /. 2.0) > number(alert))");
    condition("bool(alert)", "alert");
}

#[test]
fn functions() {
    condition("clamp(seen, 1, 3) == 2", "(((seen max 1) min 3) == 2)");
    condition("min(rank(1), seen) > abs(health)", "(float((int(rank?(1)) min seen)) > abs.(health))");
    condition("sqrt(health) > 1", "(float(Root(health)) > 1.0)");
    condition("logistic(health) > seen", "(Logistic(health) > float(seen))");
    condition("pow(rank(1), seen) > 1", "(pow(float(int(rank?(1))), float(seen)) > 1.0)");
    condition("curve(seen, 0: 1, 2: 3.5) > 1", "(curve(float(seen), (0.0, 1.0, 2.0, 3.5)) > 1.0)");
    condition(
        "smooth(seen, rank(1), smooth(1, 2, health)) > 0",
        "(smooth(float(seen), float(int(rank?(1))), smooth(1.0, 2.0, health)) > 0.0)",
    );
    condition("now - seen > 10 && random() < 0.5", "(((now - seen) > 10) && (draw < 0.5))");
    condition("visible() && visible", "(truth(visible?) && truth(visible?))");
}

#[test]
fn constants_are_computed() {
    int("1 + 2 * 3 - 4 / 3", 6);
    int("0x1f", 31);
    int("-2147483648", i32::MIN);
    int("-0x80000000", i32::MIN);
    int("2147483647 + 1", i32::MIN);
    int("1 / 0 + 1 % 0", 0);
    int("-2147483648 / -1", i32::MIN);
    int("-7 / 2 * 10 + -7 % 2", -31);
    int("int(3e9)", i32::MAX);
    int("int(0.0 / 0.0)", 0);
    int("int(-1.9)", -1);
    int("int(1 < 2) + int(false)", 1);
    int("min(3, 2) + max(3, 2) + clamp(7, 0, 5) + abs(-1)", 11);
    int("abs(-2147483648)", i32::MIN);
    float("1.5 + 1", 2.5);
    float("1 / 2", 0.0);
    float("1 / 2.0", 0.5);
    float("1e3 * 0.1", 100.0);
    float("16777217 + 0.0", 16_777_216.0);
    float("0.1 + 0.2", 0.1_f32 + 0.2_f32);
    float("1.0 / 0", f32::INFINITY);
    float("min(0.0 / 0.0, 1)", 1.0);
    constant("bool", "1 == 1.0 && !(2 < 1) || 1 / 0 == 1", 1);
    constant("bool", "0.0 / 0.0 == 0.0 / 0.0", 0);
    constant("bool", "0.0 / 0.0 != 0.0 / 0.0", 1);
}

#[test]
fn what_is_not_evaluated_leaves_nothing() {
    condition("alert && true", "alert");
    condition("alert || false", "alert");
    condition("alert && false", "(alert && false)");
    super::warns("tree main { condition false && rank(1) > 2 }", "main: condition false", &["W0601"]);
    super::loads(
        "const OFF = false tree main { condition OFF && rank(1) > 2 || alert }",
        "main: condition alert",
    );
}

#[test]
fn wrong_types_are_told_with_the_way_out() {
    for (text, help) in [
        ("condition seen", "`seen != 0`"),
        ("condition seen + 1", "`(seen + 1) != 0`"),
        ("condition health", "`health > 0.0`"),
        ("condition !seen", "`seen != 0`"),
        ("condition alert && ammo", "`ammo != 0`"),
        ("set seen = health", "`int(health)`"),
        ("set seen += 0.5", "`int(0.5)`"),
        ("set health = alert", "`float(alert)`"),
        ("set alert = 1", "`1 != 0`"),
        ("condition alert > 1", "`int(alert)`"),
        ("condition 1 < seen < 3", "`1 < seen && seen < 3`"),
        ("condition health % 2 == 0", "`int(…)`"),
        ("action moveTo(1.5, 1)", "`int(1.5)`"),
        ("action say(1)", "double quotes"),
        ("action moveTo(\"a\", 1)", "no number becomes of a text"),
        ("condition \"a\"", "`\"a\" != \"\"`"),
        ("condition \"a\" == 1", "texts are compared to texts"),
        ("condition \"a\" + \"b\" == \"c\"", "texts are compared to texts"),
        ("utility { alert: running }", "`int(alert)`"),
        ("wait 1.5 ms", "`0.5 s`"),
        ("wait alert s", "`int(alert)`"),
        ("condition bool(seen)", "`seen != 0`"),
        ("condition abs(alert) > 0", "`int(alert)`"),
        ("repeat 1.5 { running }", "`int(1.5)`"),
    ] {
        finds(&format!("tree main {{ {text} }}"), &["E0612"], &[help]);
    }
}

#[test]
fn what_no_type_becomes_is_told_with_what_it_is_for() {
    let text = "no number becomes of a text; texts are compared, and passed to actions, queries and trees";
    let entity = "an entity is compared with `==` and `!=`, and passed on; no number becomes of it";
    for (statement, help) in [
        ("set wide = \"a\"", text),
        ("condition int(\"a\") > 1", text),
        ("condition sqrt(\"a\") > 1", text),
        ("set seen = who", entity),
        ("condition double(who) > 1", entity),
        ("condition -who == none", entity),
        ("set wide = alert", "`int64(alert)` is 1 or 0"),
        ("set exact = alert", "`double(alert)` is 1.0 or 0.0"),
        ("condition max(alert, 1) > 0", "`int(alert)` is 1 or 0"),
        ("set exact = mood", "`int(mood)` is its number"),
        ("condition float(mood) > 1", "`int(mood)` is its number"),
        ("condition mood", "`mood == MEMBER`"),
        ("condition said", "`said != \"\"`"),
        ("condition bool(who)", "`who != none`"),
        ("wait exact s", "`float(exact)` is the nearest float"),
    ] {
        let head = "enum Mood { calm, wild } var mood: Mood var who: entity var wide: int64 var exact: double \
                    var said: text";
        finds(&format!("{head} tree main {{ {statement} }}"), &["E0612"], &[help]);
    }
}
