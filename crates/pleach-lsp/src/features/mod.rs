//! The features of the server, each a function from a snapshot and the parameters of a request to
//! the answer.

pub(crate) mod actions;
pub(crate) mod calls;
pub(crate) mod completion;
pub(crate) mod findings;
pub(crate) mod formatting;
pub(crate) mod hints;
pub(crate) mod hover;
pub(crate) mod lenses;
pub(crate) mod links;
mod live;
pub(crate) mod names;
pub(crate) mod outline;
pub(crate) mod preview;
pub(crate) mod programs;
mod scenarios;
pub(crate) mod signature;
pub(crate) mod symbols;
pub(crate) mod tested;
pub(crate) mod tokens;
