//! Lines of `ratios tree`.

use super::instructions::{Cost, counted};
use super::{Tree, WALKER, counts};
use crate::measure::Runner;
use crate::system::{Named, Role};
use std::path::Path;

/// Agents and frames for which the systems are compared.
const COMPARED: (usize, u32) = (1000, 200);
/// Agents and frames whose instructions of images are counted.
const COUNTED: (usize, u32) = (100, 200);
/// Number of instructions in an agent's tick below which a function is not shown.
const LEAST: f64 = 10.0;

/// Measures a tree on all engines beside the walker, and prints it.
///
/// # Errors
/// If the tree cannot be loaded, a system differs from the others, or a file of callgrind cannot be
/// read.
pub fn tree(
    file: &Path,
    manifest: Option<&Path>,
    measure: &dyn Fn(Vec<Named>) -> Vec<Runner>,
) -> Result<(), String> {
    let tree = Tree::load(file, manifest)?;
    let name = tree.name();
    if let Err(reason) = tree.walker(1) {
        println!("# {name}: no walker, {reason}");
    }
    let (agents, frames) = COMPARED;
    let (statuses, calls) = tree.check(agents, frames)?;
    println!(
        "# {name}: all systems agree on every leaf call, {agents} agents x {frames} frames: {statuses:?}"
    );
    println!("# {name}: {} nodes, {calls:.1} leaf calls in an agent's tick", tree.nodes());
    let (agents, frames) = COUNTED;
    for (opcode, times) in counts::opcodes(&tree, agents, frames) {
        println!("OPCODE {name} {opcode} {times:.2}");
    }
    [1, 1000, 10_000].into_iter().try_for_each(|agents| sizes((file, manifest), &tree, agents, measure))
}

/// Measures a tree for a number of agents.
fn sizes(
    (file, manifest): (&Path, Option<&Path>),
    tree: &Tree,
    agents: usize,
    measure: &dyn Fn(Vec<Named>) -> Vec<Runner>,
) -> Result<(), String> {
    let runners = measure(tree.compared(agents));
    let walker = runners.iter().find(|runner| runner.role == Role::Yardstick).map(Runner::nanos);
    for runner in &runners {
        let (name, nanos) = (runner.name, runner.nanos());
        let cost = counted((file, manifest), name, agents).map_err(|error| error.to_string())?;
        let instructions = cost.as_ref().map_or_else(String::new, |cost| format!(" {:.0}", cost.all));
        if name == WALKER {
            println!("# {}, {agents} agents, walker: {nanos:.1} ns{instructions}", tree.name());
        } else {
            let ratio = walker.map_or_else(|| "-".to_owned(), |walker| format!("{:.2}", walker / nanos));
            println!("TREE {} {name} {agents} {ratio} {nanos:.1}{instructions}", file.display());
        }
        if agents == COMPARED.0 {
            functions(tree, name, cost);
        }
    }
    Ok(())
}

/// Prints the functions that instructions are in.
fn functions(tree: &Tree, system: &str, cost: Option<Cost>) {
    let functions = cost.into_iter().flat_map(|cost| cost.functions);
    for (function, instructions) in functions.filter(|(_, instructions)| *instructions >= LEAST) {
        println!("COST {} {system} {instructions:.0} {function}", tree.name());
    }
}
