//! A live view of a crowd: a small server with one page, for any host.
//!
//! A page in a browser shows what agents do: each in a list, one of them with its tree, its variables and its last ticks, and what all
//! of them do with each node. It commands, too: pause, step, breakpoints, forced results. The protocol and the rules by which nobody
//! else gets in are `spec/view.md`.
//!
//! The crowd stays its host's. Threads of the server only hand messages on; everything that concerns agents is done by the thread
//! that ticks them, in [`View::obey`] and [`View::tick`]. While no page is connected, that is a look at a few numbers, and the crowd is
//! ticked as ever. While one is, the copy of what it looks at is made between ticks, and what it has not read is replaced, not queued:
//! so a page may be slow, hostile or gone, and the crowd keeps ticking. Watching changes no result. The price is that a page sees
//! some ticks of the list only, not all, and that what it wants is done at the next tick.
//!
//! ```no_run
//! # fn play(image: pleach::Image, mut game: pleach::Bindings<()>) -> Result<(), Box<dyn std::error::Error>> {
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
pub use export::{Excerpt, export};
pub use options::Options;
pub use scene::Scene;

use serde::Serialize;

/// A place in a file that people edit, both from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Point {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Something that is wrong with an edited source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// `error` or `warning`.
    pub severity: String,
    /// Which kind of finding.
    pub code: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The path of the file.
    pub file: Option<String>,
    /// Where it begins.
    pub line: Option<u32>,
    /// Where it begins in its line.
    pub column: Option<u32>,
    /// Where it ends.
    pub end: Option<Point>,
    /// The name that the program has for the file.
    #[serde(skip)]
    pub name: Option<String>,
}
