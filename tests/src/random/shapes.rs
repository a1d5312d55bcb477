//! Programs of a shape that chance seldom makes: long chains of tests, tests at the ends of ranges, constants for every type, and what
//! is shared by groups.
//!
//! The runtime has short ways for these, and its golden programs are to go them all. Variables are changed by the event `shake`, at
//! random, so that the trees themselves ask nobody.

use super::mbt::TREE;
use std::fmt::Write as _;

const RELATIONS: [&str; 6] = ["<", ">", "<=", ">=", "==", "!="];
/// Types with their least and greatest number; those of 32 bits hold any that is compared here.
const TYPES: [(&str, i64, i64); 5] = [
    ("int8", -128, 127),
    ("uint8", 0, 255),
    ("int16", -32768, 32767),
    ("uint16", 0, 65535),
    ("int", -2_147_483_648, 2_147_483_647),
];

/// A selection that is decided by truths alone, and by more than fit a word of a table; the dialect is `bst`.
pub fn soldier() -> String {
    include_str!("../../../benches/trees/soldier.xml").replace("\"soldier\"", &format!("\"{TREE}\""))
}

/// Signals that put a truth by more others than fit a word of a table, and a machine among the leaves; the dialect is `bst`.
pub fn signals() -> String {
    let mut text = format!("<SelectionTree name=\"{TREE}\" type=\"BehaviorSelectionTree\"><Variables>");
    ["A", "B", "C", "D", "E", "F", "G"]
        .iter()
        .for_each(|name| _ = write!(text, "<Variable name=\"{name}\"/>"));
    text += "</Variables><SignalVariables>";
    for (signal, variable, value) in [
        ("S0", "A", "!A"),
        ("S1", "B", "!B"),
        ("S1", "C", "A and !C"),
        ("S2", "D", "(A or B) and (C or !D) and (E or !F) or !G"),
        ("S3", "E", "!(A and B and C and D and E and F and G)"),
        ("S4", "F", "!F"),
        ("S4", "G", "E or !G"),
    ] {
        _ = write!(text, "<Signal name=\"{signal}\" variable=\"{variable}\" value=\"{value}\"/>");
    }
    text + r#"</SignalVariables><Priority name="Root">
<Leaf name="First" condition="D and A"/>
<StateMachine name="Machine" condition="E">
<State name="s0"><Transition state="s1" condition="A"/><Leaf name="L0"/></State>
<State name="s1"><Transition state="s2" condition="B"/><Transition state="s0" condition="!A"/><Leaf name="L1"/></State>
<State name="s2"><Transition state="s0" condition="!A and !B"/><Leaf name="L2"/></State>
</StateMachine>
<Leaf name="Second" condition="D or !F"/>
<Leaf name="Last"/>
</Priority></SelectionTree>"#
}

/// Who does what comes first of nine things, as the benchmarks have it, with events that turn his variables round; the dialect is `mbt`.
pub fn watchman() -> String {
    let variables = ["Called", "Covered", "Dark", "Armed", "Heard", "Hurt", "Seen", "Tired"];
    let signal = |(number, name): (usize, &str)| {
        format!(r#"<Signal name="S{}" variable="{name}" value="!{name}"/>"#, number % 5)
    };
    let signals: String = variables.into_iter().enumerate().map(signal).collect();
    let text = include_str!("../../../benches/trees/watchman.xml")
        .replace("</Variables>", &format!("</Variables><SignalVariables>{signals}</SignalVariables>"));
    ["Flee", "Shoot", "Shout", "Bandage", "Search", "Come", "Rest", "Light", "Walk"]
        .into_iter()
        .fold(text, |text, name| text.replace(&format!("<{name}/>"), &format!(r#"<Act name="{name}"/>"#)))
}

/// The files of the benchmarks' bot, the largest tree by hand; the dialect is `unvanquished`.
pub const BOT: [(&str, &str); 7] = [
    ("bot", include_str!("../../../benches/trees/bot.bt")),
    ("bot_build", include_str!("../../../benches/trees/bot_build.bt")),
    ("bot_fight", include_str!("../../../benches/trees/bot_fight.bt")),
    ("bot_heal", include_str!("../../../benches/trees/bot_heal.bt")),
    ("bot_reflexes", include_str!("../../../benches/trees/bot_reflexes.bt")),
    ("bot_supply", include_str!("../../../benches/trees/bot_supply.bt")),
    ("bot_wander", include_str!("../../../benches/trees/bot_wander.bt")),
];

/// All others by name.
pub fn shapes() -> impl Iterator<Item = (&'static str, String)> {
    let waits = "wait 2 ticks";
    [
        ("chain", chain("set x = N")),
        ("chain-of-leaves", chain("action act(N)")),
        ("chain-of-waits", chain(waits)),
        ("tests", tests()),
        ("reactive", REACTIVE.to_owned()),
        ("loops", LOOPS.to_owned()),
        ("ends", ends()),
        ("pairs", pairs()),
        ("constants", constants()),
        ("truths", TRUTHS.to_owned()),
        ("groups", GROUPS.to_owned()),
        ("waits", WAITS.to_owned()),
        ("scores", SCORES.to_owned()),
    ]
    .into_iter()
}

/// A selector whose children are tested one after the other, few of which hold; the child `N` of each is numbered.
fn chain(child: &str) -> String {
    let mut text = String::from(
        "action act(n: int) var a: float var b: float var c: int var d: int var x: int var rounds: uint16
on shake {
  set a = random() * 200.0 - 100.0 set b = a * random() set c = int(random() * 100.0) - 50 set d = int(b)
}
tree main { sequence { set rounds += 1 use chain } }
tree chain { selector {",
    );
    for number in 0..44 {
        let bound = 98 - 2 * number;
        let test = match number % 8 {
            0 => format!("a > {bound}.0"),
            1 => format!("c < -{bound}"),
            2 => format!("b <= -{bound}.5"),
            3 => format!("d == {number}"),
            4 => format!("!(a >= -{bound}.0)"),
            5 => format!("c >= {bound}"),
            6 => format!("b == {number}.0"),
            _ => format!("!(d != -{number})"),
        };
        _ = write!(text, "\ncondition {test} {{ {} }}", child.replace('N', &number.to_string()));
    }
    text + "\n} }"
}

/// Tests of each kind that lead to leaves that wait, too few for a ladder: one that holds decides, or one that does not.
fn tests() -> String {
    let holds = ["V < -3", "V > 3", "V <= -2", "V >= 2", "V == 1", "!(V != 0)"];
    let mut text = String::from(
        "var a: float var b: int
on shake { set a = float(int(random() * 9.0) - 4) set b = int(random() * 9.0) - 4 }
tree main { selector {",
    );
    for (number, test) in holds.iter().enumerate() {
        for variable in ["a", "b"] {
            let (test, unit) = (test.replace('V', variable), ["ticks", "ms"][number % 2]);
            _ = write!(text, "\ncondition {test} {{ wait {} {unit} }}", number + 2);
        }
    }
    text += "\nwait 2 ticks } }\ntree other { sequence {";
    for test in ["V < 4", "V > -4", "V <= 3", "V >= -3", "!(V == 1)", "V != 0"] {
        ["a", "b"]
            .iter()
            .for_each(|variable| _ = write!(text, "\ncondition {}", test.replace('V', variable)));
    }
    text + "\nwait 2 ticks } }
tree few { selector {
condition a < -2.0 { wait 2 ticks } condition a > 2.0 { wait 3 ticks } condition b < -1 { wait 4 ticks }
condition b == 0 { wait 5 ticks } wait 1 ticks } }"
}

/// Actions of which another may take the place of one that runs.
const REACTIVE: &str = "action act(n: int) var a: int
on shake { set a = int(random() * 4.0) }
tree main { reactive selector {
condition a == 0 { action act(0) } condition a == 1 { action act(1) } condition a == 2 { action act(2) }
action act(3) } }
tree other { reactive selector { sequence { condition a > 1 action act(4) action act(5) } action act(6) } }";

/// Chance within loops that begin again in the same tick.
const LOOPS: &str = "var x: int var y: int
tree main { sequence { repeat 3 { set x = x % 1000 * 3 + int(random() * 100.0) } set y += 1 } }
tree other { sequence { repeat 2 { selector { condition random() < 0.5 set x += 1 } } wait 2 ticks } }";

/// Numbers of each type against constants at and beside the ends of its range.
fn ends() -> String {
    let mut text = String::from("var seen: int\non shake {\n");
    for (kind, least, most) in TYPES {
        let span = (most - least) as f64;
        _ = writeln!(text, "  set {kind}0 = {least} + int(random() * {span:.1})");
        _ = writeln!(
            text,
            "  set {kind}1 = {least} + int(random() * 3.0) set {kind}2 = {most} - int(random() * 3.0)"
        );
    }
    text += "}\n";
    for (kind, ..) in TYPES {
        (0..3).for_each(|number| _ = writeln!(text, "var {kind}{number}: {kind}"));
    }
    for (kind, least, most) in TYPES {
        _ = writeln!(text, "tree of_{kind} {{ sequence {{");
        let bounds = [least, least + 1, (least + most) / 2, most - 1, most];
        let bounds = bounds.into_iter().filter(|bound| *bound > i64::from(i32::MIN));
        for (index, bound) in bounds.enumerate() {
            for (place, relation) in RELATIONS.iter().enumerate() {
                let (number, bit) = ((index + place) % 3, 1 + 6 * index + place);
                _ = writeln!(
                    text,
                    "force success {{ condition {kind}{number} {relation} {bound} {{ set seen += {bit} }} }}"
                );
            }
        }
        _ = writeln!(text, "condition {kind}0 < 7.5 set seen *= 3 }} }}");
    }
    text
}

/// Variables against one another and against what is computed.
fn pairs() -> String {
    let mut text = String::from(
        "var a: float var b: float var c: int var d: int var n: int8 var m: int8 var seen: int
on shake {
  set a = float(int(random() * 3.0)) set b = float(int(random() * 3.0)) set c = int(a) - 1 set d = int(b)
  set n = int(random() * 4.0) - 2 set m = c
}
tree main { sequence {",
    );
    for (number, relation) in RELATIONS.iter().enumerate() {
        for (left, right) in
            [("a", "b"), ("c", "d"), ("n", "m"), ("a", "c"), ("a + 1.0", "b"), ("2", "c"), ("b", "0.1")]
        {
            _ = write!(
                text,
                "\nforce success {{ condition {left} {relation} {right} {{ set seen = seen * 3 + {number} }} }}"
            );
            _ = write!(
                text,
                "\nforce success {{ selector {{ condition {left} {relation} {right} set seen += 1 }} }}"
            );
        }
    }
    text + "\n} }"
}

/// Constants put into variables of each type, from which tests lead elsewhere.
fn constants() -> String {
    let mut text = String::from("var gate: bool var f: float var turn: uint8\n");
    TYPES.iter().for_each(|(kind, ..)| _ = writeln!(text, "var {kind}_: {kind}"));
    text += "on shake { set turn = int(random() * 8.0) }\ntree main { selector {\n";
    for (number, (kind, least, most)) in TYPES.into_iter().enumerate() {
        let least = least.max(-2_000_000_000);
        _ = writeln!(
            text,
            "condition turn == {number} {{ sequence {{ set {kind}_ = {least} wait 1 ticks set {kind}_ = {most} }} }}"
        );
    }
    text + "condition turn == 5 { sequence { set gate = true set f = 0.1 } }
condition gate { sequence { set gate = false set f = -1.5 wait 3 ms } }
set int8_ = 1000 } }"
}

const TRUTHS: &str = "query ask(n: int): bool
var a: bool var b: bool var c: bool var x: int
on shake { set a = random() < 0.5 set b = random() < 0.3 set c = random() < 0.7 }
tree main { selector {
condition (a && b) == c { set x += 1 }
condition int(a || b) + int(c) > 1 { set x += 10 }
condition !(a && !(b || c)) && x % 3 != 0 { set x += 100 }
condition (a || b) && (b || c) && !(a && c) { set x += 1000 }
condition a != b && x > 0 || c && ask(1) || ask(2) && !ask(3) { set x -= 7 }
condition true && a { set c = (a && b) != (b || x < 5) }
} }";

const GROUPS: &str = "action act() group var most: int world var sum: int var own: int
tree main { sequence { set own += 1 set most max= own set sum += own limit 3 { action act } set own = most % 7 } }
tree other { parallel (succeed any) { sequence { wait 2 ticks set sum -= 1 } reactive selector { condition most > sum running } } }";

const WAITS: &str = "action act() var a: int var b: int
on shake { set a = int(random() * 6.0) set b = int(random() * 3.0) }
tree main { reactive selector {
condition a == 0 { sequence { wait 3 ticks wait 4 ms set b += 1 } }
condition a == 1 { sequence { wait 60 ms set a = 2 wait 2 ticks } }
condition a == 2 { wait 5 ticks }
condition a == 3 { action act }
wait 8 ms } }
tree other { random {
2: sequence { wait 1 ticks set a = b wait 2 ticks wait 1 ms }
1: selector { condition b == 1 { delay 2 ticks { set b = 2 } } cooldown 30 ms { wait 9 ticks } }
1: timeout 20 ms { repeat 3 { sequence { wait 2 ticks set a -= 1 } } } } }";

const SCORES: &str = "action act(n: int) query score(n: int): float var x: float
on shake { set x = random() * 4.0 - 2.0 }
tree main { selector {
utility { score(1): action act(1) score(2): action act(2) x: failure score(3): action act(3) }
reactive utility { score(4): action act(4) x / 0.0: action act(5) score(5): wait 2 ticks } } }
tree other { reactive utility { score(1) * x: wait 3 ticks score(2): action act(2) score(3): success } }";
