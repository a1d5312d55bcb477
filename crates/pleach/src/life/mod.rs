//! Agents that are played, paused, resumed, stopped, reset, and counted.
//!
//! A crowd ticks all its agents. A game that decides for each agent whether it is ticked, how
//! often, and when that is enough, gives the agent a [`Life`]: a status, a mode that says what is
//! counted, a target and a count. A life is plain data and knows no dialect, so every agent can
//! have one. [`Lives`] keeps the lives of a crowd. [`Forests`](crate::forest::Forests) is built on
//! it and adds names, a queue and hooks.
//!
//! ```
//! use pleach::life::{CountedEvent, Life, LifeStatus, PlayMode};
//!
//! let mut life = Life::default();
//! life.play(Some(2), Some(PlayMode::Successes));
//! for success in [true, false, true] {
//!     assert!(life.begin());
//!     life.count(CountedEvent::Report { success });
//!     life.end();
//! }
//! assert_eq!((life.status(), life.counted()), (LifeStatus::Stopped, 2));
//! ```

mod lives;

use crate::values::named;
pub use lives::Lives;

named! {
    /// Status of an agent's life.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum LifeStatus {
        /// The agent does not exist.
        Destructed = "Destructed",
        /// The agent has been played and not ticked since.
        Played = "Played",
        /// The agent has been resumed and not ticked since.
        Resumed = "Resumed",
        /// The agent is ticked, and its target is not reached.
        Executing = "Executing",
        /// The agent has been paused.
        Paused = "Paused",
        /// The agent has been stopped, or has reached its target.
        Stopped = "Stopped",
        /// The agent is new or has been reset.
        Reset = "Reset",
    }
    /// Returns the name of the status.
    pub fn name
}

named! {
    /// Kind of event that counts towards the target.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum PlayMode {
        /// All ticks.
        #[default]
        Executions = "StopByExecuteLoopCount",
        /// Ticks that ended with success or failure.
        Reports = "StopByReportLoopCount",
        /// Ticks that ended with success.
        Successes = "StopByReportSuccessLoopCount",
        /// Ticks that ended with failure.
        Failures = "StopByReportFailureLoopCount",
        /// Ticks that ended with something still running.
        Notices = "StopByNotifyLoopCount",
        /// Ticks that ended with something still running and without an interrupt.
        ExecutingNotices = "StopByNotifyExecutingLoopCount",
        /// Ticks that ended with something still running, because of an interrupt.
        InterruptNotices = "StopByNotifyInterruptLoopCount",
    }
    /// Returns the name of the mode in Bt Engine.
    pub fn name
}

impl PlayMode {
    /// Returns the mode with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|mode| mode.name() == name)
    }

    /// Returns true if the mode counts an event.
    fn counts(self, what: CountedEvent) -> bool {
        match (self, what) {
            (Self::Executions, CountedEvent::Execution)
            | (Self::Reports, CountedEvent::Report { .. })
            | (Self::Notices, CountedEvent::Notice { .. }) => true,
            (Self::Successes, CountedEvent::Report { success }) => success,
            (Self::Failures, CountedEvent::Report { success }) => !success,
            (Self::ExecutingNotices, CountedEvent::Notice { interrupt }) => !interrupt,
            (Self::InterruptNotices, CountedEvent::Notice { interrupt }) => interrupt,
            _ => false,
        }
    }
}

/// Event that a [`PlayMode`] may count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedEvent {
    /// Start of a tick.
    Execution,
    /// End of a tick with success or failure.
    Report {
        /// True for success.
        success: bool,
    },
    /// End of a tick with something still running.
    Notice {
        /// True if the tree was interrupted.
        interrupt: bool,
    },
}

/// Life of an agent. The default is the life of a new agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    status: LifeStatus,
    mode: PlayMode,
    target: u32,
    count: u32,
}

impl Default for Life {
    fn default() -> Self {
        Self { status: LifeStatus::Reset, mode: PlayMode::default(), target: 0, count: 0 }
    }
}

impl Life {
    /// Returns the life of a tree that is not loaded: it has no agent, so nothing is ticked or
    /// counted.
    #[must_use]
    pub fn destructed() -> Self {
        Self { status: LifeStatus::Destructed, ..Self::default() }
    }

    /// Returns the status.
    #[must_use]
    pub fn status(&self) -> LifeStatus {
        self.status
    }

    /// Returns the play mode.
    #[must_use]
    pub fn mode(&self) -> PlayMode {
        self.mode
    }

    /// Returns the count at which the agent stops; 0 means never.
    #[must_use]
    pub fn target(&self) -> u32 {
        self.target
    }

    /// Returns the count since the agent was played.
    #[must_use]
    pub fn counted(&self) -> u32 {
        self.count
    }

    /// Returns true unless the life is [`LifeStatus::Destructed`].
    #[must_use]
    pub fn exists(&self) -> bool {
        self.status != LifeStatus::Destructed
    }

    /// Plays the agent: counts begin at 0. A target or mode that is `None` stays as it was.
    pub fn play(&mut self, target: Option<u32>, mode: Option<PlayMode>) {
        if self.exists() {
            self.target = target.unwrap_or(self.target);
            self.mode = mode.unwrap_or(self.mode);
            self.count = 0;
            self.status = LifeStatus::Played;
        }
    }

    /// Resumes the agent, if it is paused.
    pub fn resume(&mut self) {
        if self.status == LifeStatus::Paused {
            self.status = LifeStatus::Resumed;
        }
    }

    /// Pauses the agent.
    pub fn pause(&mut self) {
        self.become_(LifeStatus::Paused);
    }

    /// Stops the agent. The count stays until the agent is played again.
    pub fn stop(&mut self) {
        self.become_(LifeStatus::Stopped);
    }

    /// Resets the agent. The count stays until the agent is played again.
    pub fn reset(&mut self) {
        self.become_(LifeStatus::Reset);
    }

    fn become_(&mut self, status: LifeStatus) {
        if self.exists() {
            self.status = status;
        }
    }

    /// Begins a tick and returns true if the agent is to be ticked. If the agent was resumed and
    /// its target is reached, it stops instead.
    pub fn begin(&mut self) -> bool {
        match self.status {
            LifeStatus::Resumed if self.is_complete() => self.status = LifeStatus::Stopped,
            LifeStatus::Played | LifeStatus::Resumed => self.status = LifeStatus::Executing,
            _ => {}
        }
        self.status == LifeStatus::Executing
    }

    /// Counts an event if the mode counts it.
    pub fn count(&mut self, what: CountedEvent) {
        self.count = self.count.saturating_add(u32::from(self.mode.counts(what)));
    }

    /// Ends a tick. The agent stops if its target is reached, unless its status has changed during
    /// the tick.
    pub fn end(&mut self) {
        if self.status == LifeStatus::Executing && self.is_complete() {
            self.status = LifeStatus::Stopped;
        }
    }

    fn is_complete(&self) -> bool {
        self.target > 0 && self.count >= self.target
    }
}
