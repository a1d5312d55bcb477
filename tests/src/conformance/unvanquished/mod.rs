//! Cases of the Unvanquished dialect: traces (a tree, and its ticks) and dumps (the printout of a
//! tree).

mod case;
mod play;
mod program;
mod script;

use super::{Engine, Folder, Verdict};
use case::{Dump, Source, Trace};
use program::{Corpus, Inline, Program};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

pub(super) fn is_trace(case: &Value) -> bool {
    case["source"]["kind"].is_string() && case["load"].is_object()
}

pub(super) fn is_dump(case: &Value) -> bool {
    case["dump"].is_string() && case["ok"].is_boolean() && case["source"].is_null()
}

/// Passes if the tree loads or fails to load as recorded, has the recorded printout, and behaves in
/// each tick as recorded.
pub(super) fn check_trace(case: &Value, folder: &Folder, engine: &dyn Engine) -> Verdict {
    let trace = match Trace::deserialize(case) {
        Ok(trace) => trace,
        Err(error) => return Verdict::Failed(format!("is not a trace: {error}")),
    };
    match &trace.source {
        Source::Inline { files, entry } => verdict(replay(&trace, &Inline(files), entry, engine)),
        Source::Corpus { dir, entry } => {
            in_corpus(&folder.corpus("unvanquished").join(dir), entry, |trees| {
                replay(&trace, trees, entry, engine)
            })
        }
    }
}

/// Passes if the tree has the recorded printout.
pub(super) fn check_dump(case: &Value, folder: &Folder, _: &dyn Engine) -> Verdict {
    let dump = match Dump::deserialize(case) {
        Ok(dump) => dump,
        Err(error) => return Verdict::Failed(format!("is not a dump: {error}")),
    };
    let (dir, entry) = dump.name.rsplit_once('/').unwrap_or((".", &dump.name));
    in_corpus(&folder.corpus("unvanquished").join(dir), entry, |trees| {
        let program = Program::build(trees, &[entry.to_owned()]);
        loads(&program, dump.ok)?;
        program.map_or(Ok(()), |program| reads(&program, entry, &dump.dump))
    })
}

/// Runs a case on trees that may be missing.
fn in_corpus(dir: &Path, entry: &str, run: impl FnOnce(&Corpus) -> Result<(), String>) -> Verdict {
    let file = program::tree_file(dir, entry);
    match file.is_file() {
        true => verdict(run(&Corpus(dir.to_owned()))),
        false => Verdict::Skipped(format!("there is no {}", file.display())),
    }
}

fn verdict(result: Result<(), String>) -> Verdict {
    result.map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

fn replay(
    trace: &Trace,
    library: &dyn program::Library,
    entry: &str,
    engine: &dyn Engine,
) -> Result<(), String> {
    let program = Program::build(library, &trace.entries(entry));
    loads(&program, trace.loads())?;
    let Ok(program) = program else {
        return Ok(());
    };
    if let Some(dump) = &trace.dump {
        reads(&program, entry, dump)?;
    }
    play::play(trace, &program, entry, engine)
}

/// Checks that loading ended as expected.
fn loads(program: &Result<Program, String>, must: bool) -> Result<(), String> {
    match program {
        Ok(_) if !must => Err("loads, but must not".to_owned()),
        Err(error) if must => Err(format!("does not load: {error}")),
        _ => Ok(()),
    }
}

/// Checks the printout of a tree. In cases each character of a text stands for one byte.
fn reads(program: &Program, entry: &str, dump: &str) -> Result<(), String> {
    let printed = program::characters(&crate::print::print(&program.file, &program.module.names, entry));
    if printed == dump {
        return Ok(());
    }
    let differs = printed.lines().zip(dump.lines()).enumerate().find(|(_, (is, must))| is != must);
    Err(match differs {
        Some((line, (is, must))) => format!("line {} reads `{is}`, not `{must}`", line + 1),
        None => format!("reads {} lines, not {}", printed.lines().count(), dump.lines().count()),
    })
}
