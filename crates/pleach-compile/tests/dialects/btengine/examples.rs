//! The examples compile.

use super::load;
use std::path::Path;

#[test]
fn the_camp_loads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/examples/btengine");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("an example");
    let files = ["camp.xml", "guard.xml", "patrol.xml"].map(|name| (name, read(name)));
    let outcome = load(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    assert_eq!(outcome.findings, "");
    let forest = "Camp team=red: Guard(guard.xml post=gate) Patrol(patrol.xml)\n";
    assert!(outcome.file.starts_with(forest), "{}", outcome.file);
}
