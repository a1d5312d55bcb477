//! Cases of pleach's own language: programs as text, and ticks.

mod case;
mod play;
mod script;

use super::{Engine, Folder, Verdict};
use case::Case;
use serde::Deserialize;
use serde_json::Value;

pub(super) fn is_play(case: &Value) -> bool {
    case["files"][crate::own::MAIN].is_string()
}

/// Passes if the program loads or fails to load as expected, and behaves as expected in each tick.
pub(super) fn check_play(case: &Value, _: &Folder, engine: &dyn Engine) -> Verdict {
    let result = Case::deserialize(case).map_err(|error| format!("is not a case: {error}"));
    result.and_then(|case| replay(&case, engine)).map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

fn replay(case: &Case, engine: &dyn Engine) -> Result<(), String> {
    let module =
        crate::own::module(&case.files).and_then(|module| match play::has_entry(&module, &case.entry) {
            true => Ok(module),
            false => Err(format!("there is no entry {}", case.entry)),
        });
    match module {
        Ok(module) if case.loads => play::play(case, &module, engine),
        Ok(_) => Err("loads, but must not".to_owned()),
        Err(error) if case.loads => Err(format!("does not load: {error}")),
        Err(_) => Ok(()),
    }
}
