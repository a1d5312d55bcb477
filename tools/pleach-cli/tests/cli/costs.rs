//! `pleach cost`: bounds of nodes, and what a recorded run took.

use crate::folder::Folder;
use serde_json::Value;

const TREE: &str = "action shoot()\naction roam()\nquery near: bool\n
tree guard
{
	selector
	{
		while near { cooldown 500 ms { action shoot } }
		action roam
	}
}
";

#[test]
fn nodes_cost_no_more_than_their_tree_and_no_less_than_their_children() {
    let folder = Folder::new("cost_bounds");
    let ran =
        folder.file("guard.pleach", TREE).pleach(&["cost", "--format", "json", "guard.pleach"]).exits(0);
    let costs: Value = serde_json::from_str(&ran.out).expect("JSON");
    let nodes = costs["nodes"].as_array().expect("nodes");
    let of = |node: &Value| node["most"]["instructions"].as_u64().expect("a number");
    let tree = &costs["trees"][0];
    assert_eq!((nodes.len(), &tree["name"]), (6, &"guard".into()));
    assert!(of(&nodes[0]) <= of(tree), "{costs}");
    for node in &nodes[1..] {
        let parent = &nodes[node["parent"].as_u64().expect("a parent") as usize];
        assert!(of(node) > 0 && of(node) <= of(parent), "{node} in {parent}");
    }
    assert_eq!((&nodes[0]["most"]["calls"], &nodes[4]["most"]["calls"]), (&tree["most"]["calls"], &1.into()));
    assert!(costs["bytes_per_agent"].as_f64().expect("a number") > 0.0);
}

#[test]
fn a_recording_has_what_the_nodes_took() {
    let folder = Folder::new("cost_recording");
    folder.file("guard.pleach", TREE).file("other.pleach", TREE.replace("500", "900"));
    folder.pleach(&["run", "guard.pleach", "--agents=20", "--ticks=30", "--record=a.rec"]).exits(0);
    let ran = folder.pleach(&["cost", "guard.pleach", "--recording", "a.rec"]).exits(0);
    assert!(ran.out.contains("in 600 ticks of agents") && ran.out.contains("action shoot"), "{}", ran.out);
    let ran = folder.pleach(&["cost", "other.pleach", "--recording", "a.rec"]).exits(2);
    assert!(ran.err.contains("it is of other trees"), "{}", ran.err);
}

#[test]
fn a_flame_graph_has_a_rectangle_for_each_node() {
    let folder = Folder::new("cost_flame");
    let ran = folder.file("guard.pleach", TREE).pleach(&["cost", "--format=svg", "guard.pleach"]).exits(0);
    assert!(ran.out.starts_with("<svg ") && ran.out.matches("<rect").count() == 6, "{}", ran.out);
    assert!(ran.out.contains("<title>action roam guard.pleach:"), "{}", ran.out);
}
