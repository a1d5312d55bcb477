//! Least times in which nodes can end.

use super::{Set, Statuses};
use pleach_compile::internals::ir::{
    Amount, EXITS, FAILURE, Kind, Module, NodeIndex, Policy, RUNNING, SUCCESS, SlotKind, Start, To,
};

/// Time of something that never happens.
const NEVER: i64 = i64::MAX;

/// Least times from the beginning of a node to each status, running left out.
type Times = [i64; EXITS];

/// Least times of all nodes. Waits for ticks count as no time.
#[derive(Debug)]
pub struct Least(Vec<Times>);

impl Least {
    /// Computes the least times of all nodes of a program.
    #[must_use]
    pub fn new(module: &Module, statuses: &Statuses) -> Self {
        let mut least = Self(vec![[0; EXITS]; module.nodes.len()]);
        for block in &module.blocks {
            for node in (block.root..module.nodes[block.root as usize].end).rev() {
                let mut times = least.times(module, node);
                for (exit, time) in times.iter_mut().enumerate() {
                    if exit == RUNNING || !statuses.of(node).has(Set::of(exit)) {
                        *time = NEVER;
                    }
                }
                least.0[node as usize] = times;
            }
        }
        least
    }

    fn of(&self, node: NodeIndex) -> Times {
        self.0[node as usize]
    }

    /// Returns the least time in milliseconds in which a node ends, or `None` if it never ends.
    #[must_use]
    pub fn end(&self, node: NodeIndex) -> Option<i64> {
        self.of(node).into_iter().min().filter(|time| *time != NEVER)
    }

    fn times(&self, module: &Module, node: NodeIndex) -> Times {
        let child = module.children(node).next();
        let inside = child.map_or([0; EXITS], |child| self.of(child));
        // A node that may fail at once keeps the other times of its child.
        let mut or_failure = inside;
        or_failure[FAILURE] = 0;
        match module.nodes[node as usize].kind {
            Kind::Tree | Kind::Logged(_) => inside,
            Kind::Composite(policy, Start::Resume) => self.composite(module, node, policy),
            Kind::Map(table) => mapped(module.maps[table as usize], inside),
            Kind::Guard(_) | Kind::While(_) | Kind::Cooldown { .. } | Kind::Once(..) | Kind::Limit(_) => {
                or_failure
            }
            Kind::Timeout { .. } => or_failure,
            Kind::Wait { timer, length: Amount::Fixed(length) }
                if module.slots[usize::from(timer)].kind == SlotKind::Time =>
            {
                inside.map(|time| time.saturating_add(length.max(0).into()))
            }
            Kind::Wait { .. } => inside,
            Kind::Cleanup | Kind::Every { .. } => {
                module.children(node).nth(1).map_or([0; EXITS], |child| self.of(child))
            }
            _ => [0; EXITS],
        }
    }

    /// Returns the times of a list that goes on while its children have one status.
    fn composite(&self, module: &Module, node: NodeIndex, policy: Policy) -> Times {
        let goes_on = match policy {
            Policy::SEQUENCE => SUCCESS,
            Policy::SELECTOR => FAILURE,
            _ => return [0; EXITS],
        };
        let (mut times, mut before) = ([NEVER; EXITS], 0_i64);
        for child in module.children(node) {
            for (exit, time) in self.of(child).into_iter().enumerate().filter(|(exit, _)| *exit != goes_on) {
                times[exit] = times[exit].min(before.saturating_add(time));
            }
            before = before.saturating_add(self.of(child)[goes_on]);
        }
        times[goes_on] = before;
        times
    }
}

/// Returns the times of a decorator.
fn mapped(table: [To; EXITS], inside: Times) -> Times {
    let mut times = [NEVER; EXITS];
    for (exit, time) in inside.into_iter().enumerate() {
        let to = table[exit].exit(exit);
        // A child that runs may be said to end, as often as it runs.
        times[to] = times[to].min(if exit == RUNNING && to != RUNNING { 0 } else { time });
    }
    times
}
