//! The view over its socket: what pages see and command, and what strangers cannot.

mod hostile;
mod live;
mod recorded;
mod support;
