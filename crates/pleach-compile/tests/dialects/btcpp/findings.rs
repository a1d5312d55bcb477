//! Trees that are refused, and what is told.

use super::{file, findings, load, starter, with};
use pleach_compile::dialect::by_name;
use pleach_compile::manifest::{Manifest, Substitute, Substitution};
use pleach_compile::texts::Texts;
use pleach_compile::{Compiler, Request, compile};
use pleach_image::{Image, bounds};

/// Returns a file of version 3.
fn old(node: &str) -> String {
    format!("<root><BehaviorTree ID='M'>{node}</BehaviorTree></root>")
}

#[track_caller]
fn refuses(code: &str, told: &str) {
    assert!(told.starts_with(&format!("{code} ")) && !told.contains(';'), "{told}");
}

#[test]
fn loops_within_a_tick_have_a_limit() {
    let repeat = |times| old(&format!("<Repeat num_cycles='{times}'><AlwaysSuccess/></Repeat>"));
    assert_eq!(load(&repeat(65_535)), "");
    refuses("E0763", &load(&repeat(65_536)));
    let recovery = |times| {
        let node = format!(
            "<RecoveryNode number_of_retries='{times}'><AlwaysFailure/><AlwaysSuccess/></RecoveryNode>"
        );
        file(&node, "")
    };
    assert_eq!(load(&recovery(65_535)), "");
    refuses("E0763", &load(&recovery(65_536)));
}

/// IDs with blanks and texts in double quotes are accepted leniently, other characters are not.
#[test]
fn earlier_rules_hold_leniently() {
    let tree = |id: &str, node: &str| {
        format!(
            "<root BTCPP_format='4' main_tree_to_execute='{id}'><BehaviorTree ID='{id}'>{node}</BehaviorTree>\
             <BehaviorTree ID='of all'><AlwaysSuccess/></BehaviorTree></root>"
        )
    };
    let told = |text: &str, lenient| {
        let (dialect, entries) = (by_name("btcpp").expect("a dialect"), ["main".to_owned()]);
        let manifest = Manifest::default();
        let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
        findings(&Compiler::default().lenient(lenient).compile(&Texts::of("main", "xml", text), request))
    };
    let node = "<Sequence><SubTree ID='of all'/><Script code='t := \"one\"'/></Sequence>";
    assert_eq!(told(&tree("to the end", node), true), "");
    refuses("E0758", &told(&tree("to the end", node), false));
    for id in ["to/end", "to.end", "root"] {
        refuses("E0758", &told(&tree(id, node), true));
    }
}

/// Returns the most instructions of a tick.
fn bound(node: &str) -> u64 {
    let (dialect, entries) = (by_name("btcpp").expect("a dialect"), ["main".to_owned()]);
    let manifest = Manifest::default();
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
    let done = compile(&Texts::of("main", "xml", file(node, "")), request);
    let image = Image::copy(&done.image.expect("an image")).expect("verified");
    bounds::of(&image).iter().map(|it| it.instructions).max().unwrap_or_default()
}

#[test]
fn the_ports_of_a_substitute_are_told_by_its_name() {
    let (mut manifest, problems) = Manifest::parse("action Wave()\naction Walk(to: int 0..5)");
    assert_eq!(problems, []);
    let by = Substitute::Node("Walk".to_owned());
    manifest.substitutions = vec![Substitution { filter: "Wave".to_owned(), by }];
    let (dialect, entries) = (by_name("btcpp").expect("a dialect"), ["main".to_owned()]);
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
    let told = findings(&compile(&Texts::of("main", "xml", file("<Wave/>", "")), request));
    assert_eq!(told, "E0759 `to` of `Walk` has words or a range, which no port has");
}

#[test]
fn loops_of_a_tick_are_as_long_as_needed() {
    // Nothing sets the wake-up flag while the tree is ticked.
    assert!(bound("<Sequence><Sleep msec='5'/><AlwaysSuccess/></Sequence>") < 200);
    let recovery = "<RecoveryNode number_of_retries='3'><AlwaysFailure/><AlwaysSuccess/></RecoveryNode>";
    assert!(bound(recovery) < 500);
    assert!(bound("<RoundRobin wrap_around='true'><AlwaysFailure/><AlwaysFailure/></RoundRobin>") < 500);
    assert!(bound("<AsyncSequence><AlwaysSuccess/><AlwaysSuccess/></AsyncSequence>") > 65_535);
}

#[test]
fn values_that_a_leaf_may_not_give_decide_no_type() {
    let manifest = "action Put(out value: bool) sync";
    let text =
        |node: &str, script: &str| file(&format!("<Sequence>{node}<Script code='{script}'/></Sequence>"), "");
    refuses("E0761", &with(manifest, &text("<Put value='{x}' _skipIf='true'/>", "x := 5.5")));
    refuses("E0761", &with(manifest, &text("<Put value='{x}'/>", "x := 5.5")));
    assert_eq!(with(manifest, &text("<Put value='{x}'/>", "y := x")), "");
    let copy =
        "<Script code='y := &apos;a&apos;'/><SetBlackboard value='{y}' output_key='x' _skipIf='true'/>";
    refuses("E0761", &load(&text(copy, "x := 5.5")));
}

#[test]
fn the_first_write_decides_before_any_number_of_others() {
    let manifest = "action Give(out value: double) condition";
    // The test is before all other ports of the entry and has no type, so no port decides.
    let check = "<BlackboardCheckDouble value_A='{x}' value_B='1'><AlwaysSuccess/></BlackboardCheckDouble>";
    let (set, give) = ("<SetBlackboard value='0' output_key='x'/>", "<Give value='{x}'/>".repeat(100));
    let told = |nodes: &str| with(manifest, &old(&format!("<Sequence>{check}{nodes}</Sequence>")));
    assert_eq!(told(&format!("{set}{give}")), "");
    assert_eq!(told(&format!("{set}<ForceSuccess><Sequence>{give}</Sequence></ForceSuccess>")), "");
    assert_eq!(told(&format!("<Sequence>{set}</Sequence>{give}")), "");
    refuses("E0761", &told(&format!("{give}{set}")));
    // Nothing in a fallback counts as always done.
    refuses("E0761", &told(&format!("<Fallback>{set}</Fallback>{give}")));
    refuses("E0761", &told(&format!("<Fallback>{set}{give}</Fallback>")));
}

#[test]
fn a_removed_constant_uncovers_no_other_entry() {
    let subtree = |auto: &str| {
        let tree = "<BehaviorTree ID='S'><Sequence><UnsetBlackboard key='a'/><ScriptCondition code='a == 2'/>\
            </Sequence></BehaviorTree>";
        file(&format!("<Sequence><Script code='a := 2'/><SubTree ID='S' a='1' {auto}/></Sequence>"), tree)
    };
    refuses("E0763", &load(&subtree("_autoremap='true'")));
    assert_eq!(load(&subtree("")), "");
}

#[test]
fn a_text_of_the_host_keeps_its_type() {
    let manifest = "entry x: text\naction Put(out value: int) sync\naction Say(value: text) sync";
    refuses("E0761", &with(manifest, &file("<Put value='{x}'/>", "")));
    assert_eq!(with(manifest, &file("<Say value='{x}'/>", "")), "");
}

#[test]
fn literals_are_values_of_their_ports() {
    let leaf = "<AlwaysSuccess/>";
    for (node, end) in [
        ("<RunOnce then_skip='banana'>", "</RunOnce>"),
        ("<Repeat num_cycles='3000000000'>", "</Repeat>"),
        ("<RetryUntilSuccessful num_attempts='x'>", "</RetryUntilSuccessful>"),
        ("<Delay delay_msec='-5'>", "</Delay>"),
        ("<Timeout msec='5000000000'>", "</Timeout>"),
        ("<LoopInt queue='1;x' value='{v}'>", "</LoopInt>"),
        ("<LoopInt queue='1;3000000000' value='{v}'>", "</LoopInt>"),
        ("<LoopBool queue='true;maybe' value='{v}'>", "</LoopBool>"),
        ("<TryCatch catch_on_halt='2'><AlwaysSuccess/>", "</TryCatch>"),
        ("<Parallel success_count='all'>", "</Parallel>"),
        ("<ParallelAll max_failures=''>", "</ParallelAll>"),
        ("<RoundRobin wrap_around='perhaps'>", "</RoundRobin>"),
        ("<RateController hz='often'>", "</RateController>"),
    ] {
        refuses("E0759", &load(&file(&format!("{node}{leaf}{end}"), "")));
    }
    let manifest = "action Go(to: int, out at: int) sync";
    for ports in ["to='far'", "to='1' at='here'", "to='3000000000'"] {
        refuses("E0759", &with(manifest, &file(&format!("<Go {ports}/>"), "")));
    }
}

#[test]
fn nodes_of_other_versions_and_of_nav2_are_named() {
    let help = |node: &str| {
        let (dialect, entries) = (by_name("btcpp").expect("a dialect"), ["main".to_owned()]);
        let manifest = Manifest::default();
        let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
        let text = file(&format!("<{node}><AlwaysSuccess/><AlwaysSuccess/></{node}>"), "");
        let done = compile(&Texts::of("main", "xml", text), request);
        let told = done.diagnostics.list().first().expect("a finding").clone();
        assert_eq!(told.code.id, "E0401");
        told.help.expect("advice")
    };
    for (node, advice) in [
        ("SequenceStar", "`SequenceWithMemory`"),
        ("BlackboardCheckString", "`Precondition`"),
        ("PauseResumeController", "`WhileDoElse`"),
        ("GoalUpdater", "`decorator GoalUpdater("),
        ("SpeedController", "declare it in a manifest as a `decorator`"),
        ("ConsumeQueue", "`LoopString`"),
    ] {
        let help = help(node);
        assert!(help.contains(advice), "{node}: {help}");
    }
}

/// A decorator of the host gives values, by a manifest and by a model.
#[test]
fn decorators_give_values() {
    let node = "<GoalUpdater input_goal='{goal}' output_goal='{updated}'><Go to='{updated}'/></GoalUpdater>";
    let manifest = "decorator GoalUpdater(input_goal: entity, out output_goal: entity) hears\n\
        action Go(to: entity)";
    assert_eq!(with(manifest, &file(node, "")), "");
    let models = "<TreeNodesModel><Decorator ID='GoalUpdater'><input_port name='input_goal' type='Pose'/>\
        <output_port name='output_goal' type='Pose'/></Decorator>\
        <Action ID='Go'><input_port name='to' type='Pose'/></Action></TreeNodesModel>";
    assert_eq!(load(&file(node, models)), "");
}

#[test]
fn a_queue_of_the_game_is_not_carried() {
    let node = "<LoopInt queue='{list}' value='{v}'><AlwaysSuccess/></LoopInt>";
    refuses("E0763", &load(&file(node, "")));
    refuses(
        "E0763",
        &with(
            "action Make(out list: text) sync",
            &file(&format!("<Sequence><Make list='{{list}}'/>{node}</Sequence>"), ""),
        ),
    );
}

#[test]
fn a_starter_declares_unknown_nodes() {
    let text = file(
        "<Near to='1.5' name='n' _skipIf='b'><Walk to='{post}' fast='1' word='go'/></Near>",
        "<BehaviorTree ID='Other'><Action ID='Rest'/></BehaviorTree>",
    );
    let (manifest, told) = starter(&text);
    assert_eq!(told, "");
    assert_eq!(
        manifest,
        "decorator Near(to: double) # main.xml:1\naction Rest() # main.xml:1\n\
        action Walk(to: number, fast: int, word: text) # main.xml:1\n"
    );
    assert_eq!(with(&format!("{manifest}entry b: bool"), &text), "");
    let control = starter(&file("<Both><AlwaysSuccess/><AlwaysSuccess/></Both>", ""));
    assert_eq!(control, (String::new(), "E0401 there is no node `Both`".to_owned()));
}

#[test]
fn ports_have_no_words_and_no_ranges() {
    for param in ["to: {near far}", "to: int 1..5", "to: int ..5", "to: float 0..", "to: bool {no yes}"] {
        let manifest = format!("action Go({param}) sync");
        refuses("E0759", &with(&manifest, &file("<Go to='1'/>", "")));
    }
    assert_eq!(with("action Go(to: int 0..) sync", &file("<Go to='1'/>", "")), "");
}

#[test]
fn includes_are_resolved_by_their_text() {
    let main = "<root BTCPP_format='4' main_tree_to_execute='M'><include path='a/./b.xml'/></root>";
    let inner = "<root BTCPP_format='4'><include path='../c.xml'/><BehaviorTree ID='M'><SubTree ID='C'/>\
        </BehaviorTree><BehaviorTree ID='N'><AlwaysSuccess/></BehaviorTree></root>";
    let last = "<root BTCPP_format='4'><BehaviorTree ID='C'><AlwaysSuccess/></BehaviorTree></root>";
    let texts = |main: &str| Texts::of("main", "xml", main).with("a/b.xml", inner).with("c.xml", last);
    let (dialect, entries) = (by_name("btcpp").expect("a dialect"), ["main".to_owned()]);
    let manifest = Manifest::default();
    let told = |main: &str| {
        let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
        findings(&compile(&texts(main), request))
    };
    assert_eq!(told(main), "");
    refuses("E0715", &told(&main.replace("a/./b.xml", "../b.xml")));
}
