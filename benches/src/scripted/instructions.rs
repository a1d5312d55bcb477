//! Instructions of the processor in an agent's tick, counted by callgrind.
//!
//! The program starts itself under callgrind, with [`ARGUMENT`], to run one system. Only
//! `counted_tick` is counted, so neither the world nor the first frames are. Callgrind runs code
//! for AVX2 and hides AVX-512 from it.

use super::{Tree, WALKER};
use crate::system::{Counts, Named, System};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// First argument of the process whose instructions are counted; FILE, SYSTEM and AGENTS follow,
/// and perhaps MANIFEST.
pub const ARGUMENT: &str = "--counted";
/// Number of frames before the counted ones.
const WARM_UP: u32 = 32;
/// Ticks of agents that are counted, at least.
const TICKS: usize = 20_000;
/// Frames that are counted, at least.
const FRAMES: usize = 8;
/// Share of all instructions, in hundredths, that functions in [`Cost::functions`] have together.
const THRESHOLD: &str = "95";

/// Instructions of an agent's tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// All instructions.
    pub all: f64,
    /// Instructions of each function without the functions that it calls, the most expensive first.
    /// In builds with line tables, a function that others were inlined into has a row for each
    /// file.
    pub functions: Vec<(String, f64)>,
}

/// Runs a system in the process that callgrind watches.
///
/// # Errors
/// If the tree cannot be loaded, or the processor or the walker has no such system.
pub fn serve(file: &Path, system: &str, agents: usize, manifest: Option<&Path>) -> Result<(), String> {
    let tree = Tree::load(file, manifest)?;
    let Named { mut system, .. } = if system == WALKER {
        tree.walker(agents)?
    } else {
        let mut systems = tree.systems(agents).into_iter();
        systems.find(|known| known.name == system).ok_or_else(|| format!("no system {system}"))?
    };
    for frame in 0..WARM_UP {
        system.advance(frame);
        system.tick();
    }
    for frame in WARM_UP..WARM_UP + frames(agents) {
        system.advance(frame);
        counted_tick(&mut *system);
    }
    Ok(())
}

/// Ticks every agent once. Callgrind counts what this function does.
#[inline(never)]
fn counted_tick(system: &mut dyn System) -> Counts {
    // Without it, a call in tail position would be a jump that callgrind does not see.
    core::hint::black_box(system.tick())
}

/// Counts the instructions of an agent's tick; `None` if callgrind is not installed or has no such
/// system.
///
/// # Errors
/// If a file cannot be written or read.
pub fn counted(tree: (&Path, Option<&Path>), system: &str, agents: usize) -> io::Result<Option<Cost>> {
    let out = std::env::temp_dir().join(format!("pleach-{}-{system}", std::process::id()));
    let found = callgrind(tree, system, agents, &out)?;
    let cost = if found { annotated(&out, agents)? } else { None };
    match std::fs::remove_file(&out) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(cost),
    }
}

/// Runs a system under callgrind. Returns true if there is a count.
fn callgrind(
    (file, manifest): (&Path, Option<&Path>),
    system: &str,
    agents: usize,
    out: &Path,
) -> io::Result<bool> {
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind");
    command.arg(concat!("--toggle-collect=", module_path!(), "::counted_tick"));
    command.arg(format!("--callgrind-out-file={}", out.display()));
    command
        .arg(std::env::current_exe()?)
        .arg(ARGUMENT)
        .arg(file)
        .arg(system)
        .arg(agents.to_string())
        .args(manifest);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
        Ok(status) => Ok(status.success()),
    }
}

/// Reads a file of callgrind.
fn annotated(out: &Path, agents: usize) -> io::Result<Option<Cost>> {
    let mut command = Command::new("callgrind_annotate");
    command.arg("--auto=no").arg(format!("--threshold={THRESHOLD}")).arg(out);
    let text = String::from_utf8_lossy(&command.output()?.stdout).into_owned();
    let ticks = agents as f64 * f64::from(frames(agents));
    Ok(parsed(&text, ticks))
}

/// Reads a list of functions: `12,345 (10.00%)  file:function [object]`, and the sum before it.
fn parsed(text: &str, ticks: f64) -> Option<Cost> {
    let row = |line: &str| {
        let (number, rest) = line.trim_start().split_once(' ')?;
        let number: u64 = number.replace(',', "").parse().ok()?;
        let (_, name) = rest.split_once(")")?;
        Some((name.trim().to_owned(), number as f64 / ticks))
    };
    let mut rows = text.lines().filter_map(row);
    let (_, all) = rows.find(|(name, _)| name.starts_with("PROGRAM TOTALS"))?;
    let name = |(name, count): (String, f64)| {
        let name = name.split(" [").next().unwrap_or_default();
        // Of the path of a file, the last part says enough.
        let start = name.find(':').and_then(|colon| name[..colon].rfind('/')).map_or(0, |slash| slash + 1);
        (name[start..].trim_start_matches("???:").to_owned(), count)
    };
    Some(Cost { all, functions: rows.map(name).collect() })
}

fn frames(agents: usize) -> u32 {
    TICKS.div_ceil(agents).max(FRAMES) as u32
}

#[test]
fn functions_are_read_as_callgrind_writes_them() {
    let text = "Ir\n----\n2,000 (100.0%)  PROGRAM TOTALS\n\n----\nIr  file:function\n----\n\
        1,500 (75.00%)  ???:a::walk [/bin/x]\n  300 (15.00%)  src/b.rs:<b::C as d::E>::f [/bin/x]\n";
    let functions = vec![("a::walk".to_owned(), 15.0), ("b.rs:<b::C as d::E>::f".to_owned(), 3.0)];
    assert_eq!(parsed(text, 100.0), Some(Cost { all: 20.0, functions }));
    assert_eq!(parsed("", 100.0), None);
}
