//! Statuses, arguments, handles, and types of variables.

mod agent;
mod args;
mod cell;
mod handles;
mod kind;
mod named;
mod status;
mod text;

pub use agent::{Agent, StaleAgent};
pub use args::{Args, Parameter, Value};
pub use cell::{AccessError, EntityId, NumberValue, Type, VariableValue};
pub use handles::{Event, EventTarget, Group, Rule, SharedVariable, Variable};
pub(crate) use kind::{Kind, entry_of, held, loaded, stored, type_name};
pub(crate) use named::named;
pub use status::{Fault, Outcome, Status};
pub(crate) use status::{NEVER, PANIC, SPENT};
pub use text::SharedText;
