//! Logs and the live monitor of Groot2 for agents of Pleach.
//!
//! Groot2 is the editor and monitor of BehaviorTree.CPP. [`LogWriter`] writes its log files from
//! the changes of one agent, [`Log`] reads them, and [`Monitor`] serves one agent of a running
//! crowd to Groot2. `spec/groot2.md` describes files, messages and limits.
//!
//! An agent's [`Tree`] is made of an image of any dialect. An [`AgentWatcher`] tells the changes of
//! the statuses of its nodes while the crowd is ticked. The threads of the monitor answer requests
//! from a copy of what the host's thread has told, so a slow or hostile peer does not hold the
//! crowd. Only a breakpoint does.
//!
//! ```no_run
//! # type Done = Result<(), Box<dyn std::error::Error>>;
//! # fn play(image: pleach::Image, mut game: pleach::Bindings<()>) -> Done {
//! use pleach::{Crowd, Program};
//! use pleach_groot2::{Monitor, Tree};
//! let program = Program::link(&image, &game)?;
//! let mut crowd = Crowd::new(&program);
//! let agent = crowd.spawn("guard")?;
//! let tree = Tree::new(&image, "guard", |file| std::fs::read(file).ok())?;
//! let mut monitor = Monitor::serve("127.0.0.1:1667".parse()?, tree, agent)?;
//! for now in 0.. {
//!     monitor.tick(&mut crowd, now, &mut game);
//! }
//! # Ok(())
//! # }
//! ```

mod describe;
mod live;
mod log;
mod statuses;
mod tree;
mod watcher;

pub use live::{HookedHost, LiveChanges, Monitor};
pub use log::{LOG_MAGIC, Log, LogError, LogProblem, LogWriter, LoggedChange};
pub use statuses::{ChangeSink, NodeStatus, StatusChange};
pub use tree::{Tree, TreeError};
pub use watcher::AgentWatcher;
