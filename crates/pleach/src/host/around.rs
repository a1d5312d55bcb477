//! Layers around hosts: one that records, one that forces answers, one that has nodes of its own.
//!
//! Such a host handles a few calls itself and must pass on all others. A call that it forgets to
//! pass on would be lost without an error. So it implements [`HostLayer`], whose methods pass every
//! call on unless they are replaced, and is a [`Host`] thereby. Both traits have methods of the
//! same names. So a file should have only `Host` in scope, name the other trait by its path, and
//! call its own methods as `Host::act(self, call)`.
//!
//! ```
//! use pleach::{Call, Halt, Host};
//!
//! /// Counts what does not go on.
//! struct Counting<H> {
//!     host: H,
//!     halts: u32,
//! }
//!
//! impl<H: Host> pleach::host::HostLayer for Counting<H> {
//!     type Inner = H;
//!
//!     fn inner(&self) -> &H {
//!         &self.host
//!     }
//!
//!     fn inner_mut(&mut self) -> &mut H {
//!         &mut self.host
//!     }
//!
//!     fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
//!         self.halts += 1;
//!         self.host.halt(call, reason);
//!     }
//! }
//!
//! fn is_host(_: impl Host) {}
//! is_host(Counting { host: pleach::Bindings::new(()), halts: 0 });
//! ```

use crate::host::{Batch, Call, Effect, Function, Halt, Host, LogKind};
use crate::store::RunawayTick;
use crate::values::{Agent, Status, Type};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Host around another host. Each method is that of [`Host`] and calls the inner host, except
/// [`HostLayer::act_alike`], [`HostLayer::act_all`] and [`HostLayer::query_all`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no host",
    note = "a game implements `pleach::Host`; a layer around another host implements `pleach::host::HostLayer`"
)]
pub trait HostLayer {
    /// Type of the inner host.
    type Inner: Host + ?Sized;

    /// Returns the inner host.
    fn inner(&self) -> &Self::Inner;

    /// Returns the inner host.
    fn inner_mut(&mut self) -> &mut Self::Inner;

    /// See [`Host::resolve`].
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.inner().resolve(function, name)
    }

    /// See [`Host::names`].
    fn names(&self, function: Function) -> Vec<String> {
        self.inner().names(function)
    }

    /// See [`Host::effect`].
    fn effect(&self, kind: Function, function: u32) -> Effect {
        self.inner().effect(kind, function)
    }

    /// See [`Host::column`].
    fn column(&self, query: u32) -> Option<Type> {
        self.inner().column(query)
    }

    /// See [`Host::knows`].
    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        self.inner_mut().knows(function, number, agent)
    }

    /// See [`Host::ran_away`].
    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        self.inner_mut().ran_away(run);
    }

    /// See [`Host::act`].
    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.inner_mut().act(call)
    }

    /// See [`Host::query`].
    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.inner_mut().query(call)
    }

    /// See [`Host::halt`].
    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        self.inner_mut().halt(call, reason);
    }

    /// See [`Host::describe`].
    fn describe(&mut self, call: &mut Call<'_>, out: &mut dyn fmt::Write) {
        self.inner_mut().describe(call, out);
    }

    /// See [`Host::log`].
    fn log(&mut self, agent: Agent, node: u32, kind: LogKind, text: &[u8]) {
        self.inner_mut().log(agent, node, kind, text);
    }

    /// See [`Host::act_alike`]. The default returns `None`, so that [`HostLayer::act_all`] is
    /// called.
    fn act_alike(&mut self, _batch: &mut Batch<'_>) -> Option<Status> {
        None
    }

    /// See [`Host::act_all`]. The default calls [`HostLayer::act`] for each agent, so that the
    /// layer sees each call. A layer that does not change actions hands the batch to the inner host
    /// instead.
    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        batch.each(out, |call| self.act(call));
    }

    /// See [`Host::query_all`]. The default calls [`HostLayer::query`] for each agent, so that the
    /// layer sees each call.
    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        batch.each(out, |call| self.query(call));
    }
}

impl<A: HostLayer> Host for A {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        HostLayer::resolve(self, function, name)
    }

    fn names(&self, function: Function) -> Vec<String> {
        HostLayer::names(self, function)
    }

    fn effect(&self, kind: Function, function: u32) -> Effect {
        HostLayer::effect(self, kind, function)
    }

    fn column(&self, query: u32) -> Option<Type> {
        HostLayer::column(self, query)
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        HostLayer::knows(self, function, number, agent)
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        HostLayer::ran_away(self, run);
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        HostLayer::act(self, call)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        HostLayer::query(self, call)
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        HostLayer::halt(self, call, reason);
    }

    fn describe(&mut self, call: &mut Call<'_>, out: &mut dyn fmt::Write) {
        HostLayer::describe(self, call, out);
    }

    fn log(&mut self, agent: Agent, node: u32, kind: LogKind, text: &[u8]) {
        HostLayer::log(self, agent, node, kind, text);
    }

    fn act_alike(&mut self, batch: &mut Batch<'_>) -> Option<Status> {
        HostLayer::act_alike(self, batch)
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        HostLayer::act_all(self, batch, out);
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        HostLayer::query_all(self, batch, out);
    }
}

/// A host that is borrowed, as one of its own.
impl<H: Host + ?Sized> HostLayer for &mut H {
    type Inner = H;

    fn inner(&self) -> &H {
        self
    }

    fn inner_mut(&mut self) -> &mut H {
        self
    }

    fn act_alike(&mut self, batch: &mut Batch<'_>) -> Option<Status> {
        (**self).act_alike(batch)
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        (**self).act_all(batch, out);
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        (**self).query_all(batch, out);
    }
}
