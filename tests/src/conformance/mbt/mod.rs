//! Cases of modular behavior trees: a tree as text, and steps.

mod case;
mod play;
mod script;

use super::{Engine, Folder, Verdict, all_told};
use case::Case;
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::dialects::Mbt;
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use serde::Deserialize;
use serde_json::Value;

/// Name of the tree of a case.
const TREE: &str = "tree";

pub(super) fn is_play(case: &Value) -> bool {
    case["dialect"] == "mbt" && case["source"].is_string()
}

/// Passes if the tree loads or fails to load as expected, and behaves as expected in each step.
pub(super) fn check_play(case: &Value, _: &Folder, engine: &dyn Engine) -> Verdict {
    let result = Case::deserialize(case).map_err(|error| format!("is not a case: {error}"));
    result.and_then(|case| replay(&case, engine)).map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

fn replay(case: &Case, engine: &dyn Engine) -> Result<(), String> {
    match (module(&case.source), case.loads()) {
        (Ok(module), true) => play::play(case, &module, engine),
        (Ok(_), false) => Err("loads, but must not".to_owned()),
        (Err(error), true) => Err(format!("does not load: {error}")),
        (Err(error), false) => all_told(&case.codes, &error),
    }
}

/// Returns the tree of a case, or the codes of the errors.
fn module(source: &str) -> Result<Module, String> {
    let text = format!("{}\n{ACT}", Mbt.manifest());
    let (manifest, problems) = Manifest::parse(&text);
    assert!(problems.is_empty(), "{problems:?}");
    let library = Texts::of(TREE, "xml", source);
    let mut session = Session::new(&library, &manifest);
    let module = pleach_compile::internals::module(&mut session, &Mbt, &[TREE.to_owned()]);
    let list = session.diagnostics.list();
    module.ok_or_else(|| {
        list.iter().map(|it| format!("{} {}", it.code.id, it.message)).collect::<Vec<_>>().join("; ")
    })
}

/// Declaration of the leaf whose answers cases give.
const ACT: &str = "action Act(name: text)";
