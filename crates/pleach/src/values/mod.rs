//! Plain values: statuses, arguments, handles, and the types that variables have.

mod agent;
mod args;
mod cell;
mod handles;
mod kind;
mod status;
mod text;

pub use agent::{Agent, Stale};
pub use args::{Args, Parameter, Value};
pub use cell::{AccessError, Cell, Number, Type};
pub use handles::{Event, Group, Rule, SharedVariable, To, Variable};
pub(crate) use kind::{Kind, loaded, stored, type_name};
pub use status::{Fault, Outcome, Status};
pub use text::SharedText;
