//! What trees and the game tell each other, beside actions and queries.

use crate::asset::Trees;
use bevy_asset::AssetId;
use bevy_ecs::prelude::*;
use pleach::{Fault, Halt, LogKind, Report};
use std::borrow::Cow;

/// To trees: lets an event happen before their next tick.
#[derive(Message, Clone, Debug)]
pub struct Raise {
    pub(crate) event: Cow<'static, str>,
    pub(crate) to: Option<Entity>,
}

impl Raise {
    /// To one entity. If it runs no tree, nothing happens.
    #[must_use]
    pub fn to(entity: Entity, event: impl Into<Cow<'static, str>>) -> Self {
        Self { event: event.into(), to: Some(entity) }
    }

    /// To all agents whose trees know of the event.
    #[must_use]
    pub fn all(event: impl Into<Cow<'static, str>>) -> Self {
        Self { event: event.into(), to: None }
    }
}

/// From trees: an action that was running will not go on, as something else began in its place, or the entity left.
#[derive(Message, Clone, Debug)]
pub struct ActionHalted {
    /// The entity. It may be gone.
    pub entity: Entity,
    /// The action.
    pub action: Cow<'static, str>,
    /// Why.
    pub reason: Halt,
}

/// From trees: an entity's tick could not be ended, as a system of it panicked, or a loop began again too often.
#[derive(Message, Clone, Copy, Debug)]
pub struct AgentFault {
    /// The entity.
    pub entity: Entity,
    /// What happened.
    pub fault: Fault,
}

/// From trees: a text for an entity's log.
#[derive(Message, Clone, Debug)]
pub struct TreeLog {
    /// The entity.
    pub entity: Entity,
    /// What the text tells.
    pub kind: LogKind,
    /// The text.
    pub text: String,
}

/// From trees: they were linked, for the first time or anew.
#[derive(Message, Clone, Debug)]
pub struct TreesChanged {
    /// Which trees.
    pub trees: AssetId<Trees>,
    /// What became of their agents; or why they could not be linked, or not taken over: then what was there goes on.
    pub result: Result<Report, String>,
}
