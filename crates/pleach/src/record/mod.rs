//! Recordings of runs, their replay tick by tick, and the comparison of two builds.
//!
//! What trees do follows from what they are told. So a recording has no states, but times and
//! answers, what the host wrote, and what it did to its agents between ticks: some bits for an
//! agent's tick, and less where answers can be foreseen. A [`Recorder`] stands between crowd and
//! host; nothing else of the game changes. Agents that the crowd has when the recording begins are
//! in it. Before its first tick, a [`Replay`] has no agents.
//!
//! ```no_run
//! # use pleach::{Bindings, Image};
//! # fn play(image: Image, mut game: Bindings<()>) -> Result<(), Box<dyn std::error::Error>> {
//! use pleach::{Crowd, Program, record::{Recorder, Replay}};
//! let mut crowd = Crowd::new(&Program::link(&image, &game)?);
//! let agent = crowd.spawn("guard")?;
//! let mut recorder = Recorder::new(&image, &game);
//! for now in 0..1000 {
//!     crowd.tick(now, &mut recorder.around(&mut game));
//! }
//! std::fs::write("guard.rec", recorder.finish())?;
//!
//! let mut replay = Replay::open(std::fs::read("guard.rec")?)?;
//! replay.seek(500)?; // Also backward.
//! println!("{:?}", replay.crowd().outcome(agent));
//! # Ok(())
//! # }
//! ```
//!
//! How it works: the order of calls across agents depends on the engine, but the calls of one agent
//! have one order. So the answers of a tick are sorted by agent, and a replay ticks its agents one
//! by one: each question of a tree gets the next answer. Changes that the host makes without a call
//! are found by comparison with a copy of the crowd after the last step, so no change is missed. A
//! change that cannot be described (a restored snapshot, a reload) is a snapshot in the recording.
//! The price is the copy, and time: recording takes several times as long as ticks do. Ticks of
//! [parts](crate::Crowd::parts) are not recorded call by call; a snapshot follows each of them.
//!
//! Data that nodes of the host keep for themselves ([`Call::data`](crate::Call::data)) is not part
//! of a recording. The format is in `spec/recording.md`.

mod answers;
mod asked;
mod changes;
mod coder;
mod comparison;
mod digest;
mod error;
mod format;
mod recorder;
mod replay;
mod reply;
mod told;
mod writes;

pub use asked::AnswerRecorder;
pub use comparison::{Comparison, Difference, Divergence};
pub use error::{RecordingError, RecordingFault};
pub use recorder::{Recorder, RecordingHost};
pub use replay::Replay;
