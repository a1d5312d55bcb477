//! Tests of the view over its socket: displays and commands of pages, and refusals of foreign
//! clients.

mod editing;
mod hostile;
mod live;
mod recorded;
mod support;
