//! A live view of a crowd: a small server with one page, for any host.
//!
//! A page in a browser shows a crowd: a list of all agents, one agent with its tree, its variables
//! and its last ticks, and counts of all agents at each node. The page also sends commands: pause,
//! step, breakpoints, forced results. `spec/view.md` describes the protocol and the access rules.
//!
//! The host owns the crowd. Threads of the server only pass messages on. All work with agents is
//! done by the thread that ticks them, in [`View::obey`] and [`View::tick`]. While no page is
//! connected, this work is a check of a few numbers. While a page is connected, the state that it
//! looks at is copied between ticks. A copy that it has not read is replaced, not queued. So the
//! crowd keeps ticking even if a page is slow, hostile or gone. Watching changes no result. In
//! return, a page sees only some ticks of the list, and its commands are carried out at the next
//! tick.
//!
//! ```no_run
//! # type Done = Result<(), Box<dyn std::error::Error>>;
//! # fn play(image: pleach::Image, mut game: pleach::Bindings<()>) -> Done {
//! use pleach::{Crowd, Program};
//! use pleach_view::{Options, Scene, View};
//! let program = Program::link(&image, &game)?;
//! let mut crowd = Crowd::new(&program);
//! crowd.spawn("guard")?;
//! let scene = Scene::new("guards", &image, &program, |file| std::fs::read(file).ok());
//! let mut view = View::serve("127.0.0.1:0", scene, Options::default())?;
//! println!("{}", view.address());
//! for now in 0.. {
//!     view.tick(&mut crowd, now, &mut game);
//! }
//! # Ok(())
//! # }
//! ```

mod clock;
mod command;
mod connection;
mod copy;
mod desk;
mod door;
mod drive;
mod editing;
mod edits;
mod export;
mod hub;
mod kept;
mod looking;
mod messages;
mod options;
mod outbox;
mod page;
mod perform;
mod recorded;
mod scene;
mod server;
mod tell;
mod token;
mod watching;
mod what_if;

pub use desk::View;
pub use editing::{EditMessage, EditRequest};
pub use export::{Excerpt, export};
pub use options::Options;
pub use scene::Scene;

use serde::Serialize;

/// Line and column in a file, both from 1. Columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Point {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// Error or warning about an edited source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Severity: `error` or `warning`.
    pub severity: String,
    /// Code of the diagnostic.
    pub code: Option<String>,
    /// Message that states the problem.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
    /// Path of the file.
    pub file: Option<String>,
    /// Line of the start, from 1.
    pub line: Option<u32>,
    /// Column of the start in bytes, from 1.
    pub column: Option<u32>,
    /// End of the marked text.
    pub end: Option<Point>,
    /// Name that the program has for the file.
    #[serde(skip)]
    pub name: Option<String>,
}
