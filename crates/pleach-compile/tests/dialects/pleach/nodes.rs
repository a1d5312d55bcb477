//! Every node becomes what the dialect's page says.

use super::{load, loads, node, warns};
use pleach_compile::internals::dialects::Pleach;
use pleach_compile::internals::ir::Expr;
use pleach_compile::internals::session::Session;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;

#[test]
fn lists() {
    node("sequence { action shoot action shoot }", "sequence { action shoot; action shoot }");
    node(
        "selector { condition visible action shoot }",
        "selector { condition truth(visible?); action shoot }",
    );
    node("reactive sequence { action shoot }", "reactive sequence { action shoot }");
    node("reactive selector { action shoot }", "reactive selector { action shoot }");
}

#[test]
fn parallel_counts() {
    node("parallel { action shoot action shoot }", "parallel(2, 1) { action shoot; action shoot }");
    node(
        "parallel (fail all, succeed any) { action shoot action shoot }",
        "parallel(1, 2) { action shoot; action shoot }",
    );
    node("parallel (succeed POST - 1) { running running }", "parallel(2, 1) { running; running }");
    node("parallel (fail 1, succeed 2) { running running }", "parallel(2, 1) { running; running }");
}

#[test]
fn choices() {
    node("random { 3: action shoot action shoot }", "random(3, 1) { action shoot; action shoot }");
    node("random { random { POST: running } }", "random(1) { random(3) { running } }");
    node("utility { health: action shoot POST: running }", "utility(health, 3) { action shoot; running }");
    node(
        "reactive utility { random() * 2: action shoot rank(1): running }",
        "reactive utility((draw *. 2.0), int(rank?(1))) { action shoot; running }",
    );
}

#[test]
fn conditions() {
    node("condition alert", "condition alert");
    node("if alert { action shoot }", "if alert { action shoot }");
    node("while !alarm { action shoot }", "while !(alarm) { action shoot }");
}

#[test]
fn actions() {
    node("action moveTo(POST, 1)", "action moveTo(3, 1.0)");
    node("action moveTo(seen, health)", "action moveTo(seen, health)");
    node("action moveTo(ammo, seen)", "action moveTo(ammo, seen)");
    node("action say(\"a\\\"\\\\\\n\\tb\")", "action say(\"a\\\"\\\\\\n\\tb\")");
}

#[test]
fn sets() {
    node("set seen = 1", "set seen(seen, 0) 1");
    node("set ammo += POST", "set ammo(ammo, 0) (ammo + 3)");
    node("set health -= 1", "set health(health, 0) (health -. 1.0)");
    node("set health *= seen", "set health(health, 0) (health *. float(seen))");
    node("set seen /= 2", "set seen(seen, 0) (seen / 2)");
    node("set seen min= 2", "set seen(seen, 0) (seen min 2)");
    node("set health max= 2", "set health(health, 0) (health max. 2.0)");
    node("set alert = !alert", "set alert(alert, 0) !(alert)");
}

#[test]
fn shared_variables_keep_the_operator() {
    node("set target = 1", "set target(target, 0) 1");
    node("set target += seen", "set target(target, 1) seen");
    node("set target -= seen", "set target(target, 1) -(seen)");
    node("set target -= 5", "set target(target, 1) -5");
    node("set danger min= 2", "set danger(danger, 2) 2.0");
    node("set danger max= health", "set danger(danger, 3) health");
    node("set alarm = true", "set alarm(alarm, 0) true");
}

#[test]
fn durations() {
    node("wait 20 ms", "wait(20)");
    node("wait 500ms", "wait(500)");
    node("wait 2 s", "wait(2000)");
    node("wait 0.25s", "wait(250)");
    node("wait POST * 2 ticks", "wait ticks(6)");
    node("delay 3 ticks { running }", "delay ticks(3) { running }");
    node("timeout 3 s { running }", "timeout(3000) { running }");
    node("cooldown 1 ms { action shoot }", "cooldown(1) { action shoot }");
}

#[test]
fn decorators() {
    node("invert { action shoot }", "invert { action shoot }");
    node("force success { action shoot }", "force success { action shoot }");
    node("force failure { action shoot }", "force failure { action shoot }");
    node("until success { action shoot }", "until success { action shoot }");
    node("until failure { action shoot }", "until failure { action shoot }");
    node("repeat { action shoot }", "repeat { action shoot }");
    node("repeat POST { action shoot }", "repeat(3) { action shoot }");
    node("retry 65535 { action shoot }", "retry(65535) { action shoot }");
    node("limit 2147483647 { action shoot }", "limit(2147483647) { action shoot }");
}

#[test]
fn events() {
    node("raise hit", "raise hit(0, 0)");
    node("raise hit to group", "raise hit(0, 1)");
    node("raise hit to all", "raise hit(0, 2)");
    let text = "var n: int on a { set n = 1 } on b { } on a { set n += 2 } tree main { raise b }";
    let outcome = load(&[("main", text.as_bytes())], "");
    assert_eq!(
        outcome.file,
        "var n: I32 = 0x0\non a: sequence { set n(n, 0) 1; set n(n, 0) (n + 2) }\non b: sequence\nmain: raise b(1, 0)"
    );
}

#[test]
fn trees_are_copied() {
    loads(
        "tree main { sequence { use go(POST, 2, \"hi\") use go(seen, health, \"ho\") } } \
         tree go(place: int, speed: float, line: text) { sequence { action moveTo(place, speed) action say(line) \
         condition speed / 4 > 1 } }",
        "main: sequence { sequence { action moveTo(3, 2.0); action say(\"hi\"); condition false }; \
         sequence { action moveTo(seen, health); action say(\"ho\"); condition ((health /. 4.0) > 1.0) } }",
    );
}

#[test]
fn parameters_are_passed_on() {
    loads(
        "tree main { use a(seen, 2) } tree a(x: int, n: int) { repeat n { use b(n * 2, x) } } \
         tree b(n: int, y: float) { sequence { wait n ticks condition y / 2 < 1 } }",
        "main: repeat(2) { sequence { wait ticks(4); condition ((float(seen) /. 2.0) < 1.0) } }",
    );
}

#[test]
fn parameters_can_be_set() {
    loads(
        "tree main { use count(seen) } tree count(n: int) { set n += 1 }",
        "main: set seen(seen, 0) (seen + 1)",
    );
}

#[test]
fn trees_without_parameters_can_start() {
    warns(
        "tree a { running } tree b(p: int) { running } tree c() { use a }",
        "a: running\nc: running",
        &["W0605"],
    );
}

#[test]
fn words_of_the_grammar_are_names_elsewhere() {
    let text = "var s: int var ms: int var ticks: int var to: bool var all: int var any: int var text: int \
                tree main { sequence { set s = ms + ticks condition to wait 5 s set all = any - text } }";
    let outcome = load(&[("main", text.as_bytes())], "");
    assert_eq!(outcome.findings, "");
}

#[test]
fn hints_are_given() {
    warns(
        "tree main { selector { condition 1 < 2 action shoot } }",
        "main: selector { condition true; action shoot }",
        &["W0601"],
    );
    warns(
        "tree main { selector { set seen = 1 action shoot } }",
        "main: selector { set seen(seen, 0) 1; action shoot }",
        &["W0602"],
    );
    warns(
        "tree main { sequence { running action shoot } }",
        "main: sequence { running; action shoot }",
        &["W0602"],
    );
    warns("tree main { sequence { } }", "main: sequence", &["W0603"]);
    warns("tree main { parallel (succeed 3) { running } }", "main: parallel(3, 1) { running }", &["W0604"]);
}

#[test]
fn what_is_meant_gives_no_hint() {
    loads("const DEBUG = false tree main { if DEBUG { action shoot } }", "main: if false { action shoot }");
    loads(
        "tree main { selector { use if_it(true) action shoot } } tree if_it(it: bool) { condition it }",
        "main: selector { condition true; action shoot }",
    );
    loads(
        "tree main { selector { invert { set seen = 1 } sequence { set seen = 2 action shoot } cooldown 1 ms { running } } }",
        "main: selector { invert { set seen(seen, 0) 1 }; sequence { set seen(seen, 0) 2; action shoot }; \
         cooldown(1) { running } }",
    );
}

#[test]
fn places_of_chance_are_numbered_as_the_page_says() {
    let text = "tree main { sequence { random { success } condition random() < 0.25 || random() < 0.375
            utility { random() * 2.0: condition random() < 0.75 random(): success }
            condition FALSE && random() < 2.0
            use copy use copy } }
        const FALSE = false var b: bool
        on second { set b = random() < 0.125 } on first { set b = random() < 0.0625 }
        on second { set b = random() < 0.03125 }
        tree copy() { random { condition random() < 0.875 failure } } tree unused(n: int) { condition random() < 3.0 }";
    let library = Texts::of("main", "pleach", text);
    let manifest = Manifest::default();
    let mut session = Session::new(&library, &manifest);
    let module =
        pleach_compile::internals::module(&mut session, &Pleach, &["main".to_owned()]).expect("a program");
    let limits = module.exprs.windows(2).filter_map(|pair| match *pair {
        [Expr::Draw(draw), Expr::Number(limit)] => Some((draw, limit)),
        _ => None,
    });
    // Draws 5 and 6 are the scores. `random` with one child needs no test, but has a number.
    let said = [(0, 0.125), (1, 0.03125), (2, 0.0625), (3, 0.25), (4, 0.375), (7, 0.75)];
    let copies = [(8, 0.875), (9, 0.875), (10, 0.875)];
    let lists = [(12, 0.5), (13, 0.5), (14, 0.5)];
    let multiplied = (5, 2.0);
    let mut limits: Vec<_> = limits.filter(|it| *it != multiplied).collect();
    limits.sort_by_key(|(draw, _)| *draw);
    assert_eq!(limits, [&said[..], &copies, &lists].concat());
    assert_eq!(module.draws, 15);
}
