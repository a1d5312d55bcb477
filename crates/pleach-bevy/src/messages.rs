//! Messages between trees and the game.

use crate::asset::Trees;
use bevy_asset::{AssetId, AssetPath};
use bevy_ecs::prelude::*;
use pleach::host::LogKind;
use pleach::state::ReloadReport;
use pleach::{Fault, Halt};
use std::borrow::Cow;
use std::fmt;

/// Message to trees: an event is raised before their next tick.
#[derive(Message, Clone, Debug)]
pub struct Raise {
    pub(crate) event: Cow<'static, str>,
    pub(crate) to: Option<Entity>,
}

impl Raise {
    /// Raises an event for one entity. If the entity runs no tree, nothing happens.
    #[must_use]
    pub fn to(entity: Entity, event: impl Into<Cow<'static, str>>) -> Self {
        Self { event: event.into(), to: Some(entity) }
    }

    /// Raises an event for all agents whose trees declare it.
    #[must_use]
    pub fn all(event: impl Into<Cow<'static, str>>) -> Self {
        Self { event: event.into(), to: None }
    }
}

/// Message from trees: a running action was halted, because another node began in its place or the
/// entity left.
#[derive(Message, Clone, Debug)]
pub struct ActionHalted {
    /// Entity of the action. It may no longer exist.
    pub entity: Entity,
    /// Name of the action.
    pub action: Cow<'static, str>,
    /// Reason for halting the action.
    pub reason: Halt,
}

/// Message from trees: an entity's tick was aborted, because a system panicked or a loop was
/// repeated too often.
#[derive(Message, Clone, Copy, Debug)]
pub struct AgentFault {
    /// Entity of the tick.
    pub entity: Entity,
    /// Reason for the fault.
    pub fault: Fault,
}

/// Message from trees: a text for an entity's log.
#[derive(Message, Clone, Debug)]
pub struct TreeLog {
    /// Entity that the log belongs to.
    pub entity: Entity,
    /// Kind of the text.
    pub kind: LogKind,
    /// The text.
    pub text: String,
}

/// Message from trees: trees were linked, for the first time or again.
#[derive(Message, Clone, Debug)]
pub struct TreesChanged {
    /// Asset of the trees.
    pub trees: AssetId<Trees>,
    /// Agents that continue at their nodes, and agents that begin anew. The report is empty when
    /// trees are linked for the first time.
    pub report: ReloadReport,
}

/// Message from trees: trees cannot be run, or their new build cannot take over.
///
/// Each failure is reported once, until the trees change.
///
/// [`PleachPlugin::panic_on_failure`](crate::PleachPlugin::panic_on_failure) turns it into a panic.
#[derive(Message, Clone, Debug)]
pub struct TreesFailed {
    /// Asset of the trees.
    pub trees: AssetId<Trees>,
    /// File of the trees, if they were loaded from a file.
    pub path: Option<AssetPath<'static>>,
    /// Reason for the failure.
    pub failure: TreesFailure,
}

/// Reason why trees cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreesFailure {
    /// The file cannot be read, or is not a valid image.
    NotLoaded(String),
    /// The app lacks actions or queries that the trees need, or binds a variable to another type.
    /// The text has all names.
    NotLinked(String),
    /// A new build of trees in use cannot take over; the old build stays.
    NotReloaded(String),
    /// Entities ask for a tree that cannot be run. Their component [`NoTree`](crate::NoTree) has
    /// the reason.
    NoTree {
        /// Name of the tree.
        tree: Cow<'static, str>,
        /// Reason why the tree cannot be run.
        error: String,
    },
}

impl fmt::Display for TreesFailed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(out, "the trees `{path}` ")?,
            None => write!(out, "the trees {} ", self.trees)?,
        }
        match &self.failure {
            TreesFailure::NotLoaded(error) => write!(out, "were not loaded: {error}"),
            TreesFailure::NotLinked(error) => write!(out, "were not linked: {error}"),
            TreesFailure::NotReloaded(error) => write!(out, "were not reloaded: {error}"),
            TreesFailure::NoTree { tree, error } => write!(out, "cannot run `{tree}`: {error}"),
        }
    }
}
