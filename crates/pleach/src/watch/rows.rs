//! Rows of a trace: the reports of an engine, as they are stored.

use crate::host::LogKind;
use crate::values::{Outcome, Status};

/// Source of a text in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogSource {
    /// Log of an agent, to which the tree wrote the text.
    Log(LogKind),
    /// Description by the host of an action that it was asked for. See
    /// [`Host::describe`](crate::Host::describe).
    Host,
}

/// A row of the ring.
#[derive(Clone, Copy, Debug)]
pub(super) enum TraceRow {
    Begin(i64),
    End(Outcome),
    /// The host panicked when it was asked to act.
    Panicked {
        node: u16,
    },
    Acted {
        node: u16,
        site: u16,
        fresh: bool,
        status: Status,
    },
    Halted {
        node: u16,
        site: u16,
    },
    Asked {
        site: u16,
        answer: f64,
    },
    /// A variable that is looked at: a slot, or one that agents share.
    Held {
        variable: u16,
        shared: bool,
        value: f64,
    },
    Left {
        word: u32,
        exit: u8,
    },
    /// The status that a node keeps has changed.
    Changed {
        node: u16,
        from: u8,
        to: u8,
    },
    /// A text, by its place among all bytes of texts that ever were.
    Said {
        node: u16,
        by: LogSource,
        len: u16,
        start: u32,
    },
}

const _: () = assert!(size_of::<TraceRow>() == 16);
