//! The language server of pleach: findings, completion, hover, names, edits and more for trees in
//! any editor that speaks the protocol LSP.
//!
//! [`serve`] answers the messages of one connection until the editor ends it. Changes of texts are
//! made in their order on one thread. Requests are answered on another thread, and findings are
//! found on a third one, both from a snapshot of all files. So a request can be cancelled while it
//! is answered, and an answer is never about two states of a text. A fourth thread listens to a
//! live view. All files of the editor's folders are known, whether they are open or not.
//!
//! A panic while a request is answered is told to the editor, and the server goes on.

mod answers;
mod client;
mod counts;
mod draft;
mod features;
mod live;
mod other;
mod results;
mod server;
mod settings;
mod shared;
mod snapshot;
mod text;
mod worker;
mod workspace;

pub use draft::Draft;
pub use results::{TestResults, TestRunner, TestedNode};
pub use server::{serve, serve_stdio};
pub use text::address;
