//! Statuses, arguments, handles, and types of variables.

mod agent;
mod args;
mod cell;
mod handles;
mod kind;
mod named;
mod status;
mod text;
mod texts;
mod tunable;

pub use agent::{Agent, StaleAgent};
pub(crate) use args::Argument;
pub use args::{Args, Parameter, Value};
pub use cell::{AccessError, EntityId, NumberValue, TextId, Type, VariableValue};
pub use handles::{Event, EventTarget, Group, Rule, SharedVariable, Variable};
pub(crate) use kind::{Kind, entry_of, held, loaded, stored, type_name};
pub(crate) use named::named;
pub use status::{Fault, Outcome, Status};
pub(crate) use status::{NEVER, PANIC, SPENT};
pub use text::SharedText;
pub(crate) use texts::TextTable;
pub use texts::{InternError, MAX_INTERNED, MAX_TEXT};
pub use tunable::{Tunable, TunableScope, TuneError};
