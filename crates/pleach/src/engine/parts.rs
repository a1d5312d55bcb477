//! All that engines read of a program: columns in place of slots, the host's numbers in place of
//! names.

use crate::code::{Arguments, Code, Expressions, Held, Parallel, Site, SweepPlan, Wrappers, batch};
use crate::host::arguments::{ArgumentRoom, VariableArgument};
use crate::layout::forests::ForestTable;
use crate::layout::{Column, Frame, ValueNames};
use crate::saved::layout::{Description, Standing};
use crate::store::world::{Declared, Gate};
use crate::values::{Argument, TextTable, Tunable};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use once_cell::race::OnceBox;
use pleach_image::bounds::Bounds;

/// Order of the agents of a program within a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TickOrder {
    /// Any order; the engine chooses.
    Any,
    /// By [`Agent::index`](crate::Agent::index): answers of a function depend on what other agents
    /// did, or agents compete for group limits within a tick.
    ByIndex,
}

/// Block that has a name: a tree, or what an event does.
#[derive(Debug)]
pub(crate) struct NamedBlock {
    pub(crate) name: Box<str>,
    pub(crate) block: u32,
}

/// A node that only so many agents can be in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limiter {
    pub(crate) places: u32,
    /// Column of the position: an agent is inside while it holds a node from `low` to `high`.
    pub(crate) column: u32,
    pub(crate) low: u16,
    pub(crate) high: u16,
    /// Column of the bits of those who want in.
    pub(crate) wants: u32,
    /// Column of the bits of those who may.
    pub(crate) granted: u32,
}

/// All that the engines read.
#[derive(Debug)]
pub(crate) struct Parts {
    /// A step for each word, for those who watch.
    pub(crate) plain: Code,
    /// Fused steps, for agents that nobody watches.
    pub(crate) fused: Code,
    /// Steps of the batch engine; `None` if it cannot run the program.
    pub(crate) batch: Option<batch::BatchCode>,
    pub(crate) expressions: Expressions,
    pub(crate) entries: Vec<NamedBlock>,
    /// For each block that is an entry, how its agents are ticked together.
    pub(crate) sweeps: Vec<Option<Arc<SweepPlan>>>,
    pub(crate) sites: Vec<Site>,
    /// For each node, by id, what a position that holds it stands for.
    pub(crate) held: Vec<Held>,
    pub(crate) parallels: Vec<Parallel>,
    /// Column of the position that is no branch's.
    pub(crate) position: Option<u32>,
    pub(crate) limiters: Vec<Limiter>,
    pub(crate) gates: Vec<Gate>,
    /// Number of counts of gates.
    pub(crate) gate_counts: usize,
    /// Nodes around a child whose end is told.
    pub(crate) wrappers: Wrappers,
    pub(crate) texts: Arc<TextTable>,
    /// True if texts that the host interns can make a difference to agents: variables hold texts,
    /// or expressions read them.
    pub(crate) has_texts: bool,
    pub(crate) shared: Vec<Declared>,
    /// Variables that games tune within ranges.
    pub(crate) tunables: Vec<Tunable>,
    pub(crate) forests: ForestTable,
    pub(crate) events: Vec<NamedBlock>,
    /// Arguments of all calls.
    pub(crate) arguments: Box<[Argument]>,
    /// Variables among them, in order.
    pub(crate) variables: Box<[VariableArgument]>,
    pub(crate) frame: Frame,
    pub(crate) stack_depth: usize,
    pub(crate) call_depth: usize,
    pub(crate) flags: usize,
    pub(crate) bounds: Vec<Bounds>,
    /// By node, less one, its stable key.
    pub(crate) keys: Box<[u64]>,
    /// Enums of variables.
    pub(crate) value_names: ValueNames,
    /// Description of the program in saved states, made for the first of them.
    pub(crate) description: OnceBox<Description>,
    /// Bounds of a tick in which no rule may run, and what each rule that may run adds to them.
    pub(crate) rules: [Vec<Bounds>; 2],
    pub(crate) order: TickOrder,
}

impl Parts {
    /// Returns the columns of the out arguments of a call.
    pub(crate) fn outs(&self, site: u16) -> impl Iterator<Item = Column> + '_ {
        self.sites[usize::from(site)].arguments.of(&self.arguments).iter().filter_map(|argument| {
            let Argument::Out { kind, first, .. } = *argument else { return None };
            Some(Column { kind, first, stride: 1 })
        })
    }

    /// Returns a copy of the table of arguments if calls have variables among them.
    pub(crate) fn room(&self) -> Box<[Argument]> {
        if self.variables.is_empty() { Box::default() } else { self.arguments.clone() }
    }

    /// Returns the room for arguments of a call, in a copy of their table, if there are variables
    /// among them.
    #[inline]
    pub(crate) fn room_of<'a>(
        &'a self,
        arguments: &Arguments,
        table: &'a mut [Argument],
    ) -> Option<ArgumentRoom<'a>> {
        let Arguments::Variable { first, count, variables: (from, of) } = *arguments else { return None };
        let variables = &self.variables[from as usize..][..usize::from(of)];
        Some(ArgumentRoom { table, range: (first, count), variables })
    }

    /// The block of an entry.
    #[inline]
    pub(crate) fn block(&self, entry: u32) -> usize {
        self.entries[entry as usize].block as usize
    }

    /// Returns the description of the program in saved states.
    pub(crate) fn description(&self) -> &Description {
        self.description.get_or_init(|| {
            let standing = Standing::of(self.keys.len(), &self.plain.steps, &self.parallels);
            let entries = self.entries.iter().map(|entry| &*entry.name);
            let events = self.events.iter().map(|event| &*event.name);
            let variables = (&self.frame.slots[..], &self.shared[..], &self.value_names);
            Box::new(Description::of(entries, variables, events, (&self.keys, self.has_texts), standing))
        })
    }
}
