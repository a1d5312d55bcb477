//! How nodes can end, as far as the words alone tell.
//!
//! A child that comes after one that cannot fail is never begun by a selector. That is hardly ever meant, so it is worth
//! a warning. Conditions are taken to be true or false.

use super::super::syntax::{Kind, Mode, Node};

/// A set of statuses that a node can end with.
pub(super) type Ends = u8;
pub(super) const NEVER: Ends = 0;
pub(super) const SUCCESS: Ends = 1;
pub(super) const FAILURE: Ends = 2;
pub(super) const EITHER: Ends = 3;

/// A node whose children are being walked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// Its index in the file.
    pub(super) node: u32,
    /// Where its children end in the program.
    pub(super) end: u32,
    pub(super) kind: Kind,
    pub(super) mode: Mode,
    /// Whether it has a number.
    pub(super) counts: bool,
    /// How its children can end it so far.
    ends: Ends,
    /// Whether the next child can begin.
    goes_on: bool,
}

impl Open {
    /// A node before its first child.
    pub(super) fn new(node: u32, written: &Node) -> Self {
        let counts = written.operands.0 < written.operands.1;
        let Node { kind, mode, end, .. } = *written;
        Self { node, end, kind, mode, counts, ends: NEVER, goes_on: true }
    }

    /// Whether another child would never begin. Asked once only: it is enough to say it of the first.
    pub(super) fn is_over(&mut self) -> bool {
        !core::mem::replace(&mut self.goes_on, true)
    }

    /// Takes note of how a child can end.
    pub(super) fn child(&mut self, ends: Ends) {
        let goes_on = match self.kind {
            Kind::Sequence => SUCCESS,
            Kind::Selector => FAILURE,
            _ => NEVER,
        };
        self.ends |= ends & !goes_on;
        self.goes_on = goes_on == NEVER || ends & goes_on != NEVER;
        if goes_on != NEVER {
            // What the last child leaves.
            self.ends = self.ends & !goes_on | ends & goes_on;
        }
    }

    /// How the node can end.
    pub(super) fn ends(&self, children: bool) -> Ends {
        let status = |success| if success { SUCCESS } else { FAILURE };
        let begins_again = |status: Ends| if self.counts { EITHER } else { EITHER & !status };
        match (self.kind, self.mode) {
            (Kind::Sequence, _) if !children => SUCCESS,
            (Kind::Selector, _) if !children => FAILURE,
            (Kind::Parallel | Kind::Unknown, _) => EITHER,
            (Kind::Invert, _) => self.ends >> 1 & SUCCESS | self.ends << 1 & FAILURE,
            (Kind::Force, Mode::Status(success)) if self.ends != NEVER => status(success),
            (Kind::Repeat, _) => self.ends & begins_again(SUCCESS),
            (Kind::Retry, _) => self.ends & begins_again(FAILURE),
            (Kind::Until, Mode::Status(success)) if self.ends & status(success) != NEVER => SUCCESS,
            (Kind::Until, _) => NEVER,
            (Kind::Condition | Kind::While | Kind::Cooldown | Kind::Timeout | Kind::Limit, _) => {
                self.ends | FAILURE
            }
            _ => self.ends,
        }
    }
}

/// How a node without children can end.
pub(super) fn leaf(kind: Kind) -> Ends {
    match kind {
        Kind::Set | Kind::Wait | Kind::Success | Kind::Raise => SUCCESS,
        Kind::Failure => FAILURE,
        Kind::Running => NEVER,
        _ => EITHER,
    }
}
