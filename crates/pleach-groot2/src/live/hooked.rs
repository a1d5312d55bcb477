//! Host layer at which hooks of actions are reached.

use super::hooks::Position;
use super::state::Shared;
use crate::tree::Tree;
use pleach::host::HostLayer;
use pleach::{Agent, Batch, Call, Host, Status};
use std::sync::Arc;

/// Host layer of a [`Monitor`](crate::Monitor), with the hooks at nodes that call the game.
#[derive(Debug)]
pub struct HookedHost<'m, H: ?Sized> {
    pub(crate) host: &'m mut H,
    pub(crate) shared: &'m Shared,
    pub(crate) tree: Arc<Tree>,
    pub(crate) agent: Agent,
    pub(crate) is_over: fn() -> bool,
}

impl<H: Host + ?Sized> HostLayer for HookedHost<'_, H> {
    type Inner = H;

    fn inner(&self) -> &H {
        self.host
    }

    fn inner_mut(&mut self) -> &mut H {
        self.host
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        if call.agent != self.agent {
            return self.host.act(call);
        }
        let uids = self.tree.uids(call.node);
        if let Some(status) = self.shared.reach(uids, Position::Before, self.is_over) {
            return status;
        }
        let status = self.host.act(call);
        self.shared.reach(uids, Position::After, self.is_over).unwrap_or(status)
    }

    // The agent with hooks is watched, so it is in no batch.
    fn act_alike(&mut self, batch: &mut Batch<'_>) -> Option<Status> {
        self.host.act_alike(batch)
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        self.host.act_all(batch, out);
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        self.host.query_all(batch, out);
    }
}
