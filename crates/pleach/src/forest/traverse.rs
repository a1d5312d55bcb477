//! One execution of a tree.
//!
//! The nodes are executed by the tick of the tree's agent. Before and after it, hooks of the root
//! are called. Between the host and the tick there is a layer that performs new operations after
//! each call. An operation that interrupts the tree sets a bit of the frame, and that bit makes the
//! code stop at the next node.

use super::board::{Board, RunningTree};
use super::{Interrupt, TreeErrorKind};
use crate::crowd::Crowd;
use crate::host::{Call, ForestHost, Function, HookKind, Host};
use crate::life::CountedEvent;
use crate::values::{Fault, Outcome, Status, Variable};

/// Executes a tree whose turn it is.
pub(super) fn traverse<H: ForestHost + ?Sized>(
    board: &mut Board,
    crowd: &mut Crowd,
    interrupt: Interrupt,
    tree: usize,
    now: i64,
    host: &mut H,
) {
    if !board.trees[tree].life.begin() {
        return;
    }
    let Some(agent) = board.trees[tree].agent else { return };
    board.running = Some(RunningTree { tree, interrupted: false });
    board.trees[tree].life.count(CountedEvent::Execution);
    root(board, host, tree, HookKind::Execute);
    let set = |crowd: &mut Crowd, value: bool| {
        if let Some(variable) = interrupt.bit {
            // The agent exists, and the variable is a bit.
            let _ = crowd.set(agent, variable, value);
        }
    };
    set(crowd, board.running.is_some_and(|running| running.interrupted));
    crowd.empty(agent, interrupt.first);
    let mut between = Between { board, host, interrupt: interrupt.bit, last: 0 };
    let outcome = crowd.tick_agent(agent, now, &mut between, &mut ());
    let last = between.last;
    set(crowd, false);
    match outcome {
        Ok(Outcome::Status(Status::Running)) => {
            let interrupted = crowd.first(agent, interrupt.first);
            let node = interrupted.or_else(|| crowd.suspended(agent, &mut board.columns));
            let index = board.table().index(tree, node.unwrap_or_default().into());
            let interrupt = interrupted.is_some();
            board.trees[tree].life.count(CountedEvent::Notice { interrupt });
            let kind =
                if interrupt { HookKind::NotifyInterrupt(index) } else { HookKind::NotifyExecuting(index) };
            root(board, host, tree, kind);
        }
        Ok(Outcome::Status(status)) => {
            let success = status == Status::Success;
            board.trees[tree].life.count(CountedEvent::Report { success });
            let status = if success { Status::Success } else { Status::Failure };
            root(board, host, tree, HookKind::Report(status));
        }
        Ok(Outcome::Fault(fault)) => {
            board.trees[tree].life.stop();
            let kind = match fault {
                Fault::Fuel => TreeErrorKind::Endless { node: board.table().index(tree, last) },
                Fault::Panic => TreeErrorKind::Panicked,
            };
            board.fail(tree, true, kind);
        }
        // The agent exists.
        Err(_) => {}
    }
    board.trees[tree].life.end();
    board.catch_up(host);
}

/// Calls a hook of the root, and performs the operations that it gives.
fn root<H: ForestHost + ?Sized>(board: &mut Board, host: &mut H, tree: usize, kind: HookKind) {
    let forest = board.table().forest_of(tree);
    board.tell(host, forest, Some((tree, 0)), kind);
    board.follow(host);
}

/// The host, as the tick of a tree sees it.
struct Between<'a, H: ?Sized> {
    board: &'a mut Board,
    host: &'a mut H,
    interrupt: Option<Variable>,
    /// The node that was asked last.
    last: u32,
}

impl<H: ForestHost + ?Sized> Host for Between<'_, H> {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.host.resolve(function, name)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.last = call.node;
        let status = self.host.act(call);
        self.board.follow(self.host);
        if let Some(variable) = self.interrupt.filter(|_| self.board.running.is_some_and(|it| it.interrupted))
        {
            // The variable is a bit.
            let _ = call.set(variable, true);
        }
        status
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.host.query(call)
    }
}
