//! Edits of names: `rename`, `declare` and `near name`.

use super::{changes, marked};
use pleach_edit::{DeclareKind, Edit, Project, format};

#[track_caller]
fn renames(text: &str, name: &str, expected: &str) {
    let (project, marks) = marked(text);
    for at in marks {
        changes(&project, &Edit::Rename { at, name: name.to_owned() }, expected);
    }
}

#[track_caller]
fn refuses(text: &str, name: &str, reason: &str) {
    let (project, marks) = marked(text);
    let edit = Edit::Rename { at: marks[0], name: name.to_owned() };
    let refusal = project.edit("a.pleach", &edit).expect_err("a refusal");
    assert!(refusal.reason.contains(reason), "{refusal}");
}

#[test]
fn a_name_is_renamed_from_any_mention() {
    renames(
        "action $go(x: int)\ntree t { sequence { action $go(1) action g$o(2) } }",
        "walk",
        "action walk(x: int)\ntree t { sequence { action walk(1) action walk(2) } }",
    );
    renames(
        "var $ammo: int\non hit { set $ammo -= 1 }\ntree t { if $ammo > 0 { success } }",
        "shots",
        "var shots: int\non hit { set shots -= 1 }\ntree t { if shots > 0 { success } }",
    );
    renames(
        "on $hit { }\ntree t { raise hit$ to all }",
        "struck",
        "on struck { }\ntree t { raise struck to all }",
    );
    renames(
        "tune agent /*a*/ const $fast = false\ntree t { condition fa$st }",
        "brisk",
        "tune agent /*a*/ const brisk = false\ntree t { condition brisk }",
    );
    renames(
        "tree t { use $u(1) }\ntree $u(n: int) { wait n s }",
        "pause",
        "tree t { use pause(1) }\ntree pause(n: int) { wait n s }",
    );
}

#[test]
fn names_of_a_tree_are_its_own() {
    renames(
        "var n: int\ntree t { use u(1) }\ntree u($n: int) { var m: int = $n while m < $n { running } }\ntree v { condition n == 0 }",
        "count",
        "var n: int\ntree t { use u(1) }\ntree u(count: int) { var m: int = count while m < count { running } }\ntree v { condition n == 0 }",
    );
    refuses("var m: int\ntree t { use u(1) }\ntree u($n: int) { condition n == m }", "m", "would mean");
    refuses("var $m: int\ntree t { use u(1) }\ntree u(n: int) { condition n == m }", "n", "parameter");
    refuses("var $m: int\nvar k: int\ntree t { condition m == k }", "k", "declared already");
    refuses("var $m: int\ntree t { condition m == 0 }", "tree", "a word of the language");
    refuses("var $m: int\ntree t { condition m == 0 }", "min", "a word of the language");
    refuses("var $m: int\ntree t { condition m == 0 }", "4", "no name");
    refuses("tree t { condition $m == 0 }", "k", "not declared");
}

#[test]
fn members_are_renamed_where_they_stand_alone() {
    renames(
        "enum Mood { calm, $wary }\nvar mood: Mood\ntree t { match mood { calm: success $wary: set mood = Mood.$wary else: condition mood == $wary } }",
        "alert",
        "enum Mood { calm, alert }\nvar mood: Mood\ntree t { match mood { calm: success alert: set mood = Mood.alert else: condition mood == alert } }",
    );
    // In the place of a case the name is that of the member, whatever else has it.
    renames(
        "enum Mood { $calm }\nvar mood: Mood\nvar calm: int\ntree t { match mood { $calm: condition calm == 1 } }",
        "quiet",
        "enum Mood { quiet }\nvar mood: Mood\nvar calm: int\ntree t { match mood { quiet: condition calm == 1 } }",
    );
    renames(
        "enum $Mood { calm }\nvar mood: $Mood\nquery moodOf(m: Mood): Mood\ntree t { condition mood == $Mood.calm && moodOf(mood) == calm }",
        "Temper",
        "enum Temper { calm }\nvar mood: Temper\nquery moodOf(m: Temper): Temper\ntree t { condition mood == Temper.calm && moodOf(mood) == calm }",
    );
}

#[test]
fn a_name_is_renamed_in_includes_manifests_and_tests() {
    let project = Project::new()
        .with("trees/a.pleach", "include \"lib.pleach\"\ntree a { use idle }")
        .with("trees/b.pleach", "include \"lib.pleach\"\ntree b { use patrol(1) }")
        .with("trees/other.pleach", "action go(x: int)\ntree other { action go(1) }")
        .with(
            "trees/lib.pleach",
            "tree idle { action go(2) }\ntree patrol(n: int)\n{\n\tvar left: int = n\n\taction go(left)\n}",
        )
        .with("trees/x.manifest", "action go(x: int) # walks\nquery seen() -> bool")
        .with(
            "trees/a.test",
            "tree a.pleach\ntest goes\n\taction go = success\n\ttick\n\texpect calls go(2)\n",
        )
        .with("trees/b.test", "tree b.pleach\ntest goes\n\ttick\n\texpect patrol.left = 1\n");
    let at = |file: &str, word: &str| project.text(file).find(word).expect("the word") as u32;
    let rename = |file: &str, word: &str, name: &str| {
        let edit = Edit::Rename { at: at(file, word), name: name.to_owned() };
        project.edit(file, &edit).expect("an edit").applied(&project)
    };
    let walks = rename("trees/a.test", "go =", "walk");
    for (file, text) in project.files().map(|(name, file)| (name, file.document().text())) {
        let expected = text.replace("go(", "walk(").replace("go =", "walk =");
        assert_eq!(walks.text(file), expected, "{file}");
    }
    let left = rename("trees/b.test", "left", "rest");
    assert_eq!(left.text("trees/b.test"), project.text("trees/b.test").replace("left", "rest"));
    assert_eq!(left.text("trees/lib.pleach"), project.text("trees/lib.pleach").replace("left", "rest"));
    let patrol = rename("trees/lib.pleach", "patrol", "round");
    assert!(patrol.text("trees/b.test").contains("round.left"));
    assert!(patrol.text("trees/b.pleach").contains("use round(1)"));
    // Both programs have a tree `idle` of their own.
    let project = Project::new()
        .with("a.pleach", "include \"c.pleach\" tree a { use idle }\ntree idle { success }")
        .with("b.pleach", "include \"c.pleach\" tree b { use idle }\ntree idle { failure }")
        .with("c.pleach", "action c");
    let edit = Edit::Rename {
        at: project.text("a.pleach").find("idle").expect("there") as u32,
        name: "rest".to_owned(),
    };
    let change = project.edit("a.pleach", &edit).expect("an edit");
    assert_eq!(change.files.keys().map(AsRef::as_ref).collect::<Vec<&str>>(), ["a.pleach"]);
}

/// Texts and `out` are no names, so a rename leaves them as they are.
#[test]
fn a_name_is_renamed_in_all_lines_of_tests() {
    let tests = "  tree\ta.pleach\ntest one\n\tquery name = \"go = home\"\n\taction say(\"go, (home\", calm) = success\n\
        \tgive go(out) 1 = calm\n\ttick\n\texpect calls say(\"go), home\", calm), go(out)\n\texpect mood = calm\n";
    let project = Project::new()
        .with(
            "a.pleach",
            "enum Mood { calm, wary }\nvar mood: Mood\naction say(line: text, as: Mood)\naction go(out mood: Mood)\n\
             query name: text\ntree a { sequence { action say(\"go\", calm) action go(mood) condition name == \"go\" } }",
        )
        .with("a.test", tests);
    let rename = |word: &str, name: &str| {
        let at = project.text("a.pleach").find(word).expect("the word") as u32;
        let change = project.edit("a.pleach", &Edit::Rename { at, name: name.to_owned() });
        change.unwrap_or_else(|refusal| panic!("{refusal}")).applied(&project).text("a.test").to_owned()
    };
    assert_eq!(rename("go(out", "walk"), tests.replace("go(out)", "walk(out)"));
    assert_eq!(rename("calm", "quiet"), tests.replace("calm", "quiet"));
    assert_eq!(rename("say(", "shout"), tests.replace("say(", "shout("));
}

#[track_caller]
fn declares(text: &str, kind: DeclareKind, expected: &str) {
    let (project, marks) = marked(text);
    changes(&project, &Edit::Declare { at: marks[0], kind }, expected);
}

#[test]
fn a_missing_name_is_declared() {
    use DeclareKind::{Action, Constant, Event, Query, Tree, Variable};
    declares(
        "action a\ntree t { action $b(1, 2.0, \"x\") }",
        Action,
        "action a\naction b(arg1: int, arg2: float, arg3: text)\ntree t { action b(1, 2.0, \"x\") }",
    );
    declares(
        "// t\ntree t { if $seen { success } }",
        Variable,
        "var seen: bool\n\n// t\ntree t { if seen { success } }",
    );
    declares(
        "tree t { if $near(3, true) > 2.5 { success } }",
        Query,
        "query near(arg1: int, arg2: bool): float\n\ntree t { if near(3, true) > 2.5 { success } }",
    );
    declares("tree t { set $x = 1.5 }", Variable, "var x: float\n\ntree t { set x = 1.5 }");
    declares("tree t { wait $LONG s }", Constant, "const LONG = 0\n\ntree t { wait LONG s }");
    declares("action a\ntree t { raise $hit }", Event, "action a\n\non hit { }\ntree t { raise hit }");
    declares(
        "tree t { use $u(true) }",
        Tree,
        "tree t { use u(true) }\n\ntree u(param1: bool)\n{\n\tsuccess\n}",
    );
}

#[test]
fn the_nearest_name_is_written() {
    let near = |text: &str, expected: &str| {
        let (project, marks) = marked(text);
        changes(&project, &Edit::NearName { at: marks[0] }, expected);
    };
    near("action shoot\ntree t { action $shot }", "action shoot\ntree t { action shoot }");
    near("var ammo: int\ntree t { set $amo = 1 }", "var ammo: int\ntree t { set ammo = 1 }");
    near(
        "tree t { use u(1) }\ntree u(pause: int) { wait $pase s }",
        "tree t { use u(1) }\ntree u(pause: int) { wait pause s }",
    );
    near(
        "enum M { calm }\nvar m: M = M.$clam\ntree t { success }",
        "enum M { calm }\nvar m: M = M.calm\ntree t { success }",
    );
}

/// Two names become longer in a block on one line, which then no longer fits.
#[test]
fn several_edits_are_laid_out_once() {
    let (first, second) = ("a".repeat(34), "b".repeat(34));
    let text = format!(
        "action {first}x\naction {second}x\n\ntree t\n{{\n\tsequence {{ action {first} action {second} }}\n}}\n"
    );
    let project = Project::new().with("a.pleach", &text);
    let document = project.file("a.pleach").expect("the file").document();
    let subjects = document.nodes().iter().filter_map(|node| Some(Edit::NearName { at: node.subject?.0 }));
    let mut edits: Vec<Edit> = subjects.collect();
    assert_eq!(edits.len(), 2);
    // The second edit of a name touches the bytes of the first one.
    edits.push(edits[0].clone());
    let new = project.edit_all("a.pleach", &edits).expect("a change").applied(&project);
    let longer = text.replace(&format!("{first} "), &format!("{first}x "));
    let longer = longer.replace(&format!("{second} "), &format!("{second}x "));
    assert_eq!(new.text("a.pleach"), format("a.pleach", longer.as_bytes()).expect("no errors"));
    assert_eq!(new.text("a.pleach").lines().count(), text.lines().count() + 4);
}

#[test]
fn a_variable_behind_a_raised_event_is_declared() {
    renames(
        "on hit { set $alert = true }\ntree a { raise hit to group }\nvar $alert: bool\n",
        "alarm",
        "on hit { set alarm = true }\ntree a { raise hit to group }\nvar alarm: bool\n",
    );
}

#[test]
fn vectors_are_renamed_before_their_parts() {
    renames(
        "var $home: vec3\ntree t { sequence { condition $home.x > 0.0 set $home = vec3($home.y, home$ . z, 0.0) } }",
        "base",
        "var base: vec3\ntree t { sequence { condition base.x > 0.0 set base = vec3(base.y, base . z, 0.0) } }",
    );
    renames(
        "const $UP = vec2(0.0, 1.0)\nvar x: float = $UP.y\ntree t { condition x == UP$.y }",
        "NORTH",
        "const NORTH = vec2(0.0, 1.0)\nvar x: float = NORTH.y\ntree t { condition x == NORTH.y }",
    );
    renames(
        "var v: vec2\ntree t { use u(v) }\ntree u($v: vec2) { var w: vec2 = $v condition $v.x == w.y }",
        "place",
        "var v: vec2\ntree t { use u(v) }\ntree u(place: vec2) { var w: vec2 = place condition place.x == w.y }",
    );
    refuses("var $v: vec2\nenum E { x }\ntree t { condition v.x > 0.0 }", "E", "is an enum");
    refuses("const $V = vec2(1.0, 2.0)\nenum E { x, y }\ntree t { condition V.x > 0.0 }", "E", "is an enum");
    refuses(
        "const U = vec2(1.0, 2.0)\nconst $V = U\nenum E { x, y }\ntree t { condition V.x > 0.0 }",
        "E",
        "is an enum",
    );
    refuses("enum $E { x }\nvar v: vec2\ntree t { condition v.x > 0.0 }", "v", "would mean");
    refuses("var v: vec2\ntree t { var $w: int condition v.x > 0.0 && w == 0 }", "v", "would mean");
    refuses("var $v: vec2\ntree t { var w: int condition v.x > 0.0 && w == 0 }", "w", "parameter");
    refuses("var home: vec2\ntree t { condition home.$x > 0.0 }", "k", "not declared");
}

/// No part of the vector is mentioned, so the enum hides nothing.
#[test]
fn a_whole_vector_can_have_the_name_of_an_enum() {
    renames(
        "var $v: vec2\nenum E { x }\ntree t { set $v = vec2(1.0, 2.0) }",
        "E",
        "var E: vec2\nenum E { x }\ntree t { set E = vec2(1.0, 2.0) }",
    );
}

#[test]
fn no_name_makes_hosts_reach_two_variables_as_one() {
    const TWICE: &str = "hosts reach two variables as `patrol.";
    let tree = "tree patrol { var x: int condition x > 0 }";
    refuses(&format!("var $pos: vec2\n{tree}"), "patrol", TWICE);
    refuses("world var patrol: vec3\ntree $walk { var z: int condition z > 0 }", "patrol", TWICE);
    refuses("group var patrol: vec2\ntree patrol { var $n: int condition n > 0 }", "y", TWICE);
    refuses(&format!("var $pos: vec2\ntree t {{ use patrol }}\n{tree}"), "patrol", "`patrol.x`");
    for (vector, local) in [("vec2", "z: int"), ("float", "x: int"), ("vec2", "x: vec2"), ("vec2", "w: int")]
    {
        let name = &local[..1];
        let text = |pos| {
            let used =
                if local.ends_with("vec2") { format!("length({name})") } else { format!("{name} + 1") };
            format!("var {pos}: {vector}\ntree patrol {{ var {local} condition {used} > 0 }}")
        };
        renames(&text("$pos"), "patrol", &text("patrol"));
    }
}

#[test]
fn a_vector_is_renamed_in_tests_of_its_trees() {
    let trees = "var home: vec2\ntree main { condition home.x > 0.0 }";
    let tests = "tree a.pleach\ntest moves\n\tset home.x = 2\n\texpect home.y = 0\n";
    let project = Project::new().with("a.pleach", trees).with("a.test", tests);
    let edit = Edit::Rename { at: 4, name: "base".to_owned() };
    let changed = project.edit("a.pleach", &edit).expect("a change").applied(&project);
    assert_eq!(changed.text("a.pleach"), trees.replace("home", "base"));
    assert_eq!(changed.text("a.test"), tests.replace("home", "base"));
}

#[test]
fn near_names_stand_before_parts() {
    let (project, marks) = marked("var home: vec2\ntree t { condition $hame.x > 0.0 }");
    let edit = Edit::NearName { at: marks[0] };
    changes(&project, &edit, "var home: vec2\ntree t { condition home.x > 0.0 }");
}
