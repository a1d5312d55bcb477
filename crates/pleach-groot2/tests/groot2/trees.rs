//! Trees with uids, and the changes of their statuses.

use crate::support::{GUARD, Play, ROBOT, guard, robot, tree};
use pleach::{Bindings, Status};
use pleach_groot2::{Tree, TreeError};

#[test]
fn a_tree_of_the_library_has_its_nodes_and_ports() {
    let xml = tree(&robot(), "Main", ROBOT).xml().to_owned();
    let expected = r#"<root BTCPP_format="4">
    <BehaviorTree ID="Main" _fullpath="">
        <Sequence name="root_sequence" _uid="1">
            <Script name="Script" _uid="2" code="x := 3; speed := 1.5"/>
            <SubTree ID="Sub" _fullpath="sub" _uid="3" y="{x}" z="7"/>
            <Walk name="to the door" _uid="7" to="{x}" _skipIf="x &lt; 0"/>
        </Sequence>
    </BehaviorTree>
    <BehaviorTree ID="Sub" _fullpath="sub">
        <Sequence name="Sequence" _uid="4">
            <Script name="Script" _uid="5" code="w := y + z"/>
            <AlwaysSuccess name="last" _uid="6"/>
        </Sequence>
    </BehaviorTree>
    <TreeNodesModel>
        <Action ID="Walk">
            <inout_port name="to"/>
        </Action>
    </TreeNodesModel>
</root>
"#;
    assert_eq!(xml, expected);
    // Without the source, nodes keep their names.
    let bare = Tree::new(&robot(), "Main", |_| None).expect("it can be shown");
    for element in [
        r#"<Walk name="to the door" _uid="7"/>"#,
        r#"<Sequence name="root_sequence" _uid="1">"#,
        r#"<SubTree ID="Sub" _fullpath="sub" _uid="3"/>"#,
    ] {
        assert!(bare.xml().contains(element), "{}", bare.xml());
    }
}

#[test]
fn a_tree_of_pleach_has_its_words() {
    let xml = tree(&guard(), "guard", GUARD).xml().to_owned();
    let expected = r#"<root BTCPP_format="4">
    <BehaviorTree ID="guard" _fullpath="">
        <reactive name="reactive selector" _uid="1">
            <while name="while visible &amp;&amp; ammo &gt; 0" _uid="2">
                <sequence name="sequence" _uid="3">
                    <shoot name="shoot(3)" _uid="4"/>
                    <set name="set ammo -= 1" _uid="5"/>
                </sequence>
            </while>
            <walk name="walk(3)" _uid="6"/>
        </reactive>
    </BehaviorTree>
    <TreeNodesModel>
        <Control ID="reactive"/>
        <Control ID="sequence"/>
        <Action ID="set"/>
        <Action ID="shoot"/>
        <Action ID="walk"/>
        <Decorator ID="while"/>
    </TreeNodesModel>
</root>
"#;
    assert_eq!(xml, expected);
}

#[test]
fn changes_of_the_library_are_told_in_its_order() {
    let mut host = Bindings::new(0);
    host.action("Walk", |calls: &mut u32, _| {
        *calls += 1;
        if *calls < 2 { Status::Running } else { Status::Failure }
    });
    let mut play = Play::new(&robot(), tree(&robot(), "Main", ROBOT), host);
    let first = "1 running, 2 success, 3 running, 4 running, 5 success, 6 success, 5 idle, 6 idle, \
                 4 success, 4 idle, 3 success, 7 running";
    assert_eq!(play.tick(), first);
    assert_eq!(play.tick(), "7 failure, 2 idle, 3 idle, 7 idle, 1 failure, 1 idle");
}

#[test]
fn changes_of_other_trees_are_made_of_what_ended() {
    let mut host = Bindings::new(0);
    host.action("shoot", |calls: &mut u32, _| {
        *calls += 1;
        if *calls == 1 { Status::Running } else { Status::Success }
    });
    host.action("walk", |_, _| Status::Running);
    let mut play = Play::new(&guard(), tree(&guard(), "guard", GUARD), host);
    assert_eq!(play.tick(), "1 running, 2 failure, 6 running");
    assert_eq!(play.tick(), "");
    // The walk does not go on.
    play.set("visible", 1.0);
    assert_eq!(play.tick(), "2 running, 3 running, 4 running, 6 idle");
    let last =
        "4 success, 5 success, 4 idle, 5 idle, 3 success, 3 idle, 2 success, 2 idle, 1 success, 1 idle";
    assert_eq!(play.tick(), last);
}

#[test]
fn a_tree_that_is_called_has_nodes_for_each_call() {
    let files = [
        ("main", "sequence {\n\tbehavior part\n\tbehavior part\n}\n"),
        ("part", "sequence {\n\taction roam()\n\tcondition team < 1\n}\n"),
    ];
    let image = pleach_tests::inline::image(&files, &["main"]);
    let text = |file: &str| files.iter().find(|(name, _)| file == format!("{name}.bt"));
    let text = |file: &str| text(file).map(|(_, text)| text.as_bytes().to_vec());
    let tree = Tree::new(&image, "main", text).expect("it can be shown");
    let expected = r#"<root BTCPP_format="4">
    <BehaviorTree ID="main" _fullpath="">
        <sequence name="sequence" _uid="1">
            <SubTree ID="part" _fullpath="part::2" _uid="2"/>
            <SubTree ID="part" _fullpath="part::6" _uid="6"/>
        </sequence>
    </BehaviorTree>
    <BehaviorTree ID="part" _fullpath="part::2">
        <sequence name="sequence" _uid="3">
            <roam name="roam()" _uid="4"/>
            <condition name="condition team &lt; 1" _uid="5"/>
        </sequence>
    </BehaviorTree>
    <BehaviorTree ID="part" _fullpath="part::6">
        <sequence name="sequence" _uid="7">
            <roam name="roam()" _uid="8"/>
            <condition name="condition team &lt; 1" _uid="9"/>
        </sequence>
    </BehaviorTree>
    <TreeNodesModel>
        <Action ID="condition"/>
        <Action ID="roam"/>
        <Control ID="sequence"/>
    </TreeNodesModel>
</root>
"#;
    assert_eq!(tree.xml(), expected);
}

#[test]
fn a_tree_with_the_most_nodes_is_told() {
    // A list has at most 20 children. `small` has 421 nodes, `large` 8,441 and `rest` 6,439; each
    // call is a node, too. So all are 1 + 7 × 8,442 + 6,440 = 65,535 nodes.
    let list = |children: &[(&str, usize)]| {
        let children = children.iter().map(|(child, count)| format!("{child}\n").repeat(*count));
        format!("sequence {{\n{}}}\n", children.collect::<String>())
    };
    let twenty = list(&[("action roam()", 20)]);
    let last = list(&[(&twenty, 5), ("action roam()", 2)]);
    let files = [
        ("main", list(&[("behavior large", 7), ("behavior rest", 1)])),
        ("large", list(&[("behavior small", 20)])),
        ("small", list(&[(&twenty, 20)])),
        ("rest", list(&[("behavior small", 15), (&last, 1)])),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let image = pleach_tests::inline::image(&files, &["main"]);
    let tree = Tree::new(&image, "main", |_| None).expect("it can be shown");
    assert!(tree.xml().contains("_uid=\"65535\""));
    let mut host = Bindings::new(());
    host.action("roam", |(), _| Status::Success);
    let told = Play::new(&image, tree, host).tick();
    assert!(
        told.starts_with("1 running, 2 running, 3 running, 4 running, 5 running, 6 running, 7 success, ")
    );
    assert!(told.contains(", 65534 success, 65535 success, ") && told.contains(", 65535 idle, "));
    assert!(told.ends_with(" idle, 1 success, 1 idle"), "{}", &told[told.len() - 200..]);
}

#[test]
fn trees_that_cannot_be_shown_are_refused() {
    let error = |image: &pleach::Image, entry: &str| {
        Tree::new(image, entry, |_| None).expect_err("it cannot be shown")
    };
    assert_eq!(error(&guard(), "watch"), TreeError::NoEntry("watch".to_owned()));
    // Each tree calls the one before twice.
    let text = |part: i32| format!("sequence {{\n\tbehavior p{part}\n\tbehavior p{part}\n}}\n");
    let mut files = vec![("p0".to_owned(), "sequence {\n\taction roam()\n\taction roam()\n}\n".to_owned())];
    files.extend((1..17).map(|part| (format!("p{part}"), text(part - 1))));
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let image = pleach_tests::inline::image(&files, &["p16", "p3"]);
    assert_eq!(error(&image, "p16"), TreeError::TooManyNodes);
    assert!(Tree::new(&image, "p3", |_| None).is_ok());
}
