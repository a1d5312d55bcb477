//! Cases of the Drag\[en\]gine dialect: a tree, and the steps of an agent.

mod case;
mod play;
mod script;

use super::{Engine, Folder, Verdict};
use crate::debt;
use case::Case;
use serde::Deserialize;
use serde_json::Value;

pub(super) fn is_case(case: &Value) -> bool {
    case["dialect"] == "dragengine" && case["steps"].is_array()
}

/// Passes if the tree loads or fails to load as expected, and each step has the expected results.
pub(super) fn check(case: &Value, _: &Folder, engine: &dyn Engine) -> Verdict {
    let case = Case::deserialize(case).map_err(|error| format!("is not a case: {error}"));
    case.and_then(|case| replay(&case, engine)).map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

fn replay(case: &Case, engine: &dyn Engine) -> Result<(), String> {
    let must_load = case.steps.first().is_none_or(|step| step.expected.status != case::LOAD_ERROR);
    match debt::module(&case.source, &case.files) {
        Ok(module) if must_load => play::play(case, &module, engine),
        Ok(_) => Err("loads, but must not".to_owned()),
        Err(error) if must_load => Err(format!("does not load: {error}")),
        Err(_) => Ok(()),
    }
}
