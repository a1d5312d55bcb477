//! Hooks: breakpoints and replaced statuses at nodes.

use pleach::Status;
use serde::{Deserialize, Serialize};

/// Largest number of hooks.
pub(crate) const MOST_HOOKS: usize = 1_000;

/// Place of a hook: before the tick of its node, or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    Before,
    After,
}

impl Position {
    fn number(self) -> u8 {
        self as u8
    }
}

/// Hook as messages have it. The fields are in the order of the library's messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HookRow {
    pub(crate) desired_status: String,
    pub(crate) enabled: bool,
    /// 0 for a breakpoint, 1 to replace the status.
    pub(crate) mode: u8,
    pub(crate) once: bool,
    pub(crate) position: u8,
    pub(crate) uid: u16,
}

impl HookRow {
    pub(crate) fn is_breakpoint(&self) -> bool {
        self.mode == 0
    }

    /// Returns the status that replaces that of the node.
    pub(crate) fn status(&self) -> Option<Status> {
        completed(&self.desired_status)
    }
}

/// Returns the completed status with a name.
pub(crate) fn completed(name: &str) -> Option<Status> {
    match name {
        "SUCCESS" => Some(Status::Success),
        "FAILURE" => Some(Status::Failure),
        _ => None,
    }
}

/// One hook, or several.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum HookRows {
    Several(Vec<HookRow>),
    One(HookRow),
}

/// Request to remove a hook.
#[derive(Deserialize)]
pub(crate) struct RemoveHook {
    pub(crate) uid: u16,
    pub(crate) position: u8,
}

/// Request to unlock a breakpoint.
#[derive(Deserialize)]
pub(crate) struct UnlockHook {
    pub(crate) uid: u16,
    pub(crate) position: u8,
    pub(crate) desired_status: String,
    pub(crate) remove_when_done: bool,
}

/// Hook, and the answer that its breakpoint got.
#[derive(Debug)]
pub(crate) struct Hook {
    pub(crate) row: HookRow,
    /// True if a breakpoint was unlocked and its thread has not continued yet.
    pub(crate) unlocked: bool,
}

/// Hooks of a tree.
#[derive(Debug, Default)]
pub(crate) struct Hooks(pub(crate) Vec<Hook>);

impl Hooks {
    /// Returns the index of a hook.
    pub(crate) fn find(&self, uid: u16, position: u8) -> Option<usize> {
        self.0.iter().position(|hook| (hook.row.uid, hook.row.position) == (uid, position))
    }

    /// Returns the first enabled hook at one of the nodes.
    pub(crate) fn at(&self, uids: &[u16], position: Position) -> Option<&HookRow> {
        let is_here =
            |row: &HookRow| row.enabled && row.position == position.number() && uids.contains(&row.uid);
        self.0.iter().map(|hook| &hook.row).find(|row| is_here(row))
    }

    /// Adds a hook, in the place of one at the same node and position.
    pub(crate) fn put(&mut self, row: HookRow) {
        let index = self.find(row.uid, row.position);
        let hook = Hook { row, unlocked: false };
        match index {
            Some(index) => self.0[index] = hook,
            None => self.0.push(hook),
        }
    }

    /// Enables or disables all hooks.
    pub(crate) fn enable(&mut self, enabled: bool) {
        self.0.iter_mut().for_each(|hook| hook.row.enabled = enabled);
    }
}
