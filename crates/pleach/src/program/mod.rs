//! Linking of images to hosts, names of a program looked up together, bounds of its ticks.
//!
//! Linking finds the number of each name, once. It decodes instructions to steps, a form that is
//! never saved and may change with every release. A program owns all it needs, so the image may be
//! dropped.

mod lookup;
mod print;
mod resolve;
mod tables;
mod tunables;

pub use lookup::{Lookup, LookupError, MissingName};
pub use resolve::{LinkError, MissingFunction};

use crate::code::shortcuts::Shortcuts;
use crate::code::{Expressions, Wrappers, batch, fuse, plain, site};
use crate::engine::parts::{Parts, TickOrder};
use crate::host::Host;
use crate::layout::forests::ForestTable;
use crate::layout::{Frame, ValueNames};
use crate::store::columns::column;
use crate::store::world::Declared;
use crate::values::{Event, Rule, SharedVariable, TunableScope, Type, Variable};
use alloc::sync::Arc;
use once_cell::race::OnceBox;
use pleach_image::Image;
use pleach_image::bounds;
pub use pleach_image::bounds::Bounds;

/// Image linked to a host. A clone shares all data.
#[derive(Clone)]
pub struct Program {
    pub(crate) parts: Arc<Parts>,
    /// Values of tunables, by index, that are not the declared ones: bits of columns.
    tuned: Arc<[(usize, u64)]>,
}

impl Program {
    /// Links an image to a host. The number of each function that the image names is looked up
    /// once.
    ///
    /// # Errors
    /// If the host lacks any of them; the error lists all.
    pub fn link<D: AsRef<[u8]>>(image: &Image<D>, host: &dyn Host) -> Result<Self, LinkError> {
        Self::link_with(image, host, Shortcuts::ALL)
    }

    /// Links with only some shortcuts, for tests and benchmarks. Programs have the same results
    /// with any set of shortcuts.
    ///
    /// # Errors
    /// Those of [`Program::link`].
    #[doc(hidden)]
    pub fn link_with<D: AsRef<[u8]>>(
        image: &Image<D>,
        host: &dyn Host,
        shortcuts: Shortcuts,
    ) -> Result<Self, LinkError> {
        let functions = resolve::resolve(image, host)?;
        let meta = image.meta();
        let mut frame = Frame::of(image);
        let answers = resolve::answers(image, host, &functions, &mut frame);
        let (arguments, variables) = tables::arguments(image, &frame);
        let sites = tables::sites(image, &functions, (&arguments, &variables));
        let expressions = Expressions::of(image, &frame, &answers);
        let plain = plain::decode(image, &frame);
        let (numbered, paths) = tables::numbered(image, &plain, &frame, shortcuts).unzip();
        frame.paths = paths.map(Arc::new);
        let source = numbered.as_ref().unwrap_or(&plain);
        let fused = fuse::fuse(source, &expressions, shortcuts);
        let (held, parallels) = (site::held(image), tables::parallels(image, &frame));
        let wrappers = Wrappers::of(image, &frame);
        let order = resolve::order(image, host, &functions);
        // Agents that run by index are not swept.
        let batch = (order == TickOrder::Any)
            .then(|| batch::lower::lower(source, &expressions, &held, &wrappers, shortcuts));
        let parts = Parts {
            entries: tables::named(image, image.entries().iter().map(|row| (row.name, row.block))),
            sweeps: tables::sweeps(image, &fused, shortcuts),
            batch: batch.flatten(),
            sites,
            held,
            position: tables::position(&frame, &parallels),
            parallels,
            limiters: tables::limiters(image, &frame),
            gate_counts: tables::counts(image),
            gates: tables::gates(image, &frame),
            wrappers,
            texts: Arc::new(tables::texts(image)),
            has_texts: tables::has_texts(image),
            shared: Declared::all(image),
            tunables: tunables::tunables(image),
            forests: ForestTable::of(image),
            events: tables::named(image, image.events().iter().map(|row| (row.name, row.block))),
            arguments,
            variables,
            frame,
            expressions,
            plain,
            fused,
            stack_depth: meta.stack_depth as usize,
            call_depth: meta.call_depth as usize,
            flags: meta.flags as usize,
            bounds: bounds::of(image),
            keys: image.keys().into(),
            value_names: ValueNames::of(image),
            description: OnceBox::new(),
            rules: tables::rules(image),
            order,
        };
        Ok(Self { parts: Arc::new(parts), tuned: Arc::default() })
    }

    /// Returns the names of the trees that agents can run.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.parts.entries.iter().map(|entry| &*entry.name)
    }

    /// The index of an entry.
    pub(crate) fn entry(&self, name: &str) -> Option<u32> {
        self.parts.entries.iter().position(|entry| &*entry.name == name).map(|index| index as u32)
    }

    /// Returns the handle of an agent's variable by its name. A [tunable](Program::tunables) has
    /// none.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<Variable> {
        let named = |slot: &crate::layout::Slot| !name.is_empty() && &*slot.name == name;
        let index = self.parts.frame.slots.iter().position(named)?;
        (!self.is_tunable(TunableScope::Agent, index)).then_some(Variable(index as u16))
    }

    /// Returns the type of a variable; `None` if the variable is not one of this program.
    #[must_use]
    pub fn type_of(&self, variable: Variable) -> Option<Type> {
        column(&self.parts.frame, variable).ok().map(|column| Type(column.kind))
    }

    /// Returns the handle of a variable of groups or of the world by its name. A
    /// [tunable](Program::tunables) has none.
    #[must_use]
    pub fn shared(&self, name: &str) -> Option<SharedVariable> {
        let index = self.parts.shared.iter().position(|shared| &*shared.name == name)?;
        (!self.is_tunable(TunableScope::Crowd, index)).then_some(SharedVariable(index as u16))
    }

    /// Returns the handle of an event by its name.
    #[must_use]
    pub fn event(&self, name: &str) -> Option<Event> {
        let index = self.parts.events.iter().position(|event| &*event.name == name)?;
        Some(Event(index as u16))
    }

    /// Returns an upper bound of the cost of an agent's tick, over all trees. A host may refuse
    /// programs by it.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let of_entries = self.parts.entries.iter().map(|entry| self.parts.bounds[entry.block as usize]);
        of_entries.fold(Bounds::default(), most)
    }

    /// Returns the upper bound of an agent's tick in which at most this number of rules may run.
    pub(crate) fn bounds_with(&self, limit: u16) -> Bounds {
        let of_entries = (0..self.parts.entries.len()).map(|entry| self.bounds_of(entry as u32, limit));
        of_entries.fold(Bounds::default(), most)
    }

    /// Returns the upper bound of an agent's tick for one tree, in which at most this number of
    /// rules may run.
    pub(crate) fn bounds_of(&self, entry: u32, limit: u16) -> Bounds {
        let block = self.parts.block(entry);
        let [idle, each] = &self.parts.rules;
        if idle.is_empty() {
            return self.parts.bounds[block];
        }
        let with = |idle: u64, each: u64| idle.saturating_add(each.saturating_mul(limit.into()));
        Bounds {
            instructions: with(idle[block].instructions, each[block].instructions),
            host_calls: with(idle[block].host_calls, each[block].host_calls),
        }
    }

    /// Returns the handle of a tree's rule by the rule's id.
    #[must_use]
    pub fn rule(&self, entry: &str, id: &str) -> Option<Rule> {
        self.parts.frame.rules.as_ref()?.find(self.entry(entry)?, id)
    }

    /// Returns the id of a rule; `None` if it has none.
    #[must_use]
    pub fn rule_id(&self, rule: Rule) -> Option<&str> {
        self.parts.frame.rules.as_ref()?.id(rule)
    }

    /// Returns the order of agents within a tick.
    #[must_use]
    pub fn order(&self) -> TickOrder {
        self.parts.order
    }

    /// Returns true if the batch engine supports all instructions of the program, so that it can
    /// sweep over many agents at once. If false, agents are ticked one after the other, whichever
    /// engine is chosen; results are the same.
    #[must_use]
    pub fn is_swept(&self) -> bool {
        self.parts.batch.is_some()
    }

    /// Returns the number of bytes that an agent takes in columns; a bit counts as one eighth.
    #[must_use]
    pub fn bytes_per_agent(&self) -> f64 {
        self.parts.frame.bytes_per_agent()
    }
}

fn most(one: Bounds, other: Bounds) -> Bounds {
    Bounds {
        instructions: one.instructions.max(other.instructions),
        host_calls: one.host_calls.max(other.host_calls),
    }
}

#[cfg(all(test, feature = "std"))]
mod tests;
