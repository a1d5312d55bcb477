//! Statuses, and what nodes make of the statuses of their children.

/// A result as the lowering speaks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Failure.
    Failure,
    /// Success.
    Success,
    /// Running.
    Running,
    /// A status outside the three, with its number.
    Other(i32),
}

impl Outcome {
    /// Returns the index of the status in tables.
    #[must_use]
    pub fn exit(self) -> usize {
        match self {
            Self::Failure => FAILURE,
            Self::Success => SUCCESS,
            Self::Running => RUNNING,
            Self::Other(_) => OTHER,
        }
    }
}

/// The four ways out of a node, as indices of the tables below: failure, success, running, any
/// other status.
pub const EXITS: usize = 4;

/// Index of failure.
pub const FAILURE: usize = 0;

/// Index of success.
pub const SUCCESS: usize = 1;

/// Index of running.
pub const RUNNING: usize = 2;

/// Index of all statuses outside the three.
pub const OTHER: usize = 3;

/// Step of a composite after a child has ended with some status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Evaluate the next child; after the last one, end with the composite's final status.
    Next,
    /// Evaluate the next child, and remember that a child is running: the final status is then
    /// running.
    NextRunning,
    /// End with the child's status.
    End,
}

/// Table by which a composite treats its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// By the child's status.
    pub on: [Step; EXITS],
    /// The status when the last child has been left by `Next`, or there is no child: `FAILURE` or
    /// `SUCCESS`.
    pub last: u8,
}

impl Policy {
    /// Goes on while children succeed.
    pub const SEQUENCE: Self =
        Self { on: [Step::End, Step::Next, Step::End, Step::End], last: SUCCESS as u8 };
    /// Goes on while children fail.
    pub const SELECTOR: Self =
        Self { on: [Step::Next, Step::End, Step::End, Step::End], last: FAILURE as u8 };
    /// Goes on whatever comes of children.
    pub const ALL: Self = Self { on: [Step::Next; EXITS], last: SUCCESS as u8 };

    /// Returns true if some status of a child is remembered as running.
    pub fn notes_running(&self) -> bool {
        self.on.contains(&Step::NextRunning)
    }
}

/// At which child a composite begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Always the first.
    First,
    /// The highest child after the first that is in the running set; else the first.
    HighestMember,
    /// The child that something runs in; else the first.
    Resume,
    /// Always the first. What runs in a later child is halted when another leaf takes over, or when
    /// the composite ends.
    Reactive,
}

/// Status that a decorator makes of one status of its child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// Status of the child, unchanged.
    Same,
    /// Another one.
    Status(Outcome),
}

impl To {
    /// The status becomes success.
    pub const SUCCESS: Self = Self::Status(Outcome::Success);
    /// The status becomes failure.
    pub const FAILURE: Self = Self::Status(Outcome::Failure);

    /// Returns the index of the status that becomes of a child's status with the index `of`.
    #[must_use]
    pub fn exit(self, of: usize) -> usize {
        match self {
            Self::Same => of,
            Self::Status(outcome) => outcome.exit(),
        }
    }
}

/// Effect of a node's end on the agent's running set.
///
/// The running set is the memory of dialects whose nodes hold none: a bounded, ordered set of
/// nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Nothing.
    None,
    /// On success, the set is emptied if the node is in it. On running, the node is added if the
    /// set has room.
    Member,
    /// Does the work of `Member`, and on running empties the set first.
    Exclusive,
}

/// Rule by which a cooldown lets through and is armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cooling {
    /// Lets through from the time in the slot on; else only after it.
    pub reached: bool,
    /// By the child's status: whether it arms.
    pub arms: [bool; EXITS],
}
