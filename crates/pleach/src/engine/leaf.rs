//! Steps that call the host: actions, queries, and notes of halted nodes.

use super::scalar::{Run, Scratch};
use super::watch::Mode;
use crate::code::site::{Arguments, Held, MISSING};
use crate::engine::parts::Parts;
use crate::host::{Call, Halt, Host};
use crate::layout::Column;
use crate::planted::{self, Bug};
use crate::store::Chunk;
use crate::values::{Args, Argument, Kind, Status, TextTable};
use pleach_image::format::branch;
use pleach_image::isa::{FAILURE, OTHER, RUNNING, SUCCESS};

/// Value of a status that a node keeps while it runs.
const RUNNING_STATUS: u64 = 1;

impl<H: Host + ?Sized, W: Mode> Run<'_, H, W> {
    /// Asks the host to act. The exit by its answer, and the step's node left
    /// in its position if it goes on.
    #[inline(always)]
    pub(crate) fn act(&mut self, column: u32, site: u16, node: u16) -> u8 {
        let fresh = self.chunk.half(column, self.lane) != node;
        let status = self.act_of(site, node, fresh);
        let exit = self.exit_of(status);
        let current = self.chunk.half_mut(column, self.lane);
        match exit {
            RUNNING => *current = node,
            FAILURE | SUCCESS if *current == node => *current = 0,
            _ => {}
        }
        exit
    }

    /// Asks the host to act, and puts the action in the place of the
    /// running node. See [`Self::act`].
    pub(crate) fn act_exclusive(&mut self, column: u32, site: u16, node: u16) -> u8 {
        let fresh = self.displace(column, node);
        let status = self.act_of(site, node, fresh);
        let exit = self.exit_of(status);
        if exit != RUNNING {
            *self.chunk.half_mut(column, self.lane) = 0;
        }
        if exit == FAILURE && planted::is(Bug::SwappedExit) { SUCCESS } else { exit }
    }

    /// The action takes the place of what runs, and is asked when it does.
    pub(crate) fn select(&mut self, column: u32, site: u16, node: u16) {
        if self.displace(column, node) {
            self.act_of(site, node, true);
        }
    }

    /// Puts a node into a position, and halts what was there. Whether it was another one.
    #[inline]
    pub(crate) fn displace(&mut self, column: u32, node: u16) -> bool {
        let before = core::mem::replace(self.chunk.half_mut(column, self.lane), node);
        if before != 0 && before != node {
            self.stop(column, before, (0, node), Halt::Interrupted);
        }
        before != node
    }

    /// Tells the host that what a position held does not go on: the action, or those that
    /// run in a parallel's branches; then what is around it, from the node `low` on, unless
    /// that holds the node `next`, too.
    pub(crate) fn stop(&mut self, column: u32, node: u16, (low, next): (u16, u16), reason: Halt) {
        // What marks an ended branch is beyond all nodes.
        match self.parts.held.get(usize::from(node)) {
            Some(Held::Action(site)) => self.tell(*site, node, reason),
            Some(Held::Parallel(parallel)) => self.stop_branches(*parallel, reason),
            _ => {}
        }
        self.unwrap_from(column, node, low, next, reason);
    }

    /// Halts what runs in the branches of a parallel, and clears their positions.
    pub(crate) fn stop_branches(&mut self, parallel: u16, reason: Halt) {
        let parts = self.parts;
        for column in &parts.parallels[usize::from(parallel)].positions {
            let node = core::mem::replace(self.chunk.half_mut(*column, self.lane), 0);
            if let Some(Held::Action(site)) = parts.held.get(usize::from(node)) {
                self.tell(*site, node, reason);
            }
            self.unwrap_from(*column, node, 0, 0, reason);
        }
    }

    /// The exit that a status stands for. The number of one outside the three is noted.
    #[inline(always)]
    pub(crate) fn exit_of(&mut self, status: Status) -> u8 {
        let (exit, other) = status.exit();
        if exit == OTHER {
            self.other = other;
        }
        exit
    }

    /// Halts whatever runs. Positions stay as they are, but for those in parallels.
    pub(crate) fn stop_all(&mut self, reason: Halt) {
        let parts = self.parts;
        let slots = || parts.frame.slots.iter().filter(|slot| slot.column.kind == Kind::Node);
        // What runs in a branch is halted with its parallel, and only once.
        for parallels in [true, false] {
            for slot in slots() {
                let node = self.chunk.half(slot.column.first, self.lane);
                let held = parts.held.get(usize::from(node));
                if matches!(held, Some(Held::Parallel(_))) == parallels {
                    self.stop(slot.column.first, node, (0, 0), reason);
                }
            }
        }
        self.stop_running(reason);
    }

    /// Halts the actions that run by the statuses that nodes keep.
    fn stop_running(&mut self, reason: Halt) {
        let parts = self.parts;
        if parts.frame.statuses.is_none() {
            return;
        }
        for (node, held) in (0..).zip(&parts.held) {
            let (Held::Action(site), Some(first)) = (held, parts.frame.status_of_node(node)) else {
                continue;
            };
            let status = self.chunk.read(Column { kind: Kind::U8, first, stride: 1 }, self.lane);
            if status == RUNNING_STATUS {
                self.tell(*site, node, reason);
            }
        }
    }

    pub(crate) fn tell(&mut self, site: u16, node: u16, reason: Halt) {
        self.ask(site, node, false, |host, call, watch| {
            host.halt(call, reason);
            if W::ON && reason != Halt::Ended {
                watch.halted(node.into(), site.into());
            }
        });
    }

    /// Returns the exit of a parallel, by the results of its branches.
    pub(crate) fn join(&mut self, parallel: u16) -> u8 {
        let row = &self.parts.parallels[usize::from(parallel)];
        let positions = row.branches.iter().map(|column| self.chunk.half(*column, self.lane));
        let [succeeded, failed] = positions.fold([0_u16; 2], |[succeeded, failed], position| {
            let counts = |mark| u16::from(position == mark);
            [succeeded + counts(branch::SUCCEEDED), failed + counts(branch::FAILED)]
        });
        let more = u16::from(planted::is(Bug::ParallelCount));
        let enough = |count: u16, wanted: u16| wanted > 0 && count >= wanted + more;
        let exit = if enough(succeeded, row.succeed) {
            SUCCESS
        } else if enough(failed, row.fail) || usize::from(succeeded + failed) == row.branches.len() {
            FAILURE
        } else {
            return RUNNING;
        };
        self.stop_branches(parallel, Halt::Interrupted);
        exit
    }

    /// Asks the host to act. An action that is not there fails.
    #[inline(always)]
    pub(crate) fn act_of(&mut self, site: u16, node: u16, fresh: bool) -> Status {
        if self.parts.sites[usize::from(site)].function == MISSING {
            return Status::Failure;
        }
        self.ask(site, node, fresh, |host, call, watch| {
            if W::ON {
                watch.acts(node.into(), site.into());
            }
            let status = host.act(call);
            if W::ON {
                watch.acted(node.into(), site.into(), fresh, status);
                if let Some(out) = watch.words() {
                    host.describe(call, out);
                }
            }
            status
        })
    }

    #[inline(always)]
    pub(crate) fn query(&mut self, site: u16) -> f64 {
        if self.parts.sites[usize::from(site)].function == MISSING {
            return 0.0;
        }
        let answer = self.ask(site, 0, false, |host, call, _| host.query(call));
        if W::ON {
            self.watch.asked(site.into(), answer);
        }
        answer
    }

    /// Asks a query whose answers are given as out arguments. What is not given is 0.
    pub(crate) fn ask_for_slots(&mut self, site: u16) {
        for column in self.parts.outs(site) {
            self.chunk.write(column, self.lane, 0);
        }
        self.query(site);
    }

    #[inline(always)]
    pub(crate) fn ask<T>(
        &mut self,
        site: u16,
        node: u16,
        fresh: bool,
        ask: impl FnOnce(&mut H, &mut Call<'_>, &mut W) -> T,
    ) -> T {
        let parts = self.parts;
        let site = &parts.sites[usize::from(site)];
        let (written, values) = match &site.arguments {
            Arguments::Few(argument) => (argument.as_slice(), argument.as_slice()),
            arguments => listed(arguments, parts, &self.world.texts, self.scratch, self.chunk, self.lane),
        };
        let mut call = Call {
            agent: self.chunk.agent(self.lane),
            function: site.function,
            args: Args { values, written, texts: &self.world.texts },
            node: node.into(),
            fresh,
            now: self.now,
            frame: &parts.frame,
            chunk: self.chunk,
            lane: self.lane,
        };
        ask(self.host, &mut call, self.watch)
    }
}

/// Returns arguments that are in the table: as the tree has them, and with the values of variables
/// in their places.
#[inline(never)]
fn listed<'a>(
    arguments: &'a Arguments,
    parts: &'a Parts,
    texts: &TextTable,
    scratch: &'a mut Scratch,
    chunk: &Chunk,
    lane: u8,
) -> (&'a [Argument], &'a [Argument]) {
    let written = arguments.of(&parts.arguments);
    let room = parts.room_of(arguments, &mut scratch.arguments);
    (written, room.map_or(written, |room| room.fill(texts, chunk, lane)))
}
