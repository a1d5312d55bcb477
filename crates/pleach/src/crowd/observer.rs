//! Observers of a crowd: told when the crowd begins something and when that is done.

use super::Crowd;
use crate::host::Host;
use crate::values::{Agent, Event, EventTarget};
use alloc::borrow::Cow;
use core::fmt;
use core::ops::Range;

/// Something that a crowd begins or has done.
#[derive(Clone, Debug)]
pub enum CrowdStep<'a> {
    /// The crowd begins the work that the next step reports. If an agent is named, that step
    /// concerns only this agent and the state that all agents share. The host may have changed
    /// anything since the last step.
    Begin(Option<Agent>),
    /// Agents of these chunks have been ticked.
    Ticked(Range<usize>),
    /// An event has happened that agents raised.
    Happened(Event),
    /// A tick has ended.
    Ended,
    /// The host has raised an event.
    Raised(Event, EventTarget),
    /// An agent has been despawned.
    Despawned(Agent),
    /// An agent has been reset.
    Reset(Agent),
    /// An agent has been switched to another tree, if there was room.
    Switched(Agent, Cow<'a, str>),
    /// One agent has been ticked.
    TickedAgent(Agent),
    /// An agent has run another tree once.
    TickedEntry(Agent, Cow<'a, str>),
}

/// Observer of the steps of a crowd, such as a [`Recorder`](crate::record::Recorder).
pub trait CrowdObserver {
    /// Notes a step. `crowd` is as the step left it; before [`CrowdStep::Begin`], as the host left
    /// it.
    fn step(&mut self, crowd: &Crowd, now: i64, step: CrowdStep<'_>);
}

/// Host of a crowd, with an observer if there is one. Every [`Host`] is one without observer.
///
/// Methods of [`Crowd`] that may ask a host take this: a host alone, a [`WithObserver`], or the
/// host of a [`Recorder`](crate::record::Recorder).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no host",
    note = "a game implements `pleach::Host`; a layer around another host implements `pleach::host::HostLayer`"
)]
pub trait ObservedHost {
    /// The host that trees ask.
    type Host: Host + ?Sized;

    /// Returns the host and the observer.
    fn split(&mut self) -> (&mut Self::Host, Option<&mut dyn CrowdObserver>);
}

impl<H: Host + ?Sized> ObservedHost for H {
    type Host = H;

    #[inline(always)]
    fn split(&mut self) -> (&mut H, Option<&mut dyn CrowdObserver>) {
        (self, None)
    }
}

/// Host with an observer beside it.
pub struct WithObserver<'a, H: ?Sized> {
    /// The host that trees ask.
    pub host: &'a mut H,
    /// The observer of the crowd.
    pub observer: Option<&'a mut dyn CrowdObserver>,
}

impl<H: Host + ?Sized> ObservedHost for WithObserver<'_, H> {
    type Host = H;

    fn split(&mut self) -> (&mut H, Option<&mut dyn CrowdObserver>) {
        let Self { host, observer } = self;
        // Not `as_deref_mut`: the lifetime of the object is shortened, too.
        (host, observer.as_mut().map(|observer| &mut **observer as &mut dyn CrowdObserver))
    }
}

impl<H: fmt::Debug + ?Sized> fmt::Debug for WithObserver<'_, H> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, observer } = self;
        out.debug_struct("WithObserver").field("host", host).field("observed", &observer.is_some()).finish()
    }
}

impl Crowd {
    /// Tells the observer of a host about a step.
    #[inline(always)]
    pub(super) fn tell<H: ObservedHost + ?Sized>(&self, host: &mut H, now: i64, step: CrowdStep<'_>) {
        if let (_, Some(observer)) = host.split() {
            observer.step(self, now, step);
        }
    }
}
