//! Cases of BehaviorTree.CPP: a tree as text, and steps.

mod case;
mod play;
mod script;

use super::{Engine, Folder, Verdict};
use case::Case;
use pleach_compile::internals::dialects::BtCpp;
use pleach_compile::internals::ir::{Module, Slot, SlotKind};
use pleach_compile::internals::session::Session;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_edit::substitutes;
use serde::Deserialize;
use serde_json::Value;

/// Name of the file of a case.
const FILE: &str = "main";
/// The leaves of the cases.
const LEAVES: &str = include_str!("leaves.manifest");
/// Codes of trees that load in the original and are refused here.
const REFUSED: [&str; 3] = ["E0761", "E0762", "E0763"];
/// Nodes that cases register and that have no counterpart here, with the reason.
const TEMPLATES: [(&str, &str); 8] = [
    ("<MakeQueue", "queues"),
    ("<MakeWords", "queues"),
    ("<MakeVector", "queues"),
    ("<MakeList", "queues"),
    ("<PopFromQueue", "queues"),
    ("<QueueSize", "queues"),
    ("<ConsumeQueue", "queues"),
    ("<PutUntyped", "a port without a type"),
];

pub(super) fn is_play(case: &Value) -> bool {
    case["dialect"] == "btcpp" && case["source"].is_string()
}

/// Passes if the tree loads or fails to load as expected, and behaves as expected in each step.
pub(super) fn check_play(case: &Value, _: &Folder, engine: &dyn Engine) -> Verdict {
    let case = match Case::deserialize(case) {
        Ok(case) => case,
        Err(error) => return Verdict::Failed(format!("is not a case: {error}")),
    };
    if let Some(why) = case.foreign() {
        return Verdict::Refused(why);
    }
    if let Some((_, why)) = TEMPLATES.iter().find(|(tag, _)| case.loads() && case.source.contains(tag)) {
        return Verdict::Refused((*why).to_owned());
    }
    let result = match (module(&case), case.loads()) {
        // The cases have a port without a type, which a manifest cannot declare.
        (Ok(module), true)
            if case.mentions("<GetUntyped")
                && (case.sets_numbers_of_texts(&module) || case.mentions("<SetBlackboard")) =>
        {
            return Verdict::Refused("a port without a type".to_owned());
        }
        (Ok(module), true) => play::play(&case, &module, engine, false).and_then(|()| {
            if engine.name() == "scalar" { play::play(&case, &module, engine, true) } else { Ok(()) }
        }),
        (Ok(_), false) => Err("loads, but must not".to_owned()),
        (Err(error), true) if REFUSED.iter().any(|code| error.starts_with(code)) => {
            return Verdict::Refused(reason(&error));
        }
        // The cases have a port without a type, which a manifest cannot declare.
        (Err(error), true) if error.starts_with("E0759") && case.mentions("<GetUntyped") => {
            return Verdict::Refused("a port without a type".to_owned());
        }
        (Err(error), true) => Err(format!("does not load: {error}")),
        (Err(_), false) => Ok(()),
    };
    result.map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

/// Returns the tree of a case, or the error. An entry that a port has made before the host writes a
/// text to it has the type of the port; another one holds the text. An entry without a type of its
/// own is an entity if it is declared as one.
fn module(case: &Case) -> Result<Module, String> {
    let typed = if case.has_late_texts() { compiled(case, |_| "entity").ok() } else { None };
    compiled(case, |name| match &typed {
        Some(module) if kind(module, name) != Some(SlotKind::Entity) => "entity",
        _ => "text",
    })
}

/// Returns the kind of a variable.
fn kind(module: &Module, name: &str) -> Option<SlotKind> {
    let named = |slot: &&Slot| slot.name.is_some_and(|it| module.names.text(it) == name);
    module.slots.iter().find(named).map(|slot| slot.kind)
}

/// Compiles the tree of a case.
fn compiled(case: &Case, late: impl Fn(&str) -> &'static str) -> Result<Module, String> {
    let (mut manifest, problems) = Manifest::parse(&format!("{LEAVES}\n{}", case.declarations(late)));
    assert!(problems.is_empty(), "{problems:?}");
    if let Some(rules) = &case.substitutions {
        manifest.substitutions = substitutes::read(&rules.to_string())?;
    }
    let mut library = Texts::of(FILE, "xml", &case.source);
    for (path, text) in &case.files {
        library.add(path, text);
    }
    let mut session = Session::new(&library, &manifest);
    let entry = case.tree.as_ref().map_or(FILE.to_owned(), |tree| format!("{FILE}#{tree}"));
    let module = pleach_compile::internals::module(&mut session, &BtCpp, &[entry]);
    let list = session.diagnostics.list();
    let told =
        || list.iter().map(|it| format!("{} {}", it.code.id, it.message)).collect::<Vec<_>>().join("; ");
    let mut module = module.ok_or_else(told)?;
    // The texts of the host are texts of the program, so that they have numbers on all engines.
    for text in case.texts() {
        let text = module.names.intern(text.as_bytes());
        if !module.texts.is_empty() && !module.texts.contains(&text) {
            module.texts.push(text);
        }
    }
    Ok(module)
}

/// Returns an error without the names that it cites.
fn reason(error: &str) -> String {
    error.split('`').step_by(2).collect::<Vec<_>>().join("_")
}
