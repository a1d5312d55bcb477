//! Cases of behavior selection trees: the files of a folder, a tree in one of them, and steps.
//!
//! A case is read as tolerantly as by the original engine, unless it has `"strict": true`.

mod case;
mod play;
mod script;

use super::{Engine, Folder, Verdict, all_told};
use case::Case;
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::dialects::Bst;
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use pleach_compile::manifest::Manifest;
use serde::Deserialize;
use serde_json::Value;

pub(super) fn is_play(case: &Value) -> bool {
    case["dialect"] == "bst"
}

/// Passes if the tree loads or fails to load as expected, and selects as expected in each step.
pub(super) fn check_play(case: &Value, _: &Folder, engine: &dyn Engine) -> Verdict {
    let result = Case::deserialize(case).map_err(|error| format!("is not a case: {error}"));
    result.and_then(|case| replay(&case, engine)).map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

fn replay(case: &Case, engine: &dyn Engine) -> Result<(), String> {
    let (module, told) = module(case);
    all_told(&case.codes, &told)?;
    match (module, case.loads()) {
        (Some(module), true) => play::play(case, &module, engine),
        (None, false) => Ok(()),
        (Some(_), false) => Err("loads, but must not".to_owned()),
        (None, true) => Err(format!("does not load: {told}")),
    }
}

/// Returns the tree of a case, and the text of the diagnostics.
fn module(case: &Case) -> (Option<Module>, String) {
    let (manifest, _) = Manifest::parse(Bst.manifest());
    let mut session = Session::new(case, &manifest);
    session.lenient = !case.strict;
    let module = pleach_compile::internals::module(&mut session, &Bst, std::slice::from_ref(&case.tree));
    let told = session.diagnostics.list().iter().map(|it| format!("{} {}", it.code.id, it.message));
    (module, told.collect::<Vec<_>>().join("; "))
}
