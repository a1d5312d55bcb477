//! Programs that are converted to BehaviorTree.CPP behave there as they do here.
//!
//! `PLEACH_RANDOM` is the number of programs. A failure prints the shrunk case. With its seed in
//! `PLEACH_SEED`, only this case is run.

use pleach_compile::dialect::{manifest_of_models, models_of_manifest};
use pleach_compile::manifest::Manifest;
use pleach_tests::random::check::{cases, programs};
use pleach_tests::random::convert::{Converted, compare, conversion, converted, fight};

const PROGRAMS: u64 = 1_000;

#[test]
fn random_programs_behave_the_same() {
    let programs = programs(PROGRAMS);
    let parts: Vec<Converted> = cases(programs, fight).unwrap_or_else(|difference| panic!("{difference}"));
    let run: u64 = parts.iter().map(|it| it.run).sum();
    let refused: u64 = parts.iter().map(|it| it.refused).sum();
    println!("{run} programs ran in both languages, {refused} were refused");
    assert_eq!(run + refused, programs);
    if programs >= PROGRAMS {
        assert!(refused <= programs / 2, "{refused} of {programs} programs were refused");
    }
}

/// Trees that the format has, one for each rule.
const SAME: &[&str] = &[
    "sequence { action plain action whole(3) condition b }",
    "selector { condition sees() action plain set i = 7 }",
    "reactive sequence { condition c && !sees() action plain set b = true }",
    "reactive selector { sequence { condition b set d = d + 0.5 } action mixed(d, t) }",
    "parallel { action plain action whole(1) action whole(2) }",
    "parallel (succeed 1, fail 2) { action plain action whole(1) }",
    "parallel (succeed all, fail all) { wait 30 ms repeat 2 { action plain } running }",
    "repeat 3 { action plain }",
    "retry 2 { sequence { action plain wait 20 ms } }",
    "until success { action plain }",
    "until failure { sequence { set i += 1 condition i < 6 } }",
    "while near(i) { retry { action judge(b || c) } }",
    "once { action plain }",
    "cleanup { set b = true set small -= 100 } { timeout 30 ms { action plain } }",
    "sequence { wait 2 ticks delay 20 ms { action plain } wait (small + 12) ms }",
    "match i { 3: action plain 4: failure else: running }",
    "reactive match int(b) { 0: action whole(1) else: action whole(2) }",
    "force failure { invert { action mixed(d * 2.0 - e, \"a'<&\\\"\") } }",
    "sequence { use step(2) use step(5) use step(5) }",
    "repeat i { sequence { action plain set i = small } }",
    "retry small * 2 { sequence { set small += 3 failure } }",
    "until failure { sequence { repeat i { sequence { action whole(i) set i -= 1 } } wait tiny ticks set tiny += 2 } }",
    "sequence { wait small ticks action far(long) set long = 5 set other = long set long = -7 action far(long) }",
    "sequence { use own(-3) use own(9007199254740993) action far(other) }",
    "parallel { sequence { action plain set i = 0 } reactive match i { 0: wait 20 ms else: action plain } }",
    "sequence { set tiny -= 1 set small = 1000 set i = max(small, i) condition d == e || t < \"two\" }",
];

/// Declarations of the trees.
const DECLARED: &str = "var i: int = 3  var small: int8  var tiny: uint8  var b: bool  var c: bool = true\n\
    var d: double = 0.5  var e: double = -1.0  var t: text = \"one\"\n\
    world var shared: int  var f: float  var g: float  var long: int64 = -4  var other: int64  var who: entity  const NONE = 0\n\
    tree own(n: int64) { var kept: int64 = n action far(kept) }\n\
    tree step(n: int) { var left: int = n sequence { set left -= 1 action whole(left) } }\n";

#[test]
fn trees_behave_the_same() {
    for tree in SAME {
        let text = format!("{DECLARED}tree main {{ {tree} }}");
        let xml = converted(&text).unwrap_or_else(|why| panic!("{why}"));
        let xml = xml.unwrap_or_else(|| panic!("refused: {tree}"));
        for seed in 0..20 {
            compare(&text, &xml, seed, 40).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}\n{xml}"));
        }
    }
}

/// Trees that the format does not have, with a part of the message, and true if `--approximate`
/// writes them.
const DIFFERENT: &[(&str, &str, bool)] = &[
    ("reactive selector { while b { action plain } running }", "halts the one that runs first", true),
    ("reactive match i { 1: sequence { set b = true running } else: running }", "before the other", true),
    ("while sees() { timeout 20 ms { running } }", "at the beginning of the tick", true),
    ("parallel { timeout 20 ms { running } }", "at the beginning of the tick", true),
    ("action give(i, e)", "gives no value", true),
    ("set f = f * 2.0 + g", "not rounded to 32 bits", true),
    ("timeout 0 ms { running }", "0 ms", false),
    ("cooldown 1 s { success }", "fails for some time", false),
    ("limit 2 { success }", "other agents", false),
    ("every 1 s { set b = true } { running }", "now and then", false),
    ("random { success failure }", "random numbers", false),
    ("random sequence { success failure }", "random order", false),
    ("utility { i: success 2: failure }", "scores", false),
    ("timeout i ms { running }", "computed timeout", false),
    ("set i = i / 2", "divides no ints", false),
    ("set i = int(d)", "rounds no numbers", false),
    ("condition now > 3", "no time", false),
    ("condition i + shared > 3", "agents share", false),
    ("set shared = 3", "agents share", false),
    ("set long += 1", "no 64-bit integers", false),
    ("set long = -9007199254740993", "no literal", false),
    ("set who = none", "this type", false),
    ("action mixed(d, \"\u{1}\")", "U+0001", false),
    ("set t = \"\u{ffff}\"", "U+FFFF", false),
    (
        "parallel { set i = 0 reactive match i { 0: condition sees() else: action plain } }",
        "before the other",
        true,
    ),
    (
        "reactive match i { 3: cleanup { set i = 4 } { action plain } 4: success else: failure }",
        "before the other",
        true,
    ),
    ("condition who == none", "entities", false),
    ("if sees() == b { success }", "asks no queries", false),
];

#[test]
fn what_the_format_has_not_is_told() {
    for (tree, message, near) in DIFFERENT {
        let text = format!("{DECLARED}tree main {{ {tree} }}");
        for approximate in [false, true] {
            let done = conversion(&text, approximate);
            let list = done.diagnostics.list();
            let code = if approximate && *near { "W0764" } else { "E0764" };
            let told = list.iter().find(|it| it.code.id == code && it.message.contains(message));
            let told = told.unwrap_or_else(|| panic!("{tree}: {list:?}"));
            assert!(told.span.is_some() && told.help.is_some(), "{tree}");
            assert_eq!(done.text.is_some(), approximate && *near, "{tree}: {list:?}");
        }
    }
}

/// A difference that a reactive choice is refused for: the running child is halted before the next
/// one is tested and begins.
#[test]
fn a_reactive_choice_halts_first() {
    let trees = [
        "parallel { sequence { action whole(1) set i = 0 } \
         reactive match i { 0: condition sees() else: action plain } }",
        "parallel { sequence { action whole(1) set i = 0 } \
         reactive match i { 3: cleanup { set i = 4 } { running } 4: success else: failure } }",
    ];
    for tree in trees {
        let text = format!("{DECLARED}tree main {{ {tree} }}");
        let xml = conversion(&text, true).text.expect("near");
        let differs = (0..20).any(|seed| compare(&text, &xml, seed, 40).is_err());
        assert!(differs, "{tree}");
    }
}

/// IDs of copies with numbers are neither those of other trees nor names of functions.
#[test]
fn copies_have_ids_of_their_own() {
    let text = "action walk_2()\nquery Walk_4(): bool\nvar i: int\n\
        tree walk(n: int) { action whole(n) }\ntree walk_3 { action walk_2() }\n\
        tree main { sequence { use walk(1) use walk(2) use walk(3) use walk(4) use walk_3 } }";
    let xml = converted(text).expect("valid").expect("of this form");
    let mut ids: Vec<_> =
        xml.split("<BehaviorTree ID=\"").skip(1).map(|it| &it[..it.find('"').unwrap()]).collect();
    assert_eq!(ids.len(), 6, "{xml}");
    assert!(ids.iter().all(|id| !["walk_2", "walk_4"].contains(&&*id.to_lowercase())), "{ids:?}");
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 6, "{ids:?}");
}

/// Trees that are started have blackboards of their own, so that an entry can have a port of
/// another type in each.
#[test]
fn started_trees_have_types_of_their_own() {
    let text = "var i: int\n\
        tree main { action whole(i) }\ntree other { action few(i) }";
    let xml = converted(text).expect("valid").expect("of this form");
    assert!(xml.contains("<few n=\"{i}\"/>") && xml.contains("<whole n=\"{i}\"/>"), "{xml}");
    let both = "var i: int\ntree main { sequence { action whole(i) action few(i) } }";
    assert_eq!(converted(both), Ok(None));
}

/// Scripts that are joined stay within the limits of the reader.
#[test]
fn long_scripts_are_divided() {
    let (mut declared, mut sets) = (String::new(), String::new());
    for index in 0..3_500 {
        declared += &format!("var v{index}: bool\n");
        sets += &format!("set v{index} = true ");
    }
    let text = format!("{declared}tree main {{ sequence {{ {sets} action plain }} }}");
    let xml = converted(&text).expect("valid").expect("of this form");
    let longest = xml.split("code=\"").skip(1).filter_map(|it| it.find('"')).max();
    assert!(longest.is_some_and(|it| it > 1_000 && it <= 4_000), "{longest:?}");
    compare(&text, &xml, 1, 3).unwrap_or_else(|why| panic!("{why}"));
    let cleanup = format!("{declared}tree main {{ cleanup {{ {sets} }} {{ action plain }} }}");
    let list = conversion(&cleanup, false).diagnostics;
    assert!(list.list().iter().any(|it| it.message.contains("too long for a script")), "{:?}", list.list());
}

/// Out arguments are the same as long as the game leaves their variables alone.
#[test]
fn out_arguments_are_given() {
    let text = format!("{DECLARED}tree main {{ sequence {{ action give(i, e) action mixed(e, t) }} }}");
    let xml = conversion(&text, true).text.expect("near");
    for seed in 0..20 {
        compare(&text, &xml, seed, 40).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}\n{xml}"));
    }
}

/// Ints that wrap around only here are told, and limits of narrow ones are not.
#[test]
fn wrapping_ints_are_told() {
    for (set, told) in [("i += 1", true), ("small += 1", false), ("i = tiny * 3", false), ("i = -i", true)] {
        let done = conversion(&format!("{DECLARED}tree main {{ set {set} }}"), false);
        let wraps = done.diagnostics.list().iter().any(|it| it.code.id == "W0764");
        assert!(done.text.is_some() && wraps == told, "{set}: {:?}", done.diagnostics.list());
    }
}

/// Trees that others use are subtrees, and variables have their first values before the tree runs.
#[test]
fn a_file_is_readable() {
    let text =
        "var tired: bool  tree guard { use rest }  tree rest { repeat 2 { if !tired { action whole(4) } } }";
    let done = conversion(&text.replace("guard", "main"), false);
    let must = r#"<?xml version="1.0" encoding="UTF-8"?>
<root BTCPP_format="4" main_tree_to_execute="main">
  <BehaviorTree ID="main">
    <Sequence>
      <RunOnce>
        <Script code="tired := false"/>
      </RunOnce>
      <SubTree ID="rest" _autoremap="true"/>
    </Sequence>
  </BehaviorTree>
  <BehaviorTree ID="rest">
    <Sequence>
      <Script code="count := 0"/>
      <Fallback>
        <KeepRunningUntilFailure>
          <Sequence>
            <Sequence>
              <ScriptCondition code="!tired"/>
              <whole n="4"/>
            </Sequence>
            <ScriptCondition code="count += 1; count &lt; 2"/>
          </Sequence>
        </KeepRunningUntilFailure>
        <ScriptCondition code="count &gt;= 2"/>
      </Fallback>
    </Sequence>
  </BehaviorTree>
  <TreeNodesModel>
    <Action ID="whole">
      <input_port name="n" type="int"/>
    </Action>
  </TreeNodesModel>
</root>
"#;
    assert_eq!(done.text.as_deref(), Some(must), "{:?}", done.diagnostics.list());
}

/// Models of the nodes of a manifest declare the same nodes again.
#[test]
fn models_declare_the_same_nodes() {
    let text = "action Walk(goal_given: bool, goal: entity, speed_given: bool, speed: double = 1.5)\n\
        action Look(out seen: text, far_given: bool, far: bool = 1)\n\
        action Count(n_given: bool, n: int, out n: int)\n\
        action Tired(level_given: bool, level: float) condition\n\
        decorator Near(range_given: bool, range: int64)\n";
    let (manifest, problems) = Manifest::parse(text);
    assert_eq!(problems, []);
    let models = models_of_manifest(&manifest);
    let again = manifest_of_models(models.as_bytes()).expect("a file of models");
    let (again, problems) = Manifest::parse(&again);
    assert_eq!(problems, []);
    let sorted = |manifest: &Manifest| {
        let mut actions = manifest.actions.clone();
        // The order of attributes has no meaning.
        actions.iter_mut().for_each(|it| it.params.sort_by_key(|param| (param.name.clone(), param.out)));
        actions
    };
    assert_eq!(sorted(&again), sorted(&manifest), "{models}");
}
