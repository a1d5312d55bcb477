//! Tables by which the agents of an entry are ticked together: from the node that a
//! position holds to where it goes on.

use super::plan::Plan;
use super::step::Step;
use super::steps::Code;
use super::table::{NONE, Table};
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use pleach_image::format::branch;

/// Treatment of agents that hold a node, in the first pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The node. An agent whose node is not in the table begins its tree.
    pub(crate) node: u16,
    /// The step at which the agent goes on if it does not wait any longer, and the list of the
    /// step.
    pub(crate) start: u32,
    pub(crate) list: u8,
    /// All ones if the agent counts ticks, else zero.
    pub(crate) ticks: u16,
    /// Bits of the position that stay if the agent does not wait any longer: none or all.
    pub(crate) keeps: u16,
}

/// Table of the first pass for the agents of an entry.
#[derive(Clone, Debug)]
pub(crate) struct SweepPlan {
    /// Column of the position, if agents wait.
    pub(crate) column: Option<u32>,
    /// Column of the counters, among the halves.
    pub(crate) timer: Option<u32>,
    /// Column of the times, among the words.
    pub(crate) clock: Option<u32>,
    /// A power of two of rows; the place of a node is the remainder. Agents
    /// without one have a row, too.
    pub(crate) rows: Box<[Row]>,
    /// The step at which agents begin their tree, and the list of the step.
    pub(crate) start: u32,
    pub(crate) begin: u8,
    pub(crate) plan: Plan,
}

impl SweepPlan {
    /// Returns the plan for agents whose tree begins with this step; `None` if nothing can be
    /// gained.
    pub(crate) fn of(code: &Code, start: u32) -> Option<Self> {
        let Step::Switch { column, table } = code.steps[start as usize] else {
            return Self::without(code, start);
        };
        let Table::Dense { low, targets } = &code.tables[table as usize] else { return None };
        let (mut timer, mut clock) = (None, None);
        // Waiting leaves share their timers, so one column of each kind suffices. A leaf with
        // another column is not handled here.
        let mut waits = |target: u32| match code.steps[target as usize] {
            Step::Tick { timer: own, column: cleared, target }
                if cleared == column && *timer.get_or_insert(own) == own =>
            {
                (target, u16::MAX, 0)
            }
            Step::Until { timer: own, column: cleared, target }
                if cleared == column && *clock.get_or_insert(own) == own =>
            {
                (target, 0, 0)
            }
            _ => (target, 0, u16::MAX),
        };
        let of_node = |(index, target): (usize, &u32)| (low + index as u16, waits(*target));
        let nodes = targets.iter().enumerate().filter(|(_, target)| **target != NONE).map(of_node);
        let nodes: Vec<_> = nodes.chain([(0, (start + 1, 0, u16::MAX))]).collect();
        let mut starts: Vec<u32> = nodes.iter().map(|(_, (start, ..))| *start).collect();
        starts.sort_unstable();
        starts.dedup();
        let plan = Plan::of(code, &starts)?;
        let begin = plan.list(start + 1)?;
        let mut sweep =
            Self { column: Some(column), timer, clock, rows: [].into(), start: start + 1, begin, plan };
        sweep.rows = sweep.table(&nodes, targets.len())?;
        let gains = timer.is_some() || clock.is_some() || sweep.plan.runs();
        gains.then_some(sweep)
    }

    /// Returns the plan for agents whose tree begins with some other step: they do not wait.
    fn without(code: &Code, start: u32) -> Option<Self> {
        let plan = Plan::of(code, &[start])?;
        let begin = plan.list(start)?;
        let sweep = Self { column: None, timer: None, clock: None, rows: [].into(), start, begin, plan };
        sweep.plan.runs().then_some(sweep)
    }

    /// Returns the rows of nodes. A node comes with the step at which its agents continue, and with
    /// the fields `ticks` and `keeps` of its row.
    fn table(&self, nodes: &[(u16, (u32, u16, u16))], span: usize) -> Option<Box<[Row]>> {
        // The nodes of a span have places of their own; but 0 must have one, too.
        let least = (span + 1).next_power_of_two();
        let apart = |size: &usize| nodes.iter().all(|(node, _)| *node == 0 || usize::from(*node) % size != 0);
        let size = [least, least * 2, least * 4, least * 8].into_iter().find(apart)?;
        // Unused rows have a node that no position can hold.
        let nobody = self.beginner(branch::FAILED);
        let mut rows = vec![nobody; size];
        for (node, (start, ticks, keeps)) in nodes {
            let list = self.plan.list(*start)?;
            rows[usize::from(*node) % size] =
                Row { node: *node, start: *start, list, ticks: *ticks, keeps: *keeps };
        }
        Some(rows.into())
    }

    /// Returns the row of agents that hold a node.
    #[inline(always)]
    pub(crate) fn row(&self, node: u16) -> Row {
        let row = self.rows[usize::from(node) & (self.rows.len() - 1)];
        if row.node == node { row } else { self.beginner(node) }
    }

    /// Returns the row of agents that begin their tree.
    fn beginner(&self, node: u16) -> Row {
        Row { node, start: self.start, list: self.begin, ticks: 0, keeps: u16::MAX }
    }
}

/// The columns of positions and of the counters of ticks, or [`NONE`]. Chunks have them at hand:
/// what an agent does is not known before they are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waits {
    pub(crate) position: u32,
    pub(crate) timer: u32,
}

impl Waits {
    pub(crate) fn of(sweep: Option<&SweepPlan>) -> Self {
        let column = |of: fn(&SweepPlan) -> Option<u32>| sweep.and_then(of).unwrap_or(NONE);
        Self { position: column(|sweep| sweep.column), timer: column(|sweep| sweep.timer) }
    }
}
