//! Cases of Bt Engine: forests as text, orders, answers of hooks, and expected calls of hooks.

mod case;
mod play;
mod script;

use super::{Engine, Folder, Verdict};
use case::Case;
use pleach_compile::dialect;
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use pleach_compile::source::{Found, Library};
use serde::Deserialize;
use serde_json::Value;

/// Path of the forest file.
const MAIN: &str = "main";

pub(super) fn is_forest(case: &Value) -> bool {
    case["dialect"] == "btengine"
}

/// Passes if the forests load or fail to load as expected, and behave as expected in each step.
pub(super) fn check_forest(case: &Value, _: &Folder, engine: &dyn Engine) -> Verdict {
    let result = Case::deserialize(case).map_err(|error| format!("is not a case: {error}"));
    result.and_then(|case| replay(&case, engine)).map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

fn replay(case: &Case, engine: &dyn Engine) -> Result<(), String> {
    match (module(case), case.loads()) {
        (Ok(module), true) => play::play(case, &module, engine),
        (Ok(_), false) => Err("loads, but must not".to_owned()),
        (Err(codes), true) => Err(format!("does not load: {}", codes.join(" "))),
        (Err(codes), false) => case.fails_with(&codes),
    }
}

/// Returns the forests as a module, or the codes of the errors.
fn module(case: &Case) -> Result<Module, Vec<&'static str>> {
    let dialect = dialect::by_name("btengine").expect("the compiler knows the dialect");
    let manifest = dialect.own_manifest();
    let mut session = Session::new(case, &manifest);
    let module = pleach_compile::internals::module(&mut session, dialect, &[MAIN.to_owned()]);
    module.ok_or_else(|| session.diagnostics.list().iter().map(|finding| finding.code.id).collect())
}

impl Library for Case {
    fn tree(&self, name: &str) -> Option<Found> {
        (name == MAIN).then(|| Found { name: "main.xml".to_owned(), text: self.source.as_bytes().into() })
    }

    fn include(&self, path: &str) -> Option<Found> {
        let text = self.files.get(path)?.as_bytes();
        Some(Found { name: path.to_owned(), text: text.into() })
    }
}
