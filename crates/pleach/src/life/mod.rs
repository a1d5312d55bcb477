//! The life of an agent: played, paused, resumed, stopped, reset, and counted.
//!
//! A crowd ticks all its agents. Who wants to say of each whether it is ticked, how often, and when that is enough, gives
//! it a [`Life`]: a status, a mode that says what is counted, a target and a count. It is plain data and knows no dialect,
//! so every agent can have one; [`Lives`] keeps those of a crowd. [`crate::forest::Forests`] is built on it and adds names, a queue
//! and hooks.
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

pub use lives::Lives;

/// Status of an agent's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LifeStatus {
    /// It is gone.
    Destructed,
    /// It has been told to begin to count, and has not been ticked since.
    Played,
    /// It has been told to go on, and has not been ticked since.
    Resumed,
    /// It is ticked, and its target is not reached.
    Executing,
    /// It has been told to pause.
    Paused,
    /// It has been told to stop, or has reached its target.
    Stopped,
    /// It has just come into being, or has been reset.
    Reset,
}

impl LifeStatus {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Destructed => "Destructed",
            Self::Played => "Played",
            Self::Resumed => "Resumed",
            Self::Executing => "Executing",
            Self::Paused => "Paused",
            Self::Stopped => "Stopped",
            Self::Reset => "Reset",
        }
    }
}

/// Kind of event that counts towards the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PlayMode {
    /// Ticks.
    #[default]
    Executions,
    /// Ticks that ended with success or failure.
    Reports,
    /// Ticks that ended with success.
    Successes,
    /// Ticks that ended with failure.
    Failures,
    /// Ticks that ended with something still running.
    Notices,
    /// Those of them in which nothing was interrupted.
    ExecutingNotices,
    /// Those of them in which something was interrupted.
    InterruptNotices,
}

impl PlayMode {
    /// All modes.
    pub const ALL: [Self; 7] = [
        Self::Executions,
        Self::Reports,
        Self::Successes,
        Self::Failures,
        Self::Notices,
        Self::ExecutingNotices,
        Self::InterruptNotices,
    ];

    /// The name that Bt Engine has for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Executions => "StopByExecuteLoopCount",
            Self::Reports => "StopByReportLoopCount",
            Self::Successes => "StopByReportSuccessLoopCount",
            Self::Failures => "StopByReportFailureLoopCount",
            Self::Notices => "StopByNotifyLoopCount",
            Self::ExecutingNotices => "StopByNotifyExecutingLoopCount",
            Self::InterruptNotices => "StopByNotifyInterruptLoopCount",
        }
    }

    /// The mode of this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// Whether something is counted.
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
    /// A tick begins.
    Execution,
    /// It has ended with success or failure.
    Report {
        /// True for success.
        success: bool,
    },
    /// Something still runs.
    Notice {
        /// True if the tree was interrupted.
        interrupt: bool,
    },
}

/// The life of an agent. The default is one that has just come into being.
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
    /// The life of what is not there.
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

    /// At which count it stops; 0 is never.
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

    /// Begins to count from 0. What is not given stays as it was.
    pub fn play(&mut self, target: Option<u32>, mode: Option<PlayMode>) {
        if self.exists() {
            self.target = target.unwrap_or(self.target);
            self.mode = mode.unwrap_or(self.mode);
            self.count = 0;
            self.status = LifeStatus::Played;
        }
    }

    /// Goes on to count, if it is paused.
    pub fn resume(&mut self) {
        if self.status == LifeStatus::Paused {
            self.status = LifeStatus::Resumed;
        }
    }

    /// Pauses.
    pub fn pause(&mut self) {
        self.become_(LifeStatus::Paused);
    }

    /// Stops. The count stays until it is played again.
    pub fn stop(&mut self) {
        self.become_(LifeStatus::Stopped);
    }

    /// Is reset. The count stays until it is played again.
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

    /// Counts something, if the mode does.
    pub fn count(&mut self, what: CountedEvent) {
        self.count = self.count.saturating_add(u32::from(self.mode.counts(what)));
    }

    /// A tick has ended: it stops if the target is reached, unless it has been told something else meanwhile.
    pub fn end(&mut self) {
        if self.status == LifeStatus::Executing && self.is_complete() {
            self.status = LifeStatus::Stopped;
        }
    }

    fn is_complete(&self) -> bool {
        self.target > 0 && self.count >= self.target
    }
}
