//! The manifest that comes with the dialect, and the example that uses all of it.

use super::{compiled, findings, manifest};
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::dialects::Mbt;

const AI_NODES: &str = include_str!("../../../../../spec/examples/mbt/ai_nodes.xml");

#[test]
fn the_own_manifest_has_no_problems() {
    assert_eq!(pleach_compile::manifest::Manifest::parse(Mbt.manifest()).1, []);
}

/// Every node of the engines' AI loads with every attribute.
#[test]
fn all_nodes_of_the_engines_load() {
    assert_eq!(findings(AI_NODES), [""; 0]);
    assert!(compiled(AI_NODES, &manifest("")).image.is_some());
    // A core node here, for the engines one of the AI.
    assert!(AI_NODES.contains("<GroupScope name=\"") && AI_NODES.contains("\" allowedConcurrentUsers=\""));
    for action in &manifest("").actions {
        let element = AI_NODES.split('<').find(|it| it.split([' ', '/', '>']).next() == Some(&action.name));
        let element = element.unwrap_or_else(|| panic!("`{}` is not in the example", action.name));
        let missing = action.params.iter().find(|param| !element.contains(&format!(" {}=\"", param.name)));
        assert_eq!(missing, None, "{}", action.name);
    }
}
