//! Time of trees.

use bevy_ecs::prelude::*;
use bevy_time::Time;

/// Time at which trees are ticked, in milliseconds.
///
/// If the app has the resource `Time`, the plugin sets this time from it. Otherwise the game sets
/// it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Now(pub i64);

/// Sets the time of trees from the app's `Time`, if the app has one.
pub(crate) fn advance(time: Option<Res<Time>>, mut now: ResMut<Now>) {
    if let Some(time) = time {
        now.0 = time.elapsed().as_millis() as i64;
    }
}
