//! Scripts of test nodes, which take the place of other nodes. They stand in no file of trees.

use super::entries::Entries;
use super::instance::Program;
use super::script::{Expr, Script};
use super::{Refused, refused};
use crate::codes;
use crate::manifest::{TestNode, TestStatus};
use hashbrown::HashSet;
use std::rc::Rc;

/// Places of the scripts of a test node.
pub(super) mod test_place {
    /// Computes the status.
    pub(in super::super) const STATUS: usize = 9;
    /// Is run after a success.
    pub(in super::super) const SUCCESS: usize = 10;
    /// Is run after a failure.
    pub(in super::super) const FAILURE: usize = 11;
    /// Is run last.
    pub(in super::super) const POST: usize = 12;
}

impl Entries {
    /// Reads the scripts of a test node, and notes their entries.
    pub(super) fn scripts_of_test(
        &mut self,
        program: &Program,
        node: usize,
        test: &TestNode,
        lenient: bool,
    ) -> Result<(), Refused> {
        let span = program.nodes[node].span;
        let scripts = [
            (test_place::STATUS, &test.status_script),
            (test_place::SUCCESS, &test.success_script),
            (test_place::FAILURE, &test.failure_script),
            (test_place::POST, &test.post_script),
        ];
        for (place, text) in scripts.into_iter().filter(|(_, text)| !text.is_empty()) {
            let mut script = Script::parse(text, lenient).map_err(|why| {
                let message = format!("the script `{text}` of the test node here cannot be read: {why}");
                refused(codes::NODE_SCRIPT, span, message, "correct it in the file of substitutes")
            })?;
            if place == test_place::STATUS {
                name_statuses(&mut script);
            }
            self.script(program, node, place, &script, span);
            self.scripts.insert((node, place), Rc::new(script));
        }
        Ok(())
    }
}

/// Replaces the names of statuses in a script by their numbers.
fn name_statuses(script: &mut Script) {
    let written = script.exprs.iter().filter_map(|expr| match expr {
        Expr::Assign(_, target, _) => Some(*target),
        _ => None,
    });
    let written: HashSet<usize> = written.collect();
    for (index, expr) in script.exprs.iter_mut().enumerate() {
        if written.contains(&index) {
            continue;
        }
        let Expr::Name(name) = &*expr else { continue };
        let numbers = TestStatus::ALL.into_iter().map(|(name, number, _)| (name, number));
        if let Some((_, number)) = numbers.chain([("IDLE", 0)]).find(|(it, _)| it == name) {
            *expr = Expr::Int(number.into());
        }
    }
}
