//! The trees on pleach: text, program, crowd. The world writes the agents' fields between ticks,
//! and no host is asked.

use super::Tree;
use super::agents::{Written, digest};
use super::text;
use super::world::World;
use crate::linking::link;
use crate::system::{Counts, System};
use crate::trees;
use pleach::engine::Engine;
use pleach::{Agent, Call, Crowd, Function, Host, Image, Tally, Variable};
use pleach_compile::Compiler;
use pleach_compile::manifest::Manifest;

/// The host of trees that need none.
pub(super) struct Nobody;

impl Host for Nobody {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        None
    }

    fn act(&mut self, _: &mut Call<'_>) -> pleach::Status {
        pleach::Status::Failure
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}

/// The agents of a world, as a crowd.
#[derive(Debug)]
pub struct Fields {
    pub(super) world: World,
    pub(super) crowd: Crowd,
    agents: Vec<Agent>,
    /// The fields of the world, in its order.
    pub(super) fields: Vec<Variable>,
    out: Variable,
    /// Variable for the alert, which only guards have.
    alert: Option<Variable>,
    pub(super) now: i64,
}

impl Fields {
    /// Agents at their beginning.
    ///
    /// # Panics
    /// If the tree does not compile, verify or link.
    #[must_use]
    pub fn new(tree: Tree, world: World, agents: usize, engine: Engine) -> Self {
        let bytes = trees::bytes(
            &mut Compiler::default(),
            &text::library(),
            &Manifest::default(),
            &[tree.name().to_owned()],
            false,
        );
        let image = Image::copy(&bytes).unwrap_or_else(|error| panic!("{error}"));
        let program = link(&image, &Nobody);
        let variable = |name| program.variable(name).expect("the tree declares what the world changes");
        let fields = world.fields.iter().map(|field| variable(field.name)).collect();
        let (out, alert) = (variable("out"), program.variable("alert"));
        let mut crowd = Crowd::new(&program).with_engine(engine);
        let spawn = |_| crowd.spawn(tree.name()).unwrap_or_else(|error| panic!("{error}"));
        let agents = (0..agents).map(spawn).collect();
        Self { world, crowd, agents, fields, out, alert, now: 0 }
    }

    fn written(&self, agent: Agent) -> Written {
        let alert = self.alert.is_some_and(|alert| self.crowd.get(agent, alert) == Ok(true));
        Written { out: self.crowd.get(agent, self.out).expect("no agent is ever removed"), alert }
    }
}

#[inline]
pub(super) fn counts(tally: Tally) -> Counts {
    assert_eq!((tally.other, tally.faults), (0, 0), "no action of a host is in these trees");
    Counts { failure: tally.failure, success: tally.success, running: tally.running }
}

impl System for Fields {
    fn agents(&self) -> usize {
        self.agents.len()
    }

    fn advance(&mut self, frame: u32) {
        self.now = i64::from(frame);
        for (index, agent) in self.agents.iter().enumerate() {
            self.world.roll(index, frame, |field, value| {
                self.crowd
                    .set_number(*agent, self.fields[field], value.into())
                    .expect("no agent is ever removed");
            });
        }
    }

    fn tick(&mut self) -> Counts {
        counts(self.crowd.tick(self.now, &mut Nobody))
    }

    fn digest(&self) -> u64 {
        digest(self.agents.iter().map(|agent| self.written(*agent)))
    }
}
