//! Decoded programs: what linking makes of the words of an image, before anything runs.
//!
//! [`plain`] makes one step of each word, of a [`class`] by which engines run it, [`fuse`] fewer
//! and faster ones; [`calc`] and [`branch`] do the same for conditions, [`ladder`] for long chains
//! of tests. [`sweep`] and [`plan`] are tables by which many agents are ticked together, [`site`]
//! and [`wrap`] say what concerns the host. [`running`] makes numbers of running sets,
//! [`shortcuts`] names what can be left out.

pub(crate) mod batch;
mod branch;
pub(crate) mod calc;
pub(crate) mod class;
pub(crate) mod fuse;
mod known;
pub(crate) mod ladder;
pub(crate) mod plain;
pub(crate) mod plan;
pub(crate) mod put;
pub(crate) mod relation;
pub(crate) mod running;
pub(crate) mod shortcuts;
pub(crate) mod site;
pub(crate) mod step;
pub(crate) mod steps;
pub(crate) mod sweep;
pub(crate) mod table;
pub(crate) mod wrap;

pub(crate) use calc::{Binary, BinaryWord, Expressions, Range, Ternary, Unary, UnaryWord};
pub(crate) use class::{Ask, Branch, Control, StepEffect, Write};
pub(crate) use ladder::Ladder;
pub(crate) use plan::{Node, Plan};
pub(crate) use put::{Put, Width};
pub(crate) use relation::{Relation, by_constant, by_order, by_relation};
pub(crate) use site::{Arguments, Held, MISSING, Parallel, Site};
pub(crate) use step::{Span, Step, asking, classed, fused};
pub(crate) use steps::Code;
pub(crate) use sweep::{SweepPlan, Waits};
pub(crate) use table::{Case, NONE, Table};
pub(crate) use wrap::Wrappers;
